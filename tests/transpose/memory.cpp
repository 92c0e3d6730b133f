// Where matrices lie, and what an object keeps: host memory at odd addresses, leading dimensions
// that nobody uses, memory that may not be used, plans and workspace made beforehand.

#include <cstdint>
#include <cstring>
#include <limits>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

#include "transpose/turning.hpp"

using namespace clprim;
using namespace support;

namespace {

cl::Buffer buffer_of(const session& s, cl_mem_flags flags, std::size_t bytes,
                     void* host = nullptr) {
  cl_int code = CL_SUCCESS;
  cl::Buffer made(clCreateBuffer(s.context(), flags, bytes, host, &code), false);
  check(code, "clCreateBuffer");
  return made;
}

std::vector<float> read(const session& s, const cl::Buffer& b, std::size_t count) {
  std::vector<float> values(count);
  check(clEnqueueReadBuffer(s.queue(), b(), CL_TRUE, 0, count * sizeof(float), values.data(), 0,
                            nullptr, nullptr),
        "clEnqueueReadBuffer");
  return values;
}

}  // namespace

TEST_CASE("matrices in memory of the host may begin at any element") {
  const session& s = device_session();
  constexpr std::size_t n = 64, count = n * n;
  alignas(128) static float from[count + 8], to[count + 8];
  for (std::size_t i = 0; i < count + 8; ++i) from[i] = static_cast<float>(i);
  using enum tile_exchange;
  for (const std::size_t first : {std::size_t{1}, std::size_t{2}, std::size_t{4}}) {
    for (const tile_exchange exchange : {direct, local, elements}) {
      std::memset(to, 0, sizeof to);
      const cl::Buffer x = buffer_of(s, CL_MEM_USE_HOST_PTR, count * 4, from + first),
                       y = buffer_of(s, CL_MEM_USE_HOST_PTR, count * 4, to + first);
      transpose<float> turn(
          s.queue,
          {.policy = transpose_policy{
               .tile_rows = 16, .tile_cols = 16, .vector = 4, .items = 16, .exchange = exchange}});
      wait_for(turn(matrix<float>(x, n, n), matrix<float>(y, n, n)));
      const std::vector<float> got = read(s, y, count);
      int wrong = 0;
      for (std::size_t i = 0; i < count; ++i)
        wrong += got[i] == from[first + i % n * n + i / n] ? 0 : 1;
      CHECK(wrong == 0);
      if (exchange == elements) continue;
      wait_for(turn.in_place(matrix<float>(y, n, n)));
      CHECK(std::memcmp(read(s, y, count).data(), from + first, count * 4) == 0);
    }
  }
}

TEST_CASE("elements that begin between two of their kind are refused") {
  const session& s = device_session();
  alignas(128) static char memory[256];
  const cl::Buffer x = buffer_of(s, CL_MEM_USE_HOST_PTR, 128, memory + 2),
                   y = buffer_of(s, CL_MEM_READ_WRITE, 128);
  transpose<float> turn(s.queue);
  CHECK_THROWS_WITH_AS(turn(matrix<float>(x, 4, 4), matrix<float>(y, 4, 4)),
                       doctest::Contains("memory of A must be aligned to its elements: host memory "
                                         "aligned to 2 bytes given, at least 4"),
                       argument_error);
}

TEST_CASE("the leading dimension of a single line may be anything") {
  const session& s = device_session();
  guarded_buffer<float> A(s, std::vector<float>{1, 2, 3, 4, 5}, 0), B(s, std::vector<float>(5), 0);
  constexpr std::int64_t far = std::numeric_limits<std::int64_t>::max();
  const auto line = matrix<float>(A.buffer(), 1, 5).ld(far);
  const auto column = matrix<float>(B.buffer(), 5, 1).column_major().ld(far);
  for (const bool tuned : {true, false}) {
    transpose_options options;
    if (!tuned)
      options.policy = transpose_policy{.tile_rows = 8, .tile_cols = 8, .items = 8, .shear = 32};
    transpose<float> turn(s.queue, options);
    wait_for(turn(line, column));
    CHECK(B.read() == std::vector<float>{1, 2, 3, 4, 5});
    wait_for(turn(2, column, line));
    CHECK(A.read() == std::vector<float>{2, 4, 6, 8, 10});
    wait_for(turn(0.5f, line.batch(1, far), column.batch(1, far)));
    wait_for(turn(column, line));
    CHECK(A.read() == std::vector<float>{1, 2, 3, 4, 5});
  }
}

