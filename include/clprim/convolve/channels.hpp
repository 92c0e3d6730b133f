#pragma once
// Convolution of many channels, as neural networks have it: images, height, width and channels in
// planes (NCHW), groups and depthwise.

#include <array>
#include <cstdint>
#include <deque>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>

#include <clprim/convolve/channels_source.hpp>
#include <clprim/convolve/problem.hpp>
#include <clprim/runtime/argument.hpp>
#include <clprim/runtime/launch.hpp>
#include <clprim/runtime/move_only.hpp>
#include <clprim/runtime/program.hpp>
#include <clprim/runtime/queue.hpp>
#include <clprim/runtime/view.hpp>

namespace clprim {

/// A batch of images of many channels in a buffer without gaps: element (n, c, y, x) lies at
/// offset + ((n channels + c) height + y) width + x.
template <class T> struct channels_view {
  cl_mem memory = nullptr;
  std::int64_t images = 0;
  std::int64_t channels = 0;
  std::int64_t height = 0;
  std::int64_t width = 0;
  std::int64_t offset = 0;

  constexpr std::int64_t size() const { return images * channels * height * width; }
};

/// A view of images x channels x height x width elements; of a filter, output channels x input
/// channels of a group x rows x columns.
template <class T>
channels_view<T> nchw(const cl::Buffer& buffer, std::int64_t images, std::int64_t channels,
                      std::int64_t height, std::int64_t width, std::int64_t offset = 0) {
  return {buffer(), images, channels, height, width, offset};
}

/// How an operation object is set up; every member may be left out.
struct channels_options {
  std::optional<channels_policy> policy{};
  int groups = 1;  ///< input and output channels fall into as many; all input channels: depthwise
  axis_steps stride{};
  axis_steps dilation{};
  std::array<int, 2> padding{0, 0};  ///< pixels of zeros above and below, left and right
  /// As convolve_options::map; `channel` is the output's, `z` is 0. Bias and activation go here.
  function map{};
};

namespace detail {

template <class T> footprint check_channels(const channels_view<T>& v, const std::string& name) {
  for (const auto& [value, what] : {std::pair{v.images, "images"},
                                    {v.channels, "channels"},
                                    {v.height, "height"},
                                    {v.width, "width"}}) {
    require_extent(value, what, name);
  }
  require_at_least(v.offset, 0, "offset", name, "must not be negative");
  if (v.images == 0 || v.channels == 0 || v.height == 0 || v.width == 0) return {};
  const auto plane = multiply_add(v.height, v.width, 0);
  const auto image = plane ? multiply_add(v.channels, *plane, 0) : std::nullopt;
  const auto all = image ? multiply_add(v.images, *image, 0) : std::nullopt;
  if (!all) fail_too_far(name);
  return footprint_in_bytes<T>({v.memory, v.offset, 1, *all, *all}, name);
}

}  // namespace detail

/// Correlations of many channels on one queue: out(n, k, y, x) is the sum over the input channels c
/// of k's group and the taps of filter(k, c, ky, kx) times in(n, c, y stride + ky dilation -
/// padding, …). Elements are half, float or double; sums of half are float.
///
///     clprim::convolve_channels<float> layer(queue, {.padding = {1, 1}});
///     layer(clprim::nchw<float>(x, 8, 64, 56, 56), clprim::nchw<float>(w, 128, 64, 3, 3),
///           clprim::nchw<float>(y, 8, 128, 56, 56));
template <scalar_type T>
requires(!facts_of(scalar_of<T>).is_complex) class convolve_channels : move_only {
 public:
  /// On this queue; nothing is built before the first call asks for it. For one thread at a time.
  /// Throws policy_error for a policy that breaks its rules, argument_error for options that cannot
  /// be, device_error for double where there is none.
  explicit convolve_channels(const cl::CommandQueue& queue, channels_options options = {})
    : queue_(queue), on_(facts_of(queue)), options_(std::move(options)) {
    detail::require_step(options_.stride.x, "stride", "x");
    detail::require_step(options_.stride.y, "stride", "y");
    detail::require_step(options_.dilation.x, "dilation", "x");
    detail::require_step(options_.dilation.y, "dilation", "y");
    for (const int pad : options_.padding)
      detail::require_at_least(pad, 0, "padding", "the input", "must not be negative");
    detail::require_at_least(options_.groups, 1, "groups", "the channels", "must be positive");
    if (describe_element<T>().needs_fp64 && !on_.facts.fp64) {
      throw device_error("this convolution needs double precision (cl_khr_fp64), which " +
                         on_.facts.name + " lacks");
    }
    if (!options_.policy) return;
    check_rules(*options_.policy);
    rule(options_.policy->items <= on_.facts.max_work_group,
         "the policy's work-group must fit the device's limit of work-items",
         options_.policy->items, on_.facts.max_work_group);
  }

  /// Enqueues the convolution and returns its event. Runs after `waits`, on out-of-order queues
  /// too; `arguments` are those of the map's parameters. Throws argument_error before anything is
  /// enqueued for shapes that do not fit each other, buffers that are too small and an output that
  /// shares memory with input or filter.
  cl::Event operator()(const channels_view<T>& in, const channels_view<T>& filter,
                       const channels_view<T>& out, std::span<const cl::Event> waits = {},
                       std::span<const argument> arguments = {}) {
    check_arguments(options_.map, arguments);
    const channels_variant v = checked_variant(in, filter, out);
    if (out.size() == 0) return marker(queue_(), waits);
    const channels_policy p = policy(out);
    const plan& built = prepare(p, v);
    const cl_kernel kernel = built.kernel();
    set_args(kernel, in.memory, static_cast<cl_long>(in.offset), static_cast<cl_int>(in.channels),
             static_cast<cl_int>(in.height), static_cast<cl_int>(in.width), filter.memory,
             static_cast<cl_long>(filter.offset), out.memory, static_cast<cl_long>(out.offset),
             static_cast<cl_int>(out.channels), static_cast<cl_int>(out.height),
             static_cast<cl_int>(out.width));
    set_arguments(kernel, 12, arguments);
    return enqueue(queue_(), kernel, launch_for(p, out), waits);
  }

  /// Height and width of the output. Throws argument_error for taps that span more than the input.
  std::array<std::int64_t, 2> extent(const channels_view<T>& in,
                                     const channels_view<T>& filter) const {
    const auto along = [](std::int64_t n, int pad, std::int64_t taps, int dilation, int stride) {
      const std::int64_t places = n + 2 * std::int64_t{pad} - ((taps - 1) * dilation + 1);
      return n == 0 || taps < 1 || places < 0 ? 0 : places / stride + 1;
    };
    return {
        along(in.height, options_.padding[0], filter.height, options_.dilation.y,
              options_.stride.y),
        along(in.width, options_.padding[1], filter.width, options_.dilation.x, options_.stride.x)};
  }
  /// The policy that these operands run with.
  channels_policy policy(const channels_view<T>& out) const {
    if (options_.policy) return *options_.policy;
    return tuned_channels(on_.facts, static_cast<int>(sizeof(T)), out.channels / options_.groups);
  }
  /// The OpenCL C source that it runs.
  std::string source(const channels_view<T>& in, const channels_view<T>& filter,
                     const channels_view<T>& out) const {
    return channels_source(policy(out), checked_variant(in, filter, out), options_.map);
  }
  /// The facts of the device it runs on.
  const device_facts& device() const { return on_.facts; }

 private:
  struct plan {
    channels_policy policy;
    channels_variant variant;
    std::shared_ptr<const built_program> program;
    cl::Kernel kernel;
  };

  channels_variant checked_variant(const channels_view<T>& in, const channels_view<T>& filter,
                                   const channels_view<T>& out) const {
    using namespace detail;
    const footprint from = check_channels(in, "the input"),
                    taps = check_channels(filter, "the filter"),
                    to = check_channels(out, "the output");
    const std::int64_t groups = options_.groups;
    if (in.channels % groups != 0 || out.channels % groups != 0) {
      throw argument_error("channels of input and output", "must be whole groups",
                           std::to_string(in.channels) + " and " + std::to_string(out.channels),
                           "multiples of " + std::to_string(groups));
    }
    require_equal(filter.images, out.channels, "output channels of the filter",
                  "must equal the channels of the output");
    require_equal(filter.channels, in.channels / groups, "input channels of the filter",
                  "must equal the channels of a group of the input");
    require_equal(out.images, in.images, "images of the output", "must equal those of the input");
    const auto [height, width] = extent(in, filter);
    require_equal(out.height, height, "height of the output",
                  "must be what input, filter, padding and steps make it");
    require_equal(out.width, width, "width of the output",
                  "must be what input, filter, padding and steps make it");
    if (overlaps(to, from) || overlaps(to, taps)) {
      throw argument_error("the output", "must not share memory with input or filter",
                           "overlapping views", "separate memory");
    }
    constexpr std::int64_t most = std::int64_t{1} << 30;
    if (in.height > most || in.width > most || filter.height > 4096 || filter.width > 4096) {
      throw argument_error("extents of input and filter", "must stay within 32-bit indexing",
                           std::to_string(std::max(in.height, in.width)),
                           "at most " + std::to_string(most) + ", taps at most 4096");
    }
    return {.type = describe_element<T>(),
            .taps_y = static_cast<int>(filter.height),
            .taps_x = static_cast<int>(filter.width),
            .group_inputs = static_cast<int>(filter.channels),
            .group_outputs = static_cast<int>(out.channels / groups),
            .stride_y = options_.stride.y,
            .stride_x = options_.stride.x,
            .dilation_y = options_.dilation.y,
            .dilation_x = options_.dilation.x,
            .pad_y = options_.padding[0],
            .pad_x = options_.padding[1]};
  }

  launch launch_for(const channels_policy& p, const channels_view<T>& out) const {
    const std::int64_t each = std::int64_t{p.items} * p.per_item_x;
    const std::int64_t blocks = (out.width + each - 1) / each,
                       of_group = out.channels / options_.groups,
                       slabs = (of_group + p.per_item_channels - 1) / p.per_item_channels;
    const std::int64_t planes = slabs * options_.groups;
    for (const std::int64_t n : {blocks, out.height, planes * out.images}) {
      if (n > 65535) {
        throw argument_error("work-groups of a convolution of channels",
                             "must be as many as devices start side by side", std::to_string(n),
                             "at most 65535 along each axis");
      }
    }
    const auto items = static_cast<std::size_t>(p.items);
    return {3,
            {static_cast<std::size_t>(blocks) * items, static_cast<std::size_t>(out.height),
             static_cast<std::size_t>(planes * out.images)},
            {items, 1, 1}};
  }

  const plan& prepare(const channels_policy& p, const channels_variant& v) {
    for (const plan& one : plans_) {
      if (one.policy == p && one.variant == v) return one;
    }
    auto program = build(on_.context, on_.device, channels_source(p, v, options_.map));
    cl::Kernel kernel = make_kernel(*program, "convolve_channels");
    plans_.push_back({p, v, std::move(program), std::move(kernel)});
    return plans_.back();
  }

  cl::CommandQueue queue_;
  queue_facts on_;
  channels_options options_;
  std::deque<plan> plans_;
};

}  // namespace clprim
