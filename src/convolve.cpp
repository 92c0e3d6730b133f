// The engine of clprim/convolve.hpp, emitted for programs that only declare it.
#include <clprim/convolve.hpp>
