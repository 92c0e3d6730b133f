#pragma once
// The policy of convolutions of many channels, and what their source depends on besides it.

#include <array>
#include <cstdint>
#include <string_view>

#include <clprim/core/device_facts.hpp>
#include <clprim/core/element.hpp>
#include <clprim/core/policy.hpp>

namespace clprim {

/// How the sums over taps and input channels are made.
enum class channels_method {
  direct,   ///< an item reads the windows of its outputs from memory and its caches
  product,  ///< implicit GEMM: tiles of filter and windows in local memory, as in a product
};

/// The values that cut such a convolution up: an item makes per_item_x outputs, in
/// per_item_channels channels at a time, so that what it reads of the input serves all of them.
struct channels_policy {
  channels_method method = channels_method::direct;
  int items = 64;             ///< direct: work-items of a group, along x
  int per_item_x = 2;         ///< outputs of an item; direct: side by side
  int per_item_channels = 8;  ///< output channels of an item
  int tile_channels = 128;    ///< product: output channels of a group's tile
  int tile_pixels = 128;  ///< product: pixels of a group's tile, of all images one after another
  int tile_inputs = 16;   ///< product: input channels of one tap at a time

  /// Work-items of a group.
  constexpr int group_items() const {
    return method == channels_method::direct
               ? items
               : tile_channels / per_item_channels * (tile_pixels / per_item_x);
  }

  friend constexpr bool operator==(const channels_policy&, const channels_policy&) = default;
};

template <> struct enum_names<channels_method> {
  static constexpr std::string_view type = "clprim::channels_method";
  static constexpr std::array<std::string_view, 2> names{"direct", "product"};
};

template <> struct policy_traits<channels_policy> {
  static constexpr std::string_view name = "clprim::channels_policy";
  static constexpr auto fields = field_list{
      field{"method", &channels_policy::method},
      field{"items", &channels_policy::items},
      field{"per_item_x", &channels_policy::per_item_x},
      field{"per_item_channels", &channels_policy::per_item_channels},
      field{"tile_channels", &channels_policy::tile_channels},
      field{"tile_pixels", &channels_policy::tile_pixels},
      field{"tile_inputs", &channels_policy::tile_inputs},
  };
};
static_assert(fields_complete<channels_policy>());

/// Throws policy_error, with the rule as its sentence, when `p` cannot be built for any device.
constexpr void check_rules(const channels_policy& p) {
  rule(p.items > 0 && p.items <= 4096, "items must be 1 to 4096");
  rule(p.per_item_x > 0 && p.per_item_x <= 64, "per_item_x must be 1 to 64");
  rule(p.per_item_channels > 0 && p.per_item_channels <= 64, "per_item_channels must be 1 to 64");
  rule(p.per_item_x * p.per_item_channels <= 256,
       "an item keeps its outputs in registers: per_item_x * per_item_channels is at most 256");
  rule(p.tile_channels > 0 && p.tile_channels <= 1024, "tile_channels must be 1 to 1024");
  rule(p.tile_pixels > 0 && p.tile_pixels <= 1024, "tile_pixels must be 1 to 1024");
  rule(p.tile_inputs > 0 && p.tile_inputs <= 256, "tile_inputs must be 1 to 256");
  if (p.method == channels_method::direct) return;
  rule(p.per_item_x % 4 == 0 && p.per_item_channels % 4 == 0,
       "method product needs per_item_x and per_item_channels to be multiples of 4");
  rule(p.tile_channels % p.per_item_channels == 0 && p.tile_pixels % p.per_item_x == 0,
       "a tile must be whole blocks of the items: tile_channels a multiple of per_item_channels, "
       "tile_pixels of per_item_x");
  rule(p.group_items() % p.tile_channels == 0 && p.group_items() % p.tile_pixels == 0,
       "the items that the tile makes must load whole rows: a multiple of tile_channels and of "
       "tile_pixels");
  rule(p.tile_channels * p.tile_inputs % p.group_items() == 0 &&
           p.tile_pixels * p.tile_inputs % p.group_items() == 0,
       "tile_inputs rows must be whole loads of all items");
}

/// Bytes of local memory of a group, for elements of so many bytes.
constexpr std::int64_t local_bytes_of(const channels_policy& p, int bytes) {
  if (p.method == channels_method::direct) return 0;
  const std::int64_t sum = bytes > 4 ? 8 : 4;
  return 2 * sum * p.tile_inputs * (p.tile_channels + p.tile_pixels);
}

/// One kind of problem: every value here is a constant in the kernel's text.
struct channels_variant {
  element type{};
  int taps_y = 1, taps_x = 1;
  int group_inputs = 1, group_outputs = 1;
  int stride_y = 1, stride_x = 1;
  int dilation_y = 1, dilation_x = 1;
  int pad_y = 0, pad_x = 0;
  bool quads = false;  ///< planes of the output begin at multiples of 4 elements
  bool flat = false;   ///< the work-groups are (see group_grid)

