// bench_reduce: our reductions beside their peers, on one device, in one run.
//
// Everyone runs once on poisoned results, all of which are compared with sums in double (argmax's
// with the first place of the greatest), and is then timed in turns: on GPUs series of calls back
// to back (OpenCL by wall time, on a queue without profiling; CUDA between two events), on CPUs
// single calls by wall time of enqueue and finish.
//
// --policy may be given several times. --sweep as the first word times a list of policies for each
// row that a GPU misses, fastest first, with CUB beside them.

#include <algorithm>
#include <cstddef>
#include <cstdio>
#include <cstring>
#include <functional>
#include <limits>
#include <memory>
#include <numeric>
#include <string>
#include <thread>
#include <vector>

#include <clprim/reduce.hpp>

#include "harness/random.hpp"
#include "harness/suite.hpp"
#include "harness/sweep.hpp"
#include "reduce/drawn.hpp"
#include "reduce/expected.hpp"
#include "reduce/sweep.hpp"

#if CLPRIM_HAS_CLBLAST
#include <clblast.h>
#endif
#if CLPRIM_HAS_CUB
#include "reduce/cub.hpp"
#endif
#if CLPRIM_HAS_BOOST_COMPUTE
#include "peers/boost_compute.hpp"
#endif

namespace {

using namespace clprim;

/// One way to do one row.
struct contestant {
  std::string name;
  std::function<bench::timing(std::size_t warm, std::size_t calls)> time;  ///< bench::contestant's
  std::function<std::string()> verify{};  ///< as bench::contestant's; roofs have none
};

/// What is wrong with the results that lie in a buffer.
using judge = std::function<std::string(const std::vector<std::byte>&)>;

/// All sums of a row, for a contestant whose elements pass through so many additions.
using sums = std::shared_ptr<const bench::expected_sums>;
/// The greatest element of a row and its first place, worked out when it is asked for.
using greatest = std::shared_ptr<const std::function<located<float>()>>;

template <class T> std::vector<T> as(const std::vector<std::byte>& bytes) {
  std::vector<T> values(bytes.size() / sizeof(T));
  std::memcpy(values.data(), bytes.data(), values.size() * sizeof(T));
  return values;
}

std::string wrong_place(const located<float>& got, const located<float>& right) {
  if (got == right) return {};
  return std::to_string(got.value) + " at " + std::to_string(got.index) + ", should be " +
         std::to_string(right.value) + " at " + std::to_string(right.index);
}

struct row {
  std::string name;
  double bytes;
  std::vector<contestant> who;
  std::vector<std::pair<std::string, double>> bars{};  ///< at least so many times its speed
};

using policies = std::vector<reduce_policy>;

class bench_run {
 public:
  bench_run(const session& s, bench::clock_kind clock, std::size_t count)
    : s_(s),
      clock_(clock),
      facts_(facts_of(s.device)),
      values_(bench::random_values<float>(count, 1)) {
    cl_int code = CL_SUCCESS;
    x_ = cl::Buffer(clCreateBuffer(s.context(), CL_MEM_READ_WRITE, count * 4, nullptr, &code),
                    false);
    check(code, "clCreateBuffer");
    check(clEnqueueWriteBuffer(s.queue(), x_(), CL_TRUE, 0, count * 4, values_.data(), 0, nullptr,
                               nullptr),
          "clEnqueueWriteBuffer");
    out_ =
        cl::Buffer(clCreateBuffer(s.context(), CL_MEM_READ_WRITE, 64 << 20, nullptr, &code), false);
    check(code, "clCreateBuffer");
#if CLPRIM_HAS_CUB
    if (facts_.vendor == vendor::nvidia)
      cuda_ = std::make_unique<bench::cuda_peers>(values_.data(), count, bench::cold_bytes);
#endif
  }

  /// Elements of the longest segment of the row `ragged`.
  static constexpr int longest_segment = 100;

  bool gpu() const { return facts_.kind != device_kind::cpu; }
  const device_facts& facts() const { return facts_; }
  std::int64_t size() const { return static_cast<std::int64_t>(values_.size()); }

