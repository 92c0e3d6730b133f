#pragma once
// How a pass by items reads its points into the registers of a group.

#include <algorithm>
#include <string>
#include <vector>

#include <clprim/fft/pass/items_rader.hpp>

namespace clprim {
namespace fft_text {

/// The text that loads a group's transforms, and what the whole kernel shares.
class item_loader : public item_rader {
 public:
  using item_rader::item_rader;

 protected:
  /// The variables hold the inputs of the first stage.
  void load() {
    writer& w = s_.w;
    const bool rader = p_.method == fft_method::rader;
    const std::string &t = reads_.item, c = g_.staged_in ? reads_.transform : "from";
    if (rader) {
      add_orders();
      read_places("i", places_in_, t);
    }
    if (g_.staged_in) stage_input();
    const int r = g_.radices.empty() ? 1 : g_.radices.front();
    const int count = s_.butterflies(r);
    const bool shifted = !g_.staged_in && !rader && p_.input != fft_input::spectrum_pairs;
    const bool plain = shifted && plain_input(p_) && p_.in_points == 0 && p_.in_factor == no_table;
    const bool pairs = plain && p_.input == fft_input::real_pairs;
    // One address for all points where there are many: 16384 points, 32 per item, gain 1.4 % on an
    // H200 and 20 ms of 290 to build; 8192 and 1024, 16 and 8 per item, lose 0.2 to 0.3 %.
    const bool shared = plain && p_.input == fft_input::complex_points && s_.variables() >= 32 &&
                        !s_.streams_loads();
    // A transform past the end is read as the last one, so that no branch parts the loads.
    const fft_axis& outer = p_.outer.front();
    const bool moves = outer.in_step != 0 || outer.in_place != 0 || outer.in_index != 0;
    if (!g_.staged_in && (pairs || shared || moves))
      w.line("const int from = min(", reads_.transform, ", here - 1);");
    if (!shared)
      s_.constants += cat("#define LOAD_POINT(value, n) { const R2 p = ", point(c, "n"),
                          "; value##r = p.x; value##i = p.y; }\n");
    if (rader) {
      // It is added behind the stages: to the transforms of the items there.
      const std::string own =
          g_.staged_in ? works_.transform : cat("min(", works_.transform, ", here - 1)");
      w.line("const R2 first_point = ", point(own, std::to_string(first_in_)), ";");
    }
    const auto points = [&](const auto& from) {
      for (int k = 0; k < count; ++k) {
        // With banks items without a butterfly read a point all the same.
        const std::string guard = g_.banks ? std::string() : s_.exists(r, k, t);
        if (!guard.empty()) w.line("if (", guard, ") {");
        for (int m = 0; m < r; ++m) {
          const std::int64_t leg = m * (g_.points / r) + std::int64_t{k} * g_.items;
          const std::int64_t most = m * (g_.points / r) + g_.points / r - 1;
          const std::string at = cat(t, " + ", leg),
                            n = rader ? place_of_point("i", places_in_, k, m, at) : at;
          const std::string x = cat("x", k * r + m);
          if (!rader && m * (g_.points / r) >= p_.length) continue;  // stays 0
          const bool inside = rader || most < p_.length;
          w.line(inside ? std::string() : cat("if (", n, " < ", p_.length, ") "), from(x, leg, n));
        }
        if (!guard.empty()) w.line("}");
      }
    };
    const auto one = [](const std::string& x, std::int64_t, const std::string& n) {
      return cat("LOAD_POINT(", x, ", ", n, ")");
    };
    if (!pairs && !shared) return points(one);
    w.line("__global const R2 *points = (__global const R2 *)(in + in_at + (long)", c, " * ",
           outer.in_step, " + (long)", t, " * ", p_.along.in_step, ");");
    const std::int64_t step = pairs ? 1 : p_.along.in_step;
    const std::string re = p_.swap_in ? "y" : "x", im = p_.swap_in ? "x" : "y";
    const auto near = [&](const std::string& x, std::int64_t leg, const std::string&) {
      return cat("{ const R2 p = points[", leg * step, "]; ", x, "r = p.", re, "; ", x, "i = p.",
                 im, "; }");
    };
    if (!pairs) return points(near);
    // Pairs that lie as complex numbers do are read as such.
    w.line("if (((size_t)points & (sizeof(R2) - 1)) == 0) {");
    points(near);
    w.line("} else {");
    points(one);
    w.line("}");
  }
  std::string point(const std::string& c, const std::string& n) const {
    if (!g_.staged_in) return read_point(c, n);
    return s_.pair_at(cat(c, " * ", g_.pitch, " + ", n));
  }
  /// Whether the points of neighbouring transforms are one run of memory, without gaps and nothing
  /// that depends on the place of a point.
  bool flat_input() const {
    const fft_axis &a = p_.outer.front(), &b = p_.along;
    const bool plain = p_.input == fft_input::complex_points ||
                       p_.input == fft_input::real_points || p_.input == fft_input::real_pairs;
    return plain && g_.in_rows && p_.in_points == 0 && p_.in_factor == no_table &&
           a.in_step == p_.length * b.in_step && a.in_index == p_.length * b.in_index;
  }
  bool flat_output(std::int64_t count) const {
    const fft_axis &a = p_.outer.front(), &b = p_.along;
    return g_.out_rows && p_.out_points == 0 && p_.out_factor == no_table &&
           a.out_step == count * b.out_step && a.out_index == count * b.out_index;
  }

