#pragma once
// How a pass by items turns its outputs by the factors between passes, and writes them.

#include <numbers>
#include <string>
#include <utility>
#include <vector>

#include <clprim/fft/pass/items_read.hpp>

namespace clprim {
namespace fft_text {

/// The text that stores a group's transforms.
class item_storer : public item_loader {
 protected:
  using item_loader::item_loader;

  /// Factors exp(-2 pi i o p / turn) on the outputs, o being the place along the turning axis and p
  /// the point.
  /// Four chains of products, each a fourth of the points long, take fewer registers than a power
  /// per point (2^20 points on sm_90: 64 for 72, twice the resident groups).
  void turn(std::vector<complex_name>& y) {
    constexpr std::size_t chains = 4;
    writer& w = s_.w;
    const std::int64_t table = add_roots(tables_, p_.turn);
    const std::int64_t mask = (std::int64_t{1} << root_bits) - 1;
    w.line("const uint column = (uint)(",
           p_.turn_axis == 0 ? "first + min(c, here - 1)" : cat("o", p_.turn_axis), ");");
    const auto root = [&](const std::string& name, const std::string& k) {
      // column k < turn <= 2^30
      w.line("const uint ", name, "p = column * (uint)(", k, ");");
      w.line("const R2 ", name, "a = factors[", table, " + (", name, "p & ", mask, ")], ", name,
             "b = factors[", table + mask + 1, " + (", name, "p >> ", root_bits, ")];");
      return w.product({name + "a.x", name + "a.y"}, {name + "b.x", name + "b.y"});
    };
    const int r = g_.radices.empty() ? 1 : g_.radices.back();
    const int count = s_.butterflies(r);
    // Value m of butterfly k is point t + k T + m points / r: t + (k + m count) T where T divides.
    const bool even = std::int64_t{r} * count * g_.items == g_.points;
    const int length = even ? r * count : r;
    std::vector<complex_name> steps(chains + 1);
    if (length > 1) steps[1] = root("step", std::to_string(even ? g_.items : g_.points / r));
    for (std::size_t i = 2; i <= chains && static_cast<int>(i) < length; ++i)
      steps[i] = w.product(steps[i / 2], steps[i - i / 2]);
    for (int k = 0; k < (even ? 1 : count); ++k) {
      std::vector<complex_name> chain(chains);
      chain[0] = root(cat("base", k), cat("t + ", k * g_.items));
      for (int e = 0; e < length; ++e) {
        const std::size_t i = static_cast<std::size_t>(e) % chains;
        const bool begins = static_cast<std::size_t>(e) < chains;
        if (e > 0) chain[i] = w.product(begins ? chain[0] : chain[i], steps[begins ? i : chains]);
        complex_name& one = y[even ? value_place(e % count, r, e / count) : value_place(k, r, e)];
        one = w.product(one, chain[i]);
      }
    }
  }

  /// Where item t of transform c begins to write.
  void begin_output(const std::string& c, const std::string& t, const char* ending = "_here") {
    const fft_axis &a = p_.outer.front(), &b = p_.along;
    const auto begin = [&](const std::string& name, const char* from, std::int64_t across,
                           std::int64_t along, const std::string& less) {
      s_.w.line("const long ", name, ending, " = ", from, " + (long)", c, " * ", across,
                " + (long)", t, " * ", along, less, ";");
    };
    const std::string block =  // other points are whole blocks away
        p_.out_block > 1 ? cat(" - (long)(", t, " % ", p_.out_block, ") * ", b.out_step - 1)
                         : std::string();
    begin("out", "out_at", a.out_step, b.out_step, block);
    begin("out_place", "out_place", a.out_place, b.out_place, {});
    begin("out_index", "out_index", a.out_index, b.out_index, {});
  }

  /// The two parts as they are stored: factor, direction, scale.
  std::string finished(complex_name one, const std::string& place) {
    writer& w = s_.w;
    if (p_.out_factor != no_table) {
      const std::string f = cat("o", ++outputs_);
      w.line("const R2 ", f, " = ", place, " < ",
             p_.out_points > 0 ? p_.out_points : p_.length * p_.along.out_place, " ? factors[",
             p_.out_factor, " + ", place, "] : (R2)(0, 0);");
      one = w.product(one, {f + ".x", f + ".y"});
    }
    if (p_.swap_out) std::swap(one.re, one.im);
    if (p_.scale == 1) return cat("(R2)(", one.re, ", ", one.im, ")");
    const std::string scale = w.number(static_cast<long double>(p_.scale));
    return cat("(R2)(", one.re, " * ", scale, ", ", one.im, " * ", scale, ")");
  }

  /// Whether values k and M - k of half a spectrum are made together: item t has the points
  /// t + e T of its transform, an even number of them. A run of rows is written as one instead, in
  /// whole sectors.
  bool mirrored_store() const {
    if (p_.output != fft_output::half_of_pairs || p_.method != fft_method::direct || !g_.out_rows ||
        g_.radices.empty() || p_.out_factor != no_table || flat_output(p_.length + 1))
      return false;
    const int all = g_.radices.back() * s_.butterflies(g_.radices.back());
    return all % 2 == 0 && std::int64_t{all} * g_.items == g_.points && g_.points % 2 == 0;
  }

