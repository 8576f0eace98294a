#!/usr/bin/env bash
# scripts/wheel makes the same bytes twice, of a bundle alone; the wheel, installed in a clean environment, is the program and
# the module, with the program in it. The bundle here is this build; scripts/test-package takes a real one to a fresh system.
# The module has types, if mypy is there. Usage: test_wheel.sh PROGRAM
set -uo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
program=$(readlink -f "$1")
unset GRAVREEL PYTHONPATH
for python in python3 /usr/bin/python3 ''; do
  [ -z "$python" ] || ! "$python" -c 'import numpy, PIL, tomllib, venv, ensurepip' 2>/dev/null || break
done
[ -n "$python" ] || { echo "skipped: numpy and Pillow are not installed: nor Python 3.11 with venv"; exit 77; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder" || exit 1
failed=0 passed=0
verdict() { # exit code, what
  if [ "$1" -eq 0 ]; then passed=$((passed + 1)); else failed=$((failed + 1)); echo "FAILED $2"; fi
}

mkdir -p bundle/{bin,lib,share/fonts}
cp "$program" bundle/bin/gravreel
echo 'for x86_64 Linux with glibc 2.36 or newer' >bundle/README.md
for file in LICENSE NOTICE; do cp "$root/$file" bundle/; done
cp "$(dirname "$program")/libgravreel.so.1" bundle/lib/
for k in 1 2; do
  SOURCE_DATE_EPOCH=1700000000 "$python" "$root/scripts/wheel" -o made$k bundle >said 2>&1
  verdict $? "scripts/wheel: $(cat said)"
  touch bundle/*/* # times do not matter
done
wheel=$(echo made1/*.whl)
version=$(sed -nE 's/^project\(gravreel VERSION ([0-9.]+).*/\1/p' "$root/CMakeLists.txt")
[ "${wheel#made1/}" = "gravreel-$version-py3-none-manylinux_2_36_x86_64.whl" ] && cmp "$wheel" made2/*.whl
verdict $? "the same wheel twice: $wheel"
rm bundle/README.md
"$python" "$root/scripts/wheel" -o made3 bundle >said 2>&1
[ $? -eq 1 ] && grep -q 'is no bundle: .*make one with scripts/bundle' said
verdict $? "a folder without its README: $(cat said)"

"$python" -m venv --system-site-packages clean && clean/bin/pip install -q --no-index --no-deps "$wheel" >said 2>&1
verdict $? "pip install: $(cat said)"
PATH=/usr/bin:/bin clean/bin/python -c 'import gravreel; print(gravreel.__version__, gravreel.__file__, gravreel._program.program())' >said 2>&1
grep -q "^$version .*clean/.*/gravreel/__init__.py .*clean/.*/gravreel/bundle/bin/gravreel$" said
verdict $? "the module has its program: $(cat said)"
for command in clean/bin/gravreel 'clean/bin/python -m gravreel'; do
  $command --version >said 2>&1 && grep -q "^gravreel $version" said
  verdict $? "$command --version: $(cat said)"
  $command rendr >said 2>&1
  [ $? -eq 2 ] && grep -q "did you mean 'render'" said
  verdict $? "$command: the exit code and the message are the program's: $(cat said)"
done
cat >film.py <<'END'
import gravreel, numpy as np
x = np.random.default_rng(1).normal(size=(50, 3))
with gravreel.Film("film.mp4", size="64x36", frames=4) as film:
    for k in range(3):
        film.frame(k, x + k, np.ones((50, 3)), mass=np.ones(50))
END
clean/bin/python film.py >said 2>&1
code=$?
[ $code -eq 0 ] && [ -s film.mp4 ] || tail -n 1 said | grep -q 'no device\|EGL'
verdict $? "a film of the installed module: $(tail -n 1 said)"
"$python" "$root/scripts/wheel" nothing.tar.xz >said 2>&1
[ $? -eq 1 ] && grep -q "cannot read the bundle 'nothing.tar.xz'" said
verdict $? "a bundle that is not there: $(cat said)"

if "$python" -c 'import mypy' 2>/dev/null; then
  "$python" -m mypy --strict --cache-dir=/dev/null "$root/cmd/library/python/gravreel" >said 2>&1
  verdict $? "types: $(cat said)"
else
  echo "note: mypy is not installed, so the module's types are not checked"
fi

echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
