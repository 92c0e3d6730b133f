#pragma once
// Packed RGB pixels to their brightness: each item its own pixel, pixels staged through local
// memory so that loads are coalesced (the lecture's example), four pixels per item in registers,
// and pixels padded to four channels. Kernels of their own: no primitive computes this.

#include <cmath>
#include <cstdint>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include <clprim/runtime/launch.hpp>
#include <clprim/runtime/program.hpp>

#include "rung.hpp"

namespace bench {

/// Groups of 256. A tile is 256 pixels of 3 channels, as they lie in memory:
///
///   r0 g0 b0 r1 g1 b1 r2 g2 b2 …     item i loads words i, i + 256, i + 512, and reads 3i … 3i + 2
///
inline constexpr const char* rgb_text = R"cl(
#define LUMA(r, g, b) (0.299f * (r) + 0.587f * (g) + 0.114f * (b))
#define LUMA8(r, g, b) ((77u * (r) + 150u * (g) + 29u * (b)) >> 8)
#define GROUP __attribute__((reqd_work_group_size(256, 1, 1)))

GROUP __kernel void direct(__global const float *in, __global float *out)
{
    const size_t i = get_global_id(0);
    out[i] = LUMA(in[3 * i], in[3 * i + 1], in[3 * i + 2]);
}
GROUP __kernel void staged(__global const float *in, __global float *out)
{
    __local float tile[3 * 256];
    const size_t item = get_local_id(0), first = get_group_id(0) * (3 * 256);
    for (size_t k = 0; k < 3; ++k)
        tile[item + k * 256] = in[first + item + k * 256];
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = LUMA(tile[3 * item], tile[3 * item + 1], tile[3 * item + 2]);
}
GROUP __kernel void four(__global const float4 *in, __global float4 *out)
{
    const size_t i = get_global_id(0);
    const float4 a = in[3 * i], b = in[3 * i + 1], c = in[3 * i + 2];
    out[i] = LUMA((float4)(a.x, a.w, b.z, c.y), (float4)(a.y, b.x, b.w, c.z),
                  (float4)(a.z, b.y, c.x, c.w));
}
GROUP __kernel void padded(__global const float4 *in, __global float *out)
{
    const size_t i = get_global_id(0);
    const float4 p = in[i];
    out[i] = LUMA(p.x, p.y, p.z);
}

GROUP __kernel void direct_bytes(__global const uchar *in, __global uchar *out)
{
    const size_t i = get_global_id(0);
    out[i] = LUMA8(in[3 * i], in[3 * i + 1], in[3 * i + 2]);
}
GROUP __kernel void staged_bytes(__global const uint *in, __global uchar *out)
{
    __local uint tile[3 * 64];
    const size_t item = get_local_id(0), first = get_group_id(0) * (3 * 64);
    if (item < 3 * 64)
        tile[item] = in[first + item];
    barrier(CLK_LOCAL_MEM_FENCE);
    __local const uchar *const mine = (__local const uchar *)tile + 3 * item;
    out[get_global_id(0)] = LUMA8(mine[0], mine[1], mine[2]);
}
GROUP __kernel void four_bytes(__global const uint *in, __global uchar4 *out)
{
    const size_t i = get_global_id(0);
    const uchar4 a = as_uchar4(in[3 * i]), b = as_uchar4(in[3 * i + 1]),
                 c = as_uchar4(in[3 * i + 2]);
    out[i] = (uchar4)(LUMA8(a.x, a.y, a.z), LUMA8(a.w, b.x, b.y), LUMA8(b.z, b.w, c.x),
                      LUMA8(c.y, c.z, c.w));
}
)cl";

