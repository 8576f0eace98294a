#include "cmd/regression/judge/body_motion.h"

#include "base/memory.h"

#include <math.h>
#include <stdlib.h>

/* In an encounter, the separation of two bodies accelerates by at most 2 m / softening^3 times
 * itself. This factor times the square of the frame's duration is the growth per frame. The
 * difference of two films may grow, beyond a straight line, by GROWTH times that, and by at least
 * LEAST_GROWTH for the pull of all other bodies; the largest values measured were 0.85 of the
 * former, and 0.5. Where the allowed growth exceeds SHORT, frames are too long to follow
 * encounters. */
static const double GROWTH = 2, LEAST_GROWTH = 1, SHORT = 16;
/* Rounding of positions and their sketches, relative to the size of the positions. */
static const double ROUNDING = 1e-14;
static const double HORIZON = 0.1; /* of the softening */
/* Changed equations show within this many frames. */
enum { EARLY = 4 };

static double norm(const double sketch[RECORD_SKETCH], uint64_t bodies)
{
    double sum = 0;
    for (int k = 0; k < RECORD_SKETCH; k++)
        sum += sketch[k] * sketch[k];
    return sqrt(sum / ((double)RECORD_SKETCH * (double)bodies));
}

/* Deviation of a sequence from the straight line through its previous two points, for the
 * differences of the two films and for the positions of the first film. At the second frame there
 * is no line yet: the velocities are the same at the start, so that a difference is expected to
 * stay constant, and the acceleration is taken from the third frame, halved. */
struct bend {
    double difference, acceleration, latest; /* RMS; latest: the larger of the last two */
};

const struct bodies_record *divergence_bodies(const struct divergence *d, uint64_t i, bool now)
{
    return &(now ? d->now : d->before)[i]->bodies[d->simulation];
}

static double coordinate(const struct divergence *d, uint64_t i, int k, bool difference)
{
    const double before = divergence_bodies(d, i, false)->sketch[k];
    return difference ? divergence_bodies(d, i, true)->sketch[k] - before : before;
}

/* Returns the second difference at i; time steps may be unequal. */
static double second(const struct divergence *d, uint64_t i, int k, bool difference)
{
    const double last = d->before[i - 1]->time - d->before[i - 2]->time,
                 next = d->before[i]->time - d->before[i - 1]->time,
                 slope = coordinate(d, i - 1, k, difference) - coordinate(d, i - 2, k, difference),
                 change = coordinate(d, i, k, difference) - coordinate(d, i - 1, k, difference);
    return change - slope * (next / last);
}

static struct bend bend_at(const struct divergence *d, uint64_t i, uint64_t bodies)
{
    double difference[RECORD_SKETCH], acceleration[RECORD_SKETCH];
    for (int k = 0; k < RECORD_SKETCH; k++) {
        difference[k] =
            i >= 2 ? second(d, i, k, true) : coordinate(d, 1, k, true) - coordinate(d, 0, k, true);
        acceleration[k] = i >= 2         ? second(d, i, k, false)
                          : d->count > 2 ? second(d, 2, k, false) / 2
                                         : NAN;
    }
    return (struct bend){norm(difference, bodies), norm(acceleration, bodies),
                         fmax(d->distance[i - 1], i >= 2 ? d->distance[i - 2] : 0)};
}

static void find_frames(struct divergence *d, const struct record *before, const struct record *now)
{
    const uint64_t room = before->count < now->count ? before->count : now->count;
    d->before = memory_new((size_t)room, sizeof *d->before);
    d->now = memory_new((size_t)room, sizeof *d->now);
    d->distance = memory_new((size_t)room, sizeof *d->distance);
    d->crossings = memory_new((size_t)room, sizeof *d->crossings);
    for (uint64_t i = 0; i < now->count && d->count < room; i++) {
        const struct frame_record *other = record_frame(before, now->frames[i].frame);
        if (!other)
            continue;
        d->before[d->count] = other;
        d->now[d->count] = &now->frames[i];
        d->distance[d->count] = record_distance(before, &other->bodies[d->simulation],
                                                &now->frames[i].bodies[d->simulation]);
        d->count++;
    }
}

