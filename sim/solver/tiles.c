#include "sim/solver/tiles.h"
#include "base/memory.h"
#include "kernels/isa.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A segment needs at least this many tiles and this share of the bodies: where one ends, a tile has
 * bodies of two segments, and CUDA needs both of its kernels. */
enum { SEGMENT_TILES = 32, SEGMENT_SHARE = 8, WORTH_TASK = 4096, WORTH_THREADS = 16384 };

/* Rows that stay together when tiles are spread out. */
enum { GROUP = 8 * FORCE_TILE };

struct tile_body {
    double x[4]; /* the fourth: the distance used by fill_up */
    double mass;
    uint32_t body;
};

/* ---- segments ---- */

static int compare_numbers(const void *left, const void *right)
{
    const double a = *(const double *)left, b = *(const double *)right;
    return a < b ? -1 : a > b;
}

/* Finds the masses that enough bodies share, in ascending order; returns their number. */
static size_t shared_masses(size_t count, double *mass)
{
    const size_t share = count / SEGMENT_SHARE, least = (size_t)SEGMENT_TILES * FORCE_TILE;
    const size_t enough = share > least ? share : least;
    size_t shared = 0;
    qsort(mass, count, sizeof *mass, compare_numbers);
    for (size_t i = 0, end; i < count; i = end) {
        for (end = i + 1; end < count && mass[end] == mass[i];)
            end++;
        if (mass[i] != 0 && end - i >= enough)
            mass[shared++] = mass[i];
    }
    return shared;
}

/* Orders bodies by segment: first those whose mass is not shared, then those of each shared mass,
 * then massless ones. */
static void take_segments(struct tiles *tiles, const double *mass, double *sorted)
{
    memcpy(sorted, mass, tiles->count * sizeof *sorted);
    const size_t shared = shared_masses(tiles->count, sorted);
    tiles->ends = memory_new(shared + 2, sizeof *tiles->ends);
    size_t *next = memory_new(shared + 3, sizeof *next);
    for (int pass = 0; pass < 2; pass++)
        for (size_t i = 0; i < tiles->count; i++) {
            const double *found =
                bsearch(&mass[i], sorted, shared, sizeof *sorted, compare_numbers);
            const size_t segment = mass[i] == 0 ? shared + 1
                                   : found      ? (size_t)(found - sorted) + 1
                                                : 0;
            if (pass == 0)
                next[segment + 1]++;
            else
                tiles->base[next[segment]++] = (uint32_t)i;
            for (size_t s = 0; pass == 0 && i + 1 == tiles->count && s <= shared + 1; s++)
                next[s + 1] += next[s];
        }
    tiles->massive = next[shared];
    for (size_t s = 0; s <= shared + 1; s++)
        if (next[s] > (tiles->segments ? tiles->ends[tiles->segments - 1] : 0))
            tiles->ends[tiles->segments++] = next[s];
    free(next);
}

void tiles_close(struct tiles *tiles)
{
    free(tiles->order);
    free(tiles->base);
    free(tiles->ends);
    free(tiles->room);
    free(tiles->chosen);
    free(tiles->weight);
    *tiles = (struct tiles){0};
}

/* ---- halving ---- */

static bool before(const struct tile_body *a, const struct tile_body *b, int axis)
{
    return a->x[axis] < b->x[axis] || (a->x[axis] == b->x[axis] && a->body < b->body);
}

static int longest_side(const struct tile_body *all, size_t count)
{
    double side[3];
    for (int c = 0; c < 3; c++) {
        double low = all[0].x[c], high = low;
        for (size_t i = 1; i < count; i++) {
            low = all[i].x[c] < low ? all[i].x[c] : low;
            high = all[i].x[c] > high ? all[i].x[c] : high;
        }
        side[c] = high - low;
    }
    int longest = side[1] > side[0] ? 1 : 0;
    return side[2] > side[longest] ? 2 : longest;
}

