#pragma once
// What the fuzz targets share: what must hold, and seeds that a target makes itself.

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>

namespace fuzzing {

/// Ends the process where what must hold does not: that is how libFuzzer learns of it.
inline void require(bool holds, const char* sentence) {
  if (holds) return;
  std::fprintf(stderr, "what must hold does not: %s\n", sentence);
  std::abort();
}

/// What was fed, as characters.
inline std::string_view text_of(const std::uint8_t* bytes, std::size_t count) {
  return {reinterpret_cast<const char*>(bytes), count};
}

/// Writes a seed into the folder that tests/fuzz names; nothing without one.
inline void write_seed(const std::string& name, std::string_view bytes) {
  const char* const folder = std::getenv("CLPRIM_FUZZ_SEEDS");
  if (folder == nullptr) return;
  std::ofstream file(std::filesystem::path(folder) / name, std::ios::binary);
  file.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
}

/// A folder of this process, removed with it.
class own_folder {
 public:
  own_folder() {
    std::string name = (std::filesystem::temp_directory_path() / "clprim_fuzz_XXXXXX").string();
    require(mkdtemp(name.data()) != nullptr, "a folder can be made");
    path_ = name;
  }
  ~own_folder() {
    std::error_code none;
    std::filesystem::remove_all(path_, none);
  }
  own_folder(const own_folder&) = delete;
  own_folder& operator=(const own_folder&) = delete;
  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

}  // namespace fuzzing