namespace detail {

/// One kernel of rgb_text: pixels of an item, channels as they lie, bytes or floats.
struct rgb_rung {
  std::string kernel;
  int pixels = 1;
  int channels = 3;
  bool bytes = false;
  int load_bytes = 4;  ///< of one load of a lane
  int loads = 3;
  int lane_step = 12;  ///< bytes from a lane's first load to the next lane's
  int load_step = 4;   ///< bytes from a load of a lane to its next
};

inline std::string wrong_pixels(const rgb_rung& r, const std::vector<float>& in,
                                const std::vector<float>& got, std::size_t count) {
  const auto channels = static_cast<std::size_t>(r.channels);
  const auto byte = [](const std::vector<float>& from, std::size_t at) {
    unsigned char value = 0;
    std::memcpy(&value, reinterpret_cast<const char*>(from.data()) + at, 1);
    return static_cast<unsigned>(value);
  };
  for (std::size_t i = 0; i < count; ++i) {
    if (r.bytes) {
      const unsigned expected =
          (77u * byte(in, 3 * i) + 150u * byte(in, 3 * i + 1) + 29u * byte(in, 3 * i + 2)) >> 8;
      if (byte(got, i) != expected) return "pixel " + std::to_string(i);
      continue;
    }
    const double red = 0.299 * static_cast<double>(in[channels * i]),
                 green = 0.587 * static_cast<double>(in[channels * i + 1]),
                 blue = 0.114 * static_cast<double>(in[channels * i + 2]);
    // Each product and each weight is rounded, and two sums.
    const double allowed = 4.1 * 0x1p-24 * (std::fabs(red) + std::fabs(green) + std::fabs(blue));
    if (!(std::fabs(static_cast<double>(got[i]) - (red + green + blue)) <= allowed))
      return "pixel " + std::to_string(i);
  }
  return {};
}

inline std::vector<contestant> enter_rgb(const suite_place& place,
                                         const std::shared_ptr<const ladder_arrays>& a,
                                         const rgb_rung& r, std::size_t count,
                                         const std::string& how) {
  const auto program = clprim::build(place.session.context, place.session.device, rgb_text);
  const cl::Kernel kernel = clprim::make_kernel(*program, r.kernel.c_str());
  clprim::set_args(kernel(), a->x, a->y);
  const clprim::launch range{1, {count / static_cast<std::size_t>(r.pixels), 1, 1}, {256, 1, 1}};
  const auto call = [=] { clprim::enqueue(a->queue(), kernel(), range); };
  const auto wrong = [=] {
    return wrong_pixels(r, a->host, a->result_of(call, r.bytes ? count / 4 : count), count);
  };
  return {timed_call(place, call, wrong, how)};
}

}  // namespace detail

inline void add_rgb_ladder(const suite_place& place, std::vector<bench_row>& rows) {
  const std::size_t all = std::size_t{1} << (place.cpu() ? 23 : 26);  // floats of either array
  const auto arrays = std::make_shared<lazy_arrays>(place, all);
  const auto add = [&](const std::string& name, const detail::rgb_rung& r,
                       const std::string& source) {
    std::vector<std::function<std::int64_t(int)>> addresses;
    for (int k = 0; k < r.loads; ++k) {
      addresses.push_back(
          [=](int lane) { return std::int64_t{r.lane_step} * lane + r.load_step * k; });
    }
    const predicted_loads loads(place, r.load_bytes, addresses);
    const std::string how = joined(source, loads.text());
    const std::size_t count = r.bytes ? all : all / 4;
    rows.push_back({.name = name,
                    .work = (r.bytes ? 4.0 : 4.0 * (r.channels + 1)) * static_cast<double>(count),
                    .quick = r.channels == 3,
                    .flops_per_byte = 5.0 / (r.bytes ? 4 : 4 * (r.channels + 1)),
                    .enter = [=] { return detail::enter_rgb(place, arrays->get(), r, count, how); },
                    .numbers = loads.numbers()});
  };
  const std::string text = "Techniques: an example";
  add("rgb-floats direct", {.kernel = "direct"}, text);
  add("rgb-floats through local memory", {.kernel = "staged", .lane_step = 4, .load_step = 256 * 4},
      text);
  add("rgb-floats four pixels per item",
      {.kernel = "four", .pixels = 4, .load_bytes = 16, .lane_step = 48, .load_step = 16},
      "registers in place of local memory");
  add("rgb-floats padded to four channels",
      {.kernel = "padded", .channels = 4, .load_bytes = 16, .loads = 1, .lane_step = 16},
      "Techniques: images of four channels");
  // The one kernel on packed bytes that the text times stores all three channels, inverted.
  const textbook_figure negative{"Techniques: the negative of 736 x 736 packed pixels",
                                 "a GPU that its profile does not name", 338, "us"};
  add("rgb-bytes direct",
      {.kernel = "direct_bytes", .bytes = true, .load_bytes = 1, .lane_step = 3, .load_step = 1},
      negative.text());
  add("rgb-bytes through local memory",
      {.kernel = "staged_bytes", .bytes = true, .loads = 1, .lane_step = 4}, text);
  add("rgb-bytes four pixels per item",
      {.kernel = "four_bytes", .pixels = 4, .bytes = true, .lane_step = 12, .load_step = 4},
      "registers in place of local memory");
}

}  // namespace bench
