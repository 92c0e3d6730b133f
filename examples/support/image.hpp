#pragma once
// Pictures: PNG in and out by stb, the colours of JPEG, and how alike two of them are.

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <limits>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include <stb_image.h>
#include <stb_image_write.h>

namespace examples {

/// Red, green and blue of 8 bits, row by row.
struct image {
  int width = 0;
  int height = 0;
  std::vector<std::uint8_t> rgb;

  std::size_t pixels() const {
    return static_cast<std::size_t>(width) * static_cast<std::size_t>(height);
  }
};

/// The picture in a PNG file. Throws std::runtime_error naming the file, for more than 2^28 pixels
/// and for other formats too: stb's reader of JPEG writes past a table of its own for a file that
/// means harm (tests/fuzz, 2022-09-08's stb).
inline image decode_image(std::string_view bytes, const std::string& path) {
  const auto refuse = [&](const std::string& why) {
    throw std::runtime_error("cannot read the picture '" + path + "': " + why);
  };
  constexpr std::size_t most = std::size_t{1} << 28;
  if (!bytes.starts_with("\x89PNG\r\n\x1a\n")) refuse("it is no PNG");
  if (bytes.size() > std::numeric_limits<int>::max()) refuse("it has 2 GiB and more");
  const auto* const first = reinterpret_cast<const stbi_uc*>(bytes.data());
  const int size = static_cast<int>(bytes.size());
  image picture;
  if (stbi_info_from_memory(first, size, &picture.width, &picture.height, nullptr) == 0)
    refuse(stbi_failure_reason());
  if (picture.pixels() > most) refuse("it has more than 2^28 pixels");
  stbi_uc* const data =
      stbi_load_from_memory(first, size, &picture.width, &picture.height, nullptr, 3);
  if (data == nullptr) refuse(stbi_failure_reason());
  picture.rgb.assign(data, data + 3 * picture.pixels());
  stbi_image_free(data);
  return picture;
}

/// The same of a file.
inline image load_image(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) throw std::runtime_error("cannot open the picture '" + path + "'");
  const std::string bytes{std::istreambuf_iterator<char>(file), {}};
  return decode_image(bytes, path);
}

/// Writes a PNG, making its folder. Throws std::runtime_error naming the file.
inline void save_png(const image& picture, const std::filesystem::path& path) {
  if (path.has_parent_path()) std::filesystem::create_directories(path.parent_path());
  if (stbi_write_png(path.string().c_str(), picture.width, picture.height, 3, picture.rgb.data(),
                     3 * picture.width) == 0) {
    throw std::runtime_error("cannot write the picture '" + path.string() + "'");
  }
}

/// A colour as luma and two chromas around 0 (JFIF 1.02, less the offset of 128).
inline std::array<float, 3> to_ycc(float r, float g, float b) {
  return {0.299f * r + 0.587f * g + 0.114f * b - 128.0f, -0.168736f * r - 0.331264f * g + 0.5f * b,
          0.5f * r - 0.418688f * g - 0.081312f * b};
}
inline std::array<float, 3> to_rgb(float y, float cb, float cr) {
  y += 128.0f;
  return {y + 1.402f * cr, y - 0.344136f * cb - 0.714136f * cr, y + 1.772f * cb};
}
inline std::uint8_t to_byte(float value) {
  return static_cast<std::uint8_t>(std::clamp(std::lround(value), 0l, 255l));
}

/// Peak signal-to-noise ratio over all channels, in decibels; infinite for equal pictures.
inline double psnr(const image& a, const image& b) {
  double squares = 0;
  for (std::size_t i = 0; i < a.rgb.size(); ++i) {
    const double difference = static_cast<double>(a.rgb[i]) - static_cast<double>(b.rgb[i]);
    squares += difference * difference;
  }
  if (squares == 0) return std::numeric_limits<double>::infinity();
  return 10 * std::log10(255.0 * 255.0 * static_cast<double>(a.rgb.size()) / squares);
}

/// The difference of two pictures, times `gain`, around middle grey.
inline image difference(const image& a, const image& b, float gain) {
  image result = a;
  for (std::size_t i = 0; i < a.rgb.size(); ++i) {
    result.rgb[i] = to_byte(128.0f + gain * static_cast<float>(int{b.rgb[i]} - int{a.rgb[i]}));
  }
  return result;
}

}  // namespace examples
