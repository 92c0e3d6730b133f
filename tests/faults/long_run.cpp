// Many calls of every door, mixed: objects that come and go, two contexts, programs that are taken
// out of the cache at its limit. Results stay right, and nothing is left: neither objects of OpenCL
// nor memory of the host.
//
//   CLPRIM_CALLS=100000   so many calls (default 150)

#include <complex>
#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <memory>
#include <string>
#include <vector>

#include <doctest/doctest.h>
#include <unistd.h>

#include <clprim/clprim.hpp>

#include "faults/opencl_faults.hpp"
#include "support/device.hpp"
#include "support/random.hpp"

using namespace clprim;

namespace {

/// MiB of this process that are in memory.
double resident_mib() {
  std::ifstream file("/proc/self/statm");
  double pages = 0;
  file >> pages >> pages;
  return pages * static_cast<double>(sysconf(_SC_PAGESIZE)) / (1 << 20);
}

/// One object of each door and its operands, all ones, in a context of its own.
class all_doors {
 public:
  explicit all_doors(const session& s)
    : s_(s),
      x_(support::device_copy(s, std::vector<float>(4096, 1.f))),
      y_(support::device_copy(s, std::vector<float>(8192, 1.f))) {
    renew(0);
  }

  /// Makes one of the objects anew, as a program that drops and makes them does.
  void renew(int which) {
    if (which <= 0 || !multiply_) multiply_ = std::make_unique<gemm<float>>(s_.queue);
    if (which == 1 || !sum_) sum_ = std::make_unique<reduce<float>>(s_.queue);
    if (which == 2 || !turn_) turn_ = std::make_unique<transpose<float>>(s_.queue);
    if (which == 3 || !transform_) transform_ = std::make_unique<fft<float>>(s_.queue);
    if (which == 4 || !move_) move_ = std::make_unique<copy<float>>(s_.queue);
    if (which == 5 || !smooth_) smooth_ = std::make_unique<convolve<float>>(s_.queue);
  }

  /// A drawn call; whether the first element of its result is what it must be.
  bool call(support::draw& d) {
    const int m = d.one_of({7, 16, 33}), n = d.one_of({5, 16, 40});
    const auto A = matrix<float>(x_, m, n);
    float expected = 1;
    switch (d.between(0, 6)) {
      case 0:
        (*multiply_)(1, A, transposed(A), 0, matrix<float>(y_, m, m));
        expected = static_cast<float>(n);
        break;
      case 1:
        (*sum_)(each_row(A), y_);
        expected = static_cast<float>(n);
        break;
      case 2: return sum_->value(whole<float>(x_, m * n)) == static_cast<float>(m * n);
      case 3: (*turn_)(A, matrix<float>(y_, n, m)); break;
      case 4:
        transform_->forward(array<float>(x_, {m, 16}), array<std::complex<float>>(y_, {m, 9}));
        expected = 16;
        break;
      case 5: (*move_)(vector<float>(x_, m * n), vector<float>(y_, m * n)); break;
      default:
        (*smooth_)(image<float>(x_, 40, 30), filter_2d<float>(1, 1, std::vector<float>{3}),
                   image<float>(y_, 40, 30));
        expected = 3;
    }
    float first = 0;
    check(clEnqueueReadBuffer(s_.queue(), y_(), CL_TRUE, 0, sizeof first, &first, 0, nullptr,
                              nullptr),
          "clEnqueueReadBuffer");
    return first == expected;
  }

 private:
  session s_;
  cl::Buffer x_, y_;
  std::unique_ptr<gemm<float>> multiply_;
  std::unique_ptr<reduce<float>> sum_;
  std::unique_ptr<transpose<float>> turn_;
  std::unique_ptr<fft<float>> transform_;
  std::unique_ptr<copy<float>> move_;
  std::unique_ptr<convolve<float>> smooth_;
};

/// Objects that are held when no door is left.
support::opencl_objects held_after(std::vector<std::unique_ptr<all_doors>>& doors) {
  doors.clear();
  clear_program_cache();
  return support::objects_now();
}

}  // namespace

TEST_CASE("many mixed calls are right, and leave neither objects nor memory") {
  const char* const given = std::getenv("CLPRIM_CALLS");
  const int calls = given != nullptr ? std::atoi(given) : 150;
  const session first = open_session(), second = open_session();
  auto& cache = clprim::detail::program_cache::instance();
  const std::size_t usual = cache.most;
  cache.most = 12;  // fewer than these calls need
  std::vector<std::unique_ptr<all_doors>> doors;
  const support::opencl_objects before = held_after(doors);
  support::draw d(20261124);
  int wrong = 0;
  double warm = 0;
  for (int i = 0; i < calls; ++i) {
    if (doors.empty())
      for (const session* s : {&first, &second}) doors.push_back(std::make_unique<all_doors>(*s));
    all_doors& one = *doors[static_cast<std::size_t>(d.between(0, 1))];
    wrong += one.call(d) ? 0 : 1;
    if (d.chance(5)) one.renew(d.between(0, 5));
    if (i == calls / 2) {
      CHECK(held_after(doors) == before);
      warm = resident_mib();
    }
  }
  CHECK(wrong == 0);
  CHECK(cache.entries.size() <= 12);
  CHECK(held_after(doors) == before);
  cache.most = usual;
  const double grown = resident_mib() - warm;
  MESSAGE("mixed calls: " << calls << ", the second half grew by " << grown << " MiB");
  if (calls >= 10'000) CHECK(grown < 32);
}
