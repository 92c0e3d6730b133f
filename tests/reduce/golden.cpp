// The source of one reduction, kept as a file so that a change of the generator is seen as text.
// CLPRIM_WRITE_GOLDEN=1 writes it anew.

#include <cstdlib>
#include <fstream>
#include <iterator>
#include <sstream>
#include <string>

#include <doctest/doctest.h>

#include <clprim/reduce/operators.hpp>
#include <clprim/reduce/source.hpp>

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

TEST_CASE("the source of one reduction is the golden file golden/reduce_float.cl") {
  reduction what;
  what.element = reduce_element_of<float>();
  what.parts = op::detail::results<op::several<op::sum<>, op::argmax>, float>::parts();
  what.map = {"return x * weight[index];", {buffer<float>("weight")}};
  const std::string source = without_line_numbers(
      reduce_source({.finish = group_finish::last_group}, {.split = true}, what));
  const char* const path = "golden/reduce_float.cl";
  if (std::getenv("CLPRIM_WRITE_GOLDEN") != nullptr) std::ofstream(path) << source;
  std::ifstream file(path);
  const std::string golden{std::istreambuf_iterator<char>(file), {}};
  CHECK_MESSAGE(source == golden, "the generated source differs from tests/"
                                      << path
                                      << "; if that is meant, run this test "
                                         "with CLPRIM_WRITE_GOLDEN=1");
}
