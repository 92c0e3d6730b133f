// What must hold between transforms: linearity, what becomes of a shift and of a transposition,
// Parseval's equation, there and back, and real values as complex ones.

#include "support/relations.hpp"

#include <cmath>
#include <complex>
#include <numeric>
#include <string>
#include <vector>

#include "fft/reference.hpp"
#include "fft/some_policies.hpp"

using namespace clprim;
using namespace support;

namespace {

/// Transforms of tight elements that lie as drawn, by a drawn policy or the library's own.
template <class T> class drawn_transform {
 public:
  using number = std::complex<T>;

  drawn_transform(draw& d, std::vector<std::int64_t> extents, int axes)
    : s_(d.chance(20) ? &out_of_order_session() : &device_session()),
      extents_(std::move(extents)),
      from_(draw_array(d, extents_)),
      to_(draw_array(d, extents_)) {
    options_.axes = axes;
    if (!d.chance(30)) options_.policy = draw_item_policy(d);
    try {
      (void)(*this)(std::vector<number>(inputs()), false);
    } catch (const policy_error&) {
      options_.policy.reset();  // not for this length
    }
  }
  std::size_t inputs() const { return static_cast<std::size_t>(from_.count()); }
  std::int64_t points() const {
    return std::accumulate(extents_.end() - options_.axes, extents_.end(), std::int64_t{1},
                           std::multiplies<>());
  }
  long double bound() const {
    return error_bound<T>({extents_.end() - options_.axes, extents_.end()});
  }

  std::vector<number> operator()(const std::vector<number>& x, bool inverse) const {
    guarded_buffer<number> a(*s_, spread(from_, x), {7, 7}),
        b(*s_, std::vector<number>(to_.size(), {9, 9}), {7, 7});
    fft<T> transform(s_->queue, options_);
    const auto in = from_.template view<number>(a.buffer()),
               out = to_.template view<number>(b.buffer());
    wait_for(inverse ? transform.inverse(in, out) : transform.forward(in, out));
    return dense<number>(b.read(), to_);
  }
  /// The bound holds for the Euclidean norm of all results, at most sqrt(count points) times the
  /// largest element.
  linear_map<number> map(bool inverse = false) const {
    const auto batch = static_cast<long double>(from_.count()) / static_cast<long double>(points());
    return {inputs(), [this, inverse](const auto& x) { return (*this)(x, inverse); },
            static_cast<long double>(points()), bound() * std::sqrt(batch)};
  }
  std::string text() const {
    return "\n  " + from_.text() + " to " + to_.text() + ", " + std::to_string(options_.axes) +
           " axes\n  " + (options_.policy ? to_string(*options_.policy) : "the tuned policy");
  }

 private:
  static std::vector<number> spread(const placed_array& where, const std::vector<number>& x) {
    std::vector<number> all(where.size(), number{5, 5});
    for (std::size_t i = 0; i < x.size(); ++i) all[where.at(static_cast<std::int64_t>(i))] = x[i];
    return all;
  }

  const session* s_;
  std::vector<std::int64_t> extents_;
  placed_array from_, to_;
  fft_options options_;
};

/// The Euclidean norm, of numbers that are off by at most this together.
inexact norm_of(const inexact& x, long double off) {
  long double sum = 0;
  for (const wide_number& one : x.values) sum += std::norm(one);
  inexact norm;
  norm.values = {std::sqrt(sum)};
  norm.error = off * std::sqrt(sum);
  return norm;
}

/// Rows of n elements, each begun with its last `by`.
std::vector<std::size_t> shifted_places(std::size_t count, std::size_t n, std::size_t by) {
  std::vector<std::size_t> places;
  for (std::size_t i = 0; i < count; ++i) places.push_back(i / n * n + (i % n + n - by) % n);
  return places;
}

template <class T> std::string complaint_of_relation(draw& d) {
  using number = std::complex<T>;
  const std::int64_t n = d.one_of({2, 3, 8, 12, 16, 30, 34, 35, 64, 127, 128, 240, 256, 1000}),
                     batch = d.one_of({1, 1, 3});
  const int relation = d.between(0, 4);
  if (relation == 4) {  // an array and its transpose, along both axes
    const std::int64_t rows = d.one_of({2, 5, 8, 12, 16}), cols = d.one_of({2, 7, 8, 16, 30});
    const drawn_transform<T> f(d, {rows, cols}, 2), turned(d, {cols, rows}, 2);
    const inexact x = random_numbers<number>(d, f.inputs());
    const auto places =
        transposed_places(static_cast<std::size_t>(rows), static_cast<std::size_t>(cols));
    const std::string complaint =
        difference("F(X^T) = F(X)^T", turned.map()(x.at(places)), f.map()(x).at(places));
    return complaint.empty() ? complaint : complaint + f.text() + turned.text();
  }
  const drawn_transform<T> f(d, {batch, n}, 1), back(d, {batch, n}, 1);
  const inexact x = random_numbers<number>(d, f.inputs());
  std::string complaint;
  switch (relation) {
    case 0: complaint = complaint_of_linearity(d, f.map(d.chance(50))); break;
    case 1: {
      const int by = d.between(0, static_cast<int>(n) - 1);
      std::vector<wide_number> factors;
      for (std::int64_t i = 0; i < batch * n; ++i) factors.push_back(reference_root(i % n * by, n));
      const auto places =
          shifted_places(f.inputs(), static_cast<std::size_t>(n), static_cast<std::size_t>(by));
      complaint = difference("a shift by " + std::to_string(by) + " turns the spectrum",
                             back.map()(x.at(places)), f.map()(x).turned_by(factors));
      break;
    }
    case 2:
      complaint = difference("Parseval: |F(x)|^2 = n |x|^2", norm_of(f.map()(x), f.bound()),
                             std::sqrt(static_cast<long double>(n)) * norm_of(x, 0));
      break;
    default:
      complaint = difference("there and back is n times", back.map(true)(f.map()(x)),
                             static_cast<long double>(n) * x);
  }
  return complaint.empty() ? complaint : complaint + f.text() + back.text();
}

}  // namespace

