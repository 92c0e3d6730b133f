#pragma once
// Policies worth trying for the rows of bench_convolve --sweep on an NVIDIA GPU: what the rows of
// convolve/tuned.hpp are chosen from.

#include <string>
#include <utility>
#include <vector>

#include <clprim/convolve/policy.hpp>

namespace bench {

using clprim::convolve_method;
using clprim::convolve_policy;
using clprim::filter_place;

/// What a candidate differs in, in short.
inline std::string short_text(const convolve_policy& p) {
  using clprim::enum_names;
  const auto number = [](const char* name, int n) { return name + std::to_string(n); };
  std::string text(enum_names<convolve_method>::names[static_cast<std::size_t>(p.method)]);
  text += " " + std::to_string(p.per_item_x) + "x" + std::to_string(p.per_item_y);
  text += number(" group ", p.items_x) + number("x", p.items_y) + " ";
  text += enum_names<filter_place>::names[static_cast<std::size_t>(p.filter)];
  if (p.method == convolve_method::fft) text += number(" tiles ", p.columns) + number("x", p.strip);
  if (p.method == convolve_method::line_buffer) text += number(" strip ", p.strip);
  if (p.method == convolve_method::ring)
    text += number(" strip ", p.strip) + number(" in flight ", p.in_flight) +
            number(" unroll ", p.unroll);
  return text;
}

inline convolve_policy direct_candidate(int items_x, int items_y, int y, filter_place filter,
                                        int x = 4) {
  return {
      .items_x = items_x, .items_y = items_y, .per_item_x = x, .per_item_y = y, .filter = filter};
}

inline convolve_policy ring_candidate(int items, int strip, int in_flight, int unroll,
                                      filter_place filter, int vector = 4) {
  return {.method = convolve_method::ring,
          .items_x = items,
          .items_y = 1,
          .per_item_x = vector,
          .per_item_y = 1,
          .vector = vector,
          .strip = strip,
          .in_flight = in_flight,
          .unroll = unroll,
          .filter = filter};
}

inline convolve_policy line_buffer_candidate(int items, int each, int strip) {
  return {.method = convolve_method::line_buffer,
          .items_x = items,
          .items_y = 1,
          .per_item_x = each,
          .per_item_y = each,
          .vector = 1,
          .strip = strip};
}

inline convolve_policy fft_candidate(int columns, int strip) {
  return {.method = convolve_method::fft,
          .items_x = 128,
          .items_y = 1,
          .per_item_x = 1,
          .per_item_y = 1,
          .vector = 1,
          .strip = strip,
          .columns = columns,
          .filter = filter_place::buffer};
}

/// Small filters, bound by memory: groups, rows per item, coefficients. (No limits of registers:
/// NVIDIA's compiler takes none for kernels of a required group size.)
inline std::vector<convolve_policy> small_candidates() {
  using enum filter_place;
  std::vector<convolve_policy> all;
  for (const auto& [x, y] : {std::pair{128, 4}, {128, 2}, {64, 4}, {64, 8}, {32, 8}}) {
    for (const int per_item : {2, 4}) all.push_back(direct_candidate(x, y, per_item, value));
  }
  all.push_back(direct_candidate(128, 4, 2, literals));
  all.push_back(direct_candidate(128, 4, 4, literals));
  return all;
}

/// Large filters: rows in flight, strips, rows of code; 9 x 9 directly too, larger ones by
/// transforms.
inline std::vector<convolve_policy> large_candidates(int size) {
  using enum filter_place;
  if (size <= 9) {
    return {ring_candidate(128, 256, 4, 2, literals), ring_candidate(128, 128, 4, 2, literals),
            ring_candidate(128, 256, 8, 2, literals), ring_candidate(128, 256, 3, 1, literals),
            ring_candidate(64, 256, 4, 2, literals),  ring_candidate(128, 256, 4, 2, value),
            direct_candidate(32, 4, 4, literals),     direct_candidate(32, 4, 8, literals)};
  }
  if (size <= 17) {
    return {ring_candidate(128, 256, 3, 1, literals), ring_candidate(128, 128, 3, 1, literals),
            ring_candidate(128, 256, 2, 1, literals), ring_candidate(128, 256, 4, 1, literals)};
  }
  std::vector<convolve_policy> all;
  if (size <= 31) {
    for (const int strip : {128, 256}) all.push_back(ring_candidate(64, strip, 4, 1, literals));
    all.push_back(fft_candidate(1024, 1024));
    return all;
  }
  for (const int points : {512, 1024, 2048, 65536}) all.push_back(fft_candidate(points, points));
  return all;
}

/// Separable filters, both passes in one kernel.
inline std::vector<convolve_policy> separable_candidates() {
  using enum filter_place;
  return {ring_candidate(128, 256, 4, 1, literals), ring_candidate(128, 256, 4, 2, literals),
          ring_candidate(128, 256, 5, 1, literals), ring_candidate(128, 128, 4, 1, literals),
          ring_candidate(128, 256, 4, 1, value),    line_buffer_candidate(128, 16, 512),
          line_buffer_candidate(128, 16, 1024),     line_buffer_candidate(128, 8, 512)};
}

/// Images that a GPU's last-level cache holds: groups enough for every unit, in one wave.
inline std::vector<convolve_policy> image_candidates(int size, bool separable) {
  using enum filter_place;
  std::vector<convolve_policy> all;
  if (size <= 5) {
    for (const auto& [x, y] : {std::pair{128, 4}, {64, 4}, {128, 2}, {128, 1}, {32, 4}, {32, 2}})
      for (const int per_item : {2, 4}) all.push_back(direct_candidate(x, y, per_item, value));
    return all;
  }
  for (const int items : {32, 64})
    for (const int strip : {16, 32, 64})
      all.push_back(ring_candidate(items, strip, 4, size <= 9 || separable ? 2 : 1, literals));
  if (separable)
    for (const int strip : {48, 64, 96, 128}) all.push_back(line_buffer_candidate(128, 16, strip));
  if (size <= 9) all.push_back(direct_candidate(32, 4, 4, literals));
  return all;
}

}  // namespace bench
