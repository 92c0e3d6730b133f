// User functions, storage in half, padding with zeros, cutting off; sources kept as text.

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <sstream>
#include <string>
#include <vector>

#include "fft/reference.hpp"

using namespace clprim;
using namespace support;

namespace {

using number = std::complex<float>;
constexpr fft_policy by_items{.points = 8, .group = 16};
/// Half a unit in the last place of half; what float does before it hardly counts.
constexpr long double half_rounding = 0x1p-11L;

}  // namespace

TEST_CASE("transforms of an input may overlap, as frames do") {
  const session& s = device_session();
  constexpr std::int64_t n = 32, hop = 5, frames = 9;
  draw d(4);
  const auto from = random_complex<float>(d, n + hop * (frames - 1));
  wide_values wide;
  for (std::ptrdiff_t f = 0; f < frames; ++f)
    wide.insert(wide.end(), from.begin() + f * hop, from.begin() + f * hop + n);
  wide = reference_transform(wide, {frames, n}, 1);
  for (const bool items : {false, true}) {
    fft_options o;
    if (items) o.policy = by_items;
    guarded_buffer<number> X(s, from, {7, 7}), Y(s, std::vector<number>(wide.size()), {7, 7});
    fft<float> transform(s.queue, o);
    wait_for(transform.forward(array<number>(X.buffer(), {frames, n}).with_strides({hop, 1}),
                               array<number>(Y.buffer(), {frames, n})));
    CHECK(relative_error(Y.read(), wide) <= error_bound<float>({n}));
    CHECK(Y.intact());
  }
}

TEST_CASE("samples of int16 are windowed as they are read, magnitudes stored") {
  const session& s = device_session();
  constexpr std::int64_t n = 64, batch = 9;
  for (const bool items : {false, true}) {
    fft_options o{.load = {"return (float)value * window[index % 64];", {buffer<float>("window")}},
                  .store = {"return length(value) * gain;", {clprim::value<float>("gain")}}};
    if (items) o.policy = by_items;
    draw d(5);
    std::vector<std::int16_t> samples(n * batch);
    std::vector<float> window(n);
    for (auto& v : samples) v = static_cast<std::int16_t>(d.between(-1000, 1000));
    for (auto& v : window) v = static_cast<float>(d.unit());
    constexpr std::int64_t half = n / 2 + 1;
    guarded_buffer<std::int16_t> X(s, samples, 7);
    guarded_buffer<float> W(s, window, 7), Y(s, std::vector<float>(half * batch), 7);
    fft<float> transform(s.queue, o);
    wait_for(transform.forward(array<std::int16_t>(X.buffer(), {batch, n}),
                               array<float>(Y.buffer(), {batch, half}), {}, {W.buffer(), 0.5f}));
    const auto got = Y.read();
    for (std::int64_t b = 0; b < batch; ++b) {
      wide_values line;
      for (std::int64_t i = 0; i < n; ++i)
        line.emplace_back(static_cast<long double>(samples[static_cast<std::size_t>(b * n + i)]) *
                          static_cast<long double>(window[static_cast<std::size_t>(i)]));
      line = reference_transform(line);
      for (std::int64_t k = 0; k < half; ++k)
        CHECK(std::abs(got[static_cast<std::size_t>(b * half + k)] -
                       std::abs(line[static_cast<std::size_t>(k)]) / 2) <= 5e-3L);
    }
    CHECK(Y.intact());
  }
}

TEST_CASE("parameters may have any names, those of kernels and of each other too") {
  const session& s = device_session();
  constexpr std::int64_t n = 64, batch = 5, half = n / 2 + 1;
  draw d(6);
  std::vector<float> samples(n * batch);
  for (auto& v : samples) v = static_cast<float>(d.unit());
  guarded_buffer<float> X(s, samples, 7);
  wide_values moved;
  for (const float v : samples) moved.emplace_back(v + 0.25L);
  moved = reference_transform(moved, {batch, n}, 1);
  wide_values expected;
  for (std::int64_t b = 0; b < batch; ++b)
    for (std::int64_t k = 0; k < half; ++k)
      expected.push_back(3.0L * moved[static_cast<std::size_t>(b * n + k)]);
  for (const bool items : {false, true}) {
    for (const std::string name :
         {"gain", "row", "k", "t", "sr", "lid", "in", "R", "user_load_0"}) {
      CAPTURE(name);
      fft_options o{.load = {"return value + " + name + ";", {clprim::value<float>(name)}},
                    .store = {"return value * " + name + ";", {clprim::value<float>(name)}}};
      if (items) o.policy = by_items;
      guarded_buffer<number> Y(s, std::vector<number>(half * batch), {7, 7});
      fft<float> transform(s.queue, o);
      wait_for(transform.forward(array<float>(X.buffer(), {batch, n}),
                                 array<number>(Y.buffer(), {batch, half}), {}, {0.25f, 3.0f}));
      CHECK(relative_error(Y.read(), expected) <= error_bound<float>({n}));
    }
  }
}

