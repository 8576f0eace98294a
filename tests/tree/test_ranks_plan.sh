#!/usr/bin/env bash
# A film has one plan (camera, moments, exposure, scales), whoever draws it: any number of ranks with any number of bodies,
# a run that is resumed, ranges that share checkpoints, stills. With GRAVREEL_TEST_ALL=1 around every threshold of the
# number of bodies. Usage: test_ranks_plan.sh PROGRAM
source "$(dirname "${BASH_SOURCE[0]}")/../support/programs/ranks.sh"
need_gl

words() { # scene, bodies, further words
  echo render "$1" -n "$2" --size 96x54 --set simulation.force=tree-exact --set output.frames=24 --set output.segment=4 "${@:3}"
}
first() { # scene, bodies, folder
  words "$1" "$2" --frames 0..0 --checkpoints "$3" -o "$3/%d.png"
}
planned() { # scene, bodies, ranks...: the plans and the first pictures
  local ranks
  rm -rf alone
  "$program" $(first "$1" "$2" alone) >said 2>&1 && grep -q '^pilot run through the film' said
  verdict $? "$1 with $2 bodies: $(cat said)"
  for ranks in "${@:3}"; do
    rm -rf ranks
    start "$ranks" $(first "$1" "$2" ranks) && cmp alone/plan-*.json ranks/plan-*.json >>said 2>&1
    verdict $? "the plan of $1 with $2 bodies on $ranks ranks: $(cat said)"
    same alone/%d.png ranks/%d.png
    verdict $? "the picture of $1 with $2 bodies on $ranks ranks: $(cat said)"
  done
}

# --- around thresholds of the whole film's bodies and of a rank's ----------------------------------------------------------
planned milky-way-andromeda 4097 3
planned antennae 8193 2
if [ -n "${GRAVREEL_TEST_ALL:-}" ]; then
  for scene in milky-way-andromeda antennae; do
    for bodies in 2047 2048 2049 4095 4096 8191 8192 16383 16384 16385 65536; do
      planned $scene $bodies 2 3 5 16
    done
  done
fi

# --- a camera within a body that one rank has: the same sentence ------------------------------------------------------------
within() { words plummer 600 --set camera.distance=0.8 --set look.radius=0.2 -o within.mp4; }
"$program" $(within) 2>&1 | grep '^gravreel: ' >wanted
grep -q 'from body 283 of plummer' wanted && start 3 $(within)
[ $? -eq 2 ] && grep '^gravreel: ' said | cmp - wanted
verdict $? "a camera within a body: $(cat wanted said)"

# --- a film that is resumed ------------------------------------------------------------------------------------------------
film() { words milky-way-andromeda 600 --size 64x36 --codec h264-lossless --set output.frames=60 -o "$1"; }
unfinished() { # film: stopped before its end
  rm -rf "$1"*
  "$program" $(film "$1") --set output.frames=60 >said 2>&1 &
  job=$!
  until [ -e "$1.parts/checkpoint-000004.h5" ] || [ -e "$1" ] || ! kill -0 $job 2>/dev/null; do sleep 0.02; done
  kill -TERM $job
  wait $job
  [ -e "$1.parts/plan.json" ] || echo "the film was complete before it could be stopped"
}
by_plan() { # no plan was made
  ! grep -q 'pilot run through the film' said
}
"$program" $(film whole.mp4) --quiet >said 2>&1
verdict $? "the film of one process: $(cat said)"
unfinished stopped.mp4
if [ -e stopped.mp4.parts/plan.json ]; then
  cp stopped.mp4.parts/plan.json plan.json
  cp -r stopped.mp4.parts kept.parts
  cp stopped.mp4 kept 2>/dev/null
  start 3 resume stopped.mp4 && by_plan && "$program" compare whole.mp4 stopped.mp4 >>said 2>&1
  verdict $? "a film that 3 ranks resume: $(cat said)"

  again() { # unfinished film, as it was
    rm -rf stopped.mp4*
    cp -r kept.parts stopped.mp4.parts
    [ ! -e kept ] || cp kept stopped.mp4
  }
  resumed() { # what it says: the film is the same
    "$program" resume stopped.mp4 >said 2>&1 && grep -q "warning: $1" said && "$program" compare whole.mp4 stopped.mp4 >>said 2>&1
  }
  damage() { sed -i 's/"passage": -1/"passage": -2/; s/"passage": \([0-9]\)/"passage": 1\1/' stopped.mp4.parts/plan.json; }
  again
  damage
  resumed "the plan 'stopped.mp4.parts/plan.json' cannot be used: its checksum does not match; that of the checkpoint '.*' is used" && by_plan
  verdict $? "a plan that is damaged, beside a checkpoint: $(cat said)"
  again
  damage
  rm stopped.mp4.parts/checkpoint-*.h5
  resumed "the plan 'stopped.mp4.parts/plan.json' cannot be used: its checksum does not match; the film is planned anew"
  verdict $? "a plan that is damaged: $(cat said)"
  again
  rm stopped.mp4.parts/plan.json stopped.mp4.parts/checkpoint-*.h5
  resumed "there is no plan 'stopped.mp4.parts/plan.json'; the film is planned anew"
  verdict $? "a work folder without a plan: $(cat said)"
  again
  if [ -e stopped.mp4 ]; then
    "$program" still stopped.mp4 --at start -o still.png >said 2>&1 && by_plan
    verdict $? "a still of an unfinished film: $(cat said)"
  fi
