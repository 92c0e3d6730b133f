#pragma once
// Many policies on the matrices whose bars are tight, beside copy and cuBLAS: what the rows of
// transpose/tuned.hpp are chosen from.

#include <algorithm>
#include <complex>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "../harness/sweep.hpp"
#include "arena.hpp"

namespace bench {

namespace detail {

using clprim::bank_strategy;
using clprim::tile_exchange;
using clprim::tile_order;
using clprim::transpose_policy;

inline transpose_policy tile(int rows, int cols, int vector, int items, tile_exchange exchange,
                             bank_strategy banks, int shear = 0) {
  return {.tile_rows = rows,
          .tile_cols = cols,
          .vector = vector,
          .items = items,
          .exchange = exchange,
          .banks = banks,
          .shear = shear};
}

/// Aligned 4-byte elements: blocks turned in registers against single elements through local
/// memory, 4 to 16 elements per item, orders of groups, stores past the caches.
inline std::vector<transpose_policy> even_candidates() {
  using enum tile_exchange;
  using enum bank_strategy;
  std::vector<transpose_policy> all;
  for (const auto& [r, c, items] : {std::tuple(64, 64, 256),
                                    {128, 64, 512},
                                    {64, 128, 512},
                                    {128, 32, 256},
                                    {32, 128, 256},
                                    {128, 128, 1024},
                                    {256, 32, 512},
                                    {128, 64, 256}})
    all.push_back(tile(r, c, 4, items, local, swizzle));
  for (const auto& [r, c, items] : {std::tuple(64, 64, 256),
                                    {64, 64, 512},
                                    {64, 64, 1024},
                                    {128, 64, 512},
                                    {128, 64, 1024},
                                    {64, 128, 512},
                                    {64, 128, 1024},
                                    {128, 32, 512},
                                    {32, 128, 512},
                                    {32, 64, 256},
                                    {64, 32, 256},
                                    {128, 128, 1024}})
    all.push_back(tile(r, c, 4, items, elements, padding));
  for (const int items : {512, 1024}) all.push_back(tile(64, 64, 2, items, local, swizzle));
  all.push_back(tile(64, 64, 2, 1024, elements, padding));
  const std::size_t plain = all.size();
  for (std::size_t i = 0; i < plain; ++i) {
    if (i > 1 && i != 9 && i != 11 && i != 12) continue;
    transpose_policy p = all[i];
    p.streaming = true;
    all.push_back(p);
    if (i > 0) continue;
    p.streaming = false;
    p.order = tile_order::along_input;
    all.push_back(p);
    p.order = tile_order::diagonal;
    all.push_back(p);
  }
  return all;
}

/// Odd leading dimensions: stores that start where sectors (32 bytes) or lines (128) do.
inline std::vector<transpose_policy> odd_candidates() {
  using enum tile_exchange;
  using enum bank_strategy;
  std::vector<transpose_policy> all{
      tile(64, 64, 1, 512, local, padding), tile(64, 64, 1, 1024, local, padding),
      tile(128, 64, 1, 512, local, padding), tile(128, 64, 1, 1024, local, padding)};
  for (const int vector : {1, 2, 4})
    for (const auto& [r, c, items] : {std::tuple(64, 64, 256),
                                      {64, 64, 512},
                                      {64, 64, 1024},
                                      {128, 64, 512},
                                      {128, 64, 1024},
                                      {64, 128, 1024},
                                      {128, 32, 512},
                                      {256, 32, 1024},
                                      {32, 64, 256}})
      all.push_back(tile(r, c, vector, items, elements, padding, 32));
  for (const int shear : {64, 128}) {
    all.push_back(tile(64, 64, 1, 512, elements, padding, shear));
    all.push_back(tile(128, 64, 1, 1024, elements, padding, shear));
    all.push_back(tile(128, 64, 4, 512, elements, padding, shear));
  }
  transpose_policy p = tile(64, 64, 1, 512, elements, padding, 32);
  p.streaming = true;
  all.push_back(p);
  p.streaming = false;
  p.order = tile_order::along_input;
  all.push_back(p);
  return all;
}

/// Elements of 16 bytes: few per item, as copies of one vector per item are the fastest there.
inline std::vector<transpose_policy> wide_candidates() {
  using enum tile_exchange;
  using enum bank_strategy;
  std::vector<transpose_policy> all;
  for (const auto& [r, c, items] :
       {std::tuple(32, 64, 256), {32, 64, 512}, {32, 64, 1024}, {64, 32, 512}, {32, 32, 128},
        {32, 32, 256},           {32, 32, 512}, {32, 32, 1024}, {16, 32, 128}, {16, 32, 256},
        {16, 32, 512},           {32, 16, 128}, {32, 16, 256},  {32, 16, 512}, {16, 16, 64},
        {16, 16, 128},           {16, 16, 256}, {16, 64, 256},  {16, 64, 512}, {64, 16, 256},
        {64, 16, 512},           {8, 32, 256},  {32, 8, 256}})
    all.push_back(tile(r, c, 1, items, local, swizzle));
  all.push_back(tile(32, 32, 1, 512, local, padding));
  all.push_back(tile(16, 16, 1, 256, local, padding));
  all.push_back(tile(32, 32, 1, 512, elements, padding));
  all.push_back(tile(32, 32, 2, 256, local, swizzle));
  for (const auto& [r, c, items] : {std::tuple(32, 32, 512), {16, 32, 256}, {16, 16, 256}}) {
    transpose_policy p = tile(r, c, 1, items, local, swizzle);
    p.streaming = true;
    all.push_back(p);
    p.streaming = false;
    p.order = tile_order::along_input;
    all.push_back(p);
    p.order = tile_order::diagonal;
    all.push_back(p);
  }
  return all;
}

/// A CPU: tiles that the second-level cache holds, stored by whole lines past the caches; runs of
/// the output and of the input of so many bytes.
inline std::vector<transpose_policy> cpu_candidates(int bytes) {
  std::vector<transpose_policy> all;
  for (const auto& [r, c] : {std::pair(256, 256),
                             {256, 512},
                             {256, 1024},
                             {512, 512},
                             {512, 1024},
                             {1024, 512},
                             {1024, 256}})
    for (const bool prefetch : {false, true}) {
      if (r * c / bytes > 300000) continue;  // beside the shear's rows, in 512 KB of local memory
      transpose_policy p = tile(r / bytes, c / bytes, std::min(16, 32 / bytes), 1,
                                tile_exchange::local, bank_strategy::none, 64);
      p.order = tile_order::along_input;
      p.unaligned = p.streaming = true;
      p.prefetch = prefetch;
      all.push_back(p);
    }
  return all;
}

}  // namespace detail

/// Times all candidates on one matrix in turns, beside the copy, and prints them, fastest first.
template <class T>
void sweep_turns(const suite_place& place, const turn_problem& p,
                 const std::vector<clprim::transpose_policy>& candidates) {
  const auto arena = std::make_shared<turn_arena<T>>(place, p);
  const auto a = clprim::matrix<T>(arena->a(), p.rows, p.cols),
             b = clprim::matrix<T>(arena->b(), p.cols, p.rows);
  prepare_by_threads(candidates.size(), [&](std::size_t i) {
    clprim::transpose<T> turn(place.session.queue, {.policy = candidates[i]});
    clprim::build(place.session.context, place.session.device, turn.source(a, b));
  });
  std::vector<contestant> who{arena->copied()};
  const auto add = [&](const std::string& name, const clprim::transpose_options& options) {
    const auto turn = std::make_shared<clprim::transpose<T>>(place.session.queue, options);
    who.push_back({.name = name,
                   .as = role::variant,
                   .verify =
                       [=] {
                         arena->poison();
                         (*turn)(a, b);
                         return arena->wrong_at_the_ends(arena->b());
                       },
                   .time = arena->timed([=] { return (*turn)(a, b); })});
  };
  add("the library's", {});
  for (const clprim::transpose_policy& policy : candidates)
    add(to_string(policy), {.policy = policy});
  add_cublas<T>(who, place, p, arena->host());
  print_fastest_first(p.name, p.work(), "GB/s", who, sweep_settings());
}

/// The device's; on an H200 in well under a minute.
inline void sweep_all(const suite_place& place) {
  if (place.cpu()) {
    for (const turn_problem& p :
         {turn_problem{"float 4096 4096", 4, 4096, 4096}, {"float 4001 3999", 4, 4001, 3999}})
      sweep_turns<float>(place, p, detail::cpu_candidates(p.bytes));
    sweep_turns<std::uint8_t>(place, {"bytes 8192 8192", 1, 8192, 8192}, detail::cpu_candidates(1));
    sweep_turns<clprim::half>(place, {"half 4096 8192", 2, 4096, 8192}, detail::cpu_candidates(2));
    sweep_turns<double>(place, {"double 4096 2048", 8, 4096, 2048}, detail::cpu_candidates(8));
    sweep_turns<std::complex<double>>(place, {"complex double 2048 2048", 16, 2048, 2048},
                                      detail::cpu_candidates(16));
    return;
  }
  sweep_turns<float>(place, {"float 8192 8192", 4, 8192, 8192}, detail::even_candidates());
  sweep_turns<float>(place, {"float 4095 8193", 4, 4095, 8193}, detail::odd_candidates());
  sweep_turns<std::complex<double>>(place, {"complex double 4096 8192", 16, 4096, 8192},
                                    detail::wide_candidates());
}

}  // namespace bench
