#include <string>

#include <doctest/doctest.h>

#include <clprim/core/occupancy.hpp>
#include <clprim/runtime/device.hpp>
#include <clprim/runtime/program.hpp>
#include <clprim/runtime/resources.hpp>

#include "support/amd_code_object.hpp"

using namespace clprim;

namespace {

const std::string verbose_log =
    "\n"
    "ptxas info    : 0 bytes gmem\n"
    "ptxas info    : Compiling entry function 'gemm' for 'sm_90'\n"
    "ptxas info    : Function properties for gemm\n"
    "    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads\n"
    "ptxas info    : Used 163 registers, used 16 barriers, 214064 bytes smem, 480 bytes cmem[0]\n"
    "ptxas info    : Compiling entry function 'gemm_finish' for 'sm_90'\n"
    "ptxas info    : Function properties for gemm_finish\n"
    "ptxas         .     96 bytes stack frame, 88 bytes spill stores, 92 bytes spill loads\n"
    "ptxas info    : Used 255 registers, 400 bytes cmem[0]\n"
    "ptxas info    : Function properties for helper\n"
    "    8 bytes stack frame, 4 bytes spill stores, 4 bytes spill loads\n"
    "ptxas info    : Compiling entry function 'split' for 'sm_90'\n"
    "ptxas info    : Function properties for split_helper\n"
    "    8 bytes stack frame, 4 bytes spill stores, 4 bytes spill loads\n"
    "ptxas info    : Function properties for split\n"
    "    16 bytes stack frame, 12 bytes spill stores, 12 bytes spill loads\n"
    "ptxas info    : Used 40 registers, used 1 barriers, 16 bytes cumulative stack size, 33024 "
    "bytes smem\n";

measured<int> queried(int value) { return {value, provenance::queried}; }

}  // namespace

TEST_CASE("registers, spills and memories are read from NVIDIA's build log") {
  const kernel_resources gemm = detail::from_nvidia_log(verbose_log, "gemm");
  CHECK(gemm.registers == queried(163));
  CHECK(gemm.spill_bytes == queried(0));
  CHECK(gemm.private_bytes == queried(0));
  CHECK(gemm.local_bytes == queried(214064));
  CHECK_FALSE(gemm.max_work_group.known());
}

TEST_CASE("a kernel's part of the log is not taken for another's") {
  const kernel_resources finish = detail::from_nvidia_log(verbose_log, "gemm_finish");
  CHECK(finish.registers == queried(255));
  CHECK(finish.spill_bytes == queried(88));
  CHECK(finish.private_bytes == queried(96));
  CHECK(finish.local_bytes == queried(0));  // the log leaves out what is zero
}

TEST_CASE("functions that are not inlined do not speak for their kernel") {
  const kernel_resources split = detail::from_nvidia_log(verbose_log, "split");
  CHECK(split.registers == queried(40));
  CHECK(split.spill_bytes == queried(12));
  CHECK(split.private_bytes == queried(16));
  CHECK(split.local_bytes == queried(33024));
}

TEST_CASE("what a log does not say is unknown") {
  CHECK(detail::from_nvidia_log(verbose_log, "gem") == kernel_resources{});
  CHECK(detail::from_nvidia_log(verbose_log, "helper") == kernel_resources{});
  CHECK(detail::from_nvidia_log("", "gemm") == kernel_resources{});
  const kernel_resources cut = detail::from_nvidia_log(
      "ptxas info    : Compiling entry function 'gemm' for 'sm_90'\n", "gemm");
  CHECK(cut == kernel_resources{});
}

