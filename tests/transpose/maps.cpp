// Scale, conjugation, cast and user text on the way; queues and wait lists; Oclgrind.

#include <array>
#include <complex>
#include <concepts>
#include <cstdint>
#include <string>
#include <type_traits>
#include <vector>

#include <doctest/doctest.h>

#include "transpose/turning.hpp"

using namespace clprim;
using namespace support;

namespace {

/// Whole numbers as T, so that scaling and casting them is exact.
template <class T> std::vector<T> whole_numbers(draw& d, std::size_t count) {
  std::vector<T> values(count);
  for (T& x : values) {
    if constexpr (scalar_type<T>)
      x = random_integer<T>(d, 100);
    else
      x = static_cast<T>(d.between(-100, 100));
  }
  return values;
}

/// 37 x 21 of them.
template <class T> std::vector<T> numbers() {
  draw d(5);
  return whole_numbers<T>(d, 37 * 21);
}

template <class Out, class In, class Expected>
void check_map(transpose<In, Out>& turn, const std::vector<In>& from, bool conjugate,
               Expected expected, std::vector<argument> arguments = {}) {
  const session& s = device_session();
  guarded_buffer<In> A(s, from, In{});
  guarded_buffer<Out> B(s, std::vector<Out>(from.size()), Out{});
  auto a = matrix<In>(A.buffer(), 37, 21);
  if (conjugate) a = conjugated(a);
  turn(a, matrix<Out>(B.buffer(), 21, 37), {}, arguments);
  const std::vector<Out> got = B.read();
  int wrong = 0;
  for (int r = 0; r < 37; ++r)
    for (int c = 0; c < 21; ++c) {
      const auto i = static_cast<std::size_t>(r * 21 + c), o = static_cast<std::size_t>(c * 37 + r);
      wrong += same_bits<Out>(got[o], expected(from[i], c, r)) ? 0 : 1;
    }
  CHECK(wrong == 0);
  CHECK(B.intact());
}

/// Drawn policies, layouts, places and batches; B(c, r) must be what `expected` makes of A(r, c), a
/// scale factor (1 where there is none) and whether A is conjugated.
template <class In, class Out, class Expected>
void any_map(const char* name, int cases, const function& map, bool scales, bool conjugates,
             Expected expected) {
  run_campaign(name, cases, [&](draw& d) -> std::string {
    const session& s = d.chance(20) ? out_of_order_session() : device_session();
    transpose_options options{.map = map};
    if (!d.chance(20)) options.policy = draw_transpose_policy(d);
    const std::int64_t rows = d.between(1, d.one_of({3, 20, 90})),
                       cols = d.between(1, d.one_of({3, 20, 90})), batch = d.one_of({1, 1, 3});
    const placed a = draw_place(d, rows, cols, batch), b = draw_place(d, cols, rows, batch);
    const std::vector<In> from = whole_numbers<In>(d, a.size());
    const std::vector<Out> before = random_array<Out>(d, b.size());
    guarded_buffer<In> A(s, from, In{});
    guarded_buffer<Out> B(s, before, random_bits_of<Out>(d));
    const auto as_if = elsewhere(d, s, !options.policy);
    transpose<In, Out> turn(s.queue, options);
    using factor = std::conditional_t<std::same_as<In, half>, float, In>;
    factor scale{1};
    if constexpr (scalar_type<In>) {
      if (scales) scale = random_integer<factor>(d, 4);
    }
    const bool conjugate = conjugates && d.chance(60);
    auto x = a.view<In>(A.buffer());
    if (conjugate) x = conjugated(x);
    std::vector<argument> shift;
    if (!map.empty()) shift.emplace_back(0.5f);
    const auto y = b.view<Out>(B.buffer());
    if constexpr (scalar_type<In>)
      wait_for(scales ? turn(scale, x, y, {}, shift) : turn(x, y, {}, shift));
    else
      wait_for(turn(x, y, {}, shift));
    std::vector<Out> wanted = before;
    for (std::int64_t n = 0; n < batch; ++n)
      for (std::int64_t r = 0; r < rows; ++r)
        for (std::int64_t c = 0; c < cols; ++c)
          wanted[b.at(n, c, r)] = expected(from[a.at(n, r, c)], scale, conjugate,
                                           static_cast<int>(c), static_cast<int>(r));
    const std::vector<Out> got = B.read();
    for (std::size_t i = 0; i < got.size(); ++i) {
      const bool untouched = same_bits(wanted[i], before[i]);
      if (untouched ? same_bits(got[i], wanted[i]) : got[i] == wanted[i]) continue;
      return "element " + std::to_string(i) + " is wrong\nA " + text_of(a) + "\nB " + text_of(b) +
             (options.policy ? "\n" + to_string(*options.policy) : "");
    }
    return B.intact() ? "" : "a guard zone was written";
  });
}

}  // namespace

