#pragma once
// The seam READ of a pass by items: points from memory to the registers of a group.

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include <clprim/fft/methods/rader.hpp>
#include <clprim/fft/pass/items_exchange.hpp>
#include <clprim/fft/pass/points.hpp>

namespace clprim::fft_text {

/// A pass by items as it is written: what it computes, its stages, and which item is which while
/// points are read, up to the first exchange, and in all that follows.
struct item_pass {
  item_pass(const fft_pass& pass, const fft_policy& policy, const item_geometry& geometry,
            fft_tables& tables, const std::string& name)
    : p(pass),
      s(geometry, policy, pass.is_double, tables, name),
      reads(geometry.in_rows == geometry.out_rows ? item_map{} : item_map{"t1", "c1"}) {
    if (pass.method == fft_method::rader) rader = add_rader_places(pass, geometry, tables);
  }

  const fft_pass& p;
  stage_text s;
  const item_map reads;
  const item_map works{};
  rader_places rader{};
  int factors = 0;  ///< of the output, so far

  bool is_rader() const { return p.method == fft_method::rader; }
  /// The radix whose butterflies the points are read for; those that are written.
  int first_radix() const { return s.g.radices.empty() ? 1 : s.g.radices.front(); }
  int last_radix() const {
    if (s.g.radices.empty()) return 1;
    return p.method == fft_method::direct ? s.g.radices.back() : s.g.radices.front();
  }
};

/// Whether the points of neighbouring transforms are one run of memory, without gaps and nothing
/// that depends on the place of a point.
inline bool flat_input(const fft_pass& p, const item_geometry& g) {
  const fft_axis &a = p.outer.front(), &b = p.along;
  const bool plain = p.input == fft_input::complex_points || p.input == fft_input::real_points ||
                     p.input == fft_input::real_pairs;
  return plain && g.in_rows && p.in_points == 0 && p.in_factor == no_table &&
         a.in_step == p.length * b.in_step && a.in_index == p.length * b.in_index;
}
inline bool flat_output(const fft_pass& p, const item_geometry& g, std::int64_t count) {
  const fft_axis &a = p.outer.front(), &b = p.along;
  return g.out_rows && p.out_points == 0 && p.out_factor == no_table &&
         a.out_step == count * b.out_step && a.out_index == count * b.out_index;
}

/// For every point that item `lid` moves of `count` per transform, numbers lid, lid + group, …: the
/// number's distance from the first, its place in local memory, and the condition that it exists.
template <class Tell>
void each_flat(stage_text& s, const char* base, std::int64_t count, Tell tell) {
  const item_geometry& g = s.g;
  const std::int64_t all = count * g.together, group = g.group();
  if (group % count == 0)
    s.w.line("const int ", base, " = lid / ", count, " * ", g.pitch, " + lid % ", count, ";");
  for (std::int64_t at = 0; at < all; at += group) {
    const std::string number = cat("(lid + ", at, ")");
    const std::string local =
        g.together == 1      ? number
        : group % count == 0 ? cat(base, " + ", at / count * g.pitch)
        : count % group == 0
            ? cat("lid + ", at / count * g.pitch + at % count)
            : cat(number, " / ", count, " * ", g.pitch, " + ", number, " % ", count);
    tell(at, local, cat(number, " < here * ", count));
  }
}
/// Statements for every one of `count` points of the group's transforms, neighbours by neighbours;
/// item i takes the numbers i, i + group, …. What is told in the first place stands before all that
/// is told in the second, eight points at a time: loads in flight together.
template <class Tell> void each_of(stage_text& s, std::int64_t count, bool rows, Tell tell) {
  const std::int64_t all = count * s.g.together, group = s.g.group();
  for (std::int64_t begin = 0; begin < all; begin += 8 * group) {
    const std::int64_t end = std::min(all, begin + 8 * group);
    s.w.line("{");
    for (const bool first : {true, false}) {
      for (std::int64_t at = begin; at < end; at += group) {
        const bool whole = at + group <= all;
        const std::string lid = cat("lid + ", at);
        if (first) {
          s.w.line("const int i", at, " = ", whole ? lid : cat("min(", lid, ", ", all - 1, ")"),
                   ";");
          s.w.line(rows ? "ROW_PLACE(" : "COLUMN_PLACE(", at, ", ", count, ")");
        }
        when(s.w, whole || first ? std::string() : cat(lid, " < ", all), [&] { tell(at, first); });
      }
    }
    s.w.line("}");
  }
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
  for (const std::int64_t at : runs) w.line("R2 p", at, ";");
  w.line("if (here == TOGETHER) {");
  for (const std::int64_t at : runs)
    w.line("p", at, " = ",
           at + group <= all ? cat("RUN_POINT(", at, ");")
                             : cat("RUN_NUMBER(min(lid + ", at, ", ", all - 1, "));"));
  w.line("} else {");
  for (const std::int64_t at : runs)
    w.line("p", at, " = RUN_NUMBER(min(lid + ", at, ", here * LENGTH - 1));");
  w.line("}");
  each_flat(k.s, "in_local", k.p.length,
            [&](std::int64_t at, const std::string& local, const std::string&) {
              when(w, at + group > all ? cat("lid + ", at, " < ", all) : std::string(),
                   [&] { w.line("PUT(", local, ", p", at, ".x, p", at, ".y)"); });
            });
}

/// The transforms of the group go to local memory, point after point.
inline void stage_input(item_pass& k) {
  free_local(k.s);
  if (k.s.g.banks)
    stage_banks(k.s, k.p, k.rader);
  else if (flat_input(k.p, k.s.g))
    stage_run(k);
  else
    each_of(k.s, k.p.length, k.s.g.in_rows, [&](std::int64_t at, bool first) {
      k.s.w.line(first ? "STAGE(" : "STAGED(", at, ")");
    });
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
  const bool plain = !g.staged_in && !rader && p.input != fft_input::spectrum_pairs &&
                     plain_input(p) && p.in_points == 0 && p.in_factor == no_table;
  const bool pairs = plain && p.input == fft_input::real_pairs;
  // One address for all points where there are many: 16384 points, 32 per item, gain 1.4 % on an
  // H200 and 20 ms of 290 to build; 8192 and 1024, 16 and 8 per item, lose 0.2 to 0.3 %.
  const bool streams =
      k.s.policy.streaming != fft_streaming::none && k.s.policy.streaming != fft_streaming::stores;
  const bool shared =
      plain && p.input == fft_input::complex_points && variables(g) >= 32 && !streams;
  const std::string c = g.staged_in ? k.reads.transform : "from";
  if (!g.staged_in) w.line("const int from UNUSED = EXISTING(", k.reads.transform, ");");
  if (rader) {  // it is added behind the stages: to the transforms of the items there
    const std::string& own = k.works.transform;
    w.line("const R2 first_point = POINT(", g.staged_in ? own : cat("EXISTING(", own, ")"), ", ",
           k.rader.first_in, ");");
  }
  const int r = k.first_radix();
  // For every leg: its variable, its distance from point t, and its number.
  const auto points = [&](const auto& one) {
    for (int b = 0; b < butterflies(g, r); ++b) {
      // With banks items without a butterfly read a point all the same.
      when(w, g.banks ? std::string() : exists(g, r, b, t), [&] {
        for (int m = 0; m < r; ++m) {
          const std::int64_t leg = m * (g.points / r) + std::int64_t{b} * g.items;
          if (!rader && m * (g.points / r) >= p.length) continue;  // stays 0
          const bool inside = rader || (m + 1) * (g.points / r) <= p.length;
          const std::string at = cat(t, " + ", leg);
          when(w, inside ? std::string() : at + " < LENGTH", [&] {
            one(cat("x", b * r + m), leg, rader ? place_of(k.s, "i", k.rader.in, b, m, at) : at);
          });
        }
      });
    }
  };
  const auto single = [&](const std::string& x, std::int64_t, const std::string& n) {
    w.line("LOAD(", x, ", ", c, ", ", n, ")");
  };
  if (!pairs && !shared) return points(single);
  const std::int64_t step = pairs ? 1 : p.along.in_step;
  const auto near = [&](const std::string& x, std::int64_t leg, const std::string&) {
    w.line("LOAD_NEAR(", x, ", ", leg * step, ")");
  };
  w.line("NEAR_POINTS(", c, ", ", t, ")");
  if (!pairs) return points(near);
  w.line("if (POINTS_ALIGNED) {");
  points(near);
  w.line("} else {");
  points(single);
  w.line("}");
}

}  // namespace clprim::fft_text
