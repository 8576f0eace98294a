#!/usr/bin/env bash
# What docs/ci.md shows is what runs: its commands are tried, its jobs and the Containerfile name nothing that is not
# there, and scripts/ci-check says of a film what it should. Usage: test_ci.sh PROGRAM
set -uo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
program=$(realpath "$1")
unset CI # under which nothing is accepted
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
failed=0 passed=0
unset CI_REPORTS GITHUB_STEP_SUMMARY
export GRAVREEL=$program

verdict() { # exit code, what
  if [ "$1" -eq 0 ]; then passed=$((passed + 1)); else failed=$((failed + 1)); echo "FAILED $2"; fi
}

# Lines of the page's blocks of one language.
blocks() { awk -v start="\`\`\`$1" '$0 == start { on = 1; next } /^```/ { on = 0 } on' "$root/docs/ci.md"; }

# ---- the commands of the page ----
mkdir "$folder/bin" && ln -s "$program" "$folder/bin/gravreel"
tried=0
while IFS= read -r line; do
  (cd "$folder" && PATH=$folder/bin:$PATH bash -c "$line") >"$folder/said" 2>&1
  code=$?
  if [[ $line == *" --accept "* ]]; then # nothing differs here, so that it reads the report and says so
    [ "$code" -eq 2 ] && grep -q 'no failing case to accept' "$folder/said"
    code=$?
  fi
  verdict $code "$line: $(tail -n 3 "$folder/said")"
  tried=$((tried + 1))
done < <(blocks sh | grep '^gravreel')
[ "$tried" -ge 3 ]
verdict $? "commands of docs/ci.md: $tried"
for file in report.html junit.xml report.json; do
  [ -s "$folder/$file" ]
  verdict $? "$file is written"
done

# ---- the jobs ----
known='^(scripts/setup|scripts/ci-check tests/regression|apt-get install -y --no-install-recommends ccache|cmake --preset cpu|cmake --build --preset cpu --target gravreel)$'
steps=$(blocks yaml | sed -nE 's/^ *- (run: )?((scripts|cmake|apt-get).*)$/\2/p')
[ "$(echo "$steps" | grep -cE "$known")" -eq 10 ] && [ "$(echo "$steps" | wc -l)" -eq 10 ]
verdict $? "steps of the jobs: $steps"
blocks yaml | grep 'junit: out/ci/junit.xml' >/dev/null
verdict $? "GitLab gets the tests"
grep -q '"name": "cpu"' "$root/CMakePresets.json"
verdict $? "the preset of the jobs"

# ---- the Containerfile ----
for named in scripts/setup scripts/ci-check; do
  grep -q "$named" "$root/Containerfile" && [ -x "$root/$named" ]
  verdict $? "Containerfile: $named"
done
grep -q 'cmake --preset cpu' "$root/Containerfile"
verdict $? "Containerfile: the preset"

# ---- scripts/ci-check ----
check() { (cd "$folder" && "$root/scripts/ci-check" "$@") >"$folder/said" 2>&1; }
GITHUB_STEP_SUMMARY=$folder/summary check
verdict $? "baselines/ is the usual folder: $(tail -n 3 "$folder/said")"
[ -s "$folder/out/ci/report.html" ] && [ -s "$folder/out/ci/junit.xml" ] && [ -s "$folder/out/ci/report.json" ]
verdict $? "reports"
cmp -s "$folder/summary" "$folder/out/ci/summary.md"
verdict $? "the summary of the job"
sed -i '0,/"[0-9a-f]\{32\}"/s/"[0-9a-f]\{32\}"/"00000000000000000000000000000000"/' "$folder/baselines/plummer.json"
check
code=$?
[ "$code" -eq 3 ] || [ "$code" -eq 5 ]
verdict $? "an edited baseline does not pass: $code"
mkdir "$folder/none"
check none
[ $? -ne 0 ]
verdict $? "no baseline does not pass"
(unset GRAVREEL; cp "$root/scripts/ci-check" "$folder/ci-check"; cd "$folder" && PATH=/usr/bin:/bin ./ci-check) >"$folder/said" 2>&1
[ $? -eq 2 ] && grep -q 'no gravreel' "$folder/said"
verdict $? "without the program"

echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
