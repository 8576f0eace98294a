#!/usr/bin/env bash
# Pins the sentences that a person meets first: runs the commands of messages.txt and compares messages and exit codes.
# Other tests assert words alone. After a rewording: test_messages.sh PROGRAM --write, then read `git diff`.
set -uo pipefail
program=$1
list=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)/messages.txt
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
mkdir "$folder/in" && cd "$folder/in" || exit 1
unset GRAVREEL_DATA CI SOURCE_DATE_EPOCH
export LC_ALL=C
gravreel() { "$program" "$@"; }

row='1 0 0 0 0 0 0'
printf '%s\n' "$row" '1 1 0 0 0 0.5 0' >good.tab
printf '%s\n' "$row" '1 0 0 zero 0 0 0' >text.tab
printf '%s\n' '1 0 nan 0 0 0 0' >nan.tab
printf '%s\n' "$row" '-1 1 0 0 0 0 0' >minus.tab
printf '%s\n' "$row" '1 0 0 0' >short.tab
echo '# nothing' >empty.tab
printf '%s\n' 2 3 0 0.5 0.5 '0 0 0' '1 0 0' '0 0 0' '0 1 0' >atos.txt
printf '%s\n' 'mass,x,y,z,vx [furlong/d],vy,vz' "$row" >units.csv
echo 'bodies: {model: plummer, count: 8}' >near.yaml
printf 'simulation:\n  dt: soon\n' >bad.yaml
printf 'bodies: {model: plummer, count: 8}\n\0output: {frames: 2}\n' >nul.yaml
printf '\0\0\0\20ftypisom\0\0\2\0' >cut.mp4 # a film that never got its index
ls >../files

while IFS= read -r line; do
  case $line in
    '#'*) printf '%s\n' "$line" ;;
    '$ '*)
      printf '%s\n' "$line"
      eval "${line#??}" 2>&1 </dev/null
      echo "[$?]"
      ls | diff ../files - # a command that is refused leaves nothing
      ;;
  esac
done <"$list" >../now

[ "${2:-}" != --write ] || cp ../now "$list"
diff -u "$list" ../now
