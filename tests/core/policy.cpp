#include <array>
#include <climits>
#include <set>
#include <string>
#include <string_view>
#include <tuple>

#include <doctest/doctest.h>

#include <clprim/core/policy.hpp>

namespace sample {

enum class buffering { single, registers, asynchronous };

struct copy_policy {
  int tile = 64;
  bool padded = false;
  buffering buffer = buffering::single;
  int unroll = 4;
  friend bool operator==(const copy_policy&, const copy_policy&) = default;
};

constexpr void check_rules(const copy_policy& p) {
  clprim::rule(p.tile % 8 == 0, "tile must be a multiple of 8");
  clprim::rule(p.tile <= 256, "tile must fit a work-group", p.tile, 256);
}

struct list_policy {
  clprim::number_list<3> radices{};
  int tile = 1;
  friend bool operator==(const list_policy&, const list_policy&) = default;
};

constexpr void check_rules(const list_policy& p) {
  clprim::rule(p.radices[0] != 1, "radices must be more than 1");
}

struct forgetful_policy {
  int tile = 64;
  bool padded = false;
};

}  // namespace sample

template <> struct clprim::enum_names<sample::buffering> {
  static constexpr std::string_view type = "sample::buffering";
  static constexpr std::array names = {"single", "registers", "asynchronous"};
};

template <> struct clprim::policy_traits<sample::copy_policy> {
  using self = sample::copy_policy;
  static constexpr std::string_view name = "sample::copy_policy";
  static constexpr auto fields =
      field_list{field{"tile", &self::tile}, field{"padded", &self::padded},
                 field{"buffer", &self::buffer}, field{"unroll", &self::unroll}};
};

template <> struct clprim::policy_traits<sample::list_policy> {
  using self = sample::list_policy;
  static constexpr std::string_view name = "sample::list_policy";
  static constexpr auto fields =
      field_list{field{"radices", &self::radices}, field{"tile", &self::tile}};
};

template <> struct clprim::policy_traits<sample::forgetful_policy> {
  static constexpr std::string_view name = "sample::forgetful_policy";
  static constexpr auto fields = field_list{field{"tile", &sample::forgetful_policy::tile}};
};

using namespace clprim;
using sample::buffering;
using sample::copy_policy;

namespace {

std::string sentence_of(std::string_view text) {
  try {
    (void)parse_policy<copy_policy>(text);
  } catch (const argument_error& e) {
    return e.what();
  }
  return "accepted";
}

template <copy_policy P> constexpr int tile_of = checked(P).tile;

}  // namespace

TEST_CASE("a list of fields that forgets one is noticed at compile time") {
  static_assert(fields_complete<copy_policy>());
  static_assert(!fields_complete<sample::forgetful_policy>());
}

TEST_CASE("a policy prints itself as the C++ that makes it") {
  CHECK(to_string(copy_policy{.tile = -8, .padded = true, .buffer = buffering::registers}) ==
        "sample::copy_policy{.tile = -8, .padded = true, .buffer = sample::buffering::registers, "
        ".unroll = 4}");
  CHECK(to_string(copy_policy{.buffer = static_cast<buffering>(7)}).find("sample::buffering(7)") !=
        std::string::npos);
}

TEST_CASE("what a policy prints is read back as the same policy") {
  for (int tile : {0, 1, -1, 64, INT_MAX, INT_MIN}) {
    for (bool padded : {false, true}) {
      for (buffering b : {buffering::single, buffering::registers, buffering::asynchronous}) {
        const copy_policy p{.tile = tile, .padded = padded, .buffer = b, .unroll = tile / 2};
        CHECK(parse_policy<copy_policy>(to_string(p)) == p);
      }
    }
  }
}

TEST_CASE("a policy may be given in part, in any order, with or without its namespace") {
  CHECK(parse_policy<copy_policy>("{}") == copy_policy{});
  CHECK(parse_policy<copy_policy>("copy_policy{.unroll=2}") == copy_policy{.unroll = 2});
  CHECK(parse_policy<copy_policy>(" sample::copy_policy {\n  .unroll = 2,\n  .tile = 8,\n}\n") ==
        copy_policy{.tile = 8, .unroll = 2});
  CHECK(parse_policy<copy_policy>("{.buffer = buffering::asynchronous}") ==
        copy_policy{.buffer = buffering::asynchronous});
}

