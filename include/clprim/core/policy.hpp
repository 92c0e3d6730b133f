#pragma once
// What makes a plain aggregate a policy: fields by name, printing, reading back, hashing, rules.
//
//   struct copy_policy {
//       int tile = 64;
//       buffering buffer = buffering::single;
//       friend bool operator==(const copy_policy&, const copy_policy&) = default;
//   };
//   template <> struct policy_traits<copy_policy> {
//       static constexpr std::string_view name = "clprim::copy_policy";
//       static constexpr auto fields =
//           field_list{field{"tile", &copy_policy::tile}, field{"buffer", &copy_policy::buffer}};
//   };
//   static_assert(fields_complete<copy_policy>());
//   constexpr void check_rules(const copy_policy& p) { rule(p.tile > 0, "tile must be positive"); }

#include <array>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <type_traits>
#include <utility>

#include <clprim/core/error.hpp>
#include <clprim/core/words.hpp>

namespace clprim {

/// One member of a policy: its name and where it lies.
template <class P, class T> struct field {
  std::string_view name;
  T P::*member;

  constexpr field(std::string_view name_, T P::*member_) : name(name_), member(member_) {}
};

namespace detail {

template <std::size_t, class F> struct field_slot { F field; };

template <class Places, class... F> struct field_slots;
template <std::size_t... I, class... F>
struct field_slots<std::index_sequence<I...>, F...> : field_slot<I, F>... {
  constexpr explicit field_slots(F... f) : field_slot<I, F>{f}... {}
  template <class Visit> constexpr decltype(auto) visit(Visit&& v) const {
    return v(static_cast<const field_slot<I, F>&>(*this).field...);
  }
};

}  // namespace detail

/// The fields of a policy; `visit(f)` calls f(first, second, …). (A std::tuple of 30 takes
/// compilers a tenth of a second.)
template <class... F> struct field_list : detail::field_slots<std::index_sequence_for<F...>, F...> {
  static constexpr std::size_t size = sizeof...(F);
  constexpr field_list(F... f) : detail::field_slots<std::index_sequence_for<F...>, F...>(f...) {}
};

/// Specialised beside each policy: `name` (qualified C++ name) and `fields` (a field_list).
template <class P> struct policy_traits;

/// Specialised beside each scoped enum used in a policy: `type` (qualified C++ name) and `names` (a
/// std::array of the enumerators' names, whose values are 0, 1, 2, …).
template <class E> struct enum_names;

namespace detail {

template <class P> struct any_member {
  template <class T>
  requires(!std::is_same_v<std::remove_cvref_t<T>, P>) operator T() const;
};

template <class P, std::size_t> using any_member_at = any_member<P>;

template <class P, std::size_t... I> constexpr bool initialises(std::index_sequence<I...>) {
  return requires { P{any_member_at<P, I>{}...}; };
}

}  // namespace detail

/// Whether `policy_traits<P>::fields` lists every member of P: assert it beside the specialisation.
template <class P> constexpr bool fields_complete() {
  constexpr std::size_t listed = policy_traits<P>::fields.size;
  return detail::initialises<P>(std::make_index_sequence<listed>{}) &&
         !detail::initialises<P>(std::make_index_sequence<listed + 1>{});
}

/// A type with `policy_traits`.
template <class P>
concept policy = requires {
  policy_traits<P>::fields;
};

/// Calls f(name, value) for each field of a policy in order of declaration; the value is a
/// reference, mutable if the policy is.
template <class P, class F>
requires policy<std::remove_const_t<P>>
constexpr void for_each_field(P& p, F&& f) {
  policy_traits<std::remove_const_t<P>>::fields.visit(
      [&](const auto&... one) { (f(one.name, p.*(one.member)), ...); });
}

/// A list of a policy: as many numbers as stand before the first zero.
template <std::size_t N> using number_list = std::array<int, N>;

namespace detail {

template <class T> inline constexpr bool is_list = false;
template <std::size_t N> inline constexpr bool is_list<number_list<N>> = true;

/// "clprim::buffering" → "buffering"
constexpr std::string_view unqualified(std::string_view name) {
  const auto colon = name.rfind(':');
  return colon == std::string_view::npos ? name : name.substr(colon + 1);
}

template <class T> std::string value_text(const T& value) {
  if constexpr (std::is_same_v<T, bool>) {
    return value ? "true" : "false";
  } else if constexpr (std::is_enum_v<T>) {
    const auto index = static_cast<std::size_t>(value);
    const std::string type(enum_names<T>::type);
    if (index < enum_names<T>::names.size()) {
      return type + "::" + std::string(enum_names<T>::names[index]);
    }
    return type + "(" + std::to_string(index) + ")";
  } else if constexpr (is_list<T>) {
    std::string text = "{";
    for (std::size_t i = 0; i < value.size() && value[i] != 0; ++i)
      text += (i > 0 ? ", " : "") + std::to_string(value[i]);
    return text + "}";
  } else {
    static_assert(std::is_same_v<T, int>, "a policy holds int, bool, scoped enums and lists");
    return std::to_string(value);
  }
}

constexpr std::string_view trimmed(std::string_view text) {
  constexpr std::string_view blank = " \t\r\n";
  const auto first = text.find_first_not_of(blank);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(blank) - first + 1);
}

/// Takes what stands before the next comma outside braces, without blanks; the rest begins behind.
constexpr std::string_view next_item(std::string_view& rest) {
  std::size_t end = 0;
  for (int depth = 0; end < rest.size() && (depth > 0 || rest[end] != ','); ++end)
    depth += rest[end] == '{' ? 1 : rest[end] == '}' ? -1 : 0;
  const std::string_view item = trimmed(rest.substr(0, end));
  rest = end == rest.size() ? "" : trimmed(rest.substr(end + 1));
  return item;
}

/// Reads the text of one value, or nothing.
template <class T> std::optional<T> parse_value(std::string_view text) {
  if constexpr (std::is_same_v<T, bool>) {
    if (text == "true") return true;
    if (text == "false") return false;
  } else if constexpr (std::is_enum_v<T>) {
    const auto colons = text.rfind("::");
    if (colons == std::string_view::npos) return std::nullopt;
    const std::string_view type = text.substr(0, colons);
    if (type != enum_names<T>::type && type != unqualified(enum_names<T>::type))
      return std::nullopt;
    for (std::size_t i = 0; i < enum_names<T>::names.size(); ++i) {
      if (text.substr(colons + 2) == enum_names<T>::names[i]) return static_cast<T>(i);
    }
  } else if constexpr (is_list<T>) {
    if (!text.starts_with('{') || !text.ends_with('}')) return std::nullopt;
    T all{};
    std::string_view rest = trimmed(text.substr(1, text.size() - 2));
    for (std::size_t i = 0; !rest.empty(); ++i) {
      const std::optional<int> one = parse_value<int>(next_item(rest));
      if (!one || *one == 0 || i == all.size()) return std::nullopt;
      all[i] = *one;
    }
    return all;
  } else {
    T value{};
    const char* const end = text.data() + text.size();
    const auto [stop, status] = std::from_chars(text.data(), end, value);
    if (status == std::errc{} && stop == end) return value;
  }
  return std::nullopt;
}

}  // namespace detail

