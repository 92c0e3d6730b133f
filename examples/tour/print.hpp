#pragma once
// How the tour tells of itself: one table, then what the first sections ran.

#include <algorithm>
#include <cstdio>
#include <string>
#include <string_view>
#include <vector>

#include "section.hpp"

namespace examples {

/// A share of a roof, which a busy machine may have measured too low.
inline std::string share_of(double share, const char* roof) {
  if (share > 1.05) return std::string("over ") + roof + "*";
  return percent(share) + " of " + roof;
}

/// How near the worst element comes to the error that rounding allows.
inline std::string tolerance_used(const accuracy& a) {
  if (a.bound == 0) return a.error == 0 ? "exact" : "must be exact";
  return percent(a.used) + " of what rounding allows";
}

/// The rate that the nearer roof speaks of, and the share of that roof.
inline void add_line(table& lines, const tour_row& r, const roofs& roof) {
  const double by_operations = r.operations / roof.flops, by_bytes = r.bytes / roof.bytes;
  const bool computes = by_operations >= by_bytes;
  const double rate = (computes ? r.operations : r.bytes) / r.seconds;
  lines.add({r.primitive, r.problem, r.policy, duration(r.seconds),
             short_number(1e-9 * rate) + (computes ? " GFLOP/s" : " GB/s   "),
             share_of((computes ? by_operations : by_bytes) / r.seconds, computes ? "FMA" : "copy"),
             r.checked.ok() ? good("ok") : bad("WRONG"), tolerance_used(r.checked)});
}

/// The lines of an explanation that say most.
inline std::string in_brief(const std::string& explanation) {
  std::string brief;
  for (std::size_t at = 0; at < explanation.size();) {
    const std::size_t end = std::min(explanation.find('\n', at), explanation.size());
    const std::string line = explanation.substr(at, end - at);
    for (const std::string_view kept :
         {"  launch ", "  kernel ", "  resident ", "  work ", "  in flight ", "  predicted "}) {
      if (line.starts_with(kept)) brief += line + "\n";
    }
    at = end + 1;
  }
  return brief;
}

inline void print(const tour& t, bool explain) {
  using enum table::side;
  table lines({{"primitive"},
               {"problem"},
               {"policy: tile, outputs, group"},
               {"time", right},
               {"rate", right},
               {"of roof", right},
               {"check"},
               {"largest error"}});
  for (const tour_row& row : t.rows) add_line(lines, row, t.roof);
  lines.print();
  std::printf(
      "\n%s\n\n",
      faint(
          "roofs: FMA, what multiply-adds alone reach here; copy, what a plain copy moves. "
          "* faster: its data fit\nthe cache, or the machine was busy when the roof was measured.")
          .c_str());
  for (const std::string& note : t.notes) std::printf("%s\n", note.c_str());
  if (!t.pictures.empty()) std::printf("\nPictures:\n");
  for (const std::string& one : t.pictures) std::printf("  %s\n", one.c_str());
  if (explain) {
    for (const std::string& text : t.explained) std::printf("\n%s", text.c_str());
  } else if (!t.rows.empty()) {
    std::printf("\nHow the first of them runs (--explain tells of all):\n%s",
                in_brief(t.explained.front()).c_str());
  }
}

}  // namespace examples
