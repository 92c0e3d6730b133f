#pragma once
// What the source of GEMM depends on besides the policy, and the sizes that source and launch
// share.
#include <algorithm>
#include <cstdint>
#include <limits>
#include <numeric>
#include <optional>
#include <string>

#include <clprim/core/scalar.hpp>
#include <clprim/gemm/instruction.hpp>
#include <clprim/gemm/policy.hpp>
#include <clprim/gemm/windows.hpp>

namespace clprim {

/// How the matrices of a batch are found.
enum class gemm_batch {
  strided,  ///< at equal distances
  offsets,  ///< at the element offsets that a buffer holds
};

/// One operand as the kernel meets it: A is m x k and B is k x n, whatever the caller's layout was.
struct gemm_operand {
  bool along_k = false;  ///< consecutive elements in memory go along k (else along m or n)
  bool conjugate = false;
  int alignment =
      1;  ///< elements that pointer, leading dimension, strides and extent are multiples of
  gemm_batch batch = gemm_batch::strided;
  bool packed = false;  ///< a copy with zeros up to whole accesses, and lines of 128 bytes

  friend constexpr bool operator==(const gemm_operand&, const gemm_operand&) = default;
};

/// Work-items per group of the kernel that adds the parts of a split product, where the device has
/// room for them.
inline constexpr int gemm_finish_group = 256;

/// The same on any device: a power of two.
constexpr int finish_group_of(const device_facts& device) {
  int group = gemm_finish_group;
  while (group > 1 && group > device.max_work_group) group /= 2;
  return group;
}

/// One kind of problem: every value here is a constant in the kernel's text.
struct gemm_variant {
  scalar type = scalar::float_;
  gemm_operand a{.along_k = true};
  gemm_operand b{};
  int c_alignment = 1;
  gemm_batch c_batch = gemm_batch::strided;
  bool batched = false;  ///< more than one product
  bool split = false;    ///< partial sums go to the workspace (gemm_policy::finish adds them)
  bool fenced = false;   ///< last_group_fenced: by NVIDIA's fence, not by a CPU's atomics
  bool swapped = false;  ///< the caller's C is column-major: kernel rows are the caller's columns
  std::optional<scalar> out{};  ///< what C is of, where it is not the type of A and B
  bool wide = false;            ///< offsets inside one tile need 64 bits
  bool clamped = false;  ///< tiles at the edge stay where they are (else they are moved inside)
  bool flat = false;  ///< sums are staged, and the rows of C that a tile has lie one after another
  int finish_group = gemm_finish_group;
  gemm_precision precision = gemm_precision::full;  ///< how A and B were copied
  /// Ways of one call, of which the device takes the first whose copies hold every element: those
  /// behind the first begin where the copies of the one before do not.
  int way = 0;
  gemm_windows windows{};      ///< what the columns of B are, where they are windows of images
  bool window_blocks = false;  ///< the lines that all taps of a tile meet are fetched at once

  /// What C is of.
  constexpr scalar output() const { return out.value_or(type); }
  friend constexpr bool operator==(const gemm_variant&, const gemm_variant&) = default;
};

/// A tile of A (outer = m) or B (outer = n): how it is cut into loads, how it lies in local memory.
///
/// In local memory it is `outer / panel` panels of [tile_k][panel] elements, `skew` elements being
/// left free after every `run` rows; with `by_rows` it is [outer][tile_k + skew]. Where it is
/// `swizzled`, rows are 8 runs of 16 bytes, and run r of row i lies at place r ^ i % 8.
struct gemm_tile {
  int outer = 0;
  int depth = 0;
  bool along_k = false;
  int width = 1;        ///< elements per global access
  bool exact = true;    ///< an access never reaches over the edge of the matrix
  bool aligned = true;  ///< an access is aligned to its size
  bool staged = true;
  bool by_rows = false;
  bool swizzled = false;
  bool async = false;  ///< copied by cp.async, past the registers
  int panel = 1;
  int run = 1;
  int skew = 0;
  int lanes = 1;  ///< work-items along the contiguous direction while loading
  int rows = 1;   ///< work-items across it

