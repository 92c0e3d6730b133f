// The devices that tests pretend to have.

#include "support/other_devices.hpp"

#include <doctest/doctest.h>

#include <clprim/core/occupancy/device.hpp>

using namespace clprim;

TEST_CASE("the devices of tests keep within what OpenCL allows") {
  for (const device_facts& d : support::other_devices()) {
    CAPTURE(describe(d));
    CHECK(d.kind == device_kind::gpu);
    // NVIDIA's driver keeps the largest element free.
    CHECK(d.local_bytes >= d.reported_local_bytes - (d.vendor == vendor::nvidia ? 128 : 0));
    CHECK(d.global_bytes >= d.max_allocation_bytes);
    CHECK(d.argument_bytes >= 1024);
    CHECK(d.max_items[0] >= static_cast<std::size_t>(d.max_work_group));
    CHECK(d.simd_bytes == 0);
    CHECK((d.compute_capability != 0) == (d.vendor == vendor::nvidia));
    CHECK(d.inline_ptx == (d.vendor == vendor::nvidia));
    CHECK(d.async_copy == (d.compute_capability >= 80));
    CHECK(d.warp_group_products == (d.compute_capability == 90));
    if (d.vendor == vendor::amd) CHECK(d.matrix_units == matrix_unit_of(gfx_version_of(d.name)));
    CHECK((d.matrix_units == matrix_unit::dpas) == (d.matrix_unit_lanes > 0));
  }
}

TEST_CASE("a device that another plays asks for nothing that the other has not") {
  device_facts host;
  host.kind = device_kind::cpu;
  host.max_work_group = 200;
  host.fp64 = false;
  host.images = false;
  host.loses_guards = true;
  for (const device_facts& other : support::other_devices()) {
    const device_facts d = support::portable(other, host);
    CAPTURE(describe(d));
    CHECK(d.kind == device_kind::gpu);
    CHECK(d.name == other.name);
    CHECK(d.vendor == other.vendor);
    CHECK(d.compute_units == other.compute_units);
    CHECK(other.compute_units_per_unit == limits_of(other).compute_units_per_unit);
    CHECK(d.subgroup_width == other.subgroup_width);
    CHECK(d.max_work_group == std::min(other.max_work_group, 200));
    CHECK(d.local_bytes <= host.local_bytes);
    CHECK_FALSE((d.fp64 || d.fp16 || d.images || d.int64_atomics || d.async_copy || d.inline_ptx ||
                 d.warp_group_products));
    CHECK(d.matrix_units == matrix_unit::none);
    CHECK(d.subgroup_shuffles == subgroup_shuffle::none);
    CHECK(d.work_group_functions == 0);
    CHECK(d.loses_guards);  // a compiler's fault stays, whatever it compiles for
    CHECK(support::portable(d, host) == d);
  }
}
