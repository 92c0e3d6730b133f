#pragma once
// OpenCL C of exchange `box`: a part of all axes passes through local memory.

#include <cstddef>
#include <string>

#include <clprim/core/source.hpp>
#include <clprim/transpose/variant.hpp>

namespace clprim::transpose_text {

/// Task and frame of exchange `box`.
inline constexpr kernel_text move_box = R"cl(
//   input, in its order            local memory                    output, in its order
//   [c c c c|c c c c|…] of one     box of all axes, as in the      [r r r|r r r|…] of one line
//   line of the box, V at a time   input, with gaps against        of the box, W at a time
//                                  conflicts of banks
//
// a0, a1, … are places along the axes within the box (0: the input's columns, 1: its rows),
// left0, left1, … what is left of the axes from the corner of the box on; IN_NEXT and OUT_NEXT go
// on to the next element of a run, which may lie at another place of every axis.

INLINE void load_box(__local OUT_STORED *pool, const __global IN_STORED *in, const bool whole,
                     const int r0 UNUSED, const int c0 UNUSED BOX_PARAMETERS CONVERT_PARAMETERS)
{
    for (int turn = 0; turn < LOADS; turn += HELD) {
        IN_RUN run[HELD];
        EACH for (int i = 0; i < HELD; ++i) {
            const uint e = ((uint)get_local_id(0) + (turn + i) * ITEMS) * V;
            IN_AXES(e)
            run[i] = (IN_RUN)(0);
            if (IN_FITS(e) && (whole || INSIDE)) run[i] = READ_RUN(in + IN_PLACE);
        }
        EACH for (int i = 0; i < HELD; ++i) {
            const uint e = ((uint)get_local_id(0) + (turn + i) * ITEMS) * V;
            IN_AXES(e)
            // A map may read a buffer by row and column: it sees those of the matrix alone.
            if (IN_FITS(e) && (whole || INSIDE)) {
                const int first UNUSED = POOL_PLACE;
                int at UNUSED = first;
                IN_STORED one[V];
                OUT_STORED done[V];
                UNPACK_IN(one, run[i])
                EACH for (int k = 0; k < V; ++k) {
                    done[k] = CONVERT(one[k], r0 + a1, c0 + a0);
                    KEEP_ELEMENT
                    IN_NEXT
                }
                KEEP_RUN
            }
        }
    }
}

INLINE void store_box(const __local OUT_STORED *pool, __global OUT_STORED *out, const bool whole
                      BOX_PARAMETERS)
{
    for (int turn = 0; turn < STORES; turn += STORED) {
        EACH for (int i = 0; i < STORED; ++i) {
            const uint e = ((uint)get_local_id(0) + (turn + i) * ITEMS) * W;
            OUT_AXES(e)
            if (OUT_FITS(e) && (whole || INSIDE)) {
                __global OUT_STORED *const to = out + OUT_PLACE;
                int at UNUSED = POOL_PLACE;
                OUT_STORED one[W];
                EACH for (int k = 0; k < W; ++k) {
                    one[k] = pool[at];
                    OUT_NEXT
                }
                WRITE_RUN(to, PACK_WIDE(one));
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
    __local OUT_STORED pool[POOL] POOL_ALIGNED;
    uint rest = (uint)get_group_id(0);
    int r0 = 0, c0 = 0;
    bool whole = true;
    BOX_STEPS
    in += in_offset;
    out += out_offset;
    if (whole) load_box(pool, in, true, r0, c0 BOX_ARGUMENTS CONVERT_ARGUMENTS);
    else load_box(pool, in, false, r0, c0 BOX_ARGUMENTS CONVERT_ARGUMENTS);
    barrier(CLK_LOCAL_MEM_FENCE);
    if (whole) store_box(pool, out, true BOX_ARGUMENTS);
    else store_box(pool, out, false BOX_ARGUMENTS);
}
)cl";

/// The texts that a box is made of: places along its axes a0, a1, … and the way to them.
class box_text {
 public:
  box_text(const transpose_variant& v, const transpose_geometry& g) : v_(v), g_(g), box_(v.box) {}

  static std::string n(int i) { return std::to_string(i); }
  static int at(const transpose_box::axes& order, int i) {
    return order[static_cast<std::size_t>(i)];
  }
  int step_of(int a) const { return g_.places.step[static_cast<std::size_t>(a)]; }
  std::string in_step(int a) const {
    return a == 0 ? "1" : a == 1 ? "in_pitch" : "in_step" + n(a - 2);
  }
  std::string out_step(int a) const {
    const bool lines = v_.task == transpose_task::lines;
    return a > 1 ? "out_step" + n(a - 2) : (a == 0) == lines ? "1" : "out_pitch";
  }
  static std::string extent(int a) {
    return a == 0 ? "cols" : a == 1 ? "rows" : "(int)extent" + n(a - 2);
  }

  /// The places of element `e` along the axes first … last - 1 of an order, counted along them;
  /// with what is loaded before the box, or without.
  std::string axes(const transpose_box::axes& order, int first, int last, bool loaded) const {
    const auto wide_of = [&](int a) { return loaded ? loaded_extent(box_, a) : box_.at(a); };
    int volume = 1, past = 1;
    for (int i = first; i < last; ++i) volume *= wide_of(at(order, i));
    std::string text;
    for (int i = first; i < last; ++i) {
      const int a = at(order, i), wide = wide_of(a);
      std::string place = past == 1 ? "(e)" : "(e) / " + n(past) + "u";
      past *= wide;
      if (past < volume) place += " % " + n(wide) + "u";
      text += "int a" + n(a) + " UNUSED = " + (wide == 1 ? "0" : "(int)(" + place + ")") + "; ";
    }
    return text;
  }
  /// From an element of a run of the order to the next one, and its place in local memory: `at`.
  std::string next(const transpose_box::axes& order, int vector) const {
    std::string text, closing;
    int volume = 1, back = 0;  // what a step along the axes before leads back
    for (int i = 0; i < box_.rank; ++i) {
      const int a = at(order, i);
      if (box_.at(a) == 1) continue;
      text += "at += " + n(step_of(a) - back) + "; ";
      volume *= box_.at(a);
      if (volume % vector == 0) {  // where runs end
        text += "++a" + n(a) + "; ";
        break;
      }
      back = box_.at(a) * step_of(a);
      text += "if (++a" + n(a) + " == " + n(box_.at(a)) + ") { a" + n(a) + " = 0; ";
      closing += "} ";
    }
    return text + closing;
  }
  /// Of places along axes first … last - 1 of an order: whether they are inside the matrix.
  std::string inside(const transpose_box::axes& order, int first, int last) const {
    std::string text;
    for (int i = first; i < last; ++i) {
      const int a = at(order, i);
      if (loaded_extent(box_, a) > 1) text += " && a" + n(a) + " < left" + n(a);
    }
    return text.empty() ? "true" : "(" + text.substr(4) + ")";
  }
  /// And the way to them from the corner of the box, by the steps of a side.
  std::string way(const transpose_box::axes& order, int first, int last,
                  const std::string& by) const {
    std::string text;
    for (int i = first; i < last; ++i) {
      const int a = at(order, i);
      if (loaded_extent(box_, a) > 1) text += " + (INDEX)a" + n(a) + " * " + by + n(a);
    }
    return sum(text);
  }
  /// And in local memory, from the first element that is loaded on, or from that of the box.
  std::string pool_way(const transpose_box::axes& order, int first, int last, bool loaded) const {
    std::string text;
    for (int i = first; i < last; ++i) {
      const int a = at(order, i), step = step_of(a), wide = loaded_extent(box_, a);
      if (wide == 1) continue;
      const std::string place =
          wide == box_.at(a) || loaded ? "a" + n(a) : "(a" + n(a) + " + LEAD)";
      text += " + " + place + (step == 1 ? "" : " * " + n(step));
      if (g_.places.gap > 0 && a == only_axis(box_))
        text += " + (" + place + " >> 2) * " + n(g_.places.gap);
    }
    return sum(text);
  }
  static std::string sum(const std::string& terms) {
    return terms.empty() ? std::string("0") : "(" + terms.substr(3) + ")";
  }

  /// Where the box of this group is: the offsets of its corner, what is left of each axis from
  /// there on, whether all of the box is inside. By words also the corner as counted from the first
  /// element of the input.
  void define_steps(source_builder& out) const {
    const bool words = box_.words.in > 0;
    std::string parameters, arguments, steps;
    for (int i = 0; i < box_.rank; ++i) {
      // The first groups differ along the axis that runs fastest in the output.
      const int a = at(box_.out_order, i), wide = box_.at(a), lead = loaded_extent(box_, a) - wide;
      const std::string left = "left" + n(a), places = "places" + n(a), place = "place" + n(a);
      parameters += ", const int " + left + " UNUSED";
      arguments += ", " + left;
      steps += "const uint " + places + " = ((uint)(" + extent(a) + ") + " + n(lead + wide - 1) +
               "u) / " + n(wide) + "u; const long " + place + " = (long)(rest % " + places +
               ") * " + n(wide) + "; rest /= " + places + "; const int " + left + " = (int)(" +
               extent(a) + " - " + place + "); whole = whole && " + left + " >= " + n(wide) +
               (lead > 0 ? " && " + place + " > 0; " : "; ");
      const auto move = [&](const std::string& to, const std::string& step, bool offsets) {
        steps += (offsets || !words   ? to
                  : to == "in_offset" ? "corner"
                                      : to) +
                 " += " + (offsets ? step + "[" + place + "]; " : place + " * " + step + "; ");
      };
      move("in_offset", in_step(a), a == 2 && v_.in_offsets);
      move("out_offset", out_step(a), a == 2 && v_.out_offsets);
      if (a < 2) steps += (a == 0 ? "c0 = (int)" : "r0 = (int)") + place + "; ";
      if (lead > 0) {
        steps += "corner -= " + n(lead) + " * " + in_step(a) + "; const int before = (int)" +
                 place + "; ";
        parameters += ", const int before UNUSED";
        arguments += ", before";
      }
      if (loaded_extent(box_, a) == 1) continue;
      const auto by = [&](const std::string& name, const std::string& step) {
        steps += "const INDEX " + name + n(a) + " = (INDEX)" + step + "; ";
        parameters += ", const INDEX " + name + n(a) + " UNUSED";
        arguments += ", " + name + n(a);
      };
      by("in_by", in_step(a));
      by("out_by", out_step(a));
    }
    out.define("BOX_PARAMETERS", parameters);
    out.define("BOX_ARGUMENTS", arguments);
    out.define("BOX_STEPS", steps);
  }

 private:
  const transpose_variant& v_;
  const transpose_geometry& g_;
  const transpose_box& box_;
};

/// Everything in which boxes differ.
inline void define_box(source_builder& out, const transpose_policy& p, const transpose_variant& v,
                       const transpose_geometry& g) {
  const transpose_box& box = v.box;
  const box_text text(v, g);
  const auto fits = [&](const std::string& name, int runs, int vector) {
    out.define(name + "(e)", runs * vector * p.items == box.volume()
                                 ? std::string("1")
                                 : "((e) < " + std::to_string(box.volume()) + "u)");
  };
  out.define("LOADS", g.blocks);
  out.define("STORES", g.runs);
  out.define("STORED", g.stored);
  fits("IN_FITS", g.blocks, g.vector);
  fits("OUT_FITS", g.runs, g.out_vector);
  out.define("IN_AXES(e)", text.axes(box.in_order, 0, box.rank, false));
  out.define("OUT_AXES(e)", text.axes(box.out_order, 0, box.rank, false));
  out.define("IN_PLACE", text.way(box.out_order, 0, box.rank, "in_by"));
  out.define("OUT_PLACE", text.way(box.out_order, 0, box.rank, "out_by"));
  out.define("IN_NEXT", text.next(box.in_order, g.vector));
  out.define("OUT_NEXT", text.next(box.out_order, g.out_vector));
  out.define("POOL_PLACE", text.pool_way(box.out_order, 0, box.rank, true));
  const bits_text run(v.out.bytes, g.vector);
  const bool runs = g.places.runs;
  out.define("POOL_ALIGNED", runs ? "__attribute__((aligned(16)))" : "");
  out.define("KEEP_ELEMENT", runs ? "" : "pool[at] = done[k];");
  out.define("KEEP_RUN",
             runs ? run.store("pool + first", run.pack("done"), true, "__local") + ";" : "");
  out.define("INSIDE", text.inside(box.out_order, 0, box.rank));
  text.define_steps(out);
  out.define("PACK_WIDE(from)", bits_text(v.out.bytes, g.out_vector).pack("from"));
}

}  // namespace clprim::transpose_text
