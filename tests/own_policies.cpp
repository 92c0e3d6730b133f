// The user's file of policies: every door takes what it has for a problem, and falls back to the
// library's choice where that cannot be.

#include <complex>
#include <cstddef>
#include <filesystem>
#include <fstream>
#include <optional>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include <clprim/clprim.hpp>
#include <clprim/runtime/tuning_file.hpp>

#include "support/device.hpp"

using namespace clprim;
using support::device_session;

namespace {

/// A file of the test's own; the process has none again afterwards.
class own_file {
 public:
  explicit own_file(const std::string& name)
    : path_((std::filesystem::temp_directory_path() / ("clprim-own-" + name)).string()) {
    std::filesystem::remove(path_);
  }
  ~own_file() {
    use_tuning_file("");
    std::filesystem::remove(path_);
  }
  own_file(const own_file&) = delete;
  own_file& operator=(const own_file&) = delete;

  const std::string& path() const { return path_; }
  void line(const std::string& text) const { std::ofstream(path_, std::ios::app) << text << '\n'; }

 private:
  std::string path_;
};

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

cl::Buffer room(const session& s) {
  return support::device_copy(s, std::vector<float>(std::size_t{1} << 18, 1.0f));
}

/// `make()` is a new object; `policy(object)` is what it takes, `explain(object)` what it tells.
template <policy P, class Make, class Policy, class Explain>
void check_door(const std::string& name, const P& other, Make make, Policy policy,
                Explain explain) {
  CAPTURE(name);
  const own_file file(name);
  const device_facts device = facts_of(device_session().device);
  use_tuning_file("");
  auto without = make();
  const P chosen = policy(without);
  REQUIRE(chosen != other);
  const std::string problem = problem_in(explain(without));
  CHECK(!has(explain(without), "\n  tuning "));

  tuning_file::add(file.path(), device, problem, other, 1.25);
  use_tuning_file(file.path());
  auto with = make();
  CHECK(policy(with) == other);
  CHECK(has(explain(with), "\n  tuning     the policy is that of line 1 of '" + file.path() + "'"));
  for (const std::string& sentence : tuning_complaints()) FAIL_CHECK(sentence);

  // Of another driver, with an unknown field, of another door: the library's choice, and why.
  const auto line = [&](const std::string& driver, const std::string& text) {
    std::filesystem::remove(file.path());
    file.line(device.name + " | " + driver + " | " + problem + " | " + text + " | 1.5");
    use_tuning_file(file.path());
    auto object = make();
    CHECK(policy(object) == chosen);
    REQUIRE(tuning_complaints().size() == 1);
    CHECK(has(tuning_complaints()[0], "line 1 of '" + file.path() + "' "));
    CHECK(has(explain(object), "\n  tuning     " + tuning_complaints()[0]));
  };
  line("no driver", to_string(other));
  line(device.driver, "clprim::no_policy{.width = 3}");
  line(device.driver, to_string(other).replace(to_string(other).find(".") + 1, 1, "no_such_"));

  use_tuning_file("");
  auto again = make();
  CHECK(policy(again) == chosen);
}

}  // namespace

