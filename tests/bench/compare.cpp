// bench/compare: what it names, and how it ends.

#include <string>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

#include <clprim/core/number_text.hpp>

#include "bench/program.hpp"

using namespace support;

namespace {

/// A row with a time, or with the reason why it has none.
std::string row(const std::string& name, double us, const std::string& why = {}) {
  const std::string head = "{\"name\": \"suite/" + name + "/iterations:1/manual_time\", ";
  if (!why.empty()) return head + R"("error_occurred": true, "error_message": ")" + why + "\"}";
  return head + "\"clprim_us\": " + clprim::general_text(us, 6) + ", \"clprim_spread\": 0.001}";
}

std::string results(const std::vector<std::string>& rows, const std::string& device = "a card") {
  std::string text = R"({"context": {"device": ")" + device + "\"}, \"benchmarks\": [";
  for (const std::string& one : rows) text += (one == rows.front() ? "" : ",\n") + one;
  return text + "]}";
}

ended compared(const std::string& before, const std::string& after, const std::string& more = {}) {
  const own_folder folder;
  return run_program("../bench/compare " + more + " " + folder.write("old.json", before) + " " +
                     folder.write("new.json", after));
}

const std::vector<std::string> two{row("a", 10), row("b", 20)};

}  // namespace

TEST_CASE("two runs that agree within noise and within three percent are no slower") {
  for (const double us : {20.0, 20.5, 17.0}) {
    const ended e = compared(results(two), results({row("a", 10), row("b", us)}));
    CAPTURE(e.said);
    CHECK(e.status == 0);
    CHECK(contains(e.said, "2 rows in both: 0 slower"));
  }
}

TEST_CASE("a row that slowed down fails the comparison and is named") {
  const ended e = compared(results(two), results({row("a", 10), row("b", 21)}));
  CAPTURE(e.said);
  CHECK(e.status == 1);
  CHECK(contains(e.said, "SLOWER"));
  CHECK(contains(e.said, "1 slower"));
  CHECK(compared(results(two), results({row("a", 10), row("b", 21)}), "--least 0.1").status == 0);
}

TEST_CASE("a row that vanished fails the comparison, unless common rows are asked for") {
  const ended e = compared(results(two), results({row("a", 10)}));
  CAPTURE(e.said);
  CHECK(e.status == 1);
  CHECK(contains(e.said, "GONE"));
  CHECK(contains(e.said, "1 rows of the old run have no time in the new one"));
  CHECK(compared(results(two), results({row("a", 10)}), "--common").status == 0);
  CHECK(compared(results({row("a", 10)}), results(two)).status == 0);  // a new row is none
}

TEST_CASE("a row that became wrong fails the comparison with the reason") {
  for (const char* more : {"", "--common"}) {
    const ended e =
        compared(results(two), results({row("a", 10), row("b", 0, "WRONG: 7, should be 8")}), more);
    CAPTURE(e.said);
    CHECK(e.status == 1);
    CHECK(contains(e.said, "GONE"));
    CHECK(contains(e.said, "WRONG: 7, should be 8"));
  }
}

TEST_CASE("runs of two devices are compared on purpose only") {
  const ended e = compared(results(two), results(two, "another"));
  CAPTURE(e.said);
  CHECK(e.status == 2);
  CHECK(contains(e.said, "two devices, 'a card' and 'another'"));
  CHECK(compared(results(two), results(two, "another"), "--other-device").status == 0);
}

TEST_CASE("what cannot be compared ends with status 2 and a sentence") {
  const ended none = run_program("../bench/compare no-such-file.json no-such-file.json");
  CHECK(none.status == 2);
  CHECK(contains(none.said, "no-such-file.json cannot be read"));
  const ended text = compared("some text", results(two));
  CHECK(text.status == 2);
  CHECK(contains(text.said, "is no result of a benchmark"));
  CHECK(compared("[1, 2]", results(two)).status == 2);
  const ended strangers = compared(results({row("c", 1)}), results(two));
  CHECK(strangers.status == 2);
  CHECK(contains(strangers.said, "no row in common"));
  CHECK(run_program("../bench/compare --no-such-option a b").status == 2);
}

TEST_CASE("a killed run is compared as far as it came") {
  const std::string whole = results(two);
  const ended e = compared(whole, whole.substr(0, whole.find(",\n") + 2));
  CAPTURE(e.said);
  CHECK(e.status == 1);
  CHECK(contains(e.said, "1 rows in both"));
  CHECK(contains(e.said, "GONE"));
}

TEST_CASE("whether a repeated run agrees is a number over all files of two folders") {
  const own_folder folder;
  const auto compare = [&](const std::string& more) {
    return run_program("../bench/compare " + more + " " + folder.path("old") + " " +
                       folder.path("new"));
  };
  folder.write("old/one.json", results({row("a", 10), row("b", 20)}));
  folder.write("old/two.json", results({row("c", 30), row("d", 40)}));
  folder.write("old/curves.json", R"({"points": []})");
  folder.write("new/one.json", results({row("a", 10.2), row("b", 20)}));
  folder.write("new/two.json", results({row("c", 28), row("d", 40)}));
  const ended under = compare("--agree 0.95");
  CAPTURE(under.said);
  CHECK(under.status == 1);
  CHECK(contains(under.said, "3 of 4 rows (75.0%) agree within 3%, wanted 95%: UNDER."));
  CHECK(contains(under.said, "suite/c "));  // a faster row does not agree either
  CHECK_FALSE(contains(under.said, "suite/a "));
  CHECK(contains(under.said, "curves.json has no list of benchmarks"));
  CHECK(compare("--agree 0.75").status == 0);
  CHECK(compare("--agree 1 --least 0.07").status == 0);
  CHECK(compare("").status == 0);  // nothing slowed down
  CHECK(compare("--agree 95").status == 2);

  folder.write("old/gone.json", results({row("e", 1)}));
  const ended gone = compare("--agree 0.5");
  CAPTURE(gone.said);
  CHECK(gone.status == 1);
  CHECK(contains(gone.said, "1 rows of the old run have no time in the new one"));
  CHECK(compare("--agree 0.5 --common").status == 0);
  CHECK(run_program("../bench/compare " + folder.path("old") + " " + folder.path("new/one.json"))
            .status == 2);
}
