// Buffers of the host's memory that begin at any element: vectors are not taken for aligned there.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include <doctest/doctest.h>

#include <clprim/convolve.hpp>

#include "convolve/small_product.hpp"
#include "support/device.hpp"

using namespace clprim;
using namespace support;

namespace {

/// Elements in the host's memory, `shift` of them behind a place that is aligned to 4096 bytes.
class host_buffer {
 public:
  host_buffer(const session& s, std::size_t count, std::size_t shift)
    : memory_(count + shift + 4096, 0.0f), count_(count) {
    const auto address = reinterpret_cast<std::uintptr_t>(memory_.data());
    const std::size_t gap = (4096 - address % 4096) % 4096 / sizeof(float);
    first_ = memory_.data() + gap + shift;
    for (std::size_t i = 0; i < count; ++i) first_[i] = static_cast<float>(i % 13);
    cl_int code = CL_SUCCESS;
    buffer_ = cl::Buffer(clCreateBuffer(s.context(), CL_MEM_READ_WRITE | CL_MEM_USE_HOST_PTR,
                                        count * sizeof(float), first_, &code),
                         false);
    clprim::check(code, "clCreateBuffer");
  }
  const cl::Buffer& operator()() const { return buffer_; }
  std::vector<float> read(const session& s) const {
    std::vector<float> all(count_);
    clprim::check(clEnqueueReadBuffer(s.queue(), buffer_(), CL_TRUE, 0, count_ * sizeof(float),
                                      all.data(), 0, nullptr, nullptr),
                  "clEnqueueReadBuffer");
    return all;
  }

 private:
  std::vector<float> memory_;
  std::size_t count_;
  float* first_ = nullptr;
  cl::Buffer buffer_;
};

convolve_policy policy_of(convolve_method method, int vector) {
  convolve_policy p{.method = method, .items_x = 8, .per_item_x = vector, .vector = vector};
  p.filter = filter_place::constant;
  if (method == convolve_method::ring) p.items_y = p.per_item_y = 1;
  if (method == convolve_method::rows) p.items_x = p.items_y = 1;
  return p;
}

}  // namespace

TEST_CASE("images in the host's memory may begin at any element") {
  const session& s = device_session();
  constexpr int height = 20, width = 64;
  const auto f = filter_2d<float>(3, 3, {1, 2, 3, 4, 5, 6, 7, 8, 9});
  const auto run_at = [&](const std::optional<convolve_policy>& p, std::size_t shift) {
    const host_buffer a(s, height * width, shift), b(s, height * width, shift);
    convolve<float> run(s.queue, {.policy = p});
    wait_for(run(image<float>(a(), height, width), f, image<float>(b(), height, width)));
    return b.read(s);
  };
  const std::vector<float> expected = run_at(policy_of(convolve_method::direct, 1), 0);
  CHECK(run_at({}, 1) == expected);
  for (const int vector : {4, 16})
    for (const convolve_method method :
         {convolve_method::direct, convolve_method::ring, convolve_method::rows})
      for (const std::size_t shift : {std::size_t{1}, std::size_t{4}})
        CHECK(run_at(policy_of(method, vector), shift) == expected);
}

TEST_CASE("channels in the host's memory may begin at any element") {
  const session& s = device_session();
  const auto run_at = [&](std::size_t shift) {
    const host_buffer x(s, 2 * 64, shift), w(s, 2 * 2 * 9, shift), y(s, 2 * 64, shift);
    convolve_channels<float> layer(s.queue, {.product = small_product, .padding = {1, 1}});
    wait_for(layer(nchw<float>(x(), 1, 2, 8, 8), nchw<float>(w(), 2, 2, 3, 3),
                   nchw<float>(y(), 1, 2, 8, 8)));
    return y.read(s);
  };
  CHECK(run_at(1) == run_at(0));
}
