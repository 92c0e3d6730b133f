// What must hold between transpositions: there and back, of a part, and permutations that undo or
// follow each other; and linearity in what is scaled.

#include "support/relations.hpp"

#include <cstdint>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include <clprim/transpose.hpp>

#include "transpose/turning.hpp"

using namespace clprim;
using namespace support;

namespace {

transpose_options draw_options(draw& d) {
  transpose_options options;
  if (!d.chance(20)) options.policy = draw_transpose_policy(d);
  return options;
}
std::string text_of(const transpose_options& options) {
  return options.policy ? "\n  " + to_string(*options.policy) : "\n  the tuned policy";
}

/// A matrix of these elements, row by row, as it lies.
template <class T> std::vector<T> laid_out(const placed& p, const std::vector<T>& x) {
  std::vector<T> all(p.size(), T{7});
  std::size_t i = 0;
  for (std::int64_t r = 0; r < p.rows; ++r)
    for (std::int64_t c = 0; c < p.cols; ++c) all[p.at(0, r, c)] = x[i++];
  return all;
}
template <class T> std::vector<T> elements_of(const placed& p, const std::vector<T>& all) {
  std::vector<T> x;
  for (std::int64_t r = 0; r < p.rows; ++r)
    for (std::int64_t c = 0; c < p.cols; ++c) x.push_back(all[p.at(0, r, c)]);
  return x;
}

/// The transpose of rows x cols elements, from a drawn place to another one.
template <class T> struct drawn_turn {
  placed from, to;
  transpose_options options;
  drawn_turn(draw& d, std::int64_t rows, std::int64_t cols)
    : from(draw_place(d, rows, cols, 1)),
      to(draw_place(d, cols, rows, 1)),
      options(draw_options(d)) {}
  std::vector<T> operator()(const std::vector<T>& x, T scale = T{1}) const {
    const session& s = device_session();
    const guarded_buffer<T> a(s, laid_out(from, x), T{9});
    guarded_buffer<T> b(s, std::vector<T>(to.size(), T{8}), T{9});
    transpose<T> turn(s.queue, options);
    const auto A = from.view<T>(a.buffer()), B = to.view<T>(b.buffer());
    if constexpr (std::same_as<T, float>)
      turn(scale, A, B);
    else
      turn(A, B);
    return elements_of(to, b.read());
  }
  std::string text() const {
    return "\n  " + support::text_of(from) + " to " + support::text_of(to) + text_of(options);
  }
};

template <class T> void related_turns(const char* name, int cases) {
  run_campaign(std::string("relations of ") + name, cases, [](draw& d) {
    const int rows = d.between(1, d.one_of({3, 20, 150})),
              cols = d.between(1, d.one_of({3, 20, 150}));
    std::vector<T> x(static_cast<std::size_t>(rows * cols));
    for (T& one : x) one = static_cast<T>(d.bits());
    const drawn_turn<T> there(d, rows, cols);
    if (d.chance(50)) {
      const drawn_turn<T> back(d, cols, rows);
      const std::string complaint = difference("(A^T)^T = A", inexact(back(there(x))), inexact(x));
      return complaint.empty() ? complaint : complaint + there.text() + back.text();
    }
    // The rows from r on and the columns from c on.
    const int r = d.between(0, rows - 1), c = d.between(0, cols - 1);
    std::vector<std::size_t> part, turned;
    for (int i = r; i < rows; ++i)
      for (int j = c; j < cols; ++j) part.push_back(static_cast<std::size_t>(i * cols + j));
    for (int j = c; j < cols; ++j)
      for (int i = r; i < rows; ++i) turned.push_back(static_cast<std::size_t>(j * rows + i));
    std::vector<T> some;
    for (const std::size_t place : part) some.push_back(x[place]);
    const drawn_turn<T> of_part(d, rows - r, cols - c);
    const std::string complaint = difference("the transpose of a part is part of the transpose",
                                             inexact(of_part(some)), inexact(there(x)).at(turned));
    return complaint.empty() ? complaint : complaint + there.text() + of_part.text();
  });
}

}  // namespace

