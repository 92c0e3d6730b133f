#include <future>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

#include <clprim/runtime/device.hpp>
#include <clprim/runtime/launch.hpp>
#include <clprim/runtime/program.hpp>

using namespace clprim;

namespace {

const std::string answer_source = "__kernel void answer(__global int* y) { *y = ANSWER; }\n";

int run_answer(const session& s, const built_program& built) {
  const cl::Buffer y(s.context, CL_MEM_READ_WRITE, sizeof(cl_int));
  const cl::Kernel kernel = make_kernel(built, "answer");
  set_args(kernel(), y);
  enqueue(s.queue(), kernel(), {1, {1}, {1}});
  cl_int value = 0;
  check(clEnqueueReadBuffer(s.queue(), y(), CL_TRUE, 0, sizeof value, &value, 0, nullptr, nullptr),
        "clEnqueueReadBuffer");
  return value;
}

// Keeps binaries in memory and counts what is asked of it.
class counting_store : public program_store {
 public:
  std::optional<stored_program> load(const program_key& key) override {
    ++loads;
    const auto found = kept.find(key.source + key.options);
    if (found == kept.end()) return std::nullopt;
    return found->second;
  }
  void save(const program_key& key, const stored_program& program) override {
    ++saves;
    CHECK_FALSE(key.platform.empty());
    CHECK_FALSE(key.device.empty());
    CHECK_FALSE(key.driver.empty());
    kept[key.source + key.options] = program;
  }

  std::map<std::string, stored_program> kept;
  int loads = 0;
  int saves = 0;
};

}  // namespace

TEST_CASE("a program is built once per context, source and options") {
  const session s = open_session();
  const session other = open_session();
  const auto first = build(s.context, s.device, answer_source, "-DANSWER=42");
  CHECK(build(s.context, s.device, answer_source, "-DANSWER=42") == first);
  CHECK(build(s.context, s.device, answer_source, "-DANSWER=43") != first);
  CHECK(build(s.context, s.device, answer_source + "\n", "-DANSWER=42") != first);
  CHECK(build(other.context, other.device, answer_source, "-DANSWER=42") != first);
  CHECK(run_answer(s, *first) == 42);
}

TEST_CASE("a cleared cache builds again, and programs in use live on") {
  const session s = open_session();
  const auto first = build(s.context, s.device, answer_source, "-DANSWER=42");
  clear_program_cache();
  const auto second = build(s.context, s.device, answer_source, "-DANSWER=42");
  CHECK(first != second);
  CHECK(run_answer(s, *first) == 42);
  CHECK(run_answer(s, *second) == 42);
}

TEST_CASE("the programs used last are kept, and no more than a number of them") {
  const session s = open_session();
  clear_program_cache();
  auto& cache = clprim::detail::program_cache::instance();
  const std::size_t usual = std::exchange(cache.most, 2);
  const auto of = [&](int answer) {
    return build(s.context, s.device, answer_source, "-DANSWER=" + std::to_string(answer));
  };
  const auto first = of(1), second = of(2);
  CHECK(of(1) == first);
  const auto third = of(3);
  CHECK(cache.entries.size() == 2);
  CHECK(of(1) == first);
  CHECK(of(3) == third);
  CHECK(of(2) != second);  // it was used the longest ago
  CHECK(run_answer(s, *second) == 2);
  cache.most = usual;
}

TEST_CASE("threads that ask for one program at once get one build") {
  const session s = open_session();
  clear_program_cache();
  const auto store = std::make_shared<counting_store>();
  set_program_store(store);
  std::vector<std::future<std::shared_ptr<const built_program>>> asked;
  for (int i = 0; i < 8; ++i) {
    asked.push_back(std::async(std::launch::async, [&] {
      return build(s.context, s.device, answer_source, "-DANSWER=44");
    }));
  }
  const auto first = asked[0].get();
  for (std::size_t i = 1; i < asked.size(); ++i) CHECK(asked[i].get() == first);
  set_program_store(nullptr);
  CHECK(store->loads == 1);
  CHECK(store->saves == 1);
}

