// A library to be preloaded (LD_PRELOAD): keeps every text that is built as OpenCL C in the folder
// CLPRIM_TEXTS, as <sum>.cl; the options that it is built with, as <sum>.options; and what the
// compiler said of it, as <sum>.log, where that is not nothing. Texts that do not build are left
// out, for tests build such ones on purpose.
#define CL_TARGET_OPENCL_VERSION 120
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <string>

#include <CL/cl.h>
#include <dlfcn.h>

namespace {

template <class Function> Function* loader_s(const char* name) {
  void* const found = dlsym(RTLD_NEXT, name);
  if (found == nullptr) std::abort();
  return reinterpret_cast<Function*>(found);
}

template <class Query> std::string text_of(Query query) {
  size_t size = 0;
  if (query(0, nullptr, &size) != CL_SUCCESS || size == 0) return {};
  std::string text(size, '\0');
  if (query(size, text.data(), nullptr) != CL_SUCCESS) return {};
  return text.substr(0, text.find('\0'));
}

void write(const std::string& path, const std::string& text) {
  if (std::FILE* const file = std::fopen(path.c_str(), "w")) {
    std::fwrite(text.data(), 1, text.size(), file);
    std::fclose(file);
  }
}

}  // namespace

extern "C" cl_int clBuildProgram(cl_program program, cl_uint count, const cl_device_id* devices,
                                 const char* options, void(CL_CALLBACK* notify)(cl_program, void*),
                                 void* user_data) {
  static auto* const real = loader_s<decltype(clBuildProgram)>("clBuildProgram");
  const cl_int code = real(program, count, devices, options, notify, user_data);
  const char* const folder = std::getenv("CLPRIM_TEXTS");
  if (folder == nullptr || code != CL_SUCCESS) return code;
  const std::string source = text_of([&](size_t room, char* value, size_t* needed) {
    return clGetProgramInfo(program, CL_PROGRAM_SOURCE, room, value, needed);
  });
  if (source.empty()) return code;  // it was made of a binary
  const std::string place =
      std::string(folder) + "/" + std::to_string(std::hash<std::string>()(source));
  write(place + ".cl", source);
  if (options != nullptr) write(place + ".options", options);
  const std::string log = text_of([&](size_t room, char* value, size_t* needed) {
    return clGetProgramBuildInfo(program, devices[0], CL_PROGRAM_BUILD_LOG, room, value, needed);
  });
  if (log.find_first_not_of(" \n") != std::string::npos) write(place + ".log", log);
  return code;
}
