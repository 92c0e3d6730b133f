#pragma once
// How an image is cut for the groups of a GPU that walk down strips of it (methods ring and
// line_buffer): which groups, how many rows.

#include <algorithm>
#include <cstdint>

#include <clprim/convolve/policy.hpp>
#include <clprim/convolve/size.hpp>
#include <clprim/convolve/variant.hpp>
#include <clprim/core/device_facts.hpp>

namespace clprim {

/// How many parts cover a whole, up to a number that fills any device and is refused later.
constexpr std::int64_t parts_of(std::int64_t whole, std::int64_t part) {
  return std::min((whole - 1) / part + 1, std::int64_t{1} << 24);
}

/// Planes of outputs, up to a number that fills any device.
constexpr std::int64_t planes_of(const convolve_size& size) {
  constexpr std::int64_t most = std::int64_t{1} << 24;
  return std::min(std::min(size.outputs[2], most) * std::min(size.images / size.channels, most),
                  most);
}

/// Visits the ways to cut an image for the groups of a ring: narrower groups down to 128 columns,
/// and strips of which each unit gets 1 to 24. f(policy, warps of the unit that has most).
constexpr void for_each_ring_cut(convolve_policy p, const convolve_size& size,
                                 const device_facts& device, auto f) {
  constexpr std::int64_t most = std::int64_t{1} << 24, shortest = 8, longest = 4096, columns = 128;
  const std::int64_t units = units_of(device), height = std::max<std::int64_t>(size.height, 1);
  const int widest = p.items_x;
  for (p.items_x = widest;
       p.items_x == widest || (p.items_x >= 32 && p.items_x * p.vector >= columns);
       p.items_x /= 2) {
    const std::int64_t across = parts_of(size.width, std::int64_t{p.items_x} * p.vector),
                       all = std::clamp<std::int64_t>(across * planes_of(size), 1, most);
    for (std::int64_t each = 1; each <= 24; ++each) {
      const std::int64_t down =
          std::clamp(units * each / all, parts_of(height, longest), parts_of(height, shortest));
      p.strip = static_cast<int>(parts_of(height, down));
      const std::int64_t groups = std::min(all * parts_of(height, p.strip), most);
      f(p, std::max<std::int64_t>(parts_of(groups, units) * p.items_x / 32, 1));
    }
  }
}

/// Warps of a ring that a unit's registers hold, four side by side; of NVIDIA's 64 K registers.
constexpr std::int64_t ring_warps(const convolve_policy& p, const convolve_size& size) {
  const int rows = size.taps_y + 1 + (p.async ? 0 : p.in_flight);
  const int words = (p.vector * rows + size.reach) * std::max(1, size.sum_bytes / 4);
  const int others = size.separable ? 20 : size.aligned ? 30 : 45;
  const int registers = std::min(255, words + others);
  return std::max<std::int64_t>(4, 2048 / detail::round_up(registers, 8) / 4 * 4);
}

/// How a ring of a dense filter cuts the image. A unit runs its warps in rounds of as many as its
/// registers hold, four side by side, and the last round hides as little as a first one:
///
///     time of a unit = (strip + 5) (taps vector + 90) (sum over rounds: warps / 4 + 0.45)
///
/// for items leave out the rows of the apron that an output has no use for, but for a few, and read
/// a row's window once for all taps. Fitted to ten filters of 11 to 31 taps on images of 4 to 106
/// million pixels, H200, 2026-11-28: of the 22 cuts timed of each the one that this ranks first has
/// 0.99 of the best one's speed in the mean, 0.97 at worst. Us by it and by strips of four columns
/// an item, 256 rows or as many as gave each unit two groups: 25 taps on 18773 x 1801 792, 1475; 27
/// on 10832 x 2832 797, 1105; 31 on 16384 x 6493 3509, 4462; 15 on 38783 x 2350 763, 943; 12 on
/// 8192 x 2304 106, 124.
constexpr void cut_dense_strips(convolve_policy& p, const convolve_size& size,
                                const device_facts& device) {
  const double taps = static_cast<double>(size.taps_x) * size.taps_y;
  const convolve_policy given = p;
  double least = 0;
  for (const int vector : {given.vector, given.vector / 2}) {
    if (vector == 0) continue;
    convolve_policy start = given;
    start.per_item_x = start.vector = vector;
    const std::int64_t held = ring_warps(start, size);
    for_each_ring_cut(start, size, device, [&](const convolve_policy& one, std::int64_t warps) {
      const std::int64_t rest = warps % held;
      const double rounds =
          static_cast<double>(warps / held) * (static_cast<double>(held) / 4 + 0.45) +
          (rest > 0 ? static_cast<double>((rest + 3) / 4) + 0.45 : 0);
      const double time = (one.strip + 5) * (taps * one.vector + 90) * rounds;
      if (least > 0 && time >= least) return;
      least = time;
      p = one;
    });
  }
}

/// How a ring of a separable filter cuts the image. Each strip makes the rows of its apron once
/// more, and a unit takes the time of half a round of 32 warps at least, of somewhat more where
/// items load fewer bytes:
///
///     time of a unit = (strip + taps_y - 1) (full rounds of warps + the rest, `busy` or more)
///                      (1 + 8 / items)
///
/// for every group loads what lies beside its columns and ends within lines of the cache.
/// Fitted to filters of 2 to 8 taps on six images of 2 to 67 million pixels, H200, 2026-11-26, the
/// last factor to two of 2026-11-28, us: 3 taps on 17159 x 1132 by 64 items and 82 rows 47.6, by 32
/// and 74 54.9, by 128 and 32 62.0; 5 on 5679 x 528 by 32 and 14 9.3, by 64 and 17 10.8, by 128 and
/// 15 14.1.
constexpr void cut_strips(convolve_policy& p, const convolve_size& size,
                          const device_facts& device) {
  const std::int64_t busy = p.vector >= 4 ? 16 : 18;
  const std::int64_t held = std::clamp<std::int64_t>(ring_warps(p, size), busy, 32);
  double least = 0;
  for_each_ring_cut(p, size, device, [&](const convolve_policy& one, std::int64_t warps) {
    const std::int64_t rest = warps % held;
    const std::int64_t work = warps - rest + (rest > 0 ? std::max((rest + 3) / 4 * 4, busy) : 0);
    const double time =
        static_cast<double>((one.strip + size.taps_y - 1) * work) * (1 + 8. / one.items_x);
    if (least > 0 && time >= least) return;
    least = time;
    p = one;
  });
}

/// How long the strips of a line buffer are: of all numbers of groups for each unit the one with
/// the least
///
///     time of a unit = (strip + (taps_y - 1) / 2 + 4) (full rounds of warps + the rest, those of
///                      two groups less one or more) (1 + 16 / items)
///
/// for each strip makes the rows of its apron once more, in the first of two passes, and begins
/// with an empty buffer, which takes the time of some rows; groups load what is beside them. A
/// round is of as many warps as registers hold: 16 by blocks of 16 x 16 (three groups of 256 for
/// each unit 336 us, four 276: 23 taps on 37307 x 2336, H200, 2026-11-28).
///
/// H100, 2026-11-25, us by the strips of equally many groups for each unit that this chooses, and
/// by the best of 32, 64 and 128 rows: 16 taps on 1664 x 2049 15.7, 17.5; 22 taps on 1904 x 1361
/// 13.0, 15.3; 49 taps there 21.7, 27.3; 62 taps on 4866 x 433 29.5, 38.3. The four rows tell 1024
/// from 224 (6 taps on 8192^2 197, about 204) and 368 from 1024 (22 on 12049 x 4064 160, 174).
constexpr void cut_line_buffer(convolve_policy& p, const convolve_size& size,
                               const device_facts& device) {
  constexpr std::int64_t longest = 1024, shortest = 16, most = std::int64_t{1} << 24;
  const std::int64_t units = units_of(device), held = p.per_item_x == 16 ? 16 : 32;
  double least = 0;
  const int widest = p.items_x;
  for (int items = widest; items == widest || items >= 128; items /= 2) {
    const std::int64_t busy = items / 16 - 1, columns = items / p.per_item_y * p.per_item_x;
    const std::int64_t across =
        std::clamp<std::int64_t>(parts_of(size.width, columns) * planes_of(size), 1, most);
    for (std::int64_t each = 1; each <= 64; ++each) {  // groups of a unit, at most
      const std::int64_t strips = std::max(units * each / across, parts_of(size.height, longest));
      const std::int64_t rows = parts_of(size.height, std::max<std::int64_t>(strips, 1));
      const std::int64_t strip =
          std::max(parts_of(rows, p.per_item_y), shortest / p.per_item_y) * p.per_item_y;
      const std::int64_t warps =
          parts_of(across * parts_of(size.height, strip), units) * items / 32;
      const std::int64_t rest = warps % held,
                         work = warps - rest + (rest > 0 ? std::max(rest, busy) : 0);
      const double time = (static_cast<double>(strip) + 0.5 * (size.taps_y - 1) + 4) *
                          static_cast<double>(work) * (1 + 16. / items);
      if (least > 0 && time >= least) continue;
      least = time;
      p.items_x = items;
      p.strip = static_cast<int>(std::clamp(strip, shortest, longest));
    }
  }
}

}  // namespace clprim
