// Local memory that the benchmarks put into kernels to keep groups out.

#include "../bench/harness/ballast.hpp"

#include <complex>
#include <cstddef>
#include <string>

#include <doctest/doctest.h>

#include <clprim/fft.hpp>

#include "support/device.hpp"

using namespace clprim;

namespace {

std::size_t count_of(const std::string& text, const std::string& word) {
  std::size_t count = 0;
  for (auto at = text.find(word); at != std::string::npos; at = text.find(word, at + 1)) ++count;
  return count;
}

}  // namespace

TEST_CASE("ballast goes into every kernel, and into no comment that names one") {
  const std::string text =
      "// a __kernel { in words }\n"
      "__kernel void one(__global int *x)\n{\n    x[0] = 1;\n}\n"
      "__attribute__((reqd_work_group_size(1, 1, 1))) __kernel void two(__global int *x) { }\n";
  const std::string heavy = bench::with_ballast(text, 100);
  CHECK(count_of(heavy, "bench_ballast[100]") == 2);
  CHECK(heavy.starts_with("// a __kernel { in words }\n"));
  CHECK(count_of(heavy, "\n") == count_of(text, "\n"));
  CHECK(bench::with_ballast("no kernel", 100) == "no kernel");
}

TEST_CASE("a transform's kernel with ballast takes as much more local memory") {
  const session& s = support::device_session();
  const cl::Buffer x(s.context, CL_MEM_READ_WRITE, 8 * 1024);
  const auto view = array<std::complex<float>>(x, {1, 1024});
  const fft_policy p{.points = 4, .group = 128, .one_pass = 1024};
  const std::string plain = fft<float>(s.queue, {.policy = p}).source(view, view);
  const auto local_bytes = [&](const std::string& source) {
    const auto program = build(s.context, s.device, source);
    const cl::Kernel kernel = make_kernel(*program, "fft");
    return resources_of(*program, kernel, "fft", s.device).local_bytes.value;
  };
  const auto before = local_bytes(plain), after = local_bytes(bench::with_ballast(plain, 4096));
  const device_facts facts = facts_of(s.device);
  if (facts.vendor == vendor::pocl && major_version(facts.driver) >= 5 && after == 0) {
    MESSAGE("PoCL " << facts.driver << " tells of no local memory");
    return;
  }
  if (facts.platform == "rusticl" && after == before) {
    MESSAGE("Mesa leaves out what nobody reads");
    return;
  }
  CHECK(after >= before + 4096);
}
