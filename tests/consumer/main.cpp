#include <iostream>
#include <vector>

#include <clprim/clprim.hpp>

std::vector<float> read_by_other_file(const clprim::session& session, const cl::Buffer& buffer,
                                      std::size_t count);

int main() {
  const clprim::session session = clprim::open_session();
  std::cout << clprim::describe(clprim::facts_of(session.device)) << '\n';

  std::vector<float> a{1, 2, 3, 4}, b{5, 6, 7, 8};
  const cl::Buffer A(session.context, CL_MEM_COPY_HOST_PTR, 4 * sizeof(float), a.data());
  const cl::Buffer B(session.context, CL_MEM_COPY_HOST_PTR, 4 * sizeof(float), b.data());
  const cl::Buffer C(session.context, CL_MEM_READ_WRITE, 4 * sizeof(float));

  clprim::gemm<float> multiply(session.queue);
  multiply(1, clprim::matrix<float>(A, 2, 2), clprim::matrix<float>(B, 2, 2), 0,
           clprim::matrix<float>(C, 2, 2));
  return read_by_other_file(session, C, 4) == std::vector<float>{19, 22, 43, 50} ? 0 : 1;
}
