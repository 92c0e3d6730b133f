#pragma once
// The steps of a plan, where arrays lie between them, and the order of the axes beside the points.

#include <algorithm>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include <clprim/fft/plan/pass.hpp>
#include <clprim/fft/plan/tables.hpp>
#include <clprim/fft/policy.hpp>

namespace clprim {

/// Where a pass reads or writes.
enum class fft_buffer { input, output, work };

/// A second pass that runs in the launch of a first, some transforms behind it. A transform here is
/// what the second pass reads of what one transform's first pass has written.
struct fft_second {
  fft_pass pass;
  fft_policy policy;
  fft_buffer to = fft_buffer::output;
  std::int64_t to_offset = 0;
  std::int64_t first_groups = 0;   ///< per transform
  std::int64_t second_groups = 0;  ///< per transform
  std::int64_t first_extent = 1;   ///< of the first pass's last axis, per transform
  std::int64_t step = 0;           ///< from transform to transform between the passes, in elements
  std::int64_t lag = 1;            ///< transforms that the second pass is behind
  std::int64_t ring = 0;           ///< transforms that have room between the passes; 0: all
  std::int64_t unit = 1;           ///< transforms that are told of together

  /// Whether most transforms find both passes at work.
  bool pays() const { return pass.outer.back().extent >= 2 * lag; }
  /// Counters of a launch.
  std::size_t signals() const {
    const std::int64_t transforms = pass.outer.back().extent;
    return static_cast<std::size_t>(8 + 8 * ((transforms + unit - 1) / unit));
  }
};

/// A pass of a plan with its buffers; offsets in elements, added to the caller's.
struct fft_step {
  fft_pass pass;
  fft_policy policy;
  fft_buffer from = fft_buffer::input;
  fft_buffer to = fft_buffer::output;
  std::int64_t from_offset = 0;
  std::int64_t to_offset = 0;
  std::optional<fft_second> second{};
};

/// What a problem runs.
struct fft_plan {
  std::vector<fft_step> steps;
  fft_tables tables;
  std::int64_t work_elements = 0;  ///< complex numbers of the arithmetic's precision
};

namespace detail {

/// An array that a pass reads or writes: all axes, the last fastest unless strides say otherwise.
struct fft_place {
  fft_buffer buffer = fft_buffer::work;
  std::int64_t offset = 0;
  std::vector<std::int64_t> extents;
  std::vector<std::int64_t> strides;
  element type{};
};

inline std::vector<std::int64_t> tight_strides(const std::vector<std::int64_t>& extents) {
  std::vector<std::int64_t> strides(extents.size());
  std::int64_t step = 1;
  for (std::size_t a = extents.size(); a-- > 0;) {
    strides[a] = step;
    step *= std::max<std::int64_t>(1, extents[a]);
  }
  return strides;
}

/// One axis to be transformed, and everything beside it.
struct fft_line {
  std::int64_t length = 1;
  fft_axis along;
  std::vector<fft_axis> outer;
  fft_place from, to;
  fft_input input = fft_input::complex_points;
  fft_output output = fft_output::complex_points;
  bool first = false, last = false;  ///< reads the caller's input, writes the caller's output
  bool swap_in = false, swap_out = false;
  std::int64_t in_points = 0, out_points = 0;
  fft_outside outside{};
  std::int64_t in_factor = no_table, out_factor = no_table;
  std::int64_t whole = 0;
  double scale = 1;

  /// Whether other transforms lie between its points.
  bool in_columns() const {
    return std::any_of(outer.begin(), outer.end(), [this](const fft_axis& a) {
      return a.extent > 1 && (a.in_step < along.in_step || a.out_step < along.out_step);
    });
  }
};

/// Neighbouring axes that are one in every respect become one.
inline void merge_outer(std::vector<fft_axis>& axes) {
  std::erase_if(axes, [](const fft_axis& a) { return a.extent == 1; });
  const auto follows = [](const fft_axis& slow, const fft_axis& fast) {
    return slow.in_step == fast.in_step * fast.extent &&
           slow.out_step == fast.out_step * fast.extent &&
           slow.in_place == fast.in_place * fast.extent &&
           slow.out_place == fast.out_place * fast.extent &&
           slow.in_index == fast.in_index * fast.extent &&
           slow.out_index == fast.out_index * fast.extent;
  };
  for (bool merged = true; merged;) {
    merged = false;
    for (std::size_t a = 0; a < axes.size() && !merged; ++a)
      for (std::size_t b = 0; b < axes.size() && !merged; ++b) {
        if (a == b || !follows(axes[a], axes[b])) continue;
        axes[b].extent *= axes[a].extent;
        axes.erase(axes.begin() + static_cast<std::ptrdiff_t>(a));
        merged = true;
      }
  }
}

/// The first axis is the one whose transforms are neighbours in memory, where the points are not;
/// else the longest. The last one is the longest of the others: its extent is told at run time.
inline void order_outer(std::vector<fft_axis>& axes, const fft_axis& along) {
  if (axes.empty()) axes.push_back({});
  const auto worth = [&](const fft_axis& a) {
    const bool in = along.in_step > a.in_step && a.in_step == 1;
    const bool out = along.out_step > a.out_step && a.out_step == 1;
    return (in ? 2e18 : 0) + (out ? 2e18 : 0) + static_cast<double>(a.extent);
  };
  std::sort(axes.begin(), axes.end(),
            [&](const fft_axis& a, const fft_axis& b) { return worth(a) > worth(b); });
  if (axes.size() > 2) std::swap(axes[1], axes.back());
}

}  // namespace detail
}  // namespace clprim