  /// Vectors that one item loads along / across the contiguous direction.
  constexpr int loads_along() const { return (along_k ? depth : outer) / width / lanes; }
  constexpr int loads_across() const { return ((along_k ? outer : depth) + rows - 1) / rows; }
  constexpr bool guarded_across() const { return (along_k ? outer : depth) % rows != 0; }
  /// Whether what one access loads stays one run in local memory.
  constexpr bool keeps_runs() const {
    return width == 1 || (along_k == by_rows && (along_k || panel % width == 0));
  }
  constexpr int panel_size() const { return depth * panel + (depth / run) * skew; }
  /// Elements of local memory of one buffer.
  constexpr int local_size() const {
    if (!staged) return 0;
    const int size = by_rows ? outer * (depth + skew) : (outer / panel) * panel_size();
    return (size + 31) / 32 * 32;  // every buffer starts at a bank and vector boundary
  }
};

/// Shifts the rows of a tile that is transposed on its way in so that no store meets a bank twice.
///
/// An access of a warp stores `lanes` different k and, below each other, `across` lines: `served`
/// elements go to the 32 banks at a time. They are on different ones when neighbouring lanes are an
/// odd multiple of `across` elements apart. Rows start at whole fragments of `fragment` elements,
/// so more than served / fragment lanes share banks: they are fewer, unless that would split a line
/// of 128 bytes of global memory, which costs more (H200, float read one by one in steps of 16:
/// 45.8 TFLOP/s with two-way conflicts, 42.4 without). tests/gemm/banks.cpp checks it.
constexpr void shift_rows(gemm_tile& tile, int fragment, int slice_depth, scalar type) {
  const int bytes = element_bytes(type);
  const int served = std::max(fragment, 32 / std::max(1, bytes / 4));
  const int line = 128 / std::min(128, tile.width * bytes);
  tile.lanes = std::gcd(tile.lanes, std::max(served / fragment, line));
  tile.run = std::gcd(tile.width, slice_depth);  // every slice of k starts with a run
  if (tile.lanes == 1) return;
  const int across = served / std::gcd(served, tile.lanes);
  const int unit = std::lcm(across, fragment);
  const int shifts = tile.width / tile.run;  // between neighbouring lanes
  tile.skew = unit;
  for (int skew = 0; skew < 2 * unit; skew += fragment) {
    if ((tile.width * tile.panel + shifts * skew) % (2 * unit) != unit) continue;
    tile.skew = skew;
    return;
  }
}

/// The tile of one operand under a policy. `panels`: register blocks of the operand's direction.
constexpr gemm_tile tile_of(const gemm_policy& p, const gemm_operand& operand, scalar type,
                            bool is_a) {
  gemm_tile tile;
  tile.outer = is_a ? p.tile_m : p.tile_n;
  tile.depth = p.tile_k;
  tile.along_k = operand.along_k;
  tile.staged = (is_a ? p.stage_a : p.stage_b) == staging::local;
  const int parts = facts_of(type).is_complex ? 2 : 1;
  const int contiguous = tile.along_k ? tile.depth : tile.outer;
  tile.width = std::gcd(std::gcd(p.vector, contiguous), 16 / parts);
  if (!p.unaligned) tile.width = std::gcd(tile.width, operand.alignment);
  tile.exact = !p.unaligned || tile.width == 1;
  tile.aligned = !p.unaligned || tile.width == 1;
  const bool as_stored = p.instruction != gemm_instruction::fma;
  tile.by_rows = p.order == local_order::stored && (is_a || as_stored) && tile.along_k;
  tile.panel = tile.outer / (is_a ? p.blocks_m : p.blocks_n);
  const bool converted = is_narrow(type) && !as_stored;
  const int bytes = facts_of(type).bytes;
  const bool by_warp_groups = p.instruction == gemm_instruction::wgmma;
  if (p.buffer == buffering::async && !converted && tile.keeps_runs() && tile.width * bytes >= 4)
    tile.async = true;
  // cp.async copies 16 bytes at most, and so long are the runs that swizzling keeps together.
  if (tile.async || by_warp_groups) tile.width = std::gcd(tile.width, std::max(1, 16 / bytes));
  tile.lanes = std::gcd(contiguous / tile.width, p.multiplying());
  if (p.order == local_order::padded && tile.along_k) {
    shift_rows(tile, is_a ? p.vector_m : p.vector_n, p.slice_depth(), type);
  }
  tile.rows = p.multiplying() / tile.lanes;
  if (tile.by_rows) tile.skew = 16;  // rows a power of two apart would share their cache sets
  if (by_warp_groups) {
    tile.swizzled = true;
    tile.skew = 0;
    tile.panel = 128 / facts_of(type).bytes;
  } else if (as_stored) {
    tile.skew = matrix_unit_skew(type, tile.by_rows);
  }
  return tile;
}

/// Whether a kernel of its own, `gemm_finish`, adds the parts of a split product.
constexpr bool finishes_apart(const gemm_policy& p, const gemm_variant& v) {
  return v.split && p.finish == gemm_finish::second_kernel;
}

/// Whether the group that comes last adds the parts of a tile.
constexpr bool joins_parts(const gemm_policy& p, const gemm_variant& v) {
  return v.split && p.finish == gemm_finish::last_group_fenced;
}

/// Parts that the last group has on their way to registers at once: an item's sums of all of them
/// take 64 registers at most.
constexpr int parts_at_once(const gemm_policy& p, const gemm_variant& v) {
  const int sums = p.blocks_m * p.blocks_n * p.per_item_m * p.per_item_n;
  return std::clamp(64 / std::max(1, sums * element_bytes(v.type) / 4), 1, 8);
}

/// Ways of a call at most, and the counter of the first split tile's arrivals: behind those by
/// which the copies of all ways but the last say that they do not hold an element.
inline constexpr int most_gemm_ways = 3, gemm_first_arrival = most_gemm_ways - 1;

/// Whether a kernel returns at once where the call takes another way.
constexpr bool is_one_of_ways(const gemm_variant& v) {
  return v.way > 0 || parts_of(v.precision) > 1;
}

/// Whether neighbouring items swap runs of sums so that each stores 16 bytes at a time.
constexpr bool swaps_runs(const gemm_policy& p, const gemm_variant& v) {
  return widest_store(p, v.output()) > p.vector_n &&
         v.c_alignment % widest_store(p, v.output()) == 0 && !finishes_apart(p, v);
}

/// Elements of one row that one item of `gemm_finish` adds: a run of C, where rows are whole runs.
constexpr int finish_run(const gemm_policy& p, const gemm_variant& v) {
  return stores_runs(p, v.c_alignment) ? std::gcd(p.vector_n, 4) : 1;
}

/// Whether sums reach memory through local memory.
constexpr bool stages_sums(const gemm_policy& p, const gemm_variant& v) {
  return p.stage_c == staging::local && !stores_runs(p, v.c_alignment);
}

/// Elements of C, of so many bytes each, in an access of 16 bytes.
constexpr int flat_word(int bytes) { return std::max(1, 16 / bytes); }

/// Elements of local memory for the rows of C that the lanes of a patch have at a time, where they
/// are one run of memory, which may start within a word.
constexpr int flat_pitch(const gemm_policy& p, int bytes) {
  const int word = flat_word(bytes);
  return (p.lanes_m * p.tile_n + word - 1) / word * word + word;
}

/// Whether staged rows of C, `leading` elements apart, are one run for the tiles of a policy, and
/// better stored so. H200, 2026-11-29, us: half 1008 x 47 x 7 in 8704 1364 -> 882, 1008 x 47 x 64
/// in 1000 167 -> 132; double 333 x 31 x 64 in 500 56.6 -> 67.4.
constexpr bool lies_flat(const gemm_policy& p, std::int64_t n, std::int64_t leading, int bytes) {
  return p.vector_m == 1 && leading == n && n <= p.tile_n && bytes <= 4;
}

/// From one staged row of sums to the next, in elements: neighbouring rows of lanes that share the
/// 32 banks store to different ones.
constexpr int staged_pitch(const gemm_policy& p) {
  const int stored = p.lanes_n * p.vector_n;
  return p.tile_n + (stored < 32 ? stored : 0);
}

/// Local memory through which sums pass, in elements of the tiles: where the slices along k are
/// added, and where sums are staged, one row of each item at a time; a word tells all items which
/// part of a tile came last.
constexpr int kept_sums_of(const gemm_policy& p, const gemm_variant& v) {
  const int sums =
      std::max({p.slices_k > 1 ? p.tile_m * p.tile_n : 0,
                stages_sums(p, v) ? p.items_m() * staged_pitch(p) : 0,
                v.flat ? p.items_m() / p.lanes_m * flat_pitch(p, facts_of(v.output()).bytes) : 0,
                joins_parts(p, v) ? 1 : 0});
  return sums * (element_bytes(v.type) / tiled_bytes(p, v.type));
}

/// Bytes that describe one matrix to the unit for bulk copies (PTX ISA, "Tensor-map").
inline constexpr int matrix_map_bytes = 128;

/// Where tiles begin, in bytes: wgmma's lines of 128 repeat after eight (PTX ISA, "Strides of
/// matrices in shared memory").
constexpr int pool_alignment(const gemm_policy& p) {
  return p.instruction == gemm_instruction::wgmma ? 1024 : 128;
}

/// Barriers of bulk copies: two for each stage and one that nobody waits for; of blocks of windows
/// five.
constexpr int bulk_barriers(const gemm_policy& p) { return 2 * p.stages + 1 + 5; }

/// Bytes of local memory beside the tiles. With bulk copies: the maps of A and B, and barriers.
/// With wgmma: NVIDIA's driver (580.159.04) has a few
/// bytes of its own before the tiles, which cost as much as their alignment.
constexpr int bytes_beside_tiles(const gemm_policy& p) {
  const int bulk = p.buffer == buffering::bulk ? 2 * matrix_map_bytes + 8 * bulk_barriers(p) : 0;
  return bulk + (p.instruction == gemm_instruction::wgmma ? pool_alignment(p) : 0);
}

/// Every size that source and launch of one variant share.
struct gemm_geometry {
  gemm_tile a;
  gemm_tile b;
  int group = 1;
  int pool = 0;         ///< elements of local memory in all
  int local_bytes = 0;  ///< that and what lies beside, in bytes; 2^31 - 1 stands for more
};

/// Elements of local memory of a block of windows.
constexpr int window_block_size(const gemm_policy& p, const gemm_variant& v) {
  return v.windows.boxes(p.tile_n) * v.windows.box(p.tile_n) * p.tile_k;
}

/// The geometry of `p` for the problem kind `v`; sizes in elements of the arithmetic type.
constexpr gemm_geometry geometry_of(const gemm_policy& p, const gemm_variant& v) {
  gemm_geometry g;
  g.a = tile_of(p, v.a, v.type, true);
  g.b = tile_of(p, v.b, v.type, false);
  g.group = p.group_size();
  const int of_b = v.window_blocks ? 2 * window_block_size(p, v) : p.stages * g.b.local_size();
  g.pool = std::max(p.stages * g.a.local_size() + of_b, kept_sums_of(p, v));
  constexpr std::int64_t most = std::numeric_limits<int>::max();
  g.local_bytes = static_cast<int>(
      std::min(std::int64_t{tiled_bytes(p, v.type)} * g.pool + bytes_beside_tiles(p), most));
  return g;
}

/// The most local memory, in bytes, that `p` needs for operands of the type: the padding of a tile
/// depends on how its operand lies.
constexpr std::int64_t most_local_bytes(const gemm_policy& p, scalar type) {
  const auto most = [&](bool is_a) {
    int size = 0;
    for (int way = 0; way < 10; ++way) {  // two directions, five alignments
      const gemm_operand operand{.along_k = way % 2 == 0, .alignment = 1 << way / 2};
      size = std::max(size, tile_of(p, operand, type, is_a).local_size());
    }
    return std::int64_t{size};
  };
  const std::int64_t tiles = p.stages * (most(true) + most(false));
  const std::int64_t sums = kept_sums_of(p, {.type = type, .flat = p.stage_c == staging::local});
  return tiled_bytes(p, type) * std::max(tiles, sums) + bytes_beside_tiles(p);
}

/// What a work-group may keep in private memory, in bytes: several times what any device has in
/// registers (NVIDIA 256 KB per unit, AMD 512). Beyond it a CPU's driver runs out of stack: PoCL
/// 3.1 keeps the sums of all work-items there, and ends the process at 4 MB.
inline constexpr std::int64_t most_private_bytes = std::int64_t{1} << 20;

/// Columns of a tile that a warp-group of wgmma multiplies.
constexpr int group_columns(const gemm_policy& p) { return 4 * p.per_item_n; }

/// Whether sums of single steps (sums_steps) are those of half of the tile's columns at a time.
constexpr bool sums_in_halves(const gemm_policy& p, scalar type, gemm_precision precision) {
  return sums_steps(type, precision) && p.buffer == buffering::bulk && group_columns(p) > 128;
}

/// Sums that an item keeps for each element of C: of all steps; of one (sums_steps), and of the one
/// before where copies do not take its place; of products with lesser halves.
constexpr int sets_of_sums(const gemm_policy& p, scalar type, gemm_precision precision) {
  if (precision == gemm_precision::split_half) return 3;
  if (!sums_steps(type, precision)) return 1;
  return p.buffer == buffering::bulk ? 2 : 3;
}

/// Whether items that ask for bulk copies give registers to those that multiply (PTX ISA,
/// "setmaxnreg").
constexpr bool moves_registers(const gemm_policy& p, scalar type, gemm_precision precision) {
  return sums_in_halves(p, type, precision) ||
         (scales_lines(precision) && p.buffer == buffering::bulk && p.tile_m == 128);
}

/// Throws policy_error, with the numbers, when no device can run `p` on elements of this type.
constexpr void check_type_rules(const gemm_policy& p, scalar type,
                                gemm_precision precision = gemm_precision::full) {
  if (facts_of(type).is_complex) {
    rule(p.vector_m <= 8, "vector_m must fit OpenCL's vectors of 16 reals in complex elements",
         p.vector_m, 8);
    rule(p.vector_n <= 8, "vector_n must fit OpenCL's vectors of 16 reals in complex elements",
         p.vector_n, 8);
  }
  if (p.instruction != gemm_instruction::fma) {
    const unit_layout layout = layout_of(p, type);
    const unit_sentences sentences = sentences_of(p.instruction);
    rule(multiplies(p.instruction, type, precision), sentences.types);
    rule(p.lanes_m == layout.lanes_m && p.lanes_n == layout.lanes_n && p.vector_m == 1 &&
             p.vector_n == layout.vector_n,
         sentences.layout);
    rule(p.instruction != gemm_instruction::dpas || p.lanes_n == 8 || p.lanes_n == 16,
         sentences.layout);
    rule(p.per_item_m % layout.rows == 0 && p.per_item_n % layout.columns == 0, sentences.sums);
  }
  if (p.instruction != gemm_instruction::fma && p.instruction != gemm_instruction::wgmma) {
    const int each = (p.buffer == buffering::single ? 1 : 2) * instruction_k(p.instruction, type);
    rule(p.tile_k % each == 0,
         "matrix units need tile_k to be a multiple of 32 (int8), 16 (half, bfloat16) or 4, of "
         "twice as "
         "much where the walk overlaps its steps");
  }
  if (scales_lines(precision)) {
    rule(p.buffer != buffering::single && p.slices_k == 1 && p.tile_k == warp_group_k(type),
         "precision split_half needs lines of 128 bytes, multiplied while others travel: tile_k = "
         "64, slices_k = 1, another buffer than single");
  }
  if (p.instruction == gemm_instruction::wgmma) {
    rule(p.tile_k == warp_group_k(type),
         "instruction wgmma needs lines of 128 bytes: tile_k = 128 for elements of 8 bits, 64 for "
         "half and bfloat16, 32 for float");
    rule((type != scalar::int8_ && !sums_in_halves(p, type, precision)) ||
             group_columns(p) % 16 == 0,
         "instruction wgmma needs tile_n, or the parts of it, to be multiples of 16 for int8 and "
         "where sums of single steps are those of half of the columns");
    rule(!moves_registers(p, type, precision) || p.fetchers == 128,
         "items that give registers to others are a warp-group: fetchers must be 128");
    const int sets = sets_of_sums(p, type, precision);
    if (sets > 1) {
      rule(sums_in_halves(p, type, precision) ? p.tile_m == 128 : group_columns(p) <= 128,
           "float8 and split precisions keep sums of single steps too: they need tile_n of at most "
           "128, or, but for split_half, buffer bulk and tile_m = 128");
      const int registers = group_columns(p) / 2 * sets + 24;
      rule(moves_registers(p, type, precision) || registers * p.group_size() <= 65536,
           "float8 and split precisions keep sums of single steps too: two sets of tile_n / 2, "
           "three for buffers but bulk and for split_half, need registers, and 24 more for each "
           "work-item",
           registers * p.group_size(), 65536);
    }
  }
  const std::int64_t sums = std::int64_t{p.tile_m} * p.tile_n * p.slices_k * element_bytes(type);
  rule(sums <= most_private_bytes,
       "the sums of a work-group, tile_m * tile_n * slices_k elements, must fit private memory in "
       "bytes",
       sums, most_private_bytes);
}

/// Throws policy_error, with the numbers, when `p` cannot run every product of the type on
/// `device`, however its operands lie; and device_error when the device lacks the arithmetic.
/// `local_bytes`: what one kind of product is known to take.
inline void check_device_rules(const gemm_policy& p, scalar type, const device_facts& device,
                               gemm_precision precision = gemm_precision::full,
                               std::optional<std::int64_t> local_bytes = {}) {
  check_type_rules(p, type, precision);
  if (facts_of(type).needs_fp64 && !device.fp64) {
    throw device_error("gemm of " + std::string(facts_of(type).name) +
                       " needs double precision (cl_khr_fp64), which " + device.name + " lacks");
  }
  rule(p.group_size() <= device.max_work_group,
       "the policy's work-group must fit the device's limit of work-items", p.group_size(),
       device.max_work_group);
  const std::int64_t most = local_bytes.value_or(most_local_bytes(p, type));
  rule(most <= device.local_bytes,
       "the policy's tiles, however the operands lie, must fit the local memory of the device in "
       "bytes",
       most, device.local_bytes);
  rule(
      has_finish(p, device),
      "finish last_group_fenced needs NVIDIA's fence.acq_rel, compute capability 7.0 or more, or a "
      "CPU, there with groups of one item where its compiler loses guards between barriers");
  rule(p.buffer != buffering::async || device.async_copy,
       "buffer async needs cp.async: NVIDIA of compute capability 8.0 or more");
  rule(has_instructions(p, type, device, precision), sentences_of(p.instruction).devices);
}

}  // namespace clprim
