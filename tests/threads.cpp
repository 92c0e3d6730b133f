// Threads with objects of their own on one queue: what each gets is what it gets alone.
#include <atomic>
#include <complex>
#include <cstdint>
#include <exception>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include <doctest/doctest.h>

#include <clprim/clprim.hpp>

#include "bench/program.hpp"
#include "support/device.hpp"
#include "support/random.hpp"

using namespace clprim;

namespace {

std::vector<float> read(const session& s, const cl::Buffer& buffer, std::size_t count,
                        const cl::Event& after) {
  std::vector<float> values(count);
  check(clEnqueueReadBuffer(s.queue(), buffer(), CL_TRUE, 0, count * sizeof(float), values.data(),
                            1, &after(), nullptr),
        "clEnqueueReadBuffer");
  return values;
}

/// The results of a few calls of each kind, on objects of this thread's own; shapes by `seed`.
std::vector<std::vector<float>> work(const session& s, std::uint64_t seed) {
  support::draw d(seed);
  gemm<float> multiply(s.queue);
  reduce<float> sum(s.queue);
  fft<float> transform(s.queue);
  transpose<float> turn(s.queue);
  std::vector<std::vector<float>> results;
  for (int i = 0; i < 2; ++i) {
    const int m = d.between(1, 200), n = d.between(1, 200);
    const auto area = static_cast<std::size_t>(m * n);
    std::vector<float> values(area);
    for (float& v : values) v = support::random_element<float>(d);
    const cl::Buffer x = support::device_copy(s, values);
    const auto room = [&](std::size_t count) {
      return support::device_copy(s, std::vector<float>(count));
    };
    const auto square = static_cast<std::size_t>(m * m);
    const cl::Buffer c = room(square), y = room(area), sums = room(static_cast<std::size_t>(m)),
                     z = room(2 * static_cast<std::size_t>(m * (n / 2 + 1)));
    const auto A = matrix<float>(x, m, n);
    results.push_back(read(s, c, square, multiply(1, A, transposed(A), 0, matrix<float>(c, m, m))));
    results.push_back(read(s, y, area, turn(A, matrix<float>(y, n, m))));
    results.push_back(read(s, sums, static_cast<std::size_t>(m), sum(each_row(A), sums)));
    results.push_back({sum.value(whole<float>(x, m * n))});
    results.push_back(read(
        s, z, 2 * static_cast<std::size_t>(m * (n / 2 + 1)),
        transform.forward(array<float>(x, {m, n}), array<std::complex<float>>(z, {m, n / 2 + 1}))));
  }
  return results;
}

}  // namespace

TEST_CASE("threads with an object each on one queue get what they get alone") {
  for (const session* s : {&support::device_session(), &support::out_of_order_session()}) {
    constexpr int threads = 2, rounds = 1;
    std::vector<std::vector<std::vector<float>>> alone;
    for (int t = 0; t < threads * rounds; ++t)
      alone.push_back(work(*s, 100u + static_cast<unsigned>(t)));
    std::atomic<int> different = 0;
    std::vector<std::string> complaints(threads);
    std::vector<std::thread> running;
    for (int t = 0; t < threads; ++t) {
      running.emplace_back([&, t] {
        try {
          for (int r = 0; r < rounds; ++r) {
            const int job = t * rounds + r;
            if (work(*s, 100u + static_cast<unsigned>(job)) != alone[static_cast<std::size_t>(job)])
              ++different;
          }
        } catch (const std::exception& e) {
          complaints[static_cast<std::size_t>(t)] = e.what();
        }
      });
    }
    for (std::thread& one : running) one.join();
    for (const std::string& complaint : complaints) CHECK(complaint == "");
    CHECK(different == 0);
  }
}

TEST_CASE("threads build, forget and keep programs at once, and each gets its own") {
  const session& s = support::device_session();
  const support::own_folder folder;
  // So small that files are trimmed while others read them.
  const auto files = std::make_shared<program_files>(folder.path("programs"), 20000);
  set_program_store(files);
  constexpr int threads = 4, rounds = 12;
  std::vector<std::string> complaints(threads);
  std::vector<std::thread> running;
  for (int t = 0; t < threads; ++t) {
    running.emplace_back([&, t] {
      std::string& complaint = complaints[static_cast<std::size_t>(t)];
      try {
        for (int r = 0; r < rounds; ++r) {
          const std::string name = "f" + std::to_string((t + r) % 3);
          const auto built = build(s.context, s.device,
                                   "__kernel void " + name + "(__global int* x) { x[0] = 1; }");
          const cl::Kernel kernel = make_kernel(*built, name.c_str());
          if (kernel() == nullptr) complaint += "no kernel\n";
          if (r % 5 == t) clear_program_cache();
          if (r % 4 == t) set_program_store(files);
          if (facts_of(s.queue).facts.name != facts_of(s.device).name) complaint += "other facts\n";
          (void)why_programs_are_not_kept();
        }
      } catch (const std::exception& e) {
        complaint += e.what();
      }
    });
  }
  for (std::thread& one : running) one.join();
  keep_programs(std::nullopt);
  for (const std::string& complaint : complaints) CHECK(complaint == "");
}
