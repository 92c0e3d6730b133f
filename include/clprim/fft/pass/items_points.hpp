#pragma once
// READ and WRITE of a pass by items: memory to a group's registers, and back, times factors.

#include <string>
#include <utility>
#include <vector>

#include <clprim/fft/methods/convolved.hpp>
#include <clprim/fft/pass/items_stages.hpp>
#include <clprim/fft/pass/points.hpp>

namespace clprim::fft_text {

/// A pass by items as it is written: what it computes, its stages, and which item is which while
/// points are read, up to the first exchange, and in all that follows.
struct item_pass {
  const fft_pass& p;
  stage_text s;
  const item_map reads;
  const rader_places rader;
  int factors = 0;  ///< of the output, so far

  bool is_rader() const { return p.method == fft_method::rader; }
  /// The radix whose butterflies the points are read for; those that are written.
  int first_radix() const { return s.g.radices.empty() ? 1 : s.g.radices.front(); }
  int last_radix() const {
    if (s.g.radices.empty()) return 1;
    return p.method == fft_method::direct ? s.g.radices.back() : s.g.radices.front();
  }
};

/// The two parts as they are stored: factor, direction, scale.
inline complex_name finished_parts(item_pass& k, complex_name one, const std::string& place) {
  writer& w = k.s.w;
  if (k.p.write.factor != no_table) {
    const std::string f = cat("o", ++k.factors, "f");
    w.call("OUT_FACTOR_OF", f, place);
    one = w.product(one, {f + ".x", f + ".y"});
  }
  if (k.p.write.swapped) std::swap(one.re, one.im);
  if (k.p.write.scale == 1) return one;
  const std::string scale = w.number(static_cast<long double>(k.p.write.scale));
  return {cat(one.re, " * ", scale), cat(one.im, " * ", scale)};
}
inline std::string finished(item_pass& k, const complex_name& one, const std::string& place) {
  const complex_name done = finished_parts(k, one, place);
  return cat("(R2)(", done.re, ", ", done.im, ")");
}

/// Statements that read the places of all points of item `t`, with banks: two to a word.
inline void read_places(stage_text& s, const char* side, std::int64_t table, const std::string& t) {
  if (!s.g.banks) return;
  for (int i = 0; 2 * i < slots(s.g); ++i)
    s.w.call("TWO_PLACES", numbered(side, i), table + std::int64_t{i} * s.g.items, t);
}
/// Leg m of an item's butterfly b of radix r: point `further` from the item's own, the first of its
/// legs being `first`.
struct leg {
  int r, b, m;
  std::int64_t first, further;

