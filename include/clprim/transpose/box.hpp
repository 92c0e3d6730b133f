#pragma once
// Boxes of exchange `box`: what of several axes a group moves at once, chosen so that loads and
// stores both run along memory however the axes change places.

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <numeric>

#include <clprim/core/access/banks.hpp>

namespace clprim {

/// One axis: how many elements, and how far they lie apart in the input and in the output.
struct transpose_axis {
  std::int64_t extent = 1;
  std::int64_t in_step = 0;
  std::int64_t out_step = 0;
};

/// How a box moves by aligned words wherever its lines start (transpose/box_words.hpp). A line is
/// what of a box lies together on one side; sizes in elements.
struct box_words {
  int in = 0;            ///< of a word of the input; 0: not by words, by runs that are aligned
  int out = 0;           ///< and of the output
  int in_axes = 0;       ///< axes, the first of a side's order, that a line runs along
  int out_axes = 0;      ///< and those of the output
  int in_alignment = 1;  ///< lines start at multiples of it, which divides the word
  int out_alignment = 1;
  bool ends = false;           ///< lines of the output may end within a word
  int piece = 0;               ///< shear: lines of the output start and end at multiples of it
  int lead = 0;                ///< shear: what is loaded before the box for that
  std::array<int, 7> phase{};  ///< steps of the axes in the input, modulo the word

  friend constexpr bool operator==(const box_words&, const box_words&) = default;
};

/// A box of the axes of a problem: 0 its columns, 1 its rows, 2 + a its outer axis a.
struct transpose_box {
  static constexpr int axis_limit = 7;
  using axes = std::array<int, axis_limit>;

  int rank = 0;      ///< of the problem; 0: there is no box
  axes extent{};     ///< along each axis
  axes in_order{};   ///< the axes, the one of the smallest step in the input first
  axes out_order{};  ///< and by their steps in the output
  box_words words{};

  constexpr int at(int axis) const { return extent[static_cast<std::size_t>(axis)]; }
  constexpr int volume() const {
    int all = 1;
    for (int a = 0; a < rank; ++a) all *= at(a);
    return all;
  }
  friend constexpr bool operator==(const transpose_box&, const transpose_box&) = default;
};

namespace detail {

/// A box that grows: its axes' extents and steps beside it.
struct growing_box {
  std::array<transpose_axis, transpose_box::axis_limit> all{};
  transpose_box box{};
  std::array<bool, transpose_box::axis_limit> done{};  ///< axes that do not grow any more

  const transpose_axis& axis(int a) const { return all[static_cast<std::size_t>(a)]; }
  int& extent(int a) { return box.extent[static_cast<std::size_t>(a)]; }

  struct line {
    std::int64_t run = 1;  ///< elements that are neighbours
    int next = -1;         ///< the axis by which the run may grow
  };
  line line_of(const transpose_box::axes& order, std::int64_t transpose_axis::*step) const {
    line l;
    for (int i = 0; i < box.rank; ++i) {
      const int a = order[static_cast<std::size_t>(i)];
      if (axis(a).extent == 1) continue;
      if (axis(a).*step != l.run) return l;
      l.run *= box.at(a);
      if (box.at(a) == axis(a).extent) continue;
      if (!done[static_cast<std::size_t>(a)]) l.next = a;
      return l;
    }
    return l;
  }
  /// Twice as much of an axis, or what the box has room for; where that is nothing, it is done.
  void grow(int a, std::int64_t most) {
    const std::int64_t others = box.volume() / box.at(a);
    const auto wanted = std::min({axis(a).extent, std::int64_t{box.at(a)} * 2, most / others});
    if (wanted > box.at(a))
      extent(a) = static_cast<int>(wanted);
    else
      done[static_cast<std::size_t>(a)] = true;
  }
  /// Boxes of alike extent along an axis, which start where the axis' own alignment is kept.
  void even_out(int a, std::int64_t most) {
    const std::int64_t n = axis(a).extent, mine = box.at(a);
    if (mine == n || mine == 1) return;
    const std::int64_t parts = (n + mine - 1) / mine, even = (n + parts - 1) / parts;
    const std::int64_t unit = std::gcd(n, std::int64_t{16});
    const std::int64_t others = box.volume() / mine;
    const std::int64_t up = (even + unit - 1) / unit * unit;
    const std::int64_t best = up * others <= most ? up : mine / unit * unit;
    if (best > 0) extent(a) = static_cast<int>(best);
  }
};

}  // namespace detail

/// A box of at most `most` elements of `rank` axes: whichever of the two sides has the shorter run
/// of neighbours gets more of the axis that makes it longer. Axes that are `fixed` (their places
/// come from a buffer) stay one element wide.
inline transpose_box box_of(const std::array<transpose_axis, transpose_box::axis_limit>& all,
                            int rank, int fixed, std::int64_t most) {
  detail::growing_box g{.all = all};
  transpose_box& box = g.box;
  box.rank = rank;
  box.extent.fill(1);
  const auto sort = [&](transpose_box::axes& order, std::int64_t transpose_axis::*step) {
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.begin() + rank,
                     [&](int a, int b) { return g.axis(a).*step < g.axis(b).*step; });
  };
  sort(box.in_order, &transpose_axis::in_step);
  sort(box.out_order, &transpose_axis::out_step);
  if (fixed >= 0) g.done[static_cast<std::size_t>(fixed)] = true;
  const auto in = [&] { return g.line_of(box.in_order, &transpose_axis::in_step); };
  const auto out = [&] { return g.line_of(box.out_order, &transpose_axis::out_step); };
  for (;;) {
    const auto from = in(), to = out();
    int a = from.run <= to.run ? from.next : to.next;
    if (a < 0) a = from.run <= to.run ? to.next : from.next;
    for (int i = 0; a < 0 && i < rank; ++i) {
      const int one = box.in_order[static_cast<std::size_t>(i)];
      if (!g.done[static_cast<std::size_t>(one)] && box.at(one) < g.axis(one).extent) a = one;
    }
    if (a < 0) break;
    g.grow(a, most);
  }
  for (int a = 0; a < rank; ++a) g.even_out(a, most);
  return box;
}

