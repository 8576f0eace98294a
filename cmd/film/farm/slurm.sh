#!/bin/sh
# Written by gravreel farm. `sh FILE` submits the jobs; they run this file again.
set -eu
name={{name}}
folder={{folder}}
logs={{logs}}
resources='--cpus-per-task={{cpus}} --mem={{mebibytes}}M --time={{minutes}}'
resources="$resources --gres=gpu:{{gpus}}"
export SBATCH_PARTITION={{partition}}
retries=3

submit() { # options of sbatch
    answer=$(sbatch --parsable --requeue --signal=B:HUP@120 --open-mode=append \
        --kill-on-invalid-dep=yes --output="$logs" $resources "$@") || exit
    echo "${answer%%;*}"
}
if [ $# -eq 0 ]; then
    mkdir -p "$folder"
    {{begin}}
{{if ranges}}    simulate=$(submit --job-name="$name-simulate" --array=0-{{last}}%1 "$0" simulate)
{{if ranges}}    draw=$(submit --job-name="$name-draw" --array=0-{{last}} --dependency=aftercorr:"$simulate" "$0" draw)
{{if ranges}}    finish=$(submit --job-name="$name-finish" --array=0 --dependency=afterok:"$draw" "$0" finish)
{{if ranges}}    echo "simulate $simulate, draw $draw, finish $finish"
{{unless ranges}}    draw=$(submit --job-name="$name-draw" --array=0-{{last}} "$0" draw)
{{unless ranges}}    finish=$(submit --job-name="$name-finish" --array=0 --dependency=afterany:"$draw" "$0" finish)
{{unless ranges}}    echo "draw $draw, finish $finish"
    exit
fi

# Slurm itself requeues what it pre-empts, and tasks of lost nodes. Before the time limit it sends SIGHUP, which ends a
# render in order (129); 137 is SIGKILL, for example when memory is short.
run() {
    code=0
    trap 'kill -HUP "$child" 2>/dev/null || true' HUP
    trap 'kill -TERM "$child" 2>/dev/null || true' TERM
    "$@" &
    child=$!
    wait "$child" || code=$?
    while kill -0 "$child" 2>/dev/null; do # a signal has interrupted the wait
        code=0
        wait "$child" || code=$?
    done
    case $code in
    129 | 137)
        if [ "${SLURM_RESTART_COUNT:-0}" -lt "$retries" ]; then
            echo "exit code $code: the task goes back into the queue and will continue"
            scontrol requeue "${SLURM_ARRAY_JOB_ID}_$SLURM_ARRAY_TASK_ID"
            sleep 60
        fi ;;
    esac
    exit "$code"
}

case $1 in
{{if ranges}}simulate)
{{if ranges}}    case $SLURM_ARRAY_TASK_ID in
{{simulate}}
{{if ranges}}    esac ;;
draw)
    case $SLURM_ARRAY_TASK_ID in
{{draw}}
    esac ;;
finish)
    {{finish}} ;;
esac
