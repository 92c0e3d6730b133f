#!/usr/bin/env bash
# The single header ./clprim.hpp in two translation units of one program, without run-time type
# information:  CXX=g++ single_header.sh
set -euxo pipefail
here=$(cd "$(dirname "$0")" && pwd)
mkdir -p single/clprim
cp clprim.hpp single/clprim/clprim.hpp
for source in main other; do
  "${CXX:-g++}" -std=c++20 -fno-rtti -Wall -Wextra -Isingle -c "$here/$source.cpp" -o "$source.o"
done
"${CXX:-g++}" main.o other.o -lOpenCL -o single_header
./single_header
