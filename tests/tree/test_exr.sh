#!/usr/bin/env bash
# What another program reads in EXR pictures: ffmpeg, which decodes them by code of its own. Usage: test_exr.sh PROGRAM
set -uo pipefail
program=$1
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder" || exit 1
for reader in ffmpeg ffprobe python3; do
  command -v $reader >/dev/null || { echo "skipped: $reader is not installed"; exit 77; }
done
frames() { # pattern, options
  out=$1 && shift
  "$program" render plummer -n 64 --size 161x91 --set look.exposure=30 "$@" -o "$out" >said 2>&1
}
frames half/%d.exr --frames 0..2
case $? in 0) ;; 4) echo "skipped: $(cat said)"; exit 77 ;; *) cat said; exit 1 ;; esac
failed=0
fails() { echo "FAILED $*"; failed=1; }
says() { for word in "$@"; do grep -qwF -- "$word" said || fails "'$word' is not said: $(cat said)"; done; }
frames float/%d.exr --frames 0..2 --exr-bits 32 || fails "$(cat said)"
frames part/%d.exr --frames 1..1 || fails "$(cat said)"
light() { ffmpeg -v error -i "$1" -f rawvideo -pix_fmt gbrpf32le "$2" || fails "$1 is not decoded"; }
light half/1.exr half.raw
light float/1.exr float.raw
light part/1.exr part.raw
cmp -s half.raw part.raw || fails "a frame drawn alone differs"
python3 - <<'END' || fails "half and 32-bit floats differ"
import array
half, full = array.array("f"), array.array("f")
half.frombytes(open("half.raw", "rb").read())
full.frombytes(open("float.raw", "rb").read())
assert len(half) == len(full) == 3 * 161 * 91
assert max(full) > 1, "nothing is brighter than white"
worst = max(abs(a - b) - max(abs(b) / 1024, 2 ** -24) for a, b in zip(half, full))
assert worst <= 0, worst
END
ffprobe -v error -show_frames half/1.exr | grep '"gravreel_scene":\|TAG:gravreel' >/dev/null || fails "no scene is in the header"
still() { # output, options
  out=$1 && shift
  "$program" still plummer -n 64 --size 161x91 --set look.exposure=30 --at "frame 1" "$@" -o "$out" >said 2>&1
}
still one.exr || fails "$(cat said)"
says 161x91 "16 bits"
light one.exr one.raw
cmp -s one.raw half.raw || fails "a still differs from the film's frame"
still full.exr --exr-bits 32 || fails "$(cat said)"
light full.exr full.raw
cmp -s full.raw float.raw || fails "a still of 32-bit floats differs from the film's frame"
"$program" still one.exr --at "frame 1" -o again.exr >said 2>&1 || fails "its scene is not read from an EXR still: $(cat said)"
cmp -s one.exr again.exr || fails "a still of the scene of an EXR still differs"
still one.exr && fails "an existing still is replaced without -y"
# The header of a scene with long texts.
"$program" still -n 64 --at "frame 100" --size 160x90 --set camera.frame=fixed --set look.exposure=1000 --set "output.title=$(printf 'ä%.0s' {1..300})" -o long.exr >said 2>&1 || fails "$(cat said)"
light long.exr long.raw
python3 - <<'END' || fails "the picture behind a long header is not read"
import array
values = array.array("f")
values.frombytes(open("long.raw", "rb").read())
assert len(values) == 3 * 160 * 90 and max(values) > 0.01, max(values)
END
"$program" still long.exr --at "frame 100" -o again-long.exr >said 2>&1 || fails "its scene is not read: $(cat said)"
cmp -s long.exr again-long.exr || fails "a still of the scene of an EXR still with long texts differs"
wide() { # size, output: light of a still; a larger one is drawn in tiles
  "$program" still plummer -n 64 --set look.exposure=30 --at "frame 1" --size "$1" -o "$2.exr" >said 2>&1 || fails "$(cat said)"
  light "$2.exr" "$2.raw"
}
wide 4200x720 large
wide 2100x360 small
python3 - <<'END' || fails "an EXR still in tiles has other light than one in a piece"
import array
mean = []
for name, pixels in ("large", 4200 * 720), ("small", 2100 * 360):
    values = array.array("f")
    values.frombytes(open(name + ".raw", "rb").read())
    assert len(values) == 3 * pixels, (name, len(values))
    mean.append(sum(values) / len(values))
assert mean[1] > 0 and abs(mean[0] / mean[1] - 1) < 0.01, mean
END
still clear.exr --alpha straight && fails "alpha is taken by a still"
still one.bmp && fails "a still takes .bmp"
grep -q "'one.bmp' does not end in .png, .exr" said || fails "$(cat said)"
"$program" sheet half/%d.exr -o sheet.png >said 2>&1 || fails "no sheet of EXR pictures: $(cat said)"
"$program" compare half/0.exr one.exr >said 2>&1 && fails "two frames are taken for the same"
mkdir same && cp half/?.exr same
"$program" compare half/%d.exr same/%d.exr >said 2>&1 || fails "a copy is not the same: $(cat said)"
"$program" verify half/%d.exr --redraw 2 >said 2>&1 || fails "EXR pictures are not verified: $(cat said)"
grep -q "2 of 3 frames, drawn again, are the same bit by bit" said || fails "$(cat said)"
head -c 300 one.exr >cut.exr
"$program" compare one.exr cut.exr >said 2>&1 && fails "a truncated EXR picture is read"
grep -q "cannot read the EXR picture 'cut.exr'" said || fails "$(cat said)"
frames half/%d.exr --frames 0..2 && fails "existing pictures are replaced without -y"
frames clear/%d.exr --frames 0..0 --alpha straight && fails "alpha is taken"
says alpha output.alpha
resumes() { # exit code, words said of float/%d.exr
  "$program" render --resume plummer -n 64 --size 161x91 --set look.exposure=30 --frames 0..2 --exr-bits 32 -o float/%d.exr >said 2>&1
  [ $? = "$1" ] || fails "$(cat said)"
  says "${@:2}"
}
resumes 0 complete
cp float/1.exr kept
truncate -s -1 float/1.exr
resumes 5 "frame 1" read float/1.exr
size=$(stat -c %s kept)
for at in $(grep -abo dataWindow kept | cut -d: -f1) $((size / 3)) $((size / 2)) $((size - 1)); do
  cp kept float/1.exr
  python3 -c 'import sys; f = open("float/1.exr", "r+b"); at = int(sys.argv[1]); f.seek(at); b = f.read(1)[0]; f.seek(at); f.write(bytes([b ^ 16]))' $at
  resumes 5 "frame 1" read float/1.exr
done
cat kept kept >float/1.exr
resumes 5 "frame 1" read float/1.exr more pixels
exit $failed
