// A file of problems and policies to be timed (bench_tune): each line is one, or one sentence says
// why not.

#include <exception>
#include <sstream>
#include <string>

#include "../../bench/gemm/tuning_line.hpp"
#include "fuzzing.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t count) {
  std::istringstream file(std::string(fuzzing::text_of(bytes, count)));
  for (std::string line; std::getline(file, line);) {
    try {
      const bench::tuning_line read = bench::parse_tuning_line(line, clprim::scalar::float_);
      const auto& p = read.problem;
      fuzzing::require(p.m > 0 && p.n > 0 && p.k > 0 && p.batch > 0, "a problem has elements");
      if (read.policy)
        fuzzing::require(
            clprim::parse_policy<clprim::gemm_policy>(to_string(*read.policy)) == *read.policy,
            "the policy is one that can be printed");
    } catch (const clprim::error& e) {
      fuzzing::require(!std::string(e.what()).empty(), "a refusal says why");
    }
  }
  return 0;
}
