// The cells of docs/course.md.

#include <complex>
#include <cstdint>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include <clprim/clprim.hpp>
#include <clprim/gemm/ladder.hpp>

#include "docs/here.hpp"

using docs::filled;

namespace {

std::vector<float> small_numbers(int count) {
  std::vector<float> values;
  for (int i = 0; i < count; ++i) values.push_back(static_cast<float>(i * 7 % 11 - 5));
  return values;
}

}  // namespace

TEST_CASE("the course's products are right at every step") {
  const cl::CommandQueue& queue = support::device_session().queue;
  if (clprim::facts_of(support::device_session().device).local_bytes < 48 * 1024) {
    MESSAGE("the course's last steps take 33 KB of local memory: not tried");
    return;
  }
  constexpr int n = 48;
  const std::vector<float> host_a = small_numbers(n * n), host_b = small_numbers(n * n + 3);
  const cl::Buffer a = filled(host_a), b = filled(host_b), c = filled<float>(n * n, 0);
  const auto right = [&] {
    const std::vector<float> got = docs::read<float>(c, n * n);
    int wrong = 0;
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t j = 0; j < n; ++j) {
        float sum = 0;  // of small integers: exact
        for (std::size_t k = 0; k < n; ++k) sum += host_a[i * n + k] * host_b[k * n + j];
        wrong += got[i * n + j] != sum ? 1 : 0;
      }
    }
    clprim::check(clEnqueueFillBuffer(queue(), c(), &host_a[0], sizeof(float), 0,
                                      n * n * sizeof(float), 0, nullptr, nullptr),
                  "clEnqueueFillBuffer");
    return wrong == 0;
  };
  // [product]
  const auto A = clprim::matrix<float>(a, n, n), B = clprim::matrix<float>(b, n, n),
             C = clprim::matrix<float>(c, n, n);
  const auto by = [&](const clprim::gemm_policy& policy) {
    clprim::gemm<float> multiply(queue, {.policy = policy});
    multiply(1, A, B, 0, C).wait();
  };
  by(clprim::gemm_ladder::naive);
  // [end]
  CHECK(right());
  // [local]
  by(clprim::gemm_ladder::tile_of_a);
  by(clprim::gemm_ladder::tiles_of_a_and_b);
  // [end]
  CHECK(right());
  // [column]
  for (const int outputs : {1, 2, 4, 8}) by(clprim::gemm_ladder::column_of(outputs));
  // [end]
  CHECK(right());
  // [patch]
  by(clprim::gemm_ladder::patch_of(4, 4));
  by(clprim::gemm_ladder::patch_of(8, 8));
  // [end]
  CHECK(right());
  // [overlapped]
  by(clprim::gemm_ladder::overlapped(clprim::gemm_ladder::patch_of(8, 8)));
  // [end]
  CHECK(right());
  // [choice]
  clprim::gemm<float> multiply(queue);
  multiply(1, A, B, 0, C);
  const std::string why = multiply.explain(A, B, C);
  // [end]
  CHECK(right());
  CHECK(why.find("policy") != std::string::npos);
}

TEST_CASE("the course's copies, transpositions and sums are right") {
  const cl::CommandQueue& queue = support::device_session().queue;
  constexpr int n = 1 << 12;
  const std::vector<float> host = small_numbers(2 * n);
  const cl::Buffer x = filled(host), y = filled<float>(n, 0);
  // [copies]
  clprim::copy<float> move(queue, {.policy = clprim::copy_policy{.vector = 1, .per_item = 1}});
  auto from = clprim::vector<float>(x, n);
  from.offset = 1;  // then 2, 4, …; or
  from.stride = 2;  // every second element
  move(from, clprim::vector<float>(y, n));
  // [end]
  CHECK(docs::read<float>(y, 3) == std::vector<float>{host[1], host[3], host[5]});

  constexpr int side = 64;
  const auto X = clprim::matrix<float>(x, side, side), Y = clprim::matrix<float>(y, side, side);
  // [transposition]
  const auto turned_by = [&](const clprim::transpose_policy& policy) {
    clprim::transpose<float>(queue, {.policy = policy})(X, Y).wait();
  };
  turned_by(
      {.tile_rows = 16, .tile_cols = 16, .items = 256, .exchange = clprim::tile_exchange::direct});
  turned_by({.tile_rows = 32,
             .tile_cols = 32,
             .items = 256,
             .exchange = clprim::tile_exchange::local,
             .banks = clprim::bank_strategy::none});
  turned_by({.tile_rows = 32,
             .tile_cols = 32,
             .items = 256,
             .exchange = clprim::tile_exchange::local,
             .banks = clprim::bank_strategy::swizzle});
  // [end]
  const std::vector<float> turned = docs::read<float>(y, side * side);
  CHECK(turned[1] == host[side]);
  CHECK(turned[side * side - 2] == host[(side - 2) * side + side - 1]);

  // [sums]
  const auto sum_by = [&](const clprim::reduce_policy& policy) {
    return clprim::reduce<float>(queue, {.policy = policy}).value(clprim::whole<float>(x, n));
  };
  const float divergent = sum_by({.vector = 1, .method = clprim::group_method::interleaved});
  const float in_step = sum_by({.vector = 1, .method = clprim::group_method::sequential});
  const float wide = sum_by({.vector = 4, .loads = 2});
  // [end]
  float sum = 0;
  for (std::size_t i = 0; i < n; ++i) sum += host[i];
  CHECK(divergent == sum);
  CHECK(in_step == sum);
  CHECK(wide == sum);
}

TEST_CASE("the course's convolutions and transforms are right") {
  const cl::CommandQueue& queue = support::device_session().queue;
  constexpr int n = 32;
  const cl::Buffer pixels = filled<float>(n * n, 1), result = filled<float>(n * n, 0);
  const auto in = clprim::image<float>(pixels, n, n), out = clprim::image<float>(result, n, n);
  // [aprons]
  const auto box = clprim::filter_2d<float>(9, 9, std::vector<float>(81, 1));
  for (const auto load : {clprim::apron_load::item_per_pixel, clprim::apron_load::several_loads,
                          clprim::apron_load::block_per_item}) {
    clprim::convolve<float> blur(
        queue, {.policy = clprim::convolve_policy{.method = clprim::convolve_method::tile,
                                                  .items_x = 8,
                                                  .items_y = 8,
                                                  .per_item_x = 1,
                                                  .per_item_y = 1,
                                                  .vector = 1,
                                                  .apron = load}});
    blur(in, box, out).wait();
  }
  // [end]
  const std::vector<float> sums = docs::read<float>(result, n * n);
  CHECK(sums[0] == 25);  // a corner sees 5 x 5 pixels
  CHECK(sums[16 * n + 16] == 81);

  std::vector<std::complex<float>> one(1024);
  one[0] = 1;
  const cl::Buffer signal = filled(one);
  const cl::Buffer spectrum = filled(std::vector<std::complex<float>>(1024));
  const auto S = clprim::array<std::complex<float>>(signal, {1024}),
             F = clprim::array<std::complex<float>>(spectrum, {1024});
  // [transforms]
  for (const int points : {2, 4, 8, 16}) {
    clprim::fft<float> transform(
        queue, {.policy = clprim::fft_policy{.points = points, .group = 128, .one_pass = 1024}});
    transform.forward(S, F).wait();
  }
  // [end]
  for (const std::complex<float> value : docs::read<std::complex<float>>(spectrum, 1024))
    CHECK(std::abs(value - 1.0F) < 1e-6F);  // of an impulse
}
