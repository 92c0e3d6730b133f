#pragma once
// Programs of this process: built once per context, device, source and options, their binaries kept
// across processes; and what the driver tells of the registers and memories that a kernel takes.

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <future>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include <clprim/core/math_mode.hpp>
#include <clprim/runtime/built_program.hpp>
#include <clprim/runtime/device.hpp>
#include <clprim/runtime/opencl.hpp>
#include <clprim/runtime/program_files.hpp>
#include <clprim/runtime/program_folder.hpp>
#include <clprim/runtime/program_store.hpp>
#include <clprim/runtime/resources.hpp>

namespace clprim {

namespace detail {

using program_future = std::shared_future<std::shared_ptr<const built_program>>;

/// The programs of this process used last. A cached program keeps its context alive, so while an
/// entry stands its handles name nothing else.
struct program_cache {
  struct entry {
    program_future program;
    std::uint64_t used = 0;  // when, as `uses` counted then
  };
  std::mutex mutex;
  std::map<std::tuple<cl_context, cl_device_id, std::string, std::string>, entry> entries;
  std::uint64_t uses = 0;
  /// As many as 16 objects have plans: a process that meets new problems for ever does not grow.
  std::size_t most = 1024;
  std::optional<std::shared_ptr<program_store>> store;  ///< nothing: not asked for yet
  std::string why_no_store;

  /// Where programs are kept: what was set, else the folder of this user, if there is one. Under
  /// `mutex`.
  std::shared_ptr<program_store> chosen_store() {
    if (!store) {
      program_place place = program_place_of_user();
      store = place.folder ? std::make_shared<program_files>(*place.folder) : nullptr;
      why_no_store = std::move(place.why_none);
    }
    return *store;
  }

  /// Takes out the program that was used the longest ago, if there are too many; none that is being
  /// built. Under `mutex`; whoever gets it lets go of it after the lock.
  program_future taken_out() {
    if (entries.size() <= most) return {};
    auto oldest = entries.end();
    for (auto at = entries.begin(); at != entries.end(); ++at) {
      const bool built =
          at->second.program.wait_for(std::chrono::seconds(0)) == std::future_status::ready;
      if (built && (oldest == entries.end() || at->second.used < oldest->second.used)) oldest = at;
    }
    if (oldest == entries.end()) return {};
    program_future program = std::move(oldest->second.program);
    entries.erase(oldest);
    return program;
  }

