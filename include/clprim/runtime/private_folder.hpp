#pragma once
// A folder that only this user can write to: what is read there is run as code.

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <ctime>
#include <filesystem>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#if defined(_WIN32)
#include <fstream>
#else
#include <cerrno>

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#endif

namespace clprim::detail {

/// Nanoseconds of the system's clock: another number each time that it is asked, soon enough.
inline std::int64_t ticks() {
  std::timespec now{};
  std::timespec_get(&now, TIME_UTC);
  return std::int64_t{now.tv_sec} * 1'000'000'000 + now.tv_nsec;
}

/// An ending that no other thread or process has at this time.
inline std::string unique_ending() {
  static std::atomic<unsigned> count = 0;
  const std::int64_t now = ticks();
  const auto here = static_cast<std::uint64_t>(reinterpret_cast<std::uintptr_t>(&now));
  return "." + std::to_string(now) + "-" + std::to_string(here) + "-" + std::to_string(count++);
}

/// A file of a folder.
struct kept_file {
  std::string name;
  std::uintmax_t bytes = 0;
  std::int64_t used = 0;  ///< when it was written or read last, on a clock of the system's
};

#if defined(_WIN32)

/// A folder of the user's profile, which Windows keeps from others.
class private_folder {
 public:
  explicit private_folder(std::filesystem::path place) : place_(std::move(place)) {}
  const std::filesystem::path& place() const { return place_; }

  std::string refusal() const {
    std::error_code none;
    std::filesystem::create_directories(place_, none);
    return none ? "the folder " + place_.string() + " cannot be made: " + none.message() : "";
  }
  std::string read(const std::string& name, std::uintmax_t most) const {
    std::error_code none;
    const auto file = place_ / name;
    if (!std::filesystem::is_regular_file(std::filesystem::symlink_status(file, none))) return {};
    const std::uintmax_t size = std::filesystem::file_size(file, none);
    std::ifstream in(file, std::ios::binary);
    if (none || !in || size > most) return {};
    std::string bytes(static_cast<std::size_t>(size), '\0');
    in.read(bytes.data(), static_cast<std::streamsize>(size));
    bytes.resize(static_cast<std::size_t>(in.gcount()));
    std::filesystem::last_write_time(file, std::filesystem::file_time_type::clock::now(), none);
    return bytes;
  }
  void write(const std::string& name, std::string_view bytes) const {
    std::error_code none;
    std::filesystem::create_directories(place_, none);
    const std::filesystem::path beside = place_ / (name + unique_ending());
    bool written = false;
    {
      std::ofstream out(beside, std::ios::binary | std::ios::trunc);
      out.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
      out.close();
      written = !out.fail();
    }
    if (written) std::filesystem::rename(beside, place_ / name, none);
    if (!written || none) std::filesystem::remove(beside, none);
  }
  std::vector<kept_file> files() const {
    std::vector<kept_file> all;
    std::error_code none;
    for (std::filesystem::directory_iterator i(place_, none), end; !none && i != end;
         i.increment(none)) {
      std::error_code gone;
      if (!std::filesystem::is_regular_file(i->symlink_status(gone))) continue;
      kept_file one{i->path().filename().string(), i->file_size(gone), 0};
      one.used = i->last_write_time(gone).time_since_epoch().count();
      if (!gone) all.push_back(std::move(one));
    }
    return all;
  }
  bool remove(const std::string& name) const {
    std::error_code none;
    return std::filesystem::remove(place_ / name, none);
  }

 private:
  std::filesystem::path place_;
};

#else

/// An open file or folder; closed at the end.
class descriptor {
 public:
  explicit descriptor(int number) : number_(number) {}
  descriptor(const descriptor&) = delete;
  descriptor& operator=(const descriptor&) = delete;
  ~descriptor() {
    if (number_ >= 0) ::close(number_);
  }
  int get() const { return number_; }
  bool is_open() const { return number_ >= 0; }

 private:
  int number_;
};

/// A folder that only this user can write to. It is opened first and looked at then, and its files
/// are named from there, so that what was looked at is what is used. Its files count where they are
/// regular, this user's, and writable by nobody else; links are not followed.
class private_folder {
 public:
  explicit private_folder(std::filesystem::path place)
    : place_(place.has_filename() ? std::move(place) : place.parent_path()) {}
  const std::filesystem::path& place() const { return place_; }

  /// Why the folder is not used, in one sentence; empty where it is, or where it can be made.
  std::string refusal() const {
    const std::string name = "the folder " + place_.string();
    const descriptor folder = opened();
    if (!folder.is_open() && errno == ENOENT) return refusal_to_make(name);
    if (!folder.is_open()) return name + " cannot be opened: " + said(errno);
    std::string fault = fault_of(folder);
    if (!fault.empty()) return name + " is not used: " + fault;
    if (::faccessat(folder.get(), ".", W_OK, AT_EACCESS) != 0)
      return name + " cannot be written to: " + said(errno);
    return {};
  }

