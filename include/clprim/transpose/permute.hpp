#pragma once
// Permutations of the axes of arrays of up to 6 axes: axis k of Y is axis axes[k] of X.

#include <array>
#include <cstdint>
#include <initializer_list>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <clprim/core/axes.hpp>
#include <clprim/runtime/array.hpp>
#include <clprim/transpose/engine.hpp>

namespace clprim {

namespace detail {

void choose_tiled(std::vector<transpose_axis> axes, transpose_problem& p);

#ifndef CLPRIM_COMPILED
/// The tiled axes: the one along which the input is contiguous (cols) and the one along which the
/// output is (rows), so that loads and stores both run along memory. Where that is one axis, lines
/// are copied, and the longest of the others is tiled with it. An array of which no two elements
/// are neighbours gets an axis of one element, which is contiguous.
CLPRIM_INLINE void choose_tiled(std::vector<transpose_axis> axes, transpose_problem& p) {
  const auto fastest = [&](std::int64_t transpose_axis::*step) {
    for (std::size_t a = 0; a < axes.size(); ++a)
      if (axes[a].*step == 1) return a;
    axes.push_back({1, 1, 1});
    return axes.size() - 1;
  };
  const std::size_t c = fastest(&transpose_axis::in_step);
  std::size_t r = fastest(&transpose_axis::out_step);
  p.task = c == r ? transpose_task::lines : transpose_task::turn;
  p.cols = axes[c].extent;
  if (c == r) {
    r = axes.size();
    for (std::size_t a = 0; a < axes.size(); ++a)
      if (a != c && (r == axes.size() || axes[a].extent > axes[r].extent)) r = a;
  }
  const bool line = r == axes.size();  // all of it is one run
  p.rows = line ? 1 : axes[r].extent;
  p.in_pitch = line ? p.cols : axes[r].in_step;
  p.out_pitch = line                             ? p.cols
                : p.task == transpose_task::turn ? axes[c].out_step
                                                 : axes[r].out_step;
  for (std::size_t a = 0; a < axes.size(); ++a)
    if (a != c && a != r) p.outer[static_cast<std::size_t>(p.outer_count++)] = axes[a];
}
#endif

}  // namespace detail

/// Checks Y = X with its axes in the order `axes`: axis k of Y is axis axes[k] of X. Throws
/// argument_error for axes that are no permutation, extents that do not fit, places of Y that
/// meet, buffers that are too small and Y sharing memory with X.
template <element_type In, element_type Out>
transpose_problem checked_permutation(const array_view<In>& X, std::span<const int> axes,
                                      const array_view<Out>& Y) {
  using namespace detail;
  const footprint from = check_array(X, "X"), to = check_array(Y, "Y");
  const std::size_t rank = X.extents.size();
  require_same(static_cast<std::int64_t>(Y.extents.size()), static_cast<std::int64_t>(rank),
               "axes of Y", "the axes of X");
  require_same(static_cast<std::int64_t>(axes.size()), static_cast<std::int64_t>(rank),
               "length of the permutation", "the axes of X");
  std::vector<transpose_axis> all;
  std::vector<bool> seen(rank);
  transpose_problem p{
      .in = X.memory, .out = Y.memory, .in_offset = X.offset, .out_offset = Y.offset};
  bool none = false;
  for (std::size_t k = 0; k < rank; ++k) {
    const int axis = axes[k];
    if (axis < 0 || axis >= static_cast<int>(rank) || seen[static_cast<std::size_t>(axis)]) {
      throw argument_error("entry " + std::to_string(k) + " of the permutation",
                           "must be an axis of X that is not taken", std::to_string(axis),
                           "each of 0 to " + std::to_string(rank - 1) + " once");
    }
    const auto a = static_cast<std::size_t>(axis);
    seen[a] = true;
    require_same(Y.extents[k], X.extents[a], "extent of axis " + std::to_string(k) + " of Y",
                 "that of axis " + std::to_string(axis) + " of X");
    require_tile_range(Y.extents[k], "extent of axis " + std::to_string(k) + " of Y");
    none = none || Y.extents[k] == 0;
    all.push_back({Y.extents[k], X.strides[a], Y.strides[k]});
  }
  set_operands<In, Out>(p, {"X", from}, {"Y", to, true});
  if (none) return p;  // rows = cols = 0
  if (const auto meeting = meeting_axis(Y.extents, Y.strides)) {
    throw argument_error("strides of Y", "must keep its elements apart",
                         "stride " + std::to_string(Y.strides[meeting->axis]) + " of axis " +
                             std::to_string(meeting->axis),
                         "at least " + std::to_string(meeting->reach + 1));
  }
  if (overlaps(to, from)) {
    throw argument_error("Y", "must not share memory with X", "overlapping views",
                         "separate memory");
  }
  merge_axes(all, [](const transpose_axis& slow, const transpose_axis& fast) {
    return slow.in_step == fast.in_step * fast.extent &&
           slow.out_step == fast.out_step * fast.extent && slow.extent * fast.extent <= most_tiled;
  });
  choose_tiled(std::move(all), p);
  return p;
}

/// The axes of a permutation, however the caller has them: `{0, 3, 1, 2}`, an array, a vector or a
/// span. It refers to them, so it is for parameters only.
class axis_list : public std::span<const int> {
 public:
  constexpr axis_list(std::span<const int> axes) : std::span<const int>(axes) {}
  template <std::size_t N>
  constexpr axis_list(const std::array<int, N>& axes) : std::span<const int>(axes) {}
  axis_list(const std::vector<int>& axes) : std::span<const int>(axes) {}
  axis_list(std::initializer_list<int> axes) : std::span<const int>(axes.begin(), axes.size()) {}
};

/// Permutations of axes on one queue; elements as of `transpose`. The map sees `value` alone.
///
///     clprim::permute<float> order(queue);
///     order(clprim::array<float>(a, {n, h, w, c}), {0, 3, 1, 2},      // NHWC to NCHW
///           clprim::array<float>(b, {n, c, h, w}));
template <element_type In, element_type Out = In, transpose_policy P = tuned_transpose_policy>
class permute : public door<detail::transpose_engine> {
  using from = array_view<In>;
  using to = array_view<Out>;
  static_assert(P == tuned_transpose_policy || checked(P) == P);
  static_assert(bits_text::can_move(sizeof(In)) && bits_text::can_move(sizeof(Out)),
                "an element to be transposed must have 1, 2, 4, 8 or 16 bytes");