/* Moves the first `left` bodies along the axis in front of the others (Hoare's selection). Pivots
 * are chosen at random, so that no order of the bodies makes it slow; a NaN stops every search and
 * may end up anywhere. */
static void part_at(struct tile_body *all, size_t count, size_t left, int axis)
{
    uint64_t draw = count;
    ptrdiff_t low = 0, high = (ptrdiff_t)count - 1, target = (ptrdiff_t)left;
    while (low < high) {
        draw = draw * 6364136223846793005u + 1442695040888963407u;
        const struct tile_body pivot =
            all[low + (ptrdiff_t)((draw >> 33) % (uint64_t)(high - low + 1))];
        ptrdiff_t i = low, j = high;
        while (i <= j) {
            while (before(&all[i], &pivot, axis))
                i++;
            while (before(&pivot, &all[j], axis))
                j--;
            if (i > j)
                break;
            const struct tile_body moved = all[i];
            all[i++] = all[j];
            all[j--] = moved;
        }
        if (target <= j)
            high = j;
        else if (target >= i)
            low = i;
        else
            return;
    }
}

static int compare_masses(const void *left, const void *right)
{
    const struct tile_body *a = left, *b = right;
    if (a->mass != b->mass)
        return a->mass == 0 ? 1 : b->mass == 0 || a->mass < b->mass ? -1 : 1;
    return a->body < b->body ? -1 : 1;
}

static bool within(size_t unit, size_t first, size_t count)
{
    return first / unit == (first + count - 1) / unit;
}

/* Halves the rows first .. first + count - 1, at whole groups as long as there are several
 * groups. */
static void halve(struct tile_body *all, size_t first, size_t count)
{
    while (!within(FORCE_TILE, first, count)) {
        const size_t unit = within(GROUP, first, count) ? FORCE_TILE : GROUP;
        size_t middle = (first + count / 2 + unit / 2) / unit * unit;
        if (middle <= first)
            middle += unit;
        else if (middle >= first + count)
            middle -= unit;
        const size_t left = middle - first;
        part_at(all, count, left, longest_side(all, count));
#pragma omp task if (left >= WORTH_TASK)
        halve(all, first, left);
        all += left;
        first = middle;
        count -= left;
    }
    qsort(all, count, sizeof *all, compare_masses);
}

/* Fills up the tile in which a segment begins with the bodies of the segment that are nearest to
 * those of the previous segment; returns their number. */
static size_t fill_up(struct tile_body *all, size_t first, size_t count)
{
    const size_t behind = first % FORCE_TILE, wanted = FORCE_TILE - behind;
    if (behind == 0 || wanted >= count)
        return 0;
    double sum[3] = {0};
    for (size_t k = 0; k < behind; k++)
        for (int c = 0; c < 3; c++)
            sum[c] += (all - behind)[k].x[c] / (double)behind;
    for (size_t k = 0; k < count; k++) {
        double distance2 = 0;
        for (int c = 0; c < 3; c++)
            distance2 += (all[k].x[c] - sum[c]) * (all[k].x[c] - sum[c]);
        all[k].x[3] = distance2;
    }
    part_at(all, count, wanted, 3);
    qsort(all - behind, FORCE_TILE, sizeof *all, compare_masses);
    return wanted;
}

/* ---- the order of groups ---- */

struct place {
    int weight;
    uint32_t turned, group;
};

static int compare_places(const void *left, const void *right)
{
    const struct place *a = left, *b = right;
    if (a->weight != b->weight)
        return a->weight < b->weight ? -1 : 1;
    return a->turned < b->turned ? -1 : a->turned > b->turned;
}

static uint32_t turned(uint32_t bits)
{
    uint32_t out = 0;
    for (int k = 0; k < 32; k++, bits >>= 1)
        out = out << 1 | (bits & 1);
    return out;
}

