#include "sim/pilot/pilot.h"

#include "base/log.h"
#include "base/functions/fn.h"
#include "base/memory.h"
#include "base/ranks/tasks.h"
#include "base/queue.h"
#include "sim/bodies/edit.h"
#include "sim/bodies/whole.h"
#include "sim/pilot/galaxy_core.h"
#include "sim/pilot/thin.h"
#include "sim/simulation.h"
#include "sim/gravity/auto/auto.h"
#include "sim/gravity/force.h"
#include "sim/gravity/tree/tree_force.h"

#include <math.h>
#include <stdlib.h>

enum {
    BODIES_LEAST = 512,
    INTERVALS_LEAST = 200,
    INTERVALS_MOST = 2000,
    INTERVALS_ROUGH = 400,
    SHORT_SAMPLES = 40
};

/* Number of bodies from which a tree is faster, and its pairs per body. */
enum { TREE_FROM = 8192, TREE_PAIRS = 2500 };

static const struct extent {
    size_t bodies_most;
    double pairs_most;  /* in total */
    double grows_below; /* with fewer bodies than this, or than the film's, softening and dt grow */
    double stretches;   /* dt, in addition */
} extents[] = {
    [PILOT_ROUGH] = {PILOT_STAND_INS, 2.2e10, 16384, 3},
    [PILOT_PASSAGE] = {8192, 3.2e10, 0, 1},
    [PILOT_STORY] = {65536, 3e11, 0, 1},
    [PILOT_SHORT] = {1024, 1e9, INFINITY, 1},
};
/* Fluctuations of the separation below this part of `touch` are noise of few bodies. */
static const double noise_share = 0.1;

struct run {
    const struct pilot_params *params;
    struct bodies *bodies;
    struct simulation *simulation;
    struct view *view;
    struct galaxy_core *core[2];
    struct pilot *result;
    const struct force_ops *force;
    uint64_t steps;        /* between samples */
    double growth;         /* of softening and dt */
    struct worker *looker; /* looks at a sample during the simulation's next steps */
    size_t seen;           /* that sample */
    bool all_ranks;        /* run it */
};

static enum status tree_takes_all(const struct simulation_params *params,
                                  const struct bodies *bodies, bool *takes)
{
    bool refuses = params->softening_kernel == &softening_spline;
    for (size_t i = 0; i < bodies->count && !refuses; i++)
        refuses = !(bodies->mass[i] >= 0);
    const enum status status = whole_any(bodies, &refuses);
    *takes = !refuses;
    return status;
}

static double pairs_of(const struct force_ops *force, size_t size)
{
    const bool tree = force == &force_tree_exact || force == &force_tree || force == &force_auto;
    return (double)size * (tree ? fmin((double)size, TREE_PAIRS) : (double)size);
}

static bool is_affordable(const struct run *run, size_t size)
{
    const double evaluations = (double)run->steps * (double)(run->result->count - 1);
    return pairs_of(run->force, size) * evaluations <= extents[run->params->seeks].pairs_most;
}

static void set_samples(struct run *run, double intervals)
{
    run->result->count = run->params->duration > 0 ? (size_t)intervals + 1 : 1;
    run->result->interval = run->params->duration / intervals;
}

/* The longest step, whose length the samples may shorten. */
static double longest_step(const struct run *run)
{
    return run->growth * extents[run->params->seeks].stretches * run->params->simulation->dt;
}

/* Chooses the steps between samples for this many bodies. */
static void choose_steps(struct run *run, struct whole all, size_t size)
{
    const double most = extents[run->params->seeks].grows_below;
    const double from = run->params->stand_ins ? most : fmin((double)whole_size(all), most);
    /* Rounded, so that the result does not depend on the last bit of a library's cube root. */
    run->growth = fmax(1, round(1024 * fn_cbrt(from / (double)size)) / 1024);
    run->steps = (uint64_t)fmax(1, ceil(run->result->interval / longest_step(run) - 1e-9));
}

/* Steps are not made shorter than necessary: there are fewer samples if one would take several, or
 * if the film has fewer frames. */
static void choose_samples(struct run *run)
{
    const double steps =
        ceil(run->params->duration / (longest_step(run) * (double)run->steps) - 1e-9);
    if (run->steps > 1)
        set_samples(run, steps);
    else if (run->params->duration > 0)
        set_samples(run, fmin(fmax(steps, (double)run->params->frames - 1),
                              (double)run->result->count - 1));
}

/* A short run ends before the end of a film that is too long for it. */
static void shorten(struct run *run, size_t size)
{
    const double pairs = pairs_of(run->force, size) * (double)(run->result->count - 1);
    run->steps = (uint64_t)fmax(1, floor(extents[run->params->seeks].pairs_most / pairs));
    run->result->interval = (double)run->steps * longest_step(run);
}

