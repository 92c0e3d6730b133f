#pragma once
// Medians and spreads: what a row says of its samples.

#include <algorithm>
#include <cstddef>
#include <vector>

namespace bench {

/// The middle of the samples, and how far the quartiles lie from it.
struct summary {
  double median = 0;
  double spread = 0;  ///< half the distance between the quartiles, as a part of the median
};

/// The value below which a part `p` in 0..1 of the samples lies; 0 of no sample.
inline double quantile(std::vector<double> samples, double p) {
  if (samples.empty()) return 0;
  std::sort(samples.begin(), samples.end());
  const double place = p * static_cast<double>(samples.size() - 1);
  const auto below = static_cast<std::size_t>(place);
  const std::size_t above = std::min(below + 1, samples.size() - 1);
  const double part = place - static_cast<double>(below);
  return samples[below] + part * (samples[above] - samples[below]);
}

inline double median(const std::vector<double>& samples) { return quantile(samples, 0.5); }

inline summary summarise(const std::vector<double>& samples) {
  const double middle = median(samples);
  if (middle <= 0) return {};
  return {middle, (quantile(samples, 0.75) - quantile(samples, 0.25)) / 2 / middle};
}

}  // namespace bench
