// Single promises: sizes of nothing, maps, borders, coefficients that change, idle items.

#include <cstdint>
#include <numeric>
#include <optional>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include <clprim/core/border.hpp>

#include "convolve/reference.hpp"

using namespace clprim;
using namespace support;

namespace {

template <class T> std::vector<T> counted(std::size_t n) {
  std::vector<T> v(n);
  std::iota(v.begin(), v.end(), T{1});
  return v;
}

}  // namespace

TEST_CASE("index maps agree with borders drawn step by step") {
  using enum border_mode;
  for (const border_mode mode : {constant, replicate, reflect, reflect_101, wrap}) {
    for (int n = 1; n <= 6; ++n) {
      for (int i = -20; i <= 25; ++i) {
        const int wanted = resolved(i, n, mode).value_or(-1);
        CHECK(border_index(i, n, mode) == wanted);
        const int once = mode == reflect_101 ? n - 1 : n;  // the short form folds once
        if (i >= -once && i < n + once && (n > 1 || mode != reflect_101)) {
          const int number = static_cast<int>(mode);
          CHECK(border_text::border_index(i, n, number, number, 0) == wanted);
        }
      }
    }
  }
}

TEST_CASE("the three ways to load an apron leave 25, 50 and 100 percent of the items to compute") {
  convolve_variant v;
  v.x.taps = v.y.taps = 9;
  convolve_policy p{.method = convolve_method::tile,
                    .items_x = 8,
                    .items_y = 8,
                    .per_item_x = 1,
                    .per_item_y = 1,
                    .vector = 1,
                    .apron = apron_load::item_per_pixel};
  CHECK(geometry_of(p, v).group_x * geometry_of(p, v).group_y == 256);
  CHECK(active_items_of(p, v).computing == 0.25);
  CHECK(active_items_of(p, v).loading == 1);
  p.apron = apron_load::several_loads;
  CHECK(geometry_of(p, v).group_x * geometry_of(p, v).group_y == 128);
  CHECK(active_items_of(p, v).computing == 0.5);
  p.apron = apron_load::block_per_item;
  CHECK(geometry_of(p, v).group_x * geometry_of(p, v).group_y == 64);
  CHECK(active_items_of(p, v).computing == 1);
  CHECK(active_items_of(p, v).loading == 1);
}

TEST_CASE("large filters of large images of floating point go through transforms") {
  device_facts gpu, cpu;
  gpu.kind = device_kind::gpu;
  cpu.kind = device_kind::cpu;
  const auto method = [](const device_facts& device, int taps, std::int64_t n, bool allowed) {
    return tuned_convolve(device, {.taps_x = taps,
                                   .taps_y = taps,
                                   .reach = taps - 1,
                                   .width = n,
                                   .height = n,
                                   .transforms = allowed,
                                   .outputs = {n, n, 1}})
        .method;
  };
  for (const device_facts& device : {gpu, cpu}) {
    CHECK(method(device, 9, 8192, true) != convolve_method::fft);
    CHECK(method(device, 63, 8192, true) == convolve_method::fft);
    CHECK(method(device, 63, 64, true) != convolve_method::fft);
    CHECK(method(device, 63, 8192, false) != convolve_method::fft);
  }
}

TEST_CASE("explain weighs the cost of transforms") {
  const session& s = device_session();
  guarded_buffer<float> a(s, std::vector<float>(1024), 0), b(s, std::vector<float>(1024), 0);
  convolve<float> run(s.queue, {.policy = convolve_policy{.method = convolve_method::fft,
                                                          .items_x = 32,
                                                          .items_y = 1,
                                                          .per_item_x = 1,
                                                          .vector = 1,
                                                          .strip = 16,
                                                          .columns = 16,
                                                          .filter = filter_place::buffer}});
  const auto in = image<float>(a.buffer(), 32, 32), out = image<float>(b.buffer(), 32, 32);
  const auto f = filter_2d<float>(3, 3, std::vector<float>(9));
  const std::string text = run.explain(in, f, out);
  CHECK(text.find("of an output: 9 multiply-adds directly, as much as about") != std::string::npos);
  CHECK(text.find("9 tiles of 1 x 16 x 16 points, of which 1 x 14 x 14 are outputs") !=
        std::string::npos);
  CHECK(run.workspace_bytes(in, f, out) == 9 * 16 * 16 * sizeof(float));
}

