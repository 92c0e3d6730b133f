#pragma once
// Which devices there are, what they can do, and which one is meant.

#include <algorithm>
#include <array>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include <clprim/core/device_facts.hpp>
#include <clprim/core/occupancy/nvidia.hpp>
#include <clprim/core/words.hpp>
#include <clprim/runtime/opencl.hpp>

namespace clprim {

namespace detail {

/// A value of clGetDeviceInfo; the fall-back where the device does not know the question.
template <class T> T device_info(cl_device_id device, cl_device_info what, T otherwise = {}) {
  T value{};
  const cl_int code = clGetDeviceInfo(device, what, sizeof value, &value, nullptr);
  return code == CL_SUCCESS ? value : otherwise;
}

/// A string of clGetDeviceInfo or clGetPlatformInfo; empty where the question is not known.
template <class Handle, class Query>
std::string info_text(Handle handle, cl_uint what, Query query) {
  std::size_t size = 0;
  if (query(handle, what, 0, nullptr, &size) != CL_SUCCESS || size == 0) return {};
  std::string text(size, '\0');
  if (query(handle, what, size, text.data(), nullptr) != CL_SUCCESS) return {};
  return text.substr(0, text.find('\0'));
}

inline std::string device_text(cl_device_id device, cl_device_info what) {
  return info_text(device, what, clGetDeviceInfo);
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
inline constexpr cl_device_info wavefront_width_amd = 0x4043;  // cl_amd_device_attribute_query
inline constexpr cl_device_info host_unified_memory = 0x1035;  // deprecated by OpenCL 2.0

/// The OpenCL C version whose work_group_reduce_add and its like the device has: a must of 2.0, an
/// option of 3.0; 0 where there is none.
inline int work_group_functions(cl_device_id device, int opencl_c) {
  constexpr cl_device_info collective_functions = 0x1068;  // of OpenCL 3.0
  if (device_info<cl_bool>(device, collective_functions, CL_FALSE) == CL_TRUE) return 300;
  return opencl_c == 200 ? 200 : 0;
}

/// What the static __local arrays of a kernel may hold. NVIDIA's driver reports 48 KB, where
/// dynamic __local arguments do stop, but static arrays reach what the architecture gives a group:
/// 227 KB measured on compute capability 9.0, more is refused by the build.
inline std::int64_t static_local_bytes(const device_facts& facts) {
  if (!knows_nvidia(facts.compute_capability)) return facts.reported_local_bytes;
  return std::max(facts.reported_local_bytes,
                  nvidia_limits(facts.compute_capability).group_local_bytes);
}

/// Of a CPU's vector registers. The names of PoCL's devices hold LLVM's name of the processor,
/// whose AVX-512 counts whatever width PoCL calls native.
inline int simd_bytes(cl_device_id device, const device_facts& facts) {
  if (facts.kind != device_kind::cpu) return 0;
  for (const char* const wide : {"avx512", "znver4", "znver5", "icelake", "sapphirerapids"}) {
    if (facts.name.find(wide) != std::string::npos) return 64;
  }
  const auto lanes = device_info<cl_uint>(device, CL_DEVICE_NATIVE_VECTOR_WIDTH_FLOAT);
  return static_cast<int>(lanes * sizeof(cl_float));
}

inline int subgroup_width(cl_device_id device, const device_facts& facts, std::string_view known) {
  if (facts.kind == device_kind::cpu) return 1;
  if (has_word(known, "cl_nv_device_attribute_query")) {
    return static_cast<int>(device_info<cl_uint>(device, warp_size_nv, 32));
  }
  if (has_word(known, "cl_amd_device_attribute_query")) {
    return static_cast<int>(device_info<cl_uint>(device, wavefront_width_amd, 64));
  }
  switch (facts.vendor) {
    case vendor::amd: return 64;
    case vendor::intel: return 16;  // the compiler picks 8, 16 or 32; 16 is its usual choice
    case vendor::arm: return 16;
    case vendor::qualcomm: return 64;
    default: return 32;
  }
}

}  // namespace detail

/// What a device says of itself; a question that it does not know leaves the default. Throws
/// opencl_error only when the device itself is not valid.
inline device_facts facts_of(const cl::Device& device) {
  const cl_device_id id = device();
  cl_platform_id platform = nullptr;
  check(clGetDeviceInfo(id, CL_DEVICE_PLATFORM, sizeof platform, &platform, nullptr),
        "clGetDeviceInfo(CL_DEVICE_PLATFORM)");
  const auto number = [&](cl_device_info what, auto otherwise) {
    return detail::device_info<decltype(otherwise)>(id, what, otherwise);
  };
  const std::string known = detail::device_text(id, CL_DEVICE_EXTENSIONS);

  device_facts facts;
  facts.name = detail::device_text(id, CL_DEVICE_NAME);
  facts.platform = detail::info_text(platform, CL_PLATFORM_NAME, clGetPlatformInfo);
  facts.driver = detail::device_text(id, CL_DRIVER_VERSION);
  facts.vendor = detail::vendor_of(facts.platform, detail::device_text(id, CL_DEVICE_VENDOR));
  const auto type = number(CL_DEVICE_TYPE, cl_device_type{CL_DEVICE_TYPE_GPU});
  facts.kind = (type & CL_DEVICE_TYPE_GPU) != 0   ? device_kind::gpu
               : (type & CL_DEVICE_TYPE_CPU) != 0 ? device_kind::cpu
                                                  : device_kind::accelerator;
  facts.compute_units = static_cast<int>(number(CL_DEVICE_MAX_COMPUTE_UNITS, cl_uint{1}));
  facts.max_work_group = static_cast<int>(number(CL_DEVICE_MAX_WORK_GROUP_SIZE, std::size_t{256}));
  facts.argument_bytes = static_cast<int>(number(CL_DEVICE_MAX_PARAMETER_SIZE, std::size_t{1024}));
  std::array<std::size_t, 16> items{};
  if (clGetDeviceInfo(id, CL_DEVICE_MAX_WORK_ITEM_SIZES, sizeof items, items.data(), nullptr) ==
      CL_SUCCESS) {
    facts.max_items = {items[0], items[1], items[2]};
  }
  facts.clock_mhz = static_cast<int>(number(CL_DEVICE_MAX_CLOCK_FREQUENCY, cl_uint{0}));
  const auto bytes = [&](cl_device_info what, std::int64_t otherwise) {
    return static_cast<std::int64_t>(number(what, static_cast<cl_ulong>(otherwise)));
  };
  facts.global_bytes = bytes(CL_DEVICE_GLOBAL_MEM_SIZE, facts.global_bytes);
  facts.max_allocation_bytes = bytes(CL_DEVICE_MAX_MEM_ALLOC_SIZE, facts.max_allocation_bytes);
  facts.reported_local_bytes = bytes(CL_DEVICE_LOCAL_MEM_SIZE, facts.local_bytes);
  facts.local_is_dedicated =
      number(CL_DEVICE_LOCAL_MEM_TYPE, cl_device_local_mem_type{CL_LOCAL}) == CL_LOCAL;
  facts.unified_memory = number(detail::host_unified_memory, cl_bool{CL_FALSE}) == CL_TRUE;
  facts.fp64 = detail::has_word(known, "cl_khr_fp64") ||
               number(CL_DEVICE_DOUBLE_FP_CONFIG, cl_device_fp_config{0}) != 0;
  facts.images = number(CL_DEVICE_IMAGE_SUPPORT, cl_bool{CL_FALSE}) == CL_TRUE;
  facts.fp16 = detail::has_word(known, "cl_khr_fp16");
  facts.opencl_c = detail::opencl_c_version(detail::device_text(id, CL_DEVICE_OPENCL_C_VERSION));
  facts.work_group_functions = detail::work_group_functions(id, facts.opencl_c);
  facts.int64_atomics = detail::has_word(known, "cl_khr_int64_base_atomics");
  facts.subgroup_shuffles =
      detail::has_word(known, "cl_khr_subgroup_shuffle") ? subgroup_shuffle::khr
      : detail::has_word(known, "cl_intel_subgroups")    ? subgroup_shuffle::intel
                                                         : subgroup_shuffle::none;
  facts.subgroup_width = detail::subgroup_width(id, facts, known);
  facts.simd_bytes = detail::simd_bytes(id, facts);
  if (facts.vendor == vendor::nvidia) {
    facts.compute_capability =
        static_cast<int>(10 * number(detail::capability_major_nv, cl_uint{0}) +
                         number(detail::capability_minor_nv, cl_uint{0}));
    facts.inline_ptx = true;
    facts.async_copy = facts.compute_capability >= 80;
  }
  facts.local_bytes = detail::static_local_bytes(facts);
  return facts;
}

/// A device of this machine; `platform_index:device_index` names it in `choose_device`.
struct device_entry {
  int platform_index = 0;
  int device_index = 0;
  cl::Device device;
  device_facts facts;
};

/// All devices of all platforms, in the loader's order; empty when there is none.
inline std::vector<device_entry> list_devices() {
  std::vector<device_entry> entries;
  cl_uint platform_count = 0;
  if (clGetPlatformIDs(0, nullptr, &platform_count) != CL_SUCCESS) return entries;
  std::vector<cl_platform_id> platforms(platform_count);
  check(clGetPlatformIDs(platform_count, platforms.data(), nullptr), "clGetPlatformIDs");
  for (std::size_t p = 0; p < platforms.size(); ++p) {
    cl_uint device_count = 0;
    const cl_int code = clGetDeviceIDs(platforms[p], CL_DEVICE_TYPE_ALL, 0, nullptr, &device_count);
    if (code != CL_SUCCESS || device_count == 0) continue;  // a driver without its hardware
    std::vector<cl_device_id> ids(device_count);
    check(clGetDeviceIDs(platforms[p], CL_DEVICE_TYPE_ALL, device_count, ids.data(), nullptr),
          "clGetDeviceIDs");
    for (std::size_t d = 0; d < ids.size(); ++d) {
      const cl::Device device(ids[d], true);
      entries.push_back({static_cast<int>(p), static_cast<int>(d), device, facts_of(device)});
    }
  }
  return entries;
}

namespace detail {

inline bool fits_wish(const device_entry& entry, const std::string& wish) {
  if (wish == std::to_string(entry.platform_index) + ":" + std::to_string(entry.device_index)) {
    return true;
  }
  if (wish == "gpu") return entry.facts.kind == device_kind::gpu;
  if (wish == "cpu") return entry.facts.kind == device_kind::cpu;
  if (wish == "accelerator") return entry.facts.kind == device_kind::accelerator;
  return lower_case(entry.facts.name).find(wish) != std::string::npos ||
         lower_case(entry.facts.platform).find(wish) != std::string::npos ||
         lower_case(to_string(entry.facts.vendor)).find(wish) != std::string::npos;
}

/// GPU before accelerator before CPU, then the one with more units.
inline bool is_better(const device_entry& a, const device_entry& b) {
  const auto rank = [](device_kind kind) {
    return kind == device_kind::gpu ? 2 : kind == device_kind::accelerator ? 1 : 0;
  };
  if (rank(a.facts.kind) != rank(b.facts.kind)) return rank(a.facts.kind) > rank(b.facts.kind);
  return a.facts.compute_units > b.facts.compute_units;
}

}  // namespace detail

/// The best of the devices that fit the wish, which is a part of a platform's, vendor's or device's
/// name ("nvidia", "H200", "pocl"), a kind ("gpu", "cpu", "accelerator") or a pair of indices
/// ("0:1"), in any case of letters. An empty wish is read from the environment variable
/// CLPRIM_DEVICE; empty again means any device. Throws device_error listing what there is when
/// nothing fits.
inline cl::Device choose_device(std::string_view wish = {}) {
  std::string wanted = detail::lower_case(wish);
  if (wanted.empty()) {
    const char* const variable = std::getenv("CLPRIM_DEVICE");
    if (variable != nullptr) wanted = detail::lower_case(variable);
  }
  const std::vector<device_entry> entries = list_devices();
  const device_entry* best = nullptr;
  std::string there;
  for (const device_entry& entry : entries) {
    there += (there.empty() ? "" : ", ") + std::to_string(entry.platform_index) + ":" +
             std::to_string(entry.device_index) + " " + entry.facts.name + " (" +
             entry.facts.platform + ")";
    if (!wanted.empty() && !detail::fits_wish(entry, wanted)) continue;
    if (best == nullptr || detail::is_better(entry, *best)) best = &entry;
  }
  if (best != nullptr) return best->device;
  if (entries.empty()) {
    throw device_error("no OpenCL device was found: install a driver, or PoCL for the CPU");
  }
  throw device_error("no OpenCL device fits '" + wanted + "': there is " + there);
}

/// A device with a context and a queue of its own.
struct session {
  cl::Device device;
  cl::Context context;
  cl::CommandQueue queue;
};

/// Opens the device that `choose_device` picks. Throws device_error or opencl_error.
inline session open_session(std::string_view wish = {},
                            cl_command_queue_properties properties = CL_QUEUE_PROFILING_ENABLE) {
  session s;
  s.device = choose_device(wish);
  const cl_device_id id = s.device();
  cl_int code = CL_SUCCESS;
  s.context = cl::Context(clCreateContext(nullptr, 1, &id, nullptr, nullptr, &code), false);
  check(code, "clCreateContext");
  // Deprecated by OpenCL 2.0, yet the one call that every driver has.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"
  s.queue = cl::CommandQueue(clCreateCommandQueue(s.context(), id, properties, &code), false);
#pragma GCC diagnostic pop
  check(code, "clCreateCommandQueue");
  return s;
}

}  // namespace clprim
