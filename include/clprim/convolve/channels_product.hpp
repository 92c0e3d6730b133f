#pragma once
// A convolution of channels as a product of its filter and the windows of its images: what GEMM is
// asked for.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <numeric>
#include <optional>
#include <vector>

#include <clprim/convolve/channels_policy.hpp>
#include <clprim/gemm/plan.hpp>
#include <clprim/gemm/policies_nvidia.hpp>
#include <clprim/gemm/schedule.hpp>
#include <clprim/gemm/tuned.hpp>
#include <clprim/gemm/window_lines.hpp>

namespace clprim {

/// A convolution of channels in the terms of the product.
struct layer_size {
  scalar type = scalar::float_;
  window_axis y, x;
  std::int64_t images = 1;
  int groups = 1;
  int inputs = 1;   ///< channels of a group
  int outputs = 1;  ///< of the output, of a group
  /// Elements, powers of two of at most 16, that the output, the filter and the images begin at
  /// multiples of.
  int alignment = 1, filter_alignment = 1, image_alignment = 1;
  /// Channels lie last, of the images, the filter and the output.
  bool images_last = false, filter_last = false, output_last = false;

  constexpr std::int64_t plane() const { return std::int64_t{y.out} * x.out; }
  constexpr std::int64_t taps() const { return std::int64_t{y.taps} * x.taps; }
  friend constexpr bool operator==(const layer_size&, const layer_size&) = default;
};

/// One way through it: the copies of filter and images, and the product of them.
struct layer_way {
  window_lines_variant lines{};
  gemm_kind kind{};
  gemm_schedule product{};
  double ns = std::numeric_limits<double>::infinity();  ///< predicted

