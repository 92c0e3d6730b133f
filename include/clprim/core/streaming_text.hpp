#pragma once
// OpenCL C of accesses that go past the caches, because nothing comes back to what they touch.
#include <string>
#include <string_view>

namespace clprim {

/// How a load or store names its way in PTX: past the caches, or with the whole line of 128 bytes
/// brought into L2 (loads; compute capability 8.0).
inline constexpr std::string_view past_caches = ".cs", whole_lines = ".L2::128B";

/// PTX for runs of 4, 8 or 16 bytes, each aligned to itself (NVIDIA's compiler takes inline PTX;
/// ld.global.cs and st.global.cs: PTX ISA, 9.7.9, cache operators "streaming"; prefetch sizes
/// there).
class streaming_text {
 public:
  /// Whether there is an access of so many bytes.
  static constexpr bool has(int bytes) { return bytes == 4 || bytes == 8 || bytes == 16; }

  explicit streaming_text(int bytes, std::string_view way = past_caches)
    : words_(bytes / 4), way_(way) {}

  /// uint, uint2 or uint4: what a run is moved as.
  std::string type() const { return words_ == 1 ? "uint" : "uint" + std::to_string(words_); }

  /// A function `TYPE name(const __global TYPE *p)`.
  std::string reader(const std::string& name = "read_streaming") const {
    return "inline " + type() + " " + name + "(const __global " + type() + " *p)\n{\n    " +
           type() + " run;\n    asm volatile(\"ld.global" + way_ + form() + " " + operands(0) +
           ", [%" + std::to_string(words_) + "];\" : " + members("\"=r\"(run") + " : \"l\"(p)" +
           ");\n    return run;\n}";
  }
  /// A function `void name(__global TYPE *p, const TYPE run)`.
  std::string writer(const std::string& name = "write_streaming") const {
    return "inline void " + name + "(__global " + type() + " *p, const " + type() +
           " run)\n{\n    asm volatile(\"st.global" + way_ + form() + " [%0], " + operands(1) +
           ";\" :: \"l\"(p), " + members("\"r\"(run") + " : \"memory\");\n}";
  }

 private:
  std::string form() const { return words_ == 1 ? ".u32" : ".v" + std::to_string(words_) + ".u32"; }
  std::string operands(int first) const {
    std::string text;
    for (int i = 0; i < words_; ++i) text += (i > 0 ? ", %" : "%") + std::to_string(first + i);
    return words_ == 1 ? text : "{" + text + "}";
  }
  std::string members(const std::string& of) const {
    if (words_ == 1) return of + ")";
    std::string text;
    for (int i = 0; i < words_; ++i)
      text += (i > 0 ? ", " : "") + of + "." + std::string{"xyzw"[i]} + ")";
    return text;
  }

  int words_;
  std::string way_;
};

}  // namespace clprim
