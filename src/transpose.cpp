// The engine of clprim/transpose.hpp, emitted for programs that only declare it.
#include <clprim/transpose.hpp>
