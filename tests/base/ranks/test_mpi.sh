#!/usr/bin/env bash
# What several ranks do together, under mpirun. Usage: test_mpi.sh RANKS_CASES PROGRAM
set -uo pipefail
cases=$1 program=$2
mpirun=$(cd "$(dirname "${BASH_SOURCE[0]}")/../../support/programs" && pwd)/mpirun
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
failed=0 passed=0

verdict() { # exit code, what
  if [ "$1" -eq 0 ]; then passed=$((passed + 1)); else failed=$((failed + 1)); echo "FAILED $2"; cat "$folder/said"; fi
}
start() { # ranks, what to start; a start that hangs is ended far beyond what load makes of it
  timeout --kill-after=10 600 "$mpirun" "$@" >"$folder/said" 2>&1
}
says() { grep -q -- "$1" "$folder/said"; }

start 1 "$cases" every
[ $? -ne 77 ] || { cat "$folder/said"; exit 77; }
for ranks in 1 2 3 5; do
  case $ranks in
  2) more='large threads lanes disagree agree decisions stops end exit end-1' ;;
  3) more='disagree decisions stops end end-1' ;;
  5) more='large threads lanes' ;;
  *) more= ;;
  esac
  for case in every $more; do
    start $ranks "$cases" $case && says '^done$'
    verdict $? "$case on $ranks ranks"
  done
done
start 2 "$cases" signal && says '^done$'
verdict $? "ranks that are signalled while rank 0 works"

# Ranks that are gone, or do not move any more: rank 0 says which, and no process is left.
start 3 "$cases" killed
[ $? -ne 0 ] && ! says '^done$'
verdict $? "a rank that is killed"
start 3 "$cases" asleep
[ $? -ne 0 ] && says '^gravreel: no answer from rank 2 on [^ ]*; ending all ranks$' && [ "$(grep -c '^gravreel: ' "$folder/said")" = 1 ]
verdict $? "a rank that does not answer"
start 3 "$cases" late
[ $? -ne 0 ] && says '^gravreel: no answer from rank 1 on [^ ]*; ending all ranks$'
verdict $? "a rank that does not come to the end"
sleep 2 # what mpirun gives processes before it kills them
! pgrep -f -- "^$cases (killed|asleep|late)" >"$folder/said"
verdict $? "processes that are left behind"

start 3 "$program" doctor && says '\[ok\] rank 2 .* 3 of 3 there, 1 thread$'
verdict $? "doctor on 3 ranks"
start 3 "$program" doctor --json && says '"rank 2"'
verdict $? "doctor --json on 3 ranks"
start 2 "$program" --version && [ "$(grep -c '^gravreel ' "$folder/said")" = 1 ]
verdict $? "--version on 2 ranks: once"
start 2 "$program" render --nonsense
[ $? -eq 2 ] && [ "$(grep -c "^gravreel: there is no option '--nonsense'" "$folder/said")" = 1 ]
verdict $? "an option that there is not, on 2 ranks: once"
start 2 "$program" render --frames
[ $? -eq 2 ] && [ "$(grep -c "option '--frames' requires an argument" "$folder/said")" = 1 ]
verdict $? "an option without its argument, on 2 ranks: once"
# Ranks are the same program with the same words. The other program says that it was built from another commit.
refused() { # what it says, what rank 1 is started with
  start 1 "$program" scenes : -n 1 "${@:2}"
  [ $? -eq 2 ] && says "^gravreel: rank 1 on [^ ]*: this rank $1" && [ "$(grep -c '^gravreel: ' "$folder/said")" = 1 ]
  verdict $? "a rank started with ${*:2}"
}
commit=$("$program" --version | sed -n 's/^commit *//p')
LC_ALL=C sed "s/$commit/$(tr 0-9a-z 1-90b-za <<<"$commit")/g" "$program" >"$folder/other"
chmod +x "$folder/other"
start 2 "$program" scenes && says 'milky-way-andromeda'
verdict $? "the same program with the same words"
refused "runs .gravreel .*, but rank 0 .gravreel .*; start the same program on all hosts" "$folder/other" scenes
refused "was given the words .scenes --verbose., but rank 0 .scenes.; start all ranks with the same command" "$program" scenes --verbose
SLURM_STEP_NUM_TASKS=2 SLURM_PROCID=0 "$program" --version >"$folder/said" 2>&1
[ $? -eq 4 ] && says '^gravreel: srun started gravreel 2 times, .* --mpi='
verdict $? "srun without MPI"
SLURM_STEP_NUM_TASKS=2 SLURM_PROCID=1 "$program" --version >"$folder/said" 2>&1
[ $? -eq 4 ] && [ ! -s "$folder/said" ]
verdict $? "srun without MPI: said once"

echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
