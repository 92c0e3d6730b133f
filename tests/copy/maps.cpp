// Copies and maps: exact, within their arrays, and refused when they cannot be.

#include <cmath>
#include <complex>
#include <cstdint>
#include <cstring>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include <clprim/copy.hpp>

#include "copy/draw_policy.hpp"
#include "support/campaign.hpp"
#include "support/device.hpp"
#include "support/other_devices.hpp"
#include "support/refusal.hpp"
#include "support/taken_names.hpp"

using namespace clprim;
using namespace support;

namespace {

template <class T>
vector_view<T> view(const guarded_buffer<T>& b, std::int64_t count, std::int64_t stride = 1,
                    std::int64_t offset = 0) {
  return {.memory = b.buffer()(), .count = count, .stride = stride, .offset = offset};
}

template <class T> void any_copy(const char* name, int cases) {
  run_campaign(name, cases, [](draw& d) -> std::string {
    const session& s = device_session();
    copy_options options;
    if (d.chance(70)) options.policy = draw_policy(d);
    d.kernels_are_chosen();
    const std::int64_t count = d.between(0, d.one_of({5, 100, 5000}));
    const std::int64_t in_stride = d.chance(20) ? 3 : 1, out_stride = d.chance(20) ? 2 : 1;
    const std::int64_t in_offset = d.one_of({0, 1, 4, 16}), out_offset = d.one_of({0, 1, 4, 16});
    std::vector<T> from(static_cast<std::size_t>(in_offset + in_stride * count + 1));
    for (T& x : from) {
      const std::uint64_t bits[2] = {d.bits(), d.bits()};
      std::memcpy(&x, bits, sizeof x);
    }
    std::vector<T> expected(static_cast<std::size_t>(out_offset + out_stride * count + 1));
    guarded_buffer<T> A(s, from, T{}), B(s, expected, T{});
    for (std::int64_t i = 0; i < count; ++i)
      expected[static_cast<std::size_t>(out_offset + i * out_stride)] =
          from[static_cast<std::size_t>(in_offset + i * in_stride)];
    std::optional<assume_device> as_if;  // the choice is that for another device
    if (!options.policy) as_if.emplace(drawn_device(d, facts_of(s.device)));
    copy<T> move(s.queue, options);
    move(view(A, count, in_stride, in_offset), view(B, count, out_stride, out_offset));
    const auto got = B.read();
    if (std::memcmp(got.data(), expected.data(), got.size() * sizeof(T)) == 0 && B.intact())
      return {};
    return std::to_string(count) + " elements, strides " + std::to_string(in_stride) + " " +
           std::to_string(out_stride) + ", offsets " + std::to_string(in_offset) + " " +
           std::to_string(out_offset) + (options.policy ? to_string(*options.policy) : "");
  });
}

}  // namespace

CAMPAIGN("any array of bytes is copied exactly") { any_copy<std::uint8_t>("bytes", 12); }
CAMPAIGN("any array of float is copied exactly") { any_copy<float>("float", 20); }
CAMPAIGN("any array of complex double is copied exactly") {
  any_copy<std::complex<double>>("complex double", 12);
}

TEST_CASE("a map of several inputs, its output being one of them") {
  const session& s = device_session();
  std::vector<float> x(1000), y(1000);
  for (std::size_t i = 0; i < x.size(); ++i) {
    x[i] = static_cast<float>(i);
    y[i] = static_cast<float>(3 * i % 7);
  }
  for (const int vector : {1, 4}) {
    guarded_buffer<float> X(s, x, 0), Y(s, y, 0);
    clprim::map<float, float, float> axpy(
        s.queue, {.policy = copy_policy{.items = 16, .vector = vector},
                  .map = {"return a * x0 + x1 + (float)index;", {value<float>("a")}}});
    axpy({view(X, 1000), view(Y, 1000)}, view(Y, 1000), {}, {2.f});
    std::vector<float> expected = y;
    for (std::size_t i = 0; i < x.size(); ++i) expected[i] += 3 * x[i];
    CHECK(Y.read() == expected);
  }
}

