#pragma once
// bench_fft --first-call: from the making of an operation object to the end of its first call, in a
// process of its own per sample, of two kinds: one in which the driver has built and run a kernel
// before, as it has in any program that uses OpenCL, and a new one, where the driver's start counts
// too. The bars are for the first kind; the cold one for NVIDIA's driver alone, as PoCL takes
// longer than that for the kernel of one line in the first row. Cold: the driver's cache of
// programs (CUDA_CACHE_PATH, POCL_CACHE_DIR) and ours (CLPRIM_CACHE_DIR) are empty folders; warm:
// the folders that a cold run of this length filled; driver's: the driver's is, and ours is
// switched off. Opening the device and making the buffers is not counted.

#include <algorithm>
#include <array>
#include <chrono>
#include <complex>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <regex>
#include <string>
#include <vector>

#include <unistd.h>

#include <clprim/fft.hpp>

#include "../harness/statistics.hpp"

namespace bench {

struct first_call_sample {
  double first = 0;   ///< milliseconds of the first call
  double second = 0;  ///< of the same call again
  double text = 0;    ///< of planning and writing the source alone, on the host
  int nvidia = 0;
  std::string device{};
};

/// Milliseconds that `work` takes.
template <class Work> double milliseconds_of(Work work) {
  const auto begin = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin)
      .count();
}

/// Builds and runs a kernel of one line: the part of a call that no text of ours can save.
inline void one_line(const clprim::session& s, const cl::Buffer& a, const std::string& name) {
  const auto program =
      clprim::build(s.context, s.device,
                    "__kernel void " + name + "(__global float *x) { x[get_global_id(0)] = 1; }");
  const cl::Kernel kernel = clprim::make_kernel(*program, name.c_str());
  clprim::set_args(kernel(), a);
  clprim::enqueue(s.queue(), kernel(), {1, {64, 1, 1}, {64, 1, 1}});
  clprim::check(clFinish(s.queue()), "clFinish");
}

/// The sample of this process, after another kernel or as its first; prints its numbers and the
/// device.
inline int first_call_of(const std::string& name, bool after_another) {
  const bool real = name.starts_with("real "), empty = name == "one line";
  const std::int64_t n = empty ? 64 : std::stoll(real ? name.substr(5) : name);
  const clprim::session s = clprim::open_session();
  const std::int64_t batch = std::max<std::int64_t>(1, 65536 / n);
  const auto bytes = static_cast<std::size_t>(batch * (n + 2)) * sizeof(std::complex<float>);
  const auto buffer = [&] {
    cl_int code = CL_SUCCESS;
    cl::Buffer made(clCreateBuffer(s.context(), CL_MEM_READ_WRITE, bytes, nullptr, &code), false);
    clprim::check(code, "clCreateBuffer");
    const cl_uchar zero = 0;
    clprim::check(clEnqueueFillBuffer(s.queue(), made(), &zero, 1, 0, bytes, 0, nullptr, nullptr),
                  "clEnqueueFillBuffer");
    return made;
  };
  const cl::Buffer a = buffer(), b = buffer();
  clprim::check(clFinish(s.queue()), "clFinish");
  const auto x = clprim::array<std::complex<float>>(a, {batch, n});
  const auto r = clprim::array<float>(a, {batch, n});
  const auto y = clprim::array<std::complex<float>>(b, {batch, real ? n / 2 + 1 : n});
  std::unique_ptr<clprim::fft<float>> transform;
  const auto call = [&] {
    if (!transform) transform = std::make_unique<clprim::fft<float>>(s.queue);
    if (real)
      transform->forward(r, y);
    else
      transform->forward(x, y);
    clprim::check(clFinish(s.queue()), "clFinish");
  };
  if (after_another) one_line(s, a, "another");
  first_call_sample sample;
  if (empty) {
    sample.first = milliseconds_of([&] { one_line(s, a, "one"); });
  } else {
    sample.first = milliseconds_of(call);
    sample.second = milliseconds_of(call);
    sample.text =
        milliseconds_of([&] { (void)(real ? transform->source(r, y) : transform->source(x, y)); });
  }
  const clprim::device_facts device = clprim::facts_of(s.device);
  std::printf("%.4f %.4f %.4f %d %s, driver %s\n", sample.first, sample.second, sample.text,
              device.vendor == clprim::vendor::nvidia ? 1 : 0, device.name.c_str(),
              device.driver.c_str());
  return 0;
}