CAMPAIGN("casts, scale factors and maps under any policy, wherever the matrices lie") {
  any_map<half, float>(
      "half to float, scaled", 3, {}, true, false,
      [](half x, float scale, bool, int, int) { return static_cast<float>(x) * scale; });
  const function map{"return value + shift + 1000 * row + column;",
                     {clprim::value<float>("shift")}};
  any_map<float, double>("float to double, scaled and mapped", 3, map, true, false,
                         [](float x, float scale, bool, int row, int column) {
                           return static_cast<double>(x * scale) + 0.5 + 1000 * row + column;
                         });
  any_map<std::int8_t, std::int32_t>(
      "bytes to integers", 2, {}, false, false,
      [](std::int8_t x, std::int8_t, bool, int, int) { return std::int32_t{x}; });
}

CAMPAIGN("conjugation with scale and cast under any policy, wherever the matrices lie") {
  using complex = std::complex<float>;
  any_map<complex, complex>("complex, scaled", 3, {}, true, true,
                            [](complex x, complex scale, bool conjugate, int, int) {
                              return scale * (conjugate ? std::conj(x) : x);
                            });
  any_map<complex, std::complex<double>>(
      "complex to double, scaled", 2, {}, true, true,
      [](complex x, complex scale, bool conjugate, int, int) {
        return std::complex<double>(scale * (conjugate ? std::conj(x) : x));
      });
}

TEST_CASE("elements are cast on the way, half and double too") {
  const session& s = device_session();
  transpose<float, half> narrow(s.queue);
  check_map<half>(narrow, numbers<float>(), false, [](float x, int, int) { return half(x); });
  transpose<float, std::complex<float>> complex(s.queue);
  check_map<std::complex<float>>(complex, numbers<float>(), false,
                                 [](float x, int, int) { return std::complex<float>(x, 0); });
}

TEST_CASE("user text sees the value, its place in the output, and its parameters") {
  const session& s = device_session();
  transpose<float> turn(s.queue, {.map = {"return value * slope + 1000 * row + column;",
                                          {clprim::value<float>("slope")}}});
  check_map<float>(
      turn, numbers<float>(), false,
      [](float x, int row, int column) { return x * 2 + static_cast<float>(1000 * row + column); },
      {2.f});
  transpose<std::complex<float>, float> imaginary(s.queue, {.map = {"return value.y;", {}}});
  check_map<float>(imaginary, numbers<std::complex<float>>(), false,
                   [](std::complex<float> x, int, int) { return x.imag(); });
}

TEST_CASE("a wait list is waited for, on an out-of-order queue too") {
  for (const session* s : {&device_session(), &out_of_order_session()}) {
    guarded_buffer<float> A(*s, std::vector<float>{1, 2, 3, 4, 5, 6}, 0),
        B(*s, std::vector<float>(6), 0);
    transpose<float> turn(s->queue);
    const cl::Event gate = user_event(*s);
    const cl::Event done =
        turn(matrix<float>(A.buffer(), 2, 3), matrix<float>(B.buffer(), 3, 2), {gate});
    clFlush(s->queue());
    cl_int status = CL_COMPLETE;
    clGetEventInfo(done(), CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, nullptr);
    CHECK(status != CL_COMPLETE);
    clSetUserEventStatus(gate(), CL_COMPLETE);
    CHECK(B.read() == std::vector<float>{1, 4, 2, 5, 3, 6});
  }
}

TEST_CASE("maps, scale and conjugation in place, of squares and of rectangles") {
  const session& s = device_session();
  for (const int rows : {21, 37, 12}) {
    const int cols = rows == 21 ? 21 : rows == 37 ? 21 : 30;
    const auto count = static_cast<std::size_t>(rows * cols);
    std::vector<float> from(count);
    for (std::size_t i = 0; i < count; ++i) from[i] = static_cast<float>(i);
    guarded_buffer<float> A(s, from, 0), B(s, from, 0);
    transpose<float> turn(s.queue, {.map = {"return value + 1000 * row + column + shift;",
                                            {clprim::value<float>("shift")}}});
    turn.in_place(matrix<float>(A.buffer(), rows, cols), {}, std::vector<argument>{0.5f});
    transpose<float> scaled(s.queue);
    scaled.in_place(2, matrix<float>(B.buffer(), rows, cols).column_major());
    const auto got = A.read(), doubled = B.read();
    int wrong = 0;
    for (int r = 0; r < rows; ++r)
      for (int c = 0; c < cols; ++c) {
        const auto i = static_cast<std::size_t>(r * cols + c);
        const auto o = static_cast<std::size_t>(c * rows + r);
        wrong += got[o] == from[i] + static_cast<float>(1000 * c + r) + 0.5f ? 0 : 1;
        const auto by_columns = static_cast<std::size_t>(c * rows + r),
                   turned = static_cast<std::size_t>(r * cols + c);
        wrong += doubled[turned] == 2 * from[by_columns] ? 0 : 1;
      }
    CHECK(wrong == 0);
    CHECK(A.intact());
  }
  using complex = std::complex<float>;
  guarded_buffer<complex> C(s, std::vector<complex>{{1, 2}, {3, 4}, {5, 6}, {7, 8}, {9, 1}, {2, 3}},
                            {});
  transpose<complex> turn(s.queue);
  turn.in_place(conjugated(matrix<complex>(C.buffer(), 2, 3)));
  CHECK(C.read() == std::vector<complex>{{1, -2}, {7, -8}, {3, -4}, {9, -1}, {5, -6}, {2, -3}});
  CHECK(turn.explain_in_place(matrix<complex>(C.buffer(), 2, 3)).find("lines of") !=
        std::string::npos);
}

