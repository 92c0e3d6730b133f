// bench_transpose: transposition beside its peers and beside the copy, on one device, in one run.
//
// Everyone is verified, then timed in blocks of calls that take turns. GB/s count one read and one
// write of every element. On a GPU calls are timed by their events, on a CPU by the wall.

#include <algorithm>
#include <complex>
#include <cstdint>
#include <cstdio>
#include <functional>
#include <optional>
#include <regex>
#include <string>
#include <thread>
#include <vector>

#include <clprim/copy.hpp>
#include <clprim/transpose.hpp>

#include "gemm/cublas.hpp"
#include "harness/machine.hpp"
#include "harness/options.hpp"
#include "harness/random.hpp"
#include "harness/statistics.hpp"

#if CLPRIM_HAS_CLBLAST
#include <clblast.h>
#endif
#if CLPRIM_HAS_OPENBLAS
#include <cblas.h>
#endif

namespace {

struct settings {
  int rounds = 4;
  int calls = 12;
  double pause = 200;
  bool sweep = false;
  bool copies = false;
  std::optional<clprim::transpose_policy> policy{};
};

struct contestant {
  std::string name;
  std::function<std::vector<double>(int calls)> time;  ///< seconds of each call
  std::vector<double> seconds{};
  std::vector<double> medians{};
};

template <class T> class row_bench {
 public:
  row_bench(const clprim::session& s, const clprim::device_facts& facts, const settings& how,
            int rows, int cols)
    : s_(s), facts_(facts), how_(how), rows_(rows), cols_(cols) {
    host_ = bench::random_values<T>(count(), 7);
    a_ = buffer();
    b_ = buffer();
    clprim::check(clEnqueueWriteBuffer(s_.queue(), a_(), CL_TRUE, 0, count() * sizeof(T),
                                       host_.data(), 0, nullptr, nullptr),
                  "clEnqueueWriteBuffer");
  }

  void run(const std::string& name) {
    std::printf("%s\n", name.c_str());
    add_ours();
    add_peers();
    for (int round = 0; round < how_.rounds; ++round) {
      for (contestant& c : all_) {
        bench::pause_ms(how_.pause);
        const std::vector<double> times = c.time(how_.calls);
        c.seconds.insert(c.seconds.end(), times.begin(), times.end());
        c.medians.push_back(bench::median(times));
      }
    }
    const double bytes = 2.0 * static_cast<double>(count()) * sizeof(T);
    const double copy = bench::median(all_.front().seconds);
    for (const contestant& c : all_) {
      const bench::summary t = bench::summarise(c.seconds);
      std::printf("  %-28s %9.2f us %8.1f GB/s +-%4.1f %%  %5.3f of the copy\n", c.name.c_str(),
                  t.median * 1e6, bytes / t.median * 1e-9, 100 * t.spread, copy / t.median);
    }
    std::fflush(stdout);
  }

 private:
  std::size_t count() const {
    return static_cast<std::size_t>(rows_) * static_cast<std::size_t>(cols_);
  }
  cl::Buffer buffer() const {
    cl_int code = CL_SUCCESS;
    cl::Buffer made(
        clCreateBuffer(s_.context(), CL_MEM_READ_WRITE, count() * sizeof(T), nullptr, &code),
        false);
    clprim::check(code, "clCreateBuffer");
    return made;
  }
  /// Runs `call` and returns what it left in `where`, checked on some rows.
  template <class Fetch> bool verified(const std::string& who, Fetch fetch) const {
    const std::vector<T> got = fetch();
    std::size_t wrong = 0;
    for (int c = 0; c < cols_; c += c < 70 || c > cols_ - 70 ? 1 : 97)
      for (int r = 0; r < rows_; ++r)
        wrong += got[static_cast<std::size_t>(c) * static_cast<std::size_t>(rows_) +
                     static_cast<std::size_t>(r)] !=
                         host_[static_cast<std::size_t>(r) * static_cast<std::size_t>(cols_) +
                               static_cast<std::size_t>(c)]
                     ? 1
                     : 0;
    if (wrong > 0) std::printf("  %s is WRONG in %zu elements\n", who.c_str(), wrong);
    return wrong == 0;
  }
  std::vector<T> download(const cl::Buffer& from) const {
    std::vector<T> values(count());
    clprim::check(clEnqueueReadBuffer(s_.queue(), from(), CL_TRUE, 0, count() * sizeof(T),
                                      values.data(), 0, nullptr, nullptr),
                  "clEnqueueReadBuffer");
    return values;
  }
  void poison() const {
    const cl_uchar ones = 0xff;
    clprim::check(clEnqueueFillBuffer(s_.queue(), b_(), &ones, 1, 0, count() * sizeof(T), 0,
                                      nullptr, nullptr),
                  "clEnqueueFillBuffer");
  }
  template <class Call> std::vector<double> timed(Call call, int calls) const {
    std::vector<double> seconds;
    std::vector<cl::Event> events;
    const bool wall = facts_.kind == clprim::device_kind::cpu;
    for (int i = 0; i < calls + 2; ++i) {
      const double begin = bench::seconds_now();
      events.push_back(call());
      if (!wall) continue;
      clprim::check(clFinish(s_.queue()), "clFinish");
      if (i >= 2) seconds.push_back(bench::seconds_now() - begin);
    }
    if (wall) return seconds;
    clprim::check(clFinish(s_.queue()), "clFinish");
    for (int i = 2; i < calls + 2; ++i) {
      cl_ulong start = 0, end = 0;
      const cl_event e = events[static_cast<std::size_t>(i)]();
      clGetEventProfilingInfo(e, CL_PROFILING_COMMAND_START, sizeof start, &start, nullptr);
      clGetEventProfilingInfo(e, CL_PROFILING_COMMAND_END, sizeof end, &end, nullptr);
      seconds.push_back(static_cast<double>(end - start) * 1e-9);
    }
    return seconds;
  }

  void add_copy(const std::string& name, const clprim::copy_options& option) {
    const auto move = std::make_shared<clprim::copy<T>>(s_.queue, option);
    const auto elements = static_cast<std::int64_t>(count());
    all_.push_back({name, [=, this](int calls) {
                      return timed(
                          [&] {
                            return (*move)(clprim::vector<T>(a_, elements),
                                           clprim::vector<T>(b_, elements));
                          },
                          calls);
                    }});
  }
  /// Volkov's copy: vectors of an item in flight, by the group's size.
  void add_copies() {
    const int vector = std::max(1, 16 / static_cast<int>(sizeof(T)));
    for (const int items : {64, 128, 256, 512})
      for (const int per_item : {1, 2, 4, 8, 14})
        add_copy("copy i" + std::to_string(items) + " x" + std::to_string(per_item),
                 {.policy =
                      clprim::copy_policy{.items = items, .vector = vector, .per_item = per_item}});
  }
  void add_ours() {
    add_copy("clprim copy", {});
    if (how_.copies) add_copies();
    std::vector<std::pair<std::string, clprim::transpose_options>> options{
        {"clprim", {how_.policy}}};
    if (how_.sweep) add_sweep(options);
    for (const auto& [name, option] : options) add_policy(name, option);
    if (rows_ == cols_) add_in_place();
  }
  void add_policy(const std::string& name, const clprim::transpose_options& option) {
    try {
      const auto turn = std::make_shared<clprim::transpose<T>>(s_.queue, option);
      const auto call = [=, this] {
        return (*turn)(clprim::matrix<T>(a_, rows_, cols_), clprim::matrix<T>(b_, cols_, rows_));
      };
      poison();
      call();
      if (verified(name, [&] { return download(b_); }))
        all_.push_back({name, [=, this](int calls) { return timed(call, calls); }});
    } catch (const clprim::error& e) {
      std::printf("  %s: %s\n", name.c_str(), e.what());
    }
  }
  void add_in_place() {
    const auto turn = std::make_shared<clprim::transpose<T>>(s_.queue);
    clprim::check(
        clEnqueueCopyBuffer(s_.queue(), a_(), b_(), 0, 0, count() * sizeof(T), 0, nullptr, nullptr),
        "clEnqueueCopyBuffer");
    const auto call = [=, this] { return turn->in_place(clprim::matrix<T>(b_, rows_, rows_)); };
    call();
    if (verified("clprim in place", [&] { return download(b_); }))
      all_.push_back({"clprim in place", [=, this](int calls) { return timed(call, calls); }});
  }
  void add_sweep(std::vector<std::pair<std::string, clprim::transpose_options>>& options) const {
    using namespace clprim;
    const auto add = [&](transpose_policy p) {
      const std::string name = std::to_string(p.tile_rows) + "x" + std::to_string(p.tile_cols) +
                               " v" + std::to_string(p.vector) + " i" + std::to_string(p.items) +
                               (p.banks == bank_strategy::swizzle ? " xor" : " pad") +
                               (p.order == tile_order::along_input ? " in"
                                : p.order == tile_order::diagonal  ? " diagonal"
                                                                   : "") +
                               (p.streaming ? " stream" : "");
      options.push_back({name, {.policy = p}});
    };
    if (facts_.kind == device_kind::cpu) {
      for (const int vector : {8, 16})
        for (const auto& [r, c] : {std::pair(16, 256), {64, 64}, {256, 16}, {256, 64}, {1024, 16}})
          for (const bool stream : {false, true})
            add({.tile_rows = r,
                 .tile_cols = c,
                 .vector = vector,
                 .items = 1,
                 .exchange = tile_exchange::direct,
                 .along_output = true,
                 .unaligned = true,
                 .streaming = stream});
      return;
    }
    for (const int vector : {1, 2, 4, 8}) {
      if (static_cast<std::size_t>(vector) * sizeof(T) > 16) continue;
      for (const auto& [r, c] :
           {std::pair(32, 32), {64, 64}, {32, 64}, {128, 32}, {128, 64}, {64, 128}})
        for (const int items : {256, 512}) {
          const int each = r * c / items;
          if (each < 4 || each > 64 || each < vector * vector) continue;
          add({.tile_rows = r,
               .tile_cols = c,
               .vector = vector,
               .items = items,
               .banks = bank_strategy::swizzle});
        }
    }
    add({.tile_rows = 64, .tile_cols = 64, .vector = 1, .items = 256});
    add({.tile_rows = 64, .tile_cols = 64, .items = 256, .order = tile_order::along_input});
    add({.tile_rows = 64, .tile_cols = 64, .items = 256, .order = tile_order::diagonal});
  }

  void add_peers() {
#if CLPRIM_HAS_CLBLAST
    if constexpr (sizeof(T) >= 4 && clprim::scalar_type<T>) {
      const auto call = [this] {
        cl_command_queue queue = s_.queue();
        cl_event event = nullptr;
        const auto m = static_cast<std::size_t>(rows_), n = static_cast<std::size_t>(cols_);
        const auto status = clblast::Omatcopy(clblast::Layout::kRowMajor, clblast::Transpose::kYes,
                                              m, n, T{1}, a_(), 0, n, b_(), 0, m, &queue, &event);
        if (status != clblast::StatusCode::kSuccess) throw clprim::error("CLBlast fails");
        return cl::Event(event, false);
      };
      poison();
      call();
      if (verified("CLBlast", [&] { return download(b_); }))
        all_.push_back({"CLBlast omatcopy", [=, this](int n) { return timed(call, n); }});
    }
#endif
#if CLPRIM_HAS_OPENBLAS
    if (facts_.kind == clprim::device_kind::cpu) {
      if constexpr (std::same_as<T, float>) add_openblas();
    }
#endif
#if CLPRIM_HAS_CUBLAS
    if (facts_.vendor == clprim::vendor::nvidia) add_cuda();
#endif
  }
#if CLPRIM_HAS_OPENBLAS
  /// Two bands of rows, a thread each: OpenBLAS runs somatcopy on one.
  void add_openblas() {
    const auto result = std::make_shared<std::vector<T>>(count());
    const auto call = [=, this] {
      const auto band = [&](int first, int last) {
        cblas_somatcopy(CblasRowMajor, CblasTrans, last - first, cols_, 1.f,
                        host_.data() + static_cast<std::ptrdiff_t>(first) * cols_, cols_,
                        result->data() + first, rows_);
      };
      std::jthread other([&] { band(0, rows_ / 2); });
      band(rows_ / 2, rows_);
    };
    call();
    if (!verified("OpenBLAS", [&] { return *result; })) return;
    all_.push_back({"OpenBLAS somatcopy, 2 bands", [=](int calls) {
                      std::vector<double> seconds;
                      for (int i = 0; i < calls; ++i) {
                        const double begin = bench::seconds_now();
                        call();
                        seconds.push_back(bench::seconds_now() - begin);
                      }
                      return seconds;
                    }});
  }
#endif
#if CLPRIM_HAS_CUBLAS
  static std::vector<double> cuda_timed(const std::function<void()>& call, int calls) {
    std::vector<bench::cuda_event> marks(static_cast<std::size_t>(calls) + 1);
    call();
    call();
    marks[0].record();
    for (std::size_t i = 1; i < marks.size(); ++i) {
      call();
      marks[i].record();
    }
    bench::check_cuda(cudaDeviceSynchronize(), "cudaDeviceSynchronize");
    std::vector<double> seconds;
    for (std::size_t i = 1; i < marks.size(); ++i)
      seconds.push_back(marks[i].seconds_since(marks[i - 1]));
    return seconds;
  }
  void add_cuda() {
    bench::use_cuda_device(s_.device);
    const std::size_t bytes = count() * sizeof(T);
    const auto a = std::make_shared<bench::cuda_array>(bytes),
               b = std::make_shared<bench::cuda_array>(bytes);
    bench::check_cuda(cudaMemcpy(a->data(), host_.data(), bytes, cudaMemcpyHostToDevice), "memcpy");
    all_.push_back(
        {"cudaMemcpy", [=](int calls) {
           return cuda_timed(
               [&] { cudaMemcpyAsync(b->data(), a->data(), bytes, cudaMemcpyDeviceToDevice); },
               calls);
         }});
    [[maybe_unused]] static cublasHandle_t handle = [] {  // not by types that geam lacks
      cublasHandle_t made = nullptr;
      bench::check_cublas(cublasCreate(&made), "cublasCreate");
      return made;
    }();
    const auto geam = [=, this] {
      const T one{1}, zero{};
      // Column-major: the row-major A is cols x rows, its transpose rows x cols.
      const auto call = [&](auto function, auto* type) {
        using element = std::remove_pointer_t<decltype(type)>;
        bench::check_cublas(
            function(handle, CUBLAS_OP_T, CUBLAS_OP_N, rows_, cols_,
                     reinterpret_cast<const element*>(&one), static_cast<const element*>(a->data()),
                     cols_, reinterpret_cast<const element*>(&zero),
                     static_cast<const element*>(b->data()), rows_,
                     static_cast<element*>(b->data()), rows_),
            "cublasXgeam");
      };
      if constexpr (std::same_as<T, float>) call(cublasSgeam, static_cast<float*>(nullptr));
      if constexpr (std::same_as<T, double>) call(cublasDgeam, static_cast<double*>(nullptr));
      if constexpr (std::same_as<T, std::complex<float>>)
        call(cublasCgeam, static_cast<cuComplex*>(nullptr));
      if constexpr (std::same_as<T, std::complex<double>>)
        call(cublasZgeam, static_cast<cuDoubleComplex*>(nullptr));
    };
    if (std::same_as<T, clprim::half>) return;
    geam();
    std::vector<T> got(count());
    bench::check_cuda(cudaMemcpy(got.data(), b->data(), bytes, cudaMemcpyDeviceToHost), "memcpy");
    if (verified("cuBLAS", [&] { return got; }))
      all_.push_back({"cuBLAS geam", [=](int calls) { return cuda_timed(geam, calls); }});
  }
#endif

  clprim::session s_;
  clprim::device_facts facts_;
  settings how_;
  int rows_, cols_;
  std::vector<T> host_;
  cl::Buffer a_, b_;
  std::vector<contestant> all_;
};

}  // namespace

