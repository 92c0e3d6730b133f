#include <clprim/gemm.hpp>

#include "faults/sweep.hpp"

using namespace clprim;
using support::check_faults, support::small_integers;

TEST_CASE("a product in whose calls something fails throws, and is right the next time") {
  const session& s = support::device_session();
  const cl::Buffer a = small_integers(s, 70 * 90), b = small_integers(s, 90 * 50),
                   c = small_integers(s, 70 * 50);
  const auto product = [&](gemm<float>& multiply) {
    multiply(2, matrix<float>(a, 70, 90), matrix<float>(b, 90, 50), 3, matrix<float>(c, 70, 50));
  };
  check_faults<gemm<float>>(
      {"product", [](const cl::CommandQueue& q) { return gemm<float>(q); }, product, {c}});
  const gemm_policy split{
      .tile_m = 32, .tile_n = 32, .tile_k = 16, .per_item_m = 4, .per_item_n = 4, .split_k = 3};
  check_faults<gemm<float>>({"product in parts",
                             [=](const cl::CommandQueue& q) {
                               gemm_options options;
                               options.policy = split;
                               return gemm<float>(q, options);
                             },
                             product,
                             {c}});
  check_faults<gemm<float>>({"nothing but beta C",
                             [](const cl::CommandQueue& q) { return gemm<float>(q); },
                             [&](gemm<float>& multiply) {
                               multiply(0, matrix<float>(a, 70, 90), matrix<float>(b, 90, 50), 3,
                                        matrix<float>(c, 70, 50));
                             },
                             {c}});
}
