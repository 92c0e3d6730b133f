#pragma once
// OpenCL C of exchange `box` by aligned words: lines that start anywhere, as an odd pitch makes
// them, are read and written as wide as others.

#include <string>

#include <clprim/core/source.hpp>
#include <clprim/core/streaming_text.hpp>
#include <clprim/transpose/box_kernel.hpp>
#include <clprim/transpose/box_words.hpp>
#include <clprim/transpose/variant.hpp>

namespace clprim::transpose_text {

/// Task and frame.
inline constexpr kernel_text move_words = R"cl(
//   input, a line of the box      local memory, the same words     output, a line of the box
//   |. . x x|x x x x|x . . .|     |. . x x|x x x x|x . . .|        . y|y y y y|y y y y|y y .
//    V elements a word             each line starts as far into     a word is gathered, element
//                                  its word here as there           by element; ends go alone
//
// So the place of an element in local memory is a sum of steps along the axes, wherever its line
// starts. With LEAD the lines of the output run from one piece of memory to another:
//
//        -LEAD      0                       extent
//          . . [. . y y y y y y y y y y y y] y y         along the output: what is loaded,
//              -shift                                    and what of it is stored here
//
// a0, a1, … are places along the axes within the box (0: the input's columns, 1: its rows), along
// the axis of LEAD from there on where lines are loaded; left0, left1, … what is left of the axes
// from the corner of the box on.

// A word, some of whose elements are those from x to `high` of a line. What reaches past the first
// or last element of the input is read by elements.
INLINE IN_WORD read_word_at(const __global IN_STORED *from, const bool inside, const int x UNUSED,
                            const int high UNUSED)
{
    if (V == 1 || inside) return *(const __global IN_WORD *)from;
    IN_STORED one[V];
    EACH for (int n = 0; n < V; ++n) {
        one[n] = 0;
        if (x + n >= 0 && x + n < high) one[n] = from[n];
    }
    return PACK_IN_WORD(one);
}

INLINE void load_words(__local IN_WORD *pool, const int base, const __global IN_STORED *in,
                       const bool plain, const long corner, const long total BOX_PARAMETERS)
{
    const int high = plain ? IN_LENGTH : IN_HIGH;
    for (int turn = 0; turn < LOADS; turn += HELD) {
        IN_WORD word[HELD];
        EACH for (int i = 0; i < HELD; ++i) {
            const uint e = (uint)get_local_id(0) + (turn + i) * ITEMS;
            IN_LINE(e / IN_WORDS)
            const int x = (int)(e % IN_WORDS) * V - ((base + IN_LINE_POOL) & (V - 1));
            word[i] = (IN_WORD)(0);
            if (IN_FITS(e) && x < high && (plain || IN_LINE_INSIDE)) {
                const INDEX at = IN_LINE_PLACE + x;
                const bool inside = plain || (corner + at >= 0 && corner + at + V <= total);
                word[i] = read_word_at(in + at, inside, x, high);
            }
        }
        EACH for (int i = 0; i < HELD; ++i) {
            const uint e = (uint)get_local_id(0) + (turn + i) * ITEMS;
            IN_LINE(e / IN_WORDS)
            const int at = base + IN_LINE_POOL, w = (int)(e % IN_WORDS);
            // A word more than the line has is the next line's.
            if (IN_FITS(e) && w * V - (at & (V - 1)) < high) pool[at / V + w] = word[i];
        }
    }
}

INLINE void store_words(const __local IN_STORED *pool, __global OUT_STORED *out, const bool plain,
                        const int r0 UNUSED, const int c0 UNUSED BOX_PARAMETERS CONVERT_PARAMETERS)
{
    const int low UNUSED = OUT_LOW, high UNUSED = plain && !LEAD ? OUT_LENGTH : OUT_HIGH;
    for (int turn = 0; turn < STORES; turn += STORED) {
        EACH for (int i = 0; i < STORED; ++i) {
            const uint e = (uint)get_local_id(0) + (turn + i) * ITEMS;
            OUT_LINE(e / OUT_WORDS)
            if (OUT_FITS(e) && (plain || OUT_LINE_INSIDE)) {
                __global OUT_STORED *const line = out + OUT_LINE_PLACE;
                const int y = (int)OUT_WORD_OF(e) * W - SHIFT(line);
                if ((plain && !ENDS) || (y >= low && y + W <= high)) {
                    OUT_STORED one[W];
                    GATHER
                    WRITE_RUN(line + y, PACK_OUT_WORD(one));
                }
            }
        }
    }
}

// What is left of each line at its two ends, W - 1 elements of each at most. (Not of store_words:
// PoCL 3.1 drops what follows a loop of a group within a branch.)
INLINE void store_ends(const __local IN_STORED *pool, __global OUT_STORED *out, const bool whole,
                       const int r0 UNUSED, const int c0 UNUSED BOX_PARAMETERS CONVERT_PARAMETERS)
{
    const int low UNUSED = OUT_LOW, high UNUSED = OUT_HIGH;
    const int turns = (LEAD > 0 ? !whole : ENDS) ? END_TURNS : 0;
    for (int turn = 0; turn < turns; ++turn) {
        const uint e = (uint)get_local_id(0) + turn * ITEMS;
        OUT_LINE(e / (2 * W))
        if (e < OUT_LINES * 2 * W && (whole || OUT_LINE_INSIDE)) {
            __global OUT_STORED *const line = out + OUT_LINE_PLACE;
            const int shift = SHIFT(line), n = (int)(e % (2 * W));
            const int from = LEAD ? max(low, -shift) : low;
            const int to = LEAD ? min(high, OUT_LENGTH - shift) : high;
            const int first = from + (-(from + shift) & (W - 1));  // of words that are whole
            const int last = to - ((to + shift) & (W - 1));
            const int y = n < W ? from + n : max(first, last) + n - W;
            if (y < (n < W ? min(first, to) : to)) {
                OUT_ALONG(y)
                line[y] = CONVERT(pool[POOL_PLACE], r0 + a1, c0 + a0);
            }
        }
    }
}

__attribute__((reqd_work_group_size(ITEMS, 1, 1)))
__kernel void transpose(const int rows, const int cols,
                        const __global IN_STORED *restrict in, long in_offset, const long in_pitch,
                        __global OUT_STORED *restrict out, long out_offset, const long out_pitch
                        OUTER_PARAMETERS CONVERT_PARAMETERS)
{
    __local IN_WORD pool[POOL / V];
    uint rest = (uint)get_group_id(0);
    int r0 = 0, c0 = 0;
    bool whole = true;
    long corner = 0;
    BOX_STEPS
    const long total = IN_TOTAL;
    in += in_offset + corner;
    out += out_offset;
    // No word of the box reaches past the input.
    const bool plain = whole && corner >= V && corner + IN_REACH + V <= total;
    const int base = (int)((uint)(size_t)in / (uint)sizeof(IN_STORED) & (V - 1));
    if (plain) load_words(pool, base, in, true, corner, total BOX_ARGUMENTS);
    else load_words(pool, base, in, false, corner, total BOX_ARGUMENTS);
    barrier(CLK_LOCAL_MEM_FENCE);
    const __local IN_STORED *const from = (const __local IN_STORED *)pool + base;
    if (whole) store_words(from, out, true, r0, c0 BOX_ARGUMENTS CONVERT_ARGUMENTS);
    else store_words(from, out, false, r0, c0 BOX_ARGUMENTS CONVERT_ARGUMENTS);
    store_ends(from, out, whole, r0, c0 BOX_ARGUMENTS CONVERT_ARGUMENTS);
}
)cl";

