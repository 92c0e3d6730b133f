#pragma once
// GEMM on the tour: a plain product as large as the device likes, and the lossy compression of a
// picture by the 8 x 8 cosine transform.

#include <algorithm>
#include <string>
#include <vector>

#include <clprim/gemm.hpp>

#include "../support/check_gemm.hpp"
#include "../support/gemm_text.hpp"
#include "dct.hpp"
#include "section.hpp"

namespace examples {

namespace detail {

/// Runs and times one product and hands in its row; the check is the caller's.
inline void add_product(tour& t, clprim::gemm<float>& multiply, tour_row row,
                        const clprim::matrix_view<float>& A, const clprim::matrix_view<float>& B,
                        const clprim::matrix_view<float>& C, auto check) {
  const clprim::gemm_schedule schedule = multiply.schedule(A, B, C);
  const timing time = measure(
      t.on, [&] { return multiply(1, A, B, 0, C); }, schedule.splits > 1);
  const auto m = static_cast<double>(C.rows), n = static_cast<double>(C.cols),
             k = static_cast<double>(A.cols), batch = static_cast<double>(C.batch_count);
  row.policy = in_short(schedule.policy);
  row.seconds = time.median;
  row.operations = 2 * batch * m * n * k;
  row.bytes = sizeof(float) * batch * (m * k + k * n + m * n);
  row.checked = check();
  t.add(std::move(row), multiply.explain(A, B, C));
}

inline std::string extents(int m, int n, int k) {
  return std::to_string(m) + "×" + std::to_string(n) + "×" + std::to_string(k);
}

/// C = A B, square.
inline void plain_product(tour& t) {
  const bool cpu = t.facts.kind == clprim::device_kind::cpu;
  const int n = t.size > 0 ? t.size : cpu ? 1024 : 4096;
  t.step("a product of " + extents(n, n, n));
  const auto count = static_cast<std::size_t>(n) * static_cast<std::size_t>(n);
  std::vector<float> a(count), b(count);
  random_numbers random(2);
  for (float& x : a) x = static_cast<float>(random.next());
  for (float& x : b) x = static_cast<float>(random.next());
  const cl::Buffer A = upload(t.on, a), B = upload(t.on, b), C = make_buffer<float>(t.on, count);
  clprim::gemm<float> multiply(t.on.queue);
  add_product(t, multiply, {.primitive = "GEMM", .problem = extents(n, n, n)},
              clprim::matrix<float>(A, n, n), clprim::matrix<float>(B, n, n),
              clprim::matrix<float>(C, n, n), [&] {
                return check_product(a, b, download<float>(t.on, C, count), n, n, sampled_rows(n));
              });
}

/// The picture to quantised coefficients and back: two products, their epilogues doing the rest.
inline void compressed_picture(tour& t) {
  t.step("the cosine transform of the picture");
  const block_picture blocks = to_blocks(t.picture);
  const auto rows = static_cast<int>(blocks.blocks());
  const std::int64_t plane = 64 * static_cast<std::int64_t>(rows);
  const cl::Buffer pixels = upload(t.on, blocks.values);
  const cl::Buffer forwards = upload(t.on, transform_matrices(t.quality, true));
  const cl::Buffer back = upload(t.on, transform_matrices(t.quality, false));
  const cl::Buffer quantised = make_buffer<float>(t.on, blocks.values.size());
  const cl::Buffer decoded = make_buffer<float>(t.on, blocks.values.size());
  // Luma and two chromas: three products in one call, each with its own matrix.
  const auto planes = [&](const cl::Buffer& buffer) {
    return clprim::matrix<float>(buffer, rows, 64).batch(3, plane);
  };
  const auto matrices = [](const cl::Buffer& buffer) {
    return clprim::matrix<float>(buffer, 64, 64).batch(3, 64 * 64);
  };
  const std::string problem = "3 × " + extents(rows, 64, 64);

  clprim::gemm<float> encode(t.on.queue, {.epilogue = {"return rint(value);", {}}});
  add_product(t, encode, {.primitive = "GEMM: DCT, quantised", .problem = problem}, planes(pixels),
              matrices(forwards), planes(quantised), [&] {
                return check_quantised(
                    blocks, download<float>(t.on, quantised, blocks.values.size()), t.quality);
              });

  t.step("the picture back from its coefficients");
  clprim::gemm<float> decode(t.on.queue,
                             {.epilogue = {"return clamp(value + 128.0f, 0.0f, 255.0f);", {}}});
  const auto coefficients = download<float>(t.on, quantised, blocks.values.size());
  std::vector<float> values;
  add_product(t, decode, {.primitive = "GEMM: DCT back", .problem = problem}, planes(quantised),
              matrices(back), planes(decoded), [&] {
                values = download<float>(t.on, decoded, blocks.values.size());
                return check_decoded(blocks, coefficients, values, t.quality);
              });

  t.step("writing pictures");
  const image result = to_image(blocks, values);
  const auto name = "dct-quality-" + std::to_string(t.quality);
  t.write(result, name + ".png", "compressed and decoded again");
  t.write(difference(t.picture, result, 8), name + "-lost.png",
          "what that lost, 8 times as strong");
  const double bits = std::max(1.0, entropy_bits(blocks, coefficients));
  const auto area = static_cast<double>(t.picture.pixels());
  t.notes.push_back(
      format("compression at quality %d: PSNR %.1f dB, %.2f bits per pixel (entropy of the "
             "coefficients), 1 : %.0f",
             t.quality, psnr(t.picture, result), bits / area, 24 * area / bits));
}

}  // namespace detail

inline void tour_gemm(tour& t) {
  detail::plain_product(t);
  detail::compressed_picture(t);
}

}  // namespace examples
