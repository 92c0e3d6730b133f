#pragma once
// Numbers for people, and names for files.

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstdlib>
#include <string>
#include <string_view>

#include <clprim/core/number_text.hpp>

namespace bench {

inline std::string fixed(double value, int digits) { return clprim::fixed_text(value, digits); }

/// Four digits that matter: 0.4321, 43.21, 43210.
inline std::string short_number(double value) {
  if (!(value > 0)) return "-";
  return fixed(value, std::clamp(3 - static_cast<int>(std::floor(std::log10(value))), 0, 4));
}

inline std::string percent(double part) { return fixed(100 * part, part < 0.0995 ? 1 : 0) + "%"; }

/// "NVIDIA H200" → "nvidia-h200"
inline std::string slug(std::string_view name, char gap = '-') {
  std::string result;
  for (const char c : name) {
    const auto u = static_cast<unsigned char>(c);
    if (std::isalnum(u) != 0)
      result += static_cast<char>(std::tolower(u));
    else if (!result.empty() && result.back() != gap)
      result += gap;
  }
  while (!result.empty() && result.back() == gap) result.pop_back();
  return result;
}

/// Text in a column, counted in characters of UTF-8; a negative width aligns to the left.
inline std::string cell(std::string_view text, int width) {
  int length = 0;
  for (const char c : text) length += (static_cast<unsigned char>(c) & 0xc0u) != 0x80u ? 1 : 0;
  const std::string gap(static_cast<std::size_t>(std::max(0, std::abs(width) - length)), ' ');
  return width < 0 ? std::string(text) + gap : gap + std::string(text);
}

}  // namespace bench
