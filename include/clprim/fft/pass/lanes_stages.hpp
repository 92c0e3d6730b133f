#pragma once
// The stages of a pass by lanes, over the whole of `work`, and tiles turned in registers.

#include <cstdint>
#include <string>
#include <vector>

#include <clprim/fft/codelet/codelet.hpp>
#include <clprim/fft/pass/lanes.hpp>
#include <clprim/fft/plan/tables.hpp>

namespace clprim::fft_text {

/// A tile of points x lanes complex numbers, `size` squared, turned in registers: rows of runs
/// become runs of rows.
inline std::vector<std::string> turned_tile(writer& w, std::vector<std::string> rows) {
  const auto size = rows.size();
  const std::string type = cat(w.is_double() ? "double" : "float", 2 * size);
  for (std::size_t h = size / 2; h >= 1; h /= 2) {
    for (std::size_t l = 0; l < size; ++l) {
      if ((l & h) != 0) continue;
      std::string low, high;
      for (std::size_t c = 0; c < size; c += h) {
        const std::size_t from = c & ~(2 * h - 1);
        const std::string& source = (c & h) == 0 ? rows[l] : rows[l + h];
        for (const bool upper : {false, true}) {
          std::string part = source + ".s";
          for (std::size_t e = 0; e < 2 * h; ++e)
            part += "0123456789abcdef"[2 * (from + (upper ? h : 0)) + e];
          (upper ? high : low) += (c > 0 ? ", " : "") + part;
        }
      }
      const std::string a = cat(rows[l], "_", h), b = cat(rows[l + h], "_", h);
      w.line("const ", type, " ", a, " = (", type, ")(", low, "), ", b, " = (", type, ")(", high,
             ");");
      rows[l] = a;
      rows[l + h] = b;
    }
  }
  return rows;
}

/// One stage over the whole of `work`; the factors of place j stand at `table`, radix - 1 each.
inline std::string lane_stage(const lane_geometry& g, int r, std::int64_t n, std::int64_t table,
                              bool forwards, bool is_double) {
  const std::int64_t m = n / r;
  writer w("RV", is_double);
  std::vector<complex_name> x;
  for (int k = 0; k < r; ++k) {
    x.push_back({cat("x", k, "r"), cat("x", k, "i")});
    const std::int64_t at = 2 * g.slot(k * m);
    w.line("const RV ", x.back().re, " = p[", at + (forwards ? 0 : 1), "], ", x.back().im, " = p[",
           at + (forwards ? 1 : 0), "];");
  }
  const auto factor = [&](int k) { return complex_name{cat("w", k, ".x"), cat("w", k, ".y")}; };
  if (!forwards && m > 1)
    for (int k = 1; k < r; ++k)
      x[static_cast<std::size_t>(k)] = w.product(x[static_cast<std::size_t>(k)], factor(k));
  std::vector<complex_name> y = w.transform(x);
  for (int k = 0; k < r; ++k) {
    complex_name& one = y[static_cast<std::size_t>(k)];
    if (forwards && m > 1 && k > 0) one = w.product(one, factor(k));
    const std::int64_t at = 2 * g.slot(k * m);
    w.line("p[", at + (forwards ? 0 : 1), "] = ", one.re, "; p[", at + (forwards ? 1 : 0),
           "] = ", one.im, ";");
  }
  std::string text =
      cat("    // radix ", r, ", blocks of ", n, "\n    for (int j = 0; j < ", m, "; ++j) {\n");
  if (m > 1) {
    text +=
        cat("    __global const R2 *f = factors + ", table, " + j * ", r - 1, ";\n    const R2");
    for (int k = 1; k < r; ++k) text += cat(k > 1 ? "," : "", " w", k, " = f[", k - 1, "]");
    text += ";\n";
  }
  text += cat("    for (int b = 0; b < ", g.points, "; b += ", n,
              ") {\n    __local RV *p = work + 2 * (SLOT(b) + SLOT(j));\n");
  return text + w.text + "    }\n    }\n";
}

/// The stages forwards or back, and their factors.
inline std::string lane_stages_text(const lane_geometry& g, fft_tables& tables, bool forwards,
                                    bool is_double) {
  std::string text;
  const std::vector<wide_complex> roots = wide_roots(g.points);
  std::int64_t n = g.points;
  for (const int r : g.radices) {
    std::vector<wide_complex> part;
    for (std::int64_t j = 0; j < n / r; ++j)
      for (int k = 1; k < r; ++k)
        part.push_back(roots[static_cast<std::size_t>(j * k % n * (g.points / n))]);
    const std::int64_t table = n == r ? 0 : tables.add(part);
    const std::string stage = lane_stage(g, r, n, table, forwards, is_double);
    text = forwards ? text + stage : stage + text;
    n /= r;
  }
  return text;
}

}  // namespace clprim::fft_text
