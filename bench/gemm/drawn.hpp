#pragma once
// The products of bench_gemm --random.

#include <algorithm>
#include <cstdint>
#include <string>

#include "../harness/problem_draw.hpp"
#include "problems.hpp"

namespace bench {

/// BLAS's name of an element type.
inline const char* blas_letter(clprim::scalar type) {
  switch (type) {
    case clprim::scalar::half_: return "h";
    case clprim::scalar::bfloat16_: return "b";
    case clprim::scalar::float_: return "s";
    case clprim::scalar::double_: return "d";
    case clprim::scalar::complex_float: return "c";
    case clprim::scalar::complex_double: return "z";
    case clprim::scalar::int8_: return "int8 ";
    case clprim::scalar::e4m3_: return "e4m3 ";
    case clprim::scalar::e5m2_: return "e5m2 ";
    case clprim::scalar::int32_: break;
  }
  return "?";
}

/// A product of BLAS as people ask for them. Of ten, four are of float, two of double, two of half,
/// one each of the complex types. Extents are log-uniform and of all kinds (problem_draw::size),
/// and of three problems
///
///   one    has m, n and k of 16 to 16,384, each by itself,
///   one    is about square, of 64 to 16,384,
///   one    is a batch of 2 to 100,000 products of 4 to 1,024.
///
/// Half of the operands are transposed, conjugated too where that differs; of four matrices one has
/// gaps of 1 to 64 elements between its columns. What must move is at most `most_bytes`, and the
/// arithmetic at most `most_flops`; what is larger is made so by halving its largest extent.
inline gemm_problem_row drawn_product(problem_draw& draw, bool fp64, double most_bytes,
                                      double most_flops) {
  using enum clprim::scalar;
  gemm_problem_row p;
  p.type = draw.one_of({float_, float_, float_, float_, double_, double_, half_, half_,
                        complex_float, complex_double});
  if (!fp64 && clprim::facts_of(p.type).needs_fp64) p.type = float_;
  const auto extent = [&](double least, double most) {
    return static_cast<int>(draw.size(least, most));
  };
  switch (draw.between(0, 2)) {
    case 0:
      p.m = extent(16, 16384);
      p.n = extent(16, 16384);
      p.k = extent(16, 16384);
      break;
    case 1: {
      const double about = static_cast<double>(draw.log_uniform(64, 16384));
      p.m = extent(about * 0.8, about * 1.25);
      p.n = extent(about * 0.8, about * 1.25);
      p.k = extent(about * 0.8, about * 1.25);
      break;
    }
    default:
      p.m = extent(4, 1024);
      p.n = extent(4, 1024);
      p.k = extent(4, 1024);
      p.batch = static_cast<int>(draw.log_uniform(2, 100000));
  }
  while (static_cast<double>(p.bytes()) > most_bytes || p.flops() > most_flops) {
    int* const largest =
        std::max({&p.batch, &p.m, &p.n, &p.k}, [](const int* x, const int* y) { return *x < *y; });
    *largest = (*largest + 1) / 2;
  }
  const bool complex = clprim::facts_of(p.type).is_complex;
  const auto operation = [&] {
    using enum clprim::transposition;
    if (draw.chance(0.5)) return none;
    return complex && draw.chance(0.5) ? conjugate : transpose;
  };
  const auto gap = [&] { return draw.chance(0.25) ? static_cast<int>(draw.between(1, 64)) : 0; };
  p.op_a = operation();
  p.op_b = operation();
  p.gap_a = gap();
  p.gap_b = gap();
  p.gap_c = gap();

  const auto letter = [](clprim::transposition op) {
    using enum clprim::transposition;
    return op == none ? "n" : op == transpose ? "t" : "c";
  };
  const auto named = [](const char* name, int more) {
    return more > 0 ? std::string(" ") + name + "+" + std::to_string(more) : std::string();
  };
  p.name = std::string(blas_letter(p.type)) + "gemm " + letter(p.op_a) + letter(p.op_b) + " " +
           std::to_string(p.m) + "x" + std::to_string(p.n) + "x" + std::to_string(p.k);
  if (p.batch > 1) p.name += " x" + std::to_string(p.batch);
  p.name += named("lda", p.gap_a) + named("ldb", p.gap_b) + named("ldc", p.gap_c);
  return p;
}

}  // namespace bench
