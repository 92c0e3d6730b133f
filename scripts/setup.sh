# Sourced by tests/run, examples/run, bench/run and .ci/run: says what is done, installs what is missing.
# shellcheck shell=bash

set -euo pipefail
export CMAKE_BUILD_PARALLEL_LEVEL="${CMAKE_BUILD_PARALLEL_LEVEL:-$(nproc)}"
export CTEST_PARALLEL_LEVEL="${CTEST_PARALLEL_LEVEL:-$(nproc)}"

say() { printf '\n== clprim: %s\n' "$*"; }

fail() {
  printf '\n== clprim: FAILED: %s\n' "$1" >&2
  [ $# -lt 2 ] || printf '   %s\n' "${@:2}" >&2
  exit 1
}

missing_packages=()
wanted_packages=()

# absent PACKAGE[:COMMAND]… — prints each Debian package that is not there. Where a command is
# named, any program of that name will do, wherever it came from.
absent() {
  local item package command status
  for item in "$@"; do
    package=${item%%:*}
    command=${item#"$package"}
    if [ -n "$command" ] && command -v "${command#:}" >/dev/null 2>&1; then continue; fi
    status=$(dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null) || status=unknown
    [ "$status" = installed ] || echo "$package"
  done
}

# need REASON PACKAGE[:COMMAND]… — notes the packages that are missing, for install_needed.
need() {
  local missing
  mapfile -t missing < <(absent "${@:2}")
  [ ${#missing[@]} -gt 0 ] || return 0
  say "missing, $1: ${missing[*]}"
  missing_packages+=("${missing[@]}")
}

# want REASON PACKAGE[:COMMAND]… — as need, for what may stay missing.
want() {
  local missing
  mapfile -t missing < <(absent "${@:2}")
  [ ${#missing[@]} -gt 0 ] || return 0
  say "missing, $1 (not needed): ${missing[*]}"
  wanted_packages+=("${missing[@]}")
}

# Installs what need() and want() noted, asking nothing. Fails only for what is needed.
install_needed() {
  local packages=("${missing_packages[@]}") wanted=("${wanted_packages[@]}") as_root=() package
  missing_packages=()
  wanted_packages=()
  [ $((${#packages[@]} + ${#wanted[@]})) -gt 0 ] || return 0
  if ! command -v apt-get >/dev/null 2>&1; then
    say "no apt-get here to install them: going on, in case they are there under other names"
    return 0
  fi
  if [ "$(id -u)" -ne 0 ]; then
    if command -v sudo >/dev/null 2>&1; then
      as_root=(sudo)
    elif [ ${#packages[@]} -gt 0 ]; then
      fail "Debian packages are missing, and this is neither root nor is there sudo." \
        "As root, run: apt-get update && apt-get install --no-install-recommends ${packages[*]}"
    else
      say "neither root nor sudo: going on without them"
      return 0
    fi
  fi
  local apt=("${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -q
    -o DPkg::Lock::Timeout=600 -o Acquire::Retries=3 -o Dpkg::Use-Pty=0)
  say "installing with apt-get: ${packages[*]} ${wanted[*]}"
  if ! "${apt[@]}" update </dev/null; then
    [ ${#packages[@]} -eq 0 ] || fail "apt-get update failed." \
      "Check the network and the files of /etc/apt, then run this again."
    say "apt-get update failed: going on without ${wanted[*]}"
    return 0
  fi
  if [ ${#packages[@]} -gt 0 ]; then
    "${apt[@]}" install -y --no-install-recommends "${packages[@]}" </dev/null ||
      fail "apt-get could not install: ${packages[*]}" \
        "Its message stands above. On Ubuntu, the component 'universe' must be enabled."
  fi
  for package in "${wanted[@]}"; do
    "${apt[@]}" install -y --no-install-recommends "$package" </dev/null ||
      say "apt-get could not install $package: going on without it"
  done
}

need_build_tools() {
  need "to build C++20" g++:g++ cmake:cmake ninja-build:ninja
  need "the OpenCL headers and loader" opencl-clhpp-headers ocl-icd-opencl-dev
}

# In a container NVIDIA's OpenCL library is often mounted without the file that registers it with
# the ICD loader: registers it for what this script runs.
register_nvidia() {
  local vendors=/etc/OpenCL/vendors ours=$PWD/build/opencl-vendors
  [ -z "${OCL_ICD_VENDORS:-}" ] || return 0
  [[ $(PATH=$PATH:/sbin ldconfig -p) == *libnvidia-opencl.so.1* ]] || return 0
  ! grep -qs nvidia "$vendors"/*.icd || return 0
  say "NVIDIA's OpenCL library is here but not in $vendors: using it for this run"
  mkdir -p "$ours"
  cp "$vendors"/*.icd "$ours" 2>/dev/null || true
  echo libnvidia-opencl.so.1 >"$ours/nvidia.icd"
  export OCL_ICD_VENDORS=$ours
}

# build PRESET [TARGET] — configures and builds into build/PRESET.
build() {
  say "configuring build/$1"
  cmake --preset "$1" ||
    fail "CMake could not configure the preset '$1'; its message stands above." \
      "If build/$1 is from another machine or compiler, remove it and run this again."
  say "building build/$1 with $CMAKE_BUILD_PARALLEL_LEVEL jobs"
  cmake --build "build/$1" ${2:+--target "$2"} ||
    fail "the build of '$1' failed; the compiler's message stands above." \
      "If the compiler was killed for lack of memory: CMAKE_BUILD_PARALLEL_LEVEL=1 $0"
}
