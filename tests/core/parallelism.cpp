#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include <clprim/core/occupancy/explain.hpp>
#include <clprim/core/parallelism.hpp>

using namespace clprim;

namespace {

const device_row& row(const char* name) {
  const device_row* found = find_row(name);
  REQUIRE(found != nullptr);
  return *found;
}

// Threads for the full arithmetic rate, as Volkov reads them off: whole warps.
int threads_needed(const device_row& device, double ilp) {
  for (int threads = 32;; threads += 32) {
    if (arithmetic_share(device, threads, ilp) >= 1.0) return threads;
  }
}

struct copy_measurement {
  int floats;       // per work-item: loaded together, then stored
  int local_bytes;  // to limit the resident groups, of 128 work-items
  int registers;    // from the build log
  double gb_s;      // read and written
};

// H200, driver 580.159.04, 2026-11-20: median of 7 copies of 1 GiB in OpenCL C. 4 and more floats
// are also copied as float4; their order of loads differs, the bytes in flight do not.
constexpr std::array h200_copies{
    copy_measurement{1, 225280, 12, 236},   copy_measurement{1, 114688, 12, 462},
    copy_measurement{1, 57344, 12, 675},    copy_measurement{1, 27648, 12, 1551},
    copy_measurement{1, 18432, 12, 1681},   copy_measurement{1, 13312, 12, 1688},
    copy_measurement{1, 512, 12, 1688},     copy_measurement{2, 225280, 16, 457},
    copy_measurement{2, 114688, 16, 851},   copy_measurement{2, 57344, 16, 1184},
    copy_measurement{2, 27648, 16, 2655},   copy_measurement{2, 18432, 16, 3256},
    copy_measurement{2, 13312, 16, 3341},   copy_measurement{2, 512, 16, 3340},
    copy_measurement{4, 225280, 20, 809},   copy_measurement{4, 114688, 20, 1434},
    copy_measurement{4, 57344, 20, 2018},   copy_measurement{4, 27648, 20, 3727},
    copy_measurement{4, 18432, 20, 3910},   copy_measurement{4, 13312, 20, 4111},
    copy_measurement{4, 512, 20, 4243},     copy_measurement{8, 225280, 28, 1348},
    copy_measurement{8, 114688, 28, 2349},  copy_measurement{8, 57344, 28, 3126},
    copy_measurement{8, 27648, 28, 4017},   copy_measurement{8, 18432, 28, 4057},
    copy_measurement{8, 13312, 28, 4061},   copy_measurement{8, 512, 28, 4163},
    copy_measurement{16, 225280, 44, 2119}, copy_measurement{16, 114688, 44, 3399},
    copy_measurement{16, 57344, 44, 3816},  copy_measurement{16, 27648, 44, 3952},
    copy_measurement{16, 18432, 40, 3977},  copy_measurement{16, 13312, 32, 3974},
    copy_measurement{16, 512, 32, 4031},    copy_measurement{16, 225280, 30, 2194},
    copy_measurement{16, 114688, 30, 3490}, copy_measurement{16, 57344, 30, 3844},
    copy_measurement{16, 27648, 30, 4062},  copy_measurement{16, 18432, 28, 4049},
    copy_measurement{16, 13312, 28, 4036},  copy_measurement{16, 512, 28, 4043},
    copy_measurement{32, 225280, 46, 3212}, copy_measurement{32, 114688, 46, 3887},
    copy_measurement{32, 57344, 46, 4151},  copy_measurement{32, 27648, 44, 3983},
    copy_measurement{32, 18432, 40, 3994},  copy_measurement{32, 13312, 40, 4010},
    copy_measurement{32, 512, 40, 4004},    copy_measurement{64, 225280, 78, 3343},
    copy_measurement{64, 114688, 78, 3943}, copy_measurement{64, 57344, 78, 4094},
    copy_measurement{64, 27648, 72, 3888},  copy_measurement{64, 18432, 72, 3983},
    copy_measurement{64, 13312, 72, 3983},  copy_measurement{64, 512, 72, 3976},
};

double predicted_gb_s(const copy_measurement& m) {
  constexpr std::int64_t floats = 1 << 28;
  const auto plan =
      plan_launch(nvidia_limits(90), 132,
                  {.work_items = 128, .registers = m.registers, .local_bytes = m.local_bytes},
                  floats, m.floats);
  const auto p = predict(row("H200"), plan, {.bytes = 8.0 * m.floats});
  return 8.0 * floats / p.seconds / 1e9;
}

struct chain_measurement {
  int ilp;
  std::array<double, 9> tflops;  // at the residences below
};

// H200, driver 580.159.04, 2026-11-20, bench_occupancy: chains of dependent multiply-adds, 32 per
// turn of a loop that takes 3 instructions more. Three and six warps per scheduler without ILP run
// at three quarters, for reasons that no model of latency has.
constexpr std::array h200_chains{
    chain_measurement{1, {12.2, 16.3, 32.4, 48.3, 61.7, 48.7, 62.1, 62.4, 62.2}},
    chain_measurement{2, {23.3, 31.1, 59.6, 48.7, 59.8, 60.3, 60.6, 61.2, 61.6}},
    chain_measurement{3, {34.2, 45.7, 62.6, 57.2, 63.4, 62.7, 62.9, 63.3, 63.5}},
    chain_measurement{4, {45.4, 60.4, 64.7, 63.3, 64.9, 64.7, 64.9, 64.6, 64.8}},
    chain_measurement{6, {46.8, 62.4, 65.4, 64.3, 65.4, 65.2, 65.1, 65.4, 65.0}},
    chain_measurement{8, {47.2, 62.9, 65.6, 64.9, 65.7, 65.7, 65.6, 65.7, 65.5}}};
struct residence {
  int work_items, groups;  // per unit, by local memory
};
constexpr std::array<residence, 9> residences{
    {{96, 1}, {128, 1}, {128, 2}, {128, 3}, {128, 4}, {128, 6}, {128, 8}, {128, 12}, {128, 16}}};

double predicted_tflops(int ilp, const residence& r) {
  constexpr double steps = 1000;
  const auto unit = nvidia_limits(90);
  const int local = r.groups == 16 ? 0 : 232448 / r.groups - 1024;
  const std::int64_t items = std::int64_t{132} * r.groups * r.work_items;
  const auto plan = plan_launch(
      unit, 132, {.work_items = r.work_items, .registers = 16, .local_bytes = local}, items);
  REQUIRE(plan.resident.groups == r.groups);
  const auto p = predict(row("H200"), plan,
                         {.operations = steps * (32 * ilp + 3), .ilp = static_cast<double>(ilp)});
  return 2e-12 * steps * 32 * ilp * static_cast<double>(items) / (p.seconds - 2.9e-6);
}

// Ranks from 1 on, ties sharing their mean.
std::vector<double> ranks(const std::vector<double>& values) {
  std::vector<double> result;
  for (const double v : values) {
    const auto below = std::count_if(values.begin(), values.end(), [=](double w) { return w < v; });
    const auto same = std::count(values.begin(), values.end(), v);
    result.push_back(static_cast<double>(below) + 0.5 * static_cast<double>(same + 1));
  }
  return result;
}

double spearman(const std::vector<double>& a, const std::vector<double>& b) {
  const auto x = ranks(a), y = ranks(b);
  const double mean = 0.5 * static_cast<double>(a.size() + 1);
  double xy = 0, xx = 0, yy = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    xy += (x[i] - mean) * (y[i] - mean);
    xx += (x[i] - mean) * (x[i] - mean);
    yy += (y[i] - mean) * (y[i] - mean);
  }
  return xy / std::sqrt(xx * yy);
}

}  // namespace

