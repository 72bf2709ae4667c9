# The Debian packages that the commands of ./dev need, and how they are installed. A part of dev.

packages_build=(g++ meson ninja-build pkg-config python3 libboost-context-dev libhwloc-dev)
packages_windows=(libfltk1.3-dev libpng-dev libxtst-dev xvfb)
packages_test=(catch2 librapidcheck-dev liblmdb-dev cmake valgrind gdb "${packages_windows[@]}")
packages_web=(chromium nodejs npm)
packages_demo=(libsndfile1-dev libebur128-dev)
packages_examples=(libasio-dev libgtest-dev zlib1g-dev)
packages_bench=(libbenchmark-dev)
packages_peers=(libcaf-dev)
packages_consumer=(clang-16 libc++-16-dev libc++abi-16-dev)
packages_clang=(clang-16 libclang-rt-16-dev llvm-16)  # the last one for names in the reports of sanitizers
packages_fmt=(clang-format-16)
packages_docs=(python3 doxygen)
packages_debian=(build-essential debhelper dpkg-dev git liblmdb-dev lintian valgrind)
packages_debian_test=(cmake gdb libudev-dev)  # the last one is what libtact-dev depends on beside packages_build

has_package() { [[ $(dpkg-query --show --showformat='${db:Status-Status}' "$1" 2>/dev/null) == installed ]]; }

is_debian_12() { [[ -r /etc/os-release ]] && (. /etc/os-release && [[ ${ID:-} == debian && ${VERSION_ID:-} == 12 ]]); }

# What parses the options of a command.
need_python() { command -v python3 >/dev/null || need python3; }

# need PACKAGE...: installs those that are missing.
need() {
  if ! is_debian_12; then
    [[ ${TACT_PACKAGES:-} == present ]] && return
    echo "This is not Debian 12. Install what these Debian packages hold, then set TACT_PACKAGES=present:"
    echo "  $*"
    exit 1
  fi
  local missing=() package as_root=()
  for package in "$@"; do has_package "$package" || missing+=("$package"); done
  ((${#missing[@]})) || return 0
  if ((EUID != 0)); then
    command -v sudo >/dev/null || { echo "Missing packages; as root: apt-get install ${missing[*]}"; exit 1; }
    as_root=(sudo)
  fi
  echo "installing with apt-get${as_root:+ by sudo}: ${missing[*]}"
  mkdir -p build
  step packages build/packages.log "${as_root[@]}" sh -c \
    'apt-get update && DEBIAN_FRONTEND=noninteractive apt-get install --yes --no-install-recommends "$@"' - "${missing[@]}"
}
