// The engine of clprim/fft.hpp, emitted for programs that only declare it.
#include <clprim/fft.hpp>
