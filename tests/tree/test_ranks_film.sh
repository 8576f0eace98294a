#!/usr/bin/env bash
# Simulations on several numbers of ranks, each of which draws its bodies, make the film of one process: bodies have the
# same bits, and pictures are the same but for the rounding of sums of light. Ranks that die or are asked to end leave no
# process behind, and the film so far, which any number of ranks continues. Usage: test_ranks_film.sh PROGRAM SCENE
scene=$(readlink -f "$2")
source "$(dirname "${BASH_SOURCE[0]}")/../support/programs/ranks.sh"

options() { # of all films here
  echo "$scene" -n 1000 --set simulation.force=tree-exact "$@"
}
words() { # a film of 32 frames in segments of 4; lossless, since others make more of a difference than there is
  echo render $(options --size 64x36 --codec h264-lossless --set output.frames=32 --set output.segment=4) -o "$1"
}
states() { # of a film: hashes of its bodies in the first and the last frame
  "$program" info "$1" | grep '^gravreel_[a-z]*_state'
}
same_film() { # film: as one.mp4
  "$program" compare one.mp4 "$1" >said 2>&1 && [ "$(states one.mp4)" = "$(states "$1")" ] && [ -n "$(states "$1")" ]
}

need_gl

# --- the same film -------------------------------------------------------------------------------------------------------
"$program" $(words one.mp4) --quiet >said 2>&1
verdict $? "the film of one process: $(cat said)"
for ranks in 2 5; do
  start $ranks $(words $ranks.mp4)
  verdict $? "the film on $ranks ranks: $(cat said)"
  same_film $ranks.mp4
  verdict $? "the film of $ranks ranks: $(cat said; states one.mp4; states $ranks.mp4)"
done

# Pictures, energies and half-mass radii; a camera that follows, and one that finds its distance by a pilot run.
pictures() { # folder, further words
  echo render $(options --size 96x54 --set output.frames=4 --set simulation.diagnostics_every=2 "${@:2}") -o "$1/%02d.png"
}
alike() { # what, ranks, further words
  rm -rf one ranks
  "$program" $(pictures one "${@:3}") --quiet >said 2>&1 && start "$2" $(pictures ranks "${@:3}") --quiet && same one/%02d.png ranks/%02d.png
  verdict $? "$1: $(cat said)"
  cmp one/diagnostics.csv ranks/diagnostics.csv >said 2>&1
  verdict $? "the diagnostics of $1: $(cat said; ls)"
}
alike 'all pairs' 2 --set simulation.force=exact
alike 'a camera that follows' 3 --set camera.follow=mass --set camera.frame=auto
alike 'distances to neighbours' 3 --set look.size=adaptive --set look.color=acceleration
scene=antennae alike 'trails before dust' 3 --set look.trails=1 --set look.dust=30
for without in dust trails; do
  rm -rf clear
  "$program" $(scene=antennae; pictures clear --set look.trails=1 --set look.dust=30 --set look.$without=0) --quiet >said 2>&1
  ! same one/%02d.png clear/%02d.png
  verdict $? "$without: taken for nothing: $(cat said)"
done
alike 'densities' 3 --set look.color=density
alike 'the activity' 2 --set look.mode=activity
alike 'dispersions' 3 --set look.color=temperature
scene=comparison alike 'panels of different physics' 3 --set simulation.force=exact --size 192x54
alike 'energies and adaptive steps' 3 --set overlay.energy=true --set simulation.adaptive=0.02
rm -rf brighter
"$program" $(pictures brighter --set overlay.energy=true --set simulation.adaptive=0.02 --set look.exposure=1.02) --quiet >said 2>&1
! same one/%02d.png brighter/%02d.png
verdict $? "brighter pictures are taken for the same: $(cat said)"

