#pragma once
// One axis -> its passes: one where codelets reach its length, several by the four-step method, or
// those of a convolution.

#include <algorithm>
#include <bit>
#include <cmath>
#include <complex>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <clprim/core/cheapest.hpp>
#include <clprim/core/smooth.hpp>
#include <clprim/fft/methods/convolved.hpp>
#include <clprim/fft/methods/trigonometric.hpp>
#include <clprim/fft/plan/planning.hpp>

namespace clprim::detail {

/// N = n1 n2, n1 the points of the first of as few passes as there can be, as near their root as
/// factors allow.
inline std::int64_t cut(const fft_planning& c, std::int64_t n) {
  const auto most = static_cast<double>(policy_for(c, n, true).one_pass);
  double rest = most;  // that the other passes can take
  for (int passes = 2; passes < 64; ++passes, rest *= most) {
    auto d = static_cast<std::int64_t>(std::pow(static_cast<double>(n), 1.0 / passes) + 1e-6);
    while (d > 1 && (n % d != 0 || d > policy_for(c, d, true).one_pass || !column_fits(c, d))) --d;
    if (d > 1 && static_cast<double>(n / d) <= rest) return d;
  }
  throw policy_error("a transform of " + std::to_string(n) +
                     " points has no factor that one pass takes with " +
                     to_string(policy_for(c, n, true)));
}

inline void transform(fft_planning& c, const fft_line& l);

/// A line as two that follow each other. What lies between them is at `between`, where there is
/// such a place, else in the workspace, `points` of each transform together. `known` tells how far
/// neighbours of an outer axis lie apart there, or 0 for one behind the other.
template <class Known>
std::pair<fft_line, fft_line> in_two(fft_planning& c, const fft_line& l, std::int64_t points,
                                     std::optional<fft_memory> between, Known known) {
  fft_line first = l, second = l;
  std::int64_t step = points;
  for (std::size_t a = 0; a < l.pass.outer.size(); ++a) {
    const std::int64_t apart = known(l.pass.outer[a]);
    first.pass.outer[a].out = second.pass.outer[a].in = {apart > 0 ? apart : step};
    if (apart == 0) step *= l.pass.outer[a].extent;
  }
  first.to = second.from = between ? *between : take(c, step);
  first.pass.write = {.type = c.plain()};
  second.pass.read = {.type = c.plain()};
  return {std::move(first), std::move(second)};
}

/// Adds the columns of n1 points of a line, one for each place of the axis `turning`, whose results
/// are turned along it. It becomes the first axis unless another one has the neighbours in memory.
inline void add_columns(fft_planning& c, fft_line columns, std::int64_t n1, const fft_axis& turning,
                        bool keeps_order) {
  columns.pass.outer.push_back(turning);
  columns.pass.turn = std::exchange(columns.pass.length, n1);
  fft_pass first = made_pass(columns);
  const auto at = std::find(first.outer.begin(), first.outer.end(), turning);
  if (keeps_order)
    first.turn_axis = static_cast<int>(at - first.outer.begin());
  else
    std::rotate(first.outer.begin(), at, at + 1);
  add(c, std::move(first), policy_for(c, n1, true), columns.from, columns.to);
}

/// The four-step method (Gentleman and Sande 1966; Bailey 1990): columns of a matrix n1 x n2,
/// factors, rows, whose points k2 are points k1 + n1 k2 of the result; n1 is a product of small
/// primes.
inline void several_passes(fft_planning& c, const fft_line& l, std::int64_t n1) {
  const std::int64_t n = l.pass.length, n2 = n / n1;
  const fft_axis& along = l.pass.along;
  const std::vector<fft_axis>& outer = l.pass.outer;
  const fft_policy policy = policy_for(c, n1, true);
  // The workspace [outer …][n1][n2][side], or the places in it where this line already lives.
  // Neighbours in memory stay side by side there.
  const bool inside = l.from.buffer == fft_buffer::work && l.pass.read.points == 0 &&
                      l.pass.read.kind == fft_form::complex_points;
  const auto beside = std::find_if(outer.begin(), outer.end(), [&](const fft_axis& a) {
    return policy.shape == fft_shape::items && a.in.step == 1 && along.in.step > 1 &&
           a.extent >= policy.columns;
  });
  const std::int64_t unit = inside ? along.in.step : beside != outer.end() ? beside->extent : 1;
  // Of real values half of the rows are the conjugates of the others: columns write those to the
  // middle, and rows their images too. Back to real values columns to the middle are enough, whose
  // rows are half spectra. (Factors of places have no such symmetry.)
  const fft_side& read = l.pass.read;
  const fft_side& write = l.pass.write;
  const bool apart = read.factor == no_table && write.factor == no_table,
             real = apart && read.kind == fft_form::real_points &&
                    write.kind == fft_form::complex_points && write.points > 0 &&
                    2 * write.points <= n + 2,
             back = apart && read.kind == fft_form::half_spectrum;
  const fft_axis turning{.extent = back ? n2 / 2 + 1 : n2, .in = along.in, .out = {unit}};
  const auto own = inside ? std::optional(l.from) : std::nullopt;
  auto [columns, rows] = in_two(c, l, n * unit, own, [&](const fft_axis& a) {
    return inside ? a.in.step : std::int64_t{beside != outer.end() && &a == &*beside};
  });
  columns.pass.write.swapped = back && read.swapped;
  if (real) columns.pass.write.points = n1 / 2 + 1;
  columns.pass.along = {.in = n2 * along.in, .out = {n2 * unit, 1}};
  add_columns(c, columns, n1, turning, beside != outer.end());

  rows.pass.length = n2;
  if (real) {
    rows.pass.write.kind = fft_form::half_spectrum;
    rows.pass.write.fold = n1;
  }
  if (back) {
    rows.pass.read = {.kind = fft_form::half_spectrum, .type = c.plain(), .swapped = read.swapped};
    rows.pass.whole = n2;
  }
  rows.pass.outer.push_back(
      {.extent = real ? n1 / 2 + 1 : n1, .in = {n2 * unit}, .out = along.out});
  rows.pass.along = {.in = {unit, 1}, .out = n1 * along.out};
  if (!has_codelets(c, n2)) return transform(c, rows);
  if (!add_one(c, rows, policy_for(c, n2, true))) several_passes(c, rows, cut(c, n2));
}

/// A long transform whose spectrum lies in the order of the digits n1, n2: forward columns of the
/// matrix n1 x n2, factors, rows, each where it is; back rows, factors, columns. What lies between
/// is in the output where that can hold it.
inline void in_digits(fft_planning& c, const fft_line& l) {
  const std::int64_t n = l.pass.length, n1 = cut(c, n), n2 = n / n1;
  const bool inverse = c.problem.inverse;
  // `a` points `apart`, then `b` points that lie `next` to each other.
  const std::int64_t a = inverse ? n2 : n1, b = n / a, apart = inverse ? 1 : n2,
                     next = inverse ? n2 : 1;
  const bool room =
      l.pass.write.type == c.plain() && l.pass.write.user.empty() && !l.pass.write.split;
  auto [first, second] = in_two(c, l, n, room ? std::optional(l.to) : std::nullopt,
                                [&](const fft_axis& axis) { return room ? axis.out.step : 0; });
  const fft_axis& along = l.pass.along;
  const fft_stride between{room ? along.out.step : 1};
  const fft_axis turning{.extent = b, .in = next * along.in, .out = next * between};
  first.pass.along = {.in = apart * along.in, .out = apart * between};
  add_columns(c, first, a, turning, false);
  second.pass.outer.push_back({.extent = a, .in = apart * between, .out = apart * along.out});
  second.pass.along = {.in = next * between, .out = next * along.out};
  second.pass.length = b;
  if (!add_one(c, second, policy_for(c, b, true)))
    throw argument_error("a spectrum in the order of its digits",
                         "is of a length that two passes take", std::to_string(n),
                         "natural order for longer ones");
  c.plan.digits = {n1, n2};
}

/// Adds the passes of a length that codelets reach.
inline void smooth(fft_planning& c, const fft_line& l) {
  const std::int64_t n = l.pass.length;
  // By the length alone: whoever goes back may have arrays that lie otherwise.
  if (c.problem.order == fft_order::digits && n == c.problem.lengths[0] &&
      n > policy_for(c, n, true).one_pass)
    return in_digits(c, l);
  if (!wide_enough(c, l) || !add_one(c, l, policy_for(c, l))) several_passes(c, l, cut(c, n));
}

/// The chirp for each place that is read or written, `apart` between neighbouring points, times the
/// factors that a line has itself, as those of cosine and sine transforms.
inline std::vector<wide_complex> with_factors(const fft_planning& c,
                                              const std::vector<wide_complex>& chirp,
                                              std::int64_t table, std::int64_t places,
                                              std::int64_t apart) {
  const std::int64_t all =
      table != no_table && places > 0 ? places : static_cast<std::int64_t>(chirp.size()) * apart;
  std::vector<wide_complex> factors;
  for (std::int64_t i = 0; i < all; ++i) {
    factors.push_back(chirp[static_cast<std::size_t>(i / apart)]);
    if (table != no_table)
      factors.back() *= c.plan.tables.factors[static_cast<std::size_t>(table + i)];
  }
  return factors;
}

/// Whether one pass takes n points that a large prime divides, as the rows of the four-step method.
inline bool rough_fits(const fft_planning& c, std::int64_t n) {
  constexpr std::int64_t far = 1 << 20;
  fft_pass pass{.length = n,
                .along = {.in = {1, 1}, .out = {far, 1}},
                .outer = {{.extent = far, .in = {far}, .out = {1}}},
                .is_double = c.is_double};
  const auto takes = [&](fft_method method, std::int64_t inner, double most) {
    const fft_policy p = convolution_policy(c, inner, true);
    pass.method = method;
    pass.inner = inner;
    return static_cast<double>(inner) <= most * p.one_pass && fits(c, pass, p);
  };
  // Long convolutions with few of them side by side lose: 404157 points of double on an H200, 39 by
  // 10363, 1322 us, by a convolution of the whole 457.
  const double most = c.options.policy ? 4 : c.is_double ? 0.5 : 1;
  return (is_prime(n) && is_smooth(n - 1) && takes(fft_method::rader, n - 1, 1)) ||
         takes(fft_method::convolution, next_smooth(2 * n - 1), most);
}

/// N = n1 n2 for a length that large primes divide, n1 a product of small ones that one pass takes
/// and n2 what another one takes, as near each other as can be; 0 where there are none.
inline std::int64_t rough_cut(const fft_planning& c, std::int64_t n) {
  cheapest<std::int64_t> best;
  const std::int64_t most = std::min<std::int64_t>(n / 17, policy_for(c, n, true).one_pass);
  for (std::int64_t d = 2; d <= most; ++d) {
    if (n % d != 0 || !has_codelets(c, d)) continue;
    const double cost =
        std::abs(std::log2(static_cast<double>(d)) - std::log2(static_cast<double>(n)) / 2);
    if (cost < best.cost && column_fits(c, d) && rough_fits(c, n / d)) best.offer(d, cost);
  }
  return best.value;
}

/// The length of a convolution, of `points` at least, in several passes: by items a power of two
/// where that is at most a quarter longer than the shortest, for its passes move whole lines and
/// have the best stages; else whole lines of 32 in both passes. H200, us by the shortest and so:
/// 33 of 62639 104 and 80, two of 62967 22.9 and 20.0 (2026-11-27); 300 of 12037 147 and 124.
inline std::int64_t long_convolution_length(std::int64_t points, fft_shape shape) {
  const std::int64_t least = next_smooth(points);
  if (shape != fft_shape::items) return least;
  const auto power = static_cast<std::int64_t>(std::bit_ceil(static_cast<std::uint64_t>(least)));
  const std::int64_t lines = 1024 * next_smooth((least + 1023) / 1024);
  return 4 * power <= 5 * least ? power : 16 * lines <= 17 * least ? lines : least;
}

/// A convolution by a spectrum, from the points of one line to those of another, in three passes
/// where two take its length: columns of the matrix n1 x n2, factors; rows, their product with the
/// spectrum and back, factors; columns back. Tells whether it is so. What the second line reads has
/// real and imaginary parts exchanged.
inline bool convolved_rows(fft_planning& c, fft_line first, fft_line second,
                           const std::vector<wide_complex>& spectrum) {
  const auto inner = static_cast<std::int64_t>(spectrum.size());
  const std::int64_t n1 = cut(c, inner), n2 = inner / n1;
  const fft_policy policy = convolution_policy(c, n2, false);
  fft_pass rows{.length = n2,
                .outer = first.pass.outer,
                .read = {.type = c.plain()},
                .write = {.type = c.plain()},
                .is_double = c.is_double,
                .method = fft_method::convolution,
                .inner = n2,
                .turn = inner};
  for (fft_axis& a : rows.outer) a.in = a.out;
  merge_outer(rows.outer);
  // The first axis of its own, for a place along it is that of a spectrum.
  rows.outer.insert(rows.outer.begin(), {.extent = n1, .in = {n2}, .out = {n2}});
  if (policy.shape != fft_shape::items || n2 > policy.one_pass || !fits(c, rows, policy))
    return false;
  std::vector<wide_complex> by_rows(spectrum.size());
  for (std::int64_t i = 0; i < inner; ++i)
    by_rows[static_cast<std::size_t>(i % n1 * n2 + i / n1)] = spectrum[static_cast<std::size_t>(i)];
  rows.spectrum = c.plan.tables.add(by_rows);

  const fft_axis turning{.extent = n2, .in = first.pass.along.in, .out = {1}};
  first.pass.along = {.in = n2 * turning.in, .out = {n2, 1}};
  add_columns(c, first, n1, turning, false);
  add(c, rows, policy, first.to, second.from);
  second.pass.outer.push_back({.extent = n2, .in = {1}, .out = second.pass.along.out});
  second.pass.along = {.in = {n2, 1}, .out = n2 * second.pass.along.out};
  second.pass.length = n1;
  add(c, made_pass(second), policy_for(c, n1, true), second.from, second.to);
  return true;
}

/// Any length by a convolution (`least_convolution`); by the four-step method where one pass
/// does not take that, but parts of it.
inline void bluestein(fft_planning& c, const fft_line& l) {
  const std::int64_t n = l.pass.length;
  const std::int64_t least = least_convolution(l.pass);
  const std::int64_t shortest = convolution_length(c, least, l.in_columns());
  const fft_policy policy = convolution_policy(c, shortest, l.in_columns());
  const std::int64_t given = product_of(told_stages(policy.radices, 1));
  const std::int64_t short_inner = given >= least && given <= 4 * n ? given : shortest;
  const bool few = policy.shape == fft_shape::items && !wide_enough(c, l);
  const bool by_one = !few && one_pass(c, l, policy, fft_method::convolution, short_inner);
  const std::int64_t n1 = by_one ? 0 : rough_cut(c, n);
  if (n1 > 0) return several_passes(c, l, n1);
  const fft_side& read = l.pass.read;
  const fft_side& write = l.pass.write;
  const std::vector<wide_complex> chirp = bluestein_chirp(n);
  const std::int64_t apart = std::max<std::int64_t>(1, l.pass.along.out.place);
  fft_line one = l;
  auto last = with_factors(c, chirp, write.factor, write.points, apart);
  const auto start = with_factors(c, chirp, read.factor, read.points, 1);
  one.pass.read.factor = c.plan.tables.add(l.pass.half_does() ? doubled_half(start) : start);
  one.pass.write.factor = c.plan.tables.add(last);
  if (by_one && add_one(c, one, policy, fft_method::convolution, short_inner)) return;
  const std::int64_t inner = long_convolution_length(least, policy.shape);
  merge_outer(one.pass.outer);
  one.pass.length = inner;
  auto [first, second] = in_two(c, one, inner, std::nullopt, [](const fft_axis&) { return 0; });
  if (read.kind != fft_form::half_spectrum && read.points == 0) first.pass.read.points = n;
  first.pass.along.out = second.pass.along.in = {1, 1};
  for (wide_complex& factor : last) factor = std::conj(factor);
  second.pass.write.factor = c.plan.tables.add(last);
  second.pass.write.points = write.points > 0 ? write.points : n;
  second.pass.write.swapped = !write.swapped;
  const std::vector<wide_complex> spectrum = bluestein_spectrum(l.pass, chirp, inner);
  // One pass each way moves less; points with other transforms between them keep their neighbours
  // through two passes each way.
  const bool one_each = wide_enough(c, first) && one_pass(c, first, policy_for(c, first));
  if (!one_each && !l.in_columns() && convolved_rows(c, first, second, spectrum)) return;
  first.pass.write.factor = c.plan.tables.add(spectrum);
  second.pass.read.swapped = true;
  smooth(c, first);
  smooth(c, second);
}

/// Adds the passes of one axis of any length.
inline void transform(fft_planning& c, const fft_line& l) {
  const std::int64_t n = l.pass.length;
  if (has_codelets(c, n)) return smooth(c, l);
  const fft_policy policy = convolution_policy(c, n - 1, l.in_columns());
  if (is_prime(n) && is_smooth(n - 1) && one_pass(c, l, policy, fft_method::rader, n - 1) &&
      rader_pays(c, l))
    return add(c, made_pass(l, fft_method::rader, n - 1), policy, l.from, l.to);
  bluestein(c, l);
}

/// A cosine or sine transform as the real part of a complex one of about twice the length, the rest
/// of which is zero on its way in and not wanted on its way out.
inline fft_line trigonometric_line(fft_planning& c, fft_line l) {
  fft_pass& p = l.pass;
  const auto factors = trigonometric_factors(c.problem.trigonometric, p.length);
  p.read.factor = c.plan.tables.add(factors.in);
  p.write.factor = c.plan.tables.add(factors.out);
  p.read.points = p.write.points = p.length;
  p.whole = p.length = trigonometric_points(c.problem.trigonometric, p.length);
  p.read.kind = fft_form::real_points;
  p.write.kind = fft_form::real_points;
  p.read.swapped = p.write.swapped = false;
  return l;
}

}  // namespace clprim::detail
