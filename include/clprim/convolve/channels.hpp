#pragma once
// Convolution of many channels, as neural networks have it: images, height and width, channels in
// planes (NCHW) or side by side (NHWC), groups and depthwise.

#include <algorithm>
#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <numeric>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <clprim/convolve/channels_schedule.hpp>
#include <clprim/convolve/channels_source.hpp>
#include <clprim/convolve/channels_view.hpp>
#include <clprim/convolve/layer_products.hpp>
#include <clprim/convolve/problem.hpp>
#include <clprim/gemm/self_test.hpp>
#include <clprim/runtime/explain_kernel.hpp>
#include <clprim/runtime/operation.hpp>
#include <clprim/runtime/plan_cache.hpp>
#include <clprim/runtime/program.hpp>

namespace clprim {

/// Correlations of many channels on one queue: out(n, k, y, x) is the sum over the input channels c
/// of k's group and the taps of filter(k, c, ky, kx) times in(n, c, y stride + ky dilation -
/// padding, …). Elements are half, float or double; sums of half are float.
///
/// Method `product` is GEMM's kernel, matrix units included, whose columns are the windows of the
/// images' pixels: filter and images are copied to the workspace first, as lines of channels.
///
///     clprim::convolve_channels<float> layer(queue, {.padding = {1, 1}});
///     layer(clprim::nchw<float>(x, 8, 64, 56, 56), clprim::nchw<float>(w, 128, 64, 3, 3),
///           clprim::nchw<float>(y, 8, 128, 56, 56));
template <scalar_type T>
requires(!facts_of(scalar_of<T>).is_complex) class convolve_channels : public operation {
 public:
  using view = channels_view<T>;

  /// On this queue; nothing is built before the first call asks for it. For one thread at a time.
  /// Throws policy_error for a policy that breaks its rules, argument_error for options that cannot
  /// be, device_error for double where there is none.
  explicit convolve_channels(const queue_handle& queue, channels_options options = {})
    : operation(queue, options.completion, options.math), options_(std::move(options)) {
    check_function(options_.map, "the map", {"value", "x", "y", "z", "channel", "batch"});
    detail::require_step(options_.stride.x, "stride", "x");
    detail::require_step(options_.stride.y, "stride", "y");
    detail::require_step(options_.dilation.x, "dilation", "x");
    detail::require_step(options_.dilation.y, "dilation", "y");
    for (const int pad : options_.padding) {
      detail::require_at_least(pad, 0, "padding", "the input", "must not be negative");
      if (pad <= most) continue;
      throw argument_error("padding of the input", "must stay within 32-bit indexing",
                           std::to_string(pad), "at most " + std::to_string(most));
    }
    detail::require_at_least(options_.groups, 1, "groups", "the channels", "must be positive");
    if (describe_element<T>().needs_fp64 && !device().fp64) {
      throw device_error("this convolution needs double precision (cl_khr_fp64), which " +
                         device().name + " lacks");
    }
    if (options_.precision != gemm_precision::full && !std::same_as<T, float>) {
      throw argument_error(
          "the precision of a convolution of " + std::string(facts_of(scalar_of<T>).name),
          "must be full", std::string(to_string(options_.precision)), "full");
    }
    if (options_.policy) check_policy(*options_.policy);
    if (options_.product) check_product(*options_.product);
  }

  /// Enqueues the convolution and returns its event. Runs after `waits`, on out-of-order queues
  /// too; `arguments` are those of the map's parameters. Throws argument_error before anything is
  /// enqueued for shapes that do not fit each other, buffers that are too small and an output that
  /// shares memory with input or filter.
  cl::Event operator()(const view& in, const view& filter, const view& out, wait_list waits = {},
                       argument_list arguments = {}) {
    check_arguments(options_.map, arguments);
    const checked_call c = checked(in, filter, out);
    check_operands(c.operands, arguments);
    command_chain commands(*this, waits);
    if (out.size() == 0) return commands.end();
    const channels_schedule s = schedule_of(c, in, filter, out);
    if (!s.ways.empty()) {
      const layer_size layer = layer_of(c, in, filter, out);
      known_.find_or_make(is(layer), [&] { return known_layer{layer, s.ways}; });
      return products_.enqueue(commands, s.ways, s.workspace_bytes, {in, filter, out}, options_.map,
                               arguments, on(), math());
    }
    const std::shared_ptr<plan> built = plan_of(s);
    const cl_kernel kernel = built->kernel();
    set_args(kernel, in.memory, static_cast<cl_long>(in.offset), static_cast<cl_int>(in.channels),
             static_cast<cl_int>(in.height), static_cast<cl_int>(in.width), filter.memory,
             static_cast<cl_long>(filter.offset), out.memory, static_cast<cl_long>(out.offset),
             static_cast<cl_int>(out.channels), static_cast<cl_int>(out.height),
             static_cast<cl_int>(out.width));
    set_arguments(kernel, set_grid(kernel, 12, s.grid), arguments);
    return commands.run_last(kernel, s.kernel);
  }
  /// Builds what that call needs and reserves its workspace.
  void prepare(const view& in, const view& filter, const view& out) {
    const channels_schedule s = schedule(in, filter, out);
    if (out.size() == 0) return;
    if (s.ways.empty()) plan_of(s);
    for (const layer_way& way : s.ways) products_.prepare(way, options_.map, on(), math());
    command_chain commands(*this, {});
    commands.workspace(s.workspace_bytes);
    if (s.ways.size() > 1) commands.counters(s.ways.size() - 1);
  }

  /// What runs. Throws as the call.
  channels_schedule schedule(const view& in, const view& filter, const view& out) const {
    require_queue();
    return schedule_of(checked(in, filter, out), in, filter, out);
  }
  /// Throws as operation::use_workspace.
  void use_workspace(memory_handle buffer) {
    operation::use_workspace(buffer);
    known_.clear();
  }
  /// Bytes of workspace that it uses: for method product those of the copies of filter and images.
  std::size_t workspace_bytes(const view& in, const view& filter, const view& out) const {
    return schedule(in, filter, out).workspace_bytes;
  }
  /// What it runs, for a person: policy, launches, memory, work. Builds what the call would.
  std::string explain(const view& in, const view& filter, const view& out) {
    const channels_schedule s = schedule(in, filter, out);
    const channels_variant& v = s.variant;
    const double products = static_cast<double>(out.size()) * v.group_inputs * v.taps_y * v.taps_x;
    std::string launches;
    if (out.size() > 0 && s.ways.empty()) {
      const std::shared_ptr<plan> built = plan_of(s);
      launches = explain_kernel(
          device(), s.kernel, "",
          resources_of(*built->program, built->kernel, "convolve_channels", on().device), 0, false);
    }
    for (const layer_way& way : s.ways)
      launches += products_.explain(way, options_.map, on(), math());
    return explain_head(title_of(in, filter, out), s.workspace_bytes,
                        plans_.size() + products_.programs()) +
           "  policy     " + to_string(s.policy) + "\n" + passed_over(s) + launches +
           "  work       " + fixed_text(products, 0) + " multiply-adds\n";
  }
  /// The OpenCL C source that it runs.
  std::string source(const view& in, const view& filter, const view& out) const {
    const channels_schedule s = schedule(in, filter, out);
    if (!s.ways.empty())
      return gemm_source(s.ways.front().product.policy, s.ways.front().product.variant,
                         options_.map);
    return channels_source(s.policy, s.variant, options_.map);
  }

  /// Height and width of the output; 0 for taps that span more than the padded input. Throws
  /// argument_error for extents that are not indexed.
  std::array<std::int64_t, 2> extent(const view& in, const view& filter) const {
    for (const std::int64_t n : {in.height, in.width}) require_indexed(n, 0, most, "the input");
    for (const std::int64_t n : {filter.height, filter.width})
      require_indexed(n, 0, 4096, "the filter");
    const auto along = [](std::int64_t n, std::int64_t pad, std::int64_t taps,
                          std::int64_t dilation, std::int64_t stride) {
      const std::int64_t places = n + 2 * pad - ((taps - 1) * dilation + 1);
      return n == 0 || taps < 1 || places < 0 ? 0 : places / stride + 1;
    };
    return {
        along(in.height, options_.padding[0], filter.height, options_.dilation.y,
              options_.stride.y),
        along(in.width, options_.padding[1], filter.width, options_.dilation.x, options_.stride.x)};
  }

 private:
  struct plan {
    channels_policy policy;
    channels_variant variant;
    std::shared_ptr<const built_program> program;
    cl::Kernel kernel;
  };
  struct known_layer {
    layer_size layer;
    std::vector<layer_way> ways;
  };
  struct checked_call {
    channels_variant variant;
    std::array<operand, 3> operands;
  };
  static constexpr std::int64_t most = std::int64_t{1} << 30;  // along an axis

  static void require_indexed(std::int64_t n, std::int64_t least, std::int64_t allowed,
                              const char* of) {
    if (n >= least && n <= allowed) return;
    throw argument_error(std::string("extent of ") + of, "must be one that is indexed",
                         std::to_string(n),
                         std::to_string(least) + " to " + std::to_string(allowed));
  }
  checked_call checked(const view& in, const view& filter, const view& out) const {
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
      require_at_least(taps_along, 1, "taps", "the filter", "must be a size that a filter has");
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
    const channels_variant v{.type = describe_element<T>(),
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
                             .images_last = in.channels_last,
                             .filter_last = filter.channels_last,
                             .output_last = out.channels_last};
    return {v, {{{"the input", from}, {"the filter", taps}, {"the output", to, true}}}};
  }

  void check_policy(const channels_policy& policy) const {
    require_rules(policy);
    rule(policy.items <= device().max_work_group,
         "the policy's work-group must fit the device's limit of work-items", policy.items,
         device().max_work_group);
  }
  /// Throws policy_error or device_error where a policy of GEMM's does not fit the device.
  void check_product(const gemm_policy& policy) const {
    require_rules(policy);
    const bool units = serves(policy.instruction, options_.precision);
    // What tiles take is known where the layer is: its windows may share lines.
    check_device_rules(policy, scalar_of<T>, device(),
                       units ? options_.precision : gemm_precision::full, std::int64_t{0});
  }
  /// A line of `explain` where the precision is not what the caller allows.
  std::string passed_over(const channels_schedule& s) const {
    const gemm_precision wanted = options_.precision;
    if (wanted == gemm_precision::full ||
        (!s.ways.empty() && s.ways.front().product.variant.precision != gemm_precision::full))
      return {};
    std::string why = "the copies have no room in the workspace";
    if (s.ways.empty()) {
      why = "method direct computes in full";
    } else if (options_.product) {
      why = "the policy's instruction is " + std::string(to_string(options_.product->instruction));
    } else if (!device().warp_group_products) {
      why = "the device has no matrix units for it";
    } else if (const std::string off = detail::why_no_products_by<float>(gemm_instruction::wgmma,
                                                                         buffering::async, on());
               !off.empty()) {
      why = off;
    }
    return "  precision  " + std::string(to_string(wanted)) + " is not used: " + why + "\n";
  }
  /// What is done, in a line.
  std::string title_of(const view& in, const view& filter, const view& out) const {
    return "convolution of " + std::to_string(in.channels) + " to " + std::to_string(out.channels) +
           " channels of " + std::string(facts_of(scalar_of<T>).name) + ", " +
           std::to_string(filter.height) + " x " + std::to_string(filter.width) + " taps, " +
           std::to_string(options_.groups) + " groups, " + std::to_string(out.images) +
           " images of " + std::to_string(out.height) + " x " + std::to_string(out.width);
  }
  channels_schedule schedule_of(const checked_call& c, const view& in, const view& filter,
                                const view& out) const {
    return by_policy(
        options_.policy, [&] { return title_of(in, filter, out); },
        [&](const std::optional<channels_policy>& own) {
          if (own) check_policy(*own);
          return schedule_of(c, in, filter, out, own);
        });
  }
  channels_schedule schedule_of(const checked_call& c, const view& in, const view& filter,
                                const view& out, const std::optional<channels_policy>& own) const {
    const bool wants_product = options_.product && !own;
    channels_schedule s{
        .policy = own ? *own
                      : tuned_channels(device(), {.bytes = static_cast<int>(sizeof(T)),
                                                  .group_inputs = in.channels / options_.groups,
                                                  .group_outputs = out.channels / options_.groups}),
        .variant = c.variant};
    if (wants_product) s.policy.method = channels_method::product;
    if (out.size() == 0) return s;
    if (s.policy.method == channels_method::product) {
      s.ways = ways_of(layer_of(c, in, filter, out));
      for (const layer_way& way : s.ways)
        s.workspace_bytes = std::max(s.workspace_bytes, layer_spaces_of(way).bytes);
      if (!s.ways.empty()) return s;
      if (own || wants_product)
        refuse_product(layer_of(c, in, filter, out), title_of(in, filter, out));
      s.policy.method = channels_method::direct;
    }
    s.grid = detail::grid_of(s.policy, out, options_.groups);
    s.variant.flat = s.grid.flat();
    s.kernel = launch_of(s.grid, {s.policy.items, 1, 1}, "of a convolution of channels");
    return s;
  }

  layer_size layer_of(const checked_call& c, const view& in, const view& filter,
                      const view& out) const {
    const auto axis = [](std::int64_t extent, std::int64_t made, std::int64_t taps, int stride,
                         int dilation, int pad) {
      return window_axis{.extent = static_cast<int>(extent),
                         .out = static_cast<int>(made),
                         .taps = static_cast<int>(taps),
                         .stride = stride,
                         .dilation = dilation,
                         .pad = pad};
    };
    const auto aligned = [](const view& v) {
      return std::gcd(detail::aligned_elements(v.memory, sizeof(T)),
                      detail::common_alignment(v.offset));
    };
    return {.type = scalar_of<T>,
            .y = axis(in.height, out.height, filter.height, options_.stride.y, options_.dilation.y,
                      options_.padding[0]),
            .x = axis(in.width, out.width, filter.width, options_.stride.x, options_.dilation.x,
                      options_.padding[1]),
            .images = in.images,
            .groups = options_.groups,
            .inputs = c.variant.group_inputs,
            .outputs = c.variant.group_outputs,
            .alignment = aligned(out),
            .filter_alignment = aligned(filter),
            .image_alignment = aligned(in),
            .images_last = in.channels_last,
            .filter_last = filter.channels_last,
            .output_last = out.channels_last};
  }
  /// The ways through a layer by method product. Throws device_error where an instruction is
  /// demanded that does not work.
  std::vector<layer_way> ways_of(const layer_size& layer) const {
    if (const known_layer* known = known_.peek(is(layer))) return known->ways;
    return ways_within(room(), layer);
  }
  std::vector<layer_way> ways_within(std::size_t room, const layer_size& layer) const {
    std::vector<layer_way> ways;
    detail::proven_schedule<T>(
        on(),
        [&](const device_facts& facts) {
          ways = layer_ways(layer, options_.product, options_.precision, room, facts);
          return ways.empty() ? gemm_schedule{} : ways.front().product;
        },
        options_.product.has_value());
    return ways;
  }
  /// Bytes of workspace that the object may have.
  std::size_t room() const {
    return held().is_given() ? held().bytes()
                             : static_cast<std::size_t>(device().max_allocation_bytes);
  }
  /// Says why a layer for which method product is demanded has no way through it.
  [[noreturn]] void refuse_product(const layer_size& layer, const std::string& title) const {
    const auto ways = ways_within(std::numeric_limits<std::size_t>::max(), layer);
    if (ways.empty()) {
      throw argument_error("a convolution by method product",
                           "must fit local memory and 32-bit indexing", title,
                           "a smaller one, or method direct");
    }
    throw argument_error("the workspace of a layer", "must hold the copies of filter and images",
                         std::to_string(room()) + " bytes",
                         std::to_string(layer_spaces_of(ways.back()).bytes) + " bytes");
  }
  static auto is(const layer_size& layer) {
    return [&layer](const known_layer& one) { return one.layer == layer; };
  }

  std::shared_ptr<plan> plan_of(const channels_schedule& s) {
    return plans_.find_or_make(
        [&](const plan& one) { return one.policy == s.policy && one.variant == s.variant; },
        [&] {
          plan made{s.policy, s.variant, {}, {}};
          const std::string source = channels_source(s.policy, s.variant, options_.map);
          made.program = build(on().context, on().device, source, "", math());
          made.kernel = make_kernel(*made.program, "convolve_channels");
          return made;
        });
  }

  channels_options options_;
  plan_cache<plan> plans_;
  detail::layer_products<T> products_;
  plan_cache<known_layer> known_;
};

}  // namespace clprim
