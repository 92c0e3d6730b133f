// The policy of GEMM as a value: its rules, its text, the policies that the library chooses.

#include <array>
#include <cmath>
#include <cstddef>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include <clprim/gemm/policy.hpp>
#include <clprim/gemm/schedule.hpp>
#include <clprim/gemm/source.hpp>
#include <clprim/gemm/tuned.hpp>

#include "gemm/draw_problem.hpp"
#include "support/other_devices.hpp"
#include "support/random.hpp"
#include "support/refusal.hpp"

using namespace clprim;

namespace {

std::string sentence_of(const gemm_policy& p) {
  try {
    check_rules(p);
  } catch (const policy_error& e) {
    return e.what();
  }
  return "kept";
}

}  // namespace

TEST_CASE("each rule of a GEMM policy has its sentence") {
  CHECK(sentence_of({}) == "kept");
  CHECK(sentence_of({.tile_k = 0}) == "tile_m, tile_n and tile_k must be positive");
  CHECK(sentence_of({.tile_m = -64}) == "tile_m, tile_n and tile_k must be positive");
  CHECK(sentence_of({.tile_n = 8192}) == "tile_m, tile_n and tile_k must be at most 4096");
  CHECK(sentence_of({.per_item_m = 0}) == "per_item_m and per_item_n must be positive");
  CHECK(sentence_of({.per_item_m = 64, .per_item_n = 32}) ==
        "per_item_m * per_item_n must be at most 1024");
  CHECK(sentence_of({.blocks_n = 0}) == "blocks_m and blocks_n must be positive");
  CHECK(sentence_of({.blocks_m = 5000}) == "blocks_m and blocks_n must be at most 4096");
  CHECK(sentence_of({.tile_m = 512, .tile_n = 512, .per_item_m = 4, .per_item_n = 2}) ==
        "the work-group, tile / (per_item * blocks) in both directions times slices_k, must be at "
        "most 4096 work-items");
  CHECK(sentence_of({.slices_k = 0}) == "slices_k must be positive");
  CHECK(sentence_of({.tile_m = 66}) == "tile_m must be a multiple of per_item_m * blocks_m");
  CHECK(sentence_of({.tile_n = 64, .per_item_n = 4, .blocks_n = 3}) ==
        "tile_n must be a multiple of per_item_n * blocks_n");
  CHECK(sentence_of({.tile_k = 16, .slices_k = 3}) == "tile_k must be a multiple of slices_k");
  CHECK(sentence_of({.lanes_m = 0}) == "lanes_m and lanes_n must be positive");
  CHECK(sentence_of({.lanes_m = 3}) ==
        "lanes_m must divide the items along m, tile_m / (per_item_m * blocks_m)");
  CHECK(sentence_of({.lanes_n = 5}) ==
        "lanes_n must divide the items along n, tile_n / (per_item_n * blocks_n)");
  CHECK(sentence_of({.vector = 3}) == "vector, vector_m and vector_n must be 1, 2, 4, 8 or 16");
  CHECK(sentence_of({.vector_m = 0}) == "vector, vector_m and vector_n must be 1, 2, 4, 8 or 16");
  CHECK(sentence_of({.vector_n = 32}) == "vector, vector_m and vector_n must be 1, 2, 4, 8 or 16");
  CHECK(sentence_of({.vector_m = 8}) == "per_item_m must be a multiple of vector_m");
  CHECK(sentence_of({.vector_n = 16}) == "per_item_n must be a multiple of vector_n");
  CHECK(sentence_of({.blocks_m = 2}) ==
        "several register blocks (blocks_m, blocks_n) need a group of one work-item");
  CHECK(sentence_of({.order = local_order::stored}) == "order stored needs vector_m = 1");
  CHECK(sentence_of({.raster = 0}) == "raster must be positive");
  CHECK(sentence_of({.turned = true}) == "turned needs packed = true");
  CHECK(sentence_of({.packed = true, .turned = true}) == "kept");
  CHECK(sentence_of({.unroll = -1}) == "unroll and split_k must not be negative");
  CHECK(sentence_of({.split_k = -1}) == "unroll and split_k must not be negative");
  CHECK(sentence_of({.stage_a = staging::global, .buffer = buffering::registers, .stages = 2}) ==
        "buffer registers and async need stage_a and stage_b local");
  CHECK(sentence_of({.tile_k = 15, .buffer = buffering::registers, .stages = 2}) ==
        "buffer registers and async need tile_k / slices_k to be even");
  CHECK(sentence_of({.tile_m = 8,
                     .tile_n = 4,
                     .blocks_m = 2,
                     .lanes_m = 1,
                     .lanes_n = 1,
                     .buffer = buffering::registers,
                     .stages = 2}) == "buffer registers and async need blocks_m = blocks_n = 1");
  CHECK(sentence_of({.tile_m = 8,
                     .tile_n = 4,
                     .blocks_m = 2,
                     .lanes_m = 1,
                     .lanes_n = 1,
                     .stage_c = staging::local}) == "stage_c local needs blocks_m = blocks_n = 1");
  CHECK(sentence_of({.stages = 2}) == "buffer single needs stages = 1");
  CHECK(sentence_of({.buffer = buffering::registers, .stages = 1}) ==
        "buffer registers and async need stages of 2 to 8");
  CHECK(sentence_of({.buffer = buffering::async, .stages = 2, .unaligned = true}) ==
        "buffer async copies aligned runs: it needs unaligned = false");
  CHECK(sentence_of({.buffer = buffering::async, .stages = 9}) ==
        "buffer registers and async need stages of 2 to 8");
  CHECK(
      sentence_of(
          {.vector_m = 1, .buffer = buffering::async, .stages = 2, .order = local_order::stored}) ==
      "buffer async needs order plain or padded, unless instruction is mma_sync or wgmma");
}

