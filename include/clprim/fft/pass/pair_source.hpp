#pragma once
// The kernel of two passes in one launch: every group takes a ticket, which tells the pass and the
// group of it that it runs.
//
//     tickets, in the order in which groups start, transform after transform:
//
//         first pass    0  1  2  3  4  5  6  7  …  n-1
//         second pass            0  1  2  3  4  …       n-1
//                       |--------| lag
//
// So a group of the second pass finds what it waits for written, as a rule, and still in the cache;
// it waits for earlier tickets only, which are taken by groups that run, so all of them end. What
// lies between the passes goes round in a ring of transforms: memory never sees most of it.

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <clprim/fft/pass/source.hpp>
#include <clprim/fft/plan/pair.hpp>

namespace clprim {
namespace fft_text {

/// Counters between groups: how they are read and raised so that what was written before a raise is
/// seen after the read. On NVIDIA by PTX (fence.acq_rel.gpu, ld.acquire.gpu: PTX ISA, 9.7.13 and
/// 8), on CPUs by atomics, which their OpenCL orders for the whole device.
inline constexpr kernel_text signals_by_ptx = R"cl(
inline uint read_signal(volatile __global uint *signal)
{
    uint value;
    asm volatile("ld.acquire.gpu.global.u32 %0, [%1];" : "=r"(value) : "l"(signal) : "memory");
    return value;
}
inline void raise_signal(volatile __global uint *signal)
{
    asm volatile("fence.acq_rel.gpu;\n\tred.relaxed.gpu.global.add.u32 [%0], 1;"
                 :: "l"(signal) : "memory");
}
inline void wait_a_little(void)
{
    asm volatile("nanosleep.u32 64;");
}
)cl";
inline constexpr kernel_text signals_by_atomics = R"cl(
inline uint read_signal(volatile __global uint *signal)
{
    const uint value = atomic_add(signal, 0u);
    mem_fence(CLK_GLOBAL_MEM_FENCE);
    return value;
}
inline void raise_signal(volatile __global uint *signal)
{
    mem_fence(CLK_GLOBAL_MEM_FENCE);
    atomic_inc(signal);
}
inline void wait_a_little(void) {}
)cl";