TEST_CASE("new coefficients and other images reach the transforms") {
  const session& s = device_session();
  const std::vector<float> pixels = counted<float>(16 * 16);
  guarded_buffer<float> a(s, pixels, 0), b(s, std::vector<float>(16 * 16), 0);
  convolve<float> run(s.queue, {.policy = convolve_policy{.method = convolve_method::fft,
                                                          .items_x = 16,
                                                          .items_y = 1,
                                                          .per_item_x = 1,
                                                          .vector = 1,
                                                          .filter = filter_place::constant}});
  const auto in = image<float>(a.buffer(), 16, 16), out = image<float>(b.buffer(), 16, 16);
  for (const float w : {1.0f, 2.0f, 2.0f, -3.0f}) {
    wait_for(run(in, filter_2d<float>(1, 1, {w}), out));
    const std::vector<float> got = b.read();
    for (std::size_t i = 0; i < got.size(); ++i)
      CHECK(got[i] == doctest::Approx(w * pixels[i]).epsilon(1e-4));
  }
}

TEST_CASE("explain tells what part of the items is active") {
  const session& s = device_session();
  guarded_buffer<float> a(s, std::vector<float>(256), 0), b(s, std::vector<float>(256), 0);
  struct told {
    apron_load apron;
    const char* share;
  };
  for (const told& one : {told{apron_load::item_per_pixel, "100 %, while computing 25 %"},
                          {apron_load::several_loads, "100 %, while computing 50 %"},
                          {apron_load::block_per_item, "100 %, while computing 100 %"}}) {
    convolve<float> run(s.queue, {.policy = convolve_policy{.method = convolve_method::tile,
                                                            .items_x = 8,
                                                            .items_y = 8,
                                                            .per_item_x = 1,
                                                            .per_item_y = 1,
                                                            .vector = 1,
                                                            .apron = one.apron}});
    const std::string text = run.explain(image<float>(a.buffer(), 16, 16),
                                         filter_2d<float>(9, 9, std::vector<float>(81)),
                                         image<float>(b.buffer(), 16, 16));
    CHECK(text.find(std::string("active while loading ") + one.share + " of the items") !=
          std::string::npos);
  }
}

TEST_CASE("an image without pixels has an output without pixels") {
  const session& s = device_session();
  convolve<float> run(s.queue);
  const image_view<float> nothing{.height = 0, .width = 5};
  const auto f = filter_2d<float>(3, 3, std::vector<float>(9));
  wait_for(run(nothing, f, nothing));
  CHECK(run.extent(nothing, f) == std::array<std::int64_t, 3>{5, 0, 1});
  CHECK(run.explain(nothing, f, nothing) == "convolution: nothing to do, there is no output\n");
  // An image smaller than the filter has no valid output.
  guarded_buffer<float> a(s, std::vector<float>(4), 0);
  convolve<float> valid(s.queue, {.extent = output_extent::valid});
  const auto small = image<float>(a.buffer(), 2, 2);
  CHECK(valid.extent(small, f) == std::array<std::int64_t, 3>{0, 0, 1});
}

TEST_CASE("a signal is convolved along its one axis") {
  const session& s = device_session();
  guarded_buffer<float> a(s, counted<float>(50), 0), b(s, std::vector<float>(50), 0);
  const auto x = signal<float>(a.buffer(), 50), y = signal<float>(b.buffer(), 50);
  convolve<float> run(s.queue,
                      {.direction = sliding::convolution, .border = border_mode::replicate});
  wait_for(run(x, filter_1d<float>({1, 10, 100}), y));
  const auto from = a.read(), got = b.read();
  for (std::size_t i = 0; i < 50; ++i)
    CHECK(got[i] == from[i == 49 ? 49 : i + 1] + 10 * from[i] + 100 * from[i == 0 ? 0 : i - 1]);
  CHECK(b.intact());
}

TEST_CASE("the map sees the sum, its place and its arguments") {
  const session& s = device_session();
  guarded_buffer<float> a(s, counted<float>(60), 0), b(s, std::vector<float>(60), 0);
  for (const convolve_method method : {convolve_method::direct, convolve_method::tile,
                                       convolve_method::ring, convolve_method::rows}) {
    convolve_policy p{.method = method};
    if (method == convolve_method::rows) p.items_x = p.items_y = 1;
    if (method == convolve_method::ring) p.items_y = p.per_item_y = 1;
    convolve<float> run(s.queue, {.policy = p,
                                  .map = {"return slope * value + 1000 * x + 100 * y + channel;",
                                          {value<float>("slope")}}});
    const auto in = image<float>(a.buffer(), 3, 10).channels(2);
    wait_for(
        run(in, filter_1d<float>({2}), image<float>(b.buffer(), 3, 10).channels(2), {}, {0.5f}));
    const auto got = b.read();
    for (std::size_t i = 0; i < 60; ++i) {
      const auto x = static_cast<float>(i / 2 % 10), y = static_cast<float>(i / 20),
                 channel = static_cast<float>(i % 2);
      CHECK(got[i] == static_cast<float>(i + 1) + 1000 * x + 100 * y + channel);
    }
  }
}

