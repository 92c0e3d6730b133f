// bench_ladders: the ladders of the textbooks on one device; every rung is a policy of one
// generator, verified, with what its kernel takes and how much of it is resident.
//
// Deck: NVIDIA, "OpenCL Optimization". ETH: "GPU performance considerations". Volkov: "Better
// Performance at Lower Occupancy", GTC 2010. Figures beside a rung are the textbook's own.

#include "ladders/copy.hpp"
#include "ladders/gemm.hpp"
#include "ladders/reduce.hpp"
#include "ladders/transpose.hpp"

int main(int argc, char** argv) {
  return bench::run_suite({.name = "ladders",
                           .what = "from the naive kernel to the tuned one, a policy per rung.",
                           .rows =
                               [](const bench::suite_place& place) {
                                 bench::suite_rows all;
                                 bench::add_copy_ladders(place, all.rows);
                                 bench::add_gemm_ladder(place, all.rows);
                                 bench::add_transpose_ladder(place, all.rows);
                                 bench::add_reduce_ladder(place, all.rows);
                                 return all;
                               },
                           .gpu_pause_ms = 50,
                           .show_kernels = true},
                          argc, argv);
}
