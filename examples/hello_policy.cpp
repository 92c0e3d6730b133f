// A policy chosen at compile time: one that breaks a rule does not compile, and the type says what
// runs.

#include <exception>
#include <iostream>
#include <vector>

#include <clprim/gemm.hpp>

#include "support/usage.hpp"

// 64 x 64 elements of C per work-group, 4 x 4 per work-item. With .per_item_m = 5 the compiler says
// "tile_m must be a multiple of per_item_m * blocks_m".
constexpr clprim::gemm_policy mine{
    .tile_m = 64, .tile_n = 64, .tile_k = 8, .per_item_m = 4, .per_item_n = 4};

int main(int argc, char** argv) try {
  if (examples::told_usage(argc, argv,
                           "A policy chosen at compile time, and what explain says of it."))
    return 0;
  const clprim::session on = clprim::open_session();
  constexpr int size = 256;
  std::vector<float> a(size * size, 0.5f), c(size * size);
  const cl::Buffer A(on.context, a.begin(), a.end(), true);
  cl::Buffer C(on.context, CL_MEM_READ_WRITE, sizeof(float) * c.size());
  const auto in = clprim::matrix<float>(A, size, size), out = clprim::matrix<float>(C, size, size);

  clprim::gemm<float, mine> multiply(on.queue);
  multiply(2, in, transposed(in), 0, out);  // C = 2 A A^T

  cl::copy(on.queue, C, c.begin(), c.end());
  std::cout << "every element is 128: " << c.front() << " … " << c.back() << "\n\n"
            << multiply.explain(in, transposed(in), out);
} catch (const std::exception& error) {
  std::cerr << error.what() << '\n';
  return 1;
}
