// The folder of programs: what comes back is what was kept, and nothing else is believed.

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include <doctest/doctest.h>
#include <unistd.h>

#include <clprim/runtime/device.hpp>
#include <clprim/runtime/launch.hpp>
#include <clprim/runtime/program.hpp>

using namespace clprim;
namespace fs = std::filesystem;

namespace {

/// A new folder's name; what lies there goes with it.
struct scratch_folder {
  explicit scratch_folder(const std::string& name)
    : path(fs::temp_directory_path() /
           ("clprim-" + name + "-" + std::to_string(static_cast<long>(getpid())))) {
    fs::remove_all(path);
  }
  ~scratch_folder() { fs::remove_all(path); }
  scratch_folder(const scratch_folder&) = delete;
  scratch_folder& operator=(const scratch_folder&) = delete;
  fs::path path;
};

const program_key some_key{"source", "-options", "platform", "device", "driver"};
const stored_program some_program{{0, 1, 255, 10, 0}, "a log\nof two lines"};

std::string bytes_of(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}
void write_bytes(const fs::path& file, const std::string& bytes) {
  std::ofstream(file, std::ios::binary | std::ios::trunc) << bytes;
}

/// Sets a variable of the environment until the end of the scope.
class variable {
 public:
  variable(const char* name, const char* value) : name_(name) {
    if (const char* const old = std::getenv(name)) {
      had_ = true;
      old_ = old;
    }
    if (value == nullptr)
      unsetenv(name);
    else
      setenv(name, value, 1);
  }
  ~variable() {
    if (had_)
      setenv(name_, old_.c_str(), 1);
    else
      unsetenv(name_);
  }
  variable(const variable&) = delete;
  variable& operator=(const variable&) = delete;

 private:
  const char* name_;
  bool had_ = false;
  std::string old_;
};

}  // namespace

TEST_CASE("a program comes back from its file, another key's does not") {
  const scratch_folder scratch("keys");
  program_files files(scratch.path / "made" / "on the way");
  CHECK_FALSE(files.load(some_key).has_value());
  files.save(some_key, some_program);
  const auto back = files.load(some_key);
  REQUIRE(back.has_value());
  CHECK(back->binary == some_program.binary);
  CHECK(back->log == some_program.log);
  for (std::string program_key::*const part :
       {&program_key::source, &program_key::options, &program_key::platform, &program_key::device,
        &program_key::driver}) {
    program_key other = some_key;
    other.*part += "x";
    CHECK_FALSE(files.load(other).has_value());
    CHECK(files.file_of(other) != files.file_of(some_key));
    // Under this key's name, as if their sums were one.
    files.save(other, some_program);
    fs::rename(files.file_of(other), files.file_of(some_key));
    CHECK_FALSE(files.load(some_key).has_value());
    files.save(some_key, some_program);
    CHECK(files.load(some_key).has_value());
  }
  program_key moved = some_key;  // the same letters, cut elsewhere
  moved.source = "sourc";
  moved.options = "e-options";
  CHECK(files.file_of(moved) != files.file_of(some_key));
  CHECK(std::distance(fs::directory_iterator(files.folder()), fs::directory_iterator()) == 1);
}

TEST_CASE("a file that was cut, changed or is something else is not believed") {
  const scratch_folder scratch("spoilt");
  program_files files(scratch.path);
  files.save(some_key, some_program);
  const fs::path file = files.file_of(some_key);
  const std::string whole = bytes_of(file);
  for (std::size_t size = 0; size < whole.size(); ++size) {
    write_bytes(file, whole.substr(0, size));
    CHECK_FALSE(files.load(some_key).has_value());
  }
  for (std::size_t at = 0; at < whole.size(); ++at) {
    std::string changed = whole;
    changed[at] = static_cast<char>(changed[at] ^ 4);
    write_bytes(file, changed);
    CHECK_FALSE(files.load(some_key).has_value());
  }
  write_bytes(file, whole + "x");
  CHECK_FALSE(files.load(some_key).has_value());
  fs::remove(file);
  fs::create_directory(file);
  CHECK_FALSE(files.load(some_key).has_value());
  files.save(some_key, some_program);  // cannot be, and says nothing
  CHECK(fs::is_directory(file));
  CHECK(std::distance(fs::directory_iterator(scratch.path), fs::directory_iterator()) == 1);
  fs::remove(file);
  write_bytes(file, whole);
  CHECK(files.load(some_key).has_value());
}

