#include "boost_compute.hpp"

#include <exception>
#include <string>

#include <boost/compute/core.hpp>
// In this order: the algorithms need the core.
#include <boost/compute/algorithm/reduce.hpp>
#include <boost/compute/algorithm/transform.hpp>
#include <boost/compute/functional.hpp>
#include <boost/compute/iterator/buffer_iterator.hpp>

#include <clprim/core/error.hpp>

namespace {

namespace compute = boost::compute;

/// Calls `algorithm(first, last, result, queue)` on iterators over the buffers.
template <class Algorithm>
void call(cl_command_queue queue, cl_mem in, std::size_t count, cl_mem out, Algorithm algorithm) {
  try {
    compute::command_queue on(queue);
    const compute::buffer from(in), to(out);
    algorithm(compute::make_buffer_iterator<float>(from, 0),
              compute::make_buffer_iterator<float>(from, count),
              compute::make_buffer_iterator<float>(to, 0), on);
  } catch (const std::exception& e) {
    throw clprim::error(std::string("Boost.Compute failed: ") + e.what());
  }
}

}  // namespace

void bench::boost_sum(cl_command_queue queue, cl_mem in, std::size_t count, cl_mem out) {
  call(queue, in, count, out, [](auto first, auto last, auto result, compute::command_queue& on) {
    compute::reduce(first, last, result, compute::plus<float>(), on);
  });
}

void bench::boost_largest(cl_command_queue queue, cl_mem in, std::size_t count, cl_mem out) {
  call(queue, in, count, out, [](auto first, auto last, auto result, compute::command_queue& on) {
    compute::reduce(first, last, result, compute::max<float>(), on);
  });
}

void bench::boost_transform(cl_command_queue queue, cl_mem in, std::size_t count, cl_mem out) {
  call(queue, in, count, out, [](auto first, auto last, auto result, compute::command_queue& on) {
    compute::transform(first, last, result, compute::identity<float>(), on);
  });
}
