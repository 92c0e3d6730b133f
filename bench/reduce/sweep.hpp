#pragma once
// Policies worth trying for the reductions of bench_reduce --sweep on an NVIDIA GPU. A reader of
// memory at 4.8 TB/s and 0.6 us latency needs some 3 MB in flight: 22 KB per unit of 132 at the
// least, twice that in practice. Hence work-items x loads x 16 bytes between 32 and 128 KB.

#include <string>
#include <vector>

#include <clprim/reduce/policy.hpp>

namespace bench {

using clprim::group_finish;
using clprim::group_method;
using clprim::reduce_policy;

/// What a candidate differs in, in short.
inline std::string short_text(const reduce_policy& p) {
  const auto number = [](const char* name, int n) { return name + std::to_string(n); };
  std::string text = number("group ", p.group) + number(" loads ", p.loads) +
                     number(" per unit ", p.groups_per_unit) + number(" least ", p.least_steps) +
                     number(" row steps ", p.row_steps) + number(" columns ", p.columns);
  if (p.ragged_tile > 0) text += number(" tile ", p.ragged_tile);
  if (p.grid_stride) text += " stride";
  if (p.streaming) text += " streaming";
  if (p.registers > 0) text += number(" registers ", p.registers);
  if (p.method != group_method::shuffle) text += " two_steps";
  return text + " " +
         std::string(
             clprim::enum_names<group_finish>::names.at(static_cast<std::size_t>(p.finish)));
}

inline reduce_policy sweep_base() {
  reduce_policy p{.group = 512, .vector = 4, .loads = 4};
  p.method = group_method::shuffle;
  p.finish = group_finish::last_group;
  p.groups_per_unit = 0;
  p.least_steps = 1;
  p.streaming = true;
  return p;
}

/// Of one result over 2^log2 elements; `located`: with its place. As many groups as are resident,
/// which fewer registers make more: 32 fill the unit, 40 three quarters of it.
inline std::vector<reduce_policy> whole_candidates(int log2, bool located) {
  using enum group_finish;
  std::vector<reduce_policy> all;
  const bool small = log2 < 22;
  for (const auto finish : {last_started, last_group, last_group_fenced}) {
    for (const int group : {128, 256, 512, 1024}) {
      for (const int loads : {1, 2, 4}) {
        for (const int registers : {0, 32, 40}) {
          if (small ? registers > 0 || group == 1024 || finish == last_group_fenced : group < 256)
            continue;
          if (!small && group != 512 && registers == 0) continue;
          if (registers == (loads == 4 ? 32 : 40) && !located && loads != 2) continue;
          reduce_policy p = sweep_base();
          p.group = group;
          p.loads = loads;
          p.registers = registers;
          p.finish = finish;
          all.push_back(p);
        }
      }
    }
  }
  return all;
}

/// Of rows that a group or a part of one takes.
inline std::vector<reduce_policy> row_candidates() {
  std::vector<reduce_policy> all;
  for (const int group : {128, 256, 512, 1024}) {
    for (const int loads : {1, 2, 4, 8}) {
      for (const int steps : {4, 8, 32}) {
        if (steps < loads || (steps == 32 && loads < 4)) continue;
        reduce_policy p = sweep_base();
        p.group = group;
        p.loads = loads;
        p.row_steps = steps;
        p.groups_per_unit = 4;
        all.push_back(p);
      }
    }
  }
  return all;
}

/// Of columns: tiles of columns, rows in flight, groups that share the rows of a tile.
inline std::vector<reduce_policy> column_candidates() {
  std::vector<reduce_policy> all;
  for (const int group : {256, 512}) {
    for (const int columns : {16, 32, 64, 128}) {
      for (const int loads : {4, 8}) {
        for (const int per_unit : {1, 2, 4, 8}) {
          reduce_policy p = sweep_base();
          p.group = group;
          p.columns = columns;
          p.loads = loads;
          p.groups_per_unit = per_unit;
          p.finish = group_finish::last_group_fenced;
          all.push_back(p);
        }
      }
    }
  }
  return all;
}

/// Of short segments: by tiles of several sizes, and directly.
inline std::vector<reduce_policy> ragged_candidates() {
  std::vector<reduce_policy> all;
  for (const int group : {128, 256, 512}) {
    for (const int tile : {0, 2048, 4096, 8192}) {
      for (const int loads : {1, 2, 4, 8}) {
        if (tile > 0 && (tile / group > 32 || tile / group < 8 || 4 * group * loads > tile))
          continue;
        if (tile == 0 && (group != 256 || loads > 2)) continue;
        reduce_policy p = sweep_base();
        p.group = group;
        p.loads = loads;
        p.ragged_tile = tile;
        p.groups_per_unit = 4;
        p.finish = group_finish::second_kernel;
        all.push_back(p);
      }
    }
  }
  return all;
}

}  // namespace bench
