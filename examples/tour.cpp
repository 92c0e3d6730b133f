// The tour: every primitive of the library on real input, checked against the host, in one table.

#include <algorithm>
#include <cstdio>
#include <exception>
#include <string>
#include <string_view>
#include <vector>

#include <CLI/CLI.hpp>

#include "support/scene.hpp"
#include "tour/convolve.hpp"
#include "tour/fft.hpp"
#include "tour/gemm.hpp"
#include "tour/print.hpp"
#include "tour/reduce.hpp"
#include "tour/section.hpp"
#include "tour/transpose.hpp"

namespace {

using namespace examples;

struct section {
  std::string_view name;
  void (*run)(tour&);
};
constexpr section sections[] = {
    {"convolve", tour_convolve},   {"fft", tour_fft}, {"gemm", tour_gemm}, {"reduce", tour_reduce},
    {"transpose", tour_transpose},
};

}  // namespace

int main(int argc, char** argv) try {
  CLI::App app("A tour of clprim: every primitive on real input, checked and measured");
  std::string picture, device, only, folder = "clprim-tour";
  bool explain = false;
  tour t;
  app.add_option("picture", picture, "a PNG to work on (default: a landscape is synthesised)")
      ->check(CLI::ExistingFile);
  app.add_option("--device", device, "part of a name, gpu, cpu, or platform:device");
  app.add_option("--quality", t.quality, "of the compressed picture, 1 to 100 (50)")
      ->check(CLI::Range(1, 100));
  app.add_option("--size", t.size, "rows and columns of the plain product")
      ->check(CLI::Range(1, 32768));
  app.add_option("--output", folder, "folder for the pictures it writes (clprim-tour)");
  std::vector<std::string> names;
  for (const section& one : sections) names.emplace_back(one.name);
  app.add_option("--only", only, "one primitive")->check(CLI::IsMember(names));
  app.add_flag("--explain", explain, "tell how each product is run");
  CLI11_PARSE(app, argc, argv);

  t.on = clprim::open_session(device);
  t.facts = clprim::facts_of(t.on.device);
  t.folder = folder;
  std::printf("%s\n%s\n", bold("clprim: a tour of its primitives").c_str(),
              clprim::describe(t.facts).c_str());
  {
    progress telling("touring");
    t.telling = &telling;
    t.step("reading the picture");
    t.picture = picture.empty() ? synthesised(1536, 1024) : load_image(picture);
    if (picture.empty()) t.write(t.picture, "picture.png", "the picture that all work on");
    t.step("measuring the roofs");
    t.roof = {measured_flops<float>(t.on, t.facts), measured_bandwidth(t.on, t.facts)};
    for (const section& one : sections) {
      if (only.empty() || only == one.name) one.run(t);
    }
    t.telling = nullptr;
  }
  std::printf(
      "picture: %s, %d × %d\nroofs, measured: %s GFLOP/s of multiply-adds (float), %s GB/s of "
      "copy\n\n",
      picture.empty() ? ("synthesised, " + (t.folder / "picture.png").string()).c_str()
                      : picture.c_str(),
      t.picture.width, t.picture.height, short_number(1e-9 * t.roof.flops).c_str(),
      short_number(1e-9 * t.roof.bytes).c_str());
  print(t, explain);
  const bool right = t.all_right();
  std::printf("\n%s\n", right ? good("Every result is within its bound.").c_str()
                              : bad("A check failed.").c_str());
  return right ? 0 : 1;
} catch (const std::exception& error) {
  std::fprintf(stderr, "the tour stopped: %s\n", error.what());
  return 1;
}
