// Lengths of three passes and more, what one bad value may reach, both scales, and the transform as
// text for one's own kernel.

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include <clprim/fft/group_text.hpp>
#include <clprim/runtime/program.hpp>

#include "fft/reference.hpp"
#include "support/builds.hpp"
#include "support/other_devices.hpp"

using namespace clprim;
using namespace support;

namespace {

using number = std::complex<float>;

constexpr fft_policy short_passes{.points = 4, .group = 16, .columns = 4, .one_pass = 16};

/// The plan of a forward transform of rows that lie one behind the other, as an H200 gets it.
fft_plan plan_of_rows(std::int64_t n, std::int64_t batch, bool is_double, bool real = false) {
  const element whole =
      is_double ? describe_element<std::complex<double>>() : describe_element<number>();
  const element part = is_double ? describe_element<double>() : describe_element<float>();
  const std::int64_t half = n / 2 + 1;
  const fft_operand x{nullptr, 0, {batch, n}, {n, 1}, real ? part : whole};
  const fft_operand y = real ? fft_operand{nullptr, 0, {batch, half}, {half, 1}, whole} : x;
  const fft_problem p{.in = x, .out = y, .lengths = {n}, .real = real};
  return plan_fft(p, {}, h200(), is_double);
}

}  // namespace

TEST_CASE("lengths of three passes and more are transformed as accurately") {
  const session& s = device_session();
  fft_policy lanes = short_passes;
  lanes.shape = fft_shape::lanes;
  for (const fft_policy& policy : {short_passes, lanes}) {
    for (const std::int64_t n : {std::int64_t{6000}, std::int64_t{8192}}) {
      fft<float> transform(s.queue, {.policy = policy});
      const std::string complaint = complaint_of_length(transform, n, 3, n == 6000);
      CHECK_MESSAGE(complaint.empty(), complaint);
    }
  }
  guarded_buffer<number> X(s, std::vector<number>(8192), {7, 7}),
      Y(s, std::vector<number>(8192), {7, 7});
  fft<float> transform(s.queue, {.policy = short_passes});
  const std::string told =
      transform.explain(array<number>(X.buffer(), {1, 8192}), array<number>(Y.buffer(), {1, 8192}));
  CHECK_MESSAGE(told.find("\n  pass 3 ") != std::string::npos, told);
}

TEST_CASE("an axis of several passes keeps its neighbours in memory side by side") {
  const session& s = device_session();
  for (const std::vector<std::int64_t>& extents :
       {std::vector<std::int64_t>{2, 64, 12}, {3, 60, 4}, {512, 5}}) {
    draw d(23);
    std::size_t all = 1;
    for (const std::int64_t e : extents) all *= static_cast<std::size_t>(e);
    const auto from = random_complex<float>(d, all);
    guarded_buffer<number> X(s, from, {7, 7}), Y(s, from, {7, 7});
    const auto x = array<number>(X.buffer(), extents), y = array<number>(Y.buffer(), extents);
    fft<float> transform(s.queue, {.axes = 2, .policy = short_passes});
    wait_for(transform.forward(x, y));
    const std::vector<std::int64_t> lengths(extents.end() - 2, extents.end());
    CHECK(relative_error(Y.read(), reference_transform(wide_values(from.begin(), from.end()),
                                                       extents, 2)) <= error_bound<float>(lengths));
    CHECK(X.intact());
    CHECK(Y.intact());
    CHECK(transform.source(x, y).find("const uint column = (uint)(o") != std::string::npos);
  }
}

TEST_CASE("every other pass of a batch by items starts where the one before it ended") {
  const session& s = device_session();
  const guarded_buffer<number> X(s, std::vector<number>(16384), {7, 7}),
      Y(s, std::vector<number>(16384), {7, 7});
  fft_policy lanes = short_passes;
  lanes.shape = fft_shape::lanes;
  struct kind {
    fft_policy policy;
    std::int64_t batch;
  };
  for (const auto& [policy, batch] : {kind{short_passes, 2}, {short_passes, 1}, {lanes, 2}}) {
    const fft<float> transform(s.queue, {.policy = policy});
    const std::string text = transform.source(array<number>(X.buffer(), {batch, 8192}),
                                              array<number>(Y.buffer(), {batch, 8192}));
    std::string turns;  // a letter per pass
    for (std::size_t at = text.find("__kernel"); at != std::string::npos;) {
      const std::size_t next = text.find("__kernel", at + 1);
      turns +=
          text.substr(at, next - at).find("get_num_groups(0) - 1") == std::string::npos ? "f" : "b";
      at = next;
    }
    CHECK(turns.size() > 2);
    const bool turn = policy.shape == fft_shape::items && batch > 1;
    for (std::size_t i = 0; i < turns.size(); ++i)
      CHECK(turns[i] == (turn && i % 2 == 1 ? 'b' : 'f'));
  }
}

