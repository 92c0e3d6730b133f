// The `free` of a test executable, which keeps small blocks for a while where support::keeps_memory
// says so. Sanitizers have a `free` of their own, and keep memory too.

#include "../support/kept_memory.hpp"

#include <atomic>
#include <cstddef>

#include <malloc.h>

extern "C" {

void __libc_free(void* memory);  // NOLINT(bugprone-reserved-identifier): glibc's own

void free(void* memory) noexcept {
  // Some 100 MiB, more than PoCL frees while it compiles one kernel.
  constexpr std::size_t kept = std::size_t{1} << 20, small = 1024;
  static std::atomic<void*> blocks[kept];
  static std::atomic<std::size_t> next{0};
  if (support::keeps_memory() && memory != nullptr && malloc_usable_size(memory) <= small)
    memory = blocks[next++ % kept].exchange(memory);
  __libc_free(memory);
}

}  // extern "C"
