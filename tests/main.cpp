// The entry point of every test executable.
#define DOCTEST_CONFIG_IMPLEMENT
#include <doctest/doctest.h>

#include "support/at_end.hpp"

int main(int argc, char** argv) {
  const int result = doctest::Context(argc, argv).run();
  support::at_end().run();
  return result;
}
