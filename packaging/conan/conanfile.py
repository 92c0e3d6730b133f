"""Conan 2 recipe of the checkout that it lies in:  conan create packaging/conan"""

import os

from conan import ConanFile
from conan.tools.build import check_min_cppstd
from conan.tools.cmake import CMake, CMakeToolchain, cmake_layout
from conan.tools.files import copy


class Clprim(ConanFile):
    name = "clprim"
    version = "0.1.0"
    license = "MIT"
    description = "Header-only C++20 library of tuned OpenCL primitives"
    package_type = "header-library"
    settings = "os", "arch", "compiler", "build_type"

    def export_sources(self):
        root = os.path.join(self.recipe_folder, "..", "..")
        for pattern in ("CMakeLists.txt", "LICENSE", "cmake/*", "include/*", "src/*"):
            copy(self, pattern, root, self.export_sources_folder)

    def requirements(self):
        self.requires("opencl-headers/2023.12.14", transitive_headers=True)
        self.requires("opencl-clhpp-headers/2023.12.14", transitive_headers=True)
        self.requires("opencl-icd-loader/2023.12.14", transitive_libs=True)

    def validate(self):
        check_min_cppstd(self, 20)

    def package_id(self):
        self.info.clear()

    def layout(self):
        cmake_layout(self)

    def generate(self):
        toolchain = CMakeToolchain(self)
        toolchain.cache_variables["CLPRIM_BUILD_TESTS"] = False
        toolchain.cache_variables["CLPRIM_BUILD_EXAMPLES"] = False
        toolchain.generate()

    def package(self):
        copy(self, "LICENSE", self.source_folder, os.path.join(self.package_folder, "licenses"))
        copy(self, "*.hpp", os.path.join(self.source_folder, "include"),
             os.path.join(self.package_folder, "include"))

    def package_info(self):
        self.cpp_info.set_property("cmake_target_name", "clprim::clprim")
        self.cpp_info.bindirs = []
        self.cpp_info.libdirs = []