# Every rank makes or reads its bodies: those of the first and the last frame.
"$program" simulate "$scene" -n 601 --every 1 --until 1 -o 'file_%d.hdf5' --quiet >said 2>&1
verdict $? "snapshots: $(cat said)"
"$program" convert file_1.hdf5 table.txt --quiet >said 2>&1
verdict $? "a table: $(cat said)"
made() { # ranks, words of the film
  local film="render ${*:2} --size 64x36 --codec h264-lossless --set output.frames=2 --set simulation.force=tree-exact --quiet -y"
  "$program" $film -o alone.mp4 >said 2>&1 && start "$1" $film -o shared.mp4
  verdict $? "${*:2}: $(cat said)"
  [ -n "$(states alone.mp4)" ] && [ "$(states alone.mp4)" = "$(states shared.mp4)" ]
  verdict $? "the bodies of ${*:2} on $1 ranks: $(states alone.mp4; states shared.mp4)"
}
made 3 "$scene" -n 1001 --set bodies.noisy=true
made 5 "$scene" -n 9
made 3 "$scene" -n 501 --set bodies.use=disk,halo --set bodies.position_scale=1.1
made 3 --set bodies.model=plummer -n 100 --set bodies.virial_ratio=0.7
made 2 --set bodies.model=king -n 101
made 2 cartwheel -n 300
made 5 figure-eight
made 2 toomre -n 301 --set "camera.moves=[]"
made 3 --bodies-from file_1.hdf5 --set simulation.softening=0.1 --set simulation.dt=0.01 --set simulation.steps_per_frame=2
made 3 --bodies-from file_1.hdf5 -n 200 --set simulation.softening=0.1 --set simulation.dt=0.01 --set simulation.steps_per_frame=2
made 2 --bodies-from table.txt --set simulation.softening=0.1 --set simulation.dt=0.01 --set simulation.steps_per_frame=2

# As unequal shares as can be: what is decided by a rank's own number of bodies would differ.
export GRAVREEL_RANKS_SKEW=1
made 3 "$scene" -n 601
alike 'unequal shares' 2
unset GRAVREEL_RANKS_SKEW

# Snapshots of ranks are GADGET's of several files, with the bodies of one process's.
saved() { # names of snapshots
  echo render $(options --size 64x36 --set output.frames=8 --every 1 -y) -o saved.mp4 --save-snapshots "$1"
}
"$program" $(saved 'film_%d.hdf5') >said 2>&1 && start 3 $(saved 'many_%d.hdf5') && [ -e many_2.2.hdf5 ] && [ ! -e many_2.3.hdf5 ]
verdict $? "snapshots of a film on 3 ranks: $(cat said; ls)"
for k in 0 1 2; do
  "$program" convert film_$k.hdf5 film.npz --quiet -y >said 2>&1 && "$program" convert many_$k.0.hdf5 many.npz --quiet -y >said 2>&1 && cmp film.npz many.npz
  verdict $? "snapshot $k of 3 ranks: $(cat said)"
done
"$program" $(saved 'film_%d.npz') >said 2>&1 && start 2 $(saved 'many_%d.npz') && grep -q 'because --save-snapshots needs them' said && cmp film_2.npz many_2.npz
verdict $? "snapshots in another format: $(cat said)"
made 2 --bodies-from many_1.0.hdf5 --set simulation.softening=0.1 --set simulation.dt=0.01 --set simulation.steps_per_frame=2

# A manifest has the bodies, energies and radii of one process; light is rounded differently.
manifest() { # film, further words
  echo render $(options --size 64x36 --codec h264-lossless --set output.frames=3 --quiet -y "${@:2}") -o "$1.mp4" --manifest "$1.json"
}
physics() { # manifest
  grep '"kinetic"' "$1" | sed -E 's/"light": .*"bias": [^,]*, //'
}
"$program" $(manifest record) >said 2>&1
verdict $? "a manifest: $(cat said)"
physics record.json >wanted
start 3 $(manifest ranks) && physics ranks.json | cmp - wanted && [ "$(grep -c sketch wanted)" -eq 3 ] && [ "$(grep -c '"bodies": 1000' ranks.json)" -eq 1 ]
verdict $? "the manifest of 3 ranks: $(cat said; physics ranks.json)"
! grep -q 'rank 0 has' said
verdict $? "rank 0 has all bodies for a manifest: $(cat said)"
"$program" $(manifest ranks --set bodies.seed=2) >said 2>&1
! physics ranks.json | cmp -s - wanted
verdict $? "a manifest of other bodies is taken for the same"

"$program" $(scene=comparison; manifest record --set simulation.force=exact) >said 2>&1 && start 3 $(scene=comparison; manifest ranks --set simulation.force=exact)
verdict $? "manifests of several simulations: $(cat said)"
physics record.json >wanted && physics ranks.json | cmp - wanted && [ "$(grep -o '"half_mass"' wanted | wc -l)" -eq 6 ]
verdict $? "the manifest of several simulations: $(physics ranks.json)"

