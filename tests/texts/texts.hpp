#pragma once
// The texts that NVIDIA's GPUs get, inline PTX and all: no device here builds them. They are
// written to the folder CLPRIM_TEXTS, where there is one, for a compiler that warns
// (tests/warnings).

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include <doctest/doctest.h>

#include <clprim/runtime/queue.hpp>

#include "support/device.hpp"
#include "support/other_devices.hpp"
#include "support/random.hpp"

namespace support {

/// As large as any operand here; never touched.
inline const cl::Buffer& large_buffer(std::size_t which) {
  static const auto* const buffers = [] {
    auto* made = new std::vector<cl::Buffer>;
    for (int i = 0; i < 3; ++i) {
      cl_int code = CL_SUCCESS;
      made->emplace_back(clCreateBuffer(device_session().context(), CL_MEM_READ_WRITE,
                                        std::size_t{1} << 28, nullptr, &code),
                         false);
      clprim::check(code, "clCreateBuffer");
    }
    return made;
  }();
  return (*buffers)[which];
}

/// Writes what a door gives as source: one program after the other, each with its banner.
inline void keep(const std::string& source) {
  const char* const folder = std::getenv("CLPRIM_TEXTS");
  if (folder == nullptr) return;
  constexpr std::string_view banner = "// clprim ";
  for (std::size_t from = 0; from < source.size();) {
    const std::size_t next = source.find("\n" + std::string(banner), from + 1);
    const std::size_t to = next == std::string::npos ? source.size() : next + 1;
    const std::string text = source.substr(from, to - from);
    std::ofstream(std::string(folder) + "/" + std::to_string(std::hash<std::string>()(text)) +
                  ".cl")
        << text;
    from = to;
  }
}

/// Draws texts of a door for each of NVIDIA's devices; returns how many hold inline PTX.
inline int draw_texts(const std::function<std::string(draw&)>& source_of) {
  const char* const cases = std::getenv("CLPRIM_CASES");
  // Fewer may be such as hold none, by chance.
  const int count = cases == nullptr ? 16 : std::max(16, std::atoi(cases));
  int with_ptx = 0;
  for (const clprim::device_facts& facts : {h200(), a100(), gtx_1080()}) {
    const clprim::assume_device as_if(facts);
    for (int i = 0; i < count; ++i) {
      draw d(static_cast<std::uint64_t>(i));
      const std::string source = source_of(d);
      CHECK(source.find("__kernel") != std::string::npos);
      with_ptx += source.find("asm") != std::string::npos ? 1 : 0;
      keep(source);
    }
  }
  return with_ptx;
}

}  // namespace support
