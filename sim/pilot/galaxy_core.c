#include "sim/pilot/galaxy_core.h"

#include "base/memory.h"
#include "sim/diagnostics.h"
#include "sim/bodies/bodies.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { SHIFTS_MAX = 100 };

/* Bodies are collected within this part of R more than R, and again when the centre has moved by
 * that. */
static const double margin = 0.2;

struct galaxy_core {
    size_t count;
    size_t *body;        /* [count]: the galaxy's bodies */
    double *weight;      /* [count] */
    double (*nearby)[4]; /* [nearby_count]: positions and weights, in order */
    size_t nearby_count;
    double radius, extent;
    double last[2][3]; /* the last two centres, the latest first */
    int known;         /* number of them */
};

size_t galaxies_find(const struct bodies *bodies, size_t *first)
{
    size_t count = 0;
    for (size_t c = 0; c < bodies->component_count; c++) {
        const struct component *component = &bodies->components[c];
        size_t known = 0;
        while (known < count &&
               strcmp(bodies->components[first[known]].galaxy, component->galaxy) != 0)
            known++;
        if (known == count && component->galaxy[0] && component_whole(component) > 0)
            first[count++] = c;
    }
    return count;
}

size_t galaxies_count(const struct bodies *bodies)
{
    size_t *first = memory_new(bodies->component_count, sizeof *first);
    const size_t count = galaxies_find(bodies, first);
    free(first);
    return count;
}

static double distance(const double a[3], const double b[3])
{
    double x = a[0] - b[0], y = a[1] - b[1], z = a[2] - b[2];
    return sqrt(x * x + y * y + z * z);
}

/* Collects the bodies within a radius of the centre. */
static void collect_nearby(struct galaxy_core *core, const struct bodies *bodies,
                           const double centre[3], double radius)
{
    core->nearby_count = 0;
    for (size_t k = 0; k < core->count; k++) {
        const double *x = bodies->position[core->body[k]];
        const double dx = x[0] - centre[0], dy = x[1] - centre[1], dz = x[2] - centre[2];
        double *near = core->nearby[core->nearby_count];
        memcpy(near, x, 3 * sizeof *x);
        near[3] = core->weight[k];
        core->nearby_count += dx * dx + dy * dy + dz * dz <= radius * radius;
    }
}

/* One mean shift of the centre with kernel radius R, over the collected bodies; false when none is
 * within R. */
static bool shift(const struct galaxy_core *core, double radius, double centre[3])
{
    const double inverse = 1 / (radius * radius);
    double sum = 0, mean[3] = {0};
    for (size_t k = 0; k < core->nearby_count; k++) {
        const double *x = core->nearby[k];
        const double dx = x[0] - centre[0], dy = x[1] - centre[1], dz = x[2] - centre[2];
        const double rest = 1 - (dx * dx + dy * dy + dz * dz) * inverse;
        const double inside = rest > 0 ? rest : 0, weight = x[3] * inside * inside;
        sum += weight;
        for (int i = 0; i < 3; i++)
            mean[i] += weight * x[i];
    }
    for (int i = 0; i < 3 && sum > 0; i++)
        centre[i] = mean[i] / sum;
    return sum > 0;
}

static bool settle(struct galaxy_core *core, const struct bodies *bodies, double centre[3])
{
    double middle[3] = {INFINITY};
    for (int n = 0; n < SHIFTS_MAX; n++) {
        double before[3] = {centre[0], centre[1], centre[2]};
        if (!(distance(middle, centre) <= margin * core->radius)) {
            /* 1e-9 more, because distances are rounded. */
            collect_nearby(core, bodies, centre, (1 + 1e-9) * (1 + margin) * core->radius);
            memcpy(middle, centre, sizeof middle);
        }
        if (!shift(core, core->radius, centre))
            return false;
        if (distance(before, centre) <= 1e-6 * core->radius)
            break;
    }
    return true;
}

