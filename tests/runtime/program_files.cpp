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
#include <sys/stat.h>
#include <unistd.h>

#include <clprim/runtime/device.hpp>
#include <clprim/runtime/launch.hpp>
#include <clprim/runtime/program.hpp>

#include "bench/program.hpp"

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

TEST_CASE("only files that this user alone may have written are believed") {
  const scratch_folder scratch("ours");
  program_files files(scratch.path);
  files.save(some_key, some_program);
  const fs::path file = files.file_of(some_key), away = scratch.path / "away";
  struct stat seen {};
  REQUIRE(::stat(file.c_str(), &seen) == 0);
  CHECK((seen.st_mode & 0777) == 0600);
  REQUIRE(::stat(scratch.path.c_str(), &seen) == 0);
  CHECK((seen.st_mode & 0777) == 0700);
  REQUIRE(files.load(some_key).has_value());
  for (const mode_t mode : {0620U, 0602U}) {
    ::chmod(file.c_str(), mode);
    CHECK_FALSE(files.load(some_key).has_value());
  }
  ::chmod(file.c_str(), 0644);  // as it was before
  CHECK(files.load(some_key).has_value());

  fs::rename(file, away);
  fs::create_symlink(away, file);
  CHECK_FALSE(files.load(some_key).has_value());
  fs::remove(file);
  if (::geteuid() == 0) {  // who else may give files away
    fs::copy_file(away, file);
    REQUIRE(::chown(file.c_str(), 65534, 65534) == 0);
    CHECK_FALSE(files.load(some_key).has_value());
    fs::remove(file);
  }
}

TEST_CASE("a pipe or a device under a program's name is not opened") {
  const scratch_folder scratch("pipe");
  program_files files(scratch.path);
  files.save(some_key, some_program);
  const fs::path file = files.file_of(some_key);
  fs::remove(file);
  REQUIRE(::mkfifo(file.c_str(), 0600) == 0);
  CHECK_FALSE(files.load(some_key).has_value());  // and does not wait for a writer
  files.save(some_key, some_program);             // takes its place
  CHECK(files.load(some_key).has_value());
  fs::remove(file);
  fs::create_symlink("/dev/zero", file);
  CHECK_FALSE(files.load(some_key).has_value());
}

TEST_CASE("a folder that others may write to is refused, and says so") {
  const scratch_folder scratch("others");
  program_files files(scratch.path);
  CHECK(files.complaint().empty());  // it can be made
  files.save(some_key, some_program);
  CHECK(files.complaint().empty());
  for (const mode_t mode : {0770U, 0707U, 0777U}) {
    ::chmod(scratch.path.c_str(), mode);
    CHECK_FALSE(files.load(some_key).has_value());
    program_key other = some_key;
    other.source += "x";
    files.save(other, some_program);
    CHECK_FALSE(fs::exists(files.file_of(other)));
    CHECK(files.complaint().starts_with("the folder " + scratch.path.string() +
                                        " is not used: others may write to it (mode 07"));
    CHECK_FALSE(keep_programs(scratch.path));
    CHECK(why_programs_are_not_kept() == files.complaint());
  }
  ::chmod(scratch.path.c_str(), 0755);
  CHECK(files.complaint().empty());
  CHECK(files.load(some_key).has_value());
  CHECK(keep_programs(scratch.path));
  CHECK(why_programs_are_not_kept().empty());
  if (::geteuid() == 0) {
    REQUIRE(::chown(scratch.path.c_str(), 65534, 65534) == 0);
    CHECK_FALSE(files.load(some_key).has_value());
    CHECK(files.complaint() == "the folder " + scratch.path.string() +
                                   " is not used: it belongs to user 65534, and this is user 0");
  }
  keep_programs(std::nullopt);
  CHECK(why_programs_are_not_kept() == "they were given no store");
}

TEST_CASE("a folder that cannot be made says so") {
  const scratch_folder scratch("unmade");
  write_bytes(scratch.path, "a file");
  CHECK(program_files(scratch.path)
            .complaint()
            .starts_with("the folder " + scratch.path.string() + " cannot be opened: "));
  CHECK(program_files(scratch.path / "below").complaint().find("cannot be") != std::string::npos);
}

TEST_CASE("nothing but our own names is trimmed") {
  const scratch_folder scratch("names");
  program_files files(scratch.path, 1);
  program_key other = some_key;
  other.source += "x";
  files.save(other, some_program);  // makes the folder, and goes at once
  CHECK_FALSE(files.load(other).has_value());
  const std::string entry = files.file_of(some_key).string(), name = fs::path(entry).stem();
  const std::vector<std::string> kept{"notes.clprim",         "X" + name.substr(1) + ".clprim",
                                      name + ".clprim.saved", name + "0.clprim",
                                      name + ".clprim~",      name + ".txt"};
  for (const std::string& theirs : kept) write_bytes(scratch.path / theirs, "theirs");
  write_bytes(entry + ".12-34-5", "left by a process that was killed");
  fs::create_directory(scratch.path / ("f" + name.substr(1) + ".clprim"));
  program_files(scratch.path, 1).save(some_key, some_program);
  for (const std::string& theirs : kept) CHECK(fs::exists(scratch.path / theirs));
  CHECK(fs::is_directory(scratch.path / ("f" + name.substr(1) + ".clprim")));
  CHECK_FALSE(fs::exists(entry + ".12-34-5"));
}

// Run by the next one with the rights of another user.
TEST_CASE("what a program with borrowed rights says" * doctest::skip()) {
  MESSAGE("folder: " << program_folder().value_or("none").string());
}

TEST_CASE("a program with another user's rights does not look where its caller says") {
  if (::geteuid() != 0) return;  // who else may make one
  const scratch_folder scratch("setuid");
  fs::create_directory(scratch.path);
  fs::permissions(scratch.path, fs::perms::owner_all | fs::perms::others_exec);
  const fs::path copy = scratch.path / "test";
  fs::copy_file("/proc/self/exe", copy);
  const std::string command = "env -u CLPRIM_TEST_LOCALE CLPRIM_CACHE_DIR=/of/the/caller " +
                              copy.string() +
                              " --no-skip -s -tc='what a program with borrowed rights says' 2>&1";
  for (const bool borrowed : {false, true}) {
    if (borrowed) {
      REQUIRE(::chown(copy.c_str(), 65534, 65534) == 0);
      REQUIRE(::chmod(copy.c_str(), 04755) == 0);
    }
    const support::ended run = support::run_program(command);
    if (run.status != 0) {
      MESSAGE("the copy does not run here: " << run.said);
      return;
    }
    CHECK(support::contains(run.said, borrowed ? "folder: none" : "folder: /of/the/caller"));
  }
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
