#pragma once
// Programs kept in files, across processes.

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include <clprim/runtime/program_store.hpp>

namespace clprim {
namespace detail {

/// A sum of bytes in the manner of FNV-1a (Fowler, Noll and Vo), by words of eight bytes, the
/// upper half of every product folded into the lower: 150 kB in 37 us (AMD EPYC).
constexpr std::uint64_t sum_start = 0xcbf29ce484222325;
inline std::uint64_t sum_of(std::string_view bytes, std::uint64_t sum = sum_start) {
  const auto add = [&sum](std::uint64_t word) {
    sum = (sum ^ word) * 0x100000001b3;
    sum ^= sum >> 32;
  };
  for (; bytes.size() >= 8; bytes.remove_prefix(8)) {
    std::uint64_t word = 0;
    std::memcpy(&word, bytes.data(), 8);
    add(word);
  }
  for (const char c : bytes) add(static_cast<unsigned char>(c));
  return sum;
}

/// The fields of an entry, in the order in which they are written.
inline std::array<const std::string*, 5> parts_of(const program_key& key) {
  return {&key.source, &key.options, &key.platform, &key.device, &key.driver};
}

}  // namespace detail

/// A folder of programs, a file each. A file is written beside its place and moved there, so that
/// nobody reads half of one; it is read whole, and believed when its sum and its key, the source
/// text and all, are right. What is not is built from source again. Folders and files that cannot
/// be read or written cost the time of a build and nothing else. At the first save and every 32nd
/// files that were used longest ago go, where all of them take more than `limit` bytes; the folder
/// may be removed at any time.
class program_files : public program_store {
 public:
  static constexpr std::uintmax_t usual_limit = std::uintmax_t{256} << 20;

  explicit program_files(std::filesystem::path folder, std::uintmax_t limit = usual_limit)
    : folder_(std::move(folder)), limit_(limit) {}

  const std::filesystem::path& folder() const { return folder_; }

  /// The file of a key.
  std::filesystem::path file_of(const program_key& key) const {
    std::uint64_t one = detail::sum_start, other = ~detail::sum_start;
    for (const std::string* part : detail::parts_of(key)) {
      for (std::uint64_t* const sum : {&one, &other})
        *sum = detail::sum_of(*part, detail::sum_of(number(part->size()), *sum));
    }
    constexpr std::string_view digits = "0123456789abcdef";
    std::string name;
    for (const std::uint64_t half : {one, other})
      for (int shift = 60; shift >= 0; shift -= 4) name += digits[half >> shift & 15];
    return folder_ / (name + std::string(ending));
  }

  std::optional<stored_program> load(const program_key& key) override {
    const std::filesystem::path file = file_of(key);
    const std::string all = whole(file);
    std::string_view rest = all;
    if (rest.size() < head.size() + 8 || !rest.starts_with(head)) return std::nullopt;
    const std::string_view sum = rest.substr(rest.size() - 8);
    rest.remove_suffix(8);
    if (sum != number(detail::sum_of(rest))) return std::nullopt;
    rest.remove_prefix(head.size());
    for (const std::string* part : detail::parts_of(key)) {
      const auto text = field(rest);
      if (!text || *text != *part) return std::nullopt;
    }
    const auto log = field(rest), binary = field(rest);
    if (!log || !binary || binary->empty()) return std::nullopt;
    std::error_code none;
    std::filesystem::last_write_time(file, std::filesystem::file_time_type::clock::now(), none);
    return stored_program{{binary->begin(), binary->end()}, std::string(*log)};
  }

  void save(const program_key& key, const stored_program& program) override {
    std::string all(head);
    const auto add = [&](std::string_view text) {
      all += number(text.size());
      all += text;
    };
    for (const std::string* part : detail::parts_of(key)) add(*part);
    add(program.log);
    add({reinterpret_cast<const char*>(program.binary.data()), program.binary.size()});
    all += number(detail::sum_of(all));
    std::error_code none;
    std::filesystem::create_directories(folder_, none);
    const std::filesystem::path place = file_of(key), beside = place.string() + unique_ending();
    bool written = false;
    {
      std::ofstream out(beside, std::ios::binary | std::ios::trunc);
      out.write(all.data(), static_cast<std::streamsize>(all.size()));
      out.close();
      written = !out.fail();
    }
    if (written) std::filesystem::rename(beside, place, none);
    if (!written || none) std::filesystem::remove(beside, none);
    if (saved_++ % saves_between_trims == 0) trim();
  }

