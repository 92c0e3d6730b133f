#pragma once
// What a convolution runs, in a few lines for a person.

#include <string>

#include <clprim/convolve/plan.hpp>
#include <clprim/convolve/transform.hpp>
#include <clprim/convolve/tuned.hpp>
#include <clprim/core/number_text.hpp>
#include <clprim/runtime/explain_kernel.hpp>

namespace clprim {

/// What part of a group's work-items has something to do while tile and apron are loaded, and while
/// outputs are computed. The lecture "OpenCL optimization techniques" counts the latter for tiles
/// of 8 x 8 and filters of 9 x 9: 25 %, 50 % and 100 % for its three ways to load.
struct active_items {
  double loading = 1;
  double computing = 1;
};

inline active_items active_items_of(const convolve_policy& p, const convolve_variant& v) {
  const convolve_geometry g = geometry_of(p, v);
  if (p.method != convolve_method::tile) return {};
  const double items = static_cast<double>(g.group_x) * g.group_y;
  return {static_cast<double>(g.tile_x) * g.tile_y / (items * g.block_x * g.block_y),
          p.items_x * p.items_y / items};
}

namespace detail {

inline std::string percent(double part) { return general_text(100 * part, 3) + " %"; }

/// Multiply-adds of a pass.
inline double products_of(const convolve_pass& pass) {
  double n = pass.variant.taps() * pass.variant.channels * static_cast<double>(pass.batch);
  for (const std::int64_t e : pass.out.extent) n *= static_cast<double>(e);
  return n;
}

/// Bytes that a pass must read and write at least.
inline double bytes_of(const convolve_pass& pass) {
  const auto volume = [&](const convolve_image& i, int bytes) {
    return static_cast<double>(i.extent[0]) * static_cast<double>(i.extent[1]) *
           static_cast<double>(i.extent[2]) * static_cast<double>(pass.batch) *
           pass.variant.channels * bytes;
  };
  return volume(pass.in, pass.variant.in.bytes) + volume(pass.out, pass.variant.out.bytes);
}

}  // namespace detail

inline std::string explain_cost(const convolve_cost& cost) {
  return "  cost       of an output: " + fixed_text(cost.direct, 0) +
         " multiply-adds directly, as much as about " + fixed_text(cost.transforms, 0) +
         " by transforms (estimated)\n";
}

/// The text of a convolution by transforms, up to its launches. `fft_bytes`: what lies between the
/// transforms.
inline std::string explain_tiles(const convolve_pass& pass, std::size_t source_bytes,
                                 std::size_t fft_bytes) {
  const convolve_tiling t = detail::tiling_of(pass);
  const auto& [x, y, z] = t.axes;
  std::string text = "  policy     " + to_string(pass.policy) + "\n";
  text +=
      "  source     " + std::to_string(source_bytes) + " bytes of OpenCL C around the transforms\n";
  text += "  transforms " + std::to_string(detail::all_tiles(pass)) + " tiles of " +
          std::to_string(z.points) + " x " + std::to_string(y.points) + " x " +
          std::to_string(x.points) + " points, of which " + std::to_string(z.outputs) + " x " +
          std::to_string(y.outputs) + " x " + std::to_string(x.outputs) + " are outputs; " +
          std::to_string(fft_bytes) + " bytes between the transforms, of the last call\n";
  return text;
}

/// The text of one pass: policy, apron, launch, resources, residency, work.
inline std::string explain_pass(const convolve_pass& pass, const convolve_plan& plan,
                                const device_facts& device, const kernel_resources& used) {
  const convolve_variant& v = pass.variant;
  const convolve_geometry g = geometry_of(pass.policy, v);
  const bool barriers =
      pass.policy.method == convolve_method::tile || passes_rows(pass.policy.method);
  const active_items active = active_items_of(pass.policy, v);
  std::string text = "  policy     " + to_string(pass.policy) + "\n";
  text += "  source     " + std::to_string(plan.source_bytes) + " bytes of OpenCL C\n";
  text += "  accesses   of " + std::to_string(g.vector) + " elements, " +
          (g.in_aligned && g.out_aligned ? "aligned" : "at any address") +
          (g.async ? ", copied to local memory past the registers" : "") + "\n";
  if (g.tile_x > 0) {
    text += "  apron      tile and apron of " + std::to_string(g.tile_x) + " x " +
            std::to_string(g.tile_y) + " elements for " + std::to_string(g.out_x) + " x " +
            std::to_string(g.out_y) + " outputs; active while loading " +
            detail::percent(active.loading) + ", while computing " +
            detail::percent(active.computing) + " of the items\n";
  }
  text +=
      explain_kernel(device, launch_of(pass),
                     std::to_string(g.out_x) + " x " + std::to_string(g.out_y) + " outputs each",
                     used, g.local_bytes, barriers);
  return text + "  work       " + fixed_text(2e-9 * detail::products_of(pass), 3) +
         " GFLOP, at least " + fixed_text(1e-6 * detail::bytes_of(pass), 3) +
         " MB read and written\n";
}

}  // namespace clprim
