#pragma once
// The stages of a pass by items, one after the other, and the factors between them.

#include <cstddef>
#include <cstdint>
#include <numbers>
#include <string>
#include <utility>
#include <vector>

#include <clprim/core/policy.hpp>
#include <clprim/core/root_of_unity.hpp>
#include <clprim/fft/pass/items_exchange.hpp>

namespace clprim::fft_text {

/// exp(-2 pi i q / n) for q < before as text of the program: its name.
inline std::string constant_table(stage_text& s, std::int64_t before, std::int64_t n) {
  std::string name = cat(s.pass, "_roots_", before, "_", n);
  if (s.constants.find(name + "[") != std::string::npos) return name;
  append(s.constants, "__constant ", s.w.type(), " ", name, "[", 2 * before, "] = {");
  for (std::int64_t q = 0; q < before; ++q) {
    const auto [re, im] = root_of_unity(q, n);
    append(s.constants, q % 4 == 0 ? "\n    " : " ", s.w.number(re), ", ", s.w.number(im),
           q + 1 < before ? "," : "");
  }
  s.constants += "};\n";
  return name;
}

/// Legs 1, 2, … of butterfly k times their factors, those of the butterflies of radix r behind
/// `before`: each by its root, or as a power of that of leg 1. `factors` keeps those of the
/// butterfly before, which may have the same. `soon`: what the table gives may be read before all
/// else. Throws policy_error where the arithmetic has not the functions that the policy wants.
inline void turn_legs(stage_text& s, std::vector<complex_name>& legs,
                      std::vector<complex_name>& factors, std::int64_t before, int r, int k,
                      const std::string& t, bool soon) {
  using enum fft_twiddles;
  const fft_twiddles from = s.policy.twiddles;
  writer& w = s.w;
  if (w.is_double() && (from == native || from == native_powers))
    throw policy_error("twiddles native and native_powers are for float: double has no native_cos");
  const std::int64_t n = before * r;
  const bool same = s.g.items % before == 0, each_by_root = from == table || from == native;
  if (!same) factors.clear();
  const std::string name = cat("q", ++s.names);
  const bool first_only = soon && from == powers && (same || butterflies(s.g, r) <= 2);
  std::string& place = first_only ? s.early : w.text;
  if (factors.empty())
    append(place, "    const int ", name, " = (", t,
           same ? std::string() : cat(" + ", k * s.g.items), ") % ", before, ";\n");
  const auto spun = [&](const char* cosine, const char* sine, long double angle) {
    const std::string a = w.fresh();
    complex_name y{w.fresh(), w.fresh()};
    w.line("const ", w.type(), " ", a, " = (", w.type(), ")", name, " * ", w.number(angle), ", ",
           y.re, " = ", cosine, "(", a, "), ", y.im, " = ", sine, "(", a, ");");
    return y;
  };
  const auto root = [&](int m) -> complex_name {
    if (from == native || from == native_powers)
      return spun("native_cos", "native_sin",
                  -2 * std::numbers::pi_v<long double> * m / static_cast<long double>(n));
    if (from == sinpi) return spun("cospi", "sinpi", -2.0L * m / static_cast<long double>(n));
    if (from == fft_twiddles::literal) {
      const std::string roots = constant_table(s, before, n);
      return {cat(roots, "[2 * ", name, "]"), cat(roots, "[2 * ", name, " + 1]")};
    }
    std::vector<wide_complex> part;
    for (int leg = 1; leg < (each_by_root ? r : 2); ++leg)
      for (std::int64_t i = 0; i < before; ++i) part.push_back(wide_root(leg * i % n, n));
    const std::int64_t at = s.tables.add(part) + (m - 1) * before;
    const std::string f = cat("f", ++s.names);
    append(place, "    const ", w.type(), "2 ", f, " = factors[", at, " + ", name, "];\n");
    return {f + ".x", f + ".y"};
  };
  factors.resize(legs.size());
  for (std::size_t m = 1; m < legs.size(); ++m) {
    if (factors[m].re.empty())
      factors[m] = each_by_root || m == 1 ? root(static_cast<int>(m))
                                          : w.product(factors[m / 2], factors[m - m / 2]);
    legs[m] = w.product(legs[m], factors[m]);
  }
}

/// All stages of the radices in this order on the variables, which hold the inputs of the first;
/// returns the outputs, value m of butterfly k being point t + k T + m points / r. With `back`
/// real and imaginary parts change roles, which makes the transform the inverse one. The
/// variables belong to the items of `given`, the outputs to those of item_map{}: the first
/// exchange changes them over. (One stage alone has one item, which is the same of both.)
inline std::vector<complex_name> write_stages(stage_text& s, const std::vector<int>& radices,
                                              bool back, std::vector<complex_name> x,
                                              const item_map& given = {}) {
  std::int64_t before = 1;
  for (std::size_t i = 0; i < radices.size(); ++i) {
    const int r = radices[i], count = butterflies(s.g, r);
    const item_map now = i == 0 ? given : item_map{};
    s.w.line("// radix ", r, ", ", count, " of ", s.g.points / r, " butterflies");
    std::vector<complex_name> y(x.size()), factors;
    for (int k = 0; k < count; ++k) {
      std::vector<complex_name> legs;
      for (int m = 0; m < r; ++m) {
        complex_name leg = x[value_place(k, r, m)];
        if (back && i == 0) std::swap(leg.re, leg.im);
        legs.push_back(leg);
      }
      if (i > 0 && !s.g.coprime) turn_legs(s, legs, factors, before, r, k, now.item, !back);
      legs = s.w.transform(legs);
      for (int m = 0; m < r; ++m) y[value_place(k, r, m)] = legs[static_cast<std::size_t>(m)];
    }
    if (i + 1 == radices.size()) {
      if (back)
        for (complex_name& one : y) std::swap(one.re, one.im);
      return y;
    }
    exchange(s, y, before, r, radices[i + 1], now);
    x.clear();
    for (int e = 0; e < variables(s.g); ++e) x.push_back(variable(e));
    before *= r;
  }
  return x;
}

}  // namespace clprim::fft_text
