// expect: shape lanes takes its factors from a table
#include <clprim/fft.hpp>

constexpr clprim::fft_policy mine{.shape = clprim::fft_shape::lanes,
                                  .twiddles = clprim::fft_twiddles::native};
void transform(const cl::CommandQueue& queue) { clprim::fft<float, mine> f(queue); }
