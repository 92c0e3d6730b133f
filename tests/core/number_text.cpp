// Numbers as text: what printf prints, under any locale.
#include <array>
#include <clocale>
#include <cstdio>
#include <string>

#include <doctest/doctest.h>

#include <clprim/core/number_text.hpp>

#include "support/random.hpp"

namespace {
/// As in the C locale, whatever the tests run under (CLPRIM_TEST_LOCALE).
template <class... Args> std::string printed(const char* format, Args... args) {
  std::array<char, 512> text{};
  const std::string before = std::setlocale(LC_NUMERIC, nullptr);
  std::setlocale(LC_NUMERIC, "C");
  std::snprintf(text.data(), text.size(), format, args...);
  std::setlocale(LC_NUMERIC, before.c_str());
  return text.data();
}
}  // namespace

TEST_CASE("numbers are printed as printf prints them in the C locale") {
  support::draw d(1);
  for (int i = 0; i < 2000; ++i) {
    const double scale[] = {1, 1e-300, 1e300, 1e-7, 12345678};
    const double x = d.unit() * scale[d.between(0, 4)];
    for (const int digits : {1, 3, 9, 17}) {
      CHECK(clprim::general_text(x, digits) == printed("%.*g", digits, x));
      CHECK(clprim::fixed_text(x, digits) == printed("%.*f", digits, x));
    }
    CHECK(clprim::hexadecimal_text(x) == printed("%a", x));
  }
  CHECK(clprim::hexadecimal_text(0) == "0x0p+0");
  CHECK(clprim::hexadecimal_text(-3.5) == "-0x1.cp+1");
}
