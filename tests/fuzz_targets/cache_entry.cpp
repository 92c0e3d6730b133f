// An entry of the folder of programs: whatever a file holds, it is believed only when it is
// what was saved. The last byte of the input says whether the sum at the end is made right.

#include <optional>
#include <string>
#include <vector>

#include <clprim/runtime/program_files.hpp>

#include "fuzzing.hpp"

namespace {

const clprim::program_key key{"__kernel void f(__global int* x) { x[0] = 1; }", "-cl-std=CL1.2",
                              "a platform", "a device", "a driver"};
const clprim::stored_program program{{'b', 'i', 'n', 'a', 'r', 'y', 0, 1, 2, 255}, "a log"};

struct store {
  fuzzing::own_folder folder;
  clprim::program_files files{folder.path() / "programs"};
};
store& kept() {
  static store all;
  return all;
}

/// The sum over all but the last eight bytes and the head, as `program_files` has it.
void make_sum_right(std::string& entry) {
  if (entry.size() < 8) return;
  const std::uint64_t sum =
      clprim::detail::sum_of(std::string_view(entry).substr(0, entry.size() - 8));
  for (unsigned i = 0; i < 8; ++i)
    entry[entry.size() - 8 + i] = static_cast<char>(sum >> (8 * i) & 255);
}

std::string content_of(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

}  // namespace

extern "C" int LLVMFuzzerInitialize(int*, char***) {
  kept().files.save(key, program);
  const std::string entry = content_of(kept().files.file_of(key));
  fuzzing::require(entry.size() > 100, "an entry was saved");
  const auto loaded = kept().files.load(key);
  fuzzing::require(loaded && loaded->binary == program.binary && loaded->log == program.log,
                   "what was saved is loaded");
  std::string summed = entry;
  make_sum_right(summed);
  fuzzing::require(summed == entry, "this target sums as the library does");
  fuzzing::write_seed("entry", entry + '\0');
  fuzzing::write_seed("entry_summed", entry + '\1');
  return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t count) {
  if (count == 0) return 0;
  std::string entry(fuzzing::text_of(bytes, count - 1));
  if (bytes[count - 1] % 2 == 1) make_sum_right(entry);
  {
    std::ofstream file(kept().files.file_of(key), std::ios::binary);
    file.write(entry.data(), static_cast<std::streamsize>(entry.size()));
  }
  const std::optional<clprim::stored_program> loaded = kept().files.load(key);
  if (!loaded) return 0;
  fuzzing::require(!loaded->binary.empty(), "a program that is loaded has a binary");
  fuzzing::require(loaded->binary.size() + loaded->log.size() < entry.size(),
                   "what is loaded lies in the file");
  return 0;
}