  friend constexpr bool operator==(const channels_variant&, const channels_variant&) = default;
};

/// A convolution of many channels in the terms of the choice.
struct channels_size {
  int bytes = 4;  ///< of an element
  std::int64_t group_inputs = 1;
  std::int64_t group_outputs = 1;
  std::int64_t pixels = 1;  ///< of the output, of all images
  std::int64_t groups = 1;
};

/// The library's choice of method direct; not tuned by measurement beyond PoCL's need of few items.
constexpr channels_policy tuned_direct_channels(const device_facts& device, int bytes,
                                                std::int64_t group_outputs) {
  channels_policy p;
  if (device.kind == device_kind::cpu) {
    p.items = 1;
    p.per_item_x = 64 / (bytes < 4 ? 4 : bytes);
    p.per_item_channels = 4;
  }
  while (p.per_item_channels > group_outputs && p.per_item_channels > 1) p.per_item_channels /= 2;
  while (p.items > device.max_work_group) p.items /= 2;
  return p;
}

// H200, driver 580.159.04, 2026-11-22, 32 images, float, us; tiles of channels x pixels x inputs:
//                      128 x 64 x 8, 64 x 128 x 8, x 16, 64 x 64 x 16, 64 x 32 x 16, direct
//    64 to  64 of 56 x 56, 3 x 3   263     219     209     228     259     1367
//   128 to 128 of 28 x 28, 3 x 3   209     221     228     226     269     2759
//   256 to 256 of 14 x 14, 3 x 3   306     307     314     240     284     5303
//   512 to 512 of  7 x  7, 3 x 3   452     430     451     370     347    10378
//    64 to 256 of 56 x 56, 1 x 1   116     117     126     116     137      516
/// The library's choice.
constexpr channels_policy tuned_channels(const device_facts& device, const channels_size& size) {
  constexpr std::int64_t indexed = std::int64_t{1} << 30;
  const bool product = device.kind != device_kind::cpu && size.bytes <= 4 &&
                       size.group_inputs >= 16 && size.group_outputs >= 32 &&
                       size.pixels <= indexed && device.max_work_group >= 128;
  if (!product) return tuned_direct_channels(device, size.bytes, size.group_outputs);
  channels_policy p{.method = channels_method::product, .per_item_x = 8, .per_item_channels = 8};
  // The largest tiles that make enough groups for all units.
  const auto tiles = [&](int channels, int pixels, int inputs) {
    p.tile_channels = channels;
    p.tile_pixels = pixels;
    p.tile_inputs = inputs;
    return (size.pixels + pixels - 1) / pixels * ((size.group_outputs + channels - 1) / channels) *
           size.groups;
  };
  const auto chosen = [&] {
    const std::int64_t units = units_of(device);
    if (size.group_outputs >= 128 && 2 * tiles(128, 64, 8) >= 5 * units) return;
    if (2 * tiles(64, 128, size.group_outputs > 64 ? 8 : 16) >= 5 * units) return;
    p.per_item_x = 4;
    if (tiles(64, 64, 16) >= 2 * units) return;
    p.per_item_channels = 4;
    tiles(64, 32, 16);
  };
  chosen();
  // Less of the inputs at a time, down to four: a load of all items, at the least.
  while (local_bytes_of(p, size.bytes) > device.local_bytes && p.tile_inputs > 4)
    p.tile_inputs /= 2;
  if (local_bytes_of(p, size.bytes) <= device.local_bytes) return p;
  return tuned_direct_channels(device, size.bytes, size.group_outputs);
}

}  // namespace clprim
