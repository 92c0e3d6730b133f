// Any matrices, under any policy that can be built, however they lie: every bit arrives.

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "transpose/turning.hpp"

using namespace clprim;
using namespace support;

namespace {

template <class T> void any_turn(const char* name, int cases) {
  run_campaign(name, cases, [](draw& d) {
    const session& s = d.chance(20) ? out_of_order_session() : device_session();
    transpose_options options;
    const bool tuned = d.chance(15);
    if (!tuned) options.policy = draw_transpose_policy(d);
    d.kernels_are_chosen();
    const std::int64_t rows = d.between(0, d.one_of({3, 20, 150})),
                       cols = d.between(0, d.one_of({3, 20, 150})), batch = d.one_of({1, 1, 3});
    const placed a = draw_place(d, rows, cols, batch);
    placed b = draw_place(d, cols, rows, batch);
    if (d.chance(70)) {
      b = placed{.rows = cols, .cols = rows, .leading = rows, .batch = batch};
      b.stride = rows * cols;
    }
    const auto as_if = tuned ? elsewhere(d, s, true) : perhaps_gpu(d, s);
    transpose<T> turn(s.queue, options);
    const std::string complaint = complaint_of_turn(d, s, turn, a, b);
    if (complaint.empty()) return complaint;
    return complaint + "\nA " + text_of(a) + "\nB " + text_of(b) + "\n" +
           (tuned ? std::string("the tuned policy") : to_string(*options.policy));
  });
}

}  // namespace

CAMPAIGN("any matrix of bytes is transposed exactly") { any_turn<std::uint8_t>("bytes", 12); }
CAMPAIGN("any matrix of half is transposed exactly") { any_turn<half>("half", 12); }
CAMPAIGN("any matrix of float is transposed exactly") { any_turn<float>("float", 25); }
CAMPAIGN("any matrix of double is transposed exactly") { any_turn<double>("double", 12); }
CAMPAIGN("any matrix of 16-byte structs is transposed exactly") {
  any_turn<sixteen>("16 bytes", 12);
}

namespace {

/// Runs of four bytes that start anywhere, read by whole words as on GPUs.
template <class T> void any_turn_by_words(const char* name, int cases) {
  run_campaign(name, cases, [](draw& d) {
    const session& s = device_session();
    transpose_options options;
    do {
      options.policy = {.tile_rows = d.one_of({32, 64, 128}),
                        .tile_cols = d.one_of({16, 32, 64}),
                        .vector = 4 / static_cast<int>(sizeof(T)),
                        .items = d.one_of({16, 64, 128}),
                        .banks = d.one_of({bank_strategy::none, bank_strategy::padding}),
                        .unaligned = true,
                        .shear = d.one_of({0, 32, 64})};
    } while (options.policy->per_item() > 64 || options.policy->per_item() < 16);
    d.kernels_are_chosen();
    device_facts facts = facts_of(s.device);
    facts.kind = device_kind::gpu;
    const assume_device as_if(facts);
    const std::int64_t rows = d.between(1, 150), cols = d.between(1, 150), batch = d.one_of({1, 3});
    const placed a = draw_place(d, rows, cols, batch), b = draw_place(d, cols, rows, batch);
    transpose<T> turn(s.queue, options);
    const std::string complaint = complaint_of_turn(d, s, turn, a, b);
    if (complaint.empty()) return complaint;
    return complaint + "\nA " + text_of(a) + "\nB " + text_of(b) + "\n" +
           to_string(*options.policy);
  });
}

}  // namespace

CAMPAIGN("any matrix of bytes is transposed exactly by whole words") {
  any_turn_by_words<std::uint8_t>("bytes by words", 20);
}
CAMPAIGN("any matrix of half is transposed exactly by whole words") {
  any_turn_by_words<half>("half by words", 12);
}

