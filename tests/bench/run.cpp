// bench/run: what it refuses before it builds anything, and what it says of benchmarks that end
// badly. The latter in a tree of its own, whose cmake and benchmarks are scripts.

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include <doctest/doctest.h>

#include "bench/program.hpp"

using namespace support;

namespace {

class stub_tree {
 public:
  stub_tree() {
    for (const char* file : {"bench/run", "scripts/setup.sh"}) {
      std::filesystem::create_directories(std::filesystem::path(folder.path(file)).parent_path());
      std::filesystem::copy_file(std::string("../") + file, folder.path(file));
    }
    for (const char* name : {"fft", "reduce", "transpose"})
      folder.write("bench/" + std::string(name) + ".cpp", "");
    folder.write_script("stubs/cmake", "echo \"$*\" >>" + folder.path("cmake.log") + "\n");
    folder.write_script("build/bench/bench/bench_device", "echo a-card\n");
    benchmark("transpose", "echo fine >\"$table\"; echo '{}' >\"$json\"\n");
  }
  /// `script` finds the files that it should write in $table and $json.
  void benchmark(const std::string& name, const std::string& script) const {
    folder.write_script("build/bench/bench/bench_" + name, R"(while [ $# -gt 0 ]; do
  case $1 in --table) table=$2 ;; --json) json=$2 ;; esac
  shift
done
)" + script);
  }
  ended run(const std::string& words) const {
    return run_program("PATH=" + folder.path("stubs") +
                       ":$PATH CLPRIM_COMMIT=none CLPRIM_DEVICE= " + folder.path("bench/run") +
                       " --prefix " + folder.path("") + " --out " + folder.path("out") + " " +
                       words);
  }
  std::string text_of(const std::string& name) const {
    std::ifstream file(folder.path(name));
    return {std::istreambuf_iterator<char>(file), {}};
  }

  own_folder folder;
};

}  // namespace

TEST_CASE("bench/run refuses unknown benchmarks, options and folders before it builds") {
  const auto refusal = [](const std::string& words, const std::string& sentence) {
    const ended e = run_program("../bench/run " + words);
    CAPTURE(e.said);
    CHECK(e.status == 1);
    CHECK(contains(e.said, "FAILED: " + sentence));
    CHECK_FALSE(contains(e.said, "configuring"));
  };
  refusal("gemm nonsense", "there is no benchmark 'nonsense'.");
  refusal("--nonsense", "'--nonsense' is no option of bench/run.");
  refusal("--only", "--only needs a value.");
  refusal("--prefix /no/such/folder", "there is no folder '/no/such/folder'.");
  refusal("--random many", "--random and --seed take a number: 'many' given.");
  refusal("--random 5 occupancy", "'occupancy' draws no problems.");
}

TEST_CASE("bench/run keeps drawn problems apart from the listed rows, by their seed") {
  const stub_tree tree;
  tree.folder.write("out/transpose.txt", "listed\n");
  tree.benchmark("transpose", "echo drawn >\"$table\"; echo '{}' >\"$json\"\n");
  const ended e = tree.run("--random 3 --seed 9 transpose");
  CAPTURE(e.said);
  CHECK(e.status == 0);
  CHECK(tree.text_of("out/random-9/transpose.txt") == "drawn\n");
  CHECK(tree.text_of("out/transpose.txt") == "listed\n");
}

TEST_CASE("bench/run refuses an unknown device before it builds a benchmark") {
  const stub_tree tree;
  tree.folder.write_script("build/bench/bench/bench_device",
                           "echo \"no OpenCL device fits '$CLPRIM_DEVICE'\" >&2; exit 2\n");
  const ended e = tree.run("--device nonsense reduce");
  CAPTURE(e.said);
  CHECK(e.status == 1);
  CHECK(contains(e.said, "no OpenCL device fits 'nonsense'"));
  const std::string built = tree.text_of("cmake.log");
  CHECK(contains(built, "--target bench_device"));
  CHECK_FALSE(contains(built, "bench_reduce"));
}

TEST_CASE("bench/run ends well when all benchmarks do") {
  const ended e = stub_tree().run("transpose");
  CAPTURE(e.said);
  CHECK(e.status == 0);
  CHECK_FALSE(contains(e.said, "Under their bars"));
}

