// The source of two policies, kept as a file so that a change of the generator is seen as text.
// CLPRIM_WRITE_GOLDEN=1 writes the file anew.

#include <cstdlib>
#include <fstream>
#include <iterator>
#include <sstream>
#include <string>

#include <doctest/doctest.h>

#include <clprim/convolve/source.hpp>

using namespace clprim;

TEST_CASE("the source of one policy is the golden file golden/convolve_float.cl") {
  convolve_variant v{.channels = 1, .in_alignment = 4, .out_alignment = 4, .phase = 2};
  v.x = {.taps = 5, .border = border_mode::reflect_101};
  v.y = {.taps = 3, .border = {border_mode::constant, border_mode::replicate}};
  std::istringstream in(convolve_source({}, v, {"return value * slope;", {value<float>("slope")}}));
  std::string source, line;
  while (std::getline(in, line))
    source += (line.starts_with("#line ") ? "#line" + line.substr(line.find(" \"")) : line) + "\n";
  const char* const path = "golden/convolve_float.cl";
  if (std::getenv("CLPRIM_WRITE_GOLDEN") != nullptr) std::ofstream(path) << source;
  std::ifstream file(path);
  const std::string golden{std::istreambuf_iterator<char>(file), {}};
  CHECK_MESSAGE(source == golden, "the generated source differs from tests/"
                                      << path
                                      << "; if that is meant, run this test "
                                         "with CLPRIM_WRITE_GOLDEN=1");
}

TEST_CASE("a policy reads back what it prints") {
  const convolve_policy p{.method = convolve_method::tile, .apron = apron_load::block_per_item};
  CHECK(parse_policy<convolve_policy>(to_string(p)) == p);
}
