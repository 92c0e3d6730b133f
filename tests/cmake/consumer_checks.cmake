# Projects outside this one that use clprim: installed and by find_package, or as a source folder.

set(consumer_dir "${CMAKE_CURRENT_BINARY_DIR}/consumer")
add_test(NAME "consumer: install"
         COMMAND "${CMAKE_COMMAND}" --install "${PROJECT_BINARY_DIR}"
                                    --prefix "${consumer_dir}/prefix")
add_test(NAME "consumer: no earlier installation"
         COMMAND "${CMAKE_COMMAND}" -E rm -rf "${consumer_dir}")
set_tests_properties("consumer: no earlier installation" PROPERTIES
  FIXTURES_SETUP clprim_clean LABELS build)
set_tests_properties("consumer: install" PROPERTIES
  FIXTURES_REQUIRED clprim_clean FIXTURES_SETUP clprim_installed LABELS build)

foreach(way find_package add_subdirectory FetchContent)
  add_test(
    NAME "consumer: ${way}"
    COMMAND "${CMAKE_CTEST_COMMAND}"
            --build-and-test "${CMAKE_CURRENT_SOURCE_DIR}/consumer" "${consumer_dir}/${way}"
            --build-generator "${CMAKE_GENERATOR}" --build-makeprogram "${CMAKE_MAKE_PROGRAM}"
            --build-options "-DCMAKE_CXX_COMPILER=${CMAKE_CXX_COMPILER}"
                            "-DCMAKE_CXX_COMPILER_LAUNCHER=${CMAKE_CXX_COMPILER_LAUNCHER}"
                            "-DCONSUME_BY=${way}" "-DCMAKE_PREFIX_PATH=${consumer_dir}/prefix"
                            "-DCLPRIM_SOURCE_DIR=${PROJECT_SOURCE_DIR}"
            --test-command "${CMAKE_CTEST_COMMAND}" --output-on-failure)
  set_tests_properties("consumer: ${way}" PROPERTIES
    FIXTURES_REQUIRED clprim_installed LABELS build TIMEOUT 600)
endforeach()

# A plain configure, where neither doctest nor CLI11 is found, needs nothing but OpenCL.
add_test(NAME "consumer: plain configure"
         COMMAND "${CMAKE_CTEST_COMMAND}"
                 --build-and-test "${PROJECT_SOURCE_DIR}" "${consumer_dir}/plain"
                 --build-generator "${CMAKE_GENERATOR}" --build-makeprogram "${CMAKE_MAKE_PROGRAM}"
                 --build-options "-DCMAKE_CXX_COMPILER=${CMAKE_CXX_COMPILER}"
                                 -DCMAKE_DISABLE_FIND_PACKAGE_doctest=ON
                                 -DCMAKE_DISABLE_FIND_PACKAGE_CLI11=ON)
set_tests_properties("consumer: plain configure" PROPERTIES
  FIXTURES_REQUIRED clprim_installed LABELS build TIMEOUT 600
  PASS_REGULAR_EXPRESSION "no tests, for doctest.*no examples, for CLI11")

# The commands of README and docs/install.md, as they stand there.
find_program(CLPRIM_PKG_CONFIG pkg-config)
find_program(CLPRIM_DPKG_DEB dpkg-deb)
find_program(CLPRIM_PYTHON python3)
mark_as_advanced(CLPRIM_PKG_CONFIG CLPRIM_DPKG_DEB CLPRIM_PYTHON)
set(routes cmake plain)
if(CLPRIM_PKG_CONFIG)
  list(APPEND routes pkg-config)
endif()
if(CLPRIM_DPKG_DEB)
  list(APPEND routes deb)
endif()
if(CLPRIM_PKG_CONFIG AND CLPRIM_DPKG_DEB)
  list(APPEND routes compiled)
endif()
if(CLPRIM_PYTHON)
  list(APPEND routes single)
endif()
foreach(route IN LISTS routes)
  add_test(NAME "consumer: route ${route}"
           COMMAND "${CMAKE_CURRENT_SOURCE_DIR}/consumer/routes.sh" ${route} "${PROJECT_SOURCE_DIR}"
                   "${consumer_dir}/routes_${route}")
  set_tests_properties("consumer: route ${route}" PROPERTIES
    FIXTURES_REQUIRED clprim_clean LABELS build TIMEOUT 1200
    ENVIRONMENT "CMAKE_GENERATOR=${CMAKE_GENERATOR};CMAKE_CXX_COMPILER_LAUNCHER=${CMAKE_CXX_COMPILER_LAUNCHER}")
endforeach()

# The pages show what is tested, within 100 columns, and their links lead somewhere.
if(CLPRIM_PYTHON)
  add_test(NAME "docs: pages are as their sources"
           COMMAND "${CLPRIM_PYTHON}" "${PROJECT_SOURCE_DIR}/scripts/pages")
  set_tests_properties("docs: pages are as their sources" PROPERTIES LABELS build)
endif()

# The reference of the site: Doxygen has no warning, and every public name a comment.
find_program(CLPRIM_DOXYGEN doxygen)
mark_as_advanced(CLPRIM_DOXYGEN)
if(CLPRIM_PYTHON AND CLPRIM_DOXYGEN)
  add_test(NAME "docs: every public name has a comment"
           COMMAND "${CLPRIM_PYTHON}" "${PROJECT_SOURCE_DIR}/site/build" --check)
  set_tests_properties("docs: every public name has a comment" PROPERTIES LABELS build)
endif()
