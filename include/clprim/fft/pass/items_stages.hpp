#pragma once
// All stages of a group, and what changes hands between them.

#include <string>
#include <utility>
#include <vector>

#include <clprim/fft/codelet/codelet.hpp>
#include <clprim/fft/methods/spectra.hpp>
#include <clprim/fft/pass/items.hpp>
#include <clprim/fft/pass/items_values.hpp>
#include <clprim/fft/pass/points.hpp>
#include <clprim/fft/plan/tables.hpp>

namespace clprim {
namespace fft_text {

/// Writes all stages of a group, one after the other.
class item_stages_writer : public stage_writer {
 public:
  using stage_writer::stage_writer;

  /// All stages of the radices in this order on the variables, which hold the inputs of the first;
  /// returns the outputs, value m of butterfly k being point t + k T + m points / r. With `back`
  /// real and imaginary parts change roles, which makes the transform the inverse one. The
  /// variables belong to the items of `given`, the outputs to those of item_map{}: the first
  /// exchange changes them over. (One stage alone has one item, which is the same of both.)
  std::vector<complex_name> run(const std::vector<int>& radices, bool back,
                                std::vector<complex_name> x, const item_map& given = {}) {
    std::int64_t before = 1;
    for (std::size_t s = 0; s < radices.size(); ++s) {
      const int r = radices[s], count = butterflies(r);
      const item_map now = s == 0 ? given : item_map{};
      w.line("// radix ", r, ", ", count, " of ", g_.points / r, " butterflies");
      std::vector<complex_name> y(x.size()), factors;
      for (int k = 0; k < count; ++k) {
        std::vector<complex_name> legs;
        for (int m = 0; m < r; ++m) {
          complex_name leg = x[value_place(k, r, m)];
          if (back && s == 0) std::swap(leg.re, leg.im);
          legs.push_back(leg);
        }
        if (s > 0 && !g_.coprime) turn_legs(legs, factors, before, r, k, now.item, !back);
        legs = w.transform(legs);
        for (int m = 0; m < r; ++m) y[value_place(k, r, m)] = legs[static_cast<std::size_t>(m)];
      }
      if (s + 1 == radices.size()) {
        if (back)
          for (complex_name& one : y) std::swap(one.re, one.im);
        return y;
      }
      exchange(y, before, r, radices[s + 1], now);
      x.clear();
      for (int e = 0; e < variables(); ++e) x.push_back(variable(e));
      before *= r;
    }
    return x;
  }

 private:
  /// `factors` keeps those of the butterfly before, which may have the same. `soon`: what the table
  /// gives may be read before all else.
  void turn_legs(std::vector<complex_name>& legs, std::vector<complex_name>& factors,
                 std::int64_t before, int r, int k, const std::string& t, bool soon) {
    const std::int64_t n = before * r;
    const bool same = g_.items % before == 0;
    if (!same) factors.clear();
    const std::string q =
        cat("(", t, same ? std::string() : cat(" + ", k * g_.items), ") % ", before);
    const std::string name = cat("q", ++names_);
    check_twiddles();
    const bool first_only =
        soon && policy_.twiddles == fft_twiddles::powers && (same || butterflies(r) <= 2);
    if (factors.empty())
      append(first_only ? early : w.text, "    const int ", name, " = ", q, ";\n");
    const auto root = [&](int m) -> complex_name {
      const long double angle =
          -2 * std::numbers::pi_v<long double> * m / static_cast<long double>(n);
      switch (policy_.twiddles) {
        case fft_twiddles::native:
        case fft_twiddles::native_powers: {
          return spun("native_cos", "native_sin", name, w.number(angle));
        }
        case fft_twiddles::sinpi: {
          return spun("cospi", "sinpi", name, w.number(-2.0L * m / static_cast<long double>(n)));
        }
        case fft_twiddles::literal: {
          const std::string table = constant_table(before, n);
          return {cat(table, "[2 * ", name, "]"), cat(table, "[2 * ", name, " + 1]")};
        }
        default: {
          std::vector<wide_complex> part;
          for (int leg = 1; leg < (each_by_root() ? r : 2); ++leg)
            for (std::int64_t i = 0; i < before; ++i) part.push_back(wide_root(leg * i % n, n));
          const std::int64_t at = tables_.add(part) + (m - 1) * before;
          const std::string f = cat("f", ++names_);
          append(first_only ? early : w.text, "    const ", w.type(), "2 ", f, " = factors[", at,
                 " + ", name, "];\n");
          return {f + ".x", f + ".y"};
        }
      }
    };
    turn_by(legs, factors, root);
  }

  /// exp(-2 pi i q / n) for q < before as text of the program.
  std::string constant_table(std::int64_t before, std::int64_t n) {
    std::string name = cat("roots_", before, "_", n);
    if (constants.find(name + "[") != std::string::npos) return name;
    constants += cat("__constant ", w.type(), " ", name, "[", 2 * before, "] = {");
    for (std::int64_t q = 0; q < before; ++q) {
      const auto [re, im] = root_of_unity(q, n);
      constants += cat(q % 4 == 0 ? "\n    " : " ", w.number(re), ", ", w.number(im),
                       q + 1 < before ? "," : "");
    }
    constants += "};\n";
    return name;
  }

