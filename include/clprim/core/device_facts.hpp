#pragma once
// What source generation, rules and occupancy need to know of a device, as plain values.

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace clprim {

/// Whose OpenCL drives the device; `pocl` whatever hardware lies under it.
enum class vendor { unknown, nvidia, amd, intel, arm, qualcomm, apple, pocl, oclgrind };

/// What the device is, as it reports itself.
enum class device_kind { gpu, cpu, accelerator };

/// Whose functions move values between the work-items of a sub-group.
enum class subgroup_shuffle { none, khr, intel };

/// Matrix units that a compiler of OpenCL C reaches by functions of its own; NVIDIA's are reached
/// by PTX (compute_capability, warp_group_products). AMD Matrix Instruction Calculator; Intel,
/// cl_intel_subgroup_matrix_multiply_accumulate.
enum class matrix_unit {
  none,
  mfma,        ///< AMD CDNA 2 and later: gfx90a, gfx94x, gfx950
  wmma,        ///< AMD RDNA 3: gfx11
  wmma_gfx12,  ///< AMD RDNA 4, whose operands lie otherwise
  dpas,        ///< Intel Xe with XMX, by sub-groups of `matrix_unit_lanes`
};

/// A device as values; the defaults are a modest GPU, good enough to generate and read source.
struct device_facts {
  std::string name = "no device";
  std::string platform = "no platform";
  std::string driver{};
  clprim::vendor vendor = clprim::vendor::unknown;
  device_kind kind = device_kind::gpu;
  int compute_units = 1;
  int compute_units_per_unit = 1;    ///< that OpenCL counts, of Intel vector engines; see units_of
  std::int64_t local_bytes = 32768;  ///< what the static __local arrays of a kernel may hold
  std::int64_t reported_local_bytes = 32768;  ///< CL_DEVICE_LOCAL_MEM_SIZE
  int max_work_group = 256;                   ///< work-items
  int argument_bytes = 1024;                  ///< CL_DEVICE_MAX_PARAMETER_SIZE
  std::array<std::size_t, 3> max_items{256, 256, 256};
  int subgroup_width = 32;     ///< warp, wavefront or SIMD width in work-items; 1 for a CPU
  int simd_bytes = 0;          ///< of a CPU's vector registers; 0: not a CPU, or not known
  int compute_capability = 0;  ///< 10 × major + minor, e.g. 90; 0 when not NVIDIA
  bool fp64 = true;
  bool fp16 = false;   ///< half arithmetic (cl_khr_fp16); half storage needs no support
  int opencl_c = 120;  ///< 120, 200, 300
  std::int64_t global_bytes = std::int64_t{1} << 30;
  std::int64_t max_allocation_bytes = std::int64_t{1} << 28;
  int clock_mhz = 1000;
  bool local_is_dedicated = true;  ///< local memory is real hardware, not a piece of global memory
  bool unified_memory = false;     ///< shares its memory with the host
  bool inline_ptx = false;         ///< takes NVIDIA's assembly and its compiler's options
  bool async_copy = false;         ///< global to local copies by cp.async: NVIDIA from 8.0
  bool warp_group_products = false;  ///< wgmma: NVIDIA of 9.0, where the library can bring it in
  bool bulk_copies = false;          ///< of boxes of a matrix, described on the device: likewise
  matrix_unit matrix_units = matrix_unit::none;
  int matrix_unit_lanes = 0;   ///< of dpas: work-items that multiply together, 8 or 16
  bool images = true;          ///< has image objects and samplers
  bool int64_atomics = false;  ///< cl_khr_int64_base_atomics
  clprim::subgroup_shuffle subgroup_shuffles = clprim::subgroup_shuffle::none;
  int subgroup_functions = 120;  ///< OpenCL C to build for that has them, where shuffles are there
  int work_group_functions = 0;  ///< OpenCL C to build for that has them: 200, 300; 0: none
  bool loses_guards = false;     ///< its compiler does: `loses_guards_between_barriers`
  friend bool operator==(const device_facts&, const device_facts&) = default;
};

/// How many units of `unit_limits` a device has, which hold its work-groups: multiprocessors,
/// compute units, subslices or Xe-cores, a CPU's threads. At least 1.
constexpr int units_of(const device_facts& device) {
  return std::max(1, device.compute_units / std::max(1, device.compute_units_per_unit));
}

/// Whether a prefetch from __global memory may stand in a kernel's text. No macro tells:
/// translators to SPIR-V, such as Rusticl's, know the built-in, define none of theirs or a CPU's,
/// and end the process over it.
constexpr bool takes_prefetches(const device_facts& device) {
  return device.kind == device_kind::cpu &&
         (device.vendor == vendor::pocl || device.vendor == vendor::intel);
}

/// Whether the compiler warns of its own library, on the terminal of whoever calls: PoCL does, of
/// loads and stores of vectors that are wider than the CPU's registers ("changes the ABI").
constexpr bool warns_of_its_library(const device_facts& device) {
  return device.vendor == vendor::pocl;
}

/// Whether the compiler takes inline PTX of the instructions that came with compute capability 7.0.
constexpr bool takes_ptx(const device_facts& device) {
  return device.inline_ptx && device.compute_capability >= 70;
}

/// The number that a driver's version begins with: 7 of "7.1+debian"; 0 where it begins with none.
constexpr int major_version(std::string_view driver) {
  int number = 0;
  for (const char digit : driver) {
    if (digit < '0' || digit > '9' || number > 99999) break;
    number = 10 * number + (digit - '0');
  }
  return number;
}

/// Whether the compiler loses values that work-items keep over a barrier, such as which of them
/// store. Groups of one item are right where no guard asks for an item's number: the doors choose
/// no other on CPUs. (7.1 took `get_local_id(0) / 1 > 0` for true, behind a return of GEMM's.)
///
/// Intel's does (2026.2): transforms of 34, 38, 46 and 51 points by items had relative errors of
/// 0.2 to 1.1 where the same guard stands on both sides of a barrier; without optimisation all are
/// right.
///
/// PoCL's does since 5.0. It keeps by address which values are the same for all items
/// (VariableUniformityAnalysis, whose `invalidate` is `return false` from 5.0 to 7.2), over passes
/// that free instructions and make others there: those count as the same for all, and every item
/// has the last one's. What is wrong depends on the allocator and hardly on the text. On 5.0 of
/// Ubuntu 24.04 these four items all store at 17 with -cl-opt-disable, and rightly without it or
/// where `free` keeps small blocks:
///
///     __kernel __attribute__((reqd_work_group_size(4, 1, 1)))
///     void f(__global const int *in, __global int *out) {
///         __local int x[4];
///         const uint g = get_group_id(0);
///         const long at = (long)(g / 3) * 129;
///         const int here = (int)min(4L, 9L - (long)(g % 3) * 4);
///         const int lid = get_local_id(0), t = lid / 2, c = lid % 2;
///         int p;
///         if (here == 4) p = in[at + lid]; else p = in[at + min(lid, here * 4)];
///         x[lid] = p;
///         barrier(CLK_LOCAL_MEM_FENCE);
///         out[at + c + (long)t * 16] = x[c * 2 + t];
///     }
///
/// Transforms by items of 7.1 are right without optimisation in what was run, its two passes in one
/// launch are not.
constexpr bool loses_guards_between_barriers(const device_facts& device) {
  if (device.kind != device_kind::cpu) return false;
  return device.vendor == vendor::intel ||
         (device.vendor == vendor::pocl && major_version(device.driver) >= 5);
}

/// The vendor's name for people.
constexpr const char* to_string(vendor v) {
  constexpr std::array names{"unknown vendor", "NVIDIA", "AMD",  "Intel",   "Arm",
                             "Qualcomm",       "Apple",  "PoCL", "Oclgrind"};
  return names[static_cast<std::size_t>(v)];
}

/// The kind's name for people.
constexpr const char* to_string(device_kind k) {
  constexpr std::array names{"GPU", "CPU", "accelerator"};
  return names[static_cast<std::size_t>(k)];
}

/// The device in one line: name, kind, units, memories, limits.
inline std::string describe(const device_facts& d) {
  const auto kib = [](std::int64_t bytes) { return std::to_string((bytes + 512) / 1024) + " KiB"; };
  std::string text =
      d.name + " (" + to_string(d.vendor) + " " + to_string(d.kind) + ", " + d.platform;
  if (!d.driver.empty()) text += ", driver " + d.driver;
  if (d.compute_capability != 0) {
    text += ", compute capability " + std::to_string(d.compute_capability / 10) + "." +
            std::to_string(d.compute_capability % 10);
  }
  text += "): " + std::to_string(d.compute_units) + " units at " + std::to_string(d.clock_mhz) +
          " MHz, " + std::to_string(d.global_bytes >> 20) + " MiB global, " + kib(d.local_bytes) +
          " local";
  if (d.local_bytes != d.reported_local_bytes) {
    text += " (" + kib(d.reported_local_bytes) + " reported)";
  }
  text += ", work-groups to " + std::to_string(d.max_work_group) + ", sub-groups of " +
          std::to_string(d.subgroup_width);
  text += d.fp64 ? ", fp64" : ", no fp64";
  text += d.fp16 ? ", fp16" : ", no fp16";
  return text + ", OpenCL C " + std::to_string(d.opencl_c / 100) + "." +
         std::to_string(d.opencl_c / 10 % 10);
}

}  // namespace clprim
