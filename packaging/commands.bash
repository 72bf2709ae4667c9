# ./dev package. A part of dev.

run_package() {
  local all=("${packages_build[@]}" "${packages_debian[@]}") at=build/package version deb
  if [[ ${1:-} == --test ]]; then
    tests/package/run --may || return 1
    need "${all[@]}" "${packages_debian_test[@]}"
    tests/package/run . build/package_test
    return
  fi
  need "${all[@]}"
  version=$(sed -n "s/^  version: '\(.*\)',\$/\1/p" meson.build)
  rm -rf "$at"
  echo "package:"
  step sources "$at/sources.log" debian_sources "$at/tact-$version" "$version" || return 1
  step build "$at/build.log" env -C "$at/tact-$version" \
    dpkg-buildpackage --build=binary --no-sign "--jobs=${JOBS:-auto}" || return 1
  step lintian "$at/lintian.log" lintian --fail-on error,warning --info "$at"/*.changes || return 1
  for deb in "$at"/*.deb; do echo "$deb"; done
}

# debian_sources FOLDER VERSION: the tracked files, as they are now, with a changelog; all dated by the last commit, so
# that the same sources make the same packages.
debian_sources() {
  local folder=$1 version=$2 seconds git=(git -c "safe.directory=$(pwd -P)")
  if ! "${git[@]}" rev-parse HEAD; then
    echo "The packages are made of the files that git tracks: ./dev package needs a clone of the project."
    return 1
  fi
  seconds=${SOURCE_DATE_EPOCH:-$("${git[@]}" log -1 --format=%ct)} || return
  mkdir -p "$folder" || return
  "${git[@]}" ls-files -z | tar --create --null --files-from=- --mtime="@$seconds" |
    tar --extract --directory="$folder" || return
  mv "$folder/packaging/debian" "$folder/debian" || return
  # 0tact1: a revision that is older than any of Debian's own.
  cat >"$folder/debian/changelog" <<TEXT
tact ($version-0tact1) bookworm; urgency=medium

  * What has changed is in the changelog of the project.

 -- $(sed -n 's/^Maintainer: //p' "$folder/debian/control")  $(LC_ALL=C date --utc --rfc-email --date="@$seconds")
TEXT
}