/* Finds a first centre by spheres that shrink around their means. */
static void search(struct galaxy_core *core, const struct bodies *bodies, double centre[3])
{
    double radius = 2 * core->extent;
    memset(centre, 0, 3 * sizeof *centre);
    collect_nearby(core, bodies, centre, HUGE_VAL);
    if (!shift(core, HUGE_VAL, centre))
        return;
    for (; radius > core->radius; radius *= 0.8)
        for (int n = 0; n < 3 && shift(core, radius, centre); n++)
            ;
    settle(core, bodies, centre);
}

void galaxy_core_find(struct galaxy_core *core, const struct bodies *bodies, double centre[3])
{
    for (int i = 0; i < 3; i++)
        centre[i] = core->known == 2 ? 2 * core->last[0][i] - core->last[1][i] : core->last[0][i];
    if (core->known == 0 || !settle(core, bodies, centre))
        search(core, bodies, centre);
    memcpy(core->last[1], core->last[0], sizeof core->last[0]);
    memcpy(core->last[0], centre, sizeof core->last[0]);
    core->known += core->known < 2;
}

double galaxy_core_radius(const struct galaxy_core *core)
{
    return core->radius;
}

/* The half-mass radius of the drawn bodies, or of all; the distance of the farthest. */
static void measure(struct galaxy_core *core, const struct bodies *bodies, const bool *drawn,
                    struct shell *shells)
{
    double centre[3] = {0}, total = 0;
    size_t used = 0;
    collect_nearby(core, bodies, centre, HUGE_VAL);
    shift(core, HUGE_VAL, centre);
    for (int all = 0; all < 2 && total == 0; all++) {
        used = 0;
        for (size_t k = 0; k < core->count; k++) {
            double away = distance(bodies->position[core->body[k]], centre);
            core->extent = fmax(core->extent, away);
            if (drawn[k] || all)
                shells[used++] = (struct shell){away, core->weight[k]};
        }
        for (size_t k = 0; k < used; k++)
            total += shells[k].weight;
    }
    core->radius = shells_radius(shells, used, total / 2);
    if (!(core->radius > 0)) /* a single body: any resolution will do */
        core->radius = core->extent > 0 ? core->extent : 1;
}

/* Collects the galaxy's bodies, their weights, and which of them are drawn. */
static void collect(struct galaxy_core *core, const struct bodies *bodies, const char *galaxy,
                    bool *drawn)
{
    double mass = 0;
    for (size_t c = 0; c < bodies->component_count; c++) {
        const struct component *part = &bodies->components[c];
        if (strcmp(part->galaxy, galaxy) != 0)
            continue;
        for (size_t i = part->first; i < part->first + part->count; i++) {
            mass += bodies->mass[i];
            drawn[core->count] = part->draw;
            core->weight[core->count] = bodies->mass[i];
            core->body[core->count++] = i;
        }
    }
    for (size_t k = 0; k < core->count && !(mass > 0); k++)
        core->weight[k] = 1;
}

enum status galaxy_core_open(struct galaxy_core **out, const struct bodies *bodies,
                             size_t component)
{
    struct galaxy_core *core = *out = memory_new(1, sizeof *core);
    struct shell *shells = malloc(bodies->count * sizeof *shells);
    bool *drawn = malloc(bodies->count * sizeof *drawn);
    core->body = malloc(bodies->count * sizeof *core->body);
    core->weight = malloc(bodies->count * sizeof *core->weight);
    core->nearby = malloc(bodies->count * sizeof *core->nearby);
    const bool fits = shells && drawn && core->body && core->weight && core->nearby;
    if (fits) {
        collect(core, bodies, bodies->components[component].galaxy, drawn);
        measure(core, bodies, drawn, shells);
    }
    free(shells);
    free(drawn);
    if (fits)
        return STATUS_OK;
    galaxy_core_close(out);
    return status_fail(
        STATUS_RUNTIME,
        "finding a galaxy among %zu bodies needs %zu MiB, which do not fit in memory",
        bodies->count,
        bodies->count * (sizeof *shells + sizeof *drawn + sizeof *core->body +
                         sizeof *core->weight + sizeof *core->nearby) >>
            20);
}

void galaxy_core_close(struct galaxy_core **core)
{
    if (!*core)
        return;
    free((*core)->body);
    free((*core)->weight);
    free((*core)->nearby);
    free(*core);
    *core = NULL;
}
