#pragma once
// The user's file of policies that were found for problems: read, checked like any input, written.
//
//   # what stands behind '#' is a comment
//   NVIDIA H200 | 580.159.04 | reduce sum 8388608 | clprim::reduce_policy{.group = 512, …} | 1.08

#include <fstream>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <clprim/core/device_facts.hpp>
#include <clprim/core/policy.hpp>

namespace clprim {

/// The lines of a file of policies. Nothing in it can stop a program: a line that is not in order
/// is passed over, and `complaints` says why.
class tuning_file {
 public:
  /// Reads a file; one that is not there is an empty one.
  explicit tuning_file(const std::string& path) : path_(path) {
    std::ifstream in(path);
    int number = 0;
    for (std::string line; std::getline(in, line);) {
      ++number;
      const std::string_view text =
          detail::trimmed(std::string_view(line).substr(0, line.find('#')));
      if (text.empty()) continue;
      std::vector<std::string> parts;
      for (std::string_view rest = text;;) {
        const auto bar = rest.find('|');
        parts.emplace_back(detail::trimmed(rest.substr(0, bar)));
        if (bar == std::string_view::npos) break;
        rest = rest.substr(bar + 1);
      }
      if (parts.size() != 5) {
        complain(number, "must be device | driver | problem | policy | gain: " +
                             std::to_string(parts.size()) + " parts given, 5 expected");
        continue;
      }
      lines_.push_back({number, parts[0], parts[1], parts[2], parts[3]});
    }
  }

  /// The policy for a problem that was found on this device with this driver; nothing, so that the
  /// library chooses, where there is none or where the line names unknown fields, breaks a rule of
  /// the policy or is of another driver.
  template <policy P> std::optional<P> find(const device_facts& device, std::string_view problem) {
    std::optional<P> found;
    for (const entry& one : lines_) {
      if (one.problem != problem || one.device != device.name) continue;
      if (one.driver != device.driver) {
        complain(one.number,
                 "is of another driver: " + one.driver + " given, " + device.driver + " is here");
        continue;
      }
      try {
        const P p = parse_policy<P>(one.policy);
        require_rules(p);
        found = p;  // later lines count
      } catch (const error& e) {
        complain(one.number, std::string("has no policy that can run: ") + e.what());
      }
    }
    return found;
  }
  /// A sentence for each line that was passed over.
  const std::vector<std::string>& complaints() const { return complaints_; }

  /// Appends a line. Throws error where the file cannot be written, argument_error for a problem's
  /// name that a line cannot hold.
  template <policy P>
  static void add(const std::string& path, const device_facts& device, const std::string& problem,
                  const P& p, double gain) {
    if (problem.empty() || problem.find_first_of("|#\n") != std::string::npos) {
      throw argument_error("name of the problem", "must fit a line of the file",
                           "'" + problem + "'", "text without |, # and line breaks");
    }
    std::ofstream out(path, std::ios::app);
    out << device.name << " | " << device.driver << " | " << problem << " | " << to_string(p)
        << " | " << gain << '\n';
    if (!out.flush()) throw error("'" + path + "', the file of policies, cannot be written");
  }

 private:
  struct entry {
    int number;
    std::string device, driver, problem, policy;
  };
  void complain(int number, const std::string& what) {
    complaints_.push_back("line " + std::to_string(number) + " of '" + path_ + "' " + what);
  }

  std::string path_;
  std::vector<entry> lines_;
  std::vector<std::string> complaints_;
};

}  // namespace clprim
