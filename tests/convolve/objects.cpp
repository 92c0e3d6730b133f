// Image objects (cl::Image2D) as input and output: every border that a sampler makes, every type
// that they hold; and what they cannot do is refused. Oclgrind 21.10 takes what read_image returns
// for uninitialised, so nothing here runs under it.

#include <algorithm>
#include <cstdint>
#include <string>
#include <type_traits>
#include <vector>

#include <doctest/doctest.h>

#include "convolve/reference.hpp"
#include "support/refusal.hpp"

using namespace clprim;
using namespace support;

namespace {

template <class T> cl_channel_type channel_type() {
  if constexpr (std::same_as<T, float>) return CL_FLOAT;
  if constexpr (std::same_as<T, half>) return CL_HALF_FLOAT;
  if constexpr (std::same_as<T, std::uint8_t>) return CL_UNSIGNED_INT8;
  if constexpr (std::same_as<T, std::uint16_t>) return CL_UNSIGNED_INT16;
  if constexpr (std::same_as<T, std::int16_t>) return CL_SIGNED_INT16;
  return CL_SIGNED_INT32;
}

cl_image_format format_of(int channels, cl_channel_type type) {
  return {channels == 1   ? cl_channel_order{CL_R}
          : channels == 2 ? cl_channel_order{CL_RG}
                          : cl_channel_order{CL_RGBA},
          type};
}

/// Whether the device has images of so many channels: PoCL 3.1 has none of two, PoCL 7.1 none but
/// of four.
bool holds(int channels, cl_channel_type type) {
  const session& s = device_session();
  if (!facts_of(s.device).images) return false;
  std::vector<cl_image_format> all(300);
  cl_uint count = 0;
  clprim::check(clGetSupportedImageFormats(s.context(), CL_MEM_READ_WRITE, CL_MEM_OBJECT_IMAGE2D,
                                           static_cast<cl_uint>(all.size()), all.data(), &count),
                "clGetSupportedImageFormats");
  all.resize(std::min<std::size_t>(count, all.size()));
  const cl_image_format wanted = format_of(channels, type);
  return std::any_of(all.begin(), all.end(), [&](const cl_image_format& one) {
    return one.image_channel_order == wanted.image_channel_order &&
           one.image_channel_data_type == wanted.image_channel_data_type;
  });
}

cl::Image2D picture(const session& s, int channels, cl_channel_type type, int height, int width,
                    void* pixels) {
  const cl_image_format format = format_of(channels, type);
  cl_image_desc what{};
  what.image_type = CL_MEM_OBJECT_IMAGE2D;
  what.image_width = static_cast<std::size_t>(width);
  what.image_height = static_cast<std::size_t>(height);
  cl_int code = CL_SUCCESS;
  cl::Image2D made(clCreateImage(s.context(), CL_MEM_READ_WRITE, &format, &what, nullptr, &code),
                   false);
  clprim::check(code, "clCreateImage");
  if (pixels == nullptr) return made;
  const std::size_t origin[3] = {0, 0, 0}, region[3] = {what.image_width, what.image_height, 1};
  clprim::check(clEnqueueWriteImage(s.queue(), made(), CL_TRUE, origin, region, 0, 0, pixels, 0,
                                    nullptr, nullptr),
                "clEnqueueWriteImage");
  return made;
}

template <class T>
std::vector<T> read(const session& s, const cl::Image2D& from, int height, int width,
                    int channels) {
  std::vector<T> all(static_cast<std::size_t>(height) * static_cast<std::size_t>(width) *
                     static_cast<std::size_t>(channels));
  const std::size_t origin[3] = {0, 0, 0}, region[3] = {static_cast<std::size_t>(width),
                                                        static_cast<std::size_t>(height), 1};
  clprim::check(clEnqueueReadImage(s.queue(), from(), CL_TRUE, origin, region, 0, 0, all.data(), 0,
                                   nullptr, nullptr),
                "clEnqueueReadImage");
  return all;
}

/// write_imagef may round half towards zero, as NVIDIA's does (OpenCL 1.2, 8.3.2): the nearest
/// value is then the next one.
template <class T> T rounded_away(T value) {
  if constexpr (std::is_same_v<T, half>) ++value.bits;
  return value;
}

/// A drawn convolution of an image object to a buffer and to an image object, and of a buffer to an
/// image object: "" or what is wrong.
template <class T> std::string of_object(draw& d, border_mode border) {
  using Sum = pixel_accumulator_t<T>;
  const session& s = device_session();
  drawn_convolution c;
  c.channels = d.one_of({1, 4});
  if (!holds(c.channels, channel_type<T>())) c.channels = 4;
  for (std::size_t a = 0; a < 2; ++a) {
    c.axes[a] = {.inside = d.between(3, 20), .taps = d.one_of({1, 3, 4, 5}), .border = border};
    c.axes[a].anchor = d.between(0, c.axes[a].taps - 1);
    if (d.chance(30)) c.axes[a].before = c.axes[a].after = 2;
    if (d.chance(20)) c.axes[a].stride = 2;
    if (d.chance(20)) c.axes[a].dilation = 2;
  }
  c.separable = d.chance(30);
  const auto& [x, y, z] = c.axes;
  const int width = x.before + x.inside + x.after, height = y.before + y.inside + y.after;
  const placed_image from = place({width, height, 1}, c.channels, 0, 0, 0);
  std::vector<T> pixels(from.size(1));
  for (T& p : pixels) p = random_pixel<T>(d, true);
  std::vector<Sum> taps(static_cast<std::size_t>(c.separable ? x.taps + y.taps : x.taps * y.taps));
  for (Sum& w : taps) w = static_cast<Sum>(d.unit());
  const int w = static_cast<int>(first_taps(c, x).size()),
            h = static_cast<int>(first_taps(c, y).size());
  const auto sums = reference(c, from, pixels, taps);
  guarded_buffer<T> plain(s, std::vector<T>(sums.size()), T{});
  const cl::Image2D in = picture(s, c.channels, channel_type<T>(), height, width, pixels.data()),
                    out = picture(s, c.channels, channel_type<T>(), h, w, nullptr);
  convolve_options options = options_of(c);
  if (d.chance(50)) {
    options.policy = convolve_policy{.method = convolve_method::image,
                                     .items_x = d.one_of({1, 4, 16}),
                                     .items_y = d.one_of({1, 3}),
                                     .per_item_x = d.one_of({2, 6}),
                                     .per_item_y = d.one_of({1, 3}),
                                     .vector = d.one_of({1, 2}),
                                     .filter = filter_place::constant};
  }
  convolve<T> run(s.queue, options);
  const auto view = image<T>(in).region(y.before, x.before, y.inside, x.inside);
  const auto f = filter_of(c, taps);
  const std::string what =
      text_of(c) + "\n" + to_string(run.schedule(view, f, image<T>(out)).passes.front().policy);
  wait_for(run(view, f, image<T>(plain.buffer(), h, w).channels(c.channels)));
  wait_for(run(view, f, image<T>(out)));
  guarded_buffer<T> source(s, pixels, T{});
  const cl::Image2D of_buffer = picture(s, c.channels, channel_type<T>(), h, w, nullptr);
  if (options.policy) options.policy->method = convolve_method::direct;
  if (options.policy) options.policy->per_item_x = options.policy->vector * d.one_of({1, 2, 3});
  convolve<T> of_elements(s.queue, options);
  const auto elements = image<T>(source.buffer(), height, width)
                            .channels(c.channels)
                            .region(y.before, x.before, y.inside, x.inside);
  wait_for(of_elements(elements, f, image<T>(of_buffer)));
  const std::vector<T> got = plain.read(), written = read<T>(s, out, h, w, c.channels),
                       from_buffer = read<T>(s, of_buffer, h, w, c.channels);
  if (!plain.intact()) return "a guard zone was written\n" + what;
  const auto fits = [&](const T& value, std::size_t i) {
    return is_sum(value, sums[i], options.rounding) ||
           is_sum(rounded_away(value), sums[i], options.rounding);
  };
  for (std::size_t i = 0; i < sums.size(); ++i) {
    if (!is_sum(got[i], sums[i], options.rounding))
      return "element " + std::to_string(i) + " of the buffer is wrong\n" + what;
    if (!fits(written[i], i))
      return "element " + std::to_string(i) + " of the image object is wrong\n" + what;
    if (!fits(from_buffer[i], i))
      return "element " + std::to_string(i) + " of the image object of a buffer is wrong\n" + what;
  }
  return {};
}

bool no_images() { return !facts_of(device_session().device).images; }

}  // namespace

