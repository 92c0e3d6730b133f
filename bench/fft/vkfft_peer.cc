#include <string>

#define CL_TARGET_OPENCL_VERSION 120
#define VKFFT_BACKEND 3
#include <vkFFT.h>

#include "vkfft.hpp"

namespace bench {

struct vkfft_plan::state {
  VkFFTApplication app{};
  cl_device_id device{};
  cl_context context{};
  cl_command_queue queue{};
  std::vector<cl_mem> in, out;  // VkFFT keeps pointers to them
  uint64_t in_bytes = 0, out_bytes = 0;
};

vkfft_plan::vkfft_plan(const cl::Device& device, const cl::Context& context,
                       const cl::CommandQueue& queue, const std::vector<std::int64_t>& lengths,
                       std::int64_t batch, bool real, bool is_double,
                       const std::vector<fft_pair>& pairs)
  : state_(std::make_unique<state>()) {
  state& s = *state_;
  s.device = device();
  s.context = context();
  s.queue = queue();
  for (const fft_pair& one : pairs) {
    s.in.push_back(one.in());
    s.out.push_back(one.out());
  }
  size_t bytes = 0;
  clGetMemObjectInfo(s.in[0], CL_MEM_SIZE, sizeof bytes, &bytes, nullptr);
  s.in_bytes = bytes;
  clGetMemObjectInfo(s.out[0], CL_MEM_SIZE, sizeof bytes, &bytes, nullptr);
  s.out_bytes = bytes;
  VkFFTConfiguration c{};
  c.FFTdim = lengths.size();
  const std::size_t rank = lengths.size();
  for (std::size_t a = 0; a < rank; ++a) c.size[a] = static_cast<uint64_t>(lengths[rank - 1 - a]);
  c.numberBatches = static_cast<uint64_t>(batch);
  c.device = &s.device;
  c.context = &s.context;
  c.doublePrecision = is_double ? 1 : 0;
  c.performR2C = real ? 1 : 0;
  c.makeForwardPlanOnly = 1;
  c.isInputFormatted = 1;
  c.inputBufferNum = 1;
  c.inputBuffer = &s.in[0];
  c.inputBufferSize = &s.in_bytes;
  c.inputBufferStride[0] = c.size[0];
  c.bufferStride[0] = real ? c.size[0] / 2 + 1 : c.size[0];
  for (std::size_t a = 1; a < rank; ++a) {
    c.inputBufferStride[a] = c.inputBufferStride[a - 1] * c.size[a];
    c.bufferStride[a] = c.bufferStride[a - 1] * c.size[a];
  }
  c.bufferNum = 1;
  c.buffer = &s.out[0];
  c.bufferSize = &s.out_bytes;
  const VkFFTResult result = initializeVkFFT(&s.app, c);
  if (result != VKFFT_SUCCESS)
    throw clprim::error("VkFFT refuses with " + std::to_string(static_cast<int>(result)));
}

vkfft_plan::~vkfft_plan() { deleteVkFFT(&state_->app); }

void vkfft_plan::enqueue(std::size_t pair) {
  VkFFTLaunchParams p{};
  p.commandQueue = &state_->queue;
  p.inputBuffer = &state_->in.at(pair);
  p.buffer = &state_->out.at(pair);
  const VkFFTResult result = VkFFTAppend(&state_->app, -1, &p);
  if (result != VKFFT_SUCCESS)
    throw clprim::error("VkFFT fails with " + std::to_string(static_cast<int>(result)));
}

}  // namespace bench
