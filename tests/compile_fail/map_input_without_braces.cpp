// expect: for call to
#include <clprim/copy.hpp>

void twice(clprim::map<float, float>& map, clprim::vector_view<float> in,
           clprim::vector_view<float> out) {
  map(in, out);
}
