# cmake -Dcommand=<compiler and flags> -Dsource=<file.cpp> -P check_does_not_compile.cmake
# Passes when the file is refused and the compiler prints every sentence of a `// expect: …` line.

cmake_minimum_required(VERSION 3.22)
file(STRINGS "${source}" expectations REGEX "^// expect: .+")
if(NOT expectations)
  message(FATAL_ERROR "${source} has no line `// expect: <what the compiler must print>`")
endif()

execute_process(COMMAND ${command} -fsyntax-only -fdiagnostics-color=never "${source}"
                RESULT_VARIABLE status OUTPUT_VARIABLE output ERROR_VARIABLE output)
if(status EQUAL 0)
  message(FATAL_ERROR "${source}: it compiles, but must not")
endif()

# The file's own line is no proof.
string(REGEX REPLACE "[^\n]*// expect: [^\n]*" "" said "${output}")
foreach(line IN LISTS expectations)
  string(REPLACE "// expect: " "" sentence "${line}")
  string(FIND "${said}" "${sentence}" position)
  if(position EQUAL -1)
    message("${output}")
    message(FATAL_ERROR "${source}: the compiler refuses it but never says: ${sentence}")
  endif()
endforeach()
