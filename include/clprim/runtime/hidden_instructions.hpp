#pragma once
// Instructions that a driver's compiler does not take, put into what it has compiled.
//
//     OpenCL C, with         PTX, with the        PTX for
//     "//@wgmma…" as    ──>  same line as    ──>  sm_90a      ──>  program
//     assembly        driver   a comment     here           driver
//
// NVIDIA compiles OpenCL C for sm_90, whose assembler refuses what only the very architecture has
// (sm_90a: wgmma, setmaxnreg, tensormap.replace; PTX ISA, "Target ISA"). No build option changes
// that (driver 580.159.04). But comments in inline assembly come out in the PTX that the driver
// gives as the program's binary, operands filled in, and a program can be made of PTX.

#include <algorithm>
#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace clprim::detail {

/// What begins a hidden instruction.
inline constexpr std::string_view hidden_mark = "//@";

/// Whether a line is an instruction that this library hides: one of the known ones, alone or after
/// the predicate that it takes, in the characters of PTX.
inline bool is_hidden_instruction(std::string_view text) {
  constexpr std::array<std::string_view, 3> known{"wgmma.", "setmaxnreg.", "tensormap."};
  constexpr std::string_view predicate = "{ .reg .pred add; setp.ne.b32 add, ";
  const bool written = std::all_of(text.begin(), text.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') ||
           std::string_view(" _%.,:;{}[]+-").find(c) != std::string_view::npos;
  });
  if (!written || text.empty() || (text.back() != ';' && text.back() != '}')) return false;
  if (text.starts_with(predicate)) {
    const std::size_t end = text.find("; ", predicate.size());
    if (end == std::string_view::npos) return false;
    text.remove_prefix(end + 2);
  }
  return std::any_of(known.begin(), known.end(),
                     [&](std::string_view name) { return text.starts_with(name); });
}

/// PTX for sm_90 with its hidden instructions brought out, which is PTX for sm_90a; the text itself
/// where none is hidden. Nothing where it is not what was to be expected: another target, or a
/// hidden line that this library does not write.
inline std::optional<std::string> with_hidden_instructions(std::string_view ptx) {
  while (!ptx.empty() && ptx.back() == '\0') ptx.remove_suffix(1);
  if (ptx.find(hidden_mark) == std::string_view::npos) return std::string(ptx);
  constexpr std::string_view target = ".target sm_90";
  std::string text;
  text.reserve(ptx.size() + 1);
  int targets = 0;
  while (!ptx.empty()) {
    const std::size_t end = std::min(ptx.find('\n'), ptx.size());
    const std::string_view line = ptx.substr(0, end);
    const std::size_t mark = line.find(hidden_mark);
    if (mark != std::string_view::npos) {
      const bool alone = line.find_first_not_of(" \t") == mark;
      std::string_view instruction = line.substr(mark + hidden_mark.size());
      if (instruction.ends_with('\r')) instruction.remove_suffix(1);
      if (!alone || !is_hidden_instruction(instruction)) return std::nullopt;
      text += line.substr(0, mark);
      text += instruction;
    } else if (line.starts_with(".target")) {
      const std::string_view rest = line.substr(std::min(target.size(), line.size()));
      const bool plain = rest.empty() || rest[0] == ',' || rest[0] == ' ' || rest[0] == '\r';
      if (!line.starts_with(target) || !plain || ++targets > 1) return std::nullopt;
      text += target;
      text += 'a';
      text += rest;
    } else {
      text += line;
    }
    text += '\n';
    ptx.remove_prefix(std::min(end + 1, ptx.size()));
  }
  if (targets != 1) return std::nullopt;
  return text;
}

}  // namespace clprim::detail
