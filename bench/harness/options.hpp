#pragma once
// The command line of a benchmark: --name, --name value or --name=value.

#include <charconv>
#include <cstdio>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <clprim/core/error.hpp>

namespace bench {

/// Takes options off the command line one by one; what is left over at the end is an error.
class command_line {
 public:
  command_line(int argc, char** argv) : words_(argv + 1, argv + argc) {}

  /// Whether the word is there; each option describes itself for --help.
  bool flag(const std::string& name, const std::string& meaning) {
    help_ += "  --" + name + "\n      " + meaning + "\n";
    for (auto word = words_.begin(); word != words_.end(); ++word) {
      if (*word != "--" + name) continue;
      words_.erase(word);
      return true;
    }
    return false;
  }

  std::optional<std::string> text(const std::string& name, const std::string& what,
                                  const std::string& meaning) {
    help_ += "  --" + name + " " + what + "\n      " + meaning + "\n";
    for (auto word = words_.begin(); word != words_.end(); ++word) {
      if (word->starts_with("--" + name + "=")) {
        std::string value = word->substr(name.size() + 3);
        words_.erase(word);
        return value;
      }
      if (*word != "--" + name) continue;
      if (word + 1 == words_.end()) throw clprim::error("--" + name + " needs " + what);
      std::string value = *(word + 1);
      words_.erase(word, word + 2);
      return value;
    }
    return std::nullopt;
  }

  double number(const std::string& name, double otherwise, const std::string& meaning) {
    const std::optional<std::string> value = text(name, "NUMBER", meaning);
    if (!value) return otherwise;
    double result = 0;
    const auto [end, error] = std::from_chars(value->data(), value->data() + value->size(), result);
    if (error != std::errc{} || end != value->data() + value->size() || result < 0) {
      throw clprim::error("--" + name + " needs a number that is not negative: '" + *value +
                          "' given");
    }
    return result;
  }

  /// After all options were asked for: prints the help where it is wanted (then false), and throws
  /// for words that nobody knows.
  bool finish(const std::string& what) {
    for (const std::string& word : words_) {
      if (word == "--help" || word == "-h") {
        std::printf("%s\n\n%s", what.c_str(), help_.c_str());
        return false;
      }
    }
    if (!words_.empty()) throw clprim::error("'" + words_[0] + "' is no option: see --help");
    return true;
  }

 private:
  std::vector<std::string> words_;
  std::string help_;
};

}  // namespace bench