TEST_CASE("threads that keep one program at once leave one whole file") {
  const scratch_folder scratch("threads");
  {
    std::vector<std::jthread> threads;
    for (int t = 0; t < 4; ++t)
      threads.emplace_back([&] {
        program_files files(scratch.path);
        for (int i = 0; i < 20; ++i) {
          files.save(some_key, some_program);
          const auto back = files.load(some_key);
          if (!back || back->binary != some_program.binary) std::abort();
        }
      });
  }
  CHECK(std::distance(fs::directory_iterator(scratch.path), fs::directory_iterator()) == 1);
}

TEST_CASE("a folder that cannot be made costs nothing but the build") {
  const scratch_folder scratch("none");
  write_bytes(scratch.path, "a file");
  program_files files(scratch.path / "below");
  files.save(some_key, some_program);
  CHECK_FALSE(files.load(some_key).has_value());
  CHECK(bytes_of(scratch.path) == "a file");
}

TEST_CASE("programs that were used longest ago go first") {
  const scratch_folder scratch("limit");
  const auto key_of = [](int i) {
    program_key key = some_key;
    key.source += std::to_string(i);
    return key;
  };
  const stored_program large{std::vector<unsigned char>(1000, 7), ""};
  program_files roomy(scratch.path);
  for (int i = 0; i < 10; ++i) {
    roomy.save(key_of(i), large);
    fs::last_write_time(roomy.file_of(key_of(i)),
                        fs::file_time_type::clock::now() - std::chrono::hours(20 - i));
  }
  write_bytes(scratch.path / "somebody else's", "bytes");
  REQUIRE(roomy.load(key_of(0)).has_value());  // used now
  program_files(scratch.path, 8000).save(key_of(10), large);
  for (int i = 1; i < 6; ++i) CHECK_FALSE(roomy.load(key_of(i)).has_value());
  for (const int i : {0, 7, 8, 9, 10}) CHECK(roomy.load(key_of(i)).has_value());
  CHECK(fs::exists(scratch.path / "somebody else's"));
}

TEST_CASE("the folder is the user's choice, or the platform's") {
  const variable home("HOME", "/home/somebody"), caches("XDG_CACHE_HOME", nullptr);
  {
    const variable chosen("CLPRIM_CACHE_DIR", "/somewhere/else");
    CHECK(program_folder() == fs::path("/somewhere/else"));
  }
  {
    const variable off("CLPRIM_CACHE_DIR", "");
    CHECK_FALSE(program_folder().has_value());
    CHECK_FALSE(keep_programs());
  }
  const variable none("CLPRIM_CACHE_DIR", nullptr);
#if defined(__linux__)
  CHECK(program_folder() == fs::path("/home/somebody/.cache/clprim"));
  const variable other("XDG_CACHE_HOME", "/caches");
  CHECK(program_folder() == fs::path("/caches/clprim"));
#endif
}

TEST_CASE("programs are kept where the environment says, unless it says nothing") {
  const scratch_folder scratch("usual");
  const session s = open_session();
  const std::string folder = scratch.path.string();
  for (const std::string& chosen : {folder, std::string()}) {
    fs::remove_all(scratch.path);
    const variable place("CLPRIM_CACHE_DIR", chosen.c_str());
    // As a new process finds it.
    detail::program_cache::instance().store.reset();
    clear_program_cache();
    build(s.context, s.device, "__kernel void usual(__global int* y) { *y = 1; }\n");
    CHECK(fs::exists(scratch.path) == !chosen.empty());
  }
}

TEST_CASE("programs that are kept run as those that were built") {
  const scratch_folder scratch("run");
  const session s = open_session();
  const std::string source = "__kernel void answer(__global int* y) { *y = ANSWER; }\n";
  CHECK(keep_programs(scratch.path));
  std::vector<std::string> logs;
  for (int process = 0; process < 3; ++process) {
    clear_program_cache();  // as another process has it
    if (process == 2) {
      for (const fs::directory_entry& file : fs::directory_iterator(scratch.path))
        write_bytes(file.path(), "not a program");
    }
    const auto built = build(s.context, s.device, source, "-DANSWER=17");
    logs.push_back(built->log);
    CHECK(built->source == source);
    const cl::Buffer y(s.context, CL_MEM_READ_WRITE, sizeof(cl_int));
    const cl::Kernel kernel = make_kernel(*built, "answer");
    set_args(kernel(), y);
    enqueue(s.queue(), kernel(), {1, {1}, {1}});
    cl_int value = 0;
    check(
        clEnqueueReadBuffer(s.queue(), y(), CL_TRUE, 0, sizeof value, &value, 0, nullptr, nullptr),
        "clEnqueueReadBuffer");
    CHECK(value == 17);
    CHECK(std::distance(fs::directory_iterator(scratch.path), fs::directory_iterator()) == 1);
  }
  CHECK(logs[1] == logs[0]);
  keep_programs(std::nullopt);
}
