# cmake -Dcommand=<compiler and flags> -Dheader=<clprim/…> -P check_declared.cmake
# Passes when the door compiles beside the compiled library, and reads nothing of what that does:
# no engine's work, no kernel, no program. Reading them is most of what a door costs a compiler.

cmake_minimum_required(VERSION 3.22)
string(MAKE_C_IDENTIFIER "${header}" name)
set(source "${CMAKE_CURRENT_BINARY_DIR}/declared_${name}.cpp")
file(WRITE "${source}" "#include <${header}>\n")
execute_process(COMMAND ${command} -DCLPRIM_COMPILED -fsyntax-only -fdiagnostics-color=never -H
                        "${source}"
                RESULT_VARIABLE status OUTPUT_VARIABLE output ERROR_VARIABLE output)
file(REMOVE "${source}")
if(NOT status EQUAL 0)
  message(FATAL_ERROR "<${header}> does not compile with CLPRIM_COMPILED:\n${output}")
endif()
if(output MATCHES "\n\\.+ ([^\n]*/clprim/[a-z_/]*(operation|kernel|program|source)\\.hpp)")
  message(FATAL_ERROR "<${header}> reads the work of an engine with CLPRIM_COMPILED: "
                      "${CMAKE_MATCH_1}")
endif()
