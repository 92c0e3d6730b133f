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

TEST_CASE("a function that yields nothing, or reaches past itself, is refused in a sentence") {
  const auto refused = [](const char* body, const char* why) {
    CHECK_THROWS_WITH_AS(check_function({body, {}}, "the map"), doctest::Contains(why),
                         argument_error);
  };
  check_function({}, "the map");
  check_function({"return x;", {}}, "the map");
  check_function({"if (x > 0) { return 1; } /* } */ // {\n return 0;", {}}, "the map");
  refused("  \n", "must return a value");
  refused("x + 1", "must return a value");
  refused("// return x;", "must return a value");
  refused("returned = x;", "must return a value");
  refused("return x; }", "'}' without");
  refused("{ return x;", "'{' without");
  refused("} { return x;", "'}' without");
  refused("return x;\n#define y 1", "preprocessor");
  refused("return x;\n%:define y 1", "preprocessor");
  refused("return x; %> void f() <%", "pair its braces");
  refused("return x; /* and so on", "end its comments");
  refused("return x; // and so on \\", "join lines");
  refused("return x; // and \\ \n so on", "join lines");
  refused("return x;\x01", "control characters");
}

TEST_CASE("parameters of a function have names, each its own") {
  const auto with = [](std::vector<parameter> all) {
    return function{"return x;", std::move(all)};
  };
  check_function(with({value<float>("a"), value<float>("_b1")}), "the map", {"x"});
  const auto refused = [&](std::vector<parameter> all, const char* why) {
    CHECK_THROWS_WITH_AS(check_function(with(std::move(all)), "the map", {"x", "row"}),
                         doctest::Contains(why), argument_error);
  };
  refused({value<float>("a"), value<float>("a")}, "parameter 1 of the map must have a name of its");
  refused({value<float>("row")}, "sees already: 'row'");
  refused({value<float>("")}, "must have a name of OpenCL C");
  refused({value<float>("1st")}, "must have a name of OpenCL C");
  refused({value<float>("a b")}, "must have a name of OpenCL C");
}
