#pragma once
// Arrays whose axes change places, with gaps between their lines, beside the copy of as many bytes.

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <clprim/copy.hpp>
#include <clprim/runtime/fill.hpp>
#include <clprim/transpose.hpp>

#include "../harness/random.hpp"
#include "../harness/suite.hpp"
#include "problem.hpp"

namespace bench {

/// Axis k of Y is axis axes[k] of X; a gap is of elements behind each line of the last axis.
struct permutation_problem {
  std::string name;
  int bytes = 4;  ///< of an element
  std::vector<std::int64_t> extents{};
  std::vector<int> axes{};
  std::int64_t in_gap = 0, out_gap = 0;

  std::int64_t elements() const {
    std::int64_t all = 1;
    for (const std::int64_t e : extents) all *= e;
    return all;
  }
  double work() const { return 2.0 * static_cast<double>(elements()) * bytes; }
  std::vector<std::int64_t> out_extents() const {
    std::vector<std::int64_t> turned;
    for (const int a : axes) turned.push_back(extents[static_cast<std::size_t>(a)]);
    return turned;
  }
};

/// Distances between neighbours along each axis, with a gap behind each line.
inline std::vector<std::int64_t> steps_of(const std::vector<std::int64_t>& extents,
                                          std::int64_t gap) {
  std::vector<std::int64_t> steps(extents.size());
  std::int64_t step = 1;
  for (std::size_t a = extents.size(); a-- > 0;) {
    steps[a] = step;
    step *= extents[a] + (a + 1 == extents.size() ? gap : 0);
  }
  return steps;
}

/// Operands of one row; what it makes shares their life.
template <class T> class permutation_arena {
 public:
  permutation_arena(const suite_place& place, permutation_problem problem)
    : place_(place),
      p_(std::move(problem)),
      in_steps_(steps_of(p_.extents, p_.in_gap)),
      out_steps_(steps_of(p_.out_extents(), p_.out_gap)),
      host_(values(static_cast<std::size_t>(in_steps_.front() * p_.extents.front()))),
      got_(static_cast<std::size_t>(out_steps_.front() * p_.out_extents().front())) {
    a_ = buffer(host_.size());
    b_ = buffer(got_.size());
    clprim::check(clEnqueueWriteBuffer(place_.session.queue(), a_(), CL_TRUE, 0,
                                       host_.size() * sizeof(T), host_.data(), 0, nullptr, nullptr),
                  "clEnqueueWriteBuffer");
  }

  static std::vector<contestant> enter(const suite_place& place, const permutation_problem& p) {
    const auto self = std::make_shared<permutation_arena>(place, p);
    const auto turn = std::make_shared<clprim::permute<T>>(
        place.session.queue, clprim::transpose_options{.completion = clprim::completion::none});
    const auto X = clprim::array<T>(self->a_, p.extents).with_strides(self->in_steps_);
    const auto Y = clprim::array<T>(self->b_, p.out_extents()).with_strides(self->out_steps_);
    const auto call = [=] { return (*turn)(X, p.axes, Y); };
    const auto move = std::make_shared<clprim::copy<T>>(
        place.session.queue, clprim::copy_options{.completion = clprim::completion::none});
    const auto moved = [=, n = p.elements()] {
      return (*move)(clprim::vector<T>(self->a_, n), clprim::vector<T>(self->b_, n));
    };
    return {{.name = "clprim",
             .as = role::ours,
             .verify =
                 [=] {
                   self->poison();
                   call();
                   return self->wrong();
                 },
             .time = timed(self, call),
             .short_detail = [=] { return short_text(turn->schedule(X, p.axes, Y).policy); },
             .detail = [=] { return to_string(turn->schedule(X, p.axes, Y).policy); }},
            {.name = "copy", .as = role::roof, .time = timed(self, moved)}};
  }

 private:
  /// Bits that are numbers of T too, so that they compare.
  static std::vector<T> values(std::size_t count) {
    if constexpr (clprim::scalar_type<T>) {
      return random_values<T>(count, 7);
    } else {
      std::vector<T> all(count);
      for (std::size_t i = 0; i < count; ++i) all[i] = static_cast<T>(random_bits(7, i));
      return all;
    }
  }
  template <class Call>
  static auto timed(const std::shared_ptr<permutation_arena>& self, Call call) {
    return [self, call](std::size_t warm, std::size_t calls) {
      return time_opencl(self->place_.session.queue(), self->place_.clock, warm, calls,
                         [&](std::size_t) { call(); });
    };
  }
  cl::Buffer buffer(std::size_t count) const {
    cl_int code = CL_SUCCESS;
    cl::Buffer made(clCreateBuffer(place_.session.context(), CL_MEM_READ_WRITE, count * sizeof(T),
                                   nullptr, &code),
                    false);
    clprim::check(code, "clCreateBuffer of an operand");
    return made;
  }
  void poison() const {
    clprim::fill_with_ones(place_.session.queue(), b_(), got_.size() * sizeof(T));
  }
  /// The lines of the result at both ends and every 97th of the others, and all gaps.
  std::string wrong() {
    clprim::check(clEnqueueReadBuffer(place_.session.queue(), b_(), CL_TRUE, 0,
                                      got_.size() * sizeof(T), got_.data(), 0, nullptr, nullptr),
                  "clEnqueueReadBuffer");
    const std::vector<std::int64_t> extents = p_.out_extents();
    const std::int64_t line = extents.back(), lines = p_.elements() / line;
    const std::int64_t in_step = in_steps_[static_cast<std::size_t>(p_.axes.back())];
    std::array<unsigned char, sizeof(T)> untouched;
    untouched.fill(0xff);
    std::int64_t bad = 0, spilled = 0;
    for (std::int64_t l = 0; l < lines; ++l) {
      const std::int64_t to = l * (line + p_.out_gap);
      for (std::int64_t g = 0; g < p_.out_gap; ++g)
        spilled += std::memcmp(&at(got_, to + line + g), untouched.data(), sizeof(T)) != 0 ? 1 : 0;
      if (l > 70 && l + 70 < lines && l % 97 != 0) continue;
      std::int64_t from = 0, rest = l;
      for (std::size_t k = extents.size() - 1; k-- > 0;) {
        from += rest % extents[k] * in_steps_[static_cast<std::size_t>(p_.axes[k])];
        rest /= extents[k];
      }
      for (std::int64_t i = 0; i < line; ++i)
        bad += at(got_, to + i) != at(host_, from + i * in_step) ? 1 : 0;
    }
    if (bad + spilled == 0) return {};
    return std::to_string(bad) + " elements of those looked at, " + std::to_string(spilled) +
           " of the gaps";
  }
  static const T& at(const std::vector<T>& all, std::int64_t i) {
    return all[static_cast<std::size_t>(i)];
  }

  suite_place place_;
  permutation_problem p_;
  std::vector<std::int64_t> in_steps_, out_steps_;
  std::vector<T> host_, got_;
  cl::Buffer a_, b_;
};

}  // namespace bench
