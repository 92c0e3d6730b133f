#include <string>

#include <doctest/doctest.h>

#include <clprim/core/error.hpp>

using namespace clprim;

TEST_CASE("an argument error is one sentence made of its four parts") {
  const argument_error e("leading dimension of A", "must be at least its columns", "5",
                         "at least 8");
  CHECK(std::string(e.what()) ==
        "leading dimension of A must be at least its columns: 5 given, at least 8");
  CHECK(e.argument == "leading dimension of A");
  CHECK(e.constraint == "must be at least its columns");
  CHECK(e.actual == "5");
  CHECK(e.allowed == "at least 8");
}

TEST_CASE("a build error gives its sentence first, then the log, then the source") {
  const build_error e("it does not build", "a.cl:2:1: error: no\n", ">     2 | no\n");
  CHECK(std::string(e.what()) == "it does not build\na.cl:2:1: error: no\n\n>     2 | no\n");
  CHECK(std::string(build_error("it does not build", "no log", "").what()) ==
        "it does not build\nno log");
}

TEST_CASE("an OpenCL error names the call and the code") {
  const opencl_error e(-5, "CL_OUT_OF_RESOURCES", "clEnqueueNDRangeKernel");
  CHECK(std::string(e.what()) == "clEnqueueNDRangeKernel failed with CL_OUT_OF_RESOURCES (-5)");
  CHECK(e.code == -5);
}

TEST_CASE("every error can be caught as clprim::error") {
  CHECK_THROWS_AS(throw policy_error("no"), error);
  CHECK_THROWS_AS(throw device_error("no"), error);
  CHECK_THROWS_AS(throw argument_error("a", "b", "c", "d"), error);
  CHECK_THROWS_AS(throw build_error("a", "b", "c"), error);
  CHECK_THROWS_AS(throw opencl_error(0, "a", "b"), error);
}
