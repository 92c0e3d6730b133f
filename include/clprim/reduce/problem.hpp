#pragma once
// A reduction's operands, checked before anything runs.

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include <clprim/reduce/pair.hpp>
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
  int alignment = 128;          ///< bytes to which the memory of x and y is aligned

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
         a.outer == b.outer && a.out_offset == b.out_offset && a.alignment == b.alignment;
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

inline void require_separate(const footprint& written, const char* name, const footprint& other,
                             const char* of_other) {
  if (!overlaps(written, other)) return;
  throw argument_error(name, std::string("must not share memory with ") + of_other,
                       "overlapping buffers", "separate memory");
}

}  // namespace detail

/// The problem of views whose buffers are looked at only to see how their memory is aligned; y is x
/// where there is one operand. Throws argument_error where x and y do not go together.
template <class T>
reduce_problem numbers_of(const reduction& what, reduce_view<T> x, reduce_view<T> y) {
  if (what.two_operands) detail::align(x, y);
  reduce_problem p = detail::shape_of(x);
  p.two_operands = what.two_operands;
  if (what.two_operands) p.y = detail::operand_of(y);
  for (const cl_mem memory : {p.x.memory, p.y.memory}) {
    if (memory != nullptr && p.length > 0)
      p.alignment = std::min(p.alignment, detail::base_alignment(memory));
  }
  return p;
}

/// An input that is checked: the problem without its results, and the bytes that it is read from.
struct checked_input {
  reduce_problem problem{};
  footprint x{}, y{}, offsets{};
};

/// Checks the input; `y` is null where there is one operand. Throws argument_error.
template <class T>
checked_input check_input(const reduction& what, const reduce_view<T>& x, const reduce_view<T>* y) {
  checked_input in{.x = detail::check_reduced(x, "x")};
  if (y != nullptr) in.y = detail::check_reduced(*y, "y");
  in.problem = numbers_of(what, x, y != nullptr ? *y : x);
  if (x.length == 0 && x.results() > 0 && x.offsets == nullptr && !what.has_identity()) {
    throw argument_error("length of x", "must not be 0 for an operator without identity", "0",
                         "at least 1");
  }
  if (x.offsets != nullptr && x.results() > 0) {
    const std::int64_t bytes = (x.outer + 1) * 8;
    in.offsets = {x.offsets, 0, 1, bytes, bytes};
  }
  return in;
}

/// Checks where the results of an input go, `result_bytes` each, which is into result `offset` and
/// those after it of `out`, and keeps it with the problem; returns their bytes. Throws
/// argument_error.
inline footprint check_results(checked_input& in, cl_mem out, std::int64_t offset,
                               std::size_t result_bytes) {
  using namespace detail;
  require_at_least(offset, 0, "offset", "the results", "must not be negative");
  const auto each = static_cast<std::int64_t>(result_bytes);
  const auto bytes = multiply_add(in.problem.results(), each, 0);
  const auto end = bytes ? multiply_add(offset, each, *bytes) : std::nullopt;
  if (!end) fail_too_far("the results");
  in.problem.out = out;
  in.problem.out_offset = offset;
  if (in.problem.results() == 0) return {};
  require_bytes(out, *end, "buffer", "the results");
  const footprint results{out, *end - *bytes, 1, *bytes, *bytes};
  for (const footprint& input : {in.x, in.y})
    require_separate(results, "the results", input, "the input");
  require_separate(results, "the results", in.offsets, "the offsets of the segments");
  return results;
}

}  // namespace clprim
