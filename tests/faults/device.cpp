// Facts are whole or not there: each question that fails is told, and none is kept as a fact.

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <regex>
#include <set>
#include <string>

#include <doctest/doctest.h>

#include <clprim/runtime/queue.hpp>

#include "faults/opencl_faults.hpp"

using namespace clprim;
using support::opencl_calls, support::with_fault;

namespace {

/// The functions of the OpenCL API that the headers call, releases aside: nobody looks at their
/// codes.
std::set<std::string> called_by_headers() {
  std::set<std::string> names;
  const std::regex call(
      "\\bcl(?:Build|Create|Enqueue|Finish|Flush|Get|Set|Wait)[A-Za-z]*(?= ?\\()");
  for (const auto& entry : std::filesystem::recursive_directory_iterator("../include/clprim")) {
    if (!entry.is_regular_file()) continue;
    std::ifstream file(entry.path());
    const std::string text{std::istreambuf_iterator<char>(file), {}};
    for (std::sregex_iterator at(text.begin(), text.end(), call), end; at != end; ++at)
      names.insert(at->str());
  }
  return names;
}

/// The code of the opencl_error that `work` throws when its n-th call fails; 0: none was thrown.
template <class Work> int code_of(const support::opencl_fault& fault, Work work) {
  opencl_calls calls;
  try {
    with_fault(fault, calls, work);
  } catch (const opencl_error& e) {
    CHECK(std::string(e.what()).find(calls.failed) != std::string::npos);
    CHECK(std::string(e.what()).find(e.name) != std::string::npos);
    return e.code;
  }
  return 0;
}

}  // namespace

TEST_CASE("every function of OpenCL that the library calls can be made to fail") {
  const std::set<std::string> names = called_by_headers();
  CHECK(names.size() >= 20);
  for (const std::string& name : names) CHECK_MESSAGE(support::can_fail(name), name);
  CHECK_FALSE(support::can_fail("clCreateSampler"));
}

TEST_CASE("a question that fails is told by its name and code") {
  const cl::Device device = choose_device();
  const device_facts whole = facts_of(device);
  opencl_calls calls;
  with_fault({}, calls, [&] { (void)facts_of(device); });
  const int count = static_cast<int>(calls.names.size());
  REQUIRE(count > 20);
  for (int n = 1; n <= count; ++n) {
    CAPTURE(n);
    CHECK(code_of({n, CL_OUT_OF_HOST_MEMORY}, [&] { (void)facts_of(device); }) ==
          CL_OUT_OF_HOST_MEMORY);
    CHECK(facts_of(device) == whole);
  }
}

TEST_CASE("a device need not know the questions of extensions and of later versions") {
  const cl::Device device = choose_device();
  opencl_calls calls;
  with_fault({}, calls, [&] { (void)facts_of(device); });
  int defaults = 0;
  for (int n = 1; n <= static_cast<int>(calls.names.size()); ++n)
    defaults += code_of({n, CL_INVALID_VALUE}, [&] { (void)facts_of(device); }) == 0 ? 1 : 0;
  CHECK(defaults >= 1);  // unified memory, collective functions, the parts of double
  CHECK(defaults <= 3);
}

TEST_CASE("facts that were not told are not kept for the process") {
  const session s = open_session();
  opencl_calls calls;
  // As the first object of a process asks; each failure is followed by another try.
  for (int n = 1; n < 1000; ++n) {
    const int code = code_of({n, CL_OUT_OF_RESOURCES}, [&] { (void)facts_of(s.queue); });
    if (code == 0) break;
    CHECK(code == CL_OUT_OF_RESOURCES);
  }
  CHECK(facts_of(s.queue).facts == facts_of(s.device));
}

TEST_CASE("a loader that fails is not taken for one without devices") {
  for (const int n : {1, 2})
    CHECK(code_of({n, CL_OUT_OF_HOST_MEMORY, "clGetPlatformIDs"}, [] { (void)choose_device(); }) ==
          CL_OUT_OF_HOST_MEMORY);
  opencl_calls calls;
  constexpr int none_found = -1001;
  CHECK_THROWS_WITH_AS(
      with_fault({1, none_found, "clGetPlatformIDs"}, calls, [] { (void)choose_device(); }),
      "no OpenCL device was found: install a driver, or PoCL for the CPU", device_error);
}

TEST_CASE("a platform that does not tell its devices does not hide the others, and is told") {
  opencl_calls calls;
  with_fault({}, calls, [] { (void)list_devices(); });
  if (std::count(calls.names.begin(), calls.names.end(), "clGetDeviceIDs") != 2) return;
  CHECK_THROWS_WITH_AS(
      with_fault({1, CL_OUT_OF_RESOURCES, "clGetDeviceIDs"}, calls, [] { (void)choose_device(); }),
      "no OpenCL device was found: install a driver, or PoCL for the CPU, "
      "clGetDeviceIDs of platform 0 failed with CL_OUT_OF_RESOURCES (-5)",
      device_error);
}
