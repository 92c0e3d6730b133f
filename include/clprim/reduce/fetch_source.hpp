#pragma once
// OpenCL C of how elements come in: loads, products of two operands, the caller's map.
#include <string>

#include <clprim/core/source.hpp>
#include <clprim/core/streaming_text.hpp>
#include <clprim/reduce/operator_source.hpp>
#include <clprim/reduce/user_source.hpp>
#include <clprim/reduce/variant.hpp>

namespace clprim::reduce_text {

/// An expression that reads `lanes` stored elements at p.
inline std::string load(const reduce_element& e, int lanes, bool aligned) {
  const std::string n = lanes == 1 ? "" : std::to_string(lanes);
  if (e.stored == "half") {
    if (lanes > 1 && !aligned) return "halves_at(p)";
    return (lanes > 1 ? "vloada_half" : "vload_half") + n + "(0, p)";
  }
  if (lanes == 1) return "*(p)";
  const std::string type = wide(e.stored, lanes);
  if (aligned) return "*(const __global " + type + " *)(p)";
  if (!e.is_complex) return "vload" + n + "(0, p)";
  const std::string real = e.stored.substr(0, e.stored.size() - 1);
  return "vload" + std::to_string(2 * lanes) + "(0, (const __global " + real + " *)(p))";
}

/// Unaligned runs of half take a way around vload_halfn, which PoCL 3.1 compiles to a load of 16
/// aligned bytes.
inline void write_halves(source_builder& out, int lanes) {
  const std::string n = std::to_string(lanes);
  out.line("inline float" + n + " halves_at(const __global half *p)\n{\n    const ushort" + n +
           " bits = vload" + n + "(0, (const __global ushort *)p);\n    return vloada_half" + n +
           "(0, (const half *)&bits);\n}");
}

/// Aligned loads of `lanes` elements past the caches, where they are wanted and there are such.
class streaming_load {
 public:
  streaming_load(source_builder& out, const reduce_element& e, int lanes, bool wanted, bool ptx)
    : type_(wide(e.stored, lanes)), past_(lanes * e.bytes), ptx_(ptx) {
    possible_ = wanted && !e.is_struct && !e.is_complex && e.stored != "half" &&
                (!ptx || streaming_text::has(lanes * e.bytes));
    if (!possible_) return;
    out.line(ptx ? past_.reader()
                 : "#define READ_PAST(p) (*(p))\n#ifdef __has_builtin\n"
                   "#if __has_builtin(__builtin_nontemporal_load)\n#undef READ_PAST\n"
                   "#define READ_PAST(p) __builtin_nontemporal_load(p)\n#endif\n#endif");
  }
  /// The expression, of a pointer `p`; `usual` where there is none, or not aligned.
  std::string at_p(const std::string& usual, bool aligned) const {
    if (!possible_ || !aligned) return usual;
    if (!ptx_) return "READ_PAST((const __global " + type_ + " *)(p))";
    return "as_" + type_ + "(read_streaming((const __global " + past_.type() + " *)(p)))";
  }

