#include <algorithm>
#include <cstdint>
#include <limits>
#include <random>
#include <set>
#include <vector>

#include <doctest/doctest.h>

#include <clprim/runtime/device.hpp>
#include <clprim/runtime/footprint.hpp>

using namespace clprim;

namespace {

// Footprints in one and the same buffer are compared without a look at it.
const cl_mem one_buffer = reinterpret_cast<cl_mem>(std::uintptr_t{1});
const cl_mem offsets_1 = reinterpret_cast<cl_mem>(std::uintptr_t{2});
const cl_mem offsets_2 = reinterpret_cast<cl_mem>(std::uintptr_t{3});

footprint at(std::int64_t begin, std::int64_t lines, std::int64_t length, std::int64_t pitch,
             std::int64_t count = 1, std::int64_t stride = 0) {
  return {one_buffer, begin, lines, length, pitch, count, stride, nullptr};
}

// The bytes of each matrix, one by one.
std::vector<std::set<std::int64_t>> bytes_of(const footprint& f) {
  std::vector<std::set<std::int64_t>> matrices(static_cast<std::size_t>(f.count));
  for (std::int64_t i = 0; i < f.count; ++i) {
    for (std::int64_t line = 0; line < f.lines; ++line) {
      for (std::int64_t x = 0; x < f.length; ++x) {
        matrices[static_cast<std::size_t>(i)].insert(f.begin + i * f.stride + line * f.pitch + x);
      }
    }
  }
  return matrices;
}

bool share(const std::set<std::int64_t>& a, const std::set<std::int64_t>& b) {
  return std::any_of(a.begin(), a.end(), [&](std::int64_t byte) { return b.contains(byte); });
}

bool really_overlap(const footprint& a, const footprint& b) {
  std::set<std::int64_t> all_a, all_b;
  for (auto& matrix : bytes_of(a)) all_a.merge(matrix);
  for (auto& matrix : bytes_of(b)) all_b.merge(matrix);
  return share(all_a, all_b);
}

bool really_overlaps_itself(const footprint& f) {
  const auto matrices = bytes_of(f);
  for (std::size_t i = 0; i < matrices.size(); ++i) {
    for (std::size_t j = i + 1; j < matrices.size(); ++j) {
      if (share(matrices[i], matrices[j])) return true;
    }
  }
  return false;
}

class draw {
 public:
  explicit draw(std::uint32_t seed) : engine_(seed) {}
  std::int64_t operator()(std::int64_t least, std::int64_t most) {
    return std::uniform_int_distribution<std::int64_t>(least, most)(engine_);
  }

 private:
  std::mt19937 engine_;
};

}  // namespace

TEST_CASE("blocks of one matrix overlap exactly when they share an element") {
  draw number(1);
  int overlapping = 0;
  for (int trial = 0; trial < 20000; ++trial) {
    const std::int64_t pitch = number(1, 12);
    const auto block = [&] { return at(number(0, 60), number(0, 5), number(0, pitch), pitch); };
    const footprint a = block();
    const footprint b = block();
    const bool truth = really_overlap(a, b);
    overlapping += truth ? 1 : 0;
    if (overlaps(a, b) != truth) FAIL("trial ", trial);
  }
  CHECK(overlapping > 2000);
  CHECK(overlapping < 18000);
}

TEST_CASE("blocks of batched matrices of equal stride overlap exactly") {
  draw number(2);
  int overlapping = 0;
  for (int trial = 0; trial < 20000; ++trial) {
    const std::int64_t pitch = number(2, 9);
    const std::int64_t stride = pitch * number(0, 6);
    const auto block = [&] {
      return at(number(0, 60), number(2, 4), number(1, pitch), pitch, number(0, 4), stride);
    };
    const footprint a = block();
    const footprint b = block();
    const bool truth = really_overlap(a, b);
    overlapping += truth ? 1 : 0;
    if (overlaps(a, b) != truth) FAIL("trial ", trial);
  }
  CHECK(overlapping > 2000);
  CHECK(overlapping < 18000);
}

TEST_CASE("an overlap is never missed, whatever the shapes") {
  draw number(3);
  for (int trial = 0; trial < 20000; ++trial) {
    const auto any = [&] {
      const std::int64_t length = number(0, 6);
      return at(number(0, 50), number(0, 4), length, length + number(0, 5), number(0, 3),
                number(0, 30));
    };
    const footprint a = any();
    const footprint b = any();
    if (really_overlap(a, b) && !overlaps(a, b)) FAIL("trial ", trial);
    if (overlaps(a, b) != overlaps(b, a)) FAIL("trial ", trial, " depends on the order");
  }
}

