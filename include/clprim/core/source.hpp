#pragma once
// How OpenCL C source is put together: a banner, constants as #defines, texts that keep their line
// numbers, and the way back from a line of a build log to the line of the source.

#include <algorithm>
#include <array>
#include <charconv>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <clprim/core/policy.hpp>

namespace clprim {

/// A raw literal of OpenCL C and the place where it stands, so that a build log points into the
/// header. Write it as `inline constexpr kernel_text name = R"cl(`: with this form (and not with
/// braces, where g++ 12 reports the last line) every supported compiler reports the line on which
/// the literal begins. (std::source_location is missing in clang 14 with libstdc++; these built-ins
/// are what it rests on.)
struct kernel_text {
  const char* text;
  const char* file;
  int line;

  constexpr kernel_text(const char* text_, const char* file_ = __builtin_FILE(),
                        int line_ = __builtin_LINE())
    : text(text_), file(file_), line(line_) {}
};

/// Words of a text and what stands in their place; a replacement holds no line break. Underscores
/// part words: {"OPERAND", "A"} makes `OPERAND_WIDTH` `A_WIDTH`.
using replacements = std::vector<std::pair<std::string, std::string>>;

/// What holds, by name, as the sections of a text ask for it; empty names stand for nothing.
using text_facts = std::vector<std::string_view>;

/// The name of a fact where it holds, else an empty one.
constexpr std::string_view fact(bool holds, std::string_view name) {
  return holds ? name : std::string_view();
}

namespace detail {

/// The part of a path that is the same on every machine: from the last "clprim/", or after the last
/// "include/", whichever is shorter; the bare file name where there is neither.
inline std::string portable_path(std::string_view path) {
  std::string name(path);
  std::replace(name.begin(), name.end(), '\\', '/');
  std::size_t from = 0;
  if (const auto at = name.rfind("/clprim/"); at != std::string::npos) from = at + 1;
  if (const auto at = name.rfind("/include/"); at != std::string::npos) {
    from = std::max(from, at + std::string_view("/include/").size());
  }
  const bool relative = name.starts_with("clprim/");
  if (from == 0 && name.starts_with("include/")) from = std::string_view("include/").size();
  if (from == 0 && !relative && name.find('/') != std::string::npos) from = name.rfind('/') + 1;
  return name.substr(from);
}

constexpr bool is_word_character(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
}

inline std::string upper_case(std::string_view text) {
  std::string result(text);
  for (char& c : result) {
    if (c >= 'a' && c <= 'z') c = static_cast<char>(c - 'a' + 'A');
  }
  return result;
}

inline std::string replace_words(std::string_view text, const replacements& words) {
  std::string result;
  for (std::size_t i = 0; i < text.size();) {
    std::size_t end = i;
    while (end < text.size() && is_word_character(text[end])) ++end;
    if (end == i) {
      result += text[i++];
      continue;
    }
    const std::string_view word = text.substr(i, end - i);
    const auto found = std::find_if(words.begin(), words.end(),
                                    [&](const auto& pair) { return pair.first == word; });
    result += found == words.end() ? word : std::string_view(found->second);
    i = end;
  }
  return result;
}

/// Whether all of what names apart by blanks ask for holds: the names, and of `!name` that it does
/// not.
inline bool all_hold(std::string_view names, const text_facts& facts) {
  while (!names.empty()) {
    const auto end = std::min(names.find(' '), names.size());
    const bool wanted = names.front() != '!';
    const auto name = names.substr(wanted ? 0 : 1, end - (wanted ? 0 : 1));
    if ((std::find(facts.begin(), facts.end(), name) != facts.end()) != wanted) return false;
    names = trimmed(names.substr(end));
  }
  return true;
}

}  // namespace detail

/// Collects the source of a program. Every call appends; `str()` is the whole.
class source_builder {
 public:
  /// A comment of one or more lines.
  source_builder& banner(std::string_view text) {
    while (true) {
      const auto end = text.find('\n');
      generated("// " + std::string(text.substr(0, end)));
      if (end == std::string_view::npos) return *this;
      text.remove_prefix(end + 1);
    }
  }

