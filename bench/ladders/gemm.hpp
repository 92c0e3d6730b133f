#pragma once
// Matrix multiplication from naive to tuned: the rungs of clprim/gemm/ladder.hpp.

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <clprim/gemm/ladder.hpp>

#include "../gemm/arena.hpp"
#include "rung.hpp"

namespace bench {

/// The operands that the rungs of one problem share, made by the first of them.
struct gemm_rung_operands {
  std::shared_ptr<std::vector<float>> a, b;
  std::shared_ptr<const opencl_operands<float>> buffers;
};

/// A rung of a product, in GFLOP/s, or in GB/s of what must move at least.
struct gemm_rung_row {
  std::string name;
  std::optional<clprim::gemm_policy> policy{};
  std::string figure{};
  bool quick = true;
  bool in_bytes = false;
};

namespace detail {

/// Bytes that a flop reads from local memory where both operands come from there: an item's
/// m x n patch needs m + n elements for 2 m n flops.
inline double local_bytes_per_flop(const clprim::gemm_policy& p) {
  return 4.0 * (p.per_item_m + p.per_item_n) / (2.0 * p.per_item_m * p.per_item_n);
}

/// A product by a rung's policy, on operands that the first rung makes.
inline contestant gemm_contestant_of(const suite_place& place,
                                     const std::shared_ptr<gemm_rung_operands>& shared,
                                     const gemm_problem_row& problem,
                                     const std::optional<clprim::gemm_policy>& policy,
                                     const std::string& figure) {
  if (!shared->a) {
    shared->a = std::make_shared<std::vector<float>>(random_values<float>(problem.a_elements(), 1));
    shared->b = std::make_shared<std::vector<float>>(random_values<float>(problem.b_elements(), 2));
    shared->buffers = std::make_shared<const opencl_operands<float>>(
        place.session, place.device, place.clock, *shared->a, *shared->b, problem.c_elements());
  }
  const std::shared_ptr<gemm_contestant<float>> ours =
      std::make_shared<our_gemm<float>>(shared->buffers, policy, std::nullopt, false);
  contestant one = product_entrant<float>(ours, problem, {}, shared->a, shared->b);
  one.short_detail = [figure, ours] { return ours->short_detail() + "; " + figure; };
  one.detail = [figure, ours] { return ours->detail() + "; " + figure; };
  return one;
}

inline bench_row gemm_row(const suite_place& place,
                          const std::shared_ptr<gemm_rung_operands>& shared,
                          const gemm_problem_row& problem, const gemm_rung_row& r) {
  std::string figure = r.figure;
  std::vector<std::pair<std::string, double>> numbers;
  if (r.policy && r.policy->stage_a == clprim::staging::local &&
      r.policy->stage_b == clprim::staging::local) {
    const double bytes = local_bytes_per_flop(*r.policy);
    figure = joined(figure, clprim::general_text(bytes, 3) + " B of local memory per flop");
    numbers = {{"local_bytes_per_flop", bytes}};
  }
  const auto enter = [=] {
    return std::vector<contestant>{gemm_contestant_of(place, shared, problem, r.policy, figure)};
  };
  const auto bytes = static_cast<double>(problem.bytes());
  return {.name = r.name,
          .work = r.in_bytes ? bytes : problem.flops(),
          .unit = r.in_bytes ? "GB/s" : "GFLOP/s",
          .roof = r.in_bytes ? "copy" : "fma float",
          .quick = r.quick,
          .flops_per_byte = problem.flops() / bytes,
          .enter = enter,
          .numbers = numbers};
}

}  // namespace detail

inline void add_gemm_ladder(const suite_place& place, std::vector<bench_row>& rows) {
  using clprim::gemm_policy;
  const int n = place.cpu() ? 256 : 4096;  // on a CPU the first rungs crawl
  const gemm_problem_row problem{"gemm", clprim::scalar::float_, n, n, n};
  const auto shared = std::make_shared<gemm_rung_operands>();
  const auto add = [&](const gemm_rung_row& r) {
    rows.push_back(detail::gemm_row(place, shared, problem, r));
  };
  for (const clprim::gemm_rung& rung : clprim::gemm_ladder::rungs) {
    const auto& p = rung.published;
    const std::string outputs = std::string(rung.name.substr(0, rung.name.find(' ')));
    add({.name = "gemm " + std::string(rung.name),
         .policy = rung.policy,
         .figure = textbook_figure{std::string(rung.source), std::string(p.device), p.value,
                                   std::string(p.unit)}
                       .text(),
         .quick = outputs == "naive" || outputs == "A" || outputs == "4" || outputs == "16" ||
                  outputs == "64"});
  }
  add({.name = "gemm the library's choice", .figure = "gemm/tuned.hpp"});

  // Volkov's prologue: CUBLAS 1.1 had large groups, 2.0 small ones whose items own 16 outputs.
  const auto cublas = [](const std::string& what, double rate) {
    return textbook_figure{"Volkov, prologue: CUBLAS " + what, "G80", rate, "GFLOP/s"}.text();
  };
  add({.name = "gemm-prologue 512 items, 2 outputs each",
       .policy = clprim::gemm_ladder::two_outputs,
       .figure = cublas("1.1, 512 threads, 67 % occupancy", 128)});
  gemm_policy strip = clprim::gemm_ladder::column_of(16);
  strip.tile_m = 16, strip.tile_n = 64, strip.tile_k = 16;
  strip.lanes_m = 1, strip.lanes_n = 64;
  add({.name = "gemm-prologue 64 items, 16 outputs each",
       .policy = strip,
       .figure = cublas("2.0, 64 threads, 33 % occupancy", 204)});
}

/// The deck's own shape: A is n x 16, B 16 x n, so C is nearly all that moves, and GB/s count each
/// matrix once.
inline void add_depth_ladder(const suite_place& place, std::vector<bench_row>& rows) {
  const int n = place.cpu() ? 1024 : 8192;
  const gemm_problem_row problem{"gemm-depth16", clprim::scalar::float_, n, n, 16};
  const auto shared = std::make_shared<gemm_rung_operands>();
  for (std::size_t i = 0; i < 3; ++i) {
    const clprim::gemm_rung& rung = clprim::gemm_ladder::rungs[i];
    const double of_fx_5600[] = {0.62, 7.34, 15.5};
    rows.push_back(detail::gemm_row(
        place, shared, problem,
        {.name = "gemm-depth16 " + std::string(rung.name),
         .policy = rung.policy,
         .figure =
             textbook_figure{"deck",
                             "GTX 280, " + clprim::general_text(of_fx_5600[i], 3) + " on FX 5600",
                             rung.published.value, "GB/s"}
                 .text(),
         .in_bytes = true}));
  }
  rows.push_back(detail::gemm_row(
      place, shared, problem,
      {.name = "gemm-depth16 the library's choice", .figure = "gemm/tuned.hpp", .in_bytes = true}));
}

}  // namespace bench