/// The policy as the C++ that makes it, all fields: `clprim::gemm_policy{.tile_m = 128, …}`.
template <policy P> std::string to_string(const P& p) {
  std::string text(policy_traits<P>::name);
  const char* separator = "{";
  for_each_field(p, [&](std::string_view name, const auto& value) {
    text += separator;
    text += "." + std::string(name) + " = " + detail::value_text(value);
    separator = ", ";
  });
  return text + "}";
}

/// Reads what `to_string` prints: any subset of the fields in any order, the rest default. The
/// policy's name, qualified or not, may be left out. Throws argument_error on anything else; checks
/// no rule.
template <policy P> P parse_policy(std::string_view whole) {
  constexpr std::string_view type = policy_traits<P>::name;
  const auto refuse = [&](std::string_view constraint, std::string_view actual,
                          std::string allowed) {
    throw argument_error("text of " + std::string(type), std::string(constraint),
                         "'" + std::string(actual) + "'", std::move(allowed));
  };
  const std::string_view text = detail::trimmed(whole);
  const auto open = text.find('{');
  if (open == std::string_view::npos || text.back() != '}') {
    refuse("must be a braced initialiser", text, std::string(type) + "{…} expected");
  }
  const std::string_view name = detail::trimmed(text.substr(0, open));
  if (!name.empty() && name != type && name != detail::unqualified(type)) {
    refuse("must name this policy", name, "'" + std::string(type) + "' expected");
  }
  P result{};
  std::string seen = ",";
  std::string_view rest = detail::trimmed(text.substr(open + 1, text.size() - open - 2));
  while (!rest.empty()) {
    const std::string_view item = detail::next_item(rest);
    const auto equals = item.find('=');
    if (item.empty() || item[0] != '.' || equals == std::string_view::npos) {
      refuse("must hold designated values", item, "'.field = value' expected");
    }
    const std::string_view wanted = detail::trimmed(item.substr(1, equals - 1));
    const std::string_view value = detail::trimmed(item.substr(equals + 1));
    if (seen.find("," + std::string(wanted) + ",") != std::string::npos) {
      refuse("must name a field once", wanted, "each field at most once");
    }
    seen += std::string(wanted) + ",";
    bool known = false;
    std::string names;
    for_each_field(result, [&]<class T>(std::string_view one, T& member) {
      names += (names.empty() ? "one of " : ", ") + std::string(one);
      if (one != wanted) return;
      known = true;
      const std::optional<T> parsed = detail::parse_value<T>(value);
      if (!parsed) {
        refuse("must give '" + std::string(one) + "' a value of its type", value,
               "such as '" + detail::value_text(member) + "'");
      }
      member = *parsed;
    });
    if (!known) refuse("must name fields of this policy", wanted, names);
  }
  return result;
}

