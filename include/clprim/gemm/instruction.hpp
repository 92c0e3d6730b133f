#pragma once
// What the instructions of GEMM take and need: types, steps of k, devices.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include <clprim/core/device_facts.hpp>
#include <clprim/core/scalar.hpp>
#include <clprim/gemm/policy.hpp>
#include <clprim/gemm/precision.hpp>

namespace clprim {

/// Its name.
constexpr std::string_view to_string(gemm_instruction instruction) {
  return enum_names<gemm_instruction>::names[static_cast<std::size_t>(instruction)];
}

/// Elements of one access of 16 bytes, by which packed operands are copied and padded.
constexpr int packed_run(scalar type) { return std::max(1, 16 / facts_of(type).bytes); }

/// Accesses from which on a packed line is long, and those of a line of the cache, 128 bytes.
inline constexpr int packed_long_line = 32, packed_cache_line = 8;

/// What packed lines of `length` elements are multiples of: long ones of lines of the cache. Lines
/// that share one are read twice (H200, half, 4095 x 4097 x 4093: 387 us with lines at multiples of
/// 16 bytes, 335 us at those of 128), and so are steps along k that do: zeros before a line move
/// its end, with which the last step ends, there.
constexpr std::int64_t packed_unit(std::int64_t length, int run) {
  return length >= packed_long_line * run ? packed_cache_line * run : run;
}

/// Bytes of one element in private memory: narrow ones are computed in float or int.
constexpr int element_bytes(scalar type) { return is_narrow(type) ? 4 : facts_of(type).bytes; }

/// The type of the elements that are multiplied where A and B are of `type`.
constexpr scalar multiplied_type(scalar type, gemm_precision precision) {
  return precision == gemm_precision::split_half ? scalar::half_ : type;
}

/// What PTX calls elements that matrix units multiply.
constexpr std::string_view unit_format(scalar type) {
  return type == scalar::half_       ? "f16"
         : type == scalar::bfloat16_ ? "bf16"
         : type == scalar::float_    ? "tf32"
         : type == scalar::int8_     ? "s8"
         : type == scalar::e4m3_     ? "e4m3"
         : type == scalar::e5m2_     ? "e5m2"
                                     : "f64";
}

/// What PTX calls their sums, those of double left out, and the letter of operands that hold one.
inline std::string sum_format(scalar type) { return type == scalar::int8_ ? "s32" : "f32"; }
inline std::string sum_letter(scalar type) { return type == scalar::int8_ ? "r" : "f"; }

/// Bytes of one element in local memory: matrix units read narrow ones as they are.
constexpr int tiled_bytes(const gemm_policy& p, scalar type) {
  return p.instruction == gemm_instruction::fma ? element_bytes(type) : facts_of(type).bytes;
}

/// Whether an instruction multiplies elements of the type.
constexpr bool multiplies(gemm_instruction instruction, scalar type,
                          gemm_precision precision = gemm_precision::full) {
  using enum gemm_instruction;
  const bool full = precision == gemm_precision::full, is_half = is_short(type);
  switch (instruction) {
    case fma: return true;
    case mma_sync:
      if (precision == gemm_precision::split_half) return type == scalar::half_;
      return is_half || type == scalar::int8_ || type == scalar::double_ ||
             type == scalar::complex_double;
    case wgmma:
      return full                                      ? is_half || is_byte(type)
             : precision == gemm_precision::split_half ? type == scalar::half_
                                                       : type == scalar::float_;
    case mfma: return full && (is_half || type == scalar::float_ || type == scalar::double_);
    case wmma:
    case wmma_gfx12:
    case dpas: return full && is_half;
  }
  return false;
}

/// Whether it is for products of float below its own precision.
constexpr bool serves(gemm_instruction instruction, gemm_precision precision) {
  return precision != gemm_precision::full && instruction != gemm_instruction::fma &&
         multiplies(instruction, multiplied_type(scalar::float_, precision), precision);
}

/// Whether a device has matrix units for them.
constexpr bool has_units_for(const device_facts& device, gemm_precision precision) {
  const bool by_mma_sync = serves(gemm_instruction::mma_sync, precision) &&
                           device.vendor == vendor::nvidia && device.inline_ptx &&
                           device.compute_capability >= 80;
  return device.warp_group_products || by_mma_sync;
}

/// Whether matrix units read elements of the type along k alone: those of 8 bits, and TF32.
constexpr bool reads_along_k(scalar type, gemm_precision precision) {
  return is_byte(type) || precision != gemm_precision::full;
}

/// Whether every step's products are summed by themselves, and these sums in float: matrix units
/// cut off what a sum has no room for, and of float8 sums keep some 13 bits (NVIDIA's Hopper).
constexpr bool sums_steps(scalar type, gemm_precision precision) {
  return is_float8(type) || precision == gemm_precision::split_tf32;
}

/// Elements along k that one step of wgmma takes: lines of 128 bytes.
constexpr int warp_group_k(scalar type) { return 128 / facts_of(type).bytes; }

/// Steps of k that one instruction takes.
constexpr int instruction_k(gemm_instruction instruction, scalar type) {
  if (instruction == gemm_instruction::fma) return 1;
  return is_byte(type) ? 32 : is_short(type) ? 16 : 4;
}

/// How the sums of matrix units lie: the items that multiply together, as rows and columns of
/// lanes, and the least rows and columns of sums that each of them has, in runs of `vector_n`.
struct unit_layout {
  int lanes_m = 1, lanes_n = 1;
  int rows = 1, columns = 1;
  int vector_n = 1;
  bool turned = false;  ///< items that follow each other are rows: the unit's own C is ours turned

