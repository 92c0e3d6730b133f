#pragma once
// Several devices of one platform: each multiplies and adds on its share of the items, on its own
// queue. Where there is one device there is one rung.

#include <memory>
#include <string>
#include <vector>

#include "negative.hpp"
#include "text_rung.hpp"

namespace bench {

namespace detail {

inline constexpr const char* devices_text = R"cl(
__kernel void share(__global uint *out, uint first)
{
    const uint i = first + (uint)get_global_id(0);
    uint x = i;
    for (int k = 0; k < 2048; ++k)
        x = x * 1664525u + 1013904223u;
    out[get_global_id(0)] = x;
}
)cl";

/// A device's queue, its part of the result and its kernel.
struct share_of_device {
  cl::CommandQueue queue;
  cl::Buffer part;
  cl::Kernel kernel;
};

inline std::vector<cl_device_id> alike(const cl::Device& device) {
  const auto platform =
      clprim::detail::device_info<cl_platform_id>(device(), CL_DEVICE_PLATFORM, nullptr);
  const auto type =
      clprim::detail::device_info<cl_device_type>(device(), CL_DEVICE_TYPE, CL_DEVICE_TYPE_DEFAULT);
  cl_uint count = 0;
  if (clGetDeviceIDs(platform, type, 0, nullptr, &count) != CL_SUCCESS || count == 0) return {};
  std::vector<cl_device_id> all(count);
  clprim::check(clGetDeviceIDs(platform, type, count, all.data(), nullptr), "clGetDeviceIDs");
  return all;
}

}  // namespace detail

inline void add_device_ladder(const suite_place& place, std::vector<bench_row>& rows) {
  const std::vector<cl_device_id> all = detail::alike(place.session.device);
  const std::size_t items = std::size_t{1} << (place.cpu() ? 15 : 24);
  for (std::size_t used = 1; used <= all.size(); used *= 2) {
    const auto enter = [=] {
      cl_int code = CL_SUCCESS;
      const std::vector<cl_device_id> ids(all.begin(),
                                          all.begin() + static_cast<std::ptrdiff_t>(used));
      const cl::Context context(
          clCreateContext(nullptr, static_cast<cl_uint>(used), ids.data(), nullptr, nullptr, &code),
          false);
      clprim::check(code, "clCreateContext of several devices");
      const std::size_t share = items / used;
      const auto parts = std::make_shared<std::vector<detail::share_of_device>>();
      for (std::size_t d = 0; d < used; ++d) {
        const cl::Device device(ids[d], true);
        const auto program = clprim::build(context, device, detail::devices_text);
        detail::share_of_device one;
        one.queue = cl::CommandQueue(clCreateCommandQueue(context(), ids[d], 0, &code), false);
        clprim::check(code, "clCreateCommandQueue");
        one.part = cl::Buffer(
            clCreateBuffer(context(), CL_MEM_READ_WRITE, share * 4, nullptr, &code), false);
        clprim::check(code, "clCreateBuffer");
        one.kernel = clprim::make_kernel(*program, "share");
        clprim::set_args(one.kernel(), one.part, static_cast<cl_uint>(d * share));
        parts->push_back(one);
      }
      const auto call = [=] {
        for (const auto& one : *parts) {
          clprim::enqueue(one.queue(), one.kernel(), line_of(share, 256));
          clprim::check(clFlush(one.queue()), "clFlush");
        }
        for (const auto& one : *parts) clprim::check(clFinish(one.queue()), "clFinish");
      };
      const auto wrong = [=]() -> std::string {
        call();
        for (std::size_t d = 0; d < used; ++d) {
          std::vector<cl_uint> got(share);
          clprim::check(clEnqueueReadBuffer((*parts)[d].queue(), (*parts)[d].part(), CL_TRUE, 0,
                                            share * 4, got.data(), 0, nullptr, nullptr),
                        "clEnqueueReadBuffer");
          for (std::size_t i = 0; i < share; i += 97) {
            auto x = static_cast<cl_uint>(d * share + i);
            for (int k = 0; k < 2048; ++k) x = x * 1664525u + 1013904223u;
            if (got[i] != x) return "item " + std::to_string(i) + " of device " + std::to_string(d);
          }
        }
        return {};
      };
      return std::vector<contestant>{
          detail::waited_for(call, wrong, "deck, additional topics: multi-GPU")};
    };
    rows.push_back({.name = "devices " + std::to_string(used),
                    .work = 2048.0 * static_cast<double>(items),
                    .unit = "Gop/s",
                    .roof = "",
                    .quick = true,
                    .enter = enter});
  }
}

}  // namespace bench