TEST_CASE("the matrices of an output batch are told apart exactly") {
  draw number(4);
  int overlapping = 0;
  for (int trial = 0; trial < 20000; ++trial) {
    const std::int64_t length = number(1, 5);
    const footprint f =
        at(number(0, 9), number(1, 4), length, length + number(0, 12), number(0, 5), number(0, 40));
    const bool truth = really_overlaps_itself(f);
    overlapping += truth ? 1 : 0;
    if (overlaps_itself(f) != truth) FAIL("trial ", trial);
  }
  CHECK(overlapping > 2000);
  CHECK(overlapping < 18000);
}

TEST_CASE("the four quarters of a matrix do not overlap, as blocked LU needs") {
  const footprint quarters[] = {at(0, 4, 16, 32), at(16, 4, 16, 32), at(128, 4, 16, 32),
                                at(144, 4, 16, 32)};
  for (const footprint& a : quarters) {
    for (const footprint& b : quarters) CHECK(overlaps(a, b) == (&a == &b));
  }
}

TEST_CASE("large offsets do not overflow") {
  constexpr std::int64_t far = std::numeric_limits<std::int64_t>::max() - 4096;
  CHECK_FALSE(overlaps(at(0, 4, 16, 32), at(far, 4, 16, 32)));
  CHECK_FALSE(overlaps(at(far, 4, 16, 32), at(0, 4, 16, 32)));
  CHECK(overlaps(at(far, 4, 16, 32), at(far + 32, 4, 16, 32)));
  CHECK_FALSE(overlaps(at(0, 2, 16, far), at(16, 2, 16, far)));
}

TEST_CASE("nothing overlaps an empty footprint") {
  CHECK_FALSE(overlaps(at(0, 0, 16, 32), at(0, 4, 16, 32)));
  CHECK_FALSE(overlaps(at(0, 4, 16, 32), at(0, 4, 16, 32, 0)));
  CHECK_FALSE(overlaps_itself(at(0, 4, 0, 32, 5)));
}

TEST_CASE("batches by offset array are compared matrix by matrix when they share the array") {
  footprint a = at(0, 2, 16, 32, 3);
  footprint b = at(16, 2, 16, 32, 3);
  a.offsets = b.offsets = offsets_1;
  CHECK_FALSE(overlaps(a, b));
  b.begin = 15;
  CHECK(overlaps(a, b));
  b.offsets = offsets_2;
  CHECK_FALSE(overlaps(a, b));  // only the device knows
  CHECK_FALSE(overlaps_itself(a));
}

TEST_CASE("sub-buffers are compared in the buffer that they are parts of") {
  const session s = open_session();
  const cl::Buffer parent(s.context, CL_MEM_READ_WRITE, 1 << 16);
  const cl::Buffer other(s.context, CL_MEM_READ_WRITE, 1 << 16);
  const auto part = [&](std::size_t origin, std::size_t size) {
    const cl_buffer_region region{origin, size};
    cl_int code = CL_SUCCESS;
    const cl_mem memory = clCreateSubBuffer(parent(), CL_MEM_READ_WRITE,
                                            CL_BUFFER_CREATE_TYPE_REGION, &region, &code);
    check(code, "clCreateSubBuffer");
    return cl::Buffer(memory, false);
  };
  const cl::Buffer low = part(0, 8192);
  const cl::Buffer high = part(4096, 8192);
  const auto in = [](const cl::Buffer& buffer, std::int64_t begin, std::int64_t length) {
    return footprint{buffer(), begin, 1, length, length};
  };
  CHECK_FALSE(overlaps(in(low, 0, 4096), in(high, 0, 4096)));
  CHECK(overlaps(in(low, 0, 4097), in(high, 0, 1)));
  CHECK(overlaps(in(low, 4096, 1), in(parent, 4096, 1)));
  CHECK(overlaps(in(high, 8, 1), in(parent, 4104, 1)));
  CHECK_FALSE(overlaps(in(high, 8, 1), in(parent, 4105, 1)));
  CHECK_FALSE(overlaps(in(parent, 0, 64), in(other, 0, 64)));
}
