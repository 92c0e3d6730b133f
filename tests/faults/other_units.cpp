// Matrix units of AMD's and Intel's, whose instructions are done here by the items of a group: they
// hand each other their operands through memory, as the makers' manuals say that they lie. Products
// by them, chosen, proven and run as on such a device.

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include <clprim/gemm.hpp>

#include "faults/opencl_faults.hpp"
#include "gemm/draw_problem.hpp"
#include "gemm/product.hpp"
#include "support/builds.hpp"
#include "support/device.hpp"
#include "support/other_devices.hpp"

using namespace clprim;
using namespace support;

namespace {

/// What is written in the place of the compilers' functions. `UNIT_MEMORY` is the address of memory
/// of this process, which a CPU's kernels reach as it is; 1024 numbers for each wave of a group.
///
/// AMD Matrix Instruction Calculator: of 16 x 16 products lane l of a wave holds line l % 16 of
/// both operands, and of the sums column l % 16. Intel:
/// cl_intel_subgroup_matrix_multiply_accumulate.
const char* const instructions = R"cl(
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#define as_half4(x) (x)
#define as_half8(x) (x)
#define as_half16(x) (x)

inline __global double *unit_memory(const uint wave)
{
    return (__global double *)(UNIT_MEMORY) + (get_group_id(0) % 512 * 32 + wave) * 1024;
}
inline double half_number(const ushort bits)
{
    const double value = vload_half(0, (const half *)&bits);
#ifdef FLUSHES
    return fabs(value) < 0x1p-14 ? 0 : value;
#endif
    return value;
}
inline double bfloat16_number(const short bits)
{
    return as_float((uint)(ushort)bits << 16);
}

// sum += a b: lane l has `count` elements from `first` on along k of line l % 16 of both; its own
// sums are of rows `row` + `step` r and column l % 16. A macro, since types and counts differ.
#define BY_WAVE(name, number, type, operands, count, sums, wave, first, steps, row, step, each) \
    inline sums name(const operands a, const operands b, sums sum) \
    { \
        const uint l = (uint)get_local_id(0) % wave; \
        __global double *const A = unit_memory((uint)get_local_id(0) / wave); \
        __global double *const B = A + 256; \
        operands own_a = a, own_b = b; \
        sums own = sum; \
        barrier(CLK_GLOBAL_MEM_FENCE); \
        for (int e = 0; e < count; ++e) { \
            A[l % 16 * 16 + (first) + e] = number(((type *)&own_a)[e]); \
            B[l % 16 * 16 + (first) + e] = number(((type *)&own_b)[e]); \
        } \
        barrier(CLK_GLOBAL_MEM_FENCE); \
        for (int r = 0; r < each; ++r) { \
            double s = 0; \
            for (int k = 0; k < steps; ++k) \
                s += A[((row) + step * r) * 16 + k] * B[l % 16 * 16 + k]; \
            own[r] += s; \
        } \
        return own; \
    }
#define SAME(x) (x)
#ifndef ROW
#define ROW(l) (l / 16 * 4)
#endif
#define MFMA_OF_SHORT float4, 64, l / 16 * 4, 16, ROW(l), 1, 4
#define WMMA float8, 32, 0, 16, l / 16, 2, 8
#define WMMA_12 float8, 32, l / 16 * 8, 16, l / 16 * 8, 1, 8
#define BY_WAVE_OF(name, number, type, operands, count, how) \
    BY_WAVE(name, number, type, operands, count, how)
BY_WAVE_OF(mfma_half, half_number, ushort, ushort4, 4, MFMA_OF_SHORT)
BY_WAVE_OF(mfma_bfloat16, bfloat16_number, short, short4, 4, MFMA_OF_SHORT)
BY_WAVE(mfma_float, SAME, float, float, 1, float4, 64, l / 16, 4, l / 16 * 4, 1, 4)
BY_WAVE(mfma_double, SAME, double, double, 1, double4, 64, l / 16, 4, l / 16, 4, 4)
BY_WAVE_OF(wmma_half, half_number, ushort, ushort16, 16, WMMA)
BY_WAVE_OF(wmma_bfloat16, bfloat16_number, short, short16, 16, WMMA)
BY_WAVE_OF(wmma12_half, half_number, ushort, ushort8, 8, WMMA_12)
BY_WAVE_OF(wmma12_bfloat16, bfloat16_number, short, short8, 8, WMMA_12)
#define __builtin_amdgcn_mfma_f32_16x16x16f16(a, b, s, x, y, z) mfma_half(a, b, s)
#define __builtin_amdgcn_mfma_f32_16x16x16bf16_1k(a, b, s, x, y, z) mfma_bfloat16(a, b, s)
#define __builtin_amdgcn_mfma_f32_16x16x4f32(a, b, s, x, y, z) mfma_float(a, b, s)
#define __builtin_amdgcn_mfma_f64_16x16x4f64(a, b, s, x, y, z) mfma_double(a, b, s)
#define __builtin_amdgcn_wmma_f32_16x16x16_f16_w32 wmma_half
#define __builtin_amdgcn_wmma_f32_16x16x16_bf16_w32 wmma_bfloat16
#define __builtin_amdgcn_wmma_f32_16x16x16_f16_w32_gfx12 wmma12_half
#define __builtin_amdgcn_wmma_f32_16x16x16_bf16_w32_gfx12 wmma12_bfloat16

// 8 rows: row r of A is component r of all items, 16 / `lanes` elements each; an item's own column
// of B is two elements along k in each of eight words, the earlier one in the lower half.
#define BY_SUB_GROUP(name, operand, element, lanes, number) \
    inline float8 name(const operand a, const int8 b, const float8 sum) \
    { \
        const uint l = (uint)get_local_id(0) % lanes; \
        __global double *const A = unit_memory((uint)get_local_id(0) / lanes); \
        operand own_a = a; \
        int8 own_b = b; \
        float8 own = sum; \
        barrier(CLK_GLOBAL_MEM_FENCE); \
        for (int e = 0; e < 8 * (16 / lanes); ++e) \
            A[e / (16 / lanes) * 16 + l * (16 / lanes) + e % (16 / lanes)] = \
                number(((element *)&own_a)[e]); \
        barrier(CLK_GLOBAL_MEM_FENCE); \
        for (int r = 0; r < 8; ++r) \
            for (int k = 0; k < 16; ++k) own[r] += A[r * 16 + k] * number(((element *)&own_b)[k]); \
        return own; \
    }
#if SUB_GROUP == 16
BY_SUB_GROUP(intel_sub_group_f16_f16_matrix_mad_k16, short8, ushort, 16, half_number)
BY_SUB_GROUP(intel_sub_group_bf16_bf16_matrix_mad_k16, short8, short, 16, bfloat16_number)
#else
BY_SUB_GROUP(intel_sub_group_f16_f16_matrix_mad_k16, int8, ushort, 8, half_number)
BY_SUB_GROUP(intel_sub_group_bf16_bf16_matrix_mad_k16, int8, short, 8, bfloat16_number)
#endif
)cl";