namespace {

template <class T> void any_square(const char* name, int cases) {
  run_campaign(name, cases, [](draw& d) {
    const session& s = device_session();
    transpose_policy policy = draw_transpose_policy(d);
    policy.tile_cols = policy.tile_rows;
    policy.shear = 0;
    if (policy.exchange != tile_exchange::direct) policy.exchange = tile_exchange::local;
    if (!is_power_of_two(policy.tile_rows)) policy.banks = bank_strategy::padding;
    while (policy.tile_rows / policy.vector * (policy.tile_rows / policy.vector) % policy.items)
      policy.items = std::max(1, policy.items / 4);
    d.kernels_are_chosen();
    const std::int64_t n = d.between(0, d.one_of({3, 20, 150}));
    const placed a = draw_place(d, n, n, d.one_of({1, 1, 3}));
    transpose<T> turn(s.queue, {.policy = policy});
    const auto from = random_array<T>(d, a.size());
    guarded_buffer<T> A(s, from, random_bits_of<T>(d));
    wait_for(turn.in_place(a.view<T>(A.buffer())));
    std::vector<T> expected = from;
    for (std::int64_t b = 0; b < a.batch; ++b)
      for (std::int64_t r = 0; r < n; ++r)
        for (std::int64_t c = 0; c < n; ++c) expected[a.at(b, c, r)] = from[a.at(b, r, c)];
    const auto got = A.read();
    const bool right =
        A.intact() && std::equal(got.begin(), got.end(), expected.begin(), same_bits<T>);
    return right ? std::string() : text_of(a) + "\n" + to_string(policy);
  });
}

}  // namespace

CAMPAIGN("any square matrix is transposed in its own memory exactly") {
  any_square<std::uint32_t>("in place", 12);
}
CAMPAIGN("any square matrix of bytes is transposed in its own memory exactly") {
  any_square<std::uint8_t>("bytes in place", 2);
}
CAMPAIGN("any square matrix of 16-byte structs is transposed in its own memory exactly") {
  any_square<sixteen>("16 bytes in place", 2);
}

namespace {

/// Matrices of a batch in a drawn order with gaps between them.
std::vector<std::int64_t> draw_batch_offsets(draw& d, std::int64_t batch, std::int64_t size) {
  std::vector<std::int64_t> offsets;
  for (std::int64_t b = 0; b < batch; ++b) offsets.push_back(b * size + d.between(0, 3));
  for (std::size_t i = offsets.size(); i-- > 1;)
    std::swap(offsets[i], offsets[static_cast<std::size_t>(d.between(0, static_cast<int>(i)))]);
  return offsets;
}

template <class T> void any_rectangle(const char* name, int cases) {
  run_campaign(name, cases, [](draw& d) -> std::string {
    const session& s = d.chance(20) ? out_of_order_session() : device_session();
    const int strip = d.one_of({1, 3, 4, 16});
    const in_place_policy policy{.items = d.chance(30) ? 1 : strip * d.one_of({1, 4, 16}),
                                 .strip = strip,
                                 .local = d.chance(60),
                                 .workspace_kib = d.one_of({1, 64})};
    transpose_options options;
    if (d.chance(80)) options.in_place = policy;
    d.kernels_are_chosen();
    const std::int64_t most = d.one_of({3, 12, 120}), batch = d.one_of({1, 1, 3});
    const std::int64_t unit = d.one_of({1, 1, 6});  // a common divisor, the harder case
    const std::int64_t rows = unit * d.between(1, static_cast<int>(most));
    const std::int64_t cols = unit * d.between(1, static_cast<int>(most));
    placed a{.rows = rows, .cols = cols, .offset = d.between(0, 5), .batch = batch};
    if (d.chance(30)) a.order = layout::column_major;
    a.leading = a.order == layout::row_major ? cols : rows;
    a.stride = rows * cols + d.between(0, 3);
    placed turned = a;
    turned.rows = cols, turned.cols = rows;
    turned.leading = turned.order == layout::row_major ? rows : cols;
    const auto from = random_array<T>(d, a.size());
    guarded_buffer<T> A(s, from, random_bits_of<T>(d));
    const auto as_if = elsewhere(d, s, !options.in_place);
    transpose<T> turn(s.queue, options);
    wait_for(turn.in_place(a.view<T>(A.buffer())));
    std::vector<T> expected = from;
    for (std::int64_t b = 0; b < batch; ++b)
      for (std::int64_t r = 0; r < rows; ++r)
        for (std::int64_t c = 0; c < cols; ++c) expected[turned.at(b, c, r)] = from[a.at(b, r, c)];
    const auto got = A.read();
    if (A.intact() && std::equal(got.begin(), got.end(), expected.begin(), same_bits<T>)) return {};
    return text_of(a) + (options.in_place ? "\n" + to_string(policy) : "");
  });
}

}  // namespace

CAMPAIGN("any rectangle of bytes is transposed in its own memory exactly") {
  any_rectangle<std::uint8_t>("bytes", 3);
}
CAMPAIGN("any rectangle of half is transposed in its own memory exactly") {
  any_rectangle<half>("half", 3);
}
CAMPAIGN("any rectangle of float is transposed in its own memory exactly") {
  any_rectangle<float>("float", 8);
}
CAMPAIGN("any rectangle of double is transposed in its own memory exactly") {
  any_rectangle<double>("double", 3);
}
CAMPAIGN("any rectangle of 16-byte structs is transposed in its own memory exactly") {
  any_rectangle<sixteen>("16 bytes", 3);
}

