// What must hold between reductions: sums are linear, keep in any order of their elements, add up
// over parts; rows are columns of the transpose; the greatest of all is the greatest of the parts'.

#include "support/relations.hpp"

#include <algorithm>
#include <numeric>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include <clprim/reduce.hpp>

#include "reduce/drawing.hpp"
#include "support/device.hpp"

using namespace clprim;
using namespace support;

namespace {

/// Reductions of elements that lie as drawn, by a drawn policy or the library's own.
template <class T, class Op> class drawn_reduction {
 public:
  drawn_reduction(draw& d, drawn<T> layout)
    : s_(d.chance(20) ? &out_of_order_session() : &device_session()), layout_(std::move(layout)) {
    if (d.chance(70)) options_.policy = draw_policy(d, facts_of(s_->device));
    std::vector<T> indices(layout_.values.size());  // exact, there are fewer than 2^24
    for (std::size_t i = 0; i < indices.size(); ++i) indices[i] = static_cast<T>(i);
    for (std::int64_t r = 0; r < layout_.view.results(); ++r)
      for (const long double at : elements_of(layout_.view, indices, r, layout_.offsets))
        places_.push_back(static_cast<std::size_t>(at));
    try {
      (void)schedule();
    } catch (const policy_error&) {
      options_.policy.reset();  // more than the device has
    }
  }
  /// All elements of all results, one result after the other.
  std::size_t inputs() const { return places_.size(); }

  std::vector<T> operator()(const std::vector<T>& x) const {
    std::vector<T> all = layout_.values;
    for (std::size_t i = 0; i < places_.size(); ++i) all[places_[i]] = x[i];
    const cl::Buffer memory = device_copy(*s_, all);
    reduce_view<T> view = layout_.view;
    view.memory = memory();
    return reduce<T, Op>(s_->queue, options_).values(view);
  }
  linear_map<T> map() const {
    const reduce_schedule s = schedule();
    std::int64_t longest = layout_.view.length;
    for (std::size_t r = 1; r < layout_.offsets.size(); ++r)
      longest = std::max(r == 1 ? 0 : longest, layout_.offsets[r] - layout_.offsets[r - 1]);
    const double epsilon = std::same_as<T, double> ? 0x1p-52 : 0x1p-23;
    return {inputs(), *this, static_cast<long double>(longest),
            gamma_of(epsilon, roundings(s, layout_.view.length))};
  }
  std::string text() const {
    return "\n  " + (options_.policy ? to_string(*options_.policy) : "the tuned policy") + "\n  " +
           layout_.text;
  }

 private:
  reduce_schedule schedule() const {
    return reduce<T, Op>(s_->queue, options_).schedule(layout_.view);
  }

  const session* s_;
  drawn<T> layout_;
  reduce_options options_;
  std::vector<std::size_t> places_;
};

template <class T> drawn<T> draw_layout(draw& d) {
  return draw_view<T>(d, device_session(), 9000, [] { return T{7}; });
}
/// One whole array of so many elements, or so many rows, or as many columns.
template <class T> drawn<T> lines_of(draw& d, std::int64_t rows, std::int64_t cols, bool by_rows) {
  drawn<T> x;
  const std::int64_t ld = cols + d.one_of({0, 0, 1, 5});
  x.values.assign(static_cast<std::size_t>(rows * ld), T{7});
  x.buffer = device_copy(device_session(), x.values);
  const auto A = matrix<T>(x.buffer, rows, cols).ld(ld);
  x.view = by_rows ? each_row(A) : each_column(A);
  x.text = std::to_string(rows) + " x " + std::to_string(cols) + " ld " + std::to_string(ld);
  return x;
}

/// The sum of all numbers, which is off by what they are.
inexact total(const inexact& x) {
  inexact sum;
  sum.error = x.error * static_cast<long double>(x.values.size());
  sum.values = {std::accumulate(x.values.begin(), x.values.end(), wide_number{})};
  return sum;
}

template <class T> void related_sums(const char* name, int cases) {
  run_campaign(std::string("relations of sums of ") + name, cases, [](draw& d) {
    using sums = drawn_reduction<T, op::sum<>>;
    std::string complaint, other;
    const auto several = [&](drawn<T> layout) {
      const sums more(d, std::move(layout));
      other += more.text();
      return more;
    };
    switch (d.between(0, 3)) {
      case 0: complaint = complaint_of_linearity(d, several(draw_layout<T>(d)).map()); break;
      case 1: {
        const sums one = several(lines_of<T>(d, 1, d.between(1, d.one_of({9, 300, 9000})), true));
        const inexact x = random_numbers<T>(d, one.inputs());
        const auto order = draw_order(d, one.inputs());
        complaint = difference("in another order", one.map()(x.at(order)), one.map()(x));
        break;
      }
      case 2: {
        const sums parts = several(draw_layout<T>(d));
        const auto n = static_cast<std::int64_t>(parts.inputs());
        const sums whole = several(lines_of<T>(d, 1, n, true));
        const inexact x = random_numbers<T>(d, parts.inputs());
        complaint = difference("the sum of all is that of the parts'", whole.map()(x),
                               total(parts.map()(x)));
        break;
      }
      default: {
        const int rows = d.between(1, d.one_of({5, 150})), cols = d.between(1, d.one_of({5, 150}));
        const sums by_rows = several(lines_of<T>(d, rows, cols, true)),
                   by_columns = several(lines_of<T>(d, cols, rows, false));
        const inexact x = random_numbers<T>(d, by_rows.inputs());
        // What is given are the elements of one result after the other, of both the same.
        complaint =
            difference("rows of A are columns of A^T", by_rows.map()(x), by_columns.map()(x));
      }
    }
    return complaint.empty() ? complaint : complaint + other;
  });
}

}  // namespace

CAMPAIGN("sums of float are linear, keep in any order and add up over parts") {
  related_sums<float>("float", 8);
}

CAMPAIGN("sums of double are linear, keep in any order and add up over parts") {
  related_sums<double>("double", 4);
}

CAMPAIGN("the greatest of all is the greatest of the parts'") {
  run_campaign("relations of maxima", 5, [](draw& d) {
    using maxima = drawn_reduction<float, op::max>;
    const maxima parts(d, draw_layout<float>(d));
    const auto n = static_cast<std::int64_t>(parts.inputs());
    const maxima whole(d, lines_of<float>(d, 1, n, true));
    std::vector<float> x(parts.inputs());
    for (float& one : x) one = random_element<float>(d);
    const std::vector<float> of_parts = parts(x);
    const std::string complaint = difference(
        "the greatest", inexact(whole(x)),
        inexact(std::vector<float>{*std::max_element(of_parts.begin(), of_parts.end())}));
    return complaint.empty() ? complaint : complaint + parts.text() + whole.text();
  });
}
