#!/usr/bin/env bash
# Files as the frames of a stream (docs/frames.md): NumPy's archives and HDF5. Usage: test_frames.sh PROGRAM
set -uo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../../../.." && pwd)
program=$(readlink -f "$1")
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder" || exit 1
"$program" still plummer -n 64 --size 64x36 --at 0 -o first.png >said 2>&1
case $? in 0) ;; 4) echo "skipped: $(cat said)"; exit 77 ;; *) cat said; exit 1 ;; esac
fail() { echo "FAILED: $*"; sed 's/^/  /' said; : >"$folder/failed"; } # a file, because the end of a pipe is another shell
says() { grep -qF -- "$1" said || fail "does not say: $1"; }
film() { # folder, then how the bodies are given; always the same film
  mkdir -p "$1"
  (cd "$1" && "$program" render plummer "${@:2}" --size 64x36 --frames 6 -y -o film.mp4) >said 2>&1
}
same() { cmp "$1/film.mp4" "$2/film.mp4" || fail "the film of $1 has other bytes than that of $2"; }

head='{"gravreel": "frames", "format": 1}'
files() { # the stream of these files
  echo "$head"
  for file in "$@"; do
    printf '{"bytes": %s}\n' "$(stat -c %s "$file")"
    cat "$file"
  done
}

# ---- files that simulate and convert have written: the film of these snapshots ----
"$program" simulate milky-way-andromeda -n 200 --every 20 --until 60 -o 'snap_%d.hdf5' --quiet >said 2>&1 || fail simulate
mkdir -p snapshots/film.mp4.bodies
for k in 0 1 2 3; do
  cp snap_$k.hdf5 snapshots/film.mp4.bodies/frame_00000$k.hdf5
  "$program" convert snap_$k.hdf5 snap_$k.npz >said 2>&1 && "$program" convert snap_$k.npz back_$k.hdf5 >said 2>&1 || fail convert
done
film snapshots --snapshots 'film.mp4.bodies/frame_*.hdf5' || fail snapshots
files snap_?.hdf5 | film hdf5 --frames-from - || fail 'HDF5 in a stream'
same hdf5 snapshots
cmp snap_2.hdf5 hdf5/film.mp4.bodies/frame_000002.hdf5 || fail 'HDF5 is not kept as it is'
[ "$(ls hdf5/film.mp4.bodies | wc -l)" -eq 4 ] || fail "other files are left: $(ls hdf5/film.mp4.bodies)"
mkdir -p back/film.mp4.bodies
for k in 0 1 2 3; do cp back_$k.hdf5 back/film.mp4.bodies/frame_00000$k.hdf5; done
film back --snapshots 'film.mp4.bodies/frame_*.hdf5' || fail 'snapshots of archives'
files snap_?.npz | film npz --frames-from - || fail 'archives in a stream'
same npz back

# ---- a frame that is wrong: a sentence, exit code 2, and the film so far ----
wrong() { # the sentence, then the bytes of the fourth frame: standard input
  cat >fourth
  { files snap_[012].npz; cat fourth; } | film wrong --frames-from -
  [ $? -eq 2 ] || fail 'exit code is not 2'
  says "$1"
  [ "$(grep -c '; the film is made of frames 0 to 2$' said)" -eq 2 ] || fail 'does not say, at once and at the end, what the film is made of'
  tail -n 1 said | grep -q '; the film is made of frames 0 to 2$' || fail 'the reason is not the last line'
  "$program" info wrong/film.mp4 2>/dev/null | grep -q '6 frames' || fail 'there is no film'
  [ "$(ls wrong/film.mp4.bodies | tr '\n' ' ')" = 'frame_000000.hdf5 frame_000001.hdf5 frame_000002.hdf5 ' ] || fail 'other files are left'
  rm -rf wrong
}
one() { files "$1" | tail -n +2; }
one snap_3.npz >fourth
{ files snap_[012].npz; head -c 3000 fourth; } | film cut --frames-from - || fail 'a stream that ends in a file'
says 'warning: standard input ends within frame 3, which is left out'
[ "$(ls cut/film.mp4.bodies | wc -l)" -eq 3 ] || fail "other files are left: $(ls cut/film.mp4.bodies)"
one snap_2.npz | wrong 'frame 3 of standard input has time 40, but frame 2 has time 40; times must increase; the film is made of frames 0 to 2'
head -c 3000 snap_3.npz >broken.npz && one broken.npz | wrong 'gravreel: frame 3 of standard input ends within '
head -c 3000 snap_3.hdf5 >broken.hdf5 && one broken.hdf5 | wrong 'gravreel: frame 3 of standard input is cut short after 3000 of '
"$program" convert snap_3.hdf5 snap_3.csv >said 2>&1
one snap_3.csv | wrong 'is not an .npz archive, HDF5, or a format of docs/files.md that stores a time'
head -c 100 /dev/zero >zeros && one zeros | wrong 'is not an .npz archive, HDF5'
echo '{"bytes": 0}' | wrong "'bytes' is 0, not a whole number from 1"
echo '{"bytes": 1, "time": 3}' | wrong 'has the line {"bytes": 1, "time": 3}; a line has time, bodies and arrays, or only the bytes of a file'
echo '{"time": 3}' | wrong 'has the line {"time": 3}'
{ echo '{"gravreel": "frames", "format": 1, "units": {"length_cm": 3e21, "velocity_cms": 1e5}}'; one snap_0.hdf5; } | film units --frames-from - &&
  fail 'two units'
