#pragma once
// What a wrong call is answered with.

#include <string>

#include <clprim/core/error.hpp>

namespace support {

/// The sentence of the clprim::error that `call` throws, or "accepted".
template <class Call> std::string refused(Call call) {
  try {
    call();
  } catch (const clprim::error& e) {
    return e.what();
  }
  return "accepted";
}

/// Whether a call under a drawn policy ran: not where its tiles are more than the device's local
/// memory holds, of which the error tells.
template <class Call> bool ran_here(Call call) {
  try {
    call();
  } catch (const clprim::policy_error& e) {
    const std::string what = e.what();
    if (what.find("must fit the local memory of the device") == std::string::npos) throw;
    return false;
  }
  return true;
}

}  // namespace support
