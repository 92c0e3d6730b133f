#pragma once
// Programs of this process: built once per context, device, source and options, their binaries kept
// across processes; and what the driver tells of the registers and memories that a kernel takes.

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <filesystem>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <clprim/core/math_mode.hpp>
#include <clprim/runtime/built_program.hpp>
#include <clprim/runtime/device.hpp>
#include <clprim/runtime/device_info.hpp>
#include <clprim/runtime/opencl.hpp>
#include <clprim/runtime/program_files.hpp>
#include <clprim/runtime/program_folder.hpp>
#include <clprim/runtime/program_store.hpp>
#include <clprim/runtime/resources.hpp>

namespace clprim {

namespace detail {

/// A program that one thread builds; whoever else asks for it meanwhile waits for `done`.
struct program_in_making {
  std::mutex done;  ///< held by the thread that builds, until one of the two below is set
  std::shared_ptr<const built_program> program;
  std::exception_ptr failure;
  std::atomic<bool> ended = false;
};

/// The programs of this process used last. A cached program keeps its context alive, so while an
/// entry stands its handles name nothing else. (No map and no std::future: instantiated they are an
/// eighth of what a door takes to compile, and 1,024 entries are soon looked through.)
struct program_cache {
  struct entry {
    cl_context context = nullptr;
    cl_device_id device = nullptr;
    std::string source;
    std::string options;
    std::shared_ptr<program_in_making> making;
    std::uint64_t used = 0;  // when, as `uses` counted then
  };
  std::mutex mutex;
  std::vector<entry> entries;
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

  /// The entry of a program; null: there is none. Under `mutex`.
  entry* find(cl_context context, cl_device_id device, const std::string& source,
              const std::string& options) {
    for (entry& one : entries) {
      if (one.context == context && one.device == device && one.source == source &&
          one.options == options)
        return &one;
    }
    return nullptr;
  }
  /// Takes out an entry; whoever gets it lets go of its program after the lock. Under `mutex`.
  entry take(std::size_t index) {
    std::swap(entries[index], entries.back());
    entry taken = std::move(entries.back());
    entries.pop_back();
    return taken;
  }
  /// Takes out the program that was used the longest ago, if there are too many; none that is being
  /// built. Under `mutex`.
  entry take_oldest() {
    if (entries.size() <= most) return {};
    std::size_t oldest = entries.size();
    for (std::size_t i = 0; i < entries.size(); ++i) {
      if (entries[i].making->ended &&
          (oldest == entries.size() || entries[i].used < entries[oldest].used))
        oldest = i;
    }
    return oldest == entries.size() ? entry{} : take(oldest);
  }
  /// Takes out the entry of a program that was not built. Under `mutex`.
  entry take_failed(const program_in_making* making) {
    for (std::size_t i = 0; i < entries.size(); ++i)
      if (entries[i].making.get() == making) return take(i);
    return {};
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
  const auto making = std::make_shared<detail::program_in_making>();
  const std::lock_guard building(making->done);
  std::shared_ptr<program_store> store;
  detail::program_cache::entry released;  // destroyed after the lock
  {
    std::unique_lock lock(cache.mutex);
    if (auto* const found = cache.find(context(), device(), source, options)) {
      found->used = ++cache.uses;
      const std::shared_ptr<detail::program_in_making> other = found->making;
      lock.unlock();
      const std::lock_guard wait(other->done);
      if (other->failure) std::rethrow_exception(other->failure);
      return other->program;
    }
    store = cache.chosen_store();
    cache.entries.push_back({context(), device(), source, options, making, ++cache.uses});
    released = cache.take_oldest();
  }
  try {
    making->program = detail::build_now(context, device, source, options, store.get());
    making->ended = true;
    return making->program;
  } catch (...) {
    making->failure = std::current_exception();
    making->ended = true;
    const std::lock_guard lock(cache.mutex);
    released = cache.take_failed(making.get());
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
  const auto now = ticks();
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
