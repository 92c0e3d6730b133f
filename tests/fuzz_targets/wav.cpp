// Sounds as the examples read them: any bytes give samples, or one sentence.

#include "../../examples/support/wav.hpp"

#include <stdexcept>
#include <string>
#include <vector>

#include "fuzzing.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t count) {
  const std::vector<std::uint8_t> exact(bytes, bytes + count);
  try {
    const auto samples = examples::decode_wav(fuzzing::text_of(exact.data(), count), "sound");
    fuzzing::require(2 * samples.size() <= count, "samples lie in the file");
  } catch (const std::runtime_error& e) {
    fuzzing::require(std::string(e.what()).find("'sound'") != std::string::npos,
                     "a refusal names the file");
  }
  return 0;
}