/// Runs `work` as on a device with such units: what a driver says, what the functions do. `planted`
/// stands before them.
void with_units(matrix_unit units, int lanes, const std::function<void(const session&)>& work,
                const std::string& planted = {}) {
  const session& s = device_session();
  const device_facts host = facts_of(s.device);
  if (host.kind != device_kind::cpu || !host.fp64) {
    MESSAGE("not tried: kernels do not reach this process's memory as it is");
    return;
  }
  static std::vector<double> memory(512 * 32 * 1024);
  device_facts facts = portable(units == matrix_unit::dpas ? arc_a770() : mi300x(), host);
  facts.matrix_units = units;
  facts.matrix_unit_lanes = lanes;
  if (!planted.empty()) facts.name = "a device with a fault: " + planted;
  facts.local_bytes = std::min<std::int64_t>(65536, host.local_bytes);
  const assume_device as_if(facts);
  const unoptimised_builds quickly;
  clear_program_cache();  // programs are known by their source, without what stands before it here
  const std::string text =
      "#define UNIT_MEMORY " + std::to_string(reinterpret_cast<std::uintptr_t>(memory.data())) +
      "ul\n#define SUB_GROUP " + std::to_string(lanes) + "\n" + planted + instructions;
  with_text_before(text, [&] { work(s); });
}

/// Products by drawn policies, of shapes around their tiles.
template <class T> void check_products(const session& s, gemm_instruction unit, int lanes) {
  for (int i = 0; i < 12; ++i) {
    draw d(1000 * static_cast<std::uint64_t>(unit) + static_cast<std::uint64_t>(i));
    gemm_options options;
    do {
      options.policy = draw_policy_of_units(d, unit, scalar_of<T>, lanes);
    } while (!fits(*options.policy, scalar_of<T>, facts_of(s.queue).facts));
    product p = draw_product(d, *options.policy);
    p.epilogue = epilogue_kind::none;
    while (p.batch * (p.m / options.policy->tile_m + 1) * (p.n / options.policy->tile_n + 1) *
               std::max(16, options.policy->split_k) >
           512)  // that have memory; 16 parts where the library chooses
      p.m = std::max(1, p.m / 2), p.n = std::max(1, p.n / 2);
    gemm<T> multiply(s.queue, options);
    const std::string complaint = complaint_about<T>(s, multiply, p);
    CHECK_MESSAGE(complaint.empty(), complaint << to_string(*options.policy) << "\n"
                                               << replay_text<T>(p));
  }
}

