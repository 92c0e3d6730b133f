// Principal components of a table: which of its columns go together, and its rows as a picture.
//
// Four calls of the library: means and variances of all columns in one pass, columns brought to
// mean 0 and variance 1, their correlations as a product XᵀX, and the rows in the plane of the two
// strongest components as a product again. The eigenvectors of the small matrix between are found
// on the host by Jacobi's rotations. Without a file the table is bench/results: registers, local
// memory and occupancy of the kernels that were measured on an H200.

#include <cmath>
#include <cstdio>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>

#include <clprim/copy.hpp>
#include <clprim/gemm.hpp>
#include <clprim/reduce.hpp>

#include "support/csv.hpp"
#include "support/device.hpp"
#include "support/eigen.hpp"
#include "support/scatter.hpp"

int main(int argc, char** argv) try {
  CLI::App app("Principal components of a table of comma-separated values");
  std::string path = CLPRIM_ROOT "/bench/results/nvidia-h200/results.csv";
  std::string output = "pca.png", device, group_name = "suite";
  std::vector<std::string> names{"flops per byte", "registers", "local bytes", "occupancy"};
  app.add_option("table", path, "a CSV file with names in its first line")
      ->check(CLI::ExistingFile);
  app.add_option("--columns", names, "of numbers")->delimiter(',')->expected(2, 64);
  app.add_option("--group", group_name, "the column that colours the dots");
  app.add_option("-o,--output", output, "the picture (pca.png)");
  app.add_option("--device", device, "part of a device's name");
  CLI11_PARSE(app, argc, argv);

  const examples::csv table = examples::load_csv(path);
  const int columns = static_cast<int>(names.size());
  std::vector<float> x;
  std::vector<std::size_t> group;
  std::vector<std::string> groups;
  for (const auto& cells : table.rows) {
    std::vector<float> row;
    for (const std::string& name : names)
      if (const auto v = examples::number_in(cells[table.column(name)])) row.push_back(*v);
    if (static_cast<int>(row.size()) < columns) continue;  // a cell is empty
    x.insert(x.end(), row.begin(), row.end());
    const std::string& of = cells[table.column(group_name)];
    const auto known = std::find(groups.begin(), groups.end(), of);
    group.push_back(static_cast<std::size_t>(known - groups.begin()));
    if (known == groups.end()) groups.push_back(of);
  }
  const int rows = static_cast<int>(group.size());
  if (rows < 2) throw clprim::error("fewer than two rows have numbers in all of these columns");

  const clprim::session on = clprim::open_session(device);
  const auto d = static_cast<std::size_t>(columns), n = static_cast<std::size_t>(rows);
  const cl::Buffer raw = examples::upload(on, x),
                   std_x = examples::make_buffer<float>(on, x.size()),
                   moments = examples::make_buffer<clprim::moments<float>>(on, d),
                   correlation = examples::make_buffer<float>(on, d * d),
                   plane = examples::make_buffer<float>(on, 2 * n);
  const auto X = clprim::matrix<float>(std_x, rows, columns);

  // [standardise]
  clprim::reduce<float, clprim::op::variance<>> measure(on.queue);
  measure(clprim::each_column(clprim::matrix<float>(raw, rows, columns)), moments);
  clprim::map<float, float> standardise(
      on.queue, {.map = {"const int c = index % columns;"
                         "return (x0 - m[2 * c]) * rsqrt(fmax(m[2 * c + 1], 1e-30f));",
                         {clprim::buffer<float>("m"), clprim::value<int>("columns")}}});
  const auto all = static_cast<std::int64_t>(x.size());
  standardise({clprim::vector<float>(raw, all)}, clprim::vector<float>(std_x, all), {},
              {moments, columns});
  clprim::gemm<float> multiply(on.queue);
  multiply(1 / static_cast<float>(rows), transposed(X), X, 0,
           clprim::matrix<float>(correlation, columns, columns));
  // [end]

  const examples::eigen_system found =
      examples::eigen_of(examples::download<float>(on, correlation, d * d), columns);
  const cl::Buffer axes = examples::upload(
      on, std::vector<float>(found.vectors.begin(), found.vectors.begin() + 2 * columns));
  multiply(1, X, transposed(clprim::matrix<float>(axes, 2, columns)), 0,
           clprim::matrix<float>(plane, rows, 2));
  const std::vector<float> xy = examples::download<float>(on, plane, 2 * n);

  examples::save_png(examples::scatter(xy, group), output);
  std::printf("%d rows of %s\n\n%-22s first  second component\n", rows, path.c_str(), "column");
  for (std::size_t c = 0; c < d; ++c)
    std::printf("%-22s %+.2f  %+.2f\n", names[c].c_str(), static_cast<double>(found.vectors[c]),
                static_cast<double>(found.vectors[d + c]));
  std::printf("%-22s %.0f %%   %.0f %%\n\n%s: a dot per row, the first component to the right\n",
              "of all variance", 100 * static_cast<double>(found.values[0]) / columns,
              100 * static_cast<double>(found.values[1]) / columns, output.c_str());
  for (std::size_t g = 0; g < groups.size(); ++g)
    std::printf("  %-8s %s\n",
                examples::dot_colours[g % std::size(examples::dot_colours)].name.data(),
                groups[g].c_str());
} catch (const std::exception& error) {
  std::fprintf(stderr, "%s\n", error.what());
  return 1;
}
