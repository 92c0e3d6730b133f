// Arrays with gaps, dot products of every shape, strides of 0, places and counts past 2^31.

#include <string>
#include <vector>

#include <doctest/doctest.h>

#include <clprim/reduce.hpp>

#include "reduce/reference.hpp"
#include "support/random.hpp"

using namespace clprim;
using namespace support;

TEST_CASE("any axis of an array of five dimensions with gaps between its axes") {
  const session& s = device_session();
  const std::int64_t extents[] = {3, 4, 2, 5, 6}, strides[] = {400, 97, 45, 8, 1};
  std::vector<std::int32_t> x(1400);
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = static_cast<std::int32_t>(i * i % 1013);
  const cl::Buffer a = device_copy(s, x);
  reduce<std::int32_t> sum(s.queue);
  for (std::size_t axis = 0; axis < 5; ++axis) {
    CAPTURE(axis);
    const auto view = along_axis<std::int32_t>(a, extents, strides, axis, 3);
    const auto got = sum.values(view);
    std::size_t at = 0;
    std::int64_t i[5];  // the plain loops, independent of how a view is put together
    for (i[0] = 0; i[0] < extents[0]; ++i[0])
      for (i[1] = 0; i[1] < extents[1]; ++i[1])
        for (i[2] = 0; i[2] < extents[2]; ++i[2])
          for (i[3] = 0; i[3] < extents[3]; ++i[3])
            for (i[4] = 0; i[4] < extents[4]; ++i[4]) {
              if (i[axis] != 0) continue;
              std::int64_t place = 3, expected = 0;
              for (std::size_t k = 0; k < 5; ++k) place += i[k] * strides[k];
              for (std::int64_t e = 0; e < extents[axis]; ++e)
                expected += x[static_cast<std::size_t>(place + e * strides[axis])];
              REQUIRE(at < got.size());
              CHECK(got[at++] == expected);
            }
    CHECK(at == got.size());
  }
  CHECK_THROWS_AS(along_axis<float>(a, {2, 2}, {1}, 0), argument_error);
  CHECK_THROWS_AS(along_axis<float>(a, {2, 2}, {2, -1}, 0), argument_error);
  CHECK_THROWS_AS(sum.values(along_axis<std::int32_t>(a, {5, 10}, {400, 1}, 1)), argument_error);
}

TEST_CASE("dot products of rows, columns, strided arrays, arrays with gaps and ragged segments") {
  const session& s = device_session();
  draw d(12);
  std::vector<std::int32_t> x(5000), y(5000);
  for (auto& v : x) v = d.between(-50, 50);
  for (auto& v : y) v = d.between(-50, 50);
  const cl::Buffer a = device_copy(s, x), b = device_copy(s, y);
  const std::vector<std::int64_t> ends{0, 3, 3, 700, 1000, 1001};
  const cl::Buffer offsets = device_copy(s, ends);
  struct pair_of_views {
    const char* name;
    reduce_view<std::int32_t> x, y;
  };
  auto strided_x = whole<std::int32_t>(a, 900), strided_y = whole<std::int32_t>(b, 900);
  strided_x.step = 3;
  strided_y.step = 5;
  auto ragged_x = ragged<std::int32_t>(a, 1001, offsets, 5), ragged_y = ragged_x;
  ragged_x.offset = 7;
  ragged_y.memory = b();
  ragged_y.offset = 2;
  const pair_of_views all[] = {
      {"array", whole<std::int32_t>(a, 4999), whole<std::int32_t>(b, 4999)},
      {"strided", strided_x, strided_y},
      {"rows", each_row(matrix<std::int32_t>(a, 20, 33).ld(40)),
       each_row(matrix<std::int32_t>(b, 20, 33).ld(35).at(1))},
      {"columns", each_column(matrix<std::int32_t>(a, 60, 33).ld(40)),
       each_column(matrix<std::int32_t>(b, 60, 33).ld(35).at(1))},
      {"gaps", along_axis<std::int32_t>(a, {3, 4, 5, 8}, {600, 140, 20, 1}, 2),
       along_axis<std::int32_t>(b, {3, 4, 5, 8}, {500, 120, 22, 1}, 2)},
      {"ragged", ragged_x, ragged_y},
  };
  for (const int tile : {0, 256}) {
    const reduce_policy p{.group = 16, .least_steps = 1, .columns = 4, .ragged_tile = tile};
    reduce<std::int32_t, op::dot<>> dot(s.queue, {.policy = p});
    for (const pair_of_views& both : all) {
      CAPTURE(both.name);
      const auto got = dot.values(both.x, both.y);
      for (std::size_t r = 0; r < got.size(); ++r) {
        const auto u = elements_of(both.x, x, static_cast<std::int64_t>(r), ends);
        const auto v = elements_of(both.y, y, static_cast<std::int64_t>(r), ends);
        long double expected = 0;
        for (std::size_t i = 0; i < u.size(); ++i) expected += u[i] * v[i];
        CHECK(got[r] == static_cast<std::int64_t>(expected));
      }
    }
    CHECK_THROWS_AS(dot.values(all[2].x, all[3].x), argument_error);
  }
}

