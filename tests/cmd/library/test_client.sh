#!/usr/bin/env bash
# Films of a simulation while it runs: the stream of docs/frames.md, libgravreel in C and Fortran, the Python module.
# Usage: test_client.sh PROGRAM LIBRARY-FOLDER C-EXAMPLE CLIENT, which is client.c
set -uo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../../.." && pwd)
GRAVREEL=$(readlink -f "$1") libraries=$(readlink -f "$2") example=$(readlink -f "$3") client=$(readlink -f "$4")
export GRAVREEL
for needed in "$libraries/libgravreel.so" "$example" "$client"; do
  [ -e "$needed" ] || { echo "FAILED: there is no '$needed'; build the targets own_loop and library_client"; exit 1; }
done
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder" || exit 1
"$GRAVREEL" still plummer -n 64 --size 64x36 --at 0 -o first.png >said 2>&1
case $? in 0) ;; 4) echo "skipped: $(cat said)"; exit 77 ;; *) cat said; exit 1 ;; esac
fail() { echo "FAILED: $*"; sed 's/^/  /' said; : >"$folder/failed"; } # a file, because the end of a pipe is another shell
says() { grep -qF -- "$1" said || fail "does not say: $1"; }
frames() { "$GRAVREEL" info "$1" 2>/dev/null | grep -q "$2 frames" || fail "$1 has no $2 frames"; }

# ---- the stream, by hand: two bodies at rest, 8 bytes of zeros a number ----
head='{"gravreel": "frames", "format": 1}'
zeros() { head -c $((8 * $1)) /dev/zero; }
frame() { # time, arrays, numbers
  printf '{"time": %s, "bodies": 2, "arrays": [%s]}\n' "$1" "$2"
  zeros "$3"
}
refused() { # the sentence, the stream: standard input
  "$GRAVREEL" render --frames-from "${2:--}" --size 64x36 -o bad.mp4 >said 2>&1
  [ $? -eq 2 ] || fail "exit code is not 2"
  says "$1"
  [ ! -e bad.mp4 ] || fail "there is a film"
  rm -rf bad.mp4*
}
all='"mass f8", "pos f8", "vel f8"'
refused 'standard input ends before the first frame' </dev/null
echo '{"gravreel": "frames", "format": 2}' | refused 'it has format 2'
echo '{"gravreel": "pictures", "format": 1}' | refused 'must be {"gravreel": "frames", ...}, but "gravreel" is "pictures"'
echo "$head" | refused 'standard input has 0 complete frames; a film needs at least two'
{ echo "$head"; frame 0 '"pos f2"' 6; } | refused 'frame 0 of standard input has the array "pos f2"'
{ echo "$head"; frame 0 '"pos f8"' 6; } | refused 'frame 0 of standard input has no array vel'
{ echo "$head"; frame 0 '"pos f8", "vel f8"' 12; } | refused 'frame 0 of standard input has no array mass'
{ echo "$head"; frame 0 '"pos f8", "pos f8"' 12; } | refused 'has the array pos twice'
{ echo "$head"; frame 0 "$all, \"id u8\"" 16; } | refused 'frame 0 of standard input has two bodies with the id 0'
{ echo "$head"; frame 0 '"id f8"' 12; } | refused 'has ids of type f8'
{ echo "$head"; frame 0 "$all" 14; frame 0 "$all" 14; } | refused 'frame 1 of standard input has time 0, but frame 0 has time 0; times must increase'
{ echo "$head"; frame 0 "$all" 14; echo '{"time": 1, "bodies": 3, "arrays": ["pos f8", "vel f8"]}'; zeros 18; } |
  refused 'frame 1 of standard input has 3 bodies, and frame 0 has 2'
{ echo "$head"; echo '{"time": 0, "bodies": 2, "arrays": [], "components": {"gas": 1}}'; } | refused 'its components have 1'
{ echo "$head"; echo '{"time": 0, "bodies": 2, "arrays": ["mass f8", "vel f8", "pos f8"]}'; zeros 8; head -c 48 /dev/zero | tr '\0' '\377'; } |
  refused 'frame 0 of standard input'
{ # several frames are written at once, and the earliest failure is reported
  echo "$head"
  for k in 0 1 2 3 4 5 6 7 8; do
    echo "{\"time\": $k, \"bodies\": 2, \"arrays\": [\"mass f8\", \"pos f8\", \"vel f8\"]}"
    zeros 2
    if [ $k -gt 4 ]; then head -c 96 /dev/zero | tr '\0' '\377'; else zeros 12; fi
  done
} | "$GRAVREEL" render --frames-from - --size 64x36 --frames 6 -o five.mp4 >said 2>&1
[ $? -eq 2 ] || fail 'exit code is not 2'
says 'gravreel: frame 5 of standard input: body 1 (counted from 1) has a mass'
frames five.mp4 6
head -c 2000000 /dev/zero | tr '\0' 'x' | refused 'without a line feed'
"$GRAVREEL" render --frames-from none --size 64x36 -o bad.mp4 >said 2>&1 && fail 'a file that is not there'
says "cannot open 'none'"
"$GRAVREEL" render --frames-from - --set look.colour=speed -o bad.mp4 </dev/null >said 2>&1 && fail 'a typo'
says "unknown key 'look.colour'"
[ ! -e bad.mp4.bodies ] || fail 'frames of a film that cannot be made'

