#include <array>
#include <string>
#include <string_view>
#include <tuple>

#include <doctest/doctest.h>

#include <clprim/core/source.hpp>

namespace sample_source {

enum class storage { tight, padded };

struct tile_policy {
  int tile_m = 64;
  bool swizzled = true;
  storage a = storage::tight;
  storage b = storage::padded;
};

}  // namespace sample_source

template <> struct clprim::enum_names<sample_source::storage> {
  static constexpr std::string_view type = "sample_source::storage";
  static constexpr std::array names = {"tight", "padded"};
};

template <> struct clprim::policy_traits<sample_source::tile_policy> {
  using self = sample_source::tile_policy;
  static constexpr std::string_view name = "sample_source::tile_policy";
  static constexpr auto fields =
      field_list{field{"tile_m", &self::tile_m}, field{"swizzled", &self::swizzled},
                 field{"a", &self::a}, field{"b", &self::b}};
};

using namespace clprim;

namespace {

constexpr int line_before_first = __LINE__;
constexpr kernel_text first_text = R"cl(
first line
  second line
)cl";
constexpr int line_before_second = __LINE__;
constexpr kernel_text second_text = R"cl(one line)cl";
constexpr int line_before_third = __LINE__;
inline constexpr kernel_text third_text =
    R"cl(
a b ab a_c
b(a)+a2;  // a
)cl";

constexpr int line_before_frame = __LINE__;
constexpr kernel_text frame = R"cl(
{
    BODY
    BODY_2;
    NOTHING
    last
}
)cl";

constexpr int line_before_parts = __LINE__;
constexpr kernel_text parts = R"cl(
all
@first  // why
one
@first !second
one alone
@second
@// a comment
two
@
end
)cl";

}  // namespace

TEST_CASE("a literal knows the line on which it begins, with every compiler") {
  static_assert(first_text.line == line_before_first + 1);
  static_assert(second_text.line == line_before_second + 1);
  static_assert(third_text.line == line_before_third + 2);
}

TEST_CASE("a text stands under a #line that names its header and no machine path") {
  const std::string source = source_builder().text(first_text).str();
  CHECK(source == "#line " + std::to_string(line_before_first + 2) + " \"" +
                      detail::portable_path(__FILE__) + "\"\nfirst line\n  second line\n");
}

TEST_CASE("a path is cut to what is the same on every machine") {
  const auto& cut = detail::portable_path;
  CHECK(cut("/usr/include/clprim/gemm/kernel.hpp") == "clprim/gemm/kernel.hpp");
  CHECK(cut("include/clprim/gemm/kernel.hpp") == "clprim/gemm/kernel.hpp");
  CHECK(cut("/home/clprim/build/../include/clprim/a.hpp") == "clprim/a.hpp");
  CHECK(cut("/home/someone/clprim/tests/core/a.cpp") == "clprim/tests/core/a.cpp");
  CHECK(cut("C:\\project\\include\\mine\\a.hpp") == "mine/a.hpp");
  CHECK(cut("/home/someone/project/a.cpp") == "a.cpp");
  CHECK(cut("clprim/a.hpp") == "clprim/a.hpp");
  CHECK(cut("a.cpp") == "a.cpp");
}

TEST_CASE("what follows a text is numbered by its place in the source") {
  const std::string source = source_builder()
                                 .banner("one\ntwo")
                                 .text(second_text)
                                 .line("int x;")
                                 .define("Y", 1)
                                 .text(second_text)
                                 .str();
  const std::string mark = "#line " + std::to_string(second_text.line) + " \"" +
                           detail::portable_path(__FILE__) + "\"\n";
  CHECK(source == "// one\n// two\n" + mark +
                      "one line\n#line 6 \"generated\"\nint x;\n"
                      "#define Y 1\n" +
                      mark + "one line\n");
}

TEST_CASE("constants become #defines") {
  CHECK(source_builder().define("A", 12).str() == "#define A 12\n");
  CHECK(source_builder().define("A", -12).str() == "#define A (-12)\n");
  CHECK(source_builder().define("A", true).str() == "#define A 1\n");
  CHECK(source_builder().define("A", 1ll << 40).str() == "#define A 1099511627776\n");
  CHECK(source_builder().define("A", "(x + 1)").str() == "#define A (x + 1)\n");
}

TEST_CASE("a policy becomes one #define per field and one per enumerator") {
  CHECK(source_builder().define_policy(sample_source::tile_policy{}).str() ==
        "#define TILE_M 64\n"
        "#define SWIZZLED 1\n"
        "#define STORAGE_TIGHT 0\n"
        "#define STORAGE_PADDED 1\n"
        "#define A 0\n"
        "#define B 1\n");
}

