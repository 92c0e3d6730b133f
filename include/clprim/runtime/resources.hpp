#pragma once
// The registers and memories that a kernel takes, each with where the number comes from.

#include <array>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include <clprim/core/amd_metadata.hpp>
#include <clprim/core/occupancy/limits.hpp>
#include <clprim/runtime/opencl.hpp>

namespace clprim {

/// Where a number comes from: told by the driver, worked out by us, or nowhere.
enum class provenance { queried, estimated, unknown };

/// The word for people.
constexpr const char* to_string(provenance p) {
  return p == provenance::queried     ? "queried"
         : p == provenance::estimated ? "estimated"
                                      : "unknown";
}

/// A number and where it comes from; the value of an unknown one means nothing.
template <class T> struct measured {
  T value{};
  provenance from = provenance::unknown;

  /// Whether there is a number.
  constexpr bool known() const { return from != provenance::unknown; }
  friend bool operator==(const measured&, const measured&) = default;
};

/// "163 registers (queried)", or "unknown registers".
inline std::string to_string(const measured<int>& number, const char* unit) {
  if (!number.known()) return std::string("unknown ") + unit;
  return std::to_string(number.value) + " " + unit + " (" + to_string(number.from) + ")";
}

/// What one kernel takes of a device.
struct kernel_resources {
  measured<int> registers;           ///< 32-bit registers per work-item
  measured<int> scalar_registers;    ///< AMD: per wavefront
  measured<int> spill_bytes;         ///< stored to memory for want of registers, per work-item (on
                                     ///< Intel per hardware thread)
  measured<int> local_bytes;         ///< static local memory per work-group
  measured<int> private_bytes;       ///< stack or private memory per work-item
  measured<int> max_work_group;      ///< work-items per group of this kernel on this device
  measured<int> work_group;          ///< work-items per group that the kernel requires, if it does
  measured<int> preferred_multiple;  ///< work-items that a group is best a multiple of
  friend bool operator==(const kernel_resources&, const kernel_resources&) = default;
};

namespace detail {

/// The number that stands right before a phrase: ("Used 163 registers,", " registers") → 163.
inline measured<int> number_before(std::string_view text, std::string_view phrase) {
  const auto at = text.find(phrase);
  if (at == std::string_view::npos) return {};
  const auto other = text.substr(0, at).find_last_not_of("0123456789");
  const auto from = other == std::string_view::npos ? 0 : other + 1;
  int value = 0;
  const auto [stop, status] = std::from_chars(text.data() + from, text.data() + at, value);
  if (status != std::errc{} || stop != text.data() + at) return {};
  return {value, provenance::queried};
}

/// What NVIDIA's build log says of a kernel under -cl-nv-verbose; unknown where it says nothing
/// (the log of a program that the driver took from its own cache is empty). A kernel's part reads
///
///     ptxas info    : Compiling entry function 'gemm' for 'sm_90'
///     ptxas info    : Function properties for gemm
///         0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads
///     ptxas info    : Used 163 registers, used 16 barriers, 214064 bytes smem, 480 bytes cmem[0]
///
/// where functions that are not inlined put properties of their own before or after the kernel's.
inline kernel_resources from_nvidia_log(std::string_view log, std::string_view kernel) {
  constexpr std::string_view opening = "Compiling entry function '";
  auto begin = log.find(std::string(opening) + std::string(kernel) + "'");
  if (begin == std::string_view::npos) return {};
  begin += opening.size();
  std::string_view part = log.substr(begin);
  part = part.substr(0, part.find(opening));

  kernel_resources r;
  r.registers = number_before(part, " registers");
  if (r.registers.known()) {  // local memory stands in the same line, and only when there is some
    const auto used = part.substr(part.find(" registers"));
    r.local_bytes = number_before(used.substr(0, used.find('\n')), " bytes smem");
    if (!r.local_bytes.known()) r.local_bytes = {0, provenance::queried};
  }
  const std::string heading = "Function properties for " + std::string(kernel);
  for (auto at = part.find(heading); at != std::string_view::npos;
       at = part.find(heading, at + 1)) {
    std::string_view properties = part.substr(at + heading.size());
    if (properties.find_first_of("\r\n") != 0) continue;  // a longer name
    properties = properties.substr(0, properties.find("ptxas info"));
    r.private_bytes = number_before(properties, " bytes stack frame");
    r.spill_bytes = number_before(properties, " bytes spill stores");
    break;
  }
  return r;
}

template <class T>
std::optional<int> work_group_info(cl_kernel kernel, cl_device_id device,
                                   cl_kernel_work_group_info what) {
  T value{};
  if (clGetKernelWorkGroupInfo(kernel, device, what, sizeof value, &value, nullptr) != CL_SUCCESS) {
    return std::nullopt;
  }
  return static_cast<int>(value);
}

/// What the compiler wrote into an AMD program binary; unknown for any other.
inline kernel_resources from_amd_binary(std::span<const unsigned char> binary,
                                        std::string_view kernel) {
  kernel_resources r;
  const std::optional<amd_kernel> told = find_amd_kernel(binary, kernel);
  if (!told) return r;
  const auto fill = [](measured<int>& number, std::optional<int> answer) {
    if (answer) number = {*answer, provenance::queried};
  };
  fill(r.registers, told->vector_registers);
  fill(r.scalar_registers, told->scalar_registers);
  fill(r.local_bytes, told->local_bytes);
  fill(r.private_bytes, told->private_bytes);
  fill(r.max_work_group, told->max_work_group);
  // Counted are stores of a register of 4 bytes; how often each runs is not told.
  if (told->vector_spills) r.spill_bytes = {4 * *told->vector_spills, provenance::estimated};
  return r;
}

/// Fills what is not known yet from the kernel's queries, which every driver answers.
inline void add_queries(kernel_resources& r, cl_kernel kernel, cl_device_id device) {
  const auto fill = [](measured<int>& number, std::optional<int> answer) {
    if (!number.known() && answer) number = {*answer, provenance::queried};
  };
  // PoCL 5 answers 0 whatever the kernel holds, so a 0 tells nothing.
  const auto local = work_group_info<cl_ulong>(kernel, device, CL_KERNEL_LOCAL_MEM_SIZE);
  if (local.value_or(0) > 0) fill(r.local_bytes, local);
  fill(r.private_bytes, work_group_info<cl_ulong>(kernel, device, CL_KERNEL_PRIVATE_MEM_SIZE));
  fill(r.max_work_group, work_group_info<std::size_t>(kernel, device, CL_KERNEL_WORK_GROUP_SIZE));
  fill(r.preferred_multiple,
       work_group_info<std::size_t>(kernel, device, CL_KERNEL_PREFERRED_WORK_GROUP_SIZE_MULTIPLE));
  std::array<std::size_t, 3> required{};  // zeros where the kernel requires none
  if (clGetKernelWorkGroupInfo(kernel, device, CL_KERNEL_COMPILE_WORK_GROUP_SIZE, sizeof required,
                               required.data(), nullptr) == CL_SUCCESS) {
    const std::size_t items = required[0] * required[1] * required[2];
    if (items > 0) r.work_group = {static_cast<int>(items), provenance::queried};
  }
  // cl_intel_required_subgroup_size; drivers without it refuse the question.
  constexpr cl_kernel_work_group_info spill_memory_intel = 0x4109;
  fill(r.spill_bytes, work_group_info<cl_ulong>(kernel, device, spill_memory_intel));
}

}  // namespace detail

/// What a kernel takes: from the build log of its program where that tells (NVIDIA), else from the
/// program's binary (AMD; may be empty), else from the kernel's queries. Never throws for an answer
/// that is missing: that number is unknown.
inline kernel_resources resources_of(std::string_view log, const cl::Kernel& kernel,
                                     std::string_view name, const cl::Device& device,
                                     std::span<const unsigned char> binary = {}) {
  kernel_resources r = detail::from_nvidia_log(log, name);
  if (!r.registers.known()) r = detail::from_amd_binary(binary, name);
  detail::add_queries(r, kernel(), device());
  return r;
}

/// The same as the occupancy model wants it: a group of `work_items` work-items, 0 taking the size
/// that the kernel requires (0 again where it requires none), with `dynamic_bytes` of local memory
/// given as arguments besides the kernel's own. What is not known is 0 and makes the answer an
/// upper bound. A group of several work-items is taken to use one barrier.
inline group_use use_of(const kernel_resources& r, int work_items = 0,
                        std::int64_t dynamic_bytes = 0) {
  const auto or_zero = [](const measured<int>& number) {
    return number.known() ? number.value : 0;
  };
  const int items = work_items != 0 ? work_items : or_zero(r.work_group);
  return {.work_items = items,
          .registers = or_zero(r.registers),
          .local_bytes = or_zero(r.local_bytes) + dynamic_bytes,
          .barriers = items > 1 ? 1 : 0,
          .scalar_registers = or_zero(r.scalar_registers)};
}

}  // namespace clprim
