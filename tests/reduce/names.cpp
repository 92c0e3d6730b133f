// The caller's text may call its own what the library's text calls something else.

#include <algorithm>
#include <array>
#include <string>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

#include <clprim/reduce.hpp>

#include "reduce/reference.hpp"
#include "support/refusal.hpp"

using namespace clprim;
using namespace support;

namespace {

const std::vector<std::string> names{"V",        "K",          "X",
                                     "P",        "EACH",       "GROUP",
                                     "VECTOR",   "LOADS",      "STREAMS",
                                     "ITEMS",    "STEP",       "SPLIT",
                                     "BLOCKS",   "LOOPED",     "MAILED",
                                     "BARRIER",  "FENCE",      "STORED",
                                     "OPERAND",  "MAPPED",     "MAPPED_RUN",
                                     "LOAD_ONE", "WORDS",      "TILE",
                                     "COLUMNS",  "RUNS",       "MEDIUM",
                                     "LONG",     "LIST_AT",    "PARTIAL",
                                     "COUNTERS", "Y_AT",       "row",
                                     "value",    "state",      "run",
                                     "result",   "merge",      "walk",
                                     "shared",   "out",        "kept",
                                     "left",     "call",       "offsets",
                                     "segments", "a",          "b",
                                     "s",        "t",          "turn",
                                     "VALUE_0",  "ENTER_ONE",  "NUMBER_0",
                                     "LEAVE_0",  "STATE_TYPE", "MAP_PARAMETERS",
                                     "user_0",   "length",     "i",
                                     "j",        "part",       "parts",
                                     "lane"};

}  // namespace

TEST_CASE("a map's parameter may have any name but those that the map sees") {
  const session& s = device_session();
  const std::vector<float> ones(300, 1.0f);
  const cl::Buffer x = device_copy(s, ones), weight = device_copy(s, std::vector<float>{2.0f});
  // Four at a time, a buffer and a value among them: a program takes long to build.
  for (std::size_t first = 0; first < names.size(); first += 4) {
    function map{"return x * (0", {}};
    std::vector<argument> given;
    for (std::size_t i = first; i < std::min(names.size(), first + 4); ++i) {
      const bool is_buffer = i % 2 == 0;
      map.parameters.push_back(is_buffer ? buffer<float>(names[i]) : value<float>(names[i]));
      map.body += " + " + names[i] + (is_buffer ? "[0]" : "");
      given.push_back(is_buffer ? argument(weight) : argument(3.0f));
    }
    map.body += ");";
    CAPTURE(map.body);
    const float each = 2.0f * static_cast<float>((given.size() + 1) / 2) +
                       3.0f * static_cast<float>(given.size() / 2);
    reduce<float> sum(s.queue, {.map = map});
    CHECK(sum.value(whole<float>(x, 300), {}, given) == 300 * each);
  }
}

TEST_CASE("an operator's declarations may have the names of the library's text") {
  const session& s = device_session();
  const cl::Buffer x = device_copy(s, std::vector<float>{1, 2, 3, 4, 5, -6, 7});
  const std::vector<std::pair<std::string, std::string>> own{{"state", "merge"},
                                                             {"run", "pack"},
                                                             {"result", "walk"},
                                                             {"STATE_TYPE", "receive"},
                                                             {"MAPPED", "put"}};
  for (const auto& names_of : own) {
    const std::string &type = names_of.first, &helper = names_of.second;
    CAPTURE(type);
    CAPTURE(helper);
    reduce<float, op::user<std::array<float, 2>>> both(
        s.queue,
        {.map = {type + " GROUP = {x, x}; return GROUP;", {}},
         .user = {.declarations = "typedef struct { float least, most; } " + type + ";\n" +
                                  "inline float " + helper +
                                  "(float VECTOR, float V) { return fmin(VECTOR, V); }",
                  .state = type,
                  .combine = "a.least = " + helper +
                             "(a.least, b.least); a.most = fmax(a.most, b.most); return a;",
                  .identity = "(" + type + "){INFINITY, -INFINITY}"}});
    CHECK(both.value(whole<float>(x, 7)) == std::array<float, 2>{-6, 7});
    CHECK(both.values(segments<float>(x, 2, 3)) ==
          std::vector<std::array<float, 2>>{{1, 3}, {-6, 5}});
  }
}

TEST_CASE("text that cannot be right is refused when the object is made") {
  const session& s = device_session();
  const auto map = [&](function f) {
    return refused([&] { reduce<float>(s.queue, {.map = std::move(f)}); });
  };
  CHECK(map({"x * 2;", {}}) ==
        "the map must return a value: a body without 'return' given, such as 'return value;'");
  CHECK(map({"return x; }", {}}).starts_with("the map must pair its braces"));
  CHECK(map({"return index;", {value<float>("index")}}) ==
        "parameter 0 of the map must not have a name that the body sees already: 'index' given, "
        "another name");
  CHECK(map({"return y;", {value<float>("y")}}) == "accepted");
  CHECK(refused([&] {
          reduce<float, op::dot<>>(s.queue, {.map = {"return y;", {value<float>("y")}}});
        }).starts_with("parameter 0 of the map"));
  const auto user = [&](const std::string& combine, const std::string& identity) {
    return refused([&] {
      reduce<float, op::user<float>>(
          s.queue, {.user = {.state = "float", .combine = combine, .identity = identity}});
    });
  };
  CHECK(user("return a + b;", "0") == "accepted");
  CHECK(user("a + b;", "0").starts_with("the operator must return a value"));
  CHECK(user("return a + b;", "0; }").starts_with("the identity must pair its braces"));
}