  /// Never destroyed, on purpose: releasing programs at static destruction would call into drivers
  /// that may be gone by then. The process's end gives everything back.
  static program_cache& instance() {
    static auto* const cache = new program_cache;
    return *cache;
  }
};

}  // namespace detail

/// Keeps the programs that are built from now on in this store; null: nowhere. Where none was ever
/// set they are kept in `program_folder()`.
inline void set_program_store(std::shared_ptr<program_store> store) {
  auto& cache = detail::program_cache::instance();
  const std::lock_guard lock(cache.mutex);
  cache.store = std::move(store);
  cache.why_no_store = "they were given no store";
}

/// Why programs that are built now are not kept for the next process, in one sentence: "the folder
/// /tmp/programs is not used: others may write to it (mode 0777), …". Empty where they are.
inline std::string why_programs_are_not_kept() {
  auto& cache = detail::program_cache::instance();
  std::shared_ptr<program_store> store;
  {
    const std::lock_guard lock(cache.mutex);
    store = cache.chosen_store();
    if (!store) return cache.why_no_store;
  }
  return store->complaint();
}

/// The same with a folder, or nowhere; tells whether there is one, and one that may be used.
///
///     clprim::keep_programs(std::nullopt);  // nothing is written, as with CLPRIM_CACHE_DIR=""
///
/// A process that finds its programs compiles no OpenCL C. First calls of transforms on PoCL 3.1
/// take 40 to 120 ms with its own cache alone (it reads the source first), and 3 to 9 with both; on
/// an H200 2.4 to 6.3 with the driver's alone, 1.5 to 4.2 with both.
inline bool keep_programs(const std::optional<std::filesystem::path>& folder = program_folder()) {
  set_program_store(folder ? std::make_shared<program_files>(*folder) : nullptr);
  return folder && why_programs_are_not_kept().empty();
}

/// Forgets all programs of this process; those that are in use live on with their users.
inline void clear_program_cache() {
  auto& cache = detail::program_cache::instance();
  decltype(cache.entries) released;  // destroyed after the lock
  const std::lock_guard lock(cache.mutex);
  released.swap(cache.entries);
}

/// Builds a program for one device, or returns the one built before from the same source and
/// options; the 1,024 used last are kept. Threads that ask for one program wait for one build.
/// Throws build_error with the log and the numbered source around the first error (which is not
/// cached), or opencl_error.
inline std::shared_ptr<const built_program> build(const cl::Context& context,
                                                  const cl::Device& device,
                                                  const std::string& source,
                                                  const std::string& options = {}) {
  auto& cache = detail::program_cache::instance();
  const auto key = std::tuple(context(), device(), source, options);
  std::promise<std::shared_ptr<const built_program>> promise;
  std::shared_ptr<program_store> store;
  detail::program_future released;  // destroyed after the lock
  {
    std::unique_lock lock(cache.mutex);
    if (const auto found = cache.entries.find(key); found != cache.entries.end()) {
      found->second.used = ++cache.uses;
      const detail::program_future future = found->second.program;
      lock.unlock();
      return future.get();
    }
    store = cache.chosen_store();
    cache.entries.emplace(key,
                          detail::program_cache::entry{promise.get_future().share(), ++cache.uses});
    released = cache.taken_out();
  }
  try {
    auto built = detail::build_now(context, device, source, options, store.get());
    promise.set_value(built);
    return built;
  } catch (...) {
    promise.set_exception(std::current_exception());
    const std::lock_guard lock(cache.mutex);
    cache.entries.erase(key);
    throw;
  }
}

/// The same for what a program may leave out for speed: other options, and maybe another source, so
/// a program of its own. Throws argument_error as text_before does.
inline std::shared_ptr<const built_program> build(const cl::Context& context,
                                                  const cl::Device& device,
                                                  const std::string& source, std::string options,
                                                  math_mode math) {
  if (math == math_mode::precise) return build(context, device, source, options);
  options += (options.empty() ? "" : " ") + std::string(build_options_of(math));
  return build(context, device, text_before(math, source) + source, options);
}

/// A kernel object of its own, for one user at a time: arguments belong to it. Throws opencl_error
/// naming the kernel.
inline cl::Kernel make_kernel(const built_program& built, const char* name) {
  cl_int code = CL_SUCCESS;
  const cl_kernel kernel = clCreateKernel(built.program(), name, &code);
  if (code != CL_SUCCESS) detail::fail(code, "clCreateKernel of '" + std::string(name) + "'");
  return cl::Kernel(kernel, false);
}

namespace detail {

/// The log of a program's first build. NVIDIA's driver keeps what it has compiled and says nothing
/// when it finds it again, so this builds the source once more beside a kernel of a new name, which
/// no cache knows. Empty when that fails.
inline std::string first_build_log(const built_program& built, cl_device_id device) {
  cl_context context = nullptr;
  std::string source = built.source;
  if (source.empty() || clGetProgramInfo(built.program(), CL_PROGRAM_CONTEXT, sizeof context,
                                         &context, nullptr) != CL_SUCCESS) {
    return {};
  }
  const auto now = std::chrono::steady_clock::now().time_since_epoch().count();
  source += "\n__kernel void clprim_never_built_" + std::to_string(now) +
            "(__global long *y) { *y = " + std::to_string(now) + "; }\n";
  const std::string options = info_text(
      built.program(), CL_PROGRAM_BUILD_OPTIONS,
      [device](cl_program p, cl_uint what, std::size_t room, void* value, std::size_t* needed) {
        return clGetProgramBuildInfo(p, device, what, room, value, needed);
      });
  const char* text = source.c_str();
  const std::size_t size = source.size();
  cl_int code = CL_SUCCESS;
  const cl::Program again(clCreateProgramWithSource(context, 1, &text, &size, &code), false);
  if (code != CL_SUCCESS ||
      clBuildProgram(again(), 1, &device, options.c_str(), nullptr, nullptr) != CL_SUCCESS) {
    return {};
  }
  std::string log = build_log(again(), device);
  if (source.find(hidden_mark) != std::string::npos) {
    with_hidden_instructions(again, context, device, options, log);
  }
  return log;
}

}  // namespace detail

/// What a kernel of this program takes; see `resources_of(log, …)`. Fetches the program's binary
/// where that is what tells (AMD), and builds the program once more where the driver took it from
/// its own cache without a word (NVIDIA): not for the hot path.
inline kernel_resources resources_of(const built_program& built, const cl::Kernel& kernel,
                                     const char* name, const cl::Device& device) {
  std::vector<unsigned char> binary;
  if (detail::device_info<cl_uint>(device(), detail::wavefront_width_amd, 0) != 0) {
    binary = detail::binary_of(built.program(), device());
  }
  const kernel_resources told = resources_of(built.log, kernel, name, device, binary);
  if (told.registers.known() ||
      detail::device_info<cl_uint>(device(), detail::warp_size_nv, 0) == 0) {
    return told;
  }
  return resources_of(detail::first_build_log(built, device()), kernel, name, device);
}

}  // namespace clprim