CAMPAIGN("matrices of bytes turned twice, and in parts, are what they were") {
  related_turns<std::uint8_t>("bytes", 4);
}
CAMPAIGN("matrices of 32 bits turned twice, and in parts, are what they were") {
  related_turns<std::uint32_t>("32 bits", 6);
}
CAMPAIGN("matrices of 64 bits turned twice, and in parts, are what they were") {
  related_turns<std::uint64_t>("64 bits", 3);
}

CAMPAIGN("a transposition with a factor is linear") {
  run_campaign("linear transpositions", 4, [](draw& d) {
    const int rows = d.between(1, d.one_of({3, 60})), cols = d.between(1, d.one_of({3, 60}));
    const drawn_turn<float> turn(d, rows, cols);
    const float scale = static_cast<float>(d.between(-16, 16)) / 8;
    const std::string complaint = complaint_of_linearity(
        d, linear_map<float>{static_cast<std::size_t>(rows * cols),
                             [&](const std::vector<float>& x) { return turn(x, scale); },
                             std::abs(scale), static_cast<long double>(gamma<float>(1))});
    return complaint.empty() ? complaint : complaint + turn.text();
  });
}

CAMPAIGN("axes permuted and back are what they were, and two permutations are one") {
  run_campaign("relations of permutations", 8, [](draw& d) -> std::string {
    const session& s = device_session();
    const auto rank = static_cast<std::size_t>(d.between(1, 5));
    const auto draw_axes = [&] {
      std::vector<int> axes;
      for (const std::size_t a : draw_order(d, rank)) axes.push_back(static_cast<int>(a));
      return axes;
    };
    std::vector<std::int64_t> extents(rank);
    std::int64_t count = 1;
    for (std::int64_t& n : extents) count *= n = d.between(1, rank > 3 ? 6 : rank > 2 ? 12 : 60);
    std::vector<std::uint32_t> x(static_cast<std::size_t>(count));
    for (std::uint32_t& one : x) one = static_cast<std::uint32_t>(d.bits());
    const auto permuted_extents = [&](const std::vector<std::int64_t>& of,
                                      const std::vector<int>& axes) {
      std::vector<std::int64_t> some;
      for (const int a : axes) some.push_back(of.at(static_cast<std::size_t>(a)));
      return some;
    };
    std::string text;
    const auto permuted = [&](const std::vector<std::uint32_t>& elements,
                              const std::vector<std::int64_t>& of, const std::vector<int>& axes) {
      const guarded_buffer<std::uint32_t> a(s, elements, 9);
      guarded_buffer<std::uint32_t> b(s, std::vector<std::uint32_t>(elements.size()), 9);
      const transpose_options options = draw_options(d);
      permute<std::uint32_t> order(s.queue, options);
      order(array<std::uint32_t>(a.buffer(), of), std::span<const int>(axes),
            array<std::uint32_t>(b.buffer(), permuted_extents(of, axes)));
      text += "\n  axes";
      for (std::size_t k = 0; k < axes.size(); ++k)
        text += " " + std::to_string(axes[k]) + " of " + std::to_string(of[k]);
      text += text_of(options);
      return b.read();
    };
    const std::vector<int> first = draw_axes();
    const auto once = permuted(x, extents, first);
    const auto turned = permuted_extents(extents, first);
    std::string complaint;
    if (d.chance(50)) {
      std::vector<int> back(rank);
      for (std::size_t k = 0; k < rank; ++k)
        back[static_cast<std::size_t>(first[k])] = static_cast<int>(k);
      complaint =
          difference("permuted and back", inexact(permuted(once, turned, back)), inexact(x));
    } else {
      const std::vector<int> second = draw_axes();
      std::vector<int> both;
      for (const int k : second) both.push_back(first[static_cast<std::size_t>(k)]);
      complaint = difference("two permutations are one", inexact(permuted(once, turned, second)),
                             inexact(permuted(x, extents, both)));
    }
    return complaint.empty() ? complaint : complaint + text;
  });
}
