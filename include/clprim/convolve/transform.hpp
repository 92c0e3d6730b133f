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

#include <clprim/convolve/passes.hpp>
#include <clprim/convolve/source.hpp>
#include <clprim/convolve/tiling.hpp>
#include <clprim/fft/convolution.hpp>
#include <clprim/runtime/program.hpp>

namespace clprim::detail {

/// What a convolution by transforms needs of its caller: the operands in place.
struct transform_call {
  const convolve_pass& pass;
  cl_mem tiles = nullptr;  ///< workspace of `bytes_of_tiles`
  cl_mem taps = nullptr;   ///< coefficients
  std::int64_t first_tap = 0;
  std::span<const std::byte> host_taps{};  ///< the same; empty: known to the device only
  std::span<const std::byte> border{};
  std::span<const cl::Event> waits{};
  std::span<const argument> arguments{};
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
  transform_plan(const convolve_pass& pass, const function& map, const cl::CommandQueue& queue,
                 const queue_facts& on)
    : queue_(queue),
      context_(on.context),
      variant_(pass.variant),
      policy_(pass.policy),
      tiling_(tiling_of(pass)),
      fft_(queue, {.axes = tiling_.transformed, .correlation = true, .circular = true}) {
    const std::string source = convolve_source(policy_, variant_, map);
    source_bytes_ = source.size();
    program_ = build(on.context, on.device, source, "");
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

  cl::Event run(const transform_call& call) {
    const convolve_pass& pass = call.pass;
    const std::int64_t count = all_tiles(pass);
    constexpr std::int64_t most = std::numeric_limits<std::int32_t>::max();
    if (count > most) {
      throw argument_error("tiles of a convolution by transforms",
                           "must be a number that is indexed", std::to_string(count),
                           "at most " + std::to_string(most));
    }
    if (call.host_taps.empty() || !std::ranges::equal(call.host_taps, kept_))
      transform_filter(call);
    const convolve_tiling tiling = tiling_of(pass);
    const auto& [x, y, z] = tiling.axes;
    cl_uint next = set_images(gather_(), call);
    set_tiles(gather_(), next, call.tiles, tiling, count);
    const std::int64_t deep = std::min<std::int64_t>(count, most_groups);
    const cl::Event gathered = enqueue(
        queue_(), gather_(), grid(x.points, std::int64_t{y.points} * z.points, deep), call.waits);
    std::vector<std::int64_t> extents{count};
    for (auto a = static_cast<std::size_t>(tiling.transformed); a-- > 0;)
      extents.push_back(tiling.axes[a].points);
    const array_view<T> tiles{
        .memory = call.tiles, .extents = extents, .strides = tight_strides(extents)};
    const cl::Event convolved = fft_(tiles, tiles, std::span(&gathered, 1));
    next = set_images(finish_(), call);
    set_tiles(finish_(), next, call.tiles, tiling, count);
    set_arguments(finish_(), next, call.arguments);
    const std::int64_t planes = pass.out.extent[2] * pass.batch;
    return enqueue(queue_(), finish_(),
                   grid(pass.out.extent[0] * variant_.channels,
                        std::min(pass.out.extent[1], std::int64_t{most_groups} * policy_.items_y),
                        std::min<std::int64_t>(planes, most_groups)),
                   std::span(&convolved, 1));
  }

 private:
  static constexpr std::int64_t most_groups = 65535;

  launch grid(std::int64_t x, std::int64_t y, std::int64_t z) const {
    const auto up = [](std::int64_t n, int group) {
      return static_cast<std::size_t>((n + group - 1) / group * group);
    };
    const auto across = static_cast<std::size_t>(policy_.items_x),
               down = static_cast<std::size_t>(policy_.items_y);
    return {3,
            {up(x, policy_.items_x), up(y, policy_.items_y), static_cast<std::size_t>(z)},
            {across, down, 1}};
  }

  /// The spectrum of new coefficients; calls in flight keep the buffers of the old ones. Those of
  /// the host wait for nothing: what becomes of the caller's events does not reach later calls.
  void transform_filter(const transform_call& call) {
    kept_.clear();  // until the spectrum is whole it is nobody's
    const std::span<const cl::Event> waits =
        call.host_taps.empty() ? call.waits : std::span<const cl::Event>{};
    std::vector<std::int64_t> extents, points;
    std::int64_t size = 1;
    const std::array<int, 3> spans{variant_.x.span(), variant_.y.span(), variant_.z.span()};
    for (std::size_t a = 0; a < 3; ++a) size *= spans[a];
    for (auto a = static_cast<std::size_t>(tiling_.transformed); a-- > 0;) {
      extents.push_back(spans[a]);
      points.push_back(tiling_.axes[a].points);
    }
    cl_int code = CL_SUCCESS;
    h_ = cl::Buffer(clCreateBuffer(context_(), CL_MEM_READ_WRITE,
                                   static_cast<std::size_t>(size) * sizeof(T), nullptr, &code),
                    false);
    check(code, "clCreateBuffer of a filter");
    set_args(spread_(), h_, static_cast<cl_int>(spans[0]), call.taps,
             static_cast<cl_int>(call.first_tap));
    const cl::Event spread =
        enqueue(queue_(), spread_(), grid(spans[0], std::int64_t{spans[1]} * spans[2], 1), waits);
    const array_view<T> h{.memory = h_(), .extents = extents, .strides = tight_strides(extents)};
    fft_.set_kernel(h, points, std::span(&spread, 1));
    kept_.assign(call.host_taps.begin(), call.host_taps.end());
  }

  cl_uint set_images(cl_kernel kernel, const transform_call& call) const {
    const convolve_pass& pass = call.pass;
    cl_uint next = 0;
    const auto set = [&](const convolve_image& i) {
      set_arg(kernel, next++, i.memory);
      for (const std::int64_t distance : {i.offset, i.pitch, i.slice, i.stride})
        set_arg(kernel, next++, static_cast<cl_long>(distance));
      for (const std::int64_t extent : i.extent)
        set_arg(kernel, next++, static_cast<cl_int>(extent));
    };
    set(pass.in);
    for (const int first : pass.first) set_arg(kernel, next++, static_cast<cl_int>(first));
    set(pass.out);
    check(clSetKernelArg(kernel, next++, call.border.size(), call.border.data()),
          "clSetKernelArg of the border's value");
    return next;
  }
  static void set_tiles(cl_kernel kernel, cl_uint& next, cl_mem tiles,
                        const convolve_tiling& tiling, std::int64_t count) {
    set_arg(kernel, next++, tiles);
    const auto& [x, y, z] = tiling.axes;
    for (const int points : {x.points, y.points, z.points})
      set_arg(kernel, next++, static_cast<cl_int>(points));
    for (const std::int64_t along : {x.tiles, y.tiles, z.tiles})
      set_arg(kernel, next++, static_cast<cl_int>(along));
    for (const int outputs : {x.outputs, y.outputs, z.outputs})
      set_arg(kernel, next++, static_cast<cl_int>(outputs));
    set_arg(kernel, next++, static_cast<cl_int>(count));
  }

  cl::CommandQueue queue_;
  cl::Context context_;
  convolve_variant variant_;
  convolve_policy policy_;
  convolve_tiling tiling_;  // of the first problem; later ones have as many points
  fft_convolution<T> fft_;
  std::size_t source_bytes_ = 0;
  std::shared_ptr<const built_program> program_;
  cl::Kernel gather_, finish_, spread_;
  cl::Buffer h_;
  std::vector<std::byte> kept_;  // the host's coefficients whose spectrum there is
};

}  // namespace clprim::detail
