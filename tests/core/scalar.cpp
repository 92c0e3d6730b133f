#include <bit>
#include <cmath>
#include <complex>
#include <cstdint>
#include <limits>
#include <string_view>
#include <type_traits>

#include <doctest/doctest.h>

#include <clprim/core/scalar.hpp>

using namespace clprim;

namespace {

half from_bits(unsigned bits) {
  half h;
  h.bits = static_cast<std::uint16_t>(bits);
  return h;
}

// The value of a finite binary16 from the definition of the format.
double value_by_definition(unsigned bits) {
  const int exponent = static_cast<int>(bits >> 10 & 0x1f);
  const int mantissa = static_cast<int>(bits & 0x3ff);
  const double magnitude =
      exponent == 0 ? std::ldexp(mantissa, -24) : std::ldexp(1024 + mantissa, exponent - 25);
  return (bits & 0x8000) != 0 ? -magnitude : magnitude;
}

/// A complex number of somebody's own.
struct own_complex {
  using value_type = float;
  float re, im;
  float real() const { return re; }
  float imag() const { return im; }
};
struct pair_of_floats {
  float first, second;
};

}  // namespace

TEST_CASE("a type that offers what a complex number does is one") {
  CHECK_FALSE(scalar_type<pair_of_floats>);
  CHECK_FALSE(scalar_type<std::complex<long double>>);
  CHECK(scalar_of<std::complex<float>> == scalar::complex_float);
  CHECK(scalar_of<std::complex<double>> == scalar::complex_double);
  CHECK(scalar_of<own_complex> == scalar::complex_float);
}

TEST_CASE("every finite half has the value that binary16 defines") {
  for (unsigned sign : {0u, 0x8000u}) {
    for (unsigned bits = 0; bits < 0x7c00; ++bits) {
      const auto value = static_cast<double>(static_cast<float>(from_bits(sign | bits)));
      if (value != value_by_definition(sign | bits)) FAIL("bits ", sign | bits);
    }
  }
  CHECK(std::signbit(static_cast<float>(from_bits(0x8000))));
}

TEST_CASE("every half survives the way to float and back") {
  for (unsigned bits = 0; bits < 0x10000; ++bits) {
    const half h = from_bits(bits);
    const half back{static_cast<float>(h)};
    const bool nan = (bits & 0x7fff) > 0x7c00;
    if (back.bits != (nan ? bits | 0x200 : bits)) FAIL("bits ", bits);  // a NaN becomes quiet
  }
}

TEST_CASE("a float rounds to the nearest half, and to the even one from the middle") {
  for (unsigned bits = 0; bits < 0x7c00; ++bits) {
    const float low = static_cast<float>(from_bits(bits));
    const float high = bits == 0x7bff ? 65536.0f : static_cast<float>(from_bits(bits + 1));
    const float middle = low + (high - low) / 2;  // exact: it needs one bit more than a half has
    const unsigned even = bits % 2 == 0 ? bits : bits + 1;
    const bool right =
        half(middle).bits == even && half(std::nextafter(middle, low)).bits == bits &&
        half(std::nextafter(middle, high)).bits == bits + 1 &&
        half(-middle).bits == (even | 0x8000) && half(std::nextafter(low, high)).bits == bits;
    if (!right) FAIL("bits ", bits);
  }
}

TEST_CASE("half knows infinity, NaN, overflow and underflow") {
  constexpr float infinity = std::numeric_limits<float>::infinity();
  CHECK(half(infinity).bits == 0x7c00);
  CHECK(half(-infinity).bits == 0xfc00);
  CHECK(static_cast<float>(from_bits(0x7c00)) == infinity);
  CHECK(std::isnan(static_cast<float>(half(std::numeric_limits<float>::quiet_NaN()))));
  CHECK(std::isnan(static_cast<float>(half(std::numeric_limits<float>::signaling_NaN()))));
  CHECK(std::isnan(static_cast<float>(half(std::bit_cast<float>(0x7f800001u)))));
  CHECK(half(65519.996f).bits == 0x7bff);
  CHECK(half(65520.0f).bits == 0x7c00);
  CHECK(half(std::numeric_limits<float>::max()).bits == 0x7c00);
  CHECK(half(0x1p-25f).bits == 0);
  CHECK(half(std::nextafter(0x1p-25f, 1.0f)).bits == 1);
  CHECK(half(std::numeric_limits<float>::denorm_min()).bits == 0);
  CHECK(half(-0.0f).bits == 0x8000);
}

TEST_CASE("half works in constant expressions and as a template argument's part") {
  static_assert(static_cast<float>(half(1.5f)) == 1.5f);
  static_assert(half(0.1f).bits == 0x2e66);
  static_assert(half() == half(0.0f));
  static_assert(sizeof(half) == 2 && std::is_trivially_copyable_v<half>);
  static_assert(!std::is_convertible_v<float, half> && !std::is_convertible_v<half, float>);
}

