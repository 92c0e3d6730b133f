#pragma once
// What is left of a product when nothing is multiplied, because alpha or k is 0: C = beta C.

#include <cstddef>
#include <cstdint>
#include <string>

#include <clprim/core/source.hpp>
#include <clprim/gemm/source.hpp>

namespace clprim {

/// All that the source of C = epilogue(beta C) depends on besides the epilogue.
struct gemm_scale_variant {
  scalar type = scalar::float_;
  gemm_batch batch = gemm_batch::strided;
  bool swapped = false;  ///< the caller's C is column-major: kernel rows are the caller's columns
  int group = 64;

  friend constexpr bool operator==(const gemm_scale_variant&, const gemm_scale_variant&) = default;
};

namespace gemm_text {

inline constexpr kernel_text scale_kernel = R"cl(
// C = epilogue(beta C), one item per element; as in BLAS, C is not read when beta is 0, and a beta
// of 1 changes no bit.
__attribute__((reqd_work_group_size(GROUP, 1, 1)))
__kernel void gemm_scale(const int m, const int n, const long batches,
                         __global C_STORED *restrict c, const long c_offset, const int c_ld,
                         C_BATCH, const ELEMENT beta EPILOGUE_PARAMETERS)
{
    const size_t size = (size_t)m * (size_t)n, batch = get_global_id(0) / size;
    if (batch >= (size_t)batches) return;
    const size_t at = get_global_id(0) - batch * size;
    const int row = (int)(at / (size_t)n), column = (int)(at - (size_t)row * (size_t)n);
    c += c_offset + C_BATCH_OFFSET + (long)row * c_ld + column;
    ELEMENT value = ZERO;
    if (IS_ONE(beta)) value = C_READ_ONE(c);
    else if (NOT_ZERO(beta)) value = TIMES(beta, C_READ_ONE(c));
    C_WRITE_ONE(c, EPILOGUE(value, row, column));
}
)cl";

}  // namespace gemm_text

/// The OpenCL C source of C = epilogue(beta C): kernel `gemm_scale`.
inline std::string gemm_scale_source(const gemm_scale_variant& v, const function& epilogue = {}) {
  using namespace gemm_text;
  source_builder out;
  out.banner("clprim GEMM without a product, C = beta C, " + std::string{facts_of(v.type).name});
  begin_program(out, v.type, v.type, epilogue);
  out.define("GROUP", v.group);
  define_elements(out, v.type);
  define_outputs(out, v.type);
  out.define("IS_ONE(p)",
             facts_of(v.type).is_complex ? "((p).s0 == 1 && (p).s1 == 0)" : "((p) == 1)");
  define_batch(out, "C", v.batch, true);
  define_epilogue(out, v.swapped, epilogue);
  out.text(scale_kernel);
  return out.str();
}

}  // namespace clprim
