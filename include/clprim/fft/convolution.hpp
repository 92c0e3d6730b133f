#pragma once
// Convolution and correlation by transforms, as one plan: forward, times the kernel's spectrum,
// inverse. The product happens as the spectrum is stored, padding as the input is read.

#include <algorithm>
#include <array>
#include <complex>
#include <concepts>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <clprim/fft/convolution_problem.hpp>
#include <clprim/fft/operation.hpp>

namespace clprim {

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
    std::int64_t elements = 1;
    for (const std::int64_t e : told.sizes.half_spectrum()) elements *= e;
    cl_int code = CL_SUCCESS;
    told.spectrum = cl::Buffer(
        clCreateBuffer(context()(), CL_MEM_READ_WRITE,
                       static_cast<std::size_t>(elements) * 2 * sizeof(T), nullptr, &code),
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
    const sides all = checked_sides(x, y);
    std::vector<cl::Event> before(waits.begin(), waits.end());
    if (must_wait()) before.push_back(kernel_.ready);
    command_chain commands(*this, before);
    if (all.middle_elements == 0) return commands.end();
    const problems p = made_ready(x, y, all, commands);
    const std::vector<argument> spectrum{kernel_.spectrum};
    commands.after(kernel_.transforms->image.run(p.there, commands.waits(), spectrum));
    commands.after(kernel_.transforms->back.run(
        p.back, commands.waits(), options_.shifted() ? argument_list(spectrum) : argument_list{}));
    return commands.end();
  }

  /// Builds what a call needs and makes room for it, so that the first call does not.
  void prepare(const array_view<T>& x, const array_view<T>& y) {
    const sides all = checked_sides(x, y);
    if (all.middle_elements > 0) made_ready(x, y, all, command_chain(*this, {}));
  }
  /// Bytes that lie between the transforms of a call, without what lies between their passes.
  std::size_t workspace_bytes(const array_view<T>& x, const array_view<T>& y) const {
    return checked_sides(x, y).bytes();
  }
  /// The same of the last call.
  std::size_t workspace_bytes() const { return workspace_held(); }
  /// What a call runs, for a person.
  std::string explain(const array_view<T>& x, const array_view<T>& y) {
    const sides all = checked_sides(x, y);
    std::string head = explain_head(
        std::string(options_.correlation ? "correlation" : "convolution") + " by transforms",
        all.bytes(), 1);
    if (all.middle_elements == 0) return head;
    const problems p = made_ready(x, y, all, command_chain(*this, {}));
    return head + kernel_.transforms->image.explain(p.there) +
           kernel_.transforms->back.explain(p.back);
  }
  /// The OpenCL C source of its kernels, one after the other.
  std::string source(const array_view<T>& x, const array_view<T>& y) {
    const sides all = checked_sides(x, y);
    if (all.middle_elements == 0) return {};
    const problems p = made_ready(x, y, all, command_chain(*this, {}));
    return kernel_.transforms->image.source(p.there) + kernel_.transforms->back.source(p.back);
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
  /// The arrays of a call and what lies between the transforms.
  struct sides {
    std::vector<std::int64_t> middle;
    std::int64_t middle_elements = 0;
    std::size_t bytes() const { return static_cast<std::size_t>(middle_elements) * 2 * sizeof(T); }
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

  sides checked_sides(const array_view<T>& x, const array_view<T>& y) const {
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
    sides all;
    all.middle = kernel_.sizes.half_spectrum({x.extents.begin(), x.extents.end() - options_.axes});
    all.middle_elements = 1;
    for (const std::int64_t e : all.middle) all.middle_elements *= e;
    return all;
  }
  /// Everything that a call may still be refused for, before its first command.
  template <class Chain>
  problems made_ready(const array_view<T>& x, const array_view<T>& y, const sides& all,
                      Chain&& commands) {
    const array_view<std::complex<T>> Y{.memory = commands.workspace(all.bytes()),
                                        .extents = all.middle,
                                        .strides = detail::tight_strides(all.middle)};
    detail::fft_engine &image = kernel_.transforms->image, &back = kernel_.transforms->back;
    problems p{checked_fft(x, Y, image.options(), false), checked_fft(Y, y, back.options(), true)};
    image.prepare(p.there);
    back.prepare(p.back);
    return p;
  }
  /// Whether the kernel's spectrum is still being made. Throws argument_error where that failed.
  bool must_wait() const {
    cl_int status = CL_COMPLETE;
    check(clGetEventInfo(kernel_.ready(), CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status,
                         nullptr),
          "clGetEventInfo(CL_EVENT_COMMAND_EXECUTION_STATUS)");
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
