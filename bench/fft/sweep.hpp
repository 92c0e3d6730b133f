#pragma once
// Policies worth trying for the rows of bench_fft --sweep on a GPU: what the rows of fft/tuned.hpp
// are chosen from. Points per work-item set registers and exchanges, work-items per group set how
// many loads a unit has in flight, columns set how long the segments of strided passes are.

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include <clprim/fft/policy.hpp>

#include "problem.hpp"

namespace bench {

using clprim::fft_exchange;
using clprim::fft_policy;
using clprim::fft_streaming;
using clprim::fft_twiddles;

/// The fields that are not the usual ones, as `parse_policy` reads them.
inline std::string short_text(const fft_policy& p) {
  const auto values = [](const fft_policy& of) {
    std::vector<std::string> all;
    clprim::for_each_field(of, [&](std::string_view name, const auto& value) {
      all.push_back("." + std::string(name) + " = " + clprim::detail::value_text(value));
    });
    return all;
  };
  const std::vector<std::string> own = values(p), usual = values({});
  std::string text = "{";
  for (std::size_t i = 0; i < own.size(); ++i) {
    if (own[i] != usual[i]) text += (text.size() > 1 ? ", " : "") + own[i];
  }
  return text + "}";
}

/// Every combination of the values listed.
struct fft_space {
  std::vector<std::pair<int, clprim::number_list<8>>> points_and_radices;
  std::vector<int> groups{128};
  std::vector<int> columns{16};
  std::vector<int> stagings{16};
  std::vector<fft_exchange> exchanges{fft_exchange::planes, fft_exchange::halves,
                                      fft_exchange::pairs};
  std::vector<fft_twiddles> twiddles{fft_twiddles::powers, fft_twiddles::native,
                                     fft_twiddles::table};
  std::vector<fft_streaming> streamings{fft_streaming::none};
  std::vector<int> registers{0};
  std::vector<bool> separates{false};
  std::vector<int> pipelines{0};
  bool transposed = false;
  std::vector<bool> ordereds{false};

  std::vector<fft_policy> all() const {
    std::vector<fft_policy> policies{{.one_pass = 16384, .transposed = transposed}};
    vary(policies, points_and_radices,
         [](fft_policy& p, const std::pair<int, clprim::number_list<8>>& both) {
           p.points = both.first, p.radices = both.second;
         });
    vary(policies, groups, &fft_policy::group);
    vary(policies, columns, &fft_policy::columns);
    vary(policies, stagings, &fft_policy::staging);
    vary(policies, exchanges, &fft_policy::exchange);
    vary(policies, twiddles, &fft_policy::twiddles);
    vary(policies, streamings, &fft_policy::streaming);
    vary(policies, registers, &fft_policy::registers);
    vary(policies, separates, &fft_policy::separate);
    vary(policies, pipelines, &fft_policy::pipeline_kib);
    vary(policies, ordereds, &fft_policy::ordered);
    return policies;
  }

