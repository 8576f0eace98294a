/* Compiled once per instruction set, see isa.h. */
#include "kernels/isa.h"
#include "kernels/lanes.h"
#include "kernels/pairs/force_cpu.h"

#include <string.h>

/* A tile of bodies a, with one vector of sums per body, meets a strip of bodies b, VECTORS vectors
 * of which are in registers at a time together with their sums. The tile's sums stay in the L1
 * cache. Rows of the tile are moved to the centre of each of the strip's tiles in turn. */
enum { TILE = FORCE_TILE, STRIP = 2048, SQUARE = FORCE_PAD, WIDTH = VECTORS * LANES };

_Static_assert(FORCE_TILE % FORCE_PAD == 0, "a tile is whole squares");

_Static_assert(FORCE_PAD % WIDTH == 0, "rows are padded to whole groups of vectors");

/* Sums are stored without this factor, see meet(). */
static const double FACTOR = 1.5;

struct tile {
    lanes sum[TILE][3];
    float row[TILE][4]; /* offsets from the centre of the current tile of the strip */
    float own[TILE][4]; /* offsets from the tile's own centre */
};

struct strip {
    float column[4][STRIP], sum[3][STRIP];
};

#define EACH _Pragma("GCC unroll 4") for (int k = 0; k < VECTORS; k++)

static inline lanes load(const float *from)
{
    lanes vector;
    memcpy(&vector, from, sizeof vector);
    return vector;
}

static inline void add(float *to, lanes vector)
{
    vector += load(to);
    memcpy(to, &vector, sizeof vector);
}

/* With the estimate e of r2^(-1/2) and h = 1 - r2 e^2, which is small, r2^(-3/2) is
 * e^3 (1 + 3/2 h) but for 15/8 h^2, or 3/2 e^3 (5/3 - r2 e^2): one operation less when the factor
 * is left for later. Each step is written for all vectors, so that there is work while one waits.
 *
 * When both have even masses they are left for later, too. */
static inline __attribute__((always_inline)) void meet(struct tile *restrict a, size_t rows,
                                                       struct strip *restrict b, size_t first,
                                                       float softening2, bool even)
{
    lanes x[VECTORS], y[VECTORS], z[VECTORS], m[VECTORS];
    lanes sx[VECTORS] = {0}, sy[VECTORS] = {0}, sz[VECTORS] = {0};
    EACH
    {
        x[k] = load(&b->column[0][first + k * LANES]);
        y[k] = load(&b->column[1][first + k * LANES]);
        z[k] = load(&b->column[2][first + k * LANES]);
        m[k] = load(&b->column[3][first + k * LANES]);
    }
#pragma GCC unroll 4
    for (size_t i = 0; i < rows; i++) {
        const float *row = a->row[i];
        lanes *sum = a->sum[i], tx = sum[0], ty = sum[1], tz = sum[2];
        lanes dx[VECTORS], dy[VECTORS], dz[VECTORS], r2[VECTORS];
        lanes e[VECTORS], e2[VECTORS], pull[VECTORS];
        EACH dx[k] = x[k] - row[0];
        EACH dy[k] = y[k] - row[1];
        EACH dz[k] = z[k] - row[2];
        EACH r2[k] = dx[k] * dx[k] + softening2;
        EACH r2[k] += dy[k] * dy[k];
        EACH r2[k] += dz[k] * dz[k];
        EACH e[k] = lanes_rsqrt_estimate(r2[k]);
        EACH e2[k] = e[k] * e[k];
        EACH pull[k] = 5.0f / 3 - r2[k] * e2[k];
        EACH e[k] *= e2[k];
        EACH pull[k] *= e[k];
        EACH
        {
            lanes on_a = even ? pull[k] : pull[k] * m[k], on_b = even ? pull[k] : pull[k] * row[3];
            tx += on_a * dx[k];
            ty += on_a * dy[k];
            tz += on_a * dz[k];
            sx[k] -= on_b * dx[k];
            sy[k] -= on_b * dy[k];
            sz[k] -= on_b * dz[k];
        }
        sum[0] = tx;
        sum[1] = ty;
        sum[2] = tz;
    }
    EACH
    {
        add(&b->sum[0][first + k * LANES], sx[k]);
        add(&b->sum[1][first + k * LANES], sy[k]);
        add(&b->sum[2][first + k * LANES], sz[k]);
    }
}

typedef float quad __attribute__((vector_size(16)));
typedef int quad_int __attribute__((vector_size(16)));

static inline quad fold(const lanes *vector)
{
    const quad *part = (const quad *)vector;
    quad sum = part[0];
    for (int k = 1; k < LANES / 4; k++)
        sum += part[k];
    return sum;
}

#if defined(__clang__)
#define SHUFFLE(x, y, ...) __builtin_shufflevector(x, y, __VA_ARGS__)
#else
#define SHUFFLE(x, y, ...) __builtin_shuffle(x, y, (quad_int){__VA_ARGS__})
#endif

/* Reduces the three sums of a body over the lanes. */
static inline quad fold_three(const lanes vector[3])
{
    quad x = fold(vector), y = fold(vector + 1), z = fold(vector + 2);
    quad xy = SHUFFLE(x, y, 0, 4, 1, 5) + SHUFFLE(x, y, 2, 6, 3, 7);
    quad zz = z + SHUFFLE(z, z, 2, 3, 0, 1);
    return SHUFFLE(xy, zz, 0, 1, 4, 4) + SHUFFLE(xy, zz, 2, 3, 5, 5);
}

