#pragma once
// One axis -> its passes: one, several by the four-step method, or those of a convolution.

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <clprim/core/smooth.hpp>
#include <clprim/fft/methods/convolution_cost.hpp>
#include <clprim/fft/methods/spectra.hpp>
#include <clprim/fft/plan/line_pass.hpp>
#include <clprim/fft/plan/stages.hpp>

namespace clprim {
namespace detail {

/// Adds the steps of one axis after the other to a plan.
class fft_line_planner : public fft_pass_planner {
 public:
  using fft_pass_planner::fft_pass_planner;

 protected:
  void transform(const line& l) {
    const std::int64_t n = l.length;
    if (is_smooth(n)) return smooth(l);
    const bool direct = l.input == fft_input::complex_points || l.input == fft_input::real_points ||
                        l.input == fft_input::half_spectrum;
    if (direct && is_prime(n) && is_smooth(n - 1)) {
      const auto policy_of = [&](std::int64_t m) { return convolution_policy(m, l); };
      const auto one_pass = [&](std::int64_t m, const fft_policy& p) {
        return m <= 4 * std::int64_t{p.one_pass} &&
               fits(make_pass(l, n, fft_method::convolution, m), p);
      };
      const fft_policy policy = policy_of(n - 1);
      fft_pass pass = make_pass(l, n, fft_method::rader, n - 1);
      if (n - 1 <= policy.one_pass && fits(pass, policy) &&
          rader_pays(n, device_.max_work_group, policy_of, one_pass))
        return add(std::move(pass), policy, l.from, l.to);
    }
    bluestein(l);
  }

  void smooth(const line& l) {
    const fft_policy policy = policy_for(l.length, l);
    fft_pass pass = make_pass(l, l.length, fft_method::direct, l.length);
    if (wide_enough(l) && l.length <= policy.one_pass && fits(pass, policy))
      return add(std::move(pass), policy, l.from, l.to);
    several_passes(l);
  }

  /// Whether there are transforms enough for all lanes; one alone is better cut into columns.
  bool wide_enough(const line& l) const {
    const fft_policy policy = policy_for(l.length, l);
    if (policy.shape != fft_shape::lanes) return true;
    std::int64_t transforms = 1;
    for (const fft_axis& a : l.outer) transforms *= a.extent;
    return transforms >= policy.lanes || l.length < 16 * policy.lanes * policy.lanes ||
           l.input == fft_input::real_pairs || l.input == fft_input::spectrum_pairs;
  }

  /// N = n1 n2, n1 the points of the first of as few passes as there can be, as near their root as
  /// factors allow.
  std::int64_t cut(std::int64_t n) const {
    const auto most = static_cast<double>(policy_for(n, true).one_pass);
    double rest = most;  // that the other passes can take
    for (int passes = 2; passes < 64; ++passes, rest *= most) {
      auto d = static_cast<std::int64_t>(std::pow(static_cast<double>(n), 1.0 / passes) + 1e-6);
      while (d > 1 && (n % d != 0 || d > policy_for(d, true).one_pass || !column_fits(d))) --d;
      if (d > 1 && static_cast<double>(n / d) <= rest) return d;
    }
    throw policy_error("a transform of " + std::to_string(n) +
                       " points has no factor that one pass takes with " +
                       to_string(policy_for(n, true)));
  }
  bool column_fits(std::int64_t n) const {
    line l{.length = n, .along = {}, .outer = {}, .from = {}, .to = {}};
    l.along = {.in_step = 1 << 20, .out_step = 1 << 20, .in_place = 1, .out_place = 1};
    l.outer = {{.extent = 1 << 20, .in_step = 1, .out_step = 1}};
    fft_pass pass = make_pass(l, n, fft_method::direct, n);
    pass.turn = n;
    return fits(pass, policy_for(n, true));
  }

