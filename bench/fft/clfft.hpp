#pragma once
// clFFT as a contestant.

#include <memory>
#include <string>
#include <vector>

#include <clFFT.h>

#include "problem.hpp"

namespace bench {

inline void check_clfft(clfftStatus code, const char* call) {
  if (code != CLFFT_SUCCESS)
    throw clprim::error(std::string(call) + " fails with " +
                        std::to_string(static_cast<int>(code)));
}

class clfft_plan {
 public:
  clfft_plan(const suite_place& place, const fft_row& row) : queue_(place.session.queue()) {
    static const bool ready = [] {
      clfftSetupData data;
      check_clfft(clfftInitSetupData(&data), "clfftInitSetupData");
      check_clfft(clfftSetup(&data), "clfftSetup");
      return true;
    }();
    static_cast<void>(ready);
    const std::size_t rank = row.lengths.size();
    std::vector<std::size_t> lengths, in(rank), out(rank);
    for (std::size_t a = 0; a < rank; ++a)
      lengths.push_back(static_cast<std::size_t>(row.lengths[rank - 1 - a]));
    check_clfft(clfftCreateDefaultPlan(&plan_, place.session.context(), static_cast<clfftDim>(rank),
                                       lengths.data()),
                "clfftCreateDefaultPlan");
    in[0] = out[0] = 1;
    for (std::size_t a = 1; a < rank; ++a) {
      in[a] = in[a - 1] * lengths[a - 1];
      out[a] = out[a - 1] * (row.real && a == 1 ? lengths[0] / 2 + 1 : lengths[a - 1]);
    }
    check_clfft(clfftSetPlanPrecision(plan_, row.is_double ? CLFFT_DOUBLE : CLFFT_SINGLE),
                "clfftSetPlanPrecision");
    check_clfft(clfftSetLayout(plan_, row.real ? CLFFT_REAL : CLFFT_COMPLEX_INTERLEAVED,
                               row.real ? CLFFT_HERMITIAN_INTERLEAVED : CLFFT_COMPLEX_INTERLEAVED),
                "clfftSetLayout");
    check_clfft(clfftSetResultLocation(plan_, CLFFT_OUTOFPLACE), "clfftSetResultLocation");
    check_clfft(clfftSetPlanInStride(plan_, static_cast<clfftDim>(rank), in.data()),
                "clfftSetPlanInStride");
    check_clfft(clfftSetPlanOutStride(plan_, static_cast<clfftDim>(rank), out.data()),
                "clfftSetPlanOutStride");
    check_clfft(clfftSetPlanDistance(plan_, static_cast<std::size_t>(row.points()),
                                     static_cast<std::size_t>(row.spectrum())),
                "clfftSetPlanDistance");
    check_clfft(clfftSetPlanBatchSize(plan_, static_cast<std::size_t>(fft_batch(place, row))),
                "clfftSetPlanBatchSize");
    check_clfft(clfftBakePlan(plan_, 1, &queue_, nullptr, nullptr), "clfftBakePlan");
  }
  ~clfft_plan() { clfftDestroyPlan(&plan_); }
  clfft_plan(const clfft_plan&) = delete;
  clfft_plan& operator=(const clfft_plan&) = delete;

  void enqueue(cl_mem in, cl_mem out) {
    check_clfft(clfftEnqueueTransform(plan_, CLFFT_FORWARD, 1, &queue_, 0, nullptr, nullptr, &in,
                                      &out, nullptr),
                "clfftEnqueueTransform");
  }

 private:
  cl_command_queue queue_;
  clfftPlanHandle plan_ = 0;
};

template <class T>
contestant clfft_contestant(const std::shared_ptr<const fft_arrays<T>>& on, const fft_row& row) {
  const auto plan = std::make_shared<clfft_plan>(on->place, row);
  return fft_on_opencl<T>("clFFT", role::peer, on, row,
                          [=](const fft_pair& at) { plan->enqueue(at.in(), at.out()); });
}

}  // namespace bench
