#pragma once
// What a person reads of a run: one line per row, what went wrong, the rows under their bars.

#include <algorithm>
#include <cstdio>
#include <string>
#include <vector>

#include "../harness/text.hpp"
#include "comparison.hpp"

namespace bench {

/// The text of a run, printed as it comes and kept for the file.
class gemm_report {
 public:
  /// `peers` in the order of their columns; `roof` gives the FMA roof of a type in FLOP/s.
  gemm_report(std::vector<std::string> peers, double float_roof, double double_roof)
    : peers_(std::move(peers)), float_roof_(float_roof), double_roof_(double_roof) {}

  const std::string& text() const { return text_; }
  double roof(clprim::scalar type) const {
    return clprim::facts_of(type).compute == "double" ? double_roof_ : float_roof_;
  }

  void print(const std::string& line) {
    text_ += line + "\n";
    std::printf("%s\n", line.c_str());
    std::fflush(stdout);
  }

  void header() {
    std::string line =
        cell("problem", -22) + cell("clprim", 9) + cell("us", 10) + cell("±", 6) + cell("roof", 6);
    for (const std::string& peer : peers_) line += cell(peer, column(peer)) + cell("±", 6);
    line += cell("ratio", 7) + cell("series", 7) + "  " + cell("bars", -41) + "policy";
    print(line);
    print(std::string(line.size() + 14, '-'));
  }

  void row(const comparison& c) {
    const contestant_result& ours = c.ours();
    std::string line = cell(c.problem.name, -22);
    line += cell(gflops(c, ours), 9) + cell(short_number(ours.seconds.median * 1e6), 10) +
            cell(ours.timed() ? percent(ours.seconds.spread) : "-", 6);
    const double flops = ours.timed() ? c.problem.flops() / ours.seconds.median : 0;
    const double top = roof(c.problem.type);
    line += cell(top > 0 && flops > 0 ? percent(flops / top) : "-", 6);
    double worst = 0, worst_series = 0;
    for (const std::string& peer : peers_) {
      const contestant_result* r = c.find(peer);
      const bool timed = r != nullptr && r->timed();
      line += cell(timed ? gflops(c, *r) : "-", column(peer)) +
              cell(timed ? percent(r->seconds.spread) : "-", 6);
      if (!timed || !ours.timed()) continue;
      worst = worst == 0 ? r->ratio : std::min(worst, r->ratio);
      worst_series = worst_series == 0 ? r->series_ratio : std::min(worst_series, r->series_ratio);
    }
    line += cell(worst > 0 ? fixed(worst, 3) : "-", 7) +
            cell(worst_series > 0 ? fixed(worst_series, 3) : "-", 7) + "  " + cell(bars(c), -40) +
            " " + ours.short_detail;
    print(line);
    for (const contestant_result& r : c.results) note(c, r);
  }

  /// The rows under their bars, and the bars that no peer was there for.
  void finish() {
    print("");
    if (under_.empty())
      print("No row is under a bar that was tried.");
    else
      print("Under their bars:");
    for (const std::string& line : under_) print("  " + line);
    if (!open_.empty()) print("Not tried, for want of the peer:");
    for (const std::string& line : open_) print("  " + line);
  }

  bool wrong() const { return wrong_; }

 private:
  static int column(const std::string& peer) {
    return std::max(10, static_cast<int>(peer.size()) + 2);
  }
  static std::string gflops(const comparison& c, const contestant_result& r) {
    return r.timed() ? short_number(c.problem.flops() / r.seconds.median * 1e-9) : "-";
  }

  std::string bars(const comparison& c) {
    std::string text;
    for (const bar& b : c.problem.bars) {
      const std::string wanted = fixed(b.ratio, 2) + " " + b.peer;
      const contestant_result* peer = c.find(b.peer);
      text += text.empty() ? "" : ", ";
      if (peer == nullptr || !peer->timed()) {
        text += wanted + " open";
        open_.push_back(c.problem.name + ": " + wanted);
        continue;
      }
      const bool pass = peer->ratio >= b.ratio;
      text += wanted + (pass ? " ok" : " UNDER");
      if (!pass) under_.push_back(c.problem.name + ": " + fixed(peer->ratio, 3) + " of " + wanted);
    }
    return text;
  }

  /// One line for what keeps someone out; the same line is not said twice.
  void note(const comparison& c, const contestant_result& r) {
    if (r.problem.empty()) return;
    const bool wrong = r.problem.starts_with("WRONG");
    if (r.name == "clprim") wrong_ = true;
    const std::string line = "    " + r.name + ": " + r.problem;
    if (!wrong && std::find(said_.begin(), said_.end(), line) != said_.end()) return;
    said_.push_back(line);
    print(line);
    if (wrong || r.name == "clprim")
      under_.push_back(c.problem.name + ": " + r.name + " " + r.problem);
  }

  std::vector<std::string> peers_;
  double float_roof_, double_roof_;
  std::string text_;
  std::vector<std::string> under_, open_, said_;
  bool wrong_ = false;
};

}  // namespace bench
