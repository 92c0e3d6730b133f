#pragma once
// The exceptions of the library. Every message is one sentence with names and numbers in it.

#include <clprim/core/language.hpp>

#include <stdexcept>
#include <string>
#include <utility>

namespace clprim {

/// Base of everything the library throws; `what()` is one sentence.
class error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// An argument breaks a constraint: "leading dimension of A must be at least its row length: 5
/// given, at least 8". `allowed` carries its own comparison word ("at least 8", "0 or 1").
class argument_error : public error {
 public:
  argument_error(std::string argument_, std::string constraint_, std::string actual_,
                 std::string allowed_);

  std::string argument;    ///< what is wrong, e.g. "leading dimension of A"
  std::string constraint;  ///< what must hold, e.g. "must be at least its row length"
  std::string actual;      ///< what was given, e.g. "5"
  std::string allowed;     ///< what would do, e.g. "at least 8"
};

/// A policy breaks one of its own rules, or does not fit a device.
class policy_error : public error {
 public:
  using error::error;
};

/// The device lacks what is asked for, or no device fits a wish.
class device_error : public error {
 public:
  using error::error;
};

/// A program does not build; `what()` is the sentence, the log, and the source around the error.
class build_error : public error {
 public:
  build_error(const std::string& sentence, std::string log_, std::string excerpt_)
    : error(sentence + "\n" + log_ + (excerpt_.empty() ? "" : "\n" + excerpt_)),
      log(std::move(log_)),
      excerpt(std::move(excerpt_)) {}

  std::string log;      ///< the compiler's log as the driver gave it
  std::string excerpt;  ///< numbered source lines around the first error, empty when none is named
};

/// A call of the OpenCL API failed: "clCreateBuffer failed with CL_OUT_OF_RESOURCES (-5)".
class opencl_error : public error {
 public:
  opencl_error(int code_, std::string name_, std::string call_);

  int code;          ///< the cl_int
  std::string name;  ///< its CL_ name
  std::string call;  ///< the function, with the argument that matters where there is one
};

#ifndef CLPRIM_COMPILED
CLPRIM_INLINE argument_error::argument_error(std::string argument_, std::string constraint_,
                                             std::string actual_, std::string allowed_)
  : error(argument_ + " " + constraint_ + ": " + actual_ + " given, " + allowed_),
    argument(std::move(argument_)),
    constraint(std::move(constraint_)),
    actual(std::move(actual_)),
    allowed(std::move(allowed_)) {}

CLPRIM_INLINE opencl_error::opencl_error(int code_, std::string name_, std::string call_)
  : error(call_ + " failed with " + name_ + " (" + std::to_string(code_) + ")"),
    code(code_),
    name(std::move(name_)),
    call(std::move(call_)) {}
#endif

}  // namespace clprim
