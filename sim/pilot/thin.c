#include "sim/pilot/thin.h"

#include "base/memory.h"
#include "sim/bodies/share.h"

#include <stdlib.h>
#include <string.h>

/* Part of the bodies that is divided equally among components, so that light ones are represented
 * too. */
static const double even_share = 0.15;

/* Mean position and velocity of a galaxy, or of a component without a galaxy. */
static void find_mean(const struct bodies *bodies, const struct component *member, double mean[6])
{
    double sum = 0;
    memset(mean, 0, 6 * sizeof *mean);
    for (int all = 0; all < 2 && !(sum > 0); all++) {
        for (size_t c = 0; c < bodies->component_count; c++) {
            const struct component *component = &bodies->components[c];
            if (component != member &&
                (!*member->galaxy || strcmp(component->galaxy, member->galaxy) != 0))
                continue;
            for (size_t i = component->first; i < component->first + component->count; i++) {
                double weight = all ? 1 : bodies->mass[i];
                sum += weight;
                for (int k = 0; k < 3; k++) {
                    mean[k] += weight * bodies->position[i][k];
                    mean[3 + k] += weight * bodies->velocity[i][k];
                }
            }
        }
    }
    for (int k = 0; k < 6 && sum > 0; k++)
        mean[k] /= sum;
}

static double component_mass(const struct bodies *bodies, const struct component *component)
{
    double mass = 0;
    for (size_t i = component->first; i < component->first + component->count; i++)
        mass += bodies->mass[i];
    return mass;
}

/* The number of picks from each component: half of its bodies if they are mirrored. */
static void choose_picks(const struct bodies *bodies, size_t size, double *weight, size_t *picks)
{
    const size_t n = bodies->component_count;
    double total = 0;
    for (size_t c = 0; c < n; c++)
        total += weight[c] = component_mass(bodies, &bodies->components[c]);
    for (size_t c = 0; c < n; c++) {
        const struct component *component = &bodies->components[c];
        weight[c] = component->count == 0 ? 0
                    : total > 0 ? (1 - even_share) * weight[c] / total + even_share / (double)n
                                : (double)component->count;
    }
    share_out(size, n, weight, picks);
    for (size_t c = 0; c < n; c++) {
        const struct component *component = &bodies->components[c];
        if (*component->galaxy)
            picks[c] = (picks[c] + 1) / 2;
        if (picks[c] == 0 || picks[c] > component->count)
            picks[c] = component->count < 1 ? 0 : picks[c] == 0 ? 1 : component->count;
    }
}

/* Picks the middle row of each of `picks` equal stretches, alone or with its mirrored twin. */
static void pick(const struct bodies *bodies, size_t c, size_t picks, struct bodies *out)
{
    const struct component *from = &bodies->components[c];
    struct component *to = &out->components[c];
    const size_t copies = *from->galaxy ? 2 : 1;
    double mean[6], mass = 0;
    *to = *from;
    to->first = c ? out->components[c - 1].first + out->components[c - 1].count : 0;
    to->count = picks * copies;
    find_mean(bodies, from, mean);
    for (size_t i = 0; i < to->count; i++) {
        unsigned __int128 place = (unsigned __int128)(2 * (i / copies) + 1) * from->count;
        size_t row = from->first + (size_t)(place / (2 * picks)), at = to->first + i;
        out->mass[at] = bodies->mass[row];
        mass += out->mass[at];
        for (int k = 0; k < 3; k++) {
            double x = bodies->position[row][k], v = bodies->velocity[row][k];
            out->position[at][k] = i % copies ? 2 * mean[k] - x : x;
            out->velocity[at][k] = i % copies ? 2 * mean[3 + k] - v : v;
        }
    }
    double wanted = component_mass(bodies, from);
    for (size_t i = to->first; i < to->first + to->count; i++)
        out->mass[i] = mass > 0 ? out->mass[i] * (wanted / mass) : wanted / (double)to->count;
}

enum status pilot_thin(struct bodies **out, const struct bodies *bodies, size_t size)
{
    const size_t n = bodies->component_count;
    double *weight = memory_new(n, sizeof *weight);
    size_t *picks = memory_new(n, sizeof *picks), count = 0;
    choose_picks(bodies, size, weight, picks);
    for (size_t c = 0; c < n; c++)
        count += picks[c] * (*bodies->components[c].galaxy ? 2 : 1);
    enum status status = bodies_create(out, count, n);
    for (size_t c = 0; status == STATUS_OK && c < n; c++)
        pick(bodies, c, picks[c], *out);
    free(weight);
    free(picks);
    return status;
}
