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

/// Everything in which boxes differ.
inline void define_box(source_builder& out, const transpose_policy& p, const transpose_variant& v,
                       const transpose_geometry& g) {
  const transpose_box& box = v.box;
  const auto n = [](int i) { return std::to_string(i); };
  const auto at = [](const transpose_box::axes& order, int i) {
    return order[static_cast<std::size_t>(i)];
  };
  const bool lines = v.task == transpose_task::lines;
  const auto in_step = [&](int a) {
    return a == 0 ? "1" : a == 1 ? "in_pitch" : "in_step" + n(a - 2);
  };
  const auto out_step = [&](int a) {
    return a > 1 ? "out_step" + n(a - 2) : (a == 0) == lines ? "1" : "out_pitch";
  };
  const auto extent = [&](int a) {
    return a == 0 ? "cols" : a == 1 ? "rows" : "(int)extent" + n(a - 2);
  };
  // The places of element e along the axes of the box, counted in an order of them.
  const auto axes = [&](const transpose_box::axes& order) {
    std::string text;
    int past = 1;
    for (int i = 0; i < box.rank; ++i) {
      const int a = at(order, i), wide = box.at(a);
      std::string place = past == 1 ? "(e)" : "(e) / " + n(past) + "u";
      past *= wide;
      if (past < box.volume()) place += " % " + n(wide) + "u";
      text += "int a" + n(a) + " UNUSED = " + (wide == 1 ? "0" : "(int)(" + place + ")") + "; ";
    }
    return text;
  };
  // From an element of a run to the next one, and its place in local memory: `at`.
  const auto next = [&](const transpose_box::axes& order, int vector) {
    const auto step_of = [&](int a) { return g.places.step[static_cast<std::size_t>(a)]; };
    std::string text, closing;
    int volume = 1, back = 0;  // what a step along the axes before leads back
    for (int i = 0; i < box.rank; ++i) {
      const int a = at(order, i);
      if (box.at(a) == 1) continue;
      text += "at += " + n(step_of(a) - back) + "; ";
      volume *= box.at(a);
      if (volume % vector == 0) {  // where runs end
        text += "++a" + n(a) + "; ";
        break;
      }
      back = box.at(a) * step_of(a);
      text += "if (++a" + n(a) + " == " + n(box.at(a)) + ") { a" + n(a) + " = 0; ";
      closing += "} ";
    }
    return text + closing;
  };
  std::string parameters, arguments, steps, inside, from, to;
  for (int i = 0; i < box.rank; ++i) {
    // The first groups differ along the axis that runs fastest in the output.
    const int a = at(box.out_order, i), wide = box.at(a);
    const std::string left = "left" + n(a), places = "places" + n(a), place = "place" + n(a);
    parameters += ", const int " + left + " UNUSED";
    arguments += ", " + left;
    steps += "const uint " + places + " = ((uint)(" + extent(a) + ") + " + n(wide - 1) + "u) / " +
             n(wide) + "u; const long " + place + " = (long)(rest % " + places + ") * " + n(wide) +
             "; rest /= " + places + "; const int " + left + " = " + extent(a) + " - (int)" +
             place + "; whole = whole && " + left + " >= " + n(wide) + "; ";
    const auto move = [&](const std::string& side, const std::string& step, bool offsets) {
      steps += side +
               "_offset += " + (offsets ? step + "[" + place + "]; " : place + " * " + step + "; ");
    };
    move("in", in_step(a), a == 2 && v.in_offsets);
    move("out", out_step(a), a == 2 && v.out_offsets);
    if (a < 2) steps += (a == 0 ? "c0 = (int)" : "r0 = (int)") + place + "; ";
    if (wide == 1) continue;
    inside += (inside.empty() ? "a" : " && a") + n(a) + " < " + left;
    from += " + (INDEX)a" + n(a) + " * in_by" + n(a);
    to += " + (INDEX)a" + n(a) + " * out_by" + n(a);
    const auto by = [&](const std::string& name, const std::string& step) {
      steps += "const INDEX " + name + n(a) + " = (INDEX)" + step + "; ";
      parameters += ", const INDEX " + name + n(a) + " UNUSED";
      arguments += ", " + name + n(a);
    };
    by("in_by", in_step(a));
    by("out_by", out_step(a));
  }
  std::string pool;
  for (int a = 0; a < box.rank; ++a) {
    const int step = g.places.step[static_cast<std::size_t>(a)];
    if (box.at(a) > 1) pool += " + a" + n(a) + (step == 1 ? "" : " * " + n(step));
  }
  const auto sum = [](const std::string& terms) {
    return terms.empty() ? std::string("0") : "(" + terms.substr(3) + ")";
  };
  const auto fits = [&](const std::string& name, int runs, int vector) {
    out.define(name + "(e)", runs * vector * p.items == box.volume()
                                 ? std::string("1")
                                 : "((e) < " + n(box.volume()) + "u)");
  };
  out.define("LOADS", g.blocks);
  out.define("STORES", g.runs);
  out.define("STORED", g.stored);
  fits("IN_FITS", g.blocks, g.vector);
  fits("OUT_FITS", g.runs, g.out_vector);
  out.define("IN_AXES(e)", axes(box.in_order));
  out.define("OUT_AXES(e)", axes(box.out_order));
  out.define("IN_PLACE", sum(from));
  out.define("OUT_PLACE", sum(to));
  out.define("IN_NEXT", next(box.in_order, g.vector));
  out.define("OUT_NEXT", next(box.out_order, g.out_vector));
  out.define("POOL_PLACE", sum(pool));
  const bits_text run(v.out.bytes, g.vector);
  const bool runs = g.places.runs;
  out.define("POOL_ALIGNED", runs ? "__attribute__((aligned(16)))" : "");
  out.define("KEEP_ELEMENT", runs ? "" : "pool[at] = done[k];");
  out.define("KEEP_RUN",
             runs ? run.store("pool + first", run.pack("done"), true, "__local") + ";" : "");
  out.define("INSIDE", inside.empty() ? std::string("true") : "(" + inside + ")");
  out.define("BOX_PARAMETERS", parameters);
  out.define("BOX_ARGUMENTS", arguments);
  out.define("BOX_STEPS", steps);
  out.define("PACK_WIDE(from)", bits_text(v.out.bytes, g.out_vector).pack("from"));
}

}  // namespace clprim::transpose_text
