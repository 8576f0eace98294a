#include "sim/pilot/thin.h"

#include "base/memory.h"
#include "sim/bodies/edit.h"
#include "sim/bodies/whole.h"

#include <stdlib.h>
#include <string.h>

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