CAMPAIGN("image objects have the borders that samplers make") {
  if (no_images()) return;
  for (const border_mode border :
       {border_mode::constant, border_mode::replicate, border_mode::reflect, border_mode::wrap}) {
    run_campaign("float", 2, [&](draw& d) { return of_object<float>(d, border); });
  }
}

CAMPAIGN("image objects hold half and integers of their own kind") {
  if (no_images()) return;
  // PoCL 3.1 reads no numbers from half.
  if (facts_of(device_session().device).vendor != vendor::pocl)
    run_campaign("half", 1, [](draw& d) { return of_object<half>(d, border_mode::replicate); });
  run_campaign("bytes", 1,
               [](draw& d) { return of_object<std::uint8_t>(d, border_mode::constant); });
  run_campaign("int16", 1, [](draw& d) { return of_object<std::int16_t>(d, border_mode::wrap); });
}

TEST_CASE("the library's choice writes image objects under any border, from volumes too") {
  if (!holds(1, CL_FLOAT)) return;
  const session& s = device_session();
  std::vector<float> pixels(3 * 12 * 14);
  for (std::size_t i = 0; i < pixels.size(); ++i) pixels[i] = static_cast<float>(i % 17);
  guarded_buffer<float> a(s, pixels, 0);
  const cl::Image2D out = picture(s, 1, CL_FLOAT, 12, 14, nullptr);
  struct kind {
    int taps;
    border_mode border;
    bool separable;
  };
  for (const kind& one : {kind{3, border_mode::reflect_101, false},
                          {9, border_mode::constant, false},
                          {17, border_mode::constant, true}}) {
    const auto n = static_cast<std::size_t>(one.taps);
    convolve<float> run(s.queue, {.border = one.border, .border_value = 2});
    const std::vector<float> ones(n, 1.0f);
    const auto f = one.separable
                       ? separable_filter<float>(ones, ones)
                       : filter_2d<float>(one.taps, one.taps, std::vector<float>(n * n, 1.0f));
    guarded_buffer<float> b(s, std::vector<float>(12 * 14), 0);
    const auto in = image<float>(a.buffer(), 12, 14);
    wait_for(run(in, f, image<float>(b.buffer(), 12, 14)));
    wait_for(run(in, f, image<float>(out)));
    CHECK(b.read() == read<float>(s, out, 12, 14, 1));  // sums of small integers are exact
  }
  convolve<float> flat(s.queue,
                       {.border = {border_mode::wrap, border_mode::wrap, border_mode::none}});
  const auto f = filter_3d<float>(3, 1, 1, {1, 10, 100});
  wait_for(flat(volume<float>(a.buffer(), 3, 12, 14), f, image<float>(out)));
  const std::vector<float> got = read<float>(s, out, 12, 14, 1);
  for (std::size_t i = 0; i < 168; ++i)
    CHECK(got[i] == pixels[i] + 10 * pixels[168 + i] + 100 * pixels[336 + i]);
}

