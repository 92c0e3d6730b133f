#pragma once
// What a convolution asks of its engine; convolve/operation.hpp has what that does.

#include <cstddef>
#include <string>
#include <vector>

#include <clprim/convolve/options.hpp>
#include <clprim/convolve/passes.hpp>
#include <clprim/convolve/problem.hpp>
#include <clprim/convolve/taps.hpp>
#include <clprim/runtime/engine.hpp>

namespace clprim {

namespace detail {

/// Plans and memory of convolutions; types are known by their descriptions only. Each function is
/// convolve_operation's.
class convolve_engine : public engine {
 public:
  convolve_engine(const cl::CommandQueue& queue, convolve_options options,
                  const convolve_types& types, std::vector<std::byte> border);

  const convolve_options& options() const;
  convolve_schedule schedule(const convolve_problem& p, const convolve_taps& taps) const;
  std::string source(const convolve_problem& p, const convolve_taps& taps) const;
  std::string explain(const convolve_problem& p, const convolve_taps& taps);
  void prepare(const convolve_problem& p, const convolve_taps& taps);
  cl::Event run(const checked_images& c, const convolve_taps& taps, wait_list waits,
                argument_list arguments);
};

}  // namespace detail
}  // namespace clprim

#ifndef CLPRIM_COMPILED
#include <clprim/convolve/operation.hpp>
#endif
