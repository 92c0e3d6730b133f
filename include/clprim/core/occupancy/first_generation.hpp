#pragma once
// What the first CUDA devices could do, compute capability 1.0 to 1.3, beyond what occupancy needs
// (nvidia.hpp): the tables of NVIDIA's OpenCL Programming Guide 2.3, appendix A.1, and 3.1.1.1.
//
// Kernels of today run on none of them. The numbers stand behind the textbooks' rules, so whoever
// reads one can see what it came from.

#include <algorithm>
#include <array>
#include <cstddef>
#include <string>

#include <clprim/core/error.hpp>

namespace clprim {

/// One compute capability of the first generation.
struct first_generation_facts {
  int compute_capability = 10;
  std::array<int, 3> max_group{512, 512, 64};  ///< work-items of a group along x, y and z
  int max_group_items = 512;                   ///< and in all
  int max_grid = 65535;                        ///< groups along each dimension
  int registers = 8192;                        ///< 32-bit, of a multiprocessor
  int local_bytes = 16384;                     ///< OpenCL's local memory, of a multiprocessor
  int banks = 16;
  int constant_bytes = 65536;
  int constant_cache_bytes = 8192;       ///< working set, of a multiprocessor
  int least_texture_cache_bytes = 6144;  ///< 6 to 8 KB
  int private_bytes = 16384;             ///< of a work-item, in device memory and not cached
  int max_groups = 8;                    ///< resident on a multiprocessor
  int max_warps = 24;
  int max_items = 768;
  int max_instructions = 2'000'000;  ///< of PTX, of a kernel
  bool global_atomics = false;       ///< 32-bit words
  bool local_atomics = false;        ///< and 64-bit words in global memory
  bool warp_votes = false;
  bool doubles = false;
  /// Operations per cycle of a multiprocessor: of float add, multiply and multiply-add, integer
  /// add, comparisons, bits and conversions; the slower ones stand beside their rungs in
  /// bench/ladders/instructions.hpp.
  int throughput = 8;
};

/// The table's row. Throws argument_error for another compute capability than 10 to 13.
constexpr first_generation_facts first_generation(int compute_capability) {
  if (compute_capability < 10 || compute_capability > 13) {
    throw argument_error("compute capability", "must be of the first generation",
                         std::to_string(compute_capability), "10, 11, 12 or 13");
  }
  first_generation_facts f{.compute_capability = compute_capability};
  f.global_atomics = compute_capability >= 11;
  if (compute_capability >= 12) {
    f.local_atomics = f.warp_votes = true;
    f.registers = 16384;
    f.max_warps = 32;
    f.max_items = 1024;
  }
  f.doubles = compute_capability >= 13;
  return f;
}

/// The four rows for a person, a line each.
inline std::string first_generation_table() {
  std::string text =
      "capability  registers  warps  items  groups  local    constant  atomics               "
      "votes  doubles\n";
  for (const int capability : {10, 11, 12, 13}) {
    const first_generation_facts f = first_generation(capability);
    const auto cell = [](std::string value, std::size_t width) {
      value.resize(std::max(width, value.size()), ' ');
      return value;
    };
    const char* const atomics = f.local_atomics    ? "global 64, local 32"
                                : f.global_atomics ? "global 32"
                                                   : "none";
    text += cell("1." + std::to_string(capability - 10), 12) +
            cell(std::to_string(f.registers), 11) + cell(std::to_string(f.max_warps), 7) +
            cell(std::to_string(f.max_items), 7) + cell(std::to_string(f.max_groups), 8) +
            cell(std::to_string(f.local_bytes / 1024) + " KB", 9) +
            cell(std::to_string(f.constant_bytes / 1024) + " KB", 10) + cell(atomics, 22) +
            cell(f.warp_votes ? "yes" : "no", 7) + (f.doubles ? "yes" : "no") + "\n";
  }
  return text;
}

}  // namespace clprim
