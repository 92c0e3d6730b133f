// The source of one policy, kept as a file so that a change of the generator is seen as text; and
// that padding and swizzle keep their promise.
// CLPRIM_WRITE_GOLDEN=1 writes the file anew.

#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <sstream>
#include <string>

#include <doctest/doctest.h>

#include <clprim/core/access.hpp>
#include <clprim/transpose/source.hpp>
#include <clprim/transpose/tuned.hpp>

using namespace clprim;

TEST_CASE("the source of one policy is the golden file golden/transpose_float.cl") {
  constexpr transpose_policy policy{
      .tile_rows = 64, .tile_cols = 64, .vector = 4, .items = 256, .banks = bank_strategy::swizzle};
  const transpose_variant variant{.in_alignment = 4, .out_alignment = 4, .outer = 1};
  std::istringstream in(
      transpose_source(policy, variant, {"return value * slope;", {value<float>("slope")}}));
  std::string source, line;
  while (std::getline(in, line))
    source += (line.starts_with("#line ") ? "#line" + line.substr(line.find(" \"")) : line) + "\n";
  const char* const path = "golden/transpose_float.cl";
  if (std::getenv("CLPRIM_WRITE_GOLDEN") != nullptr) std::ofstream(path) << source;
  std::ifstream file(path);
  const std::string golden{std::istreambuf_iterator<char>(file), {}};
  CHECK_MESSAGE(source == golden, "the generated source differs from tests/"
                                      << path
                                      << "; if that is meant, run this test "
                                         "with CLPRIM_WRITE_GOLDEN=1");
}

TEST_CASE("a policy reads back what it prints") {
  const transpose_policy p{.tile_rows = 16, .items = 64, .order = tile_order::diagonal};
  CHECK(parse_policy<transpose_policy>(to_string(p)) == p);
}
TEST_CASE("the library's choice takes no more work-items than a device allows") {
  for (const int allowed : {64, 128, 256, 1024})
    for (const int bytes : {1, 2, 4, 8, 16})
      for (const int alignment : {1, 2, 16})
        for (const std::int64_t rows : {3, 40, 5000})
          for (const bool in_place : {false, true}) {
            device_facts device;
            device.kind = device_kind::gpu;
            device.max_work_group = allowed;
            device.local_bytes = 65536;
            const transpose_size size{.bytes = bytes,
                                      .rows = rows,
                                      .cols = 5000,
                                      .in_alignment = alignment,
                                      .out_alignment = alignment,
                                      .in_place = in_place,
                                      .narrow = rows < 16 ? static_cast<int>(rows) : 0};
            const transpose_policy p = tuned_transpose(device, size);
            CAPTURE(to_string(p));
            CHECK(p.items <= allowed);
            CHECK(checked(p) == p);
          }
}
