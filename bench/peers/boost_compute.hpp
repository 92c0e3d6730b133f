#pragma once
// Boost.Compute's reductions of floats, on a queue and buffers of OpenCL's own; boost_compute.cc
// has its headers, which our warnings do not suit. There where CLPRIM_HAS_BOOST_COMPUTE is 1.

#include <cstddef>

#include <clprim/runtime/opencl.hpp>

namespace bench {

/// Enqueues out[0] = the sum of `count` floats. Throws error when Boost.Compute does.
void boost_sum(cl_command_queue queue, cl_mem in, std::size_t count, cl_mem out);
/// Enqueues out[0] = the largest of `count` floats. Throws error when Boost.Compute does.
void boost_largest(cl_command_queue queue, cl_mem in, std::size_t count, cl_mem out);
/// Enqueues out[i] = in[i] as a transformation by identity. Throws error when Boost.Compute does.
void boost_transform(cl_command_queue queue, cl_mem in, std::size_t count, cl_mem out);

}  // namespace bench