  bool in_place() const { return kind.windows.in_place; }
  /// Positions of both copies, and the squares that they are made by.
  std::int64_t filter_positions() const {
    return std::int64_t{kind.m} * kind.batch * lines.windows.taps();
  }
  std::int64_t image_positions() const { return kind.n + std::int64_t{lines.windows.tail()}; }
  std::int64_t filter_squares() const {
    return window_squares(lines, lines.filter(), filter_positions());
  }
  std::int64_t squares() const {
    return filter_squares() + window_squares(lines, lines.windows, image_positions());
  }
};

/// Where a way's data lie in the workspace, in bytes: from 0 on the filter.
struct layer_spaces {
  std::size_t images = 0;
  std::size_t maps = 0;
  std::size_t bytes = 0;
};
inline layer_spaces layer_spaces_of(const layer_way& way) {
  if (way.in_place()) {
    return {.bytes = static_cast<std::size_t>(way.product.groups) * maps_of_group_bytes};
  }
  const auto whole = [](std::size_t bytes) { return (bytes + 255) / 256 * 256; };
  const auto bytes = [&](std::int64_t positions, int line) {
    return whole(static_cast<std::size_t>(positions) * static_cast<std::size_t>(line) *
                 static_cast<std::size_t>(facts_of(way.lines.type).bytes));
  };
  layer_spaces at{.images = bytes(way.filter_positions(), way.lines.filter().line())};
  at.maps = at.bytes = at.images + bytes(way.image_positions(), way.lines.windows.line());
  if (way.product.groups > 0)
    at.bytes += static_cast<std::size_t>(way.product.groups) * maps_of_group_bytes;
  return at;
}

namespace detail {

/// The positions of images whose lines have `inputs` numbers, for a product of k numbers along k.
///
/// Lines of positions are even where pairs of pixels are then stored at once, unless the positions
/// that this adds cost more products than it spares stores.
inline gemm_windows windows_of(const layer_size& layer, int inputs) {
  gemm_windows w{.y = layer.y,
                 .x = layer.x,
                 .rows = layer.y.pitch(),
                 .pitch = layer.x.pitch(),
                 .groups = layer.groups,
                 .inputs = inputs,
                 .outputs = layer.groups * layer.outputs,
                 .output_last = layer.output_last};
  constexpr double spared = 24;  // multiply-adds for each pixel
  for (const int run : {4, 2}) {
    if (layer.output_last || layer.alignment % run != 0 || layer.x.out % run != 0) continue;
    const int even = (w.pitch + run - 1) / run * run;
    const double more = static_cast<double>(even - w.pitch) / w.pitch;
    if (more * static_cast<double>(layer.taps()) * inputs > spared) continue;
    w.pitch = even;
    break;
  }
  return w;
}

/// Pixels that are stored at once.
inline int pixel_run(const layer_size& layer, const gemm_windows& w) {
  if (layer.output_last) return 1;
  return std::gcd(std::gcd(std::min(layer.alignment, 4), w.pitch), layer.x.out);
}

/// The product of a layer under steps of `tile_k` numbers; nothing where 32 bits do not count it.
inline std::optional<gemm_kind> layer_product(const layer_size& layer, int tile_k,
                                              gemm_precision precision) {
  for (const window_axis& a : {layer.y, layer.x})
    if (std::int64_t{a.extent} + 2 * std::int64_t{a.pad} + a.stride > gemm_extent_limit) return {};
  const int parts = parts_of(precision);
  const std::int64_t unit = std::lcm(tile_k / std::gcd(tile_k, parts), packed_run(layer.type));
  const std::int64_t inputs = (layer.inputs + unit - 1) / unit * unit * parts;
  if (inputs * layer.groups > gemm_extent_limit) return {};
  const gemm_windows w = windows_of(layer, static_cast<int>(inputs));
  const std::int64_t line = std::int64_t{w.groups} * w.inputs * w.y.phases() * w.x.phases(),
                     positions = layer.images * w.rows,
                     tail =
                         std::int64_t{w.y.shift(w.y.taps - 1)} * w.pitch + w.x.shift(w.x.taps - 1);
  if (layer.taps() * inputs > gemm_extent_limit || line > gemm_extent_limit ||
      positions > (gemm_extent_limit - tail) / w.pitch || layer.plane() > gemm_extent_limit)
    return {};
  gemm_kind kind{.m = layer.outputs,
                 .n = static_cast<int>(positions * w.pitch),
                 .k = static_cast<int>(layer.taps() * inputs),
                 .batch = layer.groups,
                 .windows = w};
  kind.a = {.along_k = true, .leading = kind.k, .alignment = 16};
  kind.b = {.along_k = true, .leading = static_cast<int>(line), .alignment = 16};
  kind.c = {.leading = static_cast<int>(layer.plane()), .alignment = pixel_run(layer, w)};
  return kind;
}

/// The same where images are read where they lie, one product for each: of a single tap.
inline std::optional<gemm_kind> layer_in_place(const layer_size& layer) {
  const auto plain = [](const window_axis& a) {
    return a.taps == 1 && a.stride == 1 && a.pad == 0;
  };
  if (!plain(layer.y) || !plain(layer.x) || layer.groups > 1 || layer.images_last ||
      layer.output_last || layer.plane() > gemm_extent_limit)
    return {};
  const int plane = static_cast<int>(layer.plane());
  gemm_kind kind{.m = layer.outputs,
                 .n = plane,
                 .k = layer.inputs,
                 .batch = layer.images,
                 .windows = {.y = layer.y,
                             .x = layer.x,
                             .rows = layer.y.out,
                             .pitch = layer.x.out,
                             .inputs = layer.inputs,
                             .outputs = layer.outputs,
                             .in_place = true}};
  const auto aligned = [](std::int64_t bits) { return common_alignment(bits); };
  kind.a = {.along_k = true,
            .repeated = true,
            .leading = layer.inputs,
            .alignment = aligned(layer.inputs | layer.filter_alignment)};
  kind.b = {.leading = plane, .alignment = aligned(plane | layer.image_alignment)};
  kind.c = {.leading = plane, .alignment = aligned(plane | layer.alignment)};
  return kind;
}

/// The way through a layer under a policy, or under the library's choice for the device.
class layer_choice {
 public:
  layer_choice(const layer_size& layer, gemm_precision precision, const device_facts& device)
    : layer_(layer), precision_(precision), device_(device) {}

  std::optional<layer_way> under(const std::optional<gemm_policy>& given) {
    const bool copies = window_lines_bytes(layer_.type) <= device_.local_bytes;
    if (given) {
      gemm_policy policy = *given;
      policy.stage_c = staging::global;
      const auto kind = layer_product(layer_, policy.tile_k, precision_);
      if (copies && kind) consider(*kind, policy, 0);
    } else {
      if (precision_ == gemm_precision::full) consider_in_place();
      if (copies && precision_ == gemm_precision::full) consider_rows();
      if (copies && precision_ != gemm_precision::full) consider_units();
    }
    if (best_.ns == std::numeric_limits<double>::infinity()) return {};
    return best_;
  }

