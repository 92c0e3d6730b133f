#pragma once
// Tables of numbers in text: comma-separated values with a line of names.

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <fstream>
#include <optional>
#include <sstream>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace examples {

/// Cells by rows, under their names.
struct csv {
  std::vector<std::string> names;
  std::vector<std::vector<std::string>> rows;

  std::size_t column(const std::string& name) const {
    const auto at = std::find(names.begin(), names.end(), name);
    if (at != names.end()) return static_cast<std::size_t>(at - names.begin());
    throw std::runtime_error("the table has no column '" + name + "'");
  }
};

/// The number that a cell is, or nothing.
inline std::optional<float> number_in(const std::string& cell) {
  float value = 0;
  const auto [end, failed] = std::from_chars(cell.data(), cell.data() + cell.size(), value);
  if (failed != std::errc() || end != cell.data() + cell.size()) return std::nullopt;
  return value;
}

/// The table in a file; quotes protect commas. Throws std::runtime_error naming the file.
inline csv load_csv(const std::string& path) {
  std::ifstream file(path);
  if (!file) throw std::runtime_error("cannot open the table '" + path + "'");
  const auto cells = [](const std::string& line) {
    std::vector<std::string> found(1);
    bool quoted = false;
    for (const char c : line) {
      if (c == '"')
        quoted = !quoted;
      else if (c == ',' && !quoted)
        found.emplace_back();
      else if (c != '\r')
        found.back() += c;
    }
    return found;
  };
  csv table;
  std::string line;
  if (std::getline(file, line)) table.names = cells(line);
  while (std::getline(file, line)) {
    table.rows.push_back(cells(line));
    table.rows.back().resize(table.names.size());
  }
  if (table.rows.empty()) throw std::runtime_error("the table '" + path + "' has no rows");
  return table;
}

}  // namespace examples
