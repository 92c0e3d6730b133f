#pragma once
// Programs kept in files, across processes.

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <clprim/runtime/private_folder.hpp>
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

/// A folder of programs, a file each, which only this user may write to. A file is read whole, and
/// believed when it is this user's alone and its sum and its key, the source text and all, are
/// right. What is not is built from source again. Folders and files that cannot be read or written
/// cost the time of a build and nothing else; `complaint` tells. At the first save and every 32nd
/// files that were used longest ago go, where all of them take more than `limit` bytes; the folder
/// may be removed at any time.
class program_files : public program_store {
 public:
  static constexpr std::uintmax_t usual_limit = std::uintmax_t{256} << 20;

  explicit program_files(std::filesystem::path folder, std::uintmax_t limit = usual_limit)
    : folder_(std::move(folder)), limit_(limit) {}

  const std::filesystem::path& folder() const { return folder_.place(); }
  std::string complaint() const override { return folder_.refusal(); }

  /// The file of a key.
  std::filesystem::path file_of(const program_key& key) const { return folder() / name_of(key); }

  std::optional<stored_program> load(const program_key& key) override {
    const std::string all = folder_.read(name_of(key), usual_limit);
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
    folder_.write(name_of(key), all);
    if (saved_++ % saves_between_trims == 0) trim();
  }

 private:
  static constexpr std::string_view head = "clprim program 2\n", ending = ".clprim",
                                    digits = "0123456789abcdef";
  static constexpr unsigned saves_between_trims = 32;

  static std::string name_of(const program_key& key) {
    std::uint64_t one = detail::sum_start, other = ~detail::sum_start;
    for (const std::string* part : detail::parts_of(key)) {
      for (std::uint64_t* const sum : {&one, &other})
        *sum = detail::sum_of(*part, detail::sum_of(number(part->size()), *sum));
    }
    std::string name;
    for (const std::uint64_t half : {one, other})
      for (int shift = 60; shift >= 0; shift -= 4) name += digits[half >> shift & 15];
    return name + std::string(ending);
  }

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
  /// Whether a name is one that `write` gives: a key's, or a key's with what tells two apart.
  static bool is_entry(std::string_view name) {
    const auto all_of = [](std::string_view text, std::string_view allowed) {
      return text.find_first_not_of(allowed) == std::string_view::npos;
    };
    constexpr std::size_t sums = 32;
    if (name.size() < sums + ending.size() || !all_of(name.substr(0, sums), digits)) return false;
    name.remove_prefix(sums);
    return name.starts_with(ending) && all_of(name.substr(ending.size()), ".-0123456789");
  }
  /// Removes what was used longest ago, until three quarters of the limit are left: programs, and
  /// what processes that were killed left beside them.
  void trim() const {
    std::vector<detail::kept_file> files = folder_.files();
    std::erase_if(files, [](const detail::kept_file& one) { return !is_entry(one.name); });
    std::uintmax_t all = 0;
    for (const detail::kept_file& one : files) all += one.bytes;
    if (all <= limit_) return;
    std::sort(files.begin(), files.end(),
              [](const auto& a, const auto& b) { return a.used < b.used; });
    for (const detail::kept_file& one : files) {
      if (all <= limit_ / 4 * 3) break;
      if (folder_.remove(one.name)) all -= one.bytes;
    }
  }

  detail::private_folder folder_;
  std::uintmax_t limit_;
  std::atomic<unsigned> saved_ = 0;
};

}  // namespace clprim
