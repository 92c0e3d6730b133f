#pragma once
// The transform as text for the user's own kernel: a function of OpenCL C that a whole group calls.

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <vector>

#include <clprim/core/cheapest.hpp>
#include <clprim/fft/pass/items_stages.hpp>
#include <clprim/fft/plan/stages.hpp>

namespace clprim {

/// A function to paste into a kernel, and what a call of it takes.
struct fft_group_function {
  std::string text;
  int items = 1;                 ///< work-items that work on one transform
  int points_per_item = 1;       ///< x[e] is point t + items e, before and after
  std::int64_t local_reals = 0;  ///< float or double numbers of local memory for one transform
};

/// The text of
///
///     void <name>(float2 *x, const int t, __local float *room)
///
/// which transforms n points, n being a product of primes to 31, forwards, with double in
/// place of float where `is_double` is set. Item t (0 to items - 1) of a transform holds the points
/// t + items e in the private array x[points_per_item] and gets the same of the result. `room` is
/// the transform's own piece of local memory, free again after a barrier. Every work-item of the
/// group must call it, as it holds barriers; a group may work on several transforms, each with
/// items and room of its own. The backward transform is the forward one with real and imaginary
/// parts exchanged before and after. The factors stand in the text: no buffer is needed. `points`
/// is about how many an item shall hold. Throws policy_error where no even share of 2 to 32 points
/// fits the length.
inline fft_group_function fft_group_text(std::int64_t n, const std::string& name = "fft_group",
                                         bool is_double = false, int points = 8) {
  item_geometry g;
  g.points = n;
  for (int held = 2; held <= 32; ++held) {
    if (n % held != 0 || n / held > 1024) continue;
    if (g.items > 1 && std::abs(held - points) >= std::abs(n / g.items - points)) continue;
    cheapest<std::vector<int>, std::size_t> best;
    detail::each_product(n, held, 12, [&](const std::vector<int>& radices) {
      const bool even = std::ranges::all_of(radices, [&](int r) { return held % r == 0; });
      if (even) best.offer(radices, radices.size());
    });
    if (best.value.empty()) continue;
    g.radices = best.value;
    g.items = static_cast<int>(n / held);
    if (n == held) break;
  }
  if (g.radices.empty()) {
    throw policy_error(
        "a group's transform of " + std::to_string(n) +
        " points needs items that hold 2 to 32 points each, multiples of all radices");
  }
  const auto power = [](std::int64_t v) { return (v & (v - 1)) == 0; };
  g.folded = power(n) && power(g.items);
  g.pitch = g.plane = std::max(n, detail::exchange_words(g, g.radices, true));
  fft_tables none;
  const fft_policy policy{.twiddles = fft_twiddles::literal};
  using namespace fft_text;
  stage_text s{g, policy, none, writer(is_double), name};
  const std::string real = s.w.type();
  const int held = static_cast<int>(n / g.items), first = g.radices.front(),
            last = g.radices.back();
  for (int e = 0; e < held; ++e) {
    // Value m of butterfly k is point k + m held / radix of the item's.
    const int from = e / first + e % first * (held / first);
    s.w.line(variable(e).re, " = x[", from, "].x; ", variable(e).im, " = x[", from, "].y;");
  }
  const auto y = write_stages(s, g.radices, false, variables_of(g));
  for (int e = 0; e < held; ++e) {
    const complex_name& one = y[static_cast<std::size_t>(e)];
    s.w.line("x[", e / last + e % last * (held / last), "] = (", real, "2)(", one.re, ", ", one.im,
             ");");
  }
  std::string text = s.constants;
  append(text, "inline void ", name, "(", real, "2 *x, const int t, __local ", real,
         " *room)\n{\n    const int c = 0;\n    __local ", real,
         " *plane_a = room, *plane_b = room + ", g.plane, ";\n", declare(s), s.w.text, "}\n");
  return {.text = text, .items = g.items, .points_per_item = held, .local_reals = 2 * g.plane};
}

}  // namespace clprim
