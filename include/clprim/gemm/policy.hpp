#pragma once
// The policy of GEMM: how C = alpha op(A) op(B) + beta C is cut up. It changes speed only.
#include <algorithm>
#include <array>
#include <cstdint>
#include <string_view>

#include <clprim/core/device_facts.hpp>
#include <clprim/core/policy.hpp>
#include <clprim/core/scalar.hpp>

namespace clprim {

/// Where the work-items of a group read an operand's tile from.
enum class staging {
  global,  ///< straight from global memory, every item for itself
  local,   ///< the group copies the tile to local memory first
};

/// How the tiles of the next step along k are fetched while this one is multiplied.
enum class buffering {
  single,     ///< not at all: fetch, barrier, multiply, barrier
  registers,  ///< into registers during the multiplication, then into a second local buffer
  /// cp.async past the registers (NVIDIA, compute capability 8.0 on) for an operand that lies in
  /// local memory as in global memory, or is copied element by element, of 4 bytes or more, as
  /// where its lines are not aligned; others that are to be transposed, and those that are
  /// converted, take the registers.
  async,
  /// By `fetchers` further items, one of which asks for whole boxes of a matrix
  /// (cp.async.bulk.tensor; NVIDIA, compute capability 9.0, instruction wgmma), while the others
  /// multiply tile after tile. Where lines of A or B do not begin at multiples of 16 bytes, a batch
  /// lies by offsets, or the workspace has no room for what describes the matrices, `async` is run.
  bulk,
};

/// The order of a tile in local memory.
enum class local_order {
  plain,  ///< [k][m or n], rows follow each other
  /// [k][m or n], shifted every few rows so that a transposing store meets no bank twice; reading
  /// element by element along k, up to four lanes still meet (tests/gemm/banks.cpp).
  padded,
  /// As it lies in global memory, no transposition on the way in: A, with instruction fma, and B as
  /// in `plain`; both with matrix units, rows shifted or swizzled so that fragments are read
  /// without conflicts.
  stored,
};

/// What multiplies fragments of the tiles.
enum class gemm_instruction {
  fma,  ///< one multiply-add per element: any device, any type
  /// mma.sync of NVIDIA's matrix units, written as PTX: half and bfloat16 with sums in float
  /// (m16n8k16, from compute capability 8.0 on), float of precision split_half by the same, int8
  /// with sums in int (m16n8k32, from 8.0 on; both operands along k), double and complex double
  /// (m16n8k4, from 9.0 on).
  /// 32 items multiply together; an item's sums lie as 8 x 4 lanes with runs of 1 x 2 do. Products
  /// of half and bfloat16 are exact and their sums cut off, not rounded, below the last bit of the
  /// largest (Fasi et al., Numerical behavior of NVIDIA tensor cores, 2021); those of double are
  /// rounded as fma's are.
  mma_sync,
  /// wgmma of NVIDIA's matrix units, compute capability 9.0: half and bfloat16 with sums in float
  /// (m64nNk16), int8 with sums in int and float8 with sums in float (m64nNk32, both operands along
  /// k), and float where a precision other than `full` is asked for (m64nNk8 of TF32, m64nNk16 of
  /// halves, likewise).
  /// 128 items, a warp-group, multiply 64 x tile_n of C straight from local memory while they load
  /// the next tiles; sums lie as those of mma_sync do. The driver's compiler does not know the
  /// instruction: the library puts it into the driver's PTX (runtime/hidden_instructions.hpp), and
  /// proves on each device that this works before it is used (gemm/self_test.hpp).
  wgmma,
  /// Matrix units of AMD's CDNA (gfx90a, gfx94x, gfx950), 16 x 16 of C by 64 items: half, bfloat16
  /// and float, whose sums lie as 16 x 4 lanes with runs of 1 x 4 do, and double, 4 x 16 lanes. No
  /// text for AMD's and Intel's units has been run on such a device: compilers build it, tests run
  /// it with its instructions done in OpenCL C, and it is proven on each device before it is used.
  mfma,
  wmma,        ///< of AMD's RDNA 3 (gfx11), by 32 items: half, bfloat16; 2 x 16 lanes
  wmma_gfx12,  ///< of AMD's RDNA 4, likewise: 16 x 2 lanes with runs of 1 x 8
  /// Of Intel's Xe (cl_intel_subgroup_matrix_multiply_accumulate), 8 rows and as many columns as a
  /// sub-group has items, lanes_n: 8 (Arc A) or 16; half, bfloat16.
  dpas,
};

/// How the parts of a tile come together where k is split.
enum class gemm_finish {
  second_kernel,  ///< a second launch adds them; all tiles are split
  /// The group that comes last adds them and stores the tile, behind NVIDIA's fence of the whole
  /// device (compute capability 7.0) or a CPU's atomics: no second launch. Only the last tiles are
  /// split, those that would leave units idle: what a wave of whole ones holds is not.
  last_group_fenced,
};

/// Of so many tiles those that the group which comes last puts together, where the device is
/// counted on to run `slots` groups at a time: the last wave.
constexpr std::int64_t split_tiles(std::int64_t tiles, std::int64_t slots) {
  const std::int64_t rest = tiles % slots;
  return rest == 0 ? std::min(tiles, slots) : rest;
}

/// The values that cut a matrix product up (DESIGN: policy; Volkov 2010: outputs per work-item).
///
/// A work-group computes tile_m x tile_n elements of C and walks along k in steps of tile_k. Each
/// of its work-items computes blocks_m x blocks_n register blocks of per_item_m x per_item_n
/// elements, one after the other; slices_k work-items share one register block, each with its part
/// of a step.
struct gemm_policy {
  int tile_m = 64;
  int tile_n = 64;
  int tile_k = 16;
  int per_item_m = 4;
  int per_item_n = 4;
  int blocks_m = 1;  ///< register blocks in sequence: 1 on a GPU, many where a group is one item
  int blocks_n = 1;
  int slices_k = 1;
  int lanes_m = 4;  ///< lanes_m x lanes_n neighbouring items own one contiguous part of the tile
  int lanes_n = 8;
  int vector = 4;    ///< elements per global access, where the problem's alignment allows it
  int vector_m = 4;  ///< elements per local read of A; also the run of rows of one item
  int vector_n = 4;  ///< elements per local read of B and per access of C
  staging stage_a = staging::local;
  staging stage_b = staging::local;
  /// Where rows of C do not begin at whole runs of vector_n: `global`, every item stores its own
  /// sums, element by element; `local`, sums pass through local memory, a row of each item at a
  /// time, and neighbouring items store neighbouring columns. Aligned rows are stored by runs.
  staging stage_c = staging::global;
  buffering buffer = buffering::single;
  int stages = 1;  ///< local buffers: 1 for single, 2 and more for the others
  /// Of buffer bulk: a warp-group, 128, which can give its registers to those that multiply, or a
  /// warp, 32, which takes few, so that more groups share a unit.
  int fetchers = 128;
  local_order order = local_order::padded;
  gemm_instruction instruction = gemm_instruction::fma;
  /// Operands whose lines do not begin at multiples of 16 bytes are first copied to the workspace,
  /// where they do; without room for them they are read as they lie.
  bool packed = false;
  /// Operands that lie the wrong way are copied too, however their lines begin: those along k,
  /// whose copies lie across it, so that the kernel need not turn their tiles (instruction fma); of
  /// elements of 8 bits those across k, whose copies lie along it, as matrix units read them.
  bool turned = false;
  bool unaligned = false;  ///< vectors may start at any element (free on a CPU)
  int raster = 8;          ///< rows of tiles per band: groups that run together share tiles of B
  int unroll = 0;          ///< steps of k unrolled, where groups of several items stage both tiles;
                           ///< 0: all of tile_k
  int split_k = 0;         ///< groups along k (their sums need a workspace); 0: the library chooses
  gemm_finish finish = gemm_finish::second_kernel;

