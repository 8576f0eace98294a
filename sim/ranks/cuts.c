#include "sim/ranks/cuts.h"
#include "base/memory.h"
#include "base/random.h"
#include "base/ranks/ranks.h"
#include "base/sort.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* Numbers of sampled bodies: of all ranks together, and in addition for each rank. */
enum { SAMPLED = 16384, SAMPLED_EACH = 16 };

static size_t samples_of(uint64_t count, uint64_t total)
{
    const uint64_t most = SAMPLED + SAMPLED_EACH * (uint64_t)ranks_count();
    const uint64_t share = total > most ? (count * most + total - 1) / total : count;
    return share < count ? share : count;
}

/* Takes one body at random from each of equal stretches: a fixed stride might meet the same plane
 * of a lattice again and again. */
static void sample_bodies(struct cut *sample, size_t samples, const double (*position)[3],
                          size_t count, uint64_t first)
{
    for (size_t s = 0; s < samples; s++) {
        const size_t begin = count * s / samples, end = count * (s + 1) / samples;
        const size_t i = begin + splitmix64(s * SPLITMIX_STEP) % (end - begin);
        memcpy(sample[s].at, position[i], sizeof sample[s].at);
        sample[s].number = first + i;
    }
}

/* Whether a body comes before another along the axis. */
static bool is_before(const double at[3], uint64_t number, const struct cut *other, int axis)
{
    return at[axis] < other->at[axis] || (at[axis] == other->at[axis] && number < other->number);
}

static int by_place(const struct cut *one, const struct cut *other, int axis)
{
    return is_before(other->at, other->number, one, axis) -
           is_before(one->at, one->number, other, axis);
}

static int by_x(const void *one, const void *other)
{
    return by_place(one, other, 0);
}

static int by_y(const void *one, const void *other)
{
    return by_place(one, other, 1);
}

static int by_z(const void *one, const void *other)
{
    return by_place(one, other, 2);
}

/* The axis along which the middle three quarters of the samples extend the farthest. spare:
 * [count]. */
static int longest_axis(const struct cut *sample, size_t count, double *spare)
{
    double longest = -1;
    int longest_at = 0;
    for (int c = 0; c < 3 && count > 0; c++) {
        for (size_t s = 0; s < count; s++)
            spare[s] = sample[s].at[c];
        sort_doubles(spare, count);
        const double length = spare[count - 1 - count / 8] - spare[count / 8];
        longest_at = length > longest ? c : longest_at;
        longest = length > longest ? length : longest;
    }
    return longest_at;
}

/* Divides the samples among ranks, and reorders them. */
static void cut_samples(struct cut *cut, int ranks, struct cut *sample, size_t count, double *spare)
{
    static int (*const by[])(const void *, const void *) = {by_x, by_y, by_z};
    if (ranks == 1)
        return;
    const int lower = ranks / 2, axis = longest_axis(sample, count, spare);
    const size_t at = count * (size_t)lower / (size_t)ranks;
    if (count > 0) {
        qsort(sample, count, sizeof *sample, by[axis]);
        cut[lower - 1] = sample[at];
        cut[lower - 1].axis = axis;
    }
    cut_samples(cut, lower, sample, at, spare);
    cut_samples(cut + lower, ranks - lower, sample + at, count - at, spare);
}

enum status cuts_choose(struct cuts *cuts, const double (*position)[3], size_t count)
{
    const size_t ranks = (size_t)ranks_count(), rank = (size_t)ranks_own();
    const uint64_t own = count;
    uint64_t *counts = memory_new(ranks, sizeof *counts);
    size_t *bytes = memory_new(ranks, sizeof *bytes), samples = 0, at = 0;
    *cuts = (struct cuts){.cut = memory_new(ranks, sizeof *cuts->cut)};
    enum status status = ranks_gather_each(&own, counts, sizeof own);
    for (size_t r = 0; r < ranks; r++) {
        cuts->first += r < rank ? counts[r] : 0;
        cuts->total += counts[r];
    }
    for (size_t r = 0; r < ranks && status == STATUS_OK; r++) {
        if (counts[r] > UINT32_MAX)
            status = status_fail(STATUS_RUNTIME, "%s has %llu bodies, more than %u; use more ranks",
                                 ranks_name((int)r), (unsigned long long)counts[r], UINT32_MAX);
        at = r == rank ? samples : at;
        bytes[r] = samples_of(counts[r], cuts->total) * sizeof *cuts->cut;
        samples += bytes[r] / sizeof *cuts->cut;
    }
    if (status == STATUS_OK) {
        struct cut *sample = memory_new(samples, sizeof *sample);
        double *spare = memory_new(samples, sizeof *spare);
        sample_bodies(sample + at, bytes[rank] / sizeof *sample, position, count, cuts->first);
        status = ranks_gather(sample + at, sample, bytes);
        if (status == STATUS_OK)
            cut_samples(cuts->cut, (int)ranks, sample, samples, spare);
        free(sample);
        free(spare);
    }
    free(counts);
    free(bytes);
    return status;
}

void cuts_close(struct cuts *cuts)
{
    free(cuts->cut);
    *cuts = (struct cuts){0};
}

int cuts_owner(const struct cuts *cuts, const double at[3], size_t i)
{
    int owner = 0, ranks = ranks_count();
    while (ranks > 1) {
        const int lower = ranks / 2;
        const struct cut *cut = cuts->cut + owner + lower - 1;
        if (is_before(at, cuts->first + i, cut, cut->axis)) {
            ranks = lower;
        } else {
            owner += lower;
            ranks -= lower;
        }
    }
    return owner;
}
