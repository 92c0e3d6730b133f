#pragma once
// A line of the file that bench_tune reads: a problem and a policy to be timed on it.

#include <charconv>
#include <cstddef>
#include <optional>
#include <sstream>
#include <string>
#include <string_view>
#include <system_error>
#include <tuple>
#include <vector>

#include <clprim/core/error.hpp>
#include <clprim/core/policy.hpp>
#include <clprim/core/scalar.hpp>
#include <clprim/gemm/policy.hpp>

#include "problems.hpp"

namespace bench {

struct tuning_line {
  std::string text;  ///< as it stood there
  gemm_problem_row problem;
  bool a_along_k = true;
  bool b_along_k = false;
  std::optional<clprim::gemm_policy> policy;

  auto key() const {
    return std::tuple(problem.m, problem.n, problem.k, problem.batch, a_along_k, b_along_k);
  }
};

inline std::string trimmed(const std::string& text) {
  const auto first = text.find_first_not_of(" \t\r");
  if (first == std::string::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t\r") - first + 1);
}

/// The whole numbers of a text, with blanks between them; throws clprim::error, which ends with
/// what was expected, for anything else.
inline std::vector<int> whole_numbers(const std::string& text, std::string_view expected) {
  std::vector<int> numbers;
  std::istringstream words(text);
  for (std::string word; words >> word;) {
    int value = 0;
    const char* const end = word.data() + word.size();
    const auto [stop, status] = std::from_chars(word.data(), end, value);
    if (status != std::errc{} || stop != end)
      throw clprim::error("'" + text + "' is not: " + std::string(expected));
    numbers.push_back(value);
  }
  return numbers;
}

/// Reads `m n k [batch] | layouts | policy | splits`. Throws clprim::error, which says what is
/// wrong; whether the policy keeps its rules is not asked.
inline tuning_line parse_tuning_line(const std::string& line, clprim::scalar type) {
  std::vector<std::string> parts;
  std::istringstream whole(line);
  for (std::string part; std::getline(whole, part, '|');) parts.push_back(trimmed(part));
  if (parts.size() < 3 || parts.size() > 4)
    throw clprim::error("'" + line + "' is not: m n k | layouts | policy | splits");
  tuning_line c;
  c.text = line;
  c.problem.type = type;
  const auto refuse = [](const std::string& part, const char* expected) {
    throw clprim::error("'" + part + "' is not: " + expected);
  };
  constexpr const char* of_sizes = "m n k, or m n k batch, from 1 on";
  const std::vector<int> sizes = whole_numbers(parts[0], of_sizes);
  if (sizes.size() != 3 && sizes.size() != 4) refuse(parts[0], of_sizes);
  for (const int size : sizes)
    if (size < 1) refuse(parts[0], of_sizes);
  c.problem.m = sizes[0], c.problem.n = sizes[1], c.problem.k = sizes[2];
  if (sizes.size() == 4) c.problem.batch = sizes[3];
  constexpr const char* of_layouts = "two of 0 and 1";
  const std::vector<int> layouts = whole_numbers(parts[1], of_layouts);
  if (layouts.size() != 2) refuse(parts[1], of_layouts);
  c.a_along_k = layouts[0] != 0;
  c.b_along_k = layouts[1] != 0;
  if (parts[2] == "tuned") return c;
  std::string text = parts[2];
  if (text.find('{') == std::string::npos) text = "clprim::gemm_policy{" + text + "}";
  c.policy = clprim::parse_policy<clprim::gemm_policy>(text);
  if (parts.size() < 4 || parts[3].empty()) return c;
  constexpr const char* of_splits = "a number of parts, from 0 on";
  const std::vector<int> splits = whole_numbers(parts[3], of_splits);
  if (splits.size() != 1 || splits[0] < 0) refuse(parts[3], of_splits);
  c.policy->split_k = splits[0];
  return c;
}

}  // namespace bench