 private:
  /// Every policy with every one of the values.
  template <class Value, class Set>
  static void vary(std::vector<fft_policy>& policies, const std::vector<Value>& values, Set set) {
    std::vector<fft_policy> more;
    for (const fft_policy& one : policies) {
      for (const Value& value : values) {
        more.push_back(one);
        if constexpr (std::is_member_object_pointer_v<Set>)
          more.back().*set = value;
        else
          set(more.back(), value);
      }
    }
    policies = std::move(more);
  }
};

/// The candidates of a row; none for rows that are not known.
inline std::vector<fft_policy> fft_candidates(const fft_row& row) {
  using enum fft_twiddles;
  using enum fft_exchange;
  const std::vector<int> shorts{64, 128, 256}, longs{1}, rows{16};
  const std::vector<fft_twiddles> two{powers, native};
  const std::vector<fft_exchange> every{planes, halves, pairs};
  using past = fft_streaming;
  const std::vector<past> none_or_both{past::none, past::both},
      none_or_lines{past::none, past::lines};
  const std::vector<bool> either{false, true};
  using radices = std::vector<std::pair<int, clprim::number_list<8>>>;
  const auto column_space = [&](const radices& r, const std::vector<int>& columns) {
    return fft_space{r, {128}, columns, rows, every, two};
  };
  // Of lengths whose rows begin within lines of memory.
  const auto unaligned_space = [&](const radices& r, const std::vector<int>& groups) {
    return fft_space{.points_and_radices = r,
                     .groups = groups,
                     .exchanges = every,
                     .twiddles = {native},
                     .streamings = none_or_lines,
                     .ordereds = either};
  };
  static const std::multimap<std::string, fft_space> spaces{
      {"2^4",
       {{{4, {4, 4}}, {8, {8, 2}}, {8, {2, 8}}, {16, {16}}},
        {32, 64, 128},
        rows,
        rows,
        {planes},
        {powers}}},
      {"2^5",
       {{{4, {4, 4, 2}}, {8, {8, 4}}, {8, {4, 8}}}, {32, 64, 128}, rows, rows, {planes}, {native}}},
      {"2^6",
       {{{8, {8, 8}}, {16, {4, 16}}, {4, {4, 4, 4}}},
        {32, 64, 96},
        rows,
        rows,
        {planes},
        {native}}},
      {"2^7",
       {{{4, {4, 4, 4, 2}}, {8, {8, 4, 4}}, {8, {4, 4, 8}}},
        {32, 64, 128},
        rows,
        rows,
        {planes},
        two}},
      {"2^8",
       {{{4, {4, 4, 4, 4}}, {8, {8, 8, 4}}, {8, {4, 8, 8}}, {16, {16, 16}}},
        shorts,
        rows,
        rows,
        every,
        two}},
      {"2^9",
       {{{8, {8, 8, 8}}}, shorts, rows, rows, {planes}, {native}, none_or_both, {0, 32}, either}},
      {"2^10",
       {{{16, {16, 16, 4}}, {8, {8, 8, 4, 4}}, {8, {4, 8, 8, 4}}, {8, {4, 4, 8, 8}}},
        {128, 256},
        rows,
        rows,
        {planes},
        {native},
        {past::none},
        {0},
        either}},
      {"2^11",
       {{{8, {8, 8, 8, 4}}, {8, {4, 8, 8, 8}}, {16, {16, 16, 8}}, {16, {8, 16, 16}}},
        {256, 512},
        rows,
        rows}},
      {"2^12",
       {{{8, {8, 8, 8, 8}},
         {16, {16, 16, 16}},
         {32, {32, 16, 8}},
         {32, {16, 32, 8}},
         {32, {16, 8, 32}}},
        longs,
        rows,
        rows,
        every,
        {native},
        {past::none},
        {0, 40, 80}}},
      {"2^13",
       {.points_and_radices =
            {{16, {8, 8, 8, 16}}, {16, {16, 8, 8, 8}}, {32, {32, 16, 16}}, {8, {8, 4, 8, 4, 8}}},
        .groups = longs,
        .exchanges = every,
        .twiddles = {native},
        .ordereds = either}},
      {"2^14",
       {.points_and_radices =
            {{16, {16, 16, 16, 4}}, {16, {16, 8, 8, 16}}, {32, {32, 32, 16}}, {32, {32, 16, 32}}},
        .groups = longs,
        .exchanges = every,
        .ordereds = either}},
      {"2^16", column_space({{16, {16, 16}}, {8, {8, 8, 4}}, {8, {4, 8, 8}}}, {8, 16, 32})},
      {"2^20",
       column_space({{16, {16, 16, 4}}, {16, {16, 8, 8}}, {8, {8, 8, 4, 4}}, {32, {32, 32}}},
                    {4, 8, 16})},
      {"2^24", column_space({{16, {16, 16, 16}}, {8, {8, 8, 8, 8}}, {32, {32, 16, 8}}}, {2, 4})},
      {"1000",
       unaligned_space({{8, {5, 5, 8, 5}}, {10, {10, 10, 10}}, {20, {20, 10, 5}}, {25, {5, 8, 25}}},
                       {64, 128})},
      {"1536",
       {{{12, {12, 16, 8}}, {8, {8, 8, 8, 3}}, {16, {16, 16, 6}}},
        {64, 128, 256},
        rows,
        rows,
        every,
        two}},
      {"2187",
       unaligned_space({{9, {9, 9, 9, 3}}, {9, {3, 9, 9, 9}}, {27, {27, 27, 3}}, {27, {3, 27, 27}}},
                       {64})},
      {"2401", {{{7, {7, 7, 7, 7}}, {14, {7, 7, 7, 7}}}, {64, 512}, rows, rows, every, two}},
      {"3125",
       unaligned_space(
           {{5, {5, 5, 5, 5, 5}}, {10, {5, 5, 5, 5, 5}}, {25, {25, 25, 5}}, {25, {5, 25, 25}}},
           {64})},
      {"1009",
       {{{17, {16, 9, 7}}},
        {64, 128, 256},
        rows,
        rows,
        {planes},
        {powers},
        {past::none, past::loads, past::both},
        {0, 48},
        either}},
      {"10007",
       {{{32, {20, 32, 32}},
         {32, {26, 28, 28}},
         {32, {28, 28, 26}},
         {32, {32, 32, 20}},
         {24, {12, 12, 12, 12}}},
        longs,
        rows,
        rows,
        every,
        {powers}}},
      {"real 1024",
       {{{8, {8, 8, 8}}, {16, {16, 8, 4}}, {4, {4, 4, 4, 4, 2}}, {8, {8, 4, 4, 4}}},
        {256, 512},
        rows,
        rows,
        {planes},
        {native},
        {past::none},
        {0, 32},
        either}},
      {"double 1024",
       {{{4, {4, 4, 4, 4, 4}}, {8, {8, 8, 8, 2}}},
        shorts,
        rows,
        rows,
        {planes},
        {powers, table},
        none_or_both}},
      {"1024x1024",
       column_space({{16, {16, 16, 4}}, {16, {16, 8, 8}}, {8, {8, 8, 4, 4}}, {32, {32, 32}}},
                    {4, 8, 16})},
      {"4096x4096",
       {{{16, {16, 16, 16}}, {16, {8, 16, 16, 4}}, {32, {32, 16, 8}}, {32, {8, 32, 16}}},
        {128},
        {4},
        rows,
        every,
        two,
        {past::none, past::both},
        {0},
        {false},
        {0},
        true}},
      {"256x256x256",
       {{{16, {16, 16}}},
        {128},
        {16, 32},
        rows,
        every,
        two,
        {past::both},
        {0},
        {false},
        {8192, 10240, 12288, 14336, 16384}}},
  };
  std::vector<fft_policy> all;
  const auto [first, last] = spaces.equal_range(row.name);
  for (auto space = first; space != last; ++space) {
    const std::vector<fft_policy> more = space->second.all();
    all.insert(all.end(), more.begin(), more.end());
  }
  return all;
}

}  // namespace bench
