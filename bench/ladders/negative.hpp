#pragma once
// The negative of an image, three kernels and their transfers, at the text's 736 x 736 and at
// today's size; the stages of one such call, and one large transfer against many small ones.

#include <algorithm>
#include <array>
#include <memory>
#include <string>
#include <vector>

#include <clprim/copy.hpp>
#include <clprim/runtime/pinned.hpp>
#include <clprim/runtime/profile.hpp>

#include "text_rung.hpp"

namespace bench {

namespace detail {

/// Packed pixels of three bytes, pixels of four, and an image object of them. Alpha becomes 0 by
/// the second and 255 - a by the third, as the lecture has it.
inline constexpr const char* negative_text = R"cl(
__kernel void packed_rgb(__global const uchar *in, __global uchar *out, int w, int h)
{
    const int x = (int)get_global_id(0), y = (int)get_global_id(1);
    if (x >= w || y >= h)
        return;
    const size_t at = 3 * ((size_t)y * (size_t)w + (size_t)x);
    out[at] = 255 - in[at];
    out[at + 1] = 255 - in[at + 1];
    out[at + 2] = 255 - in[at + 2];
}
__kernel void four(__global const uchar4 *in, __global uchar4 *out, int w, int h)
{
    const int x = (int)get_global_id(0), y = (int)get_global_id(1);
    if (x >= w || y >= h)
        return;
    const size_t at = (size_t)y * (size_t)w + (size_t)x;
    out[at] = (uchar4)(255, 255, 255, 255) - in[at];
}
#ifdef IMAGES
__kernel void object(__read_only image2d_t in, __write_only image2d_t out, int w, int h)
{
    const sampler_t plain =
        CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP | CLK_FILTER_NEAREST;
    const int2 at = (int2)((int)get_global_id(0), (int)get_global_id(1));
    if (at.x < w && at.y < h)
        write_imageui(out, at, (uint4)(255, 255, 255, 255) - read_imageui(in, plain, at));
}
#endif
)cl";

inline cl::Image2D byte_image(const cl::Context& context, int side, cl_mem_flags flags,
                              void* pixels) {
  const cl_image_format format{CL_RGBA, CL_UNSIGNED_INT8};
  cl_image_desc what{};
  what.image_type = CL_MEM_OBJECT_IMAGE2D;
  what.image_width = what.image_height = static_cast<std::size_t>(side);
  cl_int code = CL_SUCCESS;
  cl::Image2D made(clCreateImage(context(), flags, &format, &what, pixels, &code), false);
  clprim::check(code, "clCreateImage");
  return made;
}

/// What differs between `count` bytes and the negative of as many.
inline std::string wrong_negative(const std::vector<float>& in, const void* got,
                                  std::size_t count) {
  const auto* const from = reinterpret_cast<const unsigned char*>(in.data());
  const auto* const to = static_cast<const unsigned char*>(got);
  for (std::size_t i = 0; i < count; ++i)
    if (to[i] != 255 - from[i]) return "byte " + std::to_string(i);
  return {};
}

inline clprim::launch squares_of(int side) {
  const auto all = static_cast<std::size_t>((side + 15) / 16) * 16;
  return {2, {all, all, 1}, {16, 16, 1}};
}

inline std::vector<contestant> enter_object(const suite_place& place,
                                            const std::shared_ptr<const ladder_arrays>& a, int side,
                                            const std::string& figure) {
  const auto program = clprim::build(place.session.context, place.session.device,
                                     std::string("#define IMAGES\n") + negative_text);
  const cl::Kernel kernel = clprim::make_kernel(*program, "object");
  std::vector<float> pixels(a->host.begin(), a->host.begin() + std::ptrdiff_t{side} * side);
  const cl::Image2D in = byte_image(place.session.context, side,
                                    CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR, pixels.data()),
                    out = byte_image(place.session.context, side, CL_MEM_WRITE_ONLY, nullptr);
  clprim::set_args(kernel(), in, out, cl_int{side}, cl_int{side});
  // The kernel does not keep its images; the closure does.
  const auto call = [=, kept = in] { clprim::enqueue(a->queue(), kernel(), squares_of(side)); };
  const auto wrong = [=] {
    call();
    std::vector<unsigned char> got(static_cast<std::size_t>(side * side) * 4);
    const auto all = static_cast<std::size_t>(side);
    const std::array<std::size_t, 3> origin{0, 0, 0}, region{all, all, 1};
    clprim::check(clEnqueueReadImage(a->queue(), out(), CL_TRUE, origin.data(), region.data(), 0, 0,
                                     got.data(), 0, nullptr, nullptr),
                  "clEnqueueReadImage");
    return wrong_negative(a->host, got.data(), got.size());
  };
  return {timed_call(place, call, wrong, figure)};
}

/// Timed by the wall: what the host waits for.
inline contestant waited_for(std::function<void()> call, std::function<std::string()> wrong,
                             const std::string& figure) {
  return {.name = "clprim",
          .as = role::ours,
          .verify = std::move(wrong),
          .time =
              [call](std::size_t warm, std::size_t calls) {
                return time_by_wall(warm, calls, [&](std::size_t) { call(); });
              },
          .short_detail = [figure] { return figure; },
          .detail = [figure] { return figure; }};
}

}  // namespace detail

