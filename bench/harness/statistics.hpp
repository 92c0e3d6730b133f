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

/// The samples of the quieter rounds: of the half with the lower medians, and one more. What others
/// do on a host or a device only ever adds to a time, and stays for some rounds: 1 of 1, 2 of 2 and
/// 3, 5 of 9.
inline std::vector<double> quiet_samples(std::vector<std::vector<double>> rounds) {
  std::stable_sort(rounds.begin(), rounds.end(),
                   [](const auto& a, const auto& b) { return median(a) < median(b); });
  std::vector<double> samples;
  for (std::size_t i = 0; i < rounds.size() && i <= rounds.size() / 2; ++i)
    samples.insert(samples.end(), rounds[i].begin(), rounds[i].end());
  return samples;
}

/// The samples of all rounds.
inline std::vector<double> all_samples(const std::vector<std::vector<double>>& rounds) {
  std::vector<double> samples;
  for (const std::vector<double>& round : rounds)
    samples.insert(samples.end(), round.begin(), round.end());
  return samples;
}

inline summary summarise(const std::vector<double>& samples) {
  const double middle = median(samples);
  if (middle <= 0) return {};
  return {middle, (quantile(samples, 0.75) - quantile(samples, 0.25)) / 2 / middle};
}

/// Of rounds: the median of the quieter ones, and the spread of all.
inline summary summarise(const std::vector<std::vector<double>>& rounds) {
  return {median(quiet_samples(rounds)), summarise(all_samples(rounds)).spread};
}

}  // namespace bench
