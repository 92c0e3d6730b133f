# Sourced by tests/implementations and tests/unit_compilers: a root of Debian testing, whose packages
# are newer than this system's.
# shellcheck shell=bash

testing_root=$PWD/build/implementations/testing

# make_testing_root PACKAGE… — makes it where it is not there, and installs what it lacks.
make_testing_root() {
  [ "$(id -u)" -eq 0 ] || { say "only root can make a root of Debian testing"; return 1; }
  if [ ! -e "$testing_root/complete" ]; then
    rm -rf "$testing_root"
    mkdir -p "$testing_root"
    # Two steps: debootstrap alone does not configure so many packages in an order that works.
    debootstrap --variant=minbase testing "$testing_root" &&
      printf '#!/bin/sh\nexit 101\n' >"$testing_root/usr/sbin/policy-rc.d" &&
      chmod +x "$testing_root/usr/sbin/policy-rc.d" && touch "$testing_root/complete" || return 1
  fi
  chroot "$testing_root" dpkg -s "$@" >/dev/null 2>&1 ||
    chroot "$testing_root" apt-get -q install -y --no-install-recommends "$@" </dev/null
}

# Runs a command there, in this folder, which lies at the same place.
in_testing_root() {
  mkdir -p "$testing_root$PWD"
  # shellcheck disable=SC2016
  unshare --mount bash -c 'mount --make-rprivate / && mount -t proc proc "$0/proc" &&
    mount --rbind /sys "$0/sys" && mount --rbind /dev "$0/dev" && mount --bind "$1" "$0$1" &&
    exec chroot "$0" env HOME=/tmp sh -c "cd \"\$0\" && exec \"\$@\"" "$@"' \
    "$testing_root" "$PWD" "$@"
}