  /// The upper half of the points goes through local memory to the items that hold their mirror
  /// images, in order, so that half of the values are never moved and no place is divided.
  void store_mirrored(const std::vector<complex_name>& y) {
    writer& w = s_.w;
    const int r = g_.radices.back(), count = s_.butterflies(r), all = r * count, half = all / 2;
    const std::int64_t m = p_.length, items = g_.items;
    const auto value = [&](int e) { return y[value_place(e % count, r, e / count)]; };
    const std::string row = cat("c * ", g_.pitch, " + t + ");
    const auto put = [&](std::int64_t at, const complex_name& one) {
      w.line(s_.put(cat(row, at), one.re, one.im));
    };
    s_.free_local();
    for (int e = half; e < all; ++e) put((e - half) * items, value(e));
    // Value 0 is its own mirror image.
    w.line("if (t == 0) {");
    put(m / 2, value(0));
    w.line("}");
    s_.own_barrier();
    begin_output("c", "t");
    begin_output("c", cat("(", m, " - t)"), "_back");
    w.line("const int mirror = c * ", g_.pitch, " + ", m / 2, " - t;");
    w.line("if (c < here) {");
    const auto keep = [&](const char* base, std::int64_t k, const complex_name& one) {
      w.line("write_point(out, out", base, ", out_place", base, ", out_index", base, ", ", k, ", ",
             finished(one, "0"), ", factors STORE_ARGUMENTS);");
    };
    for (int e = 0; e < half; ++e) {
      const complex_name a = value(e);
      const std::string at = cat("mirror - ", e * items), b = cat("b", e), n = std::to_string(e);
      w.line("const R2 pw", n, " = factors[PAIR_ROOTS + t + ", e * items, "], ", b, " = ",
             s_.pair_at(at), ";");
      const std::string sr = w.value(cat(a.re, " + ", b, ".x")),
                        si = w.value(cat(a.im, " - ", b, ".y")),
                        dr = w.value(cat(a.re, " - ", b, ".x")),
                        di = w.value(cat(a.im, " + ", b, ".y"));
      const std::string x = w.value(cat("pw", n, ".x * ", di, " + pw", n, ".y * ", dr)),
                        z = w.value(cat("pw", n, ".x * ", dr, " - pw", n, ".y * ", di));
      const std::string h = w.number(0.5L);
      keep("_here", e * items,
           {cat("(", h, " * (", sr, " + ", x, "))"), cat("(", h, " * (", si, " - ", z, "))")});
      keep("_back", -e * items,
           {cat("(", h, " * (", sr, " - ", x, "))"), cat("(-", h, " * (", si, " + ", z, "))")});
    }
    w.line("if (t == 0) {");  // the middle: the conjugate
    const complex_name middle = value(half);
    keep("_here", m / 2, {middle.re, cat("(-", middle.im, ")")});
    w.line("}");
    w.line("}");
  }

  void store(std::vector<complex_name> y) {
    writer& w = s_.w;
    if (mirrored_store()) return store_mirrored(y);
    const bool rader = p_.method == fft_method::rader;
    if (rader) read_places("o", places_out_, "t");
    if (p_.turn != 0) turn(y);
    const int r = g_.radices.empty() ? 1 : g_.radices.back();
    const int back = p_.method == fft_method::direct || g_.radices.empty() ? r : g_.radices.front();
    const int count = s_.butterflies(back);
    if (g_.staged_out) s_.free_local();
    if (!g_.staged_out && !rader) {
      begin_output("c", "t");
      s_.constants +=
          "#define STORE_POINT(k, y) write_point(out, out_here, out_place_here, out_index_here, k, "
          "y, factors STORE_ARGUMENTS);\n";
    }
    if (!g_.staged_out) w.line("if (c < here) {");
    const auto keep_near = [&](std::int64_t k, const complex_name& one) {  // point t + k
      const std::string place = cat("(out_place_here + ", k * p_.along.out_place, ")");
      w.line("STORE_POINT(", k, ", ", finished(one, place), ")");
    };
    const auto keep = [&](const std::string& k, const complex_name& one) {
      if (!g_.staged_out) {
        const std::string place = cat(step("out_place", "c", p_.outer.front().out_place),
                                      " + (long)(", k, ") * ", p_.along.out_place);
        w.line(write_point("c", k, finished(one, "(" + place + ")")));
      } else {
        const std::string at = cat("c * ", g_.pitch, " + ", k);
        w.line(s_.put(at, one.re, one.im));
      }
    };
    for (int k = 0; k < count; ++k) {
      const std::string guard = g_.radices.empty() ? std::string() : s_.exists(back, k, "t");
      if (!guard.empty()) w.line("if (", guard, ") {");
      for (int m = 0; m < back; ++m) {
        const std::int64_t first = m * (g_.points / back);
        const std::string n = cat("t + ", first + std::int64_t{k} * g_.items);
        const complex_name& one = y[value_place(k, back, m)];
        if (rader) {
          keep(place_of_point("o", places_out_, k, m, n), one);
        } else if (first < p_.length) {
          const bool inside = first + g_.points / back - 1 < p_.length;
          if (!inside) w.line("if (", n, " < ", p_.length, ") {");
          if (g_.staged_out) keep(n, one);
          if (p_.output == fft_output::half_of_pairs && k == 0 && m == 0) {
            w.line("if (t == 0) {");
            keep(std::to_string(p_.length), one);
            w.line("}");
          }
          if (!g_.staged_out) keep_near(first + std::int64_t{k} * g_.items, one);
          if (!inside) w.line("}");
        } else {
          w.line("(void)(", one.re, "), (void)(", one.im, ");");  // Bluestein's, past the end
        }
      }
      if (!guard.empty()) w.line("}");
    }
    if (rader) {
      w.line("if (t == 0) {");
      keep(std::to_string(first_out_), {"total_re", "total_im"});
      w.line("}");
    }
    if (!g_.staged_out) w.line("}");
    if (g_.staged_out) store_staged();
  }