TEST_CASE("the needed arithmetic parallelism is Volkov's table") {
  CHECK(needed_operations(row("8800 GTX")) == 192);
  CHECK(needed_operations(row("GTX 280")) == 192);
  CHECK(needed_operations(row("GTX 480")) == 576);
  CHECK(needed_operations(row("GTX 460")) == 864);
  CHECK(needed_operations(row("NVIDIA H200")) == 512);
}

TEST_CASE("GF100 needs 576 threads without ILP and fewer by its factor") {
  const auto& gf100 = row("GTX 480");
  CHECK(threads_needed(gf100, 1) == 576);
  // Measured: 320, 256 and 192; the model is a lower bound, within one or two warps per step.
  const std::array<std::array<int, 2>, 3> measured{{{2, 320}, {3, 256}, {4, 192}}};
  for (const auto& m : measured) {
    const int needed = threads_needed(gf100, m[0]);
    CAPTURE(m[0]);
    CHECK(needed <= m[1]);
    CHECK(needed >= m[1] - 64);
  }
}

TEST_CASE(
    "G80 reaches its peak at a quarter of its threads, or a twelfth with three operations each") {
  const auto& g80 = row("8800 GTX");
  constexpr int threads = 768;
  CHECK(arithmetic_share(g80, threads / 4, 1) == 1.0);
  CHECK(arithmetic_share(g80, threads / 12, 3) == 1.0);
  CHECK(arithmetic_share(g80, threads / 12, 1) == doctest::Approx(1.0 / 3));
}