  /// Points written as outputs of radix r behind `before` by the items of `writers`, read as inputs
  /// of radix `next` by those of item_map{}.
  void exchange(const std::vector<complex_name>& y, std::int64_t before, int r, int next,
                const item_map& writers) {
    const std::int64_t scale = g_.rows ? 1 : g_.together;
    const detail::fft_gap gap = detail::gap_of(
        {g_.points, g_.items, before, r, next, scale, g_.folded, detail::banks_of(g_.pairs)},
        policy_.padding);
    const auto with_gap = [&](const std::string& i) {
      return gap.words == 0 ? i : cat("(", i, ") + (", i, ") / ", gap.every, " * ", gap.words);
    };
    const std::string &t = writers.item, &column = writers.transform;
    const item_map readers;
    const auto base = [&](const std::string& i, const std::string& c) {
      return g_.rows ? cat(c, " * ", g_.pitch, " + ", i)
                     : cat("(", i, ") * ", g_.together, " + ", c);
    };
    // Where the outputs of butterfly k begin.
    std::vector<std::string> to, from;
    const int count = butterflies(r), reads = butterflies(next);
    const bool even = g_.items % before == 0;  // the place of t is that of every butterfly
    for (int k = 0; k < count; ++k) {
      const std::string name = cat("w", ++names_);
      if (even && k > 0) {
        const std::int64_t further = std::int64_t{k} * g_.items * r * scale;
        to.push_back(cat(to[0], " + ", gap.padded(further)));
        continue;
      }
      const std::string j = k == 0 ? t : cat("(", t, " + ", k * g_.items, ")");
      std::string i = before == 1
                          ? cat(j, " * ", r)
                          : cat(j, " / ", before, " * ", before * r, " + ", j, " % ", before);
      if (!g_.rows) {
        w.line("const int ", name, "i = ", base(i, column), ";");
        w.line("const int ", name, " = ", with_gap(name + "i"), ";");
      } else {
        w.line("const int ", name, "i = ", i, ";");
        w.line("const int ", name, " = ", base(with_gap(name + "i"), column), ";");
      }
      to.push_back(name);
    }
    // Where the inputs of butterfly k begin: legs are whole blocks apart. Items without one read
    // those of another: variables that may keep old values would hold registers twice.
    for (int k = 0; k < reads; ++k) {
      const std::int64_t further = std::int64_t{k} * g_.items * scale;
      const bool always = exists(next, k, readers.item).empty();
      if (k > 0 && always && (g_.folded || gap.words == 0 || further % gap.every == 0)) {
        from.push_back(cat(from[0], " + ", gap.padded(further)));
        continue;
      }
      const std::string name = cat("u", ++names_);
      const std::string i = butterfly(next, k);
      w.line("const int ", name, "i = ", g_.rows ? i : base(i, readers.transform), ";");
      w.line("const int ", name, " = ",
             g_.rows ? base(with_gap(name + "i"), readers.transform) : with_gap(name + "i"), ";");
      from.push_back(name);
    }
    // `statement` of a place and a value.
    const auto write = [&](const auto& statement) {
      for (int k = 0; k < count; ++k) {
        const std::string guard = exists(r, k, t);
        if (!guard.empty()) w.line("if (", guard, ") {");
        for (int m = 0; m < r; ++m)
          w.line(statement(cat(to[static_cast<std::size_t>(k)], " + ", m * before * scale),
                           y[value_place(k, r, m)]));
        if (!guard.empty()) w.line("}");
      }
    };
    const auto read = [&](const auto& statement) {
      for (int k = 0; k < reads; ++k)
        for (int m = 0; m < next; ++m)
          w.line(statement(cat(from[static_cast<std::size_t>(k)], " + ",
                               gap.padded(m * (g_.points / next) * scale)),
                           variable(k * next + m)));
    };
    const auto write_part = [&](const char* plane, std::string complex_name::*part) {
      write([&](const std::string& at, const complex_name& one) {
        return cat(plane, "[", at, "] = ", one.*part, ";");
      });
    };
    const auto read_part = [&](const char* plane, std::string complex_name::*part) {
      read([&](const std::string& at, const complex_name& x) {
        return cat(x.*part, " = ", plane, "[", at, "];");
      });
    };
    constexpr auto re = &complex_name::re, im = &complex_name::im;
    free_local();
    if (g_.pairs) {
      write(
          [&](const std::string& at, const complex_name& one) { return put(at, one.re, one.im); });
      own_barrier();
      read([&](const std::string& at, const complex_name& x) {
        return cat("{ const ", w.type(), "2 p = ", pair_at(at), "; ", x.re, " = p.x; ", x.im,
                   " = p.y; }");
      });
    } else if (g_.planes) {
      write_part("plane_a", re);
      write_part("plane_b", im);
      own_barrier();
      read_part("plane_a", re);
      read_part("plane_b", im);
    } else {
      write_part("plane_a", re);
      own_barrier();
      read_part("plane_a", re);
      own_barrier();
      write_part("plane_a", im);
      own_barrier();
      read_part("plane_a", im);
    }
  }
};

}  // namespace fft_text
}  // namespace clprim
