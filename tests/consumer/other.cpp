#include <cstddef>
#include <vector>

#include <clprim/clprim.hpp>

std::vector<float> read_by_other_file(const clprim::session& session, const cl::Buffer& buffer,
                                      std::size_t count) {
  std::vector<float> values(count);
  session.queue.enqueueReadBuffer(buffer, CL_TRUE, 0, count * sizeof(float), values.data());
  return values;
}
