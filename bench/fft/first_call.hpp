#pragma once
// bench_fft --first-call: from the making of an operation object to the end of its first call, in a
// process of its own per sample. Cold: the driver's cache of programs (CUDA_CACHE_PATH,
// POCL_CACHE_DIR) is an empty folder; warm: the folder that a cold run of this length filled.
// Opening the device and making the buffers is not counted, loading the compiler is.

#include <algorithm>
#include <array>
#include <chrono>
#include <complex>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include <unistd.h>

#include <clprim/fft.hpp>

namespace bench {

struct first_call_sample {
  double first = 0;   ///< milliseconds of the first call
  double second = 0;  ///< of the same call again
  double text = 0;    ///< of planning and writing the source alone, on the host
  std::string device{};
};

/// Milliseconds that `work` takes.
template <class Work> double milliseconds_of(Work work) {
  const auto begin = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin)
      .count();
}

/// What the driver takes for a kernel of one line: the part of a cold call that no text can save.
inline first_call_sample one_line(const clprim::session& s, const cl::Buffer& a) {
  first_call_sample sample;
  sample.first = milliseconds_of([&] {
    const auto program = clprim::build(
        s.context, s.device, "__kernel void one(__global float *x) { x[get_global_id(0)] = 1; }");
    const cl::Kernel kernel = clprim::make_kernel(*program, "one");
    clprim::set_args(kernel(), a);
    clprim::enqueue(s.queue(), kernel(), {1, {64, 1, 1}, {64, 1, 1}});
    clprim::check(clFinish(s.queue()), "clFinish");
  });
  return sample;
}

/// The sample of this process; prints its numbers and the device.
inline int first_call_of(const std::string& name) {
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
  first_call_sample sample;
  if (empty) {
    sample = one_line(s, a);
  } else {
    sample.first = milliseconds_of(call);
    sample.second = milliseconds_of(call);
    sample.text =
        milliseconds_of([&] { (void)(real ? transform->source(r, y) : transform->source(x, y)); });
  }
  const clprim::device_facts device = clprim::facts_of(s.device);
  std::printf("%.4f %.4f %.4f %s, driver %s\n", sample.first, sample.second, sample.text,
              device.name.c_str(), device.driver.c_str());
  return 0;
}

/// One process with its caches in `folder`.
inline first_call_sample first_call_in(const std::filesystem::path& folder,
                                       const std::string& name) {
  const std::string self = std::filesystem::read_symlink("/proc/self/exe").string();
  const std::string command = "CUDA_CACHE_PATH='" + folder.string() + "' POCL_CACHE_DIR='" +
                              folder.string() + "' '" + self + "' --first-call-of '" + name + "'";
  std::FILE* const pipe = popen(command.c_str(), "r");
  if (pipe == nullptr) throw clprim::error("no process could be started: " + command);
  first_call_sample sample;
  std::array<char, 256> device{};
  const int read = std::fscanf(pipe, "%lf %lf %lf %255[^\n]", &sample.first, &sample.second,
                               &sample.text, device.data());
  sample.device = device.data();
  if (pclose(pipe) != 0 || read != 4) throw clprim::error("no sample of: " + command);
  return sample;
}

/// Cold and warm first calls of lengths of one pass, beside their bars; 1 when one is over.
inline int first_calls(int samples) {
  constexpr double cold_bar = 150, warm_bar = 5;
  // This process leaves the driver alone: on the H200 a child of one that had opened it found none.
  constexpr std::array<const char*, 14> rows{"one line", "16",   "64",    "256",      "1000",
                                             "1009",     "1024", "1536",  "2187",     "3125",
                                             "4096",     "8192", "16384", "real 1024"};
  const auto median = [](std::vector<double> all) {
    std::sort(all.begin(), all.end());
    return all[all.size() / 2];
  };
  std::string over;
  for (const std::string name : rows) {
    std::vector<double> cold, warm, text, next;
    for (int i = 0; i < samples; ++i) {
      std::string folder =
          (std::filesystem::temp_directory_path() / "bench_fft_first_XXXXXX").string();
      if (mkdtemp(folder.data()) == nullptr)
        throw clprim::error("no folder could be made: " + folder);
      cold.push_back(first_call_in(folder, name).first);
      const first_call_sample again = first_call_in(folder, name);
      std::filesystem::remove_all(folder);
      if (cold.size() == 1 && name == rows.front()) {
        std::printf("%s, %d processes a number; milliseconds, bars: cold %.0f, warm %.0f\n",
                    again.device.c_str(), samples, cold_bar, warm_bar);
        std::printf("%-10s %8s %8s %8s %8s %12s %10s\n", "first call", "cold", "longest", "warm",
                    "longest", "host's part", "next call");
      }
      warm.push_back(again.first);
      text.push_back(again.text);
      next.push_back(again.second);
    }
    const double c = median(cold), w = median(warm);
    const bool held = name != rows.front();
    std::printf("%-10s %8.1f %8.1f %8.2f %8.2f %12.2f %10.3f%s%s\n", name.c_str(), c,
                *std::max_element(cold.begin(), cold.end()), w,
                *std::max_element(warm.begin(), warm.end()), median(text), median(next),
                held && c > cold_bar ? "  cold OVER" : "",
                held && w > warm_bar ? "  warm OVER" : "");
    std::fflush(stdout);
    if (held && (c > cold_bar || w > warm_bar)) over += (over.empty() ? "" : ", ") + name;
  }
  if (over.empty()) return 0;
  std::printf("over a bar: %s\n", over.c_str());
  return 1;
}

}  // namespace bench
