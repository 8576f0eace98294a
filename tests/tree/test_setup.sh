#!/usr/bin/env bash
# scripts/setup installs what is missing of the native architecture, and nothing else. apt and dpkg are stand-ins.
set -uo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
failed=0 passed=0

verdict() { # exit code, what
  if [ "$1" -eq 0 ]; then passed=$((passed + 1)); else failed=$((failed + 1)); echo "FAILED $2"; fi
}

cat >"$folder/dpkg" <<<'echo amd64'
cat >"$folder/dpkg-query" <<'END'
for package in $(cat "$FOLDER/native"); do echo "installed amd64 $package"; done
echo 'installed all fonts-inter'
echo 'installed arm64 libyaml-dev'
echo 'installed arm64 zlib1g-dev'
echo 'config-files amd64 libpng-dev'
END
cat >"$folder/apt-get" <<<'echo "$@" >>"$FOLDER/asked"'
cat >"$folder/sudo" <<<'exec "$@"'
for command in dpkg dpkg-query apt-get sudo; do
  sed -i '1i #!/bin/sh' "$folder/$command" && chmod +x "$folder/$command"
done

setup() { # option; prints what apt-get was asked to install, a package per line
  rm -f "$folder/asked"
  FOLDER=$folder PATH=$folder:$PATH "$root/scripts/setup" "$@" >"$folder/said" 2>&1 || return
  grep '^install' "$folder/asked" 2>/dev/null | tr ' ' '\n' | grep -vE '^(install|-|Dpkg::)'
}

printf 'zlib1g-dev cmake' >"$folder/native"
asked=$(setup --run)
for package in libyaml-dev libpng-dev ninja-build; do
  grep -qx "$package" <<<"$asked"
  verdict $? "$package is missing and not installed: $(cat "$folder/said")"
done
for package in zlib1g-dev fonts-inter cmake fish mediainfo libcmocka-dev; do
  ! grep -qx "$package" <<<"$asked"
  verdict $? "$package is installed again, or by --run"
done
grep -q "^installing $(wc -l <<<"$asked") packages" "$folder/said"
verdict $? "the number of packages: $(cat "$folder/said")"

all=$(setup --test)
for package in fish mediainfo libcmocka-dev; do
  grep -qx "$package" <<<"$all"
  verdict $? "$package is missing and not installed by --test"
done
printf '%s\n' "$all" zlib1g-dev cmake libyaml-dev >"$folder/native"
[ -z "$(setup --test)" ] && grep -q '^packages: all [0-9]* are installed$' "$folder/said"
verdict $? "nothing is missing: $(cat "$folder/said")"
setup --everything >/dev/null
[ $? -eq 2 ] && grep -q "there is no option '--everything'" "$folder/said"
verdict $? "an option that is not there: $(cat "$folder/said")"

echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
