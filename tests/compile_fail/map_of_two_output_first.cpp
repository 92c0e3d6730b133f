// expect: for call to
#include <clprim/copy.hpp>

void add(clprim::map<float, float, float>& map, clprim::vector_view<float> x,
         clprim::vector_view<float> y) {
  map(y, {x, y});
}
