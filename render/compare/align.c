#include "render/compare/align.h"

#include "base/memory.h"
#include "base/sort.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    OFFSETS = 2 * ALIGN_WINDOW + 1,
    RING = 64,    /* sketches kept per film, more than AROUND + 2 * ALIGN_WINDOW */
    AROUND = 8,   /* frames before and after from which the usual motion is taken */
    NEAREST = 32, /* more than 2 * AROUND */
};

/* The step that led to a state. */
enum move { NONE, PAIR, DROP, ADD, SWAP };

struct aligner {
    uint64_t frames[2], added[2];
    uint64_t done; /* steps of A that have been taken */
    uint64_t near; /* frames of A whose nearest partner is known */
    uint64_t last; /* steps that will be taken */
    struct sketch ring[2][RING];
    float *motion[2];         /* [frames] distance from the preceding frame */
    float *apart;             /* [last] distance of the pair with the same number */
    double costs[3][OFFSETS]; /* of the states at done, done + 1, done + 2 */
    uint8_t (*moves)[OFFSETS];
    double nearest[NEAREST]; /* distance from A's frame to the nearest of B */
};

static uint64_t least(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

struct aligner *align_open(uint64_t frames_a, uint64_t frames_b)
{
    struct aligner *self = memory_new(1, sizeof *self);
    self->frames[0] = frames_a;
    self->frames[1] = frames_b;
    self->last = least(frames_a, frames_b + ALIGN_WINDOW);
    self->moves = memory_new(self->last + 3, sizeof *self->moves);
    self->apart = memory_new(self->last + 1, sizeof *self->apart);
    for (int side = 0; side < 2; side++)
        self->motion[side] = memory_new(self->frames[side] + 1, sizeof *self->motion[side]);
    for (int i = 0; i < 3; i++)
        for (int o = 0; o < OFFSETS; o++)
            self->costs[i][o] = INFINITY;
    self->costs[0][ALIGN_WINDOW] = 0;
    return self;
}

void align_close(struct aligner **aligner)
{
    struct aligner *self = *aligner;
    if (!self)
        return;
    free(self->moves);
    free(self->apart);
    free(self->motion[0]);
    free(self->motion[1]);
    free(self);
    *aligner = NULL;
}

static double distance(const struct aligner *self, uint64_t a, uint64_t b)
{
    return sketch_distance(&self->ring[0][a % RING], &self->ring[1][b % RING]);
}

/* The partner of A's frame `a` at the offset with index `o`; false if B has no such frame. */
static bool partner(const struct aligner *self, uint64_t a, int o, uint64_t *b)
{
    const int64_t at = (int64_t)a + o - ALIGN_WINDOW;
    *b = (uint64_t)at;
    return at >= 0 && (uint64_t)at < self->frames[1];
}

/* The lower quartile: a frame without a partner is far from all. */
static double usual_noise(const struct aligner *self)
{
    double sorted[2 * AROUND + 1];
    size_t count = 0;
    const uint64_t first = self->done > AROUND ? self->done - AROUND : 0;
    for (uint64_t a = first; a <= self->done + AROUND && a < self->near; a++)
        sorted[count++] = self->nearest[a % NEAREST];
    sort_doubles(sorted, count);
    return count > 0 ? sorted[(count - 1) / 4] : 0;
}

/* The median distance of neighbouring frames around this place in both films. */
static double usual_motion(const struct aligner *self, uint64_t at)
{
    double sorted[2 * (2 * AROUND + 1)];
    size_t count = 0;
    const uint64_t first = at > AROUND ? at - AROUND : 1;
    for (int side = 0; side < 2; side++)
        for (uint64_t i = first; i <= at + AROUND && i < self->added[side]; i++)
            sorted[count++] = (double)self->motion[side][i];
    sort_doubles(sorted, count);
    return count > 0 ? sorted[count / 2] : 0;
}

static void relax(struct aligner *self, int later, int o, double cost, enum move move)
{
    if (!(cost < self->costs[later][o]))
        return;
    self->costs[later][o] = cost;
    self->moves[self->done + (uint64_t)later][o] = (uint8_t)move;
}

/* Adds frames of B without a partner, starting at the state that has used the fewest. */
static void reach_added(struct aligner *self, double missing)
{
    for (int o = 0; o + 1 < OFFSETS; o++) {
        uint64_t b;
        if (partner(self, self->done, o, &b))
            relax(self, 0, o + 1, self->costs[0][o] + missing, ADD);
    }
}

static void take_step(struct aligner *self)
{
    const uint64_t a = self->done;
    double apart[OFFSETS];
    uint64_t b, other;
    for (int o = 0; o < OFFSETS; o++)
        apart[o] = partner(self, a, o, &b) ? distance(self, a, b) : INFINITY;
    self->apart[a] = (float)apart[ALIGN_WINDOW];
    const double noise = usual_noise(self);
    const double motion = usual_motion(self, self->done);
    const double missing = 2 * motion + 2 * noise + 1e-3;
    const double askew = 0.02 * missing; /* breaks ties in favour of frames with the same number */
    const double swapped = 0.5 * motion + 0.5 * sqrt(motion * noise) + 1e-3;
    reach_added(self, missing);
    for (int o = 0; o < OFFSETS; o++) {
        const double cost = self->costs[0][o];
        if (!isfinite(cost))
            continue;
        if (isfinite(apart[o]))
            relax(self, 1, o, cost + apart[o] + (o == ALIGN_WINDOW ? 0 : askew), PAIR);
        if (o > 0)
            relax(self, 1, o - 1, cost + missing, DROP);
        if (a + 1 < self->last && partner(self, a, o, &b) && partner(self, a, o + 1, &other))
            relax(self, 2, o, cost + distance(self, a, other) + distance(self, a + 1, b) + swapped,
                  SWAP);
    }
    memmove(self->costs[0], self->costs[1], 2 * sizeof self->costs[0]);
    for (int o = 0; o < OFFSETS; o++)
        self->costs[2][o] = INFINITY;
    self->done++;
}

static void find_nearest(struct aligner *self)
{
    double nearest = INFINITY;
    uint64_t b;
    for (int o = 0; o < OFFSETS; o++)
        if (partner(self, self->near, o, &b))
            nearest = fmin(nearest, distance(self, self->near, b));
    self->nearest[self->near++ % NEAREST] = isfinite(nearest) ? nearest : 0;
}

/* Whether the first `until` frames of a film have been added, or all frames if the film is shorter.
 */
static bool has(const struct aligner *self, int side, uint64_t until)
{
    return self->added[side] >= least(until, self->frames[side]);
}

void align_add(struct aligner *self, int side, const struct sketch *sketch)
{
    const uint64_t at = self->added[side]++;
    self->ring[side][at % RING] = *sketch;
    if (at > 0 && at < self->frames[side])
        self->motion[side][at] = (float)sketch_distance(sketch, &self->ring[side][(at - 1) % RING]);
    while (self->near < self->last && self->added[0] > self->near &&
           has(self, 1, self->near + ALIGN_WINDOW + 1))
        find_nearest(self);
    while (self->done < self->last && has(self, 0, self->done + AROUND + 1) &&
           self->near >= least(self->done + AROUND + 1, self->last))
        take_step(self);
}

/* The end of the cheapest path; each frame left over adds a share of the whole cost. */
static int find_end(struct aligner *self)
{
    const double cost = 1e-3 + usual_motion(self, self->done);
    double best = INFINITY;
    int end = ALIGN_WINDOW;
    reach_added(self, cost);
    for (int o = 0; o < OFFSETS; o++) {
        const int64_t seen = (int64_t)self->last + o - ALIGN_WINDOW;
        if (!isfinite(self->costs[0][o]) || seen > (int64_t)self->frames[1])
            continue;
        const double rest =
            (double)(self->frames[0] - self->last) + (double)((int64_t)self->frames[1] - seen);
        if (self->costs[0][o] + cost * rest < best) {
            best = self->costs[0][o] + cost * rest;
            end = o;
        }
    }
    return end;
}

struct steps {
    struct align_step *list;
    size_t count;
};

static void put(struct steps *steps, enum align_kind kind, uint64_t a, uint64_t b)
{
    steps->list[steps->count++] = (struct align_step){.kind = kind, .a = a, .b = b};
}

/* Follows the path backwards from its end. */
static void trace(struct aligner *self, struct steps *steps)
{
    int o = find_end(self);
    uint64_t a = self->last, b = (uint64_t)((int64_t)a + o - ALIGN_WINDOW);
    for (uint64_t i = self->frames[0]; i > a; i--)
        put(steps, ALIGN_DROPPED, i - 1, b);
    for (uint64_t i = self->frames[1]; i > b; i--)
        put(steps, ALIGN_ADDED, a, i - 1);
    while (a > 0 || b > 0) {
        switch ((enum move)self->moves[a][o]) {
        case SWAP:
            put(steps, ALIGN_SWAPPED, a - 1, b - 2);
            put(steps, ALIGN_SWAPPED, a - 2, b - 1);
            a -= 2;
            b -= 2;
            break;
        case DROP:
            put(steps, ALIGN_DROPPED, --a, b);
            o++;
            break;
        case ADD:
            put(steps, ALIGN_ADDED, a, --b);
            o--;
            break;
        default:
            put(steps, ALIGN_PAIR, --a, --b);
        }
    }
    for (size_t i = 0; i < steps->count / 2; i++) {
        const struct align_step kept = steps->list[i];
        steps->list[i] = steps->list[steps->count - 1 - i];
        steps->list[steps->count - 1 - i] = kept;
    }
}

/* Pairs frames that are missing in both films at one place: the picture was changed. */
static void pair_replaced(struct steps *steps)
{
    struct steps out = {memory_new(steps->count + 1, sizeof *out.list), 0};
    for (size_t i = 0; i < steps->count;) {
        uint64_t dropped = 0, added = 0;
        size_t end = i;
        for (; end < steps->count &&
               (steps->list[end].kind == ALIGN_DROPPED || steps->list[end].kind == ALIGN_ADDED);
             end++)
            (*(steps->list[end].kind == ALIGN_DROPPED ? &dropped : &added))++;
        if (end == i) {
            out.list[out.count++] = steps->list[i++];
            continue;
        }
        uint64_t a = steps->list[i].a, b = steps->list[i].b;
        for (size_t k = i; k < end; k++) { /* the first unpaired frame of each film */
            a = least(a, steps->list[k].a);
            b = least(b, steps->list[k].b);
        }
        for (; dropped > 0 && added > 0; dropped--, added--)
            put(&out, ALIGN_PAIR, a++, b++);
        for (; dropped > 0; dropped--)
            put(&out, ALIGN_DROPPED, a++, b);
        for (; added > 0; added--)
            put(&out, ALIGN_ADDED, a, b++);
        i = end;
    }
    free(steps->list);
    *steps = out;
}

/* Distance of a frame from the preceding one, INFINITY if either does not exist. */
static double motion_to(const struct aligner *self, int side, uint64_t frame)
{
    return frame > 0 && frame < self->frames[side] ? (double)self->motion[side][frame] : INFINITY;
}

/* Marks an added frame that repeats one of its neighbours, where A moves. */
static void name_again(const struct aligner *self, struct align_step *step)
{
    const double in = motion_to(self, 1, step->b), out = motion_to(self, 1, step->b + 1);
    const uint64_t a = least(step->a, self->frames[0] > 0 ? self->frames[0] - 1 : 0);
    const double before = motion_to(self, 0, a), after = motion_to(self, 0, a + 1);
    const double moves = isfinite(before) && isfinite(after) ? fmax(before, after)
                         : isfinite(before)                  ? before
                         : isfinite(after)                   ? after
                                                             : 0;
    if (!(fmin(in, out) < 0.1 * moves))
        return;
    step->kind = ALIGN_AGAIN;
    step->next = out < in;
}

/* The median distance of the other pairs of the same number around this place, which is an
 * encoder's noise. */
static double usual_apart(const struct aligner *self, uint64_t at)
{
    double sorted[2 * AROUND + 1];
    size_t count = 0;
    for (uint64_t i = at > AROUND ? at - AROUND : 0; i <= at + AROUND && i < self->last; i++)
        if (i != at)
            sorted[count++] = (double)self->apart[i];
    sort_doubles(sorted, count);
    return count > 0 ? sorted[count / 2] : 0;
}

/* Marks a pair in which one film stands still where both usually move, so that it differs from the
 * other by that motion. An encoder may repeat a frame itself if its noise hides the motion. */
static void name_repeated(const struct aligner *self, struct align_step *step)
{
    const double in_a = motion_to(self, 0, step->a), in_b = motion_to(self, 1, step->b);
    const double usual = usual_motion(self, step->a), apart = (double)self->apart[step->a];
    const double still = fmin(in_a, in_b), moves = fmax(in_a, in_b);
    if (!(still < 0.1 * usual && moves > 0.5 * usual && apart > 0.5 * moves && apart < 4 * moves &&
          apart > 1.75 * usual_apart(self, step->a)))
        return;
    step->kind = ALIGN_REPEATED;
    step->of_a = in_a < in_b;
}

static void name_repeats(const struct aligner *self, struct steps *steps)
{
    for (size_t i = 0; i < steps->count; i++) {
        struct align_step *step = &steps->list[i];
        if (step->kind == ALIGN_ADDED)
            name_again(self, step);
        else if (step->kind == ALIGN_PAIR && step->a == step->b && step->a > 0)
            name_repeated(self, step);
    }
}

struct align_step *align_end(struct aligner *self, size_t *count)
{
    struct steps steps = {memory_new(self->frames[0] + self->frames[1] + 1, sizeof *steps.list), 0};
    trace(self, &steps);
    pair_replaced(&steps);
    name_repeats(self, &steps);
    *count = steps.count;
    return steps.list;
}

static double median_of(const float *values, uint64_t count)
{
    double *sorted = memory_new(count + 1, sizeof *sorted);
    for (uint64_t i = 0; i < count; i++)
        sorted[i] = (double)values[i];
    sort_doubles(sorted, count);
    const double middle = count > 0 ? sorted[count / 2] : 0;
    free(sorted);
    return middle;
}

double align_certainty(const struct aligner *self)
{
    const uint64_t frames = self->frames[0];
    const double apart = median_of(self->apart, self->last);
    return frames > 1 && apart > 0 ? median_of(self->motion[0] + 1, frames - 1) / apart : INFINITY;
}

bool align_is_plain(const struct align_step *steps, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (steps[i].kind != ALIGN_PAIR || steps[i].a != steps[i].b)
            return false;
    return true;
}
