// The occupancy calculator: tables and the three curves for one kernel on one device, as text and,
// if asked, as a picture; or the answers to a whole file of kernels.
//
//   occupancy_calculator --device 9.0 --work-items 256 --registers 64 --svg occupancy.svg
//   occupancy_calculator --device gfx90a --work-items 256 --registers 96
//   occupancy_calculator --csv tests/data/occupancy-nvidia.csv
//
// A file has the columns cc,threads,regs,smem_bytes, and may have the expected
// active_groups,limiting_mask: then disagreements are counted, and any makes the exit status 1.

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <iomanip>
#include <iostream>
#include <sstream>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>

#include <clprim/core/occupancy/explain.hpp>

namespace {

using clprim::group_use;
using clprim::unit_limits;

// "9.0" or "90", "gfx1030", "gen9" … "xe2", "cpu".
unit_limits device_named(const std::string& name, int width) {
  using enum clprim::intel_architecture;
  if (const auto gfx = clprim::gfx_version_of(name); clprim::knows_amd(gfx)) {
    return clprim::amd_limits(gfx, width);
  }
  const std::pair<const char*, clprim::intel_architecture> intel[]{
      {"gen9", gen9},     {"gen11", gen11},   {"xe_lp", xe_lp},
      {"xe_hpg", xe_hpg}, {"xe_hpc", xe_hpc}, {"xe2", xe2}};
  for (const auto& [key, architecture] : intel) {
    if (name == key) return clprim::intel_limits(architecture, width == 0 ? 16 : width);
  }
  if (name == "cpu") return clprim::cpu_limits(4096, 512 * 1024);
  std::string digits = name;
  digits.erase(std::remove(digits.begin(), digits.end(), '.'), digits.end());
  const bool number = !digits.empty() && digits.size() <= 3 &&
                      digits.find_first_not_of("0123456789") == std::string::npos;
  if (number && clprim::knows_nvidia(std::stoi(digits))) {
    return clprim::nvidia_limits(std::stoi(digits));
  }
  throw clprim::argument_error(
      "device", "must be one the occupancy tables know", "'" + name + "'",
      "a compute capability such as 9.0, a gfx name such as gfx1030, gen9, "
      "gen11, xe_lp, xe_hpg, xe_hpc, xe2 or cpu are known");
}

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

int resident_warps(const unit_limits& unit, const group_use& use) {
  return clprim::occupancy_of(unit, use).warps;
}

std::vector<curve> curves_of(const unit_limits& unit, const group_use& kernel) {
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

void print_tables(std::ostream& out, const unit_limits& unit, const group_use& use) {
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
}

// One line per plateau: a curve of 256 registers has some fifteen of them.
void print_curve(std::ostream& out, const curve& c, int slots) {
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
std::int64_t tick_of(std::int64_t most) {
  std::int64_t tick = 1;
  while (most / tick > 5) tick *= 2;
  return tick;
}

// One chart of the picture, its corner at (left, top). A group takes whole warps and memory whole
// grains, so what holds at a point holds for all sizes since the point before.
void draw_chart(std::ostream& svg, const curve& c, int warps, int slots, int left, int top) {
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

void write_svg(const std::string& path, const unit_limits& unit, const group_use& use) {
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

// The answers to a file; the number of rows whose expected columns differ.
int answer_file(const std::string& path) {
  std::ifstream file(path);
  if (!file) throw clprim::error("the file " + path + " could not be opened");
  std::string line;
  std::getline(file, line);
  std::cout << "cc,threads,regs,smem_bytes,active_groups,limiting_mask\n";
  int rows = 0, different = 0;
  while (std::getline(file, line)) {
    std::istringstream cells(line);
    std::string device, cell;
    std::getline(cells, device, ',');
    std::vector<long> numbers;
    while (std::getline(cells, cell, ','))
      numbers.push_back(std::strtol(cell.c_str(), nullptr, 10));
    if (numbers.size() < 3) throw clprim::error("a row has fewer than four columns: " + line);
    const auto o =
        clprim::occupancy_of(device_named(device, 0), {.work_items = static_cast<int>(numbers[0]),
                                                       .registers = static_cast<int>(numbers[1]),
                                                       .local_bytes = numbers[2]});
    std::cout << device << "," << numbers[0] << "," << numbers[1] << "," << numbers[2] << ","
              << o.groups << "," << o.limiters << "\n";
    ++rows;
    if (numbers.size() >= 5 &&
        (numbers[3] != o.groups || numbers[4] != static_cast<long>(o.limiters))) {
      ++different;
    }
  }
  std::cerr << rows << " rows, " << different << " differ from the file's own answers\n";
  return different;
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app("How many work-groups of a kernel are resident on one unit of a device");
  std::string device = "9.0", csv, svg;
  group_use use{.work_items = 256, .registers = 32};
  int width = 0;
  app.add_option("-d,--device", device,
                 "9.0, gfx1030, gen9, gen11, xe_lp, xe_hpg, xe_hpc, xe2, cpu")
      ->capture_default_str();
  app.add_option("-w,--work-items", use.work_items, "work-group size")->capture_default_str();
  app.add_option("-r,--registers", use.registers, "registers per work-item")->capture_default_str();
  app.add_option("-l,--local", use.local_bytes, "bytes of local memory per work-group")
      ->capture_default_str();
  app.add_option("-b,--barriers", use.barriers, "barriers per work-group")->capture_default_str();
  app.add_option("--width", width, "wavefront or SIMD width, where the device has several");
  app.add_option("--svg", svg, "write the three curves to this file");
  app.add_option("--csv", csv, "answer every row of this file instead");
  CLI11_PARSE(app, argc, argv);
  try {
    if (!csv.empty()) return answer_file(csv) == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
    const unit_limits unit = device_named(device, width);
    print_tables(std::cout, unit, use);
    for (const auto& c : curves_of(unit, use)) print_curve(std::cout, c, unit.max_warps);
    if (!svg.empty()) write_svg(svg, unit, use);
  } catch (const clprim::error& e) {
    std::cerr << "occupancy_calculator: " << e.what() << "\n";
    return EXIT_FAILURE;
  }
  return EXIT_SUCCESS;
}
