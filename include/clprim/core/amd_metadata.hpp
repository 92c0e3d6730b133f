#pragma once
// The registers and memories of a kernel from the metadata in an AMD code object: an ELF note that
// holds a MessagePack map.
//
//   ELF header → note segments and sections → note "AMDGPU" of type 32 → map → "amdhsa.kernels"
//              → the map whose ".name" is the kernel's → ".vgpr_count" …
//
// Nothing in the file is trusted: every length is checked against what is left, nothing is
// allocated, and a file that breaks off or lies gives no answer. Sources: LLVM, "User Guide for
// AMDGPU Backend", code object v3 to v6 metadata and note records; the MessagePack specification;
// the System V ABI, chapters 4 and 5 (ELF-64). Code objects of version 2 (before ROCm 3) hold YAML
// and give no answer.

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string_view>

namespace clprim {

/// What the compiler wrote down of one kernel; nothing where it did not.
struct amd_kernel {
  std::optional<int> vector_registers;  ///< .vgpr_count, accumulators included, per work-item
  std::optional<int> scalar_registers;  ///< .sgpr_count, per wavefront
  std::optional<int> local_bytes;       ///< .group_segment_fixed_size, per work-group
  std::optional<int> private_bytes;     ///< .private_segment_fixed_size, per work-item
  std::optional<int> vector_spills;     ///< .vgpr_spill_count: stores of one register each
  std::optional<int> scalar_spills;     ///< .sgpr_spill_count
  std::optional<int> wavefront;         ///< .wavefront_size, work-items
  std::optional<int> max_work_group;    ///< .max_flat_workgroup_size

