#pragma once
// Programs kept in files, across processes.

#include <array>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <memory>
#include <optional>
#include <sstream>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include <clprim/runtime/program.hpp>

namespace clprim {
namespace detail {

/// FNV-1a (Fowler, Noll and Vo), 64 bits.
constexpr std::uint64_t fnv_start = 0xcbf29ce484222325;
constexpr std::uint64_t fnv(std::string_view bytes, std::uint64_t hash = fnv_start) {
  for (const char c : bytes) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3;
  return hash;
}

/// The fields of an entry, in the order in which they are written.
inline std::array<const std::string*, 5> parts_of(const program_key& key) {
  return {&key.source, &key.options, &key.platform, &key.device, &key.driver};
}

}  // namespace detail

/// A folder of programs, a file each. A file is written beside its place and moved there, so that
/// nobody reads half of one; it is read whole, and believed when its sum and its key, the source
/// text and all, are right. What is not is built from source again. Folders and files that cannot
/// be read or written cost the time of a build and nothing else. Nothing is ever removed; the
/// folder may be, at any time.
class program_files : public program_store {
 public:
  explicit program_files(std::filesystem::path folder) : folder_(std::move(folder)) {}

  const std::filesystem::path& folder() const { return folder_; }

  /// The file of a key.
  std::filesystem::path file_of(const program_key& key) const {
    std::uint64_t one = detail::fnv_start, other = ~detail::fnv_start;
    for (const std::string* part : detail::parts_of(key)) {
      const std::string text = std::to_string(part->size()) + ' ' + *part;
      one = detail::fnv(text, one);
      other = detail::fnv(text, other);
    }
    constexpr std::string_view digits = "0123456789abcdef";
    std::string name;
    for (const std::uint64_t half : {one, other})
      for (int shift = 60; shift >= 0; shift -= 4) name += digits[half >> shift & 15];
    return folder_ / (name + ".clprim");
  }

  std::optional<stored_program> load(const program_key& key) override {
    std::ifstream in(file_of(key), std::ios::binary);
    std::ostringstream bytes;
    bytes << in.rdbuf();  // what fails to be read (a folder) is left out
    const std::string all = bytes.str();
    std::string_view rest = all;
    if (rest.size() < head.size() + 8 || !rest.starts_with(head)) return std::nullopt;
    const std::string_view sum = rest.substr(rest.size() - 8);
    rest.remove_suffix(8);
    if (sum != number(detail::fnv(rest))) return std::nullopt;
    rest.remove_prefix(head.size());
    for (const std::string* part : detail::parts_of(key)) {
      const auto text = field(rest);
      if (!text || *text != *part) return std::nullopt;
    }
    const auto log = field(rest), binary = field(rest);
    if (!log || !binary || binary->empty()) return std::nullopt;
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
    all += number(detail::fnv(all));
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
  }

 private:
  static constexpr std::string_view head = "clprim program 1\n";

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
  /// An ending that no other thread or process has at this time.
  std::string unique_ending() const {
    static std::atomic<unsigned> count = 0;
    const auto now = std::chrono::steady_clock::now().time_since_epoch().count();
    const auto here = static_cast<std::uint64_t>(reinterpret_cast<std::uintptr_t>(this));
    return "." + std::to_string(now) + "-" + std::to_string(here) + "-" + std::to_string(count++);
  }

  std::filesystem::path folder_;
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

/// Keeps the programs that are built from now on in `folder`, and takes them from there; tells
/// whether there is a folder. A process that finds its programs compiles no OpenCL C:
///
///     clprim::keep_programs();
///
/// PoCL 3.1 takes 50 to 60 ms for a program of one line that its own cache has, and 2 from
/// here (it reads the source first); NVIDIA's driver looks its own cache up in 2.
inline bool keep_programs(const std::optional<std::filesystem::path>& folder = program_folder()) {
  set_program_store(folder ? std::make_shared<program_files>(*folder) : nullptr);
  return folder.has_value();
}

}  // namespace clprim
