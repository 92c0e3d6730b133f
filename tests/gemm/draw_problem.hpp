#pragma once
// Draws GEMM policies that keep their rules, and products that are awkward for them.

#include <algorithm>
#include <concepts>
#include <cstdlib>

#include <clprim/gemm/options.hpp>
#include <clprim/gemm/variant.hpp>

#include "gemm/product.hpp"

namespace support {

/// A policy that keeps check_rules, small enough that its kernel is built in a moment: a third of
/// them for CPUs (a group of one item with many blocks), the rest for GPUs. buffering::async is
/// never drawn.
inline clprim::gemm_policy draw_policy(draw& d) {
  using namespace clprim;
  gemm_policy p;
  const bool one_item = d.chance(33);
  p.vector = d.one_of({1, 2, 4, 4, 8, 16});
  p.vector_m = d.one_of({1, 1, 2, 4});
  p.vector_n = d.one_of({1, 2, 4, 8});
  p.per_item_m = p.vector_m * d.between(1, 3);
  p.per_item_n = p.vector_n * d.between(1, 2);
  if (one_item) {
    p.vector_n = d.one_of({1, 4, 8, 16});
    p.per_item_n = p.vector_n * d.between(1, 2);
    p.blocks_m = d.between(1, 3);
    p.blocks_n = d.between(1, 3);
    p.lanes_m = p.lanes_n = 1;
  } else {
    p.lanes_m = d.one_of({1, 2, 4});
    p.lanes_n = d.one_of({1, 2, 3, 8});
  }
  p.tile_m = p.per_item_m * p.blocks_m * p.lanes_m * (one_item ? 1 : d.between(1, 3));
  p.tile_n = p.per_item_n * p.blocks_n * p.lanes_n * (one_item ? 1 : d.between(1, 2));
  p.slices_k = one_item ? 1 : d.one_of({1, 1, 2, 3, 4});
  p.tile_k = p.slices_k * d.one_of({1, 2, 3, 4, 5, 8, 12, 16});
  p.stage_a = d.chance(80) ? staging::local : staging::global;
  p.stage_b = d.chance(80) ? staging::local : staging::global;
  const bool both = p.stage_a == staging::local && p.stage_b == staging::local;
  if (both && p.slice_depth() % 2 == 0 && p.blocks_m * p.blocks_n == 1 && d.chance(60)) {
    p.buffer = buffering::registers;
    p.stages = d.one_of({2, 2, 3, 4});
  }
  p.order = d.one_of({local_order::plain, local_order::padded, local_order::padded,
                      p.vector_m == 1 ? local_order::stored : local_order::plain});
  if (p.blocks_m * p.blocks_n == 1 && d.chance(40)) p.stage_c = staging::local;
  p.unaligned = d.chance(one_item ? 70 : 25);
  p.packed = d.chance(25);
  p.turned = p.packed && d.chance(50);
  p.raster = d.one_of({1, 2, 3, 8});
  p.unroll = d.one_of({0, 1, 2, 4});
  p.split_k = d.one_of({0, 1, 1, 1, 2, 3, 7, 40});
  return p;
}

/// A policy for an instruction of matrix units, other than wgmma, that keeps check_rules and
/// check_type_rules. `lanes`: the items of a sub-group (dpas).
inline clprim::gemm_policy draw_policy_of_units(draw& d, clprim::gemm_instruction instruction,
                                                clprim::scalar type, int lanes = 8) {
  using namespace clprim;
  gemm_policy p = gemm_tables::by_units(
      instruction, type, d.between(1, 3), d.between(1, 3), d.between(1, 2), d.between(1, 2),
      2 * instruction_k(instruction, type) * d.between(1, 2), lanes);
  const bool copies = is_ptx(instruction) && d.chance(33);
  p.buffer = copies ? buffering::async : d.one_of({buffering::single, buffering::registers});
  p.stages = p.buffer == buffering::single ? 1 : d.between(2, 4);
  p.vector = d.one_of({1, 2, 4, 8, 16});
  p.raster = d.one_of({1, 3, 8});
  p.unroll = d.one_of({0, 1, 2});
  p.stage_c = d.chance(40) ? staging::local : staging::global;
  p.split_k = d.one_of({0, 1, 1, 2, 3, 7});
  p.packed = d.chance(40);
  return p;
}

/// A policy for warp-groups that keeps check_rules and check_type_rules.
inline clprim::gemm_policy draw_warp_group_policy(
    draw& d, clprim::scalar type, clprim::gemm_precision precision = clprim::gemm_precision::full) {
  using namespace clprim;
  gemm_policy p = gemm_tables::wgmma(64 * d.between(1, 3), 64 * d.between(1, 4), 3);
  p.tile_k = warp_group_k(type);
  p.buffer = d.one_of({buffering::single, buffering::registers, buffering::async, buffering::bulk,
                       buffering::bulk, buffering::bulk});
  p.stages = p.buffer == buffering::single ? 1 : d.between(3, p.tile_m + p.tile_n > 256 ? 4 : 6);
  if (p.buffer != buffering::bulk && d.chance(40)) p.stage_c = staging::local;
  p.vector = d.one_of({1, 2, 4, 8, 16});
  p.raster = d.one_of({1, 3, 8});
  p.split_k = d.one_of({0, 1, 1, 2, 3, 7});
  p.packed = d.chance(40);
  p.turned = p.packed && d.chance(30);
  if (scales_lines(precision) && p.buffer == buffering::single) p.buffer = buffering::async;
  if (scales_lines(precision) && p.stages < 3) p.stages = 3;
  if (sums_steps(type, precision) || scales_lines(precision)) {
    p.tile_m = std::min(p.tile_m, 128);
    p.tile_n = std::min(p.tile_n, 128);
    p.per_item_n = p.tile_n / 4;
  }
  if (p.tile_m == 192 && p.buffer == buffering::bulk && p.tile_n > 192) {
    p.tile_n = 192;  // an item's sums leave no registers for more
    p.per_item_n = p.tile_n / 4;
  }
  return p;
}

/// Either, as the device has it.
inline clprim::gemm_policy draw_policy_for(draw& d, clprim::scalar type,
                                           const clprim::device_facts& device) {
  if (is_narrow(type) && device.warp_group_products && d.chance(50)) {
    const clprim::gemm_policy p = draw_warp_group_policy(d, type);
    if (fits(p, type, device)) return p;
  }
  if (multiplies(clprim::gemm_instruction::mma_sync, type) && d.chance(50)) {
    const clprim::gemm_policy p = draw_policy_of_units(d, clprim::gemm_instruction::mma_sync, type);
    if (has_instructions(p, type, device)) return p;
  }
  return draw_policy(d);
}

/// One of those that the device takes.
template <class T>
clprim::gemm_policy draw_fitting_policy(draw& d, const clprim::device_facts& facts) {
  using namespace clprim;
  constexpr scalar type = scalar_of<T>;
  const auto drawn = [&] {
    gemm_policy p = draw_policy_for(d, type, facts);
    gemm_policy joined = p;
    joined.finish = gemm_finish::last_group_fenced;
    if (p.buffer != buffering::bulk && has_finish(joined, facts) && d.chance(50)) p = joined;
    return p;
  };
  gemm_policy policy = drawn();
  // PoCL's passes since 5.0 take minutes for many outputs of an item within a loop over items.
  const auto builds = [&](const gemm_policy& p) {
    return !facts.loses_guards || p.group_size() == 1 || p.per_item_m * p.per_item_n <= 64;
  };
  const auto fits = [&](const gemm_policy& p) {
    return builds(p) && p.group_size() <= facts.max_work_group &&
           geometry_of(p, {.type = type}).local_bytes * 2 <= facts.local_bytes;
  };
  while (!fits(policy)) policy = drawn();
  if (facts_of(type).is_complex) {  // 16 reals are OpenCL's widest vector
    policy.vector_m = std::min(policy.vector_m, 8);
    policy.vector_n = std::min(policy.vector_n, 8);
  }
  return policy;
}

/// Now and then, lets a product of float be computed as matrix units can, and demands that by the
/// policy where the device has them.
template <class T>
void draw_precision(draw& d, const clprim::device_facts& facts, clprim::gemm_options& options) {
  using namespace clprim;
  if (!std::same_as<T, float> || !d.chance(35)) return;
  options.precision =
      d.one_of({gemm_precision::split_half, gemm_precision::split_tf32, gemm_precision::tf32});
  if (!facts.warp_group_products || !d.chance(80)) return;
  if (options.precision == gemm_precision::split_half && d.chance(30)) {
    options.policy = gemm_tables::mma(64, 64, 64, 4, 8, 8, buffering::async, d.between(2, 4));
    return;
  }
  const scalar unit = multiplied_type(scalar::float_, options.precision);
  const gemm_policy p = draw_warp_group_policy(d, unit, options.precision);
  if (fits(p, unit, facts)) options.policy = p;
}

/// A size that tiles of `tile` do not like; `even` rounds it to a multiple of that.
inline int draw_size(draw& d, int tile, int even) {
  const int size = d.one_of({1, 2, 3, 5, 13, 31, tile - 1, tile, tile + 1, 2 * tile, 2 * tile + 3,
                             3 * tile - 1, d.between(1, 70), d.chance(15) ? 0 : tile + 7});
  return (std::max(size, 0) + even - 1) / even * even;
}

/// What the kernel knows of how an operand lies.
inline void draw_kind(draw& d, operand& o, bool is_output) {
  using namespace clprim;
  o.order = d.one_of({layout::row_major, layout::column_major});
  if (!is_output)
    o.op = d.one_of({transposition::none, transposition::transpose, transposition::conjugate});
}
/// The rest of it; a multiple of `even` wherever alignment could come from.
inline void draw_gaps(draw& d, operand& o, int even, bool is_output, int batch) {
  const auto some = [&] { return d.chance(50) ? 0 : (d.between(1, 9) + even - 1) / even * even; };
  o.ld_extra = some();
  o.offset = some();
  o.gap = some();
  o.array = d.chance(batch > 1 ? 30 : 7);
  if (!is_output && !o.array && d.chance(20)) o.gap = -1;
}
inline operand draw_operand(draw& d, int even, bool is_output, int batch) {
  operand o;
  draw_kind(d, o, is_output);
  draw_gaps(d, o, even, is_output, batch);
  return o;
}

/// A product whose sizes lie around the tiles of the policy.
inline product draw_product(draw& d, const clprim::gemm_policy& p) {
  product x;
  const int even = d.one_of({1, 1, 1, 2, 4, 8, 16});  // alignments that reach the wide accesses
  for (operand* const o : {&x.a, &x.b, &x.c}) draw_kind(d, *o, o == &x.c);
  x.epilogue = d.one_of({epilogue_kind::none, epilogue_kind::none, epilogue_kind::none,
                         epilogue_kind::row_bias, epilogue_kind::column_bias, epilogue_kind::slope,
                         epilogue_kind::relu});
  d.kernels_are_chosen();
  x.m = draw_size(d, p.tile_m, even);
  x.n = draw_size(d, p.tile_n, even);
  x.k = draw_size(d, p.tile_k, even);
  if (d.chance(10)) x.k = d.between(100, 900);
  x.batch = d.one_of({1, 1, 1, 2, 3, 5, d.chance(10) ? 0 : 1});
  // The reference is cubic, and the device may be one core.
  while (static_cast<double>(x.m) * x.n * x.k * x.batch > 4e5) {
    int& largest = x.m >= x.n && x.m >= x.k ? x.m : x.n >= x.k ? x.n : x.k;
    largest = std::max(1, largest / 2);
  }
  for (operand* const o : {&x.a, &x.b, &x.c}) draw_gaps(d, *o, even, o == &x.c, x.batch);
  const auto factor = [&] {
    const std::complex<double> some(d.between(-16, 16) / 8.0, d.between(-16, 16) / 8.0);
    return d.one_of({std::complex<double>(0), std::complex<double>(1), some, some});
  };
  x.alpha = d.chance(40) ? 1 : factor();
  x.beta = factor();
  x.seed = d.bits();
  return x;
}

}  // namespace support
