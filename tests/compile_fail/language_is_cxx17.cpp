// expect: clprim needs C++20: compile with -std=c++20
// flags: -std=c++17
// lines: 20
#include <clprim/clprim.hpp>
