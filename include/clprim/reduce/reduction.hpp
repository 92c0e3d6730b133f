#pragma once
// What a reduction computes, as a value: element, operators, map. No OpenCL here.

#include <clprim/core/language.hpp>

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include <clprim/core/function.hpp>

namespace clprim {

/// What happens to NaN among the elements.
enum class nan_rule {
  propagate,  ///< one NaN makes the result NaN (of argmin and argmax: the first NaN is the answer)
  ignore,     ///< as if it were not there; nothing but NaN gives what an operator says
};

/// The operators by name; `user` is OpenCL C text.
enum class reduce_operator {
  sum,
  compensated_sum,
  compensated_dot,
  product,
  min,
  max,
  min_max,
  argmin,
  argmax,
  any,
  all,
  count,
  variance,
  user,
};

/// How the value of an element enters an operator.
enum class reduce_entry { plain, absolute, square };

/// What becomes of the state at the end.
enum class reduce_exit { plain, divide, root };

/// One of the results of a pass over the data.
struct reduce_part {
  reduce_operator op = reduce_operator::sum;
  reduce_entry entry = reduce_entry::plain;
  reduce_exit exit = reduce_exit::plain;
  std::string value = "float";  ///< arithmetic type in OpenCL C, 4 to 16 bytes
  std::string real = "float";   ///< the same, or the type of its two components
  int value_bytes = 4;
  bool floating = true;
  int result_bytes = 4;      ///< op::user: bytes of its state
  bool has_identity = true;  ///< an empty input has a result
  bool counts = false;       ///< NaN is ignored: the state counts the numbers it divides by

  bool is_complex() const { return value != real; }
  friend bool operator==(const reduce_part&, const reduce_part&) = default;
};

/// An element as stored.
struct reduce_element {
  std::string stored = "float";   ///< in memory
  std::string compute = "float";  ///< as a map sees it
  int bytes = 4;
  bool is_struct = false;   ///< of the user's: read one by one
  bool is_complex = false;  ///< two reals

  friend bool operator==(const reduce_element&, const reduce_element&) = default;
};

/// A reduction: all that its source says besides policy and shape.
struct reduction {
  reduce_element element{};
  std::vector<reduce_part> parts{};
  bool two_operands = false;           ///< dot: of x and y
  bool conjugated = false;             ///< dot of complex numbers: of conj(x) and y
  bool may_vary_between_runs = false;  ///< op::fastest: states may come together in any order
  nan_rule nan = nan_rule::propagate;
  function map{};  ///< body; sees x (and y) and `long index`, returns the value that is reduced
  // For reduce_operator::user only: text of the caller's.
  std::string declarations{};  ///< types and functions in front of everything
  std::string state{};         ///< the type of a state
  std::string combine{};       ///< body of a function of a and b
  std::string identity{};      ///< an expression; empty: the operator has none

  friend bool operator==(const reduction&, const reduction&) = default;
  /// Whether an empty input has a result.
  bool has_identity() const {
    return std::all_of(parts.begin(), parts.end(),
                       [](const reduce_part& p) { return p.has_identity; });
  }
  /// Whether the device must have double precision.
  bool needs_fp64() const {
    return element.stored.starts_with("double") ||
           std::any_of(parts.begin(), parts.end(),
                       [](const reduce_part& p) { return p.real == "double"; });
  }
  /// Whether the order in which states are merged shows in the result.
  bool order_shows() const {
    return std::any_of(parts.begin(), parts.end(), [](const reduce_part& p) {
      using enum reduce_operator;
      const bool exact = p.op == min || p.op == max || p.op == min_max || p.op == argmin ||
                         p.op == argmax || p.op == any || p.op == all || p.op == count;
      return p.op == user || (p.floating && !exact);
    });
  }
};

/// 32-bit words of the state that travels between items and groups: the members without padding.
int state_words(const reduction& what);
/// Bytes of the state as a C structure, at most.
int state_bytes(const reduction& what);

#ifndef CLPRIM_COMPILED
/// A member of the state of a part, in OpenCL C.
struct state_member {
  std::string name;
  std::string type;
};

/// What the state of a part consists of, in order; of op::user its one value.
inline std::vector<state_member> state_members(const reduce_part& p) {
  const auto counted = [&](std::vector<state_member> members) {
    if (p.counts) members.push_back({"n", "long"});
    return members;
  };
  switch (p.op) {
    case reduce_operator::sum: return counted({{"sum", p.value}});
    case reduce_operator::compensated_sum:
    case reduce_operator::compensated_dot: return counted({{"sum", p.value}, {"error", p.value}});
    case reduce_operator::product: return {{"product", p.value}};
    case reduce_operator::min:
    case reduce_operator::max: return {{"best", p.value}};
    case reduce_operator::min_max: return {{"least", p.value}, {"most", p.value}};
    case reduce_operator::argmin:
    case reduce_operator::argmax: return {{"best", p.value}, {"at", "long"}};
    case reduce_operator::any:
    case reduce_operator::all: return {{"found", "long"}};
    case reduce_operator::count: return {{"n", "long"}};
    case reduce_operator::variance: return {{"mean", p.value}, {"squares", p.value}, {"n", "long"}};
    case reduce_operator::user: break;
  }
  return {{"value", "STATE_TYPE"}, {"some", "int"}};
}

/// Bytes of a member's type.
inline int member_bytes(const reduce_part& p, const std::string& type) {
  if (type == "STATE_TYPE") return p.result_bytes;
  if (type == "double2") return 16;
  return type == "int" || type == "uint" || type == "float" ? 4 : 8;
}

CLPRIM_INLINE int state_words(const reduction& what) {
  int words = 0;
  for (const reduce_part& p : what.parts)
    for (const state_member& m : state_members(p)) words += (member_bytes(p, m.type) + 3) / 4;
  return words;
}

CLPRIM_INLINE int state_bytes(const reduction& what) {
  int align = 4, bytes = 0;
  for (const reduce_part& p : what.parts) {
    int part = 0, largest = 4;
    for (const state_member& m : state_members(p)) {
      const int size = member_bytes(p, m.type);
      const int step = m.type == "STATE_TYPE" ? 16 : size;
      part = (part + step - 1) / step * step + size;
      largest = std::max(largest, step);
    }
    bytes = (bytes + largest - 1) / largest * largest + (part + largest - 1) / largest * largest;
    align = std::max(align, largest);
  }
  return (bytes + align - 1) / align * align;
}
#endif

}  // namespace clprim
