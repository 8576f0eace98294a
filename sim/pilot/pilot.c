#include "sim/pilot/pilot.h"

#include "base/log.h"
#include "base/functions/fn.h"
#include "base/memory.h"
#include "base/queue.h"
#include "base/ranks/ranks.h"
#include "sim/bodies/edit.h"
#include "sim/bodies/bodies_whole.h"
#include "sim/gravity/force.h"
#include "sim/models/models.h"
#include "sim/pilot/galaxy_core.h"
#include "sim/run/run.h"
#include "sim/simulation.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

struct flight {
    const struct pilot_params *params;
    struct bodies *bodies;
    struct simulation *simulation;
    struct view *view;
    struct galaxy_core *core[2];
    struct pilot *result;
    const struct force_ops *force;
    uint64_t steps;                /* between samples */
    double growth;                 /* of softening and dt */
    struct worker *looker;         /* looks at a sample during the simulation's next steps */
    size_t seen;                   /* that sample */
    bool all_ranks;                /* run it */
    char key[RUN_TEXT];            /* what determines it */
    const struct run_pilot *shown; /* what a run has seen of it; NULL: it is simulated */
    struct run_pilot seeing;       /* what will be kept */
    struct view host;              /* for the samples of `shown` */
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

static bool is_affordable(const struct flight *run, size_t size)
{
    const double evaluations = (double)run->steps * (double)(run->result->count - 1);
    return pairs_of(run->force, size) * evaluations <= extents[run->params->seeks].pairs_most;
}

static void set_samples(struct flight *run, double intervals)
{
    run->result->count = run->params->duration > 0 ? (size_t)intervals + 1 : 1;
    run->result->interval = run->params->duration / intervals;
}

/* The longest step, whose length the samples may shorten. */
static double longest_step(const struct flight *run)
{
    return run->growth * extents[run->params->seeks].stretches * run->params->simulation->dt;
}

/* Chooses the steps between samples for this many bodies. */
static void choose_steps(struct flight *run, struct whole all, size_t size)
{
    const double most = extents[run->params->seeks].grows_below;
    const double from = run->params->stand_ins ? most : fmin((double)whole_size(all), most);
    /* Rounded, so that the result does not depend on the last bit of a library's cube root. */
    run->growth = fmax(1, round(1024 * fn_cbrt(from / (double)size)) / 1024);
    run->steps = (uint64_t)fmax(1, ceil(run->result->interval / longest_step(run) - 1e-9));
}

/* Steps are not made shorter than necessary: there are fewer samples if one would take several, or
 * if the film has fewer frames. */
static void choose_samples(struct flight *run)
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
static void shorten(struct flight *run, size_t size)
{
    const double pairs = pairs_of(run->force, size) * (double)(run->result->count - 1);
    run->steps = (uint64_t)fmax(1, floor(extents[run->params->seeks].pairs_most / pairs));
    run->result->interval = (double)run->steps * longest_step(run);
}

/* Chooses the number of bodies, the force, and the steps between samples. */
static size_t choose_size(struct flight *run, struct whole all, bool tree)
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

static enum status prepare_bodies(struct flight *run, const struct bodies *bodies)
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

static enum status prepare_simulation(struct flight *run)
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
        params.double_steps = params.long_steps = 0;
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

static enum status prepare_tracks(struct flight *run)
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
    struct flight *run = user;
    struct pilot *result = run->result;
    double centre[2][3];
    if (result->separation && run->shown) {
        result->separation[run->seen] = run->shown->separation[run->seen];
    } else if (result->separation) {
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
static bool passage_known(const struct flight *run, size_t count)
{
    struct pilot *result = run->result;
    if (run->params->seeks != PILOT_PASSAGE || !result->separation || count == 0)
        return false;
    find_encounter(result, count);
    if (result->happened.pericentre_count > 0)
        result->count = count;
    return result->happened.pericentre_count > 0;
}

/* ---- what a run has seen ---- */

static void describe(struct flight *run, const struct bodies *bodies)
{
    snprintf(run->key, sizeof run->key,
             "kind %d, %zu bodies for %zu, %zu samples of %llu steps every %.17g, force %s, growth "
             "%.17g, stand-ins %d",
             (int)run->params->seeks, run->bodies->count, whole_size(bodies_whole(bodies)),
             run->result->count, (unsigned long long)run->steps, run->result->interval,
             run->force->name, run->growth, run->params->stand_ins);
}

/* Whether somebody may want to look again: the passage and the story are told by the track. */
static bool is_looked_at(const struct flight *run)
{
    return run->params->see || run->params->seeks == PILOT_SHORT ||
           run->params->seeks == PILOT_ROUGH;
}

static void find_shown(struct flight *run, const struct run_pilots *all)
{
    for (int p = 0; all && p < all->count && !run->shown; p++) {
        const struct run_pilot *one = &all->list[p];
        if (strcmp(one->key, run->key) == 0 && one->samples <= run->result->count &&
            (one->motion ? one->bodies == run->bodies->count : !run->params->see))
            run->shown = one;
    }
}

/* Makes room for what is seen. Without memory nothing is kept. */
static void begin_keeping(struct flight *run)
{
    const struct run_pilots *all = run->params->keep;
    if (!all || all->count == RUN_PILOTS_MAX)
        return;
    run->seeing.bodies = run->bodies->count;
    if (is_looked_at(run))
        run->seeing.motion =
            malloc(run->result->count * run->bodies->count * sizeof *run->seeing.motion);
}

static void keep_sample(struct flight *run, size_t k)
{
    const size_t count = run->bodies->count;
    double(*to)[6] = run->seeing.motion ? run->seeing.motion + k * count : NULL;
    for (size_t i = 0; to && i < count; i++) {
        memcpy(to[i], run->bodies->position[i], sizeof *run->bodies->position);
        memcpy(to[i] + 3, run->bodies->velocity[i], sizeof *run->bodies->velocity);
    }
}

static void end_keeping(struct flight *run)
{
    struct run_pilots *all = run->params->keep;
    const struct pilot *result = run->result;
    const bool lacks = is_looked_at(run) && !run->seeing.motion;
    if (!all || all->count == RUN_PILOTS_MAX || lacks || result->count == 0)
        return;
    struct run_pilot *kept = &all->list[all->count++];
    *kept = run->seeing;
    run->seeing.motion = NULL;
    memcpy(kept->key, run->key, sizeof kept->key);
    kept->samples = result->count;
    if (!result->separation)
        return;
    kept->separation = memory_new(result->count, sizeof *kept->separation);
    memcpy(kept->separation, result->separation, result->count * sizeof *kept->separation);
}

static void show_sample(struct flight *run, size_t k)
{
    const size_t count = run->bodies->count;
    const double(*from)[6] = (const double(*)[6])run->shown->motion;
    run->host.frame = run->seen = k;
    for (size_t i = 0; from && i < count; i++) {
        const double *row = from[k * count + i];
        memcpy(run->bodies->position[i], row, sizeof *run->bodies->position);
        memcpy(run->bodies->velocity[i], row + 3, sizeof *run->bodies->velocity);
        for (int c = 0; c < 3; c++) {
            run->host.position[4 * i + (size_t)c] = (float)row[c];
            run->host.velocity[4 * i + (size_t)c] = (float)row[3 + c];
        }
        run->host.position[4 * i + 3] = (float)run->bodies->mass[i];
    }
}

/* Advances to sample k, meanwhile finishes the one before, and begins to look at k. *done: k is not
 * needed. */
static enum status sample(struct flight *run, size_t k, bool *done)
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
    keep_sample(run, k);
    if (status == STATUS_OK && run->params->see)
        status = simulation_view_fill(run->simulation, run->view);
    if (status != STATUS_OK)
        return status;
    run->seen = k;
    worker_begin(run->looker);
    return STATUS_OK;
}

static void close_run(struct flight *run)
{
    worker_close(&run->looker);
    free(run->host.position);
    free(run->host.velocity);
    free(run->seeing.motion);
    if (run->simulation)
        simulation_view_destroy(run->simulation, &run->view);
    simulation_close(&run->simulation);
    bodies_destroy(&run->bodies);
    galaxy_core_close(&run->core[0]);
    galaxy_core_close(&run->core[1]);
}

/* Looks at the samples of a run. */
static enum status show(struct flight *run)
{
    struct pilot *result = run->result;
    const size_t count = run->bodies->count;
    run->host = (struct view){.memory = VIEW_HOST,
                              .device = -1,
                              .count = count,
                              .position = memory_new(count, sizeof(float[4])),
                              .velocity = memory_new(count, sizeof(float[4]))};
    run->view = &run->host;
    enum status status = prepare_tracks(run);
    result->count = run->shown->samples;
    if (status == STATUS_OK && result->separation && !run->shown->separation)
        status = status_fail(STATUS_IO, "the run is damaged: it lacks the track of its galaxies");
    for (size_t k = 0; k < result->count && status == STATUS_OK; k++) {
        show_sample(run, k);
        status = look(run);
    }
    if (status == STATUS_OK && result->separation)
        find_encounter(result, result->count);
    return status;
}

/* Simulates, and looks at the samples. */
static enum status fly(struct flight *run)
{
    static const char *const sought[] = {[PILOT_ROUGH] = "the camera",
                                         [PILOT_PASSAGE] = "the first passage",
                                         [PILOT_STORY] = "its moments"};
    struct pilot *result = run->result;
    struct bar bar;
    if (run->shown)
        return show(run);
    begin_keeping(run);
    enum status status = prepare_simulation(run);
    if (status == STATUS_OK)
        status = prepare_tracks(run);
    if (status == STATUS_OK && run->params->seeks != PILOT_SHORT)
        log_info_once("pilot run through the film first, for %s, with %zu %sbodies and %llu steps",
                      sought[run->params->seeks], run->bodies->count,
                      run->params->stand_ins ? "stand-in " : "",
                      (unsigned long long)(run->steps * (result->count - 1)));
    /* Of snapshots, a sample is looked at when it is there: ranks make their collective calls in
     * one order, and a process that reads a snapshot is forked, for which no thread may hold a
     * lock. */
    run->looker = worker_open(look, run, !run->params->simulation->played);
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
    if (status == STATUS_OK)
        end_keeping(run);
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
    struct flight run = {.params = params, .all_ranks = together && params->simulation->played};
    *out = run.result = memory_new(1, sizeof *run.result);
    enum status status = prepare_bodies(&run, bodies);
    if (status == STATUS_OK) {
        describe(&run, bodies);
        find_shown(&run, params->run ? &run_about(params->run)->pilots : NULL);
        find_shown(&run, params->keep);
    }
    if (status == STATUS_OK && run.all_ranks)
        status = fly(&run);
    if (status == STATUS_OK && !run.all_ranks) {
        if (ranks_begin_first()) /* its steps are not decisions of all ranks */
            status = fly(&run);
        status = ranks_end_first(status);
    }
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

enum status stand_ins_make(const struct bodies_params *params, size_t count, struct bodies **out)
{
    struct bodies_params own = *params;
    *out = NULL;
    own.count = count;
    if (!params->model->makes_galaxies || params->model->reads_file)
        return STATUS_OK;
    return bodies_make(&own, out);
}

void stand_ins_free(struct bodies **out)
{
    bodies_destroy(out);
}

/* ==== events of two galaxies ==== */

/* Factor by which an extremum must exceed the noise: with few bodies, the cores of a wide pair
 * waver more. */
static const double swing = 1.1;

/* Refines the extremum near sample k, 0 < k < count - 1. */
static struct encounter_moment refine(const double *separation, size_t k, double interval)
{
    double before = separation[k - 1] * separation[k - 1], here = separation[k] * separation[k],
           after = separation[k + 1] * separation[k + 1];
    double curvature = before - 2 * here + after;
    double shift = curvature != 0 ? 0.5 * (before - after) / curvature : 0;
    if (!(fabs(shift) <= 1)) /* not the extremum of the three */
        shift = 0;
    double square = here - 0.25 * (before - after) * shift;
    return (struct encounter_moment){((double)k + shift) * interval, sqrt(fmax(square, 0))};
}

static void keep(size_t *count, struct encounter_moment *list, struct encounter_moment moment)
{
    if (*count < ENCOUNTER_MAX)
        list[(*count)++] = moment;
}

/* Finds the track's extrema: an extreme value since the last one is accepted once the track has
 * reversed by more than the noise. */
static void find_turns(size_t count, const double *separation, double interval, double noise,
                       struct encounter *out)
{
    size_t lowest = 0, highest = 0;
    int direction = 0; /* of the track: 0 until it has moved by more than the noise */
    for (size_t k = 1; k < count; k++) {
        lowest = separation[k] < separation[lowest] ? k : lowest;
        highest = separation[k] > separation[highest] ? k : highest;
        if (direction <= 0 && separation[k] > swing * separation[lowest] + noise) {
            if (direction < 0)
                keep(&out->pericentre_count, out->pericentre, refine(separation, lowest, interval));
            direction = 1;
            highest = k;
        } else if (direction >= 0 && separation[k] < separation[highest] / swing - noise) {
            if (direction > 0)
                keep(&out->apocentre_count, out->apocentre, refine(separation, highest, interval));
            direction = -1;
            lowest = k;
        }
    }
}

static void find_merger(size_t count, const double *separation, double interval, double touch,
                        struct encounter *out)
{
    size_t first = count;
    while (first > 0 && separation[first - 1] < touch)
        first--;
    if (first == 0 || first == count)
        return; /* close from the start, or apart at the end */
    bool turned = false, rose = false;
    for (size_t k = first + 1; k < count; k++) {
        rose = rose || separation[k] > separation[k - 1];
        turned = turned || (rose && separation[k] < separation[k - 1]);
    }
    double above = separation[first - 1] - touch, below = touch - separation[first];
    out->merges = turned;
    out->merger = (struct encounter_moment){
        ((double)(first - 1) + above / (above + below)) * interval, touch};
}

void encounter_find(size_t count, const double *separation, double interval, double noise,
                    double touch, struct encounter *out)
{
    *out = (struct encounter){0};
    find_turns(count, separation, interval, noise, out);
    find_merger(count, separation, interval, touch, out);
}

/* ==== fewer bodies ==== */

/* Part of the bodies that is divided equally among components, so that light ones are represented
 * too. */
static const double even_share = 0.15;

/* sums: of weights, weighted positions and velocities; user: whether masses are the weights. */
static void add_motion(const void *user, const struct bodies *bodies, size_t first, size_t count,
                       double *sums)
{
    for (size_t i = first; i < first + count; i++) {
        const double weight = *(const bool *)user ? bodies->mass[i] : 1;
        sums[0] += weight;
        for (int k = 0; k < 3; k++) {
            sums[1 + k] += weight * bodies->position[i][k];
            sums[4 + k] += weight * bodies->velocity[i][k];
        }
    }
}

/* Collective for shared bodies, like what follows: the mean position and velocity of a galaxy, or
 * of a component without a galaxy. */
static enum status find_mean(const struct bodies *bodies, const struct component *member,
                             double mean[6])
{
    double sums[7] = {0};
    enum status status = STATUS_OK;
    for (int all = 0; all < 2 && !(sums[0] > 0) && status == STATUS_OK; all++) {
        const bool by_mass = !all;
        for (size_t c = 0; c < bodies->component_count && status == STATUS_OK; c++) {
            const struct component *component = &bodies->components[c];
            if (component == member ||
                (*member->galaxy && strcmp(component->galaxy, member->galaxy) == 0))
                status = whole_continue(bodies, c, add_motion, &by_mass, sums, 7);
        }
    }
    for (int k = 0; k < 6; k++)
        mean[k] = sums[0] > 0 ? sums[1 + k] / sums[0] : sums[1 + k];
    return status;
}

/* The number of picks from each component: half of its bodies if they are mirrored. */
static enum status choose_picks(const struct bodies *bodies, size_t size, double *mass,
                                size_t *picks)
{
    const size_t n = bodies->component_count;
    double total = 0, *weight = memory_new(n, sizeof *weight);
    enum status status = STATUS_OK;
    for (size_t c = 0; c < n && status == STATUS_OK; c++) {
        status = whole_mass(bodies, c, &mass[c]);
        total += mass[c];
    }
    for (size_t c = 0; c < n; c++) {
        const uint64_t count = component_whole(&bodies->components[c]);
        weight[c] = count == 0  ? 0
                    : total > 0 ? (1 - even_share) * mass[c] / total + even_share / (double)n
                                : (double)count;
    }
    share_out(size, n, weight, picks);
    for (size_t c = 0; c < n; c++) {
        const size_t count = (size_t)component_whole(&bodies->components[c]);
        if (*bodies->components[c].galaxy)
            picks[c] = (picks[c] + 1) / 2;
        if (picks[c] == 0 || picks[c] > count)
            picks[c] = count < 1 ? 0 : picks[c] == 0 ? 1 : count;
    }
    free(weight);
    return status;
}

/* The middle row of the i-th of `picks` equal stretches. */
static uint64_t picked_row(const void *user, size_t i, uint64_t count)
{
    const size_t picks = *(const size_t *)user;
    return (uint64_t)((unsigned __int128)(2 * i + 1) * count / (2 * picks));
}

/* Picks rows, each alone or with its mirrored twin. */
static enum status pick(const struct bodies *bodies, size_t c, size_t picks, double wanted,
                        struct bodies *out)
{
    const struct component *from = &bodies->components[c];
    struct component *to = &out->components[c];
    const size_t copies = *from->galaxy ? 2 : 1;
    struct bodies *rows;
    double mean[6], mass = 0;
    *to = *from;
    to->first = c ? out->components[c - 1].first + out->components[c - 1].count : 0;
    to->count = picks * copies;
    to->whole = to->before = 0;
    enum status status = find_mean(bodies, from, mean);
    if (status == STATUS_OK)
        status = whole_rows(bodies, c, picks, picked_row, &picks, &rows);
    if (status != STATUS_OK)
        return status;
    for (size_t i = 0; i < to->count; i++) {
        const size_t row = i / copies, at = to->first + i;
        out->mass[at] = rows->mass[row];
        mass += out->mass[at];
        for (int k = 0; k < 3; k++) {
            double x = rows->position[row][k], v = rows->velocity[row][k];
            out->position[at][k] = i % copies ? 2 * mean[k] - x : x;
            out->velocity[at][k] = i % copies ? 2 * mean[3 + k] - v : v;
        }
    }
    for (size_t i = to->first; i < to->first + to->count; i++)
        out->mass[i] = mass > 0 ? out->mass[i] * (wanted / mass) : wanted / (double)to->count;
    bodies_destroy(&rows);
    return STATUS_OK;
}

enum status pilot_thin(struct bodies **out, const struct bodies *bodies, size_t size)
{
    const size_t n = bodies->component_count;
    double *mass = memory_new(n, sizeof *mass);
    size_t *picks = memory_new(n, sizeof *picks), count = 0;
    *out = NULL;
    enum status status = choose_picks(bodies, size, mass, picks);
    for (size_t c = 0; c < n; c++)
        count += picks[c] * (*bodies->components[c].galaxy ? 2 : 1);
    if (status == STATUS_OK)
        status = bodies_create(out, count, n);
    for (size_t c = 0; status == STATUS_OK && c < n; c++)
        status = pick(bodies, c, picks[c], mass[c], *out);
    free(mass);
    free(picks);
    if (status != STATUS_OK)
        bodies_destroy(out);
    return status;
}

/* ---- events of a run ---- */

/* The separation of two galaxies in each frame of a run. */
struct track {
    size_t count;
    double *time, *separation, *even; /* [count] each; `even`: at even times */
    double touch;
};

static enum status follow_cores(const struct run *run, const volatile sig_atomic_t *stop,
                                struct bodies *bodies, const size_t galaxy[], struct track *track)
{
    struct galaxy_core *core[2] = {0};
    struct run_buffer buffer = {0};
    enum status status = STATUS_OK;
    for (int g = 0; g < 2 && status == STATUS_OK; g++) {
        status = galaxy_core_open(&core[g], bodies, galaxy[g]);
        if (status == STATUS_OK)
            track->touch += galaxy_core_radius(core[g]);
    }
    for (size_t f = 0; f < track->count && status == STATUS_OK; f++) {
        struct run_rows rows;
        double centre[2][3];
        status = stop && *stop ? STATUS_STOPPED : run_read(run, 0, f, &buffer, &rows);
        if (status != STATUS_OK)
            break;
        for (size_t i = 0; i < bodies->count; i++)
            for (int c = 0; c < 3; c++)
                bodies->position[i][c] = (double)rows.position[i][c];
        for (int g = 0; g < 2; g++)
            galaxy_core_find(core[g], bodies, centre[g]);
        track->separation[f] = away(centre[0], centre[1]);
        track->time[f] = run_moment(run, f)->time;
    }
    run_buffer_free(&buffer);
    galaxy_core_close(&core[0]);
    galaxy_core_close(&core[1]);
    return status;
}

/* The frame at a part of the run's time, with a fraction: slow motion makes frames uneven. */
static double frame_at(const struct track *track, double part)
{
    const double *time = track->time, wanted = part * (time[track->count - 1] - time[0]);
    size_t f = 0;
    while (f + 2 < track->count && fabs(time[f + 1] - time[0]) < fabs(wanted))
        f++;
    const double step = time[f + 1] - time[f];
    return (double)f + (step != 0 ? (wanted - (time[f] - time[0])) / step : 0);
}

/* Squares of separations are smooth even where the centres pass through each other. */
static void make_even(struct track *track)
{
    for (size_t k = 0; k < track->count; k++) {
        const double at = frame_at(track, (double)k / (double)(track->count - 1));
        const size_t f = at < (double)track->count - 2 ? (size_t)at : track->count - 2;
        const double *s = track->separation + f, u = at - (double)f;
        track->even[k] = sqrt(fmax((1 - u) * s[0] * s[0] + u * s[1] * s[1], 0));
    }
}

static void number_frames(const struct track *track, struct encounter_moment *moments, size_t count)
{
    for (size_t i = 0; i < count && i < ENCOUNTER_MAX; i++)
        moments[i].time = frame_at(track, moments[i].time / (double)(track->count - 1));
}

enum status pilot_encounter(const struct run *run, const volatile sig_atomic_t *stop, bool *found,
                            struct encounter *out)
{
    const struct bodies *start = run_about(run)->bodies;
    size_t *galaxy = memory_new(start->component_count, sizeof *galaxy);
    struct track track = {.count = (size_t)run_count(run)};
    struct bodies *bodies = NULL;
    enum status status = STATUS_OK;
    *found = false;
    *out = (struct encounter){0};
    if (track.count > 2 && galaxies_find(start, galaxy) >= 2)
        status = bodies_copy(&bodies, start);
    track.time = memory_new(track.count, sizeof *track.time);
    track.separation = memory_new(track.count, sizeof *track.separation);
    track.even = memory_new(track.count, sizeof *track.even);
    if (status == STATUS_OK && bodies)
        status = follow_cores(run, stop, bodies, galaxy, &track);
    if (status == STATUS_OK && bodies && track.time[track.count - 1] != track.time[0]) {
        make_even(&track);
        encounter_find(track.count, track.even, 1, noise_share * track.touch, track.touch, out);
        number_frames(&track, out->pericentre, out->pericentre_count);
        number_frames(&track, out->apocentre, out->apocentre_count);
        number_frames(&track, &out->merger, out->merges);
        *found = true;
    }
    bodies_destroy(&bodies);
    free(galaxy);
    free(track.time);
    free(track.separation);
    free(track.even);
    return status;
}
