#pragma once
// What all texts by items share, and Rader's points: the orders in which they are read and written.
//
//     Sub-groups move runs of 32 points between memory and local memory, and a run's points lie
//     there so that no access in the order of a generator's powers meets two of them in a bank
//     (methods/banks.hpp; where points lie in place, three or four of 32 meet).

#include <string>
#include <vector>

#include <clprim/fft/methods/banks.hpp>
#include <clprim/fft/methods/spectra.hpp>
#include <clprim/fft/pass/items_stages.hpp>
#include <clprim/fft/pass/points.hpp>

namespace clprim {
namespace fft_text {

/// The text that moves points whose order is Rader's.
class item_rader {
 public:
  item_rader(const fft_pass& pass, const fft_policy& policy, const item_geometry& geometry,
             fft_tables& tables)
    : p_(pass),
      g_(geometry),
      tables_(tables),
      s_(geometry, policy, pass.is_double, tables),
      reads_(g_.in_rows == g_.out_rows ? item_map{} : item_map{"t1", "c1"}) {}

 protected:
  std::string place_of(const item_map& map, bool rows) const {
    const std::string by = std::to_string(rows ? g_.items : g_.together);
    const std::string quick = "lid % " + by, slow = "lid / " + by;
    return cat("    const int ", map.item, " = ", rows ? quick : slow, ", ", map.transform, " = ",
               rows ? slow : quick, ";\n");
  }
  static std::string step(const char* base, const std::string& c, std::int64_t by) {
    return by == 0 ? std::string(base) : cat(base, " + (long)", c, " * ", by);
  }
  std::string read_point(const std::string& c, const std::string& n) const {
    const fft_axis& a = p_.outer.front();
    return cat("read_point(in, ", step("in_at", c, a.in_step), ", ",
               step("in_place", c, a.in_place), ", ", step("in_index", c, a.in_index), ", ", n,
               ", factors LOAD_ARGUMENTS)");
  }
  std::string write_point(const std::string& c, const std::string& k,
                          const std::string& value) const {
    const fft_axis& a = p_.outer.front();
    return cat("write_point(out, ", step("out_at", c, a.out_step), ", ",
               step("out_place", c, a.out_place), ", ", step("out_index", c, a.out_index), ", ", k,
               ", ", value, ", factors STORE_ARGUMENTS);");
  }

  /// The places of the points before and after the stages.
  void add_orders() {
    std::vector<std::int32_t> power = rader_order(p_.length).power, back;
    const std::size_t m = power.size();
    for (std::size_t q = 0; q < m; ++q) back.push_back(power[(m - q) % m]);
    if (g_.coprime) {
      const coprime_order order(g_.radices);
      power = reordered(power, order.time);
      back = reordered(back, order.time);
    }
    if (g_.banks) {
      fetched_in_ = into_banks(power, first_in_);
      fetched_out_ = into_banks(back, first_out_);
    }
    places_in_ = tables_.add(g_.banks ? packed(power) : power);
    places_out_ = tables_.add(g_.banks ? packed(back) : back);
  }

  /// Statements that read the places of all points of item `t`, with banks: two to a word.
  void read_places(const char* side, std::int64_t table, const std::string& t) {
    if (!g_.banks) return;
    for (int i = 0; 2 * i < slots(); ++i)
      s_.w.line("const uint ", side, i, " = (uint)places[", table + std::int64_t{i} * g_.items,
                " + ", t, "];");
  }
  /// The place of leg m of butterfly k of the first radix, which is number `n` of the order.
  std::string place_of_point(const char* side, std::int64_t table, int k, int m,
                             const std::string& n) const {
    if (!g_.banks) return cat("places[", table, " + ", n, "]");
    const int slot = k * g_.radices.front() + m;
    const std::string word = cat(side, slot / 2);
    return slot % 2 == 0 ? cat("(int)(", word, " & 0xffff)") : cat("(int)(", word, " >> 16)");
  }