 private:
  layer_way way_of(const gemm_kind& kind, const gemm_policy& policy, double ns) const {
    return {.lines = {.type = layer_.type,
                      .windows = kind.windows,
                      .channels = layer_.inputs,
                      .filter_last = layer_.filter_last,
                      .images_last = layer_.images_last,
                      .group = finish_group_of(device_),
                      .precision = precision_},
            .kind = kind,
            .product = schedule_of(kind, policy, 1, layer_.type, device_, precision_),
            .ns = ns};
  }
  void consider(const gemm_kind& kind, const gemm_policy& policy, double ns) {
    if (ns < best_.ns) best_ = way_of(kind, policy, ns);
  }
  void consider_in_place() {
    const auto kind = layer_in_place(layer_);
    if (!kind) return;
    for_each_choice(device_, layer_.type, size_of(*kind, layer_.type), {.split = false},
                    [&](const gemm_choice& one) {
                      if (one.policy.stage_c == staging::global)
                        consider(*kind, one.policy, one.ns);
                    });
  }
  /// What copying takes: each number of the images is read and written.
  double copy_ns(const gemm_kind& kind) const {
    const double bytes = static_cast<double>(kind.n) * kind.b.leading *
                         static_cast<double>(facts_of(layer_.type).bytes);
    const gemm_costs costs = gemm_table_of(device_, layer_.type, precision_, true).costs;
    return costs.packing_ns + 2 * bytes / (costs.packing_bytes_per_ns * units_of(device_));
  }
  void consider_rows() {
    const auto kind = layer_product(layer_, packed_run(layer_.type), precision_);
    if (!kind) return;
    for_each_choice(device_, layer_.type, size_of(*kind, layer_.type), {.split = false},
                    [&](const gemm_choice& one) {
                      if (one.policy.stage_c == staging::local) return;
                      // On copies, layers in full have not been run by matrix units yet.
                      if (one.policy.instruction != gemm_instruction::fma) return;
                      // Steps that are not filled take their time.
                      const auto padded = layer_product(layer_, one.policy.tile_k, precision_);
                      if (padded)
                        consider(*padded, one.policy,
                                 one.ns * padded->k / kind->k + copy_ns(*padded));
                    });
  }
  /// Rows of matrix units, in the width that leaves the fewest of them idle in the last wave.
  void consider_units() {
    const gemm_table table = gemm_table_of(device_, layer_.type, precision_, true);
    for (const gemm_row& row : table.rows) {
      const gemm_policy& widest = row.policy;
      const int step = (sums_in_halves(widest, layer_.type, precision_) ? 16 : 8) *
                       (widest.tile_n / group_columns(widest));
      for (int columns = widest.tile_n; columns >= widest.tile_n * 3 / 4; columns -= step) {
        gemm_row one = row;
        one.policy = gemm_tables::as_wide_as(columns, row.policy);
        const auto kind = layer_product(layer_, one.policy.tile_k, precision_);
        if (!kind || !has_instructions(one.policy, layer_.type, device_, precision_) ||
            one.policy.group_size() > device_.max_work_group)
          continue;
        layer_way way = way_of(*kind, one.policy, 0);
        const int units = units_of(device_);
        if (way.product.groups > 0)
          one.resident = std::clamp(way.product.groups / units, 1, row.resident);
        way.ns =
            predicted_ns(one, table.costs, size_of(*kind, layer_.type), units, 1) + copy_ns(*kind);
        if (way.ns < best_.ns) best_ = way;
      }
    }
  }

  const layer_size& layer_;
  gemm_precision precision_;
  const device_facts& device_;
  layer_way best_;
};

}  // namespace detail

/// The ways through a layer, of which the device takes the first whose copies hold every element:
/// one, or behind that of a split precision the one in full. None where the device has no kernel
/// for it, or `room` bytes do not hold the copies. A precision below float's own is what the
/// library may choose; split_half is that of split_tf32 here, which is as exact.
inline std::vector<layer_way> layer_ways(const layer_size& layer,
                                         const std::optional<gemm_policy>& given,
                                         gemm_precision precision, std::size_t room,
                                         const device_facts& device) {
  if (precision == gemm_precision::split_half) precision = gemm_precision::split_tf32;
  std::vector<layer_way> ways;
  const bool wants_units =
      precision != gemm_precision::full && (!given || serves(given->instruction, precision));
  const auto add = [&](const std::optional<gemm_policy>& policy, gemm_precision of) {
    std::optional<layer_way> way = detail::layer_choice(layer, of, device).under(policy);
    if (!way || layer_spaces_of(*way).bytes > room) return;
    way->product.variant.way = way->lines.way = static_cast<int>(ways.size());
    ways.push_back(*way);
  };
  if (wants_units) add(given, precision);
  if (ways.empty())
    add(given, gemm_precision::full);
  else if (parts_of(precision) > 1)
    add({}, gemm_precision::full);
  return ways;
}

}  // namespace clprim
