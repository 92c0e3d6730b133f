#pragma once
// A transposition of drawn shape, layout and place, run and compared element by element.

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include <clprim/transpose.hpp>

#include "support/campaign.hpp"
#include "support/device.hpp"
#include "support/other_devices.hpp"

namespace support {

/// Sixteen bytes that OpenCL C has no name for.
struct sixteen {
  std::uint32_t words[4];
};

template <class T> bool same_bits(const T& a, const T& b) {
  return std::memcmp(&a, &b, sizeof(T)) == 0;
}

/// An element of random bits: NaNs and denormals among them.
template <class T> T random_bits_of(draw& d) {
  std::uint64_t bits[2] = {d.bits(), d.bits()};
  T value;
  static_assert(sizeof value <= sizeof bits);
  std::memcpy(&value, bits, sizeof value);
  return value;
}

template <class T> std::vector<T> random_array(draw& d, std::size_t count) {
  std::vector<T> values(count);
  for (T& x : values) x = random_bits_of<T>(d);
  return values;
}

/// Where a batch of matrices lies.
struct placed {
  std::int64_t rows = 1, cols = 1, leading = 1, offset = 0, batch = 1, stride = 0;
  clprim::layout order = clprim::layout::row_major;

  std::size_t at(std::int64_t b, std::int64_t r, std::int64_t c) const {
    const bool by_rows = order == clprim::layout::row_major;
    return static_cast<std::size_t>(offset + b * stride + (by_rows ? r : c) * leading +
                                    (by_rows ? c : r));
  }
  std::size_t size() const {
    const std::int64_t lines = order == clprim::layout::row_major ? rows : cols;
    return static_cast<std::size_t>(offset + (batch - 1) * stride + lines * leading);
  }
  template <class T> clprim::matrix_view<T> view(const cl::Buffer& buffer) const {
    auto v = clprim::matrix<T>(buffer, rows, cols);
    if (order == clprim::layout::column_major) v = v.column_major();
    return v.ld(leading).at(offset).batch(batch, stride);
  }
};

inline placed draw_place(draw& d, std::int64_t rows, std::int64_t cols, std::int64_t batch) {
  placed p{.rows = rows, .cols = cols, .batch = batch};
  if (d.chance(30)) p.order = clprim::layout::column_major;
  const bool by_rows = p.order == clprim::layout::row_major;
  const int unit = d.one_of({1, 1, 4, 16});
  p.leading = (by_rows ? cols : rows) + (d.chance(40) ? d.between(0, 5) * unit : 0);
  p.offset = d.chance(40) ? d.between(0, 5) * unit : 0;
  p.stride = (by_rows ? rows : cols) * p.leading + (d.chance(40) ? d.between(0, 3) * unit : 0);
  return p;
}

inline clprim::transpose_policy draw_transpose_policy(draw& d) {
  using namespace clprim;
  while (true) {
    const transpose_policy p{
        .tile_rows = d.one_of({4, 8, 16, 24, 32, 64}),
        .tile_cols = d.one_of({4, 8, 16, 24, 32, 64}),
        .vector = d.one_of({1, 1, 2, 4, 8, 16}),
        .items = d.one_of({1, 4, 16, 32, 64, 256}),
        .exchange = d.one_of({tile_exchange::direct, tile_exchange::local, tile_exchange::elements,
                              tile_exchange::box}),
        .banks = d.one_of({bank_strategy::none, bank_strategy::padding, bank_strategy::swizzle}),
        .order =
            d.one_of({tile_order::along_input, tile_order::along_output, tile_order::diagonal}),
        .along_output = d.chance(20),
        .unaligned = d.chance(40),
        .streaming = d.chance(20),
        .prefetch = d.chance(20),
        .shear = d.one_of({0, 0, 32, 64})};
    try {
      check_rules(p);
    } catch (const policy_error&) {
      continue;
    }
    // Private arrays of hundreds of runs take PoCL's compiler minutes.
    if (p.per_item() <= 64 || (p.exchange == tile_exchange::direct && p.vector <= 8)) return p;
  }
}

/// Where the library chooses, it does so for another device; computing with double stays possible.
inline std::optional<clprim::assume_device> elsewhere(draw& d, const clprim::session& s,
                                                      bool chooses) {
  if (!chooses) return std::nullopt;
  clprim::device_facts facts = drawn_device(d, clprim::facts_of(s.device));
  facts.fp64 = clprim::facts_of(s.device).fp64;
  return std::optional<clprim::assume_device>(std::in_place, facts);
}

/// This device, now and then as a GPU, whose texts differ.
inline std::optional<clprim::assume_device> perhaps_gpu(draw& d, const clprim::session& s) {
  if (!d.chance(40)) return std::nullopt;
  clprim::device_facts facts = clprim::facts_of(s.device);
  facts.kind = clprim::device_kind::gpu;
  return std::optional<clprim::assume_device>(std::in_place, facts);
}

/// What is wrong with B = Aᵀ, or "".
template <class T>
std::string complaint_of_turn(draw& d, const clprim::session& s, clprim::transpose<T>& turn,
                              const placed& a, const placed& b) {
  const std::vector<T> from = random_array<T>(d, a.size()), before = random_array<T>(d, b.size());
  const T guard = random_bits_of<T>(d);
  guarded_buffer<T> A(s, from, guard), B(s, before, guard);
  wait_for(turn(a.template view<T>(A.buffer()), b.template view<T>(B.buffer())));
  std::vector<T> expected = before;
  for (std::int64_t n = 0; n < a.batch; ++n)
    for (std::int64_t r = 0; r < a.rows; ++r)
      for (std::int64_t c = 0; c < a.cols; ++c) expected[b.at(n, c, r)] = from[a.at(n, r, c)];
  const std::vector<T> got = B.read(), after = A.read();
  if (!A.intact() || !B.intact()) return "a guard zone was written";
  if (!std::equal(after.begin(), after.end(), from.begin(), same_bits<T>)) return "A was written";
  for (std::size_t i = 0; i < got.size(); ++i)
    if (!same_bits(got[i], expected[i])) return "element " + std::to_string(i) + " is wrong";
  return {};
}

inline std::string text_of(const placed& p) {
  return std::to_string(p.rows) + " x " + std::to_string(p.cols) + " ld " +
         std::to_string(p.leading) + " at " + std::to_string(p.offset) + " batch " +
         std::to_string(p.batch) + " stride " + std::to_string(p.stride) +
         (p.order == clprim::layout::row_major ? "" : " column-major");
}

}  // namespace support