static void fill_strip(struct strip *strip, const struct force_block *block, size_t first,
                       size_t padded, float scale)
{
    for (size_t j = 0; j < padded; j++) {
        const float *row = block->rows[first + j];
        strip->column[0][j] = row[0] * scale;
        strip->column[1][j] = row[1] * scale;
        strip->column[2][j] = row[2] * scale;
        strip->column[3][j] = row[3];
    }
    for (int c = 0; c < 3; c++)
        memset(strip->sum[c], 0, padded * sizeof *strip->sum[c]);
}

static size_t smaller(size_t a, size_t b)
{
    return a < b ? a : b;
}

static void fill_tile(struct tile *tile, const struct force_block *block, size_t first, size_t rows,
                      float scale)
{
    for (size_t i = 0; i < rows; i++) {
        const float *row = block->rows[first + i];
        for (int c = 0; c < 3; c++)
            tile->own[i][c] = row[c] * scale;
        tile->own[i][3] = row[3];
    }
    memcpy(tile->row, tile->own, rows * sizeof *tile->row);
    memset(tile->sum, 0, rows * sizeof *tile->sum);
}

/* Moves rows of `block` from `first` on to the centre `other` of a tile, several rows per vector.
 * The block's rows may belong to two tiles, which both begin at whole groups of rows. */
static void move_tile(struct tile *tile, const struct force_block *block, size_t first, size_t rows,
                      size_t other, float scale)
{
    if (!block->centres)
        return;
    for (size_t i = 0, end; i < rows; i = end) {
        const size_t place = block->first + first + i, own = place / FORCE_TILE;
        float shift[3], pattern[LANES];
        end = smaller(rows, i + (own + 1) * FORCE_TILE - place);
        force_shift(block->centres, own, block->centres, other, shift);
        for (int l = 0; l < LANES; l++)
            pattern[l] = l % 4 < 3 ? shift[l % 4] * scale : 0;
        lanes back = load(pattern);
        for (size_t k = i; k < end; k += LANES / 4) {
            lanes moved = load(tile->own[k]) - back;
            memcpy(tile->row[k], &moved, sizeof moved);
        }
    }
}

/* Meets the strip's columns from `first` on, tile by tile. */
static void meet_tiles(struct tile *tile, const struct force_block *a, size_t i, size_t rows,
                       struct strip *strip, const struct force_block *b, size_t j, size_t padded,
                       struct force_units units, bool even)
{
    float softening2 = units.softening * units.softening;
    for (size_t k = 0, end; k < padded; k = end) {
        const size_t place = b->first + j + k, other = place / FORCE_TILE;
        end = b->centres ? smaller(padded, k + (other + 1) * FORCE_TILE - place) : padded;
        move_tile(tile, a, i, rows, other, units.scale);
        if (even)
            for (size_t w = k; w < end; w += WIDTH)
                meet(tile, rows, strip, w, softening2, true);
        else
            for (size_t w = k; w < end; w += WIDTH)
                meet(tile, rows, strip, w, softening2, false);
    }
}

static void between(const struct force_block *a, const struct force_block *b,
                    struct force_units units)
{
    struct tile tile;
    struct strip strip __attribute__((aligned(64)));
    bool even = a->even && b->even;
    double factor = FACTOR * (double)units.scale * (double)units.scale;
    double on_a = even ? factor * (double)b->rows[0][3] : factor;
    double on_b = even ? factor * (double)a->rows[0][3] : factor;

    for (size_t j = 0; j < b->count; j += STRIP) {
        size_t length = b->count - j < STRIP ? b->count - j : STRIP;
        size_t padded = (length + WIDTH - 1) / WIDTH * WIDTH;
        fill_strip(&strip, b, j, padded, units.scale);
        for (size_t i = 0; i < a->count; i += TILE) {
            size_t rows = a->count - i < TILE ? a->count - i : TILE;
            fill_tile(&tile, a, i, rows, units.scale);
            meet_tiles(&tile, a, i, rows, &strip, b, j, padded, units, even);
            for (size_t k = 0; k < rows; k++) {
                quad sum = fold_three(tile.sum[k]);
                for (int c = 0; c < 3; c++)
                    a->out[i + k][c] += on_a * (double)sum[c];
            }
        }
        for (size_t k = 0; k < length; k++)
            for (int c = 0; c < 3; c++)
                b->out[j + k][c] += on_b * (double)strip.sum[c][k];
    }
}

/* Square by square: each with itself, then with everything after it in the block. */
static void within(const struct force_block *block, struct force_units units)
{
    for (size_t i = 0; i < block->count; i += SQUARE) {
        size_t left = block->count - i;
        OF_ISA(force_square)
        (left < SQUARE ? left : SQUARE, block->rows + i, units.softening / units.scale, NULL,
         block->out + i);
    }
    for (size_t i = 0; i + SQUARE < block->count; i += SQUARE) {
        struct force_block head = *block, tail = *block;
        head.count = SQUARE;
        head.rows += i;
        head.out += i;
        tail.count -= i + SQUARE;
        tail.rows += i + SQUARE;
        tail.out += i + SQUARE;
        head.first += i;
        tail.first += i + SQUARE;
        between(&head, &tail, units);
    }
}

void OF_ISA(force_fast)(size_t count, const float (*rows)[4], float softening,
                        force_centres centres, double (*out)[3])
{
    static const struct force_pairs_kernel kernel = {.within = within, .between = between};
    if (count >= FORCE_CPU_PAIRS_FROM)
        force_pairs(&kernel, count, rows, softening, centres, out);
    else
        OF_ISA(force_square_shared)(count, rows, softening, centres, out);
}
