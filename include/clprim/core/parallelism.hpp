#pragma once
// How much parallelism a device needs, how much a launch offers, and what that buys: Little's law
// after V. Volkov, "Better Performance at Lower Occupancy" (GTC 2010).
//
//   needed = latency × throughput                      operations, or bytes, in flight
//   offered = resident work-items × ILP                operations per unit
//           = resident work-items × bytes each moves   bytes per unit
//
// So occupancy is one factor among two: a work-item with more independent work needs fewer
// neighbours.

#include <array>
#include <cmath>
#include <string>
#include <string_view>

#include <clprim/core/error.hpp>
#include <clprim/core/occupancy/plan.hpp>
#include <clprim/core/words.hpp>

namespace clprim {

/// A device's latencies and throughputs. A figure that nobody has measured or published is 0.
struct device_row {
  std::string_view name;    ///< as it appears inside CL_DEVICE_NAME
  std::string_view source;  ///< where every figure of the row comes from
  int units = 0;            ///< multiprocessors
  int schedulers = 1;    ///< of a unit; a warp runs on one of them, so fewer warps leave some idle
  double clock_ghz = 0;  ///< of the arithmetic units
  double arithmetic_latency = 0;     ///< cycles from a float multiply-add to one that depends on it
  double arithmetic_throughput = 0;  ///< multiply-adds per cycle and unit
  double single_issue = 0;           ///< of those, what work-items without ILP can reach
  double double_rate = 0;            ///< multiply-adds of double per one of float
  double memory_latency_ns = 0;   ///< of a load, its store and the next group that waits for both
  double memory_gb_s = 0;         ///< reads and writes together, 1e9 bytes per second
  double dispatch_groups_ns = 0;  ///< groups that the device can start per nanosecond
  double launch_us = 0;           ///< an empty kernel
};

/// The rows: Volkov's devices, and those measured with this library.
inline constexpr std::array device_rows{
    device_row{.name = "8800 GTX",
               .source = "Volkov 2010 (G80-GT200: 24 cycles, 8 cores); NVIDIA OpenCL Programming "
                         "Guide 2.3 (16 units; 400 to 600 cycles of memory latency, 500 taken); "
                         "data sheet (1.35 GHz, 86.4 GB/s)",
               .units = 16,
               .clock_ghz = 1.35,
               .arithmetic_latency = 24,
               .arithmetic_throughput = 8,
               .single_issue = 8,
               .memory_latency_ns = 370,
               .memory_gb_s = 86.4},
    device_row{.name = "GTX 280",
               .source = "Volkov 2010 (G80-GT200: 24 cycles, 8 cores); NVIDIA OpenCL Programming "
                         "Guide 2.3 (30 units; 400 to 600 cycles of memory latency, 500 taken); "
                         "NVIDIA, OpenCL Optimization (141 GB/s); data sheet (1.296 GHz)",
               .units = 30,
               .clock_ghz = 1.296,
               .arithmetic_latency = 24,
               .arithmetic_throughput = 8,
               .single_issue = 8,
               .memory_latency_ns = 386,
               .memory_gb_s = 141},
    device_row{.name = "GTX 480",
               .source = "Volkov 2010 (GF100: 15 units, 1.4 GHz, 18 cycles, 32 cores; memory under "
                         "800 cycles and 177 GB/s, both taken as they stand)",
               .units = 15,
               .clock_ghz = 1.4,
               .arithmetic_latency = 18,
               .arithmetic_throughput = 32,
               .single_issue = 32,
               .memory_latency_ns = 571,
               .memory_gb_s = 177},
    device_row{.name = "GTX 460",
               .source =
                   "Volkov 2010 (GF104: 18 cycles, 48 cores, a third of them reached only by a "
                   "second independent instruction of the same warp; no memory figures); data "
                   "sheet (7 units, 1.35 GHz)",
               .units = 7,
               .clock_ghz = 1.35,
               .arithmetic_latency = 18,
               .arithmetic_throughput = 48,
               .single_issue = 32},
    device_row{.name = "H200",
               .source =
                   "measured 2026-11-20, driver 580.159.04: chains of dependent (4.0 cycles) and "
                   "independent multiply-adds (66.0 TFLOP/s at 1.98 GHz); 56 copies of 1 to 64 "
                   "floats per item at 6 to 100 % occupancy (590 ns; a pointer chase alone takes "
                   "352; 1.65 groups started per ns); best copy; empty kernel",
               .units = 132,
               .schedulers = 4,
               .clock_ghz = 1.98,
               .arithmetic_latency = 4,
               .arithmetic_throughput = 128,
               .single_issue = 128,
               .double_rate = 0.5,
               .memory_latency_ns = 590,
               .memory_gb_s = 4241,
               .dispatch_groups_ns = 1.65,
               .launch_us = 2.9},
};

/// The row whose name occurs in a device name; nullptr where there is none: no row is ever guessed.
constexpr const device_row* find_row(std::string_view device_name) {
  for (const auto& row : device_rows) {
    if (detail::has_word(device_name, row.name)) return &row;  // a GH200 is no H200
  }
  return nullptr;
}

namespace detail {

constexpr void require_figure(const device_row& row, double figure, const char* name) {
  if (!(figure > 0)) {
    throw argument_error(std::string(name) + " of " + std::string(row.name), "must be known",
                         std::to_string(figure), "a measured row has it");
  }
}

constexpr void require_positive(const char* name, double value) {
  if (!(value > 0)) {
    throw argument_error(name, "must be positive", std::to_string(value), "more than 0");
  }
}

}  // namespace detail

/// Multiply-adds that must be in flight on one unit for its full rate: 192 on G80, 576 on GF100.
/// Throws argument_error when the row lacks the figures.
constexpr double needed_operations(const device_row& row) {
  detail::require_figure(row, row.arithmetic_latency, "arithmetic latency");
  detail::require_figure(row, row.arithmetic_throughput, "arithmetic throughput");
  return row.arithmetic_latency * row.arithmetic_throughput;
}

/// Bytes that must be in flight on the whole device for its full bandwidth: about 100 KB on a GTX
/// 480. Throws argument_error when the row lacks the figures.
constexpr double needed_bytes(const device_row& row) {
  detail::require_figure(row, row.memory_latency_ns, "memory latency");
  detail::require_figure(row, row.memory_gb_s, "memory bandwidth");
  return row.memory_latency_ns * row.memory_gb_s;  // ns × GB/s are bytes
}

/// What one work-item does.
struct item_work {
  double operations = 0;  ///< multiply-adds in its life
  double ilp = 1;         ///< of which so many are independent of each other at any time
  double bytes = 0;       ///< global memory it reads and writes in its life
  double turns = 1;       ///< memory round trips in its life; bytes / turns are in flight at once
};

/// The share of the arithmetic rate that so many resident work-items per unit reach, 0 to 1.
/// Volkov's curves are this: straight up to the needed parallelism, then flat.
constexpr double arithmetic_share(const device_row& row, double work_items_per_unit, double ilp) {
  detail::require_positive("resident work-items", work_items_per_unit);
  detail::require_positive("instruction-level parallelism", ilp);
  const double reached = work_items_per_unit * ilp / needed_operations(row);
  const double roof = ilp < 2 ? row.single_issue / row.arithmetic_throughput : 1.0;
  return reached < roof ? reached : roof;
}

/// The share of the memory bandwidth that so many bytes in flight on the device reach, 0 to 1: r /
/// (1 + r^1.5)^(2/3) with r = offered / needed. A sharp knee at r = 1 promised up to 55 % too much,
/// because latency grows under load; with this one 54 of 56 copies measured on an H200 are within
/// 25 % (tests/core/parallelism.cpp). Throws argument_error for nothing in flight or a row without
/// figures.
inline double memory_share(const device_row& row, double bytes_in_flight) {
  detail::require_positive("bytes in flight", bytes_in_flight);
  const double ratio = bytes_in_flight / needed_bytes(row);
  return ratio / std::pow(1.0 + std::pow(ratio, 1.5), 2.0 / 3.0);
}

/// What a launch will wait for.
enum class bound { arithmetic, memory, latency, launch };

constexpr std::string_view to_string(bound b) {
  constexpr std::array<std::string_view, 4> names{"arithmetic", "memory", "latency", "launch"};
  return names[static_cast<std::size_t>(b)];
}

/// The model's word on a launch.
struct prediction {
  double seconds = 0;           ///< launch overhead included
  double arithmetic_share = 0;  ///< of the device's rate, within reach; 0: no operations
  double memory_share = 0;      ///< of the device's bandwidth; 0: no bytes
  double needed_operations = 0, offered_operations = 0;  ///< in flight per unit
  double needed_bytes = 0, offered_bytes = 0;            ///< in flight on the device
  clprim::bound bound = clprim::bound::launch;
};

/// Predicts a planned launch: the slower of arithmetic and memory, each at the share its
/// parallelism reaches, over the tail efficiency, but no faster than groups can be started, plus
/// the launch. `latency` is the bound when the slower side offers less than it needs; `launch` when
/// starting the kernel or its groups takes longer than their work. Throws argument_error when the
/// row lacks a figure that the work asks for.
inline prediction predict(const device_row& row, const launch_plan& plan, const item_work& work) {
  prediction p;
  const double items = static_cast<double>(plan.tiles) * plan.work_items;
  const double per_unit = static_cast<double>(plan.resident.work_items) * std::min(plan.waves, 1.0);
  const double warps = static_cast<double>(plan.resident.warps) * std::min(plan.waves, 1.0);
  double arithmetic = 0, memory = 0;
  if (work.operations > 0) {
    p.needed_operations = needed_operations(row);
    p.offered_operations = per_unit * work.ilp;
    const double at_work = std::min(1.0, std::max(1.0, warps) / row.schedulers);
    p.arithmetic_share = std::min(at_work, arithmetic_share(row, per_unit, work.ilp));
    arithmetic = items * work.operations /
                 (p.arithmetic_share * row.units * row.arithmetic_throughput * row.clock_ghz * 1e9);
  }
  if (work.bytes > 0) {
    p.needed_bytes = needed_bytes(row);
    p.offered_bytes = per_unit * row.units * work.bytes / work.turns;
    p.memory_share = memory_share(row, p.offered_bytes);
    memory = items * work.bytes / (p.memory_share * row.memory_gb_s * 1e9);
  }
  // A launch of less than one wave is slowed through `per_unit` already.
  const double tail = plan.waves > 1 ? plan.tail_efficiency : 1.0;
  const double busy = std::max(arithmetic, memory) / tail;
  const double starting = row.dispatch_groups_ns > 0
                              ? static_cast<double>(plan.groups) / row.dispatch_groups_ns * 1e-9
                              : 0.0;
  const double overhead = row.launch_us * 1e-6;
  p.seconds = overhead + std::max(busy, starting);
  if (starting > busy || overhead > busy) {
    p.bound = bound::launch;
  } else if (arithmetic >= memory) {
    p.bound = p.offered_operations < p.needed_operations ? bound::latency : bound::arithmetic;
  } else {
    p.bound = p.offered_bytes < p.needed_bytes ? bound::latency : bound::memory;
  }
  return p;
}

}  // namespace clprim
