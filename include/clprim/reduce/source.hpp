#pragma once
// policy + kind of problem + reduction -> the OpenCL C source. Needs no device.
#include <bit>
#include <string>

#include <clprim/core/source.hpp>
#include <clprim/reduce/columns_kernel.hpp>
#include <clprim/reduce/fetch_source.hpp>
#include <clprim/reduce/group_text.hpp>
#include <clprim/reduce/message_text.hpp>
#include <clprim/reduce/operator_source.hpp>
#include <clprim/reduce/ragged_kernel.hpp>
#include <clprim/reduce/rows_kernel.hpp>
#include <clprim/reduce/rules.hpp>
#include <clprim/reduce/staged_kernel.hpp>
#include <clprim/reduce/variant.hpp>
#include <clprim/reduce/walk_text.hpp>

namespace clprim {
namespace reduce_text {

/// The member that holds the number of a state of one.
inline std::string only_member(const reduction& what) {
  return "p0." + state_members(what.parts[0])[0].name;
}

/// One way to put the states of items together, as function combine_<name>.
inline void write_combine(source_builder& out, const reduction& what, const reduce_policy& p,
                          const std::string& name, int items, int apart) {
  const bool together = apart == 1, whole = together && items == p.group;
  const replacements words{
      {"NAME", name}, {"ITEMS", std::to_string(items)}, {"APART", std::to_string(apart)}};
  const auto is = [&](group_method m) { return p.method == m; };
  if (items == 1) {
    out.line("inline state combine_" + name +
             "(state s, __local state *const shared) { return s; }");
  } else if (is(group_method::shuffle) && together) {
    out.text(combine_shuffle, words);
  } else if (is(group_method::two_steps) && whole && items >= 64) {
    out.text(combine_two_steps, words);
  } else if (is(group_method::sub_group) && whole) {
    out.text(combine_sub_group, words);
  } else if (is(group_method::work_group) && whole) {
    std::string all;  // one after the other for each part
    for (std::size_t k = 0; k < what.parts.size(); ++k) {
      const std::string m = "p" + std::to_string(k) + "." + state_members(what.parts[k])[0].name;
      all += " s." + m + " = work_group_reduce_add(s." + m + ");";
    }
    out.line("inline state combine_" + name + "(state s, __local state *const shared) {" + all +
             " return s; }");
  } else if (is(group_method::interleaved)) {
    out.text(combine_interleaved, words);
  } else {
    out.text(combine_sequential, words);
  }
}

inline void write_extensions(source_builder& out, const reduce_variant& v, const reduction& what) {
  const auto enable = [&](const std::string& name) {
    out.line("#pragma OPENCL EXTENSION " + name + " : enable");
  };
  if (what.needs_fp64()) enable("cl_khr_fp64");
  if (v.wide_atomics) enable("cl_khr_int64_base_atomics");
  if (v.dialect == reduce_dialect::khr_sub_groups) {
    enable("cl_khr_subgroups");
    enable("cl_khr_subgroup_shuffle");
  }
  if (v.dialect == reduce_dialect::intel_sub_groups) enable("cl_intel_subgroups");
}

/// The words of the dialects.
inline void write_dialect(source_builder& out, const reduce_policy& p, const reduce_variant& v) {
  if (p.method == group_method::shuffle) {
    out.define("SHUFFLE(to, from, d)",
               "asm volatile(\"shfl.sync.bfly.b32 %0, %1, %2, 31, 0xffffffff;\" : \"=r\"(to) : "
               "\"r\"(from), \"r\"(d))");
  } else if (v.dialect == reduce_dialect::khr_sub_groups) {
    out.define("SHUFFLE(to, from, d)", "to = sub_group_shuffle_xor(from, (uint)(d))");
  } else if (v.dialect == reduce_dialect::intel_sub_groups) {
    out.define("SHUFFLE(to, from, d)", "to = intel_sub_group_shuffle_xor(from, (uint)(d))");
  }
}

/// How the number of an outer result becomes a place: X_PLACE(o), Y_PLACE(o). The axes after the
/// fastest come as kernel arguments.
inline void write_outer_axes(source_builder& out, const reduce_variant& v, bool two) {
  std::string parameters, x, y, declared, body;
  for (int k = 1; k < v.outer_axes; ++k) {
    const std::string n = std::to_string(k);
    parameters += ", const long extent" + n + ", const long x_axis" + n;
    if (two) parameters += ", const long y_axis" + n;
    x += ", extent" + n + ", x_axis" + n;
    y += ", extent" + n + ", y_axis" + n;
    declared += ", const long extent" + n + ", const long stride" + n;
    body += "    at += o % extent" + n + " * stride" + std::to_string(k - 1) +
            ";\n    o /= extent" + n + ";\n";
  }
  out.define("OUTER_PARAMETERS", parameters);
  if (v.outer_axes == 1) {
    out.define("X_PLACE(o)", "((o) * x_row)");
    out.define("Y_PLACE(o)", "((o) * y_row)");
    return;
  }
  out.line("inline long place_of(long o, const long stride0" + declared +
           ")\n{\n    long at = 0;\n" + body + "    return at + o * stride" +
           std::to_string(v.outer_axes - 1) + ";\n}");
  out.define("X_PLACE(o)", "place_of(o, x_row" + x + ")");
  out.define("Y_PLACE(o)", "place_of(o, y_row" + y + ")");
}

/// The constants that policy and variant set.
inline void write_constants(source_builder& out, const reduce_policy& p, const reduce_variant& v) {
  const bool ragged = v.shape == reduce_shape::ragged;
  const auto finish = [&](group_finish f) { return p.finish == f && v.split && !ragged; };
  const bool mailed = v.split && !ragged && is_mailed(p.finish);
  const bool fenced = finish(group_finish::last_group_fenced);
  out.define("EACH", "_Pragma(\"unroll\")");
  out.define("GROUP", p.group);
  out.define("VECTOR", v.vector);
  out.define("LOADS", p.loads);
  out.define("STREAMS", p.streams);
  // What is left after rounds of so many loads: the greatest power of two below them comes first.
  const int rounds = v.shape == reduce_shape::columns ? p.loads : p.loads / p.streams;
  out.define("LESS_LOADS", static_cast<int>(std::bit_floor(static_cast<unsigned>(rounds - 1))));
  out.define("LEFT_TOGETHER", v.together);
  out.define("ITEMS", v.items);
  out.define("GRID_STRIDE", p.grid_stride && v.shape == reduce_shape::rows);
  out.define("PEELED", v.vector > 1 && !v.aligned && !p.unaligned && !v.strided);
  out.define("STEP", v.strided ? "step" : "1");
  out.define("STEP_OF_Y", v.strided ? "step_of_y" : "1");
  out.define("SPLIT", v.split);
  // 32 bits count up to 2^39 elements in blocks of 128; a 64-bit division takes a GPU 0.1 us.
  out.define("BLOCKS", p.group * v.vector >= 128 ? "uint" : "ulong");
  out.define("LOOPED", v.looped);
  out.define("LAST_GROUP", mailed || fenced);
  out.define("LAST_STARTED", finish(group_finish::last_started) && v.shape == reduce_shape::rows);
  out.define("MAILED", mailed);
  out.define("WIDE_MESSAGES", v.wide_atomics);
  out.define("ANY_ORDER", finish(group_finish::any_order));
  // Where one item sends and counts there is nothing to wait for.
  out.define("SENT_BY_FIRST", v.shape == reduce_shape::rows || mailed);
  out.define("FENCE", fenced ? "asm volatile(\"fence.acq_rel.gpu;\" ::: \"memory\")" : "");
  // A group that is not the last one need not go on; PoCL wants all barriers passed by all.
  out.define("EARLY_EXIT", fenced || (mailed && p.method == group_method::shuffle));
  const std::string barrier = p.group == 1 ? "" : "barrier(CLK_LOCAL_MEM_FENCE)";
  out.define("BARRIER", barrier);
  // PoCL 3.1 loses what the items but the first hold where a loop with barriers ends in a branch.
  out.define("LOOP_END", p.method == group_method::shuffle ? "" : barrier);
}

/// What stands for the second operand, where there is one, and for the map's parameters.
inline void write_parameters(source_builder& out, const reduction& what, const reduce_variant& v) {
  const auto define = [&](const std::string& name, const std::string& text) {
    out.define(name, what.two_operands ? text : "");
  };
  const std::string pointer = ", const __global STORED *";
  out.define("STORED", what.element.stored);
  define("Y_ONLY(text)", "text");
  define("Y_AT(place)", ", place");
  define("Y_POINTER", pointer + "y");
  define("Y_STEP", ", const long step_of_y");
  define("Y_PARAMETER", pointer + "restrict y");
  define("Y_OF_RAGGED", pointer + "restrict y, const long y_offset");
  const function user = carried(what.map);
  out.define("MAP_PARAMETERS", parameter_list(user));
  out.define("MAP_ARGUMENTS", call_list(user));
  write_outer_axes(out, v, what.two_operands);
  if (v.shape != reduce_shape::ragged) out.text(numbers_type);
}

/// Where groups meet: in words of the object's own, in the workspace, or nowhere.
inline void write_meeting(source_builder& out, const reduce_policy& p, const reduce_variant& v) {
  const bool kept = uses_kept_words(p, v), left = leaves_partials(p, v);
  const std::string none = "(__global uint *)0";
  out.define("KEPT_PARAMETER", kept ? ", __global uint *kept" : "");
  out.define("LEFT_PARAMETER", left ? ", __global uint *left" : "");
  out.define("COUNTERS", kept ? "kept" : none);
  out.define("PARTIAL", left ? "left"
                        : kept && sends_messages(p, v)
                            ? "kept + " + std::to_string(reduce_regions::messages)
                        : kept ? "kept"
                               : none);
}

inline void write_columns(source_builder& out, const reduction& what, const reduce_policy& p,
                          const reduce_variant& v) {
  out.define("COLUMNS", p.columns);
  out.define("RUNS", p.column_runs);
  out.define("TILE", tile_columns(p, v));
  out.define("OWN(i)", "(begin + (i) * COLUMNS * VECTOR)");
  out.define("COLUMN(i)", "min(OWN(i), inner - VECTOR)");
  write_combine(out, what, p, "column", p.group / p.columns, p.columns);
  out.text(columns_kernel);
}

inline void write_ragged(source_builder& out, const reduction& what, const reduce_policy& p,
                         const reduce_variant& v) {
  if (v.items < p.group)
    write_combine(out, what, p, "group", p.group, 1);
  else
    out.line(
        "inline state combine_group(state s, __local state *const shared)\n"
        "{ return combine_row(s, shared); }");
  out.define("MEDIUM", medium_segment(p, v));
  out.define("LONG", long_segment(p));
  out.define("LISTED_AT", reduce_regions::listed);
  out.define("LIST_AT", reduce_regions::list);
  if (v.staged) {
    out.define("TILE", p.ragged_tile);
    out.text(staged_kernel);
  } else {
    out.text(ragged_kernel);
  }
  out.text(long_segments);
}

}  // namespace reduce_text

/// The OpenCL C source of a reduction under policy `p` for the problem kind `v`: kernel
/// `reduce_rows`, `reduce_columns` or `reduce_ragged` with `reduce_long` and `reduce_long_finish`;
/// and `reduce_finish` when the states of groups are put together by a second kernel. Throws
/// policy_error when `p` breaks a rule or cannot keep what the operator promises.
inline std::string reduce_source(const reduce_policy& p, const reduce_variant& v,
                                 const reduction& of) {
  using namespace reduce_text;
  check_rules(p);
  check_contract(p, of);
  const bool columns = v.shape == reduce_shape::columns, ragged = v.shape == reduce_shape::ragged;
  rule(!columns || p.columns <= p.group, "columns must be items of one group", p.columns, p.group);
  source_builder out;
  out.banner("clprim reduction of " + of.element.stored + "\n" + to_string(p));
  write_extensions(out, v, of);
  write_user(out, of);
  const reduction what = renamed(of);
  write_dialect(out, p, v);
  write_constants(out, p, v);
  write_parameters(out, what, v);
  if (!ragged) write_meeting(out, p, v);
  if (what.parts[0].op == reduce_operator::user) out.define("STATE_TYPE", user_state);
  const int parts = static_cast<int>(what.parts.size());
  for (int k = 0; k < parts; ++k) define_part(out, what, k, v.vector);
  write_fetch(out, what, p, v);
  for (int k = 0; k < parts; ++k) write_part(out, what, k, v.vector);
  write_whole(out, what);
  out.text(v.relaxed ? relaxed_words : exchanged_words);
  out.text(messages);
  if (p.finish == group_finish::any_order && v.split && !ragged)
    out.text(v.memory_adds ? arrival_by_addition : arrival, {{"MEMBER", only_member(what)}});
  else
    out.line(
        "inline int arrive(__global uint *const partial, const long place, const int parts, "
        "state *const s) { return 0; }");
  if (p.method == group_method::shuffle || v.dialect != reduce_dialect::portable)
    out.text(shuffled_state);
  if (columns) {
    write_columns(out, what, p, v);
  } else {
    out.text(walk);
    write_combine(out, what, p, "row", v.items, 1);
    if (ragged)
      write_ragged(out, what, p, v);
    else
      out.text(rows_kernel);
  }
  if (v.split && p.finish == group_finish::second_kernel && !ragged) {
    out.define("FINISH_GROUP", finish_group(p, v));
    out.define("FINISH_SHARED", finish_is_shared(v));
    if (finish_is_shared(v))
      out.define("combine_finish", "combine_row");
    else
      out.line("inline state combine_finish(state s, __local state *const shared) { return s; }");
    out.text(finish_kernel);
  }
  return out.str();
}

}  // namespace clprim
