#pragma once
// Sounds: WAV files of 16 bits.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace examples {

/// The first channel of an uncompressed WAV file of 16 bits (RIFF: chunks of name, size, bytes).
/// Tells the samples per second where `rate` is given. Throws std::runtime_error naming the file
/// for anything else.
inline std::vector<std::int16_t> decode_wav(std::string_view bytes, const std::string& path,
                                            std::uint32_t* rate = nullptr) {
  const auto number = [&](std::size_t at, std::size_t size) {  // the lowest byte first
    std::uint32_t value = 0;
    for (std::size_t i = size; i-- > 0;)
      value = value << 8 | static_cast<unsigned char>(bytes[at + i]);
    return value;
  };
  if (bytes.size() < 12 || !bytes.starts_with("RIFF"))
    throw std::runtime_error("'" + path + "' is no WAV file");
  std::uint32_t channels = 0, bits = 0;
  for (std::size_t at = 12; at + 8 <= bytes.size();) {
    const std::string_view name = bytes.substr(at, 4);
    const std::size_t size = std::min<std::size_t>(number(at + 4, 4), bytes.size() - at - 8);
    if (name == "fmt " && size >= 16) {
      constexpr std::uint32_t plain = 1, extensible = 0xfffe;
      const std::uint32_t kind = number(at + 8, 2);
      channels = kind == plain || kind == extensible ? number(at + 10, 2) : 0;
      bits = number(at + 22, 2);
      if (rate != nullptr) *rate = number(at + 12, 4);
    } else if (name == "data") {
      if (channels == 0 || bits != 16) break;
      std::vector<std::int16_t> samples;
      for (std::size_t i = 0; i + 2 * channels <= size; i += 2 * channels)
        samples.push_back(static_cast<std::int16_t>(number(at + 8 + i, 2)));
      return samples;
    }
    at += 8 + size + size % 2;
  }
  throw std::runtime_error("'" + path + "' holds no uncompressed samples of 16 bits");
}

/// The same of a file.
inline std::vector<std::int16_t> load_wav(const std::string& path, std::uint32_t* rate = nullptr) {
  std::ifstream file(path, std::ios::binary);
  const std::string bytes{std::istreambuf_iterator<char>(file), {}};
  return decode_wav(bytes, path, rate);
}

}  // namespace examples