  /// All bytes of a file, which counts as used now; none where it cannot be read, is not believed
  /// or holds more than `most`.
  std::string read(const std::string& name, std::uintmax_t most) const {
    const descriptor folder = opened();
    struct stat seen {};
    // Looked at before it is opened, for a device may do something when it is; and once more
    // afterwards, for another file may have its name by then.
    if (!folder.is_open() || !fault_of(folder).empty() ||
        ::fstatat(folder.get(), name.c_str(), &seen, AT_SYMLINK_NOFOLLOW) != 0 || !is_ours(seen))
      return {};
    const descriptor file(
        ::openat(folder.get(), name.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC));
    if (!file.is_open() || ::fstat(file.get(), &seen) != 0 || !is_ours(seen)) return {};
    if (static_cast<std::uintmax_t>(seen.st_size) > most) return {};
    std::string bytes(static_cast<std::size_t>(seen.st_size), '\0');
    std::size_t got = 0;
    while (got < bytes.size()) {
      const ssize_t part = ::read(file.get(), bytes.data() + got, bytes.size() - got);
      if (part <= 0) break;
      got += static_cast<std::size_t>(part);
    }
    bytes.resize(got);
    ::futimens(file.get(), nullptr);
    return bytes;
  }

  /// Writes a file beside its place and moves it there, so that nobody reads half of one. What goes
  /// wrong leaves the folder as it was.
  void write(const std::string& name, std::string_view bytes) const {
    if (!place_.parent_path().empty()) {
      std::error_code none;
      std::filesystem::create_directories(place_.parent_path(), none);
    }
    ::mkdir(place_.c_str(), S_IRWXU);
    const descriptor folder = opened();
    if (!folder.is_open() || !fault_of(folder).empty()) return;
    const std::string beside = name + unique_ending();
    bool written = false;
    {
      const descriptor file(::openat(folder.get(), beside.c_str(),
                                     O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC,
                                     S_IRUSR | S_IWUSR));
      if (!file.is_open()) return;
      while (!bytes.empty()) {
        const ssize_t part = ::write(file.get(), bytes.data(), bytes.size());
        if (part <= 0) break;
        bytes.remove_prefix(static_cast<std::size_t>(part));
      }
      written = bytes.empty();
    }
    if (!written || ::renameat(folder.get(), beside.c_str(), folder.get(), name.c_str()) != 0)
      ::unlinkat(folder.get(), beside.c_str(), 0);
  }

  /// The regular files of the folder.
  std::vector<kept_file> files() const {
    std::vector<kept_file> all;
    const descriptor folder = opened();
    if (!folder.is_open() || !fault_of(folder).empty()) return all;
    // A stream closes what it was made of.
    DIR* const stream =
        ::fdopendir(::openat(folder.get(), ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    if (stream == nullptr) return all;
    while (const dirent* const entry = ::readdir(stream)) {
      struct stat seen {};
      if (::fstatat(folder.get(), entry->d_name, &seen, AT_SYMLINK_NOFOLLOW) != 0 ||
          !S_ISREG(seen.st_mode))
        continue;
#if defined(__APPLE__)
      const timespec used = seen.st_mtimespec;
#else
      const timespec used = seen.st_mtim;
#endif
      all.push_back({entry->d_name, static_cast<std::uintmax_t>(seen.st_size),
                     std::int64_t{used.tv_sec} * 1'000'000'000 + used.tv_nsec});
    }
    ::closedir(stream);
    return all;
  }
  bool remove(const std::string& name) const {
    const descriptor folder = opened();
    return folder.is_open() && fault_of(folder).empty() &&
           ::unlinkat(folder.get(), name.c_str(), 0) == 0;
  }

 private:
  static constexpr mode_t others_write = S_IWGRP | S_IWOTH;

  descriptor opened() const {
    return descriptor(::open(place_.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  }
  static bool is_ours(const struct stat& seen) {
    return S_ISREG(seen.st_mode) && seen.st_uid == ::geteuid() &&
           (seen.st_mode & others_write) == 0;
  }
  static std::string said(int code) { return std::generic_category().message(code); }

  static std::string fault_of(const descriptor& folder) {
    struct stat seen {};
    if (::fstat(folder.get(), &seen) != 0) return said(errno);
    if (seen.st_uid != ::geteuid()) {
      return "it belongs to user " + std::to_string(seen.st_uid) + ", and this is user " +
             std::to_string(::geteuid());
    }
    if ((seen.st_mode & others_write) == 0) return {};
    const unsigned mode = seen.st_mode & 0777U;
    std::string digits = "0";
    for (const int shift : {6, 3, 0}) digits += static_cast<char>('0' + (mode >> shift & 7));
    return "others may write to it (mode " + digits + "), which `chmod go-w` takes from them";
  }
  std::string refusal_to_make(const std::string& name) const {
    std::error_code none;
    std::filesystem::path above = std::filesystem::absolute(place_, none).parent_path();
    while (above.has_relative_path() && !std::filesystem::exists(above, none))
      above = above.parent_path();
    if (::access(above.c_str(), W_OK | X_OK) == 0) return {};
    return name + " cannot be made in " + above.string() + ": " + said(errno);
  }

  std::filesystem::path place_;
};

#endif

}  // namespace clprim::detail
