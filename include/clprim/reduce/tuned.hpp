#pragma once
// Device and shape -> policy: the library's choice.

#include <cstdint>

#include <clprim/core/device_facts.hpp>
#include <clprim/reduce/policy.hpp>
#include <clprim/reduce/variant.hpp>

namespace clprim {

/// A reduction in the terms of the choice.
struct reduce_size {
  reduce_shape shape = reduce_shape::rows;
  std::int64_t length = 0;
  std::int64_t results = 1;
  int element_bytes = 4;
  int state_words = 1;
  bool any_order = false;  ///< op::fastest
};

/// The policy for a device and a shape.
constexpr reduce_policy tuned_reduce(const device_facts& device, const reduce_size& size) {
  const int bytes = size.element_bytes > 0 ? size.element_bytes : 4;
  const auto lanes = [bytes](int width) {
    int n = 1;
    while (n < 16 && n * 2 * bytes <= width) n *= 2;
    return n;
  };
  const bool rows = size.shape == reduce_shape::rows;
  if (device.kind == device_kind::cpu) {
    // One item per group and whole vectors of the processor: PoCL runs a group as one loop body.
    // PoCL 3.1 on two cores of an AMD EPYC with AVX2, 2026-11-21, against a host loop on both cores
    // in the same run: sum 2^24 with 1 stream 1.08 times as fast, with 2 1.41, with 4 1.70; rows of
    // 4096^2 1.24, 1.34, 1.42. A core waits for memory with few loads in flight; streams that its
    // prefetcher follows one by one are more of them. Columns of 4096^2, 2026-11-22, by rows of
    // 1 KB (16 runs) 4.74 ms, of 4 KB (64 runs, a page) 3.87 (host loop 3.48).
    reduce_policy p{.group = 1, .vector = lanes(64), .loads = 4, .streams = 4};
    p.groups_per_unit = 16;
    p.least_steps = 1024;
    p.row_steps = 1;
    p.columns = 1;
    p.column_runs = size.state_words > 1 ? 16 : 64;
    p.unaligned = true;
    if (rows && size.results <= 16 && device.int64_atomics) p.finish = group_finish::last_group;
    if (size.state_words > 1) p.loads = 8;  // longer chains of arithmetic to overlap
    if (size.state_words > 2) p.loads = p.column_runs = 4;
    if (size.shape == reduce_shape::columns) p.loads = p.streams = 1;
    if (size.shape == reduce_shape::ragged) p.vector = p.vector < 4 ? p.vector : 4;
    if (size.shape == reduce_shape::columns) p.least_steps = 256;
    return p;
  }
  reduce_policy p{.group = 256, .vector = lanes(16), .loads = 2};
  p.method = group_method::sequential;
  p.groups_per_unit = 8;
  if (device.inline_ptx && device.compute_capability >= 70) {
    // NVIDIA H200, driver 580.159.04, 2026-11-21, bench_reduce --sweep, spreads up to 0.2 %: sum
    // 2^28 236.5 us (CUB 236.6, read roof 243); argmax with 2 loads 239.1, with 1 240.5 (CUB
    // 240.3); rows 65536 x 4096 in groups of 128 with 4 loads 234.1, of 512 with 1 234.4 (CUB
    // 233.1); 4096 x 65536 in groups of 512 with 4 loads 234.4, with 1 252.6 (CUB 239.1); ragged
    // by tiles of 4096 in groups of 128 with 2 loads 88.5, of 256 with 4 117 (read roof 47.4).
    // 2026-11-22: columns 65536 x 4096 in groups of 256 with 8 loads 241.0, of 512 with 2 256.7
    // (cuBLAS 250.0); 1048576 x 256 by 2 groups of 512 per unit with 8 loads 241.3, by 4 with 1
    // 253.5 (cuBLAS 249.7). Streaming loads: sum 2^24 20.0 (with 1 load 19.6; without 22.2; CUB
    // 20.5), rows 65536 x 4096 234.6 (CUB 236.6), 4096 x 65536 236.2 (243.1), ragged 80.9 (88.6),
    // on a card whose read roof was 1.5 % lower than the day before. The group that started last
    // waits (spreads 0.3 to 1 %): sum 2^22 6.45 (last_group 6.57), 2^24 19.72 (19.86; at most 32
    // registers, 4 groups to a unit, 19.68; fastest 19.10); 2^26 and 2^28 no difference.
    const bool whole = rows && size.results == 1, single = size.state_words == 1;
    p.method = group_method::shuffle;
    const bool huge = size.length >= 1 << 26, medium = size.length > 1 << 21 && !huge;
    p.finish = !single || !whole ? group_finish::last_group_fenced
               : huge            ? group_finish::last_group
                                 : group_finish::last_started;
    if (size.any_order && single && whole) p.finish = group_finish::any_order;
    p.group = size.state_words > 4 ? 256 : 512;
    p.groups_per_unit = rows ? 0 : 4;
    p.least_steps = rows ? 1 : 2;
    if (whole && single) p.loads = medium ? 1 : 4;
    if (rows && size.state_words > 2) p.loads = whole && size.state_words == 3 ? 2 : 1;
    if (rows && size.results > 1 && size.length > 1024 && size.state_words <= 2) {
      p.loads = 4;
      p.group = size.length > 16384 ? 512 : 128;
      // Few rows: as large groups as are all resident, 1280 items of 51 registers. 2026-11-26,
      // driver 580.159.04: 547 x 17872 in groups of 128 7.4 us, of 256 10.2 (CUB 7.4); 647 x 13296
      // 6.7, 8.7 (6.9); 300 x 30000 in groups of 256 7.1.
      const std::int64_t units = device.compute_units > 0 ? device.compute_units : 1;
      if (size.results <= 16 * units) {
        p.group = 512;
        while (p.group > 128 && (size.results + units - 1) / units * p.group > 1024) p.group /= 2;
      }
    }
    // What the last-level cache (of 50 MB) holds may be there; loads past it lose that. H200,
    // 2026-11-25, us: sum of 8.27 million 8.25, past it 11.87 (CUB 10.1), of 10.1 million 9.7, 14.2
    // (11.2), rows of 32768 x 255 9.1, 13.0 (cuBLAS 10.3).
    p.streaming = size.length * size.results * bytes > 44'000'000;
    if (size.shape == reduce_shape::columns) {
      // Few columns whose elements the cache may hold: few groups share a result. 2026-11-26:
      // 100000 x 64 12.3 us, in groups of 256 with 8 loads, four to a unit, more than 13.0; 59591 x
      // 41 7.1, more than 7.6.
      const bool narrow = size.length > 16384 && size.results <= 1024 && !p.streaming;
      p.loads = size.state_words > 2 ? 2 : narrow ? 4 : 8;
      if (size.length > 262144 || narrow) {
        p.groups_per_unit = 2;
      } else {
        p.group = 256;
      }
    }
    if (size.shape == reduce_shape::ragged) {
      p.group = 128;
      p.loads = 2;
      p.ragged_tile = bytes <= 8 ? 16384 / (bytes < 4 ? 4 : bytes) : 0;
    }
  }
  return p;
}

/// The policy within what a group may hold: of work-items, and of local memory for their states and
/// for the tile of ragged segments.
inline reduce_policy within_limits(reduce_policy p, const reduction& what,
                                   const device_facts& device) {
  const auto holds = [&](bool staged) {
    return reduce_local_bytes(p, what, staged) <= device.local_bytes;
  };
  while (p.group > 1 && (p.group > largest_reduce_group(device) || !holds(false))) p.group /= 2;
  while (p.ragged_tile > 0 && !holds(true))
    p.ragged_tile = p.ragged_tile > 256 ? p.ragged_tile / 2 : 0;
  p.columns = std::min(p.columns, p.group);
  if (p.method == group_method::shuffle && p.group < 32) p.method = group_method::sequential;
  return p;
}

}  // namespace clprim