TEST_CASE("halves are stored and computed in float") {
  const session& s = device_session();
  constexpr std::int64_t n = 32, batch = 3;
  draw d(6);
  std::vector<complex_half> from(n * batch);
  wide_values wide;
  for (auto& v : from) {
    v = {half(static_cast<float>(d.unit())), half(static_cast<float>(d.unit()))};
    wide.emplace_back(static_cast<float>(v.re), static_cast<float>(v.im));
  }
  wide = reference_transform(wide, {batch, n}, 1);
  for (const bool items : {false, true}) {
    fft_options o;
    if (items) o.policy = by_items;
    guarded_buffer<complex_half> X(s, from, {}), Y(s, from, {});
    fft<float> transform(s.queue, o);
    wait_for(transform.forward(array<complex_half>(X.buffer(), {batch, n}),
                               array<complex_half>(Y.buffer(), {batch, n})));
    const auto got = Y.read();
    std::vector<number> values;
    for (const complex_half& v : got)
      values.emplace_back(static_cast<float>(v.re), static_cast<float>(v.im));
    CHECK(relative_error(values, wide) <= half_rounding);
    CHECK(Y.intact());
  }
}

TEST_CASE("real halves become half a spectrum of halves and come back") {
  const session& s = device_session();
  constexpr std::int64_t n = 64, batch = 3, points = n / 2 + 1;
  draw d(6);
  std::vector<half> from(n * batch);
  wide_values wide, halves;
  for (half& v : from) {
    v = half(static_cast<float>(d.unit()));
    wide.emplace_back(static_cast<float>(v));
  }
  const wide_values expected = reference_transform(wide, {batch, n}, 1);
  for (std::size_t i = 0; i < expected.size(); ++i)
    if (i % n < points) halves.push_back(expected[i]);
  for (const bool items : {false, true}) {
    fft_options o{.inverse_scale = 1.0 / n};
    if (items) o.policy = by_items;
    guarded_buffer<half> X(s, from, half(7.F)), Z(s, std::vector<half>(from.size()), half(7.F));
    guarded_buffer<complex_half> Y(s, std::vector<complex_half>(halves.size()), {});
    fft<float> transform(s.queue, o);
    const auto y = array<complex_half>(Y.buffer(), {batch, points});
    wait_for(transform.forward(array<half>(X.buffer(), {batch, n}), y));
    wait_for(transform.inverse(y, array<half>(Z.buffer(), {batch, n})));
    std::vector<number> values, back;
    for (const complex_half& v : Y.read())
      values.emplace_back(static_cast<float>(v.re), static_cast<float>(v.im));
    for (const half v : Z.read()) back.emplace_back(static_cast<float>(v));
    CHECK(relative_error(values, halves) <= half_rounding);
    CHECK(relative_error(back, wide) <= 2 * half_rounding);  // of the spectrum and of the values
    CHECK((Y.intact() && Z.intact()));
  }
}

