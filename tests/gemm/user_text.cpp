// The caller's epilogue among the library's own text: its names are its own.

#include <algorithm>
#include <span>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include <clprim/gemm.hpp>

#include "support/device.hpp"
#include "support/refusal.hpp"

using namespace clprim;
using namespace support;

namespace {

constexpr gemm_policy small{.tile_m = 8,
                            .tile_n = 8,
                            .tile_k = 4,
                            .per_item_m = 2,
                            .per_item_n = 2,
                            .lanes_m = 2,
                            .lanes_n = 2,
                            .vector = 2,
                            .vector_m = 2,
                            .vector_n = 2};

/// Whether C = A B + the sum of all parameters is right where they have these names; the first one
/// is a buffer.
bool works(std::span<const std::string> names, int splits) {
  const session& s = device_session();
  gemm_policy policy = small;
  policy.split_k = splits;
  function epilogue{"return value + " + names[0] + "[column]", {buffer<float>(names[0])}};
  guarded_buffer<float> a(s, std::vector<float>(9 * 10, 1.f), 0.f),
      b(s, std::vector<float>(10 * 3, 1.f), 0.f), c(s, std::vector<float>(9 * 3), 0.f),
      add(s, std::vector<float>{1.f, 2.f, 3.f}, 0.f);
  std::vector<argument> arguments{add.buffer()};
  for (const std::string& name : names.subspan(1)) {
    epilogue.body += " + " + name;
    epilogue.parameters.push_back(value<float>(name));
    arguments.emplace_back(10.f);
  }
  epilogue.body += ";";
  gemm<float> multiply(s.queue, {.policy = policy, .epilogue = epilogue});
  multiply(1, matrix<float>(a.buffer(), 9, 10), matrix<float>(b.buffer(), 10, 3), 0,
           matrix<float>(c.buffer(), 9, 3), {}, arguments);
  std::vector<float> wanted;
  const float all = 10 + 10 * static_cast<float>(names.size() - 1);
  for (int row = 0; row < 9; ++row) wanted.insert(wanted.end(), {all + 1, all + 2, all + 3});
  return c.read() == wanted;
}

}  // namespace

TEST_CASE("parameters of an epilogue may be named like whatever the library's text names") {
  const std::vector<std::string> names{"V",          "ITEMS",
                                       "EACH",       "TILE_ROWS",
                                       "GROUP",      "VECTOR",
                                       "TILE_M",     "TILE_N",
                                       "TILE_K",     "POOL",
                                       "ELEMENT",    "STORED",
                                       "ZERO",       "READ_ONE",
                                       "WRITE_ONE",  "TIMES",
                                       "NOT_ZERO",   "EPILOGUE",
                                       "BARRIER",    "STAGES",
                                       "BUFFER",     "SPLITS",
                                       "PER_ITEM_M", "RASTER",
                                       "A_WIDTH",    "B_WIDTH",
                                       "C_READ",     "C_WRITE",
                                       "N_VECTOR",   "M_VECTOR",
                                       "INDEX",      "CLAMPED",
                                       "EACH_ROW",   "ROW_OF",
                                       "FINISH_RUN", "F_VECTOR",
                                       "sum",        "partial",
                                       "splits",     "alpha",
                                       "beta",       "m",
                                       "n",          "k",
                                       "c",          "c_ld",
                                       "tile",       "slice",
                                       "user_0",     "epilogue",
                                       "gemm",       "store_run",
                                       "share",      "CONJUGATE_A",
                                       "UNROLL_K",   "BLOCK_LOOP",
                                       "BATCHED",    "EPILOGUE_PARAMETERS",
                                       "whole",      "each"};
  REQUIRE(names.size() >= 40);
  constexpr std::size_t at_once = 10;
  for (std::size_t i = 0; i < names.size(); i += at_once) {
    const auto some = std::span(names).subspan(i, std::min(at_once, names.size() - i));
    CAPTURE(some.front());
    CHECK(refused([&] {
            if (!works(some, i % 20 == 0 ? 1 : 3)) throw error("a wrong product");
          }) == "accepted");
  }
}

TEST_CASE("an epilogue meets C = beta C, where there is no product, too") {
  const session& s = device_session();
  gemm<float> multiply(
      s.queue, {.policy = small,
                .epilogue = {"return value + EACH * row + 10 * column;", {value<float>("EACH")}}});
  for (const bool swapped : {false, true}) {
    guarded_buffer<float> c(s, std::vector<float>{1, 2, 3, 4}, 0.f);
    auto C = matrix<float>(c.buffer(), 2, 2);
    if (swapped) C = C.column_major();
    const auto none = matrix<float>(cl::Buffer(), 2, 0);
    multiply(1, none, transposed(none), 1, C, {}, {100.f});
    CHECK(c.read() ==
          (swapped ? std::vector<float>{1, 102, 13, 114} : std::vector<float>{1, 12, 103, 114}));
  }
}