inline void add_negative_ladder(const suite_place& place, std::vector<bench_row>& rows) {
  const int today = place.cpu() ? 2048 : 8192;
  const auto arrays = std::make_shared<lazy_arrays>(
      place, static_cast<std::size_t>(today) * static_cast<std::size_t>(today));
  const auto times = [](const char* what, const std::string& of) {
    return std::string("Techniques: ") + what + " " + of + " (unit and size are not told)";
  };
  for (const int side : {736, today}) {
    const std::string size = ", " + std::to_string(side) + " x " + std::to_string(side);
    const double pixels = static_cast<double>(side) * side;
    const auto of_text = [&](const std::string& text) { return side == 736 ? text : ""; };
    const auto add = [&](const std::string& name, const std::string& kernel, int channels,
                         const std::string& figure) {
      text_rung r{.name = "negative " + name + size,
                  .text = detail::negative_text,
                  .kernel = kernel,
                  .range = detail::squares_of(side),
                  .work = 2 * channels * pixels,
                  .roof = "copy",
                  .figure = figure,
                  .quick = side == 736};
      r.arguments = [=](cl_kernel k, const ladder_arrays& a) {
        clprim::set_args(k, a.x, a.y, cl_int{side}, cl_int{side});
      };
      r.wrong = [=](const ladder_arrays& a, const std::function<void()>& call) {
        const auto bytes = static_cast<std::size_t>(channels * side * side);
        const std::vector<float> got = a.result_of(call, bytes / 4);
        return detail::wrong_negative(a.host, got.data(), bytes);
      };
      add_text_rung(place, rows, arrays, r);
    };
    add("packed RGB, uchar", "packed_rgb", 3,
        of_text(textbook_figure{"Techniques: 736 x 736 pixels", "a GPU that is not named", 337.518,
                                "us"}
                    .text()));
    add("uchar4", "four", 4, of_text(times("executed in", "0.01400, 0.01540, 0.00706")));
    if (place.device.images)
      rows.push_back({.name = "negative image2d" + size,
                      .work = 8 * pixels,
                      .quick = side == 736,
                      .enter = [=] {
                        return detail::enter_object(place, arrays->get(), side,
                                                    "Techniques: an image object");
                      }});
    // The map of all bytes, by what the library chooses.
    rows.push_back(
        {.name = "negative the library's choice" + size,
         .work = 8 * pixels,
         .quick = side == 736,
         .enter = [=] {
           using namespace clprim;
           const auto a = arrays->get();
           const auto run = std::make_shared<map<unsigned char, unsigned char>>(
               place.session.queue, copy_options{.map = {"return 255 - x0;", {}}});
           const std::int64_t bytes = std::int64_t{4} * side * side;
           const auto call = [=] {
             (*run)({vector<unsigned char>(a->x, bytes)}, vector<unsigned char>(a->y, bytes));
           };
           const auto wrong = [=] {
             const auto got = a->result_of(call, static_cast<std::size_t>(bytes) / 4);
             return detail::wrong_negative(a->host, got.data(), static_cast<std::size_t>(bytes));
           };
           return std::vector<contestant>{timed_call(place, call, wrong, "copy/tuned.hpp")};
         }});
    for (const bool in : {true, false}) {
      const auto enter = [=] {
        const auto a = arrays->get();
        const std::size_t bytes = static_cast<std::size_t>(side * side) * 4;
        const auto host = std::make_shared<clprim::pinned<char>>(place.session.queue, bytes);
        const auto call = [=] {
          clprim::check(in ? clEnqueueWriteBuffer(a->queue(), a->y(), CL_TRUE, 0, bytes,
                                                  a->host.data(), 0, nullptr, nullptr)
                           : clEnqueueReadBuffer(a->queue(), a->x(), CL_TRUE, 0, bytes,
                                                 host->data(), 0, nullptr, nullptr),
                        "a transfer of an image");
        };
        const auto wrong = [=]() -> std::string {
          const std::vector<float> got = a->result_of(call, bytes / 4);
          const void* const there = in ? static_cast<const void*>(got.data()) : host->data();
          return std::memcmp(there, a->host.data(), bytes) == 0 ? "" : "the bytes";
        };
        return std::vector<contestant>{
            detail::waited_for(call, wrong,
                               side != 736 ? "beside the kernels"
                               : in        ? times("to the device", "0.13183, 0.15961, 0.18767")
                                           : times("to the host", "0.04305, 0.05450, 0.05043"))};
      };
      rows.push_back({.name = std::string("negative transfer ") + (in ? "in" : "out") + size,
                      .work = 4 * pixels,
                      .roof = "",
                      .quick = side == 736,
                      .enter = enter});
    }
  }
}