static double heaviest(const struct tile_body *all, size_t count)
{
    double most = 0;
    for (size_t k = 0; k < count; k++)
        most = all[k].mass > most ? all[k].mass : most;
    return most;
}

/* Spreads successive groups apart, in bit-reversed order: a sum over one side of the bodies and
 * then the other would become large before it becomes small. Heavier groups come last. */
static void spread_out(struct tiles *tiles, size_t first, size_t end)
{
    const size_t from = (first + GROUP - 1) / GROUP, to = end / GROUP;
    if (to <= from + 1)
        return;
    struct place *place = memory_new(to - from, sizeof *place);
    struct tile_body *all = tiles->room + from * GROUP;
    for (size_t g = 0; g < to - from; g++) {
        const double most = heaviest(all + g * GROUP, GROUP);
        place[g] = (struct place){.weight = most > 0 ? ilogb(most) : INT_MIN,
                                  .turned = turned((uint32_t)g),
                                  .group = (uint32_t)g};
    }
    qsort(place, to - from, sizeof *place, compare_places);
    for (size_t g = 0; g < to - from; g++)
        for (size_t k = 0; k < GROUP; k++)
            tiles->order[(from + g) * GROUP + k] = all[place[g].group * GROUP + k].body;
    free(place);
}

static void sort(struct tiles *tiles, const double *mass, const double (*position)[3])
{
    const int threads = tiles->count < WORTH_THREADS ? 1 : force_cpu_threads();
    for (size_t k = 0; k < tiles->count; k++) {
        const uint32_t body = tiles->base[k];
        memcpy(tiles->room[k].x, position[body], sizeof position[body]);
        tiles->room[k].mass = mass[body];
        tiles->room[k].body = body;
    }
    for (size_t s = 0; s < tiles->segments; s++) {
        size_t first = s ? tiles->ends[s - 1] : 0;
        first += fill_up(tiles->room + first, first, tiles->ends[s] - first);
#pragma omp parallel num_threads(threads)
#pragma omp single
        halve(tiles->room + first, first, tiles->ends[s] - first);
    }
    for (size_t k = 0; k < tiles->count; k++)
        tiles->order[k] = tiles->room[k].body;
    for (size_t s = 0; s < tiles->segments; s++)
        spread_out(tiles, s ? tiles->ends[s - 1] : 0, tiles->ends[s]);
}

/* ---- centres ---- */

/* Computes each body's weight from its pairs within the tile. */
static void weigh(const double (*x)[3], const double *mass, size_t count, double softening2,
                  double *weight)
{
    memset(weight, 0, count * sizeof *weight);
    for (size_t i = 1; i < count; i++)
        for (size_t j = 0; j < i; j++) {
            double r2 = softening2;
            for (int c = 0; c < 3; c++)
                r2 += (x[j][c] - x[i][c]) * (x[j][c] - x[i][c]);
            const double pair = (mass[i] * mass[i] + mass[j] * mass[j]) / (r2 * r2 * r2);
            weight[i] += pair;
            weight[j] += pair;
        }
}

/* Chooses the bodies nearest to a position, each once as long as there are enough. */
static void choose_nearest(const double (*x)[3], size_t count, const double place[3],
                           uint8_t chosen[FORCE_CHOSEN])
{
    double distance2[FORCE_TILE];
    for (size_t k = 0; k < count; k++) {
        distance2[k] = 0;
        for (int c = 0; c < 3; c++)
            distance2[k] += (x[k][c] - place[c]) * (x[k][c] - place[c]);
    }
    for (size_t s = 0; s < FORCE_CHOSEN; s++) {
        chosen[s] = (uint8_t)(s % count);
        double least = INFINITY;
        for (size_t k = 0; s < count && k < count; k++)
            if (distance2[k] < least) {
                least = distance2[k];
                chosen[s] = (uint8_t)k;
            }
        distance2[chosen[s]] = INFINITY;
    }
}

/* Chooses among the `count` >= 1 rows from `order` on. Massless bodies have no weight, unless all
 * bodies are massless. */
