// expect: an element to be transformed must be a number
#include <clprim/fft.hpp>

struct pixel {
  unsigned char red, green, blue;
};

void transform(clprim::fft<float>& f, const cl::Buffer& a) {
  const auto x = clprim::array<pixel>(a, {64});
  f.forward(x, x);
}
