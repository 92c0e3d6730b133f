#pragma once
// OpenCL C of the operators of a reduction: their constants, states and functions.
#include <string>

#include <clprim/core/source.hpp>
#include <clprim/reduce/operator_text.hpp>
#include <clprim/reduce/reduction.hpp>

namespace clprim {
namespace reduce_text {

/// "float", 4 -> "float4"
inline std::string wide(const std::string& type, int lanes) {
  return lanes == 1 ? type : type + std::to_string(lanes);
}

/// An expression that reads `lanes` stored elements at p.
inline std::string load(const reduce_element& e, int lanes, bool aligned) {
  const std::string n = lanes == 1 ? "" : std::to_string(lanes);
  if (e.stored == "half") {
    if (lanes > 1 && !aligned) return "halves_at(p)";
    return (lanes > 1 ? "vloada_half" : "vload_half") + n + "(0, p)";
  }
  if (lanes == 1) return "*(p)";
  if (aligned) return "*(const __global " + e.stored + n + " *)(p)";
  return "vload" + n + "(0, p)";
}

/// Unaligned runs of half take a way around vload_halfn, which PoCL 3.1 compiles to a load of 16
/// aligned bytes.
inline void write_halves(source_builder& out, int lanes) {
  const std::string n = std::to_string(lanes);
  out.line("inline float" + n + " halves_at(const __global half *p)\n{\n    const ushort" + n +
           " bits = vload" + n + "(0, (const __global ushort *)p);\n    return vloada_half" + n +
           "(0, (const half *)&bits);\n}");
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
  const std::string sign = is_max ? ">" : "<";
  define("VALUE", "", p.value);
  define("MASK", "", p.value_bytes == 8 ? "long" : "int");
  define("LANE", "(v, j)", "(((const " + p.value + " *)&(v))[j])");
  define("NUMBER", "(x, otherwise)", ignores ? "((x) == (x) ? (x) : (otherwise))" : "(x)");
  define("LEAVE", "(s, n)",
         p.exit == reduce_exit::divide ? "((s) / (" + p.value + ")(n))"
         : p.exit == reduce_exit::root ? "sqrt(s)"
                                       : "(s)");
  define("GREATEST", "", ignores ? "NAN" : largest);
  define("LEAST", "", ignores ? "NAN" : smallest);
  // Magnitudes start at 0, which is the norm of nothing.
  define("WORST", "",
         p.entry == reduce_entry::absolute ? "0"
         : ignores                         ? "NAN"
         : is_max                          ? smallest
                                           : largest);
  define("LESS", "(x, best)", beats("<"));
  define("MORE", "(x, best)", beats(">"));
  define("BEATS", "(x, best)", beats(sign));
  define("PREFERRED", "", sign);
  define("TAKES", "(x, best, at)",
         propagates
             ? "(((at) < 0) | ((((x) " + sign + " (best)) | ((x) != (x))) & ((best) == (best))))"
         : ignores ? "(((x) == (x)) & (((at) < 0) | ((x) " + sign + " (best))))"
                   : "(((at) < 0) | ((x) " + sign + " (best)))");
  const std::string zero = p.op == reduce_operator::all ? "(x) == 0" : "(x) != 0";
  define("SOUGHT", "(x)", ignores ? "((" + zero + ") & ((x) == (x)))" : "(" + zero + ")");
  define("FOUND", "(f)", p.op == reduce_operator::all ? "!(f)" : "(f)");
  const bool user = p.op == reduce_operator::user;
  const std::string mapped_type = what.two_operands ? p.value : what.element.compute;
  const auto enter = [&](const std::string& name, int width) {
    std::string x = user || mapped_type == p.value ? "(x)"
                    : width == 1                   ? "((" + p.value + ")(x))"
                                                   : "convert_" + wide(p.value, width) + "(x)";
    if (p.entry == reduce_entry::absolute) x = "fabs(" + x + ")";
    if (p.entry == reduce_entry::square) x = "(" + x + " * " + x + ")";
    define(name, "(x)", x);
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
    default: return p.value;
  }
}

struct operator_texts {
  const kernel_text* take;
  const kernel_text* merge;
};

inline operator_texts texts_of(reduce_operator op) {
  switch (op) {
    case reduce_operator::sum: return {&take_sum, &merge_sum};
    case reduce_operator::compensated_sum: return {&take_compensated_sum, &merge_compensated_sum};
    case reduce_operator::product: return {&take_product, &merge_product};
    case reduce_operator::min:
    case reduce_operator::max: return {&take_extreme, &merge_extreme};
    case reduce_operator::min_max: return {&take_min_max, &merge_min_max};
    case reduce_operator::argmin:
    case reduce_operator::argmax: return {&take_located, &merge_located};
    case reduce_operator::any:
    case reduce_operator::all: return {&take_flag, &merge_flag};
    case reduce_operator::count: return {&take_count, &merge_count};
    case reduce_operator::variance: return {&take_variance, &merge_variance};
    case reduce_operator::user: break;
  }
  return {&user_operator, nullptr};
}

/// The types and functions of part `k`.
inline void write_part(source_builder& out, const reduction& what, int k, int lanes) {
  const reduce_part& p = what.parts[static_cast<std::size_t>(k)];
  const std::string n = std::to_string(k);
  replacements words{{"P", n}};
  for (const char* name : {"NUMBER", "LEAVE", "WORST", "BEATS", "GREATEST", "LEAST", "LESS", "MORE",
                           "TAKES", "PREFERRED", "SOUGHT", "FOUND", "VALUE", "MASK"}) {
    words.emplace_back(name, std::string(name) + "_" + n);
  }
  const auto with = [&](const char* shape, int width) {
    replacements all = words;
    const std::string mask = p.value_bytes == 8 ? "long" : "int";
    const bool run = shape[0] == 'r';
    all.emplace_back("SHAPE", shape);
    all.emplace_back("V", wide(p.value, width));
    all.emplace_back("K", run ? wide(mask, width) : "long");
    all.emplace_back("TRUTH", width > 1 ? "-" : "+");
    return all;
  };
  out.define("MASK_RUN_" + n, wide(p.value_bytes == 8 ? "long" : "int", lanes));
  if (p.op == reduce_operator::user) {
    out.line("typedef STATE_TYPE result_" + n + ";");
    out.define("EMPTY_STATE", what.identity.empty()
                                  ? "for (int i = 0; i < (int)sizeof(s); ++i) ((uchar *)&s)[i] = 0;"
                                  : "s.value = " + what.identity + ";");
    out.line("inline STATE_TYPE combine(STATE_TYPE a, STATE_TYPE b)\n{\n" + what.combine + "\n}");
    out.text(user_operator, {{"P", n}});
    return;
  }
  out.line("typedef " + result_type(p) + " result_" + n + ";");
  const operator_texts texts = texts_of(p.op);
  out.text(*texts.take, with("state", 1));
  out.text(*texts.take, with("run", lanes));
  out.text(*texts.merge, with("state", 1));
}

/// The parts together: state, run, result, and the functions that treat each part in turn.
inline void write_whole(source_builder& out, const reduction& what) {
  const auto each = [&](const std::string& before, const std::string& after,
                        const std::string& separator) {
    std::string text;
    for (std::size_t k = 0; k < what.parts.size(); ++k) {
      std::string one = before + after;
      for (auto at = one.find('#'); at != std::string::npos; at = one.find('#'))
        one.replace(at, 1, std::to_string(k));
      text += (k > 0 ? separator : "") + one;
    }
    return text;
  };
  out.line("typedef struct { " + each("state_# p#;", "", " ") + " } state;");
  out.line("typedef struct { " + each("run_# p#;", "", " ") + " } run;");
  out.line("typedef struct { " + each("result_# p#;", "", " ") + " } result;");
  out.line("inline state begin_state(void) { state s; " + each("s.p# = begin_state_#();", "", " ") +
           " return s; }");
  out.line("inline run begin_run(void) { run r; " + each("r.p# = begin_run_#();", "", " ") +
           " return r; }");
  out.line("inline void take_run(run *r, MAPPED_RUN x, int at)\n{\n" +
           each("    take_run_#(&r->p#, ENTER_RUN_#(x), (MASK_RUN_#)(at));", "", "\n") + "\n}");
  out.line("inline state merge(state a, state b) { " +
           each("a.p# = merge_#(a.p#, b.p#);", "", " ") + " return a; }");
  out.line(
      "inline void take_one(state *s, MAPPED x, long at)\n{\n    state one = begin_state();\n" +
      each("    take_state_#(&one.p#, ENTER_ONE_#(x), at);", "", "\n") +
      "\n    *s = merge(*s, one);  // not taken in the order of indices\n}");
  out.line("inline state lane_of(run r, int j, long first, long stride)\n{\n    state s;\n" +
           each("    s.p# = lane_#(r.p#, j, first, stride);", "", "\n") + "\n    return s;\n}");
  out.line("inline result finish(state s, long n) { result r; " +
           each("r.p# = finish_#(s.p#, n);", "", " ") + " return r; }");
}

}  // namespace reduce_text
}  // namespace clprim
