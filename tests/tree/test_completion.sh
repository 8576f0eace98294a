#!/usr/bin/env bash
# Completion in each shell that is installed: the shell itself is asked what it would offer.
# Usage: test_completion.sh PROGRAM
set -uo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
failed=0 passed=0
mkdir "$folder/bin" "$folder/home" "$folder/work"
ln -s "$(realpath "$1")" "$folder/bin/gravreel"
export PATH=$folder/bin:$PATH HOME=$folder/home XDG_CONFIG_HOME=$folder/home XDG_DATA_HOME=$folder/home
cd "$folder/work" && touch mine.yaml film.mp4

verdict() { # exit code, what
  if [ "$1" -eq 0 ]; then passed=$((passed + 1)); else failed=$((failed + 1)); echo "FAILED $2"; fi
}

in_bash() { # line: prints what readline is given
  bash --norc -c 'source "$1"; COMP_LINE=$2 COMP_POINT=${#2}; _gravreel gravreel; printf "%s\n" "${COMPREPLY[@]}"' \
    - "$root/completions/gravreel.bash" "$1"
}

in_zsh() { # the functions of zsh's own that take candidates print them
  zsh -f -c 'compdef() { }; compset() { }; _files() { print -l -- *(N) }
    _describe() { local list=${@[(r)open]:-${@[(r)candidates]}}; print -l -- "${(@)${(P@)list}%%:*}" }
    source "$1"; words=(${(s: :)2}); [[ $2 == *" " ]] && words+=(""); CURRENT=$#words; _gravreel' \
    - "$root/completions/_gravreel" "$1"
}

in_fish() {
  fish --no-config -c 'source $argv[1]; complete -C $argv[2]' "$root/completions/gravreel.fish" "$1" | cut -f 1
}

offers() { # shell, line, candidate
  local found
  found=$("in_$1" "$2" | tr '\n' ' ')
  case " $found" in *" $3 "*) verdict 0 ;; *) verdict 1 "$1: '$2' offers '$found', not '$3'" ;; esac
}

offers_not() {
  local found
  found=$("in_$1" "$2" | tr '\n' ' ')
  case " $found" in *" $3 "*) verdict 1 "$1: '$2' offers '$3'" ;; *) verdict 0 ;; esac
}

tried=0
for shell in bash zsh fish; do
  command -v "$shell" >/dev/null || { echo "skipped: $shell is not installed"; continue; }
  tried=$((tried + 1))
  offers $shell 'gravreel re' render
  offers_not $shell 'gravreel re' still
  offers $shell 'gravreel render --si' --size=
  offers $shell 'gravreel render --dry' --dry-run
  offers_not $shell 'gravreel render --si' --seed=
  offers $shell 'gravreel render --codec ' prores
  offers $shell 'gravreel render --set camera.or' camera.orbit=
  offers $shell 'gravreel render plu' plummer
  offers $shell 'gravreel render ' mine.yaml
  offers $shell 'gravreel render -o ' film.mp4
  offers $shell 'gravreel scenes --keys cam' camera
done
# Behind "=" bash replaces only the rest, the others the whole word.
offers bash 'gravreel render --codec=pro' prores
offers bash 'gravreel render --set look.color=vel' velocity
if command -v zsh >/dev/null; then offers zsh 'gravreel render --codec=pro' --codec=prores; fi
if command -v fish >/dev/null; then offers fish 'gravreel render --set look.color=vel' look.color=velocity; fi

echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ] && [ "$tried" -gt 0 ]
