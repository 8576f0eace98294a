#!/usr/bin/env bash
# docs/examples/ranks.c under mpirun: the film of four ranks' streams, in files and in named pipes, has the bytes of that of
# one with all bodies. Usage: test_ranks_stream.sh PROGRAM LIBRARY-FOLDER
set -uo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../../.." && pwd)
program=$(readlink -f "$1") libraries=$(readlink -f "$2")
export LD_LIBRARY_PATH=$libraries${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder" || exit 1
"$program" still plummer -n 64 --size 64x36 --at 0 -o first.png >said 2>&1
case $? in 0) ;; 4) echo "skipped: $(cat said)"; exit 77 ;; *) cat said; exit 1 ;; esac
command -v mpicc >/dev/null || { echo 'skipped: mpicc is not installed'; exit 77; }
failed=0
fail() { echo "FAILED: $*"; sed 's/^/  /' said; failed=1; }
mpicc -Wall -Werror -I"$root/cmd/library" "$root/docs/examples/ranks.c" -L"$libraries" -lgravreel -lm -o ranks >said 2>&1 || { fail mpicc; exit 1; }
run() { (cd "$1" && timeout --kill-after=10 300 "$root/tests/support/programs/mpirun" "$2" ../ranks) >ranked 2>&1; } # folder, ranks
film() { # of the streams in a folder
  (cd "$1" && timeout --kill-after=10 300 "$program" render plummer --frames-from 'frames.*' --size 64x36 --frames 6 -o film.mp4) >said 2>&1
}
mkdir one files pipes
run one 1
case $? in 0) ;; 77) cat ranked; exit 77 ;; *) cp ranked said; fail 'one rank' ;; esac
film one || fail 'the film of one rank'
run files 4 || { cp ranked said; fail 'four ranks'; }
[ "$(ls files | tr '\n' ' ')" = 'frames.0000 frames.0001 frames.0002 frames.0003 ' ] || fail "streams: $(ls files)"
head -n 2 files/frames.0003 | grep -aq '"bodies": 60' || fail 'a rank hands over more than its own bodies'
film files || fail 'the film of four ranks'
cmp files/film.mp4 one/film.mp4 || fail 'the film of four streams has other bytes than that of one'
mkfifo pipes/frames.000{0,1,2,3}
run pipes 4 &
film pipes || fail 'the film of four ranks that write into pipes'
wait $! || { cp ranked said; fail 'four ranks that write into pipes'; }
cmp pipes/film.mp4 one/film.mp4 || fail 'the film of four pipes has other bytes than that of one stream'
exit $failed
