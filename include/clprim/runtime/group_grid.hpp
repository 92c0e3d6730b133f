#pragma once
// Work-groups along x, y and z, however many there are.

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>

#include <clprim/core/error.hpp>
#include <clprim/runtime/launch.hpp>

namespace clprim {

/// The work-groups of a kernel along x, y and z. OpenCL bounds their numbers by the range of size_t
/// alone; NVIDIA's devices start 2^31 - 1 along x and 65,535 along y and z (CUDA C++ Programming
/// Guide, technical specifications per compute capability). A grid with more along y or z is flat:
/// all of its groups are launched along x, and the kernel finds their places by two divisions.
struct group_grid {
  std::int64_t x = 1, y = 1, z = 1;

  static constexpr std::int64_t most_beside = 65535;  ///< along y and z of one that is not flat

  constexpr bool flat() const { return y > most_beside || z > most_beside; }
  friend constexpr bool operator==(const group_grid&, const group_grid&) = default;
};

/// The launch of groups of `items` work-items along x, y and z. Throws argument_error when there
/// are more of the groups `of` an operation than every device starts.
inline launch launch_of(const group_grid& g, const std::array<int, 3>& items, const char* of) {
  constexpr std::int64_t most = std::numeric_limits<std::int32_t>::max();
  const std::int64_t beside = g.flat() && g.y > most / g.z ? most + 1 : g.flat() ? g.y * g.z : 1;
  if (g.x > most / beside) {
    throw argument_error(
        std::string("work-groups ") + of, "must be as many as devices start",
        std::to_string(g.x) + " x " + std::to_string(g.y) + " x " + std::to_string(g.z),
        "at most " + std::to_string(most) + (g.flat() ? " of all" : " along x"));
  }
  launch l{3, {}, {}};
  const std::array<std::int64_t, 3> groups =
      g.flat() ? std::array{g.x * beside, std::int64_t{1}, std::int64_t{1}}
               : std::array{g.x, g.y, g.z};
  for (std::size_t d = 0; d < 3; ++d) {
    l.local[d] = static_cast<std::size_t>(items[d]);
    l.global[d] = static_cast<std::size_t>(groups[d]) * l.local[d];
  }
  return l;
}

/// GROUP_ID_X, _Y, _Z and GLOBAL_ID_X, _Y of a kernel, GROUPS_X along x, and GRID_PARAMETERS, what
/// a flat grid's kernel is told besides: set_grid sets it. `out` is a source_builder.
template <class Source> void define_grid(Source& out, bool flat) {
  const auto define = [&](const char* name, const char* deep, const char* in_line) {
    out.define(name, flat ? in_line : deep);
  };
  define("GRID_PARAMETERS", "", ", const int groups_x, const int groups_y");
  define("GROUPS_X", "(int)get_num_groups(0)", "groups_x");
  define("GROUP_ID_X", "(int)get_group_id(0)", "((int)get_group_id(0) % groups_x)");
  define("GROUP_ID_Y", "(int)get_group_id(1)", "((int)get_group_id(0) / groups_x % groups_y)");
  define("GROUP_ID_Z", "(int)get_group_id(2)", "((int)get_group_id(0) / groups_x / groups_y)");
  define("GLOBAL_ID_X", "(int)get_global_id(0)",
         "(GROUP_ID_X * (int)get_local_size(0) + (int)get_local_id(0))");
  define("GLOBAL_ID_Y", "(int)get_global_id(1)",
         "(GROUP_ID_Y * (int)get_local_size(1) + (int)get_local_id(1))");
}

/// Sets GRID_PARAMETERS, from argument `next` on; the number of the argument behind them.
inline cl_uint set_grid(cl_kernel kernel, cl_uint next, const group_grid& g) {
  if (!g.flat()) return next;
  for (const std::int64_t along : {g.x, g.y}) set_arg(kernel, next++, static_cast<cl_int>(along));
  return next;
}

}  // namespace clprim
