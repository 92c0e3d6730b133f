#pragma once
// policy + variant -> the OpenCL C source of a convolution of many channels, method direct. Needs
// no device.

#include <string>

#include <clprim/convolve/channels_policy.hpp>
#include <clprim/convolve/element.hpp>
#include <clprim/core/function.hpp>
#include <clprim/core/source.hpp>
#include <clprim/runtime/group_grid.hpp>

namespace clprim {
namespace convolve_text {

inline constexpr kernel_text channels_kernel = R"cl(
// out(n, k, y, x) = sum over c, ky, kx of filter(k, c, ky, kx) in(n, c, y', x'), the c of k's group
//
//   an item: PX outputs of a row, of PK output channels at once
//
//        input channel c                output channels k0 ... k0 + PK - 1
//      +---------------+              +---------------+
//      |  [ window ]   |      ->      |    [ PX ]     |+      each element that is read serves PK
//      |               |              |               |+      outputs, each coefficient PX
//      +---------------+              +---------------+
//
// Outside the image lie zeros; a product with them is left out, not taken: coefficients may be
// infinite.
__attribute__((reqd_work_group_size(ITEMS, 1, 1)))
__kernel void convolve_channels(const __global STORED *restrict in, const long in_offset,
                                const int in_channels, const int in_height, const int in_width,
                                const __global STORED *restrict filter, const long filter_offset,
                                __global STORED *restrict out, const long out_offset,
                                const int out_channels, const int out_height,
                                const int out_width GRID_PARAMETERS USER_PARAMETERS)
{
    const int x0 = GLOBAL_ID_X * PX, y = GLOBAL_ID_Y;
    const int slab = GROUP_ID_Z % (SLABS * GROUPS_OF(out_channels));
    const int image = GROUP_ID_Z / (SLABS * GROUPS_OF(out_channels));
    const int group = slab / SLABS, k0 = slab % SLABS * PK;
    if (x0 >= out_width) return;
    SUM acc[PK][PX];
    EACH for (int k = 0; k < PK; ++k)
        EACH for (int j = 0; j < PX; ++j) acc[k][j] = 0;
    const long plane = (long)in_height * in_width;
    const long channel_step = IMAGES_LAST ? 1 : plane, pixel_step = IMAGES_LAST ? in_channels : 1;
    const __global STORED *source = in + in_offset + (long)image * in_channels * plane +
                                    group * GROUP_INPUTS * channel_step;
    // Channels past the group's last one repeat it, and are not stored.
    const __global STORED *taps =
        filter + filter_offset + (long)group * GROUP_OUTPUTS * GROUP_INPUTS * KY * KX;
    for (int c = 0; c < GROUP_INPUTS; ++c, source += channel_step) {
        for (int ky = 0; ky < KY; ++ky) {
            const int at_y = y * SY + ky * DY - PAD_Y;
            if (at_y >= 0 && at_y < in_height) {
                const __global STORED *const row = source + (long)at_y * in_width * pixel_step;
                for (int kx = 0; kx < KX; ++kx) {
                    const int x = x0 * SX + kx * DX - PAD_X;
                    SUM w[PK];
                    EACH for (int k = 0; k < PK; ++k)
                        w[k] = LOAD_ONE(taps + TAP_AT((long)min(k0 + k, GROUP_OUTPUTS - 1)));
                    if (x >= 0 && x + (PX - 1) * SX < in_width) {
                        EACH for (int j = 0; j < PX; ++j) {
                            const SUM value = LOAD_ONE(row + (x + j * SX) * pixel_step);
                            EACH for (int k = 0; k < PK; ++k)
                                acc[k][j] = fma(w[k], value, acc[k][j]);
                        }
                    } else {
                        EACH for (int j = 0; j < PX; ++j) {
                            if (x + j * SX >= 0 && x + j * SX < in_width) {
                                const SUM value = LOAD_ONE(row + (x + j * SX) * pixel_step);
                                EACH for (int k = 0; k < PK; ++k)
                                    acc[k][j] = fma(w[k], value, acc[k][j]);
                            }
                        }
                    }
                }
            }
        }
    }
    EACH for (int k = 0; k < PK; ++k) {
        if (k0 + k < GROUP_OUTPUTS) {
            const int channel = group * GROUP_OUTPUTS + k0 + k;
            const long first =
                OUTPUT_LAST
                    ? (((long)image * out_height + y) * out_width + x0) * out_channels + channel
                    : (((long)image * out_channels + channel) * out_height + y) * out_width + x0;
            EACH for (int j = 0; j < PX; ++j)
                if (x0 + j < out_width)
                    STORE_ONE(out + out_offset + first + (OUTPUT_LAST ? (long)j * out_channels : j),
                              MAP_VALUE(acc[k][j], x0 + j, y, 0, channel, image));
        }
    }
}
)cl";

}  // namespace convolve_text

