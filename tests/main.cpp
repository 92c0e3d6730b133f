// The entry point of every test executable.
//
//   CLPRIM_TEST_LOCALE   the locale that the tests run under, "de_DE.UTF-8" for decimal commas; it
//                        must be there (LOCPATH)
#define DOCTEST_CONFIG_IMPLEMENT
#include <clocale>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <locale>

#include <doctest/doctest.h>
#include <pthread.h>

#include "support/at_end.hpp"

namespace {

/// A group's variables lie on the stack of PoCL's thread, those of kernels without optimisation all
/// at once: 9.2 MB of a transform in a group of 1024, where threads have 8.
void deepen_stacks() {
#ifdef __GLIBC__
  pthread_attr_t threads;
  pthread_attr_init(&threads);
  pthread_attr_setstacksize(&threads, std::size_t{64} << 20);
  pthread_setattr_default_np(&threads);
  pthread_attr_destroy(&threads);
#endif
}

}  // namespace

int main(int argc, char** argv) {
  deepen_stacks();
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
