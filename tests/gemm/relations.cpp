// What must hold between products: linearity in either operand, (A B)^T = B^T A^T, and the sum of
// products of parts of k.

#include "support/relations.hpp"

#include <complex>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include <clprim/gemm.hpp>

#include "gemm/draw_problem.hpp"
#include "support/campaign.hpp"
#include "support/device.hpp"

using namespace clprim;
using namespace support;

namespace {

/// A product of operands that lie as drawn, by a drawn policy or the library's own.
template <class T> class drawn_multiplier {
 public:
  drawn_multiplier(draw& d, int m, int n, int k, int batch)
    : s_(d.chance(20) ? &out_of_order_session() : &device_session()) {
    product_.m = m, product_.n = n, product_.k = k, product_.batch = batch;
    const int even = d.one_of({1, 1, 2, 4, 8});
    for (support::operand* o : {&product_.a, &product_.b, &product_.c}) {
      *o = draw_operand(d, even, o == &product_.c, batch);
      o->gap = std::max(o->gap, 0);  // matrices of their own
    }
    product_.seed = d.bits();
    if (!d.chance(15)) options_.policy = draw_fitting_policy<T>(d, facts_of(s_->device));
  }

  /// op(A) op(B), all row by row.
  std::vector<T> operator()(const std::vector<T>& a, const std::vector<T>& b) const {
    draw d(product_.seed);
    const product& p = product_;
    stored<T> A(p.a, p.m, p.k, p.batch, d), B(p.b, p.k, p.n, p.batch, d),
        C(p.c, p.m, p.n, p.batch, d);
    A.for_each([&](int i, auto row, auto col, std::size_t at) {
      A.host[at] = element_of(a, p.a, i, row, col, p.m, p.k);
    });
    B.for_each([&](int i, auto row, auto col, std::size_t at) {
      B.host[at] = element_of(b, p.b, i, row, col, p.k, p.n);
    });
    const T nan = not_a_number<T>();
    guarded_buffer<T> x(*s_, A.host, nan), y(*s_, B.host, nan), z(*s_, C.host, nan);
    const guarded_buffer<std::int64_t> x_at(*s_, A.starts, 0), y_at(*s_, B.starts, 0),
        z_at(*s_, C.starts, 0);
    gemm<T> multiply(s_->queue, options_);
    multiply(1, A.view(x.buffer(), x_at.buffer()), B.view(y.buffer(), y_at.buffer()), 0,
             C.view(z.buffer(), z_at.buffer()));
    const std::vector<T> got = z.read();
    std::vector<T> c(static_cast<std::size_t>(p.batch * p.m * p.n));
    C.for_each([&](int i, auto row, auto col, std::size_t at) {
      c[static_cast<std::size_t>((i * p.m + row) * p.n + col)] = got[at];
    });
    return c;
  }
  inexact operator()(const inexact& a, const inexact& b) const {
    const auto exact = [](const inexact& x) {
      std::vector<T> elements;
      for (const wide_number& value : x.values) elements.push_back(narrowed<T>(value));
      return elements;
    };
    return in_a(exact(b))(a);
  }

  /// As a map of A with this B, and of B with this A.
  linear_map<T> in_a(const std::vector<T>& b) const {
    return map(product_.m * product_.k, b, [this, b](const auto& a) { return (*this)(a, b); });
  }
  linear_map<T> in_b(const std::vector<T>& a) const {
    return map(product_.k * product_.n, a, [this, a](const auto& b) { return (*this)(a, b); });
  }

  std::string text() const {
    return "\n  " + (options_.policy ? to_string(*options_.policy) : "the tuned policy") + "\n" +
           replay_text<T>(product_);
  }

 private:
  /// The stored element at (row, col) of an operand whose op(X) is rows x cols.
  static T element_of(const std::vector<T>& all, const support::operand& how, int i,
                      std::int64_t row, std::int64_t col, std::int64_t rows, std::int64_t cols) {
    if (how.op != transposition::none) std::swap(row, col);
    const T x = all[static_cast<std::size_t>((i * rows + row) * cols + col)];
    if constexpr (facts_of(scalar_of<T>).is_complex)
      if (how.op == transposition::conjugate) return std::conj(x);
    return x;
  }
  template <class Call>
  linear_map<T> map(int elements, const std::vector<T>& other, Call call) const {
    const double roundings = real_products<T>(product_.k) + 2;
    return {static_cast<std::size_t>(product_.batch * elements), call,
            product_.k * inexact(other).largest(), static_cast<long double>(gamma<T>(roundings))};
  }

  const session* s_;
  product product_;
  gemm_options options_;
};

/// Places of the elements of columns [first, last) of matrices that lie row by row.
std::vector<std::size_t> columns_of(int batch, int rows, int cols, int first, int last) {
  std::vector<std::size_t> places;
  for (int line = 0; line < batch * rows; ++line)
    for (int c = first; c < last; ++c) places.push_back(static_cast<std::size_t>(line * cols + c));
  return places;
}
std::vector<std::size_t> rows_of(int batch, int rows, int cols, int first, int last) {
  return columns_of(batch, 1, rows * cols, first * cols, last * cols);
}
std::vector<std::size_t> transposed_of(int batch, int rows, int cols) {
  std::vector<std::size_t> places;
  for (int i = 0; i < batch; ++i)
    for (const std::size_t place :
         transposed_places(static_cast<std::size_t>(rows), static_cast<std::size_t>(cols)))
      places.push_back(static_cast<std::size_t>(i * rows * cols) + place);
  return places;
}

template <class T> void related_products(int cases) {
  run_campaign("relations of " + std::string(facts_of(scalar_of<T>).name), cases, [](draw& d) {
    const auto size = [&] { return d.between(1, d.one_of({4, 20, 70})); };
    const int m = size(), n = size(), k = std::max(2, size()), batch = d.one_of({1, 1, 3});
    const drawn_multiplier<T> multiply(d, m, n, k, batch);
    const auto elements = [&](int count) {
      std::vector<T> all(static_cast<std::size_t>(batch * count));
      for (T& x : all) x = random_element<T>(d);
      return all;
    };
    const std::vector<T> a = elements(m * k), b = elements(k * n);
    std::string complaint, other;
    switch (d.between(0, 3)) {
      case 0: complaint = complaint_of_linearity(d, multiply.in_a(b)); break;
      case 1: complaint = complaint_of_linearity(d, multiply.in_b(a)); break;
      case 2: {
        const drawn_multiplier<T> turned(d, n, m, k, batch);
        other = turned.text();
        complaint = difference("(A B)^T = B^T A^T",
                               multiply(inexact(a), inexact(b)).at(transposed_of(batch, m, n)),
                               turned(inexact(b).at(transposed_of(batch, k, n)),
                                      inexact(a).at(transposed_of(batch, m, k))));
        break;
      }
      default: {
        const int cut = d.between(1, k - 1);
        const drawn_multiplier<T> first(d, m, n, cut, batch), second(d, m, n, k - cut, batch);
        other = first.text() + second.text();
        const inexact A(a), B(b);
        complaint = difference(
            "A B is the sum over parts of k", multiply(A, B),
            first(A.at(columns_of(batch, m, k, 0, cut)), B.at(rows_of(batch, k, n, 0, cut))) +
                second(A.at(columns_of(batch, m, k, cut, k)), B.at(rows_of(batch, k, n, cut, k))));
      }
    }
    return complaint.empty() ? complaint : complaint + multiply.text() + other;
  });
}

}  // namespace

CAMPAIGN("products of float are linear, turn with their operands and add up over k") {
  related_products<float>(8);
}

CAMPAIGN("products of double are linear, turn with their operands and add up over k") {
  related_products<double>(3);
}

CAMPAIGN("products of half are linear, turn with their operands and add up over k") {
  related_products<half>(3);
}

CAMPAIGN("products of complex float are linear, turn with their operands and add up over k") {
  related_products<std::complex<float>>(3);
}