TEST_CASE("a rectangle in place waits for its list and can be waited for") {
  const session& s = out_of_order_session();
  guarded_buffer<float> A(s, std::vector<float>{1, 2, 3, 4, 5, 6}, 0);
  transpose<float> turn(s.queue, {.in_place = in_place_policy{.local = false}});
  const cl::Event gate = user_event(s);
  const cl::Event first = turn.in_place(matrix<float>(A.buffer(), 2, 3), {gate});
  const cl::Event second = turn.in_place(matrix<float>(A.buffer(), 3, 2), {first});
  const cl::Event third = turn.in_place(matrix<float>(A.buffer(), 2, 3), {second});
  clFlush(s.queue());
  cl_int status = CL_COMPLETE;
  clGetEventInfo(first(), CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, nullptr);
  CHECK(status != CL_COMPLETE);
  clSetUserEventStatus(gate(), CL_COMPLETE);
  wait_for(third);
  CHECK(A.read() == std::vector<float>{1, 4, 2, 5, 3, 6});
}

TEST_CASE("a policy is a template argument of every door") {
  const session& s = device_session();
  constexpr transpose_policy mine{.tile_rows = 8, .tile_cols = 8, .items = 16};
  transpose<float, float, mine> turn(s.queue);
  permute<float, float, mine> order(s.queue);
  guarded_buffer<float> A(s, std::vector<float>{1, 2, 3, 4, 5, 6}, 0),
      B(s, std::vector<float>(6), 0);
  const auto a = matrix<float>(A.buffer(), 2, 3), b = matrix<float>(B.buffer(), 3, 2);
  CHECK(turn.schedule(a, b).policy == mine);
  turn(a, b);
  CHECK(B.read() == std::vector<float>{1, 4, 2, 5, 3, 6});
  order(array<float>(B.buffer(), {3, 2}), {1, 0}, array<float>(A.buffer(), {2, 3}));
  CHECK(A.read() == std::vector<float>{1, 2, 3, 4, 5, 6});
  CHECK(order.explain(array<float>(B.buffer(), {3, 2}), {1, 0}, array<float>(A.buffer(), {2, 3}))
            .find(".tile_rows = 8") != std::string::npos);
}