  /// Calls of an OpenCL function that returns the event of its last command; nobody judges a roof.
  contestant opencl(const std::string& name, std::function<cl::Event()> call,
                    std::size_t result_bytes = 0, judge wrong = {}) const {
    contestant one{name, [this, call](std::size_t warm, std::size_t calls) {
                     return bench::time_opencl(s_.queue(), clock_, warm, calls,
                                               [&](std::size_t) { call(); });
                   }};
    if (wrong) one.verify = [=, this] { return verified(call, result_bytes, wrong); };
    return one;
  }
  /// As `opencl`, for `results` sums in an order that nobody tells, as of a tree of ours.
  contestant opencl_sums(const std::string& name, std::function<cl::Event()> call,
                         const sums& right, const reduce_view<float>& view) const {
    const double additions = bench::unknown_order * our_additions(view);
    return opencl(name, std::move(call), 4, [right, additions](const std::vector<std::byte>& raw) {
      return right->wrong(as<float>(raw), additions);
    });
  }

  /// Additions that an element passes through in the library's own choice.
  double our_additions(const reduce_view<float>& view) const {
    return bench::additions_of(reduce<float>(s_.queue).schedule(view), length_of(view));
  }
  template <class Op>
  contestant ours(const std::string& name, const reduce_view<float>& view, const sums& right,
                  std::size_t results, const std::optional<reduce_policy>& policy,
                  completion done = completion::none) const {  // as CUB's calls, which have none
    const auto op = std::make_shared<reduce<float, Op>>(
        s_.queue, reduce_options{.policy = policy, .completion = done});
    const double additions = bench::additions_of(op->schedule(view), length_of(view));
    const auto wrong = [right, additions](const std::vector<std::byte>& raw) {
      if constexpr (std::same_as<Op, op::compensated<op::sum<>>>)
        return right->wrong_compensated(as<float>(raw), additions);
      else
        return right->wrong(as<float>(raw), additions);
    };
    return opencl(
        name, [this, op, view] { return (*op)(view, out_); }, 4 * results, wrong);
  }
  contestant our_argmax(const std::string& name, const reduce_view<float>& view,
                        const greatest& right, const std::optional<reduce_policy>& policy) const {
    const auto op = std::make_shared<reduce<float, op::argmax>>(
        s_.queue, reduce_options{.policy = policy, .completion = completion::none});
    return opencl(
        name, [this, op, view] { return (*op)(view, out_); }, sizeof(located<float>),
        [right](const std::vector<std::byte>& raw) {
          return wrong_place(as<located<float>>(raw).at(0), (*right)());
        });
  }

  /// The library's choice, and the policies that were given: `make(name, policy)` makes one.
  template <class Make> std::vector<contestant> all_ours(const policies& more, Make make) const {
    std::vector<contestant> all{make("clprim", std::optional<reduce_policy>())};
    for (std::size_t i = 0; i < more.size(); ++i)
      all.push_back(make("policy " + std::to_string(i + 1), std::optional(more[i])));
    return all;
  }
  std::vector<contestant> all_sums(const reduce_view<float>& view, const sums& right,
                                   std::int64_t results, const policies& more) const {
    return all_ours(more, [&](const std::string& name, const auto& policy) {
      return ours<op::sum<>>(name, view, right, static_cast<std::size_t>(results), policy);
    });
  }

  /// A sum by two threads of a loop that the compiler turns into vectors.
  contestant host_loop(std::int64_t rows, std::int64_t columns, bool by_rows,
                       const sums& right) const {
    const auto once = [this, rows, columns, by_rows](std::vector<float>& result) {
      std::jthread other([&] { half(1, rows, columns, by_rows, result); });
      half(0, rows, columns, by_rows, result);
      other.join();
    };
    // By columns each thread leaves sums of its own; of one long row too.
    const bool two = !by_rows || rows == 1;
    const std::int64_t results = by_rows ? rows : columns;
    const auto room = static_cast<std::size_t>(two ? 2 * results : results);
    const auto time = [once, room](std::size_t warm, std::size_t calls) {
      std::vector<float> result(room);
      return bench::time_by_wall(warm, calls, [&](std::size_t) { once(result); });
    };
    const auto verify = [=] {
      std::vector<float> result(room, std::numeric_limits<float>::quiet_NaN());
      once(result);
      if (two) {
        const auto count = static_cast<std::size_t>(results);
        for (std::size_t i = 0; i < count; ++i) result[i] += result[count + i];
        result.resize(count);
      }
      const auto length = static_cast<double>(by_rows ? columns : rows);
      return right->wrong(result, by_rows ? length / 64 + 130 : length + 2);
    };
    return {"host loop", time, verify};
  }