/// One process with the driver's caches in `folder`, and ours there too unless it is switched off.
inline first_call_sample first_call_in(const std::filesystem::path& folder, const std::string& name,
                                       bool after_another, bool ours = true) {
  const std::string self = std::filesystem::read_symlink("/proc/self/exe").string();
  const auto set = [](const char* variable, const std::filesystem::path& to) {
    return std::string(variable) + "='" + to.string() + "' ";
  };
  const std::string command = set("CUDA_CACHE_PATH", folder) + set("POCL_CACHE_DIR", folder) +
                              set("CLPRIM_CACHE_DIR", ours ? folder / "ours" : "") + "'" + self +
                              "' --first-call-of '" + name + (after_another ? "' after" : "'");
  std::FILE* const pipe = popen(command.c_str(), "r");
  if (pipe == nullptr) throw clprim::error("no process could be started: " + command);
  first_call_sample sample;
  std::array<char, 256> device{};
  const int read = std::fscanf(pipe, "%lf %lf %lf %d %255[^\n]", &sample.first, &sample.second,
                               &sample.text, &sample.nvidia, device.data());
  sample.device = device.data();
  if (pclose(pipe) != 0 || read != 5) throw clprim::error("no sample of: " + command);
  return sample;
}

/// First calls with one kind of process.
struct first_call_times {
  std::vector<double> cold, warm, drivers, text, next;
  std::string device;
  bool nvidia = false;

  void add(const std::string& name, bool after_another) {
    std::string folder =
        (std::filesystem::temp_directory_path() / "bench_fft_first_XXXXXX").string();
    if (mkdtemp(folder.data()) == nullptr)
      throw clprim::error("no folder could be made: " + folder);
    cold.push_back(first_call_in(folder, name, after_another).first);
    const first_call_sample again = first_call_in(folder, name, after_another);
    if (after_another) drivers.push_back(first_call_in(folder, name, true, false).first);
    std::filesystem::remove_all(folder);
    warm.push_back(again.first);
    text.push_back(again.text);
    next.push_back(again.second);
    device = again.device;
    nvidia = again.nvidia != 0;
  }
};

/// Cold and warm first calls of lengths of one pass whose names match, beside their bars; 1 when
/// one is over.
inline int first_calls(int samples, const std::string& wanted) {
  constexpr int cold_bar = 150;
  constexpr double warm_bar = 5;
  // This process leaves the driver alone: on the H200 a child of one that had opened it found none.
  constexpr std::array<const char*, 14> names{"one line", "16",   "64",    "256",      "1000",
                                              "1009",     "1024", "1536",  "2187",     "3125",
                                              "4096",     "8192", "16384", "real 1024"};
  const auto fastest = [](const std::vector<double>& all) { return quantile(all, 0); };
  const auto longest = [](const std::vector<double>& all) { return quantile(all, 1); };
  struct row {
    std::string name;
    first_call_times after, fresh;
  };
  std::vector<row> rows;
  const std::regex filter(wanted);
  for (const std::string name : names)
    if (std::regex_search(name, filter)) rows.push_back({name, {}, {}});
  // A sample of every row before the next of any: what else the host does comes in bursts.
  for (int i = 0; i < samples; ++i)
    for (row& r : rows) {
      r.after.add(r.name, true);
      r.fresh.add(r.name, false);
    }
  if (!rows.empty()) {
    const first_call_times& one = rows.front().after;
    std::printf("%s, %d processes a number; milliseconds, medians, bars: cold %s, warm %.0f\n",
                one.device.c_str(), samples, one.nvidia ? std::to_string(cold_bar).c_str() : "none",
                warm_bar);
    std::printf("%-10s  %-53s  %-17s\n", "", "in a process with a kernel before", "in a new one");
    std::printf("%-10s  %8s %8s %8s %8s %8s %8s  %8s %8s %12s %10s\n", "first call", "cold",
                "fastest", "longest", "warm", "longest", "driver's", "cold", "warm", "host's part",
                "next call");
  }
  std::string over;
  for (const auto& [name, after, fresh] : rows) {
    const double c = median(after.cold), w = median(after.warm);
    const bool held = name != names.front();
    const bool cold_over = held && after.nvidia && c > cold_bar, warm_over = held && w > warm_bar;
    std::printf("%-10s  %8.1f %8.1f %8.1f %8.2f %8.2f %8.2f  %8.1f %8.2f %12.2f %10.3f%s%s\n",
                name.c_str(), c, fastest(after.cold), longest(after.cold), w, longest(after.warm),
                median(after.drivers), median(fresh.cold), median(fresh.warm), median(after.text),
                median(after.next), cold_over ? "  cold OVER" : "", warm_over ? "  warm OVER" : "");
    if (cold_over || warm_over) over += (over.empty() ? "" : ", ") + name;
  }
  if (over.empty()) return 0;
  std::printf("over a bar: %s\n", over.c_str());
  return 1;
}

}  // namespace bench
