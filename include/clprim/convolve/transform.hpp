#pragma once
// Convolution by transforms: tiles cut out with their borders, convolved in a circle, joined.

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <clprim/convolve/plan.hpp>
#include <clprim/convolve/source.hpp>
#include <clprim/convolve/tiling.hpp>
#include <clprim/fft/convolution.hpp>
#include <clprim/runtime/explain_kernel.hpp>
#include <clprim/runtime/program.hpp>

namespace clprim::detail {

/// What a convolution by transforms needs of its caller besides the filter.
struct transform_call {
  const convolve_pass& pass;
  cl_mem tiles = nullptr;  ///< workspace of `bytes_of_tiles`
  std::span<const std::byte> border{};
  argument_list arguments{};
};

/// The tiles of a pass, and how many there are in all.
inline convolve_tiling tiling_of(const convolve_pass& pass) {
  const convolve_variant& v = pass.variant;
  return clprim::tiling_of(pass.policy, pass.out.extent, {v.x.taps, v.y.taps, v.z.taps},
                           {v.x.stride, v.y.stride, v.z.stride},
                           {v.x.dilation, v.y.dilation, v.z.dilation});
}
inline std::int64_t all_tiles(const convolve_pass& pass) {
  return saturated(tiling_of(pass).tiles(), pass.batch * pass.variant.channels);
}
inline std::int64_t bytes_of_tiles(const convolve_pass& pass) {
  return saturated(saturated(all_tiles(pass), tiling_of(pass).points()), pass.variant.sum.bytes);
}

/// The kernels around the transforms of one kind of problem, in sums of T, and the filter's
/// spectrum.
template <class T> class transform_plan {
 public:
  std::int64_t table_bytes = 0;  ///< of the spectrum and the filter

  /// `inner`: whether the transforms' commands have events.
  transform_plan(const convolve_pass& pass, const function& map, const cl::CommandQueue& queue,
                 const queue_facts& on, completion inner, math_mode math)
    : context_(on.context),
      variant_(pass.variant),
      policy_(pass.policy),
      tiling_(tiling_of(pass)),
      fft_(queue, options_of(tiling_, inner)) {
    table_bytes = tiling_.points() * static_cast<std::int64_t>(2 * sizeof(T));
    const std::string source = convolve_source(policy_, variant_, map);
    source_bytes_ = source.size();
    program_ = build(on.context, on.device, source, "", math);
    gather_ = make_kernel(*program_, "gather");
    finish_ = make_kernel(*program_, "finish");
    spread_ = make_kernel(*program_, "spread");
  }

  bool serves(const convolve_pass& pass) const {
    const convolve_tiling t = tiling_of(pass);
    for (std::size_t a = 0; a < 3; ++a)
      if (t.axes[a].points != tiling_.axes[a].points) return false;
    return pass.variant == variant_ && pass.policy == policy_;
  }
  std::size_t source_bytes() const { return source_bytes_; }
  std::size_t workspace_bytes() const { return fft_.workspace_bytes(); }
  /// The lines of `explain` about the kernels before and behind the transforms.
  std::string explain_launches(const convolve_pass& pass, const cl::Device& on,
                               const device_facts& device) const {
    const auto lines = [&](const char* name, const cl::Kernel& kernel, const launch& l) {
      return std::string("  kernel ") + name + "\n" +
             explain_kernel(device, l, "", resources_of(*program_, kernel, name, on), 0, false);
    };
    return lines("gather", gather_, gather_range(tiling_of(pass), all_tiles(pass))) +
           lines("finish", finish_, finish_range(pass));
  }

  /// Whether the spectrum is that of these coefficients of the host.
  bool knows(std::span<const std::byte> host) const {
    return !host.empty() && std::ranges::equal(host, kept_);
  }
  /// Enqueues the spectrum of the coefficients at `taps`, from element `first` on; `host`: the
  /// same, where they are known there. Calls in flight keep the buffers of the old ones.
  template <class Chain>
  void transform_filter(cl_mem taps, std::int64_t first, std::span<const std::byte> host,
                        Chain& commands) {
    kept_.clear();  // until the spectrum is whole it is nobody's
    std::vector<std::int64_t> extents, points;
    std::int64_t size = 1;
    const std::array<int, 3> spans{variant_.x.span(), variant_.y.span(), variant_.z.span()};
    for (std::size_t a = 0; a < 3; ++a) size *= spans[a];
    for (auto a = static_cast<std::size_t>(tiling_.transformed); a-- > 0;) {
      extents.push_back(spans[a]);
      points.push_back(tiling_.axes[a].points);
    }
    cl_int code = CL_SUCCESS;
    cl::Buffer spread(clCreateBuffer(context_(), CL_MEM_READ_WRITE,
                                     static_cast<std::size_t>(size) * sizeof(T), nullptr, &code),
                      false);
    check(code, "clCreateBuffer of a filter");
    set_args(spread_(), spread, static_cast<cl_int>(spans[0]), taps, static_cast<cl_int>(first));
    commands.run(spread_(), grid(spans[0], std::int64_t{spans[1]} * spans[2], 1));
    fft_.set_kernel({.memory = spread(), .extents = extents, .strides = tight_strides(extents)},
                    points, commands.waits());
    kept_.assign(host.begin(), host.end());
  }

  /// Enqueues the convolution by the filter transformed last, behind the commands so far.
  template <class Chain> cl::Event run(const transform_call& call, Chain& commands) {
    const convolve_pass& pass = call.pass;
    const std::int64_t count = all_tiles(pass);
    constexpr std::int64_t most = std::numeric_limits<std::int32_t>::max();
    if (count > most) {
      throw argument_error("tiles of a convolution by transforms",
                           "must be a number that is indexed", std::to_string(count),
                           "at most " + std::to_string(most));
    }
    const convolve_tiling tiling = tiling_of(pass);
    set_tiles(gather_(), call, tiling, count);
    commands.run(gather_(), gather_range(tiling, count));
    std::vector<std::int64_t> extents{count};
    for (auto a = static_cast<std::size_t>(tiling.transformed); a-- > 0;)
      extents.push_back(tiling.axes[a].points);
    const array_view<T> tiles{
        .memory = call.tiles, .extents = extents, .strides = tight_strides(extents)};
    commands.after(fft_(tiles, tiles, commands.waits()));
    set_arguments(finish_(), set_tiles(finish_(), call, tiling, count), call.arguments);
    return commands.run_last(finish_(), finish_range(pass));
  }

 private:
  /// Items along x, y and z. Along y and z the kernels go on in steps where there are more than
  /// group_grid has.
  launch grid(std::int64_t x, std::int64_t y, std::int64_t z) const {
    const std::int64_t items_x = policy_.items_x, items_y = policy_.items_y;
    return launch_of({(x + items_x - 1) / items_x,
                      std::min((y + items_y - 1) / items_y, group_grid::most_beside),
                      std::min(z, group_grid::most_beside)},
                     {policy_.items_x, policy_.items_y, 1}, "of a convolution by transforms");
  }
  launch gather_range(const convolve_tiling& tiling, std::int64_t count) const {
    const auto& [x, y, z] = tiling.axes;
    return grid(x.points, std::int64_t{y.points} * z.points, count);
  }
  launch finish_range(const convolve_pass& pass) const {
    return grid(pass.out.extent[0] * variant_.channels, pass.out.extent[1],
                pass.out.extent[2] * pass.batch);
  }

  /// Sets the operands of gather and finish; the number of the next argument.
  static cl_uint set_tiles(cl_kernel kernel, const transform_call& call,
                           const convolve_tiling& tiling, std::int64_t count) {
    cl_uint next = set_images(kernel, call.pass, nullptr, call.border);
    set_arg(kernel, next++, call.tiles);
    const auto& [x, y, z] = tiling.axes;
    for (const int points : {x.points, y.points, z.points})
      set_arg(kernel, next++, static_cast<cl_int>(points));
    for (const std::int64_t along : {x.tiles, y.tiles, z.tiles})
      set_arg(kernel, next++, static_cast<cl_int>(along));
    for (const int outputs : {x.outputs, y.outputs, z.outputs})
      set_arg(kernel, next++, static_cast<cl_int>(outputs));
    set_arg(kernel, next++, static_cast<cl_int>(count));
    return next;
  }
  static fft_convolution_options options_of(const convolve_tiling& tiling, completion inner) {
    fft_convolution_options o{.axes = tiling.transformed, .correlation = true, .circular = true};
    const auto set = [inner](auto& all) {
      if constexpr (requires { all.completion; }) all.completion = inner;
    };
    set(o);
    return o;
  }

  cl::Context context_;
  convolve_variant variant_;
  convolve_policy policy_;
  convolve_tiling tiling_;  // of the first problem; later ones have as many points
  fft_convolution<T> fft_;
  std::size_t source_bytes_ = 0;
  std::shared_ptr<const built_program> program_;
  cl::Kernel gather_, finish_, spread_;
  std::vector<std::byte> kept_;  // the host's coefficients whose spectrum there is
};

}  // namespace clprim::detail
