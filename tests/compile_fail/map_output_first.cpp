// expect: for call to
#include <clprim/copy.hpp>

// The output stood first once: no view is taken for the inputs, which stand in braces.
void twice(clprim::map<float, float>& map, clprim::vector_view<float> in,
           clprim::vector_view<float> out) {
  map(out, {in});
}
