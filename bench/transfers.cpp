// bench_transfers: host to device and back, from pageable, pinned and mapped memory, and copies
// that overlap with kernels on two queues.
//
// Pinned memory is what CL_MEM_ALLOC_HOST_PTR gives when it is mapped (NVIDIA, "OpenCL Programming
// Guide" 2.3, 3.1.1). Zero-copy: a kernel reads or writes such a buffer itself, and no transfer is
// asked for; a driver that keeps the buffer in the device's memory shows by more than the link's
// rate. Times are by the wall, over enqueue and finish. GB/s count the bytes that cross once; a
// pipeline's count what goes in and what comes out.

#include <array>
#include <cstddef>
#include <cstring>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <clprim/runtime/pinned.hpp>

#include "harness/random.hpp"
#include "harness/suite.hpp"

namespace {

using bench::contestant;

cl::Buffer buffer_of(const clprim::session& s, std::size_t bytes, cl_mem_flags flags) {
  cl_int code = CL_SUCCESS;
  cl::Buffer made(clCreateBuffer(s.context(), flags, bytes, nullptr, &code), false);
  clprim::check(code, "clCreateBuffer");
  return made;
}

/// Memory of the host: pageable, or pinned by the driver.
class host_memory {
 public:
  host_memory(const clprim::session& s, std::size_t bytes, bool pinned) {
    if (pinned)
      data_ = pinned_.emplace(s.queue, bytes).data();
    else
      data_ = pageable_.emplace(bytes).data();
  }
  host_memory(const host_memory&) = delete;
  host_memory& operator=(const host_memory&) = delete;
  char* data() const { return data_; }

 private:
  std::optional<std::vector<char>> pageable_;
  std::optional<clprim::pinned<char>> pinned_;
  char* data_ = nullptr;
};

/// One row's memory: a device buffer, host memory of a kind, and the values that travel.
struct operands {
  clprim::session session;
  std::vector<float> values;
  std::size_t bytes;
  cl::Buffer device;
  host_memory host;

  operands(const clprim::session& s, std::size_t count, bool pinned, cl_mem_flags flags = 0)
    : session(s),
      values(bench::random_values<float>(count, 5)),
      bytes(count * sizeof(float)),
      device(buffer_of(s, bytes, CL_MEM_READ_WRITE | flags)),
      host(s, bytes, pinned) {
    std::memcpy(host.data(), values.data(), bytes);
  }
  cl_command_queue queue() const { return session.queue(); }
  void write(cl_bool blocking = CL_TRUE) const {
    clprim::check(clEnqueueWriteBuffer(queue(), device(), blocking, 0, bytes, host.data(), 0,
                                       nullptr, nullptr),
                  "clEnqueueWriteBuffer");
  }
  void read() const {
    clprim::check(
        clEnqueueReadBuffer(queue(), device(), CL_TRUE, 0, bytes, host.data(), 0, nullptr, nullptr),
        "clEnqueueReadBuffer");
  }
  /// Maps the device buffer, has `use` look at it, and unmaps it.
  template <class Use> void mapped(cl_map_flags how, Use use) const {
    cl_int code = CL_SUCCESS;
    void* const at =
        clEnqueueMapBuffer(queue(), device(), CL_TRUE, how, 0, bytes, 0, nullptr, nullptr, &code);
    clprim::check(code, "clEnqueueMapBuffer");
    use(static_cast<char*>(at));
    clprim::check(clEnqueueUnmapMemObject(queue(), device(), at, 0, nullptr, nullptr),
                  "clEnqueueUnmapMemObject");
    clprim::check(clFinish(queue()), "clFinish");
  }
  std::string compared() const {
    return std::memcmp(host.data(), values.data(), bytes) == 0 ? "" : "the values that came back";
  }
};

/// Three of everything, taken in turn: how fast the host copies depends on where its memory lies,
/// by a tenth and more (H200).
class operands_in_turn {
 public:
  operands_in_turn(const clprim::session& s, std::size_t count, bool pinned,
                   cl_mem_flags flags = 0) {
    for (auto& one : all_) one = std::make_unique<operands>(s, count, pinned, flags);
  }
  const operands& of(std::size_t call) const { return *all_[call % all_.size()]; }
  /// What `verify` says of the first that is wrong.
  template <class Verify> std::string each(Verify verify) const {
    for (const auto& one : all_) {
      std::string wrong = verify(*one);
      if (!wrong.empty()) return wrong;
    }
    return "";
  }

