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

}  // namespace clprim::detail
