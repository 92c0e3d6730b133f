#pragma once
// The seam WRITE of a pass by items: the registers of a group, times the factors between passes, to
// memory.

#include <numbers>
#include <string>
#include <utility>
#include <vector>

#include <clprim/fft/pass/items_read.hpp>

namespace clprim::fft_text {

/// Factors exp(-2 pi i o p / turn) on the outputs, o being the place along the turning axis and p
/// the point. Four chains of products, each a fourth of the points long, take fewer registers than
/// a power per point (2^20 points on sm_90: 64 for 72, twice the resident groups).
inline void turn(item_pass& k, std::vector<complex_name>& y) {
  constexpr std::size_t chains = 4;
  const item_geometry& g = k.s.g;
  writer& w = k.s.w;
  w.line("const uint column = (uint)(",
         k.p.turn_axis == 0 ? "first + EXISTING(c)" : cat("o", k.p.turn_axis), ");");
  const auto root = [&](const std::string& name, const std::string& point) {
    w.line("TURN(", name, ", ", point, ")");
    return w.product({name + "a.x", name + "a.y"}, {name + "b.x", name + "b.y"});
  };
  const int r = g.radices.empty() ? 1 : g.radices.back(), count = butterflies(g, r);
  // Value m of butterfly b is point t + b T + m points / r: t + (b + m count) T where T divides.
  const bool even = std::int64_t{r} * count * g.items == g.points;
  const int length = even ? r * count : r;
  std::vector<complex_name> steps(chains + 1);
  if (length > 1) steps[1] = root("step", std::to_string(even ? g.items : g.points / r));
  for (std::size_t i = 2; i <= chains && static_cast<int>(i) < length; ++i)
    steps[i] = w.product(steps[i / 2], steps[i - i / 2]);
  for (int b = 0; b < (even ? 1 : count); ++b) {
    std::vector<complex_name> chain(chains);
    chain[0] = root(cat("base", b), cat("t + ", b * g.items));
    for (int e = 0; e < length; ++e) {
      const std::size_t i = static_cast<std::size_t>(e) % chains;
      const bool begins = static_cast<std::size_t>(e) < chains;
      if (e > 0) chain[i] = w.product(begins ? chain[0] : chain[i], steps[begins ? i : chains]);
      complex_name& one = y[even ? value_place(e % count, r, e / count) : value_place(b, r, e)];
      one = w.product(one, chain[i]);
    }
  }
}

/// The two parts as they are stored: factor, direction, scale.
inline std::string finished(item_pass& k, complex_name one, const std::string& place) {
  writer& w = k.s.w;
  if (k.p.out_factor != no_table) {
    const std::string f = cat("o", ++k.factors, "f");
    w.line("const R2 ", f, " = OUT_FACTOR_AT(", place, ");");
    one = w.product(one, {f + ".x", f + ".y"});
  }
  if (k.p.swap_out) std::swap(one.re, one.im);
  if (k.p.scale == 1) return cat("(R2)(", one.re, ", ", one.im, ")");
  const std::string scale = w.number(static_cast<long double>(k.p.scale));
  return cat("(R2)(", one.re, " * ", scale, ", ", one.im, " * ", scale, ")");
}

/// Whether values k and M - k of half a spectrum are made together: item t has the points
/// t + e T of its transform, an even number of them. A run of rows is written as one instead, in
/// whole sectors.
inline bool mirrored_write(const fft_pass& p, const item_geometry& g) {
  if (p.output != fft_output::half_of_pairs || p.method != fft_method::direct || !g.out_rows ||
      g.radices.empty() || p.out_factor != no_table || flat_output(p, g, p.length + 1))
    return false;
  const int all = g.radices.back() * butterflies(g, g.radices.back());
  return all % 2 == 0 && std::int64_t{all} * g.items == g.points && g.points % 2 == 0;
}

/// The upper half of the points goes through local memory to the items that hold their mirror
/// images, in order, so that half of the values are never moved and no place is divided.
inline void write_mirrored(item_pass& k, const std::vector<complex_name>& y) {
  stage_text& s = k.s;
  writer& w = s.w;
  const int r = s.g.radices.back(), count = butterflies(s.g, r), all = r * count, half = all / 2;
  const std::int64_t m = k.p.length, items = s.g.items;
  const auto value = [&](int e) { return y[value_place(e % count, r, e / count)]; };
  const auto put = [&](std::int64_t at, const complex_name& one) {
    w.line("PUT(c * PITCH + t + ", at, ", ", one.re, ", ", one.im, ")");
  };
  const auto keep = [&](const char* base, std::int64_t at, const complex_name& one) {
    w.line("WRITE_AT(", base, ", ", at, ", ", finished(k, one, "0"), ")");
  };
  free_local(s);
  for (int e = half; e < all; ++e) put((e - half) * items, value(e));
  when(w, "t == 0", [&] { put(m / 2, value(0)); });  // value 0 is its own mirror image
  own_barrier(s);
  w.line("BEGIN_WRITE(_here, t)");
  w.line("BEGIN_WRITE(_back, (LENGTH - t))");
  w.line("const int mirror = c * PITCH + ", m / 2, " - t;");
  when(w, "c < here", [&] {
    for (int e = 0; e < half; ++e) {
      const complex_name a = value(e);
      w.line("MIRRORED(", e, ", ", e * items, ", ", a.re, ", ", a.im, ")");
      keep("_here", e * items, {cat("LOWER_RE(", e, ")"), cat("LOWER_IM(", e, ")")});
      keep("_back", -e * items, {cat("UPPER_RE(", e, ")"), cat("UPPER_IM(", e, ")")});
    }
    const complex_name middle = value(half);  // its conjugate
    when(w, "t == 0", [&] { keep("_here", m / 2, {middle.re, cat("(-", middle.im, ")")}); });
  });
}

/// Value k of half the spectrum of real values, from that of their pairs in local memory, whose
/// value 0 stands behind the last one too; else the value there.
inline complex_name staged_value(item_pass& k, const std::string& c, const std::string& point) {
  if (k.p.output == fft_output::half_of_pairs) {
    k.s.w.line("HALF_VALUE(", c, ", ", point, ")");
    return {"HALF_RE", "HALF_IM"};
  }
  const std::string at = cat(c, " * PITCH + ", point);
  return {cat("VALUE_RE(", at, ")"), cat("VALUE_IM(", at, ")")};
}

/// What lies in local memory goes to memory, neighbours by neighbours.
inline void write_staged(item_pass& k) {
  stage_text& s = k.s;
  writer& w = s.w;
  const item_geometry& g = s.g;
  barrier(s);
  if (g.banks)
    return store_banks(s, k.p, k.rader, [&](const complex_name& one, const std::string& place) {
      return finished(k, one, place);
    });
  const bool pairs = k.p.output == fft_output::half_of_pairs;
  const std::int64_t count = pairs ? k.p.length + 1 : k.p.length;
  if (!flat_output(k.p, g, count))
    return each_of(s, count, g.out_rows, [&](std::int64_t at, bool first) {
      if (first) return;
      const std::string c = cat("c", at), n = cat("n", at);
      when(w, c + " < here", [&] {
        const complex_name one = staged_value(k, c, n);
        const std::string done = finished(k, one, cat("PLACE_OF(", c, ", ", n, ")"));
        w.line("WRITE_POINT(", c, ", ", n, ", ", done, ")");
      });
    });
  w.line("WRITE_RUN");
  const auto keep = [&](const std::string& at, const complex_name& one) {
    w.line("WRITE_RUN_POINT(", at, ", ", finished(k, one, "0"), ")");
  };
  const auto keep_half = [&](const std::string& at) {
    w.line("const int row = (int)((uint)(lid + ", at, ") / ", count, "u), k = lid + ", at,
           " - row * ", count, ";");
    keep(at, staged_value(k, "row", "k"));
  };
  // H200, 1024 real points: a loop is built in 108 for 131 ms, and as fast; but others lose 2
  // to 4 % by it: 1000 points, whose factors come from the table, 2048 and 8192 by 512 items
  // (64 by 32 items: 0.3 %).
  if (pairs && is_native(s) && g.group() <= 256) {
    w.line("for (int at = 0; at < ", count * g.together, "; at += GROUP) {");
    when(w, cat("lid + at < here * ", count), [&] { keep_half("at"); });
    w.line("}");
    return;
  }
  each_flat(
      s, "out_local", count,
      [&](std::int64_t at, const std::string& local, const std::string& guard) {
        when(w, guard, [&] {
          if (pairs) return keep_half(std::to_string(at));
          keep(std::to_string(at), {cat("VALUE_RE(", local, ")"), cat("VALUE_IM(", local, ")")});
        });
      });
}

/// WRITE: the outputs of the last stage.
inline void write_points(item_pass& k, std::vector<complex_name> y) {
  stage_text& s = k.s;
  writer& w = s.w;
  const item_geometry& g = s.g;
  const fft_pass& p = k.p;
  if (mirrored_write(p, g)) return write_mirrored(k, y);
  const bool rader = k.is_rader();
  if (rader) read_places(s, "o", k.rader.out, "t");
  if (p.turn != 0) turn(k, y);
  if (g.staged_out) free_local(s);
  if (!g.staged_out && !rader) w.line("BEGIN_WRITE(_here, t)");
  const auto keep = [&](const std::string& point, const complex_name& one) {
    if (g.staged_out)
      w.line("PUT(c * PITCH + ", point, ", ", one.re, ", ", one.im, ")");
    else
      w.line("WRITE_POINT(c, ", point, ", ", finished(k, one, cat("PLACE_OF(c, ", point, ")")),
             ")");
  };
  // Point t + `further`; of half a spectrum value 0 stands behind the last one too.
  const auto keep_near = [&](std::int64_t further, bool first, const complex_name& one) {
    if (!g.staged_out)
      w.line("WRITE_AT(_here, ", further, ", ", finished(k, one, cat("PLACE_HERE(", further, ")")),
             ")");
    else
      keep(cat("t + ", further), one);
    if (first && p.output == fft_output::half_of_pairs)
      when(w, "t == 0", [&] { keep(std::to_string(p.length), one); });
  };
  const int r = k.last_radix();
  when(w, g.staged_out ? "" : "c < here", [&] {
    for (int b = 0; b < butterflies(g, r); ++b)
      when(w, g.radices.empty() ? std::string() : exists(g, r, b, "t"), [&] {
        for (int m = 0; m < r; ++m) {
          const std::int64_t first = m * (g.points / r),
                             further = first + std::int64_t{b} * g.items;
          const std::string n = cat("t + ", further);
          const complex_name& one = y[value_place(b, r, m)];
          if (rader)
            keep(place_of(s, "o", k.rader.out, b, m, n), one);
          else if (first >= p.length)
            w.line("(void)(", one.re, "), (void)(", one.im, ");");  // Bluestein's, past the end
          else
            when(w, first + g.points / r <= p.length ? std::string() : n + " < LENGTH",
                 [&] { keep_near(further, b == 0 && m == 0, one); });
        }
      });
    if (rader)
      when(w, "t == 0", [&] { keep(std::to_string(k.rader.first_out), {"total_re", "total_im"}); });
  });
  if (g.staged_out) write_staged(k);
}

}  // namespace clprim::fft_text
