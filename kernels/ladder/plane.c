#include "kernels/ladder/plane.h"

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CHECK_ALL = 2048, CHECK_SAMPLE = 512, CHECK_TAIL = 256 };

struct plane plane_example(size_t count)
{
    return (struct plane){.count = count, .softening = 0.02F, .dt = 0.002F, .half = 1};
}

/* SplitMix64 (Steele, Lea and Flood, 2014), to [0, 1). */
static double next(uint64_t *state)
{
    uint64_t z = *state += 0x9e3779b97f4a7c15u;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return (double)((z ^ z >> 31) >> 11) * 0x1p-53;
}

void plane_bodies(size_t count, struct plane_body *bodies)
{
    uint64_t state = 1;
    for (size_t i = 0; i < count; i++) {
        double radius = 0.95 * sqrt(next(&state)), angle = 2 * 3.14159265358979324 * next(&state);
        bodies[i] = (struct plane_body){
            .x = (float)(radius * cos(angle)),
            .y = (float)(radius * sin(angle)),
            .vx = (float)(0.02 * next(&state) - 0.01),
            .vy = (float)(0.02 * next(&state) - 0.01),
            .mass = (float)((0.5 + next(&state)) / (double)count),
        };
    }
}

void plane_reference(const struct plane *plane, const struct plane_body *bodies, size_t i,
                     double acceleration[2])
{
    double softening2 = (double)plane->softening * (double)plane->softening, ax = 0, ay = 0;
    for (size_t j = 0; j < plane->count; j++) {
        double dx = (double)bodies[j].x - (double)bodies[i].x;
        double dy = (double)bodies[j].y - (double)bodies[i].y;
        double d2 = dx * dx + dy * dy + softening2;
        double pull = (double)bodies[j].mass / (d2 * sqrt(d2));
        ax += pull * dx;
        ay += pull * dy;
    }
    acceleration[0] = ax;
    acceleration[1] = ay;
}

/* Finds the cell that contains `at`, by bisection; -1 outside. The borders are exact in double. */
static int cell_of(double at, double half)
{
    int low = 0, high = PLANE_SIDE;
    if (!(at >= -half && at < half))
        return -1;
    while (high - low > 1) {
        int middle = (low + high) / 2;
        double border = -half + 2 * half * middle / PLANE_SIDE;
        *(at >= border ? &low : &high) = middle;
    }
    return low;
}

void plane_reference_map(const struct plane *plane, const struct plane_body *bodies, unsigned *map)
{
    memset(map, 0, PLANE_CELLS * sizeof *map);
    for (size_t i = 0; i < plane->count; i++) {
        int column = cell_of((double)bodies[i].x, (double)plane->half);
        int row = cell_of((double)bodies[i].y, (double)plane->half);
        if (column >= 0 && row >= 0)
            map[row * PLANE_SIDE + column]++;
    }
}

static bool check_map(const struct plane *plane, const struct plane_body *after,
                      const unsigned *map, char *reason)
{
    unsigned *want = malloc(PLANE_CELLS * sizeof *want);
    bool right = want;
    if (!want)
        snprintf(reason, PLANE_REASON, "no memory to check the activity map");
    else
        plane_reference_map(plane, after, want);
    for (int c = 0; right && c < PLANE_CELLS; c++) {
        right = map[c] == want[c];
        if (!right)
            snprintf(reason, PLANE_REASON,
                     "the activity map counts %u bodies in cell (%d, %d), and %u are there", map[c],
                     c % PLANE_SIDE, c / PLANE_SIDE, want[c]);
    }
    free(want);
    return right;
}

struct tally {
    double error2, size2;
};

/* Returns false if the position does not follow from the velocity. */
static bool check_body(const struct plane *plane, const struct plane_body *before,
                       const struct plane_body *after, size_t i, struct tally *tally)
{
    const struct plane_body *old = &before[i], *now = &after[i];
    double a[2], dt = (double)plane->dt;
    plane_reference(plane, before, i, a);
    double ex = (double)now->vx - ((double)old->vx + a[0] * dt);
    double ey = (double)now->vy - ((double)old->vy + a[1] * dt);
    double px = (double)now->x - ((double)old->x + (double)now->vx * dt);
    double py = (double)now->y - ((double)old->y + (double)now->vy * dt);
    tally->error2 += ex * ex + ey * ey;
    tally->size2 += (a[0] * a[0] + a[1] * a[1]) * dt * dt;
    double bound = 4e-7 * (fabs((double)now->x) + fabs((double)now->y) + (double)plane->half / 16);
    return fabs(px) <= bound && fabs(py) <= bound && now->mass == old->mass;
}

int plane_check(const struct plane *plane, const struct plane_body *before,
                const struct plane_body *after, const unsigned *map, double tolerance,
                double *error, char *reason)
{
    size_t count = plane->count, step = count > CHECK_ALL ? count / CHECK_SAMPLE : 1;
    size_t tail = count > CHECK_ALL ? count - CHECK_TAIL : count;
    struct tally tally = {0};
    reason[0] = '\0';
    *error = NAN;
    for (size_t i = 0; i < count; i++) {
        if (i % step != 0 && i < tail)
            continue;
        if (!check_body(plane, before, after, i, &tally)) {
            snprintf(reason, PLANE_REASON,
                     "body %zu is at (%g, %g), where its velocity does "
                     "not lead",
                     i, (double)after[i].x, (double)after[i].y);
            return 0;
        }
    }
    *error = tally.size2 > 0 ? sqrt(tally.error2 / tally.size2) : sqrt(tally.error2);
    if (!(*error <= tolerance)) {
        snprintf(reason, PLANE_REASON, "relative RMS error %.2g against double, more than %.2g",
                 *error, tolerance);
        return 0;
    }
    return check_map(plane, after, map, reason);
}
