// The engines of clprim/gemm.hpp, emitted for programs that only declare them.
#include <complex>

#include <clprim/gemm.hpp>

namespace clprim::detail {

template class gemm_engine<half>;
template class gemm_engine<half, float>;
template class gemm_engine<bfloat16>;
template class gemm_engine<bfloat16, float>;
template class gemm_engine<float>;
template class gemm_engine<double>;
template class gemm_engine<std::complex<float>>;
template class gemm_engine<std::complex<double>>;
template class gemm_engine<std::int8_t, std::int32_t>;
template class gemm_engine<std::int8_t, float>;
template class gemm_engine<std::int8_t, half>;
template class gemm_engine<float8_e4m3, float>;
template class gemm_engine<float8_e4m3, half>;
template class gemm_engine<float8_e4m3, bfloat16>;
template class gemm_engine<float8_e5m2, float>;
template class gemm_engine<float8_e5m2, half>;
template class gemm_engine<float8_e5m2, bfloat16>;

}  // namespace clprim::detail
