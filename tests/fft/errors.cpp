// Every wrong call: one exception with names and numbers, nothing written.

#include <limits>
#include <string>
#include <vector>

#include "fft/reference.hpp"
#include "support/refusal.hpp"

using namespace clprim;
using namespace support;

namespace {

using number = std::complex<float>;

}  // namespace

TEST_CASE("arrays that do not fit a transform are named with both numbers") {
  const session& s = device_session();
  const std::vector<number> nines(64, {9, 9});
  guarded_buffer<number> X(s, nines, {7, 7}), Y(s, nines, {7, 7});
  guarded_buffer<float> R(s, std::vector<float>(64, 9), 7);
  fft<float> transform(s.queue);
  const auto x = array<number>(X.buffer(), {4, 16}), y = array<number>(Y.buffer(), {4, 16});
  const auto call = [&](const auto& a, const auto& b) {
    return refused([&] { transform.forward(a, b); });
  };
  CHECK(call(x, array<number>(Y.buffer(), {4, 15})) ==
        "extent of axis 1 of the output must fit the length: 15 given, 16 expected");
  CHECK(call(x, array<number>(Y.buffer(), {3, 16})) ==
        "extent of axis 0 of the output must equal that of the input: 3 given, 4 expected");
  CHECK(call(array<number>(X.buffer(), {4, 0}), array<number>(Y.buffer(), {4, 0})) ==
        "length of axis 1 must be positive: 0 given, at least 1");
  CHECK(call(array<float>(R.buffer(), {4, 16}), array<number>(Y.buffer(), {4, 8})) ==
        "extent of axis 1 of the output must fit half a spectrum or its real values: 8 given, 9 "
        "expected");
  CHECK(call(x, y.at(1)) ==
        "buffer of the output must hold every element addressed: 512 bytes given, at least 520 "
        "bytes");
  CHECK(call(x, x.at(0).with_strides({1, 4})) ==
        "the output must be the input itself or apart from it: overlapping arrays given, one "
        "array, or separate memory");
  CHECK(call(x, y.with_strides({4, 1})) ==
        "strides of the output must keep its elements apart: stride 4 of axis 0 given, at least "
        "16");
  CHECK(call(x.with_strides({16, 0}), y) ==
        "strides of the input must keep the points of a transform apart: stride 0 of axis 1 given, "
        "at least 1");
  CHECK(call(x.with_strides({0, 1}), y) ==
        "strides of the input must keep the beginnings of its transforms apart: stride 0 of axis 0 "
        "given, at least 1");
  const auto frames = [&](const std::vector<std::int64_t>& strides) {
    return array<number>(X.buffer(), {2, 2, 16}).with_strides(strides);
  };
  const auto cube = array<number>(Y.buffer(), {2, 2, 16});
  CHECK(call(frames({3, 3, 1}), cube) ==
        "strides of the input must keep the beginnings of its transforms apart: stride 3 of axis 1 "
        "given, at least 4");
  fft<float> planes(s.queue, {.axes = 2});
  CHECK(refused([&] {
          planes.forward(frames({16, 8, 1}), cube);
        }) ==
        "strides of the input must keep the points of a transform apart: stride 8 of axis 1 given, "
        "at least 16");
  CHECK(call(x, array<std::int32_t>(Y.buffer(), {4, 16})) ==
        "elements of the output must be complex numbers: int given, those, or a store function");
  fft<float> back(s.queue, {.kind = fft_kind::real});
  CHECK(refused([&] {
          back.inverse(x, array<std::int32_t>(Y.buffer(), {4, 30}));
        }) == "elements of the output must be real numbers: int given, those, or a store function");
  CHECK(refused([&] { back.forward(x, y); }) ==
        "elements of the input must be real numbers: float2 given, those, or a load function");
  CHECK(call(x, array<number>(Y.buffer(), {64})) ==
        "axes of the output must be as many as those of the input: 1 given, 2 expected");
  fft<float> longer(s.queue, {.axes = 3});
  CHECK(refused([&] { longer.forward(x, y); }) ==
        "axes to transform must be axes of the input: 3 given, 1 to 2");
  const std::vector<argument> one{2.f};
  CHECK(refused([&] { transform.forward(x, y, {}, one); }) ==
        "arguments of the user functions must be as many as the parameters of load and store: 1 "
        "given, 0");
  CHECK(Y.read() == nines);
  CHECK(Y.intact());
}

TEST_CASE("policies that break a rule or fit no device are refused") {
  const session& s = device_session();
  CHECK_THROWS_WITH_AS(fft<float>(s.queue, {.policy = fft_policy{.points = 64}}),
                       "points must be in 2 to 32: points = 64 given", policy_error);
  CHECK_THROWS_WITH_AS(fft<float>(s.queue, {.policy = fft_policy{.radices = {16, 22}}}),
                       "radices must be 2 to 21, 23 to 32, 36 or 37: radices = {16, 22} given",
                       policy_error);
  guarded_buffer<number> X(s, std::vector<number>(64), {7, 7}),
      Y(s, std::vector<number>(64), {7, 7});
  fft<float> small(s.queue, {.policy = fft_policy{.local_bytes = 64}});
  CHECK_THROWS_AS(small.forward(array<number>(X.buffer(), {64}), array<number>(Y.buffer(), {64})),
                  policy_error);
}

