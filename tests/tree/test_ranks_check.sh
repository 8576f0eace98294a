#!/usr/bin/env bash
# Baselines are recorded and checked on ranks as by one process: the same texts, verdicts and reports, with the forces of
# all ranks. The benchmark says what it measures on them. Usage: test_ranks_check.sh PROGRAM
source "$(dirname "${BASH_SOURCE[0]}")/../support/programs/ranks.sh"
need_gl

shared() { # the forces of the run before were shared
  grep -q '^rank 0 has and draws all bodies, because this command needs them' said
}
reports() { # two folders with what checks have kept: nothing differs but names and times
  sed -i -E "s#\"seconds\": .*##; s#$1/##g" "$1/report.json"
  sed -i -E "s#\"seconds\": .*##; s#$2/##g" "$2/report.json"
  diff -r "$1" "$2" >differ
}

# --- the same baselines --------------------------------------------------------------------------------------------------
words() { # folder
  echo baseline plummer -n 200 --size 64x36 --frames 3 --set simulation.force=tree-exact -o "$1"
}
"$program" $(words one) >said 2>&1
verdict $? "a baseline of one process: $(cat said)"
start 3 $(words ranks) && shared && diff -r one ranks >>said
verdict $? "a baseline of 3 ranks: $(cat said)"
start 3 $(words ranks)
[ $? -eq 2 ] && [ "$(grep -c '^gravreel: .* exists already' said)" -eq 1 ]
verdict $? "a baseline that exists: $(cat said)"

# Bodies in a file, which can be changed, and a scene, which can, too.
printf '%s\n' '1 0 0 0 0 0 0' '0.1 1 0 0 0 1 0' '0.1 0 2 0 -0.7 0 0' '0.2 -1.5 0 0.1 0 -0.8 0.1' >bodies.txt
"$program" scenes plummer >scene.yaml
"$program" baseline scene.yaml --bodies-from bodies.txt --set simulation.softening=0.1 --set simulation.dt=0.01 \
  --set simulation.steps_per_frame=2 --set simulation.force=exact --size 64x36 --frames 3 -o one --name file >said 2>&1
verdict $? "a baseline of bodies in a file: $(cat said)"

checked() { # what, ranks, exit code, what it says, further words: as by one process
  rm -rf alone on_ranks
  "$program" check one -o alone "${@:5}" >said 2>&1
  [ $? -eq "$3" ] && grep -qs "$4" said alone/report.json # whole there, while a terminal cuts lines
  verdict $? "$1, one process: $(cat said)"
  start "$2" check one -o on_ranks "${@:5}"
  [ $? -eq "$3" ] && grep -qs "$4" said on_ranks/report.json && shared
  verdict $? "$1, $2 ranks: $(cat said)"
  reports alone on_ranks
  verdict $? "$1: the reports differ: $(cat differ)"
}
checked 'what has not changed' 3 0 'all 2 cases pass'
sed -i 's/^0.1 1 0/0.1 1.01 0/' bodies.txt
checked 'bodies that start elsewhere' 3 3 'the initial state differs at frame 0'
sed -i 's/^0.1 1.01 0/0.1 1 0/' bodies.txt
sed -i 's/^  exposure:.*//; s/^look:/look:\n  exposure: 2/' scene.yaml
checked 'a scene that has changed' 2 3 'the scene has changed\|look.exposure'
mv one/file.objects away
checked 'objects that are missing' 2 3 'missing'
mv away one/file.objects
sed -i 's/"frames"/"frame"/' one/file.json
checked 'a text that was edited' 2 5 'file.json'

# --- snapshots have no forces: rank 0 makes their films --------------------------------------------------------------------
"$program" simulate plummer -n 60 --set simulation.force=exact --every 0.1 --until 0.3 -o 'snap_%d.hdf5' --quiet >said 2>&1
verdict $? "snapshots: $(cat said)"
played() { echo baseline plummer -n 0 --set bodies.model=snapshots --set bodies.file=snap_%d.hdf5 --size 64x36 --frames 3 -o "$1"; }
"$program" $(played played_one) >said 2>&1 && start 2 $(played played_ranks) && diff -r played_one played_ranks >>said
verdict $? "a baseline of snapshots: $(cat said)"
start 2 check played_one
verdict $? "a check of snapshots: $(cat said)"

# --- the benchmark ---------------------------------------------------------------------------------------------------------
start 2 bench --quick -n 1024 --json bench.json && grep -q '^suite solver: .*; all ranks share the forces' said && ! grep -q 'fail' said &&
  grep -q '"title": "the program.s own solver, CPU, 2 ranks"' bench.json && grep -q '"tree-exact"' bench.json
verdict $? "the benchmark of forces on ranks: $(cat said bench.json)"
start 2 bench --quick --suite files -n 1024 && grep -q '^suite files: .*; rank 0 measures it alone' said
verdict $? "a benchmark that rank 0 makes: $(cat said)"
start 3 bench --suite unknown
[ $? -eq 2 ] && [ "$(grep -c '^gravreel: ' said)" -eq 1 ]
verdict $? "a benchmark that is not there: $(cat said)"

# --- a run that is stopped -----------------------------------------------------------------------------------------------
"$program" baseline plummer -n 2000 --size 64x36 --frames 60 --set simulation.force=exact -o long >said 2>&1
verdict $? "a longer baseline: $(cat said)"
"$mpirun" 3 "$program" check long -o stopped >said 2>&1 &
job=$!
until grep -q 'rank 0 has' said || ! kill -0 $job 2>/dev/null; do sleep 0.02; done
for id in $(pgrep -f -- "check long -o stopped"); do
  tr '\0' '\n' 2>/dev/null <"/proc/$id/environ" | grep -qxE '(OMPI_COMM_WORLD_RANK|PMI_RANK)=2' && kill -TERM "$id"
done
wait $job
code=$?
[ $code -eq 143 ] || { [ $code -eq 0 ] && grep -q 'passes' said; }
verdict $? "a signal for rank 2 of a check: exit code $code: $(cat said)"

finish
