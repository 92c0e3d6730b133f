#pragma once
// One pass of a plan: its policy, whether it fits, and the step that it becomes.

#include <complex>
#include <cstdint>
#include <utility>

#include <clprim/core/device_facts.hpp>
#include <clprim/fft/pass/source.hpp>
#include <clprim/fft/plan/step.hpp>
#include <clprim/fft/problem.hpp>
#include <clprim/fft/tuned.hpp>

namespace clprim {
namespace detail {

/// Makes passes of lines and adds them to a plan.
class fft_pass_planner {
 public:
  fft_pass_planner(const fft_problem& p, const fft_options& o, const device_facts& device,
                   bool is_double)
    : p_(p), o_(o), device_(device), is_double_(is_double) {
    plain_ = is_double ? describe_element<std::complex<double>>()
                       : describe_element<std::complex<float>>();
    real_ = is_double ? describe_element<double>() : describe_element<float>();
  }

 protected:
  using line = fft_line;

  /// Room in the workspace.
  std::int64_t take(std::int64_t elements) {
    const std::int64_t at = plan_.work_elements;
    plan_.work_elements += elements;
    return at;
  }

  fft_policy policy_for(std::int64_t n, bool columns) const {
    return o_.policy ? *o_.policy : tuned_fft(device_, n, is_double_, columns);
  }
  fft_policy policy_for(std::int64_t n, const line& l) const {
    return policy_for(n, l.in_columns());
  }
  /// The same for a convolution of n points.
  fft_policy convolution_policy(std::int64_t n, const line& l) const {
    return o_.policy ? *o_.policy : tuned_fft_convolution(device_, n, is_double_, l.in_columns());
  }
  /// Whether one pass takes n points here: what local memory holds.
  bool one_pass(std::int64_t n, const line& l) const {
    const fft_policy p = policy_for(n, l);
    return n <= p.one_pass && fits(make_pass(l, n, fft_method::direct, n), p);
  }
  bool fits(const fft_pass& pass, const fft_policy& p) const {
    if (p.shape == fft_shape::lanes)
      return lane_geometry_of(pass, p).local_bytes <= device_.local_bytes;
    return item_geometry_of(pass, p, device_.max_work_group, device_.local_bytes).items > 0;
  }

  fft_pass make_pass(const line& l, std::int64_t n, fft_method method, std::int64_t inner) const {
    fft_pass pass{.length = n,
                  .along = l.along,
                  .outer = l.outer,
                  .input = l.input,
                  .output = l.output,
                  .in = l.from.type,
                  .out = l.to.type,
                  .is_double = is_double_,
                  .swap_in = l.swap_in,
                  .swap_out = l.swap_out,
                  .scale = l.scale,
                  .whole = l.whole,
                  .in_points = l.in_points,
                  .outside = l.in_points > 0 ? l.outside : fft_outside{},
                  .out_points = l.out_points,
                  .method = method,
                  .inner = method == fft_method::direct ? 0 : inner,
                  .in_factor = l.in_factor,
                  .out_factor = l.out_factor};
    if (l.first) pass.load = o_.load;
    if (l.last) pass.store = o_.store;
    merge_outer(pass.outer);
    order_outer(pass.outer, pass.along);
    return pass;
  }

  void add(fft_pass pass, const fft_policy& policy, const fft_place& from, const fft_place& to) {
    const bool one = from.buffer == to.buffer;
    const bool both =
        p_.in_place && from.buffer != fft_buffer::work && to.buffer != fft_buffer::work;
    pass.aliased = one || both;
    plan_.steps.push_back(
        {std::move(pass), policy, from.buffer, to.buffer, from.offset, to.offset});
  }

  fft_problem p_;
  fft_options o_;
  device_facts device_;
  bool is_double_;
  element plain_{};  ///< complex numbers of the arithmetic's precision
  element real_{};
  fft_plan plan_;
};

}  // namespace detail
}  // namespace clprim
