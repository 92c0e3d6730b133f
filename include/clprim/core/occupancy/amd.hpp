#pragma once
// AMD's compute units (GCN, CDNA) and work-group processors (RDNA), by the compiler's gfx name.
//
// Sources. LLVM's AMDGPU back end, llvm/lib/Target/AMDGPU/Utils/AMDGPUBaseInfo.cpp, namespace
// IsaInfo: waves per SIMD, vector and scalar registers with their granularity, SIMDs, barriers,
// local memory; OpenCL runs RDNA in work-group-processor mode, four SIMDs and 128 KiB (getEUsPerCU,
// getLocalMemorySize). The 1.5-fold register files are gfx1100, 1101, 1151, 1200 and 1201
// (Feature1_5xVGPRs). Local-memory granularity, 32 KiB per group on gfx6, and 8 waves on Polaris
// (gfx803): Mesa, src/amd/common/ac_gpu_info.c (lds_alloc_granularity, "what the hardware will
// align the LDS size to", max_wave64_per_simd). LLVM's occupancy leaves that granularity out, as a
// FIXME in AMDGPUSubtarget::getOccupancyWithLocalMemSize says, and so counts up to four waves more
// on RDNA.
// gfx950: LLVM AMDGPUUsage, 160 KiB in blocks of 1280 bytes.

#include <string>
#include <string_view>

#include <clprim/core/device_facts.hpp>
#include <clprim/core/error.hpp>
#include <clprim/core/occupancy/limits.hpp>

namespace clprim {

/// A gfx name taken apart: gfx90a is {9, 0, 10}, gfx1030 is {10, 3, 0}; {0, 0, 0}: not a gfx name.
struct gfx_version {
  int major = 0;
  int minor = 0;
  int stepping = 0;

  friend constexpr bool operator==(const gfx_version&, const gfx_version&) = default;
};

namespace detail {

constexpr int hex_digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  return -1;
}

}  // namespace detail

/// Reads "gfx1030", or a device name that starts so ("gfx90a:sramecc+:xnack-"); the last two digits
/// are hexadecimal minor and stepping. Gives {0, 0, 0} for anything else.
constexpr gfx_version gfx_version_of(std::string_view name) {
  if (name.substr(0, 3) != "gfx") return {};
  name.remove_prefix(3);
  name = name.substr(0, name.find(':'));
  if (name.size() < 3 || name.size() > 4) return {};
  const int stepping = detail::hex_digit(name.back());
  const int minor = detail::hex_digit(name[name.size() - 2]);
  int major = 0;
  for (const char c : name.substr(0, name.size() - 2)) {
    if (c < '0' || c > '9') return {};
    major = 10 * major + (c - '0');
  }
  return stepping < 0 || minor < 0 ? gfx_version{} : gfx_version{major, minor, stepping};
}

/// The matrix units that compilers reach by functions: MFMA of CDNA 2 and later, WMMA of RDNA 3 and
/// 4. CDNA 1 (gfx908) has none for double, and other ones for bfloat16.
constexpr matrix_unit matrix_unit_of(gfx_version g) {
  const bool cdna =
      g.major == 9 && (g.minor == 4 || g.minor == 5 || (g.minor == 0 && g.stepping == 10));
  return cdna            ? matrix_unit::mfma
         : g.major == 11 ? matrix_unit::wmma
         : g.major == 12 ? matrix_unit::wmma_gfx12
                         : matrix_unit::none;
}

namespace detail {

constexpr bool is_gfx_known(gfx_version g) {
  if (g.major >= 6 && g.major <= 9) return g.minor <= 5;
  return (g.major == 10 && (g.minor == 1 || g.minor == 3)) ||
         (g.major == 11 && (g.minor == 0 || g.minor == 5)) || (g.major == 12 && g.minor == 0);
}

/// GCN and CDNA: four SIMDs of wavefronts of 64, 256 vector registers per lane, 512 from gfx90a on.
constexpr unit_limits gcn_unit(gfx_version g) {
  unit_limits u;
  const bool unified = g.major == 9 && ((g.minor == 0 && g.stepping == 10) || g.minor >= 4);
  const bool polaris = g.major == 8 && g.minor == 0 && g.stepping == 3;
  const bool gfx950 = g.major == 9 && g.minor == 5;
  u.name = unified ? "AMD CDNA compute unit" : "AMD GCN compute unit";
  u.warp_width = 64;
  u.max_warps = u.max_single_warp = 4 * (unified || polaris ? 8 : 10);
  u.max_groups = 16;
  u.lane_registers = unified ? 512 : 256;
  u.max_registers = u.lane_registers;
  u.register_granularity = unified ? 8 : 4;
  u.scalar_registers = g.major >= 8 ? 800 : 512;
  u.scalar_granularity = g.major >= 8 ? 16 : 8;
  u.local_bytes = (gfx950 ? 160 : 64) * 1024;
  u.group_local_bytes = g.major == 6 ? 32 * 1024 : u.local_bytes;
  u.local_granularity = gfx950 ? 1280 : g.major == 6 ? 256 : 512;
  return u;
}

/// RDNA: four SIMDs, 128 KiB shared by the work-group processor, of which a group may take half.
constexpr unit_limits rdna_unit(gfx_version g, int width) {
  unit_limits u;
  const bool first = g.major == 10 && g.minor == 1;
  const bool large = (g.major == 11 && g.minor == 0 && g.stepping <= 1) ||
                     (g.major == 11 && g.minor == 5 && g.stepping == 1) || g.major == 12;
  u.name = "AMD RDNA work-group processor";
  u.warp_width = width;
  u.max_warps = u.max_single_warp = 4 * (first ? 20 : 16);
  u.max_groups = 32;
  u.lane_registers = (large ? 1536 : 1024) * 32 / width;
  u.max_registers = 256;
  u.register_granularity = (large ? 24 : first ? 8 : 16) * 32 / width;
  u.local_bytes = 128 * 1024;
  u.group_local_bytes = 64 * 1024;
  u.local_granularity = first ? 512 : 1024;
  return u;
}

}  // namespace detail

/// Whether `amd_limits` knows this architecture.
constexpr bool knows_amd(gfx_version gfx) { return detail::is_gfx_known(gfx); }

/// One compute unit or work-group processor. `wavefront` is 32 or 64 on RDNA (0 takes the
/// compiler's default, 32) and 64 on GCN and CDNA. Groups of one wavefront need no barrier and may
/// fill every slot. Throws argument_error for an architecture that is not known or a width it does
/// not have.
constexpr unit_limits amd_limits(gfx_version gfx, int wavefront = 0) {
  if (!knows_amd(gfx)) {
    throw argument_error("AMD architecture", "must be one the occupancy tables know",
                         "gfx " + std::to_string(gfx.major) + "." + std::to_string(gfx.minor) +
                             "." + std::to_string(gfx.stepping),
                         "gfx6 to gfx9, gfx10.1, gfx10.3, gfx11.0, gfx11.5 and gfx12.0 are known");
  }
  const bool rdna = gfx.major >= 10;
  const int width = wavefront != 0 ? wavefront : rdna ? 32 : 64;
  if (width != 64 && !(rdna && width == 32)) {
    throw argument_error("wavefront width", "must be one of the architecture",
                         std::to_string(width), rdna ? "32 or 64" : "64");
  }
  unit_limits u = rdna ? detail::rdna_unit(gfx, width) : detail::gcn_unit(gfx);
  u.known = certainty::documented;
  u.max_group_items = 1024;
  u.partitions = 4;
  return u;
}

}  // namespace clprim
