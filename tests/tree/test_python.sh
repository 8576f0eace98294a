#!/usr/bin/env bash
# The Python of docs/python.md runs as it stands. Usage: test_python.sh PROGRAM
set -uo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
program=$(readlink -f "$1")
for python in python3 /usr/bin/python3 ''; do
  [ -z "$python" ] || ! "$python" -c 'import numpy, PIL' 2>/dev/null || break
done
[ -n "$python" ] || { echo "skipped: numpy and Pillow are not installed"; exit 77; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder" || exit 1
"$program" still plummer -n 64 --size 64x36 --at 0 -o first.png >said 2>&1
case $? in 0) ;; 4) echo "skipped: $(cat said)"; exit 77 ;; *) cat said; exit 1 ;; esac
mkdir bin # the film is small, and all else as the page has it
cat >bin/gravreel <<END
#!/bin/sh
[ "\$1" != render ] || set -- "\$@" --frames 0..2 --size 64x36
exec "$program" "\$@"
END
chmod +x bin/gravreel
awk '/^```python$/ { on = 1; next } /^```/ { on = 0 } on' "$root/docs/python.md" >page.py
cat >>page.py <<'END'
assert pixels.shape == (360, 640, 3) and pixels.max() > 100, (pixels.shape, pixels.max())
assert later["mass"].shape == (1000,) and abs(later["time"] - 2) < 1e-9 and speed.max() > 0.1
END
PATH=$folder/bin:$PATH "$python" page.py >said 2>&1 || { tail -n 5 said; exit 1; }
[ -s film.mp4 ] && "$program" info film.mp4 | grep 'frames' >/dev/null || { echo "film.mp4 is no film"; exit 1; }
