// PTX into which hidden instructions are put: whole and for another target, or refused; a text
// without any stays as it is.

#include <optional>
#include <string>
#include <string_view>

#include <clprim/runtime/hidden_instructions.hpp>

#include "fuzzing.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t count) {
  namespace d = clprim::detail;
  const std::string_view ptx = fuzzing::text_of(bytes, count);
  const std::optional<std::string> made = d::with_hidden_instructions(ptx);
  if (!made) return 0;
  fuzzing::require(made->find(d::hidden_mark) == std::string::npos, "nothing stays hidden");
  fuzzing::require(d::with_hidden_instructions(*made) == made, "a second time changes nothing");
  if (ptx.find(d::hidden_mark) == std::string_view::npos) {
    fuzzing::require(ptx.starts_with(*made), "what hides nothing stays as it is");
    return 0;
  }
  fuzzing::require(made->find(".target sm_90a") != std::string::npos, "it is for sm_90a");
  fuzzing::require(made->size() <= ptx.size() + 2, "nothing is added but the target's letter");
  return 0;
}
