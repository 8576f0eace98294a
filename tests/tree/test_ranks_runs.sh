#!/usr/bin/env bash
# Runs that are recorded on ranks are those of one process, and so are the films from them, also of a film that was killed and
# is made again with another title. Usage: test_ranks_runs.sh PROGRAM
source "$(dirname "${BASH_SOURCE[0]}")/../support/programs/ranks.sh"

words() { # more of them
  echo plummer -n 600 --set output.size=96x54 --set output.frames=96 --set output.segment=4 --set output.threads=1 \
    --set simulation.force=tree-exact --set overlay.title=true --quiet "$@"
}

need_gl
"$program" simulate $(words -o one.gvr) >said 2>&1 && "$program" render one.gvr --quiet -o one.mp4 >>said 2>&1
verdict $? "a run of one process and its film: $(cat said)"
for ranks in 2 3; do
  start $ranks simulate $(words -o $ranks.gvr)
  verdict $? "a run on $ranks ranks: $(cat said)"
  cmp one.gvr $ranks.gvr >said 2>&1
  verdict $? "the bytes of the run of $ranks ranks: $(cat said)"
done
start 2 render $(words -o kept.mp4 --keep-run kept.gvr)
verdict $? "a film on 2 ranks that keeps its run: $(cat said)"
cmp one.gvr kept.gvr >said 2>&1 && cmp one.mp4 kept.mp4 >said 2>&1
verdict $? "what 2 ranks keep, and their film: $(cat said)"
start 3 render $(words -o drawn.mp4 --keep-run kept.gvr) && cmp one.mp4 drawn.mp4 >>said 2>&1
verdict $? "a film of 3 ranks from it: $(cat said)"

# --- killed, and continued on another number of ranks, with another title ---------------------------------------------------
"$mpirun" 2 "$program" render $(words -o "$folder/killed.mp4" --keep-run killed.gvr --set output.title=Other) >said 2>&1 &
job=$!
until rank=$(process_of killed 1) && [ -n "$rank" ] || ! kill -0 $job 2>/dev/null; do sleep 0.02; done
until compgen -G 'killed.gvr.state/checkpoint-*.h5' >/dev/null || ! kill -0 $job 2>/dev/null; do sleep 0.01; done
kill -KILL $rank 2>/dev/null
ended killed
start 3 render $(words -o "$folder/killed.mp4" --keep-run killed.gvr --resume)
verdict $? "continued on 3 ranks: $(cat said)"
[ -e killed.before.mp4.parts ] && cmp one.mp4 killed.mp4 >said 2>&1
verdict $? "the film that was continued: $(cat said; ls)"

finish
