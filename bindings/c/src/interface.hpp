#pragma once
// What the parts of the C interface share: failures as codes, types by number, operands as views.

#include <complex>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <clprim/runtime/array.hpp>
#include <clprim/runtime/wait_list.hpp>

#include "clprim.h"

namespace clprim::c {

/// Remembers the exception that is being handled for `clprim_last_error`, and tells its code.
clprim_status remember_failure() noexcept;

/// Runs `f`; what it throws becomes a code and a text.
template <class F> clprim_status guarded(F&& f) noexcept {
  try {
    std::forward<F>(f)();
    return CLPRIM_SUCCESS;
  } catch (...) {
    return remember_failure();
  }
}

[[noreturn]] void refuse_null(const char* what);
[[noreturn]] void refuse_number(const char* what, int given, const char* allowed);

template <class P> P& needed(P* pointer, const char* what) {
  if (pointer == nullptr) refuse_null(what);
  return *pointer;
}

/// The options that a caller gave, or those of zeros.
template <class Options> Options given_or_none(const Options* options) {
  return options != nullptr ? *options : Options{};
}
inline std::string text_of(const char* text) { return text != nullptr ? text : ""; }

// Element types by their number.
template <clprim_type N, class T> struct typed {
  static constexpr clprim_type number = N;
  using type = T;
};
template <class... One> struct types {};

using floats =
    types<typed<CLPRIM_HALF, half>, typed<CLPRIM_FLOAT, float>, typed<CLPRIM_DOUBLE, double>>;
using scalars =
    types<typed<CLPRIM_HALF, half>, typed<CLPRIM_FLOAT, float>, typed<CLPRIM_DOUBLE, double>,
          typed<CLPRIM_COMPLEX_FLOAT, std::complex<float>>,
          typed<CLPRIM_COMPLEX_DOUBLE, std::complex<double>>>;
using all_types =
    types<typed<CLPRIM_HALF, half>, typed<CLPRIM_FLOAT, float>, typed<CLPRIM_DOUBLE, double>,
          typed<CLPRIM_COMPLEX_FLOAT, std::complex<float>>,
          typed<CLPRIM_COMPLEX_DOUBLE, std::complex<double>>, typed<CLPRIM_INT8, std::int8_t>,
          typed<CLPRIM_UINT8, std::uint8_t>, typed<CLPRIM_INT16, std::int16_t>,
          typed<CLPRIM_UINT16, std::uint16_t>, typed<CLPRIM_INT32, std::int32_t>,
          typed<CLPRIM_UINT32, std::uint32_t>, typed<CLPRIM_INT64, std::int64_t>,
          typed<CLPRIM_UINT64, std::uint64_t>>;

/// Calls `f.operator()<T>()` for the type with this number; throws for one that is not in the list.
template <class... One, class F>
void with_type(types<One...>, clprim_type number, const char* what, F&& f) {
  const auto one = [&]<class Typed>(Typed) {
    if (Typed::number != number) return false;
    f.template operator()<typename Typed::type>();
    return true;
  };
  if (!(one(One{}) || ...)) refuse_number(what, number, "a type that this operation takes");
}

// Operands.
template <class T> matrix_view<T> view_of(const clprim_matrix* given, const char* name) {
  const clprim_matrix& m = needed(given, name);
  matrix_view<T> v = matrix<T>(m.memory, m.rows, m.cols).at(m.offset);
  if (m.column_major != 0) v = v.column_major();
  if (m.ld != 0) v = v.ld(m.ld);
  if (m.batch_count > 1) v = v.batch(m.batch_count, m.batch_stride);
  if (m.batch_count < 0) refuse_number("batch count of a matrix", -1, "at least 0");
  if (m.op == CLPRIM_TRANSPOSED) return transposed(v);
  if (m.op == CLPRIM_CONJUGATED) return conjugated(v);
  if (m.op != CLPRIM_AS_IT_IS) refuse_number("op of a matrix", m.op, "0, 1 or 2");
  return v;
}
template <class T> vector_view<T> view_of(const clprim_vector* given, const char* name) {
  const clprim_vector& v = needed(given, name);
  return vector<T>(v.memory, v.count).with_stride(v.stride == 0 ? 1 : v.stride).at(v.offset);
}
std::vector<std::int64_t> extents_of(const clprim_array& a, const char* name);
std::vector<std::int64_t> strides_of(const clprim_array& a, const char* name);
template <class T> array_view<T> view_of(const clprim_array* given, const char* name) {
  const clprim_array& a = needed(given, name);
  array_view<T> v = array<T>(a.memory, extents_of(a, name)).at(a.offset);
  return a.strided != 0 ? v.with_strides(strides_of(a, name)) : v;
}

/// The events that a call waits for.
std::vector<cl::Event> events_of(cl_uint count, const cl_event* events);

/// Hands a call's event to the caller, or lets go of it.
inline void hand_over(cl::Event done, cl_event* event) {
  if (event == nullptr) return;
  *event = done();
  done() = nullptr;
}

/// Base of the objects: made by one function, ended by another, never copied.
struct described {
  described() = default;
  described(const described&) = delete;
  described& operator=(const described&) = delete;
  virtual ~described() = default;
  std::string text;  ///< the last explanation
};

// The functions that every object has, for its own operands.
template <class Object, class... On>
clprim_status call_of(Object* object, cl_uint waits, const cl_event* wait_list, cl_event* event,
                      const On&... on) {
  return guarded([&] {
    hand_over(needed(object, "the object").call(on..., events_of(waits, wait_list)), event);
  });
}
template <class Object, class... On> clprim_status prepare_of(Object* object, const On&... on) {
  return guarded([&] { needed(object, "the object").prepare(on...); });
}
template <class Object, class... On>
clprim_status explain_of(Object* object, const char** text, const On&... on) {
  return guarded([&] {
    Object& o = needed(object, "the object");
    const char*& place = needed(text, "the place for the text");
    o.text = o.explain(on...);
    place = o.text.c_str();
  });
}

}  // namespace clprim::c
