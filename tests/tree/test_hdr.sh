#!/usr/bin/env bash
# What other programs read in HDR10 and HLG films: ffprobe and MediaInfo. Usage: test_hdr.sh PROGRAM
set -uo pipefail
program=$1
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder" || exit 1
for reader in ffprobe mediainfo; do
  command -v $reader >/dev/null || { echo "skipped: $reader is not installed"; exit 77; }
done
film() { # output, options
  out=$1 && shift
  "$program" render plummer -n 64 --size 160x90 --frames 14 --set output.preset=ultrafast --set output.segment=8 "$@" -o "$out" >said 2>&1
}
film pq.mp4 --set output.hdr=pq
case $? in 0) ;; 4) echo "skipped: $(cat said)"; exit 77 ;; *) cat said; exit 1 ;; esac
film hlg.mkv --set output.hdr=hlg || { cat said; exit 1; }

failed=0
wanted() { # program's answer in `read`, lines
  for line in "$@"; do grep -qF -- "$line" read || { echo "FAILED not said: $line"; cat read; failed=1; }; done
}
ffprobe -v error -show_streams pq.mp4 >read
wanted pix_fmt=yuv420p10le color_space=bt2020nc color_transfer=smpte2084 color_primaries=bt2020 red_x=32000/50000 \
  max_luminance=10000000/10000 max_content=1000 max_average=0 nb_frames=14
# In the stream itself, too.
ffprobe -v error -show_frames -read_intervals %+#1 pq.mp4 >read
wanted color_transfer=smpte2084 "side_data_type=Mastering display metadata" max_luminance=10000000/10000 max_content=1000
film av1.mp4 --set output.hdr=pq --codec av1 --set output.preset=12 || { cat said; exit 1; }
ffprobe -v error -show_frames -read_intervals %+#1 av1.mp4 >read
wanted color_transfer=smpte2084 "side_data_type=Mastering display metadata" max_luminance=256000/256 max_content=1000
mediainfo pq.mp4 >read
wanted "HDR10 compatible" "Transfer characteristics                 : PQ" "Maximum Content Light Level              : 1000" \
  "Mastering display color primaries        : BT.709"
ffprobe -v error -show_streams hlg.mkv >read
wanted color_space=bt2020nc color_transfer=arib-std-b67 color_primaries=bt2020
mediainfo hlg.mkv >read
wanted "Transfer characteristics                 : HLG" "Color primaries                          : BT.2020"
"$program" verify pq.mp4 >read 2>&1 || { echo "FAILED pq.mp4 is not what it says"; cat read; failed=1; }
"$program" verify hlg.mkv >read 2>&1 || { echo "FAILED hlg.mkv is not what it says"; cat read; failed=1; }
exit $failed
