#pragma once
// Two operands with equal results whose axes lie differently: the axes that serve both.

#include <clprim/core/language.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <clprim/reduce/view.hpp>

namespace clprim::detail {

/// An axis of results, and the distances along it in both operands.
struct pair_axis {
  std::int64_t extent;
  std::int64_t x_stride;
  std::int64_t y_stride;
};

/// The axes of a view's results, the fastest first, extents of 1 left out.
template <class T> std::vector<array_axis> result_axes(const reduce_view<T>& v) {
  std::vector<array_axis> axes;
  const auto add = [&](std::int64_t extent, std::int64_t stride) {
    if (extent != 1) axes.push_back({extent, stride});
  };
  add(v.inner, 1);
  std::int64_t fastest = v.outer;
  for (int k = 0; k < v.slower.count; ++k)
    fastest /= std::max<std::int64_t>(1, v.slower.extent.at(static_cast<std::size_t>(k)));
  add(fastest, v.outer_stride);
  for (int k = 0; k < v.slower.count; ++k) {
    const auto i = static_cast<std::size_t>(k);
    add(v.slower.extent.at(i), v.slower.stride.at(i));
  }
  return axes;
}

/// Both lists cut where either is cut, then joined where both lie like one axis; nothing where a
/// cut of one falls inside of what the other cannot be cut at.
std::optional<std::vector<pair_axis>> common_axes(std::vector<array_axis> x,
                                                  std::vector<array_axis> y);

#ifndef CLPRIM_COMPILED
CLPRIM_INLINE std::optional<std::vector<pair_axis>> common_axes(std::vector<array_axis> x,
                                                                std::vector<array_axis> y) {
  std::vector<pair_axis> axes;
  std::size_t i = 0, j = 0;
  while (i < x.size() && j < y.size()) {
    const std::int64_t n = std::min(x[i].extent, y[j].extent);
    if (x[i].extent % n != 0 || y[j].extent % n != 0) return std::nullopt;
    const pair_axis one{n, x[i].stride, y[j].stride};
    if (!axes.empty() && axes.back().extent * axes.back().x_stride == one.x_stride &&
        axes.back().extent * axes.back().y_stride == one.y_stride)
      axes.back().extent *= n;
    else
      axes.push_back(one);
    const auto take = [n](std::vector<array_axis>& from, std::size_t& at) {
      from[at] = {from[at].extent / n, from[at].stride * n};
      if (from[at].extent == 1) ++at;
    };
    take(x, i);
    take(y, j);
  }
  if (i < x.size() || j < y.size()) return std::nullopt;
  return axes;
}
#endif

/// "4 x 3 results of 5 elements", the slowest axis first.
template <class T> std::string shape_text(const reduce_view<T>& v) {
  std::string text;
  for (const array_axis& a : result_axes(v))
    text = std::to_string(a.extent) + (text.empty() ? "" : " x ") + text;
  if (text.empty()) text = std::to_string(v.results());
  return text + (v.results() == 1 ? " result of " : " results of ") + std::to_string(v.length) +
         (v.length == 1 ? " element" : " elements");
}

/// Lays x and y out along the same axes. Throws argument_error where their results or elements are
/// not as many, or more axes stay apart than a reduction has.
template <class T> void align(reduce_view<T>& x, reduce_view<T>& y) {
  const bool alike = x.inner == y.inner && x.outer == y.outer && x.slower.count == y.slower.count &&
                     x.slower.extent == y.slower.extent;
  const bool equal = x.length == y.length && x.offsets == y.offsets && x.results() == y.results();
  if (equal && (alike || x.results() == 0)) return;
  const auto axes = equal ? common_axes(result_axes(x), result_axes(y)) : std::nullopt;
  if (!axes) {
    const bool ragged = x.offsets != y.offsets;
    throw argument_error("x and y of a dot product", "must have results of one shape",
                         shape_text(x) + " and " + shape_text(y),
                         ragged ? "the same buffer of offsets" : "equal shapes");
  }
  const bool side_by_side = axes->front().x_stride == 1 && axes->front().y_stride == 1;
  const std::size_t first = side_by_side ? 1 : 0;
  if (axes->size() - first > 1 + slower_axes::most) {
    throw argument_error(
        "axes of x and y of a dot product",
        "must be few enough after joining those without gaps in both",
        std::to_string(axes->size() + 1),
        std::to_string(slower_axes::most + 2 + static_cast<int>(first)) + " or fewer");
  }
  const auto lay = [&](reduce_view<T>& v, std::int64_t pair_axis::*stride) {
    v.inner = side_by_side ? axes->front().extent : 1;
    v.outer = 1;
    v.outer_stride = 0;
    v.slower = {};
    for (std::size_t k = first; k < axes->size(); ++k) {
      const pair_axis& a = (*axes)[k];
      v.outer *= a.extent;
      if (k == first) {
        v.outer_stride = a.*stride;
        continue;
      }
      v.slower.extent.at(k - first - 1) = a.extent;
      v.slower.stride.at(k - first - 1) = a.*stride;
      v.slower.count = static_cast<int>(k - first);
    }
  };
  lay(x, &pair_axis::x_stride);
  lay(y, &pair_axis::y_stride);
}

}  // namespace clprim::detail
