#!/usr/bin/env bash
# Films of snapshots, of which each rank reads and draws a share, are those of one process; ranks that die or are asked to
# end leave the film so far, which any number of ranks continues. Usage: test_ranks_snapshots.sh PROGRAM
source "$(dirname "${BASH_SOURCE[0]}")/../support/programs/ranks.sh"

words() { # of what is drawn
  echo --snapshots "snap_*.hdf5" --size 96x54 --set output.frames=48 --set output.segment=4 --quiet "$@"
}

need_gl
"$program" simulate mice -n 2000 --every 8 -o 'snap_%03d.hdf5' --quiet >said 2>&1
verdict $? "snapshots: $(cat said)"
set -f # patterns are the program's

# --- the same pictures ---------------------------------------------------------------------------------------------------
"$program" render $(words -o one/%02d.png) --frames 0..3 >said 2>&1
verdict $? "the pictures of one process: $(cat said)"
for ranks in 2 5; do
  start $ranks render $(words -o $ranks/%02d.png) --frames 0..3
  verdict $? "pictures on $ranks ranks: $(cat said)"
  same one/%02d.png $ranks/%02d.png
  verdict $? "the pictures of $ranks ranks: $(cat said)"
done
"$program" render $(words -o brighter/%02d.png) --frames 0..3 --set look.exposure=1.02 >said 2>&1
! same one/%02d.png brighter/%02d.png
verdict $? "brighter pictures are taken for the same: $(cat said)"
# Looks for which the ranks tell each other more than light.
alike() { # ranks, words of the look
  rm -rf one_look ranks_look
  "$program" render $(words -o one_look/%02d.png "${@:2}") --frames 0..3 >said 2>&1 && start "$1" render $(words -o ranks_look/%02d.png "${@:2}") --frames 0..3 && same one_look/%02d.png ranks_look/%02d.png
  verdict $? "${*:2} on $1 ranks: $(cat said)"
}
alike 3 --set look.trails=0.1
alike 2 --set look.color=density
alike 3 --set look.color=temperature
# Energies: the bits of one process.
exact="--set simulation.force=tree-exact"
alike 3 $exact --set overlay.energy=true --set simulation.diagnostics_every=2
cmp one_look/diagnostics.csv ranks_look/diagnostics.csv >said 2>&1
verdict $? "the diagnostics: $(cat said; ls)"
physics() { # manifest
  grep '"kinetic"' "$1" | sed -E 's/"light": .*"bias": [^,]*, //'
}
manifest() { # film
  echo render $(words --codec h264-lossless $exact) --frames 20..23 -o "$1.mp4" --manifest "$1.json"
}
"$program" $(manifest record) >said 2>&1 && start 3 $(manifest ranks)
verdict $? "manifests: $(cat said)"
physics record.json >wanted && physics ranks.json | cmp - wanted && [ "$(grep -c sketch wanted)" -eq 4 ]
verdict $? "the manifest of 3 ranks: $(physics ranks.json)"
start 2 render $(words -o limits/%02d.png $exact --set expect.energy_drift=1e-9) --frames 0..3
[ $? -eq 3 ] && grep -q energy_drift said
verdict $? "a limit of expect: $(cat said)"
"$program" still $(words --at start -o one.png) && start 2 still $(words --at start -o ranks.png) && same one.png ranks.png
verdict $? "a picture of 2 ranks: $(cat said)"
few() { echo still $(words --at 1 -n 500 --set camera.distance=30); }
"$program" $(few) -o one_few.png && start 2 $(few) -o few.png && same one_few.png few.png
verdict $? "a picture of fewer bodies on 2 ranks: $(cat said)"

# --- films ---------------------------------------------------------------------------------------------------------------
# Without a pilot run, of 48 frames in segments of 4; lossless, since others make more of a difference than there is.
film() { # name, words
  echo render $(words --set camera.distance=30 --codec h264-lossless "${@:2}") -o "$folder/$1.mp4"
}
"$program" $(film one) >said 2>&1
verdict $? "the film of one process: $(cat said)"
for name in two again; do
  start 2 $(film $name)
  verdict $? "a film on 2 ranks: $(cat said)"
