#pragma once
// Convolution of signals, images and volumes: any border, dense and separable filters.

#include <clprim/core/language.hpp>

#include <cmath>
#include <cstring>
#include <limits>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <clprim/convolve/engine.hpp>
#include <clprim/convolve/separate.hpp>
#ifndef CLPRIM_COMPILED
#include <clprim/convolve/channels.hpp>
#endif

namespace clprim {

/// In place of a policy: the library chooses for device and problem.
inline constexpr convolve_policy tuned_convolve_policy{.items_x = 0};

/// Convolutions of T to Out on one queue: half, float, double, uint8, uint16, int16, int32. Sums
/// and coefficients have the type Sum: float, double, int32 or int64.
///
///     clprim::convolve<float> blur(queue, {.border = clprim::border_mode::reflect_101});
///     cl::Event done = blur(clprim::image<float>(a, h, w), clprim::filter_2d<float>(3, 3, taps),
///                           clprim::image<float>(b, h, w));
///
/// Each sum is exact up to gamma(taps) of Sum times the sum of |w||x|; sums of integers are exact
/// while they fit Sum. It then goes through the options' map, is rounded as the options say, and
/// saturates. With a policy as template argument one that breaks a rule does not compile.
template <pixel_type T, pixel_type Out = T, tap_type Sum = pixel_accumulator_t<T>,
          convolve_policy P = tuned_convolve_policy>
class convolve : public door<detail::convolve_engine> {
  static_assert(P == tuned_convolve_policy || checked(P) == P);
  static_assert(std::floating_point<Sum> || (std::integral<T> && std::integral<Out>),
                "sums of integers are for integer pixels");

 public:
  /// On this queue; nothing is built before the first call asks for it. For one thread at a time.
  /// Throws policy_error for a policy that breaks its rules or does not fit the device,
  /// argument_error for a border value that Sum does not hold and a map that yields nothing,
  /// device_error for double where there is none.
  explicit convolve(const queue_handle& queue, convolve_options options = {})
    : door(queue, with_policy(options),
           convolve_types{describe_element<T>(), describe_element<Out>(), sum()},
           border_of(options)) {}

  /// Enqueues the convolution of `in` by `f` to `out` and returns the event of its last command.
  /// The output has the extents that `extent` tells. Runs after `waits`, on out-of-order queues
  /// too; `arguments` are those of the map's parameters. Coefficients on the host are copied before
  /// this returns; new ones cost no build unless the policy has them as literals. Throws
  /// argument_error before anything is enqueued (see checked_convolution), policy_error for a
  /// policy that cannot run this filter on the device, build_error at the first call of a kind,
  /// opencl_error.
  cl::Event operator()(const image_view<T>& in, const filter<Sum>& f, const image_view<Out>& out,
                       wait_list waits = {}, argument_list arguments = {}) {
    const filter<Sum>& used = chosen(f);
    return engine_.run(checked_convolution(in, used, out, engine_.options()), taps_of(used), waits,
                       arguments);
  }
  /// Builds what that call needs and reserves its workspace.
  void prepare(const image_view<T>& in, const filter<Sum>& f, const image_view<Out>& out) {
    const filter<Sum>& used = chosen(f);
    engine_.prepare(problem(in, used, out), taps_of(used));
  }

  /// Width, height and depth of the output for an input and a filter. Throws argument_error for
  /// what does not fit.
  std::array<std::int64_t, 3> extent(const image_view<T>& in, const filter<Sum>& f) const {
    return convolved_extent(in, f, engine_.options());
  }
  /// What runs: a launch, or one per pass of a separable filter, each with its policy.
  convolve_schedule schedule(const image_view<T>& in, const filter<Sum>& f,
                             const image_view<Out>& out) {
    const filter<Sum>& used = chosen(f);
    return engine_.schedule(problem(in, used, out), taps_of(used));
  }
  /// What it runs, for a person: policy, apron and idle items, launch, resources, work.
  std::string explain(const image_view<T>& in, const filter<Sum>& f, const image_view<Out>& out) {
    const filter<Sum>& used = chosen(f);
    return engine_.explain(problem(in, used, out), taps_of(used));
  }
  /// The OpenCL C source that it runs, of all passes.
  std::string source(const image_view<T>& in, const filter<Sum>& f, const image_view<Out>& out) {
    const filter<Sum>& used = chosen(f);
    return engine_.source(problem(in, used, out), taps_of(used));
  }
  /// Bytes of workspace that it uses: between the passes of a separable filter, 0 for one pass; of
  /// method fft the tiles.
  std::size_t workspace_bytes(const image_view<T>& in, const filter<Sum>& f,
                              const image_view<Out>& out) {
    return static_cast<std::size_t>(schedule(in, f, out).workspace_bytes);
  }

 private:
  /// A filter that was asked about, and what was found.
  struct known_filter {
    std::vector<Sum> coefficients;
    std::array<int, 3> taps;
    std::optional<filter<Sum>> found;
  };

  static element sum() { return describe_element<Sum>(); }
  static convolve_options with_policy(convolve_options options) {
    if constexpr (P != tuned_convolve_policy) options.policy = P;
    return options;
  }
  static std::vector<std::byte> border_of(const convolve_options& options) {
    const double wanted = options.border_value;
    const bool infinite = wanted - wanted != 0 && wanted == wanted;
    bool fits = wanted == wanted;
    if constexpr (std::integral<Sum>) {
      constexpr double top = 0x1p31 * (sizeof(Sum) == 8 ? 0x1p32 : 1.0);
      fits = wanted >= -top && wanted < top && wanted == std::floor(wanted);
    } else {
      fits = fits && (infinite || std::abs(wanted) <= double{std::numeric_limits<Sum>::max()});
    }
    if (!fits) {
      throw argument_error(
          "border value", "must be a number that the sums' type holds", general_text(wanted, 9),
          (std::integral<Sum> ? "an integer of " : "a value of ") + std::string(sum().name));
    }
    const auto value = static_cast<Sum>(wanted);
    std::vector<std::byte> bytes(sizeof value);
    std::memcpy(bytes.data(), &value, sizeof value);
    return bytes;
  }

  convolve_problem problem(const image_view<T>& in, const filter<Sum>& f,
                           const image_view<Out>& out) const {
    return checked_convolution(in, f, out, engine_.options()).problem;
  }
  /// The filter, or its separable form, found once for the same coefficients.
  const filter<Sum>& chosen(const filter<Sum>& f) {
    const convolve_options& o = engine_.options();
    const bool dense_only = o.policy && o.policy->method == convolve_method::fft;
    if (!o.find_separable || dense_only || f.is_separable || f.memory != nullptr) return f;
    if (!asked_ || f.coefficients != asked_->coefficients || f.taps != asked_->taps)
      asked_ = {f.coefficients, f.taps, separated(f)};
    if (!asked_->found) return f;
    asked_->found->anchors = f.anchors;
    return *asked_->found;
  }
  static detail::convolve_taps taps_of(const filter<Sum>& f) {
    detail::convolve_taps taps{
        .host = std::as_bytes(std::span(f.coefficients)), .memory = f.memory, .offset = f.offset};
    taps.literals = [&f](int first, int count) {
      std::string text;
      for (int k = first; k < first + count; ++k) {
        text += (k > first ? ", " : "") +
                convolve_text::literal(f.coefficients[static_cast<std::size_t>(k)]);
      }
      return text;
    };
    return taps;
  }

  std::optional<known_filter> asked_;
};

}  // namespace clprim