says 'frame 0 of standard input has units of its own; leave "units" out of the first line'
files snap_0.npz >part.0 && cp part.0 part.1
film parts --frames-from '../part.?' && fail 'files in several streams'
says "frame 0 of '../part.0' is a file, which several streams cannot have; write its arrays"

# ---- the frames of an earlier stream stay until the first of this one is complete ----
numbers() { for high; do printf "\0\0\0\0\0\0\\x${high:0:2}\\x${high:2}"; done; } # by their high bytes: f03f is 1
frame() { # time, the coordinate of the first body, the opposite one of the second
  printf '{"time": %s, "bodies": 2, "arrays": ["mass f8", "pos f8", "vel f8"]}\n' "$1"
  numbers f03f f03f "$2" "$2" "$2" "${3:-e0bf}" "${3:-e0bf}" "${3:-e0bf}" 0000 0000 0000 0000 0000 0000
}
again() { film del --frames-from - "$@"; }
has() { [ "$(ls del/film.mp4.bodies | tr '\n' ' ')" = "$(printf 'frame_%06d.hdf5 ' $(seq 0 $(($1 - 1))))" ] || fail "not $1 frames: $(ls del/film.mp4.bodies)"; }
{ echo "$head"; for k in 0 1 2 3; do frame $k e03f; done; } | again || fail 'a stream'
says '4 frames received become 6 pictures, 0.2 s'
has 4
: >del/film.mp4.bodies/frame_own.hdf5
again </dev/null && fail 'no stream'
echo '{"gravreel": "films", "format": 1}' | again && fail 'a wrong first line'
says "the first line of standard input must be {\"gravreel\": \"frames\", ...}, but \"gravreel\" is \"films\""
echo '{"gravreel": "frames", "format": 1, "unit": {}}' | again && fail 'a typo in the first line'
says "'unit' is not a member known to this gravreel; did you mean 'units'?"
{ echo "$head"; frame 0 e03f | head -c 100; } | again && fail 'a first frame that is cut'
{ echo "$head"; printf '{"bytes": 9000}\n'; head -c 3000 snap_0.hdf5; } | again && fail 'a first file that is cut'
{ echo "$head"; frame 0 f87f; } | again && fail 'a first frame that is not finite'
says 'frame 0 of standard input: body 1 (counted from 1) has a mass, position or velocity that is not a finite number; leave that body out'
files snap_3.csv | again && fail 'a first file without a time'
rm del/film.mp4.bodies/frame_own.hdf5
has 4
cp del/film.mp4.bodies/frame_000003.hdf5 del/film.mp4.bodies/frame_000007.hdf5
{ echo "$head"; frame 0 e03f; frame 1 e03f; } | again || fail 'a shorter stream'
has 2
files snap_0.hdf5 snap_1.hdf5 snap_2.hdf5 | again || fail 'files after arrays'
has 3
{ echo "$head"; frame 0 e03f; frame 1 e03f; } | again && has 2 || fail 'arrays after files'

# ---- units that cannot be meant ----
units() { echo "{\"gravreel\": \"frames\", \"format\": 1, \"units\": {$1}}" | again && fail "units of $1"; says "the first line of standard input has $2"; }
units '"length_cm": 3e21' 'units without velocity_cms; give length_cm, mass_g and velocity_cms'
units '"mass_g": 1' 'units without length_cm'
units '"length_cm": -3e21, "velocity_cms": 1' 'the unit length_cm -3e+21; units must be above 0'
units '"length_cm": 3e21, "velocity_cms": 1, "mass_g": 0' 'the unit mass_g 0; units must be above 0'

