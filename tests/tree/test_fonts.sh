#!/usr/bin/env bash
# A bundle brings its font: on a host without fontconfig and without fonts the overlay has the same letters, and nothing
# complains. The letters do not depend on the user's language either. Where no other file system can be laid over /etc/fonts,
# nothing is tried. Usage: test_fonts.sh PROGRAM
set -uo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
program=$1
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
font=/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf
[ -f "$font" ] || { echo "skipped: there is no $font"; exit 77; }
mkdir -p "$folder"/{bundle/bin,bundle/share/fonts,bare/bin,empty,home}
cp "$program" "$folder/bundle/bin/" && cp "$program" "$folder/bare/bin/"
cp "$font" "$root/scripts/fonts.conf" "$folder/bundle/share/fonts/"

draw() { # program, output
  "$1" still plummer -n 64 --size 160x90 --at 0 --set overlay.clock=true -y -o "$2"
}
hidden() { # program, output: on a host without fonts
  export -f draw
  unshare -m bash -c 'mount --bind "$1/empty" /etc/fonts && mount --bind "$1/empty" /usr/share/fonts &&
    HOME=$1/home XDG_CACHE_HOME=$1/home draw "$2" "$3"' - "$folder" "$1" "$2"
}
unshare -m mount --bind "$folder/empty" /etc/fonts 2>/dev/null || { echo "skipped: nothing can be mounted here"; exit 77; }
draw "$program" "$folder/here.png" 2>"$folder/said"
case $? in 0) ;; 4) echo "skipped: $(cat "$folder/said")"; exit 77 ;; *) cat "$folder/said"; exit 1 ;; esac

failed=0
hidden "$folder/bare/bin/$(basename "$program")" "$folder/bare.png" >"$folder/said" 2>&1
grep -q 'plain strokes' "$folder/said" || { echo "FAILED without a font nothing is said:"; cat "$folder/said"; failed=1; }
hidden "$folder/bundle/bin/$(basename "$program")" "$folder/bundle.png" >"$folder/said" 2>&1 ||
  { echo "FAILED the bundle draws nothing:"; cat "$folder/said"; failed=1; }
if grep -iE 'fontconfig|stroke|font' "$folder/said"; then echo "FAILED the bundle complains of fonts"; failed=1; fi
cmp "$folder/here.png" "$folder/bundle.png" || { echo "FAILED the letters are others"; failed=1; }
! cmp -s "$folder/here.png" "$folder/bare.png" || { echo "FAILED strokes and letters are the same"; failed=1; }
cat >"$folder/chinese.conf" <<'END'
<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <include>/etc/fonts/fonts.conf</include>
  <match target="pattern">
    <test name="lang" compare="contains"><string>zh</string></test>
    <edit name="family" mode="prepend" binding="strong"><string>DejaVu Sans Mono</string></edit>
  </match>
</fontconfig>
END
for language in C zh_CN.UTF-8; do
  (export FONTCONFIG_FILE=$folder/chinese.conf LC_ALL=$language LANGUAGE=$language; draw "$program" "$folder/$language.png") 2>"$folder/said" ||
    { echo "FAILED in the language $language nothing is drawn:"; cat "$folder/said"; failed=1; }
  cmp "$folder/here.png" "$folder/$language.png" || { echo "FAILED the letters of the language $language are others"; failed=1; }
done
echo "$((6 - failed)) passed, $failed failed"
[ "$failed" -eq 0 ]
