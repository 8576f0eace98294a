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
  lib/libgravreel.so.1 share/doc/gravreel/docs/examples/own_loop.c)
dev=(include/gravreel.h lib/libgravreel.so lib/pkgconfig/gravreel.pc lib/cmake/gravreel/gravreel-config.cmake lib/cmake/gravreel/gravreel-config-version.cmake)

DESTDIR=$folder/root cmake --install "$build" --prefix /usr --strip >"$folder/said" 2>&1
verdict $? "cmake --install: $(tail -n 3 "$folder/said")"
for file in "${files[@]}" "${dev[@]}"; do
  [ -s "$folder/root/usr/$file" ]
  verdict $? "cmake --install leaves out $file"
done
for command in $("$folder/root/usr/bin/gravreel" --help | sed -nE 's/^  ([a-z]+) .*/\1/p'); do
  grep -q "^gravreel.\-$command " "$folder/root/usr/share/man/man1/gravreel-$command.1"
  verdict $? "there is no page of gravreel $command"
done
[ "$("$folder/root/usr/bin/gravreel" scenes plummer)" = "$(cat "$folder/root/usr/share/gravreel/scenes/plummer.yaml")" ]
verdict $? "the installed program does not know its scenes"
found=$(cd "$folder/root/usr" && find . -type f \( -name CMakeLists.txt -o -name '*.c' -o -name '*.in' -o -name '*.h' \) ! -path './include/gravreel.h' ! -path './share/doc/gravreel/docs/examples/*' ! -path './share/doc/gravreel/cmd/library/gravreel.h')
[ -z "$found" ]
verdict $? "sources are installed: $found"

# Relative links of the installed pages, without their #section, lead to installed files.
found=$(cd "$folder/root/usr/share/doc/gravreel" && find . -name '*.md' | while read -r page; do
  grep -oE '\]\([^)#]+' "$page" | sed 's/^](//' | grep -vE '^[a-z]+:' | sort -u | while read -r link; do
    [ -e "$(dirname "$page")/$link" ] || echo "$page: $link"
  done
done)
[ -z "$found" ]
verdict $? "links lead nowhere: $found"

# A program of one's own, by pkg-config and by CMake, wherever the folder is.
mkdir "$folder/own" && cp "$root/docs/examples/own_loop.c" "$folder/own/"
cat >"$folder/own/CMakeLists.txt" <<'END'
cmake_minimum_required(VERSION 3.16)
project(own C)
find_package(gravreel 1 REQUIRED)
add_executable(own_loop own_loop.c)
target_link_libraries(own_loop gravreel::gravreel m)
END
(cd "$folder/own" && export PKG_CONFIG_PATH=$folder/root/usr/lib/pkgconfig && cc own_loop.c $(pkg-config --cflags --libs gravreel) -lm -o by_pkg_config &&
  cmake -S . -B build "-DCMAKE_PREFIX_PATH=$folder/root/usr" && cmake --build build) >"$folder/said" 2>&1
verdict $? "pkg-config and find_package: $(tail -n 5 "$folder/said")"
for own in by_pkg_config build/own_loop; do
  LD_LIBRARY_PATH=$folder/root/usr/lib GRAVREEL=/bin/false "$folder/own/$own" "$folder/none.mp4" >"$folder/said" 2>&1
  [ $? -eq 1 ] && grep -q 'no film: the program ended with code 1' "$folder/said"
  verdict $? "$own: $(cat "$folder/said")"
done

# Without $GRAVREEL, it is the program that is installed beside the library.
(cd "$folder" && env -u GRAVREEL PATH=/usr/bin:/bin LD_LIBRARY_PATH="$folder/root/usr/lib" "$folder/own/by_pkg_config" "$folder/none/of/it.hash") >"$folder/said" 2>&1
[ $? -ne 127 ] && ! grep -q 'cannot start' "$folder/said"
verdict $? "the program beside the library: $(cat "$folder/said")"

# The packages: nothing is built while tests run.
if command -v dpkg-deb >/dev/null && command -v dpkg-shlibdeps >/dev/null; then
  (cd "$folder" && cpack -G DEB --config "$build/CPackConfig.cmake" -B "$folder/package" -D CPACK_DEBIAN_COMPRESSION_TYPE=gzip) >"$folder/said" 2>&1
  verdict $? "cpack -G DEB: $(tail -n 3 "$folder/said")"
  for name in gravreel libgravreel-dev; do
    package=$(find "$folder/package" -maxdepth 1 -name "${name}_*.deb")
    [ -n "$package" ]
    verdict $? "there is no package $name"
    dpkg-deb -c "$package" | awk '{ print $6 }' >"$folder/list"
    [ $name = gravreel ] || files=("${dev[@]}")
    for file in "${files[@]}"; do
      grep -qx "./usr/$file" "$folder/list"
      verdict $? "the package $name leaves out $file"
    done
    found=$(grep -v '^\./usr/' "$folder/list" | grep -vx '\./')
    [ -z "$found" ]
    verdict $? "the package $name has files elsewhere: $found"
    dpkg-deb -f "$package" Depends >"$folder/$name"
  done
  for library in libavcodec libavformat libyaml-0-2 libcairo2 libpng16-16 libegl1; do
    grep -q "$library" "$folder/gravreel"
    verdict $? "the package does not ask for $library"
  done
  grep -qE '^gravreel \(= [0-9.]+\)$' "$folder/libgravreel-dev"
  verdict $? "libgravreel-dev asks for $(cat "$folder/libgravreel-dev")"
else
  echo "without the package: dpkg-deb and dpkg-shlibdeps are not installed"
fi

echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
