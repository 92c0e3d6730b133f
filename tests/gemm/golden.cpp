// The source of one policy, kept as a file so that a change of the generator is seen as text.
// CLPRIM_WRITE_GOLDEN=1 writes it anew.

#include <cstdlib>
#include <fstream>
#include <iterator>
#include <sstream>
#include <string>

#include <doctest/doctest.h>

#include <clprim/gemm/source.hpp>

using namespace clprim;

namespace {

/// Without the line numbers of headers, which change with every comment there.
std::string without_line_numbers(const std::string& source) {
  std::istringstream in(source);
  std::string text, line;
  while (std::getline(in, line))
    text += (line.starts_with("#line ") ? "#line" + line.substr(line.find(" \"")) : line) + "\n";
  return text;
}

}  // namespace

TEST_CASE("the source of one policy is the golden file golden/gemm_float.cl") {
  constexpr gemm_policy policy{.tile_m = 32,
                               .tile_n = 64,
                               .tile_k = 16,
                               .slices_k = 2,
                               .buffer = buffering::registers,
                               .stages = 2};
  gemm_variant variant{.split = true};
  variant.a.alignment = variant.b.alignment = 4;
  const std::string source = without_line_numbers(gemm_source(
      policy, variant, {"return fmax(value + bias[column], 0.0f);", {buffer<float>("bias")}}));
  const char* const path = "golden/gemm_float.cl";
  if (std::getenv("CLPRIM_WRITE_GOLDEN") != nullptr) std::ofstream(path) << source;
  std::ifstream file(path);
  const std::string golden{std::istreambuf_iterator<char>(file), {}};
  CHECK_MESSAGE(source == golden, "the generated source differs from tests/"
                                      << path
                                      << "; if that is meant, run this test "
                                         "with CLPRIM_WRITE_GOLDEN=1");
}
