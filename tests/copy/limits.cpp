// The library's choice on devices with small and odd limits: it always fits.

#include <doctest/doctest.h>

#include <clprim/copy/tuned.hpp>

using namespace clprim;

TEST_CASE("the choice of a copy lies within the limits of any device") {
  for (const device_kind kind : {device_kind::gpu, device_kind::cpu, device_kind::accelerator})
    for (const int group : {1, 12, 64, 100, 128, 256, 1024})
      for (const int bytes : {1, 2, 4, 8, 16})
        for (const std::int64_t count : {1, 1000, 1 << 20}) {
          device_facts device;
          device.kind = kind;
          device.max_work_group = group;
          const copy_policy p = tuned_copy(device, bytes, count);
          CAPTURE(to_string(p));
          CHECK(checked(p) == p);
          CHECK(p.items <= group);
        }
}
