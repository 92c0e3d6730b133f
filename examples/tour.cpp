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

/// A share of a roof, which a busy machine may have measured too low.
std::string share_of(double share, const char* roof) {
  if (share > 1.05) return std::string("over ") + roof + "*";
  return percent(share) + " of " + roof;
}

/// How near the worst element comes to the error that rounding allows.
std::string tolerance_used(const accuracy& a) {
  if (a.bound == 0) return a.error == 0 ? "exact" : "must be exact";
  return percent(a.used) + " of what rounding allows";
}

/// The rate that the nearer roof speaks of, and the share of that roof.
void add_line(table& lines, const tour_row& r, const roofs& roof) {
  const double by_operations = r.operations / roof.flops, by_bytes = r.bytes / roof.bytes;
  const bool computes = by_operations >= by_bytes;
  const double rate = (computes ? r.operations : r.bytes) / r.seconds;
  lines.add({r.primitive, r.problem, r.policy, duration(r.seconds),
             short_number(1e-9 * rate) + (computes ? " GFLOP/s" : " GB/s   "),
             share_of((computes ? by_operations : by_bytes) / r.seconds, computes ? "FMA" : "copy"),
             r.checked.ok() ? good("ok") : bad("WRONG"), tolerance_used(r.checked)});
}

/// The lines of an explanation that say most.
std::string in_brief(const std::string& explanation) {
  std::string brief;
  for (std::size_t at = 0; at < explanation.size();) {
    const std::size_t end = std::min(explanation.find('\n', at), explanation.size());
    const std::string line = explanation.substr(at, end - at);
    for (const std::string_view kept :
         {"  launch ", "  kernel ", "  resident ", "  work ", "  in flight ", "  predicted "}) {
      if (line.starts_with(kept)) brief += line + "\n";
    }
    at = end + 1;
  }
  return brief;
}

void print(const tour& t, bool explain) {
  using enum table::side;
  table lines({{"primitive"},
               {"problem"},
               {"policy: tile, outputs, group"},
               {"time", right},
               {"rate", right},
               {"of roof", right},
               {"check"},
               {"largest error"}});
  for (const tour_row& row : t.rows) add_line(lines, row, t.roof);
  lines.print();
  std::printf(
      "\n%s\n\n",
      faint(
          "roofs: FMA, what multiply-adds alone reach here; copy, what a plain copy moves. "
          "* faster: its data fit\nthe cache, or the machine was busy when the roof was measured.")
          .c_str());
  for (const std::string& note : t.notes) std::printf("%s\n", note.c_str());
  if (!t.pictures.empty()) std::printf("\nPictures:\n");
  for (const std::string& one : t.pictures) std::printf("  %s\n", one.c_str());
  if (explain) {
    for (const std::string& text : t.explained) std::printf("\n%s", text.c_str());
  } else if (!t.rows.empty()) {
    std::printf("\nHow the first of them runs (--explain tells of all):\n%s",
                in_brief(t.explained.front()).c_str());
  }
}

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