TEST_CASE("passes that lay what lies between them in blocks compute the same") {
  const session& s = device_session();
  struct kind {
    std::vector<std::int64_t> extents;
    int axes;
    bool blocked;  // whether they can
  };
  for (const kind& k : {kind{{3, 256}, 1, true},
                        {{2, 16, 3, 256}, 1, true},
                        {{64, 16}, 2, true},
                        {{3, 16, 64}, 2, true},
                        {{2, 6, 60}, 2, false}}) {  // rows of 60 points: 15 items
    fft_policy p{.points = 4, .group = 16, .columns = 4, .one_pass = 64};
    if (k.axes == 1) p.one_pass = 16;
    p.transposed = true;
    draw d(17);
    std::size_t all = 1;
    for (const std::int64_t e : k.extents) all *= static_cast<std::size_t>(e);
    guarded_buffer<number> X(s, random_complex<float>(d, all), {7, 7});
    std::vector<std::vector<number>> results;
    for (const bool blocked : {false, true}) {
      p.blocked = blocked;
      guarded_buffer<number> Y(s, std::vector<number>(all), {7, 7});
      const auto x = array<number>(X.buffer(), k.extents), y = array<number>(Y.buffer(), k.extents);
      fft<float> transform(s.queue, {.axes = k.axes, .policy = p});
      wait_for(transform.forward(x, y));
      results.push_back(Y.read());
      CHECK(Y.intact());
      const std::string first =
          transform.explain(x, y).substr(0, transform.explain(x, y).find("pass 2"));
      CHECK((first.find(".blocked = true") != std::string::npos) == (blocked && k.blocked));
    }
    CHECK(results[0] == results[1]);
    CHECK(X.intact());
  }
}

TEST_CASE("doubles go through Bluestein's passes as accurately") {
  const session& s = device_session();
  if (!facts_of(s.device).fp64) return;
  fft_policy lanes = short_passes;
  lanes.shape = fft_shape::lanes;
  for (const fft_policy& policy : {short_passes, lanes}) {
    constexpr std::int64_t n = 211;
    fft<double> transform(s.queue, {.policy = policy});
    const std::string complaint = complaint_of_length(transform, n, 3, true);
    CHECK_MESSAGE(complaint.empty(), complaint);
    using wide_number = std::complex<double>;
    guarded_buffer<wide_number> X(s, std::vector<wide_number>(n), {7, 7});
    const auto x = array<wide_number>(X.buffer(), {n});
    CHECK(transform.explain(x, x).find("\n  pass 4 ") != std::string::npos);
  }
}

TEST_CASE("Bluestein's passes by items are right with any number of points per item") {
  const unoptimised_builds quickly;  // no CPU gets them
  const session& s = device_session();
  for (const int points : {2, 4, 10})
    for (const fft_exchange exchange :
         {fft_exchange::halves, fft_exchange::planes, fft_exchange::pairs})
      for (const std::int64_t n : {82, 94}) {
        fft<float> transform(s.queue,
                             {.policy = fft_policy{.points = points, .exchange = exchange}});
        const std::string complaint = complaint_of_length(transform, n, 3, true);
        CHECK_MESSAGE(complaint.empty(), points, " points, ", static_cast<int>(exchange), ": ",
                      complaint);
      }
}

