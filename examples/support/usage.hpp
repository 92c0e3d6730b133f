#pragma once
// --help of the examples that take no arguments.

#include <cstdio>
#include <stdexcept>
#include <string>
#include <string_view>

namespace examples {

/// Whether --help was asked for, which it answers. Throws std::runtime_error for anything else.
inline bool told_usage(int argc, char** argv, const char* what) {
  for (int i = 1; i < argc; ++i) {
    const std::string_view given = argv[i];
    if (given == "-h" || given == "--help") {
      std::printf("%s\nTakes no arguments; CLPRIM_DEVICE chooses the OpenCL device.\n", what);
      return true;
    }
    throw std::runtime_error("this example takes no arguments, but '" + std::string(given) +
                             "' was given");
  }
  return false;
}

}  // namespace examples