TEST_CASE("what runs densely runs where filters of rank 1 are looked for") {
  const session& s = device_session();
  std::vector<float> pixels(20 * 20, 1.0f);
  guarded_buffer<float> a(s, pixels, 0), b(s, pixels, 0);
  const auto in = image<float>(a.buffer(), 20, 20), out = image<float>(b.buffer(), 20, 20);
  const auto box = filter_2d<float>(3, 3, std::vector<float>(9, 1.0f));
  convolve<float> by_fft(s.queue, {.policy = convolve_policy{.method = convolve_method::fft,
                                                             .items_x = 16,
                                                             .items_y = 1,
                                                             .filter = filter_place::constant},
                                   .find_separable = true});
  wait_for(by_fft(in, box, out));
  CHECK(b.read()[10 * 20 + 10] == doctest::Approx(9).epsilon(1e-5));
  if (!holds(1, CL_FLOAT)) return;
  const cl::Image2D from = picture(s, 1, CL_FLOAT, 20, 20, pixels.data()),
                    to = picture(s, 1, CL_FLOAT, 20, 20, nullptr);
  convolve<float> objects(s.queue, {.find_separable = true});
  wait_for(objects(image<float>(from), box, image<float>(to)));
  CHECK(read<float>(s, to, 20, 20, 1)[10 * 20 + 10] == 9);
}