TEST_CASE("NaN in one transform of a batch stays there in every kind of plan") {
  const session& s = device_session();
  struct kind {
    std::int64_t n;
    std::optional<fft_policy> policy;
  };
  const fft_policy pair{.points = 4, .group = 16, .columns = 4, .one_pass = 64, .pipeline_kib = 64};
  for (const kind& k : {kind{4096, short_passes},
                        {256, pair},
                        {101, std::nullopt},
                        {1009, std::nullopt},
                        {323, std::nullopt},
                        {4099, std::nullopt}}) {
    const std::int64_t n = k.n, batch = 5;
    draw d(static_cast<std::uint64_t>(n));
    auto from = random_complex<float>(d, static_cast<std::size_t>(n * batch));
    fft<float> transform(s.queue, {.policy = k.policy});
    const auto run = [&] {
      guarded_buffer<number> X(s, from, {7, 7}), Y(s, std::vector<number>(from.size()), {7, 7});
      wait_for(transform.forward(array<number>(X.buffer(), {batch, n}),
                                 array<number>(Y.buffer(), {batch, n})));
      return Y.read();
    };
    const auto clean = run();
    from[static_cast<std::size_t>(2 * n + 3)] = {0, std::numeric_limits<float>::quiet_NaN()};
    const auto soiled = run();
    std::int64_t touched = 0, spared = 0;
    for (std::size_t i = 0; i < clean.size(); ++i) {
      const bool own = static_cast<std::int64_t>(i) / n == 2;
      if (!own && clean[i] != soiled[i]) ++touched;
      if (own && soiled[i] == soiled[i]) ++spared;
    }
    CAPTURE(n);
    CHECK(touched == 0);
    CHECK(spared == 0);
  }
}

TEST_CASE("primes go Rader's way where p - 1 has codelets, unless Bluestein's costs less") {
  device_facts gpu;
  gpu.kind = device_kind::gpu;
  gpu.vendor = vendor::nvidia;
  gpu.max_work_group = 1024;
  gpu.local_bytes = 232448;
  const auto way = [&](std::int64_t n, const fft_options& o) {
    const fft_operand x{nullptr, 0, {9, n}, {n, 1}, describe_element<number>()};
    return plan_fft({.in = x, .out = x, .lengths = {n}}, o, gpu, false).steps.at(0).pass.method;
  };
  for (const std::int64_t n : {17, 999, 1073}) CHECK(way(n, {}) == fft_method::direct);
  for (const std::int64_t n : {41, 1009, 7723}) CHECK(way(n, {}) == fft_method::rader);
  for (const std::int64_t n : {47, 10007}) CHECK(way(n, {}) == fft_method::convolution);
  // 78 = 2 3 13 for items of two points, beside 162 = 2 3^4.
  CHECK(way(79, {.policy = fft_policy{.points = 2}}) == fft_method::convolution);
  CHECK(way(109, {.policy = fft_policy{.points = 2}}) == fft_method::rader);
}

TEST_CASE("few transforms, and those that registers do not hold, are cut into columns") {
  const auto passes = [](std::int64_t n, std::int64_t batch, bool is_double, bool real = false) {
    return plan_of_rows(n, batch, is_double, real).steps.size();
  };
  CHECK(passes(8192, 20, true) == 2);
  CHECK(passes(8192, 60, true) == 1);
  CHECK(passes(16384, 300, true) == 1);
  CHECK(passes(14700, 700, true) == 2);
  CHECK(passes(8192, 1, false) == 1);
  CHECK(passes(15000, 12, false) == 2);
  CHECK(passes(15000, 40, false) == 1);
  // Bluestein's convolution: columns, rows there and back, columns.
  CHECK(passes(10007, 300, false) == 1);
  CHECK(passes(12037, 300, false) == 3);
  CHECK(passes(10667, 60, true) == 3);
  // One pass takes its 16000 points, but not there and back.
  CHECK(passes(7919, 300, true) == 2);
  // Pairs of real values; else half of the rows of a complex transform.
  CHECK(passes(20580, 60, true, true) == 1);
  CHECK(passes(20580, 3, true, true) == 2);
}

TEST_CASE("rows of real values, and few rows, exchange by pairs where local memory has the room") {
  const auto exchange = [](std::int64_t n, std::int64_t batch, bool is_double, bool real) {
    return plan_of_rows(n, batch, is_double, real).steps.at(0).policy.exchange;
  };
  CHECK(exchange(2048, 16384, false, true) == fft_exchange::pairs);
  CHECK(exchange(2048, 16384, false, false) == fft_exchange::halves);
  CHECK(exchange(2048, 9, false, false) == fft_exchange::pairs);
  CHECK(exchange(1960, 30, true, false) == fft_exchange::pairs);
  CHECK(exchange(15000, 60, false, false) == fft_exchange::pairs);
  CHECK(exchange(16384, 60, true, false) == fft_exchange::halves);  // 256 KiB by pairs
}