/// Queued, submitted, started, ended: the four times of a call.
inline void add_stage_ladder(const suite_place& place, std::vector<bench_row>& rows) {
  const auto enter = [=] {
    using namespace clprim;
    static constexpr int words = 736 * 736;
    struct run {
      session on;
      std::shared_ptr<ladder_arrays> arrays;
      std::shared_ptr<map<unsigned char, unsigned char>> negative;
      std::array<double, 3> stages{};
    };
    const auto r = std::make_shared<run>();
    r->on = place.session;
    cl_int code = CL_SUCCESS;
    r->on.queue = cl::CommandQueue(
        clCreateCommandQueue(r->on.context(), r->on.device(), CL_QUEUE_PROFILING_ENABLE, &code),
        false);
    check(code, "clCreateCommandQueue");
    suite_place profiled = place;
    profiled.session = r->on;
    r->arrays = std::make_shared<ladder_arrays>(profiled, std::size_t{words});
    r->negative = std::make_shared<map<unsigned char, unsigned char>>(
        r->on.queue, copy_options{.map = {"return 255 - x0;", {}}});
    const auto call = [r] {
      constexpr std::int64_t bytes = 4 * words;
      (*r->negative)({vector<unsigned char>(r->arrays->x, bytes)},
                     vector<unsigned char>(r->arrays->y, bytes));
    };
    const auto wrong = [r, call] {
      const auto got = r->arrays->result_of(call, std::size_t{words});
      std::array<std::vector<double>, 3> all;
      for (int i = 0; i < 15; ++i) {
        for (const command_times& t : profile(call)) {
          all[0].push_back(static_cast<double>(t.submitted - t.queued) * 1e-3);
          all[1].push_back(static_cast<double>(t.started - t.submitted) * 1e-3);
          all[2].push_back(static_cast<double>(t.ran()) * 1e-3);
        }
      }
      for (std::size_t s = 0; s < 3; ++s) r->stages[s] = median(all[s]);
      return detail::wrong_negative(r->arrays->host, got.data(), std::size_t{4 * words});
    };
    contestant who = detail::waited_for(
        [r, call] {
          call();
          check(clFinish(r->on.queue()), "clFinish");
        },
        wrong, "");
    who.short_detail = who.detail = [r] {
      const auto us = [&](std::size_t s) { return general_text(r->stages[s], 4) + " us"; };
      return "queued to submitted " + us(0) + ", to started " + us(1) + ", to ended " + us(2) +
             "; Techniques: 747 us, 288 us, 337.5 us";
    };
    who.facts = [r]() -> std::vector<std::pair<std::string, double>> {
      return {{"queued_to_submitted_us", r->stages[0]},
              {"submitted_to_started_us", r->stages[1]},
              {"started_to_ended_us", r->stages[2]}};
    };
    return std::vector<contestant>{who};
  };
  rows.push_back({.name = "stages of a call, negative of 736 x 736",
                  .work = 8.0 * 736 * 736,
                  .roof = "",
                  .quick = true,
                  .enter = enter});
}

/// The same bytes in 1 to 4096 transfers, from pinned memory, all enqueued before a wait.
inline void add_transfer_ladder(const suite_place& place, std::vector<bench_row>& rows) {
  const std::size_t bytes = std::size_t{1} << 24;
  const auto arrays = std::make_shared<lazy_arrays>(place, bytes / 4);
  for (const int count : {1, 16, 256, 4096}) {
    const auto parts = static_cast<std::size_t>(count);
    const auto enter = [=] {
      const auto a = arrays->get();
      const auto host = std::make_shared<clprim::pinned<char>>(place.session.queue, bytes);
      std::memcpy(host->data(), a->host.data(), bytes);
      const auto call = [=] {
        const std::size_t part = bytes / parts;
        for (std::size_t p = 0; p < parts; ++p) {
          clprim::check(clEnqueueWriteBuffer(a->queue(), a->y(), CL_FALSE, p * part, part,
                                             host->data() + p * part, 0, nullptr, nullptr),
                        "clEnqueueWriteBuffer");
        }
        clprim::check(clFinish(a->queue()), "clFinish");
      };
      const auto wrong = [=]() -> std::string {
        const auto got = a->result_of(call, bytes / 4);
        return std::memcmp(got.data(), a->host.data(), bytes) == 0 ? "" : "the bytes";
      };
      return std::vector<contestant>{detail::waited_for(
          call, wrong, "deck, Guide 3.3: one large transfer instead of many small ones")};
    };
    rows.push_back({.name = "small-transfers " + std::to_string(parts) + " of " +
                            std::to_string((bytes >> 10) / parts) + " KiB",
                    .work = static_cast<double>(bytes),
                    .roof = place.cpu() ? "" : "link",
                    .quick = true,
                    .enter = enter});
  }
}

}  // namespace bench
