// What belongs to no primitive: failures, the version, a queue.

#include "interface.hpp"

#include <exception>
#include <new>

#include <clprim/core/error.hpp>
#include <clprim/runtime/device.hpp>

namespace clprim::c {
namespace {

thread_local std::string last_text;  // NOLINT(cppcoreguidelines-avoid-non-const-global-variables)
thread_local int last_code =
    CL_SUCCESS;  // NOLINT(cppcoreguidelines-avoid-non-const-global-variables)

clprim_status remember(clprim_status status, const char* text) noexcept {
  try {
    last_text = text;
  } catch (...) {
    last_text.clear();  // there is no room for the sentence; the code says enough
  }
  return status;
}

}  // namespace

clprim_status remember_failure() noexcept {
  try {
    throw;
  } catch (const argument_error& e) {
    return remember(CLPRIM_ARGUMENT_ERROR, e.what());
  } catch (const policy_error& e) {
    return remember(CLPRIM_POLICY_ERROR, e.what());
  } catch (const device_error& e) {
    return remember(CLPRIM_DEVICE_ERROR, e.what());
  } catch (const build_error& e) {
    return remember(CLPRIM_BUILD_ERROR, e.what());
  } catch (const opencl_error& e) {
    last_code = e.code;
    return remember(CLPRIM_OPENCL_ERROR, e.what());
  } catch (const std::bad_alloc&) {
    return remember(CLPRIM_OUT_OF_MEMORY, "the host has no memory left");
  } catch (const std::exception& e) {
    return remember(CLPRIM_OTHER_ERROR, e.what());
  } catch (...) {
    return remember(CLPRIM_OTHER_ERROR, "an exception of no known type");
  }
}

void refuse_null(const char* what) {
  throw argument_error(what, "must not be null", "a null pointer", "a valid one expected");
}
void refuse_number(const char* what, int given, const char* allowed) {
  throw argument_error(what, "must be one of clprim.h", std::to_string(given), allowed);
}

namespace {
std::vector<std::int64_t> six(const clprim_array& a, const std::int64_t (&numbers)[6],
                              const char* name) {
  if (a.axes < 1 || a.axes > 6) {
    throw argument_error("axes of " + std::string(name), "must be within what an array has",
                         std::to_string(a.axes), "1 to 6");
  }
  return {numbers, numbers + a.axes};
}
}  // namespace
std::vector<std::int64_t> extents_of(const clprim_array& a, const char* name) {
  return six(a, a.extents, name);
}
std::vector<std::int64_t> strides_of(const clprim_array& a, const char* name) {
  return six(a, a.strides, name);
}

std::vector<cl::Event> events_of(cl_uint count, const cl_event* events) {
  std::vector<cl::Event> list;
  if (count == 0) return list;
  needed(events, "the wait list");
  list.reserve(count);
  for (cl_uint i = 0; i < count; ++i) {
    needed(events[i], "an event of the wait list");
    list.emplace_back(events[i], true);
  }
  return list;
}

}  // namespace clprim::c

using namespace clprim::c;

const char* clprim_last_error(void) { return last_text.c_str(); }
int clprim_last_opencl_code(void) { return last_code; }
const char* clprim_version(void) { return CLPRIM_VERSION; }

const char* clprim_status_name(clprim_status status) {
  switch (status) {
    case CLPRIM_SUCCESS: return "CLPRIM_SUCCESS";
    case CLPRIM_ARGUMENT_ERROR: return "CLPRIM_ARGUMENT_ERROR";
    case CLPRIM_POLICY_ERROR: return "CLPRIM_POLICY_ERROR";
    case CLPRIM_DEVICE_ERROR: return "CLPRIM_DEVICE_ERROR";
    case CLPRIM_BUILD_ERROR: return "CLPRIM_BUILD_ERROR";
    case CLPRIM_OPENCL_ERROR: return "CLPRIM_OPENCL_ERROR";
    case CLPRIM_OUT_OF_MEMORY: return "CLPRIM_OUT_OF_MEMORY";
    case CLPRIM_OTHER_ERROR: return "CLPRIM_OTHER_ERROR";
    default: return "a status that clprim.h does not know";
  }
}

clprim_status clprim_open_queue(cl_command_queue* queue) {
  return guarded([&] {
    needed(queue, "the place for the queue");
    clprim::session opened = clprim::open_session();
    *queue = opened.queue();
    opened.queue() = nullptr;
  });
}
