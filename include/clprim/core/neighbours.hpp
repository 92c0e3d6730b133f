#pragma once
// The policies around a policy: what a search tries next.

#include <algorithm>
#include <cstddef>
#include <functional>
#include <type_traits>
#include <vector>

#include <clprim/core/policy.hpp>

namespace clprim {

namespace detail {

/// Values beside one: the half and the double of a number and its neighbours, any other enumerator,
/// the other truth. A list stays.
template <class T> std::vector<T> values_beside(const T& value) {
  if constexpr (std::is_same_v<T, bool>) {
    return {!value};
  } else if constexpr (std::is_enum_v<T>) {
    std::vector<T> others;
    for (std::size_t i = 0; i < enum_names<T>::names.size(); ++i)
      if (static_cast<T>(i) != value) others.push_back(static_cast<T>(i));
    return others;
  } else if constexpr (std::is_same_v<T, int>) {
    if (value == 0) return {1, 2, 4, 32};
    std::vector<int> others{2 * value, value / 2, value + 1, value - 1};
    if (value < 3) others = {2 * value, value - 1, 3};
    return others;
  } else {
    return {};
  }
}

template <policy P> bool keeps_rules(const P& p) {
  try {
    check_rules(p);
    return true;
  } catch (const policy_error&) {
    return false;
  }
}

}  // namespace detail

/// Every policy that differs from `p` in one field, and then every one that differs in two of them,
/// where the rules allow it: halves and doubles of numbers, other enumerators. In two fields where
/// both were given new values; those whose values were only moved by one stay alone.
template <policy P> std::vector<P> neighbours(const P& p) {
  struct change {
    std::size_t field = 0;
    std::function<void(P&)> make;
    bool small = false;  // by one: alone only
  };
  std::vector<change> changes;
  std::size_t number = 0;
  policy_traits<P>::fields.visit([&](const auto&... fields) {
    const auto add = [&](const auto& one) {
      const auto member = one.member;
      using field_type = std::remove_cvref_t<decltype(p.*member)>;
      for (const field_type value : detail::values_beside(p.*member)) {  // bits of vector<bool> too
        bool small = false;
        if constexpr (std::is_same_v<field_type, int>)
          small = p.*member > 3 && (value == p.*member + 1 || value == p.*member - 1);
        changes.push_back({number, [member, value](P& q) { q.*member = value; }, small});
      }
      ++number;
    };
    (add(fields), ...);
  });
  std::vector<P> found;
  const auto keep = [&](const P& q) {
    if (q == p || !detail::keeps_rules(q) ||
        std::find(found.begin(), found.end(), q) != found.end())
      return;
    found.push_back(q);
  };
  for (const change& one : changes) {
    P q = p;
    one.make(q);
    keep(q);
  }
  for (std::size_t i = 0; i < changes.size(); ++i)
    for (std::size_t j = i + 1; j < changes.size(); ++j) {
      if (changes[i].field == changes[j].field || changes[i].small || changes[j].small) continue;
      P q = p;
      changes[i].make(q);
      changes[j].make(q);
      keep(q);
    }
  return found;
}

}  // namespace clprim
