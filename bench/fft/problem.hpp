#pragma once
// The rows of bench_fft, their operands, and how a result is checked.

#include <cmath>
#include <complex>
#include <cstdint>
#include <map>
#include <memory>
#include <numbers>
#include <string>
#include <tuple>
#include <vector>

#include <clprim/core/number_text.hpp>
#include <clprim/fft.hpp>
#include <clprim/runtime/fill.hpp>

#include "../harness/random.hpp"
#include "../harness/suite.hpp"
#include "pair.hpp"

namespace bench {

/// Forward transforms along the last axes, out of place, without gaps.
struct fft_row {
  std::string name;
  std::vector<std::int64_t> lengths;
  bool real = false;
  bool is_double = false;
  bool quick = false;
  std::int64_t batch = 0;  ///< transforms; 0: as many as the rows of the suite have in total
  /// On a CPU beside FFTW alone, with estimated plans, as for a length that is wanted now: clFFT
  /// and VkFFT end the process at some lengths (PoCL 3.1: 42776 points).
  bool drawn = false;

  std::int64_t points() const {
    std::int64_t n = 1;
    for (const std::int64_t l : lengths) n *= l;
    return n;
  }
  /// Complex values of one output.
  std::int64_t spectrum() const {
    return real ? points() / lengths.back() * (lengths.back() / 2 + 1) : points();
  }
};

/// Inputs and outputs of all rows of a type: random numbers, all inputs the same, and room. Calls
/// take the pairs in turn where a GPU has memory for several: rates depend on where arrays lie
/// (H200, 64 points: by 0.6 %), and every contestant has arrays of its luck.
template <class T> struct fft_arrays {
  suite_place place;
  std::vector<T> host;
  std::vector<fft_pair> pairs;

  fft_arrays(const suite_place& where, std::int64_t points)
    : place(where), host(random_values<T>(static_cast<std::size_t>(2 * points), 1)) {
    const std::size_t bytes = host.size() * sizeof(T);
    const bool roomy = place.device.global_bytes / 32 >= static_cast<std::int64_t>(bytes);
    for (int i = 0; i < (roomy && !place.cpu() ? 3 : 1); ++i) {
      pairs.push_back({buffer(bytes), buffer(bytes + (std::size_t{1} << 22) * sizeof(T))});
      clprim::check(clEnqueueWriteBuffer(place.session.queue(), pairs.back().in(), CL_TRUE, 0,
                                         bytes, host.data(), 0, nullptr, nullptr),
                    "clEnqueueWriteBuffer");
    }
  }
  const fft_pair& of(std::size_t call) const { return pairs[call % pairs.size()]; }
  cl::Buffer buffer(std::size_t bytes) const {
    cl_int code = CL_SUCCESS;
    cl::Buffer made(
        clCreateBuffer(place.session.context(), CL_MEM_READ_WRITE, bytes, nullptr, &code), false);
    clprim::check(code, "clCreateBuffer");
    return made;
  }
};

/// Points that all transforms of a row have together at most.
inline std::int64_t fft_total(const suite_place& place, bool is_double) {
  return std::int64_t{1} << ((place.cpu() ? 24 : 26) - (is_double ? 1 : 0));
}
inline std::int64_t fft_batch(const suite_place& place, const fft_row& row) {
  if (row.batch > 0) return row.batch;
  return std::max<std::int64_t>(1, fft_total(place, row.is_double) / row.points());
}

/// One value of the transform by its definition, in long double: in double the sum of 30,000 values
/// of double is off by more than a transform is allowed to be.
template <class T>
std::complex<double> fft_value(const fft_row& row, const T* x, std::int64_t frequency) {
  const std::int64_t n = row.points(), last = row.lengths.back();
  const std::int64_t columns = row.real ? last / 2 + 1 : last;
  // exp(-2 pi i sum k_a n_a / N_a): one table per axis.
  using wide = std::complex<long double>;
  std::vector<std::vector<wide>> roots;
  std::int64_t rest = frequency;
  std::vector<std::int64_t> k(row.lengths.size());
  for (std::size_t a = row.lengths.size(); a-- > 0;) {
    const std::int64_t extent = a + 1 == row.lengths.size() ? columns : row.lengths[a];
    k[a] = rest % extent;
    rest /= extent;
  }
  for (std::size_t a = 0; a < row.lengths.size(); ++a) {
    std::vector<wide> table(static_cast<std::size_t>(row.lengths[a]));
    for (std::int64_t i = 0; i < row.lengths[a]; ++i) {
      const long double angle = -2 * std::numbers::pi_v<long double> *
                                static_cast<long double>(k[a] * i % row.lengths[a]) /
                                static_cast<long double>(row.lengths[a]);
      table[static_cast<std::size_t>(i)] = {std::cos(angle), std::sin(angle)};
    }
    roots.push_back(std::move(table));
  }
  wide sum = 0;
  for (std::int64_t first = 0; first < n; first += last) {
    wide turn = 1;
    std::int64_t place = first / last;
    for (std::size_t a = row.lengths.size() - 1; a-- > 0;) {
      turn *= roots[a][static_cast<std::size_t>(place % row.lengths[a])];
      place /= row.lengths[a];
    }
    wide line = 0;
    for (std::int64_t i = 0; i < last; ++i) {
      const wide& w = roots.back()[static_cast<std::size_t>(i)];
      const auto at = static_cast<std::size_t>(first + i);
      line += row.real ? w * static_cast<long double>(x[at]) : w * wide(x[2 * at], x[2 * at + 1]);
    }
    sum += turn * line;
  }
  return {static_cast<double>(sum.real()), static_cast<double>(sum.imag())};
}

/// Compares a few values of the first, a middle and the last transform; `read(first, count)` gives
/// complex values of the output. Says what is wrong.
template <class T, class Read>
std::string fft_complaint(const fft_arrays<T>& on, const fft_row& row, Read read) {
  const std::int64_t batch = fft_batch(on.place, row), size = row.spectrum();
  const double scale = std::sqrt(static_cast<double>(row.points()));
  const double allowed = 20 * static_cast<double>(std::numeric_limits<T>::epsilon()) * scale;
  for (const std::int64_t b : {std::int64_t{0}, batch / 2, batch - 1}) {
    for (const std::int64_t k : {std::int64_t{0}, size / 3, size - 1}) {
      const std::vector<std::complex<T>> got = read(b * size + k, 1);
      const T* const x = on.host.data() + b * row.points() * (row.real ? 1 : 2);
      // All contestants of a row are held to the same values: computed once.
      static std::map<std::tuple<std::string, std::int64_t, std::int64_t>, std::complex<double>>
          known;
      const auto [place, fresh] = known.try_emplace(std::tuple{row.name, b, k});
      if (fresh) place->second = fft_value(row, x, k);
      const std::complex<double> wanted = place->second;
      const double error = std::abs(std::complex<double>(got[0]) - wanted);
      if (!(error <= allowed))
        return "transform " + std::to_string(b) + " at " + std::to_string(k) + " is off by " +
               clprim::general_text(error, 3) + ", allowed " + clprim::general_text(allowed, 3);
    }
  }
  return {};
}

template <class T>
std::vector<std::complex<T>> fft_read(const fft_arrays<T>& on, const cl::Buffer& from,
                                      std::int64_t first, std::int64_t count) {
  std::vector<std::complex<T>> values(static_cast<std::size_t>(count));
  clprim::check(
      clEnqueueReadBuffer(on.place.session.queue(), from(), CL_TRUE,
                          static_cast<std::size_t>(first) * sizeof(values[0]),
                          values.size() * sizeof(values[0]), values.data(), 0, nullptr, nullptr),
      "clEnqueueReadBuffer");
  return values;
}

template <class T> void fft_poison(const fft_arrays<T>& on) {
  std::size_t bytes = 0;
  const cl_mem out = on.of(0).out();
  clprim::check(clGetMemObjectInfo(out, CL_MEM_SIZE, sizeof bytes, &bytes, nullptr),
                "clGetMemObjectInfo");
  clprim::fill_with_ones(on.place.session.queue(), out, bytes);
}

/// A contestant of OpenCL: `call` enqueues on the place's queue, from and to the pair it is given.
template <class T>
contestant fft_on_opencl(const std::string& name, role as,
                         const std::shared_ptr<const fft_arrays<T>>& on, const fft_row& row,
                         const std::function<void(const fft_pair&)>& call) {
  return {.name = name,
          .as = as,
          .verify =
              [=] {
                fft_poison(*on);
                call(on->of(0));
                return fft_complaint(*on, row, [&](std::int64_t first, std::int64_t count) {
                  return fft_read(*on, on->of(0).out, first, count);
                });
              },
          .time =
              [=](std::size_t warm, std::size_t calls) {
                return time_opencl(on->place.session.queue(), on->place.clock, warm, calls,
                                   [&](std::size_t i) { call(on->of(i)); });
              }};
}

}  // namespace bench
