#pragma once
// The products that are timed, and the bars they must reach.

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <clprim/core/scalar.hpp>
#include <clprim/gemm/precision.hpp>
#include <clprim/runtime/view.hpp>

#include "../harness/contest.hpp"

namespace bench {

/// What a row asks of our policy.
enum class wish {
  none,      ///< the library's choice
  portable,  ///< its choice among those of plain OpenCL C
  async,     ///< with cp.async
};

/// How an operand lies in memory: column-major, the matrices of a batch one after the other.
struct blas_matrix {
  int rows = 0;
  int cols = 0;
  int gap = 0;  ///< elements between two columns
  clprim::transposition op = clprim::transposition::none;

  int leading() const { return rows + gap; }
  /// Elements from one matrix of a batch to the next.
  std::size_t stride() const {
    return static_cast<std::size_t>(leading()) * static_cast<std::size_t>(cols);
  }
  /// Where an element of op(X) lies.
  std::size_t at(std::size_t row, std::size_t col) const {
    if (op != clprim::transposition::none) std::swap(row, col);
    return col * static_cast<std::size_t>(leading()) + row;
  }
};

/// C = op(A) op(B) in BLAS's own terms: all matrices column-major, op(A) m x k, op(B) k x n,
/// C m x n, alpha 1, beta 0; without gaps and not transposed unless the row says so.
struct gemm_problem_row {
  std::string name;
  clprim::scalar type = clprim::scalar::float_;
  int m = 0;
  int n = 0;
  int k = 0;
  int batch = 1;
  std::vector<bar> bars{};
  bool quick = false;  ///< part of a quick run
  wish ours = wish::none;
  clprim::transposition op_a = clprim::transposition::none;
  clprim::transposition op_b = clprim::transposition::none;
  int gap_a = 0;
  int gap_b = 0;
  int gap_c = 0;
  clprim::gemm_precision precision = clprim::gemm_precision::full;  ///< that ours may take

  blas_matrix a() const { return stored(m, k, gap_a, op_a); }
  blas_matrix b() const { return stored(k, n, gap_b, op_b); }
  blas_matrix c() const { return stored(m, n, gap_c, clprim::transposition::none); }
  std::size_t a_elements() const { return a().stride() * size(batch); }
  std::size_t b_elements() const { return b().stride() * size(batch); }
  std::size_t c_elements() const { return c().stride() * size(batch); }
  double flops() const {
    const double per_product = clprim::facts_of(type).is_complex ? 8 : 2;
    return per_product * m * static_cast<double>(n) * k * batch;
  }
  /// That must move: gaps do not.
  std::size_t bytes() const {
    const std::size_t in = size(clprim::facts_of(type).bytes);
    const std::size_t out = clprim::is_byte(type) ? 4 : in;  // product_output_t
    return size(batch) * (in * (size(m) * size(k) + size(k) * size(n)) + out * size(m) * size(n));
  }