  /// What a kernel reaches that reads everything and keeps nothing.
  contestant read_roof(std::int64_t n) {
    const char* const text =
        "__kernel void roof(__global const float4* x, long runs, __global float* out) {\n"
        "  long per = runs / get_num_groups(0), at = get_group_id(0) * per + get_local_id(0);\n"
        "  float4 a = 0, b = 0, c = 0, d = 0;\n"
        "  long end = (get_group_id(0) + 1) * per;\n"
        "  for (; at + 1536 < end; at += 2048) {\n"
        "    a += x[at]; b += x[at + 512]; c += x[at + 1024]; d += x[at + 1536];\n  }\n"
        "  a += b + c + d;\n"
        "  if (a.x + a.y + a.z + a.w == 12345.678f) out[0] = 1;\n}\n";
    const auto program = build(s_.context, s_.device, text);
    const auto kernel = std::make_shared<cl::Kernel>(make_kernel(*program, "roof"));
    set_args((*kernel)(), x_, static_cast<cl_long>(n / 4), out_);
    const auto groups = static_cast<std::size_t>(facts_.compute_units) * 4;
    return opencl("read roof", [this, kernel, groups] {
      return enqueue(s_.queue(), (*kernel)(), {1, {groups * 512, 1, 1}, {512, 1, 1}});
    });
  }
  contestant empty_launch() {
    const auto program = build(s_.context, s_.device, "__kernel void nothing(int x) {}\n");
    const auto kernel = std::make_shared<cl::Kernel>(make_kernel(*program, "nothing"));
    set_args((*kernel)(), 1);
    return opencl("empty launch", [this, kernel] {
      return enqueue(s_.queue(), (*kernel)(), {1, {1, 1, 1}, {1, 1, 1}}, {}, completion::none);
    });
  }
#if CLPRIM_HAS_CLBLAST
  contestant clblast_sum(const reduce_view<float>& view, const sums& right) const {
    const auto call = [this, n = static_cast<std::size_t>(view.length)] {
      cl_command_queue queue = s_.queue();
      cl_event done = nullptr;
      const auto status = clblast::Sum<float>(n, out_(), 0, x_(), 0, 1, &queue, &done);
      if (status != clblast::StatusCode::kSuccess) throw error("CLBlast's sum failed");
      return cl::Event(done, false);
    };
    return opencl_sums("CLBlast", call, right, view);
  }
#endif
#if CLPRIM_HAS_BOOST_COMPUTE
  contestant boost_sum(const reduce_view<float>& view, const sums& right) const {
    const auto call = [this, n = static_cast<std::size_t>(view.length)] {
      bench::boost_sum(s_.queue(), x_(), n, out_());
      return cl::Event();
    };
    return opencl_sums("Boost.Compute", call, right, view);
  }
#endif
#if CLPRIM_HAS_CUB
  bool has_cuda() const { return cuda_ != nullptr; }
  /// Seconds per call as what a contestant tells.
  template <class Seconds> static auto in_cuda(Seconds seconds) {
    return [=](std::size_t warm, std::size_t calls) {
      const double one = seconds(static_cast<int>(warm), static_cast<int>(calls));
      return bench::timing{{one}, one};
    };
  }
  /// `call(peers, warm, calls)` leaves `results` sums.
  template <class Call>
  contestant cuda_sums(const std::string& name, const sums& right, const reduce_view<float>& view,
                       std::int64_t results, Call call) const {
    auto* const peers = cuda_.get();
    const double additions = bench::unknown_order * our_additions(view);
    return {name, in_cuda([=](int warm, int calls) { return call(*peers, warm, calls); }), [=] {
              peers->poison();
              call(*peers, 0, 1);
              return right->wrong(peers->results(static_cast<std::size_t>(results)), additions);
            }};
  }
  contestant cub_argmax(std::int64_t n, const greatest& right) const {
    auto* const peers = cuda_.get();
    return {"CUB", in_cuda([=](int warm, int calls) { return peers->argmax(n, warm, calls); }),
            [=] {
              peers->poison();
              peers->argmax(n, 0, 1);
              return wrong_place({peers->results(1).at(0), peers->index()}, (*right)());
            }};
  }
#endif

