// User functions, storage in half, padding with zeros, cutting off; sources kept as text.

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

}  // namespace

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
    for (std::size_t i = 0; i < wide.size(); ++i) {
      const wide_value g(static_cast<float>(got[i].re), static_cast<float>(got[i].im));
      CHECK(std::abs(g - wide[i]) <= 1e-3L * std::abs(wide[i]) + 1e-3L);
    }
    CHECK(Y.intact());
  }
}

TEST_CASE("short inputs are padded with zeros, short outputs cut off, in one pass and in several") {
  const session& s = device_session();
  for (const bool items : {false, true}) {
    for (const std::int64_t n : {60, 256}) {
      fft_options o{.lengths = {n}};
      o.policy = items ? fft_policy{.points = 8, .group = 16, .one_pass = 64}
                       : fft_policy{.shape = fft_shape::lanes, .one_pass = 64, .chunk_kib = 4};
      constexpr std::int64_t batch = 9, in = 37, out = 21;
      draw d(7);
      const auto from = random_complex<float>(d, batch * in);
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
      CHECK(relative_error(Y.read(), expected) <= error_bound<float>({n}));
      CHECK(Y.intact());
    }
  }
}

TEST_CASE("groups transform without races" * doctest::test_suite("oclgrind")) {
  const session& s = device_session();
  for (const std::int64_t n : {16, 24, 11, 19}) {
    draw d(8);
    const auto from = random_complex<float>(d, static_cast<std::size_t>(3 * n));
    guarded_buffer<number> X(s, from, {7, 7}, surroundings::nothing),
        Y(s, from, {7, 7}, surroundings::nothing);
    fft<float> transform(
        s.queue,
        {.policy = fft_policy{.points = 4,
                              .group = 8,
                              .exchange = n == 24 ? fft_exchange::halves : fft_exchange::planes}});
    wait_for(
        transform.forward(array<number>(X.buffer(), {3, n}), array<number>(Y.buffer(), {3, n})));
    const wide_values wide(from.begin(), from.end());
    CHECK(relative_error(Y.read(), reference_transform(wide, {3, n}, 1)) <=
          error_bound<float>({n}));
  }
}

TEST_CASE("the stages back of a convolution have room for their gaps" *
          doctest::test_suite("oclgrind")) {
  // 66 = 11 6 and 72 = 9 8: no gap behind the odd radix on the way there, one behind the even one
  // on the way back.
  const session& s = device_session();
  for (const std::int64_t n : {67, 34}) {
    draw d(9);
    const auto from = random_complex<float>(d, static_cast<std::size_t>(n));
    guarded_buffer<number> X(s, from, {7, 7}, surroundings::nothing),
        Y(s, from, {7, 7}, surroundings::nothing);
    fft<float> transform(s.queue, {.policy = fft_policy{.points = 11, .group = 1}});
    wait_for(transform.forward(array<number>(X.buffer(), {n}), array<number>(Y.buffer(), {n})));
    const wide_values wide(from.begin(), from.end());
    CHECK(relative_error(Y.read(), reference_transform(wide)) <= error_bound<float>({n}));
  }
}

TEST_CASE("the source of one policy is the golden file golden/fft_float.cl") {
  fft_pass pass{.length = 64, .outer = {{.extent = 100, .in_step = 64, .out_step = 64}}};
  pass.in = pass.out = describe_element<number>();
  fft_tables tables;
  std::istringstream in(fft_source(pass, fft_policy{.points = 8}, device_facts{}, tables).source);
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
  const fft_policy p{.points = 8, .radices = 160808, .twiddles = fft_twiddles::sinpi};
  CHECK(parse_policy<fft_policy>(to_string(p)) == p);
}