fi

# --- ranges on several machines --------------------------------------------------------------------------------------------
range() { words milky-way-andromeda 600 --size 64x36 --frames "$1" --checkpoints shared -o "$2/%02d.png"; }
"$program" $(range 0..3 one) >said 2>&1 && ! by_plan && cp shared/plan-*.json first.json
verdict $? "the first range: $(cat said)"
start 2 $(range 4..5 two) && by_plan && cmp shared/plan-*.json first.json
verdict $? "a second range, by the plan of the first: $(cat said)"
"$program" $(range 4..5 three) --set camera.azimuth=3 >said 2>&1
[ $? -eq 0 ] && ! by_plan && [ "$(ls shared/plan-*.json | wc -l)" -eq 2 ]
verdict $? "a range of the same motion with another camera: $(cat said)"

"$program" $(words milky-way-andromeda 600 --size 64x36 --frames 4..5 -o four/%02d.png) --plan shared >said 2>&1 && by_plan && same two/%02d.png four/%02d.png
verdict $? "a range by a plan that is named: $(cat said)"
"$program" $(words milky-way-andromeda 601 --size 64x36 --frames 4..5 -o five/%02d.png) --plan first.json >said 2>&1
[ $? -eq 2 ] && grep -q -e "--plan: the plan 'first.json' cannot be used: it belongs to another scene" said && [ ! -e five ]
verdict $? "the plan of another scene: $(cat said)"

# --- a force that ranks do not have ------------------------------------------------------------------------------------------
# The whole story is simulated with the film's force, which on ranks is another one. The film is too short for its slow
# motion, which only rank 0 knows to be wanted.
story() { # folder
  words milky-way-andromeda 8193 --frames 0..0 --set simulation.force=auto --set overlay.clock_from=merger --set simulation.dt=1 \
    --set simulation.steps_per_frame=2 --checkpoints "$1" -o "$1/%d.png"
}
replaced='simulation.force auto takes tree-exact on ranks and tree in one process'
"$program" $(story auto_alone) >said 2>&1 && grep -q 'with 8193 bodies' said && ! grep -q "$replaced" said &&
  grep -q '"passage": [0-9]' auto_alone/plan-*.json
verdict $? "the force auto in one process: $(cat said)"
start 2 $(story auto_ranks) && grep -q "$replaced" said && cmp auto_alone/plan-*.json auto_ranks/plan-*.json >>said 2>&1
verdict $? "the force auto on 2 ranks: $(cat said)"

# --- texts that keep out of the light --------------------------------------------------------------------------------------
# A galaxy is where the legend would be in this film, which therefore is elsewhere, in whatever is drawn of it.
placed() {
  echo "$1" milky-way-andromeda -n 2000 --size 480x270 --set simulation.force=tree-exact --set output.frames=8 --set output.segment=4 \
    --set camera.distance=60 --set camera.target=[-26,14,0] --set look.color=speed --set overlay.legend=true --set overlay.clock=false --set overlay.captions=[] "${@:2}"
}
"$program" $(placed render -o all/%d.png --checkpoints all) >said 2>&1 && grep -q '"light"' all/plan-*.json
verdict $? "texts beside light in one process: $(cat said)"
"$program" $(placed render -o texts_range/%d.png --frames 6..7) >said 2>&1 && cmp texts_range/6.png all/6.png >>said 2>&1
verdict $? "texts of a range: $(cat said)"
"$program" $(placed still --at 0.2 -o texts.png) >said 2>&1 && "$program" compare texts.png all/6.png --fail-on=different >>said 2>&1
verdict $? "texts of a still: $(cat said)"
start 3 $(placed render -o texts_ranks/%d.png --frames 6..7) && rm -rf six && mkdir six && cp all/[67].png six && same six/%d.png texts_ranks/%d.png
verdict $? "texts on 3 ranks: $(cat said)"
"$program" $(placed render --codec h264-lossless -o one.mp4) >said 2>&1 &&
  "$program" $(placed farm --codec h264-lossless -o farm.mp4 --tasks 2 --engine make -O job.make) >>said 2>&1 &&
  PATH="$(dirname "$program"):$PATH" make -s -f job.make >>said 2>&1
verdict $? "tasks of a farm: $(cat said)"
"$program" compare one.mp4 farm.mp4 --fail-on=different >said 2>&1
verdict $? "texts of tasks of a farm: $(cat said)"

finish
