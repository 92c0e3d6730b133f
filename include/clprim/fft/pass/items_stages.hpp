#pragma once
// The stages of a pass by items, one after the other, the factors between them, and the seam
// EXCHANGE, where values change hands in local memory. And what all seams are written with:
// variables, guards, barriers, the walks of items over local memory.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numbers>
#include <string>
#include <utility>
#include <vector>

#include <clprim/core/policy.hpp>
#include <clprim/core/root_of_unity.hpp>
#include <clprim/core/source.hpp>
#include <clprim/fft/codelet/codelet.hpp>
#include <clprim/fft/plan/geometry.hpp>
#include <clprim/fft/plan/step.hpp>
#include <clprim/fft/policy.hpp>

namespace clprim::fft_text {

/// Which item of which transform a work-item is, by the names of two variables: where points are
/// rows on one side of a pass and columns on the other, this differs between reading and all that
/// follows the first exchange.
struct item_map {
  std::string item = "t";
  std::string transform = "c";
};

/// What the stages of a group are written from, and their text so far. Values live in the variables
/// x0r, x0i, x1r, …, in the order of the butterflies of the next stage.
struct stage_text {
  item_geometry g;
  fft_policy policy;
  fft_tables& tables;
  writer w;
  std::string pass = "pass";  ///< the pass's own part of names
  bool in_place = false;      ///< stores points that another item has read, as memory orders them
  std::string constants{};    ///< __constant tables that the text reads
  /// Reads of tables that stand before all else, so that nobody waits for them after a barrier:
  /// where one group fills a unit nothing hides that (H200: 10007 points 4 %, 4096 x 4096 0.5 %;
  /// no others but 2^16, -0.2 %).
  std::string early{};
  int names = 0;
  bool used = false;  ///< whether local memory has been written
};

/// Whether all factors come from native functions.
inline bool is_native(const stage_text& s) { return s.policy.twiddles == fft_twiddles::native; }

inline complex_name variable(int e) { return {cat("x", e, "r"), cat("x", e, "i")}; }
inline std::vector<complex_name> variables_of(const item_geometry& g) {
  std::vector<complex_name> all;
  for (int e = 0; e < g.variables(); ++e) all.push_back(variable(e));
  return all;
}
/// Real and imaginary parts change roles.
inline void exchange_parts(std::vector<complex_name>& all) {
  for (complex_name& one : all) std::swap(one.re, one.im);
}
/// The two parts of a value in local memory.
inline complex_name value_at(const std::string& at) {
  return {call_text("VALUE_RE", at), call_text("VALUE_IM", at)};
}
inline std::string declare(const stage_text& s) {
  std::string text;
  for (const complex_name& x : variables_of(s.g))
    append(text, text.empty() ? cat("    ", s.w.type(), " ") : ", ", x.re, " = 0, ", x.im, " = 0");
  return text + ";\n";
}

/// A condition that butterfly k exists, empty where it always does.
inline std::string exists(const item_geometry& g, int r, int k, const std::string& t) {
  const std::int64_t all = g.points / r;
  if ((k + 1) * std::int64_t{g.items} <= all) return {};
  return less(sum(t, k * g.items), all);
}
/// A value where a condition holds, else zero.
inline std::string chosen(const std::string& guard, const std::string& value) {
  return cat("(", guard, " ? ", value, " : 0)");
}
/// The number of item t's butterfly k, or where it does not exist, of the first.
inline std::string butterfly(const item_geometry& g, int r, int k) {
  const std::string guard = exists(g, r, k, "t"), j = k == 0 ? "t" : sum("t", k * g.items);
  return guard.empty() ? j : chosen(guard, j);
}
/// Statements under a condition, which may be empty.
template <class Statements> void when(writer& w, const std::string& guard, Statements statements) {
  if (!guard.empty()) w.line("if (", guard, ") {");
  statements();
  if (!guard.empty()) w.line("}");
}

inline void barrier(stage_text& s) {
  s.w.line("barrier(CLK_LOCAL_MEM_FENCE", s.in_place ? " | CLK_GLOBAL_MEM_FENCE" : "", ");");
}
/// For the items of a transform among themselves: a barrier of its own, number 0 being that of
/// the group (bar.sync a, b: PTX ISA, 9.7.13.1).
inline void own_barrier(stage_text& s) {
  const item_geometry& g = s.g;
  const bool own = s.policy.separate && g.in_rows && g.out_rows && g.rows && g.items % 32 == 0 &&
                   g.together > 1 && g.together < 16;
  if (!own) return barrier(s);
  s.w.line("asm volatile(\"bar.sync %0, ", g.items, ";\" :: \"r\"(c + 1) : \"memory\");");
}
/// Before a transform writes its local memory again.
inline void free_local(stage_text& s) {
  if (s.used) own_barrier(s);
  s.used = true;
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
        : group % count == 0 ? sum(std::string_view(base), at / count * g.pitch)
        : count % group == 0
            ? sum("lid", at / count * g.pitch + at % count)
            : cat(number, " / ", count, " * ", g.pitch, " + ", number, " % ", count);
    tell(at, local, less(number, numbered("here * ", count)));
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
        const std::string lid = sum("lid", at);
        if (first) {
          s.w.line("const int i", at, " = ", whole ? lid : call_text("min", lid, all - 1), ";");
          s.w.call(rows ? "ROW_PLACE" : "COLUMN_PLACE", at, count);
        }
        when(s.w, whole || first ? std::string() : less(lid, all), [&] { tell(at, first); });
      }
    }
    s.w.line("}");
  }
}