/// An unsigned integer, or a vector of such, of so many bytes.
inline std::string word_type(int bytes) {
  return bytes <= 2 ? bits_text(bytes, 1).type() : bits_text(4, bytes / 4).type();
}

/// The word of the `width` elements of `bytes` bytes in the array `from`. Narrow ones are shifted
/// into their places: compilers keep vectors of bytes in a register each.
inline std::string word_of(int bytes, int width, const std::string& from) {
  const auto one = [&](int i) { return from + "[" + std::to_string(i) + "]"; };
  if (width == 1) return bytes <= 4 ? one(0) : "as_" + word_type(bytes) + "(" + one(0) + ")";
  const std::string type = word_type(bytes * width);
  if (bytes >= 4) return "as_" + type + "(" + bits_text(bytes, width).pack(from) + ")";
  const int each = std::min(4 / bytes, width);
  std::string text = "(" + type + ")(";
  for (int i = 0; i < width; ++i) {
    if (i > 0) text += i % each == 0 ? ", " : " | ";
    text +=
        "(uint)" + one(i) + (i % each == 0 ? "" : " << " + std::to_string(8 * bytes * (i % each)));
  }
  return text + ")";
}

/// The elements of a word from element y of a line on: their places follow from the first one's by
/// additions.
inline std::string gather_text(const box_text& text, const transpose_box& box,
                               const transpose_geometry& g) {
  const auto n = [](int i) { return std::to_string(i); };
  const std::string begin = "OUT_ALONG(y) ", loop = "EACH for (int n = 0; n < W; ++n) { one[n] = ",
                    place = ", r0 + a1, c0 + a0); ";
  if (g.places.gap > 0) {
    // Behind a gap every fourth place: the four from the first one on, and what four lead on.
    const int a = only_axis(box);
    return begin + "int at[4]; EACH for (int n = 0; n < 4; ++n) { at[n] = POOL_PLACE; ++a" + n(a) +
           "; } a" + n(a) + " -= 4; " + loop + "CONVERT(pool[at[n & 3] + (n >> 2) * " +
           n(4 * text.step_of(a) + g.places.gap) + "]" + place + "++a" + n(a) + "; }";
  }
  // Where the fastest axis is as wide as a word, one of its elements is the first of a next place
  // along the others, at most: from there on all lie as far off, which is found once.
  const int fastest = fastest_axis(box);
  const bool once = fastest >= 0 && box.at(fastest) >= box.words.out;
  std::string next, closing, jump;
  int back = 0, left = box.words.out_axes;
  for (int i = 0; i < box.words.out_axes; ++i) {
    const int a = box_text::at(box.out_order, i), wide = box.at(a), step = text.step_of(a);
    --left;
    if (wide == 1 && left > 0) continue;
    if (!once) next += "at += " + n(step - back) + "; ";
    if (a != fastest) jump += "jump += " + n(step - back) + "; ";
    back = wide * step;
    if (left == 0) {
      next += "++a" + n(a) + "; ";
      continue;
    }
    next += "if (++a" + n(a) + " == " + n(wide) + ") { a" + n(a) + " = 0; ";
    jump += a == fastest ? "" : "if (a" + n(a) + " + 1 == " + n(wide) + ") { ";
    closing += "} ";
  }
  if (!once)
    return begin + "int at = POOL_PLACE; " + loop + "CONVERT(pool[at]" + place + next + closing +
           "}";
  return begin + "const int at = POOL_PLACE, until = " + n(box.at(fastest)) + " - a" + n(fastest) +
         "; int jump = 0; " + jump + closing.substr(std::min(closing.size(), std::size_t{2})) +
         loop + "CONVERT(pool[at + n * " + n(text.step_of(fastest)) + " + (n < until ? 0 : jump)]" +
         place + next + closing + "}";
}

