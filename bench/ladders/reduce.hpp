#pragma once
// A sum: by interleaved items that diverge, by halves without divergence, with vectors and several
// loads in flight, by shuffles; and the library's choice. ETH draws both mappings, and prints no
// time of either.

#include <cmath>
#include <memory>
#include <numeric>
#include <optional>
#include <string>
#include <vector>

#include <clprim/reduce.hpp>

#include "rung.hpp"

namespace bench {

inline void add_reduce_ladder(const suite_place& place, std::vector<bench_row>& rows) {
  using namespace clprim;
  const auto count = std::size_t{1} << (place.cpu() ? 22 : 27);
  const auto arrays = std::make_shared<lazy_arrays>(place, count);
  const auto add = [&](const std::string& name, std::optional<reduce_policy> policy,
                       const std::string& figure) {
    const auto enter = [=] {
      const auto a = arrays->get();
      const auto sum = std::make_shared<reduce<float, op::sum<>>>(place.session.queue,
                                                                  reduce_options{.policy = policy});
      const auto call = [=] { (*sum)(whole<float>(a->x, static_cast<std::int64_t>(count)), a->y); };
      const auto wrong = [=]() -> std::string {
        const double got = a->result_of(call, 1)[0];
        const double expected = std::accumulate(a->host.begin(), a->host.end(), 0.0);
        // Random signs: the rounding errors of partial sums of at most sqrt(n).
        const double allowed = 0x1p-23 * std::sqrt(static_cast<double>(count)) * 64;
        if (std::fabs(got - expected) <= allowed) return {};
        return "sum " + std::to_string(got) + ", should be " + std::to_string(expected);
      };
      return std::vector<contestant>{timed_call(place, call, wrong, figure)};
    };
    rows.push_back({.name = "reduce " + name,
                    .work = 4.0 * static_cast<double>(count),
                    .roof = "read",
                    .quick = true,
                    .flops_per_byte = 0.25,
                    .enter = enter});
  };
  // One element per item and step, as the lecture has it, and many groups, or the loads would hide
  // what the tree of a group costs.
  reduce_policy p{.group = 256, .vector = 1, .loads = 1};
  p.groups_per_unit = place.cpu() ? 16 : 256;
  p.method = group_method::interleaved;
  p.grid_stride = true;
  add("interleaved, divergent", p, "ETH: naive mapping");
  p.method = group_method::sequential;
  add("halves, divergence-free", p, "ETH: divergence-free mapping");
  p.vector = 4;
  add("vectors of four", p, "deck: wide loads");
  p.loads = 2;
  add("two vectors in flight", p, "Volkov 2010: parallelism within an item");
  if (place.nvidia()) {
    p.method = group_method::shuffle;
    add("warp shuffles", p, "no local memory within a warp");
  }
  add("the library's choice", std::nullopt, "reduce/tuned.hpp");
}

}  // namespace bench