// FIRST_GROUPS, SECOND_GROUPS: of a transform; LAG, SLOTS, UNIT in transforms: UNIT of them share
// their two signals. signals[0]: tickets, [1]: groups of the second pass that need them no more,
// then per unit, 8 apart: groups of the first pass that have written, and, where there is a ring,
// groups of the second that have read.
inline constexpr kernel_text pipeline_kernel = R"cl(
__kernel __attribute__((reqd_work_group_size(PIPELINE_ITEMS, 1, 1)))
void fft(__global PIPELINE_IN *in, const long in_offset,
         __global PIPELINE_MIDDLE *middle, const long middle_offset,
         __global PIPELINE_OUT *out, const long out_offset,
         __global const PIPELINE_FACTOR *restrict factors, __global const int *restrict places,
         const long transforms, volatile __global uint *signals PIPELINE_PARAMETERS)
{
    __local PIPELINE_PAIR room[PIPELINE_ROOM];
    __local uint told[2];  // the ticket, and how many were done with the signals before
    const uint item = get_local_id(0);
    if (item == 0) told[0] = atomic_inc(signals);
    barrier(CLK_LOCAL_MEM_FENCE);
    uint ticket = told[0];
    const uint all = (uint)transforms, lag = min((uint)LAG, all);
    const uint alone = lag * FIRST_GROUPS, each = FIRST_GROUPS + SECOND_GROUPS;
    bool first;
    uint transform, group;
    if (ticket < alone) {
        first = true;
        transform = ticket / FIRST_GROUPS;
        group = ticket % FIRST_GROUPS;
    } else if (ticket < alone + (all - lag) * each) {
        // Groups of both passes in turn, in the ratio of their numbers.
        const uint round = (ticket - alone) / each, place = (ticket - alone) % each;
        const uint before = place * FIRST_GROUPS / each;
        first = (place + 1) * FIRST_GROUPS / each != before;
        transform = first ? round + lag : round;
        group = first ? before : place - before;
    } else {
        ticket -= alone + (all - lag) * each;
        first = false;
        transform = all - lag + ticket / SECOND_GROUPS;
        group = ticket % SECOND_GROUPS;
    }
    // Where the transform lies between the passes, beside where it would without a ring.
    const long shift = RING != 0 ? ((long)(transform % SLOTS) - (long)transform) * STEP : 0;
    // What must be over: the transform's first pass, or the reading of what lay here before.
    const bool waits = first ? RING != 0 && transform >= SLOTS : true;
    const uint awaited = !waits ? 0 : (first ? transform - SLOTS : transform) / UNIT;
    const uint members = min((uint)UNIT, all - awaited * UNIT);
    volatile __global uint *awaited_signal = signals + 8 + 8 * awaited + (first ? 4 : 0);
    const uint enough = members * (first ? SECOND_GROUPS : FIRST_GROUPS);
    if (item == 0) {
        if (waits)
            while (read_signal(awaited_signal) < enough) wait_a_little();
        // Without a ring the second pass is done with the signals here.
        if (RING == 0)
            if (!first) told[1] = atomic_inc(signals + 1);
    }
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    if (first) {
        fft_first(transform * FIRST_GROUPS + group, room, in, in_offset,
                  middle, middle_offset + shift, factors, places,
                  transforms * FIRST_EXTENT LOAD_CALL);
    } else {
        fft_second(transform * SECOND_GROUPS + group, room, middle,
                   middle_offset + shift, out, out_offset, factors, places,
                   transforms STORE_CALL);
    }
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    if (item == 0) {
        volatile __global uint *own = signals + 8 + 8 * (transform / UNIT);
        if (first) {
            raise_signal(own);
        } else if (RING != 0) {
            raise_signal(own + 4);
            told[1] = atomic_inc(signals + 1);
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    // The last one to be done with them leaves the signals as it found them: every group of the
    // first pass has raised its own by then.
    const bool last = !first && told[1] == all * SECOND_GROUPS - 1;
    if (last)
        for (uint i = item; i < 8 + 8 * ((all + UNIT - 1) / UNIT); i += PIPELINE_ITEMS)
            signals[i] = 0;
}
)cl";

/// All that one pass defines, under names that end with its own, and its function.
inline std::string pass_section(const std::string& name, const fft_pass& p,
                                const fft_policy& policy, const item_geometry& g, bool ptx,
                                fft_tables& tables) {
  source_builder out;
  define_prelude(
      out, p, pair_roots_of(p, tables),
      ptx && policy.streaming != fft_streaming::lines ? policy.streaming : fft_streaming::none);
  fft_policy used = policy;
  used.separate = policy.separate && ptx;
  item_kernel kernel(p, used, g, tables);
  const std::string function = kernel.function("fft_" + name);
  out.line(kernel.constants());
  out.line(function);
  const std::string text = out.str();
  std::vector<std::string> renamed{"read_element",   "write_element",  "read_point",
                                   "write_point",    "load_value",     "store_value",
                                   "read_streaming", "write_streaming"};
  std::string forget;
  const auto word_at = [&](std::size_t at) {
    std::size_t end = at;
    while (end < text.size() && (detail::is_word_character(text[end]) || text[end] == '_')) ++end;
    return text.substr(at, end - at);
  };
  const auto each_line_of = [&](std::string_view begin, const auto& tell) {
    for (std::size_t at = 0; at < text.size(); at = text.find('\n', at) + 1) {
      if (std::string_view(text).substr(at).starts_with(begin)) tell(at + begin.size());
      if (text.find('\n', at) == std::string::npos) break;
    }
  };
  each_line_of("#define ", [&](std::size_t at) { forget += "#undef " + word_at(at) + "\n"; });
  each_line_of("__constant " + kernel.real() + " ",
               [&](std::size_t at) { renamed.push_back(word_at(at)); });
  std::string rename;
  for (const std::string& word : renamed) {
    rename += "#define " + word + " " + word + "_" + name + "\n";
    forget += "#undef " + word + "\n";
  }
  return rename + text + forget;
}

}  // namespace fft_text

