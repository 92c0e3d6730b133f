#pragma once
// What many rows say together: how far ours stands ahead or behind, and where furthest behind.

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "text.hpp"

namespace bench {

/// Ratios of rows to what they are judged by: a peer's speed, a copy's, a roof.
class distribution {
 public:
  struct entry {
    double ratio = 0;
    std::string kind;  ///< rows of one kind are also counted by themselves: an element type
    std::string name;
  };

  void add(entry e) { all_.push_back(std::move(e)); }
  bool empty() const { return all_.empty(); }

  /// Lines of a table by kinds, and the ten rows that are furthest behind.
  std::vector<std::string> lines(const std::string& judged_by) const {
    std::vector<std::string> text{"Against " + judged_by + ", by kind:",
                                  cell("", -16) + cell("rows", 6) + cell("geo. mean", 11) +
                                      cell("worst", 8) + cell(">= 0.95", 9) + cell(">= 1", 7)};
    std::vector<std::string> kinds;
    for (const entry& e : all_)
      if (std::find(kinds.begin(), kinds.end(), e.kind) == kinds.end()) kinds.push_back(e.kind);
    std::sort(kinds.begin(), kinds.end());
    if (kinds.size() > 1) {
      for (const std::string& kind : kinds) {
        std::vector<double> ratios;
        for (const entry& e : all_)
          if (e.kind == kind) ratios.push_back(e.ratio);
        text.push_back(line(kind, ratios));
      }
    }
    std::vector<double> ratios;
    for (const entry& e : all_) ratios.push_back(e.ratio);
    text.push_back(line("all", ratios));
    text.emplace_back("Furthest behind:");
    std::vector<entry> sorted = all_;
    std::stable_sort(sorted.begin(), sorted.end(),
                     [](const entry& x, const entry& y) { return x.ratio < y.ratio; });
    sorted.resize(std::min<std::size_t>(sorted.size(), 10));
    for (const entry& e : sorted) text.push_back(cell(fixed(e.ratio, 3), 8) + "  " + e.name);
    return text;
  }

  static double geometric_mean(const std::vector<double>& ratios) {
    double sum = 0;
    for (const double r : ratios) sum += std::log(r);
    return ratios.empty() ? 0 : std::exp(sum / static_cast<double>(ratios.size()));
  }
  /// The part of the rows that reach at least so much.
  static double share(const std::vector<double>& ratios, double least) {
    const auto reached =
        std::count_if(ratios.begin(), ratios.end(), [&](double r) { return r >= least; });
    return ratios.empty() ? 0 : static_cast<double>(reached) / static_cast<double>(ratios.size());
  }

 private:
  static std::string line(const std::string& name, const std::vector<double>& ratios) {
    return cell(name, -16) + cell(std::to_string(ratios.size()), 6) +
           cell(fixed(geometric_mean(ratios), 3), 11) +
           cell(fixed(*std::min_element(ratios.begin(), ratios.end()), 3), 8) +
           cell(percent(share(ratios, 0.95)), 9) + cell(percent(share(ratios, 1)), 7);
  }

  std::vector<entry> all_;
};

}  // namespace bench
