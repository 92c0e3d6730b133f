#pragma once
// A code object of AMD's, put together byte by byte, by the same documents that the reader cites.

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

namespace support::code_object {

inline std::string little(std::uint64_t value, int width) {
  std::string bytes;
  for (int i = 0; i < width; ++i) bytes += static_cast<char>(value >> (8 * i) & 0xff);
  return bytes;
}

inline std::string big(std::uint64_t value, int width) {
  std::string bytes;
  for (int i = width - 1; i >= 0; --i) bytes += static_cast<char>(value >> (8 * i) & 0xff);
  return bytes;
}

inline std::string tag(unsigned value) { return std::string(1, static_cast<char>(value)); }

inline std::string packed(std::string_view text) {
  if (text.size() < 32) return tag(0xa0u | static_cast<unsigned>(text.size())) + std::string(text);
  return tag(0xd9) + big(text.size(), 1) + std::string(text);
}

inline std::string packed(std::uint64_t number) {
  if (number < 128) return tag(static_cast<unsigned>(number));
  if (number < 256) return tag(0xcc) + big(number, 1);
  if (number < 65536) return tag(0xcd) + big(number, 2);
  return tag(0xce) + big(number, 4);
}

using pair = std::pair<std::string, std::string>;

inline std::string packed_map(const std::vector<pair>& pairs) {
  std::string bytes = pairs.size() < 16 ? tag(0x80u | static_cast<unsigned>(pairs.size()))
                                        : tag(0xde) + big(pairs.size(), 2);
  for (const auto& [key, value] : pairs) bytes += packed(key) + value;
  return bytes;
}

inline std::string packed_array(const std::vector<std::string>& values) {
  std::string bytes = tag(0xdc) + big(values.size(), 2);
  for (const auto& value : values) bytes += value;
  return bytes;
}

inline std::string kernel_metadata(std::string_view name, std::uint64_t vgprs,
                                   std::uint64_t local) {
  const std::string argument =
      packed_map({{".address_space", packed("global")}, {".offset", packed(0)}});
  return packed_map({{".agpr_count", packed(0)},
                     {".args", packed_array({argument, argument})},
                     {".group_segment_fixed_size", packed(local)},
                     {".kernarg_segment_size", packed(280)},
                     {".language", packed("OpenCL C")},
                     {".language_version", packed_array({packed(2), packed(0)})},
                     {".max_flat_workgroup_size", packed(256)},
                     {".name", packed(name)},
                     {".private_segment_fixed_size", packed(136)},
                     {".reqd_workgroup_size", packed_array({packed(256), packed(1), packed(1)})},
                     {".sgpr_count", packed(42)},
                     {".sgpr_spill_count", packed(0)},
                     {".symbol", packed(std::string(name) + ".kd")},
                     {".uniform_work_group_size", packed(1)},
                     {".vgpr_count", packed(vgprs)},
                     {".vgpr_spill_count", packed(34)},
                     {".wavefront_size", packed(64)}});
}

inline std::string metadata() {
  return packed_map({{"amdhsa.version", packed_array({packed(1), packed(2)})},
                     {"amdhsa.target", packed("amdgcn-amd-amdhsa--gfx90a:sramecc+:xnack-")},
                     {"amdhsa.kernels", packed_array({kernel_metadata("gemm", 184, 66048),
                                                      kernel_metadata("gemm_finish", 20, 0)})}});
}

inline std::string filled(std::string text) {
  while (text.size() % 4 != 0) text += '\0';
  return text;
}

inline std::string note(std::string name, std::uint64_t type, const std::string& description) {
  name += '\0';
  return little(name.size(), 4) + little(description.size(), 4) + little(type, 4) + filled(name) +
         filled(description);
}

enum class found_by { segment, section };

inline std::string elf(const std::string& notes, found_by by = found_by::segment) {
  const bool segment = by == found_by::segment;
  std::string head =
      "\x7f"
      "ELF\x02\x01\x01";
  head.resize(16);
  head += little(3, 2) + little(224, 2) + little(1, 4) + little(0, 8);  // shared, AMDGPU, version
  head += little(segment ? 64 : 0, 8) + little(segment ? 0 : 64, 8);    // program, section headers
  head += little(0, 4) + little(64, 2);                                 // flags, header size
  head += little(56, 2) + little(segment ? 1 : 0, 2);
  head += little(64, 2) + little(segment ? 0 : 1, 2) + little(0, 2);
  REQUIRE(head.size() == 64);
  const std::uint64_t size = notes.size();
  if (segment) {
    const std::uint64_t at = 64 + 56;
    return head + little(4, 4) + little(4, 4) + little(at, 8) + little(at, 8) + little(at, 8) +
           little(size, 8) + little(size, 8) + little(4, 8) + notes;
  }
  const std::uint64_t at = 64 + 64;
  return head + little(1, 4) + little(7, 4) + little(2, 8) + little(at, 8) + little(at, 8) +
         little(size, 8) + little(0, 8) + little(4, 8) + little(0, 8) + notes;
}

}  // namespace support::code_object