  constexpr int together() const { return lanes_m * lanes_n; }
  friend constexpr bool operator==(const unit_layout&, const unit_layout&) = default;
};

/// The layout of an instruction that multiplies elements of the type; that of dpas is as wide as a
/// sub-group, `lanes_n` of the policy.
constexpr unit_layout layout_of(const gemm_policy& p, scalar type) {
  switch (p.instruction) {
    case gemm_instruction::fma: return {};
    case gemm_instruction::mma_sync: return {8, 4, 2, 4, 2};
    case gemm_instruction::wgmma: return {8, 4, 2, 2, 2};
    case gemm_instruction::mfma:
      return type == scalar::double_ ? unit_layout{4, 16, 4, 1, 1}
                                     : unit_layout{16, 4, 1, 4, 4, true};
    case gemm_instruction::wmma: return {2, 16, 8, 1, 1};
    case gemm_instruction::wmma_gfx12: return {16, 2, 1, 8, 8, true};
    case gemm_instruction::dpas: return {1, p.lanes_n, 8, 1, 1};
  }
  return {};
}

/// What a policy of an instruction of matrix units must keep, as the sentences that refuse others.
struct unit_sentences {
  const char* types;
  const char* layout;
  const char* sums;
  const char* devices;
};
constexpr unit_sentences sentences_of(gemm_instruction instruction) {
  switch (instruction) {
    case gemm_instruction::fma: break;
    case gemm_instruction::mma_sync:
      return {
          "instruction mma_sync multiplies half, bfloat16, int8, double, complex double, and float "
          "of precision split_half",
          "instruction mma_sync needs its layout: lanes_m = 8, lanes_n = 4, vector_m = 1, "
          "vector_n = 2",
          "instruction mma_sync needs per_item_m to be a multiple of 2 and per_item_n of 4",
          "instruction mma_sync needs NVIDIA of compute capability 8.0 (half, bfloat16, int8) "
          "or 9.0 (double) or more"};
    case gemm_instruction::wgmma:
      return {
          "instruction wgmma multiplies half, bfloat16, float8, int8, and float of precision "
          "split_half, split_tf32 or tf32",
          "instruction wgmma needs its layout: lanes_m = 8, lanes_n = 4, vector_m = 1, "
          "vector_n = 2",
          "instruction wgmma needs its sums: per_item_m = 2, per_item_n = tile_n / 4, or that of "
          "equal parts of tile_n, multiples of 8",
          "instruction wgmma needs NVIDIA of compute capability 9.0"};
    case gemm_instruction::mfma:
      return {"instruction mfma multiplies half, bfloat16, float of precision full, and double",
              "instruction mfma needs its layout: lanes_m = 16, lanes_n = 4, vector_m = 1, "
              "vector_n = 4; of double 4, 16, 1 and 1",
              "instruction mfma needs per_item_n to be a multiple of 4; of double per_item_m",
              "instruction mfma needs AMD of gfx90a, gfx94x or gfx950, driven by AMD's OpenCL"};
    case gemm_instruction::wmma:
      return {"instruction wmma multiplies half and bfloat16",
              "instruction wmma needs its layout: lanes_m = 2, lanes_n = 16, vector_m = 1, "
              "vector_n = 1",
              "instruction wmma needs per_item_m to be a multiple of 8",
              "instruction wmma needs AMD of gfx11, driven by AMD's OpenCL"};
    case gemm_instruction::wmma_gfx12:
      return {"instruction wmma_gfx12 multiplies half and bfloat16",
              "instruction wmma_gfx12 needs its layout: lanes_m = 16, lanes_n = 2, vector_m = 1, "
              "vector_n = 8",
              "instruction wmma_gfx12 needs per_item_n to be a multiple of 8",
              "instruction wmma_gfx12 needs AMD of gfx12, driven by AMD's OpenCL"};
    case gemm_instruction::dpas:
      return {"instruction dpas multiplies half and bfloat16",
              "instruction dpas needs its layout: lanes_m = 1, lanes_n = 8 or 16, vector_m = 1, "
              "vector_n = 1",
              "instruction dpas needs per_item_m to be a multiple of 8",
              "instruction dpas needs Intel with cl_intel_subgroup_matrix_multiply_accumulate, and "
              "lanes_n as wide as its sub-groups"};
  }
  return {"", "", "", ""};
}

/// Whether instructions are functions of the compiler's, or hidden from it, which nobody but the
/// device itself vouches for (gemm/self_test.hpp).
constexpr bool wants_proof(gemm_instruction instruction) {
  return instruction != gemm_instruction::fma && instruction != gemm_instruction::mma_sync;
}

/// Whether an instruction is PTX of NVIDIA's.
constexpr bool is_ptx(gemm_instruction instruction) {
  return instruction == gemm_instruction::mma_sync || instruction == gemm_instruction::wgmma;
}

/// The instruction of a device's matrix units that compilers reach by functions; fma where it has
/// none.
constexpr gemm_instruction instruction_of(matrix_unit unit) {
  switch (unit) {
    case matrix_unit::none: return gemm_instruction::fma;
    case matrix_unit::mfma: return gemm_instruction::mfma;
    case matrix_unit::wmma: return gemm_instruction::wmma;
    case matrix_unit::wmma_gfx12: return gemm_instruction::wmma_gfx12;
    case matrix_unit::dpas: return gemm_instruction::dpas;
  }
  return gemm_instruction::fma;
}

/// Elements left free after each row of a tile that matrix units read as it is stored, so that rows
/// lie 16 bytes (ldmatrix reads eight rows of 16 bytes at a time) or four elements (double: a
/// quarter or half of a warp reads rows of four along k) apart in the banks.
constexpr int matrix_unit_skew(scalar type, bool by_rows) {
  if (is_narrow(type)) return packed_run(type);
  return type == scalar::complex_double && !by_rows ? 2 : 4;
}

/// Elements of C, of the type, that an item may store at a time where C allows it: neighbours swap
/// their runs of two elements of 16 or 32 bits, so that each has 16 bytes.
constexpr int widest_store(const gemm_policy& p, scalar type) {
  const int whole = packed_run(type);
  const bool swaps = is_ptx(p.instruction) && whole > p.vector_n && p.per_item_n % whole == 0;
  return swaps ? whole : p.vector_n;
}

/// Whether the groups of a device can hand parts of a tile to each other as the policy says. Where
/// the compiler loses guards, groups of several items would not end: by PoCL 5.0 items do not agree
/// on which parts are left.
constexpr bool has_finish(const gemm_policy& p, const device_facts& device) {
  if (p.finish == gemm_finish::second_kernel) return true;
  if (device.kind == device_kind::cpu) return p.group_size() == 1 || !device.loses_guards;
  return device.inline_ptx && device.compute_capability >= 70;
}

/// Whether a device has what a policy's instruction and copies take, for elements of the type.
constexpr bool has_instructions(const gemm_policy& p, scalar type, const device_facts& device,
                                gemm_precision precision = gemm_precision::full) {
  const int capability = is_narrow(type) ? 80 : 90;
  const auto has = [&](gemm_instruction instruction) {
    switch (instruction) {
      case gemm_instruction::fma: return true;
      case gemm_instruction::wgmma:
      case gemm_instruction::mma_sync:
        return device.vendor == vendor::nvidia && device.inline_ptx &&
               device.compute_capability >= capability &&
               (instruction == gemm_instruction::mma_sync || device.warp_group_products);
      case gemm_instruction::dpas:
        if (p.lanes_n != device.matrix_unit_lanes) return false;
        [[fallthrough]];
      default: return instruction_of(device.matrix_units) == instruction;
    }
  };
  return multiplies(p.instruction, type, precision) &&
         (p.buffer != buffering::async || device.async_copy) && has(p.instruction);
}

}  // namespace clprim