TEST_CASE("GF104 needs ILP to pass two thirds of its peak") {
  const auto& gf104 = row("GTX 460");
  CHECK(arithmetic_share(gf104, 1536, 1) == doctest::Approx(2.0 / 3));
  CHECK(arithmetic_share(gf104, 1536, 2) == 1.0);
}

TEST_CASE("about 100 KB in flight fill a GTX 480: 25,000 threads of 4 bytes or 1,000 of 100") {
  const double needed = needed_bytes(row("GTX 480"));
  CHECK(needed == doctest::Approx(100e3).epsilon(0.02));
  CHECK(needed / 4 == doctest::Approx(25'000).epsilon(0.02));
  CHECK(needed / 100 == doctest::Approx(1'000).epsilon(0.02));
}

TEST_CASE(
    "8 % occupancy with 128 bytes per thread is near the roof, full occupancy with 4 is not") {
  const auto& gf100 = row("GTX 480");
  const auto share = [&](double occupancy, int floats) {
    return memory_share(gf100, occupancy * 1536 * gf100.units * 8 * floats);
  };
  CHECK(share(1.0 / 12, 32) > 0.87);  // measured: 87 % of pin bandwidth with 8 float4
  CHECK(share(1.0 / 24, 56) > 0.84);  // 84 % with 14 float4
  CHECK(share(1.0, 1) < share(1.0 / 12, 32));
  CHECK(share(1.0 / 12, 1) < 0.2);
}

TEST_CASE("the model of a copy is within a quarter of what an H200 measured, and ranks it") {
  std::vector<double> predicted, measured;
  int within = 0;
  double worst = 0;
  for (const auto& m : h200_copies) {
    predicted.push_back(predicted_gb_s(m));
    measured.push_back(m.gb_s);
    const double error = std::abs(predicted.back() / m.gb_s - 1);
    within += error <= 0.25 ? 1 : 0;
    worst = std::max(worst, error);
  }
  CHECK(predicted.size() == 56);
  CHECK(within >= 54);
  CHECK(worst < 0.35);
  // Near the roof the order is noise of 2 %; below nine tenths of it the model ranks.
  std::vector<double> p, m;
  for (std::size_t i = 0; i < measured.size(); ++i) {
    if (measured[i] > 0.9 * 4241) continue;
    p.push_back(predicted[i]);
    m.push_back(measured[i]);
  }
  CHECK(p.size() > 20);
  CHECK(spearman(p, m) >= 0.95);
  CHECK(spearman(predicted, measured) >= 0.8);
}

TEST_CASE("the model of multiply-add chains is within a quarter of what an H200 measured") {
  std::vector<double> predicted, measured;
  int within = 0;
  for (const auto& m : h200_chains) {
    for (std::size_t i = 0; i < residences.size(); ++i) {
      predicted.push_back(predicted_tflops(m.ilp, residences[i]));
      measured.push_back(m.tflops[i]);
      within += std::abs(predicted.back() / measured.back() - 1) <= 0.25 ? 1 : 0;
    }
  }
  CHECK(predicted.size() == 54);
  CHECK(within >= 52);
  CHECK(spearman(predicted, measured) >= 0.9);
}

TEST_CASE("fewer warps than schedulers leave some idle whatever their ILP") {
  const auto plan =
      plan_launch(nvidia_limits(90), 132,
                  {.work_items = 64, .registers = 32, .local_bytes = 200'000}, 132 * 64);
  CHECK(predict(row("H200"), plan, {.operations = 1e4, .ilp = 32}).arithmetic_share == 0.5);
}

TEST_CASE("what a launch waits for is named: memory, arithmetic, latency or the launch itself") {
  const auto& h200 = row("H200");
  constexpr auto hopper = nvidia_limits(90);
  constexpr group_use full{.work_items = 256, .registers = 32};
  constexpr std::int64_t many = std::int64_t{1} << 28;
  const auto bound_of = [&](const group_use& use, std::int64_t items, const item_work& work) {
    return predict(h200, plan_launch(hopper, h200.units, use, items), work).bound;
  };
  CHECK(bound_of(full, many, {.bytes = 64}) == bound::memory);
  CHECK(bound_of(full, many, {.operations = 4096, .bytes = 8}) == bound::arithmetic);
  CHECK(bound_of({.work_items = 64, .registers = 32, .local_bytes = 200'000}, many,
                 {.operations = 4096}) == bound::latency);
  CHECK(bound_of({.work_items = 64, .registers = 32, .local_bytes = 200'000}, many,
                 {.operations = 4096, .ilp = 8}) == bound::arithmetic);
  CHECK(bound_of({.work_items = 64, .registers = 32, .local_bytes = 200'000}, many,
                 {.bytes = 16}) == bound::latency);
  CHECK(bound_of(full, 1024, {.bytes = 8}) == bound::launch);
  CHECK(bound_of({.work_items = 32, .registers = 32}, many, {.bytes = 8}) == bound::launch);
  CHECK(to_string(bound::launch) == "launch");
}

TEST_CASE("predicted times follow from the roofs") {
  const auto& h200 = row("H200");
  constexpr std::int64_t items = std::int64_t{132} * 2048 * 64;  // 64 full waves
  const auto plan =
      plan_launch(nvidia_limits(90), 132, {.work_items = 256, .registers = 32}, items);
  REQUIRE(plan.tail_efficiency == 1.0);
  const auto fma = predict(h200, plan, {.operations = 1e4});
  CHECK(fma.arithmetic_share == 1.0);
  CHECK(fma.seconds == doctest::Approx(2.9e-6 + 1e4 * items / (132 * 128 * 1.98e9)));
  const auto copy = predict(h200, plan, {.bytes = 4096});
  CHECK(copy.seconds > 4096.0 * items / 4241e9);
  CHECK(copy.seconds < 1.02 * 4096.0 * items / 4241e9);
}

TEST_CASE("a row without a figure refuses to be asked for it") {
  CHECK_THROWS_AS(needed_bytes(row("GTX 460")), argument_error);
  CHECK_THROWS_AS(memory_share(row("GTX 460"), 1000), argument_error);
  CHECK_THROWS_AS(needed_operations(device_row{}), argument_error);
  CHECK_THROWS_AS(arithmetic_share(row("H200"), 0, 1), argument_error);
  CHECK_THROWS_AS(arithmetic_share(row("H200"), 256, 0), argument_error);
  CHECK_THROWS_AS(arithmetic_share(row("H200"), 256, std::nan("")), argument_error);
  CHECK_THROWS_AS(memory_share(row("H200"), -1), argument_error);
  CHECK(find_row("GeForce RTX 5090") == nullptr);
  CHECK(find_row("NVIDIA GH200 480GB") == nullptr);
  CHECK(find_row("NVIDIA H2000") == nullptr);
  for (const auto& r : device_rows) CHECK(!r.source.empty());
}
