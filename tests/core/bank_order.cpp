// Orders of points in which no access meets two of them in a bank.

#include <cstddef>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

#include <clprim/core/access/bank_order.hpp>

#include "support/random.hpp"

using namespace clprim;
using namespace support;

TEST_CASE("points lie in local memory so that no access meets two of them in a bank") {
  draw d(12);
  for (const int points : {1, 31, 33, 500}) {
    // Accesses of 8 items each at most, to points in any order.
    std::vector<int> order, access(static_cast<std::size_t>(points));
    for (int n = 0; n < points; ++n) order.push_back(n);
    for (std::size_t n = order.size(); n-- > 1;)
      std::swap(order[n], order[static_cast<std::size_t>(d.between(0, static_cast<int>(n)))]);
    for (int q = 0; q < points; ++q)
      access[static_cast<std::size_t>(order[static_cast<std::size_t>(q)])] = q / 8;
    const bank_order banks(access, 8);
    std::vector<std::vector<bool>> met(access.size(), std::vector<bool>(8));
    for (std::size_t n = 0; n < access.size(); ++n) {
      const auto place = static_cast<std::size_t>(banks.place[n]);
      CHECK(banks.fetched[place] == static_cast<int>(n));
      CHECK(place / 8 == n / 8);
      CHECK(!met[static_cast<std::size_t>(access[n])][place % 8]);
      met[static_cast<std::size_t>(access[n])][place % 8] = true;
    }
  }
}