int main(int argc, char** argv) try {
  bench::command_line line(argc, argv);
  settings how;
  const std::string device = line.text("device", "NAME", "part of a device's name").value_or("");
  const std::string filter = line.text("filter", "REGEX", "only matching rows").value_or("");
  how.rounds = static_cast<int>(line.number("rounds", 4, "blocks of each contestant"));
  how.calls = static_cast<int>(line.number("calls", 12, "calls of a block"));
  how.pause = line.number("pause", 0, "ms before each block (0)");
  how.sweep = line.flag("sweep", "many policies instead of the library's choice alone");
  how.copies = line.flag("copies", "copies of 1 to 14 vectors per item as well");
  if (const auto text = line.text("policy", "TEXT", "our policy, as its initialiser"))
    how.policy = clprim::parse_policy<clprim::transpose_policy>(*text);
  if (!line.finish("bench_transpose: transposition beside its peers, in one run.")) return 0;

  const clprim::session session = clprim::open_session(device);
  const clprim::device_facts facts = clprim::facts_of(session.device);
  for (const auto& [name, value] : bench::machine_facts(facts))
    std::printf("%s: %s\n", name.c_str(), value.c_str());
  const std::regex wanted(filter);
  const auto row = [&]<class T>(T, const char* type, int rows, int cols) {
    const std::string name =
        std::string(type) + " " + std::to_string(rows) + " x " + std::to_string(cols);
    if (!std::regex_search(name, wanted)) return;
    row_bench<T>(session, facts, how, rows, cols).run(name);
  };
  if (facts.kind == clprim::device_kind::cpu) {
    row(0.f, "float", 4096, 4096);
    row(0.f, "float", 4001, 3999);
    return 0;
  }
  row(0.f, "float", 8192, 8192);
  row(0.f, "float", 4095, 8193);
  row(clprim::half{}, "half", 8192, 8192);
  row(0.0, "double", 8192, 8192);
  row(std::complex<double>{}, "complex double", 4096, 8192);
} catch (const std::exception& e) {
  std::fprintf(stderr, "bench_transpose: %s\n", e.what());
  return 1;
}