  const float* values() const { return values_.data(); }
  const cl::Buffer& x() const { return x_; }
  const session& on() const { return s_; }

 private:
  static double length_of(const reduce_view<float>& view) {
    return static_cast<double>(view.offsets != nullptr ? longest_segment : view.length);
  }
  /// Poisons the results and what lies behind them, calls, and asks the judge.
  std::string verified(const std::function<cl::Event()>& call, std::size_t bytes,
                       const judge& wrong) const {
    constexpr std::size_t behind = 256;
    constexpr cl_uint poison = 0xffffffff;  // no number, and the index -1
    check(clEnqueueFillBuffer(s_.queue(), out_(), &poison, sizeof poison, 0, bytes + behind, 0,
                              nullptr, nullptr),
          "clEnqueueFillBuffer");
    call();
    std::vector<std::byte> raw(bytes + behind);
    check(clEnqueueReadBuffer(s_.queue(), out_(), CL_TRUE, 0, raw.size(), raw.data(), 0, nullptr,
                              nullptr),
          "clEnqueueReadBuffer");
    for (std::size_t i = bytes; i < raw.size(); ++i) {
      if (raw[i] != std::byte{0xff})
        return "written " + std::to_string(i - bytes) + " bytes behind the last result";
    }
    raw.resize(bytes);
    return wrong(raw);
  }

  void half(int which, std::int64_t rows, std::int64_t columns, bool by_rows,
            std::vector<float>& result) const {
    if (by_rows && rows == 1) {  // one long row: half of it each
      const std::int64_t first = which * (columns / 2);
      result[static_cast<std::size_t>(which)] =
          sum_row(values_.data() + first, which == 0 ? columns / 2 : columns - first);
      return;
    }
    const std::int64_t begin = rows * which / 2, end = rows * (which + 1) / 2;
    float* const out = result.data() + (by_rows ? 0 : which * columns);
    if (!by_rows) std::fill(out, out + columns, 0.0f);
    for (std::int64_t r = begin; r < end; ++r) {
      const float* const x = values_.data() + r * columns;
      if (by_rows) {
        out[r] = sum_row(x, columns);
      } else {
        for (std::int64_t c = 0; c < columns; ++c) out[c] += x[c];
      }
    }
  }
  static float sum_row(const float* x, std::int64_t n) {
    float lane[64] = {};
    std::int64_t i = 0;
    for (; i + 64 <= n; i += 64)
      for (int j = 0; j < 64; ++j) lane[j] += x[i + j];
    for (; i < n; ++i) lane[0] += x[i];
    return std::accumulate(lane, lane + 64, 0.0f);
  }

