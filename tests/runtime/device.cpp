#include <array>
#include <cstdlib>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include <clprim/runtime/queue.hpp>

using namespace clprim;

namespace {

// Sets an environment variable until the end of the scope; empty takes it away.
class scoped_variable {
 public:
  scoped_variable(const char* name, const std::string& value) : name_(name) {
    if (const char* old = std::getenv(name)) old_ = old;
    set(value);
  }
  scoped_variable(const scoped_variable&) = delete;
  scoped_variable& operator=(const scoped_variable&) = delete;
  ~scoped_variable() { set(old_); }

 private:
  void set(const std::string& value) const {
    if (value.empty())
      unsetenv(name_);
    else
      setenv(name_, value.c_str(), 1);
  }
  const char* name_;
  std::string old_;
};

device_entry entry(device_kind kind, int units, const char* name) {
  device_entry e;
  e.facts.kind = kind;
  e.facts.compute_units = units;
  e.facts.name = name;
  e.facts.platform = "A Platform";
  e.facts.vendor = vendor::amd;
  e.platform_index = 1;
  e.device_index = 2;
  return e;
}

}  // namespace

TEST_CASE("every device is listed with plausible facts") {
  const std::vector<device_entry> devices = list_devices();
  REQUIRE_FALSE(devices.empty());
  for (const device_entry& e : devices) {
    CAPTURE(describe(e.facts));
    CHECK_FALSE(e.facts.name.empty());
    CHECK_FALSE(e.facts.platform.empty());
    CHECK_FALSE(e.facts.driver.empty());
    CHECK(e.facts.compute_units >= 1);
    CHECK(e.facts.compute_units_per_unit == limits_of(e.facts).compute_units_per_unit);
    CHECK(e.facts.max_work_group >= 1);
    CHECK(e.facts.max_items[0] >= 1);
    CHECK(e.facts.max_items[2] >= 1);
    CHECK(e.facts.local_bytes >=
          e.facts.reported_local_bytes - (e.facts.vendor == vendor::nvidia ? 128 : 0));
    CHECK(e.facts.reported_local_bytes >= 1024);
    CHECK(e.facts.global_bytes >= e.facts.max_allocation_bytes);
    CHECK(e.facts.opencl_c >= 100);
    CHECK(e.facts.subgroup_width >= 1);
    CHECK((e.facts.kind != device_kind::cpu || e.facts.subgroup_width == 1));
    CHECK((e.facts.compute_capability != 0) == (e.facts.vendor == vendor::nvidia));
    CHECK(e.facts == facts_of(e.device));
  }
}

TEST_CASE("a device is chosen by index, by name in any case, or by kind") {
  for (const device_entry& e : list_devices()) {
    const std::string indices =
        std::to_string(e.platform_index) + ":" + std::to_string(e.device_index);
    CHECK(choose_device(indices)() == e.device());
    std::string name = detail::lower_case(e.facts.name);
    CHECK(facts_of(choose_device(name)).name == e.facts.name);
    CHECK(facts_of(choose_device(detail::lower_case(e.facts.platform))).platform ==
          e.facts.platform);
    if (e.facts.kind == device_kind::cpu) {
      CHECK(facts_of(choose_device("CPU")).kind == device_kind::cpu);
    }
  }
}

TEST_CASE("a wish that nothing fits is answered with what there is") {
  const device_entry first = list_devices().at(0);
  try {
    (void)choose_device("No Such Device");
    FAIL("nothing was thrown");
  } catch (const device_error& e) {
    const std::string sentence = e.what();
    CHECK(sentence.starts_with("no OpenCL device fits 'no such device': there is 0:0 "));
    CHECK(sentence.find(first.facts.name) != std::string::npos);
  }
}

TEST_CASE("the environment variable speaks where the caller does not") {
  const device_entry last = list_devices().back();
  const std::string indices =
      std::to_string(last.platform_index) + ":" + std::to_string(last.device_index);
  {
    const scoped_variable wish("CLPRIM_DEVICE", indices);
    CHECK(choose_device()() == last.device());
  }
  {
    const scoped_variable wish("CLPRIM_DEVICE", "no such device");
    CHECK_THROWS_AS((void)choose_device(), device_error);
    CHECK(choose_device(indices)() == last.device());
  }
  const scoped_variable none("CLPRIM_DEVICE", "");
  CHECK_NOTHROW((void)choose_device());
}

TEST_CASE("a GPU is better than an accelerator, that than a CPU, and more units than fewer") {
  const auto cpu = entry(device_kind::cpu, 256, "c");
  const auto small_gpu = entry(device_kind::gpu, 2, "g");
  const auto large_gpu = entry(device_kind::gpu, 132, "G");
  const auto accelerator = entry(device_kind::accelerator, 1, "a");
  CHECK(detail::is_better(small_gpu, cpu));
  CHECK(detail::is_better(small_gpu, accelerator));
  CHECK(detail::is_better(accelerator, cpu));
  CHECK(detail::is_better(large_gpu, small_gpu));
  CHECK_FALSE(detail::is_better(small_gpu, large_gpu));
  CHECK_FALSE(detail::is_better(small_gpu, small_gpu));
}

TEST_CASE("a wish fits names, vendors, kinds and indices") {
  const auto gpu = entry(device_kind::gpu, 2, "Radeon Pro");
  for (const char* wish : {"radeon", "pro", "platform", "amd", "gpu", "1:2"}) {
    CHECK(detail::fits_wish(gpu, wish));
  }
  for (const char* wish : {"cpu", "accelerator", "1:1", "nvidia", "geforce"}) {
    CHECK_FALSE(detail::fits_wish(gpu, wish));
  }
}

