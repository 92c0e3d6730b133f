#pragma once
// What a problem runs: the steps of a plan, each a pass or two in one launch, with their policies,
// buffers and tables.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include <clprim/fft/plan/pass.hpp>
#include <clprim/fft/plan/tables.hpp>
#include <clprim/fft/policy.hpp>

namespace clprim {

/// A second pass that runs in the launch of a first, some transforms behind it. A transform here is
/// what the second pass reads of what one transform's first pass has written.
struct fft_second {
  fft_pass pass;
  fft_policy policy;
  fft_memory to{};
  std::int64_t first_groups = 0;   ///< per transform
  std::int64_t second_groups = 0;  ///< per transform
  std::int64_t first_extent = 1;   ///< of the first pass's last axis, per transform
  std::int64_t step = 0;           ///< from transform to transform between the passes, in elements
  std::int64_t lag = 1;            ///< transforms that the second pass is behind
  std::int64_t ring = 0;           ///< transforms that have room between the passes; 0: all
  std::int64_t unit = 1;           ///< transforms that are told of together

  /// Whether most transforms find both passes at work, and what lies between them would not stay in
  /// the cache by itself. H200, 2026-11-28, us in one launch and in two: 300 of 65536 points (157
  /// MB, 12 lags) 146 163; 100 of 50400 real ones (20 MB, two lags) 50 44.
  bool pays() const { return pass.outer.back().extent >= 4 * lag; }
  /// Counters of a launch.
  std::size_t signals() const {
    const std::int64_t transforms = pass.outer.back().extent;
    return static_cast<std::size_t>(8 + 8 * ((transforms + unit - 1) / unit));
  }
};

/// A pass of a plan with its buffers.
struct fft_step {
  fft_pass pass;
  fft_policy policy;
  fft_memory from, to;
  std::optional<fft_second> second{};
};

/// What a problem runs.
struct fft_plan {
  std::vector<fft_step> steps;
  fft_tables tables;
  std::int64_t work_elements = 0;      ///< complex numbers of the arithmetic's precision
  std::vector<std::int64_t> digits{};  ///< n1 and n2 of a spectrum in their order; none: natural
};

}  // namespace clprim