TEST_CASE("few rows of real values have half as many points for an item, or a group for each") {
  struct rows {
    std::int64_t n, batch;
    bool is_double, real;
  };
  const auto geometry = [](const rows& r) {
    const fft_step step = plan_of_rows(r.n, r.batch, r.is_double, r.real).steps.at(0);
    return item_geometry_of(step.pass, step.policy, h200());
  };
  const item_geometry few = geometry({392, 1479, false, true});
  CHECK(few.radices == std::vector<int>{7, 7, 4});
  CHECK(few.together == 4);
  CHECK(geometry({392, 100000, false, true}).radices == std::vector<int>{14, 14});
  CHECK(geometry({196, 1479, false, false}).radices == std::vector<int>{14, 14});
  CHECK(geometry({392, 1479, true, true}).radices == geometry({392, 100000, true, true}).radices);
  CHECK(geometry({720, 500, true, true}).together == 4);
  CHECK(geometry({720, 500, true, true}).group() <= 256);
  const item_geometry alone = geometry({1152, 226, true, true});
  CHECK(alone.together == 1);
  CHECK(alone.items == 192);
  CHECK(geometry({256, 44, true, true}).group() == 64);
  // The only row of an item comes straight from global memory.
  CHECK(!geometry({10, 1500000, false, true}).staged_in);
  CHECK(geometry({5, 1500000, false, false}).staged_in);
}

TEST_CASE("items of rows part sub-groups evenly, those of columns need not") {
  CHECK(item_stages(189, 16, {}, 1024, stage_use::rows).items == 16);
  CHECK(item_stages(189, 16, {}, 1024, stage_use::columns).items == 11);
}

TEST_CASE("a convolution has the points that are read and written, and no more") {
  const auto inner = [](std::int64_t n, std::int64_t in, std::int64_t out, bool real,
                        bool inverse = false) {
    const element whole = describe_element<number>(), part = describe_element<float>();
    const fft_problem p{.in = {nullptr, 0, {1, in}, {in, 1}, real && !inverse ? part : whole},
                        .out = {nullptr, 0, {1, out}, {out, 1}, real && inverse ? part : whole},
                        .lengths = {n},
                        .inverse = inverse,
                        .real = real};
    const fft_plan plan = plan_fft(p, {}, h200(), false);
    CHECK(plan.steps.size() == 3);
    CHECK(plan.steps[1].pass.method == fft_method::convolution);
    CHECK(plan.steps[1].pass.aliased);
    CHECK(plan.steps[0].pass.length == plan.steps[2].pass.length);
    const std::int64_t points = plan.steps[0].pass.length * plan.steps[1].pass.length;
    CHECK(plan.work_elements == points);
    return points;
  };
  constexpr std::int64_t n = 20011;  // a prime
  CHECK(inner(n, n, n, false) >= 2 * n - 1);
  CHECK(inner(n, n, n / 2 + 1, true) >= n + n / 2);
  CHECK(inner(n, n, n / 2 + 1, true) < 5 * n / 3);
  CHECK(inner(n, n / 2 + 1, n, true, true) >= n + n / 2);
  CHECK(inner(n, n / 2 + 1, n, true, true) < 5 * n / 3);
  CHECK(inner(n, n / 4, n / 2, false) >= n);
  CHECK(inner(n, n / 4, n / 2, false) < 5 * n / 4);
}

TEST_CASE(
    "real values come back from half a spectrum by convolutions, in one pass and in several") {
  const session& s = device_session();
  // Odd ones, twice a prime, and such as take one pass or several, by either shape.
  for (const auto& [items, lengths] : {std::pair{true, std::vector<std::int64_t>{83, 509, 2 * 521}},
                                       std::pair{false, std::vector<std::int64_t>{86, 514}}})
    for (const std::int64_t n : lengths) {
      fft_options o{.pair_rows = false};
      o.policy = items ? fft_policy{.points = 8, .group = 16, .one_pass = 64}
                       : fft_policy{.shape = fft_shape::lanes, .one_pass = 64};
      constexpr std::int64_t batch = 9;
      draw d(9);
      std::vector<float> plain(static_cast<std::size_t>(batch * n));
      for (float& v : plain) v = static_cast<float>(d.unit());
      guarded_buffer<float> X(s, plain, 7), Z(s, std::vector<float>(plain.size()), 7);
      const cl::Buffer half(s.context, CL_MEM_READ_WRITE,
                            static_cast<std::size_t>(batch * (n / 2 + 1)) * sizeof(number));
      const auto x = array<float>(X.buffer(), {batch, n}), z = array<float>(Z.buffer(), {batch, n});
      const auto y = array<number>(half, {batch, n / 2 + 1});
      fft<float> transform(s.queue, o);
      transform.forward(x, y);
      wait_for(transform.inverse(y, z));
      std::vector<number> got;
      for (const float v : Z.read()) got.emplace_back(v / static_cast<float>(n));
      CAPTURE(n);
      CHECK(relative_error(got, wide_values(plain.begin(), plain.end())) <=
            2 * error_bound<float>({n}));
      CHECK(Z.intact());
    }
}

