// expect: vector must be 1, 2, 4, 8 or 16
#include <clprim/copy.hpp>

constexpr clprim::copy_policy three{.vector = 3};

void call(const cl::CommandQueue& queue) { clprim::map_with<three, float, float> move(queue); }
