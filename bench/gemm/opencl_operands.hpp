#pragma once
// Operands in OpenCL buffers, shared by all OpenCL contestants.

#include <cstddef>
#include <vector>

#include <clprim/runtime/device.hpp>
#include <clprim/runtime/fill.hpp>

#include "contestant.hpp"

namespace bench {

template <class T> struct opencl_operands {
  using Out = clprim::product_output_t<T>;

  clprim::session session;
  clprim::device_facts device;
  clock_kind clock = clock_kind::events;
  cl::Buffer a, b, c;

  opencl_operands(const clprim::session& s, const clprim::device_facts& facts, clock_kind clock_,
                  const std::vector<T>& host_a, const std::vector<T>& host_b,
                  std::size_t c_elements)
    : session(s),
      device(facts),
      clock(clock_),
      a(uploaded(host_a)),
      b(uploaded(host_b)),
      c(buffer(c_elements * sizeof(Out))) {}

  /// The first `elements` of C become NaN, or -1.
  void poison(std::size_t elements) const {
    clprim::fill_with_ones(session.queue(), c(), elements * sizeof(Out));
  }
  std::vector<Out> read_c(std::size_t elements) const {
    std::vector<Out> host(elements);
    clprim::check(clEnqueueReadBuffer(session.queue(), c(), CL_TRUE, 0, elements * sizeof(Out),
                                      host.data(), 0, nullptr, nullptr),
                  "clEnqueueReadBuffer of C");
    return host;
  }

  /// Times `call(i)`, which enqueues the i-th product.
  template <class Call> timing time(std::size_t warm, std::size_t calls, Call call) const {
    return time_opencl(session.queue(), clock, warm, calls, call);
  }

 private:
  cl::Buffer buffer(std::size_t bytes) const {
    cl_int code = CL_SUCCESS;
    cl::Buffer made(clCreateBuffer(session.context(), CL_MEM_READ_WRITE, bytes, nullptr, &code),
                    false);
    clprim::check(code, "clCreateBuffer of an operand");
    return made;
  }
  cl::Buffer uploaded(const std::vector<T>& host) const {
    cl::Buffer made = buffer(host.size() * sizeof(T));
    clprim::check(clEnqueueWriteBuffer(session.queue(), made(), CL_TRUE, 0, host.size() * sizeof(T),
                                       host.data(), 0, nullptr, nullptr),
                  "clEnqueueWriteBuffer of an operand");
    return made;
  }
};

}  // namespace bench
