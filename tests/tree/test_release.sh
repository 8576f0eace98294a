#!/usr/bin/env bash
# scripts/release makes the source archive of a commit, the same twice and in another clone, and nothing of a tree with changes
# or over another release. Bundle, packages and wheel have tests of their own (test_install, test_wheel) and take minutes.
set -uo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
git -C "$root" rev-parse -q --verify HEAD >/dev/null 2>&1 || { echo "skipped: no history: this is not a clone"; exit 77; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder" || exit 1
failed=0 passed=0
verdict() { # exit code, what
  if [ "$1" -eq 0 ]; then passed=$((passed + 1)); else failed=$((failed + 1)); echo "FAILED $2"; fi
}
version=$(sed -nE 's/^project\(gravreel VERSION ([0-9.]+).*/\1/p' "$root/CMakeLists.txt")

for clone in a b/c; do
  git clone -q --shared "$root" "$clone" && cp "$root/scripts/release" "$clone/scripts/" # as it is here
  (cd "$clone" && git -c user.name=a -c user.email=a@b commit -qam release --date='2026-01-01T00:00:00' >/dev/null 2>&1)
  GIT_COMMITTER_DATE='2026-01-01T00:00:00' git -C "$clone" -c user.name=a -c user.email=a@b commit -q --amend --no-edit --date='2026-01-01T00:00:00' --reset-author
  "$clone/scripts/release" -o "made/$clone" --fast source >said 2>&1
  verdict $? "scripts/release in $clone: $(tail -n 3 said)"
done
[ "$(ls made/a)" = "SHA256SUMS
gravreel-$version.tar.xz" ] && cmp made/a/SHA256SUMS made/b/c/SHA256SUMS && (cd made/a && sha256sum --quiet -c SHA256SUMS)
verdict $? "the same source twice: $(cat made/a/SHA256SUMS made/b/c/SHA256SUMS)"
tar -xf made/a/*.tar.xz && [ -x "gravreel-$version/scripts/release" ] &&
  [ "$(cut -c1-10 "gravreel-$version/cmake/commit.txt")" = "$(git -C a rev-parse HEAD | cut -c1-10)" ]
verdict $? "the archive says its commit: $(cat "gravreel-$version/cmake/commit.txt")"

refused() { # exit code, what it says, words of the command line
  local code expected=$1 says=$2
  shift 2
  a/scripts/release "$@" >said 2>&1
  code=$?
  [ $code -eq "$expected" ] && grep -q -- "$says" said
  verdict $? "scripts/release $*: exit code $code: $(cat said)"
}
refused 1 'has files already; name another one with -o' -o made/a source
refused 2 "no option or part 'sources'" -o other sources
refused 2 '-o needs a folder' source -o
touch a/new
refused 1 'changes that are not committed' -o other source
[ ! -e other ]
verdict $? "nothing is written: $(ls other 2>/dev/null)"

echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
