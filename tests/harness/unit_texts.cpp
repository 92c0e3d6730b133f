// Writes the texts of products by matrix units of AMD's and Intel's, as the library chooses them,
// into the folder that is named: a file for each row of the tables, type and layout of operands.
// Needs no device. tests/unit_compilers has them compiled.

#include <fstream>
#include <iostream>
#include <span>
#include <string>

#include <clprim/gemm/source.hpp>
#include <clprim/gemm/tuned_rows.hpp>

using namespace clprim;

namespace {

std::string file_name(const gemm_policy& p, const char* type, const char* layouts) {
  std::string name(to_string(p.instruction));
  if (p.instruction == gemm_instruction::dpas) name += "-" + std::to_string(p.lanes_n);
  return name + "_" + type + "_" + std::to_string(p.tile_m) + "x" + std::to_string(p.tile_n) + "x" +
         std::to_string(p.tile_k) + "_" + layouts + ".cl";
}

void write(const std::string& folder, std::span<const gemm_row> rows, scalar type,
           const char* name) {
  for (const gemm_row& row : rows) {
    if (row.policy.instruction == gemm_instruction::fma) continue;
    for (const char* layouts : {"nn", "nt", "tn", "tt"}) {
      gemm_variant v{.type = type};
      v.a.along_k = layouts[0] == 'n';
      v.b.along_k = layouts[1] == 't';
      v.a.alignment = v.b.alignment = v.c_alignment = 16;
      std::ofstream(folder + "/" + file_name(row.policy, name, layouts))
          << gemm_source(row.policy, v);
    }
  }
}

}  // namespace

int main(int count, char** arguments) {
  if (count != 2) {
    std::cerr << "one folder is needed\n";
    return 1;
  }
  write(arguments[1], gemm_tables::any_gpu_half, scalar::half_, "half");
  write(arguments[1], gemm_tables::any_gpu_half, scalar::bfloat16_, "bfloat16");
  write(arguments[1], gemm_tables::any_gpu, scalar::float_, "float");
  write(arguments[1], gemm_tables::any_gpu_wide, scalar::double_, "double");
}
