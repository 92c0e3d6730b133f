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

}  // namespace support