TEST_CASE("each rule of a policy for matrix units is its sentence") {
  const gemm_policy units = gemm_tables::mma(128, 256, 64, 8, 16, 8, buffering::async, 3);
  CHECK(sentence_of(units) == "kept");
  const auto but = [&](auto change) {
    gemm_policy p = units;
    change(p);
    return sentence_of(p);
  };
  CHECK(but([](gemm_policy& p) { p.order = local_order::padded; }) ==
        "matrix units need stage_a and stage_b local, and order stored");
  CHECK(but([](gemm_policy& p) { p.slices_k = 2; }) ==
        "matrix units need slices_k = blocks_m = blocks_n = 1");
  const auto typed = [](gemm_policy p, scalar type) {
    return support::refused([&] { check_type_rules(p, type); });
  };
  CHECK(typed(units, scalar::half_) == "accepted");
  gemm_policy laid_out = units, few_sums = units;
  laid_out.lanes_m = 4;
  CHECK(typed(laid_out, scalar::half_) ==
        "instruction mma_sync needs its layout: lanes_m = 8, lanes_n = 4, vector_m = 1, "
        "vector_n = 2");
  few_sums.per_item_n = 2;
  CHECK(typed(few_sums, scalar::half_) ==
        "instruction mma_sync needs per_item_m to be a multiple of 2 and per_item_n of 4");
  CHECK(
      typed(units, scalar::float_) ==
      "instruction mma_sync multiplies half, bfloat16, int8, double, complex double, and float of "
      "precision split_half");
  gemm_policy short_steps = units;
  short_steps.tile_k = 16;
  CHECK(typed(short_steps, scalar::half_) ==
        "matrix units need tile_k to be a multiple of 32 (int8), 16 (half, bfloat16) or 4, of "
        "twice as "
        "much where the walk overlaps its steps");
}

