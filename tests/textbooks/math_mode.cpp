// How exactly programs must compute: the option of every door, its key, its bounds.

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include <clprim/clprim.hpp>
#include <clprim/core/math_mode.hpp>

#include "support/device.hpp"
#include "support/refusal.hpp"

using namespace clprim;
using support::device_session;
using support::refused;

namespace {

constexpr math_mode all_modes[] = {math_mode::precise, math_mode::mad, math_mode::relaxed,
                                   math_mode::native};

cl::Buffer written(const std::vector<float>& values) {
  const session& s = device_session();
  cl::Buffer made(s.context, CL_MEM_READ_WRITE, values.size() * sizeof(float));
  check(s.queue.enqueueWriteBuffer(made, CL_TRUE, 0, values.size() * sizeof(float), values.data()),
        "write");
  return made;
}

std::vector<float> read(const cl::Buffer& from, std::size_t count) {
  std::vector<float> values(count);
  check(device_session().queue.enqueueReadBuffer(from, CL_TRUE, 0, count * sizeof(float),
                                                 values.data()),
        "read");
  return values;
}

std::vector<float> from_to(double low, double high, std::size_t count) {
  std::vector<float> values;
  for (std::size_t i = 0; i < count; ++i)
    values.push_back(static_cast<float>(low + (high - low) * static_cast<double>(i) /
                                                  static_cast<double>(count)));
  return values;
}

/// Programs of this process whose source or options have this word.
std::size_t programs_with(const std::string& word) {
  auto& cache = detail::program_cache::instance();
  std::size_t count = 0;
  for (const auto& one : cache.entries)
    if ((one.source + one.options).find(word) != std::string::npos) ++count;
  return count;
}

/// Each call builds programs with the option that its mode names.
template <class Call> void each_mode_is_built(Call call) {
  clear_program_cache();
  call(math_mode::precise);
  CHECK(programs_with("-cl-mad-enable") + programs_with("-cl-fast") == 0);
  call(math_mode::mad);
  CHECK(programs_with("-cl-mad-enable") > 0);
  CHECK(programs_with("-cl-fast-relaxed-math") == 0);
  call(math_mode::relaxed);
  CHECK(programs_with("-cl-fast-relaxed-math") > 0);
  CHECK(programs_with("#define sin native_sin") == 0);
  call(math_mode::native);
  CHECK(programs_with("#define sin native_sin") > 0);
}

}  // namespace

TEST_CASE("math modes are build options, and native functions stand before the source") {
  CHECK(build_options_of(math_mode::precise).empty());
  CHECK(build_options_of(math_mode::mad) == "-cl-mad-enable");
  CHECK(build_options_of(math_mode::native) == "-cl-fast-relaxed-math");
  CHECK(text_before(math_mode::relaxed, "cl_khr_fp64").empty());
  CHECK(text_before(math_mode::native, "").find("#undef sin\n#define sin native_sin\n") !=
        std::string::npos);
  CHECK(
      refused([] { text_before(math_mode::native, "cl_khr_fp64"); }) ==
      "math must not be native for double: math_mode::native given, math_mode::relaxed, or float");
}

TEST_CASE("a map's functions are within the bounds of their math mode") {
  const session& s = device_session();
  const device_facts facts = facts_of(s.device);
  const std::size_t count = 4096;
  const double pi = std::acos(-1.0);
  const auto x = from_to(-pi, pi, count);
  const cl::Buffer in = written(x), out = written(x);
  const auto n = static_cast<std::int64_t>(count);
  for (const math_mode math : all_modes) {
    CAPTURE(std::string(to_string(math)));
    const bool exact_enough = math == math_mode::precise || math == math_mode::mad;
    // Intel's runtime for CPUs (2026.2) takes native functions for relaxed ones: exp is within 1772
    // ulp, where OpenCL wants 3 + |2 x|.
    const double coarse =
        !exact_enough && facts.kind == device_kind::cpu && facts.vendor == vendor::intel ? 0x1p11
                                                                                         : 0;
    const double sine_bound = exact_enough ? 0 : 0x1p-11;
    map<float, float> sine(s.queue, {.map = {"return sin(x0);", {}}, .math = math});
    sine({vector<float>(in, n)}, vector<float>(out, n));
    const std::vector<float> sines = read(out, count);
    map<float, float> both(s.queue, {.map = {"return exp(x0) * 0.5f + x0;", {}}, .math = math});
    both({vector<float>(in, n)}, vector<float>(out, n));
    const std::vector<float> sums = read(out, count);
    for (std::size_t i = 0; i < count; ++i) {
      const double at = static_cast<double>(x[i]), exact = std::sin(at), power = std::exp(at);
      const double ulp = std::fabs(exact) * 0x1p-23;
      CHECK(std::fabs(static_cast<double>(sines[i]) - exact) <=
            std::max(sine_bound, 4 * ulp + 0x1p-149));
      const double ulps = std::max(coarse, exact_enough ? 3 : 3 + std::floor(std::fabs(2 * at)));
      CHECK(std::fabs(static_cast<double>(sums[i]) - (0.5 * power + at)) <=
            0.5 * power * (ulps + 1) * 0x1p-23 + std::fabs(0.5 * power + at) * 0x1p-23);
    }
    const std::string told = both.explain({vector<float>(in, n)}, vector<float>(out, n));
    CHECK((told.find("math       ") != std::string::npos) == (math != math_mode::precise));
  }
}