  std::size_t number() const { return value_place(b, r, m); }
  /// The condition that its point `n` exists, empty where it always does.
  std::string guard(const item_pass& k, const std::string& n) const {
    const bool always = k.is_rader() || first + k.s.g.points / r <= k.p.length;
    return always ? std::string() : less(n, "LENGTH");
  }
};
/// Tells the legs of all butterflies that item `t` has, under the condition that it has them, or
/// `all` of them.
template <class Tell>
void each_leg(item_pass& k, int r, const std::string& t, bool all, Tell tell) {
  const item_geometry& g = k.s.g;
  for (int b = 0; b < g.butterflies(r); ++b)
    when(k.s.w, all ? std::string() : exists(g, r, b, t), [&] {
      for (int m = 0; m < r; ++m) {
        const std::int64_t first = m * (g.points / r);
        tell(leg{r, b, m, first, first + std::int64_t{b} * g.items});
      }
    });
}
/// The place of a leg of the first radix, which is number `n` of the order.
inline std::string rader_place(const stage_text& s, const char* side, std::int64_t table,
                               const leg& at, const std::string& n) {
  if (!s.g.banks) return cat("places[", table, " + ", n, "]");
  const auto slot = static_cast<int>(at.number());
  return cat("(int)(", side, slot / 2, slot % 2 == 0 ? " & 0xffff)" : " >> 16)");
}

/// The transforms of the group go to local memory by banks.
inline void stage_banks(item_pass& k) {
  writer& w = k.s.w;
  const std::int64_t places = detail::bank_places(k.p.length), group = k.s.g.group();
  // What a work-item moves in one go: its place in a transform, guarded in a last go that is not
  // whole.
  const auto each_run = [&](const auto& tell) {
    for (std::int64_t at = 0; at < places * k.s.g.together; at += group) {
      const std::string lid = sum("lid", at % places);
      tell(at, lid, at + group <= places * k.s.g.together ? std::string() : less(lid, places));
    }
  };
  each_run([&](std::int64_t at, const std::string& lid, const std::string& guard) {
    w.call("FETCH", at, at / places,
           sum(k.rader.fetched_in, guard.empty() ? lid : chosen(guard, lid)));
  });
  each_run([&](std::int64_t at, const std::string& lid, const std::string& guard) {
    when(w, guard, [&] { w.call("PUT_POINT", sum(at / places * k.s.g.pitch, lid), at); });
  });
}
/// And from there to memory. A loop: the H200's driver builds it 20 of 343 ms sooner, and it is
/// faster (1009 points 1.4 %, 4051 4.3 %, 31 and 257 the same).
inline void store_banks(item_pass& k) {
  writer& w = k.s.w;
  w.line("#pragma unroll 1");
  w.call("EACH_PLACE", detail::bank_places(k.p.length));
  w.line("{");
  w.call("POINT_OF_PLACE", k.rader.fetched_out);
  for (int c = 0; c < k.s.g.together; ++c)
    when(w, less(c, "here"), [&] {
      w.call("WRITE_POINT", c, "k",
             finished(k, value_at(sum(c * k.s.g.pitch, "at")), call_text("PLACE_OF", c, "k")));
    });
  w.line("}");
}

/// Whether the points of neighbouring transforms are one run of memory, without gaps and nothing
/// that depends on the place of a point.
inline bool is_flat(const fft_side& s, const fft_stride& across, const fft_stride& along,
                    std::int64_t count) {
  return s.points == 0 && s.factor == no_table && across.step == count * along.step &&
         across.index == count * along.index;
}
inline bool flat_input(const fft_pass& p, const item_geometry& g) {
  using enum fft_form;
  const fft_form kind = p.read.kind;
  return (kind == complex_points || kind == real_points || kind == real_pairs) && g.in_rows &&
         is_flat(p.read, p.outer.front().in, p.along.in, p.length);
}
inline bool flat_output(const fft_pass& p, const item_geometry& g, std::int64_t count) {
  return p.write.kind != fft_form::real_rows && g.out_rows &&
         is_flat(p.write, p.outer.front().out, p.along.out, count);
}

/// The group's transforms as one run of memory: one address for all points of an item, unless the
/// group is the last and not whole.
inline void stage_run(item_pass& k) {
  writer& w = k.s.w;
  const item_geometry& g = k.s.g;
  const std::int64_t all = k.p.length * g.together, group = g.group();
  std::vector<std::int64_t> runs;
  for (std::int64_t at = 0; at < all; at += group) runs.push_back(at);
  w.line("READ_RUN");
  for (const std::int64_t at : runs) w.call("RUN_VALUE", at);
  w.line("if (here == TOGETHER) {");
  for (const std::int64_t at : runs)
    at + group <= all ? w.call("RUN_WHOLE", at) : w.call("RUN_TO", at, all - 1);
  w.line("} else {");
  for (const std::int64_t at : runs) w.call("RUN_TO", at, "here * LENGTH - 1");
  w.line("}");
  each_flat(k.s, "in_local", k.p.length,
            [&](std::int64_t at, const std::string& local, const std::string&) {
              when(w, at + group > all ? less(sum("lid", at), all) : std::string(),
                   [&] { w.call("PUT_POINT", local, at); });
            });
}

/// The transforms of the group go to local memory, point after point.
inline void stage_input(item_pass& k) {
  free_local(k.s);
  if (k.s.g.banks)
    stage_banks(k);
  else if (flat_input(k.p, k.s.g))
    stage_run(k);
  else
    each_of(k.s, k.p.length, k.s.g.in_rows,
            [&](std::int64_t at, bool first) { k.s.w.call(first ? "STAGE" : "STAGED", at); });
  barrier(k.s);
}

/// READ: the variables hold the inputs of the first stage.
inline void read_points(item_pass& k) {
  writer& w = k.s.w;
  const item_geometry& g = k.s.g;
  const fft_pass& p = k.p;
  const std::string& t = k.reads.item;
  const bool rader = k.is_rader();
  if (rader) read_places(k.s, "i", k.rader.in, t);
  if (g.staged_in) stage_input(k);
  const bool plain =
      !g.staged_in && !rader && plain_input(p) && p.read.points == 0 && p.read.factor == no_table;
  const bool pairs = plain && p.read.kind == fft_form::real_pairs;
  // One address for all points where there are many: 16384 points, 32 per item, gain 1.4 % on an
  // H200 and 20 ms of 290 to build; 8192 and 1024, 16 and 8 per item, lose 0.2 to 0.3 %.
  const bool streams =
      k.s.policy.streaming != fft_streaming::none && k.s.policy.streaming != fft_streaming::stores;
  const bool shared =
      plain && p.read.kind == fft_form::complex_points && g.variables() >= 32 && !streams;
  const std::string c = g.staged_in ? k.reads.transform : "from";
  if (!g.staged_in) w.call("FROM", k.reads.transform);
  if (rader) {  // it is added behind the stages: to the transforms of the items there
    w.call("FIRST_POINT", g.staged_in ? "c" : "EXISTING(c)", k.rader.first_in);
  }
  // For every leg: its variable, its distance from point t, and its number.
  const auto points = [&](const auto& one) {
    // With banks items without a butterfly read a point all the same.
    each_leg(k, k.first_radix(), t, g.banks, [&](const leg& at) {
      if (!rader && at.first >= p.length) return;  // stays 0
      const std::string n = sum(t, at.further);
      when(w, at.guard(k, n), [&] {
        one(numbered("x", at.number()), at.further,
            rader ? rader_place(k.s, "i", k.rader.in, at, n) : n);
      });
    });
  };
  const auto single = [&](const std::string& x, std::int64_t, const std::string& n) {
    w.call("LOAD", x, c, n);
  };
  if (!pairs && !shared) return points(single);
  const std::int64_t step = pairs ? 1 : p.along.in.step;
  const auto near = [&](const std::string& x, std::int64_t leg, const std::string&) {
    w.call("LOAD_NEAR", x, leg * step);
  };
  w.call("NEAR_POINTS", c, t);
  if (!pairs) return points(near);
  w.line("if (POINTS_ALIGNED) {");
  points(near);
  w.line("} else {");
  points(single);
  w.line("}");
}

/// The place of a transform along the turning axis.
inline void tell_column(item_pass& k) {
  k.s.w.call("COLUMN", k.p.turn_axis == 0 ? "first + EXISTING(c)" : numbered("o", k.p.turn_axis));
}

/// Factors exp(-2 pi i o p / turn) on the outputs, o being the place along the turning axis and p
/// the point. Four chains of products, each a fourth of the points long, take fewer registers than
/// a power per point (2^20 points on sm_90: 64 for 72, twice the resident groups).
inline void turn(item_pass& k, std::vector<complex_name>& y) {
  constexpr std::size_t chains = 4;
  const item_geometry& g = k.s.g;
  writer& w = k.s.w;
  if (k.p.spectrum == no_table) tell_column(k);
  const auto root = [&](const std::string& name, const std::string& point) {
    w.call("TURN", name, point);
    return w.product({name + "a.x", name + "a.y"}, {name + "b.x", name + "b.y"});
  };
  const int r = k.last_radix(), count = g.butterflies(r);
  // Value m of butterfly b is point t + b T + m points / r: t + (b + m count) T where T divides.
  const bool even = std::int64_t{r} * count * g.items == g.points;
  const int length = even ? r * count : r;
  std::vector<complex_name> steps(chains + 1);
  if (length > 1) steps[1] = root("step", std::to_string(even ? g.items : g.points / r));
  for (std::size_t i = 2; i <= chains && static_cast<int>(i) < length; ++i)
    steps[i] = w.product(steps[i / 2], steps[i - i / 2]);
  for (int b = 0; b < (even ? 1 : count); ++b) {
    std::vector<complex_name> chain(chains);
    chain[0] = root(numbered("base", b), sum("t", b * g.items));
    for (int e = 0; e < length; ++e) {
      const std::size_t i = static_cast<std::size_t>(e) % chains;
      const bool begins = static_cast<std::size_t>(e) < chains;
      if (e > 0) chain[i] = w.product(begins ? chain[0] : chain[i], steps[begins ? i : chains]);
      complex_name& one = y[even ? value_place(e % count, r, e / count) : value_place(b, r, e)];
      one = w.product(one, chain[i]);
    }
  }
}

/// Whether values k and M - k of half a spectrum are made together: item t has the points
/// t + e T of its transform, an even number of them. A run of rows is written as one instead, in
/// whole sectors.
inline bool mirrored_write(const fft_pass& p, const item_geometry& g) {
  if (p.write.kind != fft_form::half_of_pairs || p.method != fft_method::direct || !g.out_rows ||
      g.radices.empty() || p.write.factor != no_table || flat_output(p, g, p.length + 1))
    return false;
  const int all = g.radices.back() * g.butterflies(g.radices.back());
  return all % 2 == 0 && std::int64_t{all} * g.items == g.points && g.points % 2 == 0;
}

/// The upper half of the points goes through local memory to the items that hold their mirror
/// images, in order, so that half of the values are never moved and no place is divided.
inline void write_mirrored(item_pass& k, const std::vector<complex_name>& y) {
  stage_text& s = k.s;
  writer& w = s.w;
  const int r = s.g.radices.back(), count = s.g.butterflies(r), all = r * count, half = all / 2;
  const std::int64_t m = k.p.length, items = s.g.items;
  const auto value = [&](int e) { return y[value_place(e % count, r, e / count)]; };
  const auto put = [&](std::int64_t at, const complex_name& one) {
    w.call("PUT", sum("c * PITCH + t", at), one.re, one.im);
  };
  const auto keep = [&](const char* base, std::int64_t at, const complex_name& one) {
    w.call("WRITE_AT", base, at, finished(k, one, "0"));
  };
  free_local(s);
  for (int e = half; e < all; ++e) put((e - half) * items, value(e));
  when(w, "t == 0", [&] { put(m / 2, value(0)); });  // value 0 is its own mirror image
  own_barrier(s);
  w.call("BEGIN_WRITE", "_here", "t");
  w.call("BEGIN_WRITE", "_back", "(LENGTH - t)");
  w.call("MIRROR", m / 2);
  when(w, "c < here", [&] {
    for (int e = 0; e < half; ++e) {
      const complex_name a = value(e);
      w.call("MIRRORED", e, e * items, a.re, a.im);
      keep("_here", e * items, {call_text("LOWER_RE", e), call_text("LOWER_IM", e)});
      keep("_back", -e * items, {call_text("UPPER_RE", e), call_text("UPPER_IM", e)});
    }
    const complex_name middle = value(half);  // its conjugate
    when(w, "t == 0", [&] { keep("_here", m / 2, {middle.re, cat("(-", middle.im, ")")}); });
  });
}

/// Value k of half the spectrum of real values, from that of their pairs in local memory, whose
/// value 0 stands behind the last one too; else the value there.
inline complex_name staged_value(item_pass& k, const std::string& c, const std::string& point) {
  if (k.p.write.kind == fft_form::half_of_pairs) {
    k.s.w.call("HALF_VALUE", c, point);
    return {"HALF_RE", "HALF_IM"};
  }
  return value_at(sum(c + " * PITCH", k.p.axes.empty() ? point : call_text("KEPT", point)));
}

/// What lies in local memory goes to memory, neighbours by neighbours.
inline void write_staged(item_pass& k) {
  stage_text& s = k.s;
  writer& w = s.w;
  const item_geometry& g = s.g;
  barrier(s);
  if (g.banks) return store_banks(k);
  const bool pairs = k.p.write.kind == fft_form::half_of_pairs,
             rows = k.p.write.kind == fft_form::half_of_rows;
  const std::int64_t count = rows ? k.p.length / 2 + 1 : pairs ? k.p.length + 1 : k.p.values();
  if (rows || !flat_output(k.p, g, count))
    return each_of(s, count, g.out_rows, [&](std::int64_t at, bool first) {
      if (first) return;
      const std::string c = numbered("c", at), n = numbered("n", at);
      when(w, c + " < here", [&] {
        if (rows) {
          w.call("ROWS_VALUE", c, n);
          w.call("WRITE_POINT", c, n, "FIRST_HALF");
          return w.call("WRITE_SECOND", c, n, "SECOND_HALF");
        }
        w.call("WRITE_POINT", c, n,
               finished(k, staged_value(k, c, n), call_text("PLACE_OF", c, n)));
      });
    });
  w.line("WRITE_RUN");
  const auto keep = [&](const std::string& at, const complex_name& one) {
    w.call("WRITE_RUN_POINT", at, finished(k, one, "0"));
  };
  const auto keep_chosen = [&](const std::string& at) {
    w.call("ROW_OF", at, count);
    keep(at, staged_value(k, "row", "k"));
  };
  // H200, 1024 real points: a loop is built in 108 for 131 ms, and as fast; but others lose 2
  // to 4 % by it: 1000 points, whose factors come from the table, 2048 and 8192 by 512 items
  // (64 by 32 items: 0.3 %).
  if (pairs && is_native(s) && g.group() <= 256) {
    w.call("EACH_NUMBER", count * g.together);
    w.line("{");
    when(w, less("lid + at", numbered("here * ", count)), [&] { keep_chosen("at"); });
    return w.line("}");
  }
  each_flat(s, "out_local", count,
            [&](std::int64_t at, const std::string& local, const std::string& guard) {
              when(w, guard, [&] {
                if (pairs || !k.p.axes.empty()) return keep_chosen(std::to_string(at));
                keep(std::to_string(at), value_at(local));
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
  if (!g.staged_out && !rader) w.call("BEGIN_WRITE", "_here", "t");
  // Of half a spectrum value 0 stands behind the last one too.
  const bool rows = p.write.kind == fft_form::half_of_rows;
  const auto keep = [&](const std::string& point, const complex_name& one, bool first = false) {
    const std::string place = call_text("PLACE_OF", "c", point);
    if (!g.staged_out) return w.call("WRITE_POINT", "c", point, finished(k, one, place));
    const complex_name done = rows ? finished_parts(k, one, place) : one;
    w.call("PUT", sum("c * PITCH", point), done.re, done.im);
    if (first && p.write.halves())
      when(w, "t == 0", [&] { w.call("PUT", sum("c * PITCH", p.length), done.re, done.im); });
  };
  // Point t + `further`.
  const auto keep_near = [&](std::int64_t further, bool first, const complex_name& one) {
    if (g.staged_out) return keep(sum("t", further), one, first);
    w.call("WRITE_AT", "_here", further, finished(k, one, call_text("PLACE_HERE", further)));
  };
  when(w, g.staged_out ? "" : "c < here", [&] {
    each_leg(k, k.last_radix(), "t", false, [&](const leg& at) {
      const std::string n = sum("t", at.further);
      const complex_name& one = y[at.number()];
      if (!p.axes.empty()) {
        if (at.m == 0) w.call("AXES_VALUE", at.b, n);
        w.call("PUT", sum(numbered("value", at.b), at.m * (p.axes.back() / at.r)), one.re, one.im);
      } else if (rader)
        keep(rader_place(s, "o", k.rader.out, at, n), one);
      else if (at.first >= p.length)
        w.call("UNUSED_VALUE", one.re, one.im);  // Bluestein's, past the end
      else
        when(w, at.guard(k, n), [&] { keep_near(at.further, at.number() == 0, one); });
    });
    if (rader)
      when(w, "t == 0", [&] {
        keep(std::to_string(k.rader.first_out), {"total_re", "total_im"}, true);
      });
  });
  if (g.staged_out) write_staged(k);
}

}  // namespace clprim::fft_text
