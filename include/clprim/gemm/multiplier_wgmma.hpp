#pragma once
// OpenCL C of GEMM, second seam: the multiplier by wgmma of NVIDIA's matrix units.

#include <string>

#include <clprim/core/source.hpp>
#include <clprim/gemm/instruction.hpp>

namespace clprim::gemm_text {

/// Half, bfloat16, float8, or float as TF32, sums in float; int8, sums in int. PTX ISA,
/// "Asynchronous warpgroup level matrix instructions": wgmma.mma_async, its "Matrix descriptor" and
/// "Strides" under swizzling by 128 bytes. Lines that begin with //@ are instructions of sm_90a
/// alone, hidden from the driver's compiler: see runtime/hidden_instructions.hpp.
inline constexpr kernel_text wgmma_multiplier = R"cl(
#define PRODUCT_RUNS (PRODUCT_N / 8)
typedef ulong FRAGMENT_A[PARTS];
typedef ulong FRAGMENT_B[PARTS];

// A fragment is a descriptor: where in local memory 64 (A) or TILE_N (B) lines x 32 bytes of k lie.
// They are blocks of 8 rows of 128 bytes, 1,024 bytes apart. A row lies along k, or across it
// (16 bits): there each panel of 64 elements across is 8,192 bytes.
//
//     k ->     0 ... 63    64 ... 127 bytes   where float is split, a step along k is 16 elements,
//             +-----------+-----------+       of halves 32: the greater parts of all of them, then
//      line 0 | greater   | lesser    |       the lesser ones
//           1 |           |           |
#define A_FRAGMENT_AT(row) ((row) / 64 * (8192 / (int)sizeof(TILED)))
#define B_FRAGMENT_AT(column) ((column) / GROUP_COLUMNS * GROUP_COLUMNS * TILE_K)
#define DESCRIPTOR(from) \
    ((ulong)(((uint)(size_t)(from) & 0x3FFFF) >> 4) | (ulong)(8192 >> 4) << 16 | \
     (ulong)(1024 >> 4) << 32 | (ulong)1 << 62)

inline void fragment_a(ulong *a, const __local TILED *tile, const int k)
{
    EACH for (int part = 0; part < PARTS; ++part)
        a[part] = DESCRIPTOR(tile + (A_ALONG_K ? k / PARTS + part * (TILE_K / PARTS) : k * 64));
}

inline void fragment_b(ulong *b, const __local TILED *tile, const int k)
{
    EACH for (int part = 0; part < PARTS; ++part)
        b[part] = DESCRIPTOR(tile + (B_ALONG_K ? k / PARTS + part * (TILE_K / PARTS) : k * 64));
}

// The products run on while their work-items do other things; their sums are not touched between
// BEGIN_PRODUCTS and the AWAIT_PRODUCTS that says how many steps may still be under way. The
// compiler does not know: PIN_SUMS keeps what follows behind the wait.
#define BEGIN_PRODUCTS asm volatile("//@wgmma.fence.sync.aligned;" ::: "memory");
#define COMMIT_PRODUCTS asm volatile("//@wgmma.commit_group.sync.aligned;" ::: "memory");
#define AWAIT_PRODUCTS(steps) \
    asm volatile("//@wgmma.wait_group.sync.aligned " #steps ";" ::: "memory");
#define PIN_SUMS(sum) \
    EACH_ROW EACH for (int j = 0; j < (int)(sizeof((sum)[0]) / sizeof(N_VECTOR)); ++j) { \
        ELEMENT s0 = sum[i][j].s0, s1 = sum[i][j].s1; \
        asm volatile("" : "+" LETTER(s0), "+" LETTER(s1) :: "memory"); \
        sum[i][j] = (N_VECTOR)(s0, s1); \
    }
#define END_PRODUCTS(sum) COMMIT_PRODUCTS AWAIT_PRODUCTS(0) PIN_SUMS(sum)

// 64 x PRODUCT_N sums of a warp-group: of 8 columns an item has two in each of two rows. The
// products of one part of A and one of B are added to them, or (`add` = 0) put in their place.
inline void multiply_parts(N_VECTOR (*sum)[PRODUCT_RUNS], const ulong a, const ulong b,
                           const int add)
{
    ELEMENT s[4 * PRODUCT_RUNS];
    EACH for (int j = 0; j < PRODUCT_RUNS; ++j) {
        s[4 * j] = sum[0][j].s0;
        s[4 * j + 1] = sum[0][j].s1;
        s[4 * j + 2] = sum[1][j].s0;
        s[4 * j + 3] = sum[1][j].s1;
    }
    MULTIPLY_MATRICES(s, a, b, add);
    EACH for (int j = 0; j < PRODUCT_RUNS; ++j) {
        sum[0][j] = (N_VECTOR)(s[4 * j], s[4 * j + 1]);
        sum[1][j] = (N_VECTOR)(s[4 * j + 2], s[4 * j + 3]);
    }
}

// Those of all parts but two lesser ones, which are below what the sums can hold.
inline void multiply_onto(N_VECTOR (*sum)[PRODUCT_RUNS], const ulong *a, const ulong *b,
                          const int add)
{
    multiply_parts(sum, a[PARTS - 1], b[0], add);
    if (PARTS > 1) {
        multiply_parts(sum, a[0], b[PARTS - 1], 1);
        multiply_parts(sum, a[0], b[0], 1);
    }
}
#define multiply_add(sum, a, b) multiply_onto(sum, a, b, 1)
)cl";

/// The instruction itself, whose operands are as many as its sums: their signs and directions are
/// its last ones, but for what it has no choice of.
inline std::string wgmma_text(int tile_n, scalar type, bool a_along_k, bool b_along_k) {
  const bool whole = type == scalar::int8_;
  const std::string format{unit_format(type)}, letter = "\"+" + sum_letter(type) + "\"";
  std::string sums, operands;
  for (int i = 0; i < tile_n / 2; ++i) {
    const std::string n = std::to_string(i), comma = i == 0 ? "" : ", ";
    sums += comma + "%" + n;
    operands += comma + letter + "((s)[" + n + "])";
  }
  const auto input = [&](int i) { return "%" + std::to_string(tile_n / 2 + i); };
  return "asm volatile(\"//@{ .reg .pred add; setp.ne.b32 add, " + input(2) +
         ", 0; wgmma.mma_async.sync.aligned.m64n" + std::to_string(tile_n) + "k" +
         std::to_string(32 / facts_of(type).bytes) + "." + sum_format(type) + "." + format + "." +
         format + " {" + sums + "}, " + input(0) + ", " + input(1) + ", add" +
         (whole ? "" : ", 1, 1") +
         (is_short(type) ? std::string(a_along_k ? ", 0" : ", 1") + (b_along_k ? ", 0" : ", 1")
                         : "") +
         "; }\" : " + operands + " : \"l\"(a), \"l\"(b), \"r\"(add))";
}

}  // namespace clprim::gemm_text