TEST_CASE("a workspace that is too small is refused, one that is large enough is used") {
  const session& s = device_session();
  constexpr std::int64_t n = 8192;
  const std::vector<number> ones(n, {1, 0});
  guarded_buffer<number> X(s, ones, {7, 7}), Y(s, ones, {7, 7}), W(s, ones, {7, 7});
  guarded_buffer<number> little(s, std::vector<number>(16), {7, 7});
  // Two passes on every device: some choose one for that length.
  fft<float> transform(
      s.queue, {.policy = fft_policy{.points = 8, .group = 16, .columns = 4, .one_pass = 1024}});
  const auto x = array<number>(X.buffer(), {n}), y = array<number>(Y.buffer(), {n});
  REQUIRE(transform.workspace_bytes(x, y) == n * sizeof(number));
  transform.use_workspace(little.buffer());
  CHECK(refused([&] { transform.forward(x, y); }) ==
        "the workspace must hold what lies between the kernels of the call: 128 bytes given, at "
        "least 65536 bytes");
  transform.use_workspace(W.buffer());
  wait_for(transform.forward(x, y));
  CHECK(Y.read()[0] == number(n, 0));
  CHECK((W.read() != ones && W.intact()));
}

TEST_CASE("NaN in one transform of a batch does not touch its neighbours") {
  const session& s = device_session();
  for (const fft_shape shape : {fft_shape::lanes, fft_shape::items}) {
    constexpr std::int64_t n = 30, batch = 11;
    draw d(1);
    auto from = random_complex<float>(d, n * batch);
    fft<float> transform(s.queue, {.policy = fft_policy{.shape = shape, .points = 8}});
    guarded_buffer<number> clean(s, from, {7, 7}), A(s, from, {7, 7}), B(s, from, {7, 7});
    from[4 * n + 3] = {std::numeric_limits<float>::quiet_NaN(), 0};
    guarded_buffer<number> soiled(s, from, {7, 7});
    wait_for(transform.forward(array<number>(clean.buffer(), {batch, n}),
                               array<number>(A.buffer(), {batch, n})));
    wait_for(transform.forward(array<number>(soiled.buffer(), {batch, n}),
                               array<number>(B.buffer(), {batch, n})));
    const auto a = A.read(), b = B.read();
    for (std::size_t i = 0; i < a.size(); ++i) {
      if (i / n == 4)
        CHECK(b[i] != b[i]);
      else
        CHECK(a[i] == b[i]);
    }
  }
}

TEST_CASE("what lies outside an input must fit the gap behind it") {
  const session& s = device_session();
  guarded_buffer<number> X(s, std::vector<number>(24), {7, 7}),
      Y(s, std::vector<number>(32), {7, 7});
  const auto x = array<number>(X.buffer(), {24}), y = array<number>(Y.buffer(), {32});
  const auto call = [&](std::int64_t before, std::int64_t after, border_mode mode) {
    fft<float> transform(
        s.queue, {.lengths = {32}, .outside = {{.sides = mode, .before = before, .after = after}}});
    return refused([&] { wait_for(transform.forward(x, y)); });
  };
  CHECK(call(3, 5, border_mode::wrap) == "accepted");
  const std::string sentence =
      "what lies outside axis 0 must fit between the end of the input and that of the transform: ";
  CHECK(call(4, 5, border_mode::wrap) ==
        sentence + "4 places before and 5 after given, 0 to 8 together");
  CHECK(call(-1, 2, border_mode::wrap) ==
        sentence + "-1 places before and 2 after given, 0 to 8 together");
  CHECK(call(0, std::numeric_limits<std::int64_t>::max(), border_mode::wrap) != "accepted");
  CHECK(call(1, 1, border_mode::none) ==
        "what lies outside axis 0 must be a mode that has values: none given, constant, replicate, "
        "reflect, reflect_101, wrap");
}

TEST_CASE("scales and functions that no kernel can have are refused") {
  const session& s = device_session();
  const auto made = [&](const fft_options& o) {
    return refused([&] { fft<float> transform(s.queue, o); });
  };
  CHECK(made({.forward_scale = std::numeric_limits<double>::quiet_NaN()}) ==
        "forward_scale must be a number of the arithmetic: nan given, at most 3.40282e+38");
  CHECK(made({.inverse_scale = 1e40}) ==
        "inverse_scale must be a number of the arithmetic: 1e+40 given, at most 3.40282e+38");
  CHECK(made({.load = {"value * 2;", {}}}) != "accepted");
  CHECK(made({.store = {"return value * index;", {value<float>("index")}}}) != "accepted");
}

