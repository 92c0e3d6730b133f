// Products of elements of 8 bits: what each of them means, what is chosen, what is refused.

#include <bit>
#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include <clprim/gemm.hpp>

#include "gemm/product.hpp"
#include "support/device.hpp"
#include "support/other_devices.hpp"
#include "support/refusal.hpp"

using namespace clprim;
using namespace support;

namespace {

/// All 256 elements, each multiplied by one, as the device reads them.
template <class T, class Out = product_output_t<T>> std::vector<Out> every_element(T one, int k) {
  const session& s = device_session();
  std::vector<T> all(256 * static_cast<std::size_t>(k), T{}),
      ones(static_cast<std::size_t>(k), one);
  for (std::size_t i = 0; i < 256; ++i)
    all[i * static_cast<std::size_t>(k)] = std::bit_cast<T>(static_cast<std::uint8_t>(i));
  guarded_buffer<T> A(s, all, one), B(s, ones, one);
  guarded_buffer<Out> C(s, std::vector<Out>(256), Out(9));
  gemm<T, tuned_policy, Out> multiply(s.queue);
  multiply(1, matrix<T>(A.buffer(), 256, k), matrix<T>(B.buffer(), k, 1), 0,
           matrix<Out>(C.buffer(), 256, 1));
  return C.read();
}

template <class T> void are_read_as_in_cpp() {
  for (const int k : {1, 16}) {
    const std::vector<float> got = every_element(T(1.f), k);
    for (std::size_t i = 0; i < 256; ++i) {
      const float value = static_cast<float>(std::bit_cast<T>(static_cast<std::uint8_t>(i)));
      CAPTURE(i);
      CHECK((std::isnan(value) ? std::isnan(got[i]) : got[i] == value));
    }
  }
}

/// A product of 512 cubed, as schedules know it.
gemm_kind square(bool a_along_k, bool b_along_k, int alignment = 16) {
  return {.m = 512,
          .n = 512,
          .k = 512,
          .a = {.along_k = a_along_k, .leading = 512, .alignment = alignment},
          .b = {.along_k = b_along_k, .leading = 512, .alignment = alignment},
          .c = {.leading = 512, .alignment = 16}};
}

gemm_schedule scheduled(const gemm_kind& kind, scalar type, const device_facts& device,
                        std::optional<gemm_policy> policy = {}, std::size_t room = 1 << 24,
                        bool portable = false) {
  return schedule_for(kind, policy, portable, room, 4, type, device);
}

}  // namespace

TEST_CASE("every element of float8 e4m3 is read as in C++") { are_read_as_in_cpp<float8_e4m3>(); }
TEST_CASE("every element of float8 e5m2 is read as in C++") { are_read_as_in_cpp<float8_e5m2>(); }

TEST_CASE("every element of int8 is read as in C++, whatever C is of") {
  const std::vector<std::int32_t> whole = every_element(std::int8_t{1}, 3);
  const std::vector<float> real = every_element<std::int8_t, float>(std::int8_t{1}, 3);
  for (int i = 0; i < 256; ++i) {
    CHECK(whole[static_cast<std::size_t>(i)] == static_cast<std::int8_t>(i));
    CHECK(real[static_cast<std::size_t>(i)] == static_cast<std::int8_t>(i));
  }
}

TEST_CASE("sums of int8 past the range of int32 wrap around") {
  constexpr int k = 140000;  // of 2^14 each
  const session& s = device_session();
  guarded_buffer<std::int8_t> A(s, std::vector<std::int8_t>(k, -128), std::int8_t{0});
  guarded_buffer<std::int32_t> C(s, std::vector<std::int32_t>{7}, 0);
  gemm<std::int8_t> multiply(s.queue);
  multiply(1, matrix<std::int8_t>(A.buffer(), 1, k), matrix<std::int8_t>(A.buffer(), k, 1), 0,
           matrix<std::int32_t>(C.buffer(), 1, 1));
  CHECK(C.read()[0] == static_cast<std::int32_t>(std::uint32_t{k} << 14));
}

TEST_CASE("int8 is scaled by factors of float where C is of float") {
  const session& s = device_session();
  guarded_buffer<std::int8_t> A(s, std::vector<std::int8_t>{3, -5}, std::int8_t{0}),
      B(s, std::vector<std::int8_t>{7, 100}, std::int8_t{0});
  guarded_buffer<float> C(s, std::vector{2.f}, 0.f);
  gemm<std::int8_t, tuned_policy, float> multiply(s.queue);
  multiply(0.25f, matrix<std::int8_t>(A.buffer(), 1, 2), matrix<std::int8_t>(B.buffer(), 2, 1),
           0.5f, matrix<float>(C.buffer(), 1, 1));
  CHECK(C.read()[0] == -118.75f);
}

