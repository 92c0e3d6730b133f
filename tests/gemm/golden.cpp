// The source of one policy, kept as a file so that a change of the generator is seen as text.
// CLPRIM_WRITE_GOLDEN=1 writes it anew.

#include <cstdlib>
#include <fstream>
#include <iterator>
#include <sstream>
#include <string>

#include <doctest/doctest.h>

#include <clprim/gemm/source.hpp>
#include <clprim/gemm/tuned_rows_gpu.hpp>

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

void check_golden(const std::string& path, const std::string& source) {
  const std::string text = without_line_numbers(source);
  if (std::getenv("CLPRIM_WRITE_GOLDEN") != nullptr) std::ofstream(path) << text;
  std::ifstream file(path);
  const std::string golden{std::istreambuf_iterator<char>(file), {}};
  const std::string hint = "the generated source differs from tests/" + path +
                           "; if that is meant, run this test with CLPRIM_WRITE_GOLDEN=1";
  CHECK_MESSAGE(text == golden, hint);
}

constexpr gemm_policy sliced{.tile_m = 32,
                             .tile_n = 64,
                             .tile_k = 16,
                             .slices_k = 2,
                             .buffer = buffering::registers,
                             .stages = 2};

}  // namespace

TEST_CASE("the source of one policy is the golden file golden/gemm_float.cl") {
  gemm_variant variant{.split = true};
  variant.a.alignment = variant.b.alignment = 4;
  check_golden("golden/gemm_float.cl",
               gemm_source(sliced, variant,
                           {"return fmax(value + bias[column], 0.0f);", {buffer<float>("bias")}}));
}

TEST_CASE("the source of parts that the last group adds is golden/gemm_float_last_group.cl") {
  gemm_policy joined = sliced;
  joined.finish = gemm_finish::last_group_fenced;
  gemm_variant variant{.batched = true, .split = true, .fenced = true};
  variant.a.alignment = variant.b.alignment = variant.c_alignment = 4;
  check_golden("golden/gemm_float_last_group.cl", gemm_source(joined, variant));
}

TEST_CASE("the source of sums that are staged is the golden file golden/gemm_half_staged.cl") {
  gemm_policy staged = sliced;
  staged.stage_c = staging::local;
  check_golden("golden/gemm_half_staged.cl", gemm_source(staged, {.type = scalar::half_}));
}

TEST_CASE("the source of rows of C that are one run is the golden file golden/gemm_half_flat.cl") {
  gemm_policy staged = sliced;
  staged.stage_c = staging::local;
  staged.vector_m = 1;
  check_golden("golden/gemm_half_flat.cl",
               gemm_source(staged, {.type = scalar::half_, .clamped = true, .flat = true}));
}

TEST_CASE(
    "the source of products by AMD's matrix units is the golden file golden/gemm_half_mfma.cl") {
  gemm_variant variant{.type = scalar::half_};
  variant.a.alignment = variant.b.alignment = variant.c_alignment = 8;
  check_golden(
      "golden/gemm_half_mfma.cl",
      gemm_source(gemm_tables::self_test_of(gemm_instruction::mfma, scalar::half_, 0), variant));
}
