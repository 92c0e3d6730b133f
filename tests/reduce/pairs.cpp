// Dot products of operands that lie differently.

#include <string>
#include <vector>

#include <doctest/doctest.h>

#include <clprim/reduce.hpp>

#include "reduce/reference.hpp"
#include "support/campaign.hpp"
#include "support/refusal.hpp"

using namespace clprim;
using namespace support;

namespace {

struct layout_of {
  std::vector<std::int64_t> strides;
  std::int64_t total = 1;
};

/// Any order of the axes in memory, with gaps.
layout_of draw_layout(draw& d, const std::vector<std::int64_t>& extents) {
  std::vector<std::size_t> order(extents.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  if (d.chance(60)) {
    for (std::size_t i = order.size(); i > 1; --i)
      std::swap(order[i - 1],
                order[static_cast<std::size_t>(d.between(0, static_cast<int>(i) - 1))]);
  }
  layout_of l;
  l.strides.resize(extents.size());
  for (std::size_t k = order.size(); k-- > 0;) {
    l.strides[order[k]] = l.total;
    l.total = l.total * extents[order[k]] + (d.chance(40) ? d.between(1, 3) : 0);
  }
  return l;
}

std::string any_pair(draw& d) {
  const session& s = device_session();
  std::vector<std::int64_t> extents(static_cast<std::size_t>(d.between(1, 5)));
  for (auto& n : extents) n = d.between(1, 7);
  const auto axis = static_cast<std::size_t>(d.between(0, static_cast<int>(extents.size()) - 1));
  const layout_of of_x = draw_layout(d, extents), of_y = draw_layout(d, extents);
  std::vector<std::int32_t> x(static_cast<std::size_t>(of_x.total)),
      y(static_cast<std::size_t>(of_y.total));
  for (auto& v : x) v = d.between(-9, 9);
  for (auto& v : y) v = d.between(-9, 9);
  reduce<std::int32_t, op::dot<>> dot(s.queue);
  const cl::Buffer buffer_x = device_copy(s, x), buffer_y = device_copy(s, y);
  const auto got = dot.values(along_axis<std::int32_t>(buffer_x, extents, of_x.strides, axis),
                              along_axis<std::int32_t>(buffer_y, extents, of_y.strides, axis));
  std::int64_t results = 1;
  for (std::size_t a = 0; a < extents.size(); ++a) results *= a == axis ? 1 : extents[a];
  for (std::int64_t r = 0; r < results; ++r) {
    std::int64_t rest = r, place_x = 0, place_y = 0, expected = 0;
    for (std::size_t a = extents.size(); a-- > 0;) {
      if (a == axis) continue;
      place_x += rest % extents[a] * of_x.strides[a];
      place_y += rest % extents[a] * of_y.strides[a];
      rest /= extents[a];
    }
    for (std::int64_t i = 0; i < extents[axis]; ++i)
      expected += x[static_cast<std::size_t>(place_x + i * of_x.strides[axis])] *
                  y[static_cast<std::size_t>(place_y + i * of_y.strides[axis])];
    if (got.at(static_cast<std::size_t>(r)) != expected)
      return "result " + std::to_string(r) + " of " + std::to_string(results) + " is wrong\n";
  }
  return got.size() == static_cast<std::size_t>(results) ? "" : "too many results\n";
}

}  // namespace

CAMPAIGN("dot products of arrays with equal extents are right however each of them lies") {
  run_campaign("pairs", 6, any_pair);
}

TEST_CASE("a dot product of rows with rows of the other layout, and of what does not go together") {
  const session& s = device_session();
  const cl::Buffer x = device_copy(s, std::vector<float>{1, 2, 3, 4, 5, 6, 7, 8}),
                   y = device_copy(s, std::vector<float>{1, 0, 0, 1, 1, 1});
  reduce<float, op::dot<>> dot(s.queue);
  const auto by_rows = matrix<float>(x, 2, 3), by_columns = transposed(matrix<float>(y, 3, 2));
  CHECK(dot.values(each_row(by_rows), each_row(by_columns)) == std::vector<float>{4, 11});
  CHECK(dot.schedule(each_row(by_rows), each_row(by_columns)).variant.strided);
  CHECK(dot.source(each_row(by_rows), each_row(by_columns)).find("reduce_rows") !=
        std::string::npos);
  CHECK(refused([&] { dot.values(segments<float>(x, 2, 3), segments<float>(y, 3, 2)); }) ==
        "x and y of a dot product must have results of one shape: 2 results of 3 elements and 3 "
        "results of 2 elements given, equal shapes");
  CHECK(refused([&] {
          dot.values(along_axis<float>(x, {2, 3, 1}, {4, 1, 1}, 2),
                     along_axis<float>(x, {3, 2, 1}, {3, 1, 1}, 2));
        }) ==
        "x and y of a dot product must have results of one shape: 2 x 3 results of 1 element "
        "and 3 x 2 results of 1 element given, equal shapes");
  CHECK(dot.value(whole<float>(x, 6), whole<float>(y, 6)) == 16);
}
