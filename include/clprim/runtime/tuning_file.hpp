#pragma once
// The user's file of policies that were found for problems: read, checked like any input, written.
//
//   # what stands behind '#' is a comment
//   NVIDIA H200 | 580.159.04 | copy of 1 x 4096 elements, float to float |
//     clprim::copy_policy{.items = 256, …} | 1.08        (in one line)
//
// An object whose options name no policy takes the one that the file of the process has under the
// first line of its `explain`, for its device and driver: that of use_tuning_file, else of the
// environment variable CLPRIM_TUNING_FILE.

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <clprim/core/device_facts.hpp>
#include <clprim/core/policy.hpp>
#include <clprim/runtime/program_folder.hpp>

namespace clprim {

/// The lines of a file of policies. Nothing in it can stop a program: a line that is not in order
/// is passed over, and `complaints` says why.
class tuning_file {
 public:
  /// Reads a file; one that is not there is an empty one, and what is no file is complained of.
  explicit tuning_file(const std::string& path) : path_(path) {
    std::error_code none;
    const auto state = std::filesystem::status(path, none);
    if (!std::filesystem::exists(state)) return;
    if (!std::filesystem::is_regular_file(state)) {
      complaints_.push_back("'" + path + "', the file of policies, is no regular file");
      return;
    }
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
  /// the policy or is of another driver. `place` gets to know where a policy that is found stands.
  template <policy P>
  std::optional<P> find(const device_facts& device, std::string_view problem,
                        std::string* place = nullptr) {
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
        if (place != nullptr) *place = place_of(one.number);
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
  std::string place_of(int number) const {
    return "line " + std::to_string(number) + " of '" + path_ + "'";
  }
  void complain(int number, const std::string& what) {
    const std::string sentence = place_of(number) + " " + what;
    if (std::find(complaints_.begin(), complaints_.end(), sentence) == complaints_.end())
      complaints_.push_back(sentence);
  }

  std::string path_;
  std::vector<entry> lines_;
  std::vector<std::string> complaints_;
};

namespace detail {

/// The file of the process.
class own_policies {
 public:
  static own_policies& of_process() {
    static own_policies all;
    return all;
  }
  void read(const std::string& path) {
    const std::lock_guard lock(guard_);
    file_ = tuning_file(path);
    notes_.clear();
    refused_.clear();
    any_ = !path.empty();
  }
  /// Whether there is a file; without one nobody waits.
  bool any() const { return any_.load(std::memory_order_relaxed); }
  /// The policy for a problem, and its `place` for what may be said of it.
  template <policy P>
  std::optional<P> find(const device_facts& device, const std::string& problem,
                        std::string& place) {
    const std::lock_guard lock(guard_);
    const std::size_t before = file_.complaints().size();
    const std::optional<P> found = file_.find<P>(device, problem, &place);
    if (found)
      notes_[problem] = "the policy is that of " + place;
    else if (file_.complaints().size() > before)
      notes_[problem] = file_.complaints().back();
    return found;
  }
  /// That the policy of this place does not fit its problem, so that the library chooses.
  void refuse(const std::string& problem, const std::string& place, const std::string& why) {
    const std::lock_guard lock(guard_);
    const std::string sentence = place + " does not fit the problem: " + why;
    notes_[problem] = sentence;
    if (std::find(refused_.begin(), refused_.end(), sentence) == refused_.end())
      refused_.push_back(sentence);
  }
  /// What was done for a problem, "" where the file has nothing for it.
  std::string note(const std::string& problem) const {
    const std::lock_guard lock(guard_);
    const auto at = notes_.find(problem);
    return at == notes_.end() ? "" : at->second;
  }
  std::vector<std::string> complaints() const {
    const std::lock_guard lock(guard_);
    std::vector<std::string> all = file_.complaints();
    all.insert(all.end(), refused_.begin(), refused_.end());
    return all;
  }

 private:
  own_policies() {
    const char* const path = std::getenv("CLPRIM_TUNING_FILE");
    if (path != nullptr && !with_borrowed_rights()) read(path);
  }

  mutable std::mutex guard_;
  std::atomic<bool> any_ = false;
  tuning_file file_{""};
  std::map<std::string, std::string> notes_;
  std::vector<std::string> refused_;
};

}  // namespace detail

/// The name under which operations look a problem up: the first line of what `explain` tells of it.
inline std::string problem_in(const std::string& explained) {
  return explained.substr(0, explained.find('\n'));
}
/// From now on the operations of this process take their policies from this file where it has one
/// for their problem; "": from none. A problem that an object has planned stays as it is.
inline void use_tuning_file(const std::string& path) {
  detail::own_policies::of_process().read(path);
}
/// A sentence for each line of that file which was passed over so far.
inline std::vector<std::string> tuning_complaints() {
  return detail::own_policies::of_process().complaints();
}

}  // namespace clprim
