#pragma once
// What the kernels of a call take of the device, and what of them is resident: beside each rung of
// a ladder.

#include <optional>
#include <string>
#include <vector>

#include <clprim/core/occupancy/device.hpp>
#include <clprim/core/occupancy/explain.hpp>
#include <clprim/runtime/program.hpp>

#include "commands.hpp"
#include "text.hpp"

namespace bench {

/// A kernel as the driver describes it and as it sits on a unit.
struct kernel_use {
  std::string name;
  int group = 0;
  std::size_t work_items = 0;
  clprim::kernel_resources taken;
  std::optional<clprim::occupancy> resident;  ///< none on CPUs, where a core runs one group
};

namespace detail {

template <class T, class Handle, class Get> T handle_info(Handle handle, Get get, cl_uint what) {
  T value{};
  clprim::check(get(handle, what, sizeof value, &value, nullptr), "a query of a kernel");
  return value;
}

inline std::string kernel_name(const cl::Kernel& kernel) {
  std::size_t size = 0;
  clGetKernelInfo(kernel(), CL_KERNEL_FUNCTION_NAME, 0, nullptr, &size);
  std::string name(size, '\0');
  clGetKernelInfo(kernel(), CL_KERNEL_FUNCTION_NAME, size, name.data(), nullptr);
  while (!name.empty() && name.back() == '\0') name.pop_back();
  return name;
}

inline clprim::built_program program_of(const cl::Kernel& kernel, const cl::Device& device) {
  const auto program = handle_info<cl_program>(kernel(), clGetKernelInfo, CL_KERNEL_PROGRAM);
  return {cl::Program(program, true), clprim::detail::build_log(program, device()),
          clprim::detail::info_text(program, CL_PROGRAM_SOURCE, clGetProgramInfo)};
}

}  // namespace detail

/// Registers and residence are what the driver tells, for which the library builds the program once
/// more where NVIDIA's driver found it in its cache and said nothing; what nobody tells stays
/// unknown, and the residence an upper bound.
inline kernel_use use_of_kernel(const seen_kernel& seen, const cl::Device& device,
                                const clprim::device_facts& facts) {
  kernel_use use{.name = detail::kernel_name(seen.kernel),
                 .group = seen.group,
                 .work_items = seen.work_items,
                 .taken = {},
                 .resident = {}};
  use.taken = clprim::resources_of(detail::program_of(seen.kernel, device), seen.kernel,
                                   use.name.c_str(), device);
  if (facts.kind != clprim::device_kind::cpu && seen.group > 0) {
    use.resident =
        clprim::occupancy_of(clprim::limits_of(facts), clprim::use_of(use.taken, seen.group));
  }
  return use;
}

/// "transpose: 256 items, 40 registers, 16896 B local, 75 % (registers)"
inline std::string to_text(const kernel_use& use) {
  std::string text = use.name + ": " + std::to_string(use.group) + " items";
  if (use.taken.registers.known())
    text += ", " + std::to_string(use.taken.registers.value) + " registers";
  if (use.taken.spill_bytes.known() && use.taken.spill_bytes.value > 0)
    text += ", " + std::to_string(use.taken.spill_bytes.value) + " B spilled";
  if (use.taken.local_bytes.known() && use.taken.local_bytes.value > 0)
    text += ", " + std::to_string(use.taken.local_bytes.value) + " B local";
  if (use.resident) {
    text += ", " + percent(use.resident->fraction()) + " occupancy (" +
            clprim::limiter_names(use.resident->limiters) + ")";
    if (!use.taken.registers.known()) text += " at most";
  }
  return text;
}

}  // namespace bench
