# `cmake --install` and the package that find_package(clprim) reads.

include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

# Headers are installed as they lie: `cmake --install` and `cpack` build nothing first.
set(CMAKE_SKIP_INSTALL_ALL_DEPENDENCY ON)

set(package_dir "${CMAKE_INSTALL_DATADIR}/cmake/clprim")

install(DIRECTORY "${PROJECT_SOURCE_DIR}/include/" DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}"
        FILES_MATCHING PATTERN "*.hpp")
install(TARGETS clprim_core clprim EXPORT clprim_targets)
if(CLPRIM_INSTALL_COMPILED)
  install(TARGETS clprim_compiled EXPORT clprim_targets
          ARCHIVE DESTINATION "${CMAKE_INSTALL_LIBDIR}")
endif()
install(EXPORT clprim_targets FILE clprim-targets.cmake NAMESPACE clprim::
        DESTINATION "${package_dir}")
configure_package_config_file(
  "${CMAKE_CURRENT_LIST_DIR}/clprim-config.cmake.in" "${PROJECT_BINARY_DIR}/clprim-config.cmake"
  INSTALL_DESTINATION "${package_dir}")
set(any_architecture ARCH_INDEPENDENT)
if(CLPRIM_INSTALL_COMPILED)
  set(any_architecture "")
endif()
write_basic_package_version_file("${PROJECT_BINARY_DIR}/clprim-config-version.cmake"
                                 COMPATIBILITY SameMinorVersion ${any_architecture})
install(FILES "${PROJECT_BINARY_DIR}/clprim-config.cmake"
              "${PROJECT_BINARY_DIR}/clprim-config-version.cmake"
              "${CMAKE_CURRENT_LIST_DIR}/clprim_dependencies.cmake"
        DESTINATION "${package_dir}")

configure_file("${CMAKE_CURRENT_LIST_DIR}/clprim.pc.in" "${PROJECT_BINARY_DIR}/clprim.pc" @ONLY)
install(FILES "${PROJECT_BINARY_DIR}/clprim.pc" DESTINATION "${CMAKE_INSTALL_DATADIR}/pkgconfig")
if(CLPRIM_INSTALL_COMPILED)
  configure_file("${CMAKE_CURRENT_LIST_DIR}/clprim-compiled.pc.in"
                 "${PROJECT_BINARY_DIR}/clprim-compiled.pc" @ONLY)
  install(FILES "${PROJECT_BINARY_DIR}/clprim-compiled.pc"
          DESTINATION "${CMAKE_INSTALL_DATADIR}/pkgconfig")
endif()

# `cpack -G DEB` in the build folder makes libclprim-dev_<version>_all.deb, with the compiled library
# one for this architecture.
if(PROJECT_IS_TOP_LEVEL)
  install(FILES "${PROJECT_SOURCE_DIR}/LICENSE" RENAME copyright
          DESTINATION "${CMAKE_INSTALL_DATADIR}/doc/libclprim-dev")
  set(CPACK_PACKAGE_NAME libclprim-dev)
  set(CPACK_PACKAGE_VENDOR "the clprim authors")
  set(CPACK_PACKAGE_CONTACT "the clprim authors <clprim@example.org>")
  set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "${PROJECT_DESCRIPTION}")
  set(CPACK_GENERATOR DEB)
  set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
  # Headers for every architecture: the C interface, where it is built, is not among them.
  set(CPACK_INSTALL_CMAKE_PROJECTS "${PROJECT_BINARY_DIR};clprim;Unspecified;/")
  set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
  if(NOT CLPRIM_INSTALL_COMPILED)
    set(CPACK_DEBIAN_PACKAGE_ARCHITECTURE all)
  endif()
  set(CPACK_DEBIAN_PACKAGE_SECTION libdevel)
  set(CPACK_DEBIAN_PACKAGE_DEPENDS "ocl-icd-opencl-dev | opencl-dev, opencl-clhpp-headers")
  include(CPack)
endif()