/* Chooses the number of bodies, the force, and the steps between samples. */
static size_t choose_size(struct run *run, struct whole all, bool tree)
{
    const bool story = run->params->seeks == PILOT_STORY;
    const double frames = (double)run->params->frames;
    const double least = story ? 1 : INTERVALS_LEAST;
    const double most = run->params->seeks == PILOT_ROUGH ? INTERVALS_ROUGH : INTERVALS_MOST;
    const double short_samples =
        run->params->simulation->played ? SHORT_SAMPLES / 4 : SHORT_SAMPLES;
    const double intervals =
        run->params->seeks == PILOT_SHORT ? short_samples : fmin(fmax(frames - 1, least), most);
    size_t wanted = extents[run->params->seeks].bodies_most;
    set_samples(run, intervals);
    run->force = run->params->simulation->force;
    choose_steps(run, all, whole_size(all));
    if (story && whole_below(all, wanted + 1) && is_affordable(run, whole_size(all)))
        return whole_size(all);
    for (;; wanted /= 2) {
        const size_t size = whole_most(all, wanted);
        run->force = tree && size >= TREE_FROM ? &force_tree_exact : &force_exact;
        set_samples(run, intervals);
        choose_steps(run, all, size);
        if (run->params->seeks == PILOT_ROUGH)
            choose_samples(run);
        if (is_affordable(run, size))
            return size;
        if (wanted <= BODIES_LEAST) {
            if (run->params->seeks == PILOT_SHORT)
                shorten(run, size);
            return size;
        }
    }
}

static enum status prepare_bodies(struct run *run, const struct bodies *bodies)
{
    bool tree;
    enum status status = tree_takes_all(run->params->simulation, bodies, &tree);
    const size_t size = choose_size(run, bodies_whole(bodies), tree);
    if (status != STATUS_OK)
        return status;
    /* Bodies of snapshots are identified by their ids. */
    if (whole_below(bodies_whole(bodies), size + 1) || run->params->simulation->played)
        status = whole_thin(bodies, size, &run->bodies);
    else
        status = pilot_thin(&run->bodies, bodies, size);
    for (size_t c = 0; status == STATUS_OK && c < run->bodies->component_count; c++)
        run->bodies->components[c].softening *= run->growth;
    return status;
}

static enum status prepare_simulation(struct run *run)
{
    struct simulation_params params = *run->params->simulation;
    double dt = run->result->interval / (double)run->steps;
    if (fabs(dt - params.dt) <= 1e-9 * dt) /* the film's own, exactly */
        dt = params.dt;
    if (params.damping > 0 && params.damping < 1)
        params.damping = fmin(fn_pow(params.damping, dt / params.dt), 1);
    params.dt = dt > 0 ? dt : params.dt;
    params.softening *= run->growth;
    params.steps_per_frame = (uint32_t)run->steps;
    if (run->force != params.force) {
        params.subset = 1;
        params.double_steps = 0;
    }
    params.force = run->force;
    params.alone = !run->all_ranks;
    enum status status = simulation_open(&run->simulation, &params, run->params->backend,
                                         run->params->device, run->bodies);
    if (status != STATUS_OK)
        return status;
    if (run->params->see)
        simulation_sample_views(run->simulation); /* it reads bodies on the host */
    return simulation_view_create(run->simulation, &run->view);
}

static enum status prepare_tracks(struct run *run)
{
    struct pilot *result = run->result;
    size_t *galaxy = memory_new(run->bodies->component_count, sizeof *galaxy);
    enum status status = STATUS_OK;
    if (run->params->seeks != PILOT_SHORT && galaxies_find(run->bodies, galaxy) >= 2) {
        result->separation = memory_new(result->count, sizeof *result->separation);
        for (int g = 0; g < 2 && status == STATUS_OK; g++) {
            status = galaxy_core_open(&run->core[g], run->bodies, galaxy[g]);
            if (status == STATUS_OK)
                result->touch += galaxy_core_radius(run->core[g]);
        }
    }
    free(galaxy);
    return status;
}

static double away(const double a[3], const double b[3])
{
    double x = a[0] - b[0], y = a[1] - b[1], z = a[2] - b[2];
    return sqrt(x * x + y * y + z * z);
}

/* Takes what is sought from sample `seen`, whose bodies and view do not change meanwhile. */
static enum status look(void *user)
{
    struct run *run = user;
    struct pilot *result = run->result;
    double centre[2][3];
    if (result->separation) {
        for (int g = 0; g < 2; g++)
            galaxy_core_find(run->core[g], run->bodies, centre[g]);
        result->separation[run->seen] = away(centre[0], centre[1]);
    }
    return run->params->see ? run->params->see(run->params->user, run->bodies, run->view,
                                               result->interval * (double)run->seen)
                            : STATUS_OK;
}

