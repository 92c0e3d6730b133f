#pragma once
// The ladder as tables: what was measured, and beside it what was published.

#include <algorithm>
#include <cstdio>
#include <iterator>
#include <string>
#include <vector>

#include <clprim/gemm/ladder.hpp>

#include "gemm_text.hpp"
#include "ladder_rungs.hpp"

namespace examples {

inline void print_results(const std::vector<result>& results) {
  double best = 0;
  for (const result& r : results) best = std::max(best, r.flops);
  using enum table::side;
  table t({{"rung"},
           {"tile, outputs, group"},
           {"time", right},
           {"GFLOP/s", right},
           {"of best", right},
           {"regs", right},
           {"local", right},
           {"occupancy", right},
           {"error", right},
           {"bound", right},
           {""}});
  for (const result& r : results) {
    if (!r.refused.empty()) {
      t.add({r.name, in_short(r.policy), faint("not here")});
      continue;
    }
    t.add({r.name, in_short(r.policy), duration(r.seconds), short_number(1e-9 * r.flops),
           percent(r.flops / best), r.registers, r.local, r.occupancy, magnitude(r.checked.error),
           magnitude(r.checked.bound), r.checked.ok() ? good("ok") : bad("WRONG")});
  }
  t.print();
  for (const result& r : results) {
    if (!r.refused.empty()) std::printf("not here: %s: %s\n", r.name.c_str(), r.refused.c_str());
  }
}

/// Their steps beside ours: each figure over the one before of the same device.
inline void print_published(const std::vector<result>& results) {
  using enum table::side;
  table t({{"rung"},
           {"published"},
           {"", right},
           {"their step", right},
           {"our step", right},
           {"source"}});
  const clprim::gemm_rung* before = nullptr;
  double ours_before = 0;
  for (std::size_t i = 0; i < std::size(clprim::gemm_ladder::rungs); ++i) {
    const clprim::gemm_rung& rung = clprim::gemm_ladder::rungs[i];
    if (rung.published.value == 0) continue;
    const bool follows = before != nullptr && before->published.device == rung.published.device;
    const double ours = results[i].flops;
    t.add({std::string(rung.name), std::string(rung.published.device),
           short_number(rung.published.value) + " " + std::string(rung.published.unit),
           follows ? format("%.2f×", rung.published.value / before->published.value) : "",
           follows && ours > 0 && ours_before > 0 ? format("%.2f×", ours / ours_before) : "",
           std::string(rung.source)});
    before = &rung;
    ours_before = ours;
  }
  t.print();
}

inline void print_reasons() {
  std::printf("\n%s\n", bold("What each rung changes, and why").c_str());
  for (const clprim::gemm_rung& rung : clprim::gemm_ladder::rungs) {
    std::printf("  %s: %s\n    %s\n", std::string(rung.name).c_str(),
                std::string(rung.what).c_str(), faint(rung.why).c_str());
  }
}

}  // namespace examples
