#pragma once
// Source to program, or binary to program, for one device.

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <clprim/core/source.hpp>
#include <clprim/core/words.hpp>
#include <clprim/runtime/device.hpp>
#include <clprim/runtime/device_info.hpp>
#include <clprim/runtime/hidden_instructions.hpp>
#include <clprim/runtime/opencl.hpp>
#include <clprim/runtime/program_store.hpp>

namespace clprim {

/// A program built for one device, and what its compiler said.
struct built_program {
  cl::Program program;
  std::string log;
  std::string source;  ///< a program made of a binary does not tell it
};

namespace detail {

inline std::string build_log(cl_program program, cl_device_id device) {
  return info_text(
      program, CL_PROGRAM_BUILD_LOG,
      [device](cl_program p, cl_uint what, std::size_t size, void* value, std::size_t* needed) {
        return clGetProgramBuildInfo(p, device, what, size, value, needed);
      });
}

inline cl::Program built_from_binary(cl_context context, cl_device_id device,
                                     const std::vector<unsigned char>& binary,
                                     const std::string& options) {
  const unsigned char* bytes = binary.data();
  const std::size_t size = binary.size();
  cl_int status = CL_SUCCESS;
  cl_int code = CL_SUCCESS;
  cl::Program program(clCreateProgramWithBinary(context, 1, &device, &size, &bytes, &status, &code),
                      false);
  if (code != CL_SUCCESS || status != CL_SUCCESS) return {};
  code = clBuildProgram(program(), 1, &device, options.c_str(), nullptr, nullptr);
  return code == CL_SUCCESS ? program : cl::Program{};
}

/// The binary of a program built for this device; empty when the driver gives none.
inline std::vector<unsigned char> binary_of(cl_program program, cl_device_id device) {
  cl_uint count = 0;
  if (clGetProgramInfo(program, CL_PROGRAM_NUM_DEVICES, sizeof count, &count, nullptr) !=
          CL_SUCCESS ||
      count == 0) {
    return {};
  }
  std::vector<cl_device_id> devices(count);
  std::vector<std::size_t> sizes(count);
  if (clGetProgramInfo(program, CL_PROGRAM_DEVICES, count * sizeof(cl_device_id), devices.data(),
                       nullptr) != CL_SUCCESS ||
      clGetProgramInfo(program, CL_PROGRAM_BINARY_SIZES, count * sizeof(std::size_t), sizes.data(),
                       nullptr) != CL_SUCCESS) {
    return {};
  }
  std::vector<unsigned char> binary;
  std::vector<unsigned char*> places(count, nullptr);  // null: this device's binary is not wanted
  for (std::size_t i = 0; i < count; ++i) {
    if (devices[i] != device) continue;
    binary.resize(sizes[i]);
    places[i] = binary.data();
  }
  const cl_int code = clGetProgramInfo(program, CL_PROGRAM_BINARIES, count * sizeof(unsigned char*),
                                       places.data(), nullptr);
  return code == CL_SUCCESS ? binary : std::vector<unsigned char>{};
}

/// The program with the instructions that its source hides, where it hides any; the log is then
/// that of the second build. Throws build_error when the driver's binary is not the PTX that was
/// to be expected, or when it refuses what was made of it.
inline cl::Program with_hidden_instructions(const cl::Program& program, cl_context context,
                                            cl_device_id device, const std::string& options,
                                            std::string& log) {
  const std::vector<unsigned char> binary = binary_of(program(), device);
  const std::string_view all(reinterpret_cast<const char*>(binary.data()), binary.size());
  if (all.find(hidden_mark) == std::string_view::npos) return program;
  const std::optional<std::string> ptx = with_hidden_instructions(all);
  if (!ptx) {
    throw build_error("the binary of a program, " + std::to_string(binary.size()) +
                          " bytes, is not the PTX for sm_90 that hidden instructions need",
                      log, {});
  }
  std::vector<unsigned char> finished(ptx->begin(), ptx->end());
  finished.push_back('\0');
  cl::Program made = built_from_binary(context, device, finished, options);
  if (made() == nullptr) {
    throw build_error("PTX of " + std::to_string(finished.size()) +
                          " bytes with instructions of sm_90a does not build",
                      log, {});
  }
  log = build_log(made(), device);
  return made;
}

inline std::shared_ptr<const built_program> build_now(const cl::Context& context,
                                                      const cl::Device& device,
                                                      const std::string& source,
                                                      const std::string& options,
                                                      program_store* store) {
  const cl_device_id id = device();
  const device_facts facts = facts_of(device);
  std::string all_options = options;
  const auto add = [&](const std::string& option) {
    all_options += (all_options.empty() ? "" : " ") + option;
  };
  // NVIDIA's compiler tells registers and spills only when asked, and others refuse the option.
  const bool nvidia = has_word(device_text(id, CL_DEVICE_EXTENSIONS), "cl_nv_compiler_options");
  if (nvidia) add("-cl-nv-verbose");
  if (warns_of_its_library(facts)) add("-w");
  program_key key;
  if (store != nullptr) {
    key = {source, all_options, facts.platform, facts.name, facts.driver};
    if (std::optional<stored_program> stored = store->load(key)) {
      cl::Program program = built_from_binary(context(), id, stored->binary, all_options);
      if (program() != nullptr) {
        return std::make_shared<const built_program>(
            built_program{std::move(program), std::move(stored->log), source});
      }
    }
  }
  const char* text = source.c_str();
  const std::size_t size = source.size();
  cl_int code = CL_SUCCESS;
  cl::Program program(clCreateProgramWithSource(context(), 1, &text, &size, &code), false);
  check(code, "clCreateProgramWithSource");
  code = clBuildProgram(program(), 1, &id, all_options.c_str(), nullptr, nullptr);
  std::string log = build_log(program(), id);
  if (code != CL_SUCCESS) {
    throw build_error("a program of " + std::to_string(size) + " bytes does not build for " +
                          info_text(id, CL_DEVICE_NAME, clGetDeviceInfo) + " with options '" +
                          all_options + "': clBuildProgram failed with " +
                          std::string(error_name(code)) + " (" + std::to_string(code) + ")",
                      log, numbered_excerpt(source, log));
  }
  if (nvidia && source.find(hidden_mark) != std::string::npos) {
    program = with_hidden_instructions(program, context(), id, all_options, log);
  }
  if (store != nullptr) {
    std::vector<unsigned char> binary = binary_of(program(), id);
    if (!binary.empty()) store->save(key, {std::move(binary), log});
  }
  return std::make_shared<const built_program>(
      built_program{std::move(program), std::move(log), source});
}

}  // namespace detail
}  // namespace clprim