/// EXCHANGE: points written as outputs of radix r behind `before` by the items of `writers`, read
/// as inputs of radix `next` by those of item_map{}.
inline void exchange(stage_text& s, const std::vector<complex_name>& y, std::int64_t before, int r,
                     int next, const item_map& writers) {
  const item_geometry& g = s.g;
  writer& w = s.w;
  const std::int64_t scale = g.scale();
  const detail::fft_gap gap = detail::gap_of(g, before, r, next, s.policy.padding);
  const auto with_gap = [&](const std::string& i) {
    return gap.words == 0 ? i : cat("(", i, ") + (", i, ") / ", gap.every, " * ", gap.words);
  };
  // A place in local memory by point i of transform c, under a new name.
  const auto place = [&](const char* kind, const std::string& i, const std::string& c) {
    std::string name = numbered(kind, ++s.names);
    const std::string inner = name + "i";
    w.line("const int ", inner, " = ", g.rows ? i : cat("(", i, ") * ", g.together, " + ", c), ";");
    w.line("const int ", name, " = ", g.rows ? cat(c, " * ", g.pitch, " + ") : std::string(),
           with_gap(inner), ";");
    return name;
  };
  const std::string& t = writers.item;
  const item_map readers;
  std::vector<std::string> to, from;  // where the outputs, and the inputs, of butterfly k begin
  const int count = g.butterflies(r), reads = g.butterflies(next);
  const bool even = g.items % before == 0;  // the place of t is that of every butterfly
  for (int k = 0; k < count; ++k) {
    if (even && k > 0) {
      ++s.names;
      to.push_back(sum(to[0], gap.padded(std::int64_t{k} * g.items * r * scale)));
      continue;
    }
    const std::string j = k == 0 ? t : cat("(", t, " + ", k * g.items, ")");
    to.push_back(place("w",
                       before == 1
                           ? cat(j, " * ", r)
                           : cat(j, " / ", before, " * ", before * r, " + ", j, " % ", before),
                       writers.transform));
  }
  // Legs are whole blocks apart. Items without a butterfly read those of another: variables that
  // may keep old values would hold registers twice.
  for (int k = 0; k < reads; ++k) {
    const std::int64_t further = std::int64_t{k} * g.items * scale;
    const bool always = exists(g, next, k, readers.item).empty();
    if (k > 0 && always && (g.folded || gap.words == 0 || further % gap.every == 0))
      from.push_back(sum(from[0], gap.padded(further)));
    else
      from.push_back(place("u", butterfly(g, next, k), readers.transform));
  }
  // Without a macro where parts are apart: the text may be the user's (group_text.hpp).
  const auto write = [&](const char* plane, std::string complex_name::*part) {
    for (int k = 0; k < count; ++k)
      when(w, exists(g, r, k, t), [&] {
        for (int m = 0; m < r; ++m) {
          const std::string at = sum(to[static_cast<std::size_t>(k)], m * before * scale);
          const complex_name& one = y[value_place(k, r, m)];
          g.pairs ? w.call("PUT", at, one.re, one.im)
                  : w.line(plane, "[", at, "] = ", one.*part, ";");
        }
      });
  };
  const auto read = [&](const char* plane, std::string complex_name::*part) {
    for (int e = 0; e < reads * next; ++e) {
      const std::string at = sum(from[static_cast<std::size_t>(e / next)],
                                 gap.padded(e % next * (g.points / next) * scale));
      g.pairs ? w.call("GET", at, numbered("x", e))
              : w.line(variable(e).*part, " = ", plane, "[", at, "];");
    }
  };
  constexpr auto re = &complex_name::re, im = &complex_name::im;
  free_local(s);
  write("plane_a", re);
  if (g.planes && !g.pairs) write("plane_b", im);
  own_barrier(s);
  read("plane_a", re);
  if (g.pairs) return;
  if (!g.planes) {
    own_barrier(s);
    write("plane_a", im);
    own_barrier(s);
  }
  read(g.planes ? "plane_b" : "plane_a", im);
}

/// exp(-2 pi i q / n) for q < before as text of the program: its name.
inline std::string constant_table(stage_text& s, std::int64_t before, std::int64_t n) {
  std::string name = cat(s.pass, "_roots_", before, "_", n);
  if (s.constants.find(name + "[") != std::string::npos) return name;
  append(s.constants, "__constant ", s.w.type(), " ", name, "[", 2 * before, "] = {");
  for (std::int64_t q = 0; q < before; ++q) {
    const auto [re, im] = root_of_unity(q, n);
    append(s.constants, q % 4 == 0 ? "\n    " : " ", s.w.number(re), ", ", s.w.number(im),
           q + 1 < before ? "," : "");
  }
  s.constants += "};\n";
  return name;
}