TEST_CASE("each rule of a policy for warp-groups is its sentence") {
  const gemm_policy groups = gemm_tables::wgmma(128, 256, 4);
  CHECK(sentence_of(groups) == "kept");
  const auto but = [&](auto change) {
    gemm_policy p = groups;
    change(p);
    return sentence_of(p);
  };
  const char* const sizes =
      "instruction wgmma needs tile_m to be a multiple of 64, and tile_n of 8 and at most 256";
  CHECK(but([](gemm_policy& p) { p.tile_k = 48; }) ==
        "instruction wgmma needs tile_k = 128, 64 or 32");
  CHECK(but([](gemm_policy& p) { p.tile_m = 96; }) == sizes);
  CHECK(but([](gemm_policy& p) { p.tile_n = 512; }) == sizes);
  CHECK(sentence_of(gemm_tables::as_wide_as(104, groups)) == "kept");
  CHECK(but([](gemm_policy& p) { p.fetchers = 64; }) ==
        "fetchers must be a warp or a warp-group: 32 or 128");
  CHECK(
      but([](gemm_policy& p) { p.per_item_m = 4; }) ==
      "instruction wgmma needs its sums: per_item_m = 2, per_item_n = tile_n / 4, or that of equal "
      "parts of tile_n, multiples of 8");
  CHECK(but([](gemm_policy& p) {
          p.buffer = buffering::single, p.stages = 1, p.unaligned = true;
        }) == "instruction wgmma needs unaligned = false");
  CHECK(but([](gemm_policy& p) { p.stages = 2; }) ==
        "instruction wgmma needs stages of 3 or more, unless buffer is single");
  CHECK(but([](gemm_policy& p) { p.order = local_order::plain; }) ==
        "matrix units need stage_a and stage_b local, and order stored");
  CHECK(sentence_of(gemm_tables::wgmma(192, 256, 3, buffering::bulk)) ==
        "instruction wgmma needs registers for its sums, 2 per_item_n and 24 more for each "
        "work-item of the group: 77824 given, at most 65536");
  CHECK(sentence_of(gemm_tables::wgmma(192, 192, 3, buffering::bulk)) == "kept");
  CHECK(but([](gemm_policy& p) { p.stage_c = staging::local; }) == "kept");
  CHECK(but([](gemm_policy& p) { p.stage_c = staging::local, p.buffer = buffering::bulk; }) ==
        "stage_c local has all items of a group meet: it needs another buffer than bulk");
  const auto joined = [](gemm_policy& p) { p.finish = gemm_finish::last_group_fenced; };
  CHECK(but(joined) == "kept");
  CHECK(but([&](gemm_policy& p) { joined(p), p.buffer = buffering::bulk; }) ==
        "finish last_group_fenced has all items of a group meet: it needs another buffer than "
        "bulk");
  CHECK(sentence_of(gemm_tables::wgmma(320, 64, 3, buffering::bulk)) ==
        "buffer bulk copies boxes of at most 256 lines: it needs tile_m of at most 256");
  CHECK(sentence_of(gemm_tables::mma(128, 256, 64, 8, 16, 8, buffering::bulk, 3)) ==
        "buffer bulk needs instruction wgmma");
  CHECK(support::refused([&] { check_type_rules(groups, scalar::double_); }) ==
        "instruction wgmma multiplies half, bfloat16, float8, int8, and float of precision "
        "split_half, split_tf32 or tf32");
  CHECK(support::refused([&] { check_type_rules(groups, scalar::float_, gemm_precision::tf32); }) ==
        "instruction wgmma needs lines of 128 bytes: tile_k = 128 for elements of 8 bits, 64 for "
        "half and bfloat16, 32 for float");
  gemm_policy wide = gemm_tables::wgmma_float(64, 256, 3);
  CHECK(support::refused([&] { check_type_rules(wide, scalar::float_, gemm_precision::tf32); }) ==
        "accepted");
  CHECK(support::refused(
            [&] { check_type_rules(wide, scalar::float_, gemm_precision::split_tf32); }) ==
        "float8 and split precisions keep sums of single steps too: they need tile_n of at most "
        "128, or, but for split_half, buffer bulk and tile_m = 128");
  const auto of_halves = [](const gemm_policy& p) {
    return support::refused(
        [&] { check_type_rules(p, scalar::half_, gemm_precision::split_half); });
  };
  CHECK(of_halves(gemm_tables::wgmma(128, 128, 4, buffering::bulk)) == "accepted");
  CHECK(of_halves(gemm_tables::wgmma(128, 256, 4, buffering::bulk)) ==
        "float8 and split precisions keep sums of single steps too: they need tile_n of at most "
        "128, or, but for split_half, buffer bulk and tile_m = 128");
  CHECK(of_halves(gemm_tables::wgmma(64, 64, 1, buffering::single)) ==
        "precision split_half needs lines of 128 bytes, multiplied while others travel: tile_k = "
        "64, slices_k = 1, another buffer than single");
  CHECK(of_halves(gemm_tables::wgmma(256, 128, 3, buffering::bulk)) ==
        "float8 and split precisions keep sums of single steps too: two sets of tile_n / 2, three "
        "for buffers but bulk and for split_half, need registers, and 24 more for each work-item: "
        "138240 given, at most 65536");
}

TEST_CASE("bulk copies give way where they do not reach the operands, or their maps have no room") {
  device_facts hopper = support::h200();
  const gemm_policy policy = gemm_tables::wgmma(128, 256, 3, buffering::bulk);
  const gemm_kind product{.m = 1024,
                          .n = 1024,
                          .k = 1024,
                          .a = {.along_k = true, .leading = 1024, .alignment = 16},
                          .b = {.leading = 1024, .alignment = 16},
                          .c = {.leading = 1024, .alignment = 16}};
  const auto scheduled = [&](const gemm_kind& kind, std::size_t room = 1 << 20) {
    return schedule_for(kind, policy, false, room, 4, scalar::half_, hopper);
  };
  const auto buffer_of = [&](auto change) {
    gemm_kind kind = product;
    change(kind);
    return scheduled(kind).policy.buffer;
  };
  const gemm_schedule whole = scheduled(product);
  CHECK(whole.policy.buffer == buffering::bulk);
  CHECK(whole.groups == 132);  // one to a unit: local memory has no room for two
  CHECK(gemm_spaces_of(product, whole, 4).bytes == 132 * 256);
  CHECK(scheduled(product, 132 * 256).policy.buffer == buffering::bulk);
  CHECK(scheduled(product, 132 * 256 - 1).policy.buffer == buffering::async);
  CHECK(gemm_launch(product, whole, geometry_of(whole.policy, whole.variant)).global[0] ==
        32 * 384);
  CHECK(buffer_of([](gemm_kind& p) { p.a.alignment = 4; }) == buffering::async);
  CHECK(buffer_of([](gemm_kind& p) { p.b.offsets = true; }) == buffering::async);
  CHECK(buffer_of([](gemm_kind& p) { p.k = 64; }) == buffering::single);
  CHECK(buffer_of([](gemm_kind& p) { p.m = 8192; }) == buffering::bulk);
  hopper.bulk_copies = false;
  CHECK(scheduled(product).policy.buffer == buffering::async);
}

