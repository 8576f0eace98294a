#!/usr/bin/env bash
# Short of address space, stack or threads the program says so in one sentence; no signal ends it. Usage: test_ulimit.sh PROGRAM
set -uo pipefail
program=$1
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder" || exit 1
unset TMPDIR
"$program" still plummer -n 64 --size 64x36 --at 0 -o first.png >said 2>&1
case $? in 0) ;; 4) echo "skipped: $(cat said)"; exit 77 ;; *) cat said; exit 1 ;; esac
nm -D "$program" 2>/dev/null | grep __asan_init >/dev/null && { echo "skipped: under AddressSanitizer: it needs all of the address space"; exit 77; }
failed=0
fails() { echo "FAILED $*"; failed=1; }
render=(render plummer -n 64 --size 64x36 --frames 2 -y -o film.mp4)
still=(still plummer -n 64 --size 64x36 --at 0 -y -o still.png)
info=(info plummer)
dry=(render plummer -n 64 --size 64x36 --frames 2 --dry-run -o dry.mp4)
limited() { # option, value, command, sentence: exit code 0, or a failure with that sentence as its last line
  local -n words=$3
  (ulimit -c 0 && ulimit "$1" "$2" && exec timeout -s KILL 100 "$program" "${words[@]}") >out 2>said
  local code=$?
  case $code in
    0) [ -z "${5-}" ] || fails "ulimit $1 $2, $3: it runs" ;;
    1) tail -n 1 said | grep -q "^gravreel: .*$4" || fails "ulimit $1 $2, $3: $(tail -n 1 said)" ;;
    *) fails "ulimit $1 $2, $3: ended with $code: $(tail -n 2 said)" ;;
  esac
}
for megabytes in 350 500 800 1100; do
  for command in render still info dry; do
    limited -v $((megabytes * 1000)) $command "address space is limited to .* raise ulimit -v"
  done
done
limited -v 500000 render "ing needs [0-9]* MB more, but the address space is limited to 512 MB, of which" must
limited -v 500000 still "drawing needs [0-9]* MB more, but the address space is limited to 512 MB, of which" must
limited -v 100000 render "no memory left to load a library that films need: .* address space is limited to 102 MB.*raise ulimit -v" must
limited -d 300000 still "drawing needs [0-9]* MB more, but data is limited to 307 MB, of which" must
"$program" "${render[@]}" >said 2>&1 || fails "$(cat said)"
(ulimit -v 500000 && exec "$program" verify --redraw 1 film.mp4) >out 2>said
[ $? = 3 ] && grep -q "raise ulimit -v" out && tail -n 1 said | grep -q "^gravreel: the film is not judged, or not as a whole" ||
  fails "ulimit -v 500000, verify: $(cat out said)"
for command in render still info dry; do
  limited -s 64 $command "never"
  [ -s said ] && grep -q "ulimit" said && fails "ulimit -s 64, $command: $(cat said)"
done
if [ "$(id -u)" = 0 ] && command -v setpriv >/dev/null; then # who is root has no limit of processes
  mkdir theirs && chmod 777 theirs && chmod 755 . && cd theirs || exit 1
  if setpriv --reuid=65534 --regid=65534 --clear-groups "$program" --version >/dev/null 2>&1; then
    for processes in 3 5 9 14; do
      for command in render still; do
        declare -n words=$command
        (ulimit -c 0 && HOME=$PWD setpriv --reuid=65534 --regid=65534 --clear-groups bash -c \
          'ulimit -u "$0" && exec timeout -s KILL 100 "$@"' $processes "$program" "${words[@]}") >out 2>said
        code=$?
        [ $code = 125 ] && continue # not even timeout runs
        [ $code = 1 ] && tail -n 1 said | grep -q "^gravreel: .* needs [0-9]* threads, and only [0-9]* can be started; raise ulimit -u" ||
          fails "ulimit -u $processes, $command: $code: $(tail -n 1 said)"
      done
    done
  fi
fi
mkdir gone && cd gone && rmdir ../gone && program=$(readlink -f "$program" 2>/dev/null || echo "$program")
for command in render still; do
  declare -n words=$command
  "$program" "${words[@]}" >"$folder/out" 2>"$folder/said"
  [ $? = 5 ] && grep -q "current folder has been removed" "$folder/said" || fails "a removed folder, $command: $(cat "$folder/said")"
done
exit $failed