TEST_CASE("a stride of 0 takes one element again and again: counts past 2^31 without the memory") {
  const session& s = device_session();
  const cl::Buffer a = device_copy(s, std::vector<std::uint8_t>{3, 0, 0, 0});
  const std::int64_t n = (std::int64_t{1} << 31) + 12345;
  reduce_view<std::uint8_t> view = whole<std::uint8_t>(a, n);
  view.step = 0;
  // Exact: the sum; the place of one element past 2^31; how many indices are odd.
  reduce<std::uint8_t, op::several<op::sum<>, op::argmax>> both(
      s.queue, {.map = {"return index == 2147483653L ? 4 : x;", {}}});
  const auto [sum, best] = both.value(view);
  CHECK(sum == 3 * static_cast<std::uint64_t>(n) + 1);
  CHECK(best == located<std::uint32_t>{4, 2147483653});
  CHECK_THROWS_AS(
      reduce<std::uint8_t>(s.queue, {.policy = reduce_policy{.grid_stride = true}}).value(view),
      policy_error);
}

TEST_CASE("places past 2^31 in a buffer that is hardly touched") {
  const session& s = device_session();
  const device_facts facts = facts_of(s.device);
  const std::int64_t size = std::min(facts.max_allocation_bytes, (std::int64_t{1} << 32) + 4096);
  cl_int code = CL_SUCCESS;
  const cl::Buffer a(clCreateBuffer(s.context(), CL_MEM_READ_WRITE, static_cast<std::size_t>(size),
                                    nullptr, &code),
                     false);
  if (code != CL_SUCCESS) {
    MESSAGE("no buffer of " << size << " bytes here");
    return;
  }
  const std::int64_t far = size - 4096, step = far / 2;  // three rows, a whole buffer apart
  const std::vector<std::uint8_t> ones(1000, 1);
  for (const std::int64_t row : {std::int64_t{0}, step, 2 * step}) {
    check(clEnqueueWriteBuffer(s.queue(), a(), CL_TRUE, static_cast<std::size_t>(row), 1000,
                               ones.data(), 0, nullptr, nullptr),
          "clEnqueueWriteBuffer");
  }
  reduce<std::uint8_t> sum(s.queue);
  CHECK(sum.values(along_axis<std::uint8_t>(a, {3, 1000}, {step, 1}, 0)) ==
        std::vector<std::uint64_t>(1000, 3));
  CHECK(sum.values(along_axis<std::uint8_t>(a, {3, 1000}, {step, 1}, 1)) ==
        std::vector<std::uint64_t>(3, 1000));
  auto last = whole<std::uint8_t>(a, 1000);
  last.offset = 2 * step;
  CHECK(sum.value(last) == 1000);
}