// 83 and 509 are primes whose convolutions are the shorter for it, in one pass and in several.
TEST_CASE("short inputs are padded with zeros, short outputs cut off, in one pass and in several") {
  const session& s = device_session();
  const auto check_padded = [&](bool items, std::int64_t n, std::int64_t in) {
    fft_options o{.lengths = {n}};
    o.policy = items ? fft_policy{.points = 8, .group = 16, .one_pass = 64}
                     : fft_policy{.shape = fft_shape::lanes, .one_pass = 64};
    constexpr std::int64_t batch = 9, out = 21;
    draw d(7);
    const auto from = random_complex<float>(d, static_cast<std::size_t>(batch * in));
    guarded_buffer<number> X(s, from, {7, 7}), Y(s, std::vector<number>(batch * out), {7, 7});
    fft<float> transform(s.queue, o);
    wait_for(transform.forward(array<number>(X.buffer(), {batch, in}),
                               array<number>(Y.buffer(), {batch, out})));
    wide_values expected;
    for (std::int64_t b = 0; b < batch; ++b) {
      wide_values line(static_cast<std::size_t>(n));
      for (std::int64_t i = 0; i < in; ++i)
        line[static_cast<std::size_t>(i)] = from[static_cast<std::size_t>(b * in + i)];
      line = reference_transform(line);
      expected.insert(expected.end(), line.begin(), line.begin() + out);
    }
    CAPTURE(n);
    CAPTURE(in);
    CHECK(relative_error(Y.read(), expected) <= error_bound<float>({n}));
    CHECK(Y.intact());
  };
  for (const bool items : {false, true})
    for (const std::int64_t n : {60, 256, 83, 509})
      for (const std::int64_t in : {std::int64_t{37}, n - 3}) check_padded(items, n, in);
}

TEST_CASE("two passes that share a launch transform as two launches do, call after call") {
  const session& s = device_session();
  using extents_list = std::vector<std::vector<std::int64_t>>;
  for (const auto& extents : extents_list{{12, 256}, {7, 16, 16}, {5, 30, 16}, {3, 8, 8, 8}}) {
    const int axes = static_cast<int>(extents.size()) - 1;
    std::int64_t size = 1;
    for (const std::int64_t e : extents) size *= e;
    fft_options o{
        .axes = axes,
        .inverse_scale = 0.5,
        .load = {"return value * gain;", {clprim::value<float>("gain")}},
        .store = {"return value + (float2)(index % 7, more);", {clprim::value<int>("more")}}};
    // In the output and, with functions, in the workspace; far behind and close.
    for (const int kib : {4, 64}) {
      o.policy =
          fft_policy{.points = 4, .group = 16, .columns = 4, .one_pass = 64, .pipeline_kib = kib};
      if (extents.size() == 3) o.store = {};
      draw d(11);
      const auto from = random_complex<float>(d, static_cast<std::size_t>(size));
      guarded_buffer<number> X(s, from, {7, 7}), Y(s, std::vector<number>(from.size()), {7, 7});
      const auto x = array<number>(X.buffer(), extents), y = array<number>(Y.buffer(), extents);
      fft<float> transform(s.queue, o);
      // One launch, but where the compiler loses guards.
      CHECK((transform.source(x, y).find("PIPELINE_ITEMS") == std::string::npos) ==
            facts_of(s.device).loses_guards);
      std::vector<argument> arguments{argument(2.0f)};
      if (!o.store.empty()) arguments.emplace_back(3);
      wide_values wide;
      for (const number& v : from) wide.emplace_back(wide_value(v) * 2.0L);
      wide = reference_transform(wide, extents, axes);
      const auto check = [&](guarded_buffer<number>& result) {
        std::vector<number> got = result.read();
        if (!o.store.empty())
          for (std::size_t i = 0; i < got.size(); ++i)
            got[i] -= number(static_cast<float>(i % 7), 3.0f);
        CHECK(relative_error(got, wide) <= 1e-6L);
        CHECK(result.intact());
      };
      for (int call = 0; call < 2; ++call) {
        wait_for(transform.forward(x, y, {}, arguments));
        check(Y);
      }
      wait_for(transform.forward(x, x, {}, arguments));
      check(X);
    }
  }
}