# ---- a program in C, its film, and that of the frames it left ----
LD_LIBRARY_PATH=$libraries "$example" own.mp4 >said 2>&1 || fail 'own_loop'
frames own.mp4 60
[ "$(ls own.mp4.bodies | wc -l)" -eq 60 ] || fail 'the frames are not kept'
cp own.mp4 before.mp4
"$GRAVREEL" render --snapshots 'own.mp4.bodies/frame_*.hdf5' --size 320x180 --frames 60 -y -o own.mp4 >said 2>&1 || fail 'snapshots'
cmp own.mp4 before.mp4 || fail 'the film of the frames has other bytes than the film of the snapshots'
GRAVREEL=$folder/none LD_LIBRARY_PATH=$libraries "$example" none.mp4 >said 2>&1 && fail 'a program that is not there'
says 'install gravreel, or name the program in $GRAVREEL'
GRAVREEL=/bin/false LD_LIBRARY_PATH=$libraries "$example" none.mp4 >said 2>&1 && fail 'a program that fails'
says 'ended with code 1'
printf '#!/bin/sh\nkill -KILL $$\n' >dies && chmod +x dies
GRAVREEL=$folder/dies LD_LIBRARY_PATH=$libraries "$example" none.mp4 >said 2>&1 && fail 'a program that is killed'
says "no film: gravreel was killed (signal 9); complete frames are kept in 'none.mp4.bodies'"
[ "$(nm -D --defined-only "$libraries/libgravreel.so" | grep -v ' __\?[al]san\| __odr' | sed 's/.* //' | tr '\n' ' ')" = \
  'gravreel_bodies gravreel_close gravreel_components gravreel_error gravreel_frame gravreel_open gravreel_open_stream gravreel_simulate gravreel_units gravreel_version ' ] ||
  { nm -D --defined-only "$libraries/libgravreel.so" >said; fail 'the library has other symbols'; }

# ---- bodies in, step to a time, bodies out: as the program has it ----
client() { LD_LIBRARY_PATH=$libraries "$client" "$@"; }
softening=(--set simulation.softening=0.05)
client bodies >bodies.tab && client simulate 0.3 "${softening[@]}" >moved.txt 2>said || fail 'gravreel_simulate'
"$GRAVREEL" convert moved.txt moved.tab -f table >said 2>&1 &&
  "$GRAVREEL" simulate --bodies-from bodies.tab --every 0.3 --until 0.3 "${softening[@]}" -o 'there_%d.tab' >said 2>&1 || fail 'simulate'
cmp moved.tab there_1.tab || fail 'gravreel_simulate and gravreel simulate differ'
cmp -s moved.tab there_0.tab && fail 'nothing has moved'
mkdir own
TMPDIR=$folder/own client simulate 0.3 >/dev/null 2>said && [ -z "$(ls own)" ] || fail "files are left: $(ls own)"
client simulate 0.3 --set simulation.tree=1 2>said && fail 'simulate with a typo'
says "2: --set: unknown key 'simulation.tree'; did you mean 'simulation.force'"
client simulate -1 2>said && fail 'back in time'
says 'moved to the time -1; use a time above 0'
TMPDIR=/nowhere client simulate 1 2>said && fail 'no folder'
says 'cannot make a folder in $TMPDIR or /tmp: No such file or directory'

# ---- two films at once in one process, beside one that fails ----
client films one.mp4 two.mp4 typo.mp4 >said 2>&1 || fail 'films'
says 'one.mp4: 0 '
says 'two.mp4: 0 '
says "typo.mp4: 2 there is no option '--typo'"
frames one.mp4 6
"$GRAVREEL" compare one.mp4 two.mp4 >said 2>&1 || fail 'two films at once differ'