TEST_CASE("static local memory follows NVIDIA's compute capability, not what the driver reports") {
  device_facts facts;
  facts.reported_local_bytes = 49152;
  const auto bytes = [&](int capability) {
    facts.compute_capability = capability;
    return detail::static_local_bytes(facts);
  };
  CHECK(bytes(90) == 232448 - 128);
  CHECK(bytes(80) == 166912 - 128);
  CHECK(bytes(86) == 101376 - 128);
  CHECK(bytes(89) == 101376 - 128);
  CHECK(bytes(75) == 65536 - 128);
  CHECK(bytes(61) == 49152 - 128);
  CHECK(bytes(999) == 49152);  // one that is not known yet
  CHECK(bytes(0) == 49152);
}

TEST_CASE("PoCL's names tell the processors of AVX-512") {
  for (const char* const name :
       {"pthread-skylake-avx512-Intel(R) Xeon(R) Processor @ 2.80GHz",
        "pthread-cascadelake-Intel(R) Xeon(R) Gold 6230", "cpu-cooperlake-Intel(R) Xeon(R)",
        "cpu-tigerlake-11th Gen Intel(R) Core(TM) i7-1165G7", "cpu-rocketlake-Intel(R) Core(TM)",
        "cpu-icelake-server-Intel(R) Xeon(R)", "cpu-graniterapids-d-Intel(R) Xeon(R) 6",
        "cpu-emeraldrapids-INTEL(R) XEON(R) PLATINUM 8592+", "cpu-x86-64-v4-some",
        "pthread-znver4-AMD EPYC 9654 96-Core Processor", "cpu-znver5-AMD EPYC 9755", "knl"}) {
    CAPTURE(name);
    CHECK(detail::names_avx512(name));
  }
  for (const char* const name :
       {"pthread-haswell-AMD EPYC 7R13", "cpu-alderlake-12th Gen Intel(R) Core(TM) i7-12700",
        "cpu-skylake-Intel(R) Core(TM) i7-6700", "cpu-znver3-AMD Ryzen 9", "cpu-x86-64-v3-some",
        "cpu-sierraforest-Intel(R) Xeon(R) 6780E", "Intel(R) Xeon(R) Gold", ""}) {
    CAPTURE(name);
    CHECK_FALSE(detail::names_avx512(name));
  }
}

TEST_CASE("vendors are told by platform first, then by maker") {
  using detail::vendor_of;
  CHECK(vendor_of("Portable Computing Language", "AuthenticAMD") == vendor::pocl);
  CHECK(vendor_of("Oclgrind", "University of Bristol") == vendor::oclgrind);
  CHECK(vendor_of("NVIDIA CUDA", "NVIDIA Corporation") == vendor::nvidia);
  CHECK(vendor_of("AMD Accelerated Parallel Processing", "Advanced Micro Devices, Inc.") ==
        vendor::amd);
  CHECK(vendor_of("Intel(R) OpenCL Graphics", "Intel(R) Corporation") == vendor::intel);
  CHECK(vendor_of("ARM Platform", "ARM") == vendor::arm);
  CHECK(vendor_of("QUALCOMM Snapdragon(TM)", "QUALCOMM") == vendor::qualcomm);
  CHECK(vendor_of("Apple", "Apple") == vendor::apple);
  CHECK(vendor_of("Clover", "Mesa") == vendor::unknown);
}

TEST_CASE("the version of OpenCL C is read, or taken for 1.2") {
  CHECK(detail::opencl_c_version("OpenCL C 1.2 ") == 120);
  CHECK(detail::opencl_c_version("OpenCL C 3.0 PoCL") == 300);
  CHECK(detail::opencl_c_version("OpenCL C 2.0") == 200);
  CHECK(detail::opencl_c_version("OpenCL 2.0") == 120);
  CHECK(detail::opencl_c_version("") == 120);
}

TEST_CASE("an extension is found as a whole word only") {
  CHECK(detail::has_word("cl_khr_fp16 cl_khr_fp64", "cl_khr_fp64"));
  CHECK_FALSE(detail::has_word("cl_khr_fp16_extended", "cl_khr_fp16"));
  CHECK_FALSE(detail::has_word("", "cl_khr_fp16"));
}

TEST_CASE("a session has a queue with the properties asked for") {
  const session s = open_session({}, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
  cl_command_queue_properties properties = 0;
  check(clGetCommandQueueInfo(s.queue(), CL_QUEUE_PROPERTIES, sizeof properties, &properties,
                              nullptr),
        "clGetCommandQueueInfo");
  CHECK((properties & CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE) != 0);
  CHECK((properties & CL_QUEUE_PROFILING_ENABLE) == 0);
}

TEST_CASE("the facts of a queue are those of its device, of a part of one too") {
  const session s = open_session();
  const queue_facts first = facts_of(s.queue), again = facts_of(s.queue);  // asked, remembered
  CHECK(first.facts == facts_of(s.device));
  CHECK(again.facts == first.facts);
  if (first.facts.compute_units < 2) return;
  // The second part may get the handle of the first one, which is gone by then.
  for (const cl_uint units : {1U, 2U}) {
    const std::array<cl_device_partition_property, 4> by_counts{
        CL_DEVICE_PARTITION_BY_COUNTS, static_cast<cl_device_partition_property>(units),
        CL_DEVICE_PARTITION_BY_COUNTS_LIST_END, 0};
    cl_device_id id = nullptr;
    cl_uint parts = 0;
    const cl_int code = clCreateSubDevices(s.device(), by_counts.data(), 1, &id, &parts);
    if (code != CL_SUCCESS) return;  // GPUs have no parts
    const cl::Device part(id, false);
    const cl::Context context(part);
    CHECK(facts_of(cl::CommandQueue(context, part)).facts.compute_units == static_cast<int>(units));
  }
}