TEST_CASE("bench/run lists a benchmark that crashed, and takes no older table for its own") {
  const stub_tree tree;
  tree.folder.write("out/reduce.txt", "Under their bars:\n  an old row\n");
  tree.folder.write("out/reduce.json", "{}");
  tree.benchmark("reduce", "kill -KILL $$\n");
  const ended e = tree.run("reduce transpose");
  CAPTURE(e.said);
  CHECK(e.status == 1);
  CHECK(contains(e.said, "reduce was ended by signal SIGKILL"));
  CHECK_FALSE(contains(e.said, "an old row"));
  CHECK_FALSE(std::filesystem::exists(tree.folder.path("out/reduce.txt")));
  CHECK_FALSE(std::filesystem::exists(tree.folder.path("out/reduce.json")));
  CHECK(tree.text_of("out/transpose.txt") == "fine\n");  // the others go on
}

TEST_CASE("bench/run keeps the older table where a benchmark refused its options") {
  const stub_tree tree;
  tree.folder.write("out/reduce.txt", "the last run's\n");
  tree.benchmark("reduce", "exit 2\n");
  const ended e = tree.run("reduce");
  CAPTURE(e.said);
  CHECK(e.status == 1);
  CHECK(contains(e.said, "reduce ended with status 2"));
  CHECK(tree.text_of("out/reduce.txt") == "the last run's\n");
}

TEST_CASE("bench/run lists rows under their bars, wrong peers and missing ones at the end") {
  const stub_tree tree;
  tree.benchmark("reduce", R"(cat >"$table" <<'END'
missing_peer            CUB
Under their bars:
  sum 2^20: 0.9 of 1.00 CUB
Peers whose results are wrong, not timed:
  sum 2^24: CLBlast WRONG: 7, should be 8
Not tried, for want of the peer:
  sum 2^26: 1.00 CUB
END
)");
  const ended e = tree.run("reduce");
  CAPTURE(e.said);
  CHECK(e.status == 1);
  CHECK(contains(e.said, "Peers that were not found: CUB\n"));
  CHECK(contains(e.said, "wrong, not timed:\n  reduce: sum 2^24: CLBlast WRONG: 7, should be 8\n"));
  CHECK(contains(e.said, "or not run:\n  reduce: sum 2^20: 0.9 of 1.00 CUB\n"));
  CHECK_FALSE(contains(e.said, "sum 2^26"));
}

TEST_CASE(
    "bench/run tries torch beside the reductions of an NVIDIA GPU, and says when it is missing") {
  const stub_tree tree;
  tree.benchmark("reduce", "echo fine >\"$table\"; echo '{}' >\"$json\"\n");
  CHECK_FALSE(contains(tree.run("reduce").said, "torch"));
  tree.folder.write_script("build/bench/bench/bench_device", "echo nvidia-card\n");
  // Where torch is installed it finds no rows in this tree, and that is told too.
  const ended e = tree.run("reduce");
  CAPTURE(e.said);
  CHECK(contains(e.said, "torch"));
}

TEST_CASE("bench/run lists first calls that are over their bars, crash or are cut short") {
  const stub_tree tree;
  const std::string rows = R"(if [ "$1" = --first-call ]; then
  echo "16  12.0  cold OVER"; echo "64  3.0"
  END
fi
while [ $# -gt 0 ]; do
  case $1 in --table) echo fine >"$2" ;; --json) echo '{}' >"$2" ;; esac
  shift
done
)";
  const auto run = [&](const std::string& end) {
    std::string script = rows;
    script.replace(script.find("END"), 3, end);
    tree.folder.write("out/fft_first_call.txt", "an older row OVER\n");
    tree.folder.write_script("build/bench/bench/bench_fft", script);
    return tree.run("fft transpose");
  };
  const ended over = run("exit 1");
  CAPTURE(over.said);
  CHECK(over.status == 1);
  CHECK(contains(over.said, "fft, first call: 16  12.0  cold OVER"));
  CHECK_FALSE(contains(over.said, "rows are missing"));
  CHECK(tree.text_of("out/transpose.txt") == "fine\n");

  const ended crashed = run("kill -SEGV $$");
  CAPTURE(crashed.said);
  CHECK(crashed.status == 1);
  CHECK(contains(crashed.said, "fft, first call: ended by signal SIGSEGV, rows are missing"));
  CHECK(contains(crashed.said, "fft, first call: 16"));
  CHECK(contains(run("exit 2").said, "fft, first call: ended with status 2, rows are missing"));

  const ended cut = run("kill -INT $$");
  CAPTURE(cut.said);
  CHECK(cut.status == 130);
  CHECK(contains(tree.text_of("out/fft_first_call.txt"), "INTERRUPTED"));
  CHECK_FALSE(contains(tree.text_of("out/fft_first_call.txt"), "an older row"));

  tree.folder.write("out/fft_first_call.txt", "an older row OVER\n");
  tree.benchmark("fft", "exit 130\n");
  CHECK(tree.run("fft").status == 130);
  CHECK_FALSE(std::filesystem::exists(tree.folder.path("out/fft_first_call.txt")));
}
