#pragma once
// What the sections of the tour share. A primitive joins the tour by a file of its own beside this
// one, with one function `void tour_<primitive>(tour&)`, and a line in the list of
// examples/tour.cpp.

#include <algorithm>
#include <filesystem>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <clprim/runtime/device.hpp>

#include "../support/check_gemm.hpp"
#include "../support/device.hpp"
#include "../support/image.hpp"
#include "../support/roofs.hpp"
#include "../support/terminal.hpp"

namespace examples {

/// One line of the table.
struct tour_row {
  std::string primitive{};
  std::string problem{};
  std::string policy{};
  double seconds = 0;
  double operations = 0;  ///< that the problem needs; 0 for one that only moves data
  double bytes = 0;       ///< that must be read and written at least
  accuracy checked{};
};

/// What a section is given, and what it hands in.
struct tour {
  clprim::session on;
  clprim::device_facts facts;
  roofs roof;
  image picture;
  int size = 0;  ///< of the plain product; 0: suits the device
  int quality = 50;
  std::filesystem::path folder;  ///< for the pictures that are written
  progress* telling = nullptr;

  std::vector<tour_row> rows;
  std::vector<std::string> explained;  ///< one text per row
  std::vector<std::string> notes;      ///< what else a person wants to know, in order
  std::vector<std::string> pictures;   ///< what was written, and what it shows

  void step(std::string what) const {
    if (telling != nullptr) telling->step(std::move(what));
  }
  void write(const image& shown, const std::string& name, const std::string& what) {
    save_png(shown, folder / name);
    pictures.push_back((folder / name).string() + ": " + what);
  }
  void add(tour_row row, std::string explanation) {
    rows.push_back(std::move(row));
    explained.push_back(std::move(explanation));
  }
  bool all_right() const {
    return !rows.empty() &&
           std::all_of(rows.begin(), rows.end(), [](const tour_row& r) { return r.checked.ok(); });
  }
};

}  // namespace examples
