#!/usr/bin/env bash
# tests/tree/banding against a gradient of steps, whose contours are counted here, and one with noise. Usage: test_banding.sh
set -uo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
for tool in ffmpeg ffprobe python3; do
  command -v $tool >/dev/null || { echo "skipped: $tool is not installed"; exit 77; }
done
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
make() { # output, luma
  ffmpeg -v error -f lavfi -i "nullsrc=s=256x64:r=8:d=1,format=yuv420p,geq=lum='$2':cb=128:cr=128" -c:v ffv1 "$folder/$1"
}
make steps.mkv '20+floor(X/32)' && make noise.mkv '20+floor(X/32+2*random(1))' && make bright.mkv '120+floor(X/32)' || exit 1
"$root/tests/tree/banding" "$folder"/{steps,noise,bright}.mkv >"$folder/said" || exit 1
# Seven places in each row of 256 pixels, all of them lit.
awk '{ score[NR] = $1 } END { exit !(score[1] == "27.34" && score[2] < 0.1 && score[3] == 0) }' "$folder/said" ||
  { echo "FAILED instead of 27.34, next to 0 and 0:"; cat "$folder/said"; exit 1; }