# --- other commands ------------------------------------------------------------------------------------------------------
start 2 $(words dry.mp4) --dry-run && grep -q 'on 2 ranks' said && grep -q '^bodies  *1000 in ' said && grep -q 'at its beginning' said && [ ! -e dry.mp4 ]
verdict $? "--dry-run on ranks: $(cat said)"
# The last snapshot is not at a multiple of --every, and the simulation goes on with steps of another length.
simulate() { echo simulate "$scene" -n 500 --set simulation.force=tree-exact --every 0.3 --until 0.7 -y -o "$1"; }
"$program" $(simulate 'one_%d.npz') >said 2>&1 && "$program" $(simulate 'one_%d.hdf5') >said 2>&1
verdict $? "snapshots of one process: $(cat said)"
start 3 $(simulate 'ranks_%d.hdf5') && [ -e ranks_3.2.hdf5 ] && ! grep -q 'rank 0 has' said && grep -q '^500 bodies' said
verdict $? "simulating on 3 ranks: $(cat said; ls)"
for k in 0 1 2 3; do
  "$program" convert one_$k.hdf5 one.npz --quiet -y >said 2>&1 && "$program" convert ranks_$k.0.hdf5 ranks.npz --quiet -y >said 2>&1 && cmp one.npz ranks.npz >said 2>&1
  verdict $? "snapshot $k of 3 ranks that simulate: $(cat said)"
done
start 3 $(simulate 'ranks_%d.npz') && grep -q '^rank 0 has all bodies, because snapshots of the format npz ' said && cmp one_3.npz ranks_3.npz
verdict $? "snapshots that rank 0 writes: $(cat said)"
start 2 $(simulate 'lost/file_%d.hdf5') --set simulation.softening=-1
[ $? -eq 2 ] && [ "$(grep -c '^gravreel: ' said)" -eq 1 ]
verdict $? "simulating a wrong scene on ranks: $(cat said)"
still() { echo still "$scene" -n 500 --set simulation.force=tree-exact --at 0.3 --size 64x36; }
"$program" $(still) -o one.png >said 2>&1 && start 2 $(still) -o ranks.png && same one.png ranks.png
verdict $? "a picture of 2 ranks: $(cat said)"
tiles() { still; echo --size 4224x96 --set look.glow=0.3; }
"$program" $(tiles) -o one_tiles.png >said 2>&1 && start 3 $(tiles) -o tiles.png && ! grep -q 'rank 0 has' said && same one_tiles.png tiles.png
verdict $? "a picture in tiles: $(cat said)"
start 2 $(words tree.mp4) --set simulation.force=tree
[ $? -eq 4 ] && [ "$(grep -c '^gravreel: simulation.force tree .*tree-exact' said)" -eq 1 ]
verdict $? "a force that ranks do not have: $(cat said)"

# --- ranks that are lost, and that are asked to end ----------------------------------------------------------------------
starting() { # film: on 3 ranks, until its first segment is there
  "$mpirun" 3 "$program" $(words "$folder/$1.mp4") >said 2>&1 &
  job=$!
  until [ -e "$1.mp4.parts/segment-000001.mp4.gravreel.part" ] || [ -e "$1.mp4.parts/segment-000001.mp4" ] || [ -e "$1.mp4" ] || ! kill -0 $job 2>/dev/null; do
    sleep 0.02
  done
}
goes_on() { # film, ranks
  [ -e "$1.mp4.parts/segment-000000.mp4" ] || same_film "$1.mp4" # complete before the signal came
  verdict $? "$1: the film so far: $(ls "$1.mp4.parts" 2>&1)"
  start "$2" resume "$1.mp4" --quiet || { [ ! -e "$1.mp4.parts" ] && grep -q 'is complete' said; }
  verdict $? "$1: continued on $2 ranks: $(cat said)"
  same_film "$1.mp4"
  verdict $? "$1: the film: $(cat said; states one.mp4; states "$1.mp4")"
}

starting killed-2
kill -KILL $(process_of killed-2 2)
ended killed-2
# On a busy machine the film may be complete before the signal comes; then no parts are left to continue twice.
mkdir copy
[ ! -e killed-2.mp4.parts ] || cp -r killed-2.mp4* copy
goes_on killed-2 1
if [ -e copy/killed-2.mp4.parts ]; then
  rm -rf killed-2.mp4*
  mv copy/* .
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

# A signal for any rank ends the film on all.
starting asked-2
kill -TERM $(process_of asked-2 2)
ended asked-2
[ $code -eq 143 ] || [ -e asked-2.mp4 ]
verdict $? "a signal for rank 2 alone: exit code $code: $(cat said)"
goes_on asked-2 3

# A rank that does not move any more, as when its host is gone: rank 0 says which it was when it is asked to end.
starting asleep
kill -STOP $(process_of asleep 2)
kill -TERM $(process_of asleep 0)
ended asleep
grep -q '^gravreel: no answer from rank 2 on ' said
verdict $? "a rank that is asleep: $(cat said)"
goes_on asleep 1

finish
