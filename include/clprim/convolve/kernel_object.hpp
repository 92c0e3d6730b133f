#pragma once
// OpenCL C of method image: the input is an image object, whose sampler makes the border.

#include <string>

#include <clprim/convolve/variant.hpp>
#include <clprim/core/source.hpp>

namespace clprim::convolve_text {

inline constexpr kernel_text object_kernel = R"cl(
// An item makes PX / C pixels side by side, PY rows of them, and reads each pixel of its window
// once. Nobody asks where the image ends: the sampler does, and the texture cache is the tile that
// neighbours share.
__attribute__((reqd_work_group_size(ITEMS_X, ITEMS_Y, 1)))
__kernel void convolve(IMAGES FILTER_PARAMETERS USER_PARAMETERS)
{
    SAMPLER
    const int e0 = GLOBAL_ID_X * PX, y0 = GLOBAL_ID_Y * PY;
    if (e0 >= out_width * C || y0 >= out_height) return;
    const int x0 = e0 / C * SX + x_first, top = y0 * SY + y_first, kz = 0;
    SUM acc[PY][PX];
    EACH for (int i = 0; i < PY; ++i)
        EACH for (int j = 0; j < PX; ++j) acc[i][j] = 0;
#if ROLLED
    for (int ky = 0; ky < KY; ++ky) {
        for (int kx = 0; kx < KX; ++kx) {
            const SUM c = CW(kz, ky, kx);
            EACH for (int i = 0; i < PY; ++i) {
                EACH for (int p = 0; p < PX / C; ++p) {
                    SUM pixel[C];
                    READ_PIXEL(pixel, x0 + p * SX + kx * DX, top + i * SY + ky * DY)
                    EACH for (int k = 0; k < C; ++k)
                        acc[i][p * C + k] = MULTIPLY_ADD(c, pixel[k], acc[i][p * C + k]);
                }
            }
        }
    }
#else
    EACH for (int s = 0; s < ROWS; ++s) {
        if (ROW_USED(s)) {
            SUM w[WINDOW];
            EACH for (int p = 0; p < WINDOW / C; ++p) {
                READ_PIXEL(w + p * C, x0 + p, top + s)
            }
            EACH for (int i = 0; i < PY; ++i) {
                if (TAP_ROW(s, i)) {
                    EACH for (int kx = 0; kx < KX; ++kx)
                        EACH for (int j = 0; j < PX; ++j)
                            acc[i][j] = MULTIPLY_ADD(CW(kz, (s - i * SY) / DY, kx),
                                                     w[OFFSET(j) + kx * DX * C], acc[i][j]);
                }
            }
        }
    }
#endif
    EACH for (int i = 0; i < PY; ++i) {
        const int y = y0 + i;
        if (y < out_height) {
#if OUT_OBJECT
            store_pixels(out, acc[i], e0, out_width, y USER_ARGUMENTS);
#else
            __global OUT_STORED *const to = out + out_offset + y * out_pitch;
            EACH for (int j = 0; j < PX; j += V)
                store_vector(to, acc[i] + j, e0 + j, out_width, y, 0, 0 USER_ARGUMENTS);
#endif
        }
    }
}
)cl";

/// SOURCE and SINK: what holds the input, and the output. SAMPLER, READ_PIXEL and WRITE_PIXEL of
/// image objects.
inline void define_objects(source_builder& out, const convolve_variant& v) {
  out.define("SOURCE", v.in_object ? "read_only image2d_t" : "const __global STORED *restrict");
  out.define("SINK", v.out_object ? "write_only image2d_t" : "__global OUT_STORED *restrict");
  out.define("OUT_OBJECT", static_cast<int>(v.out_object));
  // What reads and writes an element: f, i or ui, and the vector that it knows.
  const auto access = [](const element& e) {
    const bool whole = e.name == "short" || e.name == "int";
    return e.name == "float" ? std::pair{"f", "float4"}
           : whole           ? std::pair{"i", "int4"}
                             : std::pair{"ui", "uint4"};
  };
  if (v.in_object) {
    const border_mode mode = sampled_border(v).mode;
    const bool turns = mode == border_mode::reflect || mode == border_mode::wrap;
    const char* const address = mode == border_mode::constant    ? "CLAMP"
                                : mode == border_mode::replicate ? "CLAMP_TO_EDGE"
                                : mode == border_mode::reflect   ? "MIRRORED_REPEAT"
                                : mode == border_mode::wrap      ? "REPEAT"
                                                                 : "NONE";
    out.define("SAMPLER", "const sampler_t edge = CLK_NORMALIZED_COORDS_" +
                              std::string(turns ? "TRUE" : "FALSE") + " | CLK_ADDRESS_" + address +
                              " | CLK_FILTER_NEAREST;");
    const auto [letter, texel] = access(v.in);
    // Only relative coordinates mirror and repeat.
    const char* const place =
        turns ? "(float2)(((x) + 0.5f) / in_width, ((y) + 0.5f) / in_height)" : "(int2)(x, y)";
    std::string text = "{ const " + std::string(texel) + " texel = read_image" + letter +
                       "(in, edge, " + place + "); ";
    for (int k = 0; k < v.channels; ++k) {
      text += "(into)[" + std::to_string(k) + "] = (SUM)texel.s" + std::to_string(k) + "; ";
    }
    out.define("READ_PIXEL(into, x, y)", text + "}");
  }
  if (v.out_object) {
    const auto [letter, texel] = access(v.out);
    std::string value = "(" + std::string(texel) + ")(";
    for (int k = 0; k < 4; ++k) {
      value += k > 0 ? ", " : "";
      value += k < v.channels
                   ? finished(v.out, v.sum, 1, "(from)[" + std::to_string(k) + "]", v.rounding)
                   : std::string("0");
    }
    out.define("WRITE_PIXEL(x, y, from)",
               "write_image" + std::string(letter) + "(out, (int2)(x, y), " + value + "))");
  }
}

}  // namespace clprim::convolve_text
