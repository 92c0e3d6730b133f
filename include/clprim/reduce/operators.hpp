#pragma once
// The operators as types, several of them in one pass, the caller's own; and how their results come
// to the host: `reduce<float, op::several<op::min_max, op::mean<>>>`.

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <tuple>
#include <type_traits>
#include <vector>

#include <clprim/reduce/contracts.hpp>
#include <clprim/reduce/searches.hpp>
#include <clprim/reduce/sums.hpp>

namespace clprim::op {

/// Several operators in one pass over the data; the result is a std::tuple on the host, and on the
/// device a C structure of the results in this order, each at the next multiple of its alignment:
/// of `reduce<float, op::several<op::sum<>, op::argmax, op::count>>`
///
///     struct { float sum; struct { float best; long at; } argmax; long count; }    // OpenCL C
///              0                   8           16                 24                  32 bytes
///
/// which is `reduce<…>::result_bytes` each in an output buffer. The host's tuple may lie otherwise.
template <class... Ops> struct several {
  static_assert(sizeof...(Ops) > 0);
  static_assert(!(detail::is_dot<Ops> || ...), "op::several is of one operand: no dot products");
  template <class T> using result = std::tuple<typename Ops::template result<T>...>;
};

/// An operator in OpenCL C text on states of type S: see reduce_options::user.
template <class S> struct user {
  static_assert(std::is_trivially_copyable_v<S>, "op::user needs a trivially copyable state");
  template <class T> using result = S;
};

/// Whether Op is one of these operators, and takes elements of type T.
template <class Op, class T>
concept is_operator = requires {
  typename Op::template result<T>;
};

namespace detail {

/// The operator, or in place of what is none a sum, so that the sentence of the static_assert is
/// all that the compiler says.
template <class T, class Given>
using operator_or_sum =
    std::conditional_t<is_operator<Given, T>, std::type_identity<Given>, std::type_identity<sum<>>>;

constexpr std::size_t aligned_up(std::size_t n, std::size_t to) { return (n + to - 1) / to * to; }

/// How an operator's results lie in device memory, and how they come to the host.
template <class Op, class T> struct results {
  using type = typename Op::template result<T>;
  static constexpr std::size_t bytes = sizeof(type);
  static std::vector<reduce_part> parts() { return {Op::template part<T>()}; }
  static type read(const std::byte* from) {
    type value;
    std::memcpy(&value, from, sizeof value);
    return value;
  }
};

template <class S, class T> struct results<user<S>, T> {
  using type = S;
  static constexpr std::size_t bytes = sizeof(S);
  static std::vector<reduce_part> parts() {
    reduce_part p;
    p.op = reduce_operator::user;
    p.floating = false;
    p.result_bytes = static_cast<int>(sizeof(S));
    return {p};
  }
  static S read(const std::byte* from) {
    S value;
    std::memcpy(&value, from, sizeof value);
    return value;
  }
};

template <class Op, class T> struct results<fastest<Op>, T> : results<Op, T> {};

template <class... Ops, class T> struct results<several<Ops...>, T> {
  using type = typename several<Ops...>::template result<T>;
  static constexpr std::size_t align = std::max({alignof(typename Ops::template result<T>)...});
  static constexpr std::size_t bytes = [] {
    std::size_t at = 0;
    ((at = aligned_up(at, alignof(typename Ops::template result<T>)) +
           sizeof(typename Ops::template result<T>)),
     ...);
    return aligned_up(at, align);
  }();
  static std::vector<reduce_part> parts() { return {Ops::template part<T>()...}; }
  static type read(const std::byte* from) {
    std::size_t at = 0;
    const auto next = [&]<class R>(R value) {
      at = aligned_up(at, alignof(R));
      std::memcpy(&value, from + at, sizeof value);
      at += sizeof value;
      return value;
    };
    return type{next(typename Ops::template result<T>{})...};
  }
};

}  // namespace detail

}  // namespace clprim::op