TEST_CASE("matrix units are chosen where the device has them, and nowhere else") {
  device_facts hopper{.name = "H200",
                      .vendor = vendor::nvidia,
                      .compute_units = 132,
                      .local_bytes = 232320,
                      .max_work_group = 1024,
                      .max_items = {1024, 1024, 64},
                      .compute_capability = 90,
                      .inline_ptx = true,
                      .async_copy = true,
                      .warp_group_products = true};
  const gemm_size large{.m = 4096, .n = 4096, .k = 4096};
  const auto chosen = [&](scalar type, bool portable = false) {
    return tuned_gemm(hopper, type, large, {.portable = portable}).policy.instruction;
  };
  CHECK(chosen(scalar::half_) == gemm_instruction::wgmma);
  hopper.warp_group_products = false;
  CHECK(chosen(scalar::half_) == gemm_instruction::mma_sync);
  CHECK(chosen(scalar::double_) == gemm_instruction::mma_sync);
  CHECK(chosen(scalar::complex_double) == gemm_instruction::mma_sync);
  CHECK(chosen(scalar::float_) == gemm_instruction::fma);
  CHECK(chosen(scalar::half_, true) == gemm_instruction::fma);
  hopper.compute_capability = 86;
  CHECK(chosen(scalar::half_) == gemm_instruction::mma_sync);
  CHECK(chosen(scalar::double_) == gemm_instruction::fma);
  hopper.inline_ptx = false;
  CHECK(chosen(scalar::half_) == gemm_instruction::fma);
}

TEST_CASE("matrix units of AMD's and Intel's are taken where the device has them") {
  const auto chosen = [](const device_facts& device, scalar type, bool portable = false) {
    const gemm_size large{.m = 4096, .n = 4096, .k = 4096};
    return to_string(tuned_gemm(device, type, large, {.portable = portable}).policy.instruction);
  };
  device_facts mi300 = support::mi300x(), radeon = support::rx_7900_xtx(),
               arc = support::arc_a770();
  for (const scalar type : {scalar::half_, scalar::bfloat16_, scalar::float_, scalar::double_})
    CHECK(chosen(mi300, type) == "mfma");
  CHECK(chosen(mi300, scalar::complex_float) == "fma");
  CHECK(chosen(mi300, scalar::half_, true) == "fma");
  CHECK(chosen(radeon, scalar::half_) == "wmma");
  CHECK(chosen(radeon, scalar::float_) == "fma");
  radeon.matrix_units = matrix_unit::wmma_gfx12;
  CHECK(chosen(radeon, scalar::bfloat16_) == "wmma_gfx12");
  CHECK(chosen(arc, scalar::half_) == "dpas");
  arc.matrix_unit_lanes = 16;
  CHECK(tuned_gemm(arc, scalar::half_, {.m = 512, .n = 512, .k = 512}).policy.lanes_n == 16);
  arc.matrix_unit_lanes = 32;  // of sub-groups that no instruction has been written for
  CHECK(chosen(arc, scalar::half_) == "fma");
  mi300.matrix_units = matrix_unit::none;
  CHECK(chosen(mi300, scalar::half_) == "fma");
}

TEST_CASE("an access wider than the shift of a tile's rows is not aligned in local memory") {
  gemm_policy p = gemm_tables::by_units(gemm_instruction::mfma, scalar::float_, 1, 1, 2, 2, 16);
  gemm_variant v{.type = scalar::float_};
  v.a.alignment = v.b.alignment = 16;
  const auto stores = [&](const std::string& how) {
    return gemm_source(p, v).find("#define A_STORE_LOCAL(p, x) " + how) != std::string::npos;
  };
  CHECK(stores("*(__local float4 *)(p) = x"));
  p.vector = 8;
  CHECK(stores("vstore8(x, 0, (__local float *)(p))"));
}

TEST_CASE("each rule of a policy for AMD's and Intel's matrix units is its sentence") {
  const auto refused = [](const gemm_policy& p, scalar type, const device_facts& device) {
    return support::refused([&] { check_device_rules(p, type, device); });
  };
  const auto units = [](gemm_instruction instruction, scalar type = scalar::half_) {
    return gemm_tables::by_units(instruction, type, 2, 2, 2, 2, 32);
  };
  using enum gemm_instruction;
  const device_facts mi300 = support::mi300x(), arc = support::arc_a770();
  CHECK(refused(units(mfma), scalar::half_, mi300) == "accepted");
  CHECK(refused(units(mfma, scalar::double_), scalar::half_, mi300) ==
        "instruction mfma needs its layout: lanes_m = 16, lanes_n = 4, vector_m = 1, vector_n = 4; "
        "of double 4, 16, 1 and 1");
  CHECK(refused(units(mfma), scalar::complex_double, mi300) ==
        "instruction mfma multiplies half, bfloat16, float of precision full, and double");
  CHECK(refused(units(wmma), scalar::half_, mi300) ==
        "instruction wmma needs AMD of gfx11, driven by AMD's OpenCL");
  CHECK(refused(units(wmma), scalar::float_, mi300) ==
        "instruction wmma multiplies half and bfloat16");
  CHECK(refused(units(wmma_gfx12), scalar::half_, mi300) ==
        "instruction wmma_gfx12 needs AMD of gfx12, driven by AMD's OpenCL");
  CHECK(refused(units(dpas), scalar::half_, arc) ==
        "instruction dpas needs Intel with cl_intel_subgroup_matrix_multiply_accumulate, and "
        "lanes_n as wide as its sub-groups");
  gemm_policy few_rows = units(dpas);
  few_rows.per_item_m = 4;
  few_rows.tile_m = 8;
  CHECK(refused(few_rows, scalar::half_, arc) ==
        "instruction dpas needs per_item_m to be a multiple of 8");
  gemm_policy short_steps = units(mfma);
  short_steps.tile_k = 16;
  CHECK(refused(short_steps, scalar::half_, mi300) ==
        "matrix units need tile_k to be a multiple of 32 (int8), 16 (half, bfloat16) or 4, of "
        "twice as "
        "much where the walk overlaps its steps");
}

