#pragma once
// Policies worth trying for the rows of bench_fft --sweep on a GPU: what the rows of fft/tuned.hpp
// are chosen from. Points per work-item set registers and exchanges, work-items per group set how
// many loads a unit has in flight, columns set how long the segments of strided passes are.

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include <clprim/fft/policy.hpp>

#include "problem.hpp"

namespace bench {

using clprim::fft_exchange;
using clprim::fft_policy;
using clprim::fft_twiddles;

/// The fields that candidates differ in.
inline std::string short_text(const fft_policy& p) {
  const auto field = [](const char* name, int value) {
    return std::string(" ") + name + " " + std::to_string(value);
  };
  return field("points", p.points) + field("radices", p.radices) + field("group", p.group) +
         field("columns", p.columns) + field("staging", p.staging) +
         (p.exchange == fft_exchange::halves ? " halves " : " planes ") +
         std::string(
             clprim::enum_names<fft_twiddles>::names[static_cast<std::size_t>(p.twiddles)]) +
         (p.padding ? "" : " no padding");
}

/// Every combination of the values listed.
struct fft_space {
  std::vector<std::pair<int, int>> points_and_radices;
  std::vector<int> groups{128};
  std::vector<int> columns{16};
  std::vector<int> stagings{16};
  std::vector<fft_exchange> exchanges{fft_exchange::planes, fft_exchange::halves};
  std::vector<fft_twiddles> twiddles{fft_twiddles::powers, fft_twiddles::native,
                                     fft_twiddles::table};

  std::vector<fft_policy> all() const {
    std::vector<fft_policy> policies;
    for (const auto& [points, radices] : points_and_radices)
      for (const int group : groups)
        for (const int column : columns)
          for (const int staging : stagings)
            for (const fft_exchange exchange : exchanges)
              for (const fft_twiddles factors : twiddles)
                policies.push_back({.points = points,
                                    .radices = radices,
                                    .group = group,
                                    .columns = column,
                                    .staging = staging,
                                    .exchange = exchange,
                                    .twiddles = factors,
                                    .one_pass = 16384});
    return policies;
  }
};

/// The candidates of a row; none for rows that are not known.
inline std::vector<fft_policy> fft_candidates(const fft_row& row) {
  using enum fft_twiddles;
  using enum fft_exchange;
  const std::vector<int> shorts{64, 128, 256, 512}, longs{1};
  const std::vector<fft_twiddles> two{powers, native};
  static const std::map<std::string, fft_space> spaces{
      {"2^4", {{{4, 404}, {8, 802}, {16, 16}}, shorts, {16}, {16}, {planes}, {powers}}},
      {"2^5",
       {{{4, 80202}, {8, 804}, {16, 1602}, {32, 32}}, shorts, {16}, {16}, {planes}, {powers}}},
      {"2^6", {{{4, 40404}, {8, 808}, {16, 1604}}, shorts, {16}, {8, 16}, {planes}, two}},
      {"2^7",
       {{{8, 80404}, {8, 1608}, {16, 1608}, {16, 816}}, shorts, {16}, {8, 16}, {planes}, two}},
      {"2^8", {{{8, 80804}, {16, 1616}, {8, 1616}}, shorts, {16}, {16}, {planes, halves}, two}},
      {"2^9",
       {{{8, 80808}, {16, 161602}, {16, 160804}}, shorts, {16}, {16}, {planes, halves}, two}},
      {"2^10",
       {{{16, 161604}, {16, 160808}, {8, 8080404}, {32, 3232}}, {64, 128, 256}, {16}, {16}}},
      {"2^11", {{{16, 161608}, {16, 81616}, {8, 8080804}}, {128, 256, 512}, {16}, {16}}},
      {"2^12", {{{16, 161616}, {8, 8080808}, {32, 321608}}, {128, 512}, {16}, {16}}},
      {"2^13",
       {{{16, 16080808}, {16, 16161602}, {16, 8081608}, {32, 321616}, {8, 808080802}},
        longs,
        {16},
        {16}}},
      {"2^14",
       {{{16, 16161604}, {16, 16160808}, {32, 323216}, {32, 321632}, {32, 163232}},
        longs,
        {16},
        {16}}},
      {"2^16", {{{16, 1616}, {8, 1616}}, {128}, {8, 16, 32}, {16}}},
      {"2^20",
       {{{16, 161604}, {16, 160808}, {32, 3232}}, {128}, {8, 16}, {16}, {planes, halves}, two}},
      {"2^24",
       {{{16, 161616}, {32, 321608}, {32, 161616}}, {128}, {2, 4}, {16}, {planes, halves}, two}},
      {"1000",
       {{{10, 101010}, {20, 201005}, {20, 101010}, {8, 8050505}, {25, 251004}},
        {64, 256},
        {16},
        {16},
        {planes, halves},
        two}},
      {"1536",
       {{{16, 161208}, {12, 121608}, {16, 161606}, {8, 8080803}},
        {64, 256},
        {16},
        {16},
        {planes, halves},
        two}},
      {"2187",
       {{{27, 270909}, {9, 9090903}, {9, 90927}, {18, 9090903}},
        {64, 256},
        {16},
        {16},
        {planes, halves},
        two}},
      {"2401",
       {{{7, 7070707}, {14, 7070707}, {21, 7070707}},
        {64, 256},
        {16},
        {16},
        {planes, halves},
        two}},
      {"3125",
       {{{25, 252505}, {10, 505050505}, {25, 250525}, {15, 505050505}, {5, 505050505}},
        {64, 256},
        {16},
        {16},
        {planes, halves},
        two}},
      {"1009",
       {{{16, 160907}, {14, 140908}, {12, 120712}, {16, 120712}},
        {64, 256},
        {16},
        {16},
        {planes, halves},
        two}},
      {"10007",
       {{{16, 0}, {20, 0}, {24, 0}, {32, 0}},
        longs,
        {16},
        {16},
        {planes, halves},
        {powers, native, table}}},
      {"real 1024", {{{8, 80808}, {16, 161602}, {16, 160804}}, shorts, {16}, {16}, {planes}, two}},
      {"double 1024",
       {{{16, 161604}, {16, 160808}, {8, 8080404}},
        {64, 256},
        {16},
        {16},
        {planes, halves},
        {powers, table}}},
      {"1024x1024",
       {{{16, 161604}, {16, 160808}, {32, 3232}}, {128}, {8, 16}, {16}, {planes, halves}, two}},
      {"4096x4096",
       {{{16, 161616}, {32, 321608}, {32, 161616}}, {128}, {2, 4}, {16}, {planes, halves}, two}},
      {"256x256x256", {{{16, 1616}, {8, 1616}}, {128}, {8, 16, 32}, {16}, {planes, halves}, two}},
  };
  const auto found = spaces.find(row.name);
  return found == spaces.end() ? std::vector<fft_policy>{} : found->second.all();
}

}  // namespace bench