# ---- errors that do not depend on the bodies come before the first frame; others leave the frames, and say what to do ----
early() { # the sentence, then options
  film early --frames-from - "${@:2}" </dev/null && fail "${*:2}"
  says "$1"
  [ ! -e early/film.mp4.bodies ] || fail 'frames are received'
}
early "cannot read 'none.wav'" --set output.audio=none.wav
early 'codec prores does not go into mp4' --codec prores
early 'only one thing can go to the standard output' --manifest - --progress -
{ echo "$head"; frame 0 e03f; frame 1 e83f; } | film late --frames-from - --set look.halos=none.list && fail 'haloes that are not there'
tail -n 1 said | grep -qF "no catalogue of haloes is called 'none.list'; name them with a pattern in quotes, such as 'out_*.list'; the frames are kept, and \`gravreel render --snapshots 'film.mp4.bodies/frame_*.hdf5' -o film.mp4\`, with the same options, makes the film" ||
  fail 'does not say how the film is made'
(cd late && "$program" render --snapshots 'film.mp4.bodies/frame_*.hdf5' -o film.mp4 plummer --size 64x36 --frames 6) >said 2>&1 || fail 'the film of the frames'

# ---- the streams of ranks: a run on two after a run on four, and a stream that ends early ----
rank() { # stream, when it was begun, its frames, its coordinate
  echo "{\"gravreel\": \"frames\", \"format\": 1, \"begun\": $2}"
  for k in $(seq 0 $(($3 - 1))); do frame $k "${4}3f" "${4}bf"; done
}
ranks() { film ranks --frames-from '../rank.*'; }
coordinate=(e0 e8 f0 f8)
for r in 0 1 2 3; do rank $r 1000 3 ${coordinate[r]} >rank.$r; done
ranks || fail 'four streams'
says "'../rank.0' to '../rank.3': 4 streams, 8 bodies"
says "3 frames of '../rank.0' to '../rank.3' are kept"
rank 1 1000 2 e8 >rank.1
ranks || fail 'a stream that is shorter'
says "warning: '../rank.1' ends before frame 2, which another stream has and the film leaves out"
rank 1 1000 3 e8 >rank.1
rank 0 1000 2 e0 >rank.0
ranks || fail 'a first stream that is shorter'
says "warning: '../rank.0' ends before frame 2"
rank 0 1000 3 f8 >rank.0
ranks && fail 'the same bodies in two streams'
says "'../rank.0' and '../rank.3' have a body with the same position and velocity in frame 0; delete the streams of an earlier run"
rank 0 2000 3 e0 >rank.0
touch -d @1500 rank.3
ranks && fail 'a stream of an earlier run'
says "'../rank.3' was last written before '../rank.0' was begun; delete the streams of an earlier run"
touch -d @2500 rank.3
ranks || fail 'streams of the same time'
sed -i '1s/}$/, "units": {"length_cm": 1, "mass_g": 1, "velocity_cms": 1}}/' rank.2
ranks && fail 'two units'
says "'../rank.0' and '../rank.2' have different units"

# ---- Python, as the page has it ----
for python in python3 /usr/bin/python3 ''; do
  [ -z "$python" ] || ! "$python" -c 'import numpy' 2>/dev/null || break
done
if [ -n "$python" ]; then
  awk '/^```python$/ { on = 1; next } /^```/ { on = 0 } on' "$root/docs/frames.md" >page.py
  grep -q 'np.savez(file' page.py || fail 'the page has no archive'
  sed 's|^    np.savez(file.*|    sys.stdout.buffer.write(b'"'"'{"time": %r, "bodies": 4096, "arrays": ["mass f8", "pos f8", "vel f8"]}\\n'"'"' % float(time))\
    for a in mass, pos + time * vel, vel: sys.stdout.buffer.write(a.tobytes())|; /bytes": %d/d' page.py >raw.py
  sed 's/np.savez(/np.savez_compressed(/' page.py >packed.py
  hdf5=$(sed -n 's/^with h5py/    with h5py/p' "$root/docs/frames.md")
  awk -v line="$hdf5" '/np.savez/ { print line; next } { print }' page.py | sed '1s/$/, h5py/' >hdf5.py
  grep -q 'h5.update(time=time' hdf5.py || fail 'the page has no HDF5'
  for way in page raw packed hdf5; do
    if [ $way = hdf5 ] && ! "$python" -c 'import h5py' 2>/dev/null; then echo 'note: HDF5 in Python is not run: h5py is not installed'; continue; fi
    "$python" $way.py >stream 2>said || fail "$way.py"
    film py_$way --frames-from ../stream || fail "the stream of $way.py"
    same py_$way py_page
  done
fi
[ ! -e "$folder/failed" ]
