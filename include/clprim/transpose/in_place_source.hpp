#pragma once
// policy + variant -> the OpenCL C source of a pass of a rectangle's transposition in place. Needs
// no device.

#include <string>

#include <clprim/core/element.hpp>
#include <clprim/core/function.hpp>
#include <clprim/core/source.hpp>
#include <clprim/transpose/in_place_kernel.hpp>
#include <clprim/transpose/in_place_policy.hpp>
#include <clprim/transpose/source.hpp>

namespace clprim {

/// What a launch does of a pass: everything, or one half of it, with lines in the workspace between
/// the halves.
enum class in_place_part { both, load, store };

/// One kind of pass: every value here is a constant in the kernel's text.
struct in_place_variant {
  element type{};
  int pass = 0;  ///< 0 to 2, see in_place_kernel.hpp
  bool inverse = false;
  in_place_part part = in_place_part::both;
  int capacity = 0;      ///< elements of local memory; 0: lines lie in the workspace
  bool offsets = false;  ///< of the matrices of the batch, in a buffer
  bool conjugate = false;
  bool scaled = false;
  bool mapped = false;
  bool by_columns = false;  ///< rows of the kernel are the caller's columns
  friend bool operator==(const in_place_variant&, const in_place_variant&) = default;
};

/// The source of kernel `reorder`; `map` is used where the variant is `mapped`, and is as that of
/// transpose_source. Throws policy_error when `p` breaks a rule.
inline std::string in_place_source(const in_place_policy& p, const in_place_variant& v,
                                   const function& map = {}) {
  using namespace transpose_text;
  check_rules(p);
  const bits_text one(v.type.bytes, 1);
  const bool stores = v.part != in_place_part::load;
  source_builder out;
  out.banner("clprim transposition in place of elements of " + std::to_string(v.type.bytes) +
             " bytes\n" + to_string(p));
  transpose_variant conversion{.in = v.type, .out = v.type};
  conversion.conjugate = stores && v.conjugate;
  conversion.scaled = stores && v.scaled;
  conversion.by_columns = v.by_columns;
  const function user = stores && v.mapped ? map : function{};
  write_map(out, conversion, user);
  out.define_policy(p);
  out.line("#undef LOCAL");  // what the lines of this pass do, not what the policy allows
  out.define("LOCAL", static_cast<int>(v.capacity > 0));
  out.define("PASS", v.pass);
  out.define("GATHERS", static_cast<int>((v.pass != 1) != v.inverse));
  out.define("LOAD", static_cast<int>(v.part != in_place_part::store));
  out.define("STORE", static_cast<int>(stores));
  out.define("CAPACITY", v.capacity);
  out.define("OUT_COLS", v.inverse ? "n" : "m");
  out.define("BATCH_PARAMETER", v.offsets ? "const __global long *" : "const long");
  out.define("BATCH_PLACE(batch, step)", v.offsets ? "step[batch]" : "batch * step");
  define_shared(out);
  out.define("V", 1);
  out.define("STORED", one.type());
  out.define("IN_STORED", one.type());
  out.define("OUT_STORED", one.type());
  out.define("IN_RUN", one.type());
  out.define("OUT_RUN", one.type());
  out.define("PACK(from)", one.pack("from"));
  out.define("UNPACK_IN(into, run)", one.unpack("into", "run"));
  define_conversion(out, conversion, user);
  out.text(reorder_lines);
  return out.str();
}

}  // namespace clprim
