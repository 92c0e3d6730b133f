# Included by ctest when it starts: one ctest test per doctest TEST_CASE of `executable`.
# Own code because doctest's doctest_discover_tests filters neither by suite nor lets one executable
# run under several launchers, and a filter that matches nothing counts there as a pass.

if(NOT EXISTS "${executable}")
  add_test("${prefix}: the executable was not built" "${executable}")
  return()
endif()

# Names need no locale; the C library leaks what LOCPATH lists.
set(locale "$ENV{CLPRIM_TEST_LOCALE}")
unset(ENV{CLPRIM_TEST_LOCALE})
execute_process(COMMAND "${executable}" --list-test-cases --no-colors=1 ${filter}
                OUTPUT_VARIABLE listing RESULT_VARIABLE status ERROR_VARIABLE complaint)
set(ENV{CLPRIM_TEST_LOCALE} "${locale}")
if(NOT status EQUAL 0)
  message(SEND_ERROR "${executable} --list-test-cases failed (${status}): ${listing}${complaint}")
endif()

set(timeout 600)
if(DEFINED ENV{CLPRIM_TEST_TIMEOUT})
  set(timeout $ENV{CLPRIM_TEST_TIMEOUT})
endif()
while(listing MATCHES "^([^\n]*)\n(.*)$")
  set(case "${CMAKE_MATCH_1}")
  set(listing "${CMAKE_MATCH_2}")
  if(case STREQUAL "" OR case MATCHES "^(\\[doctest\\] |=====)")
    continue()
  endif()
  string(REPLACE "\\" "\\\\" pattern "${case}")
  string(REPLACE "," "\\," pattern "${pattern}")
  add_test("${prefix}: ${case}" ${launcher} "${executable}" "--test-case=${pattern}" ${filter})
  set_tests_properties("${prefix}: ${case}" PROPERTIES
    WORKING_DIRECTORY "${folder}" LABELS "${labels}" ENVIRONMENT "${environment}" TIMEOUT ${timeout}
    FAIL_REGULAR_EXPRESSION "test cases: +0 \\|")
endwhile()
