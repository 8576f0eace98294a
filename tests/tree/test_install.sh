#!/usr/bin/env bash
# What `cmake --install` and the Debian package contain, and that the installed program runs. Installing and removing
# the package in a fresh system is scripts/test-package. Usage: test_install.sh BUILD_FOLDER
set -uo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
build=$1
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
failed=0 passed=0

verdict() { # exit code, what
  if [ "$1" -eq 0 ]; then passed=$((passed + 1)); else failed=$((failed + 1)); echo "FAILED $2"; fi
}

files=(bin/gravreel bin/gravreel-ci-check share/gravreel/scenes/plummer.yaml share/man/man1/gravreel.1 share/man/man1/gravreel-render.1
  share/man/man5/gravreel-scene.5 share/bash-completion/completions/gravreel share/zsh/site-functions/_gravreel
  share/fish/vendor_completions.d/gravreel.fish share/doc/gravreel/README.md share/doc/gravreel/LICENSE
  share/doc/gravreel/NOTICE share/doc/gravreel/CHANGELOG.md share/doc/gravreel/docs/scene.md
  include/gravreel.h lib/libgravreel.so.1 lib/pkgconfig/gravreel.pc share/doc/gravreel/docs/examples/own_loop.c)

DESTDIR=$folder/root cmake --install "$build" --prefix /usr --strip >"$folder/said" 2>&1
verdict $? "cmake --install: $(tail -n 3 "$folder/said")"
for file in "${files[@]}"; do
  [ -s "$folder/root/usr/$file" ]
  verdict $? "cmake --install leaves out $file"
done
for command in $("$folder/root/usr/bin/gravreel" --help | sed -nE 's/^  ([a-z]+) .*/\1/p'); do
  grep -q "^gravreel.\-$command " "$folder/root/usr/share/man/man1/gravreel-$command.1"
  verdict $? "there is no page of gravreel $command"
done
[ "$("$folder/root/usr/bin/gravreel" scenes plummer)" = "$(cat "$folder/root/usr/share/gravreel/scenes/plummer.yaml")" ]
verdict $? "the installed program does not know its scenes"
found=$(cd "$folder/root/usr" && find . -type f \( -name CMakeLists.txt -o -name '*.c' -o -name '*.in' -o -name '*.h' \) ! -path './include/gravreel.h' ! -path './share/doc/gravreel/docs/examples/*')
[ -z "$found" ]
verdict $? "sources are installed: $found"

# The package of what has just been installed: nothing is built while tests run.
if command -v dpkg-deb >/dev/null && command -v dpkg-shlibdeps >/dev/null; then
  (cd "$folder" && cpack -G DEB --config "$build/CPackConfig.cmake" -B "$folder/package" -D CPACK_INSTALL_CMAKE_PROJECTS= \
    -D "CPACK_INSTALLED_DIRECTORIES=$folder/root;." -D CPACK_DEBIAN_COMPRESSION_TYPE=gzip) >"$folder/said" 2>&1
  package=$(find "$folder/package" -maxdepth 1 -name 'gravreel_*.deb')
  [ -n "$package" ]
  verdict $? "cpack -G DEB: $(tail -n 3 "$folder/said")"
  dpkg-deb -c "$package" | awk '{ print $6 }' >"$folder/list"
  for file in "${files[@]}"; do
    grep -qx "./usr/$file" "$folder/list"
    verdict $? "the package leaves out $file"
  done
  found=$(grep -v '^\./usr/' "$folder/list" | grep -vx '\./')
  [ -z "$found" ]
  verdict $? "the package has files elsewhere: $found"
  for library in libavcodec libavformat libyaml-0-2 libcairo2 libpng16-16 libegl1; do
    dpkg-deb -f "$package" Depends | grep "$library" >/dev/null
    verdict $? "the package does not ask for $library"
  done
else
  echo "without the package: dpkg-deb and dpkg-shlibdeps are not installed"
fi

echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
