#pragma once
// What a search has tried, in a file: a policy that hung or ended the process is not tried again.

#include <fstream>
#include <set>
#include <string>

#include <clprim/core/error.hpp>

namespace clprim {

/// Lines `try POLICY`, each followed by `done` unless the process did not come back from it, and
/// `best POLICY`. One problem on one device; for one process at a time.
class tuning_journal {
 public:
  /// Reads what is there, and writes behind it. Throws error where the file cannot be written.
  explicit tuning_journal(const std::string& path) {
    std::ifstream before(path);
    std::string trying;
    for (std::string line; std::getline(before, line);) {
      if (line.starts_with("try ")) {
        if (!trying.empty()) lost_.insert(trying);
        known_.insert(trying = line.substr(4));
      } else if (line == "done") {
        trying.clear();
      } else if (line.starts_with("best ")) {
        best_ = line.substr(5);
      }
    }
    if (!trying.empty()) lost_.insert(trying);
    out_.open(path, std::ios::app);
    if (!out_) throw error("'" + path + "', the tuner's journal, cannot be written");
  }
  bool knows(const std::string& policy) const { return known_.count(policy) > 0; }
  /// Those that a process did not come back from.
  const std::set<std::string>& lost() const { return lost_; }
  /// The best that was found, or nothing.
  const std::string& best() const { return best_; }

  void begin(const std::string& policy) { say("try " + policy); }
  void end() { say("done"); }
  void best(const std::string& policy) { say("best " + (best_ = policy)); }

 private:
  void say(const std::string& line) { out_ << line << std::endl; }

  std::set<std::string> known_, lost_;
  std::string best_;
  std::ofstream out_;
};

/// One candidate in the journal, if there is one, while it lives.
class tuning_note {
 public:
  tuning_note(tuning_journal* journal, const std::string& policy) : journal_(journal) {
    if (journal_ != nullptr) journal_->begin(policy);
  }
  ~tuning_note() {
    if (journal_ != nullptr) journal_->end();
  }
  tuning_note(const tuning_note&) = delete;
  tuning_note& operator=(const tuning_note&) = delete;

 private:
  tuning_journal* journal_;
};

}  // namespace clprim