CAMPAIGN("transforms are linear, keep norms, and turn with shifts and transpositions") {
  run_campaign("relations of transforms", 8,
               [](draw& d) { return complaint_of_relation<float>(d); });
}

CAMPAIGN("transforms of double are linear, keep norms, and turn with shifts and transpositions") {
  run_campaign("relations of transforms of double", 3,
               [](draw& d) { return complaint_of_relation<double>(d); });
}

CAMPAIGN("the half spectrum of real values is that of complex ones") {
  run_campaign("relations of real transforms", 4, [](draw& d) -> std::string {
    const session& s = device_session();
    const std::int64_t n = d.one_of({2, 3, 8, 15, 16, 30, 62, 64, 128, 240, 1000}),
                       batch = d.one_of({1, 3}), half = n / 2 + 1;
    const drawn_transform<float> f(d, {batch, n}, 1);
    std::vector<float> x(f.inputs());
    for (float& one : x) one = random_element<float>(d);
    const guarded_buffer<float> a(s, x, 7);
    guarded_buffer<std::complex<float>> b(
        s, std::vector<std::complex<float>>(static_cast<std::size_t>(batch * half)), {7, 7});
    fft<float> real(s.queue);
    real.forward(array<float>(a.buffer(), {batch, n}),
                 array<std::complex<float>>(b.buffer(), {batch, half}));
    std::vector<std::size_t> places;
    for (std::size_t i = 0; i < f.inputs(); ++i)
      if (static_cast<std::int64_t>(i) % n < half) places.push_back(i);
    const inexact whole = f.map()(inexact(x));
    inexact got(b.read());
    got.error = whole.error;
    const std::string complaint = difference("real as complex", got, whole.at(places));
    return complaint.empty() ? complaint : complaint + f.text();
  });
}
