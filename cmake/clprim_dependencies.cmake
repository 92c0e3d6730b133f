# Finds what clprim::clprim needs, the same way for the build and for an installed package:
# OpenCL::OpenCL (C headers and ICD loader) and OpenCL::HeadersCpp (CL/opencl.hpp).

include(CMakeFindDependencyMacro)
find_dependency(OpenCL)

if(NOT TARGET OpenCL::HeadersCpp)
  # Not the packaged OpenCLHeadersCpp: its target needs another package's to be loaded before it.
  find_path(CLPRIM_CLHPP_INCLUDE_DIR CL/opencl.hpp HINTS ${OpenCL_INCLUDE_DIRS})
  mark_as_advanced(CLPRIM_CLHPP_INCLUDE_DIR)
  if(NOT CLPRIM_CLHPP_INCLUDE_DIR)
    message(FATAL_ERROR "clprim needs CL/opencl.hpp: on Debian or Ubuntu install "
                        "opencl-clhpp-headers, elsewhere set CLPRIM_CLHPP_INCLUDE_DIR to the folder "
                        "that holds CL/")
  endif()
  add_library(OpenCL::HeadersCpp INTERFACE IMPORTED)
  set_target_properties(OpenCL::HeadersCpp PROPERTIES INTERFACE_INCLUDE_DIRECTORIES
                                                      "${CLPRIM_CLHPP_INCLUDE_DIR}")
endif()