TEST_CASE("a transposition refuses memory that it may not use, and works afterwards") {
  const session& s = device_session();
  const cl::Buffer x = buffer_of(s, CL_MEM_READ_WRITE, 64), y = buffer_of(s, CL_MEM_READ_WRITE, 64);
  const cl::Buffer constant = buffer_of(s, CL_MEM_READ_ONLY, 64),
                   target = buffer_of(s, CL_MEM_WRITE_ONLY, 64);
  const auto view = [](const cl::Buffer& b) { return matrix<float>(b, 4, 4); };
  transpose<float> turn(s.queue, {.map = {"return value + bias[row];", {buffer<float>("bias")}}});
  CHECK_THROWS_WITH_AS(turn(view(x), view(constant), {}, {y}),
                       doctest::Contains("B must be memory that kernels may write"),
                       argument_error);
  CHECK_THROWS_WITH_AS(turn(view(target), view(x), {}, {y}),
                       doctest::Contains("A must be memory that kernels may read"), argument_error);
  for (const cl::Buffer& b : {constant, target})
    CHECK_THROWS_WITH_AS(turn.in_place(view(b), {}, {y}), doctest::Contains("A must be memory"),
                         argument_error);
  CHECK_THROWS_WITH_AS(turn(view(x), view(y), {}, {y}),
                       doctest::Contains("a buffer of the user function must not be written"),
                       argument_error);
  CHECK_THROWS_WITH_AS(turn(view(x), view(y), {}, {cl::Buffer{}}),
                       doctest::Contains("argument 'bias' of the user function must be a buffer"),
                       argument_error);
  wait_for(turn(view(constant), view(target), {}, {y}));
  permute<float> order(s.queue);
  CHECK_THROWS_WITH_AS(order(array<float>(x, {4, 4}), {1, 0}, array<float>(constant, {4, 4})),
                       doctest::Contains("Y must be memory that kernels may write"),
                       argument_error);
}

TEST_CASE("a map that is no function is refused, and an object that was moved from says so") {
  const session& s = device_session();
  CHECK_THROWS_WITH_AS((transpose<float>(s.queue, {.map = {"value;", {}}})),
                       doctest::Contains("the map must return a value"), argument_error);
  CHECK_THROWS_WITH_AS((permute<float>(s.queue, {.map = {"return row;", {value<float>("row")}}})),
                       doctest::Contains("'row'"), argument_error);
  const cl::Buffer x = buffer_of(s, CL_MEM_READ_WRITE, 64), y = buffer_of(s, CL_MEM_READ_WRITE, 64);
  const auto a = matrix<float>(x, 2, 8), b = matrix<float>(y, 8, 2);
  transpose<float> turn(s.queue, {.map = {"return value * slope;", {value<float>("slope")}}});
  transpose<float> moved(std::move(turn));
  CHECK_THROWS_WITH_AS(turn(a, b, {}, {2.f}), doctest::Contains("moved from"),  // NOLINT
                       argument_error);
  CHECK_THROWS_WITH_AS(turn.in_place(a), doctest::Contains("moved from"), argument_error);
  wait_for(moved(a, b, {}, {2.f}));
}

TEST_CASE("prepare makes what a call needs, and questions tell of it") {
  const session& s = device_session();
  const cl::Buffer x = buffer_of(s, CL_MEM_READ_WRITE, 4 * 33 * 65),
                   y = buffer_of(s, CL_MEM_READ_WRITE, 4 * 33 * 65);
  const auto a = matrix<float>(x, 33, 65), b = matrix<float>(y, 65, 33);
  transpose<float> turn(s.queue, {.in_place = in_place_policy{.local = false}});
  const auto kept = [&] { return turn.explain(a, b); };
  turn.prepare(a, b);
  CHECK(kept().find("1 plan kept") != std::string::npos);
  wait_for(turn(a, b));
  CHECK(kept().find("1 plan kept") != std::string::npos);
  turn.prepare(2, a, b);
  CHECK(kept().find("2 plans kept") != std::string::npos);
  wait_for(turn(2, a, b));
  CHECK(kept().find("2 plans kept") != std::string::npos);
  CHECK(turn.workspace_bytes(a, b) == 0);
  CHECK(turn.source(a, b).find("__kernel void transpose") != std::string::npos);
  CHECK(turn.schedule(a, b).range.global[0] > 0);

  const std::size_t bytes = turn.workspace_bytes_in_place(a);
  CHECK(bytes > 0);
  CHECK(turn.workspace_held() == 0);
  turn.prepare_in_place(a);
  CHECK(turn.workspace_held() == bytes);
  const std::string before = turn.explain_in_place(a);
  wait_for(turn.in_place(a));
  CHECK(turn.explain_in_place(a) == before);
  CHECK(turn.source_in_place(a).find("__kernel void reorder") != std::string::npos);

  permute<float> order(s.queue);
  const auto from = array<float>(x, {33, 65}), to = array<float>(y, {65, 33});
  order.prepare(from, {1, 0}, to);
  wait_for(order(from, {1, 0}, to));
  CHECK(order.explain(from, {1, 0}, to).find("1 plan kept") != std::string::npos);
  CHECK(order.schedule(from, {1, 0}, to).variant.outer == 0);
  CHECK(order.source(from, {1, 0}, to).find("__kernel void transpose") != std::string::npos);
  CHECK(order.workspace_bytes(from, {1, 0}, to) == 0);
}