/// Legs 1, 2, … of butterfly k times their factors, those of the butterflies of radix r behind
/// `before`: each by its root, or as a power of that of leg 1. `factors` keeps those of the
/// butterfly before, which may have the same. `soon`: what the table gives may be read before all
/// else. Of `before` points the `base` of other axes have no factors between them. Throws
/// policy_error where the arithmetic has not the functions that the policy wants.
inline void turn_legs(stage_text& s, std::vector<complex_name>& legs,
                      std::vector<complex_name>& factors, std::int64_t before, std::int64_t base,
                      int r, int k, const std::string& t, bool soon) {
  using enum fft_twiddles;
  const fft_twiddles from = s.policy.twiddles;
  writer& w = s.w;
  const bool by_native = from == native || from == native_powers;
  if (w.is_double() && by_native)
    throw policy_error("twiddles native and native_powers are for float: double has no native_cos");
  const std::int64_t own = before / base, n = own * r;
  const bool same = s.g.items % before == 0, each_by_root = from == table || from == native;
  if (!same) factors.clear();
  const std::string name = numbered("q", ++s.names);
  const bool first_only = soon && from == powers && (same || s.g.butterflies(r) <= 2);
  std::string& place = first_only ? s.early : w.text;
  if (factors.empty())
    append(place, "    const int ", name, " = (", t,
           same ? std::string() : cat(" + ", k * s.g.items), ") % ", before,
           base == 1 ? std::string() : cat(" / ", base), ";\n");
  const auto root = [&](int m) -> complex_name {
    if (by_native || from == sinpi) {
      const long double whole = by_native ? -2 * std::numbers::pi_v<long double> : -2;
      const std::string a = w.fresh();
      complex_name y{w.fresh(), w.fresh()};
      w.line("const ", w.type(), " ", a, " = (", w.type(), ")", name, " * ",
             w.number(whole * m / static_cast<long double>(n)), ", ", y.re, " = ",
             by_native ? "native_cos(" : "cospi(", a, "), ", y.im, " = ",
             by_native ? "native_sin(" : "sinpi(", a, ");");
      return y;
    }
    if (from == fft_twiddles::literal) {
      const std::string roots = constant_table(s, own, n);
      return {cat(roots, "[2 * ", name, "]"), cat(roots, "[2 * ", name, " + 1]")};
    }
    std::vector<wide_complex> part;
    for (int leg = 1; leg < (each_by_root ? r : 2); ++leg)
      for (std::int64_t i = 0; i < own; ++i) part.push_back(wide_root(leg * i % n, n));
    const std::int64_t at = s.tables.add(part) + (m - 1) * own;
    const std::string f = numbered("f", ++s.names);
    append(place, "    const ", w.type(), "2 ", f, " = factors[", at, " + ", name, "];\n");
    return {f + ".x", f + ".y"};
  };
  factors.resize(legs.size());
  for (std::size_t m = 1; m < legs.size(); ++m) {
    if (factors[m].re.empty())
      factors[m] = each_by_root || m == 1 ? root(static_cast<int>(m))
                                          : w.product(factors[m / 2], factors[m - m / 2]);
    legs[m] = w.product(legs[m], factors[m]);
  }
}

/// All stages of the radices in this order on the variables, which hold the inputs of the first;
/// returns the outputs, value m of butterfly k being point t + k T + m points / r. With `back`
/// real and imaginary parts change roles, which makes the transform the inverse one. The
/// variables belong to the items of `given`, the outputs to those of item_map{}: the first
/// exchange changes them over. (One stage alone has one item, which is the same of both.)
inline std::vector<complex_name> write_stages(stage_text& s, const std::vector<int>& radices,
                                              bool back, std::vector<complex_name> x,
                                              const item_map& given = {}) {
  if (back) exchange_parts(x);
  std::int64_t before = 1;
  for (std::size_t i = 0; i < radices.size(); ++i) {
    const int r = radices[i], count = s.g.butterflies(r);
    const std::int64_t base = s.g.bases.empty() ? 1 : s.g.bases[i];
    const item_map now = i == 0 ? given : item_map{};
    s.w.line("// radix ", r, ", ", count, " of ", s.g.points / r, " butterflies");
    std::vector<complex_name> y, factors;
    for (int k = 0; k < count; ++k) {
      std::vector<complex_name> legs(x.begin() + k * r, x.begin() + (k + 1) * r);
      if (before > base && !s.g.coprime)
        turn_legs(s, legs, factors, before, base, r, k, now.item, !back);
      legs = s.w.transform(legs);
      y.insert(y.end(), legs.begin(), legs.end());
    }
    const bool last = i + 1 == radices.size();
    if (!last) exchange(s, y, before, r, radices[i + 1], now);
    x = last ? y : variables_of(s.g);
    before *= r;
  }
  if (back) exchange_parts(x);
  return x;
}

}  // namespace clprim::fft_text