TEST_CASE("parameters of a map may have the names that its kernel uses") {
  const session& s = device_session();
  guarded_buffer<float> X(s, std::vector<float>{1, 2, 3, 4, 5}, 0), Y(s, std::vector<float>(5), 0);
  const taken_names taken;
  for (const bool two : {false, true}) {
    const std::string first = two ? "x1" : "x0";
    const function text = taken.times(first);
    if (two) {
      clprim::map<float, float, float> times(s.queue, {.map = text});
      times({view(X, 5), view(X, 5)}, view(Y, 5), {}, taken.values());
    } else {
      clprim::map<float, float> times(s.queue, {.map = text});
      times({view(X, 5)}, view(Y, 5), {}, taken.values());
    }
    CHECK(Y.read() == taken.expected({1, 2, 3, 4, 5}));
  }
}

TEST_CASE("a map without text rounds to the nearest integer and saturates") {
  const session& s = device_session();
  constexpr float inf = std::numeric_limits<float>::infinity();
  const std::vector<float> x{.5f, 1.5f, 2.5f,  -.5f, -1.5f, 254.5f,       255.5f,
                             300, -3,   1e30f, inf,  -inf,  std::nanf("")};
  const auto n = static_cast<std::int64_t>(x.size());
  guarded_buffer<float> X(s, x, 0);
  guarded_buffer<std::uint8_t> bytes(s, std::vector<std::uint8_t>(x.size(), 77), 0);
  clprim::map<std::uint8_t, float> to_bytes(s.queue);
  to_bytes({view(X, n)}, view(bytes, n));
  CHECK(bytes.read() == std::vector<std::uint8_t>{0, 2, 2, 0, 0, 254, 255, 255, 0, 255, 255, 0, 0});
  guarded_buffer<std::int32_t> words(s, std::vector<std::int32_t>(x.size(), 77), 0);
  clprim::map<std::int32_t, float> to_words(s.queue);
  to_words({view(X, n)}, view(words, n));
  constexpr std::int32_t top = std::numeric_limits<std::int32_t>::max(), bottom = -top - 1;
  CHECK(words.read() ==
        std::vector<std::int32_t>{0, 2, 2, 0, -2, 254, 256, 300, -3, top, top, bottom, 0});
  guarded_buffer<std::int64_t> longs(s, std::vector<std::int64_t>(x.size(), 77), 0);
  clprim::map<std::int64_t, float> to_longs(s.queue);
  to_longs({view(X, n)}, view(longs, n));
  constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max();
  CHECK(longs.read() ==
        std::vector<std::int64_t>{0, 2, 2, 0, -2, 254, 256, 300, -3, most, most, -most - 1, 0});
  guarded_buffer<std::int32_t> wide(s, std::vector<std::int32_t>{-5, 127, 128, 1 << 30, -129}, 0);
  guarded_buffer<std::int8_t> narrow(s, std::vector<std::int8_t>(5), 0);
  clprim::map<std::int8_t, std::int32_t> to_narrow(s.queue);
  to_narrow({view(wide, 5)}, view(narrow, 5));
  CHECK(narrow.read() == std::vector<std::int8_t>{-5, 127, 127, 127, -128});
}

TEST_CASE("a map in place is a declared form: scale, and a change of type of one size") {
  const session& s = device_session();
  std::vector<float> x(777);
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = static_cast<float>(i % 31);
  guarded_buffer<float> X(s, x, 0);
  clprim::map<float, float> scale(s.queue, {.map = {"return a * x0;", {value<float>("a")}}});
  scale({view(X, 388, 2, 1)}, view(X, 388, 2, 1), {}, {3.f});
  for (std::size_t i = 1; i < 776; i += 2) x[i] *= 3;
  CHECK(X.read() == x);
  CHECK(X.intact());
  clprim::map<std::int32_t, float> rounded(s.queue);
  const vector_view<std::int32_t> same{.memory = X.buffer()(), .count = 777};
  rounded({view(X, 777)}, same);
  const auto bits = X.read();
  std::int32_t third = 0;
  std::memcpy(&third, &bits[3], sizeof third);
  CHECK(third == 9);
}

TEST_CASE("a policy is a template argument of copy and of map") {
  const session& s = device_session();
  constexpr copy_policy mine{.items = 8, .vector = 2, .per_item = 3};
  guarded_buffer<float> A(s, std::vector<float>(100, 2.f), 0), B(s, std::vector<float>(100), 0);
  copy<float, mine> move(s.queue);
  CHECK(move.schedule(view(A, 100), view(B, 100)).policy == mine);
  move(view(A, 100), view(B, 100));
  CHECK(B.read() == std::vector<float>(100, 2.f));
  map_with<mine, float, float> twice(s.queue, {.map = {"return 2 * x0;", {}}});
  CHECK(twice.schedule({view(A, 100)}, view(B, 100)).policy == mine);
  twice({view(A, 100)}, view(B, 100));
  CHECK(B.read() == std::vector<float>(100, 4.f));
}

