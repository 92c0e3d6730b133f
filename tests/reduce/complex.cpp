// Complex elements: sums, products, means, dot products, norms; accumulators wider than elements.

#include <complex>
#include <vector>

#include <doctest/doctest.h>

#include <clprim/reduce.hpp>

#include "reduce/reference.hpp"
#include "support/random.hpp"

using namespace clprim;
using namespace support;

namespace {

template <class F> std::vector<std::complex<F>> drawn(std::size_t n, std::uint64_t seed) {
  draw d(seed);
  std::vector<std::complex<F>> x(n);
  for (auto& v : x) v = {random_element<F>(d), random_element<F>(d)};
  return x;
}

/// Every reduction of complex numbers against the host, with `gamma` for all roundings together.
template <class F> void check_all(std::size_t n, double epsilon) {
  using C = std::complex<F>;
  using wide = std::complex<long double>;
  const session& s = device_session();
  const std::vector<C> x = drawn<F>(n, 1), y = drawn<F>(n, 2);
  const cl::Buffer a = device_copy(s, x), b = device_copy(s, y);
  const auto count = static_cast<std::int64_t>(n);
  wide sum = 0, dotu = 0, dotc = 0;
  long double sum1 = 0, sum2 = 0, product1 = 0;
  F largest = 0;
  for (std::size_t i = 0; i < n; ++i) {
    const wide u = x[i], v = y[i];
    sum += u;
    dotu += u * v;
    dotc += std::conj(u) * v;
    sum1 += std::abs(u);
    sum2 += std::norm(u);
    product1 += std::abs(u) * std::abs(v);
    largest = std::max(largest, std::abs(x[i]));
  }
  const auto terms = static_cast<long double>(n);
  const long double small = gamma_of(epsilon, 600);
  using several = op::several<op::sum<>, op::mean<>, op::norm1<>, op::norm2<>, op::norm_max,
                              op::compensated<op::sum<>>>;
  const auto [total, mean, norm1, norm2, norm_max, exact] =
      reduce<C, several>(s.queue).value(whole<C>(a, count));
  CHECK(std::abs(wide(total) - sum) <= small * sum1);
  CHECK(std::abs(wide(mean) - sum / terms) <= small * sum1 / terms);
  CHECK(std::fabs(norm1 - sum1) <= small * sum1);
  CHECK(std::fabs(norm2 - std::sqrt(sum2)) <= small * std::sqrt(sum2));
  CHECK(std::fabs(norm_max - largest) <= 8 * epsilon * largest);
  CHECK(std::abs(wide(exact) - sum) <=
        4 * epsilon * std::abs(sum) + epsilon * epsilon * terms * sum1);
  const C got = reduce<C, op::dot<>>(s.queue).value(whole<C>(a, count), whole<C>(b, count));
  CHECK(std::abs(wide(got) - dotu) <= small * product1);
  const C conjugated = reduce<C, op::dotc<>>(s.queue).value(whole<C>(a, count), whole<C>(b, count));
  CHECK(std::abs(wide(conjugated) - dotc) <= small * product1);
}

}  // namespace

TEST_CASE("complex numbers: sums, means, norms and dot products agree with the host") {
  for (const std::size_t n : {std::size_t{1}, std::size_t{7}, std::size_t{4099}}) {
    CAPTURE(n);
    check_all<float>(n, 0x1p-23);
    check_all<double>(n, 0x1p-52);
  }
}

TEST_CASE("complex numbers: a product, rows, columns, a map and a wider accumulator") {
  using C = std::complex<float>;
  const session& s = device_session();
  std::vector<C> x(24 * 35);
  for (std::size_t i = 0; i < x.size(); ++i)  // powers of i, so that products are exact
    x[i] = i % 5 == 0 ? C(0, 1) : i % 7 == 0 ? C(0, -1) : C(1, 0);
  const cl::Buffer a = device_copy(s, x);
  const auto m = matrix<C>(a, 24, 35);
  for (const auto finish : {group_finish::last_started, group_finish::last_group}) {
    const reduce_policy p{
        .group = 8, .vector = 2, .finish = finish, .least_steps = 1, .columns = 4};
    reduce<C, op::several<op::product<>, op::sum<std::complex<double>>>> both(s.queue,
                                                                              {.policy = p});
    const auto rows = both.values(each_row(m)), columns = both.values(each_column(m));
    const auto [all, total] = both.value(whole<C>(a, 24 * 35));
    C product = 1;
    std::complex<double> sum = 0;
    for (std::size_t r = 0; r < 24; ++r) {
      C row = 1;
      for (std::size_t c = 0; c < 35; ++c) row *= x[r * 35 + c];
      CHECK(std::get<0>(rows[r]) == row);
      product *= row;
    }
    for (std::size_t c = 0; c < 35; ++c) {
      std::complex<double> column = 0;
      for (std::size_t r = 0; r < 24; ++r) column += std::complex<double>(x[r * 35 + c]);
      CHECK(std::get<1>(columns[c]) == column);
      sum += column;
    }
    CHECK(all == product);
    CHECK(total == sum);
  }
  reduce<C> turned(s.queue, {.map = {"return (float2)(-x.y, x.x);", {}}});
  const C plain = reduce<C>(s.queue).value(whole<C>(a, 24 * 35));
  CHECK(turned.value(whole<C>(a, 24 * 35)) == C(-plain.imag(), plain.real()));
  CHECK_THROWS_AS(reduce<C>(s.queue, {.nan = nan_rule::ignore}), argument_error);
  std::vector<C> empty;
  const auto [one, zero, norm] =
      reduce<C, op::several<op::product<>, op::sum<>, op::norm_max>>(s.queue).value(
          whole<C>(device_copy(s, empty), 0));
  CHECK(one == C(1, 0));
  CHECK(zero == C(0, 0));
  CHECK(norm == 0);
}