TEST_CASE(
    "bfloat16 is the upper half of a float, rounded to the nearest, from the middle to even") {
  for (std::uint32_t bits = 0; bits < 0x10000; ++bits) {
    bfloat16 x;
    x.bits = static_cast<std::uint16_t>(bits);
    const float value = static_cast<float>(x);
    if (std::isnan(value)) {
      CHECK(std::isnan(static_cast<float>(bfloat16(value))));
      continue;
    }
    CHECK(bfloat16(value) == x);
    if (std::isinf(value) || (bits & 0x7fffu) >= 0x7f7fu) continue;
    bfloat16 above;
    above.bits = static_cast<std::uint16_t>(bits + 1);
    const double low = value, high = static_cast<float>(above);
    const auto middle = static_cast<float>((low + high) / 2);
    CHECK(bfloat16(middle) == (bits % 2 == 0 ? x : above));
    CHECK(bfloat16(std::nextafter(middle, value)) == x);
    CHECK(bfloat16(std::nextafter(middle, static_cast<float>(above))) == above);
  }
  CHECK(bfloat16(0x1.ffp127f).bits == 0x7f80);
  CHECK(bfloat16(std::numeric_limits<float>::denorm_min()).bits == 0);
  // A NaN whose payload lies in the lower half stays one.
  CHECK(std::isnan(static_cast<float>(bfloat16(std::bit_cast<float>(0x7f800001u)))));
}

namespace {

/// All numbers of a type of 8 bits, and what lies between neighbours; those of more than `largest`
/// in bits are not finite.
template <class T> void rounds_to_nearest(int largest, double at_most) {
  for (int bits = 0; bits < 256; ++bits) {
    T x;
    x.bits = static_cast<std::uint8_t>(bits);
    const float value = static_cast<float>(x);
    if (std::isnan(value)) {
      CHECK(std::isnan(static_cast<float>(T(value))));
      continue;
    }
    if (std::isinf(value)) continue;
    CHECK(T(value) == x);
    if ((bits & 0x7f) >= largest) continue;
    T above;
    above.bits = static_cast<std::uint8_t>(bits + 1);
    const float beyond = static_cast<float>(above);
    CHECK(std::abs(beyond) > std::abs(value));
    const float middle = (value + beyond) / 2;  // exact
    CHECK(T(middle) == (bits % 2 == 0 ? x : above));
    CHECK(T(std::nextafter(middle, value)) == x);
    CHECK(T(std::nextafter(middle, beyond)) == above);
  }
  const float most = static_cast<float>(at_most);
  for (const float sign : {1.f, -1.f}) {
    CHECK(static_cast<float>(T(sign * most)) == sign * most);
    CHECK(static_cast<float>(T(sign * 2 * most)) == sign * most);
    CHECK(static_cast<float>(T(sign * std::numeric_limits<float>::infinity())) == sign * most);
  }
  CHECK(T(std::numeric_limits<float>::denorm_min()).bits == 0);
  CHECK(T(-0.f).bits == 0x80);
}

}  // namespace

TEST_CASE("float8 is OCP's, rounded to the nearest, from the middle to even, at most the largest") {
  rounds_to_nearest<float8_e4m3>(0x7e, 448);
  rounds_to_nearest<float8_e5m2>(0x7b, 57344);
  const auto value = []<class T>(T x, int bits) {
    x.bits = static_cast<std::uint8_t>(bits);
    return static_cast<float>(x);
  };
  // "OCP 8-bit Floating Point Specification", revision 1.0, tables 1 and 2.
  CHECK(value(float8_e4m3{}, 0x08) == 0x1p-6f);
  CHECK(value(float8_e4m3{}, 0x07) == 0.875f * 0x1p-6f);
  CHECK(value(float8_e4m3{}, 0x01) == 0x1p-9f);
  CHECK(value(float8_e5m2{}, 0x04) == 0x1p-14f);
  CHECK(value(float8_e5m2{}, 0x03) == 0.75f * 0x1p-14f);
  CHECK(value(float8_e5m2{}, 0x01) == 0x1p-16f);
  CHECK(value(float8_e5m2{}, 0xfc) == -std::numeric_limits<float>::infinity());
  CHECK(value(float8_e4m3{}, 0x38) == 1);
  CHECK(value(float8_e5m2{}, 0x3c) == 1);
  CHECK(std::isnan(value(float8_e4m3{}, 0xff)));
}

TEST_CASE("the facts of each element type agree with C++") {
  const auto check = []<class T>(T, std::string_view opencl, bool complex) {
    constexpr scalar_facts facts = facts_of(scalar_of<T>);
    static_assert(facts.bytes == sizeof(T));
    CHECK(facts.opencl == opencl);
    CHECK(facts.is_complex == complex);
    CHECK(facts.needs_fp64 == (facts.compute == "double"));
  };
  check(half{}, "half", false);
  check(float{}, "float", false);
  check(double{}, "double", false);
  check(std::complex<float>{}, "float2", true);
  check(std::complex<double>{}, "double2", true);
  check(std::int8_t{}, "char", false);
  check(std::int32_t{}, "int", false);
  check(float8_e4m3{}, "uchar", false);
  check(float8_e5m2{}, "uchar", false);
  CHECK(facts_of(scalar::float_).epsilon == std::numeric_limits<float>::epsilon());
  CHECK(facts_of(scalar::double_).epsilon == std::numeric_limits<double>::epsilon());
  CHECK(facts_of(scalar::half_).epsilon ==
        static_cast<double>(static_cast<float>(from_bits(0x3c01))) - 1.0);
}

TEST_CASE("sums of half are kept in float, all others in their own type") {
  static_assert(std::is_same_v<accumulator_t<half>, float>);
  static_assert(std::is_same_v<accumulator_t<float>, float>);
  static_assert(std::is_same_v<accumulator_t<std::int8_t>, std::int32_t>);
  static_assert(std::is_same_v<product_output_t<float8_e5m2>, float>);
  static_assert(std::is_same_v<product_output_t<half>, half>);
  static_assert(std::is_same_v<accumulator_t<std::complex<double>>, std::complex<double>>);
  static_assert(!scalar_type<int> && !scalar_type<long double> && scalar_type<half>);
}