TEST_CASE("every door builds its programs by its math mode, and multiplies right in each") {
  const session& s = device_session();
  const int n = 48;
  const auto values = from_to(0.25, 1.75, 4096);
  const cl::Buffer x = written(values), y = written(values), z = written(values);
  const auto near = [&](const std::vector<float>& got, std::size_t i, double exact) {
    CHECK(std::fabs(static_cast<double>(got[i]) - exact) <= 1e-4 * (1 + std::fabs(exact)));
  };
  SUBCASE("gemm") {
    each_mode_is_built([&](math_mode math) {
      gemm<float> multiply(s.queue, {.epilogue = {"return sin(value);", {}}, .math = math});
      multiply(0.01f, matrix<float>(x, n, n), matrix<float>(y, n, n), 0.0f, matrix<float>(z, n, n));
      double sum = 0;
      for (std::size_t k = 0; k < std::size_t{n}; ++k)
        sum += static_cast<double>(values[5 * std::size_t{n} + k]) *
               static_cast<double>(values[k * std::size_t{n} + 7]);
      const auto got = read(z, std::size_t{n} * std::size_t{n});
      CHECK(std::fabs(static_cast<double>(got[5 * std::size_t{n} + 7]) - std::sin(0.01 * sum)) <=
            0x1p-10);
    });
  }
  SUBCASE("transpose") {
    each_mode_is_built([&](math_mode math) {
      transpose<float> turn(s.queue, {.map = {"return value * 2.0f + 1.0f;", {}}, .math = math});
      turn(matrix<float>(x, n, n), matrix<float>(z, n, n));
      near(read(z, 100), 50, 2 * static_cast<double>(values[2 * std::size_t{n} + 1]) + 1);
    });
  }
  SUBCASE("reduce") {
    each_mode_is_built([&](math_mode math) {
      reduce<float, op::sum<>> add(s.queue, {.map = {"return x * x;", {}}, .math = math});
      reduce<float, op::max> most(s.queue, {.math = math});
      add(whole<float>(x, 1000), z);
      most(whole<float>(x, 1000), z, 1);
      double sum = 0;
      for (std::size_t i = 0; i < 1000; ++i) sum += std::pow(static_cast<double>(values[i]), 2);
      near(read(z, 2), 0, sum);
      CHECK(read(z, 2)[1] == values[999]);
    });
  }
  SUBCASE("convolve") {
    each_mode_is_built([&](math_mode math) {
      const std::vector<float> taps(9, 0.5f);
      convolve<float> blur(s.queue, {.map = {"return value + 1.0f;", {}}, .math = math});
      blur(image<float>(x, n, n), filter_2d<float>(3, 3, taps), image<float>(z, n, n));
      double sum = 1;
      for (std::size_t r = 4; r < 7; ++r)
        for (std::size_t c = 4; c < 7; ++c)
          sum += 0.5 * static_cast<double>(values[r * std::size_t{n} + c]);
      near(read(z, std::size_t{n} * std::size_t{n}), 5 * std::size_t{n} + 5, sum);
    });
  }
  SUBCASE("fft") {
    each_mode_is_built([&](math_mode math) {
      fft<float> transform(s.queue, {.math = math});
      const array_view<std::complex<float>> in = array<std::complex<float>>(x, {4, 256}),
                                            out = array<std::complex<float>>(z, {4, 256});
      transform.forward(in, out);
      std::complex<double> sum = 0;
      for (std::size_t i = 0; i < 256; ++i)
        sum += std::complex<double>(values[2 * i], values[2 * i + 1]);
      near(read(z, 2), 0, sum.real());
      near(read(z, 2), 1, sum.imag());
    });
  }
}

TEST_CASE("math modes that would break what a reduction promises are refused") {
  const session& s = device_session();
  CHECK(refused([&] {
          reduce<float, op::compensated<op::sum<>>>(s.queue, {.math = math_mode::relaxed});
        }) == "math must be precise for compensated sums: relaxed given, math_mode::precise");
  CHECK(refused([&] {
          reduce<float, op::max>(s.queue, {.nan = nan_rule::ignore, .math = math_mode::mad});
        }) == "math must be precise for nan_rule::ignore: mad given, math_mode::precise");
  if (!facts_of(s.device).fp64) return;
  const cl::Buffer x(s.context, CL_MEM_READ_WRITE, 4096);
  map<double, double> wave(s.queue, {.map = {"return sin(x0);", {}}, .math = math_mode::native});
  CHECK(refused([&] {
          wave({vector<double>(x, 8)}, vector<double>(x, 8));
        }).starts_with("math must not be native for double"));
}
