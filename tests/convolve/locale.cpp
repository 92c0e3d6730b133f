// Numbers reach kernels and people the same under every locale.

#include <clocale>
#include <cmath>
#include <limits>
#include <string>

#include <doctest/doctest.h>

#include <clprim/convolve.hpp>

using namespace clprim;

namespace {

/// A locale with decimal commas, where the machine has one.
class decimal_commas {
 public:
  decimal_commas() : before_(std::setlocale(LC_ALL, nullptr)) {
    for (const char* const name : {"de_DE.UTF-8", "de_DE.utf8", "fr_FR.UTF-8", "de_DE", "fr_FR"}) {
      if (std::setlocale(LC_ALL, name) != nullptr) return;
    }
    MESSAGE("no locale with decimal commas is installed");
  }
  ~decimal_commas() { std::setlocale(LC_ALL, before_.c_str()); }
  decimal_commas(const decimal_commas&) = delete;
  decimal_commas& operator=(const decimal_commas&) = delete;

 private:
  std::string before_;
};

}  // namespace

TEST_CASE("coefficients are written exactly, whatever the locale") {
  const decimal_commas here;
  CHECK(convolve_text::literal(1.5f) == "0x1.8p+0f");
  CHECK(convolve_text::literal(-0.1) == "-0x1.999999999999ap-4");
  CHECK(convolve_text::literal(0.0f) == "0x0p+0f");
  CHECK(convolve_text::literal(-std::numeric_limits<float>::infinity()) == "-INFINITY");
  CHECK(convolve_text::literal(std::int64_t{-5}) == "-5L");
  for (const float value : {0.3f, 1e-30f, 1e38f, std::numeric_limits<float>::denorm_min(), -7.0f}) {
    std::string text = convolve_text::literal(value);
    CHECK(text.back() == 'f');
    text.pop_back();
    CHECK(text.find(',') == std::string::npos);
  }
}

TEST_CASE("explain writes points, whatever the locale") {
  const decimal_commas here;
  CHECK(explain_cost({.direct = 81, .transforms = 1234.5}) ==
        "  cost       of an output: 81 multiply-adds directly, as much as about 1234 by transforms "
        "(estimated)\n");
  CHECK(detail::percent(0.5625) == "56.2 %");
}
