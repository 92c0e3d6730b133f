#pragma once
// Places in local memory for points that are written in one order and read in another, so that no
// access has to wait for a bank.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace clprim {

/// A colour from 0 to `colours` - 1 for every edge of a bipartite graph, no two alike at a corner.
/// Edge e joins left[e] and right[e]; as no corner has more than `colours` edges, there are enough
/// (König, Math. Annalen 77, 1916): where the ends of an edge lack different colours a and b, the
/// path of a and b that leaves its right end changes them over, and never comes to its left end.
inline std::vector<int> edge_colours(const std::vector<int>& left, const std::vector<int>& right,
                                     int colours) {
  const auto width = static_cast<std::size_t>(colours);
  const auto corners = [&](const std::vector<int>& ends) {  // the edge of a colour there, or -1
    const int most = ends.empty() ? -1 : *std::max_element(ends.begin(), ends.end());
    return std::vector<int>(static_cast<std::size_t>(most + 1) * width, -1);
  };
  std::vector<int> at_left = corners(left), at_right = corners(right);
  const auto at = [width](int corner) { return static_cast<std::size_t>(corner) * width; };
  const auto lacking = [](const int* edges) {
    std::size_t c = 0;
    while (edges[c] >= 0) ++c;
    return c;
  };
  std::vector<int> colour(left.size(), -1);
  const auto put = [&](int e, std::size_t c) {
    colour[static_cast<std::size_t>(e)] = static_cast<int>(c);
    at_left[at(left[static_cast<std::size_t>(e)]) + c] = e;
    at_right[at(right[static_cast<std::size_t>(e)]) + c] = e;
  };
  std::vector<std::pair<int, std::size_t>> path;  // its edges with their new colours
  for (int e = 0; e < static_cast<int>(left.size()); ++e) {
    const int u = left[static_cast<std::size_t>(e)], v = right[static_cast<std::size_t>(e)];
    const std::size_t a = lacking(&at_left[at(u)]), b = lacking(&at_right[at(v)]);
    path.clear();
    std::size_t next = a;
    bool on_right = true;
    for (int x = v;;) {
      const int edge = (on_right ? at_right : at_left)[at(x) + next];
      if (edge < 0) break;
      next = next == a ? b : a;
      path.emplace_back(edge, next);
      x = (on_right ? left : right)[static_cast<std::size_t>(edge)];
      on_right = !on_right;
    }
    for (const auto& [edge, c] : path) {
      const std::size_t old = c == a ? b : a;
      at_left[at(left[static_cast<std::size_t>(edge)]) + old] = -1;
      at_right[at(right[static_cast<std::size_t>(edge)]) + old] = -1;
    }
    for (const auto& [edge, c] : path) put(edge, c);
    put(e, a);
  }
  return colour;
}

/// Points that sub-groups move in runs of memory on one side and in any order on the other.
struct bank_order {
  std::vector<std::int32_t> fetched;  ///< the point of a place; the number of points where none is
  std::vector<std::int32_t> place;    ///< of a point: its run's, and its bank there

  /// `access[n]` is the number of the access, of at most `banks` work-items, that meets point n on
  /// the side without order.
  bank_order(const std::vector<int>& access, int banks) {
    const int points = static_cast<int>(access.size());
    std::vector<int> run;
    for (int n = 0; n < points; ++n) run.push_back(n / banks);
    const std::vector<int> bank = edge_colours(run, access, banks);
    const int runs = (points + banks - 1) / banks;
    fetched.resize(static_cast<std::size_t>(runs) * static_cast<std::size_t>(banks), points);
    for (int n = 0; n < points; ++n) {
      const int at = n / banks * banks + bank[static_cast<std::size_t>(n)];
      fetched[static_cast<std::size_t>(at)] = n;
      place.push_back(at);
    }
  }
};

}  // namespace clprim
