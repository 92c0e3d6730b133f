#pragma once
// OpenCL C of GEMM, second seam: the multiplier, which reads fragments of the tiles and multiplies
// them.

#include <string>

#include <clprim/core/scalar.hpp>
#include <clprim/core/source.hpp>

namespace clprim::gemm_text {

/// What every multiplier accumulates: the rows and the runs of columns of an item, and where they
/// lie. An instruction that lays its sums out otherwise has other ROW_OF and COLUMN_OF; nothing but
/// a multiplier knows what its fragments hold.
inline constexpr kernel_text accumulator = R"cl(
// An item's rows: runs of VECTOR_M, LANES_M * VECTOR_M apart; its columns: likewise with VECTOR_N.
#define ROW_OF(i) ((i) / VECTOR_M * LANES_M * VECTOR_M + (i) % VECTOR_M)
#define COLUMN_OF(j) ((j) * LANES_N * VECTOR_N)
#define RUNS_N (PER_ITEM_N / VECTOR_N)
#define EACH_ROW EACH for (int i = 0; i < PER_ITEM_M; ++i)
#define EACH_RUN EACH for (int j = 0; j < RUNS_N; ++j)
typedef N_VECTOR ACCUMULATOR[PER_ITEM_M][RUNS_N];
)cl";

/// The sums that a compiler's function takes as one vector, and back: `rows` rows of an item's, or
/// the `run` elements of one row, which are a vector already.
inline void define_sums(source_builder& out, scalar type, int rows, int run) {
  const std::string real = type == scalar::double_ ? "double" : "float";
  out.define("SUMS", real + std::to_string(rows * run));
  std::string gathered = "(sum)[i][j]", scattered;
  if (rows > 1) {
    gathered.clear();
    for (int r = 0; r < rows; ++r) {
      const std::string one = "(sum)[(i) + " + std::to_string(r) + "][j]";
      gathered += (r > 0 ? ", " : "") + one;
      scattered += one + " = (s).s" + std::to_string(r) + "; ";
    }
    gathered = "(SUMS)(" + gathered + ")";
  } else {
    scattered = "(sum)[i][j] = s;";
  }
  out.define("SUMS_AT(sum, i, j)", gathered);
  out.define("SUMS_TO(sum, i, j, s)", scattered);
}

/// Multiply-adds: one k at a time, from local memory or from global memory.
inline constexpr kernel_text fma_multiplier = R"cl(
#define INSTRUCTION_K 1
#define BEGIN_PRODUCTS
#define END_PRODUCTS(sum)
#define BEGIN_FIRST 1  // the overlapped walk begins the next tiles before it reads fragments
typedef ELEMENT FRAGMENT_A[PER_ITEM_M];
typedef N_VECTOR FRAGMENT_B[RUNS_N];
// From a tile's first element to the fragments of an item whose first row, or column, is given.
#define A_FRAGMENT_AT(row) A_SLOT_OUTER(row)
#define B_FRAGMENT_AT(column) B_SLOT_OUTER(column)

// a[i] = A(row i of this item, k); `tile` points at the item's first row.
inline void fragment_a(ELEMENT *a, const __local TILED *tile, const int k)
{
    EACH for (int i = 0; i < PER_ITEM_M; i += VECTOR_M) {
        const M_VECTOR v = M_READ_LOCAL(tile + A_SLOT_K(k) + A_SLOT_OUTER(ROW_OF(i)));
        M_UNPACK((a + i), v)
    }
    if (CONJUGATE_A) EACH_ROW a[i] = CONJUGATE(a[i]);
}

// b[j] = B(k, run j of this item's columns)
inline void fragment_b(N_VECTOR *b, const __local TILED *tile, const int k)
{
    EACH_RUN {
        b[j] = N_READ_LOCAL(tile + B_SLOT_K(k) + B_SLOT_OUTER(COLUMN_OF(j)));
        if (CONJUGATE_B) b[j] = CONJUGATE_RUN(b[j]);
    }
}

// The same from global memory, element by element; `row`, `column`: this item's first.
inline void fragment_a_global(ELEMENT *a, const __global STORED *from, const int ld, const int row,
                              const int inside, const int k)
{
    EACH_ROW {
        const size_t line = (size_t)min(row + ROW_OF(i), inside - 1);
        a[i] = READ_ONE(from + (A_ALONG_K ? line * (size_t)ld + (size_t)k
                                          : (size_t)k * (size_t)ld + line));
        if (CONJUGATE_A) a[i] = CONJUGATE(a[i]);
    }
}

inline void fragment_b_global(N_VECTOR *b, const __global STORED *from, const int ld,
                              const int column, const int inside, const int k)
{
    EACH_RUN {
        ELEMENT each[VECTOR_N];
        EACH for (int e = 0; e < VECTOR_N; ++e) {
            const size_t line = (size_t)min(column + COLUMN_OF(j) + e, inside - 1);
            each[e] = READ_ONE(from + (B_ALONG_K ? line * (size_t)ld + (size_t)k
                                                 : (size_t)k * (size_t)ld + line));
        }
        b[j] = N_PACK(each);
        if (CONJUGATE_B) b[j] = CONJUGATE_RUN(b[j]);
    }
}

// sum[i][j] += a[i] b[j]: PER_ITEM_M * PER_ITEM_N independent sums are the instruction-level
// parallelism that hides the latency of a multiply-add.
inline void multiply_add(N_VECTOR (*sum)[RUNS_N], const ELEMENT *a, const N_VECTOR *b)
{
    EACH_ROW EACH_RUN MULTIPLY_ADD(sum[i][j], a[i], b[j])
}
)cl";

}  // namespace clprim::gemm_text
