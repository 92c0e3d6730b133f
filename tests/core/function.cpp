#include <complex>
#include <cstdint>

#include <doctest/doctest.h>

#include <clprim/core/function.hpp>

using namespace clprim;

TEST_CASE("a function writes its parameters where a kernel declares and passes them") {
  const function f{"x > 0 ? x + bias[row] : slope * x",
                   {buffer<float>("bias"), value<float>("slope")}};
  CHECK(parameter_list(f) == ", __global const float* bias, const float slope");
  CHECK(call_list(f) == ", bias, slope");
  CHECK(parameter_list(function{}).empty());
  CHECK(call_list(function{"x", {}}).empty());
}

TEST_CASE("kernels carry parameters under names of their own, the body keeps its own") {
  const function f{"return row + bias[k];", {buffer<float>("bias"), value<float>("row")}};
  CHECK(parameter_list(carried(f)) == ", __global const float* user_0, const float user_1");
  CHECK(call_list(carried(f, "user_load_")) == ", user_load_0, user_load_1");
  CHECK(carried(f).body == f.body);
}

TEST_CASE("parameters are spelled in OpenCL C") {
  CHECK(buffer<half>("h").type == "__global const half*");
  CHECK(buffer<std::complex<float>>("z").type == "__global const float2*");
  CHECK(buffer<std::int64_t>("n").type == "__global const long*");
  CHECK(buffer<unsigned char>("b").type == "__global const uchar*");
  CHECK(value<std::uint32_t>("n").type == "uint");
  CHECK(value<short>("n").type == "short");
  CHECK(value<std::complex<double>>("z").type == "double2");
  CHECK(buffer<int>("n").is_buffer);
  CHECK_FALSE(value<int>("n").is_buffer);
  static_assert(!argument_type<bool> && !argument_type<float*>);
}

TEST_CASE("functions are equal when text and parameters are") {
  const function f{"x", {value<float>("s")}};
  CHECK(f == function{"x", {value<float>("s")}});
  CHECK(f != function{"x", {value<double>("s")}});
  CHECK(f != function{"-x", {value<float>("s")}});
  CHECK(function{}.empty());
  CHECK_FALSE(f.empty());
}
