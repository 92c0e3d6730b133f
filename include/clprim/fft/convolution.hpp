#pragma once
// Convolution and correlation by transforms, as one plan: forward, times the kernel's spectrum,
// inverse. The product happens as the spectrum is stored, padding as the input is read.

#include <algorithm>
#include <array>
#include <cmath>
#include <complex>
#include <concepts>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <clprim/core/axes.hpp>
#include <clprim/core/emitter.hpp>
#include <clprim/core/number_text.hpp>
#include <clprim/core/smooth.hpp>
#include <clprim/core/source.hpp>
#include <clprim/fft/engine.hpp>
#include <clprim/fft/problem.hpp>
#include <clprim/runtime/operation.hpp>
#include <clprim/runtime/plan_cache.hpp>

namespace clprim {

/// How a convolution is set up; every member may be left out.
struct fft_convolution_options {
  int axes = 1;              ///< the last axes of the arrays
  bool correlation = false;  ///< sums h[j] x[i + j - origin] in place of h[j] x[i - j + origin]
  bool circular = false;     ///< x continues periodically, in transforms as long as x itself
  /// The element of the kernel that meets x[i] for y[i], one per axis; empty: the first.
  std::vector<std::int64_t> origin{};
  /// How x goes on outside where it is not circular, one per convolved axis: every mode but `none`;
  /// empty: by border_value.
  std::vector<border_sides> border{};
  double border_value = 0;  ///< what `constant` reads
  std::optional<fft_policy> policy{};
  /// Whether calls return an event.
  clprim::completion completion = clprim::completion::event;
  /// How exactly the kernels must compute (core/math_mode.hpp has the bounds).
  math_mode math = math_mode::precise;

  /// Whether a constant other than zero is read outside.
  bool shifted() const { return border_value != 0 && !circular; }
};

namespace detail {

/// The options with an origin for each axis. Throws argument_error for those that none could have.
inline fft_convolution_options checked_convolution(fft_convolution_options o) {
  if (o.origin.empty()) o.origin.assign(static_cast<std::size_t>(std::max(0, o.axes)), 0);
  if (o.axes < 1 || o.axes > 3 || o.origin.size() != static_cast<std::size_t>(o.axes)) {
    throw argument_error(
        "axes of a convolution", "must be 1 to 3 with an origin each",
        std::to_string(o.axes) + " with " + std::to_string(o.origin.size()) + " origins", "1 to 3");
  }
  const auto refuse = [](const char* must, const std::string& given, const std::string& allowed) {
    throw argument_error("the border of a convolution", must, given, allowed);
  };
  if (!std::isfinite(o.border_value))
    refuse("must be a number", general_text(o.border_value, 6), "a finite border_value");
  if (o.border.empty()) return o;
  if (o.circular) refuse("is that of its period", "circular and a border", "one of them");
  if (o.border.size() != static_cast<std::size_t>(o.axes))
    refuse("must be one per convolved axis", std::to_string(o.border.size()),
           std::to_string(o.axes) + " expected");
  for (const border_sides& b : o.border) require_values(b, "the border of a convolution");
  return o;
}

/// The sizes of a convolution along the convolved axes.
struct convolution_sizes {
  std::vector<std::int64_t> kernel, extents;
  std::vector<std::int64_t> lengths;  ///< of the transforms
  friend bool operator==(const convolution_sizes&, const convolution_sizes&) = default;

