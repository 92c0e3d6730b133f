#pragma once
// The kernel of a pass, as its source and what a launch of it needs.

#include <cstdint>
#include <string>
#include <vector>

#include <clprim/fft/plan/pass.hpp>
#include <clprim/fft/plan/tables.hpp>

namespace clprim {

/// What is needed to launch the kernel of a pass.
struct fft_kernel {
  std::string source;
  std::string options{};  ///< of the compiler
  std::vector<int> radices;
  int side_by_side = 1;  ///< transforms of the first axis that a block holds
  int blocks = 1;        ///< blocks that a group works on
  int items = 1;         ///< work-items of a group
  std::int64_t local_bytes = 0;
  std::vector<int> then_radices{};  ///< of a second pass in the same launch
  int then_side_by_side = 0;
};

namespace fft_text {

/// Where the factors stand that make the spectrum of pairs half a spectrum, or back.
inline std::int64_t pair_roots_of(const fft_pass& p, fft_tables& tables) {
  if (p.input != fft_input::spectrum_pairs && p.output != fft_output::half_of_pairs) return 0;
  std::vector<wide_complex> part;
  for (std::int64_t k = 0; k <= p.length; ++k) part.push_back(wide_root(k, 2 * p.length));
  return tables.add(part);
}

}  // namespace fft_text

}  // namespace clprim