TEST_CASE("every door takes the policy that the user's file has for its problem") {
  const session& s = device_session();
  const cl::Buffer a = room(s), b = room(s), c = room(s);

  const auto x = vector<float>(a, 5000), y = vector<float>(b, 5000);
  check_door(
      "copy", copy_policy{.items = 8, .per_item = 3}, [&] { return copy<float>(s.queue); },
      [&](auto& o) { return o.schedule(x, y).policy; }, [&](auto& o) { return o.explain(x, y); });

  const auto M = matrix<float>(a, 60, 44), T = matrix<float>(b, 44, 60);
  check_door(
      "transpose", transpose_policy{.tile_rows = 8, .tile_cols = 8, .items = 16},
      [&] { return transpose<float>(s.queue); }, [&](auto& o) { return o.schedule(M, T).policy; },
      [&](auto& o) { return o.explain(M, T); });

  const auto all = whole<float>(a, 7000);
  check_door(
      "reduce", reduce_policy{.group = 16, .loads = 2}, [&] { return reduce<float>(s.queue); },
      [&](auto& o) { return o.schedule(all).policy; }, [&](auto& o) { return o.explain(all); });

  const auto A = matrix<float>(a, 40, 30), B = matrix<float>(b, 30, 50),
             C = matrix<float>(c, 40, 50);
  check_door(
      "gemm",
      gemm_policy{.tile_m = 32, .tile_n = 32, .tile_k = 8, .per_item_m = 4, .per_item_n = 4},
      [&] { return gemm<float>(s.queue); }, [&](auto& o) { return o.schedule(A, B, C).policy; },
      [&](auto& o) { return o.explain(A, B, C); });

  const auto photo = image<float>(a, 40, 50), filtered = image<float>(b, 40, 50);
  const filter<float> box = filter_2d<float>(3, 3, {1, 2, 1, 2, 4, 2, 1, 2, 1});
  check_door(
      "convolve", convolve_policy{.method = convolve_method::direct, .items_x = 4, .items_y = 2},
      [&] { return convolve<float>(s.queue); },
      [&](auto& o) { return o.schedule(photo, box, filtered).passes.front().policy; },
      [&](auto& o) { return o.explain(photo, box, filtered); });

  const auto X = array<std::complex<float>>(a, {3, 96}), Y = array<std::complex<float>>(b, {3, 96});
  check_door(
      "fft", fft_policy{.shape = fft_shape::items, .points = 6, .group = 32},
      [&] { return fft<float>(s.queue); }, [&](auto& o) { return o.schedule(X, Y).front().policy; },
      [&](auto& o) { return o.explain(X, Y); });
}

TEST_CASE("a policy of the user's file that does not fit a problem leaves the library's choice") {
  const session& s = device_session();
  const cl::Buffer a = room(s), b = room(s), taps = room(s);
  const own_file file("unfit");
  const device_facts device = facts_of(s.device);
  const auto in = image<float>(a, 20, 30), out = image<float>(b, 20, 30);
  const filter<float> box = device_filter_2d<float>(3, 3, taps);
  convolve<float> run(s.queue);
  const convolve_policy chosen = run.schedule(in, box, out).passes.front().policy;
  tuning_file::add(file.path(), device, problem_in(run.explain(in, box, out)),
                   convolve_policy{.method = convolve_method::direct,
                                   .items_x = 4,
                                   .items_y = 2,
                                   .filter = filter_place::literals},
                   1.1);
  use_tuning_file(file.path());
  convolve<float> again(s.queue);
  CHECK(again.schedule(in, box, out).passes.front().policy == chosen);
  REQUIRE(tuning_complaints().size() == 1);
  CHECK(has(tuning_complaints()[0], "line 1 of '" + file.path() + "' does not fit the problem: "));
  CHECK(has(again.explain(in, box, out), "\n  tuning     " + tuning_complaints()[0]));
}

namespace {

/// An operation whose policy does not fit, which shows while another problem is looked up.
class misfit : public operation {
 public:
  explicit misfit(const session& s) : operation(s.queue) {}
  void run() const {
    const std::optional<copy_policy> none;
    const auto name = [](const char* one) { return [one] { return std::string(one); }; };
    by_policy(none, name("misfit"), [&](const std::optional<copy_policy>& own) {
      by_policy(none, name("other"), [](const std::optional<copy_policy>&) {});
      if (own) throw error("it is too wide");
    });
  }
};

}  // namespace

TEST_CASE("a policy that does not fit is named by its own line, whatever is found meanwhile") {
  const session& s = device_session();
  const own_file file("lines");
  const device_facts device = facts_of(s.device);
  tuning_file::add(file.path(), device, "misfit", copy_policy{.items = 8}, 1.1);
  tuning_file::add(file.path(), device, "other", copy_policy{.items = 4}, 1.1);
  use_tuning_file(file.path());
  misfit(s).run();
  CHECK(tuning_complaints() ==
        std::vector{"line 1 of '" + file.path() + "' does not fit the problem: it is too wide"});
}

TEST_CASE("a folder in place of the user's file is complained of, and none is an empty one") {
  const own_file file("none");
  use_tuning_file(file.path());
  CHECK(tuning_complaints().empty());
  std::filesystem::create_directory(file.path());
  use_tuning_file(file.path());
  REQUIRE(tuning_complaints().size() == 1);
  CHECK(tuning_complaints()[0] ==
        "'" + file.path() + "', the file of policies, is no regular file");
}