# ---- ranks that hand over their own bodies: the film of one that has all ----
client shares >said 2>&1 || fail 'gravreel_open_stream'
mkdir one all
small=(--size 64x36 --frames 6 --set look.color=quantity --set look.quantity=heat)
(cd all && "$GRAVREEL" render plummer --frames-from ../whole "${small[@]}" -o film.mp4) >said 2>&1 || fail 'a stream in a file'
mkfifo one/part.0 one/part.1 # at once, as a simulation writes them
cat part.0 >one/part.0 &
cat part.1 >one/part.1 &
(cd one && "$GRAVREEL" render plummer --frames-from 'part.*' "${small[@]}" -o film.mp4) >said 2>&1 || fail 'two streams'
wait
cmp one/film.mp4 all/film.mp4 || fail 'the film of two streams has other bytes than that of one'
# Ctrl-C ends the stream, and the film has the frames so far.
mkfifo stopped
"$GRAVREEL" render plummer --frames-from stopped --size 64x36 --frames 6 -o stopped.mp4 >said 2>&1 &
renders=$!
exec 9>stopped
cat whole >&9
until [ -e stopped.mp4.bodies/frame_000002.hdf5 ] || ! kill -0 $renders; do sleep 0.05; done
kill -INT $renders
wait $renders || fail 'Ctrl-C while frames are received'
exec 9>&-
says 'stopped: the film has the frames so far'
frames stopped.mp4 6
head -c 20000 part.1 >cut.1 && cp part.0 cut.0
"$GRAVREEL" render plummer --frames-from 'cut.*' "${small[@]}" -o cut.mp4 >said 2>&1 || fail 'a stream that ends early'
says "'cut.1' ends within frame 2, which is left out"
{ echo "$head"; frame 0 "$all" 14; } >bad.0
{ echo "$head"; frame 0.5 "$all" 14; } >bad.1
refused "frame 0 of 'bad.1' differs in time or arrays from that of 'bad.0'" 'bad.?'
{ echo "$head"; frame 0 '"pos f8", "mass f8", "vel f8"' 14; } >bad.1
refused "frame 0 of 'bad.1' differs in time or arrays from that of 'bad.0'" 'bad.?'
{ echo "$head"; echo '{"time": 0, "bodies": 2, "arrays": [], "components": {"gas": 2}}'; } | tee bad.1 >bad.0
refused "frame 0 of 'bad.0' has components, which several streams cannot have" 'bad.?'

# ---- Fortran ----
if command -v gfortran >/dev/null; then
  gfortran "$root/docs/examples/own_loop.f90" -o circle -L"$libraries" -lgravreel -Wl,-rpath,"$libraries" >said 2>&1 &&
    ./circle circle.mp4 >said 2>&1 || fail 'own_loop.f90'
  frames circle.mp4 20
fi

# ---- Python ----
for python in python3 /usr/bin/python3 ''; do
  [ -z "$python" ] || ! "$python" -c 'import numpy, PIL' 2>/dev/null || break
done
if [ -n "$python" ]; then
  mkdir small # the examples' films are small, and all else as the pages have it
  printf '#!/bin/sh\n[ "$1" != render ] || set -- "$@" --duration 0.2 --size 64x36\nexec "%s" "$@"\n' "$GRAVREEL" >small/gravreel
  chmod +x small/gravreel
  [ "$(awk '/^## Python$/ { on = 1 } on && /^```$/ { block++; next } block == 1' "$root/docs/frames.md")" = "$(sed 1d "$root/docs/examples/planets.py")" ] ||
    fail 'docs/frames.md and planets.py differ'
  for example in "$root"/docs/examples/*.py; do
    modules=$(sed -n 's/^import //p' "$example" | grep -vxE 'gravreel|glob|jax\.numpy as np')
    [ "$(wc -l <"$example")" -le 15 ] || fail "$example has more than 15 lines"
    "$python" -c "import $modules" 2>/dev/null || { echo "note: $(basename "$example") is not run: $modules is not installed"; continue; }
    [[ $modules != pynbody ]] ||
      "$GRAVREEL" simulate milky-way-andromeda -n 500 --every 20 --until 40 -o 'snapshot_%d.hdf5' --quiet >said 2>&1 || fail snapshots
    PYTHONPATH=$root/cmd/library/python LD_LIBRARY_PATH=$libraries GRAVREEL=$folder/small/gravreel "$python" "$example" >said 2>&1 || fail "$example"
    frames "$(basename "$example" .py).mp4" 6
  done
  PYTHONPATH=$root/cmd/library/python "$python" "$root/tests/cmd/library/module.py" >said 2>&1 || fail module.py
fi
[ ! -e "$folder/failed" ]
