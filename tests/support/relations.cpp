// That relations see what is wrong, and allow what roundings may do.

#include "support/relations.hpp"

#include <string>
#include <vector>

#include <doctest/doctest.h>

using namespace support;

namespace {

/// Sums of neighbours times three, in float.
linear_map<float> tripled_sums(float offset = 0) {
  return {.inputs = 20,
          .call =
              [offset](const std::vector<float>& x) {
                std::vector<float> sums;
                for (std::size_t i = 0; i + 1 < x.size(); ++i)
                  sums.push_back(3 * (x[i] + x[i + 1]) + offset);
                return sums;
              },
          .norm = 6,
          .relative = static_cast<long double>(gamma<float>(3))};
}

}  // namespace

TEST_CASE("a map that is linear up to its roundings is found so, another is not") {
  for (std::uint64_t seed = 1; seed < 50; ++seed) {
    draw d(seed);
    CHECK(complaint_of_linearity(d, tripled_sums()).empty());
    // Of an offset, s times it is left, a quarter of it at least where s is not 0; the roundings
    // make 1e-5 at most.
    draw again(seed);
    const std::string said = complaint_of_linearity(again, tripled_sums(1e-4F));
    draw same(seed);
    for (int i = 0; i < 40; ++i) (void)same.unit();
    if (same.between(-8, 8) != 0) CHECK(said.find("apart by") != std::string::npos);
  }
}

TEST_CASE("numbers in another order, too many of them and NaN are differences") {
  const inexact x(std::vector<float>{1, 2, 3, 4, 5, 6});
  const auto places = transposed_places(2, 3);
  CHECK(difference("x = x", x, x).empty());
  CHECK(difference("twice", x.at(places).at(transposed_places(3, 2)), x).empty());
  CHECK(difference("once", x.at(places), x).find("number 1 of 6") != std::string::npos);
  CHECK_FALSE(difference("fewer", x, inexact(std::vector<float>{1})).empty());
  CHECK_FALSE(difference("NaN", x, inexact(std::vector<double>(6, std::nan("")))).empty());
}

TEST_CASE("what numbers may be off adds up and scales with them") {
  inexact x(std::vector<double>{1, -4});
  x.error = 0.5L;
  const inexact y = x + wide_number(-2) * x;
  CHECK(y.error == 1.5L);
  CHECK(y.values.at(1) == wide_number(4));
  CHECK(difference("within", y, wide_number(-1) * x).empty());
  inexact far = wide_number(-1) * x;
  far.values.at(0) += 2.1L;
  CHECK_FALSE(difference("beyond", y, far).empty());
}
