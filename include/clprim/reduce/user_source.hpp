#pragma once
// The caller's text in the source of a reduction: types, map, operator, identity.

#include <array>
#include <string>

#include <clprim/core/source.hpp>
#include <clprim/reduce/reduction.hpp>

namespace clprim::reduce_text {

/// What the rest of the source calls the caller's types.
inline constexpr const char* user_element = "clprim_user_element";
inline constexpr const char* user_state = "clprim_user_state";

/// The type in which elements enter the map or the operator.
inline std::string operand_type(const reduction& what) {
  return what.element.is_struct ? user_element
         : what.two_operands    ? what.parts[0].value
                                : what.element.compute;
}

/// What the library's text calls its own; a caller's declarations may have the same names.
inline constexpr std::array own_names{"state",
                                      "run",
                                      "result",
                                      "begin_state",
                                      "begin_run",
                                      "take_run",
                                      "merge",
                                      "state_of",
                                      "lane_of",
                                      "put",
                                      "pack",
                                      "unpack",
                                      "send",
                                      "receive",
                                      "send_word",
                                      "take_word",
                                      "take_half_message",
                                      "arrive",
                                      "is_last",
                                      "walk",
                                      "fetch_run",
                                      "fetch_one",
                                      "made_of",
                                      "started_last",
                                      "shuffled",
                                      "place_of",
                                      "halves_at",
                                      "combine_row",
                                      "combine_group",
                                      "combine_column",
                                      "read_past",
                                      "read_streaming"};

/// The caller's text, before any macro of the library's, so that it may use all names for its own.
/// Functions: clprim_map, clprim_combine, clprim_identity.
inline void write_user(source_builder& out, const reduction& what) {
  const bool own = what.parts[0].op == reduce_operator::user;
  if (!what.declarations.empty()) out.line(what.declarations);
  if (what.element.is_struct) out.line("typedef " + what.element.stored + " " + user_element + ";");
  if (own) out.line("typedef " + what.state + " " + user_state + ";");
  const std::string state = user_state, x = operand_type(what);
  const std::string mapped = own ? state : x;
  if (!what.map.empty()) {
    out.line("inline " + mapped + " clprim_map(const " + x + " x" +
             (what.two_operands ? ", const " + x + " y" : "") + ", const long index" +
             parameter_list(what.map) + ")\n{\n" + what.map.body + "\n}");
  }
  if (!own) return;
  out.line("inline " + state + " clprim_combine(" + state + " a, " + state + " b)\n{\n" +
           what.combine + "\n}");
  if (!what.identity.empty())
    out.line("inline " + state + " clprim_identity(void) { return " + what.identity + "; }");
  if (what.declarations.empty()) return;
  for (const char* const name : own_names) out.define(name, std::string("clprim_") + name);
}

/// The reduction in the words of the rest of the source.
inline reduction renamed(reduction what) {
  if (what.element.is_struct) what.element.stored = what.element.compute = user_element;
  return what;
}

}  // namespace clprim::reduce_text