  /// The transforms of the group are read point after point.
  void stage_input() {
    writer& w = s_.w;
    s_.free_local();
    if (g_.banks) {
      stage_banks();
      return s_.barrier();
    }
    if (flat_input()) {
      stage_run();
      return s_.barrier();
    }
    each_of(p_.length, g_.in_rows, [&](const std::string& c, const std::string& n, bool first) {
      const std::string value = "p" + n;
      if (first)
        w.line("const R2 ", value, " = ", read_point(cat("min(", c, ", here - 1)"), n), ";");
      else
        w.line(s_.put(cat(c, " * ", g_.pitch, " + ", n), value + ".x", value + ".y"));
    });
    s_.barrier();
  }
  /// One address for all points of an item, unless the group is the last and not whole.
  void stage_run() {
    writer& w = s_.w;
    const std::int64_t all = p_.length * g_.together, group = g_.group();
    const auto read = [&](const std::string& n) {
      return cat("read_point(in, in_at, 0, in_index, ", n, ", factors LOAD_ARGUMENTS);");
    };
    w.line("const long in_run = in_at + (long)lid * ", p_.along.in_step,
           ", in_run_index = in_index + (long)lid * ", p_.along.in_index, ";");
    std::vector<std::int64_t> runs;
    for (std::int64_t at = 0; at < all; at += group) runs.push_back(at);
    for (const std::int64_t at : runs) w.line("R2 p", at, ";");
    w.line("if (here == ", g_.together, ") {");
    for (const std::int64_t at : runs) {
      w.line("p", at, " = ",
             at + group <= all
                 ? cat("read_point(in, in_run, 0, in_run_index, ", at, ", factors LOAD_ARGUMENTS);")
                 : read(cat("min(lid + ", at, ", ", all - 1, ")")));
    }
    w.line("} else {");
    for (const std::int64_t at : runs)
      w.line("p", at, " = ", read(cat("min(lid + ", at, ", here * ", p_.length, " - 1)")));
    w.line("}");
    each_flat(p_.length, [&](std::int64_t at, const std::string& local, const std::string&) {
      if (at + group > all) w.line("if (lid + ", at, " < ", all, ")");
      w.line("{ ", s_.put(local, cat("p", at, ".x"), cat("p", at, ".y")), " }");
    });
  }
  /// For every point that item `lid` moves, numbers lid, lid + group, …: the number's distance
  /// from the first, its place in local memory, and the condition that it exists.
  template <class Tell> void each_flat(std::int64_t count, Tell tell) {
    const std::int64_t all = count * g_.together, group = g_.group();
    const std::string base = cat("run", ++runs_);
    if (group % count == 0)
      s_.w.line(
          cat("const int ", base, " = lid / ", count, " * ", g_.pitch, " + lid % ", count, ";"));
    for (std::int64_t at = 0; at < all; at += group) {
      const std::string number = cat("(lid + ", at, ")");
      const std::string local =
          g_.together == 1     ? number
          : group % count == 0 ? cat(base, " + ", at / count * g_.pitch)
          : count % group == 0
              ? cat("lid + ", at / count * g_.pitch + at % count)
              : cat(number, " / ", count, " * ", g_.pitch, " + ", number, " % ", count);
      tell(at, local, cat(number, " < here * ", count));
    }
  }
  /// Statements for every one of `count` points of the group's transforms, neighbours by
  /// neighbours; item i takes the numbers i, i + group, …. What is told in the first place stands
  /// before all that is told in the second, eight points at a time: loads in flight together.
  template <class Tell> void each_of(std::int64_t count, bool rows, Tell tell) {
    writer& w = s_.w;
    const std::int64_t all = count * g_.together, group = g_.group();
    for (std::int64_t begin = 0; begin < all; begin += 8 * group) {
      const std::int64_t end = std::min(all, begin + 8 * group);
      w.line("{");
      for (const bool first : {true, false}) {
        for (std::int64_t at = begin; at < end; at += group) {
          const std::string i = cat("i", at), c = cat("c", at), n = cat("n", at);
          const bool whole = at + group <= all;
          if (first) {
            w.line(
                "const int ", i,
                whole ? cat(" = lid + ", at, ";") : cat(" = min(lid + ", at, ", ", all - 1, ");"));
            w.line(rows ? cat("const int ", c, " = ", i, " / ", count, ", ", n, " = ", i, " % ",
                              count, ";")
                        : cat("const int ", c, " = ", i, " % ", g_.together, ", ", n, " = ", i,
                              " / ", g_.together, ";"));
          }
          if (!whole && !first) w.line("if (lid + ", at, " < ", all, ") {");
          tell(c, n, first);
          if (!whole && !first) w.line("}");
        }
      }
      w.line("}");
    }
  }

  int outputs_ = 0;
  int runs_ = 0;
};

}  // namespace fft_text
}  // namespace clprim
