#pragma once
// Transforms on the host in long double, and arrays that lie anywhere.

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstdint>
#include <numbers>
#include <string>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

#include <clprim/fft.hpp>

#include "support/campaign.hpp"
#include "support/device.hpp"
#include "support/random.hpp"

namespace support {

using wide_value = std::complex<long double>;
using wide_values = std::vector<wide_value>;

inline wide_value reference_root(std::int64_t k, std::int64_t n) {
  const long double angle = -2 * std::numbers::pi_v<long double> * static_cast<long double>(k % n) /
                            static_cast<long double>(n);
  return {std::cos(angle), std::sin(angle)};
}

/// y[k] = sum of x[n] exp(-2 pi i n k / N): by the definition for primes, by decimation in time
/// for products.
inline wide_values reference_transform(const wide_values& x) {
  const auto n = static_cast<std::int64_t>(x.size());
  std::int64_t r = 2;
  while (r * r <= n && n % r != 0) ++r;
  if (r * r > n) r = n;
  wide_values roots(x.size()), y(x.size());
  for (std::int64_t k = 0; k < n; ++k) roots[static_cast<std::size_t>(k)] = reference_root(k, n);
  const std::int64_t m = n / r;
  std::vector<wide_values> parts(static_cast<std::size_t>(r));
  for (std::int64_t q = 0; q < r; ++q) {
    for (std::int64_t i = q; i < n; i += r)
      parts[static_cast<std::size_t>(q)].push_back(x[static_cast<std::size_t>(i)]);
    if (m > 1)
      parts[static_cast<std::size_t>(q)] = reference_transform(parts[static_cast<std::size_t>(q)]);
  }
  for (std::int64_t k = 0; k < n; ++k) {
    // By hand, as most of a test's time goes here: std::complex would look for infinities.
    long double re = 0, im = 0;
    std::int64_t turn = 0;  // q k mod n
    for (const wide_values& part : parts) {
      const auto* const a =
          reinterpret_cast<const long double*>(&part[static_cast<std::size_t>(k % m)]);
      const auto* const w =
          reinterpret_cast<const long double*>(&roots[static_cast<std::size_t>(turn)]);
      re += a[0] * w[0] - a[1] * w[1];
      im += a[0] * w[1] + a[1] * w[0];
      turn += turn + k < n ? k : k - n;
    }
    y[static_cast<std::size_t>(k)] = {re, im};
  }
  return y;
}

/// The transform along every one of the last `axes` axes of a tight array.
inline wide_values reference_transform(wide_values x, const std::vector<std::int64_t>& extents,
                                       int axes) {
  const std::size_t rank = extents.size();
  for (std::size_t a = rank - static_cast<std::size_t>(axes); a < rank; ++a) {
    std::int64_t step = 1;
    for (std::size_t b = a + 1; b < rank; ++b) step *= extents[b];
    const std::int64_t n = extents[a];
    const auto size = static_cast<std::int64_t>(x.size());
    for (std::int64_t first = 0; first < size; ++first) {
      if (first / step % n != 0) continue;
      wide_values line;
      for (std::int64_t i = 0; i < n; ++i)
        line.push_back(x[static_cast<std::size_t>(first + i * step)]);
      line = reference_transform(line);
      for (std::int64_t i = 0; i < n; ++i)
        x[static_cast<std::size_t>(first + i * step)] = line[static_cast<std::size_t>(i)];
    }
  }
  return x;
}

/// An array of some extents that lies with gaps in a buffer.
struct placed_array {
  std::vector<std::int64_t> extents, strides;
  std::int64_t offset = 0;

