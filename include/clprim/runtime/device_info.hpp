#pragma once
// What a device says of itself, asked once and whole.

#include <clprim/core/language.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include <clprim/core/device_facts.hpp>
#include <clprim/core/occupancy/device.hpp>
#include <clprim/core/words.hpp>
#include <clprim/runtime/opencl.hpp>

namespace clprim {

namespace detail {

/// Throws opencl_error naming the question unless the code is CL_SUCCESS.
inline void check_answer(cl_int code, const char* call, cl_uint what) {
  if (code == CL_SUCCESS) return;
  constexpr std::string_view digits = "0123456789abcdef";
  std::string number;
  for (int shift = 12; shift >= 0; shift -= 4) number += digits[what >> shift & 15];
  fail(code, std::string(call) + "(0x" + number + ")");
}

/// A value of clGetDeviceInfo that every device has to tell. Throws opencl_error where it does not:
/// nothing is chosen by facts that nobody told.
template <class T> T device_value(cl_device_id device, cl_device_info what) {
  T value{};
  check_answer(clGetDeviceInfo(device, what, sizeof value, &value, nullptr), "clGetDeviceInfo",
               what);
  return value;
}

/// A value of clGetDeviceInfo; the fall-back where the device does not know the question. Throws
/// opencl_error where it fails otherwise.
template <class T> T device_info(cl_device_id device, cl_device_info what, T otherwise = {}) {
  T value{};
  const cl_int code = clGetDeviceInfo(device, what, sizeof value, &value, nullptr);
  if (code == CL_INVALID_VALUE) return otherwise;
  check_answer(code, "clGetDeviceInfo", what);
  return value;
}

/// A string of a function such as clGetDeviceInfo.
template <class Handle, class Query>
cl_int ask_text(Handle handle, cl_uint what, Query query, std::string& text) {
  text.clear();
  std::size_t size = 0;
  cl_int code = query(handle, what, 0, nullptr, &size);
  if (code != CL_SUCCESS || size == 0) return code;
  text.resize(size);
  code = query(handle, what, size, text.data(), nullptr);
  text.resize(code == CL_SUCCESS ? std::min(text.find('\0'), size) : 0);
  return code;
}

/// The same where nothing depends on it: empty when it cannot be had.
template <class Handle, class Query>
std::string info_text(Handle handle, cl_uint what, Query query) {
  std::string text;
  ask_text(handle, what, query, text);
  return text;
}

/// A string of clGetDeviceInfo. Throws opencl_error.
inline std::string device_text(cl_device_id device, cl_device_info what) {
  std::string text;
  check_answer(ask_text(device, what, clGetDeviceInfo, text), "clGetDeviceInfo", what);
  return text;
}

inline std::string lower_case(std::string_view text) {
  std::string result(text);
  for (char& c : result) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return result;
}

inline clprim::vendor vendor_of(std::string_view platform, std::string_view maker) {
  const std::string p = lower_case(platform);
  const std::string m = lower_case(maker);
  if (p.find("portable computing language") != std::string::npos) return vendor::pocl;
  if (p.find("oclgrind") != std::string::npos) return vendor::oclgrind;
  if (m.find("nvidia") != std::string::npos) return vendor::nvidia;
  if (m.find("advanced micro devices") != std::string::npos || m == "amd") return vendor::amd;
  if (m.find("intel") != std::string::npos) return vendor::intel;
  if (m.find("qualcomm") != std::string::npos) return vendor::qualcomm;
  if (m.find("apple") != std::string::npos) return vendor::apple;
  if (m == "arm" || m.starts_with("arm ")) return vendor::arm;
  return vendor::unknown;
}

/// "OpenCL C 1.2 …" → 120; 120 where it cannot be read.
inline int opencl_c_version(std::string_view text) {
  constexpr std::string_view head = "OpenCL C ";
  if (text.size() < head.size() + 3 || !text.starts_with(head)) return 120;
  return (text[head.size()] - '0') * 100 + (text[head.size() + 2] - '0') * 10;
}

// Questions of vendor extensions, under our own names because not every cl_ext.h has them.
inline constexpr cl_device_info capability_major_nv = 0x4000;  // cl_nv_device_attribute_query
inline constexpr cl_device_info capability_minor_nv = 0x4001;
inline constexpr cl_device_info warp_size_nv = 0x4003;
inline constexpr cl_device_info subgroup_sizes_intel = 0x4108;  // cl_intel_required_subgroup_size
inline constexpr cl_device_info wavefront_width_amd = 0x4043;   // cl_amd_device_attribute_query
inline constexpr cl_device_info host_unified_memory = 0x1035;   // deprecated by OpenCL 2.0

/// The OpenCL C version whose work_group_reduce_add and its like the device has: a must of 2.0, an
/// option of 3.0; 0 where there is none.
inline int work_group_functions(cl_device_id device, int opencl_c) {
  constexpr cl_device_info collective_functions = 0x1068;  // of OpenCL 3.0
  if (device_info<cl_bool>(device, collective_functions, CL_FALSE) == CL_TRUE) return 300;
  return opencl_c == 200 ? 200 : 0;
}

/// The OpenCL C version whose sub_group functions the device has: its own where an extension brings
/// them, else 3.0, of which they are an option (Mesa's Rusticl, whose own is 1.2).
inline int subgroup_functions(int opencl_c, std::string_view known) {
  const bool by_extension =
      has_word(known, "cl_khr_subgroups") || has_word(known, "cl_intel_subgroups");
  return by_extension ? opencl_c : 300;
}

/// What the static __local arrays of a kernel may hold. NVIDIA's driver reports 48 KB, where
/// dynamic __local arguments do stop, but static arrays reach what the architecture gives a group,
/// less one element: the driver puts nothing at address 0. Measured on compute capability 9.0:
/// arrays of uchar to 232,447 of 232,448 bytes, of uint to 232,444; more is refused by the build.
/// An element here is the largest that OpenCL C has.
inline std::int64_t static_local_bytes(const device_facts& facts) {
  constexpr std::int64_t largest_element = 128;
  if (!knows_nvidia(facts.compute_capability)) return facts.reported_local_bytes;
  return std::max(facts.reported_local_bytes,
                  nvidia_limits(facts.compute_capability).group_local_bytes) -
         largest_element;
}

/// Whether a name is that of a processor of AVX-512, as LLVM calls it: PoCL names its devices
/// "pthread-cascadelake-Intel(R) …", by what it generates code for.
inline bool names_avx512(std::string_view name) {
  if (name.find("avx512") != std::string_view::npos) return true;
  for (const std::string_view start :
       {"skx", "cascadelake", "cooperlake", "cannonlake", "icelake", "rocketlake", "tigerlake",
        "sapphirerapids", "emeraldrapids", "graniterapids", "diamondrapids", "knl", "knm",
        "x86-64-v4", "znver4", "znver5"}) {
    for (auto at = name.find(start); at != std::string_view::npos; at = name.find(start, at + 1)) {
      if (at == 0 || name[at - 1] == '-') return true;
    }
  }
  return false;
}

/// Of a CPU's vector registers. AVX-512 counts whatever width PoCL calls native.
inline int simd_bytes(cl_device_id device, const device_facts& facts) {
  if (facts.kind != device_kind::cpu) return 0;
  if (names_avx512(facts.name)) return 64;
  const auto lanes = device_value<cl_uint>(device, CL_DEVICE_NATIVE_VECTOR_WIDTH_FLOAT);
  return static_cast<int>(lanes * sizeof(cl_float));
}

inline int subgroup_width(cl_device_id device, const device_facts& facts, std::string_view known) {
  if (facts.kind == device_kind::cpu) return 1;
  if (has_word(known, "cl_nv_device_attribute_query")) {
    return static_cast<int>(device_value<cl_uint>(device, warp_size_nv));
  }
  if (has_word(known, "cl_amd_device_attribute_query")) {
    return static_cast<int>(device_value<cl_uint>(device, wavefront_width_amd));
  }
  switch (facts.vendor) {
    case vendor::amd: return 64;
    case vendor::intel: return 16;  // the compiler picks 8, 16 or 32; 16 is its usual choice
    case vendor::arm: return 16;
    case vendor::qualcomm: return 64;
    default: return 32;
  }
}

/// The matrix units that the compiler of AMD's own OpenCL, or of Intel's, has functions for; Mesa
/// compiles for the same GPUs without them.
inline matrix_unit matrix_units(const device_facts& facts, std::string_view known) {
  if (facts.vendor == vendor::amd &&
      facts.platform.find("AMD Accelerated Parallel Processing") != std::string::npos)
    return matrix_unit_of(gfx_version_of(facts.name));
  const bool intel = facts.vendor == vendor::intel && facts.kind == device_kind::gpu &&
                     has_word(known, "cl_intel_subgroup_matrix_multiply_accumulate") &&
                     has_word(known, "cl_intel_required_subgroup_size");
  return intel ? matrix_unit::dpas : matrix_unit::none;
}

/// Work-items that multiply together by DPAS: the smallest sub-group that the device has.
inline int matrix_unit_lanes(cl_device_id device) {
  std::size_t least = 0;
  for (const std::size_t one :
       device_info<std::array<std::size_t, 16>>(device, subgroup_sizes_intel))
    if (one > 0 && (least == 0 || one < least)) least = one;
  return static_cast<int>(least);
}

}  // namespace detail

CLPRIM_INLINE device_facts facts_of(const cl::Device& device) {
  const cl_device_id id = device();
  const auto platform = detail::device_value<cl_platform_id>(id, CL_DEVICE_PLATFORM);
  const std::string known = detail::device_text(id, CL_DEVICE_EXTENSIONS);

  device_facts facts;
  facts.name = detail::device_text(id, CL_DEVICE_NAME);
  detail::check_answer(
      detail::ask_text(platform, CL_PLATFORM_NAME, clGetPlatformInfo, facts.platform),
      "clGetPlatformInfo", CL_PLATFORM_NAME);
  facts.driver = detail::device_text(id, CL_DRIVER_VERSION);
  facts.vendor = detail::vendor_of(facts.platform, detail::device_text(id, CL_DEVICE_VENDOR));
  const auto type = detail::device_value<cl_device_type>(id, CL_DEVICE_TYPE);
  facts.kind = (type & CL_DEVICE_TYPE_GPU) != 0   ? device_kind::gpu
               : (type & CL_DEVICE_TYPE_CPU) != 0 ? device_kind::cpu
                                                  : device_kind::accelerator;
  const auto count = [id]<class T>(cl_device_info what, T) {
    return static_cast<int>(detail::device_value<T>(id, what));
  };
  facts.compute_units = count(CL_DEVICE_MAX_COMPUTE_UNITS, cl_uint{});
  facts.max_work_group = count(CL_DEVICE_MAX_WORK_GROUP_SIZE, std::size_t{});
  facts.argument_bytes = count(CL_DEVICE_MAX_PARAMETER_SIZE, std::size_t{});
  const auto items =
      detail::device_value<std::array<std::size_t, 16>>(id, CL_DEVICE_MAX_WORK_ITEM_SIZES);
  facts.max_items = {items[0], items[1], items[2]};
  facts.clock_mhz = count(CL_DEVICE_MAX_CLOCK_FREQUENCY, cl_uint{});
  const auto bytes = [id](cl_device_info what) {
    return static_cast<std::int64_t>(detail::device_value<cl_ulong>(id, what));
  };
  facts.global_bytes = bytes(CL_DEVICE_GLOBAL_MEM_SIZE);
  facts.max_allocation_bytes = bytes(CL_DEVICE_MAX_MEM_ALLOC_SIZE);
  facts.reported_local_bytes = bytes(CL_DEVICE_LOCAL_MEM_SIZE);
  facts.local_is_dedicated =
      detail::device_value<cl_device_local_mem_type>(id, CL_DEVICE_LOCAL_MEM_TYPE) == CL_LOCAL;
  facts.unified_memory = detail::device_info<cl_bool>(id, detail::host_unified_memory) == CL_TRUE;
  facts.fp64 = detail::has_word(known, "cl_khr_fp64") ||
               detail::device_info<cl_device_fp_config>(id, CL_DEVICE_DOUBLE_FP_CONFIG) != 0;
  facts.images = detail::device_value<cl_bool>(id, CL_DEVICE_IMAGE_SUPPORT) == CL_TRUE;
  facts.fp16 = detail::has_word(known, "cl_khr_fp16");
  facts.opencl_c = detail::opencl_c_version(detail::device_text(id, CL_DEVICE_OPENCL_C_VERSION));
  facts.subgroup_functions = detail::subgroup_functions(facts.opencl_c, known);
  facts.work_group_functions = detail::work_group_functions(id, facts.opencl_c);
  facts.loses_guards = loses_guards_between_barriers(facts);
  facts.int64_atomics = detail::has_word(known, "cl_khr_int64_base_atomics");
  facts.subgroup_shuffles =
      detail::has_word(known, "cl_khr_subgroup_shuffle") ? subgroup_shuffle::khr
      : detail::has_word(known, "cl_intel_subgroups")    ? subgroup_shuffle::intel
                                                         : subgroup_shuffle::none;
  facts.subgroup_width = detail::subgroup_width(id, facts, known);
  facts.simd_bytes = detail::simd_bytes(id, facts);
  if (facts.vendor == vendor::nvidia && detail::has_word(known, "cl_nv_device_attribute_query")) {
    facts.compute_capability = 10 * count(detail::capability_major_nv, cl_uint{}) +
                               count(detail::capability_minor_nv, cl_uint{});
    facts.inline_ptx = true;
    facts.async_copy = facts.compute_capability >= 80;
    facts.warp_group_products = facts.compute_capability == 90;
    facts.bulk_copies = facts.warp_group_products;
  }
  facts.matrix_units = detail::matrix_units(facts, known);
  if (facts.matrix_units == matrix_unit::dpas)
    facts.matrix_unit_lanes = detail::matrix_unit_lanes(id);
  facts.local_bytes = detail::static_local_bytes(facts);
  facts.compute_units_per_unit = limits_of(facts).compute_units_per_unit;
  return facts;
}

}  // namespace clprim
