#include <string>

#include <doctest/doctest.h>

#include <clprim/core/device_facts.hpp>

using namespace clprim;

TEST_CASE("a device that nobody asked for is good enough to generate source") {
  const device_facts facts;
  CHECK(facts.max_work_group == 256);
  CHECK(facts.local_bytes == facts.reported_local_bytes);
  CHECK(facts.opencl_c == 120);
  CHECK(facts == device_facts{});
}

TEST_CASE("a device is described in one line with its numbers") {
  device_facts facts;
  facts.name = "H200";
  facts.platform = "NVIDIA CUDA";
  facts.driver = "580.1";
  facts.vendor = vendor::nvidia;
  facts.compute_units = 132;
  facts.compute_capability = 90;
  facts.local_bytes = 232448;
  facts.reported_local_bytes = 49152;
  facts.max_work_group = 1024;
  facts.clock_mhz = 1980;
  facts.global_bytes = std::int64_t{140} << 30;
  CHECK(describe(facts) ==
        "H200 (NVIDIA GPU, NVIDIA CUDA, driver 580.1, compute capability 9.0): 132 units at 1980 "
        "MHz, 143360 MiB global, 227 KiB local (48 KiB reported), work-groups to 1024, sub-groups "
        "of 32, fp64, no fp16, OpenCL C 1.2");
  CHECK(describe(device_facts{}).find('\n') == std::string::npos);
}

TEST_CASE("CPUs whose compilers lose guards between barriers are known by vendor and version") {
  CHECK(major_version("7.1+debian") == 7);
  CHECK(major_version("580.159.04") == 580);
  CHECK(major_version("") == 0);
  CHECK(major_version("git-4") == 0);
  CHECK(major_version("99999999999999999999") > 0);  // no overflow
  device_facts d;
  d.kind = device_kind::cpu;
  const auto loses = [&](vendor by, const char* driver) {
    d.vendor = by;
    d.driver = driver;
    return loses_guards_between_barriers(d);
  };
  CHECK(loses(vendor::intel, "2026.2"));
  CHECK(loses(vendor::pocl, "7.1+debian"));
  CHECK(loses(vendor::pocl, "5.0+debian"));
  CHECK_FALSE(loses(vendor::pocl, "4.0"));
  CHECK_FALSE(loses(vendor::pocl, "3.1+debian"));
  CHECK_FALSE(loses(vendor::oclgrind, "7.1"));
  d.kind = device_kind::gpu;
  CHECK_FALSE(loses(vendor::intel, "2026.2"));
}
