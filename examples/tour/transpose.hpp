#pragma once
// Transposition on the tour: the copy that it is measured by, a large matrix, and the planes of the
// picture (rows, columns, channels to channels, rows, columns).

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <clprim/copy.hpp>
#include <clprim/transpose.hpp>

#include "section.hpp"

namespace examples {

namespace detail {

/// Right or wrong as an accuracy: the number of wrong elements, of which none is allowed.
inline accuracy exact(std::size_t wrong) {
  accuracy a;
  a.add(static_cast<double>(wrong), 0);
  return a;
}

inline std::string in_short(const clprim::transpose_policy& p) {
  return std::to_string(p.tile_rows) + "×" + std::to_string(p.tile_cols) + ", vectors of " +
         std::to_string(p.vector) + ", " + std::to_string(p.items);
}

}  // namespace detail

inline void tour_transpose(tour& t) {
  t.step("copy and transposition");
  const bool cpu = t.facts.kind == clprim::device_kind::cpu;
  const int n = cpu ? 2048 : 8192;
  const auto count = static_cast<std::size_t>(n) * static_cast<std::size_t>(n);
  std::vector<float> a(count);
  random_numbers random(4);
  for (float& x : a) x = static_cast<float>(random.next());
  const cl::Buffer A = upload(t.on, a), B = make_buffer<float>(t.on, count);
  const double bytes = 2.0 * sizeof(float) * static_cast<double>(count);

  clprim::copy<float> duplicate(t.on.queue);
  const auto from = clprim::vector<float>(A, n * std::int64_t{n}),
             to = clprim::vector<float>(B, n * std::int64_t{n});
  tour_row row{.primitive = "copy", .problem = std::to_string(n) + "²"};
  const clprim::copy_policy moved = duplicate.schedule(from, to).policy;
  row.policy = std::to_string(moved.per_item) + " vectors of " + std::to_string(moved.vector) +
               ", " + std::to_string(moved.items);
  row.seconds = measure(t.on, [&] { return duplicate(from, to); }).median;
  row.bytes = bytes;
  row.checked = detail::exact(download<float>(t.on, B, count) == a ? 0 : 1);
  t.add(std::move(row), "copy: " + clprim::to_string(moved) + "\n");

  clprim::transpose<float> turn(t.on.queue);
  const auto view = clprim::matrix<float>(A, n, n), turned = clprim::matrix<float>(B, n, n);
  row = {.primitive = "transpose", .problem = std::to_string(n) + "²"};
  row.policy = detail::in_short(turn.schedule(view, turned).policy);
  row.seconds = measure(t.on, [&] { return turn(view, turned); }).median;
  row.bytes = bytes;
  const std::vector<float> result = download<float>(t.on, B, count);
  std::size_t wrong = 0;
  for (std::size_t r = 0; r < static_cast<std::size_t>(n); ++r)
    for (std::size_t c = 0; c < static_cast<std::size_t>(n); ++c)
      wrong += result[c * static_cast<std::size_t>(n) + r] == a[r * static_cast<std::size_t>(n) + c]
                   ? 0
                   : 1;
  row.checked = detail::exact(wrong);
  t.add(std::move(row), turn.explain(view, turned));

  const std::int64_t height = t.picture.height, width = t.picture.width;
  const cl::Buffer pixels = upload(t.on, t.picture.rgb),
                   planes = make_buffer<std::uint8_t>(t.on, t.picture.rgb.size());
  clprim::permute<std::uint8_t> order(t.on.queue);
  const auto x = clprim::array<std::uint8_t>(pixels, {height, width, 3}),
             y = clprim::array<std::uint8_t>(planes, {3, height, width});
  row = {.primitive = "permute: pixels to planes",
         .problem = std::to_string(height) + "×" + std::to_string(width) + "×3"};
  row.policy = "strips";
  row.seconds = measure(t.on, [&] { return order(x, {2, 0, 1}, y); }).median;
  row.bytes = 2.0 * static_cast<double>(t.picture.rgb.size());
  const auto got = download<std::uint8_t>(t.on, planes, t.picture.rgb.size());
  wrong = 0;
  for (std::size_t i = 0; i < t.picture.pixels(); ++i)
    for (std::size_t c = 0; c < 3; ++c)
      wrong += got[c * t.picture.pixels() + i] == t.picture.rgb[3 * i + c] ? 0 : 1;
  row.checked = detail::exact(wrong);
  t.add(std::move(row), order.explain(x, {2, 0, 1}, y));
}

}  // namespace examples