  /// Of a transform of all axes.
  long double points() const { return product_of<long double>(lengths); }
  /// The extents of half the spectrum of a batch, and the elements of a single one.
  std::vector<std::int64_t> half_spectrum(std::vector<std::int64_t> batch = {}) const {
    batch.insert(batch.end(), lengths.begin(), lengths.end());
    batch.back() = half_of(batch.back());
    return batch;
  }
  std::int64_t spectrum_elements() const { return product_of(half_spectrum()); }
};

/// Throws argument_error for extents that do not fit the options, or each other.
inline convolution_sizes checked_sizes(const fft_convolution_options& o,
                                       const std::vector<std::int64_t>& kernel,
                                       const std::vector<std::int64_t>& extents) {
  const auto axes = static_cast<std::size_t>(o.axes);
  const auto require_axes = [&](std::size_t actual, const char* what) {
    if (actual == axes) return;
    throw argument_error(what, "must be the convolved axes", std::to_string(actual),
                         std::to_string(axes) + " expected");
  };
  require_axes(kernel.size(), "axes of the kernel");
  require_axes(extents.size(), "extents of the convolved arrays");
  convolution_sizes sizes{kernel, extents, {}};
  for (std::size_t a = 0; a < axes; ++a) {
    const std::int64_t n = extents[a], m = kernel[a];
    const auto refuse = [&](const char* what, std::int64_t actual, const std::string& allowed) {
      throw argument_error(std::string(what) + " of axis " + std::to_string(a),
                           "must fit the convolution", std::to_string(actual), allowed);
    };
    constexpr std::int64_t most = std::int64_t{1} << 29;
    if (n < 1 || n > most) refuse("extent", n, "1 to " + std::to_string(most));
    if (m < 1 || m > most || (o.circular && m > n))
      refuse("extent of the kernel", m, o.circular ? "1 to the array's" : "at least 1");
    if (o.origin[a] < 0 || o.origin[a] >= m)
      refuse("origin", o.origin[a], "0 to " + std::to_string(m - 1));
    if (!o.border.empty() && o.border[a].lower != o.border[a].upper) {
      // Two modes that meet further out would have to be applied in turn.
      const border_sides b = o.border[a];
      const std::int64_t reach = std::min(border_reach(b.lower, static_cast<int>(n)),
                                          border_reach(b.upper, static_cast<int>(n)));
      if (m - 1 > reach)
        refuse("extent of the kernel under two modes", m, "at most " + std::to_string(reach + 1));
    }
    std::int64_t length = o.circular ? n : next_smooth(n + m - 1);
    while (!o.circular && a + 1 == axes && length % 2 != 0) length = next_smooth(length + 1);
    sizes.lengths.push_back(length);
  }
  return sizes;
}

/// The set-ups of the transforms: of the kernel, of the arrays, and back.
struct convolution_transforms {
  fft_options kernel, image, back;
};

/// Body of the kernel's store function: the phase that moves the origin, the scale, and the
/// conjugate of a correlation. REAL and REAL2 stand for the types.
inline std::string kernel_store_text(const fft_convolution_options& o, const convolution_sizes& s,
                                     bool is_double) {
  std::string text = "long rest = index;\n    REAL turn = 0;";
  for (std::size_t a = s.lengths.size(); a-- > 0;) {
    const std::int64_t n = s.lengths[a], extent = a + 1 == s.lengths.size() ? n / 2 + 1 : n;
    const std::string part = emitter::literal(2.0L / static_cast<long double>(n), is_double);
    text += replace_words(R"cl(
    turn += (REAL)(rest % EXTENT * ORIGIN % POINTS) * (PART);
    rest /= EXTENT;)cl",
                          {{"EXTENT", std::to_string(extent)},
                           {"ORIGIN", std::to_string(o.origin[a])},
                           {"POINTS", std::to_string(n)},
                           {"PART", part}});
  }
  text += R"cl(
    const REAL c = cospi(turn) * SCALE, s = sinpi(turn) * SCALE;
    const REAL2 moved = (REAL2)(value.x * c - value.y * s, value.x * s + value.y * c);
    return )cl";
  text += o.correlation ? "(REAL2)(moved.x, -moved.y);" : "moved;";
  return replace_words(text, {{"SCALE", emitter::literal(1 / s.points(), is_double)}});
}

/// `inner`: whether the transforms before the last have events.
template <class Complex>
convolution_transforms transforms_of(const fft_convolution_options& o, const convolution_sizes& s,
                                     completion inner, bool is_double) {
  const std::string real = emitter::real_type(is_double);
  const replacements types{{"REAL", real}, {"REAL2", real + "2"}};
  const fft_options plain{.axes = o.axes,
                          .lengths = s.lengths,
                          .policy = o.policy,
                          .completion = inner,
                          .math = o.math};
  convolution_transforms t{plain, plain, plain};
  t.kernel.completion = completion::event;  // calls wait for it
  t.back.completion = o.completion;
  t.kernel.store = {replace_words(kernel_store_text(o, s, is_double), types), {}};
  t.image.store = {replace_words(R"cl(const REAL2 h = spectrum[index % ELEMENTS];
    return (REAL2)(value.x * h.x - value.y * h.y, value.x * h.y + value.y * h.x);)cl",
                                 {types[1], {"ELEMENTS", std::to_string(s.spectrum_elements())}}),
                   {buffer<Complex>("spectrum")}};
  for (std::size_t a = 0; a < o.border.size(); ++a) {  // places before and behind x that are read
    const std::int64_t first = o.origin[a], rest = s.kernel[a] - 1 - first;
    t.image.outside.push_back({.sides = o.border[a],
                               .before = o.correlation ? first : rest,
                               .after = o.correlation ? rest : first});
  }
  if (!o.shifted()) return t;
  // A constant of v outside: x - v has zeros there, and v times the sum of h is added behind.
  const long double v = o.border_value;
  t.image.load = {"return value - (" + emitter::literal(v, is_double) + ");", {}};
  t.back.kind = fft_kind::real;
  t.back.store = {
      "return value + spectrum[0].x * (" + emitter::literal(v * s.points(), is_double) + ");",
      {buffer<Complex>("spectrum")}};
  return t;
}

}  // namespace detail