  /// The four-step method (Gentleman and Sande 1966; Bailey 1990): columns of a matrix n1 x n2,
  /// factors, rows, whose points k2 are points k1 + n1 k2 of the result.
  void several_passes(const line& l) {
    const std::int64_t n = l.length, n1 = cut(n), n2 = n / n1;
    const fft_policy policy = policy_for(n1, true);
    // The workspace [outer …][n1][n2][side], or the places in it where this line already lives.
    // Neighbours in memory stay side by side there.
    const bool inside = l.from.buffer == fft_buffer::work && l.input == fft_input::complex_points &&
                        l.in_points == 0;
    const auto beside = std::find_if(l.outer.begin(), l.outer.end(), [&](const fft_axis& a) {
      return policy.shape == fft_shape::items && a.in_step == 1 && l.along.in_step > 1 &&
             a.extent >= policy.columns;
    });
    const std::int64_t unit = inside                    ? l.along.in_step
                              : beside != l.outer.end() ? beside->extent
                                                        : 1;
    fft_place middle{fft_buffer::work, 0, {}, {}, plain_};
    std::vector<fft_axis> columns, rows;
    std::int64_t step = n * unit;
    for (auto a = l.outer.begin(); a != l.outer.end(); ++a) {
      fft_axis column = *a, row = *a;
      column.out_step = row.in_step = inside ? a->in_step : a == beside ? 1 : step;
      column.out_place = column.out_index = row.in_place = row.in_index = 0;
      if (a != beside) step *= a->extent;
      columns.push_back(column);
      rows.push_back(row);
    }
    middle.offset = inside ? l.from.offset : take(step);
    line first = l;
    first.length = n1;
    first.last = false;
    first.output = fft_output::complex_points;
    first.to = middle;
    first.swap_out = false;
    first.out_points = 0;
    first.out_factor = no_table;
    first.scale = 1;
    first.outer = columns;
    const fft_axis turning{.extent = n2,
                           .in_step = l.along.in_step,
                           .out_step = unit,
                           .in_place = l.along.in_place,
                           .in_index = l.along.in_index};
    first.outer.push_back(turning);
    first.along = {.in_step = n2 * l.along.in_step,
                   .out_step = n2 * unit,
                   .in_place = n2 * l.along.in_place,
                   .out_place = 1,
                   .in_index = n2 * l.along.in_index};
    fft_pass pass = make_pass(first, n1, fft_method::direct, n1);
    pass.turn = n;
    const auto at = std::find(pass.outer.begin(), pass.outer.end(), turning);
    if (beside != l.outer.end())
      pass.turn_axis = static_cast<int>(at - pass.outer.begin());
    else
      std::rotate(pass.outer.begin(), at, at + 1);
    add(std::move(pass), policy, l.from, middle);

    line second = l;
    second.length = n2;
    second.first = false;
    second.input = fft_input::complex_points;
    second.from = middle;
    second.swap_in = false;
    second.in_points = 0;
    second.in_factor = no_table;
    second.outer = rows;
    second.outer.push_back({.extent = n1,
                            .in_step = n2 * unit,
                            .out_step = l.along.out_step,
                            .out_place = l.along.out_place,
                            .out_index = l.along.out_index});
    second.along = {.in_step = unit,
                    .out_step = n1 * l.along.out_step,
                    .in_place = 1,
                    .out_place = n1 * l.along.out_place,
                    .out_index = n1 * l.along.out_index};
    const fft_policy last = policy_for(n2, true);
    fft_pass whole = make_pass(second, n2, fft_method::direct, n2);
    if (n2 <= last.one_pass && fits(whole, last)) return add(std::move(whole), last, middle, l.to);
    several_passes(second);
  }

  /// The chirp times the factors that a line has itself, as those of cosine and sine transforms,
  /// which have one for each place that is read or written.
  std::vector<wide_complex> with_factors(std::vector<wide_complex> chirp, std::int64_t table,
                                         std::int64_t places) const {
    if (table == no_table) return chirp;
    const auto all = static_cast<std::int64_t>(chirp.size());
    const std::vector<wide_complex> own = plan_.tables.part(table, places > 0 ? places : all);
    chirp.resize(own.size());
    for (std::size_t i = 0; i < own.size(); ++i) chirp[i] *= own[i];
    return chirp;
  }

  /// Any length by a convolution of at least 2 N - 1 points.
  void bluestein(const line& l) {
    const std::int64_t n = l.length;
    const std::vector<wide_complex> chirp = bluestein_chirp(n);
    line one = l;
    const std::vector<wide_complex> last = with_factors(chirp, l.out_factor, l.out_points);
    one.in_factor = plan_.tables.add(with_factors(chirp, l.in_factor, l.in_points));
    one.out_factor = plan_.tables.add(last);
    const std::int64_t shortest = convolution_length(
        n, device_.max_work_group, [&](std::int64_t m) { return convolution_policy(m, l); });
    const fft_policy policy = convolution_policy(shortest, l);
    const std::int64_t given = product_of(radices_of(policy.radices));
    const std::int64_t short_inner = given >= 2 * n - 1 && given <= 4 * n ? given : shortest;
    fft_pass pass = make_pass(one, n, fft_method::convolution, short_inner);
    if (short_inner <= 4 * std::int64_t{policy.one_pass} && fits(pass, policy))
      return add(std::move(pass), policy, l.from, l.to);
    const std::int64_t inner = next_smooth(2 * n - 1);
    std::vector<fft_axis> outer = l.outer;
    merge_outer(outer);
    std::int64_t step = inner;
    one.outer.clear();
    line first = one, second = one;
    for (const fft_axis& a : outer) {
      fft_axis in = a, out = a;
      in.out_step = out.in_step = step;
      in.out_place = in.out_index = out.in_place = out.in_index = 0;
      first.outer.push_back(in);
      second.outer.push_back(out);
      step *= a.extent;
    }
    fft_place middle{fft_buffer::work, take(step), {}, {}, plain_};
    first.length = second.length = inner;
    first.to = second.from = middle;
    first.last = second.first = false;
    first.output = fft_output::complex_points;
    if (l.input != fft_input::half_spectrum && l.in_points == 0) first.in_points = n;
    first.out_points = 0;
    first.out_factor = plan_.tables.add(bluestein_spectrum(chirp, inner));
    first.swap_out = false;
    first.scale = 1;
    first.along.out_step = first.along.out_place = 1;
    second.input = fft_input::complex_points;
    second.in_points = 0;
    second.in_factor = no_table;
    std::vector<wide_complex> conjugate = last;
    for (wide_complex& c : conjugate) c = std::conj(c);
    second.out_factor = plan_.tables.add(conjugate);
    second.out_points = l.out_points > 0 ? l.out_points : n;
    second.swap_in = true;
    second.swap_out = !l.swap_out;
    second.along.in_step = second.along.in_place = 1;
    second.along.in_index = first.along.out_index = 0;
    smooth(first);
    smooth(second);
  }
};

}  // namespace detail
}  // namespace clprim
