// The rewriting of a driver's PTX: what it brings out, and what it refuses.

#include <optional>
#include <string>
#include <string_view>

#include <doctest/doctest.h>

#include <clprim/gemm/source.hpp>
#include <clprim/gemm/tuned_rows_nvidia.hpp>
#include <clprim/runtime/hidden_instructions.hpp>

using namespace clprim;
using detail::is_hidden_instruction;
using detail::with_hidden_instructions;

namespace {

const std::string head = ".version 8.8\n.target sm_90, texmode_independent\n.address_size 64\n";

/// PTX as the driver writes it, with a line of inline assembly.
std::string ptx(const std::string& line) {
  return head + ".visible .entry gemm()\n{\n\t// begin inline asm\n\t" + line +
         "\n\t// end inline asm\n\tret;\n}\n";
}

}  // namespace

TEST_CASE("hidden instructions are brought out, and the target is the architecture's own") {
  const std::string plain = ptx("wgmma.fence.sync.aligned;");
  const std::optional<std::string> found =
      with_hidden_instructions(ptx("//@wgmma.fence.sync.aligned;"));
  REQUIRE(found);
  std::string wanted = plain;
  wanted.insert(wanted.find("sm_90") + 5, "a");
  CHECK(*found == wanted);
  CHECK(with_hidden_instructions(ptx("//@wgmma.fence.sync.aligned;") + std::string(3, '\0')) ==
        found);
}

TEST_CASE("PTX that hides nothing stays as it is") {
  CHECK(with_hidden_instructions(ptx("bar.sync 0;")) == ptx("bar.sync 0;"));
  CHECK(with_hidden_instructions("") == "");
}

TEST_CASE("PTX that this library did not write is refused") {
  CHECK_FALSE(with_hidden_instructions(ptx("//@bra DONE;")));
  CHECK_FALSE(with_hidden_instructions(ptx("//@wgmma.fence.sync.aligned; // and more")));
  CHECK_FALSE(with_hidden_instructions(ptx("mov.u32 %r1, 1; //@wgmma.fence.sync.aligned;")));
  CHECK_FALSE(
      with_hidden_instructions(ptx("//@{ .reg .pred add; setp.ne.b32 add, %r1, 0; trap; }")));
  CHECK_FALSE(with_hidden_instructions(ptx("//@")));
  std::string other = ptx("//@wgmma.fence.sync.aligned;");
  other.replace(other.find("sm_90"), 5, "sm_80");
  CHECK_FALSE(with_hidden_instructions(other));
  std::string own = ptx("//@wgmma.fence.sync.aligned;");
  own.insert(own.find("sm_90") + 5, "a");
  CHECK_FALSE(with_hidden_instructions(own));
  CHECK_FALSE(with_hidden_instructions(head + ptx("//@wgmma.fence.sync.aligned;")));
  CHECK_FALSE(with_hidden_instructions("//@wgmma.fence.sync.aligned;\n"));
}

TEST_CASE("every instruction that a kernel hides is one that is brought out") {
  for (const gemm_row& row : gemm_tables::nvidia_half) {
    if (row.policy.instruction != gemm_instruction::wgmma) continue;
    gemm_variant v{.type = scalar::half_};
    v.a.alignment = v.b.alignment = 8;
    const std::string source = gemm_source(row.policy, v);
    int hidden = 0;
    for (std::size_t at = source.find("\"//@"); at != std::string::npos;
         at = source.find("\"//@", at + 1), ++hidden) {
      std::string text = source.substr(at + 4, source.find('"', at + 1) - at - 4);
      // The step count of a wait, and the field that is set, are put in by the preprocessor; the
      // longest goes over two lines.
      if (text.ends_with("aligned ")) text += "1;";
      if (text.ends_with("tile.")) text += "rank.shared::cta.b1024.b32 [%0], %1;";
      if (text.ends_with(".sync")) text += ".aligned [%0], [%1], 128;";
      CHECK_MESSAGE(is_hidden_instruction(text), text);
    }
    CHECK(hidden == (row.policy.buffer == buffering::bulk ? 8 : 4));
  }
}