/// The OpenCL C source of a convolution of many channels by method direct: kernel
/// `convolve_channels`. `map` is as that of convolve_source. Throws policy_error when `p` breaks a
/// rule.
inline std::string channels_source(const channels_policy& p, const channels_variant& v,
                                   const function& map = {}) {
  using namespace convolve_text;
  check_rules(p);
  const element sum{.bytes = v.type.needs_fp64 ? 8 : 4,
                    .name = v.type.needs_fp64 ? "double" : "float",
                    .needs_fp64 = v.type.needs_fp64};
  source_builder out;
  out.banner("clprim convolution of " + std::to_string(v.group_inputs) + " to " +
             std::to_string(v.group_outputs) + " channels of a group\n" + to_string(p));
  if (sum.needs_fp64) out.line("#pragma OPENCL EXTENSION cl_khr_fp64 : enable");
  const function user = carried(map);
  if (!map.empty()) {
    out.line("inline " + std::string(sum.name) + " map_value(const " + std::string(sum.name) +
             " value, const int x, const int y, const int z, const int channel, const int batch" +
             parameter_list(map) + ")\n{\n" + map.body + "\n}");
  }
  out.define("USER_PARAMETERS", map.empty() ? "" : parameter_list(user));
  out.define("MAP_VALUE(v, x, y, z, channel, batch)",
             map.empty() ? "(v)" : "map_value(v, x, y, z, channel, batch" + call_list(user) + ")");
  out.define_policy(p);
  out.define("PX", p.per_item_x);
  out.define("PK", p.per_item_channels);
  out.define("KX", v.taps_x);
  out.define("KY", v.taps_y);
  out.define("SX", v.stride_x);
  out.define("SY", v.stride_y);
  out.define("DX", v.dilation_x);
  out.define("DY", v.dilation_y);
  out.define("PAD_X", v.pad_x);
  out.define("PAD_Y", v.pad_y);
  out.define("IMAGES_LAST", static_cast<int>(v.images_last));
  out.define("OUTPUT_LAST", static_cast<int>(v.output_last));
  out.define("TAP_AT(k)", v.filter_last ? "((((k) * KY + ky) * KX + kx) * GROUP_INPUTS + c)"
                                        : "((((k) * GROUP_INPUTS + c) * KY + ky) * KX + kx)");
  out.define("GROUP_INPUTS", v.group_inputs);
  out.define("GROUP_OUTPUTS", v.group_outputs);
  out.define("SLABS", (v.group_outputs + p.per_item_channels - 1) / p.per_item_channels);
  out.define("GROUPS_OF(channels)", "((channels) / GROUP_OUTPUTS)");
  define_grid(out, v.flat);
  out.define("EACH", "_Pragma(\"unroll\")");
  out.define("STORED", stored_name(v.type));
  out.define("SUM", sum.name);
  out.define("LOAD_ONE(p)", load(v.type, sum, 1, "p", true));
  out.define("STORE_ONE(p, v)", store(v.type, 1, "v", "p", true));
  out.text(channels_kernel);
  return out.str();
}

}  // namespace clprim
