// expect: tile must be a multiple of 8
#include <string_view>
#include <tuple>

#include <clprim/core/policy.hpp>

struct copy_policy {
  int tile = 64;
};

template <> struct clprim::policy_traits<copy_policy> {
  static constexpr std::string_view name = "copy_policy";
  static constexpr auto fields = field_list{field{"tile", &copy_policy::tile}};
};

constexpr void check_rules(const copy_policy& p) {
  clprim::rule(p.tile % 8 == 0, "tile must be a multiple of 8");
}

template <copy_policy P> constexpr int tile_of = clprim::checked(P).tile;

static_assert(tile_of<copy_policy{.tile = 12}> == 12);
