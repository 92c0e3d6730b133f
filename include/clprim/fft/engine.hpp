#pragma once
// What a transform asks of its engine; fft/operation.hpp has what it does.

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include <clprim/fft/problem.hpp>
#include <clprim/runtime/engine.hpp>

namespace clprim {

/// A pass of a schedule; passes that share a launch follow each other with one range.
struct fft_scheduled_pass {
  std::int64_t points = 1;
  fft_method method = fft_method::direct;
  fft_policy policy;
  launch range;
  friend bool operator==(const fft_scheduled_pass&, const fft_scheduled_pass&) = default;
};

namespace detail {

/// Plans of transforms, made, kept and enqueued; each function is fft_operation's.
class fft_engine : public engine {
 public:
  fft_engine(const cl::CommandQueue& queue, fft_options options, bool is_double);

  const fft_options& options() const;
  void prepare(const fft_problem& p);
  std::size_t workspace_bytes(const fft_problem& p);
  std::vector<fft_scheduled_pass> schedule(const fft_problem& p) const;
  std::vector<std::int64_t> digits(const fft_problem& p) const;
  std::string source(const fft_problem& p) const;
  std::string explain(const fft_problem& p);
  cl::Event run(const fft_problem& p, wait_list waits, argument_list arguments);
};

}  // namespace detail
}  // namespace clprim

#ifndef CLPRIM_COMPILED
#include <clprim/fft/operation.hpp>
#endif