TEST_CASE("float reads bytes as numbers up to 1") {
  if (!holds(1, CL_UNORM_INT8)) return;
  const session& s = device_session();
  std::vector<std::uint8_t> pixels{0, 51, 255, 102};
  const cl::Image2D in = picture(s, 1, CL_UNORM_INT8, 2, 2, pixels.data());
  guarded_buffer<float> out(s, std::vector<float>(4), 0);
  convolve<float> twice(s.queue);
  wait_for(twice(image<float>(in), filter_2d<float>(1, 1, {2}), image<float>(out.buffer(), 2, 2)));
  const std::vector<float> got = out.read();
  for (std::size_t i = 0; i < 4; ++i)
    CHECK(got[i] == doctest::Approx(2.0 * pixels[i] / 255).epsilon(1e-6));
}

TEST_CASE("what a sampler cannot do is refused") {
  if (!holds(1, CL_FLOAT)) return;
  const session& s = device_session();
  const cl::Image2D in = picture(s, 1, CL_FLOAT, 6, 8, nullptr);
  guarded_buffer<float> out(s, std::vector<float>(48, 7.0f), 0);
  const auto f = filter_2d<float>(3, 3, std::vector<float>(9, 1.0f));
  const auto to = image<float>(out.buffer(), 6, 8);
  const auto of = [&](const convolve_options& o, const image_view<float>& from,
                      const image_view<float>& into) {
    return refused([&] {
      convolve<float> run(s.queue, o);
      run(from, f, into);
    });
  };
  const auto from = image<float>(in);
  const std::string borders =
      "method image is for borders that a sampler makes: constant 0, replicate, reflect or wrap on "
      "all sides";
  CHECK(of({.border = border_mode::reflect_101}, from, to) == borders);
  CHECK(of({.border = {border_mode::wrap, border_mode::replicate}}, from, to) == borders);
  CHECK(of({.border_value = 1}, from, to) ==
        "border value must be a sampler's where an image object is the input: 1 given, 0");
  CHECK(of({.policy = convolve_policy{}}, from, to) == "method direct is for inputs in buffers");
  CHECK(of({.policy = convolve_policy{.method = convolve_method::image}}, to, from) ==
        "method image is for inputs in image objects (cl::Image2D)");
  CHECK(of({.policy = convolve_policy{.method = convolve_method::tile}}, to, from) ==
        "method tile is for outputs in buffers");
  CHECK(
      of({}, from.region(1, 1, 4, 4).isolated(), image<float>(out.buffer(), 4, 4))
          .starts_with("the input must be an image object or a region of one, with what surrounds "
                       "it: another view of 6 x 8 pixels given"));
  CHECK(refused([&] { image<std::uint8_t>(in); })
            .starts_with("channels of an image object must be of a type that pixels of uchar are "
                         "read from: channel type"));
  CHECK(of({}, from, from).starts_with("the output must not share memory"));
  convolve_variant v;
  v.in_object = true;
  device_facts none;
  none.images = false;
  none.name = "a device";
  CHECK(refused([&] { check_device_rules({.method = convolve_method::image}, v, none); }) ==
        "an input in an image object needs image support, which a device lacks");
  v.in_object = false;
  v.out_object = true;
  CHECK(refused([&] { check_device_rules({}, v, none); }) ==
        "an output in an image object needs image support, which a device lacks");
  CHECK(out.read() == std::vector<float>(48, 7.0f));
}
