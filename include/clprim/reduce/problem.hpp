#pragma once
// A reduction's operands, checked before anything runs.

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include <clprim/reduce/variant.hpp>
#include <clprim/reduce/view.hpp>

namespace clprim {

/// Where an operand's elements are.
struct reduce_operand {
  cl_mem memory = nullptr;
  std::int64_t offset = 0;
  std::int64_t step = 1;   ///< rows: from element to element; columns: from row to row
  std::int64_t outer = 0;  ///< from one outer result to the next
  slower_axes slower{};
  friend bool operator==(const reduce_operand&, const reduce_operand&) = default;
};

/// A checked problem, without its types.
struct reduce_problem {
  reduce_shape shape = reduce_shape::rows;
  reduce_operand x{}, y{};
  bool two_operands = false;
  std::int64_t length = 0;
  std::int64_t inner = 1;
  std::int64_t outer = 1;
  cl_mem offsets = nullptr;
  cl_mem out = nullptr;
  std::int64_t out_offset = 0;  ///< in results

  std::int64_t results() const { return inner * outer; }
  friend bool operator==(const reduce_problem&, const reduce_problem&) = default;
};

/// Whether two problems differ in their buffers at most.
inline bool same_numbers(const reduce_problem& a, const reduce_problem& b) {
  const auto alike = [](const reduce_operand& x, const reduce_operand& y) {
    return x.offset == y.offset && x.step == y.step && x.outer == y.outer && x.slower == y.slower;
  };
  return a.shape == b.shape && alike(a.x, b.x) && alike(a.y, b.y) &&
         a.two_operands == b.two_operands && a.length == b.length && a.inner == b.inner &&
         a.outer == b.outer && a.out_offset == b.out_offset;
}

namespace detail {

/// The element after the last one of a view; nothing when that passes 2^63 - 1.
template <class T> std::optional<std::int64_t> end_of(const reduce_view<T>& v) {
  auto end = multiply_add(v.length - 1, v.step, v.inner);
  const auto go = [&](std::int64_t steps, std::int64_t stride) {
    if (end) end = multiply_add(steps, stride, *end);
  };
  go(1, v.offset);
  std::int64_t fastest = v.offsets != nullptr ? 1 : v.outer;
  for (int k = 0; k < v.slower.count; ++k) {
    const auto i = static_cast<std::size_t>(k);
    fastest /= std::max<std::int64_t>(1, v.slower.extent.at(i));
    go(v.slower.extent.at(i) - 1, v.slower.stride.at(i));
  }
  go(fastest - 1, v.outer_stride);
  if (end && !multiply_add(*end, sizeof(T), 0)) end.reset();
  return end;
}

template <class T> footprint check_reduced(const reduce_view<T>& v, std::string_view name) {
  for (const auto& [value, what] : {std::pair{v.length, "length"},
                                    {v.offset, "offset"},
                                    {v.step, "stride"},
                                    {v.inner, "results side by side"},
                                    {v.outer, "number of results"},
                                    {v.outer_stride, "distance of results"}}) {
    require_at_least(value, 0, what, name, "must not be negative");
  }
  if (v.inner > 1 && v.length > 1 && v.step != 0)
    require_at_least(v.step, v.inner, "leading dimension", name, "must be at least its row length");
  if (!multiply_add(v.inner, v.outer, 0)) fail_too_far(name);
  if (v.offsets != nullptr)
    require_bytes(v.offsets, (v.outer + 1) * 8, "offsets of the segments", name);
  if (v.length == 0 || v.results() == 0) return {};
  const auto end = end_of(v);
  if (!end) fail_too_far(name);
  constexpr auto size = static_cast<std::int64_t>(sizeof(T));
  require_bytes(v.memory, *end * size, "buffer", name);
  return {v.memory, v.offset * size, 1, (*end - v.offset) * size, (*end - v.offset) * size};
}

template <class T> reduce_operand operand_of(const reduce_view<T>& v) {
  return {v.memory, v.offset, v.step, v.outer_stride, v.slower};
}

/// The shape of a view whose buffers are not looked at.
template <class T> reduce_problem shape_of(const reduce_view<T>& x) {
  reduce_problem p{.x = operand_of(x)};
  p.length = x.length;
  p.inner = x.inner;
  p.outer = x.outer;
  p.offsets = x.offsets;
  p.shape = x.offsets != nullptr ? reduce_shape::ragged
            : x.inner > 1        ? reduce_shape::columns
                                 : reduce_shape::rows;
  return p;
}

/// Throws argument_error unless x and y have as many elements in as many results.
template <class T> void require_alike(const reduce_view<T>& x, const reduce_view<T>& y) {
  const bool alike = x.length == y.length && x.inner == y.inner && x.outer == y.outer &&
                     x.slower.count == y.slower.count && x.slower.extent == y.slower.extent &&
                     x.offsets == y.offsets;
  if (alike) return;
  const auto text = [](const reduce_view<T>& v) {
    return std::to_string(v.outer) + " x " + std::to_string(v.inner) + " results of " +
           std::to_string(v.length) + " elements";
  };
  throw argument_error("x and y of a dot product", "must lie in results of one shape",
                       text(x) + " and " + text(y), "equal shapes and the same offsets expected");
}

inline void require_separate(const footprint& written, const char* name, const footprint& other,
                             const char* of_other) {
  if (!overlaps(written, other)) return;
  throw argument_error(name, std::string("must not share memory with ") + of_other,
                       "overlapping buffers", "separate memory");
}

}  // namespace detail

/// Checks the input and where its results go, `result_bytes` each, and a workspace that the caller
/// gave. Throws argument_error.
template <class T>
reduce_problem checked_reduction(const reduction& what, const reduce_view<T>& x,
                                 const reduce_view<T>* y, cl_mem out, std::int64_t out_offset,
                                 std::size_t result_bytes, const footprint& workspace = {}) {
  using namespace detail;
  const footprint in = check_reduced(x, "x");
  if (what.two_operands != (y != nullptr)) {
    throw argument_error("operands", "must be as many as the operator takes",
                         y == nullptr ? "1" : "2", what.two_operands ? "2" : "1");
  }
  footprint in_y;
  if (y != nullptr) {
    in_y = check_reduced(*y, "y");
    require_alike(x, *y);
  }
  if (x.length == 0 && x.results() > 0 && x.offsets == nullptr && !what.has_identity()) {
    throw argument_error("length of x", "must not be 0 for an operator without identity", "0",
                         "at least 1");
  }
  require_at_least(out_offset, 0, "offset", "the results", "must not be negative");
  const auto bytes = static_cast<std::int64_t>(result_bytes);
  const auto end = multiply_add(x.results(), bytes, 0);
  const auto to = end ? multiply_add(out_offset, bytes, *end) : std::nullopt;
  if (!to) fail_too_far("the results");
  if (x.results() > 0) {
    require_bytes(out, *to, "buffer", "the results");
    const footprint results{out, *to - *end, 1, *end, *end};
    const std::int64_t of_offsets = (x.outer + 1) * 8;
    const footprint offsets =
        x.offsets == nullptr ? footprint{} : footprint{x.offsets, 0, 1, of_offsets, of_offsets};
    for (const footprint& input : {in, in_y}) {
      require_separate(results, "the results", input, "the input");
      require_separate(workspace, "the given workspace", input, "the input");
    }
    require_separate(results, "the results", offsets, "the offsets of the segments");
    require_separate(workspace, "the given workspace", offsets, "the offsets of the segments");
    require_separate(workspace, "the given workspace", results, "the results");
  }
  reduce_problem p = shape_of(x);
  p.out = out;
  p.out_offset = out_offset;
  p.two_operands = y != nullptr;
  if (y != nullptr) p.y = operand_of(*y);
  return p;
}

}  // namespace clprim
