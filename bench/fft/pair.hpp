#pragma once
// Where a call of bench_fft reads and writes.

#include <clprim/runtime/opencl.hpp>

namespace bench {

struct fft_pair {
  cl::Buffer in, out;
};

}  // namespace bench