TEST_CASE("real values become half a spectrum and come back within their own rows") {
  const session& s = device_session();
  constexpr std::int64_t batch = 5;
  const fft_policy passes{.points = 4, .group = 16, .columns = 4, .one_pass = 32};
  const fft_policy lanes{.shape = fft_shape::lanes, .one_pass = 32};
  struct place_case {
    std::int64_t n;
    std::optional<fft_policy> policy;
  };
  for (const place_case& one : {place_case{12, by_items},
                                {15, by_items},
                                {64, std::nullopt},
                                {19, std::nullopt},
                                {256, passes},
                                {256, lanes}}) {
    const std::int64_t n = one.n, half = n / 2 + 1;
    draw d(static_cast<std::uint64_t>(n));
    std::vector<float> from(static_cast<std::size_t>(2 * half * batch), 5);
    wide_values wide;
    for (std::int64_t b = 0; b < batch; ++b)
      for (std::int64_t i = 0; i < n; ++i)
        wide.emplace_back(from[static_cast<std::size_t>(2 * half * b + i)] =
                              static_cast<float>(d.unit()));
    const wide_values expected = reference_transform(wide, {batch, n}, 1);
    guarded_buffer<float> X(s, from, 7);
    fft<float> transform(s.queue,
                         {.inverse_scale = 1 / static_cast<double>(n), .policy = one.policy});
    const auto x = array<float>(X.buffer(), {batch, n}).with_strides({2 * half, 1});
    const auto y = array<number>(X.buffer(), {batch, half});
    wait_for(transform.forward(x, y));
    const std::vector<float> got = X.read();
    std::vector<number> spectrum;
    wide_values halves;
    for (std::int64_t b = 0; b < batch; ++b)
      for (std::int64_t k = 0; k < half; ++k) {
        const auto at = static_cast<std::size_t>(2 * (b * half + k));
        spectrum.emplace_back(got[at], got[at + 1]);
        halves.push_back(expected[static_cast<std::size_t>(b * n + k)]);
      }
    CAPTURE(n);
    CHECK(relative_error(spectrum, halves) <= error_bound<float>({n}));
    wait_for(transform.inverse(y, x));
    const std::vector<float> back = X.read();
    std::vector<number> values;
    for (std::int64_t b = 0; b < batch; ++b)
      for (std::int64_t i = 0; i < n; ++i)
        values.emplace_back(back[static_cast<std::size_t>(2 * half * b + i)]);
    CHECK(relative_error(values, wide) <= 2 * error_bound<float>({n}));  // two transforms
    CHECK(X.intact());
  }
}

TEST_CASE("every field of a policy changes how, not what") {
  const session& s = device_session();
  constexpr std::int64_t rows = 6, n = 60;
  draw d(13);
  const auto from = random_complex<float>(d, rows * n);
  guarded_buffer<number> X(s, from, {7, 7}), Y(s, from, {7, 7});
  const wide_values expected =
      reference_transform(wide_values(from.begin(), from.end()), {rows, n}, 2);
  using enum fft_streaming;
  const fft_policy base{.points = 4, .group = 32, .columns = 4};
  std::vector<fft_policy> policies(8, base);
  policies[0].padding = false;
  policies[1].twiddles = fft_twiddles::literal;
  policies[2].transposed = true;
  policies[3].streaming = loads;
  policies[4].streaming = both;
  policies[5].streaming = lines;
  policies[6].registers = 64;
  policies[6].ordered = true;
  policies[6].exchange = fft_exchange::pairs;
  policies[7].separate = true;
  policies[7].staging = 0;
  policies[7].streaming = stores;
  const fft_policy lanes{.shape = fft_shape::lanes, .one_pass = 16};
  for (const int count : {4, 16}) {
    policies.push_back(lanes);
    policies.back().lanes = count;
  }
  policies.push_back(lanes);
  policies.back().padding = false;
  policies.back().ahead = 2;
  policies.back().streaming = stores;
  for (const fft_policy& p : policies) {
    fft<float> transform(s.queue, {.axes = 2, .policy = p});
    wait_for(transform.forward(array<number>(X.buffer(), {rows, n}),
                               array<number>(Y.buffer(), {rows, n})));
    CAPTURE(to_string(p));
    CHECK(relative_error(Y.read(), expected) <= error_bound<float>({rows, n}));
    CHECK(Y.intact());
  }
}