/// The source of the kernel `fft` of a step whose second pass runs in the same launch.
inline fft_kernel pipeline_source(const fft_pass& p, const fft_policy& policy,
                                  const fft_second& second, const device_facts& device,
                                  fft_tables& tables) {
  check_rules(policy);
  check_rules(second.policy);
  using namespace fft_text;
  const auto geometry = [&](const fft_pass& pass, const fft_policy& by) {
    return item_geometry_of(pass, by, device.max_work_group, device.local_bytes);
  };
  const item_geometry g1 = geometry(p, policy), g2 = geometry(second.pass, second.policy);
  const bool nvidia = device.inline_ptx && device.compute_capability >= 70;
  source_builder out;
  out.banner("clprim Fourier transforms of " + std::to_string(p.length) + " points, and of " +
             std::to_string(second.pass.length) + " behind them\n" + to_string(policy) + "\n" +
             to_string(second.policy));
  fft_pass first = p, last = second.pass;
  first.aliased = last.aliased = true;  // what lies between is read by the kernel that writes it
  out.line(pass_section("first", first, policy, g1, nvidia, tables));
  out.line(pass_section("second", last, second.policy, g2, nvidia, tables));
  const std::string real = p.is_double ? "double" : "float";
  const auto room = [](const item_geometry& g) { return g.planes ? g.plane : (g.plane + 1) / 2; };
  out.define("PIPELINE_ITEMS", g1.group());
  out.define("PIPELINE_IN", stored_type(p.in));
  out.define("PIPELINE_MIDDLE", stored_type(p.out));
  out.define("PIPELINE_OUT", stored_type(second.pass.out));
  out.define("PIPELINE_FACTOR", real + "2");
  out.define("PIPELINE_PAIR", real + "2");
  out.define("PIPELINE_ROOM", std::max<std::int64_t>({1, room(g1), room(g2)}));
  const function load = carried_load(p), store = carried_store(second.pass);
  out.define("PIPELINE_PARAMETERS", parameter_list(load) + parameter_list(store));
  out.define("LOAD_CALL", call_list(load));
  out.define("STORE_CALL", call_list(store));
  out.define("FIRST_EXTENT", second.first_extent);
  out.define("FIRST_GROUPS", std::to_string(second.first_groups) + "u");
  out.define("SECOND_GROUPS", std::to_string(second.second_groups) + "u");
  out.define("LAG", std::to_string(second.lag) + "u");
  out.define("RING", second.ring > 0);
  out.define("SLOTS", std::to_string(std::max<std::int64_t>(1, second.ring)) + "u");
  out.define("UNIT", std::to_string(second.unit) + "u");
  out.define("STEP", std::to_string(second.step) + "L");
  out.text(nvidia ? signals_by_ptx : signals_by_atomics);
  out.text(pipeline_kernel);
  const int registers = std::max(policy.registers, second.policy.registers);
  // PoCL 3.1 (LLVM 14, AVX-512) loses the guards of stores between barriers that stand in a branch:
  // 34300 points to an output of stride 4 were written outside; right without optimisation. CPUs
  // have such kernels by a caller's policy only, as tests do.
  const std::string options = !nvidia         ? "-cl-opt-disable"
                              : registers > 0 ? "-cl-nv-maxrregcount=" + std::to_string(registers)
                                              : std::string();
  return {.source = out.str(),
          .options = options,
          .radices = g1.radices,
          .side_by_side = g1.together,
          .blocks = 1,
          .items = g1.group(),
          .local_bytes = std::max(g1.local_bytes, g2.local_bytes) + 8,
          .then_radices = g2.radices,
          .then_side_by_side = g2.together};
}

}  // namespace clprim
