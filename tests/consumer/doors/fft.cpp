// The transform of ones is a peak: 0 where it is.
#include <complex>

#include <clprim/fft.hpp>

#include "check.hpp"

int main() {
  using number = std::complex<float>;
  const clprim::session on = clprim::open_session();
  const cl::Buffer x = to_device<number>(on, std::vector<number>(16, 1.f));
  clprim::fft<float> transform(on.queue);
  const auto X = clprim::array<number>(x, {16});
  transform.forward(X, X);
  std::vector<number> peak(16);
  peak[0] = 16;
  return holds(on, x, peak) ? 0 : 1;
}
