#include "sim/diagnostics.h"

#include "base/memory.h"
#include "base/ranks/ranks.h"
#include "base/sort.h"
#include "sim/bodies/bodies_whole.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

_Static_assert(sizeof(struct shell) == sizeof(double[2]), "sort_rows sorts shells");

/* The first shell up to which the weights, after those of *inside, reach `weight`; count: none. */
static size_t reach(const struct shell *shells, size_t count, double weight, double *inside)
{
    for (size_t k = 0; k < count; k++) {
        *inside += shells[k].weight;
        if (*inside >= weight)
            return k;
    }
    return count;
}

double shells_radius(struct shell *shells, size_t count, double weight)
{
    double inside = 0;
    sort_rows((double(*)[2])shells, count);
    const size_t k = reach(shells, count, weight, &inside);
    return count == 0 ? 0 : shells[k < count ? k : count - 1].distance;
}

/* The range around the last radius that is searched first, as a part of it. */
static const double search_range = 0.08;

double shells_radius_near(const double *distance, const double *weights, size_t count,
                          double weight, double last, struct shell *room)
{
    const double least = last - search_range * fabs(last), most = last + search_range * fabs(last);
    /* An upper bound of the difference of two sums whose weights are added in different orders. */
    const double rounded = 2 * (double)count * DBL_EPSILON * weight;
    double inside = 0;
    size_t used = 0;
#pragma omp simd reduction(+ : inside)
    for (size_t i = 0; i < count; i++) {
        const double own = weights[i];
        inside += distance[i] < least ? own : 0;
    }
    for (size_t i = 0; i < count; i++) {
        room[used] = (struct shell){distance[i], weights[i]};
        used += (distance[i] >= least) & (distance[i] <= most);
    }
    sort_rows((double(*)[2])room, used);
    double above = inside;
    const bool begins = inside < weight - rounded;
    const size_t k = reach(room, used, weight - rounded, &inside);
    if (begins && k < used && reach(room, used, weight + rounded, &above) == k)
        return room[k].distance;
    for (size_t i = 0; i < count; i++)
        room[i] = (struct shell){distance[i], weights[i]};
    return shells_radius(room, count, weight);
}

/* All ranks send this many shells at a time. */
enum { PIECE = 1 << 18 };

/* Collective: the nearest shells of all ranks in their order, those up to the distance up to which
 * each rank offers all that it has; *used: of this rank's. */
static enum status next_shells(const struct shell *shells, size_t count, struct shell *all,
                               size_t *used, size_t *here)
{
    const size_t ranks = (size_t)ranks_count(), most = PIECE / ranks + 1;
    const size_t offered = count < most ? count : most;
    double limit = offered < count ? -shells[offered - 1].distance : -INFINITY;
    size_t *bytes = memory_new(ranks, sizeof *bytes);
    enum status status = ranks_largest(&limit, 1);
    *used = *here = 0;
    while (*used < offered && shells[*used].distance <= -limit)
        ++*used;
    const size_t own = *used * sizeof *shells;
    if (status == STATUS_OK)
        status = ranks_gather_each(&own, bytes, sizeof own);
    if (status == STATUS_OK)
        status = ranks_gather(shells, all, bytes);
    for (size_t r = 0; r < ranks; r++)
        *here += bytes[r] / sizeof *shells;
    sort_rows((double(*)[2])all, *here);
    free(bytes);
    return status;
}

/* Collective if `shared`: the same for the shells of all ranks, to all. They are sent in pieces, in
 * the order of distances. */
static enum status shells_whole_radius(struct shell *shells, size_t count, double weight,
                                       bool shared, double *radius)
{
    if (!shared) {
        *radius = shells_radius(shells, count, weight);
        return STATUS_OK;
    }
    const size_t room = PIECE + (size_t)ranks_count();
    struct shell *all = malloc(room * sizeof *all);
    enum status status = ranks_agree(
        all ? STATUS_OK : status_fail(STATUS_RUNTIME, "no memory left for %zu shells", room));
    double inside = 0;
    size_t used, here = 1, found = 1;
    *radius = 0;
    sort_rows((double(*)[2])shells, count);
    for (size_t k = 0; status == STATUS_OK && found == here && here > 0; k += used) {
        status = next_shells(shells + k, count - k, all, &used, &here);
        if (status != STATUS_OK || here == 0)
            break;
        found = reach(all, here, weight, &inside);
        *radius = all[found < here ? found : here - 1].distance;
    }
    free(all);
    return status;
}

/* ---- diagnostics ---- */

