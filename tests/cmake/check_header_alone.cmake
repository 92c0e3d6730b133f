# cmake -Dcommand=<compiler and flags> -Dinclude_dir=<dir> -Dheader=<clprim/…> -Dfloors=<a,b>
#       -Dopencl=ON|OFF -P check_header_alone.cmake
# Passes when the header compiles with nothing before it, includes only headers of clprim/<floors>
# (empty: of any), and, unless opencl is ON, reaches no OpenCL header.

cmake_minimum_required(VERSION 3.22)
string(REPLACE "," ";" floors "${floors}")
string(MAKE_C_IDENTIFIER "${header}" name)
set(source "${CMAKE_CURRENT_BINARY_DIR}/alone_${name}.cpp")
file(WRITE "${source}" "#include <${header}>\n")
execute_process(COMMAND ${command} "-I${include_dir}" -fsyntax-only -fdiagnostics-color=never -H
                        "${source}"
                RESULT_VARIABLE status OUTPUT_VARIABLE output ERROR_VARIABLE output)
file(REMOVE "${source}")
if(NOT status EQUAL 0)
  string(REGEX REPLACE "(^|\n)\\.+ [^\n]*" "" diagnostics "${output}")
  string(REGEX REPLACE "\nMultiple include guards may.*" "" diagnostics "${diagnostics}")
  message("${diagnostics}")
  message(FATAL_ERROR "<${header}> does not compile alone")
endif()

if(NOT opencl AND output MATCHES "\n\\.+ ([^\n]*/CL/[a-z_0-9]+\\.(h|hpp))")
  message(FATAL_ERROR "<${header}> must not reach an OpenCL header, but reaches ${CMAKE_MATCH_1}")
endif()

string(REPLACE "${include_dir}/clprim/" "@" output "\n${output}")
string(REGEX MATCHALL "\n\\.+ @[^\n]*" included "${output}")
if(NOT included)
  message(FATAL_ERROR "the compiler's list of included headers was not understood:\n${output}")
endif()
foreach(line IN LISTS included)
  string(REGEX REPLACE "\n\\.+ @" "" path "${line}")
  string(REGEX REPLACE "/.*" "" floor "${path}")
  if(floors AND NOT floor IN_LIST floors)
    message(FATAL_ERROR "<${header}> includes upwards: clprim/${path}")
  endif()
endforeach()
