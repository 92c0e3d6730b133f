// Reductions of real and complex numbers.

#include "reduce.hpp"

namespace clprim::c {
template std::unique_ptr<clprim_reduce> make_reduce<half>(const reduce_request&);
template std::unique_ptr<clprim_reduce> make_reduce<float>(const reduce_request&);
template std::unique_ptr<clprim_reduce> make_reduce<double>(const reduce_request&);
template std::unique_ptr<clprim_reduce> make_reduce<std::complex<float>>(const reduce_request&);
template std::unique_ptr<clprim_reduce> make_reduce<std::complex<double>>(const reduce_request&);
}  // namespace clprim::c