TEST_CASE("any GEMM policy is read back from its text, and differs by its hash") {
  support::draw d(1);
  std::set<std::string> texts;
  std::set<std::size_t> hashes;
  for (int i = 0; i < 2000; ++i) {
    const gemm_policy p =
        d.chance(20) ? support::draw_policy_of_units(d, gemm_instruction::mma_sync, scalar::half_)
                     : support::draw_policy(d);
    CHECK(sentence_of(p) == "kept");
    CHECK(parse_policy<gemm_policy>(to_string(p)) == p);
    texts.insert(to_string(p));
    hashes.insert(hash_of(p));
  }
  CHECK(texts.size() > 1500);
  CHECK(hashes.size() == texts.size());
  CHECK(parse_policy<gemm_policy>("{.tile_m = 128, .order = local_order::stored}") ==
        gemm_policy{.tile_m = 128, .order = local_order::stored});
}

TEST_CASE("the source of any policy carries it in its banner, and is the same every time") {
  support::draw d(2);
  for (int i = 0; i < 200; ++i) {
    const gemm_policy p = support::draw_policy(d);
    const gemm_variant v{.split = d.chance(50), .clamped = d.chance(50)};
    const std::string source = gemm_source(p, v);
    CHECK(source == gemm_source(p, v));
    const auto at = source.find("clprim::gemm_policy{");
    REQUIRE(at != std::string::npos);
    CHECK(parse_policy<gemm_policy>(source.substr(at, source.find('}', at) + 1 - at)) == p);
  }
}

TEST_CASE("what the library chooses can be run by the device it chooses for") {
  device_facts nvidia{.name = "H200",
                      .vendor = vendor::nvidia,
                      .compute_units = 132,
                      .local_bytes = 232448,
                      .reported_local_bytes = 49152,
                      .max_work_group = 1024,
                      .max_items = {1024, 1024, 64},
                      .compute_capability = 90,
                      .async_copy = true};
  device_facts ampere = nvidia;
  ampere.compute_capability = 86, ampere.local_bytes = 99 * 1024, ampere.compute_units = 84;
  device_facts volta = nvidia;
  volta.compute_capability = 70, volta.local_bytes = 96 * 1024, volta.async_copy = false;
  device_facts kepler = nvidia;
  kepler.compute_capability = 35, kepler.local_bytes = 49152, kepler.async_copy = false;
  const device_facts amd{.name = "an AMD GPU",
                         .vendor = vendor::amd,
                         .compute_units = 60,
                         .local_bytes = 65536,
                         .max_work_group = 256,
                         .subgroup_width = 64};
  const device_facts intel{.name = "an Intel GPU",
                           .vendor = vendor::intel,
                           .compute_units = 24,
                           .local_bytes = 65536,
                           .max_work_group = 256,
                           .subgroup_width = 16,
                           .fp64 = false};
  const device_facts cpu{.name = "a CPU",
                         .vendor = vendor::pocl,
                         .kind = device_kind::cpu,
                         .compute_units = 2,
                         .local_bytes = 524288,
                         .max_work_group = 4096,
                         .subgroup_width = 1};
  device_facts wide_cpu = cpu;
  wide_cpu.simd_bytes = 64;
  const device_facts narrow_cpu{.name = "a CPU of little local memory",
                                .vendor = vendor::intel,
                                .kind = device_kind::cpu,
                                .local_bytes = 32768,
                                .max_work_group = 1024};
  const device_facts unknown{};
  for (const device_facts& device :
       {nvidia, ampere, volta, kepler, amd, intel, cpu, wide_cpu, narrow_cpu, unknown}) {
    for (const scalar type : {scalar::half_, scalar::float_, scalar::double_, scalar::complex_float,
                              scalar::complex_double}) {
      if (facts_of(type).needs_fp64 && !device.fp64) continue;
      for (const std::int64_t m : {0, 1, 16, 333, 1024, 8192}) {
        for (const std::int64_t n : {1, 16, 1000, 8192}) {
          for (const std::int64_t k : {0, 1, 64, 4093, 65536}) {
            for (const std::int64_t batch : {1, 4096}) {
              for (const bool along_k : {false, true}) {
                const gemm_choice choice =
                    tuned_gemm(device, type, {m, n, k, batch, along_k, !along_k});
                CAPTURE(device.name);
                CAPTURE(facts_of(type).name);
                CAPTURE(to_string(choice.policy));
                REQUIRE(sentence_of(choice.policy) == "kept");
                REQUIRE(choice.splits >= 1);
                REQUIRE_NOTHROW(check_device_rules(choice.policy, type, device));
              }
            }
          }
        }
      }
    }
  }
}