/// What each box by words has of its own.
inline void define_box_words(source_builder& out, const transpose_policy& p,
                             const transpose_variant& v, const transpose_geometry& g) {
  const transpose_box& box = v.box;
  const box_words& w = box.words;
  const box_text text(v, g);
  const word_counts counts = word_counts_of(box);
  const auto n = [](int i) { return std::to_string(i); };
  const auto fits = [&](const std::string& name, int runs, int all) {
    out.define(name + "(e)", runs * p.items == all ? std::string("1") : "((e) < " + n(all) + "u)");
  };
  const int in_length = line_length(box, box.in_order, w.in_axes),
            out_length = line_length(box, box.out_order, w.out_axes), along = only_axis(box);
  // Elements of a line inside the matrix: of the axis that it ends along all or what is left.
  const auto high = [&](const transpose_box::axes& order, int axes, int length) {
    if (axes == 0) return std::string("1");
    const int a = last_axis(order, axes);
    return "(min(left" + n(a) + ", " + n(box.at(a)) + ") * " + n(length / box.at(a)) + ")";
  };
  out.define("LOADS", g.blocks);
  out.define("STORES", g.runs);
  out.define("STORED", g.stored);
  out.define("IN_LENGTH", in_length);
  out.define("IN_WORDS", n(counts.in_words) + "u");
  out.define("OUT_LENGTH", out_length);
  out.define("OUT_LINES", n(counts.out_lines) + "u");
  out.define("END_TURNS", (counts.out_lines * 2 * w.out + p.items - 1) / p.items);
  out.define("OUT_WORDS", n(counts.out_words) + "u");
  out.define("OUT_WORD_OF(e)", counts.out_lines == 1 ? "(e)" : "((e) % OUT_WORDS)");
  fits("IN_FITS", g.blocks, counts.in_lines * counts.in_words);
  fits("OUT_FITS", g.runs, counts.out_lines * counts.out_words);
  out.define("IN_WORD", word_type(w.in * v.in.bytes));
  out.define("PACK_IN_WORD(from)", word_of(v.in.bytes, w.in, "from"));
  out.define("PACK_OUT_WORD(from)", word_of(v.out.bytes, w.out, "from"));
  text.define_steps(out);

  // Lines of the input.
  out.define("IN_LINE(e)", text.axes(box.in_order, w.in_axes, box.rank, true));
  out.define("IN_LINE_POOL", text.pool_way(box.in_order, w.in_axes, box.rank, true));
  out.define("IN_LINE_PLACE", text.way(box.in_order, w.in_axes, box.rank, "in_by"));
  std::string inside = text.inside(box.in_order, w.in_axes, box.rank);
  if (w.lead > 0) {
    // The axis with a lead is counted from there on.
    const std::string a = "a" + n(along), left = a + " < left" + n(along);
    inside.replace(inside.find(left), left.size(),
                   a + " < left" + n(along) + " + LEAD && " + a + " + before >= LEAD");
  }
  out.define("IN_LINE_INSIDE", inside);
  out.define("IN_HIGH", high(box.in_order, w.in_axes, in_length));
  std::string total = "1", reach;
  for (int a = 0; a < box.rank; ++a) {
    if (!(a == 2 && v.in_offsets))
      total += " + (long)(" + text.extent(a) + " - 1) * " + text.in_step(a);
    if (loaded_extent(box, a) > 1)
      reach += " + (long)" + n(loaded_extent(box, a) - 1) + " * in_by" + n(a);
  }
  out.define("IN_TOTAL", total);
  out.define("IN_REACH", box_text::sum(reach));

  // And of the output.
  out.define("ENDS", static_cast<int>(w.lead == 0 && w.ends));
  out.define("OUT_LOW", w.lead > 0 ? "-before" : "0");
  out.define("OUT_HIGH",
             w.lead > 0 ? "left" + n(along) : high(box.out_order, w.out_axes, out_length));
  const int piece = w.lead > 0 ? w.piece : w.out;
  out.define("SHIFT(line)",
             w.lead == 0 && w.out_alignment == w.out
                 ? std::string("0")
                 : "(int)((uint)(size_t)(line) / (uint)sizeof(OUT_STORED) & " + n(piece - 1) + ")");
  out.define("OUT_LINE(e)", text.axes(box.out_order, w.out_axes, box.rank, false));
  out.define("OUT_LINE_PLACE", text.way(box.out_order, w.out_axes, box.rank, "out_by"));
  out.define("OUT_LINE_INSIDE", text.inside(box.out_order, w.out_axes, box.rank));
  out.define("OUT_ALONG(e)", text.axes(box.out_order, 0, w.out_axes, false));
  out.define("POOL_PLACE", text.pool_way(box.out_order, 0, box.rank, false));
  out.define("GATHER", gather_text(text, box, g));
}

}  // namespace clprim::transpose_text
