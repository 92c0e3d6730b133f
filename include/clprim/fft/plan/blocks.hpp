#pragma once
// What lies between two passes, in blocks: so that both of them move long runs of memory.

#include <cstdint>

#include <clprim/core/device_facts.hpp>
#include <clprim/fft/pass/items.hpp>
#include <clprim/fft/plan/step.hpp>

namespace clprim {
namespace detail {

/// Lays the workspace between two passes in blocks, where they allow it; tells whether. Point k of
/// transform j of the first pass is point j of transform k of the second. They work on few
/// transforms side by side, a and B of them, and one of the two has runs of memory that are no
/// longer:
///
///     k J + j                      the first writes runs of a elements, the second reads rows
///     (k / B) B J + j B + k % B    the first writes runs of a B, the second reads B J at once
///
/// Neighbouring items of the first pass hold point k of its a transforms, then point k + 1: runs
/// are written as such where a sub-group has a B items.
inline bool lay_in_blocks(fft_step& first, fft_step& second, const device_facts& d) {
  fft_pass &p = first.pass, &q = second.pass;
  const bool between = first.to == fft_buffer::work && second.from == fft_buffer::work &&
                       first.to_offset == second.from_offset && p.out == q.in && !p.aliased &&
                       !q.aliased;
  const bool plain = p.output == fft_output::complex_points && p.out_points == 0 &&
                     p.method == fft_method::direct && q.input == fft_input::complex_points &&
                     q.in_points == 0 && q.turn == 0;
  if (!between || !plain || first.policy.shape != fft_shape::items ||
      second.policy.shape != fft_shape::items || p.outer.front().extent != q.length ||
      q.outer.front().extent != p.length || p.outer.front().out_step != 1 ||
      p.along.out_step != q.length || q.along.in_step != 1 || q.outer.front().in_step != q.length)
    return false;
  const item_geometry g = item_geometry_of(p, first.policy, d.max_work_group, d.local_bytes),
                      h = item_geometry_of(q, second.policy, d.max_work_group, d.local_bytes);
  const int block = h.together;
  constexpr int sub_group = 32;
  // The points of an item lie whole blocks apart, so that all have the place of the first one.
  if (g.items == 0 || h.items == 0 || g.radices.empty() || block == 1 ||
      g.together * block > sub_group || g.items % block != 0 || p.length % block != 0 ||
      p.length / g.radices.back() % block != 0)
    return false;
  p.out_block = block;
  p.outer.front().out_step = block;
  q.along.in_step = block;
  fft_axis blocks = q.outer.front();
  blocks.extent /= block;
  for (std::int64_t fft_axis::*step :
       {&fft_axis::in_step, &fft_axis::out_step, &fft_axis::in_place, &fft_axis::out_place,
        &fft_axis::in_index, &fft_axis::out_index})
    blocks.*step *= block;
  q.outer.front().extent = block;
  q.outer.front().in_step = 1;
  q.outer.insert(q.outer.begin() + 1, blocks);
  return true;
}

}  // namespace detail
}  // namespace clprim