TEST_CASE("an H200's products of a deep k and of complex double take what they were measured to") {
  const device_facts hopper{.vendor = vendor::nvidia,
                            .compute_units = 132,
                            .local_bytes = 232320,
                            .max_work_group = 1024,
                            .compute_capability = 90,
                            .inline_ptx = true,
                            .async_copy = true};
  // bench_gemm, by events, which have some us of the host between the two kernels: 61.4 us by 128 x
  // 64 x 16 in 198 parts, 67.8 by 64 x 128 x 32 in 66. Ways as alike as these are predicted within
  // a tenth of what the device takes: which of them is chosen may change with a fit.
  const gemm_size deep{128, 128, 65536};
  int measured = 0;
  for_each_choice(hopper, scalar::float_, deep, {}, [&](const gemm_choice& way) {
    const gemm_policy& p = way.policy;
    if (p.buffer != buffering::registers) return;
    const std::array tiles{p.tile_m, p.tile_n, p.tile_k, way.splits};
    const double ns = tiles == std::array{128, 64, 16, 198}  ? 61420
                      : tiles == std::array{64, 128, 32, 66} ? 67800
                                                             : 0;
    if (ns == 0) return;
    ++measured;
    CHECK(std::abs(way.ns / (ns - 4000) - 1) < 0.1);
  });
  CHECK(measured == 2);
  const gemm_choice chosen = tuned_gemm(hopper, scalar::float_, deep);
  CHECK(chosen.splits > 1);
  CHECK(std::abs(chosen.ns / 57420 - 1) < 0.1);
  // The same: 1188 us; 1249 by 64 x 32 x 8.
  const gemm_choice cube = tuned_gemm(hopper, scalar::complex_double,
                                      {.m = 2048, .n = 2048, .k = 2048, .element_bytes = 16});
  CHECK(std::array{cube.policy.tile_m, cube.policy.tile_n, cube.policy.tile_k, cube.splits} ==
        std::array{64, 64, 8, 1});
  CHECK(std::abs(cube.ns / 1188000 - 1) < 0.02);
}

TEST_CASE("an H200's products of odd half go by copies of the operands where k is not short") {
  // H200, 2026-11-29, us: 45.9 by 64 x 128 x 32, element by element; by copies at most 25.2.
  gemm_kind odd{.m = 1025,
                .n = 1151,
                .k = 1024,
                .a = {.along_k = true, .leading = 1025},
                .b = {.along_k = true, .leading = 1025},
                .c = {.leading = 1151}};
  int measured = 0;
  for_each_choice(support::h200(), scalar::half_, size_of(odd, scalar::half_), {},
                  [&](const gemm_choice& way) {
                    const gemm_policy& p = way.policy;
                    if (std::array{p.tile_m, p.tile_n, p.tile_k} != std::array{64, 128, 32} ||
                        p.stage_c == staging::local || way.splits > 1)
                      return;
                    ++measured;
                    CHECK(std::abs(way.ns / 45900 - 1) < 0.25);
                  });
  CHECK(measured == 1);
  const auto chosen = [&] {
    return schedule_for(odd, std::nullopt, false, std::size_t{1} << 28, 4, scalar::half_,
                        support::h200())
        .policy;
  };
  CHECK(chosen().packed);
  CHECK(chosen().instruction == gemm_instruction::wgmma);
  // The copies would take longer than the product.
  odd.k = 71;
  CHECK(!chosen().packed);
}

TEST_CASE("sums are staged where rows of C are not aligned and a table says what that costs") {
  const device_facts hopper{.vendor = vendor::nvidia,
                            .compute_units = 132,
                            .local_bytes = 232320,
                            .max_work_group = 1024,
                            .compute_capability = 90,
                            .inline_ptx = true,
                            .async_copy = true};
  // H200: 15.1 us, by the best way that does not stage them 19.1.
  gemm_size odd{.m = 172, .n = 12071, .k = 40, .b_along_k = true, .element_bytes = 8};
  odd.a_alignment = odd.b_alignment = 8;
  odd.c_alignment = 1;
  const gemm_choice chosen = tuned_gemm(hopper, scalar::double_, odd);
  CHECK(chosen.policy.stage_c == staging::local);
  CHECK(std::abs(chosen.ns / 15140 - 1) < 0.2);
  gemm_size aligned = odd;
  aligned.c_alignment = 2;
  CHECK(tuned_gemm(hopper, scalar::double_, aligned).policy.stage_c == staging::global);
  for (const scalar type : {scalar::half_, scalar::float_, scalar::double_}) {
    int ways = 0, staged = 0;
    for_each_choice(hopper, type, odd, {}, [&](const gemm_choice& way) {
      ++ways;
      if (way.policy.stage_c == staging::global) return;
      ++staged;
      CHECK_NOTHROW(check_rules(way.policy));
      CHECK(way.splits == 1);
    });
    CHECK(ways > staged);
    CHECK((staged > 0) == (type != scalar::float_));  // no product of float was faster by it
  }

  gemm_row row{.policy = gemm_tables::fma(128, 64, 16, 8, 8, 1, 4, 8, 4, buffering::registers, 2)};
  const gemm_costs costs{
      .single_store_ns = 4, .staged_store_ns = 1, .staging_ns = 100, .memory_bytes_per_ns = 1e12};
  const gemm_size one{.m = 128, .n = 64, .k = 16, .c_alignment = 1};
  const double own = predicted_ns(row, costs, one, 1, 1);
  row.policy.stage_c = staging::local;
  CHECK(own - predicted_ns(row, costs, one, 1, 1) == doctest::Approx(3. * 128 * 64 - 100));
}

