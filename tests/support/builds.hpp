#pragma once
// How PoCL builds kernels while a test runs.

#include <array>
#include <cstdlib>
#include <optional>
#include <string>

#include <clprim/runtime/opencl.hpp>

namespace support {

/// Whether the PoCL that is here builds such kernels: from 5.0 on its compiler ends the process
/// over some ("isGVarUsedByFunction", "Cannot add context restore for a PHI node").
inline bool may_build_unoptimised() {
  static const bool may = [] {
    std::array<cl_platform_id, 16> platforms{};
    cl_uint count = 0;
    if (clGetPlatformIDs(16, platforms.data(), &count) != CL_SUCCESS) return false;
    for (cl_uint i = 0; i < count && i < 16; ++i) {
      std::array<char, 256> version{};
      clGetPlatformInfo(platforms[i], CL_PLATFORM_VERSION, version.size() - 1, version.data(),
                        nullptr);
      const std::string text(version.data());
      const auto at = text.find("PoCL ");  // "OpenCL 3.0 PoCL 5.0+debian …"
      if (at != std::string::npos && std::atoi(text.c_str() + at + 5) >= 5) return false;
    }
    return true;
  }();
  return may;
}

/// While it lives, PoCL builds kernels without optimisation, in a twentieth of the time (3.1: bytes
/// transposed in place, 1.3 s for 30) to a fifth (products of float). Programs that were built
/// before stay as they are; other implementations do not read the variable.
class unoptimised_builds {
 public:
  unoptimised_builds() {
    if (!may_build_unoptimised()) return;
    if (const char* const now = std::getenv(variable)) before_ = now;
    setenv(variable, (before_.value_or("") + " -cl-opt-disable").c_str(), 1);
  }
  ~unoptimised_builds() {
    if (!may_build_unoptimised()) return;
    if (before_)
      setenv(variable, before_->c_str(), 1);
    else
      unsetenv(variable);
  }
  unoptimised_builds(const unoptimised_builds&) = delete;
  unoptimised_builds& operator=(const unoptimised_builds&) = delete;

 private:
  static constexpr const char* variable = "POCL_EXTRA_BUILD_FLAGS";
  std::optional<std::string> before_;
};

}  // namespace support
