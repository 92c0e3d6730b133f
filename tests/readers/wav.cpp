#include "../../examples/support/wav.hpp"

#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

#include <doctest/doctest.h>

namespace {

std::string little(std::uint32_t value, std::size_t bytes) {
  std::string text;
  for (std::size_t i = 0; i < bytes; ++i) text += static_cast<char>(value >> (8 * i) & 255);
  return text;
}

std::string chunk(const std::string& name, const std::string& bytes) {
  return name + little(static_cast<std::uint32_t>(bytes.size()), 4) + bytes +
         std::string(bytes.size() % 2, '\0');
}

std::string format(std::uint32_t kind, std::uint32_t channels, std::uint32_t bits) {
  return chunk("fmt ", little(kind, 2) + little(channels, 2) + little(16000, 4) +
                           little(16000 * channels * bits / 8, 4) + little(channels * bits / 8, 2) +
                           little(bits, 2));
}

std::string sound(const std::string& chunks) { return "RIFF" + little(0, 4) + "WAVE" + chunks; }

std::vector<std::int16_t> read(const std::string& bytes) {
  return examples::decode_wav(bytes, "sound");
}

}  // namespace

TEST_CASE("the first channel of a sound is read, whatever chunks stand around it") {
  const std::string data = chunk("data", little(1, 2) + little(2, 2) + little(65535, 2) + "\3");
  using samples = std::vector<std::int16_t>;
  CHECK(read(sound(format(1, 1, 16) + data)) == samples{1, 2, -1});
  CHECK(read(sound(chunk("LIST", "odd") + format(1, 2, 16) + data)) == samples{1});
  CHECK(read(sound(format(0xfffe, 1, 16) + data)) == samples{1, 2, -1});
  // A file that breaks off has the samples that are there.
  CHECK(read(sound(format(1, 1, 16) + "data" + little(4'000'000'000, 4) + little(7, 2) + "\1")) ==
        samples{7});
}

TEST_CASE("what is no sound of 16 bits is refused by its name") {
  const std::string data = chunk("data", little(1, 2));
  CHECK_THROWS_WITH_AS(read("RIFF"), "'sound' is no WAV file", std::runtime_error);
  const char* const other = "'sound' holds no uncompressed samples of 16 bits";
  for (const std::string& bytes :
       {sound(""), sound(data), sound(format(1, 1, 8) + data), sound(format(1, 0, 16) + data),
        sound(format(1, 1, 16)),
        sound(format(2, 1, 16) + data)})  // ADPCM, once read as if it were not compressed
    CHECK_THROWS_WITH_AS(read(bytes), other, std::runtime_error);
}
