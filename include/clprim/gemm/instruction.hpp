#pragma once
// What the instructions of GEMM take and need: types, steps of k, devices.

#include <algorithm>
#include <string_view>

#include <clprim/core/device_facts.hpp>
#include <clprim/core/scalar.hpp>
#include <clprim/gemm/policy.hpp>
#include <clprim/gemm/precision.hpp>

namespace clprim {

/// Elements of one access of 16 bytes, by which packed operands are copied and padded.
constexpr int packed_run(scalar type) { return std::max(1, 16 / facts_of(type).bytes); }

/// Bytes of one element in private memory: half and bfloat16 are computed in float.
constexpr int element_bytes(scalar type) { return is_short(type) ? 4 : facts_of(type).bytes; }

/// What PTX calls elements that matrix units multiply.
constexpr std::string_view unit_format(scalar type) {
  return type == scalar::half_       ? "f16"
         : type == scalar::bfloat16_ ? "bf16"
         : type == scalar::float_    ? "tf32"
                                     : "f64";
}

/// Bytes of one element in local memory: matrix units read half and bfloat16 as they are.
constexpr int tiled_bytes(const gemm_policy& p, scalar type) {
  return p.instruction == gemm_instruction::fma ? element_bytes(type) : facts_of(type).bytes;
}

/// Whether an instruction multiplies elements of the type.
constexpr bool multiplies(gemm_instruction instruction, scalar type,
                          gemm_precision precision = gemm_precision::full) {
  if (instruction == gemm_instruction::wgmma)
    return precision == gemm_precision::full ? is_short(type) : type == scalar::float_;
  return instruction == gemm_instruction::fma || is_short(type) || type == scalar::double_ ||
         type == scalar::complex_double;
}

/// Elements along k that one step of wgmma takes: lines of 128 bytes.
constexpr int warp_group_k(scalar type) { return 128 / facts_of(type).bytes; }

/// Steps of k that one instruction takes.
constexpr int instruction_k(gemm_instruction instruction, scalar type) {
  return instruction == gemm_instruction::fma ? 1 : is_short(type) ? 16 : 4;
}

/// Elements left free after each row of a tile that matrix units read as it is stored, so that rows
/// lie 16 bytes (half: ldmatrix reads eight rows of 16 bytes at a time) or four elements (double: a
/// quarter or half of a warp reads rows of four along k) apart in the banks.
constexpr int matrix_unit_skew(scalar type, bool by_rows) {
  return is_short(type) ? 8 : type == scalar::complex_double && !by_rows ? 2 : 4;
}

/// Elements of C that an item may store at a time where C allows it: four neighbours exchange their
/// runs of two half, so that each has 16 bytes.
constexpr int widest_store(const gemm_policy& p, scalar type) {
  const bool quads =
      p.instruction != gemm_instruction::fma && is_short(type) && p.per_item_n % 8 == 0;
  return quads ? 8 : p.vector_n;
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
  const int capability = is_short(type) ? 80 : 90;
  return multiplies(p.instruction, type, precision) &&
         (p.buffer != buffering::async || device.async_copy) &&
         (p.instruction != gemm_instruction::wgmma || device.warp_group_products) &&
         (p.instruction == gemm_instruction::fma ||
          (device.vendor == vendor::nvidia && device.inline_ptx &&
           device.compute_capability >= capability));
}

}  // namespace clprim
