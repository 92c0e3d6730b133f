#pragma once
// OpenCL C of the operators of a reduction: their constants, states and functions.
#include <string>

#include <clprim/core/source.hpp>
#include <clprim/reduce/reduction.hpp>
#include <clprim/reduce/search_text.hpp>
#include <clprim/reduce/sum_text.hpp>

namespace clprim {
namespace reduce_text {

/// "float", 4 -> "float4"; of complex numbers "float2", 4 -> "float8"
inline std::string wide(const std::string& type, int lanes) {
  const bool pair = type.ends_with("2");
  if (!pair) return lanes == 1 ? type : type + std::to_string(lanes);
  return type.substr(0, type.size() - 1) + std::to_string(2 * lanes);
}

/// What chooses between values of a part in vectors of `lanes`.
inline std::string mask_of(const reduce_part& p, int lanes) {
  if (p.is_complex()) return wide("int", lanes);  // nothing is chosen
  return wide(p.value_bytes == 8 ? "long" : "int", lanes);
}

/// What is stored, and the comparisons and constants, of part `k`.
inline void define_part(source_builder& out, const reduction& what, int k, int lanes) {
  const reduce_part& p = what.parts[static_cast<std::size_t>(k)];
  const std::string n = std::to_string(k);
  const auto define = [&](const std::string& name, const std::string& arguments,
                          const std::string& text) {
    out.define(name + "_" + n + arguments, text);
  };
  const bool ignores = p.floating && what.nan == nan_rule::ignore;
  const bool propagates = p.floating && !ignores;
  const std::string limit = p.value == "int"    ? "INT"
                            : p.value == "uint" ? "UINT"
                            : p.value == "long" ? "LONG"
                                                : "ULONG";
  const std::string largest = p.floating ? "INFINITY" : limit + "_MAX";
  const std::string smallest = p.floating ? "-INFINITY" : p.value[0] == 'u' ? "0" : limit + "_MIN";
  const auto beats = [&](const std::string& sign) {
    return "(((x) " + sign + " (best))" +
           (propagates ? " | ((x) != (x))"
            : ignores  ? " | ((best) != (best))"
                       : "") +
           ")";
  };
  const bool is_max = p.op == reduce_operator::max || p.op == reduce_operator::argmax;
  const std::string sign = is_max ? ">" : "<", not_better = is_max ? "<=" : ">=";
  define("VALUE", "", p.value);
  define("MASK", "", p.value_bytes == 8 ? "long" : "int");
  define("LANE", "(v, j)", "(((const " + p.value + " *)&(v))[j])");
  define("NUMBER", "(x, otherwise)", ignores ? "((x) == (x) ? (x) : (otherwise))" : "(x)");
  define("LEAVE", "(s, n)",
         p.exit == reduce_exit::divide ? "((s) / (" + p.value + ")((" + p.real + ")(n)))"
         : p.exit == reduce_exit::root ? "sqrt(s)"
                                       : "(s)");
  define("PUT", "(to, s)",
         p.is_complex()
             ? "{ const " + p.value + " whole = s; (to).re = whole.x; (to).im = whole.y; }"
             : "(to) = s");
  define("GREATEST", "", ignores ? "NAN" : largest);
  define("LEAST", "", ignores ? "NAN" : smallest);
  // Magnitudes start at 0, which is the norm of nothing.
  define("WORST", "",
         p.entry == reduce_entry::absolute ? "0"
         : ignores                         ? "NAN"
         : is_max                          ? smallest
                                           : largest);
  define("NOWHERE", "", ignores ? "-1" : "0");
  define("COUNTS", "(x)", ignores ? "((x) == (x))" : "1");
  define("ISNAN", "(x)", p.floating ? "((x) != (x))" : "0");
  define("COUNTED", "(text)", p.counts ? "text" : "");
  define("LANE_OF_COUNTS", "(n, j)", p.counts ? "(((const MASK_" + n + " *)&(n))[j])" : "(n)");
  define("LESS", "(x, best)", beats("<"));
  define("MORE", "(x, best)", beats(">"));
  define("BEATS", "(x, best)", beats(sign));
  define("PREFERRED", "", sign);
  const std::string better = "!((x) " + not_better + " (best))";
  define("TAKES", "(x, best)",
         propagates ? "(" + better + " & ((best) == (best)))"
         : ignores  ? "(" + better + " & ((x) == (x)))"
                    : "((x) " + sign + " (best))");
  const std::string zero = p.op == reduce_operator::all ? "(x) == 0" : "(x) != 0";
  define("SOUGHT", "(x)", ignores ? "((" + zero + ") & ((x) == (x)))" : "(" + zero + ")");
  define("FOUND", "(f)", p.op == reduce_operator::all ? "!(f)" : "(f)");
  const bool whole = p.op == reduce_operator::user || p.op == reduce_operator::compensated_dot;
  const bool magnitude = what.element.is_complex && !p.is_complex();
  const std::string entering = magnitude ? p.real + "2" : p.value;
  const std::string mapped_type = what.two_operands ? p.value : what.element.compute;
  const auto enter = [&](const std::string& name, int width) {
    const std::string x = whole || mapped_type == entering ? "(x)"
                          : wide(entering, width) == entering && !magnitude && !p.is_complex()
                              ? "((" + entering + ")(x))"
                              : "convert_" + wide(entering, width) + "(x)";
    std::string value = x;
    if (p.entry == reduce_entry::absolute)
      value = magnitude ? "hypot(" + x + ".even, " + x + ".odd)" : "fabs(" + x + ")";
    if (p.entry == reduce_entry::square) {
      value = magnitude ? "(" + x + ".even * " + x + ".even + " + x + ".odd * " + x + ".odd)"
                        : "(" + x + " * " + x + ")";
    }
    define(name, "(x)", value);
  };
  enter("ENTER_RUN", lanes);
  enter("ENTER_ONE", 1);
}

inline std::string result_type(const reduce_part& p) {
  switch (p.op) {
    case reduce_operator::min_max: return "struct { " + p.value + " least, most; }";
    case reduce_operator::argmin:
    case reduce_operator::argmax: return "struct { " + p.value + " best; long at; }";
    case reduce_operator::variance: return "struct { " + p.value + " mean, variance; }";
    case reduce_operator::any:
    case reduce_operator::all: return "int";
    case reduce_operator::count: return "long";
    case reduce_operator::user: return "STATE_TYPE";
    // The host's complex numbers lie at multiples of a real, float2 and double2 do not.
    default: return p.is_complex() ? "struct { " + p.real + " re, im; }" : p.value;
  }
}

struct operator_texts {
  const kernel_text* take;
  const kernel_text* merge;
};

inline operator_texts texts_of(const reduce_part& p) {
  switch (p.op) {
    case reduce_operator::sum: return {&take_sum, &merge_sum};
    case reduce_operator::compensated_sum: return {&take_compensated_sum, &merge_compensated_sum};
    case reduce_operator::compensated_dot: return {&take_compensated_dot, &merge_compensated_sum};
    case reduce_operator::product:
      return {p.is_complex() ? &take_complex_product : &take_product, &merge_product};
    case reduce_operator::min:
    case reduce_operator::max: return {&take_extreme, &merge_extreme};
    case reduce_operator::min_max: return {&take_min_max, &merge_min_max};
    case reduce_operator::argmin:
    case reduce_operator::argmax: return {&take_located, &merge_located};
    case reduce_operator::any:
    case reduce_operator::all: return {&take_flag, &merge_flag};
    case reduce_operator::count: return {&take_count, &merge_count};
    case reduce_operator::variance:
      return {p.counts ? &take_counted_variance : &take_variance, &merge_variance};
    case reduce_operator::user: break;
  }
  return {&user_operator, nullptr};
}

/// The types and functions of part `k`.
inline void write_part(source_builder& out, const reduction& what, int k, int lanes) {
  const reduce_part& p = what.parts[static_cast<std::size_t>(k)];
  const std::string n = std::to_string(k);
  replacements words{{"P", n}};
  for (const char* name :
       {"NUMBER", "LEAVE", "WORST", "BEATS", "GREATEST", "LEAST", "LESS", "MORE", "TAKES",
        "PREFERRED", "SOUGHT", "FOUND", "VALUE", "MASK", "NOWHERE", "COUNTS", "COUNTED", "ISNAN"}) {
    words.emplace_back(name, std::string(name) + "_" + n);
  }
  const bool pairs = p.op == reduce_operator::compensated_dot;
  const auto with = [&](const std::string& shape, int width) {
    replacements all = words;
    const bool run = shape == "run";
    all.emplace_back("SHAPE", shape);
    all.emplace_back("V", wide(p.value, width));
    all.emplace_back("K", run ? mask_of(p, width) : "long");
    all.emplace_back("X", pairs ? (run ? "MAPPED_RUN" : "MAPPED") : wide(p.value, width));
    all.emplace_back("TRUTH", width > 1 ? "-" : "+");
    return all;
  };
  out.define("MASK_RUN_" + n, mask_of(p, lanes));
  out.line("typedef " + result_type(p) + " result_" + n + ";");
  if (p.op == reduce_operator::user) {
    out.define("EMPTY_STATE", what.identity.empty()
                                  ? "for (int i = 0; i < (int)sizeof(s); ++i) ((uchar *)&s)[i] = 0;"
                                  : "s.value = clprim_identity();");
    out.text(user_operator, {{"P", n}});
    return;
  }
  const operator_texts texts = texts_of(p);
  const bool located = texts.take == &take_located;
  if (!located) {
    out.text(*texts.take, with("state", 1));
    out.text(one_by_take, with("state", 1));
  }
  out.text(*texts.take, with("run", lanes));
  out.text(*texts.merge, with("state", 1));
}

/// `pack` and `unpack`: a state as WORDS 32-bit words, member by member: no padding travels.
inline void write_packing(source_builder& out, const reduction& what) {
  std::string types, pack, unpack;
  int at = 0;
  for (std::size_t k = 0; k < what.parts.size(); ++k) {
    for (const state_member& m : state_members(what.parts[k])) {
      const int words = (member_bytes(what.parts[k], m.type) + 3) / 4;
      const std::string n = std::to_string(k), type = "words_" + n + "_" + m.name;
      types += "typedef union { " + m.type + " value; uint word[" + std::to_string(words) +
               "]; } " + type + ";\n";
      const std::string each = "EACH for (int i = 0; i < " + std::to_string(words) + "; ++i) ";
      const std::string place = "[" + std::to_string(at) + " + i]";
      const std::string member = "s.p" + n + "." + m.name;
      pack += "    { " + type + " m; " +
              (m.type == "STATE_TYPE" ? each + "m.word[i] = 0; " : std::string()) +
              "m.value = " + member + "; " + each + "word" + place + " = m.word[i]; }\n";
      unpack += "    { " + type + " m; " + each + "m.word[i] = word" + place + "; " + member +
                " = m.value; }\n";
      at += words;
    }
  }
  out.define("WORDS", at);
  out.line(types + "inline void pack(state s, uint *word)\n{\n" + pack +
           "}\ninline state unpack(const uint *word)\n{\n    state s;\n" + unpack +
           "    return s;\n}");
}

/// The parts together: state, run, result, and the functions that treat each part in turn.
inline void write_whole(source_builder& out, const reduction& what) {
  const auto each = [&](const std::string& one_part, const std::string& separator = " ") {
    std::string text;
    for (std::size_t k = 0; k < what.parts.size(); ++k) {
      std::string one = one_part;
      for (auto at = one.find('#'); at != std::string::npos; at = one.find('#'))
        one.replace(at, 1, std::to_string(k));
      text += (k > 0 ? separator : "") + one;
    }
    return text;
  };
  out.line("typedef struct { " + each("state_# p#;") + " } state;");
  out.line("typedef struct { " + each("run_# p#;") + " } run;");
  out.line("typedef struct { " + each("result_# p#;") + " } result;");
  out.line("inline state begin_state(void) { state s; " + each("s.p# = begin_state_#();") +
           " return s; }");
  out.line("inline run begin_run(void) { run r; " + each("r.p# = begin_run_#();") + " return r; }");
  out.line("inline void take_run(run *r, MAPPED_RUN x, int at)\n{\n" +
           each("    take_run_#(&r->p#, ENTER_RUN_#(x), (MASK_RUN_#)(at));", "\n") + "\n}");
  out.line("inline state merge(state a, state b) { " + each("a.p# = merge_#(a.p#, b.p#);") +
           " return a; }");
  out.line("inline state state_of(MAPPED x, long at) { state s; " +
           each("s.p# = one_#(ENTER_ONE_#(x), at);") + " return s; }");
  out.line(
      "inline state lane_of(const run *r, int j, long first, long stride, int some)\n{\n    state "
      "s;\n" +
      each("    s.p# = lane_#(&r->p#, j, first, stride, some);", "\n") + "\n    return s;\n}");
  out.line("inline void put(__global result *out, state s, long n) { " +
           each("put_#(&out->p#, s.p#, n);") + " }");
  write_packing(out, what);
}

}  // namespace reduce_text
}  // namespace clprim