 private:
  static std::size_t size(int n) { return static_cast<std::size_t>(n); }
  static blas_matrix stored(int rows, int cols, int gap, clprim::transposition op) {
    const bool plain = op == clprim::transposition::none;
    return {plain ? rows : cols, plain ? cols : rows, gap, op};
  }
};

/// For GPUs. The bars are those of the H200; a peer that is missing leaves its bar open. Rows of
/// one type follow each other, because operands are kept between them.
inline std::vector<gemm_problem_row> gpu_gemm_problems() {
  using enum clprim::scalar;
  const std::vector<bar> plain{{"cuBLAS", 0.95}};
  const std::vector<bar> small{{"cuBLAS", 0.90}};
  const std::vector<bar> large{{"cuBLAS", 0.95}, {"CLBlast", 1.4}};
  const std::vector<bar> async{{"cuBLAS", 0.98}};
  // cuBLAS computes in float beside a product that is split, in TF32 beside one in TF32.
  const auto on_units = [](const char* name, int size, clprim::gemm_precision precision,
                           std::vector<bar> bars) {
    gemm_problem_row row{name, float_, size, size, size, 1, std::move(bars)};
    row.precision = precision;
    return row;
  };
  // As peers want them: both operands along k.
  const auto of_bytes = [](const char* name, clprim::scalar type, int size) {
    gemm_problem_row row{name, type, size, size, size, 1, {{"cuBLAS", 0.95}}};
    row.op_a = clprim::transposition::transpose;
    return row;
  };
  using enum clprim::gemm_precision;
  return {
      {"sgemm 512", float_, 512, 512, 512, 1, small, true},
      {"sgemm 1024", float_, 1024, 1024, 1024, 1, small, true},
      {"sgemm 2048", float_, 2048, 2048, 2048},
      {"sgemm 4096 portable", float_, 4096, 4096, 4096, 1, large, true, wish::portable},
      {"sgemm 4096 async", float_, 4096, 4096, 4096, 1, async, true, wish::async},
      {"sgemm 8192 portable", float_, 8192, 8192, 8192, 1, large, false, wish::portable},
      {"sgemm 8192 async", float_, 8192, 8192, 8192, 1, async, false, wish::async},
      {"sgemm 4095x4097x4093", float_, 4095, 4097, 4093, 1, plain, true},
      {"sgemm 8192x64x8192", float_, 8192, 64, 8192, 1, plain, true},
      {"sgemm 64x8192x8192", float_, 64, 8192, 8192, 1, plain, true},
      {"sgemm 128x128x65536", float_, 128, 128, 65536, 1, plain, true},
      {"sgemm 64 x4096", float_, 64, 64, 64, 4096, plain, true},
      on_units("sgemm 2048 split half", 2048, split_half, {}),
      on_units("sgemm 4096 split half", 4096, split_half, {{"cuBLAS", 3.6}}),
      on_units("sgemm 8192 split half", 8192, split_half, {{"cuBLAS", 3.9}}),
      on_units("sgemm 2048 split tf32", 2048, split_tf32, {}),
      on_units("sgemm 4096 split tf32", 4096, split_tf32, {{"cuBLAS", 2.2}}),
      on_units("sgemm 8192 split tf32", 8192, split_tf32, {{"cuBLAS", 2.2}}),
      on_units("sgemm 4096 tf32", 4096, tf32, {{"cuBLAS", 0.97}}),
      on_units("sgemm 8192 tf32", 8192, tf32, {{"cuBLAS", 0.97}}),
      {"dgemm 2048", double_, 2048, 2048, 2048},
      {"dgemm 4096", double_, 4096, 4096, 4096, 1, {{"CLBlast", 1.7}}, true},
      {"hgemm 1024", half_, 1024, 1024, 1024},
      {"hgemm 2048", half_, 2048, 2048, 2048},
      {"hgemm 4096", half_, 4096, 4096, 4096},
      {"hgemm 8192", half_, 8192, 8192, 8192},
      {"bgemm 4096", bfloat16_, 4096, 4096, 4096},
      {"bgemm 8192", bfloat16_, 8192, 8192, 8192},
      {"hgemm 4095x4097x4093", half_, 4095, 4097, 4093},
      {"hgemm 8192x64x8192", half_, 8192, 64, 8192},
      {"hgemm 64x8192x8192", half_, 64, 8192, 8192},
      {"hgemm 128x128x65536", half_, 128, 128, 65536},
      {"hgemm 64 x4096", half_, 64, 64, 64, 4096},
      of_bytes("int8 tn 2048", int8_, 2048),
      of_bytes("int8 tn 4096", int8_, 4096),
      of_bytes("int8 tn 8192", int8_, 8192),
      {"int8 nn 4096", int8_, 4096, 4096, 4096},
      of_bytes("e4m3 tn 2048", e4m3_, 2048),
      of_bytes("e4m3 tn 4096", e4m3_, 4096),
      of_bytes("e4m3 tn 8192", e4m3_, 8192),
      {"cgemm 2048", complex_float, 2048, 2048, 2048},
      {"zgemm 2048", complex_double, 2048, 2048, 2048},
  };
}

/// For CPUs; the bars are those of PoCL on two cores with AVX-512.
inline std::vector<gemm_problem_row> cpu_gemm_problems() {
  using enum clprim::scalar;
  const std::vector<bar> square{{"OpenBLAS", 0.90}, {"CLBlast tuned", 1.8}};
  const std::vector<bar> ragged{{"OpenBLAS", 0.85}};
  return {
      {"sgemm 512", float_, 512, 512, 512, 1, square, true},
      {"sgemm 1024", float_, 1024, 1024, 1024, 1, square, true},
      {"sgemm 2048", float_, 2048, 2048, 2048, 1, square},
      {"sgemm 1000x999x1001", float_, 1000, 999, 1001, 1, ragged},
      {"sgemm 1024x64x4096", float_, 1024, 64, 4096},
      {"sgemm 64 x256", float_, 64, 64, 64, 256},
      {"dgemm 1024", double_, 1024, 1024, 1024, 1, ragged},
      {"hgemm 512", half_, 512, 512, 512},
      {"cgemm 512", complex_float, 512, 512, 512},
      {"zgemm 512", complex_double, 512, 512, 512},
  };
}

}  // namespace bench
