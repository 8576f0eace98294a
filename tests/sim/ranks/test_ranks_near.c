/* Distances to neighbours on ranks against the same on one machine, bit for bit.
 * test_ranks_near.sh starts this under mpirun with several numbers of ranks.
 * Usage: test_ranks_near [FAULT]; FAULT: rank 1 drops its answers (drop) or says that they are
 * longer than they may be (long), or adds no velocities (still). Rank 0 ends with "done". */
#include "base/log.h"
#include "base/memory.h"
#include "base/ranks/ranks.h"
#include "sim/gravity/tree/neighbours.h"
#include "sim/ranks/cuts.h"
#include "sim/ranks/near.h"
#include "tests/support/forces/uniform.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- what is watched, and what is made to fail ---- */

static size_t opened; /* bodies of the last tree */

enum status __real_neighbours_open(struct neighbours **out, size_t count, unsigned k);
enum status __wrap_neighbours_open(struct neighbours **out, size_t count, unsigned k);
enum status __wrap_neighbours_open(struct neighbours **out, size_t count, unsigned k)
{
    opened = count;
    return __real_neighbours_open(out, count, k);
}

static const char *fault = "";
static bool answered; /* what this rank sends next is how long its answers are */

static bool is_planted(const char *name)
{
    return ranks_own() == 1 && strcmp(fault, name) == 0;
}

void __real_neighbours_within(const struct neighbours *neighbours,
                              const struct neighbours_sphere *sphere, size_t count, int threads,
                              double *square, uint8_t *found);
void __wrap_neighbours_within(const struct neighbours *neighbours,
                              const struct neighbours_sphere *sphere, size_t count, int threads,
                              double *square, uint8_t *found);
void __wrap_neighbours_within(const struct neighbours *neighbours,
                              const struct neighbours_sphere *sphere, size_t count, int threads,
                              double *square, uint8_t *found)
{
    __real_neighbours_within(neighbours, sphere, count, threads, square, found);
    if (is_planted("drop"))
        memset(found, 0, count);
    answered = true;
}

void __real_neighbours_add_spread(const struct neighbours *neighbours, const float (*velocity)[4],
                                  const double from[3], double square, const float own[3],
                                  struct neighbours_spread *out);
void __wrap_neighbours_add_spread(const struct neighbours *neighbours, const float (*velocity)[4],
                                  const double from[3], double square, const float own[3],
                                  struct neighbours_spread *out);
void __wrap_neighbours_add_spread(const struct neighbours *neighbours, const float (*velocity)[4],
                                  const double from[3], double square, const float own[3],
                                  struct neighbours_spread *out)
{
    if (!is_planted("still"))
        __real_neighbours_add_spread(neighbours, velocity, from, square, own, out);
}

enum status __real_ranks_exchange(const void *out, const size_t *out_bytes, void *in,
                                  const size_t *in_bytes);
enum status __wrap_ranks_exchange(const void *out, const size_t *out_bytes, void *in,
                                  const size_t *in_bytes);
enum status __wrap_ranks_exchange(const void *out, const size_t *out_bytes, void *in,
                                  const size_t *in_bytes)
{
    unsigned char *spoilt = NULL;
    size_t bytes = 0;
    for (int r = 0; r < ranks_count(); r++)
        bytes += out_bytes[r];
    if (answered && is_planted("long"))
        spoilt = memset(memory_new(bytes, 1), 200, bytes);
    answered = false;
    const enum status status =
        __real_ranks_exchange(spoilt ? spoilt : out, out_bytes, in, in_bytes);
    free(spoilt);
    return status;
}

/* ---- bodies ---- */

typedef double (*rows)[4];

static uint64_t seed; /* the same on all ranks */

static void in_ball(double at[4], double radius)
{
    double square;
    do {
        square = 0;
        for (int c = 0; c < 3; c++) {
            at[c] = 2 * uniform(&seed) - 1;
            square += at[c] * at[c];
        }
    } while (square > 1);
    for (int c = 0; c < 3; c++)
        at[c] *= radius;
}

static void make_ball(rows row, size_t count)
{
    for (size_t i = 0; i < count; i++)
        in_ball(row[i], 1);
}

/* Two clusters, one of them small and dense, and some bodies far from both. */
static void make_clusters(rows row, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        in_ball(row[i], i % 500 == 499 ? 1e9 : i % 3 == 0 ? 1e-3 : 1);
        if (i % 3 == 0)
            row[i][1] += 40;
    }
}

static void make_point(rows row, size_t count)
{
    for (size_t i = 0; i < count; i++)
        row[i][0] = -3.5;
}

