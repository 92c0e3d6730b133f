// bench_occupancy: the latencies and rates of the present device, its row for core/parallelism.hpp,
// and how well the model's predictions fit what was measured.
//
//   bench_occupancy --table occupancy.txt --json occupancy.json
//   bench/plot_occupancy.py occupancy.json        the curves as SVG and PNG
//
// After V. Volkov, "Better Performance at Lower Occupancy" (GTC 2010): throughput of multiply-adds
// and of copies against occupancy, one curve per amount of independent work of a work-item.

#include <cstdio>
#include <string>
#include <vector>

#include <clprim/core/number_text.hpp>

#include "harness/json.hpp"
#include "harness/options.hpp"
#include "harness/text.hpp"
#include "occupancy/sweep.hpp"

namespace {

using bench::cell;
using bench::fixed;

struct results {
  bench::facts_list machine;
  clprim::device_row row;
  const clprim::device_row* shipped = nullptr;
  double chase_ns = 0;
  double double_rate = 0;
  double query_ns = 0;
  std::vector<bench::sweep_point> points;
  std::vector<std::pair<bench::residence, double>> census;
  bool partial = false;  ///< the sweeps were interrupted: there are points and nothing else

  /// The row that predictions are made with: the library's where it has one.
  const clprim::device_row& model() const { return shipped != nullptr ? *shipped : row; }
};

/// The row as core/parallelism.hpp has it.
std::string row_text(const results& r) {
  const auto& d = r.row;
  std::string date = bench::date_now().substr(0, 10);
  std::string text = "device_row{.name = \"" + std::string(d.name) + "\",\n           .source = \"";
  text += "measured " + date + ", driver " + r.machine[3].second + ": bench_occupancy; a pointer " +
          "chase alone takes " + fixed(r.chase_ns, 0) + " ns\",\n";
  const auto field = [&](const char* name, const std::string& value, bool last = false) {
    text += "           ." + std::string(name) + " = " + value + (last ? "},\n" : ",\n");
  };
  field("units", std::to_string(d.units));
  field("schedulers", std::to_string(d.schedulers));
  field("clock_ghz", fixed(d.clock_ghz, 3));
  field("arithmetic_latency", fixed(d.arithmetic_latency, 2));
  field("arithmetic_throughput", fixed(d.arithmetic_throughput, 1));
  field("single_issue", fixed(d.single_issue, 1));
  field("double_rate", fixed(r.double_rate, 3));
  field("memory_latency_ns", fixed(d.memory_latency_ns, 0));
  field("memory_gb_s", fixed(d.memory_gb_s, 0));
  field("dispatch_groups_ns", fixed(d.dispatch_groups_ns, 3));
  field("launch_us", fixed(d.launch_us, 1), true);
  return text;
}

std::string fit_line(const char* what, const bench::fit& f) {
  return cell(what, -22) + cell(std::to_string(f.points), 4) + " points, Spearman " +
         fixed(f.spearman, 3) + ", within 25 %: " + bench::percent(f.within_quarter) + ", worst " +
         bench::percent(f.worst) + "\n";
}

std::string fits_text(const clprim::device_row& row, const std::vector<bench::sweep_point>& all) {
  return fit_line("  multiply-add chains", bench::fit_of(row, all, "fma")) +
         fit_line("  copies", bench::fit_of(row, all, "copy")) +
         fit_line("  copies by float4", bench::fit_of(row, all, "copy4")) +
         fit_line("  all, as share of roof", bench::fit_of(row, all, ""));
}

/// The sweeps point by point; without predictions where the row of the device is not complete.
std::string points_text(const results& r) {
  std::string text = "\n" + cell("kernel", -6) + cell("ILP", 4) + cell("group", 7) +
                     cell("occupancy", 11) + cell("registers", 11) + cell("measured", 13) +
                     cell("±", 7);
  text += r.partial ? "\n" : cell("predicted", 11) + cell("off", 8) + "  bound\n";
  for (const auto& s : r.points) {
    const bool moves = s.kind != "fma";
    const double scale = moves ? 1e-9 : 2e-9;
    text += cell(s.kind, -6) + cell(std::to_string(s.parallel), 4) +
            cell(std::to_string(s.held.work_items), 7) +
            cell(fixed(100 * s.plan.resident.fraction(), 1) + "%", 11) +
            cell(s.registers > 0 ? std::to_string(s.registers) : "?", 11) +
            cell(fixed(s.rate() * scale, 0) + (moves ? " GB/s" : " GF/s"), 13) +
            cell(bench::percent(s.time.spread), 7);
    if (!r.partial) {
      const double predicted = bench::predicted_rate(r.model(), s);
      text += cell(fixed(predicted * scale, 0), 10) +
              cell(fixed(100 * (predicted / s.rate() - 1), 1) + "%", 9) + "  " +
              std::string(to_string(clprim::predict(r.model(), s.plan, s.work).bound));
    }
    text += "\n";
  }
  return text;
}

std::string table_text(const results& r) {
  std::string text;
  for (const auto& [name, value] : r.machine) text += cell(name, -20) + value + "\n";
  if (r.partial) return text + points_text(r) + bench::interrupted_mark + "\n";
  text += "\n" + row_text(r) +
          "\nresident groups per unit: promised by the model, counted by the " +
          "groups themselves\n";
  for (const auto& [held, counted] : r.census) {
    text += "  groups of " + cell(std::to_string(held.work_items), 4) + " with " +
            cell(std::to_string(held.ballast), 6) +
            " bytes of local memory:" + cell(std::to_string(held.groups), 4) +
            cell(fixed(counted, 2), 8) + "\n";
  }
  text +=
      "\none query of the model (occupancy, next step, plan, prediction): " + fixed(r.query_ns, 0) +
      " ns\n";
  text += "\npredictions with the measured row\n" + fits_text(r.row, r.points);
  if (r.shipped != nullptr) {
    text += "predictions with the row of core/parallelism.hpp\n" + fits_text(*r.shipped, r.points);
  }
  return text + points_text(r) +
         "\nVolkov (GTC 2010), GTX 480: copies of 8 float4 of an item reach 87 % of its pins at 8 "
         "% "
         "occupancy,\nof 14 float4 84 % at 4 %.\n";
}

std::string json_text(const results& r) {
  std::string text = "{\n";
  for (const auto& [name, value] : r.machine) {
    text += "  " + bench::json_text(name) + ": " + bench::json_text(value) + ",\n";
  }
  const auto number = [](const char* name, double value) {
    return "\"" + std::string(name) + "\": " + clprim::general_text(value, 6);
  };
  const auto& d = r.row;
  if (r.partial)
    text += "  \"interrupted\": \"yes\",\n  \"points\": [\n";
  else
    text += "  \"row\": {" + number("units", d.units) + ", " + number("clock_ghz", d.clock_ghz) +
            ", " + number("arithmetic_latency", d.arithmetic_latency) + ", " +
            number("arithmetic_throughput", d.arithmetic_throughput) + ", " +
            number("single_issue", d.single_issue) + ", " + number("double_rate", r.double_rate) +
            ", " + number("memory_latency_ns", d.memory_latency_ns) + ", " +
            number("chase_ns", r.chase_ns) + ", " + number("memory_gb_s", d.memory_gb_s) + ", " +
            number("dispatch_groups_ns", d.dispatch_groups_ns) + ", " +
            number("launch_us", d.launch_us) + "},\n  \"points\": [\n";
  for (std::size_t i = 0; i < r.points.size(); ++i) {
    const auto& s = r.points[i];
    text += "    {\"kind\": \"" + s.kind + "\", " + number("parallel", s.parallel) + ", " +
            number("group", s.held.work_items) + ", " + number("ballast", s.held.ballast) + ", " +
            number("registers", s.registers) + ", " +
            number("occupancy", s.plan.resident.fraction()) + ", " + number("measured", s.rate()) +
            ", " + number("spread", s.time.spread) + ", " +
            number("predicted", bench::predicted_rate(r.model(), s)) + "}" +
            (i + 1 < r.points.size() ? ",\n" : "\n");
  }
  return text + "  ]\n}\n";
}

/// The device's row, and what the sweeps do not tell.
void measure_rest(const bench::probe& p, bool quick, results& r) {
  r.row = bench::measured_row(p, r.points);
  r.shipped = clprim::find_row(p.facts().name);
  r.chase_ns = bench::chase_ns(p, std::size_t{1} << (quick || p.is_cpu() ? 26 : 28), 20000);
  r.query_ns = bench::query_ns(p, r.model());
  const auto held = p.residences();
  for (const auto& one : held) r.census.emplace_back(one, bench::counted_groups(p, one));
  if (p.facts().fp64) {
    const auto wide = bench::fma_point(p, held.back(), 8, "double");
    const double lanes = p.is_cpu() ? 0.5 : 1.0;  // a SIMD register holds half as many doubles
    r.double_rate =
        lanes * wide.rate() / (r.row.arithmetic_throughput * r.row.units * r.row.clock_ghz * 1e9);
  }
}

int run(int argc, char** argv) {
  bench::command_line line(argc, argv);
  const std::string wish =
      line.text("device", "NAME", "part of a device's name, a kind, or P:D").value_or("");
  const std::string table = line.text("table", "FILE", "write the table too").value_or("");
  const std::string json = line.text("json", "FILE", "write the results as JSON").value_or("");
  const bool quick = line.flag("quick", "fewer runs, smaller copies");
  if (!line.finish("bench_occupancy: latencies, rates, and the launch model against them.")) {
    return 0;
  }
  const clprim::session s = clprim::open_session(wish);
  const bench::probe p(s, quick);
  results r;
  r.machine = bench::machine_facts(p.facts());
  r.points = bench::sweep(p, quick);
  r.partial = bench::interrupted();
  if (!r.partial) measure_rest(p, quick, r);
  const std::string text = table_text(r);
  std::printf("%s", text.c_str());
  bench::write_file(table, text);
  bench::write_file(json, json_text(r));
  return r.partial ? bench::interrupted_status : 0;
}

}  // namespace

int main(int argc, char** argv) {
  bench::notice_interrupts();
  try {
    return run(argc, argv);
  } catch (const std::exception& e) {
    std::fprintf(stderr, "bench_occupancy: %s\n", e.what());
    return 2;
  }
}