TEST_CASE("factors by native functions are as accurate as stated, double has none") {
  const session& s = device_session();
  constexpr std::int64_t n = 256, batch = 3;
  draw d(10);
  const auto from = random_complex<float>(d, n * batch);
  guarded_buffer<number> X(s, from, {7, 7}), Y(s, from, {7, 7});
  const wide_values expected =
      reference_transform(wide_values(from.begin(), from.end()), {batch, n}, 1);
  // fft_twiddles states 2.2e-7 and 1.1e-6 for 1024 points on one device, and the bound is twice as
  // wide; or as wide as the device's functions are inaccurate, and their powers.
  const long double inaccuracy = native_error(s);
  for (const auto& one : {std::pair{fft_twiddles::native, std::max(4.4e-7L, 2 * inaccuracy)},
                          {fft_twiddles::native_powers, std::max(2.2e-6L, 8 * inaccuracy)},
                          {fft_twiddles::sinpi, 4.4e-7L}}) {
    const fft_twiddles factors = one.first;
    CAPTURE(static_cast<double>(inaccuracy));
    const fft_policy p{.points = 8, .group = 32, .twiddles = factors};
    fft<float> transform(s.queue, {.policy = p});
    wait_for(transform.forward(array<number>(X.buffer(), {batch, n}),
                               array<number>(Y.buffer(), {batch, n})));
    CAPTURE(static_cast<int>(factors));
    CHECK(relative_error(Y.read(), expected) <= one.second);
    if (factors == fft_twiddles::sinpi) continue;
    using wide_number = std::complex<double>;
    guarded_buffer<wide_number> Z(s, std::vector<wide_number>(n), {7, 7});
    fft<double> none(s.queue, {.policy = p});
    const auto z = array<wide_number>(Z.buffer(), {1, n});
    CHECK_THROWS_WITH_AS(none.forward(z, z),
                         "twiddles native and native_powers are for float: double has no "
                         "native_cos",
                         policy_error);
  }
}

TEST_CASE("groups transform without races" * doctest::test_suite("oclgrind")) {
  const session& s = device_session();
  // 127: Rader's points in runs that fill the banks, two transforms to a group.
  const fft_policy banks{.points = 2, .radices = {2, 7, 9}, .group = 64};
  for (const std::int64_t n : {16, 24, 11, 19, 127}) {
    draw d(8);
    const auto from = random_complex<float>(d, static_cast<std::size_t>(3 * n));
    guarded_buffer<number> X(s, from, {7, 7}, surroundings::nothing),
        Y(s, from, {7, 7}, surroundings::nothing);
    fft<float> transform(
        s.queue, {.policy = n == 127 ? banks
                                     : fft_policy{.points = 4,
                                                  .group = 8,
                                                  .exchange = n == 24 ? fft_exchange::halves
                                                                      : fft_exchange::planes}});
    wait_for(
        transform.forward(array<number>(X.buffer(), {3, n}), array<number>(Y.buffer(), {3, n})));
    const wide_values wide(from.begin(), from.end());
    CHECK(relative_error(Y.read(), reference_transform(wide, {3, n}, 1)) <=
          error_bound<float>({n}));
  }
}

TEST_CASE("groups transform in place without races" * doctest::test_suite("oclgrind")) {
  // Points that one item reads and another stores: the barriers between are those of the exchange.
  // 24 and 35 have radices of two lengths, 19 and 127 are Rader's, 47 is Bluestein's.
  const session& s = device_session();
  const fft_policy banks{.points = 2, .radices = {2, 7, 9}, .group = 64};
  for (const std::int64_t n : {24, 35, 19, 127, 47}) {
    for (const fft_exchange by : {fft_exchange::planes, fft_exchange::halves}) {
      draw d(8);
      const auto from = random_complex<float>(d, static_cast<std::size_t>(3 * n));
      guarded_buffer<number> X(s, from, {7, 7}, surroundings::nothing);
      fft_policy p = n == 127 ? banks : fft_policy{.points = 7, .group = 8};
      p.exchange = by;
      fft<float> transform(s.queue, {.policy = p});
      const auto x = array<number>(X.buffer(), {3, n});
      wait_for(transform.forward(x, x));
      const wide_values wide(from.begin(), from.end());
      CHECK(relative_error(X.read(), reference_transform(wide, {3, n}, 1)) <=
            error_bound<float>({n}));
      CHECK(X.intact());
    }
  }
}