done
cmp -s two.mp4 again.mp4
verdict $? "the bytes of two films on 2 ranks"
"$program" verify two.mp4 --redraw 2 >said 2>&1 && grep -q '48 of 48 frames' said
verdict $? "what 'verify' finds: $(cat said)"
start 2 verify two.mp4 --redraw 2
verdict $? "what 'verify' finds on 2 ranks: $(cat said)"
"$program" compare one.mp4 two.mp4 >said 2>&1
verdict $? "films of one process and of 2 ranks: $(cat said)"
start 2 $(film dry) --dry-run && grep -q '^bodies  *2000 in 8 ' said && grep -q 'on 2 ranks' said && [ ! -e dry.mp4 ]
verdict $? "--dry-run on ranks: $(cat said)"

# --- what needs all bodies -----------------------------------------------------------------------------------------------
refused() { # words of the sentence; further words of the film
  start 2 $(film refused) "${@:2}"
  local code=$?
  [ $code -eq 2 ] && [ "$(grep -c '^gravreel: ' said)" -eq 1 ] && grep '^gravreel: ' said | grep -q -- "$1.*mpirun"
  verdict $? "$1 on ranks, exit code $code: $(cat said)"
  ls | grep refused >left
  [ ! -s left ]
  verdict $? "$1 on ranks leaves files: $(cat left)"
}
refused --save-snapshots --save-snapshots 'refused_%d.hdf5' --every 20

# --- ranks that are lost, and that are asked to end ----------------------------------------------------------------------
# So long that a signal comes before the end, however fast the machine is.
long="--set output.frames=240"
"$program" $(film whole $long) >said 2>&1
verdict $? "the long film of one process: $(cat said)"
starting() { # film, ranks (0: one process): until its first segment is there, of one process begun
  local ranks=$2 first=$1.mp4.parts/segment-000000.mp4
  if [ "$ranks" -gt 0 ]; then "$mpirun" "$ranks" "$program" $(film "$1" $long) >said 2>&1 & else "$program" $(film "$1" $long) >said 2>&1 & fi
  job=$!
  until [ -e "$first" ] || { [ "$ranks" -eq 0 ] && [ -e "$first.gravreel.part" ]; } || [ -e "$1.mp4" ] || ! kill -0 $job 2>/dev/null; do
    sleep 0.02
  done
}
goes_on() { # film, ranks; 0: one process
  if [ "$2" -gt 0 ]; then start "$2" resume "$1.mp4" --quiet; else "$program" resume "$1.mp4" --quiet >said 2>&1; fi
  verdict $? "$1: continued on $2 ranks: $(cat said)"
  ! grep -q warning said
  verdict $? "$1: $(cat said)"
  "$program" compare whole.mp4 "$1.mp4" >said 2>&1
  verdict $? "$1: the film: $(cat said)"
}

starting asked 2
kill -TERM $job
ended asked
cp -r asked.mp4.parts copy.parts && cp asked.mp4 copy.mp4
goes_on asked 3
rm -rf asked.mp4*
mv copy.parts asked.mp4.parts && mv copy.mp4 asked.mp4
goes_on asked 0

# Begun by one process, and continued on ranks.
starting alone 0
kill -TERM $job
ended alone
goes_on alone 2

starting killed 3
kill -KILL $(process_of killed 1)
ended killed
grep -q 'rank 1' said # says mpirun
verdict $? "a rank that was killed: $(cat said)"
goes_on killed 2

starting asleep 3
kill -STOP $(process_of asleep 1)
kill -TERM $(process_of asleep 0)
ended asleep
grep -q '^gravreel: no answer from rank 1 on ' said
verdict $? "a rank that is asleep: $(cat said)"
goes_on asleep 0

finish
