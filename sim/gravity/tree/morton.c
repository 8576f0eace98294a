#include "sim/gravity/tree/morton.h"

#include "base/functions/fn.h"
#include "base/sort.h"
#include "kernels/bits.h"

#include <stdlib.h>
#include <string.h>

enum {
    DIGIT = 11,
    BINS = 1 << DIGIT,
    PASSES = 6,
    UPPER = 3,      /* the last ones sort all bodies; the others only runs of equal keys */
    MANY = 1 << 21, /* bodies for which one more is used */
    FEW = 64,       /* bodies for which insertion sort is faster */
    PARTS_MOST = 256,
    FINEST = 500, /* exponent of the box's largest scale, whose square is finite */
};

size_t key_sample_stride(size_t bodies)
{
    return (bodies + KEY_SAMPLE - 1) / KEY_SAMPLE;
}

double key_box_away(const struct key_box *box, const double at[3])
{
    double farthest = 0;
    for (int c = 0; c < 3; c++) {
        const double away = fabs(at[c] - box->centre[c]);
        farthest = away > farthest ? away : farthest;
    }
    return farthest;
}

/* The median along each axis; at a fixed stride, a few distant bodies have no effect. */
void key_box_begin(struct key_box *box, const struct key_sample *sample)
{
    double values[KEY_SAMPLE];
    for (int c = 0; c < 3; c++) {
        for (size_t i = 0; i < sample->count; i++)
            values[i] = sample->at[i][c];
        sort_doubles(values, sample->count);
        box->centre[c] = values[sample->count / 2];
    }
}

/* A side that holds all bodies or sixteen times the distance within which nine of ten sampled ones
 * lie. */
void key_box_end(struct key_box *box, const struct key_sample *sample, double farthest)
{
    double values[KEY_SAMPLE];
    for (size_t i = 0; i < sample->count; i++) {
        const double *at = sample->at[i];
        values[i] = fmax(fmax(fabs(at[0] - box->centre[0]), fabs(at[1] - box->centre[1])),
                         fabs(at[2] - box->centre[2]));
    }
    sort_doubles(values, sample->count);
    box->most = values[sample->count * 9 / 10];
    double half = box->most > 0 ? fmin(farthest, 16 * box->most) : farthest;
    int exponent;
    (void)frexp(half > 0 ? half : 1, &exponent);
    box->scale = ldexp(1, exponent > -FINEST ? -exponent : FINEST);
}

struct key_box key_box_of(size_t count, const double (*rows)[4], int threads)
{
    const size_t stride = key_sample_stride(count);
    struct key_sample sample = {.count = (count + stride - 1) / stride};
    struct key_box box;
    for (size_t i = 0; i < sample.count; i++)
        memcpy(sample.at[i], rows[i * stride], sizeof *sample.at);
    key_box_begin(&box, &sample);
    double farthest = 0;
#pragma omp parallel for schedule(dynamic, 4096) num_threads(threads) reduction(max : farthest)
    for (size_t i = 0; i < count; i++) {
        const double away = key_box_away(&box, rows[i]);
        farthest = away > farthest ? away : farthest;
    }
    key_box_end(&box, &sample, farthest);
    return box;
}

uint64_t key_of(const struct key_box *box, const double row[4])
{
    uint64_t key = 0;
    for (int c = 0; c < 3; c++) {
        double at = ((row[c] - box->centre[c]) * box->scale + 1) * (1 << (KEY_LEVELS - 1));
        double most = (1 << KEY_LEVELS) - 1;
        uint64_t place = at > 0 ? (uint64_t)(at < most ? at : most) : 0;
        key = key | bits_spread(place) << (2 - c);
    }
    return key;
}

