#pragma once
// Words in texts.

#include <cstddef>
#include <string_view>

namespace clprim::detail {

/// A character of the words that C++ and OpenCL C take for names.
constexpr bool is_of_word(char c) {
  return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

/// Whether a word stands in a text by itself: "H200" does in "NVIDIA H200", not in "GH200".
constexpr bool has_word(std::string_view text, std::string_view word) {
  for (auto at = text.find(word); at != std::string_view::npos; at = text.find(word, at + 1)) {
    const std::size_t end = at + word.size();
    if ((at == 0 || !is_of_word(text[at - 1])) && (end == text.size() || !is_of_word(text[end])))
      return true;
  }
  return false;
}

}  // namespace clprim::detail
