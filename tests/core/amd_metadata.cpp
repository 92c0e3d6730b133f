#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

#include <clprim/core/amd_metadata.hpp>

using namespace clprim;

namespace {

// A code object is put together here, byte by byte, by the same documents that the reader cites.

std::string little(std::uint64_t value, int width) {
  std::string bytes;
  for (int i = 0; i < width; ++i) bytes += static_cast<char>(value >> (8 * i) & 0xff);
  return bytes;
}

std::string big(std::uint64_t value, int width) {
  std::string bytes;
  for (int i = width - 1; i >= 0; --i) bytes += static_cast<char>(value >> (8 * i) & 0xff);
  return bytes;
}

std::string tag(unsigned value) { return std::string(1, static_cast<char>(value)); }

std::string packed(std::string_view text) {
  if (text.size() < 32) return tag(0xa0u | static_cast<unsigned>(text.size())) + std::string(text);
  return tag(0xd9) + big(text.size(), 1) + std::string(text);
}

std::string packed(std::uint64_t number) {
  if (number < 128) return tag(static_cast<unsigned>(number));
  if (number < 256) return tag(0xcc) + big(number, 1);
  if (number < 65536) return tag(0xcd) + big(number, 2);
  return tag(0xce) + big(number, 4);
}

using pair = std::pair<std::string, std::string>;

std::string packed_map(const std::vector<pair>& pairs) {
  std::string bytes = pairs.size() < 16 ? tag(0x80u | static_cast<unsigned>(pairs.size()))
                                        : tag(0xde) + big(pairs.size(), 2);
  for (const auto& [key, value] : pairs) bytes += packed(key) + value;
  return bytes;
}

std::string packed_array(const std::vector<std::string>& values) {
  std::string bytes = tag(0xdc) + big(values.size(), 2);
  for (const auto& value : values) bytes += value;
  return bytes;
}

std::string kernel_metadata(std::string_view name, std::uint64_t vgprs, std::uint64_t local) {
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

std::string metadata() {
  return packed_map({{"amdhsa.version", packed_array({packed(1), packed(2)})},
                     {"amdhsa.target", packed("amdgcn-amd-amdhsa--gfx90a:sramecc+:xnack-")},
                     {"amdhsa.kernels", packed_array({kernel_metadata("gemm", 184, 66048),
                                                      kernel_metadata("gemm_finish", 20, 0)})}});
}

std::string filled(std::string text) {
  while (text.size() % 4 != 0) text += '\0';
  return text;
}

std::string note(std::string name, std::uint64_t type, const std::string& description) {
  name += '\0';
  return little(name.size(), 4) + little(description.size(), 4) + little(type, 4) + filled(name) +
         filled(description);
}

enum class found_by { segment, section };

std::string elf(const std::string& notes, found_by by = found_by::segment) {
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

std::string code_object() {
  return elf(note("GNU", 3, "0123456789") + note("AMDGPU", 32, metadata()));
}

std::optional<amd_kernel> find(const std::string& binary, std::string_view kernel) {
  const auto* bytes = reinterpret_cast<const unsigned char*>(binary.data());
  return find_amd_kernel({bytes, binary.size()}, kernel);
}

const amd_kernel gemm{.vector_registers = 184,
                      .scalar_registers = 42,
                      .local_bytes = 66048,
                      .private_bytes = 136,
                      .vector_spills = 34,
                      .scalar_spills = 0,
                      .wavefront = 64,
                      .max_work_group = 256};

}  // namespace

TEST_CASE("an AMD code object tells registers, memories and spills of each kernel") {
  CHECK(find(code_object(), "gemm") == gemm);
  const auto finish = find(code_object(), "gemm_finish");
  REQUIRE(finish.has_value());
  CHECK(finish->vector_registers == 20);
  CHECK(finish->local_bytes == 0);
  CHECK_FALSE(find(code_object(), "gem").has_value());
  CHECK_FALSE(find(code_object(), "").has_value());
}

TEST_CASE("the note is found by its section too, and in a code object inside another file") {
  const std::string notes = note("AMDGPU", 32, metadata());
  CHECK(find(elf(notes, found_by::section), "gemm") == gemm);
  CHECK(find("__CLANG_OFFLOAD_BUNDLE__ and its table" + elf(notes), "gemm") == gemm);
  CHECK(find(elf(note("other", 1, "x")) + code_object(), "gemm") == gemm);
}

TEST_CASE("notes of others, older notes and kernels without figures give no answer") {
  CHECK_FALSE(find(elf(note("AMDGPU", 10, metadata())), "gemm").has_value());
  CHECK_FALSE(find(elf(note("NVIDIA", 32, metadata())), "gemm").has_value());
  CHECK_FALSE(find("", "gemm").has_value());
  CHECK_FALSE(find("//\n// Generated by a compiler that writes text\n", "gemm").has_value());
  const std::string bare =
      packed_map({{"amdhsa.kernels", packed_array({packed_map({{".name", packed("gemm")}})})}});
  CHECK(find(elf(note("AMDGPU", 32, bare)), "gemm") == amd_kernel{});
}

TEST_CASE("a figure of another type or beyond an int is not known, and the rest is read") {
  const auto with = [](const std::string& vgprs) {
    const std::string kernel =
        packed_map({{".vgpr_count", vgprs}, {".name", packed("f")}, {".sgpr_count", packed(7)}});
    return find(elf(note("AMDGPU", 32, packed_map({{"amdhsa.kernels", packed_array({kernel})}}))),
                "f");
  };
  for (const std::string& value :
       {tag(0xcf) + big(1ull << 31, 8), tag(0xff), tag(0xd0) + big(0x80, 1), packed("many"),
        tag(0xca) + big(0, 4), packed_array({packed(1), packed(2)}), tag(0xc0),
        tag(0xc4) + big(3, 1) + "abc", tag(0xc7) + big(2, 1) + tag(5) + "ab",
        tag(0xd6) + tag(5) + "abcd"}) {
    const auto found = with(value);
    REQUIRE(found.has_value());
    CHECK_FALSE(found->vector_registers.has_value());
    CHECK(found->scalar_registers == 7);
  }
  CHECK(with(tag(0xd1) + big(300, 2))->vector_registers == 300);
  CHECK(with(tag(0xcf) + big(96, 8))->vector_registers == 96);
}

TEST_CASE("a code object cut off anywhere gives no wrong answer") {
  const std::string whole = code_object();
  for (std::size_t size = 0; size < whole.size(); ++size) {
    const auto found = find(std::string(whole.data(), size), "gemm");
    if (found) CHECK(found == gemm);
  }
}

TEST_CASE("a code object with any byte changed is read without harm") {
  const std::string whole = code_object();
  int answers = 0;
  for (std::size_t i = 0; i < whole.size(); ++i) {
    for (const unsigned value : {0x00u, 0x7fu, 0x80u, 0xdfu, 0xffu}) {
      std::string damaged = whole;
      damaged[i] = static_cast<char>(value);
      answers += find(damaged, "gemm") ? 1 : 0;
    }
  }
  CHECK(answers > 0);
}

TEST_CASE("containers that promise more than there is, however deep, end the reading") {
  for (const std::string& deep : {std::string(100'000, static_cast<char>(0x91)),
                                  tag(0xdd) + big(0xffffffff, 4), tag(0xdf) + big(0xffffffff, 4)}) {
    const std::string map = tag(0x82) + packed("unknown") + deep;
    CHECK_FALSE(find(elf(note("AMDGPU", 32, map)), "gemm").has_value());
  }
}
