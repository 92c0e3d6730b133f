"""Builds the C interface and puts it into the package.

CLPRIM_LIBRARY names a library that is already built; without it CMake builds one here.
"""

import os
import re
import shutil
import subprocess
from pathlib import Path

from setuptools import Distribution, setup
from setuptools.command.build_py import build_py
from wheel.bdist_wheel import bdist_wheel

ROOT = Path(__file__).resolve().parent.parent.parent
PROJECT = (ROOT / "CMakeLists.txt").read_text()
VERSION = re.search(r"project\(clprim VERSION (\S+)", PROJECT).group(1)


def library():
    """The shared library, built where there is none."""
    given = os.environ.get("CLPRIM_LIBRARY")
    if given:
        return Path(given)
    build = ROOT / "build" / "wheel"
    subprocess.check_call(
        ["cmake", "-S", ROOT, "-B", build, "-DCMAKE_BUILD_TYPE=Release", "-DCLPRIM_BUILD_C=ON",
         "-DCLPRIM_BUILD_TESTS=OFF", "-DCLPRIM_BUILD_EXAMPLES=OFF"])
    subprocess.check_call(["cmake", "--build", build, "--target", "clprim_c", "--parallel"])
    return build / "bindings" / "c" / "libclprim.so"


class WithLibrary(build_py):
    """The modules, and the library beside them."""

    def run(self):
        super().run()
        shutil.copyfile(library(), Path(self.build_lib) / "clprim" / "libclprim.so")


class ForThisPlatform(bdist_wheel):
    """Any Python 3, for it is called by ctypes; this machine's kind, for the library is."""

    def finalize_options(self):
        super().finalize_options()
        self.root_is_pure = False

    def get_tag(self):
        return "py3", "none", super().get_tag()[2]


class WithBinary(Distribution):
    """Installed where files of one platform go."""

    def has_ext_modules(self):
        return True


setup(version=VERSION, distclass=WithBinary,
      cmdclass={"build_py": WithLibrary, "bdist_wheel": ForThisPlatform})