/// The library's own choice takes the units once it has proven them, and is right.
template <class T> void check_choice(const session& s, gemm_instruction unit) {
  gemm<T> multiply(s.queue);
  product p{.m = 300, .n = 280, .k = 60};
  const std::string complaint = complaint_about<T>(s, multiply, p);
  CHECK_MESSAGE(complaint.empty(), complaint);
  const std::vector<T> any(300 * 280);
  const cl::Buffer a = device_copy(s, any), b = device_copy(s, any), c = device_copy(s, any);
  const auto chosen =
      multiply.schedule(matrix<T>(a, 300, 60), matrix<T>(b, 60, 280), matrix<T>(c, 300, 280));
  CHECK(to_string(chosen.policy.instruction) == to_string(unit));
}

}  // namespace

TEST_CASE("products by MFMA, done by the items of a wave, are right: half, bfloat16") {
  with_units(matrix_unit::mfma, 0, [](const session& s) {
    check_products<half>(s, gemm_instruction::mfma, 0);
    check_products<bfloat16>(s, gemm_instruction::mfma, 0);
  });
}
TEST_CASE("products by MFMA, done by the items of a wave, are right: float, double") {
  with_units(matrix_unit::mfma, 0, [](const session& s) {
    check_products<float>(s, gemm_instruction::mfma, 0);
    check_products<double>(s, gemm_instruction::mfma, 0);
  });
}
TEST_CASE("products by WMMA of RDNA 3, done by the items of a wave, are right") {
  with_units(matrix_unit::wmma, 0, [](const session& s) {
    check_products<half>(s, gemm_instruction::wmma, 0);
    check_products<bfloat16>(s, gemm_instruction::wmma, 0);
  });
}
TEST_CASE("products by WMMA of RDNA 4, done by the items of a wave, are right") {
  with_units(matrix_unit::wmma_gfx12, 0, [](const session& s) {
    check_products<half>(s, gemm_instruction::wmma_gfx12, 0);
    check_products<bfloat16>(s, gemm_instruction::wmma_gfx12, 0);
  });
}
TEST_CASE("products by DPAS, done by the items of a sub-group, are right") {
  for (const int lanes : {8, 16}) {
    with_units(matrix_unit::dpas, lanes, [&](const session& s) {
      check_products<half>(s, gemm_instruction::dpas, lanes);
      check_products<bfloat16>(s, gemm_instruction::dpas, lanes);
    });
  }
}
TEST_CASE("units that prove right are what the library chooses") {
  with_units(matrix_unit::mfma, 0, [](const session& s) {
    check_choice<half>(s, gemm_instruction::mfma);
    check_choice<double>(s, gemm_instruction::mfma);
  });
}
TEST_CASE("units that turn out otherwise do not prove right") {
  const auto proves = [](const std::string& planted) {
    const gemm_policy policy = gemm_tables::self_test_of(gemm_instruction::mfma, scalar::half_, 0);
    bool right = false;
    with_units(
        matrix_unit::mfma, 0,
        [&](const session& s) {
          right = detail::multiplies_exactly<half>(policy, facts_of(s.queue));
        },
        planted);
    return right;
  };
  const device_facts host = facts_of(device_session().device);
  CHECK(proves("") == (host.kind == device_kind::cpu && host.fp64));
  CHECK_FALSE(proves("#define FLUSHES  // what half holds below its least normal number\n"));
  CHECK_FALSE(proves("#define ROW(l) (l % 16 / 4 * 4)  // of sums\n"));
}
TEST_CASE("a type that units prove wrong for is multiplied without them, with the reason") {
  const auto units_of_each = [](const session& s) {
    check_choice<bfloat16>(s, gemm_instruction::mfma);
    check_choice<half>(s, gemm_instruction::fma);
    const cl::Buffer a = device_copy(s, std::vector<half>(300 * 280)),
                     b = device_copy(s, std::vector<half>(300 * 280)),
                     c = device_copy(s, std::vector<half>(300 * 280));
    gemm<half> multiply(s.queue);
    const std::string told = multiply.explain(matrix<half>(a, 300, 60), matrix<half>(b, 60, 280),
                                              matrix<half>(c, 300, 280));
    CHECK_MESSAGE(told.find("mfma is not used: a product of 128 x 128 x 184 elements was not "
                            "right") != std::string::npos,
                  told);
    gemm<half> demanding(
        s.queue, {.policy = gemm_tables::self_test_of(gemm_instruction::mfma, scalar::half_, 0)});
    CHECK_THROWS_WITH_AS(demanding.schedule(matrix<half>(a, 300, 60), matrix<half>(b, 60, 280),
                                            matrix<half>(c, 300, 280)),
                         doctest::Contains("instruction mfma does not work on a device with a"),
                         device_error);
  };
  with_units(matrix_unit::mfma, 0, units_of_each, "#define FLUSHES\n");
}
