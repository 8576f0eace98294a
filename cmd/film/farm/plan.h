/* The command lines by which a farm makes a film, for a POSIX shell, in three stages. An engine
 * (engine.h) only writes them in the language of its scheduler.
 *
 *   simulate  one line per range, each after the one before: carries the simulation on to the
 *             range's first frame and leaves a checkpoint there
 *   draw      one line per range, after the range's simulate line: renders it
 *   finish    after all: joins, verifies, removes the work folder
 *
 * Every line may run again after it was killed: it continues or finds its work complete. */
#pragma once

#include "base/status.h"
#include "cmd/film/forecast/predict.h"
#include "cmd/film/scene/request.h"

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct farm_request {
    struct scene_request
        scenes[64]; /* [count]: one film in ranges, or several films, a task each */
    size_t count;
    const char *output;  /* the film; the folder of several films */
    const char *backend; /* as for render */
    int device;          /* for the forecast */
    uint64_t tasks;      /* ranges; 0: as many as are of use */
    bool overwrite;      /* the film may exist */
    bool one_machine;    /* all tasks share the machine's `gpus` devices */
    volatile sig_atomic_t *stop;

    /* The resources of a task; 0 or NULL: chosen by the forecast. */
    unsigned cpus, gpus;
    uint64_t memory;  /* bytes */
    uint64_t minutes; /* its time limit */
    const char *partition;
};

struct farm_range {
    uint64_t first, last; /* frames, inclusive */
};

struct farm_plan {
    char *name;   /* of the job: the film's name without its folder and extension */
    char *output; /* as requested */
    char *folder; /* OUT.farm, where ranges, checkpoints and logs are */
    size_t tasks;
    char **simulate; /* [tasks]; the first is "true"; NULL: nothing is simulated beforehand */
    char **draw;     /* [tasks] */
    char *finish;    /* one line */
    bool report;     /* the finish line is for failed tasks too */

    unsigned cpus, gpus; /* gpus 0: none is asked for */
    uint64_t mebibytes;  /* of memory */
    uint64_t minutes;
    const char *partition; /* NULL: the scheduler's default */
};

/* Range i of `tasks`, which begins at a multiple of `segment`. */
struct farm_range farm_range(uint64_t frames, uint64_t segment, uint64_t tasks, uint64_t i);

/* Checks the request, makes the forecast, logs what the farm gains, and plans. STATUS_USAGE,
 * STATUS_IO or what opening the film gave. Free with farm_plan_free in every case. The request's
 * texts must outlive the plan. */
enum status farm_plan_make(struct farm_plan *plan, const struct farm_request *request);
void farm_plan_free(struct farm_plan *plan);
