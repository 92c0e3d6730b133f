// Scale, conjugation, cast and user text on the way; queues and wait lists; Oclgrind.

#include <array>
#include <complex>
#include <cstdint>
#include <vector>

#include <doctest/doctest.h>

#include "transpose/turning.hpp"

using namespace clprim;
using namespace support;

namespace {

/// 37 x 21 integers as T.
template <class T> std::vector<T> numbers() {
  draw d(5);
  std::vector<T> values(37 * 21);
  for (T& x : values) x = random_integer<T>(d, 100);
  return values;
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

}  // namespace

TEST_CASE("elements are cast on the way, half and double too") {
  const session& s = device_session();
  transpose<half, float> widen(s.queue);
  check_map<float>(widen, numbers<half>(), false,
                   [](half x, int, int) { return static_cast<float>(x); });
  transpose<float, half> narrow(s.queue);
  check_map<half>(narrow, numbers<float>(), false, [](float x, int, int) { return half(x); });
  transpose<float, double> doubled(s.queue);
  check_map<double>(doubled, numbers<float>(), false, [](float x, int, int) { return double{x}; });
  transpose<float, std::complex<float>> complex(s.queue);
  check_map<std::complex<float>>(complex, numbers<float>(), false,
                                 [](float x, int, int) { return std::complex<float>(x, 0); });
  transpose<std::int8_t, std::int32_t> integers(s.queue);
  check_map<std::int32_t>(integers, std::vector<std::int8_t>(37 * 21, -3), false,
                          [](std::int8_t x, int, int) { return std::int32_t{x}; });
}

TEST_CASE("conjugation and scale, of complex elements too") {
  using complex = std::complex<double>;
  const session& s = device_session();
  transpose<complex> turn(s.queue);
  check_map<complex>(turn, numbers<complex>(), true,
                     [](complex x, int, int) { return std::conj(x); });
  const std::vector<complex> from = numbers<complex>();
  guarded_buffer<complex> A(s, from, {}), B(s, from, {});
  turn(complex(2, -3), matrix<complex>(A.buffer(), 37, 21), matrix<complex>(B.buffer(), 21, 37));
  const std::vector<complex> got = B.read();
  CHECK(got[5 * 37 + 7] == from[7 * 21 + 5] * complex(2, -3));
  transpose<float> real(s.queue);
  const std::vector<float> numbers_of_float = numbers<float>();
  guarded_buffer<float> C(s, numbers_of_float, 0), D(s, numbers_of_float, 0);
  real(0.5, matrix<float>(C.buffer(), 37, 21), matrix<float>(D.buffer(), 21, 37));
  CHECK(D.read()[5 * 37 + 7] == numbers_of_float[7 * 21 + 5] * 0.5f);
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
        turn(matrix<float>(A.buffer(), 2, 3), matrix<float>(B.buffer(), 3, 2), std::array{gate});
    clFlush(s->queue());
    cl_int status = CL_COMPLETE;
    clGetEventInfo(done(), CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, nullptr);
    CHECK(status != CL_COMPLETE);
    clSetUserEventStatus(gate(), CL_COMPLETE);
    CHECK(B.read() == std::vector<float>{1, 4, 2, 5, 3, 6});
  }
}

TEST_SUITE("oclgrind") {
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
              .tile_rows = 8, .tile_cols = 8, .items = 8, .exchange = tile_exchange::direct}}) {
      transpose<std::uint32_t> turn(s.queue, {.policy = p});
      CHECK(complaint_of_turn(d, s, turn, a, b) == "");
      guarded_buffer<std::uint32_t> A(s, random_array<std::uint32_t>(d, 400), 1u,
                                      surroundings::nothing);
      const auto before = A.read();
      turn.in_place(square.view<std::uint32_t>(A.buffer()));
      CHECK(A.read()[3] == before[60]);
    }
  }
}