  session s_;
  bench::clock_kind clock_;
  device_facts facts_;
  std::vector<float> values_;
  cl::Buffer x_, out_;
#if CLPRIM_HAS_CUB
  std::unique_ptr<bench::cuda_peers> cuda_;
#endif
};

/// The sums of all rows of an m x n matrix, or of all its columns.
row lines_row(bench_run& run, std::int64_t m, std::int64_t n, bool by_rows, const policies& more) {
  const auto matrix_of = matrix<float>(run.x(), m, n);
  const auto view = by_rows ? each_row(matrix_of) : each_column(matrix_of);
  const std::int64_t results = by_rows ? m : n;
  const float* const x = run.values();
  const auto right = std::make_shared<const bench::expected_sums>([=] {
    return by_rows ? bench::sums_of_segments(x, m, [n](std::int64_t r) { return r * n; })
                   : bench::sums_of_columns(x, m, n);
  });
  row r{(by_rows ? "rows " : "columns ") + std::to_string(m) + "x" + std::to_string(n),
        4.0 * static_cast<double>(m * n), run.all_sums(view, right, results, more)};
  if (!run.gpu()) r.who.push_back(run.host_loop(m, n, by_rows, right));
#if CLPRIM_HAS_CUB
  if (run.has_cuda()) {
    if (by_rows)
      r.who.push_back(run.cuda_sums(
          "CUB", right, view, results,
          [=](auto& cuda, int warm, int calls) { return cuda.rows(m, n, warm, calls); }));
    r.who.push_back(run.cuda_sums(
        "cuBLAS", right, view, results,
        [=](auto& cuda, int warm, int calls) { return cuda.gemv(m, n, by_rows, warm, calls); }));
  }
#endif
  return r;
}

void rows_of(bench_run& run, std::vector<row>& rows, std::int64_t m, std::int64_t n,
             const policies& more) {
  if (m * n > run.size()) return;
  for (const bool by_rows : {true, false}) {
    rows.push_back(lines_row(run, m, n, by_rows, more));
    auto& bars = rows.back().bars;
    if (!run.gpu()) {
      bars = {{"host loop", 0.8}};
    } else {
      if (by_rows) bars = {{"CUB", 1}};  // CUB has no sums of columns
      bars.emplace_back("cuBLAS", 1);
    }
  }
}

/// Arrays from this size on are bound by memory; a call of shorter ones by what a launch costs.
constexpr std::int64_t large_array = std::int64_t{1} << 24;

row sum_row(bench_run& run, const std::string& name, std::int64_t n, const policies& more) {
  const auto view = whole<float>(run.x(), n);
  const float* const x = run.values();
  const auto right = std::make_shared<const bench::expected_sums>(
      [=] { return std::vector<bench::expected_sum>{bench::sum_of_all(x, n)}; });
  row sum{"sum " + name, 4.0 * static_cast<double>(n), run.all_sums(view, right, 1, more)};
  if (n >= large_array) {
    sum.who.push_back(
        run.ours<op::compensated<op::sum<>>>("compensated", view, right, 1, std::nullopt));
    sum.who.push_back(run.ours<op::fastest<op::sum<>>>("fastest", view, right, 1, std::nullopt));
    if (run.gpu()) sum.who.push_back(run.read_roof(n));
  } else {
    sum.who.push_back(
        run.ours<op::sum<>>("with event", view, right, 1, std::nullopt, completion::event));
    sum.who.push_back(run.empty_launch());
  }
  if (!run.gpu()) sum.who.push_back(run.host_loop(1, n, true, right));
#if CLPRIM_HAS_CLBLAST
  sum.who.push_back(run.clblast_sum(view, right));
#endif
#if CLPRIM_HAS_BOOST_COMPUTE
  sum.who.push_back(run.boost_sum(view, right));
#endif
#if CLPRIM_HAS_CUB
  if (run.has_cuda()) {
    sum.who.push_back(run.cuda_sums("CUB", right, view, 1, [=](auto& cuda, int warm, int calls) {
      return cuda.sum(n, warm, calls);
    }));
  }
#endif
  return sum;
}

/// The greatest element and its place.
row argmax_row(bench_run& run, const std::string& name, std::int64_t n, const policies& more) {
  const auto view = whole<float>(run.x(), n);
  const float* const x = run.values();
  const auto first = std::make_shared<const std::function<located<float>()>>(
      [=, known = std::optional<located<float>>()]() mutable {
        if (!known) known = bench::greatest_of(x, n);
        return *known;
      });
  row arg{"argmax " + name, 4.0 * static_cast<double>(n),
          run.all_ours(more, [&](const std::string& who, const auto& policy) {
            return run.our_argmax(who, view, first, policy);
          })};
#if CLPRIM_HAS_CUB
  if (run.has_cuda()) arg.who.push_back(run.cub_argmax(n, first));
#endif
  return arg;
}

/// A sum and, of long arrays, the greatest element.
void whole_of(bench_run& run, std::vector<row>& rows, int log2, const policies& more) {
  const std::int64_t n = std::int64_t{1} << log2;
  if (n > run.size()) return;
  const std::string name = "2^" + std::to_string(log2);
  rows.push_back(sum_row(run, name, n, more));
  auto& bars = rows.back().bars;
  if (run.gpu()) {
    bars = {{"CUB", log2 == 20 ? 1 / 0.7 : 1.0}};
    if (n >= large_array)
      bars.insert(bars.end(), {{"read roof", 0.98}, {"fastest", 0.99}, {"compensated", 0.95}});
  } else {
    // Below 2^20 a call costs what a launch does, and a loop on the host nothing.
    if (n >= large_array) bars = {{"host loop", 0.85}};
    if (log2 == 10 || log2 == 16) bars = {{"empty launch", 1 / 1.2}};
  }
  if (n < large_array) return;
  rows.push_back(argmax_row(run, name, n, more));
  if (run.gpu()) rows.back().bars = {{"CUB", 1}};
}

/// A reduction for --random.
row drawn_row(bench_run& run, bench::problem_draw& draw) {
  const bench::drawn_reduction p = bench::draw_reduction(draw, static_cast<double>(run.size()));
  const std::string length = std::to_string(p.columns);
  if (p.what == bench::reduced::sum) return sum_row(run, length, p.columns, {});
  if (p.what == bench::reduced::greatest) return argmax_row(run, length, p.columns, {});
  return lines_row(run, p.rows, p.columns, p.what == bench::reduced::rows, {});
}

/// Segments of 1 to 100 elements.
void ragged_of(bench_run& run, std::vector<row>& rows, std::int64_t count, const policies& more,
               std::vector<cl::Buffer>& kept) {
  const auto offsets = std::make_shared<std::vector<std::int64_t>>(1, 0);
  for (std::int64_t i = 0; i < count; ++i) {
    const auto draw = bench::random_bits(3, static_cast<std::uint64_t>(i));
    offsets->push_back(offsets->back() + 1 +
                       static_cast<std::int64_t>(draw % bench_run::longest_segment));
  }
  const std::int64_t all = offsets->back();
  if (all > run.size()) return;
  cl_int code = CL_SUCCESS;
  kept.emplace_back(clCreateBuffer(run.on().context(), CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR,
                                   offsets->size() * 8, offsets->data(), &code),
                    false);
  check(code, "clCreateBuffer");
  const auto view = ragged<float>(run.x(), all, kept.back(), count);
  const float* const x = run.values();
  const auto right = std::make_shared<const bench::expected_sums>([=] {
    return bench::sums_of_segments(
        x, count, [&](std::int64_t r) { return (*offsets)[static_cast<std::size_t>(r)]; });
  });
  row r{"ragged " + std::to_string(count),
        4.0 * static_cast<double>(all) + 12.0 * static_cast<double>(count),
        run.all_sums(view, right, count, more)};
  if (run.gpu()) {
    r.who.push_back(run.read_roof(all));
    r.bars = {{"read roof", 0.5}};
  }
  rows.push_back(std::move(r));
}

/// A row on the common harness.
bench::bench_row suite_row(const row& r) {
  const auto role_of = [](const std::string& name) {
    if (name == "clprim") return bench::role::ours;
    if (name == "read roof" || name == "empty launch") return bench::role::roof;
    const bool by_other_means = name == "compensated" || name == "fastest" ||
                                name == "with event" || name.starts_with("policy");
    return by_other_means ? bench::role::variant : bench::role::peer;
  };
  const auto entrant = [&](const contestant& one) {
    const auto verify = [one]() -> std::string {
      if (one.verify) return one.verify();
      one.time(0, 1);
      return {};
    };
    return bench::contestant{
        .name = one.name, .as = role_of(one.name), .verify = verify, .time = one.time};
  };
  std::vector<bench::contestant> who;
  for (const contestant& one : r.who) who.push_back(entrant(one));
  bench::bench_row out{.name = r.name, .work = r.bytes, .roof = "read", .flops_per_byte = 0.25};
  for (const auto& [peer, ratio] : r.bars) out.bars.push_back({peer, ratio, peer == "compensated"});
  out.quick = r.name == "sum 2^24" || r.name == "sum 2^16" || r.name.starts_with("rows 4096");
  out.enter = [who] { return who; };
  out.kind = r.name.substr(0, r.name.find(' '));
  return out;
}

/// All rows of a device; they hold on to `run` and `kept`.
std::vector<row> all_rows(bench_run& run, const policies& more, std::vector<cl::Buffer>& kept) {
  std::vector<row> rows;
  for (const int log2 : {10, 16, 20, 24, 26, 28}) whole_of(run, rows, log2, more);
  if (!run.gpu()) {
    rows_of(run, rows, 4096, 4096, more);
  } else {
    rows_of(run, rows, 65536, 4096, more);
    rows_of(run, rows, 4096, 65536, more);
    rows_of(run, rows, 1048576, 256, more);
  }
  ragged_of(run, rows, 1000000, more, kept);
  return rows;
}

/// A row with a list of policies beside the library's choice, fastest first.
void print_sorted(const row& r, const policies& tried) {
  std::vector<bench::contestant> who = suite_row(r).enter();
  for (std::size_t i = 0; i < tried.size(); ++i) who[i + 1].name = bench::short_text(tried[i]);
  bench::print_fastest_first(r.name, r.bytes, "GB/s", who,
                             {.pause_ms = 2, .block_ms = 6, .max_calls = 2000, .rounds = 5});
}

/// bench_reduce --sweep [ROW]: lists of policies for the rows that a GPU misses, fastest first.
void sweep(const std::string& wanted) {
  using bench::row_candidates;
  using bench::whole_candidates;
  bench_run run(open_session({}), bench::clock_kind::device, std::size_t{1} << 28);
  std::vector<row> rows;
  std::vector<cl::Buffer> kept;
  const auto try_all = [&](const std::string& name, const std::vector<reduce_policy>& tried,
                           const auto& add) {
    if (name.find(wanted) == std::string::npos) return;
    rows.clear();
    add(tried);
    for (const row& r : rows) {
      if (r.name == name) print_sorted(r, tried);
    }
  };
  for (const int log2 : {10, 16, 20, 24, 26, 28}) {
    try_all("sum 2^" + std::to_string(log2), whole_candidates(log2, false), [&](const policies& p) {
      const auto view = whole<float>(run.x(), std::int64_t{1} << log2);
      bench::prepare_by_threads(p.size(), [&](std::size_t i) {
        reduce<float>(run.on().queue, {.policy = p[i]}).explain(view);
      });
      whole_of(run, rows, log2, p);
    });
  }
  try_all("argmax 2^28", whole_candidates(28, true),
          [&](const policies& p) { whole_of(run, rows, 28, p); });
  for (const auto& size_of : {std::pair{65536, 4096}, {4096, 65536}, {1048576, 256}}) {
    const int m = size_of.first, n = size_of.second;
    const auto add = [&](const policies& p) { rows_of(run, rows, m, n, p); };
    const std::string size = std::to_string(m) + "x" + std::to_string(n);
    if (n > 256) try_all("rows " + size, row_candidates(), add);
    try_all("columns " + size, bench::column_candidates(), add);
  }
  try_all("ragged 1000000", bench::ragged_candidates(),
          [&](const policies& p) { ragged_of(run, rows, 1000000, p, kept); });
}

}  // namespace

