#!/usr/bin/env bash
# Films on several numbers of ranks have the bytes of one process's; ranks that die or are asked to end leave no process
# behind, and the film so far, which is continued to the same bytes. Usage: test_ranks_film.sh PROGRAM SCENE
scene=$(readlink -f "$2")
source "$(dirname "${BASH_SOURCE[0]}")/../support/ranks.sh"

words() { # a film of 24 frames in segments of 4
  echo render "$scene" -n 1000 --size 64x36 --codec h264 --set simulation.force=tree-exact --set output.frames=24 \
    --set output.segment=4 -o "$1"
}

need_gl

# --- the same bytes ------------------------------------------------------------------------------------------------------
"$program" $(words one.mp4) --quiet >said 2>&1
verdict $? "the film of one process: $(cat said)"
for ranks in 1 2 3 8; do
  start $ranks $(words $ranks.mp4)
  verdict $? "the film on $ranks ranks: $(cat said)"
  cmp -s one.mp4 $ranks.mp4
  verdict $? "the bytes of the film on $ranks ranks"
done

# --- other commands ------------------------------------------------------------------------------------------------------
start 2 $(words dry.mp4) --dry-run && grep -q 'on 2 ranks' said && [ ! -e dry.mp4 ]
verdict $? "--dry-run on ranks: $(cat said)"
simulate() { echo simulate "$scene" -n 500 --set simulation.force=tree-exact --every 0.3 --until 0.6 --quiet; }
"$program" $(simulate) -o 'one_%d.npz' && start 3 $(simulate) -o 'ranks_%d.npz' && cmp -s one_2.npz ranks_2.npz
verdict $? "snapshots of 3 ranks: $(cat said)"
still() { echo still "$scene" -n 500 --set simulation.force=tree-exact --at 0.3 --size 64x36; }
"$program" $(still) -o one.png >said 2>&1 && start 2 $(still) -o ranks.png && cmp -s one.png ranks.png
verdict $? "a picture of 2 ranks: $(cat said)"
start 2 $(words tree.mp4) --set simulation.force=tree
[ $? -eq 4 ] && [ "$(grep -c '^gravreel: simulation.force tree .*tree-exact' said)" -eq 1 ]
verdict $? "a force that ranks do not have: $(cat said)"

# --- ranks that are lost, and that are asked to end ----------------------------------------------------------------------
starting() { # film: on 3 ranks, until its first segment is there
  "$mpirun" 3 "$program" $(words "$folder/$1.mp4") >said 2>&1 &
  job=$!
  until [ -e "$1.mp4.parts/segment-000001.mp4.gravreel.part" ] || [ -e "$1.mp4" ] || ! kill -0 $job 2>/dev/null; do
    sleep 0.02
  done
}
goes_on() { # film, ranks
  [ -e "$1.mp4.parts/segment-000000.mp4" ] || cmp -s one.mp4 "$1.mp4" # complete before the signal came
  verdict $? "$1: the film so far: $(ls "$1.mp4.parts" 2>&1)"
  start "$2" resume "$1.mp4" --quiet
  verdict $? "$1: continued on $2 ranks: $(cat said)"
  cmp -s one.mp4 "$1.mp4"
  verdict $? "$1: the bytes of one run"
}

starting killed-2
kill -KILL $(process_of killed-2 2)
ended killed-2
# On a busy machine the film may be complete before the signal comes; then no parts are left to continue twice.
[ ! -e killed-2.mp4.parts ] || cp -r killed-2.mp4.parts copy.parts
goes_on killed-2 1
if [ -e copy.parts ]; then
  rm -rf killed-2.mp4*
  mv copy.parts killed-2.mp4.parts
  goes_on killed-2 2
fi

starting killed-0
kill -KILL $(process_of killed-0 0)
ended killed-0
goes_on killed-0 2

# Open MPI passes SIGTERM on and gives the ranks a second or two; what rank 0 has not closed by then is in the segments.
for name in INT TERM; do
  starting asked-$name
  kill -$name $job
  ended asked-$name
  goes_on asked-$name 2
done

# A rank that does not move any more, as when its host is gone: rank 0 says which it was when it is asked to end.
starting asleep
kill -STOP $(process_of asleep 2)
kill -TERM $(process_of asleep 0)
ended asleep
grep -q '^gravreel: no answer from rank 2 on ' said
verdict $? "a rank that is asleep: $(cat said)"
goes_on asleep 1

finish
