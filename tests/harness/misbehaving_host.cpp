// misbehaving_host leak|overflow|none: does that, to prove that tests under the sanitizers would
// fail for it.
#include <cstddef>
#include <cstring>
#include <string_view>

namespace {

// Volatile, so that the optimiser can't see what becomes of the memory.
char* volatile held = nullptr;

}  // namespace

int main(int count, char** arguments) {
  if (count != 2) return 2;
  const std::string_view fault = arguments[1];
  constexpr std::size_t size = 64;
  held = new char[size];
  std::memset(held, 1, size);
  if (fault == "overflow") held[size] = 2;
  if (fault != "leak") delete[] held;
  held = nullptr;
  return 0;
}
