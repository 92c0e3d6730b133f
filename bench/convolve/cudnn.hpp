#pragma once
// cuDNN as a peer: one channel or a layer of many, on the same GPU, by the fastest of its
// algorithms, in float arithmetic or cut to TF32.

#include <memory>
#include <string>
#include <vector>

#include "../harness/cuda.hpp"
#include "layer_shape.hpp"

#if CLPRIM_HAS_CUDNN
#include <cudnn.h>

namespace bench {

inline void check_cudnn(cudnnStatus_t code, const char* call) {
  if (code != CUDNN_STATUS_SUCCESS)
    throw clprim::error(std::string(call) + " failed: " + cudnnGetErrorString(code));
}

/// The correlation of images with size x size taps, their border zero.
class cudnn_convolution {
 public:
  cudnn_convolution(const cl::Device& device, const std::vector<float>& pixels, int height,
                    int width, const std::vector<float>& taps, int size)
    : cudnn_convolution(device,
                        {.height = height, .width = width, .size = size, .padding = size / 2},
                        pixels, taps) {}
  cudnn_convolution(const cl::Device& device, const layer_shape& l,
                    const std::vector<float>& pixels, const std::vector<float>& taps,
                    bool tf32 = false)
    : count_(l.out_count()) {
    use_cuda_device(device);
    check_cudnn(cudnnCreate(&handle_), "cudnnCreate");
    check_cudnn(cudnnCreateTensorDescriptor(&image_), "cudnnCreateTensorDescriptor");
    check_cudnn(cudnnCreateTensorDescriptor(&result_), "cudnnCreateTensorDescriptor");
    check_cudnn(cudnnCreateFilterDescriptor(&filter_), "cudnnCreateFilterDescriptor");
    check_cudnn(cudnnCreateConvolutionDescriptor(&how_), "cudnnCreateConvolutionDescriptor");
    check_cudnn(cudnnSetTensor4dDescriptor(image_, CUDNN_TENSOR_NCHW, CUDNN_DATA_FLOAT, l.images,
                                           l.inputs, l.height, l.width),
                "cudnnSetTensor4dDescriptor");
    check_cudnn(cudnnSetTensor4dDescriptor(result_, CUDNN_TENSOR_NCHW, CUDNN_DATA_FLOAT, l.images,
                                           l.outputs, l.out_height(), l.out_width()),
                "cudnnSetTensor4dDescriptor");
    check_cudnn(cudnnSetFilter4dDescriptor(filter_, CUDNN_DATA_FLOAT, CUDNN_TENSOR_NCHW, l.outputs,
                                           l.inputs, l.size, l.size),
                "cudnnSetFilter4dDescriptor");
    check_cudnn(cudnnSetConvolution2dDescriptor(how_, l.padding, l.padding, l.stride, l.stride, 1,
                                                1, CUDNN_CROSS_CORRELATION, CUDNN_DATA_FLOAT),
                "cudnnSetConvolution2dDescriptor");
    check_cudnn(cudnnSetConvolutionMathType(how_, tf32 ? CUDNN_DEFAULT_MATH : CUDNN_FMA_MATH),
                "cudnnSetConvolutionMathType");
    in_ = uploaded(pixels);
    taps_ = uploaded(taps);
    out_ = std::make_unique<cuda_array>(count_ * sizeof(float));
    cudnnConvolutionFwdAlgoPerf_t found[CUDNN_CONVOLUTION_FWD_ALGO_COUNT];
    int n = 0;
    check_cudnn(cudnnFindConvolutionForwardAlgorithm(handle_, image_, filter_, how_, result_,
                                                     CUDNN_CONVOLUTION_FWD_ALGO_COUNT, &n, found),
                "cudnnFindConvolutionForwardAlgorithm");
    for (int i = 0; i < n && !found_; ++i) {  // the fastest first
      if (found[i].status != CUDNN_STATUS_SUCCESS) continue;
      if (!tf32 && found[i].mathType != CUDNN_FMA_MATH) continue;
      if (tf32)
        check_cudnn(cudnnSetConvolutionMathType(how_, found[i].mathType),
                    "cudnnSetConvolutionMathType");
      algorithm_ = found[i].algo;
      work_bytes_ = found[i].memory;
      found_ = true;
    }
    if (!found_) throw clprim::error("cuDNN has no algorithm for this convolution");
    if (work_bytes_ > 0) work_ = std::make_unique<cuda_array>(work_bytes_);
  }
  ~cudnn_convolution() {
    if (how_ != nullptr) cudnnDestroyConvolutionDescriptor(how_);
    if (filter_ != nullptr) cudnnDestroyFilterDescriptor(filter_);
    if (result_ != nullptr) cudnnDestroyTensorDescriptor(result_);
    if (image_ != nullptr) cudnnDestroyTensorDescriptor(image_);
    if (handle_ != nullptr) cudnnDestroy(handle_);
  }
  cudnn_convolution(const cudnn_convolution&) = delete;
  cudnn_convolution& operator=(const cudnn_convolution&) = delete;

  void run() const {
    const float one = 1, zero = 0;
    check_cudnn(cudnnConvolutionForward(handle_, &one, image_, in_->data(), filter_, taps_->data(),
                                        how_, algorithm_, work_ ? work_->data() : nullptr,
                                        work_bytes_, &zero, result_, out_->data()),
                "cudnnConvolutionForward");
  }
  std::vector<float> out() const {
    std::vector<float> host(count_);
    check_cuda(
        cudaMemcpy(host.data(), out_->data(), count_ * sizeof(float), cudaMemcpyDeviceToHost),
        "cudaMemcpy of an image");
    return host;
  }
  std::string detail() const {
    return "cuDNN " + std::to_string(cudnnGetVersion()) + ", algorithm " +
           std::to_string(static_cast<int>(algorithm_));
  }

 private:
  static std::unique_ptr<cuda_array> uploaded(const std::vector<float>& host) {
    auto array = std::make_unique<cuda_array>(host.size() * sizeof(float));
    check_cuda(
        cudaMemcpy(array->data(), host.data(), host.size() * sizeof(float), cudaMemcpyHostToDevice),
        "cudaMemcpy of an operand");
    return array;
  }

  std::size_t count_;
  cudnnHandle_t handle_ = nullptr;
  cudnnTensorDescriptor_t image_ = nullptr, result_ = nullptr;
  cudnnFilterDescriptor_t filter_ = nullptr;
  cudnnConvolutionDescriptor_t how_ = nullptr;
  std::unique_ptr<cuda_array> in_, taps_, out_, work_;
  cudnnConvolutionFwdAlgo_t algorithm_{};
  std::size_t work_bytes_ = 0;
  bool found_ = false;
};

}  // namespace bench
#endif