  /// `#define name value`; negative values in parentheses, bool as 0 or 1.
  template <std::integral I> source_builder& define(std::string_view name, I value) {
    const std::string number = std::to_string(static_cast<std::int64_t>(value));
    return define(name, number[0] == '-' ? "(" + number + ")" : number);
  }

  /// `#define name value` with any text as the value.
  source_builder& define(std::string_view name, std::string_view value) {
    defined_.emplace_back(name.substr(0, name.find('(')));
    return line("#define " + std::string(name) + " " + std::string(value));
  }

  /// Takes back every `define` so far, and those of texts, so that what follows may define it anew.
  source_builder& undefine() {
    for (const std::string& name : defined_) line("#undef " + name);
    defined_.clear();
    return *this;
  }

  /// One `#define` per field in upper case: `TILE_M 128`; an enum as its number, with the numbers
  /// of its enumerators, so that a kernel can say `if (BUFFERING == BUFFERING_REGISTERS)`.
  template <policy P> source_builder& define_policy(const P& p) {
    std::vector<std::string_view> enums;
    for_each_field(p, [&]<class T>(std::string_view name, const T& value) {
      if constexpr (std::is_enum_v<T>) {
        constexpr std::string_view type = enum_names<T>::type;
        if (std::find(enums.begin(), enums.end(), type) == enums.end()) {
          enums.push_back(type);
          const std::string prefix = detail::upper_case(detail::unqualified(type)) + "_";
          for (std::size_t i = 0; i < enum_names<T>::names.size(); ++i) {
            define(prefix + detail::upper_case(enum_names<T>::names[i]), i);
          }
        }
      }
      if constexpr (!detail::is_list<T>) define(detail::upper_case(name), static_cast<int>(value));
    });
    return *this;
  }

  /// A literal under a `#line` that points to where it stands, with words replaced, so that one
  /// text serves several operands, and generated lines in place of each line that is the name of a
  /// block and nothing else. A line `@name !other` begins a section, which stands where of `facts`
  /// the one holds and the other does not, and ends at the next such line or at `@` alone; a line
  /// `@// …` is a comment that the source has not.
  /// Throws argument_error when what replaces a word holds a line break.
  source_builder& text(const kernel_text& literal, const replacements& words = {},
                       const replacements& blocks = {}, const text_facts& facts = {}) {
    for (const auto& [word, replacement] : words) {
      if (replacement.find('\n') != std::string::npos) {
        throw argument_error("replacement of '" + word + "'", "must stay on one line",
                             "'" + replacement + "'", "text without a line break expected");
      }
    }
    std::string_view body = literal.text;
    int row = literal.line;
    if (body.starts_with('\n')) {
      body.remove_prefix(1);
      ++row;
    }
    for (bool told = false, stands = true; !body.empty(); ++row) {
      const auto end = std::min(body.find('\n'), body.size());
      const std::string_view one = body.substr(0, end);
      body.remove_prefix(std::min(end + 1, body.size()));
      if (one.starts_with('@')) {
        const auto names = detail::trimmed(one.substr(1, one.find("//") - 1));
        if (!names.empty() || one == "@") stands = detail::all_hold(names, facts);
        told = false;
        continue;
      }
      if (!stands) continue;
      const auto block = std::find_if(blocks.begin(), blocks.end(), [&](const auto& pair) {
        return pair.first == detail::trimmed(one);
      });
      if (block != blocks.end()) {
        std::string_view lines = block->second;
        if (lines.ends_with('\n')) lines.remove_suffix(1);
        if (!lines.empty()) generated(lines);
        if (lines.empty() && told) append("\n");  // the numbers go on
        told = told && lines.empty();
        continue;
      }
      if (!told && !source_.ends_with("\\\n"))  // a macro goes on through its sections
        append("#line " + std::to_string(row) + " \"" + detail::portable_path(literal.file) +
               "\"\n");
      told = inside_literal_ = true;
      const std::string line = detail::replace_words(one, words);
      if (line.starts_with("#define "))
        defined_.push_back(line.substr(8, line.find_first_of(" (", 8) - 8));
      append(line + "\n");
    }
    return *this;
  }