int main(int argc, char** argv) {
  if (argc > 1 && std::string(argv[1]) == "--sweep") {
    try {
      sweep(argc > 2 ? argv[2] : "");
      return 0;
    } catch (const std::exception& e) {
      std::fprintf(stderr, "bench_reduce: %s\n", e.what());
      return 2;
    }
  }
  policies more;
  std::optional<bench_run> run;
  std::vector<cl::Buffer> kept;
  return bench::run_suite(
      {.name = "reduce",
       .what = "reductions beside their peers, in one run (--sweep first: many policies).",
       .options =
           [&](bench::command_line& line) {
             while (const auto text = line.text("policy", "TEXT", "one more, as its initialiser"))
               more.push_back(parse_policy<reduce_policy>(*text));
           },
       .rows =
           [&](const bench::suite_place& place) {
             run.emplace(place.session, place.clock, std::size_t{1} << (place.cpu() ? 26 : 28));
             bench::suite_rows all;
             all.columns = {"read roof", "empty launch", "with event", "compensated", "fastest"};
             if (place.cpu()) all.columns.emplace_back("host loop");
             all.peer(CLPRIM_HAS_CLBLAST != 0, "CLBlast");
             all.peer(CLPRIM_HAS_BOOST_COMPUTE != 0, "Boost.Compute");
             if (place.nvidia()) {
               all.peer(CLPRIM_HAS_CUB != 0, "CUB");
               all.peer(CLPRIM_HAS_CUB != 0, "cuBLAS");
             }
             for (const row& r : all_rows(*run, more, kept)) all.rows.push_back(suite_row(r));
             return all;
           },
       .drawn = [&](const bench::suite_place&,
                    bench::problem_draw& draw) { return suite_row(drawn_row(*run, draw)); },
       .gpu_pause_ms = 20},
      argc, argv);
}
