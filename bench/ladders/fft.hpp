#pragma once
// Volkov's transform of 1024 points (GTC 2010, part V): 2, 4, 8, 16 outputs per thread, each a
// policy. With more of them registers rise, occupancy falls, and so does the traffic of local
// memory: log2(1024) / log2(radix) stages have one exchange less than there are of them.
//
// His rates of the four stand in a figure that our text has lost; its prologue prints those of two
// versions of CUFFT, whose 256 and 64 threads of a block have four and sixteen of the 1024 points.

#include <cmath>
#include <complex>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <clprim/fft.hpp>

#include "../fft/problem.hpp"
#include "rung.hpp"

namespace bench {

inline void add_fft_ladder(const suite_place& place, std::vector<bench_row>& rows) {
  using namespace clprim;
  const fft_row problem{.name = "ladder 1024", .lengths = {1024}};
  const auto shared = std::make_shared<std::shared_ptr<const fft_arrays<float>>>();
  const double points = 1024.0 * static_cast<double>(fft_batch(place, problem));
  const auto add = [&](const std::string& name, const std::optional<fft_policy>& policy,
                       const std::string& figure) {
    const auto enter = [=] {
      if (!*shared)
        *shared = std::make_shared<const fft_arrays<float>>(place, fft_total(place, false));
      const auto on = *shared;
      const auto transform =
          std::make_shared<clprim::fft<float>>(place.session.queue, fft_options{.policy = policy});
      const std::int64_t batch = fft_batch(place, problem);
      const auto rows_in = [=](const cl::Buffer& memory) {
        return array<std::complex<float>>(memory, {batch, 1024});
      };
      contestant who = fft_on_opencl<float>(
          "clprim", role::ours, on, problem,
          [=](const fft_pair& at) { transform->forward(rows_in(at.in), rows_in(at.out)); });
      who.short_detail = [figure] { return figure; };
      who.detail = [=] {
        const fft_pair& at = on->of(0);
        return joined(figure, transform->explain(rows_in(at.in), rows_in(at.out)));
      };
      return std::vector<contestant>{who};
    };
    rows.push_back({.name = "fft " + name,
                    .work = 5 * points * std::log2(1024.0),
                    .unit = "GFLOP/s",
                    .roof = "fma float",
                    .quick = !place.cpu() || name.starts_with("16") || name.starts_with("the"),
                    .flops_per_byte = 5 * std::log2(1024.0) / 16,
                    .enter = enter});
  };
  const auto rung = [&](int outputs, int radices, const std::string& figure) {
    fft_policy p{.points = outputs,
                 .group = 128,
                 .exchange = fft_exchange::halves,
                 .twiddles = place.nvidia() ? fft_twiddles::native_powers : fft_twiddles::powers,
                 .one_pass = 1024};
    p.radices = radices;
    add(std::to_string(outputs) + " outputs per item", p, figure);
  };
  const auto cufft = [](const std::string& how, const std::string& device, double rate) {
    return textbook_figure{"Volkov 2010: " + how, device, rate, "GFLOP/s"}.text();
  };
  rung(2, 2, "Volkov 2010: two outputs per thread, ten stages");
  rung(4, 404040404, cufft("four, five stages; CUFFT 2.2", "G80 at 33 % occupancy", 45));
  rung(8, 8080802, "Volkov 2010: eight, four stages");
  rung(16, 161604, cufft("sixteen, three stages; CUFFT 2.3", "G80 at 17 % occupancy", 93));
  add("the library's choice", std::nullopt, "fft/tuned.hpp");
}

}  // namespace bench
