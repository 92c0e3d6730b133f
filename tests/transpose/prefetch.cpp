// Prefetches stand in a kernel's text where the host knows that its compiler takes them.

#include <string>

#include <doctest/doctest.h>

#include <clprim/transpose/source.hpp>

using namespace clprim;

TEST_CASE("a CPU of PoCL or Intel prefetches, a translator to SPIR-V is not trusted with it") {
  const auto facts = [](vendor by, device_kind kind) {
    device_facts d;
    d.vendor = by;
    d.kind = kind;
    return d;
  };
  CHECK(takes_prefetches(facts(vendor::pocl, device_kind::cpu)));
  CHECK(takes_prefetches(facts(vendor::intel, device_kind::cpu)));
  CHECK_FALSE(takes_prefetches(facts(vendor::unknown, device_kind::cpu)));  // Rusticl on llvmpipe
  CHECK_FALSE(takes_prefetches(facts(vendor::intel, device_kind::gpu)));
  CHECK_FALSE(takes_prefetches(facts(vendor::oclgrind, device_kind::cpu)));

  const transpose_policy p{.order = tile_order::along_input, .prefetch = true};
  transpose_variant v;
  const auto prefetches = [&] {
    return transpose_source(p, v).find("__builtin_prefetch") != std::string::npos;
  };
  CHECK_FALSE(prefetches());
  v.prefetch = true;
  CHECK(prefetches());
}