static void find_encounter(struct pilot *result, size_t count)
{
    encounter_find(count, result->separation, result->interval, noise_share * result->touch,
                   result->touch, &result->happened);
}

/* Whether `count` samples have already shown everything that is sought. */
static bool passage_known(const struct run *run, size_t count)
{
    struct pilot *result = run->result;
    if (run->params->seeks != PILOT_PASSAGE || !result->separation || count == 0)
        return false;
    find_encounter(result, count);
    if (result->happened.pericentre_count > 0)
        result->count = count;
    return result->happened.pericentre_count > 0;
}

/* Advances to sample k, meanwhile finishes the one before, and begins to look at k. *done: k is not
 * needed. */
static enum status sample(struct run *run, size_t k, bool *done)
{
    struct failure advanced = {0};
    failure_keep(&advanced, simulation_advance(run->simulation, k, NULL));
    enum status status = worker_wait(run->looker);
    *done = status == STATUS_OK && passage_known(run, k);
    if (status != STATUS_OK || *done)
        return status;
    status = failure_report(&advanced);
    /* Ends the pilot run without an error if numbers overflow: the film run reports the overflow,
     * with the step at which it occurs there. */
    if (status == STATUS_RUNTIME && run->params->seeks == PILOT_SHORT) {
        run->result->count = k;
        *done = true;
        return STATUS_OK;
    }
    if (status == STATUS_OK)
        status = simulation_save(run->simulation, run->bodies);
    if (status == STATUS_OK && run->params->see)
        status = simulation_view_fill(run->simulation, run->view);
    if (status != STATUS_OK)
        return status;
    run->seen = k;
    worker_begin(run->looker);
    return STATUS_OK;
}

static void close_run(struct run *run)
{
    worker_close(&run->looker);
    if (run->simulation)
        simulation_view_destroy(run->simulation, &run->view);
    simulation_close(&run->simulation);
    bodies_destroy(&run->bodies);
    galaxy_core_close(&run->core[0]);
    galaxy_core_close(&run->core[1]);
}

/* Simulates, and looks at the samples. */
static enum status fly(struct run *run)
{
    static const char *const sought[] = {[PILOT_ROUGH] = "the camera",
                                         [PILOT_PASSAGE] = "the first passage",
                                         [PILOT_STORY] = "its moments"};
    struct pilot *result = run->result;
    struct bar bar;
    enum status status = prepare_simulation(run);
    if (status == STATUS_OK)
        status = prepare_tracks(run);
    if (status == STATUS_OK && run->params->seeks != PILOT_SHORT)
        log_info_once("pilot run through the film first, for %s, with %zu bodies and %llu steps",
                      sought[run->params->seeks], run->bodies->count,
                      (unsigned long long)(run->steps * (result->count - 1)));
    /* Ranks make their collective calls in one order, so each looks when it has the sample. */
    run->looker = worker_open(look, run, !run->all_ranks);
    bar_begin(&bar, "looking through the film");
    bool done = false;
    for (size_t k = 0; k < result->count && status == STATUS_OK && !done; k++) {
        bar_show(&bar, k, result->count);
        status = sample(run, k, &done);
    }
    bar_end(&bar);
    const enum status looked = worker_wait(run->looker);
    status = status == STATUS_OK ? looked : status;
    if (status == STATUS_OK && result->separation && !passage_known(run, result->count))
        find_encounter(result, result->count);
    return status;
}

/* Collective: what rank 0 has found, to all. */
static enum status share_result(struct pilot *result)
{
    double *track = result->separation;
    enum status status = ranks_share(result, sizeof *result, 0);
    const bool has_track = result->separation;
    result->separation = track;
    if (status != STATUS_OK || !has_track)
        return status;
    if (!track)
        result->separation = memory_new(result->count, sizeof *track);
    return ranks_share(result->separation, result->count * sizeof *track, 0);
}

enum status pilot_run(struct pilot **out, const struct pilot_params *params,
                      const struct bodies *bodies)
{
    const bool together = ranks_are_together();
    struct run run = {.params = params, .all_ranks = together && params->simulation->played};
    *out = run.result = memory_new(1, sizeof *run.result);
    enum status status = prepare_bodies(&run, bodies);
    if (status == STATUS_OK && (run.all_ranks || !together || ranks_own() == 0))
        status = fly(&run);
    if (status == STATUS_OK && together && !run.all_ranks)
        status = share_result(run.result);
    close_run(&run);
    if (status != STATUS_OK)
        pilot_close(out);
    return status;
}

void pilot_close(struct pilot **pilot)
{
    if (!*pilot)
        return;
    free((*pilot)->separation);
    free(*pilot);
    *pilot = NULL;
}
