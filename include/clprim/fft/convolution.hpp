#pragma once
// Convolution and correlation by transforms, as one plan: forward, times the kernel's spectrum,
// inverse. The product happens as the spectrum is stored, padding as the input is read.

#include <algorithm>
#include <concepts>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <clprim/fft/factor.hpp>
#include <clprim/fft/operation.hpp>

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
};

/// Convolutions of real arrays with one kernel, on one queue, in T: float or double.
///
///     clprim::fft_convolution<float> blur(queue, {.axes = 2, .origin = {2, 2}});
///     blur.set_kernel(h, {height, width});       // h: 5 x 5
///     cl::Event done = blur(x, y);               // batch x height x width, zero outside
template <class T = float>
requires(std::same_as<T, float> || std::same_as<T, double>) class fft_convolution {
 public:
  explicit fft_convolution(const cl::CommandQueue& queue, fft_convolution_options options = {})
    : queue_(queue), options_(std::move(options)) {
    if (options_.origin.empty())
      options_.origin.assign(static_cast<std::size_t>(std::max(0, options_.axes)), 0);
    if (options_.axes < 1 || options_.axes > 3 ||
        options_.origin.size() != static_cast<std::size_t>(options_.axes)) {
      throw argument_error("axes of a convolution", "must be 1 to 3 with an origin each",
                           std::to_string(options_.axes) + " with " +
                               std::to_string(options_.origin.size()) + " origins",
                           "1 to 3");
    }
    check_border();
  }

  /// Enqueues the transform of the kernel for arrays of these extents along the convolved axes;
  /// `h` has these axes and no other. Throws argument_error for extents that do not fit.
  cl::Event set_kernel(const array_view<T>& h, const std::vector<std::int64_t>& extents,
                       std::span<const cl::Event> waits = {}) {
    const auto axes = static_cast<std::size_t>(options_.axes);
    require_axes(h.extents.size(), "axes of the kernel", axes);
    require_axes(extents.size(), "extents of the convolved arrays", axes);
    kernel_ = h.extents;
    extents_ = extents;
    lengths_.clear();
    for (std::size_t a = 0; a < axes; ++a) {
      const std::int64_t n = extents[a], m = h.extents[a];
      check_axis(a, n, m);
      std::int64_t length = options_.circular ? n : next_smooth(n + m - 1);
      while (!options_.circular && a + 1 == axes && length % 2 != 0)
        length = next_smooth(length + 1);
      lengths_.push_back(length);
    }
    build();
    const auto H = array<std::complex<T>>(spectrum_, half_spectrum({}));
    ready_ = forward_kernel_->forward(h, H, waits);
    return ready_;
  }

  /// Enqueues y = x convolved with the kernel; x and y are [batch …] and the extents told to
  /// set_kernel, y may be x. Runs after `waits` and after set_kernel. Throws argument_error for
  /// other extents and where there is no kernel yet.
  cl::Event operator()(const array_view<T>& x, const array_view<T>& y,
                       std::span<const cl::Event> waits = {}) {
    const auto axes = static_cast<std::size_t>(options_.axes);
    if (spectrum_() == nullptr)
      throw argument_error("a convolution", "must be told its kernel first", "none", "set_kernel");
    if (x.extents.size() < axes ||
        !std::equal(extents_.rbegin(), extents_.rend(), x.extents.rbegin()) ||
        y.extents != x.extents) {
      throw argument_error("arrays of a convolution", "must have the extents told to set_kernel",
                           "other extents", "equal ones along the last axes, x and y alike");
    }
    const std::vector<std::int64_t> batch(x.extents.begin(), x.extents.end() - options_.axes);
    const std::vector<std::int64_t> middle = half_spectrum(batch);
    std::int64_t elements = 1;
    for (const std::int64_t e : middle) elements *= e;
    std::vector<cl::Event> before = work_.waits(waits);
    work_.require(context_(),
                  static_cast<std::size_t>(std::max<std::int64_t>(1, elements)) * 2 * sizeof(T));
    before.push_back(ready_);
    const array_view<std::complex<T>> Y{
        .memory = work_.memory(), .extents = middle, .strides = detail::tight_strides(middle)};
    const std::vector<argument> spectrum{spectrum_};
    const cl::Event transformed = forward_->forward(x, Y, before, spectrum);
    const std::span<const argument> sum = shifted() ? std::span(spectrum) : std::span<argument>();
    cl::Event done = inverse_->inverse(Y, y, std::span(&transformed, 1), sum);
    work_.free_after(done);
    return done;
  }

  /// Bytes that lie between the transforms, of the last call.
  std::size_t workspace_bytes() const { return work_.bytes(); }
  /// The transforms' lengths along the convolved axes.
  const std::vector<std::int64_t>& lengths() const { return lengths_; }

 private:
  class engine {  // fft.hpp includes this header: the engine itself
   public:
    engine(const cl::CommandQueue& queue, fft_options o)
      : engine_(queue, std::move(o), std::same_as<T, double>) {}
    template <class In, class Out>
    cl::Event forward(const array_view<In>& x, const array_view<Out>& y,
                      std::span<const cl::Event> waits, std::span<const argument> more = {}) {
      return engine_.run(checked_fft(x, y, engine_.options(), false), waits, more);
    }
    template <class In, class Out>
    cl::Event inverse(const array_view<In>& x, const array_view<Out>& y,
                      std::span<const cl::Event> waits, std::span<const argument> more) {
      return engine_.run(checked_fft(x, y, engine_.options(), true), waits, more);
    }

   private:
    detail::fft_engine engine_;
  };

  static void require_axes(std::size_t actual, const char* what, std::size_t wanted) {
    if (actual == wanted) return;
    throw argument_error(what, "must be the convolved axes", std::to_string(actual),
                         std::to_string(wanted) + " expected");
  }
  void check_axis(std::size_t a, std::int64_t n, std::int64_t m) const {
    const auto refuse = [&](const char* what, std::int64_t actual, const std::string& allowed) {
      throw argument_error(std::string(what) + " of axis " + std::to_string(a),
                           "must fit the convolution", std::to_string(actual), allowed);
    };
    if (n < 1) refuse("extent", n, "at least 1");
    if (m < 1 || (options_.circular && m > n))
      refuse("extent of the kernel", m, options_.circular ? "1 to the array's" : "at least 1");
    if (options_.origin[a] < 0 || options_.origin[a] >= m)
      refuse("origin", options_.origin[a], "0 to " + std::to_string(m - 1));
    if (options_.border.empty() || options_.border[a].lower == options_.border[a].upper) return;
    // Two modes that meet further out would have to be applied in turn.
    const border_sides b = options_.border[a];
    const std::int64_t reach = std::min(border_reach(b.lower, static_cast<int>(n)),
                                        border_reach(b.upper, static_cast<int>(n)));
    if (m - 1 > reach)
      refuse("extent of the kernel under two modes", m, "at most " + std::to_string(reach + 1));
  }
  void check_border() const {
    const std::vector<border_sides>& border = options_.border;
    const auto refuse = [](const char* must, const std::string& given, const std::string& allowed) {
      throw argument_error("the border of a convolution", must, given, allowed);
    };
    if (border.empty()) return;
    if (options_.circular) refuse("is that of its period", "circular and a border", "one of them");
    if (border.size() != static_cast<std::size_t>(options_.axes))
      refuse("must be one per convolved axis", std::to_string(border.size()),
             std::to_string(options_.axes) + " expected");
    for (const border_sides& b : border)
      if (b.lower == border_mode::none || b.upper == border_mode::none)
        refuse("must be a mode that has values", "none",
               "constant, replicate, reflect, reflect_101, wrap");
  }
  /// Places before and behind x that axis `a` reads.
  fft_outside outside_of(std::size_t a) const {
    const std::int64_t first = options_.origin[a], rest = kernel_[a] - 1 - first;
    return {.sides = options_.border[a],
            .before = options_.correlation ? first : rest,
            .after = options_.correlation ? rest : first};
  }
  std::vector<std::int64_t> half_spectrum(std::vector<std::int64_t> batch) const {
    batch.insert(batch.end(), lengths_.begin(), lengths_.end());
    batch.back() = batch.back() / 2 + 1;
    return batch;
  }

  /// Body of the kernel's store function: the phase that moves the origin, the scale, and the
  /// conjugate of a correlation.
  std::string kernel_text() const {
    const std::string real = std::same_as<T, double> ? "double" : "float";
    std::string text = "long rest = index;\n    " + real + " turn = 0;\n";
    double points = 1;
    for (std::size_t a = lengths_.size(); a-- > 0;) {
      const std::int64_t n = lengths_[a], extent = a + 1 == lengths_.size() ? n / 2 + 1 : n;
      points *= static_cast<double>(n);
      text += "    turn += (" + real + ")(rest % " + std::to_string(extent) + " * " +
              std::to_string(options_.origin[a]) + " % " + std::to_string(n) + ") * (" +
              fft_text::literal(2.0L / static_cast<long double>(n), std::same_as<T, double>) +
              ");\n    rest /= " + std::to_string(extent) + ";\n";
    }
    const std::string scale =
        fft_text::literal(1.0L / static_cast<long double>(points), std::same_as<T, double>);
    text += "    const " + real + " c = cospi(turn) * " + scale + ", s = sinpi(turn) * " + scale +
            ";\n    const " + real + "2 moved = (" + real +
            "2)(value.x * c - value.y * s, value.x * s + value.y * c);\n";
    return text + (options_.correlation ? "    return (" + real + "2)(moved.x, -moved.y);"
                                        : std::string("    return moved;"));
  }

  void build() {
    const queue_facts on = facts_of(queue_);
    context_ = on.context;
    std::int64_t elements = 1;
    for (const std::int64_t e : half_spectrum({})) elements *= e;
    cl_int code = CL_SUCCESS;
    spectrum_ = cl::Buffer(
        clCreateBuffer(context_(), CL_MEM_READ_WRITE,
                       static_cast<std::size_t>(elements) * 2 * sizeof(T), nullptr, &code),
        false);
    check(code, "clCreateBuffer of a kernel's spectrum");
    const std::string real = std::same_as<T, double> ? "double" : "float";
    const std::string product = "const " + real + "2 h = spectrum[index % " +
                                std::to_string(elements) + "];\n    return (" + real +
                                "2)(value.x * h.x - value.y * h.y, value.x * h.y + value.y * h.x);";
    fft_options o{.axes = options_.axes, .lengths = lengths_, .policy = options_.policy};
    fft_options kernel = o, image = o;
    kernel.store = {kernel_text(), {}};
    image.store = {product, {buffer<std::complex<T>>("spectrum")}};
    if (!options_.border.empty())
      for (std::size_t a = 0; a < lengths_.size(); ++a) image.outside.push_back(outside_of(a));
    if (shifted()) {
      // A constant of v outside: x - v has zeros there, and v times the sum of h is added behind.
      const auto number = [](long double v) {
        return fft_text::literal(v, std::same_as<T, double>);
      };
      const long double v = options_.border_value;
      long double points = 1;
      for (const std::int64_t n : lengths_) points *= static_cast<long double>(n);
      image.load = {"return value - (" + number(v) + ");", {}};
      o.kind = fft_kind::real;
      o.store = {"return value + spectrum[0].x * (" + number(v * points) + ");",
                 {buffer<std::complex<T>>("spectrum")}};
    }
    forward_kernel_ = std::make_unique<engine>(queue_, kernel);
    forward_ = std::make_unique<engine>(queue_, image);
    inverse_ = std::make_unique<engine>(queue_, o);
  }

  /// Whether a constant other than zero is read outside.
  bool shifted() const { return options_.border_value != 0 && !options_.circular; }

  cl::CommandQueue queue_;
  cl::Context context_;
  fft_convolution_options options_;
  std::vector<std::int64_t> kernel_, extents_, lengths_;
  std::unique_ptr<engine> forward_kernel_, forward_, inverse_;
  cl::Buffer spectrum_;
  cl::Event ready_;
  workspace work_;
};

}  // namespace clprim
