// A covering set of policies on sizes around their tiles.

#include "support/covering.hpp"

#include <complex>
#include <deque>
#include <optional>
#include <string>

#include <doctest/doctest.h>

#include <clprim/gemm.hpp>

#include "gemm/draw_problem.hpp"
#include "support/device.hpp"

using namespace clprim;
using namespace support;

namespace {

/// Small enough to be interpreted.
gemm_policy draw_small(draw& d) {
  while (true) {
    const gemm_policy p = draw_policy(d);
    if (p.tile_m * p.tile_n * p.tile_k <= 8192 && p.vector_m <= 8 && p.vector_n <= 8) return p;
  }
}

/// Sizes of nothing but one element, just under and over a tile, and in parts.
product product_of(draw& d, const gemm_policy& p, int size) {
  product x;
  const int even = size == 3 ? 4 : 1;
  const auto rounded = [&](int n) { return (std::max(n, 1) + even - 1) / even * even; };
  switch (size) {
    case 0: x.m = x.n = x.k = 1; break;
    case 1: x.m = p.tile_m - 1, x.n = p.tile_n + 1, x.k = p.tile_k - 1; break;
    case 2: x.m = p.tile_m + 1, x.n = p.tile_n - 1, x.k = 2 * p.tile_k + 1; break;
    default: x.m = p.tile_m, x.n = p.tile_n, x.k = 2 * p.tile_k; break;
  }
  x.m = rounded(x.m), x.n = rounded(x.n), x.k = rounded(x.k);
  x.batch = size == 1 ? 2 : 1;
  x.a = draw_operand(d, even, false, x.batch);
  x.b = draw_operand(d, even, false, x.batch);
  x.c = draw_operand(d, even, true, x.batch);
  x.beta = d.chance(50) ? 0.5 : 0;
  x.epilogue = d.one_of({epilogue_kind::none, epilogue_kind::row_bias, epilogue_kind::column_bias});
  x.seed = d.bits();
  return x;
}

template <class T> void cover(int usually) {
  run_covering(
      "products of " + std::string(facts_of(scalar_of<T>).name), usually, 4, draw_small,
      [](draw& d, const gemm_policy& p, int size) -> std::optional<std::string> {
        const session& s = device_session();
        const product what = product_of(d, p, size);
        // Never destroyed, for the sake of its workspace (see guarded_buffer).
        static auto* const all = new std::deque<gemm<T>>;
        try {
          all->emplace_back(s.queue,
                            gemm_options{.policy = p, .epilogue = epilogue_of<T>(what.epilogue)});
        } catch (const policy_error&) {
          return std::nullopt;  // more than the device has
        }
        const std::string complaint = complaint_about<T>(s, all->back(), what, {.twice = false});
        return complaint.empty() ? complaint : complaint + replay_text<T>(what);
      });
}

}  // namespace

TEST_SUITE_BEGIN("oclgrind");

TEST_CASE("products of float under a covering set of policies touch what is theirs") {
  cover<float>(3);
}
TEST_CASE("products of half under a covering set of policies touch what is theirs") {
  cover<half>(1);
}
TEST_SUITE_END();

// Without the check for uninitialised reads: harness/under_oclgrind says why.
TEST_CASE("products of complex double under a covering set of policies touch what is theirs" *
          doctest::test_suite("oclgrind_races")) {
  cover<std::complex<double>>(1);
}