TEST_SUITE("oclgrind") {
  TEST_CASE("rectangles in place, through local memory and through the workspace") {
    const session& s = device_session();
    draw d(2);
    for (const bool local : {true, false}) {  // one workspace only: see guarded_buffer
      transpose<std::uint32_t> turn(
          s.queue, {.in_place = in_place_policy{.items = 4, .strip = 2, .local = local}});
      for (const bool tall : {true, false}) {
        const placed a{.rows = tall ? 6 : 4, .cols = tall ? 4 : 6};
        guarded_buffer<std::uint32_t> A(s, random_array<std::uint32_t>(d, 24), 1u,
                                        surroundings::nothing);
        const auto before = A.read();
        turn.in_place(matrix<std::uint32_t>(A.buffer(), a.rows, a.cols));
        const auto after = A.read();
        std::size_t wrong = 0;
        for (std::size_t i = 0; i < 24; ++i) {
          const auto rows = static_cast<std::size_t>(a.rows),
                     cols = static_cast<std::size_t>(a.cols);
          wrong += after[i % cols * rows + i / cols] == before[i] ? 0 : 1;
        }
        CHECK(wrong == 0);
      }
    }
  }
  TEST_CASE("permutations of axes read and write their arrays only") {
    const session& s = device_session();
    draw d(3);
    const auto from = random_array<std::uint32_t>(d, 2 * 3 * 5);
    guarded_buffer<std::uint32_t> X(s, from, 1u, surroundings::nothing),
        Y(s, std::vector<std::uint32_t>(30), 1u, surroundings::nothing);
    const auto x = array<std::uint32_t>(X.buffer(), {2, 3, 5});
    for (const auto& p : {transpose_policy{.tile_rows = 8, .tile_cols = 8, .items = 16},
                          transpose_policy{.tile_rows = 8,
                          .tile_cols = 8,
                          .vector = 2,
                          .items = 4,
                          .exchange = tile_exchange::direct}}) {
      permute<std::uint32_t> order(s.queue, {.policy = p});
      order(x, {2, 0, 1}, array<std::uint32_t>(Y.buffer(), {5, 2, 3}));
      CHECK(Y.read()[3 * 6 + 1 * 3 + 2] == from[1 * 15 + 2 * 5 + 3]);
      order(x, {1, 0, 2}, array<std::uint32_t>(Y.buffer(), {3, 2, 5}));
      CHECK(Y.read()[2 * 10 + 1 * 5 + 3] == from[1 * 15 + 2 * 5 + 3]);
    }
  }
  TEST_CASE("a map sees the rows and columns of the matrix alone where tiles and boxes are cut") {
    const session& s = device_session();
    draw d(4);
    constexpr std::size_t rows = 21, cols = 13;
    const auto from = random_array<std::uint32_t>(d, rows * cols),
               by_row = random_array<std::uint32_t>(d, cols),
               by_column = random_array<std::uint32_t>(d, rows);
    guarded_buffer<std::uint32_t> A(s, from, 1u, surroundings::nothing),
        B(s, std::vector<std::uint32_t>(rows * cols), 1u, surroundings::nothing),
        R(s, by_row, 1u, surroundings::nothing), C(s, by_column, 1u, surroundings::nothing);
    const function map{"return value ^ of_row[row] ^ of_column[column];",
                       {buffer<std::uint32_t>("of_row"), buffer<std::uint32_t>("of_column")}};
    for (const tile_exchange exchange : {tile_exchange::box, tile_exchange::local,
                                         tile_exchange::direct, tile_exchange::elements}) {
      CAPTURE(exchange);
      transpose<std::uint32_t> turn(
          s.queue,
          {.policy =
               transpose_policy{
                   .tile_rows = 8, .tile_cols = 8, .vector = 1, .items = 8, .exchange = exchange},
           .map = map});
      turn(matrix<std::uint32_t>(A.buffer(), rows, cols),
           matrix<std::uint32_t>(B.buffer(), cols, rows), {}, {R.buffer(), C.buffer()});
      const auto after = B.read();
      std::size_t wrong = 0;
      for (std::size_t r = 0; r < rows; ++r)
        for (std::size_t c = 0; c < cols; ++c)
          wrong += after[c * rows + r] == (from[r * cols + c] ^ by_row[c] ^ by_column[r]) ? 0 : 1;
      CHECK(wrong == 0);
    }
  }
  TEST_CASE("transpositions touch nothing else and race nowhere") {
    const session& s = device_session();
    draw d(1);
    const placed a{.rows = 21, .cols = 13, .leading = 13}, b{.rows = 13, .cols = 21, .leading = 21};
    const placed square{.rows = 20, .cols = 20, .leading = 20};
    for (const transpose_policy& p :
         {transpose_policy{.tile_rows = 8, .tile_cols = 8, .items = 16},
          transpose_policy{.tile_rows = 8,
          .tile_cols = 8,
          .vector = 4,
          .items = 4,
          .banks = bank_strategy::swizzle,
          .unaligned = true},
          transpose_policy{
              .tile_rows = 8, .tile_cols = 8, .items = 8, .exchange = tile_exchange::direct},
          transpose_policy{.tile_rows = 16,
          .tile_cols = 8,
          .vector = 2,
          .items = 8,
          .exchange = tile_exchange::elements,
          .shear = 32},
          transpose_policy{.tile_rows = 16, .tile_cols = 8, .vector = 4, .items = 8, .shear = 32},
          transpose_policy{.tile_rows = 16,
          .tile_cols = 16,
          .vector = 4,
          .items = 2,
          .exchange = tile_exchange::registers}}) {
      transpose<std::uint32_t> turn(s.queue, {.policy = p});
      CHECK(complaint_of_turn(d, s, turn, a, b) == "");
      if (p.exchange != tile_exchange::direct && p.exchange != tile_exchange::local) continue;
      if (p.tile_rows != p.tile_cols) continue;
      guarded_buffer<std::uint32_t> A(s, random_array<std::uint32_t>(d, 400), 1u,
                                      surroundings::nothing);
      const auto before = A.read();
      turn.in_place(square.view<std::uint32_t>(A.buffer()));
      CHECK(A.read()[3] == before[60]);
    }
  }
}
