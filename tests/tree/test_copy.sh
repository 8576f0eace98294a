#!/usr/bin/env bash
# What a film still says of itself after `ffmpeg -c copy`: the table of docs/metadata.md. Usage: test_copy.sh PROGRAM
set -uo pipefail
program=$(readlink -f "$1")
command -v ffmpeg >/dev/null || { echo "skipped: no ffmpeg, which the project does not need"; exit 77; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder" || exit 1
failed=0 passed=0

verdict() { # exit code, what
  if [ "$1" -eq 0 ]; then passed=$((passed + 1)); else failed=$((failed + 1)); echo "FAILED $2"; fi
}

"$program" still figure-eight --at start --size 32x18 -o gl.png >said 2>&1
[ $? -eq 4 ] && { echo "skipped: no GL: $(cat said)"; exit 77; }

kept() { # film: whether its scene is in it
  "$program" render "$1" --save-scene - 2>/dev/null | cmp -s - scene.yaml
}

copy() { # from, to, options for ffmpeg
  ffmpeg -v error -y -i "$1" -c copy "${@:3}" "$2" </dev/null
}

packets() { # film
  ffmpeg -v error -i "$1" -map 0:v -c copy -f md5 - </dev/null
}

for from in mp4 mov mkv webm; do
  rm -f ./*.scene.yaml
  "$program" render plummer -n 64 --size 64x36 --frames 4 --quiet -y -o film.$from || exit 1
  mv film.scene.yaml scene.yaml
  kept film.$from
  verdict $? "$from says its scene"
  for to in mp4 mov mkv webm; do
    [ $to$from = movwebm ] && continue # VP9 does not go into MOV
    [ $to = webm ] && [ $from != webm ] && continue
    copy film.$from copy.$to && [ "$(packets copy.$to)" = "$(packets film.$from)" ]
    verdict $? "$from to $to has the same packets"
    case $to in
      mkv | webm)
        kept copy.$to
        verdict $? "$from to $to keeps all"
        ;;
      mp4 | mov)
        ! kept copy.$to && "$program" info copy.$to | grep "title: Plummer sphere" >/dev/null &&
          "$program" info copy.$to | grep "comment: made with gravreel" >/dev/null
        verdict $? "$from to $to keeps title and comment alone"
        copy film.$from copy.$to -movflags use_metadata_tags && kept copy.$to
        verdict $? "$from to $to with use_metadata_tags keeps all"
        ;;
    esac
  done
  # What other programs list: title, comment, one line of ours, and the container's own.
  lines=$(ffprobe -v error -show_entries format_tags -of default=noprint_wrappers=1 film.$from |
    grep -cviE '^TAG:(major_brand|minor_version|compatible_brands|encoder|duration)=')
  [ "$lines" -eq 3 ]
  verdict $? "$from lists $lines tags instead of 3"
done

echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
