#include <complex>

#include <doctest/doctest.h>

#include <clprim/gemm.hpp>

#include "texts/texts.hpp"

using namespace clprim;
using support::draw_texts, support::large_buffer;

TEST_CASE("the texts of products for NVIDIA's devices") {
  const cl::CommandQueue& queue = support::device_session().queue;
  const auto text = [&]<class T>(support::draw& d, T) {
    const gemm<T> multiply(queue);
    const std::int64_t m = d.one_of({64, 500, 1024, 2048}), n = d.one_of({64, 500, 1024, 2048}),
                       k = d.one_of({64, 500, 1024, 2048});
    return multiply.source(matrix<T>(large_buffer(0), m, k), matrix<T>(large_buffer(1), k, n),
                           matrix<T>(large_buffer(2), m, n));
  };
  draw_texts([&](support::draw& d) { return text(d, float{}); });
  draw_texts([&](support::draw& d) { return text(d, double{}); });
  draw_texts([&](support::draw& d) { return text(d, half{}); });
  draw_texts([&](support::draw& d) { return text(d, std::complex<float>{}); });
}

TEST_CASE("the texts of products by warp-groups, which no device here proves") {
  const device_facts device = support::h200();
  int with_bulk_copies = 0;
  const auto keep_each = [&](scalar type, gemm_precision precision) {
    for (const gemm_row& row : gemm_table_of(device, type, precision).rows) {
      if (row.policy.instruction != gemm_instruction::wgmma) continue;
      for (const bool b_along_k : {false, true}) {
        const gemm_kind kind{.m = 1024,
                             .n = 1024,
                             .k = 1024,
                             .a = {.along_k = true, .leading = 1024, .alignment = 16},
                             .b = {.along_k = b_along_k, .leading = 1024, .alignment = 16},
                             .c = {.leading = 1024, .alignment = 16}};
        const gemm_schedule s =
            schedule_of(kind, row.policy, 1, multiplied_type(type, precision), device, precision);
        with_bulk_copies += s.policy.buffer == buffering::bulk ? 1 : 0;
        const std::string source = gemm_source(s.policy, s.variant, {});
        CHECK(source.find("wgmma.mma_async") != std::string::npos);
        support::keep(source);
      }
    }
  };
  keep_each(scalar::half_, gemm_precision::full);
  keep_each(scalar::float_, gemm_precision::tf32);
  keep_each(scalar::float_, gemm_precision::split_tf32);
  keep_each(scalar::float_, gemm_precision::split_half);
  CHECK(with_bulk_copies > 0);
}
