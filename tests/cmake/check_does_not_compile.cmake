# cmake -Dcommand=<compiler and flags> -Dsource=<file.cpp> -P check_does_not_compile.cmake
# Passes when the file is refused and the compiler prints every sentence of a `// expect: …` line. A
# line `// flags: …` adds options, `// lines: n` bounds how much the compiler may say.

cmake_minimum_required(VERSION 3.22)
file(STRINGS "${source}" expectations REGEX "^// expect: .+")
if(NOT expectations)
  message(FATAL_ERROR "${source} has no line `// expect: <what the compiler must print>`")
endif()

file(STRINGS "${source}" flags REGEX "^// flags: .+")
string(REPLACE "// flags: " "" flags "${flags}")
execute_process(COMMAND ${command} ${flags} -fsyntax-only -fdiagnostics-color=never "${source}"
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

file(STRINGS "${source}" most REGEX "^// lines: .+")
if(most)
  string(REPLACE "// lines: " "" most "${most}")
  string(REGEX MATCHALL "\n" ends "${output}")
  list(LENGTH ends lines)
  if(lines GREATER most)
    message("${output}")
    message(FATAL_ERROR "${source}: the compiler says ${lines} lines, at most ${most} are wanted")
  endif()
endif()
