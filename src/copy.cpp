// The engine of clprim/copy.hpp, emitted for programs that only declare it.
#include <clprim/copy.hpp>
