#!/usr/bin/env bash
# A film has one plan (camera, moments, exposure, scales), whoever draws it: any number of ranks with any number of bodies,
# a run that is resumed, ranges that share checkpoints, stills. With GRAVREEL_TEST_ALL=1 around every threshold of the
# number of bodies. Usage: test_ranks_plan.sh PROGRAM
source "$(dirname "${BASH_SOURCE[0]}")/../support/ranks.sh"
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
    start "$ranks" $(first "$1" "$2" ranks) && cmp alone/plan.json ranks/plan.json >>said 2>&1
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

# --- a film that is resumed ------------------------------------------------------------------------------------------------
film() { words milky-way-andromeda 600 --size 64x36 --codec h264-lossless --set output.frames=60 -o "$1"; }
unfinished() { # film: stopped before its end
  rm -rf "$1"*
  "$program" $(film "$1") --set output.frames=60 >said 2>&1 &
  job=$!
  until [ -e "$1.parts/plan.json" ] || [ -e "$1" ] || ! kill -0 $job 2>/dev/null; do sleep 0.02; done
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
  again
  sed -i 's/"passage": -1/"passage": -2/; s/"passage": \([0-9]\)/"passage": 1\1/' stopped.mp4.parts/plan.json
  "$program" resume stopped.mp4 >said 2>&1 && grep -q "warning: the plan 'stopped.mp4.parts/plan.json' cannot be used: its checksum does not match; the film is planned anew" said &&
    "$program" compare whole.mp4 stopped.mp4 >>said 2>&1
  verdict $? "a plan that is damaged: $(cat said)"
  again
  rm stopped.mp4.parts/plan.json
  "$program" resume stopped.mp4 >said 2>&1 && "$program" compare whole.mp4 stopped.mp4 >>said 2>&1
  verdict $? "a work folder of a version without plans: $(cat said)"
  again
  if [ -e stopped.mp4 ]; then
    "$program" still stopped.mp4 --at start -o still.png >said 2>&1 && by_plan
    verdict $? "a still of an unfinished film: $(cat said)"
  fi
fi

# --- ranges on several machines --------------------------------------------------------------------------------------------
range() { words milky-way-andromeda 600 --size 64x36 --frames "$1" --checkpoints shared -o "$2/%02d.png"; }
"$program" $(range 0..3 one) >said 2>&1 && ! by_plan && cp shared/plan.json first.json
verdict $? "the first range: $(cat said)"
start 2 $(range 4..5 two) && by_plan && cmp shared/plan.json first.json
verdict $? "a second range, by the plan of the first: $(cat said)"
"$program" $(range 4..5 three) --set camera.azimuth=3 >said 2>&1
[ $? -eq 2 ] && grep -q "the plan 'shared/plan.json' cannot be used: it belongs to another scene" said && [ ! -e three ]
verdict $? "a range of another scene: $(cat said)"

finish