TEST_CASE("replacements touch whole words, which end at an underscore, and keep the lines") {
  const std::string source =
      source_builder().text(third_text, {{"a", "operand_a"}, {"b", "1"}}).str();
  CHECK(source.substr(source.find('\n') + 1) ==
        "operand_a 1 ab operand_a_c\n1(operand_a)+a2;  // operand_a\n");
  CHECK_THROWS_WITH_AS(
      source_builder().text(third_text, {{"a", "b\nc"}}),
      "replacement of 'a' must stay on one line: 'b\nc' given, text without a line break expected",
      argument_error);
}

TEST_CASE("blocks stand in place of the lines that name them, and the literal's numbers go on") {
  const auto row = [](int n) {
    return "#line " + std::to_string(line_before_frame + n) + " \"" +
           detail::portable_path(__FILE__) + "\"\n";
  };
  source_builder out;
  out.text(frame, {{"last", "end"}}, {{"BODY", "one\ntwo\n"}, {"NOTHING", ""}});
  CHECK(out.str() ==
        row(2) + "{\n#line 4 \"generated\"\none\ntwo\n" + row(4) + "    BODY_2;\n\n    end\n}\n");
}

TEST_CASE("sections of a text stand where the facts are as they ask, each under its number") {
  const auto row = [](int n) {
    return "#line " + std::to_string(line_before_parts + n) + " \"" +
           detail::portable_path(__FILE__) + "\"\n";
  };
  const auto text = [](const text_facts& facts) {
    return source_builder().text(parts, {}, {}, facts).str();
  };
  const std::string all = row(2) + "all\n", one = row(4) + "one\n", alone = row(6) + "one alone\n",
                    two = row(9) + "two\n", end = row(11) + "end\n";
  CHECK(text({}) == all + end);
  CHECK(text({"", "why"}) == all + end);
  CHECK(text({"first"}) == all + one + alone + end);
  CHECK(text({"second"}) == all + two + end);
  CHECK(text({"second", "", "first"}) == all + one + two + end);
}

TEST_CASE("constants may be taken back, so that another text defines them anew") {
  source_builder out;
  out.define("A", 1).define("B(x)", "(x)").undefine().undefine().define("A", 2);
  CHECK(out.str() == "#define A 1\n#define B(x) (x)\n#undef A\n#undef B\n#define A 2\n");
}

TEST_CASE("the first error of a log is found in the forms that compilers use") {
  const auto place = [](std::string_view log) {
    const source_place p = first_error(log);
    return p.file + "@" + std::to_string(p.line);
  };
  CHECK(place("<kernel>:12:5: error: no\n<kernel>:13:5: error: no") == "<kernel>@12");
  CHECK(place("a.hpp:3:1: warning: hm\nclprim/a.hpp:12:5: fatal error: no") == "clprim/a.hpp@12");
  CHECK(place("error: /tmp/x.cl:7:3: no") == "/tmp/x.cl@7");
  CHECK(place("1:44:3: error: no") == "1@44");
  CHECK(place("a.hpp:9: error: no") == "a.hpp@9");
  CHECK(place("ptxas error: too much local data (0x10000 bytes, 0xc000 max)") == "@0");
  CHECK(place("ptxas application ptx input, line 9; error: no") == "@0");
  CHECK(place("") == "@0");
}

TEST_CASE("the excerpt of a build error follows #line back to the source") {
  const std::string source =
      source_builder().define("A", 1).text(first_text).line("x").line("y").line("z").str();
  const std::string file = detail::portable_path(__FILE__);
  const std::string second = std::to_string(first_text.line + 2);

  const std::string excerpt = numbered_excerpt(source, file + ":" + second + ":3: error: no");
  CHECK(excerpt.find(second + " |   second line\n") != std::string::npos);
  CHECK(excerpt.find('>') == excerpt.find(second + " |   second line\n") - (7 - second.size()));
  CHECK(numbered_excerpt(source, "generated:7:1: error: no").find(">     7 | y\n") !=
        std::string::npos);
  CHECK(numbered_excerpt(source, "<kernel>:1:1: error: no").starts_with(">     1 | #define A 1\n"));
  CHECK(numbered_excerpt(source, "<kernel>:100:1: error: no").empty());
  CHECK(numbered_excerpt(source, "linking failed").empty());
  CHECK(numbered_excerpt("", "<kernel>:1:1: error: no").empty());
}