TEST_CASE("32 points per item share an address, of rows with gaps too, there and back" *
          doctest::test_suite("oclgrind")) {
  const session& s = device_session();
  constexpr std::int64_t n = 512, batch = 2;
  const fft_policy p{.points = 32, .group = 16};
  for (const std::int64_t step : {1, 2})
    for (const bool inverse : {false, true}) {
      draw d(15);
      const auto from = random_complex<float>(d, batch * n * static_cast<std::size_t>(step));
      guarded_buffer<number> X(s, from, {7, 7}, surroundings::nothing),
          Y(s, std::vector<number>(batch * n), {7, 7}, surroundings::nothing);
      wide_values wide;
      for (std::int64_t b = 0; b < batch; ++b)
        for (std::int64_t i = 0; i < n; ++i) {
          const auto at = static_cast<std::size_t>((b * n + i) * step);
          wide.push_back(inverse ? std::conj(wide_value(from[at])) : wide_value(from[at]));
        }
      wide = reference_transform(wide, {batch, n}, 1);
      if (inverse)
        for (auto& v : wide) v = std::conj(v);
      CAPTURE(step);
      CAPTURE(inverse);
      fft<float> transform(s.queue, {.policy = p});
      const auto x = array<number>(X.buffer(), {batch, n}).with_strides({n * step, step}),
                 y = array<number>(Y.buffer(), {batch, n});
      CHECK(transform.source(x, y).find("points[") != std::string::npos);
      wait_for(inverse ? transform.inverse(x, y) : transform.forward(x, y));
      CHECK(relative_error(Y.read(), wide) <= error_bound<float>({n}));
      CHECK(Y.intact());
    }
}

TEST_CASE("rows of half a spectrum are written in a loop where factors are computed" *
          doctest::test_suite("oclgrind")) {
  const session& s = device_session();
  constexpr std::int64_t n = 128, batch = 6, half = n / 2 + 1;  // four transforms to a group
  draw d(16);
  std::vector<float> from(n * batch);
  for (auto& v : from) v = static_cast<float>(d.unit()) - 0.5f;
  guarded_buffer<float> X(s, from, 7, surroundings::nothing);
  guarded_buffer<number> Y(s, std::vector<number>(half * batch), {7, 7}, surroundings::nothing);
  fft<float> transform(
      s.queue, {.policy = fft_policy{.points = 8, .group = 32, .twiddles = fft_twiddles::native}});
  const auto x = array<float>(X.buffer(), {batch, n});
  const auto y = array<number>(Y.buffer(), {batch, half});
  CHECK(transform.source(x, y).find("for (int at = 0;") != std::string::npos);
  wait_for(transform.forward(x, y));
  const wide_values all = reference_transform(wide_values(from.begin(), from.end()), {batch, n}, 1);
  wide_values expected;
  for (std::int64_t b = 0; b < batch; ++b)
    expected.insert(expected.end(), all.begin() + b * n, all.begin() + b * n + half);
  CHECK(relative_error(Y.read(), expected) <= std::max(4.4e-7L, 2 * native_error(s)));
  CHECK(Y.intact());
}

// Not of the suite "oclgrind": its check for uninitialised values (21.10) crashes on these kernels.
TEST_CASE("lanes transform without leaving their arrays") {
  const session& s = device_session();
  // One pass, Rader's, Bluestein's and two passes; three transforms for four lanes.
  for (const std::int64_t n : {12, 17, 47, 64}) {
    draw d(8);
    const auto from = random_complex<float>(d, static_cast<std::size_t>(3 * n));
    guarded_buffer<number> X(s, from, {7, 7}, surroundings::nothing),
        Y(s, from, {7, 7}, surroundings::nothing);
    fft<float> transform(
        s.queue, {.policy = fft_policy{.shape = fft_shape::lanes, .lanes = 4, .one_pass = 32}});
    wait_for(
        transform.forward(array<number>(X.buffer(), {3, n}), array<number>(Y.buffer(), {3, n})));
    const wide_values wide(from.begin(), from.end());
    CHECK(relative_error(Y.read(), reference_transform(wide, {3, n}, 1)) <=
          error_bound<float>({n}));
  }
}

