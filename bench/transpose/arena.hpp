#pragma once
// Everyone who transposes one matrix, on the same operands.

#include <complex>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <clprim/copy.hpp>
#include <clprim/runtime/fill.hpp>
#include <clprim/transpose.hpp>

#include "../harness/random.hpp"
#include "../harness/suite.hpp"
#include "peers.hpp"
#include "problem.hpp"

namespace bench {

struct turn_settings {
  std::optional<clprim::transpose_policy> policy{};
  bool clblast_tuned = false;
};

/// Operands of one row; what it makes shares their life.
template <class T> class turn_arena : public std::enable_shared_from_this<turn_arena<T>> {
 public:
  turn_arena(const suite_place& place, turn_problem problem)
    : place_(place),
      p_(std::move(problem)),
      count_(p_.elements()),
      host_(std::make_shared<std::vector<T>>(random_bytes())),
      got_(count_) {
    a_ = buffer();
    b_ = buffer();
    write(a_);
  }

  std::vector<contestant> enter(const turn_settings& how) {
    std::vector<contestant> who{ours(how)};
    who.push_back(copied());
    if (p_.form != turn_form::apart) return who;
    const auto self = this->shared_from_this();
    const auto check_b = [self] { return self->wrong(self->b_); };
    add_clblast<T>(
        who, place_, p_, a_, b_, how.clblast_tuned, [self] { self->poison(); }, check_b);
    add_openblas<T>(who, place_, p_, host_);
    add_cublas<T>(who, place_, p_, host_);
    return who;
  }

  const cl::Buffer& a() const { return a_; }
  const cl::Buffer& b() const { return b_; }
  const std::shared_ptr<std::vector<T>>& host() const { return host_; }

  /// What is wrong with the transposed matrix in a buffer.
  std::string wrong(const cl::Buffer& where) {
    clprim::check(clEnqueueReadBuffer(place_.session.queue(), where(), CL_TRUE, 0,
                                      count_ * sizeof(T), got_.data(), 0, nullptr, nullptr),
                  "clEnqueueReadBuffer");
    return wrong_elements(got_, *host_, p_.rows, p_.cols);
  }
  /// The first rows of the result and the last, for many candidates.
  std::string wrong_at_the_ends(const cl::Buffer& where) {
    const auto rows = static_cast<std::size_t>(p_.rows), cols = static_cast<std::size_t>(p_.cols);
    const std::size_t lines = std::min<std::size_t>(cols, 80);
    std::vector<T> part(lines * rows);
    for (const std::size_t first : {std::size_t{0}, (cols - lines) / 2, cols - lines}) {
      clprim::check(
          clEnqueueReadBuffer(place_.session.queue(), where(), CL_TRUE, first * rows * sizeof(T),
                              part.size() * sizeof(T), part.data(), 0, nullptr, nullptr),
          "clEnqueueReadBuffer");
      for (std::size_t c = 0; c < lines; ++c)
        for (std::size_t r = 0; r < rows; ++r)
          if (part[c * rows + r] != (*host_)[r * cols + first + c])
            return "row " + std::to_string(first + c) + ", column " + std::to_string(r);
    }
    return {};
  }
  void poison() const { clprim::fill_with_ones(place_.session.queue(), b_(), count_ * sizeof(T)); }
  contestant copied() {
    const auto move = std::make_shared<clprim::copy<T>>(
        place_.session.queue, clprim::copy_options{.completion = clprim::completion::none});
    const auto self = this->shared_from_this();
    const auto call = [self, move] {
      const auto elements = static_cast<std::int64_t>(self->count_);
      return (*move)(clprim::vector<T>(self->a_, elements), clprim::vector<T>(self->b_, elements));
    };
    return {.name = "copy", .as = role::roof, .time = timed(call)};
  }
  template <class Call> auto timed(Call call) {
    return [self = this->shared_from_this(), call](std::size_t warm, std::size_t calls) {
      return time_opencl(self->place_.session.queue(), self->place_.clock, warm, calls,
                         [&](std::size_t) { call(); });
    };
  }

 private:
  /// Bits that are numbers of T too, so that they compare.
  std::vector<T> random_bytes() const {
    std::vector<T> values(count_);
    if constexpr (clprim::scalar_type<T>) {
      values = random_values<T>(count_, 7);
    } else {
      for (std::size_t i = 0; i < count_; ++i) values[i] = static_cast<T>(random_bits(7, i));
    }
    return values;
  }
  cl::Buffer buffer() const {
    cl_int code = CL_SUCCESS;
    cl::Buffer made(clCreateBuffer(place_.session.context(), CL_MEM_READ_WRITE, count_ * sizeof(T),
                                   nullptr, &code),
                    false);
    clprim::check(code, "clCreateBuffer of an operand");
    return made;
  }
  void write(const cl::Buffer& to) const {
    clprim::check(clEnqueueWriteBuffer(place_.session.queue(), to(), CL_TRUE, 0, count_ * sizeof(T),
                                       host_->data(), 0, nullptr, nullptr),
                  "clEnqueueWriteBuffer of an operand");
  }

  contestant ours(const turn_settings& how) {
    const auto turn = std::make_shared<clprim::transpose<T>>(
        place_.session.queue,
        clprim::transpose_options{.policy = how.policy, .completion = clprim::completion::none});
    const auto self = this->shared_from_this();
    const bool own = p_.form == turn_form::in_place;
    const auto a = clprim::matrix<T>(a_, p_.rows, p_.cols),
               b = clprim::matrix<T>(b_, p_.cols, p_.rows);
    const auto in_b = clprim::matrix<T>(b_, p_.rows, p_.cols);
    // In place back and forth, so that what is timed stays a matrix of these sizes; both are such.
    const auto call = [=] { return own ? turn->in_place(in_b) : (*turn)(a, b); };
    return {.name = "clprim",
            .as = role::ours,
            .verify =
                [=] {
                  self->poison();
                  if (own) self->write(self->b_);
                  call();
                  return self->wrong(self->b_);
                },
            .time = timed(call),
            .short_detail =
                [=] { return own ? std::string() : short_text(turn->schedule(a, b).policy); },
            .detail =
                [=] {
                  return own ? turn->explain_in_place(in_b)
                             : to_string(turn->schedule(a, b).policy);
                }};
  }

  suite_place place_;
  turn_problem p_;
  std::size_t count_;
  std::shared_ptr<std::vector<T>> host_;
  std::vector<T> got_;
  cl::Buffer a_, b_;
};

}  // namespace bench
