#pragma once
// The rows of the transposition benchmark.

#include <string>
#include <vector>

#include <clprim/transpose/policy.hpp>

#include "../harness/contest.hpp"

namespace bench {

enum class turn_form {
  apart,     ///< B = Aᵀ
  in_place,  ///< A = Aᵀ
  pixels,    ///< rows of `cols` channels to planes
  planes,    ///< and back
};

struct turn_problem {
  std::string name;
  int bytes = 4;  ///< of an element; 4 is float, 8 double, 16 complex double, 2 half, 1 bytes
  int rows = 0;
  int cols = 0;
  turn_form form = turn_form::apart;
  std::vector<bar> bars{};
  bool quick = false;

  std::size_t elements() const {
    return static_cast<std::size_t>(rows) * static_cast<std::size_t>(cols);
  }
  double work() const { return 2.0 * static_cast<double>(elements()) * static_cast<double>(bytes); }
};

/// A policy in a column of the table.
inline std::string short_text(const clprim::transpose_policy& p) {
  const bool words = p.exchange == clprim::tile_exchange::box && p.unaligned;
  return std::to_string(p.tile_rows) + "x" + std::to_string(p.tile_cols) + " v" +
         std::to_string(p.vector) + " i" + std::to_string(p.items) + " " +
         std::string(clprim::enum_names<clprim::tile_exchange>::names[static_cast<std::size_t>(
             p.exchange)]) +
         (words ? " words" : "") + (p.shear > 0 ? " shear " + std::to_string(p.shear) : "");
}

/// The bars are those that the issue of this primitive sets. For rectangles in place there is none:
/// Catanzaro, Keller and Garland (PPoPP 2014) publish a median of 19.5 GB/s on a Tesla K20c, 9 % of
/// its 208 GB/s.
inline std::vector<turn_problem> gpu_turns() {
  return {
      {"float 8192 8192", 4, 8192, 8192, turn_form::apart, {{"copy", 0.97}}, true},
      {"float 4095 8193", 4, 4095, 8193, turn_form::apart, {{"cuBLAS", 1.08}}, true},
      {"half 8192 8192", 2, 8192, 8192},
      {"double 8192 8192", 8, 8192, 8192, turn_form::apart, {{"copy", 0.95}}},
      {"complex double 4096 8192", 16, 4096, 8192, turn_form::apart, {{"copy", 0.95}}, true},
      {"float 8192 8192 in place", 4, 8192, 8192, turn_form::in_place, {{"copy", 0.9}}},
      {"float 8000 8200 in place", 4, 8000, 8200, turn_form::in_place, {}, true},
      {"double 4099 8191 in place", 8, 4099, 8191, turn_form::in_place},
      {"bytes 16777216 3 pixels", 1, 16777216, 3, turn_form::pixels},
      {"bytes 3 16777216 planes", 1, 3, 16777216, turn_form::planes},
  };
}

inline std::vector<turn_problem> cpu_turns(const std::string& clblast) {
  const std::vector<bar> bars{{"OpenBLAS", 0.9}, {clblast, 1.5}};
  return {
      {"float 4096 4096", 4, 4096, 4096, turn_form::apart, bars, true},
      {"float 4001 3999", 4, 4001, 3999, turn_form::apart, bars, true},
      {"double 2048 4096", 8, 2048, 4096},
      {"float 4096 4096 in place", 4, 4096, 4096, turn_form::in_place},
      {"float 4001 3999 in place", 4, 4001, 3999, turn_form::in_place},
      {"bytes 6291456 3 pixels", 1, 6291456, 3, turn_form::pixels},
      {"bytes 3 6291456 planes", 1, 3, 6291456, turn_form::planes},
  };
}

}  // namespace bench
