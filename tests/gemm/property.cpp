// Any product, under any policy that can be built, however its operands lie.

#include <algorithm>
#include <complex>
#include <string>

#include <doctest/doctest.h>

#include <clprim/gemm.hpp>

#include "gemm/draw_problem.hpp"
#include "support/campaign.hpp"
#include "support/device.hpp"

using namespace clprim;
using namespace support;

namespace {

template <class T> void any_product(int cases) {
  run_campaign(std::string(facts_of(scalar_of<T>).name), cases, [](draw& d) {
    const session& s = d.chance(20) ? out_of_order_session() : device_session();
    const device_facts facts = facts_of(s.device);
    const auto drawn = [&] { return draw_policy_for(d, scalar_of<T>, facts); };
    gemm_policy policy = drawn();
    const auto fits = [&](const gemm_policy& p) {
      return p.group_size() <= facts.max_work_group &&
             geometry_of(p, {.type = scalar_of<T>}).local_bytes * 2 <= facts.local_bytes;
    };
    while (!fits(policy)) policy = drawn();
    if (facts_of(scalar_of<T>).is_complex) {  // 16 reals are OpenCL's widest vector
      policy.vector_m = std::min(policy.vector_m, 8);
      policy.vector_n = std::min(policy.vector_n, 8);
    }
    const product p = draw_product(d, policy);
    gemm_options options{.policy = policy, .epilogue = epilogue_of<T>(p.epilogue)};
    const bool tuned = d.chance(8);
    if (tuned) options.policy.reset();
    const run_options how{.given_workspace = d.chance(30)};
    const auto replay = [&] {
      return (tuned ? std::string("  // the tuned policy") : "  " + to_string(policy)) + "\n" +
             replay_text<T>(p);
    };
    try {
      gemm<T> multiply(s.queue, options);
      const std::string complaint = complaint_about<T>(s, multiply, p, how);
      return complaint.empty() ? complaint : complaint + replay();
    } catch (const std::exception& e) {
      return std::string(e.what()) + "\n" + replay();
    }
  });
}

}  // namespace

TEST_CASE("any product of float under any policy lies within the error bound") {
  any_product<float>(40);
}

TEST_CASE("any product of double under any policy lies within the error bound") {
  any_product<double>(25);
}

TEST_CASE("any product of half under any policy lies within the error bound") {
  any_product<half>(25);
}

TEST_CASE("any product of complex float under any policy lies within the error bound") {
  any_product<std::complex<float>>(25);
}

TEST_CASE("any product of complex double under any policy lies within the error bound") {
  any_product<std::complex<double>>(25);
}
