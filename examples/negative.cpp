// The negative of a picture in three ways, with their times: bytes one by one, four of them as a
// uchar4, and an image2d. The first two are maps of the library, the third is OpenCL's own.

#include <cstdint>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>

#include <clprim/copy.hpp>
#include <clprim/runtime/program.hpp>

#include "support/device.hpp"
#include "support/image.hpp"
#include "support/image_object.hpp"
#include "support/scene.hpp"
#include "support/terminal.hpp"

namespace {

using namespace examples;

constexpr const char* image_kernel = R"cl(
// 255 - channel; alpha stays.
__constant sampler_t nearest = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP | CLK_FILTER_NEAREST;

__kernel void negative(__read_only image2d_t from, __write_only image2d_t to)
{
    const int2 at = (int2)((int)get_global_id(0), (int)get_global_id(1));
    const uint4 pixel = read_imageui(from, nearest, at);
    write_imageui(to, at, (uint4)(255 - pixel.x, 255 - pixel.y, 255 - pixel.z, pixel.w));
}
)cl";

void tell(const char* how, const timing& time, std::size_t bytes, bool right) {
  std::printf("%-28s %10s %8s GB/s  %s\n", how, duration(time.median).c_str(),
              short_number(2e-9 * static_cast<double>(bytes) / time.median).c_str(),
              right ? good("ok").c_str() : bad("WRONG").c_str());
}

}  // namespace

int main(int argc, char** argv) try {
  CLI::App app("The negative of a picture: bytes, uchar4 and image2d");
  std::string file, device, folder = "clprim-negative";
  app.add_option("picture", file, "a PNG (default: a landscape is synthesised)")
      ->check(CLI::ExistingFile);
  app.add_option("--device", device, "part of a name, gpu, cpu, or platform:device");
  app.add_option("--output", folder, "folder for the pictures it writes (clprim-negative)");
  CLI11_PARSE(app, argc, argv);

  const clprim::session on = clprim::open_session(device);
  const image picture = file.empty() ? synthesised(3072, 2048) : load_image(file);
  const std::vector<std::uint8_t> from = with_alpha(picture);
  std::vector<std::uint8_t> expected = from;
  for (std::size_t i = 0; i < expected.size(); ++i)
    if (i % 4 != 3) expected[i] = static_cast<std::uint8_t>(255 - expected[i]);
  std::printf("%s\n%d x %d pixels of 4 bytes\n\n",
              clprim::describe(clprim::facts_of(on.device)).c_str(), picture.width, picture.height);
  const cl::Buffer source = upload(on, from), target = make_buffer<std::uint8_t>(on, from.size());
  const auto count = static_cast<std::int64_t>(from.size());
  bool all_right = true;
  const auto check = [&] {
    const bool right = download<std::uint8_t>(on, target, from.size()) == expected;
    all_right = all_right && right;
    return right;
  };

  // One byte at a time: every fourth is alpha.
  clprim::map<std::uint8_t, std::uint8_t> by_bytes(
      on.queue, {.policy = clprim::copy_policy{.vector = 1},
                 .map = {"return index % 4 == 3 ? x0 : 255 - x0;", {}}});
  timing time = measure(on, [&] {
    return by_bytes({clprim::vector<std::uint8_t>(source, count)},
                    clprim::vector<std::uint8_t>(target, count));
  });
  tell("uchar, one by one", time, from.size(), check());

  // A pixel as one word: the negative of the colours is an exclusive or.
  clprim::map<std::uint32_t, std::uint32_t> by_pixels(
      on.queue, {.map = {"const uchar4 p = as_uchar4(x0);\n"
                         "return as_uint((uchar4)((uchar3)(255, 255, 255) - p.xyz, p.w));",
                         {}}});
  time = measure(on, [&] {
    return by_pixels({clprim::vector<std::uint32_t>(source, count / 4)},
                     clprim::vector<std::uint32_t>(target, count / 4));
  });
  tell("uchar4, several per item", time, from.size(), check());

  if (clprim::detail::device_info<cl_bool>(on.device(), CL_DEVICE_IMAGE_SUPPORT) == CL_TRUE) {
    const cl::Image2D in = make_image(on, picture), out = make_image(on, picture);
    const std::array<std::size_t, 3> region = all_of(picture);
    write_image(on, in, picture, from);
    const auto program = clprim::build(on.context, on.device, image_kernel);
    const cl::Kernel kernel = clprim::make_kernel(*program, "negative");
    clprim::set_args(kernel(), in, out);
    const auto side = [](std::size_t n) { return n % 16 == 0 ? std::size_t{16} : std::size_t{1}; };
    time = measure(on, [&] {
      return clprim::enqueue(on.queue(), kernel(),
                             {2, {region[0], region[1], 1}, {side(region[0]), side(region[1]), 1}});
    });
    const std::vector<std::uint8_t> result = read_image(on, out, picture);
    all_right = all_right && result == expected;
    tell("image2d", time, from.size(), result == expected);
  }

  image negative = picture;
  const auto got = download<std::uint8_t>(on, target, from.size());
  for (std::size_t i = 0; i < picture.pixels(); ++i)
    for (std::size_t c = 0; c < 3; ++c) negative.rgb[3 * i + c] = got[4 * i + c];
  save_png(negative, std::filesystem::path(folder) / "negative.png");
  std::printf("\nwritten: %s\n", (std::filesystem::path(folder) / "negative.png").c_str());
  return all_right ? 0 : 1;
} catch (const std::exception& error) {
  std::fprintf(stderr, "the example stopped: %s\n", error.what());
  return 1;
}