  /// Statements that read the transforms of the group into local memory, and that write them.
  void stage_banks() {
    writer& w = s_.w;
    each_run([&](const run& i) {
      w.line("const int f", i.name, " = places[", fetched_in_, " + ",
             i.guard.empty() ? i.place : cat("(", i.guard, " ? ", i.place, " : 0)"), "];");
      w.line("const R2 p", i.name, " = ",
             read_point(cat("min(", i.transform, ", here - 1)"),
                        cat("min(f", i.name, ", ", p_.length - 1, ")")),
             ";");
    });
    each_run([&](const run& i) {
      w.line(i.guard.empty() ? std::string() : cat("if (", i.guard, ")"), "{ ",
             s_.put(i.local, cat("p", i.name, ".x"), cat("p", i.name, ".y")), " }");
    });
  }
  /// A loop: the H200's driver builds it 20 of 343 ms sooner, and it is faster (1009 points 1.4 %,
  /// 4051 4.3 %, 31 and 257 the same).
  template <class Finished> void store_banks(Finished finished) {
    writer& w = s_.w;
    const fft_axis& a = p_.outer.front();
    w.line("#pragma unroll 1");
    w.line("for (int at = lid; at < ", detail::bank_places(p_.length), "; at += ", g_.group(),
           ") {");
    w.line("const int k = places[", fetched_out_, " + at];");
    w.line("if (k >= ", p_.length, ") continue;");
    for (int transform = 0; transform < g_.together; ++transform) {
      const std::string c = std::to_string(transform);
      w.line("if (", c, " < here) {");
      const std::string place =
          cat("(", step("out_place", c, a.out_place), " + (long)k * ", p_.along.out_place, ")");
      const complex_name one = s_.parts_at(cat(transform * g_.pitch, " + at"));
      w.line(write_point(c, "k", finished(one, place)));
      w.line("}");
    }
    w.line("}");
  }

 private:
  /// Points that an item has of the first radix.
  int slots() const { return g_.radices.front() * s_.butterflies(g_.radices.front()); }
  /// The places of an item's points, two to a word, words of neighbouring items side by side.
  std::vector<std::int32_t> packed(const std::vector<std::int32_t>& order) const {
    const std::int64_t r = g_.radices.front(), butterflies = g_.points / r;
    const auto place = [&](std::int64_t t, std::int64_t slot) -> std::uint32_t {
      const std::int64_t j = t + slot / r * g_.items;
      if (slot >= slots() || j >= butterflies) return 0;
      return static_cast<std::uint32_t>(
          order[static_cast<std::size_t>(j + slot % r * butterflies)]);
    };
    std::vector<std::int32_t> words;
    for (int i = 0; 2 * i < slots(); ++i)
      for (std::int64_t t = 0; t < g_.items; ++t)
        words.push_back(static_cast<std::int32_t>(place(t, 2 * i) | place(t, 2 * i + 1) << 16));
    return words;
  }

  /// What a work-item moves in one go: transform, place there, and where that lies.
  struct run {
    std::string name;
    std::int64_t transform;
    std::string place, local;
    std::string guard;  ///< of a last go that is not whole; empty: none
  };
  template <class Tell> void each_run(Tell tell) {
    const std::int64_t places = detail::bank_places(p_.length), group = g_.group();
    for (std::int64_t at = 0; at < places * g_.together; at += group) {
      const std::string lid = cat("lid + ", at % places);
      const bool whole = at + group <= places * g_.together;
      tell(run{std::to_string(at), at / places, lid, cat(at / places * g_.pitch, " + ", lid),
               whole ? std::string() : cat(lid, " < ", places)});
    }
  }

  /// Changes points for their places in banks; returns where the points of the places stand.
  /// `first` is the place of point 0.
  std::int64_t into_banks(std::vector<std::int32_t>& order, std::int32_t& first) {
    // Place q is leg m of butterfly k of item t: t + k T + m N / r.
    const std::int64_t butterflies = g_.points / g_.radices.front();
    std::vector<int> access(static_cast<std::size_t>(p_.length));
    for (std::size_t q = 0; q < order.size(); ++q) {
      const auto at = static_cast<std::int64_t>(q);
      const std::int64_t leg = at / butterflies, j = at % butterflies;
      const std::int64_t sub_groups = (butterflies + detail::local_banks - 1) / detail::local_banks;
      access[static_cast<std::size_t>(order[q])] =
          1 + static_cast<int>(leg * sub_groups + j / detail::local_banks);
    }
    const bank_order banks(access, detail::local_banks);
    for (std::int32_t& n : order) n = banks.place[static_cast<std::size_t>(n)];
    first = banks.place[0];
    return tables_.add(banks.fetched);
  }

 protected:
  fft_pass p_;
  item_geometry g_;
  fft_tables& tables_;
  item_stages_writer s_;
  const item_map reads_;       ///< of what is read, up to the first exchange
  const item_map works_ = {};  ///< of all that follows
  std::int64_t places_in_ = 0, places_out_ = 0;
  std::int64_t fetched_in_ = 0, fetched_out_ = 0;
  std::int32_t first_in_ = 0, first_out_ = 0;  ///< where point 0 lies in local memory
};

}  // namespace fft_text
}  // namespace clprim
