#pragma once
// Volkov's transform of 1024 points (GTC 2010, part V): 2, 4, 8, 16 outputs per thread, each a
// policy. With more of them registers rise, occupancy falls, and so does the traffic of local
// memory: log2(1024) / log2(radix) stages have one exchange less than there are of them.
//
// His rates of the four stand in a figure that our text has lost; its prologue prints those of two
// versions of CUFFT, whose 256 and 64 threads of a block have four and sixteen of the 1024 points.

#include <cmath>
#include <complex>
#include <iterator>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <clprim/fft.hpp>

#include "../fft/problem.hpp"
#include "rung.hpp"

namespace bench {

namespace detail {

inline const fft_row fft_ladder_problem{.name = "ladder 1024", .lengths = {1024}};

/// Points per item, and the stages they make.
struct fft_rung {
  int outputs;
  clprim::number_list<8> radices;
};
inline constexpr fft_rung fft_rungs[] = {{2, {2}}, {4, {4}}, {8, {8, 8, 8, 2}}, {16, {16, 16, 4}}};

inline clprim::fft_policy policy_of(const suite_place& place, const fft_rung& r) {
  using namespace clprim;
  fft_policy p{.points = r.outputs,
               .group = 128,
               .exchange = fft_exchange::halves,
               .twiddles = place.nvidia() ? fft_twiddles::native_powers : fft_twiddles::powers,
               .one_pass = 1024};
  p.radices = r.radices;
  return p;
}

inline double fft_flops(const suite_place& place) {
  return 5 * 1024.0 * static_cast<double>(fft_batch(place, fft_ladder_problem)) * std::log2(1024.0);
}

/// A batch of transforms by a policy, on arrays that the first rung makes.
inline contestant fft_contestant(
    const suite_place& place,
    const std::shared_ptr<std::shared_ptr<const fft_arrays<float>>>& shared,
    const std::optional<clprim::fft_policy>& policy, const std::string& figure) {
  using namespace clprim;
  if (!*shared) *shared = std::make_shared<const fft_arrays<float>>(place, fft_total(place, false));
  const auto on = *shared;
  const auto transform =
      std::make_shared<clprim::fft<float>>(place.session.queue, fft_options{.policy = policy});
  const std::int64_t batch = fft_batch(place, fft_ladder_problem);
  const auto rows_in = [=](const cl::Buffer& memory) {
    return array<std::complex<float>>(memory, {batch, 1024});
  };
  contestant who = fft_on_opencl<float>(
      "clprim", role::ours, on, fft_ladder_problem,
      [=](const fft_pair& at) { transform->forward(rows_in(at.in), rows_in(at.out)); });
  who.short_detail = who.detail = [figure] { return figure; };
  return who;
}

}  // namespace detail

inline void add_fft_ladder(const suite_place& place, std::vector<bench_row>& rows) {
  const auto shared = std::make_shared<std::shared_ptr<const fft_arrays<float>>>();
  const auto add = [&](const std::string& name, const std::optional<clprim::fft_policy>& policy,
                       const std::string& figure) {
    const auto enter = [=] {
      return std::vector<contestant>{detail::fft_contestant(place, shared, policy, figure)};
    };
    rows.push_back({.name = "fft " + name,
                    .work = detail::fft_flops(place),
                    .unit = "GFLOP/s",
                    .roof = "fma float",
                    .quick = !place.cpu() || name.starts_with("16") || name.starts_with("the"),
                    .flops_per_byte = 5 * std::log2(1024.0) / 16,
                    .enter = enter});
  };
  const auto cufft = [](const std::string& how, const std::string& device, double rate) {
    return textbook_figure{"Volkov 2010: " + how, device, rate, "GFLOP/s"}.text();
  };
  const std::string figures[] = {
      "Volkov 2010: two outputs per thread, ten stages",
      cufft("four, five stages; CUFFT 2.2", "G80 at 33 % occupancy", 45),
      "Volkov 2010: eight, four stages",
      cufft("sixteen, three stages; CUFFT 2.3", "G80 at 17 % occupancy", 93)};
  for (std::size_t i = 0; i < std::size(detail::fft_rungs); ++i) {
    const detail::fft_rung& one = detail::fft_rungs[i];
    add(std::to_string(one.outputs) + " outputs per item", detail::policy_of(place, one),
        figures[i]);
  }
  add("the library's choice", std::nullopt, "fft/tuned.hpp");
}

}  // namespace bench
