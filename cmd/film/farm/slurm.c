#include "base/memory.h"
#include "base/text.h"
#include "cmd/film/farm/engine.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static void put_assignment(FILE *file, const char *name, const char *value)
{
    char *quoted = text_quoted(value);
    fprintf(file, "%s=%s\n", name, quoted);
    free(quoted);
}

/* The pattern of the logs' names, in which sbatch expands percent signs. */
static void put_logs(FILE *file, const char *folder)
{
    char *pattern = memory_new(2 * strlen(folder) + 16, 1), *to = pattern;
    for (const char *from = folder; *from; from++) {
        if (*from == '%')
            *to++ = '%';
        *to++ = *from;
    }
    strcpy(to, "/%x-%A-%a.log");
    put_assignment(file, "logs", pattern);
    free(pattern);
}

static void put_resources(FILE *file, const struct farm_plan *plan)
{
    fprintf(file, "resources='--cpus-per-task=%u --mem=%" PRIu64 "M --time=%" PRIu64, plan->cpus,
            plan->mebibytes, plan->minutes);
    if (plan->gpus)
        fprintf(file, " --gres=gpu:%u", plan->gpus);
    fputs("'\n", file);
    if (plan->partition)
        put_assignment(file, "export SBATCH_PARTITION", plan->partition);
}

/* A case of the stage with a command per task. */
static void put_stage(FILE *file, const char *name, char *const *lines, size_t count)
{
    fprintf(file, "%s)\n    case $SLURM_ARRAY_TASK_ID in\n", name);
    for (size_t i = 0; i < count; i++)
        fprintf(file, "    %zu) run %s ;;\n", i, lines[i]);
    fputs("    esac ;;\n", file);
}

static const char submit[] =
    "submit() { # options of sbatch\n"
    "    answer=$(sbatch --parsable --requeue --signal=B:HUP@120 --open-mode=append \\\n"
    "        --kill-on-invalid-dep=yes --output=\"$logs\" $resources \"$@\") || exit\n"
    "    echo \"${answer%%;*}\"\n"
    "}\n"
    "if [ $# -eq 0 ]; then\n"
    "    mkdir -p \"$folder\"\n";

/* A time limit sends SIGHUP first, which ends a render in order (129); 137 is SIGKILL, for example
 * of a machine out of memory. Slurm itself requeues what it pre-empts, and tasks of lost nodes. */
static const char run[] =
    "run() {\n"
    "    code=0\n"
    "    trap 'kill -HUP \"$child\" 2>/dev/null || true' HUP\n"
    "    trap 'kill -TERM \"$child\" 2>/dev/null || true' TERM\n"
    "    \"$@\" &\n"
    "    child=$!\n"
    "    wait \"$child\" || code=$?\n"
    "    while kill -0 \"$child\" 2>/dev/null; do # a signal has interrupted the wait\n"
    "        code=0\n"
    "        wait \"$child\" || code=$?\n"
    "    done\n"
    "    case $code in\n"
    "    129 | 137)\n"
    "        if [ \"${SLURM_RESTART_COUNT:-0}\" -lt \"$retries\" ]; then\n"
    "            echo \"exit code $code: the task goes back into the queue and will continue\"\n"
    "            scontrol requeue \"${SLURM_ARRAY_JOB_ID}_$SLURM_ARRAY_TASK_ID\"\n"
    "            sleep 60\n"
    "        fi ;;\n"
    "    esac\n"
    "    exit \"$code\"\n"
    "}\n";

static void write_slurm(FILE *file, const struct farm_plan *plan)
{
    const size_t last = plan->tasks - 1;
    fputs("#!/bin/sh\n"
          "# Written by gravreel farm. `sh FILE` submits the jobs; they run this file again.\n"
          "set -eu\n",
          file);
    put_assignment(file, "name", plan->name);
    put_assignment(file, "folder", plan->folder);
    put_logs(file, plan->folder);
    put_resources(file, plan);
    fputs("retries=3\n\n", file);
    fputs(submit, file);
    if (plan->simulate)
        fprintf(file,
                "    simulate=$(submit --job-name=\"$name-simulate\" --array=0-%zu%%1 \"$0\" "
                "simulate)\n",
                last);
    fprintf(file, "    draw=$(submit --job-name=\"$name-draw\" --array=0-%zu%s \"$0\" draw)\n",
            last, plan->simulate ? " --dependency=aftercorr:\"$simulate\"" : "");
    fprintf(file,
            "    finish=$(submit --job-name=\"$name-finish\" --array=0 --dependency=%s:\"$draw\" "
            "\"$0\" finish)\n",
            plan->report ? "afterany" : "afterok");
    fprintf(file, "    echo \"%sdraw $draw, finish $finish\"\n    exit\nfi\n\n",
            plan->simulate ? "simulate $simulate, " : "");
    fputs(run, file);
    fputs("\ncase $1 in\n", file);
    if (plan->simulate)
        put_stage(file, "simulate", plan->simulate, plan->tasks);
    put_stage(file, "draw", plan->draw, plan->tasks);
    fprintf(file, "finish)\n    %s ;;\nesac\n", plan->finish);
}

const struct farm_engine farm_slurm = {
    .name = "slurm",
    .doc = "a Slurm cluster: arrays with dependencies, requeued when pre-empted",
    .start = "sh",
    .write = write_slurm,
};
