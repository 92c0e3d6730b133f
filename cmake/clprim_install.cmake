# `cmake --install` and the package that find_package(clprim) reads.

include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

set(package_dir "${CMAKE_INSTALL_DATADIR}/cmake/clprim")

install(DIRECTORY "${PROJECT_SOURCE_DIR}/include/" DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}"
        FILES_MATCHING PATTERN "*.hpp")
install(TARGETS clprim_core clprim EXPORT clprim_targets)
install(EXPORT clprim_targets FILE clprim-targets.cmake NAMESPACE clprim::
        DESTINATION "${package_dir}")
configure_package_config_file(
  "${CMAKE_CURRENT_LIST_DIR}/clprim-config.cmake.in" "${PROJECT_BINARY_DIR}/clprim-config.cmake"
  INSTALL_DESTINATION "${package_dir}")
write_basic_package_version_file("${PROJECT_BINARY_DIR}/clprim-config-version.cmake"
                                 COMPATIBILITY SameMinorVersion ARCH_INDEPENDENT)
install(FILES "${PROJECT_BINARY_DIR}/clprim-config.cmake"
              "${PROJECT_BINARY_DIR}/clprim-config-version.cmake"
              "${CMAKE_CURRENT_LIST_DIR}/clprim_dependencies.cmake"
        DESTINATION "${package_dir}")