/* Four bodies at each of many places. */
static void make_lattice(rows row, size_t count)
{
    size_t side = 1;
    while (4 * side * side * side < count)
        side++;
    for (size_t i = 0; i < count; i++) {
        const size_t place = i / 4;
        row[i][0] = (double)(place % side);
        row[i][1] = (double)(place / side % side);
        row[i][2] = (double)(place / side / side);
    }
}

/* So far apart that squares overflow, and so close that single precision has no distance. */
static void make_extremes(rows row, size_t count)
{
    for (size_t i = 0; i < count; i++)
        in_ball(row[i], i % 2 ? 1e200 : 1e-60);
}

/* ---- which rank has a body ---- */

static size_t at_random(size_t i, size_t count, size_t ranks)
{
    (void)count;
    return splitmix64(i) % ranks;
}

static size_t in_order(size_t i, size_t count, size_t ranks)
{
    return i * ranks / count;
}

static size_t on_the_last(size_t i, size_t count, size_t ranks)
{
    (void)i;
    (void)count;
    return ranks - 1;
}

static size_t on_odd_ones(size_t i, size_t count, size_t ranks)
{
    return ranks > 1 ? (at_random(i, count, ranks) | 1) % (ranks - ranks % 2) : 0;
}

/* ---- the comparison ---- */

struct example {
    const char *name;
    void (*make)(rows row, size_t count);
    size_t count;
    unsigned k;
    size_t (*owner)(size_t i, size_t count, size_t ranks);
};

static const struct example examples[] = {
    {"a ball", make_ball, 20000, 32, at_random},
    {"a ball in order", make_ball, 20000, 8, in_order},
    {"a ball on the last rank", make_ball, 5000, NEIGHBOURS_MOST, on_the_last},
    {"two clusters and outliers", make_clusters, 20000, 32, at_random},
    {"two clusters on odd ranks", make_clusters, 4000, 1, on_odd_ones},
    {"one point", make_point, 6000, 32, at_random},
    {"a lattice", make_lattice, 20000, 32, in_order},
    {"a lattice, whole shells", make_lattice, 4000, 27, at_random},
    {"extremes", make_extremes, 2000, 8, at_random},
    {"few on each rank", make_ball, 100, NEIGHBOURS_MOST, at_random},
    {"just enough", make_ball, 33, 32, in_order},
    {"too few", make_ball, 32, 32, at_random},
    {"a body for most ranks", make_ball, 5, 2, in_order},
    {"a body", make_ball, 1, 1, in_order},
    {"none", make_ball, 0, 8, in_order},
};

static void make_velocities(float (*velocity)[4], size_t count)
{
    for (size_t i = 0; i < count; i++)
        for (int c = 0; c < 3; c++)
            velocity[i][c] = (float)(10 + 2 * uniform(&seed) + (double)(i % 7) / (c + 1));
}

static enum status find_alone(const struct example *x, rows row, const float (*velocity)[4],
                              float *distance, float *dispersion)
{
    struct neighbours *neighbours = NULL;
    if (x->count == 0)
        return STATUS_OK;
    enum status status = neighbours_open(&neighbours, x->count, x->k);
    if (status == STATUS_OK)
        status = neighbours_find(neighbours, (const double(*)[4])row, 1, distance, NULL);
    if (status == STATUS_OK)
        neighbours_dispersion(neighbours, velocity, NULL, 1, distance, dispersion);
    neighbours_close(&neighbours);
    return status;
}