TEST_CASE("an odd count of real values is read to its end and not beyond" *
          doctest::test_suite("oclgrind")) {
  const session& s = device_session();
  constexpr std::int64_t n = 16, given = 7;
  const std::vector<float> from{1, -2, 3, 5, -7, 11, 13};
  guarded_buffer<float> X(s, from, 7, surroundings::nothing);
  guarded_buffer<number> Y(s, std::vector<number>(n / 2 + 1, {9, 9}), {7, 7},
                           surroundings::nothing);
  fft<float> transform(s.queue, {.lengths = {n}, .policy = fft_policy{.points = 4, .group = 2}});
  wait_for(transform.forward(array<float>(X.buffer(), {1, given}),
                             array<number>(Y.buffer(), {1, n / 2 + 1})));
  wide_values wide(from.begin(), from.end());
  wide.resize(n);
  wide = reference_transform(wide);
  wide.resize(n / 2 + 1);
  CHECK(relative_error(Y.read(), wide) <= error_bound<float>({n}));
}

TEST_CASE("what one vendor's compiler takes stands in sources for its devices alone") {
  const element number_type = describe_element<number>();
  const fft_pass pass{.length = 64,
                      .outer = {{.extent = 8, .in = {64}, .out = {64}}},
                      .read = {.type = number_type},
                      .write = {.type = number_type}};
  const fft_policy p{.points = 2,
                     .radices = {2},
                     .group = 64,
                     .streaming = fft_streaming::both,
                     .registers = 40,
                     .separate = true};
  device_facts d;
  d.local_bytes = 49152;
  d.max_work_group = 1024;
  d.compute_capability = 90;
  for (const vendor v : {vendor::nvidia, vendor::amd}) {
    d.vendor = v;
    d.inline_ptx = v == vendor::nvidia;
    fft_tables tables;
    const fft_kernel k = fft_source({pass, p}, d, tables);
    const bool expected = v == vendor::nvidia;
    CHECK(k.side_by_side == 2);
    for (const char* const word : {"bar.sync %0, 32;", "ld.global.cs", "st.global.cs"})
      CHECK((k.source.find(word) != std::string::npos) == expected);
    CHECK(k.options == (expected ? "-cl-nv-maxrregcount=40" : ""));
  }
}

TEST_CASE("the stages back of a convolution have room for their gaps" *
          doctest::test_suite("oclgrind")) {
  // 66 = 11 6 and 108 = 9 12: no gap behind the odd radix on the way there, one behind the even one
  // on the way back.
  const session& s = device_session();
  for (const std::int64_t n : {67, 47}) {
    fft_policy p{.points = 11, .group = 1};
    if (n == 47) p.radices = {9, 12};
    draw d(9);
    const auto from = random_complex<float>(d, static_cast<std::size_t>(n));
    guarded_buffer<number> X(s, from, {7, 7}, surroundings::nothing),
        Y(s, from, {7, 7}, surroundings::nothing);
    fft<float> transform(s.queue, {.policy = p});
    wait_for(transform.forward(array<number>(X.buffer(), {n}), array<number>(Y.buffer(), {n})));
    const wide_values wide(from.begin(), from.end());
    CHECK(relative_error(Y.read(), reference_transform(wide)) <= error_bound<float>({n}));
  }
}

TEST_CASE("the source of one policy is the golden file golden/fft_float.cl") {
  fft_pass pass{.length = 64, .outer = {{.extent = 100, .in = {64}, .out = {64}}}};
  pass.read.type = pass.write.type = describe_element<number>();
  fft_tables tables;
  std::istringstream in(fft_source({pass, {.points = 8}}, device_facts{}, tables).source);
  std::string source, line;
  while (std::getline(in, line))
    source += (line.starts_with("#line ") ? "#line" + line.substr(line.find(" \"")) : line) + "\n";
  const char* const path = "golden/fft_float.cl";
  if (std::getenv("CLPRIM_WRITE_GOLDEN") != nullptr) std::ofstream(path) << source;
  std::ifstream file(path);
  const std::string golden{std::istreambuf_iterator<char>(file), {}};
  CHECK_MESSAGE(source == golden, "the generated source differs from tests/"
                                      << path
                                      << "; if that is meant, run this test "
                                         "with CLPRIM_WRITE_GOLDEN=1");
}

TEST_CASE("a policy of transforms reads back what it prints") {
  const fft_policy p{.points = 8, .radices = {16, 8, 8}, .twiddles = fft_twiddles::sinpi};
  CHECK(parse_policy<fft_policy>(to_string(p)) == p);
}