  friend constexpr bool operator==(const gemm_policy&, const gemm_policy&) = default;

  constexpr int items_m() const { return tile_m / (per_item_m * blocks_m); }
  constexpr int items_n() const { return tile_n / (per_item_n * blocks_n); }
  /// Items that multiply, and those that have tiles fetched for them.
  constexpr int multiplying() const { return items_m() * items_n() * slices_k; }
  constexpr int fetching() const { return buffer == buffering::bulk ? fetchers : 0; }
  constexpr int group_size() const { return multiplying() + fetching(); }
  constexpr int slice_depth() const { return tile_k / slices_k; }
};

/// Whether every row of C, whose lines begin at multiples of so many elements, is whole runs of
/// vector_n.
constexpr bool stores_runs(const gemm_policy& p, int c_alignment) {
  return c_alignment % p.vector_n == 0;
}

template <> struct enum_names<staging> {
  static constexpr std::string_view type = "clprim::staging";
  static constexpr std::array<std::string_view, 2> names{"global", "local"};
};
template <> struct enum_names<buffering> {
  static constexpr std::string_view type = "clprim::buffering";
  static constexpr std::array<std::string_view, 4> names{"single", "registers", "async", "bulk"};
};
template <> struct enum_names<local_order> {
  static constexpr std::string_view type = "clprim::local_order";
  static constexpr std::array<std::string_view, 3> names{"plain", "padded", "stored"};
};

template <> struct enum_names<gemm_instruction> {
  static constexpr std::string_view type = "clprim::gemm_instruction";
  static constexpr std::array<std::string_view, 7> names{"fma",  "mma_sync",   "wgmma", "mfma",
                                                         "wmma", "wmma_gfx12", "dpas"};
};

template <> struct enum_names<gemm_finish> {
  static constexpr std::string_view type = "clprim::gemm_finish";
  static constexpr std::array<std::string_view, 2> names{"second_kernel", "last_group_fenced"};
};

template <> struct policy_traits<gemm_policy> {
  static constexpr std::string_view name = "clprim::gemm_policy";
  static constexpr auto fields = field_list{
      field{"tile_m", &gemm_policy::tile_m},
      field{"tile_n", &gemm_policy::tile_n},
      field{"tile_k", &gemm_policy::tile_k},
      field{"per_item_m", &gemm_policy::per_item_m},
      field{"per_item_n", &gemm_policy::per_item_n},
      field{"blocks_m", &gemm_policy::blocks_m},
      field{"blocks_n", &gemm_policy::blocks_n},
      field{"slices_k", &gemm_policy::slices_k},
      field{"lanes_m", &gemm_policy::lanes_m},
      field{"lanes_n", &gemm_policy::lanes_n},
      field{"vector", &gemm_policy::vector},
      field{"vector_m", &gemm_policy::vector_m},
      field{"vector_n", &gemm_policy::vector_n},
      field{"stage_a", &gemm_policy::stage_a},
      field{"stage_b", &gemm_policy::stage_b},
      field{"stage_c", &gemm_policy::stage_c},
      field{"buffer", &gemm_policy::buffer},
      field{"stages", &gemm_policy::stages},
      field{"fetchers", &gemm_policy::fetchers},
      field{"order", &gemm_policy::order},
      field{"instruction", &gemm_policy::instruction},
      field{"packed", &gemm_policy::packed},
      field{"turned", &gemm_policy::turned},
      field{"unaligned", &gemm_policy::unaligned},
      field{"raster", &gemm_policy::raster},
      field{"unroll", &gemm_policy::unroll},
      field{"split_k", &gemm_policy::split_k},
      field{"finish", &gemm_policy::finish},
  };
};
static_assert(fields_complete<gemm_policy>());

/// Throws policy_error, with the rule as its sentence, when `p` cannot be built for any device.
constexpr void check_rules(const gemm_policy& p) {
  const auto width = [](int v) { return v == 1 || v == 2 || v == 4 || v == 8 || v == 16; };
  rule(p.tile_m > 0 && p.tile_n > 0 && p.tile_k > 0, "tile_m, tile_n and tile_k must be positive");
  rule(p.tile_m <= 4096 && p.tile_n <= 4096 && p.tile_k <= 4096,
       "tile_m, tile_n and tile_k must be at most 4096");
  rule(p.per_item_m > 0 && p.per_item_n > 0, "per_item_m and per_item_n must be positive");
  rule(p.per_item_m <= 1024 && p.per_item_n <= 1024 && p.per_item_m * p.per_item_n <= 1024,
       "per_item_m * per_item_n must be at most 1024");
  rule(p.blocks_m > 0 && p.blocks_n > 0, "blocks_m and blocks_n must be positive");
  rule(p.blocks_m <= 4096 && p.blocks_n <= 4096, "blocks_m and blocks_n must be at most 4096");
  rule(p.slices_k > 0, "slices_k must be positive");
  rule(p.tile_m % (p.per_item_m * p.blocks_m) == 0,
       "tile_m must be a multiple of per_item_m * blocks_m");
  rule(p.tile_n % (p.per_item_n * p.blocks_n) == 0,
       "tile_n must be a multiple of per_item_n * blocks_n");
  rule(p.tile_k % p.slices_k == 0, "tile_k must be a multiple of slices_k");
  rule(static_cast<long long>(p.items_m()) * p.items_n() * p.slices_k <= 4096,
       "the work-group, tile / (per_item * blocks) in both directions times slices_k, must be at "
       "most 4096 work-items");
  rule(p.lanes_m > 0 && p.lanes_n > 0, "lanes_m and lanes_n must be positive");
  rule(p.items_m() % p.lanes_m == 0,
       "lanes_m must divide the items along m, tile_m / (per_item_m * blocks_m)");
  rule(p.items_n() % p.lanes_n == 0,
       "lanes_n must divide the items along n, tile_n / (per_item_n * blocks_n)");
  rule(width(p.vector) && width(p.vector_m) && width(p.vector_n),
       "vector, vector_m and vector_n must be 1, 2, 4, 8 or 16");
  rule(p.per_item_m % p.vector_m == 0, "per_item_m must be a multiple of vector_m");
  rule(p.per_item_n % p.vector_n == 0, "per_item_n must be a multiple of vector_n");
  rule(p.blocks_m * p.blocks_n == 1 || p.group_size() == 1,
       "several register blocks (blocks_m, blocks_n) need a group of one work-item");
  rule(p.order != local_order::stored || p.vector_m == 1, "order stored needs vector_m = 1");
  rule(!p.turned || p.packed, "turned needs packed = true");
  rule(p.raster > 0, "raster must be positive");
  rule(p.unroll >= 0 && p.split_k >= 0, "unroll and split_k must not be negative");
  const bool staged = p.stage_a == staging::local && p.stage_b == staging::local;
  rule(p.buffer == buffering::single || staged,
       "buffer registers and async need stage_a and stage_b local");
  rule(p.buffer == buffering::single || p.slice_depth() % 2 == 0,
       "buffer registers and async need tile_k / slices_k to be even");
  rule(p.buffer == buffering::single || p.blocks_m * p.blocks_n == 1,
       "buffer registers and async need blocks_m = blocks_n = 1");
  rule(p.buffer != buffering::single || p.stages == 1, "buffer single needs stages = 1");
  rule(p.buffer == buffering::single || (p.stages >= 2 && p.stages <= 8),
       "buffer registers and async need stages of 2 to 8");
  rule(p.buffer != buffering::async || !p.unaligned,
       "buffer async copies aligned runs: it needs unaligned = false");
  rule(p.buffer != buffering::bulk || p.instruction == gemm_instruction::wgmma,
       "buffer bulk needs instruction wgmma");
  rule(p.fetchers == 32 || p.fetchers == 128, "fetchers must be a warp or a warp-group: 32 or 128");
  rule(p.stage_c == staging::global || p.buffer != buffering::bulk,
       "stage_c local has all items of a group meet: it needs another buffer than bulk");
  rule(p.finish == gemm_finish::second_kernel || p.buffer != buffering::bulk,
       "finish last_group_fenced has all items of a group meet: it needs another buffer than bulk");
  rule(p.stage_c == staging::global || p.blocks_m * p.blocks_n == 1,
       "stage_c local needs blocks_m = blocks_n = 1");
  if (p.instruction == gemm_instruction::fma) {
    rule(p.buffer != buffering::async || p.order != local_order::stored,
         "buffer async needs order plain or padded, unless instruction is mma_sync or wgmma");
    return;
  }
  rule(staged && p.order == local_order::stored,
       "matrix units need stage_a and stage_b local, and order stored");
  rule(p.slices_k == 1 && p.blocks_m * p.blocks_n == 1,
       "matrix units need slices_k = blocks_m = blocks_n = 1");
  if (p.instruction != gemm_instruction::wgmma) return;
  rule(p.tile_m % 64 == 0 && p.tile_n % 8 == 0 && p.tile_n <= 256,
       "instruction wgmma needs tile_m to be a multiple of 64, and tile_n of 8 and at most 256");
  rule(p.tile_k == 128 || p.tile_k == 64 || p.tile_k == 32,
       "instruction wgmma needs tile_k = 128, 64 or 32");
  rule(
      p.per_item_m == 2 && p.per_item_n % 2 == 0 && p.tile_n % (4 * p.per_item_n) == 0,
      "instruction wgmma needs its sums: per_item_m = 2, per_item_n = tile_n / 4, or that of equal "
      "parts of tile_n, multiples of 8");
  // The sums cannot leave the registers: on an H100, 2026-11-25, text with as many of them as an
  // item may have registers does not build, and where there are 32 more it does.
  rule((2 * p.per_item_n + 24) * p.group_size() <= 65536,
       "instruction wgmma needs registers for its sums, 2 per_item_n and 24 more for each "
       "work-item of the group",
       (2 * p.per_item_n + 24) * p.group_size(), 65536);
  rule(!p.unaligned, "instruction wgmma needs unaligned = false");
  rule(p.buffer == buffering::single || p.stages >= 3,
       "instruction wgmma needs stages of 3 or more, unless buffer is single");
  rule(p.buffer != buffering::bulk || p.tile_m <= 256,
       "buffer bulk copies boxes of at most 256 lines: it needs tile_m of at most 256");
}

}  // namespace clprim