TEST_CASE("parts of the last tiles are added by the group that comes last where that is faster") {
  const device_facts hopper = support::h200();
  device_facts elsewhere = hopper;
  elsewhere.inline_ptx = false;
  // H200, 2026-11-27: 45.7 us, by one whole group for each tile 58.7.
  gemm_size odd{.m = 777, .n = 673, .k = 929};
  odd.a_alignment = odd.b_alignment = odd.c_alignment = 1;
  const auto finish = [&](const device_facts& device, const gemm_wishes& wishes) {
    const gemm_choice choice = tuned_gemm(device, scalar::float_, odd, wishes);
    CHECK((choice.splits > 1) == wishes.split);
    return choice.policy.finish;
  };
  CHECK(finish(hopper, {}) == gemm_finish::last_group_fenced);
  CHECK(finish(hopper, {.apart = false}) == gemm_finish::last_group_fenced);
  CHECK(finish(hopper, {.joined = false}) == gemm_finish::second_kernel);
  CHECK(finish(hopper, {.portable = true}) == gemm_finish::second_kernel);
  CHECK(finish(hopper, {.split = false}) == gemm_finish::second_kernel);
  CHECK(finish(elsewhere, {}) == gemm_finish::second_kernel);
  const gemm_policy joined{.finish = gemm_finish::last_group_fenced};
  CHECK_NOTHROW(check_device_rules(joined, scalar::float_, hopper));
  CHECK(support::refused([&] { check_device_rules(joined, scalar::float_, elsewhere); }) ==
        "finish last_group_fenced needs NVIDIA's fence.acq_rel, compute capability 7.0 or more, or "
        "a CPU, there with groups of one item where its compiler loses guards between barriers");
  device_facts cpu = hopper;
  cpu.kind = device_kind::cpu;
  cpu.inline_ptx = false;
  CHECK(has_finish(joined, cpu));
  cpu.loses_guards = true;
  CHECK_FALSE(has_finish(joined, cpu));
  const gemm_policy of_one_item{.tile_m = 4,
                                .tile_n = 4,
                                .tile_k = 1,
                                .per_item_m = 4,
                                .per_item_n = 4,
                                .finish = gemm_finish::last_group_fenced};
  CHECK(of_one_item.group_size() == 1);
  CHECK(has_finish(of_one_item, cpu));

  // The last wave is split; the parts of one tile cost what the table says.
  CHECK(split_tiles(414, 264) == 150);
  CHECK(split_tiles(264, 264) == 264);
  CHECK(split_tiles(7, 264) == 7);
  gemm_row row{.policy = gemm_tables::fma(128, 64, 16, 8, 8, 1, 4, 8, 4, buffering::registers, 2)};
  row.policy.finish = gemm_finish::last_group_fenced;
  const gemm_size one{.m = 128, .n = 64, .k = 1024};
  const gemm_costs plain{.join_ns = 1}, dear{.join_ns = 101, .join_sum_ns = 2};
  CHECK(predicted_ns(row, dear, one, 4, 3) - predicted_ns(row, plain, one, 4, 3) ==
        doctest::Approx(100 + 2. * 128 * 64 * (3 + 1)));
  CHECK(predicted_ns(row, dear, one, 4, 1) == predicted_ns(row, plain, one, 4, 1));
}

