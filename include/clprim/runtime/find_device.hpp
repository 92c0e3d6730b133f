#pragma once
// How the devices of this machine are found, and one of them is chosen.

#include <cstddef>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include <clprim/runtime/device.hpp>
#include <clprim/runtime/device_info.hpp>
#include <clprim/runtime/opencl.hpp>

namespace clprim {

namespace detail {

/// Where the loader knows no platform it says so by a code of its own.
inline std::vector<cl_platform_id> all_platforms() {
  constexpr cl_int none_found = -1001;  // CL_PLATFORM_NOT_FOUND_KHR
  cl_uint count = 0;
  const cl_int code = clGetPlatformIDs(0, nullptr, &count);
  if (code == none_found || (code == CL_SUCCESS && count == 0)) return {};
  check(code, "clGetPlatformIDs");
  std::vector<cl_platform_id> platforms(count);
  check(clGetPlatformIDs(count, platforms.data(), nullptr), "clGetPlatformIDs");
  return platforms;
}

struct found_devices {
  std::vector<device_entry> entries;
  std::string complaints;  ///< of platforms that did not tell their devices
};

inline found_devices find_devices() {
  found_devices found;
  const std::vector<cl_platform_id> platforms = all_platforms();
  for (std::size_t p = 0; p < platforms.size(); ++p) {
    cl_uint count = 0;
    cl_int code = clGetDeviceIDs(platforms[p], CL_DEVICE_TYPE_ALL, 0, nullptr, &count);
    std::vector<cl_device_id> ids(code == CL_SUCCESS ? count : 0);
    if (!ids.empty())
      code = clGetDeviceIDs(platforms[p], CL_DEVICE_TYPE_ALL, count, ids.data(), nullptr);
    if (code != CL_SUCCESS) {
      // A driver without its hardware must not keep others from being found.
      ids.clear();
      if (code != CL_DEVICE_NOT_FOUND) {
        found.complaints += ", clGetDeviceIDs of platform " + std::to_string(p) + " failed with " +
                            std::string(error_name(code)) + " (" + std::to_string(code) + ")";
      }
    }
    for (std::size_t d = 0; d < ids.size(); ++d) {
      const cl::Device device(ids[d], true);
      found.entries.push_back({static_cast<int>(p), static_cast<int>(d), device, facts_of(device)});
    }
  }
  return found;
}

}  // namespace detail

CLPRIM_INLINE std::vector<device_entry> list_devices() { return detail::find_devices().entries; }

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

CLPRIM_INLINE cl::Device choose_device(std::string_view wish) {
  std::string wanted = detail::lower_case(wish);
  if (wanted.empty()) {
    const char* const variable = std::getenv("CLPRIM_DEVICE");
    if (variable != nullptr) wanted = detail::lower_case(variable);
  }
  const auto [entries, complaints] = detail::find_devices();
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
    throw device_error("no OpenCL device was found: install a driver, or PoCL for the CPU" +
                       complaints);
  }
  throw device_error("no OpenCL device fits '" + wanted + "': there is " + there + complaints);
}

CLPRIM_INLINE session open_session(std::string_view wish, cl_command_queue_properties properties) {
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
