#include "sim/pilot/pilot.h"

#include "base/bar.h"
#include "base/log.h"
#include "base/memory.h"
#include "sim/bodies/edit.h"
#include "sim/pilot/galaxy_core.h"
#include "sim/pilot/thin.h"
#include "sim/shells.h"
#include "sim/simulation.h"
#include "sim/solver/pairs.h"

#include <math.h>
#include <stdlib.h>

enum { BODIES_LEAST = 512, INTERVALS_LEAST = 200, INTERVALS_MOST = 2000 };

/* Of bodies and of pairs in all: for the first passage alone, and for what follows it. */
static const size_t bodies_most[] = {2048, 16384};
static const double pairs_most[] = {1e10, 2e11};
/* Ups and downs of the separation below this part of `touch` are those of few bodies. */
static const double noise_share = 0.1;

struct run {
    const struct pilot_params *params;
    struct bodies *bodies;
    struct simulation *simulation;
    struct view *view;
    struct galaxy_core *core[2];
    struct shell *shells;
    struct pilot *result;
    uint64_t steps; /* from sample to sample */
    double growth;  /* of softening and dt */
};

/* How many bodies, and how many steps from sample to sample. */
static size_t choose_size(struct run *run, size_t count)
{
    const struct simulation_params *film = run->params->simulation;
    struct pilot *result = run->result;
    double frames = (double)run->params->frames;
    double intervals = fmin(fmax(frames - 1, INTERVALS_LEAST), INTERVALS_MOST);
    const int depth = run->params->detailed;
    size_t wanted = bodies_most[depth];
    result->count = run->params->duration > 0 ? (size_t)intervals + 1 : 1;
    result->interval = run->params->duration / intervals;
    for (;; wanted /= 2) {
        size_t size = count < wanted ? count : wanted;
        /* Rounded, so that no library's last bit of the root enters. */
        run->growth = round(1024 * cbrt((double)count / (double)size)) / 1024;
        run->steps = (uint64_t)fmax(1, ceil(result->interval / (run->growth * film->dt) - 1e-9));
        double pairs = (double)size * (double)size * (double)run->steps * intervals;
        if (pairs <= pairs_most[depth] || wanted == BODIES_LEAST)
            return size;
    }
}

static enum status prepare_bodies(struct run *run, const struct bodies *bodies)
{
    size_t size = choose_size(run, bodies->count);
    /* Those of snapshots are known by their ids. */
    if (size == bodies->count || run->params->simulation->played) {
        enum status status = bodies_copy(&run->bodies, bodies);
        return status == STATUS_OK ? bodies_thin(run->bodies, size) : status;
    }
    enum status status = pilot_thin(&run->bodies, bodies, size);
    for (size_t c = 0; status == STATUS_OK && c < run->bodies->component_count; c++)
        run->bodies->components[c].softening *= run->growth;
    return status;
}

static enum status prepare_simulation(struct run *run)
{
    struct simulation_params params = *run->params->simulation;
    double dt = run->result->interval / (double)run->steps;
    if (params.damping > 0 && params.damping < 1)
        params.damping = fmin(pow(params.damping, dt / params.dt), 1);
    params.dt = dt > 0 ? dt : params.dt;
    params.softening *= run->growth;
    params.steps_per_frame = (uint32_t)run->steps;
    params.force = &force_exact;
    params.subset = 1;
    enum status status = simulation_open(&run->simulation, &params, run->params->backend,
                                         run->params->device, run->bodies);
    if (status != STATUS_OK)
        return status;
    if (run->params->point)
        simulation_sample_views(run->simulation); /* `point` looks at bodies on the host */
    return simulation_view_create(run->simulation, &run->view);
}

