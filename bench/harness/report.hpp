#pragma once
// What a person reads of a run: one line per row, what went wrong, the rows under their bars.

#include <algorithm>
#include <cstdio>
#include <string>
#include <utility>
#include <vector>

#include "contest.hpp"
#include "distribution.hpp"
#include "text.hpp"

namespace bench {

/// What a row measures: `work` per call in `unit` times 1e9 (flops for GFLOP/s, bytes for GB/s).
struct row_head {
  std::string name;
  double work = 0;
  std::string unit = "GB/s";
  double roof = 0;  ///< in `unit`; 0: none is known
  std::vector<bar> bars{};
  std::string kind{};  ///< of a drawn problem, in the distribution
};

/// The text of a run, printed as it comes and kept for the file.
class run_report {
 public:
  /// `columns`: the contestants beside ours that get one each, in order.
  run_report(std::vector<std::string> columns, bool print_nothing = false)
    : columns_(std::move(columns)), silent_(print_nothing) {}

  /// The rows are drawn: the end tells their distribution against this bar's peer.
  void judge_by(const std::string& name) { judged_by_ = name; }

  const std::string& text() const { return text_; }
  void print(const std::string& line) {
    text_ += line + "\n";
    if (silent_) return;
    std::printf("%s\n", line.c_str());
    std::fflush(stdout);
  }

  void header() {
    std::string line = cell("row", -name_width) + cell("clprim", 9) + cell("unit", 9) +
                       cell("us", 10) + cell("±", 6) + cell("roof", 6);
    for (const std::string& name : columns_) line += cell(name, width(name)) + cell("±", 6);
    line += cell("ratio", 7) + cell("series", 7) + "  " + cell("bars", -41) + "how";
    print(line);
    print(std::string(line.size() + 14, '-'));
  }

  void row(const row_head& head, const contest_result& c) {
    const contestant_result& ours = c.ours();
    const double rate = rate_of(head, ours);
    std::string line = cell(head.name, -name_width) + cell(short_number(rate), 9) +
                       cell(head.unit, 9) + cell(short_number(ours.seconds.median * 1e6), 10) +
                       cell(ours.timed() ? percent(ours.seconds.spread) : "-", 6) +
                       cell(head.roof > 0 && rate > 0 ? percent(rate / head.roof) : "-", 6);
    for (const std::string& name : columns_) {
      const contestant_result* r = c.find(name);
      line += cell(r != nullptr ? short_number(rate_of(head, *r)) : "-", width(name)) +
              cell(r != nullptr ? percent(r->seconds.spread) : "-", 6);
    }
    const contestant_result* best = ours.timed() ? c.best_peer() : nullptr;
    line += cell(best != nullptr ? fixed(best->ratio, 3) : "-", 7) +
            cell(best != nullptr ? fixed(best->series_ratio, 3) : "-", 7) + "  " +
            cell(bars(head, c), -40) + " " + ours.short_detail;
    print(line);
    if (c.cut_short())
      print("    interrupted after " + std::to_string(c.rounds) + " of " +
            std::to_string(c.rounds_wanted) + " rounds");
    for (const contestant_result& r : c.all) note(head, r);
    if (judged_by_.empty()) return;
    const double found = reached(head, c, {.peer = judged_by_});
    if (found > 0)
      ratios_.add({found, head.kind, head.name});
    else if (ours.timed())
      ++alone_;
  }

  /// A row that could not be run at all.
  void failed(const std::string& name, const std::string& why) {
    print("    " + name + ": " + why);
    under_.push_back(name + ": " + why);
    wrong_ = true;
  }

  /// The rows under their bars, peers that were wrong, and the bars that no peer was there for.
  void finish() {
    print("");
    if (!ratios_.empty())
      for (const std::string& line : ratios_.lines(judged_by_)) print(line);
    if (alone_ > 0) print("Nobody to compare with in " + std::to_string(alone_) + " rows.");
    print(under_.empty() ? "No row is under a bar that was tried." : "Under their bars:");
    for (const std::string& line : under_) print("  " + line);
    if (!wrong_peers_.empty()) print("Peers whose results are wrong, not timed:");
    for (const std::string& line : wrong_peers_) print("  " + line);
    if (!open_.empty()) print("Not tried, for want of the peer:");
    for (const std::string& line : open_) print("  " + line);
  }

  /// Whether ours was wrong or could not run somewhere.
  bool wrong() const { return wrong_; }

  static double rate_of(const row_head& head, const contestant_result& r) {
    return r.timed() ? head.work / r.seconds.median * 1e-9 : 0;
  }

 private:
  static constexpr int name_width = 36;
  static int width(const std::string& name) {
    return std::max(10, static_cast<int>(name.size()) + 2);
  }

  /// What the row reached of a bar; 0 when nobody was there to tell.
  static double reached(const row_head& head, const contest_result& c, const bar& b) {
    if (!c.ours().timed()) return 0;
    const double rate = rate_of(head, c.ours());
    if (b.peer == "rate") return rate;
    if (b.peer == "roof") {
      double roof = head.roof;  // or what the row's own copy reaches, where it is small
      for (const contestant_result& r : c.all)
        if (r.as == role::roof && r.timed()) roof = std::min(roof, rate_of(head, r));
      return roof > 0 ? rate / roof : 0;
    }
    const contestant_result* who = b.peer == "best peer" ? c.best_peer() : c.find(b.peer);
    if (who == nullptr || who->ratio <= 0) return 0;
    return b.of_ours ? 1 / who->ratio : who->ratio;
  }

  std::string bars(const row_head& head, const contest_result& c) {
    std::string text;
    for (const bar& b : head.bars) {
      const bool absolute = b.peer == "rate";
      const std::string wanted = absolute    ? short_number(b.ratio) + " " + head.unit
                                 : b.of_ours ? b.peer + " " + fixed(b.ratio, 2) + " of ours"
                                             : fixed(b.ratio, 2) + " " + b.peer;
      const double found = reached(head, c, b);
      text += (text.empty() ? "" : ", ") + wanted +
              (found <= 0         ? " open"
               : found >= b.ratio ? " ok"
                                  : " UNDER");
      if (found <= 0) {
        open_.push_back(head.name + ": " + wanted);
      } else if (found < b.ratio) {
        under_.push_back(head.name + ": " + (absolute ? short_number(found) : fixed(found, 3)) +
                         (b.of_ours ? ", wanted " : " of ") + wanted);
      }
    }
    return text;
  }

  /// One line for what keeps someone out; the same line is not said twice.
  void note(const row_head& head, const contestant_result& r) {
    if (r.problem.empty()) return;
    const bool ours = r.as == role::ours, is_wrong = r.problem.starts_with("WRONG");
    // A variant is ours too: it may be unable to take part, but not wrong.
    const bool blamed = ours || (is_wrong && r.as == role::variant);
    if (blamed) wrong_ = true;
    const std::string line = "    " + r.name + ": " + r.problem;
    if (!is_wrong && std::find(said_.begin(), said_.end(), line) != said_.end()) return;
    said_.push_back(line);
    print(line);
    if (is_wrong || ours)
      (blamed ? under_ : wrong_peers_).push_back(head.name + ": " + r.name + " " + r.problem);
  }

  std::vector<std::string> columns_;
  std::string judged_by_;
  distribution ratios_;
  int alone_ = 0;
  bool silent_;
  std::string text_;
  std::vector<std::string> under_, wrong_peers_, open_, said_;
  bool wrong_ = false;
};

}  // namespace bench
