#pragma once
// What the kernel of a map depends on besides its policy.

#include <vector>

#include <clprim/core/element.hpp>

namespace clprim {

/// One array of a map as its kernel is built for it.
struct copy_array {
  element type{};
  int alignment = 1;     ///< elements that the offset is a multiple of; power of two to 16
  bool strided = false;  ///< elements do not lie side by side
  friend bool operator==(const copy_array&, const copy_array&) = default;
};

/// One kind of problem: every value here is a constant in the kernel's text.
struct copy_variant {
  std::vector<copy_array> in;
  copy_array out;
  bool aliased = false;  ///< an input is the output: element i may be read by nobody else
  friend bool operator==(const copy_variant&, const copy_variant&) = default;
};

}  // namespace clprim