 private:
  std::string type_;
  streaming_text past_;
  bool ptx_ = false, possible_ = false;
};

/// The product of two operands of `lanes` numbers, as text.
inline std::string product_of(const reduction& what, const std::string& type) {
  if (what.parts[0].op == reduce_operator::compensated_dot) return "r.a = a;\n    r.b = b;";
  if (!what.parts[0].is_complex()) return "r = a * b;";
  const std::string minus = what.conjugated ? "+" : "-", plus = what.conjugated ? "-" : "+";
  return type + " c;\n    c.even = a.even * b.even " + minus +
         " a.odd * b.odd;\n    c.odd = a.even * b.odd " + plus + " a.odd * b.even;\n    r = c;";
}

/// `fetch_run` for the VECTOR elements at a pointer, `fetch_one`, and `made_of` for elements that
/// are already loaded: what the operators take, MAPPED_RUN or MAPPED.
inline void write_fetch(source_builder& out, const reduction& what, const reduce_policy& p,
                        const reduce_variant& v) {
  const reduce_element& e = what.element;
  const reduce_operator op = what.parts[0].op;
  const bool user = op == reduce_operator::user, pairs = op == reduce_operator::compensated_dot;
  const std::string operand = operand_type(what);
  const std::string runs = e.is_struct ? e.stored : wide(operand, v.vector);
  out.define("OPERAND", operand);
  out.define("OPERAND_RUN", runs);
  if (pairs) {
    out.line("typedef struct { " + operand + " a, b; } MAPPED;");
    out.line("typedef struct { " + runs + " a, b; } MAPPED_RUN;");
  } else if (user) {
    out.define("MAPPED", "STATE_TYPE");
    out.line("typedef struct { STATE_TYPE lane[VECTOR]; } MAPPED_RUN;");
    out.define("MAPPED_LANE(x, j)", "((x).lane[j])");
  } else {
    out.define("MAPPED", operand);
    out.define("MAPPED_RUN", runs);
    out.define("MAPPED_LANE(x, j)", "(((" + operand + " *)&(x))[j])");
  }
  const bool aligned = !p.unaligned && !v.strided;
  const auto operand_of = [&](const std::string& loaded, int lanes) {
    if (operand == e.compute || e.is_struct) return loaded;
    return wide(operand, lanes) == operand && !e.is_complex
               ? "(" + operand + ")(" + loaded + ")"
               : "convert_" + wide(operand, lanes) + "(" + loaded + ")";
  };
  if (e.stored == "half" && v.vector > 1) write_halves(out, v.vector);
  const streaming_load past(out, e, v.vector, p.streaming, v.ptx);
  const auto run_at_p = [&](bool is_aligned) {
    return operand_of(past.at_p(load(e, v.vector, is_aligned), is_aligned), v.vector);
  };
  out.define("LOAD_RUN(p)", run_at_p(aligned));
  out.define("LOAD_OTHER(p)", run_at_p(aligned && v.aligned));
  out.define("LOAD_ONE(p)", operand_of(load(e, 1, false), 1));
  const std::string y = what.two_operands ? ", const OPERAND b" : "";
  const std::string others = what.two_operands ? ", b" : "";
  out.line("inline MAPPED made_of(const OPERAND a" + y + ", const long index MAP_PARAMETERS)\n{\n" +
           "    MAPPED r;\n    " +
           (!what.map.empty()   ? "r = clprim_map(a" + others + ", index MAP_ARGUMENTS);"
            : what.two_operands ? product_of(what, operand)
                                : "r = a;") +
           "\n    return r;\n}");
  const std::string load_b = what.two_operands ? ", LOAD_ONE(y)" : "";
  out.line(
      "inline MAPPED fetch_one(const __global STORED *x Y_POINTER, const long index "
      "MAP_PARAMETERS)\n{\n    return made_of(LOAD_ONE(x)" +
      load_b + ", index MAP_ARGUMENTS);\n}");
  const bool one_by_one = !what.map.empty() || user;
  std::string body = "    const " + runs + " a = LOAD_RUN(x);\n";
  if (what.two_operands) body += "    const " + runs + " b = LOAD_OTHER(y);\n";
  body += "    MAPPED_RUN r;\n    ";
  if (one_by_one) {
    const std::string lane_b = what.two_operands ? ", ((const OPERAND *)&b)[j]" : "";
    body +=
        "EACH for (int j = 0; j < VECTOR; ++j)\n        MAPPED_LANE(r, j) = made_of(((const "
        "OPERAND *)&a)[j]" +
        lane_b + ", index + j * LANE_INDEX MAP_ARGUMENTS);";
  } else {
    body += what.two_operands ? product_of(what, runs) : "r = a;";
  }
  out.define("LANE_INDEX", v.shape == reduce_shape::columns ? 0 : 1);
  out.line(
      "inline MAPPED_RUN fetch_run(const __global STORED *x Y_POINTER, const long index "
      "MAP_PARAMETERS)\n{\n" +
      body + "\n    return r;\n}");
}

}  // namespace clprim::reduce_text
