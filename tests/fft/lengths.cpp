// Every kind of length under both shapes, held to the accuracy that the project promises.
//
//   CLPRIM_FFT_LENGTHS=4096        tests every length from 1 to that one (the long run)
//   CLPRIM_FFT_LENGTHS=897-1400    those from the first to the last
//   CLPRIM_FFT_SHARD=3/14          of them, the ones that leave 3 when divided by 14: drivers build
//                                  one program at a time in a process, so run a process per core

#include <cstdint>
#include <cstdlib>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "fft/reference.hpp"

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

constexpr fft_policy by_items{.points = 8, .group = 32};

}  // namespace

TEST_CASE("lengths of every radix are transformed as accurately as promised") {
  check_lengths<float>({1, 2, 6, 16, 77, 128, 169, 1000, 2187}, std::nullopt);
}
TEST_CASE("lengths with large prime factors are transformed as accurately") {
  check_lengths<float>({17, 323, 1009, 4099}, std::nullopt);
}
TEST_CASE("lengths past one pass are transformed as accurately") {
  check_lengths<float>({8192, 10007, 30030}, std::nullopt);
}
TEST_CASE("double is as accurate as promised") {
  check_lengths<double>({19, 100, 256, 16384}, std::nullopt);
}
TEST_CASE("shape items serves every kind of length") {
  check_lengths<float>({1, 7, 12, 31, 64, 101, 360}, by_items);
  check_lengths<double>({37}, by_items);
}
TEST_CASE("every length up to CLPRIM_FFT_LENGTHS") {
  const char* const range = std::getenv("CLPRIM_FFT_LENGTHS");
  if (range == nullptr) return;
  std::int64_t first = 1, last = 0, shard = 0, shards = 1;
  const auto two = [](const char* text, std::int64_t& a, std::int64_t& b) {
    char between = 0;
    std::istringstream in(text);
    in >> a >> between >> b;
    return !in.fail();
  };
  if (!two(range, first, last)) last = std::exchange(first, 1);
  if (const char* const part = std::getenv("CLPRIM_FFT_SHARD"); part != nullptr)
    REQUIRE(two(part, shard, shards));
  REQUIRE(shards > 0);
  std::vector<std::int64_t> lengths;
  for (std::int64_t n = first; n <= last; ++n)
    if (n % shards == shard) lengths.push_back(n);
  check_lengths<float>(lengths, std::nullopt);
  MESSAGE(lengths.size(), " lengths tested, from ", first, " to ", last);
}
