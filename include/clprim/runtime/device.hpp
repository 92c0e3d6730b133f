#pragma once
// Which devices there are, and which one is meant.

#include <clprim/core/language.hpp>

#include <string_view>
#include <vector>

#include <clprim/core/device_facts.hpp>
#include <clprim/runtime/opencl.hpp>

namespace clprim {

/// A device of this machine; `platform_index:device_index` names it in `choose_device`.
struct device_entry {
  int platform_index = 0;
  int device_index = 0;
  cl::Device device;
  device_facts facts;
};

/// What a device says of itself; a question of a later OpenCL or an extension that it does not know
/// leaves the default. Throws opencl_error where it does not answer: facts are whole or not there.
device_facts facts_of(const cl::Device& device);

/// All devices of all platforms, in the loader's order; empty when there is none. A platform that
/// does not tell its devices has none. Throws opencl_error where the loader fails or a device does
/// not tell its facts.
std::vector<device_entry> list_devices();

/// The best of the devices that fit the wish, which is a part of a platform's, vendor's or device's
/// name ("nvidia", "H200", "pocl"), a kind ("gpu", "cpu", "accelerator") or a pair of indices
/// ("0:1"), in any case of letters. An empty wish is read from the environment variable
/// CLPRIM_DEVICE; empty again means any device. Throws device_error listing what there is, and what
/// failed, when nothing fits, and opencl_error as `list_devices` does.
cl::Device choose_device(std::string_view wish = {});

/// A device with a context and a queue of its own.
struct session {
  cl::Device device;
  cl::Context context;
  cl::CommandQueue queue;
};

/// Opens the device that `choose_device` picks. Throws device_error or opencl_error.
session open_session(std::string_view wish = {},
                     cl_command_queue_properties properties = CL_QUEUE_PROFILING_ENABLE);

}  // namespace clprim

#ifndef CLPRIM_COMPILED
#include <clprim/runtime/find_device.hpp>
#endif