/* Sums over all bodies. */
struct sums {
    double mass, kinetic, centre[3], momentum[3], angular_momentum[3];
};
enum { SUMS = sizeof(struct sums) / sizeof(double) };

static void add_bodies(const void *user, const struct bodies *bodies, size_t first, size_t count,
                       double *sums)
{
    struct sums d;
    (void)user;
    memcpy(&d, sums, sizeof d);
    for (size_t i = first; i < first + count; i++) {
        const double *x = bodies->position[i], *v = bodies->velocity[i], m = bodies->mass[i];
        d.mass += m;
        d.kinetic += 0.5 * m * (v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
        for (int c = 0; c < 3; c++) {
            int a = (c + 1) % 3, b = (c + 2) % 3;
            d.centre[c] += m * x[c];
            d.momentum[c] += m * v[c];
            d.angular_momentum[c] += m * (x[a] * v[b] - x[b] * v[a]);
        }
    }
    memcpy(sums, &d, sizeof d);
}

static void conclude(const double *sums, double potential, struct diagnostics *out)
{
    struct sums d;
    memcpy(&d, sums, sizeof d);
    *out = (struct diagnostics){.mass = d.mass,
                                .kinetic = d.kinetic,
                                .potential = potential,
                                .energy = d.kinetic + potential,
                                .virial = potential < 0 ? -2 * d.kinetic / potential : 0};
    for (int c = 0; c < 3; c++) {
        out->centre[c] = d.mass != 0 ? d.centre[c] / d.mass : d.centre[c];
        out->momentum[c] = d.momentum[c];
        out->angular_momentum[c] = d.angular_momentum[c];
    }
}

/* Plain sums in the order of the bodies: identical on every machine and for any number of threads
 * and ranks. */
void diagnostics_compute(const struct bodies *bodies, double potential, struct diagnostics *out)
{
    double sums[SUMS] = {0};
    add_bodies(NULL, bodies, 0, bodies->count, sums);
    conclude(sums, potential, out);
}

enum status diagnostics_whole(const struct bodies *bodies, double potential,
                              struct diagnostics *out)
{
    double sums[SUMS] = {0};
    enum status status = STATUS_OK;
    if (!bodies->shared) {
        diagnostics_compute(bodies, potential, out);
        return STATUS_OK;
    }
    for (size_t c = 0; c < bodies->component_count && status == STATUS_OK; c++)
        status = whole_continue(bodies, c, add_bodies, NULL, sums, SUMS);
    conclude(sums, potential, out);
    return status;
}

/* How bodies of a component are weighed: by mass or, without any, equally. */
static double weight_of(const struct bodies *bodies, size_t i, bool by_mass)
{
    return by_mass ? bodies->mass[i] : 1;
}

/* sums: weight, weighted position. */
static void add_weights(const void *user, const struct bodies *bodies, size_t first, size_t count,
                        double *sums)
{
    for (size_t i = first; i < first + count; i++) {
        const double weight = weight_of(bodies, i, *(const bool *)user);
        sums[0] += weight;
        for (int c = 0; c < 3; c++)
            sums[1 + c] += weight * bodies->position[i][c];
    }
}

/* The radius for components `from` to `to` - 1 together. */
static enum status half_mass_radius(const struct bodies *bodies, size_t from, size_t to,
                                    struct shell *shells, double *radius)
{
    double mass = 0, sums[4] = {0};
    size_t count = 0;
    enum status status = STATUS_OK;
    for (size_t k = from; k < to && status == STATUS_OK; k++) {
        double own;
        status = whole_mass(bodies, k, &own);
        mass += own;
    }
    const bool by_mass = mass > 0;
    for (size_t k = from; k < to && status == STATUS_OK; k++)
        status = whole_continue(bodies, k, add_weights, &by_mass, sums, 4);
    for (size_t k = from; k < to; k++) {
        const struct component *component = &bodies->components[k];
        for (size_t i = component->first; i < component->first + component->count; i++, count++) {
            const double *x = bodies->position[i];
            double d[3];
            for (int c = 0; c < 3; c++)
                d[c] = x[c] - sums[1 + c] / sums[0];
            shells[count].weight = weight_of(bodies, i, by_mass);
            shells[count].distance = sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
        }
    }
    return status == STATUS_OK
               ? shells_whole_radius(shells, count, sums[0] / 2, bodies->shared, radius)
               : status;
}

static enum status half_mass_radii(const struct bodies *bodies, bool all, double *radius)
{
    const size_t components = bodies->component_count;
    struct shell *shells = malloc((bodies->count + 1) * sizeof *shells);
    enum status status =
        shells ? STATUS_OK
               : status_fail(STATUS_RUNTIME,
                             "the half-mass radii of %zu bodies need %zu MiB, which do not fit in "
                             "memory",
                             bodies->count, bodies->count * sizeof *shells >> 20);
    if (status == STATUS_OK && all)
        status = half_mass_radius(bodies, 0, components, shells, radius);
    for (size_t k = 0; k < components && status == STATUS_OK && !all; k++)
        status = half_mass_radius(bodies, k, k + 1, shells, &radius[k]);
    free(shells);
    return status;
}

enum status diagnostics_half_mass(const struct bodies *bodies, double *radius)
{
    return half_mass_radii(bodies, false, radius);
}

enum status diagnostics_half_mass_all(const struct bodies *bodies, double *radius)
{
    return half_mass_radii(bodies, true, radius);
}

/* ---- conservation ---- */

static double norm(const double a[3])
{
    return sqrt(a[0] * a[0] + a[1] * a[1] + a[2] * a[2]);
}

static double distance(const double a[3], const double b[3])
{
    return norm((double[3]){a[0] - b[0], a[1] - b[1], a[2] - b[2]});
}

static double relative(double change, double scale)
{
    if (scale > 0)
        return change / scale;
    return change == 0 ? 0 : change * INFINITY;
}

void drift_measure(const struct diagnostics *start, const struct diagnostics *now, double elapsed,
                   struct drift *out)
{
    const double terms = fmax(start->kinetic, fabs(start->potential)),
                 kinetic = fmax(start->kinetic, 1e-3 * fabs(start->potential)),
                 momentum = sqrt(2 * kinetic * start->mass),
                 radius =
                     start->potential != 0 ? start->mass * start->mass / fabs(start->potential) : 0;
    double centre[3];
    for (int c = 0; c < 3; c++)
        centre[c] =
            start->centre[c] + (start->mass != 0 ? elapsed * start->momentum[c] / start->mass : 0);
    *out = (struct drift){
        .energy = relative(now->energy - start->energy, fmax(fabs(start->energy), 1e-3 * terms)),
        .momentum = relative(distance(now->momentum, start->momentum), momentum),
        .angular_momentum = relative(distance(now->angular_momentum, start->angular_momentum),
                                     fmax(norm(start->angular_momentum), momentum * radius)),
        .centre = distance(now->centre, centre),
    };
}

/* ---- energy_history ---- */

struct energy_history *energy_history_create(uint64_t frames)
{
    /* One point each for the first and the last frame, and ENERGY_POINTS_MAX - 2 steps between. */
    const uint64_t last = frames > 0 ? frames - 1 : 0, steps = ENERGY_POINTS_MAX - 2;
    struct energy_history *history = memory_new(1, sizeof *history);
    history->last = last;
    history->every = last > steps ? (last - 1) / steps + 1 : 1;
    history->room = (size_t)(last / history->every) + 2;
    history->points = memory_new(history->room, sizeof *history->points);
    return history;
}

void energy_history_destroy(struct energy_history **history)
{
    if (!*history)
        return;
    free((*history)->points);
    free(*history);
    *history = NULL;
}

bool energy_history_due(const struct energy_history *history, uint64_t frame)
{
    return frame <= history->last && (frame % history->every == 0 || frame == history->last);
}

size_t energy_history_until(const struct energy_history *history, uint64_t frame)
{
    const uint64_t at = frame < history->last ? frame : history->last;
    return (size_t)(at / history->every) + 1 + (at == history->last && at % history->every > 0);
}

void energy_history_add(struct energy_history *history, const struct energy_point *point)
{
    if (history->count < history->room)
        history->points[history->count++] = *point;
}

enum status energy_history_restore(struct energy_history *history,
                                   const struct energy_point *points, size_t count)
{
    if (count > history->room)
        return status_fail(STATUS_USAGE,
                           "found %zu saved energies, but a film of %llu frames has at most %zu; "
                           "the file belongs to another film",
                           count, (unsigned long long)history->last + 1, history->room);
    for (size_t i = 0; i < count; i++) {
        const struct energy_point *point = &points[i];
        bool finite =
            isfinite(point->time) && isfinite(point->kinetic) && isfinite(point->potential);
        double direction = count > 1 ? points[1].time - points[0].time : 1;
        if (!finite || (i > 0 && !((point->time - points[i - 1].time) * direction > 0)))
            return status_fail(STATUS_USAGE,
                               "saved energy %zu of %zu is out of order or not a number; the file "
                               "is damaged",
                               i + 1, count);
    }
    if (count > 0)
        memcpy(history->points, points, count * sizeof *points);
    history->count = count;
    return STATUS_OK;
}