TEST_CASE("buffers of a function are checked as operands are") {
  const session& s = device_session();
  const std::vector<number> nines(16, {9, 9});
  guarded_buffer<number> X(s, nines, {7, 7}), Y(s, nines, {7, 7});
  fft<float> transform(s.queue, {.load = {"return value * w[index];", {buffer<float>("w")}}});
  const auto x = array<number>(X.buffer(), {16}), y = array<number>(Y.buffer(), {16});
  CHECK(refused([&] { transform.forward(x, y, {}, {cl::Buffer{}}); }) ==
        "argument 'w' of the user function must be a buffer: a null handle given, one of the "
        "queue's context");
  CHECK(refused([&] { transform.forward(x, y, {}, {Y.buffer()}); }) ==
        "a buffer of the user function must not be written by the call: memory of the output "
        "given, separate memory");
  CHECK(Y.read() == nines);
  wait_for(transform.forward(x, y, {}, {X.buffer()}));
}

TEST_CASE("a workspace that is an operand, in part too, is refused") {
  const session& s = device_session();
  const std::vector<number> nines(64, {9, 9});
  guarded_buffer<number> X(s, nines, {7, 7}), Y(s, nines, {7, 7});
  fft<float> transform(s.queue, {.policy = fft_policy{.points = 4, .group = 4, .one_pass = 16}});
  const auto x = array<number>(X.buffer(), {64}), y = array<number>(Y.buffer(), {64});
  transform.use_workspace(Y.buffer());
  CHECK(refused([&] { transform.forward(x, y); }) ==
        "the workspace must not share memory with the output: overlapping buffers given, a buffer "
        "of its own");
  CHECK(Y.read() == nines);
}

TEST_CASE("after a call whose wait list failed an object works") {
  for (const session* s : {&device_session(), &out_of_order_session()}) {
    if (!waits_may_fail(*s)) continue;
    const fft_policy passes{.points = 4, .group = 16, .columns = 4, .one_pass = 64};
    fft_policy shared = passes;
    shared.pipeline_kib = 64;
    for (const fft_policy& policy : {passes, shared}) {
      constexpr std::int64_t n = 256, batch = 8;
      draw d(1);
      const auto from = random_complex<float>(d, n * batch);
      guarded_buffer<number> X(*s, from, {7, 7}), Y(*s, from, {7, 7});
      fft<float> transform(s->queue, {.policy = policy});
      const auto x = array<number>(X.buffer(), {batch, n}),
                 y = array<number>(Y.buffer(), {batch, n});
      wait_for(transform.forward(x, y));
      const auto expected = Y.read();
      const cl::Event gate = user_event(*s);
      transform.forward(x, y, {gate});
      clprim::check(clSetUserEventStatus(gate(), -1), "clSetUserEventStatus");
      clFinish(s->queue());
      wait_for(transform.forward(x, y));
      CHECK(Y.read() == expected);
    }
  }
}

TEST_CASE("plans are kept within bounds, and made again") {
  const session& s = device_session();
  guarded_buffer<number> X(s, std::vector<number>(256, {1, 0}), {7, 7}),
      Y(s, std::vector<number>(256), {7, 7});
  fft<float> transform(s.queue);
  const auto call = [&](std::int64_t batch) {
    return std::pair{array<number>(X.buffer(), {batch, 2}), array<number>(Y.buffer(), {batch, 2})};
  };
  for (std::int64_t batch = 1; batch <= 70; ++batch) {
    const auto [x, y] = call(batch);
    transform.prepare(x, y);
  }
  const auto [x, y] = call(1);
  CHECK(transform.explain(x, y).find("; 64 plans kept") != std::string::npos);
  wait_for(transform.forward(x, y));
  CHECK(Y.read()[0] == number(2, 0));
}

TEST_CASE("a schedule tells what runs, and a prepared object makes nothing more") {
  const session& s = device_session();
  guarded_buffer<number> X(s, std::vector<number>(4096), {7, 7}),
      Y(s, std::vector<number>(4096), {7, 7});
  const fft_policy passes{.points = 4, .group = 16, .columns = 4, .one_pass = 64};
  fft<float> transform(s.queue, {.policy = passes});
  const auto x = array<number>(X.buffer(), {1, 4096}), y = array<number>(Y.buffer(), {1, 4096});
  const auto schedule = transform.schedule(x, y);
  REQUIRE(schedule.size() == 2);
  CHECK((schedule[0].points == 64 && schedule[1].points == 64));
  CHECK((schedule[0].method == fft_method::direct && schedule[0].policy == passes));
  CHECK(schedule[0].range.local[0] > 1);
  CHECK(transform.workspace_held() == 0);
  transform.prepare(x, y);
  CHECK(transform.workspace_held() == transform.workspace_bytes(x, y));
  const fft<float> moved = std::move(transform);
  CHECK(refused([&] { transform.forward(x, y); }).starts_with("the operation must not have been"));
}

TEST_CASE("an empty batch is an event and nothing else") {
  const session& s = device_session();
  fft<float> transform(s.queue);
  const array_view<number> none{.extents = {0, 16}, .strides = {16, 1}};
  wait_for(transform.forward(none, none));
}