TEST_CASE("each direction has a scale of its own") {
  const session& s = device_session();
  constexpr std::int64_t n = 60;
  draw d(3);
  const auto from = random_complex<float>(d, n);
  guarded_buffer<number> X(s, from, {7, 7}), Y(s, std::vector<number>(n), {7, 7});
  const auto x = array<number>(X.buffer(), {1, n}), y = array<number>(Y.buffer(), {1, n});
  fft<float> transform(s.queue, {.forward_scale = 0.25, .inverse_scale = -2});
  wide_values wide(from.begin(), from.end());
  for (auto& v : wide) v *= 0.25L;
  wait_for(transform.forward(x, y));
  CHECK(relative_error(Y.read(), reference_transform(wide)) <= error_bound<float>({n}));
  for (std::size_t i = 0; i < n; ++i) wide[i] = -2.0L * std::conj(wide_value(from[i]));
  wide = reference_transform(wide);
  for (auto& v : wide) v = std::conj(v);
  wait_for(transform.inverse(x, y));
  CHECK(relative_error(Y.read(), wide) <= error_bound<float>({n}));
}

namespace {

/// Two transforms side by side in one group of a kernel of its own around the pasted function.
template <class T> void check_pasted(std::int64_t n, int points) {
  const session& s = device_session();
  const bool twice = std::same_as<T, double>;
  const fft_group_function f = fft_group_text(n, "transform", twice, points);
  REQUIRE(f.items * f.points_per_item == n);
  const std::string real = twice ? "double" : "float", held = std::to_string(f.points_per_item),
                    items = std::to_string(f.items), room = std::to_string(f.local_reals);
  const std::string source =
      f.text + "__kernel __attribute__((reqd_work_group_size(" + items +
      ", 2, 1))) void both(__global const " + real + "2 *in, __global " + real +
      "2 *out)\n{\n    __local " + real + " room[2 * " + room +
      "];\n    const int t = get_local_id(0)" + ", which = get_local_id(1);\n    " + real + "2 x[" +
      held + "];\n    for (int e = 0; e < " + held + "; ++e) x[e] = in[which * " +
      std::to_string(n) + " + t + e * " + items + "];\n    transform(x, t, room + which * " + room +
      ");\n    for (int e = 0; e < " + held + "; ++e) out[which * " + std::to_string(n) +
      " + t + e * " + items + "] = x[e];\n}\n";
  draw d(static_cast<std::uint64_t>(n));
  const auto from = random_complex<T>(d, static_cast<std::size_t>(2 * n));
  guarded_buffer<std::complex<T>> X(s, from, {7, 7}),
      Y(s, std::vector<std::complex<T>>(from.size()), {7, 7});
  const auto program = build(s.context, s.device, source);
  const cl::Kernel kernel = make_kernel(*program, "both");
  set_args(kernel(), X.buffer(), Y.buffer());
  const auto width = static_cast<std::size_t>(f.items);
  wait_for(enqueue(s.queue(), kernel(), {2, {width, 2, 1}, {width, 2, 1}}));
  const wide_values wide = reference_transform(wide_values(from.begin(), from.end()), {2, n}, 1);
  CAPTURE(n);
  CHECK(relative_error(Y.read(), wide) <= error_bound<T>({n}));
  CHECK(Y.intact());
}

}  // namespace

TEST_CASE("the transform as text serves one's own kernel") {
  for (const std::int64_t n : {8, 60, 256, 1000}) check_pasted<float>(n, 8);
  check_pasted<float>(64, 16);
  if (facts_of(device_session().device).fp64) check_pasted<double>(48, 4);
  for (const std::int64_t n : {37, 1001}) CHECK_THROWS_AS(fft_group_text(n), policy_error);
}

