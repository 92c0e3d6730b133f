// Reductions of integers.

#include "reduce.hpp"

namespace clprim::c {
template std::unique_ptr<clprim_reduce> make_reduce<std::uint8_t>(const reduce_request&);
template std::unique_ptr<clprim_reduce> make_reduce<std::uint16_t>(const reduce_request&);
template std::unique_ptr<clprim_reduce> make_reduce<std::int32_t>(const reduce_request&);
template std::unique_ptr<clprim_reduce> make_reduce<std::uint32_t>(const reduce_request&);
template std::unique_ptr<clprim_reduce> make_reduce<std::int64_t>(const reduce_request&);
template std::unique_ptr<clprim_reduce> make_reduce<std::uint64_t>(const reduce_request&);
}  // namespace clprim::c
