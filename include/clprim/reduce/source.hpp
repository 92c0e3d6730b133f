#pragma once
// policy + kind of problem + reduction -> the OpenCL C source. Needs no device.
#include <string>

#include <clprim/core/source.hpp>
#include <clprim/reduce/columns_kernel.hpp>
#include <clprim/reduce/kernel.hpp>
#include <clprim/reduce/operator_source.hpp>
#include <clprim/reduce/ragged_kernel.hpp>
#include <clprim/reduce/variant.hpp>

namespace clprim {
namespace reduce_text {

/// How elements come in: `fetch_run` for VECTOR of them, `fetch_one`.
inline void write_fetch(source_builder& out, const reduction& what, const reduce_policy& p,
                        const reduce_variant& v) {
  const reduce_element& e = what.element;
  const bool user = what.parts[0].op == reduce_operator::user;
  const std::string operand = what.two_operands ? what.parts[0].value : e.compute;
  const std::string mapped = user ? "STATE_TYPE" : operand;
  const bool runs_aligned = !p.unaligned && !v.strided;
  out.define("MAPPED", mapped);
  if (user) {
    out.line("typedef struct { STATE_TYPE lane[VECTOR]; } MAPPED_RUN;");
    out.define("MAPPED_LANE(x, j)", "((x).lane[j])");
  } else {
    out.define("MAPPED_RUN", wide(mapped, v.vector));
    out.define("MAPPED_LANE(x, j)", "(((" + mapped + " *)&(x))[j])");
  }
  const auto operand_of = [&](const std::string& loaded, int lanes) {
    if (operand == e.compute) return loaded;
    return lanes == 1 ? "(" + operand + ")(" + loaded + ")"
                      : "convert_" + wide(operand, lanes) + "(" + loaded + ")";
  };
  if (e.stored == "half" && v.vector > 1) write_halves(out, v.vector);
  out.define("LOAD_RUN(p)", operand_of(load(e, v.vector, runs_aligned), v.vector));
  out.define("LOAD_OTHER(p)", operand_of(load(e, v.vector, runs_aligned && v.aligned), v.vector));
  out.define("LOAD_ONE(p)", operand_of(load(e, 1, false), 1));
  const std::string y = what.two_operands ? ", const " + operand + " y" : "";
  if (!what.map.empty()) {
    out.line("inline MAPPED mapped(const " + (e.is_struct ? e.stored : operand) + " x" + y +
             ", const long index MAP_PARAMETERS)\n{\n" + what.map.body + "\n}");
  }
  const auto fetch = [&](const std::string& name, const std::string& type, int lanes,
                         const std::string& read, const std::string& read_other) {
    const std::string at = v.strided ? "place * step" : "place";
    std::string body = "    const " + wide(e.is_struct ? e.stored : operand, lanes) +
                       " a = " + read + "(x + " + at + ");\n";
    if (what.two_operands)
      body += "    const " + wide(operand, lanes) + " b = " + read_other + "(y + place);\n";
    if (what.map.empty() && (!user || lanes == 1)) {
      body += std::string("    ") + type + " r;\n";
      body += user                ? "    MAPPED_SET(r, a)\n"
              : what.two_operands ? "    r = a * b;\n"
                                  : "    r = a;\n";
    } else {
      body += "    " + type + " r;\n";
      const std::string other = what.two_operands ? ", ((const " + operand + " *)&b)[j]" : "";
      const std::string one = "((const " + (e.is_struct ? e.stored : operand) + " *)&a)[j]";
      const std::string into = lanes == 1 && name == "fetch_one" ? "r" : "MAPPED_LANE(r, j)";
      const std::string value =
          what.map.empty() ? one
                           : "mapped(" + one + other + ", index + j * LANE_INDEX MAP_ARGUMENTS)";
      body += "    EACH for (int j = 0; j < " + std::to_string(lanes) + "; ++j) " + into + " = " +
              value + ";\n";
    }
    out.line("inline " + type + " " + name +
             "(const __global STORED *x Y_PARAMETER, const long step, const long place, const long "
             "index MAP_PARAMETERS)\n{\n" +
             body + "    return r;\n}");
  };
  out.define("LANE_INDEX", v.shape == reduce_shape::columns ? 0 : 1);
  fetch("fetch_run", "MAPPED_RUN", v.vector, "LOAD_RUN", "LOAD_OTHER");
  fetch("fetch_one", "MAPPED", 1, "LOAD_ONE", "LOAD_ONE");
}

/// One way to put the states of items together, as function combine_<name>.
inline void write_combine(source_builder& out, const reduce_policy& p, const std::string& name,
                          int items, int apart) {
  const bool together = apart == 1;
  const replacements words{
      {"NAME", name}, {"ITEMS", std::to_string(items)}, {"APART", std::to_string(apart)}};
  if (items == 1) {
    out.line("inline state combine_" + name +
             "(state s, __local state *const shared) { return s; }");
  } else if (p.method == group_method::shuffle && together) {
    out.text(combine_shuffle, words);
  } else if (p.method == group_method::two_steps && together && items == p.group && items >= 64) {
    out.text(combine_two_steps, words);
  } else if (p.method == group_method::interleaved) {
    out.text(combine_interleaved, words);
  } else {
    out.text(combine_sequential, words);
  }
}

}  // namespace reduce_text

/// The OpenCL C source of a reduction under policy `p` for the problem kind `v`: kernel
/// `reduce_rows`, `reduce_columns` or `reduce_ragged` with `reduce_long` and `reduce_long_finish`;
/// and `reduce_finish` when the states of groups are put together by a second kernel. Throws
/// policy_error when `p` breaks a rule.
inline std::string reduce_source(const reduce_policy& p, const reduce_variant& v,
                                 const reduction& what) {
  using namespace reduce_text;
  check_rules(p);
  rule(v.shape != reduce_shape::columns || p.columns <= p.group,
       "columns must be items of one group", p.columns, p.group);
  const bool rows = v.shape == reduce_shape::rows, columns = v.shape == reduce_shape::columns;
  const bool last = p.finish != group_finish::second_kernel && !(v.shape == reduce_shape::ragged);
  source_builder out;
  out.banner("clprim reduction of " + what.element.stored + "\n" + to_string(p));
  bool fp64 = what.element.needs_fp64;
  for (const reduce_part& part : what.parts) fp64 = fp64 || part.value == "double";
  if (fp64) out.line("#pragma OPENCL EXTENSION cl_khr_fp64 : enable");
  out.define("EACH", "_Pragma(\"unroll\")");
  out.define("GROUP", p.group);
  out.define("VECTOR", v.vector);
  out.define("LOADS", p.loads);
  out.define("ITEMS", v.items);
  out.define("GRID_STRIDE", static_cast<int>(p.grid_stride && rows));
  out.define("PEELED", static_cast<int>(v.vector > 1 && !v.aligned && !p.unaligned && !v.strided));
  out.define("SPLIT", static_cast<int>(v.split));
  out.define("LAST_GROUP", static_cast<int>(last));
  out.define("MAILED", static_cast<int>(last && p.finish == group_finish::last_group));
  out.define("FENCED", static_cast<int>(last && p.finish == group_finish::last_group_fenced));
  out.define("FENCE", p.finish == group_finish::last_group_fenced
                          ? "asm volatile(\"fence.acq_rel.gpu;\" ::: \"memory\")"
                          : "");
  out.define("BARRIER", p.group == 1 ? "" : "barrier(CLK_LOCAL_MEM_FENCE)");
  out.define("STORED", what.element.stored);
  out.define("WORDS", "((int)(sizeof(state) + 3) / 4)");
  const bool two = what.two_operands;
  out.define("Y_PARAMETER", two ? ", const __global STORED *restrict y" : "");
  out.define("Y_ARGUMENT", two ? ", y" : "");
  out.define(
      "Y_PARAMETERS",
      two ? ", const __global STORED *restrict y, const long y_offset, const long y_row" : "");
  out.define("Y_FROM_ROW", two ? ", y + y_offset + row * y_row" : "");
  out.define("MAP_PARAMETERS", parameter_list(what.map));
  out.define("MAP_ARGUMENTS", call_list(what.map));
  if (!what.declarations.empty()) out.line(what.declarations);
  for (int k = 0; k < static_cast<int>(what.parts.size()); ++k) define_part(out, what, k, v.vector);
  if (what.parts[0].op == reduce_operator::user)
    out.define("MAPPED_SET(r, a)", "*(STATE_TYPE *)&(r) = a;");
  write_fetch(out, what, p, v);
  for (int k = 0; k < static_cast<int>(what.parts.size()); ++k) write_part(out, what, k, v.vector);
  write_whole(out, what);
  out.text(messages);
  if (columns) {
    out.define("COLUMNS", p.columns);
    out.define("RUNS", p.column_runs);
    out.define("TILE", tile_columns(p, v));
    out.define("OWN(i)", "(begin + (i) * COLUMNS * VECTOR)");
    out.define("COLUMN(i)", "min(OWN(i), inner - VECTOR)");
    write_combine(out, p, "column", p.group / p.columns, p.columns);
    out.text(columns_kernel);
  } else {
    out.text(walk);
    write_combine(out, p, "row", v.items, 1);
    if (rows) {
      out.text(rows_kernel);
    } else {
      if (v.items < p.group) {
        reduce_policy whole = p;
        if (whole.method == group_method::shuffle) whole.method = group_method::sequential;
        write_combine(out, whole, "group", p.group, 1);
      } else {
        out.define("combine_group", "combine_row");
      }
      out.define("MEDIUM", medium_segment(p, v));
      out.define("LONG", long_segment(p));
      out.define("LIST_AT", reduce_counters);
      out.text(ragged_kernel);
    }
  }
  if (v.split && !last && v.shape != reduce_shape::ragged) {
    out.define("FINISH_GROUP", finish_group(p, v));
    out.define("FINISH_SHARED", static_cast<int>(finish_is_shared(v)));
    if (finish_is_shared(v))
      out.define("combine_finish", "combine_row");
    else
      out.line("inline state combine_finish(state s, __local state *const shared) { return s; }");
    out.text(finish_kernel);
  }
  return out.str();
}

}  // namespace clprim
