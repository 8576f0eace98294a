/* The command lines of a farm's job, for a POSIX shell, in stages. An engine (engines.h) only
 * writes them in the language of its scheduler. farm_films_plan plans films; cmd/farm.c plans
 * checks.
 *
 *   begin     one line, before the tasks of a job that starts
 *   simulate  one line per range, each after the one before: carries the simulation on to the
 *             range's first frame and leaves a checkpoint there
 *   draw      one line per task, after the task's simulate line: renders a range or a film, or
 *             checks a baseline
 *   finish    after all: joins, verifies, reports
 *
 * Every line may run again after it was killed: it continues, or does its work once more. */
#pragma once

#include "base/status.h"

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct scene_request;
struct film_metadata;

struct farm_request {
    const char *const *inputs; /* [count]: scenes; texts of baselines, or folders of them */
    size_t count;
    const struct scene_request *changes;  /* of every scene; its own `scene` is ignored */
    const char *carried;                  /* the same as options of render, quoted; NULL: none */
    const struct film_metadata *metadata; /* of the films; NULL: all */
    unsigned encoders;                    /* as for render */
    uint64_t waiting;    /* bytes of pictures that wait; 0: a quarter of the machine */
    bool films;          /* every scene becomes a film in the folder `output`, a task each */
    const char *output;  /* the film; the folder of several films, or of reports */
    const char *backend; /* as for render */
    int device;          /* for the forecast */
    uint64_t tasks;      /* ranges; 0: as many as are of use */
    bool overwrite;      /* the film may exist */
    bool one_machine;    /* all tasks share the machine's `gpus` devices */
    volatile sig_atomic_t *stop;

    /* The resources of a task; 0 or NULL: chosen by the plan. */
    unsigned cpus, gpus;
    uint64_t memory;  /* bytes */
    uint64_t minutes; /* its time limit */
    const char *partition;
};

struct farm_plan {
    char *name;   /* of the job: the output's name without its folder and extension */
    char *output; /* as requested */
    char *folder; /* OUT.farm, where ranges, checkpoints and logs are */
    size_t tasks;
    char *begin;     /* NULL: none */
    char **simulate; /* [tasks]; the first is "true"; NULL: nothing is simulated beforehand */
    char **draw;     /* [tasks] */
    char *finish;
    bool report; /* the finish line is for failed tasks too */
    bool checks; /* a task that ends with exit code 3 has done its work */

    unsigned cpus, gpus; /* gpus 0: none is asked for */
    uint64_t mebibytes;  /* of memory */
    uint64_t minutes;
    const char *partition; /* NULL: the scheduler's default */
};

/* ---- for those who plan ---- */

/* The resources of a task unless the request names others. */
struct farm_need {
    double memory;    /* bytes */
    uint64_t minutes; /* its time limit */
    bool device;      /* a GPU, unless the tasks share a machine */
};

/* STATUS_USAGE if a job file cannot name that file. */
enum status farm_check_name(const char *name);

/* Sets the plan's name, output, folder, number of tasks and resources, and makes room for the draw
 * lines. */
void farm_plan_start(struct farm_plan *plan, const struct farm_request *request, size_t tasks,
                     const struct farm_need *need);

/* The options of a task's program for its device, " --backend cuda --device 1", or "". The caller
 * frees them. */
char *farm_device_options(const struct farm_request *request, size_t task);

/* Joins `words` and the quoted `word`, with a space; frees `words`. The caller frees the result. */
char *farm_append(char *words, const char *word);

void farm_plan_free(struct farm_plan *plan);

/* How long a film takes on a farm, and how many tasks are of use: arithmetic only.
 *
 * The simulation is a chain: a range's task begins when the simulation has reached its first frame,
 * and then simulates, draws and encodes its own frames. Each task has a fixed cost: its start, its
 * first frame and the opening of its encoder. */

struct farm_cost {
    double simulate; /* seconds of the whole film's simulation */
    double whole;    /* seconds of the whole film by one run, whose stages overlap */
    double start;    /* seconds of a task before its second frame */
};

/* Seconds until the last of `tasks` ranges is complete, one machine each; tasks >= 1. */
double farm_seconds(const struct farm_cost *cost, size_t tasks);

/* The fewest tasks, at most `most`, that come within 5 % of the shortest time. */
size_t farm_useful(const struct farm_cost *cost, size_t most);

/* The scenes that a command line means. */

struct farm_scenes {
    char **paths; /* [count] */
    size_t count;
    bool folder; /* a folder was given */
};

/* Lists the scenes in order: a folder means its .yaml and .yml files by name, without subfolders.
 * STATUS_USAGE for a folder without a scene, STATUS_IO for one that cannot be read. Free in every
 * case. */
enum status farm_scenes_find(struct farm_scenes *scenes, const char *const *given, size_t count);
void farm_scenes_free(struct farm_scenes *scenes);

/* Plans the making of one film in ranges, or of several films. */

struct farm_range {
    uint64_t first, last; /* frames, inclusive */
};

/* Range i of `tasks`, which begins at a multiple of `segment`. */
struct farm_range farm_range(uint64_t frames, uint64_t segment, uint64_t tasks, uint64_t i);

/* Checks the request, makes the forecast, logs what the farm gains, and plans. STATUS_USAGE,
 * STATUS_IO or what opening the film gave. Free with farm_plan_free in every case. The request's
 * texts must outlive the plan. */
enum status farm_films_plan(struct farm_plan *plan, const struct farm_request *request);
