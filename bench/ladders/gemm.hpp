#pragma once
// Matrix multiplication from naive to tuned: the rungs of clprim/gemm/ladder.hpp.

#include <memory>
#include <string>
#include <vector>

#include <clprim/gemm/ladder.hpp>

#include "../gemm/arena.hpp"
#include "rung.hpp"

namespace bench {

inline void add_gemm_ladder(const suite_place& place, std::vector<bench_row>& rows) {
  const int n = place.cpu() ? 256 : 4096;  // on a CPU the first rungs crawl
  const gemm_problem_row problem{"gemm", clprim::scalar::float_, n, n, n};
  struct operands {
    std::shared_ptr<std::vector<float>> a, b;
    std::shared_ptr<const opencl_operands<float>> buffers;
  };
  const auto shared = std::make_shared<operands>();
  const auto add = [&](const std::string& name, std::optional<clprim::gemm_policy> policy,
                       const std::string& figure, bool quick) {
    const auto enter = [=] {
      if (!shared->a) {
        shared->a =
            std::make_shared<std::vector<float>>(random_values<float>(problem.a_elements(), 1));
        shared->b =
            std::make_shared<std::vector<float>>(random_values<float>(problem.b_elements(), 2));
        shared->buffers = std::make_shared<const opencl_operands<float>>(
            place.session, place.device, place.clock, *shared->a, *shared->b, problem.c_elements());
      }
      const std::shared_ptr<gemm_contestant<float>> ours =
          std::make_shared<our_gemm<float>>(shared->buffers, policy, std::nullopt, false);
      contestant one = product_entrant<float>(ours, problem, {}, shared->a, shared->b);
      one.short_detail = [figure, ours] { return ours->short_detail() + "; " + figure; };
      one.detail = [figure, ours] { return ours->detail() + "; " + figure; };
      return std::vector<contestant>{one};
    };
    rows.push_back({.name = "gemm " + name,
                    .work = problem.flops(),
                    .unit = "GFLOP/s",
                    .roof = "fma float",
                    .quick = quick,
                    .flops_per_byte = problem.flops() / static_cast<double>(problem.bytes()),
                    .enter = enter});
  };
  for (const clprim::gemm_rung& rung : clprim::gemm_ladder::rungs) {
    const auto& p = rung.published;
    const std::string outputs = std::string(rung.name.substr(0, rung.name.find(' ')));
    const bool quick = outputs == "naive" || outputs == "A" || outputs == "4" || outputs == "16" ||
                       outputs == "64";
    add(std::string(rung.name), rung.policy,
        textbook_figure{std::string(rung.source), std::string(p.device), p.value,
                        std::string(p.unit)}
            .text(),
        quick);
  }
  add("the library's choice", std::nullopt, "gemm/tuned.hpp", true);
}

}  // namespace bench