  /// Generated text of one or more lines.
  source_builder& line(std::string_view text) {
    generated(text);
    return *this;
  }

  /// The source so far.
  std::string str() const { return source_; }

 private:
  void append(std::string_view text) {
    source_ += text;
    for (auto at = text.find('\n'); at != std::string_view::npos; at = text.find('\n', at + 1))
      ++lines_;
  }

  void generated(std::string_view text) {
    if (inside_literal_) append("#line " + std::to_string(lines_ + 2) + " \"generated\"\n");
    inside_literal_ = false;
    append(text);
    append("\n");
  }

  std::string source_;
  std::vector<std::string> defined_;
  std::ptrdiff_t lines_ = 0;
  bool inside_literal_ = false;
};

/// A line of source as a compiler names it.
struct source_place {
  std::string file;  ///< empty when the log gives only a number
  int line = 0;      ///< from 1; 0 when the log names no line
};

/// Where a build log reports its first error: "file:12:3: error: …" or, from PoCL, "error:
/// file:12:3: …".
inline source_place first_error(std::string_view log) {
  while (!log.empty()) {
    const auto end = log.find('\n');
    const std::string_view row = log.substr(0, end);
    log = end == std::string_view::npos ? "" : log.substr(end + 1);
    if (row.find("error:") == std::string_view::npos) continue;
    for (auto colon = row.find(':'); colon != std::string_view::npos;
         colon = row.find(':', colon + 1)) {
      int line = 0;
      const char* const last = row.data() + row.size();
      const auto [stop, status] = std::from_chars(row.data() + colon + 1, last, line);
      if (status != std::errc{} || stop == last || *stop != ':') continue;
      const std::string_view file = row.substr(0, colon);
      return {std::string(file.substr(file.rfind(' ') + 1)), line};
    }
  }
  return {};
}

/// The source around the first error of a build log, numbered as the log numbers it (`#line`
/// followed) and the line in question marked; empty when the log names no line of this source.
inline std::string numbered_excerpt(std::string_view source, std::string_view log) {
  constexpr std::size_t around = 4;
  const source_place wanted = first_error(log);
  struct row {
    std::string_view text;
    int number;
  };
  std::vector<row> rows;
  std::size_t found = 0;  // from 1
  std::string_view file;
  for (int number = 1; !source.empty(); ++number) {
    const auto end = source.find('\n');
    const std::string_view text = source.substr(0, end);
    source = end == std::string_view::npos ? "" : source.substr(end + 1);
    rows.push_back({text, number});
    if (found == 0 && number == wanted.line && file == wanted.file) found = rows.size();
    const auto quote = text.find('"');
    if (text.starts_with("#line ") && quote != std::string_view::npos) {
      std::from_chars(text.data() + 6, text.data() + text.size(), number);
      --number;
      file = text.substr(quote + 1, text.rfind('"') - quote - 1);
    }
  }
  // A file name that no #line gave is the compiler's own name for the text before the first one.
  if (found == 0 && wanted.line > 0 && static_cast<std::size_t>(wanted.line) <= rows.size()) {
    found = static_cast<std::size_t>(wanted.line);
  }
  if (found == 0) return {};
  std::string result;
  for (std::size_t i = found > around ? found - around : 1;
       i <= std::min(found + around, rows.size()); ++i) {
    std::string number = std::to_string(rows[i - 1].number);
    number.insert(0, number.size() < 6 ? 6 - number.size() : 0, ' ');
    result += (i == found ? ">" : " ") + number + " | " + std::string(rows[i - 1].text) + "\n";
  }
  return result;
}

}  // namespace clprim
