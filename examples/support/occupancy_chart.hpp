#pragma once
// Tables and curves of the occupancy of one kernel, as text and as a picture.

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <fstream>
#include <iomanip>
#include <ostream>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include <clprim/core/occupancy/explain.hpp>
#include <clprim/core/occupancy/first_generation.hpp>

namespace examples {

using clprim::group_use;
using clprim::unit_limits;

struct curve {
  std::string title;
  std::int64_t chosen = 0;
  struct point {
    std::int64_t x = 0;
    int warps = 0;
  };
  std::vector<point> points;
  std::string title_in_kib{};
};

inline int resident_warps(const unit_limits& unit, const group_use& use) {
  return clprim::occupancy_of(unit, use).warps;
}

inline std::vector<curve> curves_of(const unit_limits& unit, const group_use& kernel) {
  std::vector<curve> curves{{"work-group size (work-items)", kernel.work_items, {}},
                            {"registers per work-item", kernel.registers, {}},
                            {"local memory per work-group (bytes)",
                             kernel.local_bytes,
                             {},
                             "local memory per work-group (KiB)"}};
  const int step = std::min(unit.warp_width, unit.max_group_items);
  for (int items = step; items <= unit.max_group_items; items += step) {
    group_use use = kernel;
    use.work_items = items;
    curves[0].points.push_back({items, resident_warps(unit, use)});
  }
  for (int registers = 1; registers <= std::min(unit.max_registers, 512); ++registers) {
    group_use use = kernel;
    use.registers = registers;
    curves[1].points.push_back({registers, resident_warps(unit, use)});
  }
  const std::int64_t grain = std::max<std::int64_t>(256, unit.group_local_bytes / 512);
  for (std::int64_t bytes = 0; bytes <= unit.group_local_bytes; bytes += grain) {
    group_use use = kernel;
    use.local_bytes = bytes;
    curves[2].points.push_back({bytes, resident_warps(unit, use)});
  }
  return curves;
}

inline void print_tables(std::ostream& out, const unit_limits& unit, const group_use& use) {
  const auto o = clprim::occupancy_of(unit, use);
  const auto row = [&](const char* what, auto value) {
    out << "  " << std::left << std::setw(44) << what << std::right << std::setw(12) << value
        << "\n";
  };
  const auto bound = [&](const char* what, int groups) {
    if (groups != clprim::unbounded) row(what, groups);
  };
  out << "Occupancy on " << unit.name << " (" << to_string(o.known) << ")\n";
  row("active work-items per unit", o.work_items);
  row("active warps per unit", o.warps);
  row("active work-groups per unit", o.groups);
  row("occupancy, %", std::lround(100 * o.fraction()));
  out << "Physical limits per unit\n";
  row("work-items per warp", unit.warp_width);
  row("warps", unit.max_warps);
  row("work-groups", unit.max_groups);
  row("registers per lane, all partitions", unit.lane_registers * unit.partitions);
  row("local memory, bytes", unit.local_bytes);
  row("largest work-group, work-items", unit.max_group_items);
  out << "Allocation per work-group\n";
  row("warps", o.warps_per_group);
  row("registers", o.group_registers);
  row("local memory, bytes", o.group_local_bytes);
  out << "Work-groups per unit, limited by\n";
  bound("warps", o.bounds.warps);
  bound("registers", o.bounds.registers);
  bound("scalar registers", o.bounds.scalar_registers);
  bound("local memory", o.bounds.local_memory);
  bound("work-group slots", o.bounds.groups);
  bound("barriers", o.bounds.barriers);
  out << "\n" << clprim::explain(unit, use, o);
  if (unit.owner == clprim::register_owner::group)
    out << "\nThe devices of the first generation\n" << clprim::first_generation_table();
}

// One line per plateau: a curve of 256 registers has some fifteen of them.
inline void print_curve(std::ostream& out, const curve& c, int slots) {
  out << "\nresident warps by " << c.title << "\n";
  for (std::size_t i = 0; i < c.points.size();) {
    std::size_t end = i;
    while (end < c.points.size() && c.points[end].warps == c.points[i].warps) ++end;
    const auto first = c.points[i].x, last = c.points[end - 1].x;
    const bool here = c.chosen >= first && (end == c.points.size() || c.chosen < c.points[end].x);
    const int bar = c.points[i].warps * 48 / slots;
    out << std::right << std::setw(8) << first << (last != first ? " - " : "   ") << std::left
        << std::setw(8) << (last != first ? std::to_string(last) : "") << std::right << std::setw(4)
        << c.points[i].warps << " " << std::string(static_cast<std::size_t>(bar), '#')
        << (here ? " <" : "") << "\n";
    i = end;
  }
}

// Every quarter of the most, or the power of two that gives about so many marks.
inline std::int64_t tick_of(std::int64_t most) {
  std::int64_t tick = 1;
  while (most / tick > 5) tick *= 2;
  return tick;
}

// One chart of the picture, its corner at (left, top). A group takes whole warps and memory whole
// grains, so what holds at a point holds for all sizes since the point before.
inline void draw_chart(std::ostream& svg, const curve& c, int warps, int slots, int left, int top) {
  constexpr int width = 300, height = 210;
  const bool in_kib = c.points.back().x > 16384;
  const std::int64_t scale = in_kib ? 1024 : 1;
  const auto most = std::max<std::int64_t>(c.points.back().x, 1);
  const auto x = [&](std::int64_t v) {
    return left + static_cast<double>(v) / static_cast<double>(most) * width;
  };
  const auto y = [&](int n) { return top + height - static_cast<double>(n) / slots * height; };
  const auto text = [&](double at_x, double at_y, const char* anchor, const std::string& words,
                        const char* more = "") {
    svg << "<text x='" << at_x << "' y='" << at_y << "' text-anchor='" << anchor << "' " << more
        << ">" << words << "</text>\n";
  };
  for (int quarter = 0; quarter <= 4; ++quarter) {
    const double level = y(0) - height * quarter / 4.0;
    svg << "<line x1='" << left << "' x2='" << left + width << "' y1='" << level << "' y2='"
        << level << "' stroke='" << (quarter == 0 ? "#555" : "#ddd") << "'/>\n";
    text(left - 6, level + 4, "end", std::to_string(slots * quarter / 4));
    text(left + width + 6, level + 4, "start", std::to_string(25 * quarter) + " %", "fill='#888'");
  }
  const std::int64_t tick = scale * tick_of(most / scale);
  for (std::int64_t at = 0; at <= most; at += tick) {
    svg << "<line x1='" << x(at) << "' x2='" << x(at) << "' y1='" << y(0) << "' y2='" << y(0) + 4
        << "' stroke='#555'/>\n";
    text(x(at), y(0) + 18, "middle", std::to_string(at / scale));
  }
  std::ostringstream steps;
  for (std::size_t i = 0; i < c.points.size(); ++i) {
    steps << (i > 0 ? x(c.points[i - 1].x) : left) << "," << y(c.points[i].warps) << " "
          << x(c.points[i].x) << "," << y(c.points[i].warps) << " ";
  }
  svg << "<polygon fill='#06c' fill-opacity='0.1' points='" << left << "," << y(0) << " "
      << steps.str() << left + width << "," << y(0) << "'/>\n<polyline fill='none' stroke='#06c' "
      << "stroke-width='1.8' points='" << steps.str() << "'/>\n";
  svg << "<line stroke='#c00' stroke-dasharray='3 3' x1='" << x(c.chosen) << "' x2='" << x(c.chosen)
      << "' y1='" << y(0) << "' y2='" << y(warps) << "'/>\n<circle r='4.5' fill='#c00' cx='"
      << x(c.chosen) << "' cy='" << y(warps) << "'/>\n";
  const bool near_right = c.chosen > most - most / 4;
  text(x(c.chosen) + (near_right ? -8 : 8), y(warps) - 7, near_right ? "end" : "start",
       std::to_string(c.chosen / scale) + (in_kib ? " KiB" : ""), "fill='#c00'");
  text(left + width / 2, top + height + 38, "middle", in_kib ? c.title_in_kib : c.title,
       "font-size='12'");
}

inline void write_svg(const std::string& path, const unit_limits& unit, const group_use& use) {
  const auto o = clprim::occupancy_of(unit, use);
  std::ofstream svg(path);
  svg << "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 1210 320' width='1210' height='320' "
         "font-family='sans-serif' font-size='11'>\n<rect width='100%' height='100%' "
         "fill='white'/>\n<text x='605' y='22' text-anchor='middle' font-size='14'>"
      << unit.name << ": groups of " << use.work_items << " work-items, " << use.registers
      << " registers, " << use.local_bytes << " bytes of local memory</text>\n"
      << "<text x='605' y='42' text-anchor='middle' font-size='12' fill='#555'>" << o.groups
      << " groups resident, " << o.warps << " of " << o.max_warps << " warps ("
      << std::lround(100 * o.fraction()) << " %), limited by " << clprim::limiter_names(o.limiters)
      << "</text>\n<text transform='translate(16 165) rotate(-90)' text-anchor='middle' "
         "font-size='12'>resident warps</text>\n";
  int left = 55;
  for (const auto& c : curves_of(unit, use)) {
    draw_chart(svg, c, o.warps, unit.max_warps, left, 60);
    left += 395;
  }
  svg << "</svg>\n";
  if (!svg.flush()) throw clprim::error("the picture could not be written to " + path);
}

}  // namespace examples
