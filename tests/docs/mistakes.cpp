// The mistakes of docs/errors.md that are told while a program runs: each message stands there as
// it is said. Those that a compiler tells are in tests/compile_fail.

#include <fstream>
#include <sstream>
#include <string>

#include <doctest/doctest.h>

#include <clprim/copy.hpp>
#include <clprim/gemm.hpp>
#include <clprim/reduce.hpp>

#include "docs/here.hpp"

using docs::filled;

namespace {

/// What a call says that must not succeed.
template <class Call> std::string said_by(Call&& call) {
  try {
    call();
  } catch (const clprim::error& e) {
    return e.what();
  }
  return "nothing";
}

/// Whether docs/errors.md has this message, and it is what was said.
void tells(const std::string& said, const std::string& message) {
  INFO(said);
  CHECK(said.find(message) != std::string::npos);
  std::ostringstream page;
  page << std::ifstream("../docs/errors.md").rdbuf();
  std::string words;  // lines are broken anywhere
  for (const char c : page.str())
    if (c != ' ' && c != '\n') words += c;
  std::string sought;
  for (const char c : message)
    if (c != ' ') sought += c;
  INFO(message);
  CHECK(words.find(sought) != std::string::npos);
}

}  // namespace

TEST_CASE("typical mistakes and what they are told") {
  const cl::CommandQueue& queue = support::device_session().queue;
  const cl::Buffer a = filled<float>(12, 1), b = filled<float>(12, 1), c = filled<float>(12, 0);
  const auto A = clprim::matrix<float>(a, 3, 4), C = clprim::matrix<float>(c, 3, 3);
  clprim::gemm<float> multiply(queue);
  clprim::reduce<float> sum(queue);
  tells(said_by([&] { multiply(1, A, clprim::matrix<float>(b, 3, 4), 0, C); }),
        "columns of op(B) must equal the columns of C: 4 given, 3 expected");
  tells(said_by([&] { sum.value(clprim::whole<float>(a, 48)); }),
        "must hold every element addressed: 48 bytes given, at least 192 bytes");
  tells(said_by([&] { multiply(1, A, transposed(A), 0, clprim::matrix<float>(a, 3, 3)); }),
        "C must not share memory with A");
  tells(said_by([&] { sum.value(clprim::each_row(A)); }),
        "must be 1: 3 given, a view of one result");
  tells(said_by([&] { clprim::gemm<float>{cl::CommandQueue()}; }),
        "the queue must be one of a device");
  clprim::gemm<float> layer(
      queue, {.epilogue = {"return value + bias[column];", {clprim::buffer<float>("bias")}}});
  tells(said_by([&] { layer(1, A, transposed(A), 0, C); }),
        "must be as many as its parameters: 0 given, 1");
  tells(said_by([&] { clprim::open_session("no such device"); }),
        "no OpenCL device fits 'no such device'");
  tells(said_by([&] {
          clprim::map<float, float> wrong(queue, {.map = {"return x + 1;", {}}});
          wrong({clprim::vector<float>(a, 12)}, clprim::vector<float>(c, 12));
        }),

        "does not build");
  tells(
      said_by([&] { clprim::gemm<float>(queue, {.policy = clprim::gemm_policy{.tile_m = 100}}); }),

      "lanes_m must divide the items along m");
}
