#!/usr/bin/env bash
# Manual pages, made from the same tables as --help: a page for each command, without a complaint of man or mandoc,
# and nothing lost on the way. Usage: test_manuals.sh PROGRAM
set -uo pipefail
program=$1
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
failed=0 passed=0

verdict() { # exit code, what
  if [ "$1" -eq 0 ]; then passed=$((passed + 1)); else failed=$((failed + 1)); echo "FAILED $2"; fi
}

complaints() { # page
  # The pages have no date: they are the same whenever they are made.
  ! command -v mandoc >/dev/null || mandoc -Tlint -Wwarning "$1" | grep -v 'missing date'
  ! command -v groff >/dev/null || groff -man -Tutf8 -ww -z "$1" 2>&1
}

command -v mandoc >/dev/null || command -v groff >/dev/null || { echo "skipped: neither mandoc nor groff is installed"; exit 77; }
printf '.TH X 1\n.SH NAME\nx\n.SH OPTIONS\n.nosuch request\n\\fBnever ended\n.TP\n' >"$folder/bad.1"
[ -n "$(complaints "$folder/bad.1")" ]
verdict $? "a faulty page is found"

"$program" --help=man >"$folder/gravreel.1"
"$program" scenes --man >"$folder/gravreel-scene.5"
for command in $("$program" --help | sed -nE 's/^  ([a-z]+) .*/\1/p'); do
  page=$folder/gravreel-$command.1
  "$program" "$command" --help=man >"$page"
  for option in $("$program" "$command" --help | grep -oE '^  (-., |    )--[a-z-]+' | grep -oE -- '--[a-z-]+'); do
    grep -qF -- "${option//-/\\-}" "$page"
    verdict $? "gravreel-$command.1 has no $option"
  done
  grep -q "^\\\\fBgravreel\\\\-$command\\\\fR(1)" "$folder/gravreel.1"
  verdict $? "gravreel.1 does not name gravreel-$command"
done
for page in "$folder"/gravreel*; do
  found=$(complaints "$page")
  [ -z "$found" ]
  verdict $? "$(basename "$page"): $found"
done
[ "$passed" -gt 100 ]
verdict $? "pages and options found: $passed"

echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
