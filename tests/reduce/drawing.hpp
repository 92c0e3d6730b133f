#pragma once
// Reductions of drawn shape, layout and place, and policies that can be built.

#include <string>
#include <vector>

#include <clprim/reduce.hpp>

#include "reduce/reference.hpp"
#include "support/random.hpp"

namespace support {

inline clprim::reduce_policy draw_policy(draw& d, const clprim::device_facts& facts) {
  using namespace clprim;
  reduce_policy p;
  p.group = d.one_of({1, 1, 8, 32, 64, 128});
  while (p.group > facts.max_work_group) p.group /= 2;
  p.vector = d.one_of({1, 2, 4, 8, 16});
  p.loads = d.one_of({1, 2, 3, 4});
  p.streams = p.loads == 4 ? d.one_of({1, 2, 4}) : p.loads == 2 ? d.one_of({1, 2}) : 1;
  p.method =
      d.one_of({group_method::interleaved, group_method::sequential, group_method::two_steps});
  p.finish =
      d.one_of({group_finish::second_kernel, group_finish::last_group, group_finish::last_started});
  if (facts.inline_ptx && facts.compute_capability >= 70) {
    if (d.chance(40) && p.group >= 32) p.method = group_method::shuffle;
    if (d.chance(40)) p.finish = group_finish::last_group_fenced;
  }
  p.groups_per_unit = d.one_of({0, 1, 3, 8});
  p.ragged_tile = d.one_of({0, 256, 1024});
  p.least_steps = d.one_of({1, 2, 5});
  p.row_steps = d.one_of({1, 4, 8});
  p.grid_stride = p.streams == 1 && d.chance(30);
  p.columns = d.one_of({1, 4, 16, 32});
  while (p.columns > p.group) p.columns /= 2;
  p.column_runs = d.one_of({1, 1, 2, 3});
  p.unaligned = d.chance(30);
  p.streaming = d.chance(40);
  return p;
}

/// Elements and how they lie.
template <class T> struct drawn {
  std::vector<T> values;
  std::vector<std::int64_t> offsets;
  cl::Buffer buffer, offset_buffer;
  clprim::reduce_view<T> view;
  std::string text;
};

/// Any view; `element` gives the next element. `most`: of a whole array.
template <class T, class Element>
drawn<T> draw_view(draw& d, const clprim::session& s, int most, Element element) {
  drawn<T> x;
  const int offset = d.chance(60) ? 0 : d.between(1, 9);
  const int kind = d.between(0, 5);
  const auto some = [&] {
    return d.one_of({1, 2, 3, 7, 31, 32, 33, 64, 127, 128, 129, d.between(1, 300)});
  };
  std::int64_t total = 0;
  if (kind == 0) {  // whole, perhaps strided
    const std::int64_t n = d.chance(50) ? some() : d.between(1, most);
    const std::int64_t step = d.chance(80) ? 1 : d.between(2, 5);
    x.view.length = n;
    x.view.step = step;
    total = (n - 1) * step + 1;
  } else if (kind == 1 || kind == 2) {  // rows
    x.view.length = some();
    x.view.outer = some();
    x.view.outer_stride = x.view.length + (d.chance(50) ? 0 : d.between(1, 8));
    total = x.view.outer * x.view.outer_stride;
  } else if (kind == 3) {  // columns, or an axis
    x.view.length = some();
    x.view.inner = some();
    x.view.step = x.view.inner + (d.chance(60) ? 0 : d.between(1, 8));
    x.view.outer = d.chance(60) ? 1 : d.between(2, 4);
    x.view.outer_stride = x.view.length * x.view.step;
    total = x.view.outer * x.view.outer_stride;
  } else if (kind == 5) {  // any axis of an array with gaps
    std::int64_t extents[4], strides[4];
    std::int64_t apart = d.chance(70) ? 1 : 2;
    for (int axis = 3; axis >= 0; --axis) {
      extents[axis] = d.between(1, 9);
      strides[axis] = apart;
      apart = apart * extents[axis] + (d.chance(50) ? 0 : d.between(1, 3));
    }
    x.view = clprim::along_axis<T>(cl::Buffer{}, extents, strides,
                                   static_cast<std::size_t>(d.between(0, 3)));
    total = apart;
  } else {  // ragged: no empty segment here
    const int count = some();
    x.offsets.push_back(0);
    for (int i = 0; i < count; ++i) {
      const int size = d.chance(2)   ? most * 7 / 4
                       : d.chance(5) ? d.between(1, 5000)
                                     : d.between(1, 50);
      x.offsets.push_back(x.offsets.back() + size);
    }
    x.view.length = x.offsets.back();
    x.view.outer = count;
    total = x.offsets.back();
    x.offset_buffer = device_copy(s, x.offsets);
    x.view.offsets = x.offset_buffer();
  }
  x.view.offset = offset;
  for (std::int64_t i = 0; i < total + offset; ++i) x.values.push_back(element());
  x.buffer = device_copy(s, x.values);
  x.view.memory = x.buffer();
  x.text = "kind " + std::to_string(kind) + ", offset " + std::to_string(offset) + ", length " +
           std::to_string(x.view.length) + ", step " + std::to_string(x.view.step) + ", inner " +
           std::to_string(x.view.inner) + ", outer " + std::to_string(x.view.outer) +
           ", distance " + std::to_string(x.view.outer_stride);
  return x;
}

}  // namespace support
