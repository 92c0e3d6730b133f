#pragma once
// One built kind of product: policy and variant -> program, kernels, launch.

#include <array>
#include <cstdint>
#include <limits>
#include <memory>
#include <string>
#include <utility>

#include <clprim/gemm/pack.hpp>
#include <clprim/gemm/problem.hpp>
#include <clprim/gemm/scale.hpp>
#include <clprim/gemm/source.hpp>
#include <clprim/runtime/launch.hpp>
#include <clprim/runtime/program.hpp>

namespace clprim {

/// How one product is run: the policy as it is built, and the parts of k.
struct gemm_schedule {
  gemm_policy policy{};
  gemm_variant variant{};
  int splits = 1;
  std::int64_t whole = 0;  ///< last_group_fenced: tiles before the first one that is split
  int groups = 0;  ///< at most so many, which walk tile after tile; 0: as many as there are tiles

  constexpr gemm_copies copies() const {
    return copies_of(variant.type, variant.precision, policy.turned);
  }
  friend constexpr bool operator==(const gemm_schedule&, const gemm_schedule&) = default;
};

/// Whether bulk copies reach the operands: whole accesses, in batches at equal distances.
inline bool reached_in_bulk(const gemm_kind& p, scalar type) {
  const auto reached = [&](const gemm_kind::operand& x) {
    return x.alignment >= packed_run(type) && !x.offsets;
  };
  return reached(p.a) && reached(p.b);
}

/// Groups of so much local memory that the device runs at a time, as far as that lets it.
inline int resident_groups(std::int64_t local_bytes, const device_facts& device) {
  const std::int64_t bytes = std::max<std::int64_t>(1, local_bytes);
  return units_of(device) * static_cast<int>(std::max<std::int64_t>(1, device.local_bytes / bytes));
}

/// Tiles of C.
inline std::int64_t gemm_tiles(const gemm_kind& p, const gemm_policy& policy) {
  const std::int64_t down = (p.m + policy.tile_m - 1) / policy.tile_m;
  const std::int64_t across = (p.n + policy.tile_n - 1) / policy.tile_n;
  return down * across;
}

/// Fits a choice to a problem: no more parts than steps along k; a walk that overlaps its steps
/// needs two of them in every part, and shorter products take the plain walk; no bulk copies, and
/// no tiles that are for them alone, where they do not reach. `slots`: groups that the device is
/// counted on to run at a time; of fewer tiles all are split.
inline gemm_schedule schedule_of(gemm_kind p, gemm_policy policy, int splits, scalar type,
                                 const device_facts& device,
                                 gemm_precision precision = gemm_precision::full,
                                 std::int64_t slots = std::numeric_limits<std::int64_t>::max()) {
  if (p.windows.empty() && (policy.packed || precision != gemm_precision::full)) {
    const gemm_copies how = copies_of(type, precision, policy.turned);
    policy.turned = policy.turned && (is_turned(p.a, how) || is_turned(p.b, how));
    p = packed_kind(p, type, how);
    policy.packed = p.a.packed || p.b.packed;
  }
  if (policy.buffer == buffering::bulk && !(device.bulk_copies && reached_in_bulk(p, type)))
    policy.buffer = buffering::async;
  const int steps = (p.k + policy.tile_k - 1) / policy.tile_k;
  const int least = policy.buffer == buffering::single || scales_lines(precision) ? 1 : 2;
  splits = std::clamp(splits, 1, std::max(1, steps / least));
  if (steps < least) {
    policy.buffer = buffering::single;
    policy.stages = 1;
  }
  if (sums_steps(type, precision) && policy.buffer != buffering::bulk &&
      group_columns(policy) > 128) {
    policy.tile_n /= 2;  // registers have no room for sums of single steps of all columns
    policy.per_item_n /= 2;
  }
  if (splits == 1) policy.finish = gemm_finish::second_kernel;
  const bool apart = policy.finish == gemm_finish::second_kernel;
  const std::int64_t tiles = apart ? 0 : gemm_tiles(p, policy) * p.batch;
  const bool bulk = policy.buffer == buffering::bulk;
  policy.split_k = 0;  // a number of the launch, not of the source
  gemm_variant variant = variant_of(p, policy, type, splits);
  variant.finish_group = finish_group_of(device);
  variant.fenced = !apart && device.inline_ptx;
  variant.precision = precision;
  std::int64_t local_bytes = most_local_bytes(policy, type);
  if (bulk && shares_lines(p.windows)) {
    variant.window_blocks = true;
    local_bytes = geometry_of(policy, variant).local_bytes;
    if (local_bytes > device.local_bytes) {
      variant.window_blocks = false;
      local_bytes = most_local_bytes(policy, type);
    }
  }
  return {.policy = policy,
          .variant = variant,
          .splits = splits,
          .whole = apart ? 0 : tiles - split_tiles(tiles, slots),
          .groups = bulk ? resident_groups(local_bytes, device) : 0};
}

/// The kernels of one policy and variant, built for one device.
struct gemm_plan {
  gemm_policy policy{};
  gemm_variant variant{};
  gemm_geometry geometry{};
  std::size_t source_bytes = 0;
  std::shared_ptr<const built_program> program;
  cl::Kernel multiply;
  cl::Kernel finish;  ///< only where it adds the parts (finishes_apart)
};

/// The kernel that packs an operand, built for one device.
struct gemm_pack_plan {
  gemm_pack_variant variant{};
  std::shared_ptr<const built_program> program;
  cl::Kernel pack;
};

/// The kernel that measures the lines of an operand, built for one device.
struct gemm_measure_plan {
  gemm_measure_variant variant{};
  std::shared_ptr<const built_program> program;
  cl::Kernel measure;
};

/// The kernel of C = epilogue(beta C), built for one device.
struct gemm_scale_plan {
  gemm_scale_variant variant{};
  std::shared_ptr<const built_program> program;
  cl::Kernel scale;
};

/// Builds the kernels. Throws policy_error or device_error when the policy does not fit the device,
/// and build_error when the driver refuses the source.
inline gemm_plan build_gemm_plan(const gemm_schedule& s, const function& epilogue,
                                 const cl::Context& context, const cl::Device& device,
                                 const device_facts& facts, math_mode math = math_mode::precise) {
  const gemm_geometry geometry = geometry_of(s.policy, s.variant);
  check_device_rules(
      s.policy, s.variant.type, facts, s.variant.precision,
      s.variant.window_blocks ? std::optional<std::int64_t>{geometry.local_bytes} : std::nullopt);
  const std::string source = gemm_source(s.policy, s.variant, epilogue);
  if (s.policy.instruction == gemm_instruction::wgmma) math = math_mode::precise;
  gemm_plan plan{.policy = s.policy,
                 .variant = s.variant,
                 .geometry = geometry,
                 .source_bytes = source.size(),
                 .program = build(context, device, source, "", math),
                 .multiply = {},
                 .finish = {}};
  plan.multiply = make_kernel(*plan.program, "gemm");
  if (finishes_apart(s.policy, s.variant)) plan.finish = make_kernel(*plan.program, "gemm_finish");
  return plan;
}

/// Builds the kernel. Throws build_error when the driver refuses the source.
inline gemm_scale_plan build_scale_plan(const gemm_scale_variant& v, const function& epilogue,
                                        const cl::Context& context, const cl::Device& device,
                                        math_mode math = math_mode::precise) {
  const std::string source = gemm_scale_source(v, epilogue);
  gemm_scale_plan plan{
      .variant = v, .program = build(context, device, source, "", math), .scale = {}};
  plan.scale = make_kernel(*plan.program, "gemm_scale");
  return plan;
}

/// Builds the kernel. Throws build_error when the driver refuses the source.
inline gemm_pack_plan build_pack_plan(const gemm_pack_variant& v, const cl::Context& context,
                                      const cl::Device& device) {
  gemm_pack_plan plan{
      .variant = v, .program = build(context, device, gemm_pack_source(v)), .pack = {}};
  plan.pack = make_kernel(*plan.program, "gemm_pack");
  return plan;
}

/// Builds the kernel. Throws build_error when the driver refuses the source.
inline gemm_measure_plan build_measure_plan(const gemm_measure_variant& v,
                                            const cl::Context& context, const cl::Device& device) {
  gemm_measure_plan plan{
      .variant = v, .program = build(context, device, gemm_measure_source(v)), .measure = {}};
  plan.measure = make_kernel(*plan.program, "gemm_measure");
  return plan;
}

/// Tiles that are split by a group that comes last.
inline std::int64_t gemm_split_tiles(const gemm_kind& p, const gemm_schedule& s) {
  return s.splits == 1 ? 0 : gemm_tiles(p, s.policy) * p.batch - s.whole;
}

/// Elements of the workspace of partial sums; 0 when the product is not split.
inline std::int64_t gemm_partial_sums(const gemm_kind& p, const gemm_schedule& s) {
  if (s.splits == 1) return 0;
  return s.splits * (finishes_apart(s.policy, s.variant)
                         ? static_cast<std::int64_t>(p.m) * p.n * p.batch
                         : gemm_split_tiles(p, s) * s.policy.tile_m * s.policy.tile_n);
}

/// Bytes that describe A and B to the bulk copies of one group.
inline constexpr std::size_t maps_of_group_bytes = 2 * matrix_map_bytes;

/// Where a call's data lie in the workspace, in bytes: partial sums, packed operands, what
/// describes the operands to bulk copies, scales of lines.
struct gemm_spaces {
  std::size_t sums = 0;  ///< from 0 on
  std::size_t a = 0;
  std::size_t b = 0;
  std::size_t maps = 0;
  std::size_t a_scales = 0;  ///< of lines, where they are scaled, and then what they are found by
  std::size_t b_scales = 0;
  std::size_t bytes = 0;  ///< of it all
};

/// The workspace of a schedule. `sum_bytes`: of one partial sum.
inline gemm_spaces gemm_spaces_of(const gemm_kind& p, const gemm_schedule& s,
                                  std::size_t sum_bytes) {
  const scalar type = s.variant.type;
  const auto bytes_of = [&](const gemm_operand& x, const gemm_kind::operand& given, int outer) {
    if (!x.packed) return std::size_t{0};
    const std::int64_t elements = packed_lines_of(given, outer, p, type, s.copies()).elements();
    return static_cast<std::size_t>(elements) * static_cast<std::size_t>(facts_of(type).bytes);
  };
  const auto whole = [](std::size_t bytes) { return (bytes + 255) / 256 * 256; };
  gemm_spaces at;
  at.sums = static_cast<std::size_t>(gemm_partial_sums(p, s)) * sum_bytes;
  at.a = whole(at.sums);
  const std::size_t a = bytes_of(s.variant.a, p.a, p.m), b = bytes_of(s.variant.b, p.b, p.n);
  at.b = at.a + whole(a);
  at.bytes = b > 0 ? at.b + b : a > 0 ? at.a + a : at.sums;
  at.maps = whole(at.bytes);
  if (s.groups > 0) at.bytes = at.maps + static_cast<std::size_t>(s.groups) * maps_of_group_bytes;
  if (scales_lines(s.variant.precision)) {
    const auto words = [&](const gemm_kind::operand& given, std::int64_t outer) {
      const std::int64_t lines = outer * (given.repeated ? 1 : p.batch);
      return whole(sizeof(cl_int) * static_cast<std::size_t>(lines * (1 + measured_parts(p.k))));
    };
    at.a_scales = whole(at.bytes);
    at.b_scales = at.a_scales + words(p.a, p.m);
    at.bytes = at.b_scales + words(p.b, p.n);
  }
  return at;
}

/// The launch of kernel `gemm`. Throws argument_error when there are more tiles than 31 bits count.
inline launch gemm_launch(const gemm_kind& p, const gemm_schedule& s, const gemm_geometry& g) {
  const std::int64_t tiles = gemm_tiles(p, s.policy);
  constexpr std::int64_t most = std::numeric_limits<std::int32_t>::max();
  if (tiles > most / s.splits / p.batch) [[unlikely]] {
    throw argument_error(
        "the product of tiles, parts of k and batch count",
        "must be a number of work-groups that 31 bits hold",
        std::to_string(tiles) + " * " + std::to_string(s.splits) + " * " + std::to_string(p.batch),
        "at most " + std::to_string(most));
  }
  const auto group = static_cast<std::size_t>(g.group);
  std::int64_t groups = (tiles * p.batch - s.whole) * s.splits + s.whole;
  if (s.groups > 0) groups = std::min<std::int64_t>(groups, s.groups);
  return {1, {static_cast<std::size_t>(groups) * group, 1, 1}, {group, 1, 1}};
}

/// Items that share one run of C in `gemm_finish`: more where there are many parts to add.
constexpr int gemm_sharers(const gemm_schedule& s) {
  int sharers = 1;
  while (sharers * 8 < s.splits && sharers < std::min(32, s.variant.finish_group)) sharers *= 2;
  return sharers;
}

/// The launch of kernel `gemm_finish`.
inline launch gemm_finish_launch(const gemm_kind& p, const gemm_schedule& s) {
  const std::int64_t runs = static_cast<std::int64_t>(p.m) * p.n / finish_run(s.policy, s.variant);
  const int group = s.variant.finish_group, width = group / gemm_sharers(s);
  const std::int64_t groups = (runs + width - 1) / width * p.batch;
  const auto items = static_cast<std::size_t>(group);
  return {1, {static_cast<std::size_t>(groups) * items, 1, 1}, {items, 1, 1}};
}

/// The launch of kernel `gemm_scale`.
inline launch gemm_scale_launch(const gemm_problem& p, const gemm_scale_variant& v) {
  const auto group = static_cast<std::size_t>(v.group);
  const std::size_t elements = static_cast<std::size_t>(p.m) * static_cast<std::size_t>(p.n) *
                               static_cast<std::size_t>(p.batch);
  return {1, {(elements + group - 1) / group * group, 1, 1}, {group, 1, 1}};
}

}  // namespace clprim
