#pragma once
// Fewer resident groups of a kernel that is as it is: while a `ballast` is open, every kernel that
// is built gets so much more local memory, which it never touches.
//
// Volkov lowered the occupancy of his copies so (GTC 2010, part II). The library's sources have no
// such field, for nobody wants it but a measurement; so a benchmark executable defines
// clCreateProgramWithSource itself, as it does clEnqueueNDRangeKernel (commands.hpp).

#include <cstddef>
#include <string>
#include <string_view>

namespace bench {

/// The source with `bytes` of local memory at the head of every kernel.
inline std::string with_ballast(std::string_view source, std::size_t bytes) {
  // One volatile store that no launch of ours reaches, or the array would be removed.
  const std::string head = " __local volatile char bench_ballast[" + std::to_string(bytes) +
                           "]; if (get_global_size(0) == 1) bench_ballast[get_local_id(0)] = 1;";
  constexpr std::string_view word = "__kernel";
  std::string text;
  std::size_t from = 0;
  for (auto at = source.find(word); at != std::string_view::npos; at = source.find(word, at + 1)) {
    const bool line_start = source.find_last_of('\n', at) + 1 == at || at == 0;
    const bool after_attribute = at > 1 && source.substr(at - 2, 2) == ") ";
    if (!line_start && !after_attribute) continue;  // a comment's
    const std::size_t open = source.find('{', at);
    if (open == std::string_view::npos) break;
    text += std::string(source.substr(from, open + 1 - from)) + head;
    from = open + 1;
  }
  return text + std::string(source.substr(from));
}

/// Open while it lives; one at a time, for the thread that made it.
class ballast {
 public:
  explicit ballast(std::size_t bytes);
  ~ballast();
  ballast(const ballast&) = delete;
  ballast& operator=(const ballast&) = delete;
};

}  // namespace bench