CAMPAIGN("matrices of a batch lie where arrays of offsets say") {
  run_campaign("offsets", 10, [](draw& d) -> std::string {
    const session& s = device_session();
    const std::int64_t rows = d.between(1, 40), cols = d.between(1, 40), batch = d.between(1, 4);
    const std::int64_t size = rows * cols + 3;
    const auto a_at = draw_batch_offsets(d, batch, size), b_at = draw_batch_offsets(d, batch, size);
    guarded_buffer<std::int64_t> a_offsets(s, a_at, 0), b_offsets(s, b_at, 0);
    const auto elements = static_cast<std::size_t>(batch * size);
    const auto from = random_array<std::uint32_t>(d, elements),
               before = random_array<std::uint32_t>(d, elements);
    guarded_buffer<std::uint32_t> A(s, from, 1u), B(s, before, 2u);
    transpose_options options;
    if (d.chance(70)) {
      options.policy = transpose_policy{
          .tile_rows = 16,
          .tile_cols = 8,
          .items = 8,
          .exchange =
              d.one_of({tile_exchange::direct, tile_exchange::local, tile_exchange::elements})};
    }
    const auto as_if = elsewhere(d, s, !options.policy);
    transpose<std::uint32_t> turn(s.queue, options);
    auto a = matrix<std::uint32_t>(A.buffer(), rows, cols).batch(batch, a_offsets.buffer()),
         b = matrix<std::uint32_t>(B.buffer(), cols, rows).batch(batch, b_offsets.buffer());
    const bool strided = d.chance(30);  // one side of the two
    if (strided) a = a.batch(batch, size);
    const bool in_place = d.chance(30) && !strided;
    if (in_place) {
      transpose<std::uint32_t> own(s.queue);
      wait_for(own.in_place(a));
    } else {
      wait_for(turn(a, b));
    }
    std::vector<std::uint32_t> expected = in_place ? from : before;
    for (std::int64_t n = 0; n < batch; ++n)
      for (std::int64_t r = 0; r < rows; ++r)
        for (std::int64_t c = 0; c < cols; ++c) {
          const auto one = static_cast<std::size_t>(n);
          const std::int64_t first = strided ? n * size : a_at[one];
          expected[static_cast<std::size_t>((in_place ? first : b_at[one]) + c * rows + r)] =
              from[static_cast<std::size_t>(first + r * cols + c)];
        }
    guarded_buffer<std::uint32_t>& where = in_place ? A : B;
    if (where.read() == expected && where.intact()) return {};
    return std::to_string(rows) + " x " + std::to_string(cols) + " batch " + std::to_string(batch) +
           (in_place ? " in place" : "") + (options.policy ? to_string(*options.policy) : "");
  });
}

CAMPAIGN("a short axis in registers: pixels to planes and back") {
  run_campaign("strips", 12, [](draw& d) -> std::string {
    const session& s = device_session();
    const std::int64_t narrow = d.between(1, 16), wide = d.between(1, d.one_of({20, 300}));
    const bool pixels = d.chance(50);
    const int items = d.one_of({1, 3, 8});
    int vector = d.one_of({1, 2, 4, 8, 16});
    while (vector * narrow > 64) vector /= 2;  // PoCL compiles hundreds of elements slowly
    transpose_options options{.policy = transpose_policy{.tile_rows = items * vector * 2,
                                                         .tile_cols = 16,
                                                         .vector = vector,
                                                         .items = items,
                                                         .exchange = tile_exchange::registers,
                                                         .unaligned = d.chance(50)}};
    if (d.chance(20)) options.policy.reset();
    const auto as_if = elsewhere(d, s, !options.policy);
    transpose<std::uint8_t> turn(s.queue, options);
    placed a{.rows = pixels ? wide : narrow, .cols = pixels ? narrow : wide};
    a.leading = pixels ? narrow : wide + d.between(0, 3);
    a.offset = d.one_of({0, 1, 16});
    placed b{.rows = a.cols, .cols = a.rows};
    b.leading = pixels ? wide + d.between(0, 3) : narrow;
    const std::string complaint = complaint_of_turn(d, s, turn, a, b);
    return complaint.empty() ? complaint : complaint + "\n" + text_of(a) + "\n" + text_of(b);
  });
}