  void store_staged() {
    writer& w = s_.w;
    s_.barrier();
    if (g_.banks) {
      store_banks([this](const complex_name& one, const std::string& place) {
        return finished(one, place);
      });
      return;
    }
    const bool pairs = p_.output == fft_output::half_of_pairs;
    const std::int64_t count = pairs ? p_.length + 1 : p_.length;
    if (flat_output(count)) {
      w.line("const long out_run = out_at + (long)lid * ", p_.along.out_step,
             ", out_run_index = out_index + (long)lid * ", p_.along.out_index, ";");
      const auto keep = [&](const std::string& at, const complex_name& one) {
        w.line("write_point(out, out_run, 0, out_run_index, ", at, ", ", finished(one, "0"),
               ", factors STORE_ARGUMENTS);");
      };
      const auto row_of = [&](const std::string& at) {
        w.line("const int row = (int)((uint)(lid + ", at, ") / ", count, "u), k = lid + ", at,
               " - row * ", count, ";");
      };
      // H200, 1024 real points: a loop is built in 108 for 131 ms, and as fast; but others lose 2
      // to 4 % by it: 1000 points, whose factors come from the table, 2048 and 8192 by 512 items
      // (64 by 32 items: 0.3 %).
      if (pairs && s_.native() && g_.group() <= 256) {
        w.line("for (int at = 0; at < ", count * g_.together, "; at += ", g_.group(), ") {");
        w.line("if (lid + at < here * ", count, ") {");
        row_of("at");
        keep("at", half_of_pairs("row", "k"));
        w.line("} }");
        return;
      }
      each_flat(count, [&](std::int64_t at, const std::string& local, const std::string& guard) {
        w.line("if (", guard, ") {");
        if (pairs) row_of(std::to_string(at));
        keep(std::to_string(at), pairs ? half_of_pairs("row", "k") : s_.parts_at(local));
        w.line("}");
      });
      return;
    }
    each_of(count, g_.out_rows, [&](const std::string& c, const std::string& k, bool first) {
      if (first) return;
      w.line("if (", c, " < here) {");
      const complex_name one =
          pairs ? half_of_pairs(c, k) : s_.parts_at(cat(c, " * ", g_.pitch, " + ", k));
      const std::string place = cat("(", step("out_place", c, p_.outer.front().out_place),
                                    " + (long)", k, " * ", p_.along.out_place, ")");
      w.line(write_point(c, k, finished(one, place)));
      w.line("}");
    });
  }

  /// Value k of half the spectrum of real values, from that of their pairs in local memory, whose
  /// value 0 stands behind the last one too.
  complex_name half_of_pairs(const std::string& c, const std::string& k) {
    const std::int64_t m = p_.length;
    writer& w = s_.w;
    w.line("const int za = ", c, " * ", g_.pitch, " + ", k, ", zb = ", c, " * ", g_.pitch, " + ", m,
           " - ", k, ";");
    if (s_.native()) {  // H200, 1024 real points: 1.5 % faster than by the table
      w.line("const R pa = (R)(", k, ") * ",
             w.number(-std::numbers::pi_v<long double> / static_cast<long double>(m)), ";");
      w.line("const R2 pw = (R2)(native_cos(pa), native_sin(pa));");
    } else {
      w.line("const R2 pw = factors[PAIR_ROOTS + ", k, "];");
    }
    const complex_name a = s_.parts_at("za"), b = s_.parts_at("zb");
    w.line("const R sr = ", a.re, " + ", b.re, ", si = ", a.im, " - ", b.im, ", dr = ", a.re, " - ",
           b.re, ", di = ", a.im, " + ", b.im, ";");
    return {"((R)0.5 * (sr + (pw.x * di + pw.y * dr)))",
            "((R)0.5 * (si - (pw.x * dr - pw.y * di)))"};
  }
};

}  // namespace fft_text
}  // namespace clprim