/* Each rank compares its own bodies. */
static enum status try(const struct example *x, int threads)
{
    const size_t ranks = (size_t)ranks_count(), rank = (size_t)ranks_own();
    rows row = memory_new(x->count, sizeof *row);
    double(*position)[3] = memory_new(x->count, sizeof *position);
    float *want = memory_new(x->count, sizeof *want), *got = memory_new(x->count, sizeof *got);
    float(*velocity)[4] = memory_new(x->count, sizeof *velocity),
    (*sent)[4] = memory_new(x->count, sizeof *sent);
    float *spread = memory_new(x->count, sizeof *spread),
          *found = memory_new(x->count, sizeof *found);
    size_t *body = memory_new(x->count, sizeof *body), own = 0;
    seed = 1;
    x->make(row, x->count);
    make_velocities(velocity, x->count);
    for (size_t i = 0; i < x->count; i++)
        if (x->owner(i, x->count, ranks) == rank) {
            memcpy(position[own], row[i], sizeof *position);
            memcpy(sent[own], velocity[i], sizeof *sent);
            body[own++] = i;
        }
    enum status status = ranks_agree(
        rank == 0 ? find_alone(x, row, (const float(*)[4])velocity, want, spread) : STATUS_OK);
    if (status == STATUS_OK)
        status = ranks_share(want, x->count * sizeof *want, 0);
    if (status == STATUS_OK)
        status = ranks_share(spread, x->count * sizeof *spread, 0);
    opened = 0;
    if (status == STATUS_OK)
        status = ranks_near_find((const double(*)[3])position, (const float(*)[4])sent, own, x->k,
                                 threads, got, found);
    /* samples divide bodies about evenly */
    if (status == STATUS_OK && opened > x->count / ranks + x->count / 64 + 1)
        status = status_fail(STATUS_RUNTIME, "%zu bodies of %zu on one rank", opened, x->count);
    for (size_t i = 0; i < own && status == STATUS_OK; i++)
        if (memcmp(got + i, want + body[i], sizeof *got) != 0)
            status = status_fail(STATUS_RUNTIME, "body %zu of %zu is %.9g away, alone %.9g",
                                 body[i], x->count, (double)got[i], (double)want[body[i]]);
    /* sums are rounded differently, before the result is rounded to single precision */
    for (size_t i = 0; i < own && status == STATUS_OK; i++)
        if (!(fabsf(found[i] - spread[body[i]]) <= 1.2e-7f * spread[body[i]]))
            status = status_fail(STATUS_RUNTIME,
                                 "body %zu of %zu has a dispersion of %.9g, alone "
                                 "%.9g",
                                 body[i], x->count, (double)found[i], (double)spread[body[i]]);
    free(velocity);
    free(sent);
    free(spread);
    free(found);
    free(row);
    free(position);
    free(want);
    free(got);
    free(body);
    return ranks_agree(status);
}

/* The part of a body among `count` of `ranks` ranks if their numbers alone divide them. */
static int part_of(size_t number, size_t count, int ranks)
{
    int part = 0;
    for (size_t first = 0; ranks > 1;) {
        const int lower = ranks / 2;
        const size_t at = count * (size_t)lower / (size_t)ranks;
        const bool below = number - first < at;
        part += below ? 0 : lower;
        first += below ? 0 : at;
        count = below ? at : count - at;
        ranks = below ? lower : ranks - lower;
    }
    return part;
}

/* Bodies at one place are divided by their numbers, the lower ones first. */
static enum status try_ties(void)
{
    const size_t count = 100 + 7 * (size_t)ranks_own();
    double(*position)[3] = memory_new(count, sizeof *position);
    struct cuts cuts;
    enum status status = cuts_choose(&cuts, (const double(*)[3])position, count);
    for (size_t i = 0; i < count && status == STATUS_OK; i++) {
        const int want = part_of(cuts.first + i, cuts.total, ranks_count());
        if (cuts_owner(&cuts, position[i], i) != want)
            status =
                status_fail(STATUS_RUNTIME, "body %zu of %zu belongs to rank %d", i, count, want);
    }
    const size_t first = cuts.first;
    cuts_close(&cuts);
    status = ranks_agree(status);
    /* a few distant bodies do not turn the cuts of a line */
    for (size_t i = 0; i < count; i++) {
        position[i][0] = (double)(first + i);
        position[i][1] = first + i == 50 ? 1e9 : 0;
    }
    if (status == STATUS_OK) {
        status = cuts_choose(&cuts, (const double(*)[3])position, count);
        for (int k = 0; k + 1 < ranks_count() && status == STATUS_OK; k++)
            if (cuts.cut[k].axis != 0)
                status =
                    status_fail(STATUS_RUNTIME, "cut %d is across axis %d", k, cuts.cut[k].axis);
        cuts_close(&cuts);
    }
    free(position);
    return ranks_agree(status);
}

int main(int argc, char **argv)
{
    enum status status = ranks_open();
    fault = argc > 1 ? argv[1] : "";
    if (status != STATUS_OK && *status_text())
        log_error("%s", status_text());
    for (size_t n = 0; n < sizeof examples / sizeof *examples && status == STATUS_OK; n++) {
        status = try(examples + n, 1 + (int)(n % 2));
        if (status != STATUS_OK && ranks_own() == 0)
            log_error("%s, %u neighbours: %s", examples[n].name, examples[n].k, status_text());
    }
    const bool first = ranks_own() == 0;
    if (status == STATUS_OK) {
        status = try_ties();
        if (status != STATUS_OK && first)
            log_error("bodies at one place: %s", status_text());
    }
    ranks_close();
    if (status == STATUS_OK && first)
        puts("done");
    return (int)status;
}
