#!/usr/bin/env bash
# The commands of README's section "Use it in your project", as they stand there, tried one route at a
# time in a folder of their own:  routes.sh ROUTE CHECKOUT FOLDER
set -euxo pipefail
route=$1 checkout=$2 folder=$3
mkdir -p "$folder"
cd "$folder"
export HOME=$folder CMAKE_BUILD_PARALLEL_LEVEL=1
export CMAKE_PREFIX_PATH=$HOME/.local PKG_CONFIG_PATH=$HOME/.local/share/pkgconfig
ln -sfn "$checkout" clprim
cp "$checkout"/tests/consumer/app/* .

install() {
  # [install]
  cmake -S clprim -B clprim-build
  cmake --install clprim-build --prefix ~/.local
  # [end]
}
says() { [ "$("$1")" = "19 22 43 50 " ]; }

case $route in
  cmake)
    install
    # [cmake]
    cmake -B build -DCMAKE_PREFIX_PATH=$HOME/.local
    cmake --build build
    # [end]
    says build/app
    ;;
  pkg-config)
    install
    # [pkg-config]
    g++ -std=c++20 -O2 first_program.cpp $(pkg-config --cflags --libs clprim) -o app
    # [end]
    says ./app
    ;;
  plain)
    # [plain]
    g++ -std=c++20 -O2 -Iclprim/include first_program.cpp -lOpenCL -o app
    # [end]
    says ./app
    ;;
  compiled)
    # Unoptimised, in a third of the time: here it is to build, to link and to be right.
    echo 'set(CMAKE_CXX_FLAGS_RELEASE -O0 CACHE STRING "")' >quickly.cmake
    export CMAKE_TOOLCHAIN_FILE=$PWD/quickly.cmake
    # [compiled]
    cmake -S clprim -B clprim-build -DCLPRIM_INSTALL_COMPILED=ON -DCMAKE_BUILD_TYPE=Release
    cmake --build clprim-build --target clprim_compiled
    cmake --install clprim-build --prefix ~/.local
    # [end]
    sed -i s/clprim::clprim/clprim::compiled/ CMakeLists.txt
    cmake -B build -DCMAKE_PREFIX_PATH=$HOME/.local
    cmake --build build
    says build/app
    # [compiled pkg-config]
    g++ -std=c++20 -O2 first_program.cpp $(pkg-config --cflags --libs clprim-compiled) -o app
    # [end]
    says ./app
    # Each door beside the library, in a program whose other half is header-only.
    for door in gemm transpose reduce convolve fft copy; do
      g++ -std=c++20 clprim/tests/consumer/doors/$door.cpp \
        $(pkg-config --cflags --libs clprim-compiled) -o $door
      ./$door
    done
    g++ -std=c++20 -Iclprim/include -c clprim/tests/consumer/main.cpp
    g++ -std=c++20 $(pkg-config --cflags clprim-compiled) -c clprim/tests/consumer/other.cpp
    g++ main.o other.o $(pkg-config --libs clprim-compiled) -o both
    ./both
    (cd clprim-build && cpack -G DEB)
    dpkg-deb --contents clprim-build/libclprim-dev_*.deb | grep libclprim.a
    ;;
  deb)
    # [deb]
    cmake -S clprim -B clprim-build
    (cd clprim-build && cpack -G DEB)
    # [end]
    dpkg-deb --info clprim-build/libclprim-dev_*_all.deb
    dpkg-deb --extract clprim-build/libclprim-dev_*_all.deb root
    g++ -std=c++20 -fsyntax-only -Iroot/usr/include first_program.cpp
    test -f root/usr/share/pkgconfig/clprim.pc
    ;;
  single)
    # [single]
    clprim/scripts/single_header > clprim.hpp
    # [end]
    "$checkout"/tests/consumer/single_header.sh
    ;;
  *) exit 2 ;;
esac
