// bench_ladders: the ladders of the textbooks on one device; every rung is verified, and stands
// with what its kernel takes, how much of it is resident, and the textbook's own figure.
//
// Deck: NVIDIA, "OpenCL Optimization". ETH: "GPU performance considerations". Volkov: "Better
// Performance at Lower Occupancy", GTC 2010. Techniques: "OpenCL optimization techniques".
//
// A row's name is its ladder in one word and the rung: "copy-stride 4" is a rung of copy-stride.

#include "ladders/atomics.hpp"
#include "ladders/banks.hpp"
#include "ladders/branches.hpp"
#include "ladders/constants.hpp"
#include "ladders/convolve.hpp"
#include "ladders/copy.hpp"
#include "ladders/devices.hpp"
#include "ladders/fft.hpp"
#include "ladders/gemm.hpp"
#include "ladders/images.hpp"
#include "ladders/instructions.hpp"
#include "ladders/lanes.hpp"
#include "ladders/launches.hpp"
#include "ladders/layout.hpp"
#include "ladders/math.hpp"
#include "ladders/negative.hpp"
#include "ladders/occupancy.hpp"
#include "ladders/reduce.hpp"
#include "ladders/rgb.hpp"
#include "ladders/sums.hpp"
#include "ladders/transpose.hpp"

namespace {

/// A ladder is a header of ladders/ and its name here.
constexpr void (*ladders[])(const bench::suite_place&, std::vector<bench::bench_row>&) = {
    // memory, from the lane to the host
    bench::add_copy_ladders,
    bench::add_lane_ladder,
    bench::add_layout_ladder,
    bench::add_structure_ladder,
    bench::add_pitch_ladder,
    bench::add_dram_ladder,
    bench::add_rgb_ladder,
    bench::add_negative_ladder,
    bench::add_image_ladder,
    bench::add_constant_ladder,
    bench::add_volatile_ladder,
    bench::add_bank_ladder,
    bench::add_transfer_ladder,
    // instructions and launches
    bench::add_math_ladder,
    bench::add_instruction_ladder,
    bench::add_barrier_ladder,
    bench::add_atomics_ladder,
    bench::add_branch_ladder,
    bench::add_launch_ladders,
    bench::add_stage_ladder,
    bench::add_sum_ladder,
    bench::add_device_ladder,
    // primitives
    bench::add_gemm_ladder,
    bench::add_depth_ladder,
    bench::add_halo_ladder,
    bench::add_transpose_ladder,
    bench::add_reduce_ladder,
    bench::add_fft_ladder,
    bench::add_occupancy_ladders,
    bench::add_convolve_ladder,
};

bench::suite_rows ladder_rows(const bench::suite_place& place) {
  bench::suite_rows all;
  for (const auto add : ladders) add(place, all.rows);
  return all;
}

}  // namespace

int main(int argc, char** argv) {
  return bench::run_suite({.name = "ladders",
                           .what = "from the naive kernel to the tuned one, a policy per rung.",
                           .rows = ladder_rows,
                           .gpu_clock = bench::clock_kind::events,
                           .gpu_pause_ms = 60,
                           .rounds = 2,
                           .show_kernels = true},
                          argc, argv);
}
