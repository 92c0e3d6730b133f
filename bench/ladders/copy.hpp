#pragma once
// Copies: shifted by some elements, every s-th element (the deck's two examples of coalescing), and
// with 1 to 14 vectors of an item in flight (Volkov 2010). Beside the first two stands what the
// rule of the device says of their loads.

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include <clprim/copy.hpp>

#include "rung.hpp"

namespace bench {

namespace detail {

/// Elements of a strided or shifted copy, and how.
struct copied_part {
  std::size_t count = 0;
  std::int64_t offset = 0;
  std::int64_t stride = 1;
};

inline bench_row copy_rung(const suite_place& place, const std::shared_ptr<lazy_arrays>& arrays,
                           const std::string& name, const copied_part& part,
                           const clprim::copy_policy& policy, const std::string& how) {
  const auto enter = [=] {
    using namespace clprim;
    const auto a = arrays->get();
    const auto n = static_cast<std::int64_t>(part.count);
    const auto move =
        std::make_shared<copy<float>>(place.session.queue, copy_options{.policy = policy});
    const auto call = [=] {
      auto from = vector<float>(a->x, n);
      from.offset = part.offset;
      from.stride = part.stride;
      (*move)(from, vector<float>(a->y, n));
    };
    const auto wrong = [=]() -> std::string {
      const std::vector<float> got = a->result_of(call, part.count);
      const auto offset = static_cast<std::size_t>(part.offset),
                 stride = static_cast<std::size_t>(part.stride);
      for (std::size_t i = 0; i < part.count; ++i) {
        if (got[i] != a->host[offset + i * stride]) return "element " + std::to_string(i);
      }
      return {};
    };
    return std::vector<contestant>{timed_call(place, call, wrong, how)};
  };
  return {.name = name, .work = 8.0 * static_cast<double>(part.count), .enter = enter};
}

/// A copy by single elements whose loads the model judges.
inline bench_row judged_copy(const suite_place& place, const std::shared_ptr<lazy_arrays>& arrays,
                             const std::string& name, const copied_part& part,
                             const textbook_figure& figure) {
  const predicted_loads loads(
      place, 4, {[&](int lane) { return 4 * (part.offset + part.stride * std::int64_t{lane}); }});
  const clprim::copy_policy one_each{.items = 256, .vector = 1, .per_item = 1};
  bench_row row =
      copy_rung(place, arrays, name, part, one_each, joined(figure.text(), loads.text()));
  row.numbers = loads.numbers();
  return row;
}

}  // namespace detail

/// GB/s count the elements that were asked for, so what is fetched beside them shows.
inline void add_copy_ladders(const suite_place& place, std::vector<bench_row>& rows) {
  const std::size_t all = std::size_t{1} << (place.cpu() ? 22 : 26);
  const auto arrays = std::make_shared<lazy_arrays>(place, all);
  // The deck tells the price of an offset of one as a factor: 1.7, and 8 on compute capability 1.0.
  // What strides cost stands in a figure that our text of it has lost.
  const textbook_figure aligned{"deck"},
      shifted{"deck", "GTX 280, 0.13 on FX 5600", 0.59, "of offset 0"};
  for (const int offset : {0, 1, 2, 4, 8, 16, 32}) {
    rows.push_back(detail::judged_copy(place, arrays, "copy-offset " + std::to_string(offset),
                                       {all - 64, offset, 1}, offset == 1 ? shifted : aligned));
    rows.back().quick = offset == 0 || offset == 1 || offset == 8;
  }
  // A part of 32 of an array so large that the part is no guest of the last cache.
  const bool roomy = !place.cpu() && place.device.max_allocation_bytes >= std::int64_t{1} << 30;
  const std::size_t strided = roomy ? std::size_t{1} << 28 : all;
  const auto wide = std::make_shared<lazy_arrays>(place, strided);
  for (const int stride : {1, 2, 3, 4, 8, 16, 32}) {
    rows.push_back(detail::judged_copy(place, wide, "copy-stride " + std::to_string(stride),
                                       {strided / 32, 0, stride}, aligned));
    rows.back().quick = stride == 1 || stride == 2 || stride == 32;
  }
  const auto volkov = [](int vectors) -> textbook_figure {
    const std::string source = "Volkov: float4 vectors of an item";
    if (vectors == 8) return {source, "GTX 480 at 8 % occupancy", 87, "% of its pins"};
    if (vectors == 14) return {source, "GTX 480 at 4 % occupancy", 84, "% of its pins"};
    return {source};
  };
  for (const int vectors : {1, 2, 4, 8, 14}) {
    const clprim::copy_policy p{.items = 64, .vector = 4, .per_item = vectors};
    rows.push_back(detail::copy_rung(place, arrays, "copy-vectors " + std::to_string(vectors),
                                     {all}, p, volkov(vectors).text()));
    rows.back().quick = vectors < 8;
  }
}

}  // namespace bench
