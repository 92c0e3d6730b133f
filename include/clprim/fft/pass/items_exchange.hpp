#pragma once
// The seam EXCHANGE of a pass by items: between two stages values change hands in local memory. And
// what all seams are written with: variables, guards, barriers.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <clprim/core/source.hpp>
#include <clprim/fft/codelet/codelet.hpp>
#include <clprim/fft/pass/items.hpp>
#include <clprim/fft/plan/tables.hpp>
#include <clprim/fft/policy.hpp>

namespace clprim::fft_text {

/// EXCHANGE, three ways: both parts of a value together in one plane, in a plane each, or one part
/// after the other through the only plane.
inline constexpr kernel_text exchange_pairs = R"cl(
#define LOCAL_MEMORY __local ORDERED R2 plane[PLANE];
#define LOCAL_POINTERS __local ORDERED R2 *plane = (__local ORDERED R2 *)room;
#define PUT(at, re, im) plane[at] = (R2)(re, im);
#define GET(at, into) { const R2 p = plane[at]; into##r = p.x; into##i = p.y; }
#define VALUE(at) plane[at]
#define VALUE_RE(at) plane[at].x
#define VALUE_IM(at) plane[at].y
)cl";
inline constexpr kernel_text exchange_planes = R"cl(
#define LOCAL_MEMORY __local ORDERED R plane_a[PLANE]; __local ORDERED R plane_b[PLANE];
#define LOCAL_POINTERS \
    __local ORDERED R *plane_a = (__local ORDERED R *)room, *plane_b = plane_a + PLANE;
#define PUT(at, re, im) plane_a[at] = re; plane_b[at] = im;
#define VALUE(at) (R2)(plane_a[at], plane_b[at])
#define VALUE_RE(at) plane_a[at]
#define VALUE_IM(at) plane_b[at]
)cl";
inline constexpr kernel_text exchange_halves = R"cl(
#define LOCAL_MEMORY __local ORDERED R plane_a[PLANE];
#define LOCAL_POINTERS __local ORDERED R *plane_a = (__local ORDERED R *)room;
)cl";
inline constexpr kernel_text no_exchange = R"cl(
#define LOCAL_MEMORY
#define LOCAL_POINTERS
)cl";

/// Which item of which transform a work-item is, by the names of two variables: where points are
/// rows on one side of a pass and columns on the other, this differs between reading and all that
/// follows the first exchange.
struct item_map {
  std::string item = "t";
  std::string transform = "c";
  friend bool operator==(const item_map&, const item_map&) = default;
};

/// What the stages of a group are written from, and their text so far. Values live in the variables
/// x0r, x0i, x1r, …, in the order of the butterflies of the next stage.
struct stage_text {
  stage_text(const item_geometry& geometry, const fft_policy& policy_, bool is_double,
             fft_tables& tables_, std::string pass_ = "pass")
    : g(geometry),
      policy(policy_),
      tables(tables_),
      pass(std::move(pass_)),
      w(real_type_of(is_double), is_double) {}

  item_geometry g;
  fft_policy policy;
  fft_tables& tables;
  std::string pass;  ///< the pass's own part of names
  writer w;
  std::string constants;  ///< __constant tables that the text reads
  /// Reads of tables that stand before all else, so that nobody waits for them after a barrier:
  /// where one group fills a unit nothing hides that (H200: 10007 points 4 %, 4096 x 4096 0.5 %;
  /// no others but 2^16, -0.2 %).
  std::string early;
  int names = 0;
  bool used = false;  ///< whether local memory has been written

  static std::string real_type_of(bool is_double) { return is_double ? "double" : "float"; }
};

/// Whether all factors come from native functions.
inline bool is_native(const stage_text& s) { return s.policy.twiddles == fft_twiddles::native; }

/// The butterflies of radix r that an item has at most.
inline int butterflies(const item_geometry& g, int r) {
  return static_cast<int>((g.points / r + g.items - 1) / g.items);
}
/// Variables that the stages need.
inline int variables(const item_geometry& g) {
  int most = 1;
  for (const int r : g.radices) most = std::max(most, butterflies(g, r) * r);
  return most;
}
inline complex_name variable(int e) { return {cat("x", e, "r"), cat("x", e, "i")}; }
inline std::string declare(const stage_text& s) {
  std::string text = cat("    ", s.w.type(), " ");
  for (int e = 0; e < variables(s.g); ++e)
    append(text, e > 0 ? ", " : "", variable(e).re, " = 0, ", variable(e).im, " = 0");
  return text + ";\n";
}

