#pragma once
// Where and when: what stands at the head of a result file.

#include <chrono>
#include <ctime>
#include <fstream>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <sys/utsname.h>

#include <clprim/core/device_facts.hpp>
#include <clprim/runtime/device.hpp>

#include "text.hpp"

namespace bench {

using facts_list = std::vector<std::pair<std::string, std::string>>;

inline std::string processor_name() {
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line);) {
    if (!line.starts_with("model name")) continue;
    const auto colon = line.find(": ");
    if (colon != std::string::npos) return line.substr(colon + 2);
  }
  return "unknown processor";
}

inline std::string date_now() {
  const std::time_t now = std::time(nullptr);
  std::tm utc{};
  gmtime_r(&now, &utc);
  char text[32];
  std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &utc);
  return text;
}

/// Device, driver, host and date; no name of the host, no path.
inline facts_list machine_facts(const clprim::device_facts& device) {
  utsname system{};
  uname(&system);
  return {{"date", date_now()},
          {"device", device.name},
          {"platform", device.platform},
          {"driver", device.driver},
          {"compute_units", std::to_string(device.compute_units)},
          {"clock_mhz", std::to_string(device.clock_mhz)},
          {"simd_bytes", std::to_string(device.simd_bytes)},
          {"processor", processor_name()},
          {"processor_threads", std::to_string(std::thread::hardware_concurrency())},
          {"system", std::string(system.sysname) + " " + system.release + " " + system.machine},
          {"compiler", __VERSION__}};
}

/// The folder of a device's results. PoCL's device "pthread-skylake-avx512-AMD EPYC" says what it
/// compiles for, which two machines of one processor's name need not share.
inline std::string device_slug(const clprim::device_facts& device) {
  if (device.vendor != clprim::vendor::pocl) return slug(device.name);
  const std::string driver = "pthread-";
  return "pocl-" +
         slug(device.name.starts_with(driver) ? device.name.substr(driver.size()) : device.name);
}

/// Bytes of the device's last cache level that OpenCL tells of; 0 when it does not.
inline std::size_t cache_bytes(const cl::Device& device) {
  return static_cast<std::size_t>(
      clprim::detail::device_info<cl_ulong>(device(), CL_DEVICE_GLOBAL_MEM_CACHE_SIZE, 0));
}

inline void pause_ms(double ms) {
  if (ms > 0) std::this_thread::sleep_for(std::chrono::duration<double, std::milli>(ms));
}

inline double seconds_now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

}  // namespace bench
