// Every kind of length under both shapes, held to the accuracy that the project promises.
//
//   CLPRIM_FFT_LENGTHS=4096        tests every length from 1 to that one (the long run), in float
//                                  and in double, complex and real, a test case each
//   CLPRIM_FFT_LENGTHS=897-1400    those from the first to the last
//   CLPRIM_FFT_AS=h200             by the plans and texts that an H200 gets, but for what its own
//                                  instructions do
//   CLPRIM_FFT_SHARD=3/14          of them, the ones that leave 3 when divided by 14: drivers build
//                                  one program at a time in a process, so run a process per core
//   CLPRIM_FFT_LARGE=20-28         tests 2 to these powers; a number above 30 is a length itself

#include <bit>
#include <cmath>
#include <concepts>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <optional>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "fft/known_spectrum.hpp"
#include "fft/reference.hpp"
#include "support/builds.hpp"
#include "support/other_devices.hpp"

using namespace clprim;
using namespace support;

namespace {

template <class T>
void check_lengths(const std::vector<std::int64_t>& lengths,
                   const std::optional<fft_policy>& policy) {
  for (const std::int64_t n : lengths) {
    fft<T> transform(device_session().queue, {.policy = policy});
    const std::string complaint = complaint_of_length(transform, n,
                                                      n > 5000   ? 2
                                                      : n > 1024 ? 5
                                                                 : 11,
                                                      n % 3 == 0);
    CHECK_MESSAGE(complaint.empty(), complaint);
  }
}
template <class T>
void check_real_lengths(const std::vector<std::int64_t>& lengths,
                        const std::optional<fft_policy>& policy) {
  for (const std::int64_t n : lengths) {
    fft<T> transform(device_session().queue, {.policy = policy});
    const std::string complaint = complaint_of_real_length(transform, n,
                                                           n > 1024     ? 3
                                                           : n % 2 == 0 ? 8
                                                                        : 11);
    CHECK_MESSAGE(complaint.empty(), complaint);
  }
}

constexpr fft_policy by_items{.points = 8, .group = 32};

template <class T> bool serves() {
  return !std::same_as<T, double> || facts_of(device_session().device).fp64;
}

}  // namespace

TEST_CASE("lengths of every radix are transformed as accurately as promised") {
  check_lengths<float>({1, 2, 6, 16, 77, 128, 169, 323, 1000, 2187}, std::nullopt);
}
// 4087 and 8347 are products of two primes, which the reference takes in less time than a prime.
TEST_CASE("lengths with large prime factors are transformed as accurately") {
  check_lengths<float>({41, 1763, 1009, 4087}, std::nullopt);
}
TEST_CASE("lengths past one pass are transformed as accurately") {
  check_lengths<float>({8192, 8347, 30030}, std::nullopt);
}
// Rows of the four-step method by Rader's and by Bluestein's convolution.
TEST_CASE("lengths past one pass that small and large primes divide are as accurate") {
  check_lengths<float>({19062, 30362}, std::nullopt);
  check_lengths<float>({656, 944, 1300 + 58},
                       fft_policy{.points = 4, .group = 16, .columns = 4, .one_pass = 64});
  check_lengths<float>({592, 944}, fft_policy{.shape = fft_shape::lanes, .one_pass = 64});
  check_lengths<double>({2 * 1366},
                        fft_policy{.points = 4, .group = 16, .columns = 4, .one_pass = 64});
}
TEST_CASE("double is as accurate as promised") {
  check_lengths<double>({19, 100, 256, 16384}, std::nullopt);
}
TEST_CASE("shape items serves every kind of length") {
  check_lengths<float>({1, 7, 12, 43, 64, 101, 360}, by_items);
  check_lengths<double>({37}, by_items);
}
TEST_CASE("shape items has codelets of the primes to 37, and of those to 19 in double") {
  const unoptimised_builds quickly;  // no CPU gets them
  check_lengths<float>({17, 19, 23, 29, 31, 37, 102, 1073}, by_items);
  check_lengths<double>({19, 34, 323}, by_items);
}

