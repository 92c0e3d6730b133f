#pragma once
// The choice of what costs least.

#include <limits>

namespace clprim {

/// The value of the least cost among those offered, the first of equals.
template <class Value, class Cost = double> struct cheapest {
  Value value{};
  Cost cost = std::numeric_limits<Cost>::max();

  /// Offers a value; tells whether it is the cheapest one so far.
  constexpr bool offer(const Value& other, Cost of_other) {
    if (!(of_other < cost)) return false;
    value = other;
    cost = of_other;
    return true;
  }
};

}  // namespace clprim