/* Inserts a softening into the known ones; false if there are too many. */
static bool note(struct key_kinds *kinds, double half)
{
    int at = kinds->count;
    while (at > 0 && kinds->from[at - 1] > half)
        at--;
    if (at > 0 && kinds->from[at - 1] == half)
        return true;
    if (kinds->count == KEY_KINDS)
        return false;
    memmove(kinds->from + at + 1, kinds->from + at,
            (size_t)(kinds->count - at) * sizeof *kinds->from);
    kinds->from[at] = half;
    kinds->count++;
    return true;
}

/* Kinds within equal ratios; zero softening belongs to the first. */
static struct key_kinds kinds_by_ratio(size_t count, const double *halves)
{
    struct key_kinds kinds = {.count = KEY_KINDS};
    double least = INFINITY, largest = 0;
    for (size_t i = 0; i < count; i++) {
        least = halves[i] > 0 && halves[i] < least ? halves[i] : least;
        largest = halves[i] > largest ? halves[i] : largest;
    }
    for (int k = 0; k < KEY_KINDS; k++)
        kinds.from[k] = least * fn_pow(largest / least, (double)k / KEY_KINDS);
    return kinds;
}

struct key_kinds key_kinds_of(size_t count, const double *halves)
{
    struct key_kinds kinds = {.count = halves ? 0 : 1};
    for (size_t i = 0; halves && i < count; i++)
        if ((i == 0 || halves[i] != halves[i - 1]) && !note(&kinds, halves[i]))
            return kinds_by_ratio(count, halves);
    return kinds;
}

uint64_t key_of_kind(uint64_t key, const struct key_kinds *kinds, double half)
{
    uint64_t kind = 0;
    for (int k = 1; k < kinds->count; k++)
        kind += half >= kinds->from[k];
    return kind << 3 * (KEY_LEVELS - 1) | key >> 3;
}

/* How bodies are divided: into more parts than threads, because on a busy machine not all threads
 * run. */
struct shares {
    int threads, parts;
};

/* The first body of a part. */
static size_t part_at(const struct shares *shares, int part, size_t count)
{
    return count * (size_t)part / (size_t)shares->parts;
}

/* One pass of the radix sort, from `key` and `body` to `to_key` and `to_body`: each part is moved
 * in order, so the sort is stable. False, with nothing moved, if all have the same digit. */
static bool move_by_digit(size_t count, int bits, const uint64_t *key, const uint32_t *body,
                          uint64_t *to_key, uint32_t *to_body, uint32_t (*bins)[BINS],
                          const struct shares *shares)
{
    const int parts = shares->parts;
#pragma omp parallel for schedule(dynamic, 1) num_threads(shares->threads)
    for (int p = 0; p < parts; p++) {
        memset(bins[p], 0, sizeof bins[p]);
        for (size_t i = part_at(shares, p, count); i < part_at(shares, p + 1, count); i++)
            bins[p][key[i] >> bits & (BINS - 1)]++;
    }
    uint32_t sum = 0;
    for (int b = 0; b < BINS; b++) {
        uint32_t before = sum;
        for (int p = 0; p < parts; p++) {
            uint32_t here = bins[p][b];
            bins[p][b] = sum;
            sum += here;
        }
        if (sum - before == count)
            return false;
    }
#pragma omp parallel for schedule(dynamic, 1) num_threads(shares->threads)
    for (int p = 0; p < parts; p++)
        for (size_t i = part_at(shares, p, count); i < part_at(shares, p + 1, count); i++) {
            uint32_t to = bins[p][key[i] >> bits & (BINS - 1)]++;
            to_key[to] = key[i];
            to_body[to] = body[i];
        }
    return true;
}

/* The two buffers between which the sort alternates. */
struct arrays {
    uint64_t *key[2];
    uint32_t *body[2];
    int at; /* index of the current one */
};

/* The lowest bit of a digit; the digits cover all 63 bits, and the lowest two overlap. */
static int digit_at(int digit)
{
    enum { LEFT = PASSES * DIGIT - 3 * KEY_LEVELS };
    return digit > 0 ? digit * DIGIT - LEFT : 0;
}