namespace {

/// "a-b" or "a/b", as the variable has it; with one number alone that one twice.
std::optional<std::pair<std::int64_t, std::int64_t>> range_of(const char* variable) {
  const char* const text = std::getenv(variable);
  if (text == nullptr) return std::nullopt;
  std::int64_t a = 0, b = 0;
  char between = 0;
  std::istringstream in(text);
  in >> a;
  REQUIRE(!in.fail());
  in >> between >> b;
  return std::pair{a, in.fail() ? a : b};
}

template <class T, class Check> void each_length(Check check) {
  auto range = range_of("CLPRIM_FFT_LENGTHS");
  if (!range || !serves<T>()) return;
  if (range->first == range->second) range->first = 1;
  const auto shard = range_of("CLPRIM_FFT_SHARD").value_or(std::pair{0, 1});
  REQUIRE(shard.second > 0);
  std::vector<std::int64_t> lengths;
  for (std::int64_t n = range->first; n <= range->second; ++n)
    if (n % shard.second == shard.first) lengths.push_back(n);
  std::optional<assume_device> as_if;
  if (const char* const as = std::getenv("CLPRIM_FFT_AS")) {
    REQUIRE(std::string(as) == "h200");
    as_if.emplace(portable(h200(), facts_of(device_session().device)));
  }
  check(lengths, std::nullopt);
  MESSAGE(lengths.size(), " lengths tested, from ", range->first, " to ", range->second);
}

template <class T> void check_large(const std::vector<std::int64_t>& lengths) {
  if (!serves<T>()) return;
  for (const std::int64_t n : lengths) {
    if (const std::string lack = lack_of_memory<T>(n); !lack.empty()) {
      MESSAGE(lack);
      continue;
    }
    const bool inverse = std::countr_zero(static_cast<std::uint64_t>(n)) % 2 == 1;
    const long double error = error_of_known_spectrum<T>(n, inverse);
    const long double unit =
        std::numeric_limits<T>::epsilon() * std::log2(static_cast<long double>(n));
    const std::string told = std::to_string(n) + " points, " + (inverse ? "inverse" : "forward") +
                             ": error " + std::to_string(error / unit) + " eps log2 N, at most " +
                             std::to_string(error_bound<T>({n}) / unit);
    CHECK_MESSAGE(error <= error_bound<T>({n}), told);
    if (std::getenv("CLPRIM_FFT_LARGE") != nullptr) MESSAGE(told);
  }
}

std::vector<std::int64_t> large_lengths() {
  std::vector<std::int64_t> lengths;
  if (const auto range = range_of("CLPRIM_FFT_LARGE"))
    for (std::int64_t n = range->first; n <= range->second; ++n)
      lengths.push_back(n > 30 ? n : std::int64_t{1} << n);
  return lengths;
}

}  // namespace

TEST_CASE("every length up to CLPRIM_FFT_LENGTHS") { each_length<float>(check_lengths<float>); }
TEST_CASE("every length up to CLPRIM_FFT_LENGTHS in double") {
  each_length<double>(check_lengths<double>);
}
TEST_CASE("every length up to CLPRIM_FFT_LENGTHS of real values") {
  each_length<float>(check_real_lengths<float>);
}
TEST_CASE("every length up to CLPRIM_FFT_LENGTHS of real values in double") {
  each_length<double>(check_real_lengths<double>);
}
TEST_CASE("real values of every kind of length are transformed as an H200 gets them") {
  const unoptimised_builds quickly;
  const assume_device as_if(portable(h200(), facts_of(device_session().device)));
  check_real_lengths<float>({1, 2, 15, 82, 101, 118, 1763}, std::nullopt);
}
TEST_CASE("large lengths are transformed as accurately as promised") {
  check_large<float>({std::int64_t{1} << 22, 4099, 10007, 100003});
}
TEST_CASE("the lengths of CLPRIM_FFT_LARGE") { check_large<float>(large_lengths()); }
TEST_CASE("the lengths of CLPRIM_FFT_LARGE in double") { check_large<double>(large_lengths()); }
