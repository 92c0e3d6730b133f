// The snippets of docs/gemm.md and of README's part on policies.

#include <doctest/doctest.h>

#include <clprim/gemm.hpp>

#include "docs/here.hpp"

using docs::filled;

// [mine]
constexpr clprim::gemm_policy mine{
    .tile_m = 64, .tile_n = 64, .tile_k = 8, .per_item_m = 4, .per_item_n = 4};
// [end]

TEST_CASE("a policy chosen by hand multiplies as the library's does") {
  const cl::CommandQueue& queue = support::device_session().queue;
  // [by hand]
  clprim::gemm<float, mine> checked_early(queue);        // a broken rule does not compile
  clprim::gemm<float> checked(queue, {.policy = mine});  // a broken rule throws policy_error
  // [end]
  const cl::Buffer a = filled<float>(64, 1), b = filled<float>(64, 2), c = filled<float>(64, 0);
  const auto A = clprim::matrix<float>(a, 8, 8), B = clprim::matrix<float>(b, 8, 8),
             C = clprim::matrix<float>(c, 8, 8);
  checked_early(1, A, B, 0, C);
  checked(1, A, B, 1, C);
  CHECK(docs::read<float>(c, 1)[0] == 32);
}

TEST_CASE("a product's operands, epilogue and batch") {
  const cl::CommandQueue& queue = support::device_session().queue;
  constexpr int m = 4, n = 3, k = 2, pitch = 5, count = 7;
  const cl::Buffer a = filled<float>(100, 1), b = filled<float>(100, 2), c = filled<float>(200, 3),
                   bias_buffer = filled<float>(8, 1);
  // [call]
  clprim::gemm<float> multiply(queue);
  const auto A = clprim::matrix<float>(a, m, k);
  const auto B = clprim::matrix<float>(b, k, n);
  const auto C = clprim::matrix<float>(c, m, n);
  cl::Event done = multiply(2, A, B, 1, C);  // C = 2 A B + 1 C
  // [end]
  CHECK(docs::read<float>(c, 1)[0] == 11);
  // [views]
  const auto part = clprim::matrix<float>(a, m, k).ld(pitch).at(3);  // rows `pitch` elements apart
  const auto blas = clprim::matrix<float>(b, n, k).column_major();   // as Fortran stores it
  multiply(1, part, transposed(blas), 0, C, {done});
  // [end]
  CHECK(docs::read<float>(c, 1)[0] == 4);
  // [batch]
  const auto many = [&](const cl::Buffer& buffer) {
    return clprim::matrix<float>(buffer, 2, 2).batch(count, 4);  // 4 elements from one to the next
  };
  multiply(1, many(a), many(b), 0, many(c));
  // [end]
  CHECK(docs::read<float>(c, 28)[27] == 4);
  const auto X = A, W = B, Y = C;
  // [epilogue]
  clprim::gemm<float> layer(
      queue, {.epilogue = {"return fmax(value + bias[column], slope * value);",
                           {clprim::buffer<float>("bias"), clprim::value<float>("slope")}}});
  layer(1, X, W, 0, Y, {}, {bias_buffer, 0.1f});
  // [end]
  CHECK(docs::read<float>(c, 1)[0] == 5);
  // [workspace]
  const std::size_t bytes = multiply.workspace_bytes(A, B, C);
  if (bytes > 0) multiply.use_workspace(filled<char>(bytes, 0));
  // [end]
  // [explain]
  const std::string why = multiply.explain(A, B, C);  // policy, launch, occupancy, predicted time
  const std::string text = multiply.source(A, B, C);  // the OpenCL C that runs
  // [end]
  CHECK(why.find("launch") != std::string::npos);
  CHECK(text.find("__kernel") != std::string::npos);
}

TEST_CASE("products of elements of 8 bits") {
  const cl::CommandQueue& queue = support::device_session().queue;
  const cl::Buffer a = filled<std::int8_t>(64, 3), b = filled<std::int8_t>(64, -5),
                   c = filled<float>(64, 0), c_whole = filled<std::int32_t>(64, 0),
                   a_float8 = filled(64, clprim::float8_e4m3(1.5f));
  const auto A = clprim::matrix<std::int8_t>(a, 8, 8), B = clprim::matrix<std::int8_t>(b, 8, 8);
  const auto C_whole = clprim::matrix<std::int32_t>(c_whole, 8, 8);
  const auto C = clprim::matrix<float>(c, 8, 8);
  const auto P = clprim::matrix<clprim::float8_e4m3>(a_float8, 8, 8), Q = P;
  // [bytes]
  clprim::gemm<std::int8_t> whole(queue);  // C of std::int32_t
  whole(1, A, B, 0, C_whole);
  clprim::gemm<std::int8_t, clprim::tuned_policy, float> scaled(queue);
  scaled(0.25f, A, B, 0, C);                           // C = 0.25 A B
  clprim::gemm<clprim::float8_e4m3> of_float8(queue);  // C of float
  of_float8(1, P, Q, 1, C);
  // [end]
  CHECK(docs::read<std::int32_t>(c_whole, 1)[0] == -120);
  CHECK(docs::read<float>(c, 1)[0] == -12);
}

TEST_CASE("products on matrix units and without") {
  const cl::CommandQueue& queue = support::device_session().queue;
  if (!clprim::facts_of(support::device_session().device).fp64) return;
  const cl::Buffer a = filled<double>(64, 1), b = filled<double>(64, 2), c = filled<double>(64, 0);
  const auto A = clprim::matrix<double>(a, 8, 8), B = clprim::matrix<double>(b, 8, 8),
             C = clprim::matrix<double>(c, 8, 8);
  // [units]
  clprim::gemm<double> multiply(queue);
  multiply(1, A, B, 0, C);  // on an H200: mma.sync
  clprim::gemm<double> plain(queue, {.portable = true});
  plain(1, A, B, 0, C);  // OpenCL C alone
  // [end]
  CHECK(docs::read<double>(c, 1)[0] == 16);
}

TEST_CASE("products of float that may be split for matrix units") {
  const cl::CommandQueue& queue = support::device_session().queue;
  const cl::Buffer a = filled<float>(64, 1), b = filled<float>(64, 2), c = filled<float>(64, 0);
  const auto A = clprim::matrix<float>(a, 8, 8), B = clprim::matrix<float>(b, 8, 8),
             C = clprim::matrix<float>(c, 8, 8);
  // [split]
  clprim::gemm<float> multiply(queue, {.precision = clprim::gemm_precision::split_half});
  multiply(1, A, B, 0, C);  // on an H200, and large: wgmma, as exact as without
  // [end]
  CHECK(docs::read<float>(c, 1)[0] == 16);
}

TEST_CASE("a policy that asks for wgmma keeps the rules") {
  // [wgmma]
  constexpr clprim::gemm_policy half_on_hopper{.tile_m = 128,
                                               .tile_n = 256,
                                               .tile_k = 64,
                                               .per_item_m = 2,
                                               .per_item_n = 64,
                                               .lanes_m = 8,
                                               .lanes_n = 4,
                                               .vector = 8,
                                               .vector_m = 1,
                                               .vector_n = 2,
                                               .buffer = clprim::buffering::async,
                                               .stages = 4,
                                               .order = clprim::local_order::stored,
                                               .instruction = clprim::gemm_instruction::wgmma};
  // [end]
  static_assert(checked(half_on_hopper) == half_on_hopper);
}