  std::size_t size() const {
    std::int64_t last = offset;
    for (std::size_t a = 0; a < extents.size(); ++a) {
      if (extents[a] == 0) return 0;
      last += (extents[a] - 1) * strides[a];
    }
    return static_cast<std::size_t>(last + 1);
  }
  std::int64_t count() const {
    std::int64_t n = 1;
    for (const std::int64_t e : extents) n *= e;
    return n;
  }
  /// The place of element `i` of the array without gaps.
  std::size_t at(std::int64_t i) const {
    std::int64_t place = offset;
    for (std::size_t a = extents.size(); a-- > 0;) {
      place += i % extents[a] * strides[a];
      i /= extents[a];
    }
    return static_cast<std::size_t>(place);
  }
  template <class T> clprim::array_view<T> view(const cl::Buffer& buffer) const {
    clprim::array_view<T> v{
        .memory = buffer(), .extents = extents, .strides = strides, .offset = offset};
    return v;
  }
  std::string text() const {
    std::string t = "extents";
    for (const std::int64_t e : extents) t += " " + std::to_string(e);
    t += ", strides";
    for (const std::int64_t s : strides) t += " " + std::to_string(s);
    return t + ", offset " + std::to_string(offset);
  }
};

inline placed_array tight_array(const std::vector<std::int64_t>& extents) {
  return {extents, clprim::detail::tight_strides(extents), 0};
}

/// Any order of the axes in memory, with gaps between them now and then.
inline placed_array draw_array(draw& d, const std::vector<std::int64_t>& extents) {
  placed_array p = tight_array(extents);
  if (d.chance(40)) return p;
  std::vector<std::size_t> order;
  for (std::size_t a = extents.size(); a-- > 0;) order.push_back(a);
  for (std::size_t a = order.size(); a-- > 1;)
    if (d.chance(50))
      std::swap(order[a], order[static_cast<std::size_t>(d.between(0, static_cast<int>(a)))]);
  std::int64_t step = d.one_of({1, 1, 1, 2});
  for (const std::size_t a : order) {
    p.strides[a] = step;
    step = step * std::max<std::int64_t>(1, extents[a]) + d.one_of({0, 0, 1, 5});
  }
  p.offset = d.one_of({0, 0, 3, 64});
  return p;
}

/// |y - reference| / |reference|, L2.
template <class T>
long double relative_error(const std::vector<std::complex<T>>& y, const wide_values& reference) {
  long double difference = 0, size = 0;
  for (std::size_t i = 0; i < reference.size(); ++i) {
    difference += std::norm(wide_value(y[i]) - reference[i]);
    size += std::norm(reference[i]);
  }
  if (difference != difference) return 1e30L;
  return std::sqrt(difference / std::max(size, 1e-300L));
}

/// The project's bound: 0.6 epsilon log2 N for powers of two, four times that for other lengths.
template <class T> long double error_bound(const std::vector<std::int64_t>& lengths) {
  double log = 0;
  bool power = true;
  for (const std::int64_t n : lengths) {
    log += std::log2(static_cast<double>(std::max<std::int64_t>(2, n)));
    power = power && (n & (n - 1)) == 0;
  }
  return 0.6L * static_cast<long double>(std::numeric_limits<T>::epsilon()) *
         static_cast<long double>(log) * (power ? 1 : 4);
}

template <class T> std::vector<std::complex<T>> random_complex(draw& d, std::size_t n) {
  std::vector<std::complex<T>> x(n);
  for (auto& v : x) v = random_element<std::complex<T>>(d);
  return x;
}

/// The transforms of complex values along the last `axes` extents; inverse ones times `scale`.
inline wide_values reference_transform(wide_values x, const std::vector<std::int64_t>& extents,
                                       int axes, bool inverse, long double scale) {
  if (!inverse) return reference_transform(std::move(x), extents, axes);
  for (wide_value& v : x) v = std::conj(v);
  x = reference_transform(std::move(x), extents, axes);
  for (wide_value& v : x) v = std::conj(v) * scale;
  return x;
}

/// The elements of an array without its gaps.
template <class Wanted, class T>
std::vector<Wanted> dense(const std::vector<T>& all, const placed_array& a) {
  std::vector<Wanted> elements;
  for (std::int64_t i = 0; i < a.count(); ++i) elements.emplace_back(all[a.at(i)]);
  return elements;
}

/// Length and batch through an operation object, tight arrays, forward (or back): what is wrong, or
/// "".
template <class T>
std::string complaint_of_length(clprim::fft<T>& transform, std::int64_t n, std::int64_t batch,
                                bool inverse) {
  const clprim::session& s = device_session();
  draw d(static_cast<std::uint64_t>(n));
  const auto size = static_cast<std::size_t>(n * batch);
  const auto from = random_complex<T>(d, size);
  guarded_buffer<std::complex<T>> x(s, from, {7, 7}),
      y(s, std::vector<std::complex<T>>(size, {9, 9}), {7, 7});
  const auto in = clprim::array<std::complex<T>>(x.buffer(), {batch, n}),
             out = clprim::array<std::complex<T>>(y.buffer(), {batch, n});
  wait_for(inverse ? transform.inverse(in, out) : transform.forward(in, out));
  const wide_values wide =
      reference_transform(wide_values(from.begin(), from.end()), {batch, n}, 1, inverse, 1);
  const long double error = relative_error(y.read(), wide), bound = error_bound<T>({n});
  if (!x.intact() || !y.intact()) return std::to_string(n) + " writes outside";
  if (error <= bound) return {};
  return std::to_string(n) + " points: error " + std::to_string(static_cast<double>(error) * 1e9) +
         "e-9, at most " + std::to_string(static_cast<double>(bound) * 1e9) + "e-9";
}

/// Rows of n real values through an operation object, tight arrays, to half a spectrum and back:
/// what is wrong, or "".
template <class T>
std::string complaint_of_real_length(clprim::fft<T>& transform, std::int64_t n,
                                     std::int64_t batch) {
  using value = std::complex<T>;
  const clprim::session& s = device_session();
  const std::int64_t half = n / 2 + 1;
  draw d(static_cast<std::uint64_t>(n));
  std::vector<T> from;
  for (std::int64_t i = 0; i < n * batch; ++i) from.push_back(static_cast<T>(d.unit()));
  guarded_buffer<T> x(s, from, 7), b(s, std::vector<T>(from.size(), 9), 7);
  guarded_buffer<value> y(s, std::vector<value>(static_cast<std::size_t>(half * batch), {9, 9}),
                          {7, 7});
  const auto spectrum = clprim::array<value>(y.buffer(), {batch, half});
  wait_for(transform.forward(clprim::array<T>(x.buffer(), {batch, n}), spectrum));
  wait_for(transform.inverse(spectrum, clprim::array<T>(b.buffer(), {batch, n})));
  const wide_values given(from.begin(), from.end()),
      all = reference_transform(given, {batch, n}, 1);
  wide_values wide;
  for (std::int64_t i = 0; i < n * batch; ++i)
    if (i % n < half) wide.push_back(all[static_cast<std::size_t>(i)]);
  std::vector<value> again;
  for (const T v : b.read()) again.emplace_back(v / static_cast<T>(n));
  const long double error = relative_error(y.read(), wide), back = relative_error(again, given) / 2,
                    bound = error_bound<T>({n});
  if (!x.intact() || !y.intact() || !b.intact()) return std::to_string(n) + " writes outside";
  if (std::max(error, back) <= bound) return {};
  return std::to_string(n) + " real points: error " +
         std::to_string(static_cast<double>(error) * 1e9) + "e-9, back again " +
         std::to_string(static_cast<double>(back) * 1e9) + "e-9, at most " +
         std::to_string(static_cast<double>(bound) * 1e9) + "e-9";
}

/// The error of native_cos and native_sin on this device, in the mean of squares over one turn.
/// OpenCL states none. Built as transforms by items are: Intel's runtime for CPUs has 1.4e-7, and
/// 1.2e-4 without optimisation.
inline long double native_error(const clprim::session& s) {
  constexpr std::size_t n = 1024;
  const cl::Buffer out = device_copy(s, std::vector<std::complex<float>>(n));
  const auto built =
      clprim::build(s.context, s.device,
                    "__kernel void f(__global float2 *y) { const int i = get_global_id(0); "
                    "const float x = -6.28318530718f / 1024 * i; "
                    "y[i] = (float2)(native_cos(x), native_sin(x)); }",
                    clprim::facts_of(s.device).loses_guards ? "-cl-opt-disable" : "");
  const cl::Kernel kernel = clprim::make_kernel(*built, "f");
  clprim::check(clSetKernelArg(kernel(), 0, sizeof(cl_mem), &out()), "clSetKernelArg");
  clprim::check(
      clEnqueueNDRangeKernel(s.queue(), kernel(), 1, nullptr, &n, nullptr, 0, nullptr, nullptr),
      "clEnqueueNDRangeKernel");
  std::vector<std::complex<float>> got(n);
  clprim::check(clFinish(s.queue()), "clFinish");
  clprim::check(clEnqueueReadBuffer(s.queue(), out(), CL_TRUE, 0, n * sizeof(std::complex<float>),
                                    got.data(), 0, nullptr, nullptr),
                "clEnqueueReadBuffer");
  wide_values exact;
  for (std::int64_t i = 0; i < 1024; ++i) exact.push_back(reference_root(i, 1024));
  return relative_error(got, exact);
}

}  // namespace support