namespace {

/// Real values of rows that take several passes, to half a spectrum, cut off or not, and back.
template <class T> std::string complaint_of_real_rows(draw& d, bool lanes = true) {
  using value = std::complex<T>;
  const session& s = device_session();
  const std::int64_t n = lanes ? d.one_of({256, 288, 375, 592, 600, 675, 944, 1125, 2048, 2106})
                               : d.one_of({256, 375}),
                     batch = d.one_of({1, 3}), apart = d.one_of({1, 2}),
                     kept = d.chance(30) ? n / 3 : n / 2 + 1;
  fft_policy p = short_passes;
  if (lanes && d.chance(30)) p.shape = fft_shape::lanes;
  p.one_pass = d.one_of({16, 64});
  if (p.shape == fft_shape::items) {
    p.exchange = d.one_of({fft_exchange::halves, fft_exchange::planes, fft_exchange::pairs});
    p.pipeline_kib = d.one_of({0, 16, 1024});
    p.columns = d.one_of({1, 4, 8});
  }
  std::vector<T> from(static_cast<std::size_t>(batch * n));
  for (T& v : from) v = static_cast<T>(d.unit());
  guarded_buffer<T> X(s, from, 7), B(s, std::vector<T>(from.size()), 7);
  guarded_buffer<value> Y(s, std::vector<value>(static_cast<std::size_t>(batch * kept * apart)),
                          {7, 7});
  fft<T> transform(s.queue, {.lengths = {n}, .policy = p});
  const auto x = array<T>(X.buffer(), {batch, n});
  auto y = array<value>(Y.buffer(), {batch, kept});
  y.strides = {kept * apart, apart};
  wait_for(transform.forward(x, y));
  const auto got = Y.read();
  const wide_values all = reference_transform(wide_values(from.begin(), from.end()), {batch, n}, 1);
  wide_values expected;
  std::vector<value> dense, again;
  for (std::int64_t b = 0; b < batch; ++b)
    for (std::int64_t k = 0; k < kept; ++k) {
      expected.push_back(all[static_cast<std::size_t>(b * n + k)]);
      dense.push_back(got[static_cast<std::size_t>((b * kept + k) * apart)]);
    }
  long double error = relative_error(dense, expected);
  if (kept == n / 2 + 1) {
    wait_for(transform.inverse(y, array<T>(B.buffer(), {batch, n})));
    const auto back = B.read();
    for (const T v : back) again.emplace_back(v / static_cast<T>(n));
    error = std::max(error, relative_error(again, wide_values(from.begin(), from.end())) / 2);
  }
  if (error <= error_bound<T>({n}) && Y.intact() && B.intact()) return {};
  return std::to_string(batch) + " x " + std::to_string(n) + ", " + std::to_string(kept) +
         " kept, " + std::to_string(apart) + " apart, error " +
         std::to_string(static_cast<double>(error)) + ", " + to_string(p);
}

}  // namespace

CAMPAIGN("real values of several passes are transformed by half of their rows" *
         doctest::test_suite("oclgrind")) {
  const session& s = device_session();
  const guarded_buffer<float> X(s, std::vector<float>(2 * 256), 7);
  const guarded_buffer<number> Y(s, std::vector<number>(2 * 129), {7, 7});
  fft<float> transform(s.queue, {.policy = short_passes});
  const auto x = array<float>(X.buffer(), {2, 256});
  const auto y = array<number>(Y.buffer(), {2, 129});
  // 16 columns of 16 points, 9 rows of 16 points; back again 9 columns and 16 rows.
  for (const bool back : {false, true}) {
    const auto passes = back ? transform.schedule(y, x, true) : transform.schedule(x, y);
    REQUIRE(passes.size() == 2);
    const auto items = [&](std::size_t i) { return passes[i].range.global[0]; };
    CHECK(items(back ? 0 : 1) < items(back ? 1 : 0));
  }
  run_campaign("real rows by items", 2,
               [](draw& d) { return complaint_of_real_rows<float>(d, false); });
}
CAMPAIGN("any real values of several passes are transformed by half of their rows") {
  run_campaign("real rows of several passes", 5,
               [](draw& d) { return complaint_of_real_rows<float>(d); });
}
CAMPAIGN("real values of double of several passes are transformed by half of their rows") {
  if (!facts_of(device_session().device).fp64) return;
  run_campaign("real rows of double", 3, [](draw& d) { return complaint_of_real_rows<double>(d); });
}
