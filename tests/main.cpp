// The entry point of every test executable.
//
//   CLPRIM_TEST_LOCALE   the locale that the tests run under, "de_DE.UTF-8" for decimal commas; it
//                        must be there (LOCPATH)
#define DOCTEST_CONFIG_IMPLEMENT
#include <clocale>
#include <cstdio>
#include <cstdlib>
#include <locale>

#include <doctest/doctest.h>

#include "support/at_end.hpp"

int main(int argc, char** argv) {
  setenv("CLPRIM_CACHE_DIR", "", 0);  // nothing is left behind, and nothing found
  const char* const locale = std::getenv("CLPRIM_TEST_LOCALE");
  if (locale != nullptr && *locale != '\0') {
    if (std::setlocale(LC_ALL, locale) == nullptr) {
      std::fprintf(stderr, "there is no locale '%s' (CLPRIM_TEST_LOCALE)\n", locale);
      return 2;
    }
    std::locale::global(std::locale(locale));
  }
  const int result = doctest::Context(argc, argv).run();
  support::at_end().run();
  return result;
}
