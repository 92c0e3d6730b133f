#pragma once
// Two passes of a plan that follow each other: in one launch where both work transform by transform
// and a few transforms fit the device's cache, or with what lies between them in blocks, so that
// both move long runs of memory.

#include <algorithm>
#include <cstdint>
#include <optional>

#include <clprim/core/device_facts.hpp>
#include <clprim/fft/plan/geometry.hpp>
#include <clprim/fft/plan/step.hpp>

namespace clprim::detail {

/// How far the last element of a transform lies from its first, in elements, where it has `rows` of
/// the pass's last axis and the other axes whole.
inline std::int64_t reach_of(const fft_pass& p, bool in, std::int64_t rows) {
  const auto step = [in](const fft_axis& a) { return in ? a.in.step : a.out.step; };
  std::int64_t reach = (p.length - 1) * step(p.along) + (rows - 1) * step(p.outer.back());
  if (in && (p.read.kind == fft_form::real_pairs)) reach += p.along.in.step / 2;
  if (!in && p.write.kind == fft_form::half_of_pairs) reach += step(p.along);
  reach += in ? p.read.second.step : p.write.second.step;
  for (std::size_t a = 0; a + 1 < p.outer.size(); ++a)
    reach += (p.outer[a].extent - 1) * step(p.outer[a]);
  return reach;
}

/// The groups of a pass per transform, where it handles `transforms` one after the other; 0 where
/// groups would work on two.
inline std::int64_t groups_per_transform(const fft_pass& p, const item_geometry& g,
                                         std::int64_t transforms) {
  const std::int64_t side = g.together;
  if (p.outer.size() == 1) {
    const std::int64_t rows = p.outer[0].extent / transforms;
    return rows % side == 0 ? rows / side : 0;
  }
  std::int64_t groups = (p.outer[0].extent + side - 1) / side;
  for (std::size_t a = 1; a + 1 < p.outer.size(); ++a) groups *= p.outer[a].extent;
  return groups;
}

/// Makes groups of the first pass as large as those of the second where their items allow it.
inline void match_groups(fft_step& a, const fft_step& b, const device_facts& d) {
  if (a.policy.shape != fft_shape::items || b.policy.shape != fft_shape::items) return;
  const int items = item_geometry_of(a.pass, a.policy, d).items,
            group = item_geometry_of(b.pass, b.policy, d).group();
  if (items == 0 || group % items != 0) return;
  a.policy.group = group;
  a.policy.columns = std::clamp(group / items, 1, 64);
}

/// The second of two steps in the launch of the first, whose groups handle `transforms` one after
/// the other, or nothing: a device's groups must be able to wait for each other (NVIDIA's by its
/// own instructions, CPUs'), the passes be of shape items with groups of one size, none of which
/// works on two transforms, and these few enough for tickets of 32 bits. Not where the compiler
/// loses guards: by PoCL 7.1 such a kernel writes over the heap.
inline std::optional<fft_second> second_of(const fft_step& a, const fft_step& b,
                                           std::int64_t transforms, const device_facts& device) {
  const fft_pass &p = a.pass, &q = b.pass;
  const bool able = takes_ptx(device) || (device.kind == device_kind::cpu && !device.loses_guards);
  if (!able || a.policy.pipeline_kib == 0 || a.policy.shape != fft_shape::items ||
      b.policy.shape != fft_shape::items || a.to != b.from || p.read.outside.any() ||
      q.read.outside.any() || p.write.type != q.read.type)
    return std::nullopt;
  const item_geometry g = item_geometry_of(p, a.policy, device),
                      h = item_geometry_of(q, b.policy, device);
  if (g.items == 0 || h.items == 0 || g.group() != h.group()) return std::nullopt;
  const std::int64_t first = groups_per_transform(p, g, transforms),
                     second = groups_per_transform(q, h, transforms);
  constexpr std::int64_t most_tickets = std::int64_t{1} << 30;
  if (first == 0 || second == 0 || transforms > most_tickets / (first + second))
    return std::nullopt;
  return fft_second{
      .pass = q, .policy = b.policy, .to = b.to, .first_groups = first, .second_groups = second};
}

/// The second of two steps as a part of the first one's launch, or nothing where they do not allow
/// it: every transform apart from the others in every array, and two of them at least in the
/// policy's `pipeline_kib`.
inline std::optional<fft_second> pipelined(const fft_step& a, const fft_step& b, bool in_place,
                                           const device_facts& device) {
  const fft_pass &p = a.pass, &q = b.pass;
  if (q.outer.size() < 2 || !p.axes.empty()) return std::nullopt;
  const std::int64_t transforms = q.outer.back().extent, step = q.outer.back().in.step;
  const bool rows = p.outer.size() == 1;
  if (transforms < 2 || p.outer.back().extent % transforms != 0) return std::nullopt;
  const std::int64_t each = p.outer.back().extent / transforms;
  if (p.outer.back().out.step * each != step || (!rows && each != 1)) return std::nullopt;
  const auto reach = [&](const fft_pass& one, bool in) {
    return reach_of(one, in, &one == &p ? each : 1);
  };
  // What one transform reads or writes, no other may write.
  const std::int64_t in_step = p.outer.back().in.step * each, out_step = q.outer.back().out.step;
  if (reach(p, false) >= step || reach(q, true) >= step) return std::nullopt;
  const fft_buffer from = a.from.buffer, between = a.to.buffer, to = b.to.buffer;
  const bool back_home = from == to || (in_place && to != fft_buffer::work);
  if (back_home && (p.read.type != q.write.type || in_step != out_step ||
                    reach(p, true) >= in_step || reach(q, false) >= out_step))
    return std::nullopt;
  if (to == between && (q.read.type != q.write.type || out_step != step ||
                        b.to.offset != a.to.offset || reach(q, false) >= step))
    return std::nullopt;
  if (from == between && (in_step != step || reach(p, true) >= step)) return std::nullopt;
  std::optional<fft_second> both = second_of(a, b, transforms, device);
  if (!both) return both;
  fft_second& s = *both;
  s.first_extent = rows ? each : 1;
  s.step = step;
  const std::int64_t fit = std::int64_t{a.policy.pipeline_kib} * 1024 / (step * p.write.type.bytes);
  s.unit = std::clamp<std::int64_t>(16 / s.first_groups, 1, std::max<std::int64_t>(1, fit / 4));
  s.lag = std::max(fit, s.unit);
  if (fit < 1) return std::nullopt;
  if (between == fft_buffer::work && to != fft_buffer::work) s.ring = s.lag + 2 * s.unit;
  return both;
}

/// The same for all transforms at once: the second pass starts as the first one ends. What lies
/// between must be no more than the policy's `pipeline_kib`.
inline std::optional<fft_second> followed(fft_step& a, const fft_step& b,
                                          const device_facts& device) {
  const auto all = [](const fft_pass& p, bool in) {
    return reach_of(p, in, p.outer.back().extent) + 1;
  };
  const std::int64_t step = std::max(all(a.pass, false), all(b.pass, true));
  if (step * a.pass.write.type.bytes > std::int64_t{a.policy.pipeline_kib} * 1024)
    return std::nullopt;
  fft_step first = a, second = b;  // an axis more, of one transform: all of them
  for (fft_pass* const p : {&first.pass, &second.pass})
    p->outer.push_back({.extent = 1, .in = {step}, .out = {step}});
  std::optional<fft_second> s = second_of(first, second, 1, device);
  if (!s) return s;
  s->step = step;
  a = std::move(first);
  return s;
}

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
  const bool between = first.to.buffer == fft_buffer::work && first.to == second.from &&
                       p.write.type == q.read.type && !p.aliased && !q.aliased;
  const bool plain = p.write.kind == fft_form::complex_points && p.write.points == 0 &&
                     p.method == fft_method::direct && q.read.kind == fft_form::complex_points &&
                     q.read.points == 0 && q.turn == 0;
  if (!between || !plain || first.policy.shape != fft_shape::items ||
      second.policy.shape != fft_shape::items || p.outer.front().extent != q.length ||
      q.outer.front().extent != p.length || p.outer.front().out.step != 1 ||
      p.along.out.step != q.length || q.along.in.step != 1 || q.outer.front().in.step != q.length)
    return false;
  const item_geometry g = item_geometry_of(p, first.policy, d),
                      h = item_geometry_of(q, second.policy, d);
  const int block = h.together;
  constexpr int sub_group = 32;
  // The points of an item lie whole blocks apart, so that all have the place of the first one.
  if (g.items == 0 || h.items == 0 || g.radices.empty() || block == 1 ||
      g.together * block > sub_group || g.items % block != 0 || p.length % block != 0 ||
      p.length / g.radices.back() % block != 0)
    return false;
  p.write.block = block;
  p.outer.front().out.step = block;
  q.along.in.step = block;
  const fft_axis rows = q.outer.front();
  const fft_axis blocks{rows.extent / block, block * rows.in, block * rows.out};
  q.outer.front().extent = block;
  q.outer.front().in.step = 1;
  q.outer.insert(q.outer.begin() + 1, blocks);
  return true;
}

}  // namespace clprim::detail
