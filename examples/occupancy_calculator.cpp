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

#include "support/occupancy_chart.hpp"

namespace {

using namespace examples;

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
