#pragma once
// Short transforms as straight-line OpenCL C: one statement per value, every factor a literal.
//
// A codelet computes y[k] = sum over n of x[n] exp(-2 pi i n k / r) on named values. Real and
// imaginary parts are values of their own, so that the same text serves scalars (one point per
// value) and vectors (one point of several transforms per value). Products and sums stand in one
// expression where the compiler may contract them.

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdio>
#include <numbers>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace clprim {

/// The radices that have a codelet; composites are made of their prime factors.
inline constexpr std::array<int, 26> fft_radices{
    2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 18, 20, 21, 24, 25, 26, 27, 28, 30, 32, 36};

namespace fft_text {

/// Strings and numbers one after the other.
template <class... T> std::string cat(const T&... parts) {
  std::string text;
  const auto add = [&text](const auto& part) {
    if constexpr (std::is_arithmetic_v<std::decay_t<decltype(part)>>)
      text += std::to_string(part);
    else
      text += part;
  };
  (add(parts), ...);
  return text;
}

/// A number as a literal of the arithmetic type, with as many digits as tell it apart.
inline std::string literal(long double x, bool is_double) {
  char buffer[64];
  if (is_double)
    std::snprintf(buffer, sizeof buffer, "%.17g", static_cast<double>(x));
  else
    std::snprintf(buffer, sizeof buffer, "%.9g", static_cast<double>(x));
  std::string text(buffer);
  if (text.find_first_of(".en") == std::string::npos) text += ".0";
  return is_double ? text : text + "f";
}

/// exp(-2 pi i k / n), exact at the eighths.
inline std::pair<long double, long double> root_of_unity(long long k, long long n) {
  k %= n;
  if (k < 0) k += n;
  if (8 * k % n == 0) {
    constexpr long double h = std::numbers::sqrt2_v<long double> / 2;
    constexpr std::array<std::pair<long double, long double>, 8> eighths{
        {{1, 0}, {h, -h}, {0, -1}, {-h, -h}, {-1, 0}, {-h, h}, {0, 1}, {h, h}}};
    return eighths[static_cast<std::size_t>(8 * k / n)];
  }
  const long double angle = -2 * std::numbers::pi_v<long double> * static_cast<long double>(k) /
                            static_cast<long double>(n);
  return {std::cos(angle), std::sin(angle)};
}

/// Where value m of butterfly k of a radix stands among those of all butterflies.
constexpr std::size_t value_place(int k, int radix, int m) {
  return static_cast<std::size_t>(k) * static_cast<std::size_t>(radix) +
         static_cast<std::size_t>(m);
}

/// The names of the two parts of a value.
struct complex_name {
  std::string re;
  std::string im;
};

/// Writes statements; every value it makes has a fresh name.
class writer {
 public:
  /// `type` is the OpenCL C type of a value: float, double, float8, …
  writer(std::string type, bool is_double) : type_(std::move(type)), is_double_(is_double) {}

  std::string text;

  bool is_double() const { return is_double_; }
  const std::string& type() const { return type_; }
  std::string number(long double x) const { return literal(x, is_double_); }
  void line(const std::string& statement) { text += "    " + statement + "\n"; }
  /// A new value.
  std::string value(const std::string& expression) {
    std::string name = cat("v", ++count_);
    line(cat("const ", type_, " ", name, " = ", expression, ";"));
    return name;
  }
  complex_name value(const std::string& re, const std::string& im) {
    std::string first = value(re);
    return {std::move(first), value(im)};
  }
  complex_name sum(const complex_name& a, const complex_name& b) {
    return value(cat(a.re, " + ", b.re), cat(a.im, " + ", b.im));
  }
  complex_name difference(const complex_name& a, const complex_name& b) {
    return value(cat(a.re, " - ", b.re), cat(a.im, " - ", b.im));
  }
  complex_name product(const complex_name& a, const complex_name& b) {
    return value(cat(a.re, " * ", b.re, " - ", a.im, " * ", b.im),
                 cat(a.re, " * ", b.im, " + ", a.im, " * ", b.re));
  }
  /// a exp(-2 pi i k / n)
  complex_name turned(const complex_name& a, long long k, long long n) {
    k %= n;
    if (k == 0) return a;
    if (2 * k == n) return value("-" + a.re, "-" + a.im);
    if (4 * k == n) return {a.im, value("-" + a.re)};
    if (4 * k == 3 * n) return {value("-" + a.im), a.re};
    const auto [c, s] = root_of_unity(k, n);
    if (8 * k % n == 0) {  // (c, s) = h (±1, ±1): two additions, two products
      const auto h = [&](long double f) { return number(f) + " * "; };
      return c == -s ? value(h(c) + cat("(", a.re, " + ", a.im, ")"),
                             h(c) + cat("(", a.im, " - ", a.re, ")"))
                     : value(h(c) + cat("(", a.re, " - ", a.im, ")"),
                             h(c) + cat("(", a.re, " + ", a.im, ")"));
    }
    return product(a, {number(c), number(s)});
  }