 private:
  static constexpr std::string_view head = "clprim program 2\n", ending = ".clprim";
  static constexpr unsigned saves_between_trims = 32;

  /// Eight bytes, the lowest first.
  static std::string number(std::uint64_t value) {
    std::string bytes;
    for (int shift = 0; shift < 64; shift += 8) bytes += static_cast<char>(value >> shift & 255);
    return bytes;
  }
  /// Takes the next field off `rest`; nothing where it is cut.
  static std::optional<std::string_view> field(std::string_view& rest) {
    if (rest.size() < 8) return std::nullopt;
    std::uint64_t size = 0;
    for (std::size_t i = 8; i-- > 0;) size = size << 8 | static_cast<unsigned char>(rest[i]);
    rest.remove_prefix(8);
    if (size > rest.size()) return std::nullopt;
    const std::string_view text = rest.substr(0, static_cast<std::size_t>(size));
    rest.remove_prefix(text.size());
    return text;
  }
  /// All bytes of a file; none where it cannot be read.
  static std::string whole(const std::filesystem::path& file) {
    std::error_code none;
    const std::uintmax_t size = std::filesystem::file_size(file, none);
    std::ifstream in(file, std::ios::binary);
    if (none || !in || size > usual_limit) return {};
    std::string bytes(static_cast<std::size_t>(size), '\0');
    in.read(bytes.data(), static_cast<std::streamsize>(size));
    bytes.resize(static_cast<std::size_t>(in.gcount()));
    return bytes;
  }
  /// An ending that no other thread or process has at this time.
  std::string unique_ending() const {
    static std::atomic<unsigned> count = 0;
    const auto now = std::chrono::steady_clock::now().time_since_epoch().count();
    const auto here = static_cast<std::uint64_t>(reinterpret_cast<std::uintptr_t>(this));
    return "." + std::to_string(now) + "-" + std::to_string(here) + "-" + std::to_string(count++);
  }
  /// Removes what was used longest ago, until three quarters of the limit are left: programs, and
  /// what processes that were killed left beside them.
  void trim() const {
    struct kept {
      std::filesystem::file_time_type used;
      std::uintmax_t bytes;
      std::filesystem::path file;
    };
    std::vector<kept> files;
    std::uintmax_t all = 0;
    std::error_code none;
    for (std::filesystem::directory_iterator i(folder_, none), end; !none && i != end;
         i.increment(none)) {
      if (i->path().filename().string().find(ending) == std::string::npos) continue;
      std::error_code gone;
      kept one{i->last_write_time(gone), 0, i->path()};
      if (!gone) one.bytes = i->file_size(gone);
      if (gone) continue;
      all += one.bytes;
      files.push_back(std::move(one));
    }
    if (all <= limit_) return;
    std::sort(files.begin(), files.end(),
              [](const kept& a, const kept& b) { return a.used < b.used; });
    for (const kept& one : files) {
      if (all <= limit_ / 4 * 3) break;
      if (std::filesystem::remove(one.file, none)) all -= one.bytes;
    }
  }

  std::filesystem::path folder_;
  std::uintmax_t limit_;
  std::atomic<unsigned> saved_ = 0;
};

/// Where the platform keeps what can be made again: CLPRIM_CACHE_DIR, where it is set, else
/// XDG_CACHE_HOME/clprim, ~/Library/Caches/clprim (macOS), ~/.cache/clprim, or LOCALAPPDATA\clprim
/// (Windows). Nothing where none of these is known, or CLPRIM_CACHE_DIR is empty: switched off.
inline std::optional<std::filesystem::path> program_folder() {
  using std::filesystem::path;
  const auto variable = [](const char* name) -> std::optional<path> {
    const char* const text = std::getenv(name);
    if (text == nullptr) return std::nullopt;
    return path(text);
  };
  const auto below = [](const std::optional<path>& place, const char* name) -> std::optional<path> {
    if (!place || place->empty()) return std::nullopt;
    return *place / name;
  };
  if (const auto chosen = variable("CLPRIM_CACHE_DIR"))
    return chosen->empty() ? std::nullopt : chosen;
#if defined(_WIN32)
  return below(variable("LOCALAPPDATA"), "clprim");
#else
  if (auto caches = below(variable("XDG_CACHE_HOME"), "clprim")) return caches;
#if defined(__APPLE__)
  return below(variable("HOME"), "Library/Caches/clprim");
#else
  return below(variable("HOME"), ".cache/clprim");
#endif
#endif
}

}  // namespace clprim
