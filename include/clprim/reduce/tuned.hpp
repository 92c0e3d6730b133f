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
    // on a card whose read roof was 1.5 % lower than the day before.
    // 2026-11-27: by the group that started last sums of 2^24 take 20.1 us (last_group 20.0), of 33
    // million 35.4 (34.8), of 23 million 25.5 (27.0).
    const bool whole = rows && size.results == 1, single = size.state_words == 1;
    // What the last-level cache (of 50 MB) holds may be there; loads past it lose that. H200,
    // 2026-11-25, us: sum of 8.27 million 8.25, past it 11.87 (CUB 10.1), of 10.1 million 9.7, 14.2
    // (11.2), rows of 32768 x 255 9.1, 13.0 (cuBLAS 10.3).
    const std::int64_t all_bytes = size.length * size.results * bytes;
    p.streaming = all_bytes > 44'000'000;
    p.method = group_method::shuffle;
    p.finish = group_finish::last_group_fenced;
    p.group = size.state_words > 4 ? 256 : 512;
    p.groups_per_unit = rows ? 0 : 4;
    p.least_steps = rows ? 1 : 2;
    // Rows that a warp has in flight. 2026-11-27, us: 20000 x 1000 in groups of 128 with 8 loads
    // 21.3, of 512 25.6; 300000 x 100 32.0, 36.7; 262144 x 32 12.7, 14.9, with 2 12.4.
    if (rows && size.results > 1 && size.length <= 1024) {
      p.group = 128;
      p.loads = 8;
    }
    if (whole && single) {
      p.finish = group_finish::last_group;
      p.loads = 4;
    }
    if (rows && size.state_words > 2) p.loads = whole && size.state_words == 3 ? 2 : 1;
    if (whole && size.state_words <= 3 && !p.streaming) {
      // By times of the device, 2026-11-27, us. One group: sum of 16384 3.0 (by four groups 4.2),
      // of 32768 3.5 (4.2), of 48779 3.8 (4.1), argmax of 16384 3.9 (5.9), of 32768 4.5 (5.3), of
      // 48779 5.7 (5.2). Groups of 256: sum of 65535 3.7 (512, started 4.2), of 524288 4.0 (4.5),
      // of 2^21 4.9 (5.3), of 2^22 5.9 (6.6); double of 65536 4.1 (fenced 4.5), of 2^20 5.4 (5.8);
      // argmax of 48779 5.7 (5.2), of 2^18 5.3 (5.4), of 2^21 6.8 (7.1). Of 512: sum of 2^23 8.1
      // (started 8.4).
      const bool large = size.state_words > 2;
      const bool alone = all_bytes <= (large ? 150'000 : 200'000);
      const bool few = all_bytes <= (large ? 1 << 19 : 1 << 20);
      p.finish = large && few ? group_finish::last_group_fenced : group_finish::last_group;
      p.groups_per_unit = 2;
      if (alone) {
        p.group = large && all_bytes <= 65536 ? 256 : 512;
        p.loads = all_bytes <= 16384 ? 8 : all_bytes <= 65536 ? 2 : 4;
        p.least_steps = 64;
      } else {
        p.group = all_bytes <= 16 << 20 ? 256 : 512;
        p.loads = 2;
        p.least_steps = few ? 1 : 4;
      }
      if (large) p.loads = 1;
    }
    if (size.any_order && single && whole) p.finish = group_finish::any_order;
    if (rows && size.results > 1 && size.length > 1024 && size.state_words <= 2) {
      p.loads = 4;
      p.group = size.length > 16384 ? 512 : 128;
      // Few rows: as large groups as are all resident, 1280 items of 51 registers. 2026-11-26,
      // driver 580.159.04: 547 x 17872 in groups of 128 7.4 us, of 256 10.2 (CUB 7.4); 647 x 13296
      // 6.7, 8.7 (6.9); 300 x 30000 in groups of 256 7.1.
      const std::int64_t units = units_of(device);
      if (size.results <= 16 * units) {
        p.group = 512;
        while (p.group > 128 && (size.results + units - 1) / units * p.group > 1024) p.group /= 2;
      }
    }
    if (size.shape == reduce_shape::columns) {
      // Few columns whose elements the cache may hold: few groups share a result. 2026-11-26:
      // 100000 x 64 12.3 us, in groups of 256 with 8 loads, four to a unit, more than 13.0; 59591 x
      // 41 7.1, more than 7.6. Of memory: 10128 x 8191 by two groups of 256 to a unit 85, by four
      // 89 (cuBLAS 89), 300000 x 256 79.4, by two of 512 80.8.
      const bool narrow = size.length > 16384 && size.results <= 1024 && !p.streaming;
      p.loads = size.state_words > 2 ? 2 : narrow ? 4 : 8;
      if (narrow || p.streaming) p.groups_per_unit = 2;
      if (!narrow) p.group = 256;
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