TEST_CASE("a kernel on any device tells its local memory and its largest work-group") {
  const session s = open_session();
  const auto built = build(s.context, s.device,
                           "__kernel void f(__global int* y) {\n"
                           "  __local int z[64];\n"
                           "  z[get_local_id(0) % 64] = 1;\n"
                           "  barrier(CLK_LOCAL_MEM_FENCE);\n"
                           "  y[get_global_id(0)] = z[63 - get_local_id(0) % 64];\n"
                           "}\n");
  const cl::Kernel kernel = make_kernel(*built, "f");
  const kernel_resources r = resources_of(*built, kernel, "f", s.device);
  if (r.local_bytes.known()) CHECK(r.local_bytes.value >= 256);  // PoCL 5 does not tell
  CHECK(r.max_work_group.from == provenance::queried);
  CHECK(r.max_work_group.value >= 1);
  CHECK(r.max_work_group.value <= facts_of(s.device).max_work_group);
  CHECK(std::string(to_string(r.max_work_group.from)) == "queried");
  // NVIDIA's driver tells registers at a first build only: from its own cache the log is empty.
  if (!built->log.empty() && facts_of(s.device).vendor == vendor::nvidia) {
    CHECK(r.registers.known());
  }
}

TEST_CASE(
    "a kernel that requires a work-group size tells it, and one that does not leaves it open") {
  const session s = open_session();
  const auto built = build(s.context, s.device,
                           "__attribute__((reqd_work_group_size(8, 2, 1)))\n"
                           "__kernel void fixed(__global int* y) { y[get_global_id(0)] = 1; }\n"
                           "__kernel void open(__global int* y) { y[get_global_id(0)] = 1; }\n");
  const auto of = [&](const char* name) {
    return resources_of(*built, make_kernel(*built, name), name, s.device);
  };
  CHECK(of("fixed").work_group == queried(16));
  CHECK_FALSE(of("open").work_group.known());
  CHECK(of("open").preferred_multiple.value >= 1);
  CHECK(use_of(of("fixed")).work_items == 16);
  CHECK(use_of(of("open")).work_items == 0);
  CHECK(use_of(of("open"), 32, 512).work_items == 32);
  CHECK(use_of(of("open"), 32, 512).local_bytes >= 512);
}

TEST_CASE("what AMD's compiler wrote into a binary is queried, the bytes of spills estimated") {
  using namespace support::code_object;
  const std::string object = elf(note("AMDGPU", 32, metadata()));
  const auto* bytes = reinterpret_cast<const unsigned char*>(object.data());
  const kernel_resources r = detail::from_amd_binary({bytes, object.size()}, "gemm");
  CHECK(r.registers == queried(184));
  CHECK(r.scalar_registers == queried(42));
  CHECK(r.local_bytes == queried(66048));
  CHECK(r.private_bytes == queried(136));
  CHECK(r.max_work_group == queried(256));
  CHECK(r.spill_bytes.value == 4 * 34);
  CHECK(r.spill_bytes.from == provenance::estimated);
  CHECK(detail::from_amd_binary({bytes, object.size()}, "another") == kernel_resources{});
}

TEST_CASE("the log of a first build is that of the same text, whatever a driver's cache holds") {
  const session s = open_session();
  const auto built = build(s.context, s.device,
                           "#warning planted\n"
                           "__kernel void f(__global int* y) { y[get_global_id(0)] = 1; }\n");
  if (built->log.find("planted") == std::string::npos) return;  // a driver without warnings
  CHECK(detail::first_build_log(*built, s.device()).find("planted") != std::string::npos);
}

TEST_CASE("a binary that is no code object tells nothing") {
  const std::string text = "//\n// Generated by a compiler that writes text\n";
  const auto* bytes = reinterpret_cast<const unsigned char*>(text.data());
  CHECK(detail::from_amd_binary({bytes, text.size()}, "gemm") == kernel_resources{});
}

TEST_CASE("what is not known leaves the occupancy an upper bound, never a silent number") {
  const group_use use = use_of(kernel_resources{}, 64);
  CHECK(use.registers == 0);
  CHECK(occupancy_of(nvidia_limits(90), use).known == certainty::upper_bound);
  // A group size that nobody gave is refused by name.
  CHECK_THROWS_AS(occupancy_of(nvidia_limits(90), use_of(kernel_resources{})), argument_error);
}