/// A condition that butterfly k exists, empty where it always does.
inline std::string exists(const item_geometry& g, int r, int k, const std::string& t) {
  const std::int64_t all = g.points / r;
  if ((k + 1) * std::int64_t{g.items} <= all) return {};
  return cat(t, " + ", k * g.items, " < ", all);
}
/// The number of item t's butterfly k, or where it does not exist, of the first.
inline std::string butterfly(const item_geometry& g, int r, int k) {
  const std::string guard = exists(g, r, k, "t"), j = k == 0 ? "t" : cat("t + ", k * g.items);
  return guard.empty() ? j : cat("(", guard, " ? ", j, " : 0)");
}
/// Statements under a condition, which may be empty.
template <class Statements> void when(writer& w, const std::string& guard, Statements statements) {
  if (!guard.empty()) w.line("if (", guard, ") {");
  statements();
  if (!guard.empty()) w.line("}");
}

inline void barrier(stage_text& s) { s.w.line("barrier(CLK_LOCAL_MEM_FENCE);"); }
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

/// EXCHANGE: points written as outputs of radix r behind `before` by the items of `writers`, read
/// as inputs of radix `next` by those of item_map{}.
inline void exchange(stage_text& s, const std::vector<complex_name>& y, std::int64_t before, int r,
                     int next, const item_map& writers) {
  const item_geometry& g = s.g;
  writer& w = s.w;
  const std::int64_t scale = g.rows ? 1 : g.together;
  const detail::fft_gap gap = detail::gap_of(
      {g.points, g.items, before, r, next, scale, g.folded, detail::banks_of(g.pairs)},
      s.policy.padding);
  const auto with_gap = [&](const std::string& i) {
    return gap.words == 0 ? i : cat("(", i, ") + (", i, ") / ", gap.every, " * ", gap.words);
  };
  // A place in local memory by point i of transform c, under a new name.
  const auto place = [&](const char* kind, const std::string& i, const std::string& c) {
    std::string name = cat(kind, ++s.names);
    const std::string inner = name + "i";
    w.line("const int ", inner, " = ", g.rows ? i : cat("(", i, ") * ", g.together, " + ", c), ";");
    w.line("const int ", name, " = ", g.rows ? cat(c, " * ", g.pitch, " + ") : std::string(),
           with_gap(inner), ";");
    return name;
  };
  const std::string& t = writers.item;
  const item_map readers;
  std::vector<std::string> to, from;  // where the outputs, and the inputs, of butterfly k begin
  const int count = butterflies(g, r), reads = butterflies(g, next);
  const bool even = g.items % before == 0;  // the place of t is that of every butterfly
  for (int k = 0; k < count; ++k) {
    if (even && k > 0) {
      ++s.names;
      to.push_back(cat(to[0], " + ", gap.padded(std::int64_t{k} * g.items * r * scale)));
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
      from.push_back(cat(from[0], " + ", gap.padded(further)));
    else
      from.push_back(place("u", butterfly(g, next, k), readers.transform));
  }
  // `statement` of a place and a value.
  const auto write = [&](const auto& statement) {
    for (int k = 0; k < count; ++k)
      when(w, exists(g, r, k, t), [&] {
        for (int m = 0; m < r; ++m)
          statement(cat(to[static_cast<std::size_t>(k)], " + ", m * before * scale),
                    y[value_place(k, r, m)]);
      });
  };
  const auto read = [&](const auto& statement) {
    for (int k = 0; k < reads; ++k)
      for (int m = 0; m < next; ++m)
        statement(cat(from[static_cast<std::size_t>(k)], " + ",
                      gap.padded(m * (g.points / next) * scale)),
                  k * next + m);
  };
  const auto write_part = [&](const char* plane, std::string complex_name::*part) {
    write([&](const std::string& at, const complex_name& one) {
      w.line(plane, "[", at, "] = ", one.*part, ";");
    });
  };
  const auto read_part = [&](const char* plane, std::string complex_name::*part) {
    read([&](const std::string& at, int e) {
      w.line(variable(e).*part, " = ", plane, "[", at, "];");
    });
  };
  constexpr auto re = &complex_name::re, im = &complex_name::im;
  free_local(s);
  if (g.pairs) {
    write([&](const std::string& at, const complex_name& one) {
      w.line("PUT(", at, ", ", one.re, ", ", one.im, ")");
    });
    own_barrier(s);
    read([&](const std::string& at, int e) { w.line("GET(", at, ", x", e, ")"); });
  } else if (g.planes) {
    write_part("plane_a", re);
    write_part("plane_b", im);
    own_barrier(s);
    read_part("plane_a", re);
    read_part("plane_b", im);
  } else {
    write_part("plane_a", re);
    own_barrier(s);
    read_part("plane_a", re);
    own_barrier(s);
    write_part("plane_a", im);
    own_barrier(s);
    read_part("plane_a", im);
  }
}

}  // namespace clprim::fft_text