static void find_size(struct divergence *d, uint64_t bodies)
{
    const struct diagnostics *start = &divergence_bodies(d, 0, false)->diagnostics;
    d->size = start->mass * start->mass / -start->potential;
    if (!(d->size > 0) || !isfinite(d->size))
        d->size = norm(divergence_bodies(d, 0, false)->sketch, bodies);
}

/* Counts crossing times: one takes 2 r / v, with the present half-mass radius and RMS speed. */
static void count_crossings(struct divergence *d)
{
    for (uint64_t i = 1; i < d->count; i++) {
        const struct bodies_record *bodies = divergence_bodies(d, i, false);
        const struct diagnostics *at = &bodies->diagnostics;
        const double speed = sqrt(2 * at->kinetic / at->mass), one = 2 * bodies->half_mass / speed,
                     passed = fabs(d->before[i]->time - d->before[i - 1]->time) / one;
        d->crossings[i] = d->crossings[i - 1] + (isfinite(passed) ? passed : 0);
    }
}

/* Returns how much the distance may grow from frame i - 1 to i, as a share of that of the last
 * two. */
static double growth_at(const struct divergence *d, const struct record *before, uint64_t i)
{
    const double time = d->before[i]->time - d->before[i - 1]->time, softening = before->softening,
                 mass = divergence_bodies(d, 0, false)->diagnostics.mass / (double)before->bodies,
                 growth = GROWTH * 2 * mass * time * time / (softening * softening * softening);
    return growth > LEAST_GROWTH ? growth : LEAST_GROWTH;
}

/* Finds the first frame that round-off and its growth cannot explain. */
static void find_jump(struct divergence *d, const struct record *before, double force)
{
    const double rounding = ROUNDING * norm(divergence_bodies(d, 0, false)->sketch, before->bodies);
    for (uint64_t i = 1; i < d->count; i++) {
        if (before->softening > 0 && d->distance[i - 1] > HORIZON * before->softening)
            return;
        const struct bend bend = bend_at(d, i, before->bodies);
        const double grown = growth_at(d, before, i) * bend.latest + rounding,
                     own = bend.difference <= grown ? 0 : bend.difference - grown,
                     excess = own == 0 ? 0 : own / (force * bend.acceleration);
        if (!(excess <= d->excess)) {
            d->excess = excess;
            d->force = own / bend.acceleration;
        }
        if (d->frame < 0 && !(excess <= 1))
            d->frame = (int64_t)d->now[i]->frame;
        if (isnan(excess))
            return;
    }
}

static enum divergence_kind kind_of(const struct divergence *d)
{
    if (d->count == 0 || isnan(d->excess) || d->horizon == (int64_t)d->now[0]->frame)
        return DIVERGENCE_UNKNOWN;
    if (d->first < 0)
        return DIVERGENCE_NONE;
    if (d->frame < 0)
        return DIVERGENCE_ROUND_OFF;
    const uint64_t early = d->count < EARLY ? d->count : EARLY;
    return d->frame <= (int64_t)d->now[early - 1]->frame ? DIVERGENCE_EQUATIONS : DIVERGENCE_JUMP;
}

void divergence_measure(const struct record *before, const struct record *now, int simulation,
                        double force, struct divergence *out)
{
    *out = (struct divergence){
        .simulation = simulation, .first = -1, .frame = -1, .horizon = -1, .begins = NAN};
    find_frames(out, before, now);
    for (uint64_t i = 0; i < out->count; i++) {
        if (isnan(out->distance[i]))
            out->excess = NAN;
        if (out->first < 0 && out->distance[i] != 0)
            out->first = (int64_t)out->now[i]->frame;
        if (out->horizon < 0 && !(out->distance[i] <= HORIZON * before->softening))
            out->horizon = (int64_t)out->now[i]->frame;
    }
    if (out->count > 0) {
        find_size(out, before->bodies);
        count_crossings(out);
    }
    out->resolved = true;
    for (uint64_t i = 1; i < out->count; i++)
        out->resolved &= growth_at(out, before, i) <= SHORT;
    if (out->count > 1)
        out->begins = out->distance[1] == 0 ? 0 : out->distance[1] / out->size;
    if (out->count > 0 && !isnan(out->excess))
        find_jump(out, before, force);
    out->kind = kind_of(out);
}

void divergence_free(struct divergence *divergence)
{
    free(divergence->before);
    free(divergence->now);
    free(divergence->distance);
    free(divergence->crossings);
    *divergence = (struct divergence){0};
}
