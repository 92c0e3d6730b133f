#pragma once
// Transforms too long for a reference: of inputs whose spectrum is known in closed form.

#include <array>
#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include "fft/reference.hpp"

namespace support {

/// exp(2 pi i m / n) for any m, as the product of two of 2 sqrt(n) kept ones.
class known_roots {
 public:
  explicit known_roots(std::int64_t n)
    : step_(static_cast<std::int64_t>(std::sqrt(static_cast<double>(n))) + 1) {
    for (std::int64_t m = 0; m < step_; ++m) {
      fine_.push_back(std::conj(reference_root(m, n)));
      coarse_.push_back(std::conj(reference_root(m * step_, n)));
    }
  }
  /// Of m from 0 to n - 1. (The product by hand: std::complex would look for infinities.)
  wide_value operator()(std::int64_t m) const {
    const wide_value a = coarse_[static_cast<std::size_t>(m / step_)],
                     b = fine_[static_cast<std::size_t>(m % step_)];
    return {a.real() * b.real() - a.imag() * b.imag(), a.real() * b.imag() + a.imag() * b.real()};
  }

 private:
  std::int64_t step_;
  wide_values fine_, coarse_;
};

/// What a device lacks for a transform of n points out of place through a workspace, or "".
template <class T> std::string lack_of_memory(std::int64_t n) {
  const clprim::device_facts d = clprim::facts_of(device_session().device);
  const auto bytes = static_cast<std::int64_t>(2 * sizeof(T)) * n;
  if (bytes <= d.max_allocation_bytes && 4 * bytes <= d.global_bytes) return {};
  return std::to_string(n) + " points left out: the device has " + std::to_string(d.global_bytes) +
         " bytes, " + std::to_string(d.max_allocation_bytes) + " in one buffer";
}

/// The relative error of a transform of n points in L2. The input is two waves in all places and
/// two points that stand out: its spectrum is two points that stand out, and two waves in all
/// places, so that every point that is read, or written, in a wrong place shows.
template <class T> long double error_of_known_spectrum(std::int64_t n, bool inverse) {
  const clprim::session& s = device_session();
  const known_roots root(n);
  const long double sign = inverse ? 1 : -1;
  // Frequencies and places anywhere; heights so that both parts weigh the same.
  const std::array<std::int64_t, 2> frequency{n / 3, n - n / 7 - 1}, place{n / 5 + 1, n - n / 11};
  const long double high = std::sqrt(static_cast<long double>(n));
  std::vector<std::complex<T>> x(static_cast<std::size_t>(n));
  for (std::int64_t i = 0; i < n; ++i) {
    wide_value v = 0;
    for (const std::int64_t f : frequency) v += root(f * i % n);
    for (const std::int64_t p : place)
      if (i == p) v += high;
    x[static_cast<std::size_t>(i)] =
        std::complex<T>(static_cast<T>(v.real()), static_cast<T>(v.imag()));
  }
  const std::size_t bytes = x.size() * sizeof(x[0]);
  const auto make = [&] {
    cl_int code = CL_SUCCESS;
    const cl::Buffer made(clCreateBuffer(s.context(), CL_MEM_READ_WRITE, bytes, nullptr, &code),
                          false);
    clprim::check(code, "clCreateBuffer");
    return made;
  };
  const cl::Buffer in = make(), out = make();
  clprim::check(
      clEnqueueWriteBuffer(s.queue(), in(), CL_TRUE, 0, bytes, x.data(), 0, nullptr, nullptr),
      "clEnqueueWriteBuffer");
  clprim::fft<T> transform(s.queue);
  const auto from = clprim::array<std::complex<T>>(in, {n}),
             to = clprim::array<std::complex<T>>(out, {n});
  wait_for(inverse ? transform.inverse(from, to) : transform.forward(from, to));
  clprim::check(
      clEnqueueReadBuffer(s.queue(), out(), CL_TRUE, 0, bytes, x.data(), 0, nullptr, nullptr),
      "clEnqueueReadBuffer");
  long double difference = 0, size = 0;
  for (std::int64_t k = 0; k < n; ++k) {
    wide_value v = 0;
    for (const std::int64_t p : place) {
      const wide_value w = root(p * k % n);
      v += high * wide_value{w.real(), sign * w.imag()};
    }
    for (const std::int64_t f : frequency)
      if (k == (inverse ? (n - f) % n : f)) v += static_cast<long double>(n);
    difference += std::norm(wide_value(x[static_cast<std::size_t>(k)]) - v);
    size += std::norm(v);
  }
  if (difference != difference) return 1e30L;
  return std::sqrt(difference / size);
}

}  // namespace support