/// Convolutions of real arrays with one kernel, on one queue, in T: float or double.
///
///     clprim::fft_convolution<float> blur(queue, {.axes = 2, .origin = {2, 2}});
///     blur.set_kernel(h, {height, width});       // h: 5 x 5
///     cl::Event done = blur(x, y);               // batch x height x width, zero outside
template <class T = float>
requires(std::same_as<T, float> || std::same_as<T, double>) class fft_convolution
  : public operation {
 public:
  explicit fft_convolution(const queue_handle& queue, fft_convolution_options options = {})
    : operation(queue, options.completion, options.math),
      options_(detail::checked_convolution(std::move(options))) {
    if (options_.policy) require_rules(*options_.policy);
  }

  /// Enqueues the transform of the kernel for arrays of these extents along the convolved axes;
  /// `h` has these axes and no other. Throws argument_error for extents that do not fit; the kernel
  /// is then the one before.
  cl::Event set_kernel(const array_view<T>& h, const std::vector<std::int64_t>& extents,
                       wait_list waits = {}) {
    require_queue();
    const footprint bytes = detail::check_array(h, "the kernel");
    detail::convolution_sizes sizes = detail::checked_sizes(options_, h.extents, extents);
    check_operands(std::array{operand{"the kernel", bytes}});
    told_kernel told = kernel_;  // whole before it takes the place of the other
    told.transforms = transforms_.find_or_make(
        [&](const engines& known) { return known.sizes == sizes; }, [&] { return made(sizes); });
    told.sizes = std::move(sizes);
    cl_int code = CL_SUCCESS;
    told.spectrum = cl::Buffer(
        clCreateBuffer(context()(), CL_MEM_READ_WRITE,
                       static_cast<std::size_t>(told.sizes.spectrum_elements()) * 2 * sizeof(T),
                       nullptr, &code),
        false);
    check(code, "clCreateBuffer of a kernel's spectrum");
    detail::fft_engine& forward = told.transforms->kernel;
    const auto H = array<std::complex<T>>(told.spectrum, told.sizes.half_spectrum());
    told.ready = forward.run(checked_fft(h, H, forward.options(), false), waits, {});
    const bool wanted = options_.completion == completion::event;
    kernel_ = std::move(told);
    return wanted ? kernel_.ready : cl::Event{};
  }

  /// Enqueues y = x convolved with the kernel; x and y are [batch …] and the extents told to
  /// set_kernel, y may be x. Runs after `waits` and after set_kernel. Throws argument_error for
  /// other extents, where there is no kernel yet, and where its transform did not run.
  cl::Event operator()(const array_view<T>& x, const array_view<T>& y, wait_list waits = {}) {
    const std::vector<std::int64_t> between = checked_between(x, y);
    std::vector<cl::Event> before(waits.begin(), waits.end());
    if (must_wait()) before.push_back(kernel_.ready);
    command_chain commands(*this, before);
    if (product_of(between) == 0) return commands.end();
    const problems p = made_ready(x, y, between, commands);
    const std::vector<argument> spectrum{kernel_.spectrum};
    commands.after(kernel_.transforms->image.run(p.there, commands.waits(), spectrum));
    commands.after(kernel_.transforms->back.run(
        p.back, commands.waits(), options_.shifted() ? argument_list(spectrum) : argument_list{}));
    return commands.end();
  }

  /// Builds what a call needs and makes room for it, so that the first call does not.
  void prepare(const array_view<T>& x, const array_view<T>& y) {
    each_transform(x, y, [](auto&, const fft_problem&) {});
  }
  /// Bytes that lie between the transforms of a call, without what lies between their passes.
  std::size_t workspace_bytes(const array_view<T>& x, const array_view<T>& y) const {
    return bytes_of(checked_between(x, y));
  }
  /// The same of the last call.
  std::size_t workspace_bytes() const { return workspace_held(); }
  /// What a call runs, for a person.
  std::string explain(const array_view<T>& x, const array_view<T>& y) {
    const std::size_t bytes = bytes_of(checked_between(x, y));
    std::string text = explain_head(
        std::string(options_.correlation ? "correlation" : "convolution") + " by transforms", bytes,
        1);
    each_transform(x, y, [&](auto& one, const fft_problem& p) { text += one.explain(p); });
    return text;
  }
  /// The OpenCL C source of its kernels, one after the other.
  std::string source(const array_view<T>& x, const array_view<T>& y) {
    std::string text;
    each_transform(x, y, [&](auto& one, const fft_problem& p) { text += one.source(p); });
    return text;
  }
  /// The transforms' lengths along the convolved axes.
  const std::vector<std::int64_t>& lengths() const { return kernel_.sizes.lengths; }

 private:
  struct engines {
    detail::convolution_sizes sizes;
    detail::fft_engine kernel, image, back;
  };
  /// What set_kernel tells.
  struct told_kernel {
    detail::convolution_sizes sizes;
    std::shared_ptr<engines> transforms;
    cl::Buffer spectrum;
    cl::Event ready;
  };
  struct problems {
    fft_problem there, back;
  };

  engines made(const detail::convolution_sizes& sizes) const {
    constexpr bool is_double = std::same_as<T, double>;
    const auto t = detail::transforms_of<std::complex<T>>(options_, sizes,
                                                          command_chain::between(on()), is_double);
    return {sizes, detail::fft_engine(queue(), t.kernel, is_double),
            detail::fft_engine(queue(), t.image, is_double),
            detail::fft_engine(queue(), t.back, is_double)};
  }

  /// Checks the arrays of a call; the extents of what lies between its transforms.
  std::vector<std::int64_t> checked_between(const array_view<T>& x, const array_view<T>& y) const {
    require_queue();
    if (kernel_.spectrum() == nullptr)
      throw argument_error("a convolution", "must be told its kernel first", "none", "set_kernel");
    const std::vector<std::int64_t>& extents = kernel_.sizes.extents;
    if (x.extents.size() < extents.size() ||
        !std::equal(extents.rbegin(), extents.rend(), x.extents.rbegin()) ||
        y.extents != x.extents) {
      throw argument_error("arrays of a convolution", "must have the extents told to set_kernel",
                           "other extents", "equal ones along the last axes, x and y alike");
    }
    check_operands(std::array{operand{"the input", detail::check_array(x, "the input")},
                              operand{"the output", detail::check_array(y, "the output"), true}});
    return kernel_.sizes.half_spectrum({x.extents.begin(), x.extents.end() - options_.axes});
  }
  static std::size_t bytes_of(const std::vector<std::int64_t>& spectrum) {
    return static_cast<std::size_t>(product_of(spectrum)) * 2 * sizeof(T);
  }
  /// Everything that a call may still be refused for, before its first command.
  template <class Chain>
  problems made_ready(const array_view<T>& x, const array_view<T>& y,
                      const std::vector<std::int64_t>& between, Chain&& commands) {
    const array_view<std::complex<T>> Y{.memory = commands.workspace(bytes_of(between)),
                                        .extents = between,
                                        .strides = detail::tight_strides(between)};
    detail::fft_engine &image = kernel_.transforms->image, &back = kernel_.transforms->back;
    problems p{checked_fft(x, Y, image.options(), false), checked_fft(Y, y, back.options(), true)};
    image.prepare(p.there);
    back.prepare(p.back);
    return p;
  }
  /// Tells both transforms of a call, built, and their problems, where there is anything to do.
  template <class Tell>
  void each_transform(const array_view<T>& x, const array_view<T>& y, Tell tell) {
    const std::vector<std::int64_t> between = checked_between(x, y);
    if (product_of(between) == 0) return;
    const problems p = made_ready(x, y, between, command_chain(*this, {}));
    tell(kernel_.transforms->image, p.there);
    tell(kernel_.transforms->back, p.back);
  }
  /// Whether the kernel's spectrum is still being made. Throws argument_error where that failed.
  bool must_wait() const {
    const cl_int status = detail::status_of(kernel_.ready);
    if (status < 0)
      throw argument_error("a convolution", "must be told its kernel again",
                           "a transform of the kernel that did not run", "set_kernel");
    return status != CL_COMPLETE;
  }

  fft_convolution_options options_;
  told_kernel kernel_;
  plan_cache<engines> transforms_{8};  // of the sizes told last
};

}  // namespace clprim
