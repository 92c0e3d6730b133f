// The engine of clprim/reduce.hpp, emitted for programs that only declare it.
#include <clprim/reduce.hpp>
