// The text of a policy: read back as it was printed, else one sentence of argument_error; its rules
// are kept or broken by policy_error.

#include <string>
#include <string_view>

#include <clprim/convolve/channels_policy.hpp>
#include <clprim/convolve/policy.hpp>
#include <clprim/copy/policy.hpp>
#include <clprim/fft/policy.hpp>
#include <clprim/gemm/policy.hpp>
#include <clprim/reduce/policy.hpp>
#include <clprim/transpose/policy.hpp>

#include "fuzzing.hpp"

namespace {

template <clprim::policy P> void read(std::string_view text) {
  try {
    const P policy = clprim::parse_policy<P>(text);
    const std::string printed = to_string(policy);
    fuzzing::require(clprim::parse_policy<P>(printed) == policy, "what is printed reads back");
    fuzzing::require(clprim::hash_of(clprim::parse_policy<P>(printed)) == clprim::hash_of(policy),
                     "equal policies have equal hashes");
    clprim::require_rules(policy);
  } catch (const clprim::argument_error&) {
  } catch (const clprim::policy_error&) {
  }
}

template <clprim::policy P> void seed(const std::string& name) {
  fuzzing::write_seed(name, to_string(P{}));
}

template <class... Policies> struct all_policies {
  static void read_each(std::string_view text) { (read<Policies>(text), ...); }
  static void seed_each() {
    int number = 0;
    (seed<Policies>("default_" + std::to_string(number++)), ...);
  }
};
using all = all_policies<clprim::gemm_policy, clprim::transpose_policy, clprim::reduce_policy,
                         clprim::convolve_policy, clprim::channels_policy, clprim::fft_policy,
                         clprim::copy_policy>;

}  // namespace

extern "C" int LLVMFuzzerInitialize(int*, char***) {
  all::seed_each();
  return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t count) {
  all::read_each(fuzzing::text_of(bytes, count));
  return 0;
}
