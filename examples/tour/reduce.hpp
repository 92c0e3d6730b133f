#pragma once
// Reductions on the tour: sum, extremes, where the largest is, mean and variance in one pass.

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include <clprim/reduce.hpp>

#include "section.hpp"

namespace examples {

inline void tour_reduce(tour& t) {
  using namespace clprim;
  const bool cpu = t.facts.kind == device_kind::cpu;
  const std::int64_t n = std::int64_t{1} << (cpu ? 24 : 26);
  t.step("several reductions in one pass");
  std::vector<float> x(static_cast<std::size_t>(n));
  random_numbers random(5);
  for (float& v : x) v = static_cast<float>(random.next());
  const cl::Buffer buffer = upload(t.on, x), out = make_buffer<float>(t.on, 64);
  reduce<float, op::several<op::sum<>, op::min_max, op::argmax, op::variance<>>> all(t.on.queue);
  const auto view = whole<float>(buffer, n);
  const timing time = measure(
      t.on, [&] { return all(view, out); }, true);
  const auto [sum, extreme, best, moments] = all.value(view);

  double exact = 0, magnitude = 0;
  for (const float v : x) {
    exact += v;
    magnitude += std::fabs(v);
  }
  const reduce_schedule s = all.schedule(view);
  // Additions that an element passes through at most: of its item, then of lanes and groups.
  const double items = static_cast<double>(s.variant.items) * s.parts;
  const double passed = static_cast<double>(n) / items / s.variant.vector / s.policy.loads + 1024;
  tour_row row{.primitive = "reduction: 4 in a pass", .problem = std::to_string(n)};
  row.policy = std::to_string(s.policy.group) + " items, " + std::to_string(s.policy.loads) +
               " × " + std::to_string(s.variant.vector) + ", " + std::to_string(s.parts) +
               " groups";
  row.seconds = time.median;
  row.bytes = sizeof(float) * static_cast<double>(n);
  row.checked.add(std::fabs(sum - exact), passed * 0x1p-24 * magnitude);
  const auto [low, high] = std::minmax_element(x.begin(), x.end());
  const bool placed = extreme.least == *low && extreme.greatest == *high &&
                      best.index == std::max_element(x.begin(), x.end()) - x.begin();
  if (!placed) row.checked.add(1, 0);
  t.add(std::move(row), all.explain(view));
  t.notes.push_back(format("reduction: mean %.2e, variance %.4f", static_cast<double>(moments.mean),
                           static_cast<double>(moments.variance)));
}

}  // namespace examples
