#pragma once
// Arrays of structures against structures of arrays: one field of four, and all four. On a GPU the
// items of a warp should read side by side (SoA); on a CPU one item reads a whole structure (AoS).

#include <cmath>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <clprim/copy.hpp>

#include "rung.hpp"

namespace bench {

namespace detail {

enum class field_layout { structures, arrays };

/// Field `field` of element i lies at offset + i stride.
struct field_place {
  std::int64_t offset;
  std::int64_t stride;
};

inline field_place place_of(field_layout layout, int field, std::int64_t count) {
  return layout == field_layout::structures ? field_place{field, 4} : field_place{field * count, 1};
}

inline clprim::vector_view<float> field_view(const cl::Buffer& x, field_layout layout, int field,
                                             std::int64_t count) {
  auto view = clprim::vector<float>(x, count);
  const field_place at = place_of(layout, field, count);
  view.offset = at.offset;
  view.stride = at.stride;
  return view;
}

/// out = a, or out = a b + c d, of the fields a, b, c, d.
inline std::vector<contestant> enter_fields(const suite_place& place, const ladder_arrays& a,
                                            std::shared_ptr<const ladder_arrays> kept,
                                            field_layout layout, bool all, std::int64_t n,
                                            std::optional<clprim::copy_policy> policy,
                                            const std::string& how) {
  using namespace clprim;
  const auto field = [=, &a](int f) { return field_view(a.x, layout, f, n); };
  std::function<void()> call;
  const auto out = vector<float>(a.y, n);
  if (all) {
    const auto run = std::make_shared<map<float, float, float, float, float>>(
        place.session.queue,
        copy_options{.policy = policy, .map = {"return x0 * x1 + x2 * x3;", {}}});
    call = [=, x0 = field(0), x1 = field(1), x2 = field(2), x3 = field(3)] {
      (*run)({x0, x1, x2, x3}, out);
    };
  } else {
    const auto run = std::make_shared<copy<float>>(place.session.queue, copy_options{policy});
    call = [=, x0 = field(0)] { (*run)(x0, out); };
  }
  const auto wrong = [=]() -> std::string {
    const auto count = static_cast<std::size_t>(n);
    const std::vector<float> got = kept->result_of(call, count);
    for (std::size_t i = 0; i < count; ++i) {
      const auto value = [&](int f) {
        const field_place at = place_of(layout, f, n);
        const auto index = at.offset + static_cast<std::int64_t>(i) * at.stride;
        return static_cast<double>(kept->host[static_cast<std::size_t>(index)]);
      };
      const double first = value(0), ab = first * value(1), cd = value(2) * value(3);
      const double error = std::fabs(static_cast<double>(got[i]) - (all ? ab + cd : first));
      // Two roundings of products, one of the sum; fewer where they fuse.
      const double allowed = all ? 2.1 * 0x1p-24 * (std::fabs(ab) + std::fabs(cd)) : 0;
      if (!(error <= allowed)) return "element " + std::to_string(i);
    }
    return {};
  };
  return {timed_call(place, call, wrong, how)};
}

}  // namespace detail

inline void add_layout_ladder(const suite_place& place, std::vector<bench_row>& rows) {
  using detail::field_layout;
  const std::int64_t n = std::int64_t{1} << (place.cpu() ? 21 : 24);
  const auto arrays = std::make_shared<lazy_arrays>(place, static_cast<std::size_t>(4 * n));
  const auto add = [&](const std::string& name, field_layout layout, bool all,
                       std::optional<clprim::copy_policy> policy, const std::string& source) {
    std::vector<std::function<std::int64_t(int)>> addresses;
    for (int f = 0; f < (all ? 4 : 1); ++f) {
      const detail::field_place at = detail::place_of(layout, f, n);
      addresses.push_back([at](int lane) { return 4 * (at.offset + at.stride * lane); });
    }
    std::string how = source;
    std::vector<std::pair<std::string, double>> numbers;
    if (policy) {  // of loads of single elements
      const predicted_loads loads(place, 4, addresses);
      how = joined(source, loads.text());
      numbers = loads.numbers();
    }
    rows.push_back({.name = "aos-soa " + name,
                    .work = (all ? 20.0 : 8.0) * static_cast<double>(n),
                    .quick = all,
                    .enter =
                        [=] {
                          const auto a = arrays->get();
                          return detail::enter_fields(place, *a, a, layout, all, n, policy, how);
                        },
                    .numbers = numbers});
  };
  const clprim::copy_policy one_each{.items = 256, .vector = 1, .per_item = 1};
  const std::string eth = "ETH: CPUs prefer AoS, GPUs SoA";
  add("one field, AoS", field_layout::structures, false, one_each, eth);
  add("one field, SoA", field_layout::arrays, false, one_each, eth);
  add("four fields, AoS", field_layout::structures, true, one_each, eth);
  add("four fields, SoA", field_layout::arrays, true, one_each, eth);
  add("the library's choice, AoS", field_layout::structures, true, std::nullopt, "copy/tuned.hpp");
  add("the library's choice, SoA", field_layout::arrays, true, std::nullopt, "copy/tuned.hpp");
}

}  // namespace bench
