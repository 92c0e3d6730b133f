// bench_fft: Fourier transforms beside FFTW, clFFT, VkFFT (OpenCL) and cuFFT, on one device, in one
// run; forward, out of place. See bench/results/README.md for what is timed and how.

#include <cmath>
#include <complex>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "fft/problem.hpp"
#include "harness/cuda.hpp"

#if CLPRIM_HAS_FFTW
#include "fft/fftw.hpp"
#endif
#if CLPRIM_HAS_CLFFT
#include "fft/clfft.hpp"
#endif
#if CLPRIM_HAS_VKFFT
#include "fft/vkfft.hpp"
#endif
#if CLPRIM_HAS_CUFFT
#include "fft/cufft.hpp"
#endif

namespace {

using bench::fft_arrays;
using bench::fft_row;

std::vector<fft_row> problems(const bench::suite_place& place) {
  std::vector<fft_row> all;
  const auto add = [&](const std::string& name, std::vector<std::int64_t> lengths, bool quick) {
    all.push_back({.name = name, .lengths = std::move(lengths), .quick = quick});
  };
  const bool cpu = place.cpu();
  if (!cpu)
    for (int e = 4; e <= 14; ++e) add("2^" + std::to_string(e), {std::int64_t{1} << e}, true);
  else
    for (const std::int64_t n : {16, 64, 256, 1024, 4096}) add(std::to_string(n), {n}, n >= 256);
  add("2^16", {65536}, true);
  add("2^20", {1 << 20}, true);
  if (!cpu) add("2^24", {1 << 24}, true);
  for (const std::int64_t n : {1000, 1536, 2187, 2401, 3125, 1009, 10007})
    add(std::to_string(n), {n}, !cpu || n == 1000 || n == 1009);
  all.push_back({.name = "real 1024", .lengths = {1024}, .real = true, .quick = true});
  if (place.device.fp64)
    all.push_back({.name = "double 1024", .lengths = {1024}, .is_double = true, .quick = true});
  add("1024x1024", {1024, 1024}, true);
  add("4096x4096", {4096, 4096}, true);
  if (!cpu) add("256x256x256", {256, 256, 256}, true);
  return all;
}

/// Our own transform of a row.
template <class T>
bench::contestant ours(const std::shared_ptr<const fft_arrays<T>>& on, const fft_row& row,
                       const std::optional<clprim::fft_policy>& policy) {
  const int axes = static_cast<int>(row.lengths.size());
  const auto transform = std::make_shared<clprim::fft<T>>(
      on->place.session.queue, clprim::fft_options{.axes = axes, .policy = policy});
  std::vector<std::int64_t> in{bench::fft_batch(on->place, row)};
  in.insert(in.end(), row.lengths.begin(), row.lengths.end());
  std::vector<std::int64_t> out = in;
  if (row.real) out.back() = out.back() / 2 + 1;
  const auto y = clprim::array<std::complex<T>>(on->out, out);
  const auto x = clprim::array<std::complex<T>>(on->in, in);
  const auto r = clprim::array<T>(on->in, in);
  auto who = bench::fft_on_opencl<T>("clprim", bench::role::ours, on, row, [=] {
    if (row.real)
      transform->forward(r, y);
    else
      transform->forward(x, y);
  });
  who.detail = [=] { return row.real ? transform->explain(r, y) : transform->explain(x, y); };
  return who;
}

template <class T>
std::vector<bench::contestant> enter(const std::shared_ptr<const fft_arrays<T>>& on,
                                     const fft_row& row,
                                     const std::optional<clprim::fft_policy>& policy) {
  std::vector<bench::contestant> all{ours<T>(on, row, policy)};
  [[maybe_unused]] const auto guarded = [&](const std::string& name, const auto& make) {
    try {
      all.push_back(make());
    } catch (const clprim::error& e) {
      all.push_back(bench::absent(name, e.what()));
    }
  };
#if CLPRIM_HAS_FFTW
  if (on->place.cpu()) guarded("FFTW", [&] { return bench::fftw_contestant<T>(on, row); });
#endif
#if CLPRIM_HAS_CLFFT
  guarded("clFFT", [&] { return bench::clfft_contestant<T>(on, row); });
#endif
#if CLPRIM_HAS_VKFFT
  guarded("VkFFT", [&] {
    const auto& s = on->place.session;
    const auto plan = std::make_shared<bench::vkfft_plan>(s.device, s.context, s.queue, row.lengths,
                                                          bench::fft_batch(on->place, row),
                                                          row.real, row.is_double, on->in, on->out);
    return bench::fft_on_opencl<T>("VkFFT", bench::role::peer, on, row,
                                   [plan] { plan->enqueue(); });
  });
#endif
#if CLPRIM_HAS_CUFFT
  if (on->place.nvidia()) guarded("cuFFT", [&] { return bench::cufft_contestant<T>(on, row); });
#endif
  return all;
}

/// What the project wants to reach, by row.
std::vector<bench::bar> bars_of(const bench::suite_place& place, const std::string& name) {
  using bench::bar;
  if (place.cpu()) return {{"FFTW", 0.7}, {"clFFT", 3}, {"VkFFT", 3}};
  static const std::map<std::string, double> over{
      {"2^16", 1.1}, {"2^20", 1.17},      {"2^24", 1.12},     {"1009", 2},
      {"10007", 2},  {"1024x1024", 1.03}, {"4096x4096", 1.2}, {"256x256x256", 1.2}};
  const auto found = over.find(name);
  return {{"best peer", found == over.end() ? 1 : found->second}};
}

bench::suite_rows fft_rows(const bench::suite_place& place,
                           const std::optional<clprim::fft_policy>& policy) {
  bench::suite_rows all;
  all.peer(CLPRIM_HAS_FFTW != 0 && place.cpu(), "FFTW");
  all.peer(CLPRIM_HAS_CLFFT != 0, "clFFT");
  all.peer(CLPRIM_HAS_VKFFT != 0, "VkFFT");
  all.peer(CLPRIM_HAS_CUFFT != 0 && place.nvidia(), "cuFFT");
  struct shared {
    std::shared_ptr<const fft_arrays<float>> single;
    std::shared_ptr<const fft_arrays<double>> twofold;
  };
  const auto kept = std::make_shared<shared>();
  for (const fft_row& row : problems(place)) {
    const double count = static_cast<double>(bench::fft_batch(place, row)),
                 points = static_cast<double>(row.points()), real = row.is_double ? 8 : 4;
    const double bytes =
        count * real * (points * (row.real ? 1 : 2) + 2 * static_cast<double>(row.spectrum()));
    const double flops = count * (row.real ? 2.5 : 5) * points * std::log2(points);
    all.rows.push_back({.name = row.name,
                        .work = place.cpu() ? flops : bytes,
                        .unit = place.cpu() ? "GFLOP/s" : "GB/s",
                        .roof = place.cpu() ? "" : "copy",
                        .bars = bars_of(place, row.name),
                        .quick = row.quick,
                        .enter =
                            [=] {
                              if (row.is_double) {
                                kept->single = nullptr;
                                if (!kept->twofold)
                                  kept->twofold = std::make_shared<fft_arrays<double>>(
                                      place, bench::fft_total(place, true));
                                return enter<double>(kept->twofold, row, policy);
                              }
                              kept->twofold = nullptr;
                              if (!kept->single)
                                kept->single = std::make_shared<fft_arrays<float>>(
                                    place, bench::fft_total(place, false));
                              return enter<float>(kept->single, row, policy);
                            },
                        .numbers = {{"points", points}, {"batch", count}}});
  }
  return all;
}

}  // namespace

int main(int argc, char** argv) {
  std::optional<clprim::fft_policy> policy;
  bench::suite s{
      .name = "fft",
      .what = "Fourier transforms beside their peers",
      .options =
          [&](bench::command_line& line) {
            if (const auto text = line.text("policy", "TEXT", "our policy, as its initialiser"))
              policy = clprim::parse_policy<clprim::fft_policy>(*text);
          },
      .rows = [&](const bench::suite_place& place) { return fft_rows(place, policy); }};
  return bench::run_suite(s, argc, argv);
}
