#include "sim/tree/keys.h"

#include <math.h>
#include <omp.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { SAMPLE = 2048, DIGIT = 11, BINS = 1 << DIGIT, PASSES = 6, THREADS_MOST = 64 };

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Of every so many-th body, so that a few far away decide nothing: the median along each axis, and
 * a side that holds all bodies or sixteen times the distance within which nine of ten lie. */
struct key_box key_box_of(size_t count, const double (*rows)[4], int threads)
{
    struct key_box box;
    double values[SAMPLE];
    size_t stride = (count + SAMPLE - 1) / SAMPLE, taken = (count + stride - 1) / stride;
    for (int c = 0; c < 3; c++) {
        for (size_t i = 0; i < taken; i++)
            values[i] = rows[i * stride][c];
        qsort(values, taken, sizeof *values, by_value);
        box.centre[c] = values[taken / 2];
    }
    double farthest = 0;
#pragma omp parallel for schedule(dynamic, 4096) num_threads(threads) reduction(max : farthest)
    for (size_t i = 0; i < count; i++)
        for (int c = 0; c < 3; c++)
            farthest = fmax(farthest, fabs(rows[i][c] - box.centre[c]));
    for (size_t i = 0; i < taken; i++) {
        const double *row = rows[i * stride];
        values[i] = fmax(fmax(fabs(row[0] - box.centre[0]), fabs(row[1] - box.centre[1])),
                         fabs(row[2] - box.centre[2]));
    }
    qsort(values, taken, sizeof *values, by_value);
    double most = values[taken * 9 / 10];
    double half = most > 0 ? fmin(farthest, 16 * most) : farthest;
    int exponent;
    (void)frexp(half > 0 ? half : 1, &exponent);
    box.scale = ldexp(1, -exponent);
    return box;
}

/* Two zero bits between any two of the lowest 21. */
static uint64_t spread(uint64_t bits)
{
    bits = (bits | bits << 32) & 0x001f00000000ffff;
    bits = (bits | bits << 16) & 0x001f0000ff0000ff;
    bits = (bits | bits << 8) & 0x100f00f00f00f00f;
    bits = (bits | bits << 4) & 0x10c30c30c30c30c3;
    return (bits | bits << 2) & 0x1249249249249249;
}

uint64_t key_of(const struct key_box *box, const double row[4])
{
    uint64_t key = 0;
    for (int c = 0; c < 3; c++) {
        double at = ((row[c] - box->centre[c]) * box->scale + 1) * (1 << (KEY_LEVELS - 1));
        double most = (1 << KEY_LEVELS) - 1;
        uint64_t place = at > 0 ? (uint64_t)fmin(at, most) : 0;
        key = key | spread(place) << (2 - c);
    }
    return key;
}

/* Where a thread's share of the bodies begins. */
static size_t share(size_t count, int thread, int threads)
{
    return count * (size_t)thread / (size_t)threads;
}

/* One pass, from `key` and `body` to `to_key` and `to_body`: each thread moves a run of its own, in
 * order, so that equal digits keep it. False, with nothing moved, where all have one digit. */
static bool move_by_digit(size_t count, int bits, const uint64_t *key, const uint32_t *body,
                          uint64_t *to_key, uint32_t *to_body, uint32_t (*bins)[BINS], int threads)
{
#pragma omp parallel for schedule(static, 1) num_threads(threads)
    for (int t = 0; t < threads; t++) {
        memset(bins[t], 0, sizeof bins[t]);
        for (size_t i = share(count, t, threads); i < share(count, t + 1, threads); i++)
            bins[t][key[i] >> bits & (BINS - 1)]++;
    }
    uint32_t sum = 0;
    for (int b = 0; b < BINS; b++) {
        uint32_t before = sum;
        for (int t = 0; t < threads; t++) {
            uint32_t here = bins[t][b];
            bins[t][b] = sum;
            sum += here;
        }
        if (sum - before == count)
            return false;
    }
#pragma omp parallel for schedule(static, 1) num_threads(threads)
    for (int t = 0; t < threads; t++)
        for (size_t i = share(count, t, threads); i < share(count, t + 1, threads); i++) {
            uint32_t to = bins[t][key[i] >> bits & (BINS - 1)]++;
            to_key[to] = key[i];
            to_body[to] = body[i];
        }
    return true;
}

/* Least digit first. */
bool keys_sort(size_t count, uint64_t *key, uint32_t *body, uint64_t *spare_key,
               uint32_t *spare_body, int threads)
{
    static const size_t worth = 16384; /* bodies per thread */
    size_t most = count / worth;
    if ((size_t)threads > most)
        threads = most > 0 ? (int)most : 1;
    threads = threads < THREADS_MOST ? threads : THREADS_MOST;
    uint32_t(*bins)[BINS] = malloc((size_t)threads * sizeof *bins);
    if (!bins)
        abort();
    for (size_t i = 0; i < count; i++)
        body[i] = (uint32_t)i;
    uint64_t *keys[] = {key, spare_key};
    uint32_t *bodies[] = {body, spare_body};
    int at = 0;
    for (int pass = 0; pass < PASSES; pass++)
        at ^= move_by_digit(count, pass * DIGIT, keys[at], bodies[at], keys[!at], bodies[!at], bins,
                            threads);
    free(bins);
    return at == 1;
}