TEST_CASE("a map changes types: bytes and half to float, complex to its square") {
  const session& s = device_session();
  guarded_buffer<std::uint8_t> bytes(s, std::vector<std::uint8_t>{0, 1, 200, 255, 7}, 0);
  guarded_buffer<half> halves(
      s, std::vector<half>{half(1.f), half(2.f), half(3.f), half(.5f), half(-1.f)}, {});
  guarded_buffer<float> out(s, std::vector<float>(5), 0);
  clprim::map<float, std::uint8_t, half> weigh(s.queue, {.map = {"return x0 * x1;", {}}});
  weigh({view(bytes, 5), view(halves, 5)}, view(out, 5));
  CHECK(out.read() == std::vector<float>{0, 2, 600, 127.5f, -7});
  clprim::map<float, half> widen(s.queue);
  widen({view(halves, 5)}, view(out, 5));
  CHECK(out.read() == std::vector<float>{1, 2, 3, .5f, -1});
}

TEST_CASE("wrong calls of a map are refused with names and numbers") {
  const session& s = device_session();
  guarded_buffer<float> a(s, std::vector<float>(16), 0), b(s, std::vector<float>(16), 0);
  copy<float> move(s.queue);
  CHECK(refused([&] { move(view(a, 3), view(b, 4)); }) ==
        "count of input 0 must equal that of the output: 3 given, 4 expected");
  CHECK(refused([&] { move(view(a, 17), view(b, 17)); }) ==
        "buffer of input 0 must hold every element addressed: 64 bytes given, at least 68 bytes");
  CHECK(refused([&] { move(view(a, 8), view(a, 8, 1, 4)); }) ==
        "the output must be input 0 itself or apart from it: overlapping views given, the same "
        "view or separate memory");
  const std::string apart =
      "the output must be input 0 itself or apart from it: overlapping views given, the same view "
      "or separate memory";
  CHECK(refused([&] { move(view(a, 4, 2), view(a, 4, 2, 2)); }) == apart);
  CHECK(refused([&] { move(view(a, 8), view(a, 4, 2)); }) ==
        "count of input 0 must equal that of the output: 8 given, 4 expected");
  CHECK(refused([&] { move(view(a, 4), view(a, 4, 2)); }) == apart);
  clprim::map<double, float> widened(s.queue);
  const vector_view<double> wide{.memory = a.buffer()(), .count = 8};
  CHECK(refused([&] { widened({view(a, 8)}, wide); }) == apart);
  clprim::map<float, float, float> sum(s.queue, {.map = {"return x0 + x1;", {}}});
  CHECK(refused([&] {
          sum({view(a, 8), view(b, 8, 1, 2)}, view(b, 8));
        }) ==
        "the output must be input 1 itself or apart from it: overlapping views given, the same "
        "view or separate memory");
  CHECK(refused([&] { clprim::map<float, float, float> nothing(s.queue); }) ==
        "a map of 2 arrays needs a function: no text given, such as 'return x0 + x1;'");
  CHECK_THROWS_WITH_AS(copy<float>(s.queue, {.policy = copy_policy{.vector = 3}}),
                       "vector must be 1, 2, 4, 8 or 16: vector = 3 given", policy_error);
  CHECK_THROWS_WITH_AS(copy<float>(s.queue, {.policy = copy_policy{.walk = copy_walk::runs}}),
                       "groups_per_unit is for walks grid_stride and runs, which need it: "
                       "groups_per_unit = 0 given",
                       policy_error);
  clprim::map<float, float> broken(s.queue, {.map = {"return no_such_name;", {}}});
  CHECK_THROWS_AS(broken({view(a, 4)}, view(b, 4)), build_error);
}

TEST_SUITE("oclgrind") {
  TEST_CASE("a map reads and writes its arrays only") {
    const session& s = device_session();
    guarded_buffer<float> a(s, std::vector<float>(37, 2.f), 0, surroundings::nothing),
        b(s, std::vector<float>(37, 1.f), 0, surroundings::nothing);
    clprim::map<float, float, float> add(
        s.queue, {.policy = copy_policy{.items = 4, .vector = 2, .per_item = 2},
                  .map = {"return x0 + x1;", {}}});
    add({view(a, 37), view(b, 37)}, view(b, 37));
    CHECK(b.read() == std::vector<float>(37, 3.f));
  }
}
