#pragma once
// User parameters under names that kernels use: macros, parameters, functions, loop variables.

#include <string>
#include <vector>

#include <clprim/core/function.hpp>
#include <clprim/runtime/argument.hpp>

namespace support {

/// One function with a parameter for each of the names, so that one program tries them all.
struct taken_names {
  std::vector<std::string> names{
      "V",      "W",          "ITEMS",       "EACH",       "TILE_ROWS", "TILE_COLS", "GROUP",
      "VECTOR", "PER_ITEM",   "WALK",        "RESTRICT",   "INLINE",    "INDEX",     "PACK",
      "UNPACK", "OUT_STORED", "IN_STORED",   "OUT_RUN",    "IN_RUN",    "STORED",    "SLOT",
      "POOL",   "PITCH",      "LEAD",        "PIECE",      "HELD",      "RUNS",      "BLOCKS",
      "OUTER",  "CONVERT",    "CONVERT_RUN", "BLOCK_LOOP", "MAP_AT",    "LOAD_ALL",  "INPUTS",
      "READ0",  "IN0_RUN",    "CAPACITY",    "STRIP",      "LOCAL",     "PASS",      "GATHERS",
      "LOAD",   "STORE",      "NARROW",      "STREAMING",  "EXCHANGE",  "ORDER",     "BANKS",
      "DIRECT", "UNALIGNED",  "slope",       "item",       "k",         "e",         "count",
      "from",   "from0",      "to",          "in",         "out",       "rows",      "cols",
      "tile",   "scale",      "bits",        "done",       "r",         "c",         "block",
      "pool",   "run",        "user_0",      "user_1",     "transpose", "map",       "m",
      "n",      "first",      "workspace",   "y"};

  /// The body `return x * (V + W + …);`.
  clprim::function times(const std::string& x) const {
    clprim::function f{"return " + x + " * (", {}};
    for (const std::string& name : names) {
      f.body += (f.parameters.empty() ? "" : " + ") + name;
      f.parameters.push_back(clprim::value<float>(name));
    }
    f.body += ");";
    return f;
  }
  /// Whole numbers, whose sum is exact: parameters that change places change it.
  std::vector<clprim::argument> values() const {
    std::vector<clprim::argument> all;
    for (std::size_t i = 0; i < names.size(); ++i) all.emplace_back(weight(i));
    return all;
  }
  std::vector<float> expected(std::vector<float> x) const {
    float sum = 0;
    for (std::size_t i = 0; i < names.size(); ++i) sum += weight(i);
    for (float& one : x) one *= sum;
    return x;
  }

 private:
  static float weight(std::size_t i) { return static_cast<float>(i + 1); }
};

}  // namespace support
