// bench_device: prints the chosen device's name as that of a folder. Exit status 2 and a sentence
// when no device fits CLPRIM_DEVICE.

#include <cstdio>
#include <exception>

#include "machine.hpp"

int main() {
  try {
    const auto device = clprim::facts_of(clprim::choose_device());
    std::printf("%s\n", bench::device_slug(device).c_str());
    return 0;
  } catch (const std::exception& e) {
    std::fprintf(stderr, "bench/run: %s\n", e.what());
    return 2;
  }
}
