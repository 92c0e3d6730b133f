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
  gemm_policy split{
      .tile_m = 32, .tile_n = 32, .tile_k = 16, .per_item_m = 4, .per_item_n = 4, .split_k = 3};
  for (const gemm_finish finish : {gemm_finish::second_kernel, gemm_finish::last_group_fenced}) {
    split.finish = finish;
    if (!has_finish(split, facts_of(s.device))) continue;
    check_faults<gemm<float>>(
        {finish == gemm_finish::second_kernel ? "product in parts" : "product in parts, one kernel",
         [=](const cl::CommandQueue& q) {
           gemm_options options;
           options.policy = split;
           return gemm<float>(q, options);
         },
         product,
         {c}});
  }
  check_faults<gemm<float>>({"nothing but beta C",
                             [](const cl::CommandQueue& q) { return gemm<float>(q); },
                             [&](gemm<float>& multiply) {
                               multiply(0, matrix<float>(a, 70, 90), matrix<float>(b, 90, 50), 3,
                                        matrix<float>(c, 70, 50));
                             },
                             {c}});
}

TEST_CASE("a product of any operands in whose calls something fails throws, and is right then") {
  const session& s = support::device_session();
  const cl::Buffer a = small_integers(s, 70 * 90), b = small_integers(s, 90 * 50),
                   c = small_integers(s, 70 * 50), bias = small_integers(s, 70);
  check_faults<gemm<float>>(
      {"transposed, with an epilogue",
       [](const cl::CommandQueue& q) {
         return gemm<float>(q, {.epilogue = {"return value + bias[row] * slope;",
                                             {buffer<float>("bias"), value<float>("slope")}}});
       },
       [&](gemm<float>& multiply) {
         multiply(2, transposed(matrix<float>(a, 90, 70)), transposed(matrix<float>(b, 50, 90)), 3,
                  matrix<float>(c, 70, 50), {}, {bias, 2.f});
       },
       {c}});
  check_faults<gemm<float>>({"a batch",
                             [](const cl::CommandQueue& q) { return gemm<float>(q); },
                             [&](gemm<float>& multiply) {
                               multiply(1, matrix<float>(a, 7, 9).batch(5, 63),
                                        matrix<float>(b, 9, 5).batch(5, 45), 1,
                                        matrix<float>(c, 7, 5).batch(5, 35));
                             },
                             {c}});
  check_faults<gemm<float>>({"a row, by the policy for it",
                             [](const cl::CommandQueue& q) { return gemm<float>(q); },
                             [&](gemm<float>& multiply) {
                               multiply(1, matrix<float>(a, 1, 90), matrix<float>(b, 90, 50), 0,
                                        matrix<float>(c, 1, 50));
                             },
                             {c}});
  const gemm_policy overlapped{.tile_m = 16,
                               .tile_n = 16,
                               .tile_k = 8,
                               .per_item_m = 4,
                               .per_item_n = 4,
                               .lanes_m = 4,
                               .lanes_n = 4,
                               .buffer = buffering::registers,
                               .stages = 2,
                               .split_k = 2};
  check_faults<gemm<float>>(
      {"overlapped, with a workspace of the caller's",
       [&](const cl::CommandQueue& q) {
         gemm<float> multiply(q, {.policy = overlapped});
         cl_int code = CL_SUCCESS;
         const cl::Buffer space(
             clCreateBuffer(s.context(), CL_MEM_READ_WRITE, 2 * 70 * 50 * 4, nullptr, &code),
             false);
         check(code, "clCreateBuffer");
         multiply.use_workspace(space);
         return multiply;
       },
       [&](gemm<float>& multiply) {
         multiply(1, matrix<float>(a, 70, 90), matrix<float>(b, 90, 50), 0,
                  matrix<float>(c, 70, 50));
       },
       {c}});
}
