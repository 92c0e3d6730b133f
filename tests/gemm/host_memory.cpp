// Buffers made of the caller's own memory (CL_MEM_USE_HOST_PTR), which begins where the caller
// likes: kernels of a CPU meet that very address.

#include <complex>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include <clprim/gemm.hpp>

#include "support/device.hpp"
#include "support/random.hpp"
#include "support/refusal.hpp"

using namespace clprim;
using namespace support;

namespace {

/// Memory whose first element lies `bytes` past an address that is a multiple of 4096.
template <class T> class host_array {
 public:
  host_array(std::size_t count, std::size_t bytes)
    : count_(count), memory_(count * sizeof(T) + 8192 + bytes) {
    const auto address = reinterpret_cast<std::uintptr_t>(memory_.data());
    first_ = memory_.data() + (4096 - address % 4096) + bytes;
  }
  cl::Buffer buffer(const session& s) {
    cl_int code = CL_SUCCESS;
    cl::Buffer made(clCreateBuffer(s.context(), CL_MEM_READ_WRITE | CL_MEM_USE_HOST_PTR,
                                   count_ * sizeof(T), first_, &code),
                    false);
    check(code, "clCreateBuffer");
    return made;
  }
  void set(std::size_t i, T value) { std::memcpy(first_ + i * sizeof(T), &value, sizeof value); }

 private:
  std::size_t count_;
  std::vector<std::byte> memory_;
  std::byte* first_;
};

constexpr int n = 48;

template <class T> std::vector<T> contents(const session& s, const cl::Buffer& buffer) {
  std::vector<T> now(n * n);
  check(clEnqueueReadBuffer(s.queue(), buffer(), CL_TRUE, 0, now.size() * sizeof(T), now.data(), 0,
                            nullptr, nullptr),
        "clEnqueueReadBuffer");
  return now;
}

/// Wide vectors, for operands aligned to them.
template <class T> gemm_policy widest() {
  const int lanes = facts_of(scalar_of<T>).is_complex ? 2 : 16;
  return {.tile_m = 4,
          .tile_n = lanes,
          .tile_k = 16,
          .per_item_m = 2,
          .per_item_n = lanes,
          .lanes_m = 1,
          .lanes_n = 1,
          .vector = lanes,
          .vector_m = 2,
          .vector_n = lanes,
          .unroll = 1};
}

/// A product of n x n ones, whose every element is n, from memory that begins at these bytes.
template <class T>
bool is_right(gemm<T>& multiply, std::size_t at_a, std::size_t at_b, std::size_t at_c) {
  const session& s = device_session();
  host_array<T> a(n * n, at_a), b(n * n, at_b), c(n * n, at_c);
  for (std::size_t i = 0; i < n * n; ++i) {
    a.set(i, T(1.f));
    b.set(i, T(1.f));
    c.set(i, T(0.f));
  }
  const cl::Buffer A = a.buffer(s), B = b.buffer(s), C = c.buffer(s);
  multiply(accumulator_t<T>(1), matrix<T>(A, n, n), matrix<T>(B, n, n), accumulator_t<T>(0),
           matrix<T>(C, n, n));
  return contents<T>(s, C) == std::vector<T>(n * n, T(static_cast<float>(n)));
}

template <class T> void any_element_may_be_first() {
  const session& s = device_session();
  gemm_policy in_parts = widest<T>();
  in_parts.split_k = 2;
  gemm<T> wide(s.queue, {.policy = widest<T>()}), split(s.queue, {.policy = in_parts});
  for (const int shift : {1, 2, 20}) {
    const std::size_t bytes = static_cast<std::size_t>(shift) * sizeof(T);
    CAPTURE(bytes);
    CHECK(is_right(wide, bytes, 0, 0));
    CHECK(is_right(wide, 0, bytes, 0));
    CHECK(is_right(wide, 0, 0, bytes));
    CHECK(is_right(split, bytes, sizeof(T), bytes));
  }
}

}  // namespace

TEST_CASE("memory of the host may begin at any float") {
  any_element_may_be_first<float>();
  gemm<float> tuned(device_session().queue);
  CHECK(is_right(tuned, 4, 4, 4));
}
TEST_CASE("memory of the host may begin at any double") { any_element_may_be_first<double>(); }
TEST_CASE("memory of the host may begin at any half") { any_element_may_be_first<half>(); }
TEST_CASE("memory of the host may begin at any complex float") {
  any_element_may_be_first<std::complex<float>>();
}
TEST_CASE("memory of the host may begin at any complex double") {
  any_element_may_be_first<std::complex<double>>();
}

TEST_CASE("a part of a buffer of the host's memory begins where that part does") {
  const session& s = device_session();
  gemm<float> multiply(s.queue, {.policy = widest<float>()});
  host_array<float> a(1024 + n * n, sizeof(float)), c(n * n, 0);
  for (std::size_t i = 0; i < 1024 + n * n; ++i) a.set(i, i < 1024 ? 100.f : 1.f);
  const cl::Buffer whole = a.buffer(s), C = c.buffer(s);
  const cl_buffer_region region{1024 * sizeof(float), n * n * sizeof(float)};
  cl_int code = CL_SUCCESS;
  const cl::Buffer part(
      clCreateSubBuffer(whole(), CL_MEM_READ_WRITE, CL_BUFFER_CREATE_TYPE_REGION, &region, &code),
      false);
  check(code, "clCreateSubBuffer");
  const auto A = matrix<float>(part, n, n);
  multiply(1, A, A, 0, matrix<float>(C, n, n));
  CHECK(contents<float>(s, C) == std::vector<float>(n * n, n));
}

TEST_CASE("memory that begins between two elements is refused, and the object works on") {
  using pair = std::complex<double>;
  gemm<pair> multiply(device_session().queue, {.policy = widest<pair>()});
  CHECK(refused([&] { is_right(multiply, 8, 0, 0); }) ==
        "the first element of A must lie at a multiple of its 16 bytes: an address that is a "
        "multiple of 8 only given, a buffer that begins at a whole element");
  CHECK(refused([&] { is_right(multiply, 0, 0, 8); }).starts_with("the first element of C must"));
  gemm<float> of_float(device_session().queue, {.policy = widest<float>()});
  CHECK(refused([&] { is_right(of_float, 0, 2, 0); }).starts_with("the first element of B must"));
  CHECK(is_right(multiply, 16, 0, 0));
  CHECK(is_right(of_float, 4, 0, 0));
}