 private:
  std::array<std::unique_ptr<operands>, 3> all_;
};

/// `call` is told its number.
contestant by_wall(std::function<void(std::size_t)> call, std::function<std::string()> verify,
                   const std::string& how) {
  return {.name = "clprim",
          .as = bench::role::ours,
          .verify = std::move(verify),
          .time = [call](std::size_t warm,
                         std::size_t calls) { return bench::time_by_wall(warm, calls, call); },
          .short_detail = [how] { return how; },
          .detail = [how] { return how; }};
}

enum class direction { in, out };

contestant copied(const clprim::session& s, std::size_t count, bool pinned, direction way) {
  const auto all = std::make_shared<operands_in_turn>(s, count, pinned);
  const auto call = [all, way](std::size_t number) {
    const operands& o = all->of(number);
    way == direction::in ? o.write() : o.read();
  };
  const auto verify = [all] {
    return all->each([](const operands& o) {
      o.write();
      std::memset(o.host.data(), 0xff, o.bytes);
      o.read();
      return o.compared();
    });
  };
  return by_wall(call, verify,
                 way == direction::in ? "clEnqueueWriteBuffer" : "clEnqueueReadBuffer");
}

/// The host writes or reads the buffer where it lies: no copy of ours, maybe one of the driver's.
contestant mapped(const clprim::session& s, std::size_t count, direction way) {
  const auto all = std::make_shared<operands_in_turn>(s, count, false, CL_MEM_ALLOC_HOST_PTR);
  const auto put = [](const operands& o) {
    o.mapped(CL_MAP_WRITE_INVALIDATE_REGION,
             [&o](char* at) { std::memcpy(at, o.values.data(), o.bytes); });
  };
  const auto get = [](const operands& o) {
    o.mapped(CL_MAP_READ, [&o](char* at) { std::memcpy(o.host.data(), at, o.bytes); });
  };
  const auto call = [=](std::size_t number) {
    way == direction::in ? put(all->of(number)) : get(all->of(number));
  };
  const auto verify = [=] {
    return all->each([&](const operands& o) {
      put(o);
      std::memset(o.host.data(), 0xff, o.bytes);
      get(o);
      return o.compared();
    });
  };
  return by_wall(call, verify, "clEnqueueMapBuffer, the host's copy included");
}

/// A kernel reads a buffer of the host's memory, or writes it, without a transfer of ours; its
/// other buffer is the device's.
contestant zero_copy(const clprim::session& s, std::size_t count, direction way) {
  const auto o = std::make_shared<operands>(s, count, false, CL_MEM_ALLOC_HOST_PTR);
  const auto far = std::make_shared<cl::Buffer>(buffer_of(s, o->bytes, CL_MEM_READ_WRITE));
  const auto program =
      clprim::build(s.context, s.device,
                    "__kernel void move(__global const float4* from, __global float4* to) {\n"
                    "  to[get_global_id(0)] = from[get_global_id(0)];\n}\n");
  const auto kernel = std::make_shared<cl::Kernel>(clprim::make_kernel(*program, "move"));
  if (way == direction::in)
    clprim::set_args((*kernel)(), o->device, *far);
  else
    clprim::set_args((*kernel)(), *far, o->device);
  const auto call = [o, far, kernel, count](std::size_t) {
    clprim::enqueue(o->queue(), (*kernel)(), {1, {count / 4, 1, 1}, {256, 1, 1}});
    clprim::check(clFinish(o->queue()), "clFinish");
  };
  const auto verify = [=] {
    const auto put = [o](char* at) { std::memcpy(at, o->values.data(), o->bytes); };
    const auto get = [o](char* at) { std::memcpy(o->host.data(), at, o->bytes); };
    const auto poison = [o](char* at) { std::memset(at, 0xff, o->bytes); };
    const auto move_far = [o, far](auto enqueue, const char* what) {
      clprim::check(
          enqueue(o->queue(), (*far)(), CL_TRUE, 0, o->bytes, o->host.data(), 0, nullptr, nullptr),
          what);
    };
    if (way == direction::in) {
      o->mapped(CL_MAP_WRITE_INVALIDATE_REGION, put);
      call(0);
      std::memset(o->host.data(), 0xff, o->bytes);
      move_far(clEnqueueReadBuffer, "clEnqueueReadBuffer");
    } else {
      move_far(clEnqueueWriteBuffer, "clEnqueueWriteBuffer");
      o->mapped(CL_MAP_WRITE_INVALIDATE_REGION, poison);
      call(0);
      std::memset(o->host.data(), 0xff, o->bytes);
      o->mapped(CL_MAP_READ, get);
    }
    return o->compared();
  };
  return by_wall(call, verify,
                 way == direction::in ? "a kernel reads the host's buffer into the device's memory"
                                      : "a kernel writes the host's buffer");
}

/// Parts of an array travel in, are worked on, and travel out; with two queues the transfers of one
/// part run beside the kernel of another.
struct pipeline {
  static constexpr std::size_t parts = 8;
  clprim::session session;
  cl::CommandQueue second;
  operands memory;
  std::vector<cl::Kernel> kernels;  ///< one per part: arguments are set once
  std::vector<cl::Buffer> pieces;

