#pragma once
// Holds CUDA's default stream while calls are queued: see held.hpp. nvcc compiles this too, so it
// knows nothing of OpenCL.

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include <cuda.h>
#include <cuda_runtime_api.h>

namespace bench {

/// What is queued behind a hold waits on the device until a word of the host's memory is set. Where
/// more is queued than the driver takes, the host waits for the device: then a guard sets the word.
class cuda_hold {
 public:
  cuda_hold() {
    void* entry = nullptr;
#if CUDART_VERSION >= 12050
    cudaDriverEntryPointQueryResult found{};
    check(cudaGetDriverEntryPointByVersion("cuStreamWaitValue32", &entry, 11070, cudaEnableDefault,
                                           &found),
          "cudaGetDriverEntryPointByVersion");
#else
    check(cudaGetDriverEntryPoint("cuStreamWaitValue32", &entry, cudaEnableDefault),
          "cudaGetDriverEntryPoint");
#endif
    wait_ = reinterpret_cast<wait_function>(entry);
    if (wait_ == nullptr) throw std::runtime_error("CUDA has no cuStreamWaitValue32");
    check(cudaHostAlloc(reinterpret_cast<void**>(const_cast<unsigned**>(&word_)), sizeof(unsigned),
                        cudaHostAllocMapped),
          "cudaHostAlloc");
  }
  ~cuda_hold() {
    open();
    cudaDeviceSynchronize();
    for (const cudaEvent_t mark : marks_) cudaEventDestroy(mark);
    cudaFreeHost(const_cast<unsigned*>(word_));
  }
  cuda_hold(const cuda_hold&) = delete;
  cuda_hold& operator=(const cuda_hold&) = delete;

  void hold(double) {
    *word_ = 0;
    opened_ = false;
    guard_ = std::thread([this] {
      std::unique_lock<std::mutex> lock(mutex_);
      if (!changed_.wait_for(lock, std::chrono::milliseconds(250), [this] { return opened_; }))
        *word_ = 1;
    });
    if (wait_(nullptr, reinterpret_cast<CUdeviceptr>(word_), 1, CU_STREAM_WAIT_VALUE_EQ) !=
        CUDA_SUCCESS)
      throw std::runtime_error("cuStreamWaitValue32 failed");
  }
  void mark() {
    cudaEvent_t event = nullptr;
    check(cudaEventCreate(&event), "cudaEventCreate");
    marks_.push_back(event);
    check(cudaEventRecord(event), "cudaEventRecord");
  }
  std::vector<double> release(bool anyhow) {
    const bool starved = *word_ != 0;
    open();
    check(cudaDeviceSynchronize(), "cudaDeviceSynchronize");
    std::vector<double> seconds;
    for (const cudaEvent_t mark : marks_) {
      float ms = 0;
      check(cudaEventElapsedTime(&ms, marks_.front(), mark), "cudaEventElapsedTime");
      seconds.push_back(static_cast<double>(ms) * 1e-3);
    }
    for (const cudaEvent_t mark : marks_) cudaEventDestroy(mark);
    marks_.clear();
    return starved && !anyhow ? std::vector<double>{} : seconds;
  }

 private:
  using wait_function = CUresult (*)(CUstream, CUdeviceptr, cuuint32_t, unsigned);

  static void check(cudaError_t code, const char* call) {
    if (code != cudaSuccess)
      throw std::runtime_error(std::string(call) + " failed: " + cudaGetErrorString(code));
  }
  void open() {
    if (!guard_.joinable()) return;
    {
      const std::lock_guard<std::mutex> lock(mutex_);
      opened_ = true;
    }
    changed_.notify_one();
    guard_.join();
    *word_ = 1;
  }

  wait_function wait_ = nullptr;
  volatile unsigned* word_ = nullptr;
  std::vector<cudaEvent_t> marks_;
  std::thread guard_;
  std::mutex mutex_;
  std::condition_variable changed_;
  bool opened_ = true;
};

}  // namespace bench
