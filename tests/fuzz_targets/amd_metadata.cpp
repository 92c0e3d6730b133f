// The metadata of an AMD code object: any bytes give an answer or none, and nothing is read beyond
// their end.

#include <span>
#include <vector>

#include <clprim/core/amd_metadata.hpp>

#include "fuzzing.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t count) {
  // A copy of exactly these bytes, so that the sanitizer sees the first one beyond.
  const std::vector<unsigned char> exact(bytes, bytes + count);
  const auto negative = [](const std::optional<int>& x) { return x && *x < 0; };
  for (const char* const name : {"f", "transpose"}) {
    const std::optional<clprim::amd_kernel> found = clprim::find_amd_kernel(exact, name);
    if (!found) continue;
    fuzzing::require(!negative(found->vector_registers) && !negative(found->scalar_registers) &&
                         !negative(found->local_bytes) && !negative(found->private_bytes),
                     "no count is negative");
  }
  return 0;
}
