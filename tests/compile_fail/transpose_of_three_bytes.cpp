// expect: an element to be transposed must have 1, 2, 4, 8 or 16 bytes
#include <clprim/transpose.hpp>

struct pixel {
  unsigned char red, green, blue;
};

void turn(const cl::CommandQueue& queue) { clprim::transpose<pixel> t(queue); }
