#pragma once
// OpenCL C of GEMM, second seam: the multiplier by matrix units of Intel's, DPAS.

#include <string>

#include <clprim/core/source.hpp>
#include <clprim/gemm/instruction.hpp>
#include <clprim/gemm/multiplier.hpp>

namespace clprim::gemm_text {

/// Half or bfloat16, sums in float, by the sub-groups of LANES_N items that OpenCL's extension
/// cl_intel_subgroup_matrix_multiply_accumulate has the sizes of operands for.
inline constexpr kernel_text dpas_multiplier = R"cl(
#define INSTRUCTION_K 16
#define BEGIN_PRODUCTS
#define END_PRODUCTS(sum)
#define BEGIN_FIRST 1  // the overlapped walk begins the next tiles before it reads fragments

// An instruction multiplies 8 x 16 of A by 16 x LANES_N of B. An item holds K_EACH elements of each
// row of A, and a column of B, two elements along k in each of 8 words:
//
//        A    k -> item 0  item 1 ...           B    n -> item 0  item 1 ...
//     row 0        [0]     [0]               k 0, 1       [0]     [0]
//         1        [1]     [1]                 2, 3       [1]     [1]
//        ...                                  ...
#define K_EACH (16 / LANES_N)
typedef A_WORD FRAGMENT_A[PER_ITEM_M / 8][8];
typedef uint FRAGMENT_B[RUNS_N][8];
#define A_FRAGMENT_AT(row) (A_SLOT_OUTER(row) + A_SLOT_K(lane % LANES_N * K_EACH))
#define B_FRAGMENT_AT(column) B_SLOT_OUTER(column)
// Two elements along k as a word; lines along it begin at whole words.
#define PAIR(line, along_k, step) \
    ((along_k) ? *(const __local uint *)(line) : (uint)(line)[0] | (uint)(line)[step] << 16)

inline void fragment_a(A_WORD (*a)[8], const __local TILED *tile, const int k)
{
    EACH for (int i = 0; i < PER_ITEM_M; ++i) {
        const __local TILED *const line = tile + A_SLOT_K(k) + A_SLOT_OUTER(i);
        a[i / 8][i % 8] = A_READ_WORD(line);
    }
}

inline void fragment_b(uint (*b)[8], const __local TILED *tile, const int k)
{
    EACH_RUN EACH for (int e = 0; e < 8; ++e) {
        const __local TILED *const line =
            tile + B_SLOT_K(k) + B_SLOT_K(2 * e) + B_SLOT_OUTER(COLUMN_OF(j));
        b[j][e] = PAIR(line, B_ALONG_K, B_SLOT_K(1));
    }
}

#define OF_EIGHT(x) ((x)[0], (x)[1], (x)[2], (x)[3], (x)[4], (x)[5], (x)[6], (x)[7])

inline void multiply_add(float (*sum)[RUNS_N], const A_WORD (*a)[8], const uint (*b)[8])
{
    EACH for (int i = 0; i < PER_ITEM_M; i += 8) {
        EACH_RUN {
            SUMS s = SUMS_AT(sum, i, j);
            s = MULTIPLY_MATRICES(A_WORDS OF_EIGHT(a[i / 8]), (uint8)OF_EIGHT(b[j]), s);
            SUMS_TO(sum, i, j, s)
        }
    }
}
)cl";

/// The constants of the multiplier.
inline void define_dpas(source_builder& out, const gemm_policy& p, scalar type) {
  const bool pairs = p.lanes_n == 8;
  const std::string format = type == scalar::half_ ? "f16" : "bf16";
  out.define("A_WORD", pairs ? "uint" : "ushort");
  out.define("A_WORDS", pairs ? "(uint8)" : "(ushort8)");
  out.define("A_READ_WORD(line)", pairs ? "PAIR(line, A_ALONG_K, A_SLOT_K(1))" : "*(line)");
  define_sums(out, type, 8, 1);
  out.define("MULTIPLY_MATRICES(a, b, s)",
             "intel_sub_group_" + format + "_" + format + "_matrix_mad_k16(" +
                 (pairs ? "as_int8" : "as_short8") + "(a), as_int8(b), s)");
}

}  // namespace clprim::gemm_text