/// Elements that all runs of a box start at multiples of, at most `most`, a power of two: those of
/// the side whose axes are in `order` by `step`. `bits` are or-ed of all that addresses start from.
inline int box_vector(const transpose_box& box,
                      const std::array<transpose_axis, transpose_box::axis_limit>& all,
                      const transpose_box::axes& order, std::int64_t transpose_axis::*step,
                      std::int64_t bits, int most) {
  std::int64_t run = 1;
  bool along = true;  // all axes so far are within the run
  for (int i = 0; i < box.rank; ++i) {
    const int a = order[static_cast<std::size_t>(i)];
    const transpose_axis& one = all[static_cast<std::size_t>(a)];
    if (one.extent == 1) continue;
    along = along && one.*step == run;
    if (!along) {
      bits |= one.*step;
      continue;
    }
    run *= box.at(a);
    along = box.at(a) == one.extent;
    if (!along) bits |= one.extent * one.*step;  // where the last run is cut
  }
  bits |= run;
  int vector = 1;
  while (vector < most && bits % (2 * vector) == 0) vector *= 2;
  return vector;
}

/// How far neighbours along each axis lie apart in local memory, and how many places there are:
/// in the order of the input, with gaps behind axes where lanes of a warp would meet in a bank.
struct box_places {
  transpose_box::axes step{};
  int count = 0;
  bool runs = false;  ///< runs of the input stay whole, at multiples of their length
  int gap = 0;        ///< by words: behind every fourth place along the output's lines
};

/// Element e of the box, counted in an order of its axes: its place in local memory.
constexpr int box_place(const transpose_box& box, const transpose_box::axes& order,
                        const box_places& places, int e) {
  int place = 0;
  for (int i = 0; i < box.rank; ++i) {
    const int a = order[static_cast<std::size_t>(i)];
    place += e % box.at(a) * places.step[static_cast<std::size_t>(a)];
    e /= box.at(a);
  }
  return place;
}

/// The gaps with which two warps' stores and loads take the fewest steps, of one element a lane or
/// of the input's runs as a whole; the places stay within `most`.
constexpr box_places places_of(const transpose_box& box, int bytes, int in_vector, int out_vector,
                               int most) {
  constexpr std::array<int, 4> gaps{0, 1, 2, 4};
  const auto with = [&](int code, bool runs) {
    const int unit = std::max(runs ? in_vector : 1, 4 / bytes);
    box_places p{.runs = runs};
    int step = 1, volume = 1;
    for (int i = 0; i < box.rank; ++i) {
      const int a = box.in_order[static_cast<std::size_t>(i)];
      p.step[static_cast<std::size_t>(a)] = step;
      if (box.at(a) == 1) continue;
      volume *= box.at(a);
      step *= box.at(a);
      if (runs && volume % in_vector != 0) continue;  // runs go on behind this axis
      step += gaps[static_cast<std::size_t>(code % 4)] * unit;
      code /= 4;
    }
    p.count = box_place(box, box.in_order, p, box.volume() - 1) + 1;
    return p;
  };
  const auto steps = [&](const box_places& p, const transpose_box::axes& order, int vector,
                         int access) {
    int all = 0;
    for (const int first : {0, 32 * vector}) {
      if (first + 32 * vector > box.volume()) continue;
      all += bank_conflicts(banks_of(90), access, 32, [&](int lane) {
               return std::int64_t{bytes} * box_place(box, order, p, first + lane * vector);
             }).steps;
    }
    return all;
  };
  // Steps for as many elements on both sides: those of one access, by its elements.
  const auto cost = [&](const box_places& p) {
    const int in = p.runs ? steps(p, box.in_order, in_vector, bytes * in_vector)
                          : steps(p, box.in_order, in_vector, bytes) * in_vector;
    return in + steps(p, box.out_order, out_vector, bytes) * in_vector;
  };
  box_places best = with(0, false);
  int fewest = cost(best);
  const auto consider = [&](const box_places& p) {
    if (p.count > most) return;
    const int steps_of_p = cost(p);
    if (steps_of_p < fewest) {
      fewest = steps_of_p;
      best = p;
    }
  };
  for (int code = 0; code < 64; ++code) {
    if (code > 0) consider(with(code, false));
    if (in_vector > 1 && bytes * in_vector <= 16) consider(with(code, true));
  }
  return best;
}

}  // namespace clprim
