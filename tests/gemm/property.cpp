// Any product, under any policy that can be built, however its operands lie.

#include <algorithm>
#include <complex>
#include <concepts>
#include <string>

#include <doctest/doctest.h>

#include <clprim/gemm.hpp>

#include "gemm/draw_problem.hpp"
#include "support/campaign.hpp"
#include "support/device.hpp"

using namespace clprim;
using namespace support;

namespace {

template <class T, class Out = product_output_t<T>> void any_product(int cases) {
  const std::string to =
      std::same_as<T, Out> ? "" : " to " + std::string(facts_of(scalar_of<Out>).name);
  run_campaign(std::string(facts_of(scalar_of<T>).name) + to, cases, [](draw& d) {
    const session& s = d.chance(20) ? out_of_order_session() : device_session();
    const gemm_policy policy = draw_fitting_policy<T>(d, facts_of(s.device));
    product p = draw_product(d, policy);
    if (std::integral<Out> && p.epilogue >= epilogue_kind::slope) p.epilogue = epilogue_kind::none;
    gemm_options options{.policy = policy, .epilogue = epilogue_of<Out>(p.epilogue)};
    const bool tuned = d.chance(8);
    if (tuned) options.policy.reset();
    const bool given = d.chance(30);
    draw_precision<T>(d, facts_of(s.device), options);
    const run_options how{.given_workspace = given, .precision = options.precision};
    const auto replay = [&] {
      return (options.policy ? "  " + to_string(*options.policy) : "  // the tuned policy") +
             "\n  // precision " + std::string(to_string(options.precision)) + "\n" +
             replay_text<T>(p);
    };
    try {
      gemm<T, tuned_policy, Out> multiply(s.queue, options);
      const std::string complaint = complaint_about<T, Out>(s, multiply, p, how);
      return complaint.empty() ? complaint : complaint + replay();
    } catch (const std::exception& e) {
      return std::string(e.what()) + "\n" + replay();
    }
  });
}

}  // namespace

CAMPAIGN("any product of float under any policy lies within the error bound") {
  any_product<float>(40);
}

CAMPAIGN("any product of double under any policy lies within the error bound") {
  any_product<double>(25);
}

CAMPAIGN("any product of half under any policy lies within the error bound") {
  any_product<half>(25);
}

CAMPAIGN("any product of bfloat16 under any policy lies within the error bound") {
  any_product<bfloat16>(25);
}

CAMPAIGN("any product of half to float under any policy lies within the error bound") {
  any_product<half, float>(25);
}

CAMPAIGN("any product of bfloat16 to float under any policy lies within the error bound") {
  any_product<bfloat16, float>(15);
}

CAMPAIGN("any product of int8 under any policy is exact") { any_product<std::int8_t>(20); }

CAMPAIGN("any product of int8 to float under any policy lies within the error bound") {
  any_product<std::int8_t, float>(10);
}

CAMPAIGN("any product of int8 to half under any policy lies within the error bound") {
  any_product<std::int8_t, half>(10);
}

CAMPAIGN("any product of float8 e4m3 under any policy lies within the error bound") {
  any_product<float8_e4m3>(15);
}

CAMPAIGN("any product of float8 e5m2 to half under any policy lies within the error bound") {
  any_product<float8_e5m2, half>(10);
}

CAMPAIGN("any product of float8 e5m2 to bfloat16 under any policy lies within the error bound") {
  any_product<float8_e5m2, bfloat16>(10);
}

CAMPAIGN("any product of complex float under any policy lies within the error bound") {
  any_product<std::complex<float>>(25);
}

CAMPAIGN("any product of complex double under any policy lies within the error bound") {
  any_product<std::complex<double>>(25);
}
