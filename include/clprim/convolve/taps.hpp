#pragma once
// The coefficients of a call.

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>

#include <clprim/convolve/passes.hpp>
#include <clprim/runtime/opencl.hpp>

namespace clprim::detail {

/// The coefficients of a call without their type.
struct convolve_taps {
  std::span<const std::byte> host{};
  cl_mem memory = nullptr;
  std::int64_t offset = 0;
  /// The text of `count` coefficients from `first` on.
  std::function<std::string(int first, int count)> literals{};

  /// Those of one pass, of the ones on the host.
  std::span<const std::byte> of(const convolve_pass& pass, const element& sum) const {
    const auto bytes = static_cast<std::size_t>(sum.bytes);
    return host.subspan(static_cast<std::size_t>(pass.tap_begin) * bytes,
                        static_cast<std::size_t>(pass.variant.taps()) * bytes);
  }
};

}  // namespace clprim::detail