static void choose(const struct tiles *tiles, const uint32_t *order, size_t count,
                   const double *mass, const double (*position)[3], uint8_t *chosen, double *weight)
{
    double x[FORCE_TILE][3], m[FORCE_TILE], w[FORCE_TILE], mean[3] = {0}, sum = 0;
    for (size_t k = 0; k < count; k++) {
        memcpy(x[k], position[order[k]], sizeof x[k]);
        m[k] = mass[order[0]] == 0 ? 1 : mass[order[k]];
    }
    weigh((const double(*)[3])x, m, count, tiles->softening * tiles->softening, w);
    for (size_t k = 0; k < count; k++) {
        sum += w[k];
        for (int c = 0; c < 3; c++)
            mean[c] += w[k] * x[k][c];
    }
    for (int c = 0; c < 3; c++)
        mean[c] = sum > 0 ? mean[c] / sum : x[0][c];
    choose_nearest((const double(*)[3])x, count, mean, chosen);
    *weight = mass[order[0]] == 0 ? 0 : sum;
}

static void choose_all(struct tiles *tiles, const double *mass, const double (*position)[3])
{
    const int threads = tiles->count < WORTH_THREADS ? 1 : force_cpu_threads();
#pragma omp parallel for schedule(dynamic) num_threads(threads)
    for (size_t t = 0; t < tiles_for(tiles->count); t++) {
        const size_t first = t * FORCE_TILE, left = tiles->count - first;
        size_t count = left < FORCE_TILE ? left : FORCE_TILE;
        if (tiles->massive > first && tiles->massive - first < count)
            count = tiles->massive - first; /* centres do not depend on massless rows */
        choose(tiles, tiles->order + first, count, mass, position, tiles->chosen[t],
               &tiles->weight[t]);
    }
}

static double median(double a, double b, double c)
{
    double low = a < b ? a : b, high = a < b ? b : a;
    double rest = high < c ? high : c;
    return low < rest ? rest : low;
}

void tiles_centre(const uint32_t *order, const uint8_t chosen[FORCE_CHOSEN],
                  const double (*position)[3], double centre[3])
{
    const double *at[FORCE_CHOSEN];
    for (size_t k = 0; k < FORCE_CHOSEN; k++)
        at[k] = position[order[chosen[k]]];
    for (int c = 0; c < 3; c++)
        centre[c] =
            median(median(at[0][c], at[1][c], at[2][c]), median(at[3][c], at[4][c], at[5][c]),
                   median(at[6][c], at[7][c], at[8][c]));
}

/* ---- open ---- */

enum status tiles_open(struct tiles *tiles, const struct bodies *bodies, double softening)
{
    const size_t count = bodies->count, all = tiles_for(count);
    double *sorted = malloc(count * sizeof *sorted);
    *tiles = (struct tiles){
        .count = count,
        .order = malloc(count * sizeof *tiles->order),
        .base = malloc(count * sizeof *tiles->base),
        .room = malloc(count * sizeof *tiles->room),
        .softening = softening,
        .chosen = malloc(all * sizeof *tiles->chosen),
        .weight = malloc(all * sizeof *tiles->weight),
    };
    enum status status = STATUS_OK;
    if (!sorted || !tiles->order || !tiles->base || !tiles->room || !tiles->chosen ||
        !tiles->weight) {
        tiles_close(tiles);
        status = status_fail(STATUS_RUNTIME, "no memory to sort %zu bodies; ask for fewer with -n",
                             count);
    } else {
        take_segments(tiles, bodies->mass, sorted);
        sort(tiles, bodies->mass, (const double(*)[3])bodies->position);
        choose_all(tiles, bodies->mass, (const double(*)[3])bodies->position);
        free(tiles->base);
        free(tiles->room);
        tiles->base = NULL;
        tiles->room = NULL;
    }
    free(sorted);
    return status;
}
