// The library's choice on devices with small and odd limits: it always fits.

#include <cstdint>
#include <string>
#include <utility>

#include <doctest/doctest.h>

#include <clprim/transpose/in_place_policy.hpp>
#include <clprim/transpose/source.hpp>
#include <clprim/transpose/tuned.hpp>

using namespace clprim;

namespace {

template <class Call> std::string complaint_of(Call call) {
  try {
    call();
  } catch (const error& e) {
    return e.what();
  }
  return {};
}

device_facts facts(device_kind kind, std::int64_t local, int group) {
  device_facts d;
  d.kind = kind;
  d.local_bytes = d.reported_local_bytes = local;
  d.max_work_group = group;
  return d;
}

template <class Try> void each_device(Try attempt) {
  for (const device_kind kind : {device_kind::gpu, device_kind::cpu, device_kind::accelerator})
    for (const std::int64_t local : {1024, 8192, 16384, 32768, 49152, 65536, 232448})
      for (const int group : {1, 12, 64, 100, 128, 256, 512, 1024, 8192})
        attempt(facts(kind, local, group));
}

/// What the library chooses for this size must be buildable for all variants that may come with it.
std::string complaint_of_choice(const device_facts& device, const transpose_size& size,
                                int other_bytes) {
  const transpose_policy p = tuned_transpose(device, size);
  for (const bool wide_in : {true, false})
    for (const int more : {1, 128}) {  // one side may be aligned better than both
      const element large{.bytes = size.bytes}, small{.bytes = other_bytes};
      transpose_variant v{.in = wide_in ? large : small,
                          .out = wide_in ? small : large,
                          .in_alignment = std::min(p.vector, size.in_alignment),
                          .out_alignment = std::min(std::max(p.vector, p.shear),
                                                    std::max(size.out_alignment, more))};
      if (size.in_place) v.task = transpose_task::swap;
      if (p.exchange == tile_exchange::registers) v.narrow = size.narrow;
      const std::string complaint = complaint_of([&] {
        check_rules(p);
        check_device_rules(p, v, device);
        rule(p.per_item() <= 128 || device.kind == device_kind::cpu,
             "an item must not own more than 128 elements", p.per_item(), 128);
      });
      if (!complaint.empty()) return complaint + "\n" + to_string(p);
    }
  return {};
}

}  // namespace

TEST_CASE("the choice of a transposition lies within the limits of any device") {
  int tried = 0;
  each_device([&](const device_facts& device) {
    for (const int bytes : {1, 2, 4, 8, 16})
      for (const int other : {1, 2, 4, 8, 16})
        for (const auto& [in, out] : {std::pair{1, 1}, std::pair{2, 2}, std::pair{4, 4},
                                      std::pair{16, 16}, std::pair{128, 128}, std::pair{1, 16},
                                      std::pair{16, 1}, std::pair{2, 128}, std::pair{4, 2}})
          for (const std::int64_t rows : {1, 3, 7, 12, 40, 100, 5000})
            for (const std::int64_t cols : {2, 16, 70, 5000})
              for (const bool in_place : {false, true}) {
                if (other > bytes) continue;
                if (in_place && (rows != cols || other != bytes) && rows != 5000) continue;
                const std::int64_t least = std::min(rows, cols);
                for (const int narrow :
                     {0, least <= 16 && !in_place ? static_cast<int>(least) : 0}) {
                  const transpose_size size{.bytes = bytes,
                                            .rows = rows,
                                            .cols = cols,
                                            .in_alignment = in,
                                            .out_alignment = out,
                                            .in_place = in_place,
                                            .narrow = narrow};
                  const std::string complaint =
                      complaint_of_choice(device, size, in_place ? bytes : other);
                  ++tried;
                  if (complaint.empty()) continue;
                  FAIL(to_string(device.kind), " local ", device.local_bytes, " group ",
                       device.max_work_group, ": ", rows, " x ", cols, " of ", bytes, " and ",
                       other, " bytes, alignments ", in, " and ", out, " in place ", in_place,
                       " narrow ", narrow, "\n", complaint);
                }
              }
  });
  MESSAGE(tried, " choices");
}

TEST_CASE("the choice for rectangles in place lies within the limits of any device") {
  each_device([](const device_facts& device) {
    for (const int bytes : {1, 2, 4, 8, 16})
      for (const std::int64_t narrow : {1, 7, 100, 5000, 100000})
        for (const std::int64_t wide : {100000, 1000000}) {
          const in_place_policy p = tuned_in_place(device, bytes, narrow, wide);
          CAPTURE(to_string(p));
          CAPTURE(describe(device));
          CAPTURE(bytes);
          CHECK(complaint_of([&] { check_rules(p); }) == "");
          CHECK(p.items <= device.max_work_group);
        }
  });
}

TEST_CASE("a device with usual limits gets what was measured for it") {
  device_facts h200 = facts(device_kind::gpu, 232448, 1024);
  const auto chosen = [&](int bytes, int alignment) {
    return tuned_transpose(h200, {.bytes = bytes,
                                  .rows = 8192,
                                  .cols = 8192,
                                  .in_alignment = alignment,
                                  .out_alignment = alignment});
  };
  for (const int bytes : {1, 2, 4, 8, 16})
    for (const int alignment : {1, 4, 16}) {
      const transpose_size size{.bytes = bytes,
                                .rows = 8192,
                                .cols = 8192,
                                .in_alignment = alignment,
                                .out_alignment = alignment};
      if (!wants_words(size)) CHECK(chosen(bytes, alignment) == tuned_gpu_transpose(size));
    }
  // Bytes of pixels and planes: short axes in registers, 28.9 and 28.4 us; planes by words 32.6.
  const std::int64_t many = 16777216;
  for (const bool planes : {false, true}) {
    const transpose_policy p = tuned_transpose(h200, {.bytes = 1,
                                                      .rows = planes ? 3 : many,
                                                      .cols = planes ? many : 3,
                                                      .in_alignment = planes ? 16 : 1,
                                                      .out_alignment = planes ? 1 : 16,
                                                      .narrow = 3,
                                                      .joined = true});
    CHECK(p.exchange == tile_exchange::registers);
  }
  h200.local_bytes = 32768;  // as of most GPUs
  h200.max_work_group = 256;
  CHECK(chosen(4, 4).tile_rows == 64);
  CHECK(chosen(4, 4).items == 256);
}