static enum status prepare_tracks(struct run *run)
{
    struct pilot *result = run->result;
    size_t *galaxy = memory_new(run->bodies->component_count, sizeof *galaxy);
    enum status status = STATUS_OK;
    if (galaxies_find(run->bodies, galaxy) >= 2) {
        result->separation = memory_new(result->count, sizeof *result->separation);
        for (int g = 0; g < 2 && status == STATUS_OK; g++) {
            status = galaxy_core_open(&run->core[g], run->bodies, galaxy[g]);
            if (status == STATUS_OK)
                result->touch += galaxy_core_radius(run->core[g]);
        }
    }
    free(galaxy);
    if (run->params->fraction > 0) {
        result->radius = memory_new(result->count, sizeof *result->radius);
        run->shells = memory_new(run->bodies->count, sizeof *run->shells);
    }
    return status;
}

static double away(const double a[3], const double b[3])
{
    double x = a[0] - b[0], y = a[1] - b[1], z = a[2] - b[2];
    return sqrt(x * x + y * y + z * z);
}

/* Bodies count alike where none that is drawn has mass. */
static double enclosing_radius(struct run *run, const double point[3])
{
    const struct bodies *bodies = run->bodies;
    double total = 0;
    size_t used = 0;
    for (size_t i = bodies_drawn(bodies, 0); i < bodies->count; i = bodies_drawn(bodies, i + 1)) {
        run->shells[used++] = (struct shell){away(bodies->position[i], point), bodies->mass[i]};
        total += bodies->mass[i];
    }
    for (size_t k = 0; k < used; k++)
        run->shells[k].weight = total > 0 ? run->shells[k].weight / total : 1 / (double)used;
    return shells_radius(run->shells, used, run->params->fraction - 1e-12);
}

static enum status sample(struct run *run, size_t k)
{
    struct pilot *result = run->result;
    double centre[2][3], point[3] = {0};
    enum status status = simulation_advance(run->simulation, k, NULL);
    if (status == STATUS_OK)
        status = simulation_save(run->simulation, run->bodies);
    if (status == STATUS_OK && result->separation) {
        for (int g = 0; g < 2; g++)
            galaxy_core_find(run->core[g], run->bodies, centre[g]);
        result->separation[k] = away(centre[0], centre[1]);
    }
    if (status != STATUS_OK || !result->radius)
        return status;
    if (run->params->point) {
        status = simulation_view_fill(run->simulation, run->view);
        if (status == STATUS_OK)
            status = run->params->point(run->params->user, run->bodies, run->view, point);
    }
    if (status == STATUS_OK)
        result->radius[k] = enclosing_radius(run, point);
    return status;
}

static void close_run(struct run *run)
{
    if (run->simulation)
        simulation_view_destroy(run->simulation, &run->view);
    simulation_close(&run->simulation);
    bodies_destroy(&run->bodies);
    galaxy_core_close(&run->core[0]);
    galaxy_core_close(&run->core[1]);
    free(run->shells);
}

enum status pilot_run(struct pilot **out, const struct pilot_params *params,
                      const struct bodies *bodies)
{
    struct run run = {.params = params};
    struct bar bar;
    struct pilot *result = *out = run.result = memory_new(1, sizeof *result);
    enum status status = prepare_bodies(&run, bodies);
    if (status == STATUS_OK)
        status = prepare_simulation(&run);
    if (status == STATUS_OK)
        status = prepare_tracks(&run);
    if (status == STATUS_OK)
        log_info("looking through the film first, with %zu bodies and %llu steps",
                 run.bodies->count, (unsigned long long)(run.steps * (result->count - 1)));
    bar_begin(&bar, "looking through the film");
    for (size_t k = 0; k < result->count && status == STATUS_OK; k++) {
        bar_show(&bar, k, result->count);
        status = sample(&run, k);
    }
    bar_end(&bar);
    if (status == STATUS_OK && result->separation)
        encounter_find(result->count, result->separation, result->interval,
                       noise_share * result->touch, result->touch, &result->happened);
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
    free((*pilot)->radius);
    free(*pilot);
    *pilot = NULL;
}
