// The entry point of every test executable.
#define DOCTEST_CONFIG_IMPLEMENT
#include <cstdlib>

#include <doctest/doctest.h>

#include "support/at_end.hpp"

int main(int argc, char** argv) {
  setenv("CLPRIM_CACHE_DIR", "", 0);  // nothing is left behind, and nothing found
  const int result = doctest::Context(argc, argv).run();
  support::at_end().run();
  return result;
}
