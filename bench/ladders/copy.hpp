#pragma once
// Copies: shifted by some elements, every s-th element (the deck's two examples of coalescing), and
// with 1 to 14 vectors of an item in flight (Volkov 2010).

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include <clprim/copy.hpp>

#include "rung.hpp"

namespace bench {

namespace detail {

inline bench_row copy_rung(const suite_place& place, const std::shared_ptr<lazy_arrays>& arrays,
                           const std::string& name, std::size_t count, std::int64_t offset,
                           std::int64_t stride, const clprim::copy_policy& policy,
                           const std::string& figure) {
  const auto enter = [=] {
    using namespace clprim;
    const auto a = arrays->get();
    const auto n = static_cast<std::int64_t>(count);
    const auto move =
        std::make_shared<copy<float>>(place.session.queue, copy_options{.policy = policy});
    const auto call = [=] {
      auto from = vector<float>(a->x, n);
      from.offset = offset;
      from.stride = stride;
      (*move)(from, vector<float>(a->y, n));
    };
    const auto wrong = [=]() -> std::string {
      const std::vector<float> got = a->result_of(call, count);
      for (std::size_t i = 0; i < count; ++i) {
        if (got[i] !=
            a->host[static_cast<std::size_t>(offset) + i * static_cast<std::size_t>(stride)])
          return "element " + std::to_string(i);
      }
      return {};
    };
    return std::vector<contestant>{timed_call(place, call, wrong, figure)};
  };
  return {.name = name, .work = 8.0 * static_cast<double>(count), .quick = true, .enter = enter};
}

}  // namespace detail

/// GB/s count the elements that were asked for, so what is fetched beside them shows.
inline void add_copy_ladders(const suite_place& place, std::vector<bench_row>& rows) {
  const std::size_t all = std::size_t{1} << (place.cpu() ? 23 : 27);
  const auto arrays = std::make_shared<lazy_arrays>(place, all);
  const clprim::copy_policy one_each{.items = 256, .vector = 1, .per_item = 1};
  for (const int offset : {0, 1, 2, 4, 8, 16, 32}) {
    rows.push_back(detail::copy_rung(place, arrays, "copy offset " + std::to_string(offset),
                                     all - 64, offset, 1, one_each, "deck: copy with offset"));
  }
  for (const int stride : {1, 2, 3, 4, 8, 16, 32}) {
    rows.push_back(detail::copy_rung(place, arrays, "copy stride " + std::to_string(stride),
                                     all / 32, 0, stride, one_each, "deck: copy with stride"));
  }
  for (const int vectors : {1, 2, 4, 8, 14}) {
    const clprim::copy_policy p{.items = 64, .vector = 4, .per_item = vectors};
    rows.push_back(detail::copy_rung(place, arrays, "copy vectors " + std::to_string(vectors), all,
                                     0, 1, p, "Volkov 2010: copies of 1 to 14 vectors"));
  }
}

}  // namespace bench
