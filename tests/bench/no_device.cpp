// What the library says on a machine without an OpenCL device: the ICD loader of a process of its
// own looks for drivers in an empty folder.

#include <cstdio>
#include <filesystem>
#include <string>

#include <doctest/doctest.h>

#include <clprim/runtime/device.hpp>

#include "bench/program.hpp"
#include "support/refusal.hpp"

using namespace support;

// Runs in the process that the next one starts; elsewhere it is skipped.
TEST_CASE("(a session without a device)" * doctest::skip()) {
  std::printf("<%s>\n", refused([] { (void)clprim::open_session(); }).c_str());
  std::printf("<%zu devices>\n", clprim::list_devices().size());
}

TEST_CASE("without an OpenCL device the error says what to install") {
  const own_folder folder;
  folder.write("vendors/none", "");
  const ended e = run_program("OCL_ICD_VENDORS=" + folder.path("vendors") + " CLPRIM_DEVICE= '" +
                              std::filesystem::read_symlink("/proc/self/exe").string() +
                              "' --no-skip '--test-case=(a session without a device)'");
  CAPTURE(e.said);
  CHECK(e.status == 0);
  if (contains(e.said, "<accepted>")) {
    MESSAGE("this loader has drivers beside those of OCL_ICD_VENDORS: not tried");
    return;
  }
  CHECK(contains(e.said, "<no OpenCL device was found: install a driver, or PoCL for the CPU>"));
  CHECK(contains(e.said, "<0 devices>"));
}