  /// The transform of x, in natural order.
  std::vector<complex_name> transform(const std::vector<complex_name>& x) {
    const std::size_t n = x.size();
    if (n == 1) return x;
    if (n == 2) return {sum(x[0], x[1]), difference(x[0], x[1])};
    if (n == 3 || n == 5 || n == 7 || n == 11 || n == 13) return prime(x);
    // n = n1 n2 (Cooley and Tukey 1965): n1 transforms last, so that their factors are few.
    const std::size_t q = prime_power(n);
    if (q < n) return coprime(x, q);
    const std::size_t n1 = n <= 8 && n % 2 == 0 ? 2
                           : n == 32            ? 8
                           : n % 4 == 0         ? 4
                                                : smallest_factor(n);
    const std::size_t n2 = n / n1;
    std::vector<std::vector<complex_name>> columns(n2);
    for (std::size_t i = 0; i < n2; ++i) {
      std::vector<complex_name> column;
      for (std::size_t k = 0; k < n1; ++k) column.push_back(x[n2 * k + i]);
      columns[i] = transform(column);
    }
    std::vector<complex_name> y(n);
    for (std::size_t k = 0; k < n1; ++k) {
      std::vector<complex_name> row;
      for (std::size_t i = 0; i < n2; ++i)
        row.push_back(turned(columns[i][k], static_cast<long long>(i) * static_cast<long long>(k),
                             static_cast<long long>(n)));
      row = transform(row);
      for (std::size_t m = 0; m < n2; ++m) y[k + n1 * m] = row[m];
    }
    return y;
  }

 private:
  static std::size_t smallest_factor(std::size_t n) {
    std::size_t f = 2;
    while (n % f != 0) ++f;
    return f;
  }

  /// The highest power of n's smallest prime factor that divides n.
  static std::size_t prime_power(std::size_t n) {
    const std::size_t p = smallest_factor(n);
    std::size_t q = p;
    while (n % (q * p) == 0) q *= p;
    return q;
  }

  /// n = q m without a common factor: no factors between the two transforms when points a m + b q
  /// are read as rows b and columns a, and value k as that of k mod m and k mod q (Good 1958).
  std::vector<complex_name> coprime(const std::vector<complex_name>& x, std::size_t q) {
    const std::size_t n = x.size(), m = n / q;
    std::vector<std::vector<complex_name>> columns(m);
    for (std::size_t b = 0; b < m; ++b) {
      std::vector<complex_name> column;
      for (std::size_t a = 0; a < q; ++a) column.push_back(x[(a * m + b * q) % n]);
      columns[b] = transform(column);
    }
    std::vector<std::vector<complex_name>> rows(q);
    for (std::size_t a = 0; a < q; ++a) {
      for (std::size_t b = 0; b < m; ++b) rows[a].push_back(columns[b][a]);
      rows[a] = transform(rows[a]);
    }
    std::vector<complex_name> y(n);
    for (std::size_t k = 0; k < n; ++k) y[k] = rows[k % q][k % m];
    return y;
  }

  /// Sums and differences of x[k] and x[p - k] have real factors only.
  std::vector<complex_name> prime(const std::vector<complex_name>& x) {
    const std::size_t p = x.size(), half = p / 2;
    std::vector<complex_name> even(half + 1), odd(half + 1), y(p);
    for (std::size_t k = 1; k <= half; ++k) {
      even[k] = sum(x[k], x[p - k]);
      odd[k] = difference(x[k], x[p - k]);
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