TEST_CASE("a group of one item is predicted to do what lies within the edges, and no copies") {
  using namespace gemm_tables;
  const gemm_row local{.policy = cpu(96, 64, 64, 6, 4, 16), .rate = 2, .group_ns = 0};
  const gemm_row in_place{.policy = a_in_place(local.policy), .rate = 2, .group_ns = 0};
  const gemm_costs none{.launch_ns = 0, .memory_bytes_per_ns = 1e12, .cache_bytes_per_ns = 1e12};
  gemm_costs copies = none;
  copies.plain_ns = 1;
  gemm_size size{.m = 7, .n = 65, .k = 65, .a_along_k = false};  // 12 x 128 in two groups
  CHECK(predicted_ns(local, none, size, 1, 1) == doctest::Approx(12 * 128 * 65 / 2.));
  const double a = 2 * 12 * 65, b = 128 * 65;  // A once for each of the two
  CHECK(predicted_ns(local, copies, size, 1, 1) - predicted_ns(local, none, size, 1, 1) ==
        doctest::Approx(a + b));
  CHECK(predicted_ns(in_place, copies, size, 1, 1) - predicted_ns(in_place, none, size, 1, 1) ==
        doctest::Approx(b));
  size.k = 0;
  CHECK(std::isfinite(predicted_ns(local, copies, size, 1, 1)));

  // Of columns that lie apart C's alignment does not matter.
  const gemm_row runs{.policy = fma(32, 64, 16, 4, 4, 1, 2, 16, 4, buffering::single, 1)};
  const gemm_row apart{.policy = interleaved(runs.policy)};
  const gemm_costs stores{
      .store_ns = 1, .single_store_ns = 9, .memory_bytes_per_ns = 1e12, .cache_bytes_per_ns = 1e12};
  const gemm_size whole{.m = 32, .n = 64, .k = 16};
  gemm_size odd = whole;
  odd.c_alignment = 1;
  CHECK(predicted_ns(runs, stores, odd, 1, 1) > predicted_ns(runs, stores, whole, 1, 1));
  CHECK(predicted_ns(apart, stores, odd, 1, 1) == predicted_ns(apart, stores, whole, 1, 1));
  odd.c_alignment = 2;  // halves of its runs of four
  CHECK(predicted_ns(runs, stores, odd, 1, 1) - predicted_ns(runs, stores, whole, 1, 1) ==
        doctest::Approx(8. * 32 * 64));
}

TEST_CASE("stores are predicted of what lies in the matrix, and beside the work of other groups") {
  const gemm_row row{.policy = gemm_tables::fma(32, 64, 16, 4, 4, 1, 4, 8, 4, buffering::single, 1),
                     .resident = 2};
  const auto stores_ns = [&](const gemm_size& size, double later_store) {
    const gemm_costs none{.memory_bytes_per_ns = 1e12};
    gemm_costs stores = none;
    stores.store_ns = 1;
    stores.later_store = later_store;
    return predicted_ns(row, stores, size, 1, 1) - predicted_ns(row, none, size, 1, 1);
  };
  CHECK(stores_ns({.m = 32, .n = 64, .k = 16}, 0.25) == doctest::Approx(32 * 64));
  CHECK(stores_ns({.m = 20, .n = 12, .k = 16}, 0.25) == doctest::Approx(20 * 12));
  // Three tiles, two at a time: a wave that others follow, and one by itself.
  CHECK(stores_ns({.m = 96, .n = 64, .k = 16}, 0.25) == doctest::Approx(32 * 64 * (0.5 + 1)));
  CHECK(stores_ns({.m = 96, .n = 64, .k = 16}, 1) == doctest::Approx(32 * 64 * (2 + 1)));
}

TEST_CASE("parts that are added singly, and bytes that are written, cost what a table says") {
  const gemm_row row{.policy =
                         gemm_tables::fma(128, 64, 16, 8, 8, 1, 4, 8, 4, buffering::registers, 2)};
  const gemm_size aligned{.m = 128, .n = 128, .k = 1024};
  gemm_size odd = aligned;
  odd.c_alignment = 2;  // runs of 4 are stored and added
  const gemm_costs plain{.sum_ns = 1}, dear{.sum_ns = 1, .single_sum = 3};
  const auto ns = [&](const gemm_costs& costs, const gemm_size& size, int splits) {
    return predicted_ns(row, costs, size, 4, splits);
  };
  CHECK(ns(dear, aligned, 8) == ns(plain, aligned, 8));
  CHECK(ns(dear, odd, 1) == ns(plain, odd, 1));
  CHECK(ns(dear, odd, 8) - ns(plain, odd, 8) == doctest::Approx(2. * 128 * 128 * (8 + 1) / 4));
  gemm_row quick = row;  // nothing but what moves
  quick.rate = 1e12;
  quick.group_ns = 0;
  const auto moved = [&](double written) {
    const gemm_costs costs{.launch_ns = 0, .memory_bytes_per_ns = 1, .written = written};
    return predicted_ns(quick, costs, aligned, 1, 1);
  };
  CHECK(moved(1) == doctest::Approx(4. * (256 * 1024 + 128 * 128)));
  CHECK(moved(3) - moved(1) == doctest::Approx(2. * 4 * 128 * 128));
}

TEST_CASE("the library's choice keeps the wishes: plain OpenCL C, no split") {
  const device_facts nvidia{.vendor = vendor::nvidia,
                            .compute_units = 132,
                            .local_bytes = 232448,
                            .max_work_group = 1024,
                            .compute_capability = 90,
                            .async_copy = true};
  for (const std::int64_t size : {16, 100, 512, 2048, 4096}) {
    const gemm_size deep{size, size, 65536};
    CHECK(tuned_gemm(nvidia, scalar::float_, deep, {.portable = true}).policy.buffer !=
          buffering::async);
    CHECK(tuned_gemm(nvidia, scalar::float_, deep, {.split = false}).splits == 1);
  }
  CHECK(tuned_gemm(nvidia, scalar::float_, {128, 128, 65536}).splits > 1);
}
