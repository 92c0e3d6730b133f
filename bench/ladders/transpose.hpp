#pragma once
// Transposition: naive, through local memory, without bank conflicts (the deck's three steps), then
// swizzled, on diagonals, and by blocks of registers.

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <clprim/transpose.hpp>

#include "rung.hpp"

namespace bench {

inline void add_transpose_ladder(const suite_place& place, std::vector<bench_row>& rows) {
  using namespace clprim;
  const int n = place.cpu() ? 2048 : 8192;
  const auto count = static_cast<std::size_t>(n) * static_cast<std::size_t>(n);
  const auto arrays = std::make_shared<lazy_arrays>(place, count);
  const auto add = [&](const std::string& name, std::optional<transpose_policy> policy,
                       const textbook_figure& figure) {
    const auto enter = [=] {
      const auto a = arrays->get();
      const auto turn = std::make_shared<transpose<float>>(place.session.queue,
                                                           transpose_options{.policy = policy});
      const auto call = [=] { (*turn)(matrix<float>(a->x, n, n), matrix<float>(a->y, n, n)); };
      const auto wrong = [=]() -> std::string {
        const std::vector<float> got = a->result_of(call, count);
        const auto side = static_cast<std::size_t>(n);
        for (std::size_t r = 0; r < side; r += r < 66 || r > side - 66 ? 1 : 61) {
          for (std::size_t c = 0; c < side; ++c) {
            if (got[r * side + c] != a->host[c * side + r])
              return "element (" + std::to_string(r) + ", " + std::to_string(c) + ")";
          }
        }
        return {};
      };
      return std::vector<contestant>{timed_call(place, call, wrong, figure.text())};
    };
    rows.push_back({.name = "transpose " + name,
                    .work = 8.0 * static_cast<double>(count),
                    .quick = true,
                    .enter = enter});
  };
  const std::string deck = "deck";
  transpose_policy p{.tile_rows = 16, .tile_cols = 16, .items = 256};
  p.exchange = tile_exchange::direct;
  add("naive", p, {deck, "GTX 280, 0.4 on FX 5600", 1.1, "GB/s"});
  p.exchange = tile_exchange::local;
  p.banks = bank_strategy::none;
  add("through local memory", p, {deck, "GTX 280, 13.3 on FX 5600", 24.8, "GB/s"});
  p.banks = bank_strategy::padding;
  add("padded, no conflicts", p, {deck, "GTX 280, 15.6 on FX 5600", 30.3, "GB/s"});
  p = {.tile_rows = 32, .tile_cols = 32, .items = 256};
  p.banks = bank_strategy::none;
  add("32 x 32, conflicts", p, {"ETH: four elements per item"});
  p.banks = bank_strategy::swizzle;
  add("32 x 32, swizzled", p, {"van den Braak et al. 2016"});
  p.order = tile_order::diagonal;
  add("diagonal group order", p, {"Ruetsch and Micikevicius 2009"});
  add("the library's choice", std::nullopt, {"transpose/tuned.hpp"});
}

}  // namespace bench