 public:
  /// On this queue; throws as transpose.
  explicit permute(const queue_handle& queue, transpose_options options = {})
    : door(queue, detail::with_policy<P>(std::move(options)), describe_element<In>(),
           describe_element<Out>()) {}

  /// Enqueues Y = map(X with its axes in the order `axes`): axis k of Y is axis axes[k] of X.
  /// Returns its event; throws as checked_permutation before anything is enqueued.
  cl::Event operator()(const from& X, axis_list axes, const to& Y, wait_list waits = {},
                       argument_list arguments = {}) {
    return engine_.run(checked_permutation(X, axes, Y), {}, waits, arguments);
  }
  /// As those of `transpose`.
  void prepare(const from& X, axis_list axes, const to& Y) {
    engine_.prepare(checked_permutation(X, axes, Y), false);
  }
  transpose_schedule schedule(const from& X, axis_list axes, const to& Y) const {
    return engine_.schedule(checked_permutation(X, axes, Y), false);
  }
  std::string explain(const from& X, axis_list axes, const to& Y) {
    return engine_.explain(checked_permutation(X, axes, Y));
  }
  std::string source(const from& X, axis_list axes, const to& Y) const {
    return engine_.source(checked_permutation(X, axes, Y), false);
  }
  std::size_t workspace_bytes(const from& X, axis_list axes, const to& Y) const {
    return engine_.workspace_bytes(checked_permutation(X, axes, Y));
  }
};

}  // namespace clprim
