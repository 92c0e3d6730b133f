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
  product,  ///< GEMM of the filter and the windows, under a policy of GEMM's
};

/// The values that cut such a convolution up: an item makes per_item_x outputs, in
/// per_item_channels channels at a time, so that what it reads of the input serves all of them.
struct channels_policy {
  channels_method method = channels_method::direct;
  int items = 64;             ///< direct: work-items of a group, along x
  int per_item_x = 2;         ///< direct: outputs of an item, side by side
  int per_item_channels = 8;  ///< direct: output channels of an item

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
}

/// One kind of problem for method direct: every value here is a constant in the kernel's text.
struct channels_variant {
  element type{};
  int taps_y = 1, taps_x = 1;
  int group_inputs = 1, group_outputs = 1;
  int stride_y = 1, stride_x = 1;
  int dilation_y = 1, dilation_x = 1;
  int pad_y = 0, pad_x = 0;
  /// Channels lie last, of the images, the filter and the output.
  bool images_last = false, filter_last = false, output_last = false;
  bool flat = false;  ///< the work-groups are (see group_grid)

  friend constexpr bool operator==(const channels_variant&, const channels_variant&) = default;
};

/// A convolution of many channels in the terms of the choice.
struct channels_size {
  int bytes = 4;  ///< of an element
  std::int64_t group_inputs = 1;
  std::int64_t group_outputs = 1;
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

/// The library's choice.
constexpr channels_policy tuned_channels(const device_facts& device, const channels_size& size) {
  channels_policy p = tuned_direct_channels(device, size.bytes, size.group_outputs);
  if (size.group_inputs >= 16 && size.group_outputs >= 32) p.method = channels_method::product;
  return p;
}

}  // namespace clprim
