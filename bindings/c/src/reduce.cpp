// Reductions: the functions of the C interface.

#include "reduce.hpp"

namespace clprim::c {
extern template std::unique_ptr<clprim_reduce> make_reduce<half>(const reduce_request&);
extern template std::unique_ptr<clprim_reduce> make_reduce<float>(const reduce_request&);
extern template std::unique_ptr<clprim_reduce> make_reduce<double>(const reduce_request&);
extern template std::unique_ptr<clprim_reduce> make_reduce<std::complex<float>>(
    const reduce_request&);
extern template std::unique_ptr<clprim_reduce> make_reduce<std::complex<double>>(
    const reduce_request&);
extern template std::unique_ptr<clprim_reduce> make_reduce<std::uint8_t>(const reduce_request&);
extern template std::unique_ptr<clprim_reduce> make_reduce<std::uint16_t>(const reduce_request&);
extern template std::unique_ptr<clprim_reduce> make_reduce<std::int32_t>(const reduce_request&);
extern template std::unique_ptr<clprim_reduce> make_reduce<std::uint32_t>(const reduce_request&);
extern template std::unique_ptr<clprim_reduce> make_reduce<std::int64_t>(const reduce_request&);
extern template std::unique_ptr<clprim_reduce> make_reduce<std::uint64_t>(const reduce_request&);
}  // namespace clprim::c

using namespace clprim::c;

namespace {
using reducible_types =
    types<typed<CLPRIM_HALF, clprim::half>, typed<CLPRIM_FLOAT, float>,
          typed<CLPRIM_DOUBLE, double>, typed<CLPRIM_COMPLEX_FLOAT, std::complex<float>>,
          typed<CLPRIM_COMPLEX_DOUBLE, std::complex<double>>, typed<CLPRIM_UINT8, std::uint8_t>,
          typed<CLPRIM_UINT16, std::uint16_t>, typed<CLPRIM_INT32, std::int32_t>,
          typed<CLPRIM_UINT32, std::uint32_t>, typed<CLPRIM_INT64, std::int64_t>,
          typed<CLPRIM_UINT64, std::uint64_t>>;
}  // namespace

clprim_status clprim_reduce_create(cl_command_queue queue, clprim_type type, clprim_operator op,
                                   const clprim_reduce_options* options, clprim_reduce** object) {
  return guarded([&] {
    needed(object, "the place for the object");
    const clprim_reduce_options given = given_or_none(options);
    clprim::reduce_options set{.map = {text_of(given.map), {}}};
    if (given.ignore_nan != 0) set.nan = clprim::nan_rule::ignore;
    if (given.policy != nullptr)
      set.policy = clprim::parse_policy<clprim::reduce_policy>(given.policy);
    with_type(reducible_types{}, type, "type of a reduction", [&]<class T>() {
      auto made = make_reduce<T>({queue, op, set});
      if (made == nullptr) refuse_number("operator", op, "one that elements of this type have");
      *object = made.release();
    });
  });
}
void clprim_reduce_destroy(clprim_reduce* object) { delete object; }
size_t clprim_reduce_result_bytes(const clprim_reduce* object) {
  return object != nullptr ? object->result_bytes() : 0;
}

clprim_status clprim_reduce_call(clprim_reduce* object, const clprim_array* x,
                                 const clprim_array* y, int axis, cl_mem out, int64_t out_offset,
                                 cl_uint waits, const cl_event* wait_list, cl_event* event) {
  return call_of(object, waits, wait_list, event, clprim_reduce::operands{x, y, axis}, out,
                 out_offset);
}
clprim_status clprim_reduce_values(clprim_reduce* object, const clprim_array* x,
                                   const clprim_array* y, int axis, void* results, size_t bytes,
                                   cl_uint waits, const cl_event* wait_list) {
  return guarded([&] {
    needed(object, "the object").values({x, y, axis}, results, bytes, events_of(waits, wait_list));
  });
}
clprim_status clprim_reduce_prepare(clprim_reduce* object, const clprim_array* x, int axis) {
  return prepare_of(object, clprim_reduce::operands{x, nullptr, axis});
}
clprim_status clprim_reduce_explain(clprim_reduce* object, const clprim_array* x, int axis,
                                    const char** text) {
  return explain_of(object, text, clprim_reduce::operands{x, nullptr, axis});
}
