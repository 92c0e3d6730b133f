#pragma once
// Short transforms as straight-line OpenCL C: one statement per value, every factor a literal.
//
// A codelet computes y[k] = sum over n of x[n] exp(-2 pi i n k / r) on named values. Real and
// imaginary parts are values of their own, so that the same text serves scalars (one point per
// value) and vectors (one point of several transforms per value). Products and sums stand in one
// expression where the compiler may contract them.

#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <clprim/core/emitter.hpp>
#include <clprim/core/root_of_unity.hpp>
#include <clprim/core/smooth.hpp>

namespace clprim {

namespace fft_text {

using namespace emitter;

/// Where value m of butterfly k of a radix stands among those of all butterflies.
constexpr std::size_t value_place(int k, int radix, int m) {
  return static_cast<std::size_t>(k) * static_cast<std::size_t>(radix) +
         static_cast<std::size_t>(m);
}

/// The names of the two parts of a value; a name may have a minus before it.
struct complex_name {
  std::string re;
  std::string im;
};

/// The name of -x.
inline std::string negated(const std::string& x) {
  return x.starts_with('-') ? x.substr(1) : "-" + x;
}
/// What follows a name in a sum and in a difference.
inline std::string plus(const std::string& x) {
  return x.starts_with('-') ? " - " + x.substr(1) : " + " + x;
}
inline std::string minus(const std::string& x) {
  return x.starts_with('-') ? " + " + x.substr(1) : " - " + x;
}

/// A name with a number; a sum, a comparison and a call as they stand in expressions.
template <std::integral Number> std::string numbered(const char* name, Number number) {
  return cat(std::string_view(name), number);
}
template <class A, class B> std::string sum(const A& a, const B& b) { return cat(a, " + ", b); }
template <class A, class B> std::string less(const A& a, const B& b) { return cat(a, " < ", b); }
template <class First, class... T>
std::string call_text(const char* name, const First& first, const T&... parts) {
  std::string text = cat(std::string_view(name), "(", first);
  (append(text, ", ", parts), ...);
  return text + ")";
}

/// Writes statements; every value it makes has a fresh name. What belongs together stands in one
/// statement: compilers take their time by the length of a text, even when they have it in a cache.
class writer {
 public:
  /// `type` is the OpenCL C type of a value: float, double, float8, …
  writer(std::string type, bool is_double) : type_(std::move(type)), is_double_(is_double) {
    text.reserve(std::size_t{1} << 15);
  }

  explicit writer(bool is_double) : writer(real_type(is_double), is_double) {}

  std::string text;

  bool is_double() const { return is_double_; }
  const std::string& type() const { return type_; }
  std::string number(long double x) const { return literal(x, is_double_); }
  /// A line of these parts.
  template <class... T> void line(const T&... parts) { append(text, "    ", parts..., "\n"); }
  /// A line that names a text of the kernel, with what it is told: `TEXT(part, part)`.
  template <class... T> void call(const char* name, const T&... parts) {
    line(call_text(name, parts...));
  }
  /// The name of a value to be made.
  std::string fresh() { return cat("v", ++count_); }
  /// A new value.
  std::string value(const std::string& expression) {
    std::string name = fresh();
    line("const ", type_, " ", name, " = ", expression, ";");
    return name;
  }
  complex_name value(const std::string& re, const std::string& im) {
    complex_name y{fresh(), fresh()};
    line("const ", type_, " ", y.re, " = ", re, ", ", y.im, " = ", im, ";");
    return y;
  }
  /// a + b and a - b
  std::array<complex_name, 2> butterfly(const complex_name& a, const complex_name& b) {
    std::array<complex_name, 2> y{{{fresh(), fresh()}, {fresh(), fresh()}}};
    line("const ", type_, " ", y[0].re, " = ", a.re, plus(b.re), ", ", y[0].im, " = ", a.im,
         plus(b.im), ", ", y[1].re, " = ", a.re, minus(b.re), ", ", y[1].im, " = ", a.im,
         minus(b.im), ";");
    return y;
  }
  complex_name product(const complex_name& a, const complex_name& b) {
    return value(cat(a.re, " * ", b.re, " - ", a.im, " * ", b.im),
                 cat(a.re, " * ", b.im, " + ", a.im, " * ", b.re));
  }
  /// a exp(-2 pi i k / n)
  complex_name turned(const complex_name& a, long long k, long long n) {
    k %= n;
    if (k == 0) return a;
    if (2 * k == n) return {negated(a.re), negated(a.im)};
    if (4 * k == n) return {a.im, negated(a.re)};
    if (4 * k == 3 * n) return {negated(a.im), a.re};
    const auto [c, s] = root_of_unity(k, n);
    if (8 * k % n == 0) {  // (c, s) = h (±1, ±1): two additions, two products
      const auto h = [&](long double f) { return number(f) + " * "; };
      return c == -s ? value(cat(h(c), "(", a.re, plus(a.im), ")"),
                             cat(h(c), "(", a.im, minus(a.re), ")"))
                     : value(cat(h(c), "(", a.re, minus(a.im), ")"),
                             cat(h(c), "(", a.re, plus(a.im), ")"));
    }
    return product(a, {number(c), number(s)});
  }

