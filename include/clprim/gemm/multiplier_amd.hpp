#pragma once
// OpenCL C of GEMM, second seam: the multiplier by matrix units of AMD's, MFMA and WMMA.

#include <string>

#include <clprim/core/source.hpp>
#include <clprim/core/vector_text.hpp>
#include <clprim/gemm/instruction.hpp>
#include <clprim/gemm/multiplier.hpp>

namespace clprim::gemm_text {

/// Half and bfloat16, sums in float; float; double. AMD Matrix Instruction Calculator; AMD's
/// instruction set architectures of Instinct MI300, "Matrix fused-multiply-add", and of RDNA 3 and
/// RDNA 4, "Wave matrix multiply accumulate".
inline constexpr kernel_text amd_multiplier = R"cl(
#define BEGIN_PRODUCTS
#define END_PRODUCTS(sum)
#define BEGIN_FIRST 1  // the overlapped walk begins the next tiles before it reads fragments
#define ROWS_EACH (16 / LANES_M)  // of the sums that an instruction leaves an item, in one run
typedef FRAGMENT FRAGMENT_A[PER_ITEM_M / ROWS_EACH];
typedef FRAGMENT FRAGMENT_B[RUNS_N];

// An instruction multiplies 16 rows of A by 16 columns of B. Of 16 items each holds a line of both,
// FRAGMENT_K elements along k; the next 16 items hold what follows along k:
//
//        k -> 0 ... FRAGMENT_K - 1   FRAGMENT_K ...
//     row 0          item 0             item 16            where FRAGMENT_K is all that an
//         1          item 1             item 17            instruction takes, the next 16 items
//        ...          ...                 ...              hold the same once more
#define WAVE_LINE (item % 16)
#define WAVE_K (item % (LANES_M * LANES_N) / 16 * FRAGMENT_K % INSTRUCTION_K)
#define A_FRAGMENT_AT(row) \
    (A_SLOT_OUTER((row) - lane / LANES_N + WAVE_LINE) + A_SLOT_K(WAVE_K))
#define B_FRAGMENT_AT(column) \
    (B_SLOT_OUTER((column) - lane % LANES_N * VECTOR_N + WAVE_LINE) + B_SLOT_K(WAVE_K))

inline void fragment_a(FRAGMENT *a, const __local TILED *tile, const int k)
{
    EACH for (int i = 0; i < PER_ITEM_M / ROWS_EACH; ++i) {
        const __local TILED *const line = tile + A_SLOT_K(k) + A_SLOT_OUTER(16 * i);
        a[i] = A_READ_FRAGMENT(line);
    }
}

inline void fragment_b(FRAGMENT *b, const __local TILED *tile, const int k)
{
    EACH_RUN {
        const __local TILED *const line = tile + B_SLOT_K(k) + B_SLOT_OUTER(16 * j);
        b[j] = B_READ_FRAGMENT(line);
    }
}

inline void multiply_add(N_VECTOR (*sum)[RUNS_N], const FRAGMENT *a, const FRAGMENT *b)
{
    EACH for (int i = 0; i < PER_ITEM_M; i += ROWS_EACH) {
        EACH_RUN {
            SUMS s = SUMS_AT(sum, i, j);
            s = MULTIPLY_MATRICES(a[i / ROWS_EACH], b[j], s);
            SUMS_TO(sum, i, j, s)
        }
    }
}
)cl";

/// How an item reads `count` elements along k of an operand's tile as one vector.
inline std::string fragment_text(const std::string& name, scalar type, int count, bool along_k) {
  const std::string element = is_short(type) ? "ushort" : vector_text::element(type);
  if (count == 1) return "*(line)";
  const std::string vector = element + std::to_string(count);
  std::string text = "(" + vector + ")(";
  if (along_k) {  // 16 bytes at a time: lines begin at multiples of that
    const int each = count < 8 ? count : 8;
    for (int e = 0; e < count; e += each)
      text += (e > 0 ? ", " : "") + std::string{"*(const __local "} + element +
              std::to_string(each) + " *)((line) + " + std::to_string(e) + ")";
  } else {
    for (int e = 0; e < count; ++e)
      text += (e > 0 ? ", (line)[" : "(line)[") + name + "_SLOT_K(" + std::to_string(e) + ")]";
  }
  return text + ")";
}

/// The constants of the multiplier: fragments, sums, and the compiler's function. `a` and `b` as
/// the kernel has them; of instructions whose sums lie as C turned the operands change sides.
inline void define_amd(source_builder& out, const gemm_policy& p, scalar type, bool a_along_k,
                       bool b_along_k) {
  const unit_layout layout = layout_of(p, type);
  const bool bits = is_short(type);
  const int steps = instruction_k(p.instruction, type);
  // Of 16 lines; the two halves of a wave of RDNA 3 hold the same.
  const int each = p.instruction == gemm_instruction::wmma ? steps : steps * 16 / layout.together();
  const std::string element = bits ? "ushort" : vector_text::element(type);
  if (type == scalar::half_) out.line("#pragma OPENCL EXTENSION cl_khr_fp16 : enable");
  out.define("INSTRUCTION_K", steps);
  out.define("FRAGMENT_K", each);
  out.define("FRAGMENT", each == 1 ? element : element + std::to_string(each));
  out.define("A_READ_FRAGMENT(line)", fragment_text("A", type, each, a_along_k));
  out.define("B_READ_FRAGMENT(line)", fragment_text("B", type, each, b_along_k));
  define_sums(out, type, layout.rows, layout.columns);

  const bool half = type == scalar::half_, wave32 = p.instruction != gemm_instruction::mfma;
  const std::string operand_type = half ? "as_half" : "as_short", count = std::to_string(each);
  const auto operand = [&](const char* name) {
    return bits ? operand_type + count + "(" + name + ")" : std::string{name};
  };
  const std::string first = operand(layout.turned ? "b" : "a"),
                    second = operand(layout.turned ? "a" : "b");
  std::string function;
  if (wave32) {
    function = std::string{"wmma_f32_16x16x16_"} + (half ? "f16" : "bf16") + "_w32" +
               (p.instruction == gemm_instruction::wmma_gfx12 ? "_gfx12" : "");
  } else {
    function = half                      ? "mfma_f32_16x16x16f16"
               : bits                    ? "mfma_f32_16x16x16bf16_1k"
               : type == scalar::double_ ? "mfma_f64_16x16x4f64"
                                         : "mfma_f32_16x16x4f32";
  }
  out.define("MULTIPLY_MATRICES(a, b, s)", "__builtin_amdgcn_" + function + "(" + first + ", " +
                                               second + ", s" + (wave32 ? "" : ", 0, 0, 0") + ")");
}

}  // namespace clprim::gemm_text
