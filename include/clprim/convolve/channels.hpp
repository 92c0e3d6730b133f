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
#include <clprim/convolve/channels_view.hpp>
#include <clprim/convolve/problem.hpp>
#include <clprim/runtime/argument.hpp>
#include <clprim/runtime/launch.hpp>
#include <clprim/runtime/move_only.hpp>
#include <clprim/runtime/program.hpp>
#include <clprim/runtime/queue.hpp>
#include <clprim/runtime/workspace.hpp>

namespace clprim {

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
    rule(options_.policy->group_items() <= on_.facts.max_work_group,
         "the policy's work-group must fit the device's limit of work-items",
         options_.policy->group_items(), on_.facts.max_work_group);
    const std::int64_t bytes = local_bytes_of(*options_.policy, sizeof(T));
    rule(bytes <= on_.facts.local_bytes,
         "the policy's tiles must fit the local memory of the device in bytes",
         static_cast<long>(bytes), static_cast<long>(on_.facts.local_bytes));
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
    const channels_policy p = policy(in, out);
    const plan& built = prepare(p, v);
    const launch l = launch_for(p, out);
    if (p.method == channels_method::direct) {
      set_operands(built.kernel(), in, filter.memory, filter.offset, out);
      set_arguments(built.kernel(), 12, arguments);
      return enqueue(queue_(), built.kernel(), l, waits);
    }
    // The filter goes in the order of the tiles first.
    require_room(workspace_bytes(in, filter, out));
    set_args(built.order(), filter.memory, static_cast<cl_long>(filter.offset),
             workspace_.memory());
    const cl::Event ordered =
        enqueue(queue_(), built.order(), order_launch(v), workspace_.waits(waits));
    set_operands(built.kernel(), in, workspace_.memory(), 0, out);
    set_arg(built.kernel(), 12, static_cast<cl_int>(out.images * out.height * out.width));
    set_arguments(built.kernel(), 13, arguments);
    cl::Event done = enqueue(queue_(), built.kernel(), l, std::span(&ordered, 1));
    workspace_.free_after(done);
    return done;
  }

  /// Bytes of workspace that it uses: the filter's, for method product.
  std::size_t workspace_bytes(const channels_view<T>& in, const channels_view<T>& filter,
                              const channels_view<T>& out) const {
    const bool product = policy(in, out).method == channels_method::product;
    return product ? static_cast<std::size_t>(filter.size()) * sizeof(T) : 0;
  }

  /// Gives the object a buffer in place of one of its own; its contents are overwritten.
  void use_workspace(const cl::Buffer& buffer) { workspace_.use(buffer); }
  /// What it runs, for a person: policy, memory, work.
  std::string explain(const channels_view<T>& in, const channels_view<T>& filter,
                      const channels_view<T>& out) const {
    const channels_variant v = checked_variant(in, filter, out);
    const channels_policy p = policy(in, out);
    const double products = static_cast<double>(out.size()) * v.group_inputs * v.taps_y * v.taps_x;
    return "convolution of " + std::to_string(in.channels) + " to " + std::to_string(out.channels) +
           " channels, " + std::to_string(v.taps_y) + " x " + std::to_string(v.taps_x) + " taps, " +
           std::to_string(options_.groups) + " groups, " + std::to_string(out.images) +
           " images of " + std::to_string(out.height) + " x " + std::to_string(out.width) +
           "\n  policy     " + to_string(p) + "\n  memory     " +
           std::to_string(workspace_bytes(in, filter, out)) +
           " bytes for the filter in the order of the tiles, " +
           std::to_string(workspace_.bytes()) + " held; " +
           std::to_string(local_bytes_of(p, sizeof(T))) + " bytes of local memory\n  work       " +
           std::to_string(static_cast<std::int64_t>(products)) + " multiply-adds\n";
  }

  /// Height and width of the output; 0 for taps that span more than the padded input.
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
  channels_policy policy(const channels_view<T>& in, const channels_view<T>& out) const {
    if (options_.policy) return *options_.policy;
    return tuned_channels(on_.facts, {.bytes = static_cast<int>(sizeof(T)),
                                      .group_inputs = in.channels / options_.groups,
                                      .group_outputs = out.channels / options_.groups,
                                      .pixels = out.images * out.height * out.width,
                                      .groups = options_.groups});
  }
  /// The OpenCL C source that it runs.
  std::string source(const channels_view<T>& in, const channels_view<T>& filter,
                     const channels_view<T>& out) const {
    return channels_source(policy(in, out), checked_variant(in, filter, out), options_.map);
  }
  /// The facts of the device it runs on.
  const device_facts& device() const { return on_.facts; }

 private:
  struct plan {
    channels_policy policy;
    channels_variant variant;
    std::shared_ptr<const built_program> program;
    cl::Kernel kernel;
    cl::Kernel order;  ///< method product: puts the filter in the order of the tiles
  };

  void require_room(std::size_t wanted) {
    if (workspace_.is_given() && workspace_.bytes() < wanted) {
      throw argument_error("workspace", "must hold the filter in the order of the tiles",
                           std::to_string(workspace_.bytes()) + " bytes",
                           "at least " + std::to_string(wanted) + " bytes");
    }
    workspace_.require(on_.context(), wanted);
  }
  static void set_operands(cl_kernel kernel, const channels_view<T>& in, cl_mem filter,
                           std::int64_t filter_offset, const channels_view<T>& out) {
    set_args(kernel, in.memory, static_cast<cl_long>(in.offset), static_cast<cl_int>(in.channels),
             static_cast<cl_int>(in.height), static_cast<cl_int>(in.width), filter,
             static_cast<cl_long>(filter_offset), out.memory, static_cast<cl_long>(out.offset),
             static_cast<cl_int>(out.channels), static_cast<cl_int>(out.height),
             static_cast<cl_int>(out.width));
  }

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
    for (const std::int64_t taps_along : {filter.height, filter.width})
      detail::require_at_least(taps_along, 1, "taps", "the filter",
                               "must be a size that a filter has");
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
            .pad_x = options_.padding[1],
            .quads = out.height * out.width % 4 == 0 && out.offset % 4 == 0};
  }

  launch order_launch(const channels_variant& v) const {
    const std::int64_t rows = std::int64_t{v.taps_y} * v.taps_x * v.group_inputs * options_.groups;
    const int wide = (v.group_outputs + 31) / 32 * 32;
    return {2, {static_cast<std::size_t>(wide), static_cast<std::size_t>(rows), 1}, {32, 1, 1}};
  }

  launch launch_for(const channels_policy& p, const channels_view<T>& out) const {
    if (p.method == channels_method::product) {
      const std::int64_t pixels = out.images * out.height * out.width,
                         tiles = (pixels + p.tile_pixels - 1) / p.tile_pixels,
                         slabs = (out.channels / options_.groups + p.tile_channels - 1) /
                                 p.tile_channels * options_.groups;
      if (pixels > (std::int64_t{1} << 30) || slabs > 65535) {
        throw policy_error(
            "method product counts up to 1073741824 pixels of all images and 65535 "
            "tiles of channels, and there are " +
            std::to_string(pixels) + " and " + std::to_string(slabs));
      }
      const auto items = static_cast<std::size_t>(p.group_items());
      return {2,
              {static_cast<std::size_t>(tiles) * items, static_cast<std::size_t>(slabs), 1},
              {items, 1, 1}};
    }
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
    cl::Kernel kernel = make_kernel(*program, "convolve_channels"), order;
    if (p.method == channels_method::product) order = make_kernel(*program, "order_filter");
    plans_.push_back({p, v, std::move(program), std::move(kernel), std::move(order)});
    return plans_.back();
  }

  cl::CommandQueue queue_;
  queue_facts on_;
  channels_options options_;
  std::deque<plan> plans_;
  workspace workspace_;
};

}  // namespace clprim