/* Sorts by digits `from` to `end`, least significant first. */
static void sort_digits(struct arrays *arrays, size_t first, size_t count, int from, int end,
                        uint32_t (*bins)[BINS], const struct shares *shares)
{
    for (int pass = from; pass < end; pass++) {
        const int at = arrays->at;
        arrays->at ^=
            move_by_digit(count, digit_at(pass), arrays->key[at] + first, arrays->body[at] + first,
                          arrays->key[!at] + first, arrays->body[!at] + first, bins, shares);
    }
}

static void sort_few(uint64_t *key, uint32_t *body, size_t count)
{
    for (size_t i = 1; i < count; i++) {
        const uint64_t own = key[i];
        const uint32_t own_body = body[i];
        size_t to = i;
        for (; to > 0 && key[to - 1] > own; to--) {
            key[to] = key[to - 1];
            body[to] = body[to - 1];
        }
        key[to] = own;
        body[to] = own_body;
    }
}

/* Sorts bodies from `first` on whose keys differ only in the lowest digits. */
static void sort_run(const struct arrays *arrays, size_t first, size_t count, int digits,
                     uint32_t bins[BINS])
{
    struct arrays run = *arrays;
    uint64_t *key = run.key[run.at] + first;
    uint32_t *body = run.body[run.at] + first;
    if (count <= FEW) {
        sort_few(key, body, count);
        return;
    }
    sort_digits(&run, first, count, 0, digits, (uint32_t(*)[BINS])bins, &(struct shares){1, 1});
    if (run.at != arrays->at) {
        memcpy(key, run.key[run.at] + first, count * sizeof *key);
        memcpy(body, run.body[run.at] + first, count * sizeof *body);
    }
}

/* Sorts runs of keys that differ only in the lowest digits, each in the part in which it begins. */
static void sort_runs(const struct arrays *arrays, size_t count, int digits, uint32_t (*bins)[BINS],
                      const struct shares *shares)
{
    const int bits = digit_at(digits), parts = shares->parts;
    const uint64_t *key = arrays->key[arrays->at];
    size_t begin[PARTS_MOST + 1] = {0};
    for (int p = 1; p <= parts; p++) {
        size_t at = part_at(shares, p, count);
        while (at < count && at > 0 && key[at] >> bits == key[at - 1] >> bits)
            at++;
        begin[p] = at;
    }
#pragma omp parallel for schedule(dynamic, 1) num_threads(shares->threads)
    for (int p = 0; p < parts; p++)
        for (size_t from = begin[p], next; from < begin[p + 1]; from = next) {
            next = from + 1;
            while (next < begin[p + 1] && key[next] >> bits == key[from] >> bits)
                next++;
            if (next - from > 1)
                sort_run(arrays, from, next - from, digits, bins[p]);
        }
}

/* The upper digits already order nearly all bodies. */
bool keys_sort(size_t count, uint64_t *key, uint32_t *body, uint64_t *spare_key,
               uint32_t *spare_body, int threads)
{
    static const size_t worth = 8192; /* bodies per part */
    const size_t most = count / worth, wanted = 4 * (size_t)threads;
    struct shares shares = {threads, 1};
    if (threads > 1 && most > 1)
        shares.parts = (int)(most < wanted ? most : wanted);
    shares.parts = shares.parts < PARTS_MOST ? shares.parts : PARTS_MOST;
    shares.threads = shares.parts > 1 ? threads : 1;
    uint32_t(*bins)[BINS] = malloc((size_t)shares.parts * sizeof *bins);
    if (!bins)
        abort();
    for (size_t i = 0; i < count; i++)
        body[i] = (uint32_t)i;
    struct arrays arrays = {{key, spare_key}, {body, spare_body}, 0};
    const int digits = PASSES - UPPER - (count > MANY);
    sort_digits(&arrays, 0, count, digits, PASSES, bins, &shares);
    sort_runs(&arrays, count, digits, bins, &shares);
    free(bins);
    return arrays.at == 1;
}