  /// The transform of x, in natural order.
  std::vector<complex_name> transform(const std::vector<complex_name>& x) {
    const std::size_t n = x.size();
    if (n == 1) return x;
    if (n == 2) {
      const auto [sum, difference] = butterfly(x[0], x[1]);
      return {sum, difference};
    }
    const std::size_t factor = smallest_prime(n);
    if (factor == n) return prime(x);
    // n = n1 n2 (Cooley and Tukey 1965): n1 transforms last, so that their factors are few. Without
    // a common factor there are none between the two when points k n2 + i n1 are read as rows i and
    // columns k, and value p as that of p mod n1 and p mod n2 (Good 1958).
    std::size_t power = factor;
    while (n % (power * factor) == 0) power *= factor;
    const bool coprime = power < n;
    const std::size_t n1 = coprime                ? power
                           : n <= 8 && n % 2 == 0 ? 2
                           : n == 32              ? 8
                           : n % 4 == 0           ? 4
                                                  : factor;
    const std::size_t n2 = n / n1;
    std::vector<std::vector<complex_name>> columns(n2);
    for (std::size_t i = 0; i < n2; ++i) {
      std::vector<complex_name> column;
      for (std::size_t k = 0; k < n1; ++k)
        column.push_back(x[coprime ? (n2 * k + n1 * i) % n : n2 * k + i]);
      columns[i] = transform(column);
    }
    std::vector<complex_name> y(n);
    for (std::size_t k = 0; k < n1; ++k) {
      std::vector<complex_name> row;
      for (std::size_t i = 0; i < n2; ++i)
        row.push_back(turned(columns[i][k], coprime ? 0 : static_cast<long long>(i * k),
                             static_cast<long long>(n)));
      row = transform(row);
      for (std::size_t p = k; p < n; p += n1) y[p] = row[coprime ? p % n2 : p / n1];
    }
    return y;
  }

 private:
  /// Sums and differences of x[k] and x[p - k] have real factors only.
  std::vector<complex_name> prime(const std::vector<complex_name>& x) {
    const std::size_t p = x.size(), half = p / 2;
    std::vector<complex_name> even(half + 1), odd(half + 1), y(p);
    for (std::size_t k = 1; k <= half; ++k) {
      const auto [sum, difference] = butterfly(x[k], x[p - k]);
      even[k] = sum;
      odd[k] = difference;
    }
    std::string re = x[0].re, im = x[0].im;
    for (std::size_t k = 1; k <= half; ++k) {
      re += " + " + even[k].re;
      im += " + " + even[k].im;
    }
    y[0] = value(re, im);
    for (std::size_t j = 1; j <= half; ++j) {
      std::string a_re = x[0].re, a_im = x[0].im, b_re, b_im;
      for (std::size_t k = 1; k <= half; ++k) {
        const auto [c, s] = root_of_unity(static_cast<long long>(j) * static_cast<long long>(k),
                                          static_cast<long long>(p));
        const std::string cosine = number(c), sine = number(-s), plus = k == 1 ? "" : " + ";
        a_re += cat(" + ", cosine, " * ", even[k].re);
        a_im += cat(" + ", cosine, " * ", even[k].im);
        b_re += cat(plus, sine, " * ", odd[k].re);
        b_im += cat(plus, sine, " * ", odd[k].im);
      }
      const complex_name a = value(a_re, a_im);
      if (half == 1) {  // one product is a part of both sums
        y[1] = value(cat(a.re, " + ", b_im), cat(a.im, " - ", b_re));
        y[2] = value(cat(a.re, " - ", b_im), cat(a.im, " + ", b_re));
        return y;
      }
      const complex_name b = value(b_re, b_im);
      y[j] = value(cat(a.re, " + ", b.im), cat(a.im, " - ", b.re));
      y[p - j] = value(cat(a.re, " - ", b.im), cat(a.im, " + ", b.re));
    }
    return y;
  }

  std::string type_;
  bool is_double_;
  int count_ = 0;
};

}  // namespace fft_text
}  // namespace clprim
