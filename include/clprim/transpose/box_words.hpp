#pragma once
// Boxes that are read and written by aligned words wherever their lines start: what the words are,
// and where they lie in local memory.

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>

#include <clprim/core/access/banks.hpp>
#include <clprim/transpose/box.hpp>

namespace clprim {

/// The lines of one side of a box: elements that are neighbours in memory.
struct box_line {
  int axes = 0;      ///< the first so many of the side's order
  int length = 1;    ///< elements
  bool cut = false;  ///< the last of the axes goes on behind the box
};

/// The axis that a line ends along.
constexpr int last_axis(const transpose_box::axes& order, int axes) {
  return order[static_cast<std::size_t>(axes - 1)];
}

/// Elements of a line that takes the first `axes` of an order.
constexpr int line_length(const transpose_box& box, const transpose_box::axes& order, int axes) {
  int length = 1;
  for (int i = 0; i < axes; ++i) length *= box.at(order[static_cast<std::size_t>(i)]);
  return length;
}

/// The only axis of more than one element that a line of the output runs along; -1: several, none.
constexpr int only_axis(const transpose_box& box) {
  int only = -1, many = 0;
  for (int i = 0; i < box.words.out_axes; ++i) {
    const int a = box.out_order[static_cast<std::size_t>(i)];
    if (box.at(a) == 1) continue;
    only = a;
    ++many;
  }
  return many == 1 ? only : -1;
}

/// The axis that neighbours in a line of the output lie along, of those of more than one element;
/// -1: none.
constexpr int fastest_axis(const transpose_box& box) {
  for (int i = 0; i < box.words.out_axes; ++i) {
    const int a = box.out_order[static_cast<std::size_t>(i)];
    if (box.at(a) > 1) return a;
  }
  return -1;
}

/// Whether a line of the input runs along an axis.
constexpr bool in_line(const transpose_box& box, int a) {
  for (int i = 0; i < box.words.in_axes; ++i)
    if (box.in_order[static_cast<std::size_t>(i)] == a) return true;
  return false;
}

/// Elements that are loaded along an axis.
constexpr int loaded_extent(const transpose_box& box, int a) {
  return box.at(a) + (box.words.lead > 0 && a == only_axis(box) ? box.words.lead : 0);
}

/// The numbers of lines and of accesses that move a box by words.
struct word_counts {
  int in_lines = 1;
  int in_words = 1;  ///< of a line, at most
  int out_lines = 1;
  int out_words = 1;
};
constexpr word_counts word_counts_of(const transpose_box& box) {
  const box_words& w = box.words;
  const auto words = [](int length, int word, int alignment) {
    return (length + word - alignment + word - 1) / word;
  };
  const int in = line_length(box, box.in_order, w.in_axes),
            out = line_length(box, box.out_order, w.out_axes);
  word_counts n{.in_lines = 1,
                .in_words = words(in, w.in, w.in_alignment),
                .out_lines = box.volume() / out,
                .out_words = w.lead > 0 ? out / w.out : words(out, w.out, w.out_alignment)};
  for (int i = w.in_axes; i < box.rank; ++i)
    n.in_lines *= loaded_extent(box, box.in_order[static_cast<std::size_t>(i)]);
  return n;
}

/// Where elements lie in local memory: lines as words hold them in global memory, each element as
/// far into its word here as there. So lines lie apart by what they lie apart in the input, modulo
/// the word, and so far that no two share a word. `gaps` are words beyond that, behind the axes of
/// the lines in turn; `fourth` of them follow every fourth place along the output.
constexpr box_places word_places(const transpose_box& box, const std::array<int, 3>& gaps,
                                 int fourth) {
  const box_words& w = box.words;
  box_places p{.gap = fourth * w.in};
  int span = 1;
  std::size_t code = 0;
  for (int i = 0; i < box.rank; ++i) {
    const auto a = static_cast<std::size_t>(box.in_order[static_cast<std::size_t>(i)]);
    const int wide = loaded_extent(box, static_cast<int>(a));
    if (i < w.in_axes) {
      p.step[a] = span;
      span *= wide;
      continue;
    }
    if (wide == 1) continue;
    int least = span + w.in - w.in_alignment;
    least += code < gaps.size() ? gaps[code] * w.in : 0;
    ++code;
    p.step[a] = least + (w.phase[a] - least % w.in + w.in) % w.in;
    span += (wide - 1) * p.step[a];
    if (static_cast<int>(a) == only_axis(box)) span += (wide - 1) / 4 * p.gap;
  }
  p.count = (w.in - 1 + span + w.in - 1) / w.in * w.in;
  return p;
}

/// The gaps with which words of the output are gathered from the fewest steps, of two warps, and
/// places: fewer groups share a unit where a box takes much of its local memory.
constexpr box_places word_places_of(const transpose_box& box, int bytes, int most) {
  const box_words& w = box.words;
  const word_counts n = word_counts_of(box);
  const int only = only_axis(box);
  const bool fourths = only >= 0 && !in_line(box, only) && w.out >= 4 &&
                       w.phase[static_cast<std::size_t>(only)] % 2 == 0;
  // Elements of lines that start in words here and there, as an odd pitch makes them.
  const auto steps = [&](const box_places& p) {
    int all = 0;
    for (const int first : {0, 32})
      for (const int apart : {0, 1}) {
        all += bank_conflicts(banks_of(90), bytes, 32, [&](int lane) {
                 const int e = first + lane, line = e / n.out_words % n.out_lines;
                 int y = std::max(0, e % n.out_words * w.out - line * apart % w.out);
                 int place = 0, rest = line;
                 for (int i = 0; i < box.rank; ++i) {
                   const int a = box.out_order[static_cast<std::size_t>(i)];
                   int& from = i < w.out_axes ? y : rest;
                   const int at = from % box.at(a);
                   from /= box.at(a);
                   place += at * p.step[static_cast<std::size_t>(a)];
                   if (a == only) place += at / 4 * p.gap;
                 }
                 return std::int64_t{bytes} * place;
               }).steps;
      }
    return all;
  };
  box_places best = word_places(box, {}, 0);
  const auto cost = [&](const box_places& p) {
    const std::int64_t taken = steps(p);
    return taken * taken * p.count;
  };
  std::int64_t least = cost(best);
  for (int fourth = 0; fourth <= (fourths ? 1 : 0); ++fourth)
    for (int first = 0; first < 8; ++first)
      for (int code = 0; code < 4; ++code) {
        const box_places p = word_places(box, {first, code % 2, code / 2}, fourth);
        if (p.count > most) continue;
        const std::int64_t cost_of_p = cost(p);
        if (cost_of_p < least) {
          least = cost_of_p;
          best = p;
        }
      }
  return best;
}

namespace detail {

/// The line of a side of a box.
inline box_line line_of(const transpose_box& box,
                        const std::array<transpose_axis, transpose_box::axis_limit>& all,
                        const transpose_box::axes& order, std::int64_t transpose_axis::*step) {
  box_line line;
  for (int i = 0; i < box.rank; ++i) {
    const int a = order[static_cast<std::size_t>(i)];
    const transpose_axis& one = all[static_cast<std::size_t>(a)];
    if (one.extent == 1) continue;
    if (one.*step != line.length) return line;
    line.axes = i + 1;
    line.length *= box.at(a);
    line.cut = box.at(a) < one.extent;
    if (line.cut) return line;
  }
  return line;
}

/// Ends a line of the input before the axis that lines of the output run along, where what is left
/// has an access of 16 bytes and more: within a line no gap parts the places of local memory that
/// items next to each other gather from, and steps of 32 bytes and more are on few of its banks.
/// H200, 2026-11-28: bytes 16 x 67 x 11093 x 32 to 3 1 0 2 by such lines 1403 us.
inline void end_before(box_line& line, const transpose_box& box, int along, int bytes) {
  int length = 1;
  for (int i = 0; i < line.axes; ++i) {
    const int a = box.in_order[static_cast<std::size_t>(i)];
    if (i > 0 && a == along && length * bytes >= 16 && length * bytes % 4 == 0) {
      line = {.axes = i, .length = length};
      return;
    }
    length *= box.at(a);
  }
}

/// Takes the whole of the axis that lines of the output are cut along, where they then go on
/// with the next one, for fewer ends, which move element by element. What room that takes is
/// the input's: of its fastest axis, of which 64 bytes stay, the least that its lines run along
/// memory. The box has at most `most` places, with those that lines of the input leave free
/// where they start within words of `word` elements. Not where neighbours in the output lie an
/// even number of elements apart in the input: items would gather from few banks of local
/// memory. H200, 2026-11-29, us: bytes 15 x 257 x 63 x 65 to 0 2 3 1 25.2 -> 18.7; but 223 x
/// 255 x 8 x 511 to 1 2 3 0 215 -> 379, and shorts 97 x 480 x 6543 to 0 2 1 with lines of 50
/// bytes 304 -> 403.
inline void end_with_axis(transpose_box& box,
                          const std::array<transpose_axis, transpose_box::axis_limit>& all,
                          int bytes, int word, std::int64_t most) {
  const box_line cut = line_of(box, all, box.out_order, &transpose_axis::out_step);
  if (!cut.cut) return;
  transpose_box grown = box;
  const auto along = static_cast<std::size_t>(last_axis(box.out_order, cut.axes));
  // One whose places come from a buffer stays one wide.
  if (box.extent[along] == 1 || all[along].extent > most || all[along].in_step % 2 == 0) return;
  grown.extent[along] = static_cast<int>(all[along].extent);
  const box_line line = line_of(grown, all, box.out_order, &transpose_axis::out_step);
  if (line.axes == cut.axes || line.length < 2 * cut.length) return;
  const auto end = box.in_order.begin() + box.rank,
             first = std::find_if(box.in_order.begin(), end, [&](int a) { return box.at(a) > 1; });
  if (first == end || static_cast<std::size_t>(*first) == along) return;
  const auto fast = static_cast<std::size_t>(*first);
  const std::int64_t least = std::max(1, 64 / bytes),
                     others = static_cast<std::int64_t>(grown.volume()) / grown.extent[fast];
  const std::int64_t room = most / others - word;
  if (room < grown.extent[fast]) {
    if (room < least) return;
    const std::int64_t parts = (all[fast].extent + room - 1) / room,
                       even = (all[fast].extent + parts - 1) / parts,
                       up = (even + least - 1) / least * least;
    grown.extent[fast] = static_cast<int>(up <= room ? up : room / least * least);
  }
  box = grown;
}

/// Elements, at most `most`, a power of two, that all lines of a side start at multiples of.
inline int start_alignment(const transpose_box& box,
                           const std::array<transpose_axis, transpose_box::axis_limit>& all,
                           const transpose_box::axes& order, std::int64_t transpose_axis::*step,
                           const box_line& line, std::int64_t bits, int most) {
  if (line.cut) bits |= line.length;
  for (int i = line.axes; i < box.rank; ++i) {
    const transpose_axis& one = all[static_cast<std::size_t>(order[static_cast<std::size_t>(i)])];
    if (one.extent > 1) bits |= one.*step;
  }
  int alignment = 1;
  while (alignment < most && bits % (2 * alignment) == 0) alignment *= 2;
  return alignment;
}

/// The widest word of at most `widest` elements that lines have enough of.
inline int word_for(int length, int widest, int bytes) {
  int word = widest;
  while (word > 1 && length < (word * bytes > 4 ? 8 : 2) * word) word /= 2;
  return word;
}

}  // namespace detail

/// What words a box moves by.
struct word_wishes {
  int in_bytes = 4;  ///< of an element
  int out_bytes = 4;
  int vector = 4;             ///< elements of a word, at most
  int shear = 0;              ///< bytes
  std::int64_t in_bits = 0;   ///< or-ed of all that the input's addresses start from, in elements
  std::int64_t out_bits = 0;  ///< and the output's
  int most_places = 0;        ///< of local memory
};

/// Makes `box`, one of at most `most` elements, move by words. Where the lines of the output are
/// cut along one axis, with shear, boxes start and end at pieces of the output's memory, and load
/// what of the box before them is in the first of these.
inline void set_words(transpose_box& box,
                      const std::array<transpose_axis, transpose_box::axis_limit>& all,
                      const word_wishes& wish, std::int64_t most) {
  // Nine such groups share a unit of 228 KiB.
  constexpr std::int64_t largest = 24 * 1024;
  detail::end_with_axis(
      box, all, wish.in_bytes, wish.vector,
      std::min<std::int64_t>(wish.most_places, std::max(most, largest / wish.in_bytes)));
  box_words& w = box.words;
  box_line in = detail::line_of(box, all, box.in_order, &transpose_axis::in_step);
  box_line out = detail::line_of(box, all, box.out_order, &transpose_axis::out_step);
  w.out_axes = out.axes;
  const int along = only_axis(box), piece = wish.shear / wish.out_bytes;
  if (along >= 0) detail::end_before(in, box, along, wish.in_bytes);
  w.in_axes = in.axes;
  // Not where the line is whole along that axis, and goes on along one of which the box has one.
  const bool cut_along = out.cut && along >= 0 && last_axis(box.out_order, out.axes) == along;
  if (piece > 1 && cut_along && !in_line(box, along) && box.at(along) >= piece) {
    const int others = box.volume() / box.at(along);
    const int up = (box.at(along) + piece - 1) / piece * piece;
    const int even = std::int64_t{up} * others <= most ? up : box.at(along) / piece * piece;
    box.extent[static_cast<std::size_t>(along)] = even;
    out.length = even;
    const int alignment = detail::start_alignment(
        box, all, box.out_order, &transpose_axis::out_step, out, wish.out_bits, piece);
    if (alignment < piece) {
      w.piece = piece;
      w.lead = piece - alignment;
    }
  }
  const auto widest = [&](int bytes) { return std::max(1, std::min(wish.vector, 16 / bytes)); };
  w.out = w.lead > 0 ? std::min(widest(wish.out_bytes), piece)
                     : detail::word_for(out.length, widest(wish.out_bytes), wish.out_bytes);
  w.in = detail::word_for(in.length, widest(wish.in_bytes), wish.in_bytes);
  for (;; w.in /= 2) {
    w.in_alignment = detail::start_alignment(box, all, box.in_order, &transpose_axis::in_step, in,
                                             wish.in_bits, w.in);
    for (int i = 0; i < box.rank; ++i) {
      const auto a = static_cast<std::size_t>(box.in_order[static_cast<std::size_t>(i)]);
      w.phase[a] = i < in.axes ? 0 : static_cast<int>(all[a].in_step % w.in);
    }
    if (w.in == 1 || word_places(box, {}, 0).count <= wish.most_places) break;
  }
  w.out_alignment = detail::start_alignment(box, all, box.out_order, &transpose_axis::out_step, out,
                                            wish.out_bits, w.out);
  w.ends =
      box_vector(box, all, box.out_order, &transpose_axis::out_step, wish.out_bits, w.out) < w.out;
}

}  // namespace clprim