/// A hash of all values of a policy (FNV-1a, the same in every run and on every platform).
template <policy P> constexpr std::size_t hash_of(const P& p) {
  std::uint64_t hash = 0xcbf29ce484222325u;
  const auto add = [&](std::int64_t value) {
    const auto number = static_cast<std::uint64_t>(value);
    for (unsigned byte = 0; byte < 8; ++byte) {
      hash = (hash ^ ((number >> (8 * byte)) & 0xffu)) * 0x100000001b3u;
    }
  };
  for_each_field(p, [&]<class T>(std::string_view, const T& value) {
    if constexpr (detail::is_list<T>) {
      for (const int one : value) add(one);
    } else {
      add(static_cast<std::int64_t>(value));
    }
  });
  return static_cast<std::size_t>(hash);
}

/// 1, 2, 4, 8 …: what many a rule asks of a size.
constexpr bool is_power_of_two(int size) { return size > 0 && (size & (size - 1)) == 0; }

/// Throws policy_error(sentence) unless ok. In a constant expression the throw is an error, and
/// both compilers print this call with its sentence: hence a rule is a call, not a concept.
constexpr void rule(bool ok, const char* sentence) {
  if (!ok) throw policy_error(sentence);
}

/// As above with the numbers: "a work-group must fit the device: 300 given, at most 256".
constexpr void rule(bool ok, const char* sentence, long actual, long allowed) {
  if (!ok) {
    throw policy_error(std::string(sentence) + ": " + std::to_string(actual) + " given, at most " +
                       std::to_string(allowed));
  }
}

/// `check_rules` where the program runs: the sentence ends with what was given in the fields that
/// it names. Throws policy_error: "per_item_m must be a multiple of vector_m: per_item_m = 6,
/// vector_m = 4 given".
template <policy P> void require_rules(const P& p) {
  try {
    check_rules(p);
  } catch (const policy_error& broken) {
    const std::string sentence = broken.what();
    std::string given;
    for_each_field(p, [&](std::string_view name, const auto& value) {
      if (!detail::has_word(sentence, name)) return;
      given +=
          (given.empty() ? ": " : ", ") + std::string(name) + " = " + detail::value_text(value);
    });
    throw policy_error(sentence + given + (given.empty() ? "" : " given"));
  }
}

/// Returns the policy if it keeps its rules (`check_rules(p)`, found beside it), else throws
/// policy_error; as a constant expression, else does not compile.
template <policy P> constexpr P checked(P p) {
  check_rules(p);
  return p;
}

}  // namespace clprim