  friend bool operator==(const amd_kernel&, const amd_kernel&) = default;
};

namespace detail {

using byte_span = std::span<const unsigned char>;

/// `count` bytes from `at` on; empty when they are not all there.
constexpr byte_span part_of(byte_span bytes, std::uint64_t at, std::uint64_t count) {
  if (at > bytes.size() || count > bytes.size() - at) return {};
  return bytes.subspan(static_cast<std::size_t>(at), static_cast<std::size_t>(count));
}

/// A little-endian number of `width` bytes; 0 when they are not all there.
constexpr std::uint64_t little_endian(byte_span bytes, std::uint64_t at, unsigned width) {
  const byte_span part = part_of(bytes, at, width);
  std::uint64_t value = 0;
  for (std::size_t i = part.size(); i > 0; --i) value = value << 8 | part[i - 1];
  return value;
}

inline std::string_view text_of(byte_span bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

/// Reads MessagePack from front to back. After anything unexpected `ok` is false and all that
/// follows is nothing.
class msgpack_reader {
 public:
  explicit msgpack_reader(byte_span bytes) : rest_(bytes) {}

  bool ok() const { return ok_; }

  /// The number of pairs of a map, or of elements of an array; the value's parts come next.
  std::uint64_t map() { return container(0x80, 0xde); }
  std::uint64_t array() { return container(0x90, 0xdc); }

  std::string_view string() {
    const value v = next();
    if (v.type != kind::string) ok_ = false;
    return ok_ ? text_of(v.payload) : std::string_view{};
  }

  /// The next value as an int; nothing, and the value is passed over, when it is something else.
  std::optional<int> integer() {
    const byte_span before = rest_;
    const value v = next();
    if (ok_ && v.type == kind::integer && v.number <= std::numeric_limits<int>::max()) {
      return static_cast<int>(v.number);
    }
    rest_ = before;
    skip();
    return std::nullopt;
  }

  /// Passes over one value and all its parts, without recursion however deep it is.
  void skip() {
    for (std::uint64_t pending = 1; pending > 0 && ok_; --pending) pending += next().parts;
  }

 private:
  enum class kind { integer, string, other };
  struct value {
    kind type = kind::other;
    std::uint64_t number = 0;
    byte_span payload{};
    std::uint64_t parts = 0;  ///< values that follow and belong to it
  };

  byte_span take(std::uint64_t count) {
    if (count > rest_.size()) ok_ = false;
    if (!ok_) return {};
    const byte_span taken = rest_.first(static_cast<std::size_t>(count));
    rest_ = rest_.subspan(static_cast<std::size_t>(count));
    return taken;
  }

  /// A big-endian number of `width` bytes.
  std::uint64_t number(unsigned width) {
    std::uint64_t n = 0;
    for (const unsigned char byte : take(width)) n = n << 8 | byte;
    return n;
  }

  std::uint64_t container(unsigned fixed, unsigned wide) {
    const byte_span head = take(1);
    if (head.empty()) return 0;
    const unsigned tag = head[0];
    if ((tag & 0xf0u) == fixed) return tag & 0x0fu;
    if (tag == wide) return number(2);
    if (tag == wide + 1) return number(4);
    ok_ = false;
    return 0;
  }

  value next() {
    const byte_span head = take(1);
    if (head.empty()) return {};
    const unsigned tag = head[0];
    if (tag < 0x80) return {kind::integer, tag, {}, 0};
    if (tag < 0x90) return {kind::other, 0, {}, 2u * (tag & 0x0fu)};
    if (tag < 0xa0) return {kind::other, 0, {}, tag & 0x0fu};
    if (tag < 0xc0) return {kind::string, 0, take(tag & 0x1fu), 0};
    const auto width = [&](unsigned first) { return 1u << (tag - first); };
    if (tag >= 0xc4 && tag <= 0xc6) return {kind::other, 0, take(number(width(0xc4))), 0};
    if (tag >= 0xc7 && tag <= 0xc9) return {kind::other, 0, take(1 + number(width(0xc7))), 0};
    if (tag == 0xca || tag == 0xcb) return {kind::other, 0, take(tag == 0xca ? 4 : 8), 0};
    if (tag >= 0xcc && tag <= 0xcf) return {kind::integer, number(width(0xcc)), {}, 0};
    if (tag >= 0xd0 && tag <= 0xd3) return signed_value(width(0xd0));
    if (tag >= 0xd4 && tag <= 0xd8) return {kind::other, 0, take(1 + width(0xd4)), 0};
    if (tag >= 0xd9 && tag <= 0xdb) return {kind::string, 0, take(number(width(0xd9))), 0};
    if (tag == 0xdc || tag == 0xdd) return {kind::other, 0, {}, number(tag == 0xdc ? 2 : 4)};
    if (tag == 0xde || tag == 0xdf) return {kind::other, 0, {}, 2 * number(tag == 0xde ? 2 : 4)};
    if (tag == 0xc1) ok_ = false;  // never used
    return {};                     // nil, false, true, small negative numbers
  }

  value signed_value(unsigned width) {
    const std::uint64_t n = number(width);
    const bool negative = n >> (8 * width - 1) != 0;
    return {negative ? kind::other : kind::integer, n, {}, 0};
  }

  byte_span rest_;
  bool ok_ = true;
};

/// The map of one kernel, if it is the one of that name.
inline std::optional<amd_kernel> kernel_map(msgpack_reader& in, std::string_view name) {
  amd_kernel k;
  bool found = false;
  const std::uint64_t pairs = in.map();
  for (std::uint64_t i = 0; i < pairs && in.ok(); ++i) {
    const std::string_view key = in.string();
    const auto number = [&](std::string_view which, std::optional<int>& into) {
      if (key != which) return false;
      into = in.integer();
      return true;
    };
    if (key == ".name") {
      found = in.string() == name;
    } else if (!number(".vgpr_count", k.vector_registers) &&
               !number(".sgpr_count", k.scalar_registers) &&
               !number(".group_segment_fixed_size", k.local_bytes) &&
               !number(".private_segment_fixed_size", k.private_bytes) &&
               !number(".vgpr_spill_count", k.vector_spills) &&
               !number(".sgpr_spill_count", k.scalar_spills) &&
               !number(".wavefront_size", k.wavefront) &&
               !number(".max_flat_workgroup_size", k.max_work_group)) {
      in.skip();
    }
  }
  return found && in.ok() ? std::optional(k) : std::nullopt;
}

inline std::optional<amd_kernel> kernel_in_metadata(byte_span metadata, std::string_view name) {
  msgpack_reader in(metadata);
  const std::uint64_t pairs = in.map();
  for (std::uint64_t i = 0; i < pairs && in.ok(); ++i) {
    if (in.string() != "amdhsa.kernels") {
      in.skip();
      continue;
    }
    const std::uint64_t kernels = in.array();
    for (std::uint64_t k = 0; k < kernels && in.ok(); ++k) {
      if (auto found = kernel_map(in, name)) return found;
    }
    return std::nullopt;
  }
  return std::nullopt;
}

/// The notes of one segment or section: name and description, each filled up to 4 bytes.
inline std::optional<amd_kernel> kernel_in_notes(byte_span notes, std::string_view name) {
  constexpr std::string_view owner("AMDGPU\0", 7);
  constexpr std::uint64_t metadata_type = 32;  // NT_AMDGPU_METADATA
  const auto filled = [](std::uint64_t size) { return (size + 3) / 4 * 4; };
  while (notes.size() >= 12) {
    const std::uint64_t name_size = little_endian(notes, 0, 4);
    const std::uint64_t size = little_endian(notes, 4, 4);
    const std::uint64_t description = 12 + filled(name_size);
    if (little_endian(notes, 8, 4) == metadata_type &&
        text_of(part_of(notes, 12, name_size)) == owner) {
      return kernel_in_metadata(part_of(notes, description, size), name);
    }
    const std::uint64_t next = description + filled(size);
    if (next > notes.size()) break;
    notes = notes.subspan(static_cast<std::size_t>(next));
  }
  return std::nullopt;
}

/// One ELF-64 file: its note segments, then its note sections.
inline std::optional<amd_kernel> kernel_in_elf(byte_span file, std::string_view name) {
  constexpr unsigned char elf64_little_endian[] = {2, 1};
  if (file.size() < 64 || file[4] != elf64_little_endian[0] || file[5] != elf64_little_endian[1]) {
    return std::nullopt;
  }
  struct table {
    std::uint64_t start, entry_size, entries, least_entry;
    std::uint64_t type_at, wanted_type, offset_at, size_at;
  };
  const table tables[] = {
      {little_endian(file, 32, 8), little_endian(file, 54, 2), little_endian(file, 56, 2), 56,  //
       0, 4, 8, 32},  // program headers, PT_NOTE
      {little_endian(file, 40, 8), little_endian(file, 58, 2), little_endian(file, 60, 2), 64,  //
       4, 7, 24, 32}};  // section headers, SHT_NOTE
  for (const table& t : tables) {
    if (t.entry_size < t.least_entry) continue;
    for (std::uint64_t i = 0; i < t.entries; ++i) {
      if (t.start > file.size()) break;
      const byte_span entry = part_of(file, t.start + i * t.entry_size, t.entry_size);
      if (entry.empty() || little_endian(entry, t.type_at, 4) != t.wanted_type) continue;
      const byte_span notes =
          part_of(file, little_endian(entry, t.offset_at, 8), little_endian(entry, t.size_at, 8));
      if (auto found = kernel_in_notes(notes, name)) return found;
    }
  }
  return std::nullopt;
}

}  // namespace detail

/// What an AMD program binary (CL_PROGRAM_BINARIES) tells of a kernel; nothing when there is no
/// such kernel or no metadata in it. The code object may stand anywhere in the binary, since a
/// driver may wrap it into a bundle or another ELF file. Never throws, allocates nothing.
inline std::optional<amd_kernel> find_amd_kernel(std::span<const unsigned char> binary,
                                                 std::string_view kernel) {
  constexpr std::string_view magic =
      "\x7f"
      "ELF";
  const std::string_view text = detail::text_of(binary);
  for (auto at = text.find(magic); at != std::string_view::npos; at = text.find(magic, at + 1)) {
    if (auto found = detail::kernel_in_elf(binary.subspan(at), kernel)) return found;
  }
  return std::nullopt;
}

}  // namespace clprim
