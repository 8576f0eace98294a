#!/usr/bin/env bash
# Commands that pages show are commands that the program takes: each subcommand and each of its options is in its
# help. A planted one that is not is found first. Usage: test_commands.sh PROGRAM
set -uo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
program=$1
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
failed=0 passed=0

verdict() { # exit code, what
  if [ "$1" -eq 0 ]; then passed=$((passed + 1)); else failed=$((failed + 1)); echo "FAILED $2"; fi
}

help_of() { # subcommand
  [ -s "$folder/$1.help" ] || "$program" "$1" --help >"$folder/$1.help" 2>/dev/null
  cat "$folder/$1.help"
}

# Prints what is wrong with one command line.
wrong() {
  local words word command
  read -ra words <<<"${1%%#*}"
  command=${words[1]}
  case $command in --help | --version) return ;; esac
  "$program" --help | grep "^  $command " >/dev/null || { echo "there is no command '$command'"; return; }
  for word in "${words[@]:2}"; do
    case $word in
      '|' | '&&' | '>' | ';') return ;;
      --*) help_of "$command" | grep -E -- "${word%%=*}([=[, ]|$)" >/dev/null || echo "$command has no ${word%%=*}" ;;
    esac
  done
}

[ "$(wrong 'gravreel render --shine=3 -o a.mp4')" = "render has no --shine" ]
verdict $? "an option that is not there is found"
[ "$(wrong 'gravreel polish a.mp4')" = "there is no command 'polish'" ]
verdict $? "a command that is not there is found"

tried=0
for page in "$root"/README.md "$root"/CONTRIBUTING.md "$root"/docs/*.md; do
  while IFS= read -r line; do
    found=$(wrong "$line")
    [ -z "$found" ]
    verdict $? "$(basename "$page"): $line: $found"
    tried=$((tried + 1))
  done < <(awk '/^```sh$/ { on = 1; next } /^```/ { on = 0 } on' "$page" | sed -nE 's/^ *(gravreel .*)$/\1/p')
done
[ "$tried" -gt 40 ]
verdict $? "commands found: $tried"

echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
