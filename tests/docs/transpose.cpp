// The snippets of docs/transpose.md.

#include <doctest/doctest.h>

#include <clprim/transpose.hpp>

#include "docs/here.hpp"

using docs::filled;

TEST_CASE("transposition out of place, in place, scaled and mapped") {
  const cl::CommandQueue& queue = support::device_session().queue;
  constexpr int m = 2, n = 3;
  const cl::Buffer a = filled<float>({1, 2, 3, 4, 5, 6}), b = filled<float>(6, 0),
                   square = filled<float>({1, 2, 3, 4});
  // [call]
  clprim::transpose<float> turn(queue);
  turn(clprim::matrix<float>(a, m, n), clprim::matrix<float>(b, n, m));     // B = Aᵀ
  turn(2, clprim::matrix<float>(a, m, n), clprim::matrix<float>(b, n, m));  // B = 2 Aᵀ
  turn.in_place(clprim::matrix<float>(square, 2, 2));                       // in its own memory
  // [end]
  CHECK(docs::read<float>(b, 6) == std::vector<float>{2, 8, 4, 10, 6, 12});
  CHECK(docs::read<float>(square, 4) == std::vector<float>{1, 3, 2, 4});
  // [rectangle]
  turn.in_place(clprim::matrix<float>(a, m, n));  // its 6 elements are now 3 x 2
  // [end]
  CHECK(docs::read<float>(a, 6) == std::vector<float>{1, 4, 2, 5, 3, 6});
  // [map]
  clprim::transpose<float, std::uint8_t> to_bytes(
      queue, {.map = {"return convert_uchar_sat_rte(255 * value);", {}}});
  // [end]
  const cl::Buffer bytes = filled<std::uint8_t>(6, 7);
  to_bytes(clprim::matrix<float>(a, m, n), clprim::matrix<std::uint8_t>(bytes, n, m));
  CHECK(docs::read<std::uint8_t>(bytes, 1)[0] == 255);
}

TEST_CASE("planes become pixels") {
  const cl::CommandQueue& queue = support::device_session().queue;
  constexpr int height = 2, width = 2;
  const cl::Buffer planes = filled<std::uint8_t>({1, 2, 3, 4, 11, 12, 13, 14, 21, 22, 23, 24});
  const cl::Buffer pixels = filled<std::uint8_t>(12, 0);
  // [permute]
  clprim::permute<std::uint8_t> reorder(queue);
  reorder(clprim::array<std::uint8_t>(planes, {3, height, width}), {1, 2, 0},  // axes of the input
          clprim::array<std::uint8_t>(pixels, {height, width, 3}));            // rgb rgb rgb …
  // [end]
  CHECK(docs::read<std::uint8_t>(pixels, 6) == std::vector<std::uint8_t>{1, 11, 21, 2, 12, 22});
}