TEST_CASE("elements of 8 bits are multiplied along k by wgmma, or by copies that lie so") {
  for (const scalar type : {scalar::int8_, scalar::e4m3_, scalar::e5m2_}) {
    const gemm_schedule along = scheduled(square(true, true), type, h200());
    CHECK(along.policy.instruction == gemm_instruction::wgmma);
    CHECK(!along.policy.packed);
    for (const bool a_along_k : {false, true}) {
      const gemm_schedule across = scheduled(square(a_along_k, false), type, h200());
      CHECK(across.policy.instruction == gemm_instruction::wgmma);
      CHECK(across.policy.packed);
      CHECK(across.policy.turned);
      CHECK(across.variant.a.packed == !a_along_k);
      CHECK((across.variant.a.along_k && across.variant.b.along_k));
    }
    const gemm_schedule odd = scheduled(square(true, true, 1), type, h200());
    CHECK(odd.policy.instruction != gemm_instruction::fma);
    CHECK(!odd.policy.turned);
    CHECK(scheduled(square(false, true), type, h200(), {}, 0).policy.instruction ==
          gemm_instruction::fma);
    CHECK(scheduled(square(true, true), type, h200(), {}, 1 << 24, true).policy.instruction ==
          gemm_instruction::fma);
    for (const device_facts& other : {mi300x(), arc_a770()})
      CHECK(scheduled(square(true, true), type, other).policy.instruction == gemm_instruction::fma);
    const gemm_instruction of_ampere =
        type == scalar::int8_ ? gemm_instruction::mma_sync : gemm_instruction::fma;
    CHECK(scheduled(square(true, true), type, a100()).policy.instruction == of_ampere);
    CHECK(scheduled(square(false, true), type, a100()).policy.instruction == of_ampere);
  }
}

TEST_CASE("a policy of wgmma has operands of 8 bits turned, or is refused for want of room") {
  const gemm_policy units = gemm_tables::wgmma_byte(64, 64, 3);
  const gemm_schedule s = scheduled(square(true, false), scalar::int8_, h200(), units);
  CHECK(s.policy.packed);
  CHECK(s.policy.turned);
  CHECK(s.variant.b.along_k);
  CHECK(refused([&] { scheduled(square(true, false), scalar::int8_, h200(), units, 1000); }) ==
        "the workspace of a product of elements of 8 bits by matrix units must hold the copies of "
        "A and B: "
        "1000 bytes given, 262144 bytes");
  CHECK(refused([&] { scheduled(square(true, true), scalar::int8_, h200(), units, 0); }) ==
        "accepted");
}

TEST_CASE("float8 keeps registers for sums of single steps") {
  const auto sentence = [](const gemm_policy& p) {
    return refused([&] { check_type_rules(p, scalar::e4m3_); });
  };
  CHECK(sentence(gemm_tables::wgmma_byte(128, 128, 4, buffering::bulk)) == "accepted");
  CHECK(sentence(gemm_tables::wgmma_byte(128, 256, 4, buffering::bulk)) == "accepted");
  CHECK(sentence(gemm_tables::wgmma_byte(64, 256, 4)) ==
        "float8 and split precisions keep sums of single steps too: they need tile_n of at most "
        "128, or, but for split_half, buffer bulk and tile_m = 128");
  CHECK(sentence(gemm_tables::wgmma_byte(192, 128, 4, buffering::bulk)) ==
        "float8 and split precisions keep sums of single steps too: two sets of tile_n / 2, three "
        "for buffers but bulk and for split_half, need registers, and 24 more for each work-item: "
        "77824 given, at most 65536");
}

TEST_CASE("every row of matrix units for elements of 8 bits keeps the rules, and is built") {
  for (const scalar type : {scalar::int8_, scalar::e4m3_, scalar::e5m2_}) {
    int units = 0;
    for (const gemm_row& row : gemm_table_of(h200(), type).rows) {
      if (row.policy.instruction != gemm_instruction::wgmma) continue;
      ++units;
      CAPTURE(to_string(row.policy));
      CHECK(refused([&] { check_device_rules(row.policy, type, h200()); }) == "accepted");
      const gemm_schedule s = schedule_of(square(true, true), row.policy, 1, type, h200());
      CHECK(s.policy == row.policy);
      const std::string text = gemm_source(s.policy, s.variant);
      CHECK((text.find("#define SUMS_STEPS 1") != std::string::npos) == (type != scalar::int8_));
      // Without bulk copies, nothing that only they have room for.
      device_facts plain = h200();
      plain.bulk_copies = false;
      const gemm_schedule instead = schedule_of(square(true, true), row.policy, 1, type, plain);
      CHECK(refused([&] { check_device_rules(instead.policy, type, plain); }) == "accepted");
    }
    CHECK(units > 2);
  }
}