TEST_CASE("new coefficients need no build unless they are literals") {
  const session& s = device_session();
  guarded_buffer<float> a(s, counted<float>(64), 0), b(s, std::vector<float>(64), 0);
  const auto in = image<float>(a.buffer(), 8, 8), out = image<float>(b.buffer(), 8, 8);
  std::vector<std::optional<convolve_policy>> policies{
      std::nullopt, convolve_policy{.method = convolve_method::tile},
      convolve_policy{.method = convolve_method::ring, .items_y = 1, .per_item_y = 1},
      convolve_policy{.method = convolve_method::rows, .items_x = 1, .items_y = 1}};
  for (const filter_place where :
       {filter_place::value, filter_place::constant, filter_place::buffer})
    policies.emplace_back(convolve_policy{.filter = where});
  for (const auto& policy : policies) {
    convolve<float> run(s.queue, {.policy = policy});
    const auto one = filter_1d<float>({0, 1, 0}), two = filter_1d<float>({0, 2, 0});
    CHECK(run.source(in, one, out) == run.source(in, two, out));
    const cl::Event first = run(in, one, out);
    wait_for(run(in, two, out, std::vector{first}));
    CHECK(b.read()[5] == 12);
  }
  convolve<float> run(s.queue, {.policy = convolve_policy{.filter = filter_place::literals}});
  CHECK(run.source(in, filter_1d<float>({0, 1, 0}), out) !=
        run.source(in, filter_1d<float>({0, 2, 0}), out));
}

TEST_CASE("filters of rank 1 are recognised, others are not") {
  const std::vector<float> column{1, 4, 6, 4, 1}, row{-1, 0, 1};
  std::vector<float> sobel, gauss;
  for (const float c : column)
    for (const float r : row) sobel.push_back(c * r);
  const auto found = separated(filter_2d<float>(5, 3, sobel));
  REQUIRE(found);
  CHECK(found->is_separable);
  for (std::size_t y = 0; y < 5; ++y)
    for (std::size_t x = 0; x < 3; ++x)
      CHECK(found->coefficients[x] * found->coefficients[3 + y] == sobel[y * 3 + x]);
  auto bent = sobel;
  bent[4] += 0.01f;
  CHECK(!separated(filter_2d<float>(5, 3, bent)));
  CHECK(separated(filter_2d<std::int32_t>(2, 2, {6, -9, -4, 6})));
  CHECK(!separated(filter_2d<std::int32_t>(2, 2, {6, -9, -4, 7})));
  CHECK(separated(filter_3d<double>(2, 2, 2, {1, 2, 3, 6, -2, -4, -6, -12})));
  CHECK(!separated(filter_3d<double>(2, 2, 2, {1, 2, 3, 6, -2, -4, -6, 12})));
  CHECK(separated(filter_2d<float>(2, 2, {0, 0, 0, 0})));
}

TEST_CASE("a dense filter of rank 1 runs separably on request") {
  const session& s = device_session();
  const auto pixels = counted<float>(400);
  guarded_buffer<float> a(s, pixels, 0), b(s, std::vector<float>(400), 0);
  const auto in = image<float>(a.buffer(), 20, 20), out = image<float>(b.buffer(), 20, 20);
  const auto box = filter_2d<float>(5, 5, std::vector<float>(25, 1.0f));
  convolve<float> run(s.queue, {.border = border_mode::replicate, .find_separable = true});
  CHECK(run.explain(in, box, out).find("separable") != std::string::npos);
  wait_for(run(in, box, out));
  const auto got = b.read();
  CHECK(got[10 * 20 + 10] == 25 * pixels[10 * 20 + 10]);
}

TEST_CASE("the workspace of a separable filter is told and may be given") {
  const session& s = device_session();
  guarded_buffer<float> a(s, counted<float>(400), 0), b(s, std::vector<float>(400), 0),
      w(s, std::vector<float>(4000), 0), little(s, std::vector<float>(8), 0);
  const auto in = image<float>(a.buffer(), 20, 20), out = image<float>(b.buffer(), 20, 20);
  const auto box = separable_filter<float>({1, 1, 1}, {1, 1, 1});
  convolve<float> run(s.queue, {.policy = convolve_policy{.fused = false}});
  CHECK(run.workspace_bytes(in, box, out) == 22 * 32 * 4);
  run.use_workspace(little.buffer());
  CHECK_THROWS_WITH_AS(run(in, box, out),
                       "the workspace must hold what lies between the kernels of the call: 32 "
                       "bytes given, at least 2816 bytes",
                       argument_error);
  run.use_workspace(w.buffer());
  wait_for(run(in, box, out));
  CHECK(b.read()[10 * 20 + 10] == 9 * 211);
}
