# Checks made by calling the compiler, one ctest test each.

set(compile_command "${CMAKE_CXX_COMPILER}" -std=c++20 ${clprim_warning_flags}
                    "-I${PROJECT_SOURCE_DIR}/include")
foreach(dir IN LISTS OpenCL_INCLUDE_DIRS CLPRIM_CLHPP_INCLUDE_DIR)
  if(NOT dir IN_LIST CMAKE_CXX_IMPLICIT_INCLUDE_DIRECTORIES)
    list(APPEND compile_command "-isystem${dir}")
  endif()
endforeach()

function(add_compiler_check name script)
  add_test(NAME "${name}" COMMAND "${CMAKE_COMMAND}" "-Dcommand=${compile_command}" ${ARGN}
                                  -P "${CMAKE_CURRENT_SOURCE_DIR}/cmake/${script}.cmake")
  set_tests_properties("${name}" PROPERTIES LABELS build TIMEOUT 300)
endfunction()

file(GLOB_RECURSE sources CONFIGURE_DEPENDS RELATIVE "${CMAKE_CURRENT_SOURCE_DIR}"
     compile_fail/*.cpp)
foreach(source IN LISTS sources)
  add_compiler_check("does not compile: ${source}" check_does_not_compile
                     "-Dsource=${CMAKE_CURRENT_SOURCE_DIR}/${source}")
endforeach()

# Includes point down only, and what makes rules and source text needs no OpenCL.
function(add_header_check include_dir header)
  if(header MATCHES "^clprim/core/")
    set(floors core)
    set(opencl OFF)
  elseif(header MATCHES "^clprim/runtime/")
    set(floors core,runtime)
    set(opencl ON)
  else()
    set(floors "")
    string(REGEX MATCH "/(policy|kernel|tuned)\\.hpp$" textual "${header}")
    if(textual)
      set(opencl OFF)
    else()
      set(opencl ON)
    endif()
  endif()
  add_compiler_check("stands alone: ${header}" check_header_alone "-Dinclude_dir=${include_dir}"
                     "-Dheader=${header}" "-Dfloors=${floors}" "-Dopencl=${opencl}")
endfunction()

file(GLOB_RECURSE headers CONFIGURE_DEPENDS RELATIVE "${PROJECT_SOURCE_DIR}/include"
     "${PROJECT_SOURCE_DIR}/include/clprim/*.hpp")
foreach(header IN LISTS headers)
  add_header_check("${PROJECT_SOURCE_DIR}/include" "${header}")
endforeach()

# Beside the compiled library a door declares what it calls.
foreach(door clprim convolve copy fft gemm reduce transpose)
  add_compiler_check("declared: clprim/${door}.hpp" check_declared "-Dheader=clprim/${door}.hpp")
endforeach()

# The checks themselves must refuse what they are for.
set(harness "${CMAKE_CURRENT_SOURCE_DIR}/harness")
function(expect_refusal name sentence)
  set_tests_properties("${name}" PROPERTIES PASS_REGULAR_EXPRESSION "${sentence}")
endfunction()

add_compiler_check("harness: code that compiles is refused" check_does_not_compile
                   "-Dsource=${harness}/compiles.cpp")
expect_refusal("harness: code that compiles is refused" "it compiles, but must not")
add_compiler_check("harness: a wrong reason is refused" check_does_not_compile
                   "-Dsource=${harness}/fails_for_another_reason.cpp")
expect_refusal("harness: a wrong reason is refused" "never says: a sentence no compiler prints")
add_compiler_check("harness: a door that reads an engine's work is refused" check_declared
                   "-Dheader=clprim/fft/operation.hpp")
expect_refusal("harness: a door that reads an engine's work is refused" "reads the work of an engine")
add_header_check("${harness}/include" clprim/core/includes_opencl.hpp)
expect_refusal("stands alone: clprim/core/includes_opencl.hpp" "must not reach an OpenCL header")
add_header_check("${harness}/include" clprim/runtime/includes_upwards.hpp)
expect_refusal("stands alone: clprim/runtime/includes_upwards.hpp" "includes upwards: clprim/above")
