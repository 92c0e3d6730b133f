// Pictures as the examples read them: any bytes give a whole picture, or one sentence; other
// formats than PNG are refused. stb is compiled in here, so that the sanitizers see into it.

#include "../../examples/support/image.hpp"

#include <stdexcept>
#include <string>
#include <vector>

#include "fuzzing.hpp"

#define STB_IMAGE_IMPLEMENTATION
#define STB_IMAGE_WRITE_IMPLEMENTATION
#include <stb_image.h>
#include <stb_image_write.h>

namespace {

void keep(void* into, void* bytes, int count) {
  static_cast<std::string*>(into)->append(static_cast<const char*>(bytes),
                                          static_cast<std::size_t>(count));
}

}  // namespace

extern "C" int LLVMFuzzerInitialize(int*, char***) {
  constexpr int width = 9, height = 7;
  std::vector<std::uint8_t> rgb;
  for (int i = 0; i < 3 * width * height; ++i) rgb.push_back(static_cast<std::uint8_t>(i * 37));
  const auto seed = [](const std::string& name, bool readable, auto write) {
    std::string file;
    write(&file);
    bool read = true;
    try {
      (void)examples::decode_image(file, name);
    } catch (const std::runtime_error&) {
      read = false;
    }
    fuzzing::require(read == readable, "PNG is read, and no other format");
    fuzzing::write_seed(name, file);
  };
  for (const int channels : {1, 2, 3, 4}) {
    seed("png_" + std::to_string(channels), true, [&](void* to) {
      stbi_write_png_to_func(keep, to, width / channels, height, channels, rgb.data(), 0);
    });
  }
  seed("bmp", false,
       [&](void* to) { stbi_write_bmp_to_func(keep, to, width, height, 3, rgb.data()); });
  seed("jpg", false,
       [&](void* to) { stbi_write_jpg_to_func(keep, to, width, height, 3, rgb.data(), 90); });
  return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t count) {
  const std::vector<std::uint8_t> exact(bytes, bytes + count);
  int width = 0, height = 0;
  // Large pictures of a few bytes are decoded, which takes its time: not a million times.
  if (fuzzing::text_of(bytes, count).starts_with("\x89PNG") &&
      stbi_info_from_memory(exact.data(), static_cast<int>(count), &width, &height, nullptr) != 0 &&
      static_cast<std::int64_t>(width) * height > 1 << 16)
    return 0;
  try {
    const examples::image picture =
        examples::decode_image(fuzzing::text_of(exact.data(), count), "picture");
    fuzzing::require(
        picture.width > 0 && picture.height > 0 && picture.rgb.size() == 3 * picture.pixels(),
        "a picture is whole");
  } catch (const std::runtime_error& e) {
    fuzzing::require(std::string(e.what()).find("'picture'") != std::string::npos,
                     "a refusal names the file");
  }
  return 0;
}
