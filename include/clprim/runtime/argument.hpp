#pragma once
// A value for a parameter of user text (core/function.hpp): a buffer or a plain value.

#include <concepts>
#include <cstddef>
#include <cstring>
#include <initializer_list>
#include <span>
#include <string>
#include <string_view>

#include <clprim/core/function.hpp>
#include <clprim/runtime/opencl.hpp>

namespace clprim {

/// One argument of a `function` at a call: a buffer, or a value of a type that `value<T>` takes.
class argument {
 public:
  argument(const cl::Buffer& buffer) : argument(buffer()) {}
  argument(cl_mem memory) : is_buffer_(true), type_("buffer") { keep(memory); }
  template <argument_type T>
  requires(!std::same_as<T, half>) argument(T value) : type_(opencl_name<T>()) { keep(value); }

  bool is_buffer() const { return is_buffer_; }
  /// "buffer", or the OpenCL C type of the value.
  std::string_view type() const { return type_; }
  const void* data() const { return bytes_; }
  std::size_t size() const { return size_; }
  /// The buffer; null of a value.
  cl_mem memory() const {
    cl_mem handle = nullptr;
    if (is_buffer_) std::memcpy(&handle, bytes_, sizeof handle);
    return handle;
  }

 private:
  template <class T> void keep(const T& value) {
    static_assert(sizeof value <= sizeof bytes_);
    std::memcpy(bytes_, &value, sizeof value);
    size_ = sizeof value;
  }

  alignas(16) std::byte bytes_[16]{};
  std::size_t size_ = 0;
  bool is_buffer_ = false;
  std::string_view type_;
};

/// The arguments of a call's user function, however the caller has them: `{}`, `{2.f, bias}`, an
/// array, a vector, a span. It refers to them, so it is for parameters only.
class argument_list : public std::span<const argument> {
 public:
  constexpr argument_list() = default;
  template <class Range>
  requires(std::convertible_to<const Range&, std::span<const argument>>) constexpr argument_list(
      const Range& all)
    : std::span<const argument>(all) {}
  argument_list(std::initializer_list<argument> all)
    : std::span<const argument>(all.begin(), all.size()) {}
};

/// Throws argument_error unless `given` fits the parameters of `f` in number, kind and type.
inline void check_arguments(const function& f, std::span<const argument> given) {
  if (given.size() != f.parameters.size()) {
    throw argument_error("arguments of the user function", "must be as many as its parameters",
                         std::to_string(given.size()), std::to_string(f.parameters.size()));
  }
  for (std::size_t i = 0; i < given.size(); ++i) {
    const parameter& wanted = f.parameters[i];
    if (wanted.is_buffer && given[i].is_buffer() && given[i].memory() == nullptr) {
      throw argument_error("argument '" + wanted.name + "' of the user function",
                           "must be a buffer", "a null handle", "one of the queue's context");
    }
    const bool fits = given[i].is_buffer() == wanted.is_buffer &&
                      (wanted.is_buffer || given[i].type() == wanted.type);
    if (!fits) {
      throw argument_error("argument '" + wanted.name + "' of the user function",
                           "must have the type of its parameter", std::string(given[i].type()),
                           wanted.is_buffer ? "a buffer" : wanted.type);
    }
  }
}

/// Sets the kernel arguments first, first + 1, … to `given`. Throws opencl_error.
inline void set_arguments(cl_kernel kernel, cl_uint first, std::span<const argument> given) {
  for (const argument& one : given) {
    check(clSetKernelArg(kernel, first++, one.size(), one.data()),
          "clSetKernelArg of an argument of the user function");
  }
}

}  // namespace clprim