TEST_CASE("threads that ask for one program that does not build are each told so") {
  const session s = open_session();
  clear_program_cache();
  std::vector<std::future<std::string>> asked;
  for (int i = 0; i < 8; ++i) {
    asked.push_back(std::async(std::launch::async, [&]() -> std::string {
      try {
        build(s.context, s.device, "__kernel void broken(__global int *x) { x[0] = nothing; }");
      } catch (const build_error& error) {
        return error.what();
      }
      return {};
    }));
  }
  for (auto& one : asked) CHECK(one.get().find("nothing") != std::string::npos);
  CHECK(clprim::detail::program_cache::instance().entries.empty());  // nobody gets it again
}

TEST_CASE("a kernel's static arrays may take all that the device's facts give them") {
  const session s = open_session();
  const std::int64_t all = facts_of(s.device).local_bytes;
  for (const auto& [type, bytes] : {std::pair{"uchar", 1}, {"uint", 4}, {"ulong2", 16}}) {
    const std::string element = type;
    const std::string source =
        "__kernel void turn(__global " + element + "* x, const int n) {\n  __local " + element +
        " pool[" + std::to_string(all / bytes) +
        "];\n"
        "  for (int i = get_local_id(0); i < n; i += get_local_size(0)) pool[i] = x[i];\n"
        "  barrier(CLK_LOCAL_MEM_FENCE);\n"
        "  for (int i = get_local_id(0); i < n; i += get_local_size(0)) x[i] = pool[n - 1 - i];\n"
        "}\n";
    CHECK_NOTHROW(build(s.context, s.device, source));
  }
}

TEST_CASE("a program that does not build gives log, excerpt and sentence") {
  const session s = open_session();
  const std::string source =
      "#line 40 \"clprim/sample.hpp\"\n"
      "__kernel void f(__global int* y) {\n"
      "  *y = no_such_name;\n"
      "}\n";
  for (int attempt = 0; attempt < 2; ++attempt) {  // a failure is not cached
    try {
      (void)build(s.context, s.device, source, "-DX=1");
      FAIL("it was built");
    } catch (const build_error& e) {
      const std::string text = e.what();
      CHECK(text.starts_with("a program of " + std::to_string(source.size()) +
                             " bytes does not build for " + facts_of(s.device).name));
      CHECK(text.find("-DX=1") != std::string::npos);
      CHECK(e.log.find("no_such_name") != std::string::npos);
      CHECK(e.excerpt.find(">    41 |   *y = no_such_name;\n") != std::string::npos);
      CHECK(text.find(e.log) != std::string::npos);
      CHECK(text.find(e.excerpt) != std::string::npos);
    }
  }
}

TEST_CASE("vectors that are wider than a CPU's build without a warning") {
  const session s = open_session();
  const auto built = build(s.context, s.device,
                           "__kernel void f(__global const uint* x, __global uint* y) {\n"
                           "  vstore16(vload16(get_global_id(0), x), get_global_id(0), y);\n"
                           "}\n");
  CHECK(built->log.find("warning") == std::string::npos);
}

TEST_CASE("a build that fails for options the driver does not know says so") {
  const session s = open_session();
  CHECK_THROWS_AS(build(s.context, s.device, answer_source, "-DANSWER=1 --no-such-option"), error);
}

TEST_CASE("a kernel that the program lacks is named") {
  const session s = open_session();
  const auto built = build(s.context, s.device, answer_source, "-DANSWER=42");
  CHECK_THROWS_WITH_AS(make_kernel(*built, "question"),
                       "clCreateKernel of 'question' failed with CL_INVALID_KERNEL_NAME (-46)",
                       opencl_error);
}

TEST_CASE("a stored binary is used instead of a build, and a spoilt one is not") {
  const session s = open_session();
  const auto store = std::make_shared<counting_store>();
  set_program_store(store);
  clear_program_cache();
  const auto first = build(s.context, s.device, answer_source, "-DANSWER=45");
  CHECK(store->saves == 1);
  REQUIRE(store->kept.size() == 1);

  clear_program_cache();
  const auto second = build(s.context, s.device, answer_source, "-DANSWER=45");
  CHECK(store->loads == 2);
  CHECK(store->saves == 1);
  CHECK(run_answer(s, *second) == 45);
  CHECK(second->log == first->log);

  clear_program_cache();
  store->kept.begin()->second.binary = {1, 2, 3, 4, 5, 6, 7, 8};
  const auto third = build(s.context, s.device, answer_source, "-DANSWER=45");
  CHECK(store->saves == 2);
  CHECK(run_answer(s, *third) == 45);
  set_program_store(nullptr);
}