  pipeline(const clprim::session& s, std::size_t count) : session(s), memory(s, count, true) {
    cl_int status = CL_SUCCESS;
    second = cl::CommandQueue(clCreateCommandQueue(s.context(), s.device(), 0, &status), false);
    clprim::check(status, "clCreateCommandQueue");
    const auto program = clprim::build(s.context, s.device,
                                       "__kernel void work(__global float* x) {\n"
                                       "  float v = x[get_global_id(0)];\n"
                                       "  for (int i = 0; i < 64; ++i) v = fma(v, 1.0f, 0.0f);\n"
                                       "  x[get_global_id(0)] = -v;\n}\n");
    for (std::size_t p = 0; p < parts; ++p) {
      pieces.push_back(buffer_of(s, bytes(), CL_MEM_READ_WRITE));
      kernels.push_back(clprim::make_kernel(*program, "work"));
      clprim::set_args(kernels.back()(), pieces.back());
    }
  }
  std::size_t bytes() const { return memory.bytes / parts; }

  void run(bool two_queues) {
    const cl::CommandQueue queues[] = {session.queue, two_queues ? second : session.queue};
    for (std::size_t p = 0; p < parts; ++p) {
      const cl_command_queue queue = queues[p % 2]();
      char* const host = memory.host.data() + p * bytes();
      clprim::check(
          clEnqueueWriteBuffer(queue, pieces[p](), CL_FALSE, 0, bytes(), host, 0, nullptr, nullptr),
          "clEnqueueWriteBuffer");
      clprim::enqueue(queue, kernels[p](), {1, {bytes() / sizeof(float), 1, 1}, {64, 1, 1}});
      clprim::check(
          clEnqueueReadBuffer(queue, pieces[p](), CL_FALSE, 0, bytes(), host, 0, nullptr, nullptr),
          "clEnqueueReadBuffer");
      clFlush(queue);
    }
    for (const cl::CommandQueue& queue : queues) clprim::check(clFinish(queue()), "clFinish");
  }
  /// Twice is what it was.
  std::string verify(bool two_queues) {
    run(two_queues);
    const auto* const now = reinterpret_cast<const float*>(memory.host.data());
    for (std::size_t i = 0; i < memory.values.size(); ++i) {
      if (now[i] != -memory.values[i]) return "value " + std::to_string(i);
    }
    run(two_queues);
    return memory.compared();
  }
};

contestant pipelined(const clprim::session& s, std::size_t count, bool two_queues) {
  const auto p = std::make_shared<pipeline>(s, count);
  return by_wall([p, two_queues](std::size_t) { p->run(two_queues); },
                 [p, two_queues] { return p->verify(two_queues); },
                 two_queues ? "transfers beside kernels" : "one after the other");
}

bench::suite_rows transfer_rows(const bench::suite_place& place) {
  const std::size_t count = std::size_t{1} << (place.cpu() || place.quick ? 22 : 26);
  bench::suite_rows all;
  const auto add = [&](const std::string& name, double crossings,
                       std::function<contestant(const clprim::session&)> make) {
    all.rows.push_back(
        {.name = name,
         .work = 4.0 * crossings * static_cast<double>(count),
         .roof = place.cpu()     ? ""
                 : crossings > 1 ? "links"
                                 : "link",
         .quick = true,
         .enter = [make, s = place.session] { return std::vector<contestant>{make(s)}; }});
  };
  using enum direction;
  for (const direction way : {in, out}) {
    const std::string to = way == in ? "in" : "out";
    for (const bool pinned : {false, true}) {
      add(to + (pinned ? " pinned" : " pageable"), 1,
          [=](const clprim::session& s) { return copied(s, count, pinned, way); });
    }
    add(to + " mapped", 1, [=](const clprim::session& s) { return mapped(s, count, way); });
    add(to + " zero-copy", 1, [=](const clprim::session& s) { return zero_copy(s, count, way); });
  }
  for (const bool two : {false, true}) {
    add(two ? "pipeline, two queues" : "pipeline, one queue", 2,
        [=](const clprim::session& s) { return pipelined(s, count, two); });
  }
  return all;
}

}  // namespace

int main(int argc, char** argv) {
  return bench::run_suite({.name = "transfers",
                           .what = "transfers between host and device, and their overlap.",
                           .rows = transfer_rows,
                           .gpu_clock = bench::clock_kind::wall,
                           .gpu_pause_ms = 0,
                           .rounds = 8},
                          argc, argv);
}