TEST_CASE("text that is no policy is refused with a sentence that says what would do") {
  const std::string head = "text of sample::copy_policy ";
  CHECK(sentence_of("") == head +
                               "must be a braced initialiser: '' given, "
                               "sample::copy_policy{…} expected");
  CHECK(sentence_of("}{") != "accepted");
  CHECK(sentence_of("gemm_policy{}") ==
        head + "must name this policy: 'gemm_policy' given, 'sample::copy_policy' expected");
  CHECK(sentence_of("{.tiles = 8}") == head +
                                           "must name fields of this policy: 'tiles' given, "
                                           "one of tile, padded, buffer, unroll");
  CHECK(sentence_of("{.tile = 8.5}") ==
        head + "must give 'tile' a value of its type: '8.5' given, such as '64'");
  CHECK(sentence_of("{.tile = }") ==
        head + "must give 'tile' a value of its type: '' given, such as '64'");
  CHECK(sentence_of("{.tile = 99999999999}") != "accepted");
  CHECK(sentence_of("{.padded = 1}") ==
        head + "must give 'padded' a value of its type: '1' given, such as 'false'");
  CHECK(sentence_of("{.buffer = registers}") ==
        head +
            "must give 'buffer' a value of its type: 'registers' given, such as "
            "'sample::buffering::single'");
  CHECK(sentence_of("{.buffer = buffering::none}") != "accepted");
  CHECK(sentence_of("{.buffer = other::single}") != "accepted");
  CHECK(sentence_of("{.tile = 8, .tile = 8}") ==
        head + "must name a field once: 'tile' given, each field at most once");
  CHECK(sentence_of("{tile = 8}") ==
        head + "must hold designated values: 'tile = 8' given, '.field = value' expected");
  CHECK(sentence_of("{,}") != "accepted");
  CHECK(sentence_of("{.tile}") != "accepted");
}

namespace {

template <sample::list_policy P> constexpr int first_radix = checked(P).radices[0];

}  // namespace

TEST_CASE("a list is printed without the zeros behind it, and read back") {
  using sample::list_policy;
  static_assert(fields_complete<list_policy>());
  static_assert(first_radix<list_policy{.radices = {8, 4}}> == 8);
  const list_policy two{.radices = {8, -4}, .tile = 2}, none;
  CHECK(to_string(two) == "sample::list_policy{.radices = {8, -4}, .tile = 2}");
  CHECK(to_string(none) == "sample::list_policy{.radices = {}, .tile = 1}");
  for (const list_policy& p : {two, none, list_policy{.radices = {2, 3, 5}}})
    CHECK(parse_policy<list_policy>(to_string(p)) == p);
  CHECK(parse_policy<list_policy>("{ .tile = 2 , .radices = { 8 ,-4 } }") == two);
  for (const char* const text :
       {"{.radices = 8}", "{.radices = {8}", "{.radices = {8 4}}", "{.radices = {8, 0}}",
        "{.radices = {1, 2, 3, 4}}", "{.tile = {2}}", "{.radices = {{8}}}", "{.radices = }8{}"})
    CHECK_THROWS_AS(parse_policy<list_policy>(text), argument_error);
  CHECK(hash_of(two) != hash_of(list_policy{.radices = {8, -4, 1}, .tile = 2}));
  CHECK_THROWS_WITH_AS(require_rules(list_policy{.radices = {1, 2}}),
                       "radices must be more than 1: radices = {1, 2} given", policy_error);
}

TEST_CASE("policies that differ in one field have different hashes") {
  std::set<std::size_t> hashes;
  std::size_t policies = 0;
  for (int tile = -8; tile <= 64; ++tile) {
    for (bool padded : {false, true}) {
      for (int b = 0; b < 3; ++b) {
        hashes.insert(hash_of(copy_policy{tile, padded, static_cast<buffering>(b), 1 + tile % 3}));
        ++policies;
      }
    }
  }
  CHECK(hashes.size() == policies);
  static_assert(hash_of(copy_policy{}) == hash_of(copy_policy{}));
}

TEST_CASE("a broken rule throws its sentence at run time") {
  CHECK_THROWS_WITH_AS(checked(copy_policy{.tile = 12}), "tile must be a multiple of 8",
                       policy_error);
  CHECK(checked(copy_policy{.tile = 16}) == copy_policy{.tile = 16});
}

TEST_CASE("a rule that a program breaks tells the fields that it speaks of") {
  CHECK_THROWS_WITH_AS(require_rules(copy_policy{.tile = 12}),
                       "tile must be a multiple of 8: tile = 12 given", policy_error);
  require_rules(copy_policy{.tile = 16});
}

TEST_CASE("a rule with numbers appends what was given and what is allowed") {
  CHECK_THROWS_WITH_AS(checked(copy_policy{.tile = 304}),
                       "tile must fit a work-group: 304 given, at most 256", policy_error);
}

TEST_CASE("a policy that keeps its rules is a template argument") {
  static_assert(tile_of<copy_policy{.tile = 128}> == 128);
  static_assert(tile_of<copy_policy{}> == 64);
}

TEST_CASE("fields are visited in order, by reference") {
  copy_policy p;
  std::string names;
  for_each_field(p, [&]<class T>(std::string_view name, T& value) {
    names += std::string(name) + " ";
    value = T{};
  });
  CHECK(names == "tile padded buffer unroll ");
  CHECK(p == copy_policy{0, false, buffering::single, 0});
}
