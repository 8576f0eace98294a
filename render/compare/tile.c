#include "render/compare/tile.h"

#include <stdbool.h>
#include <string.h>

/* One text for every processor: compiled again with wider vectors where they are. */
#define INLINE static inline __attribute__((always_inline))

struct row {
    const uint16_t *a[3], *b[3];
};

/* Columns of sums over the rows of one line of blocks. */
struct columns {
    uint16_t lit[TILE_SIDE], differs[TILE_SIDE];
    int32_t a[TILE_SIDE], b[TILE_SIDE], squares[TILE_SIDE], product[TILE_SIDE];
};

INLINE int32_t longer(int32_t line, int32_t sum)
{
    sum = sum < 0 ? -sum : sum;
    return sum > line ? sum : line;
}

/* A row's sum of B - A, which is added to those of the columns. */
INLINE int32_t sum_line(const struct row *row, int32_t *lines)
{
    int32_t sum = 0;
    for (int x = 0; x < TILE_SIDE; x++) {
        const int32_t d =
            row->b[0][x] - row->a[0][x] + row->b[1][x] - row->a[1][x] + row->b[2][x] - row->a[2][x];
        lines[x] += d;
        sum += d;
    }
    return sum;
}

INLINE uint16_t largest(uint16_t a, uint16_t b)
{
    return a > b ? a : b;
}

INLINE uint16_t distance(uint16_t a, uint16_t b)
{
    return (uint16_t)(largest(a, b) - (a < b ? a : b));
}

INLINE void sum_differences(const struct row *row, const struct tile_params *params,
                            struct tile_sums *sums, struct columns *columns, uint16_t *lit,
                            uint16_t *most)
{
    uint32_t over = 0;
    uint16_t counted = 0, lit_count = 0, differing = 0;
    for (int x = 0; x < TILE_SIDE; x++) {
        uint16_t d = distance(row->a[0][x], row->b[0][x]);
        d = largest(d, distance(row->a[1][x], row->b[1][x]));
        most[x] = largest(d, distance(row->a[2][x], row->b[2][x]));
        uint16_t high = largest(row->a[0][x], row->b[0][x]);
        high = largest(high, largest(row->a[1][x], row->b[1][x]));
        high = largest(high, largest(row->a[2][x], row->b[2][x]));
        lit[x] = high >= params->lit ? UINT16_MAX : 0;
    }
    for (int x = 0; x < TILE_SIDE; x++) {
        const uint16_t is_lit = lit[x] & 1, is_over = most[x] > params->free ? 1 : 0;
        lit_count = (uint16_t)(lit_count + is_lit);
        differing = (uint16_t)(differing + is_over);
        counted = (uint16_t)(counted + (most[x] > params->counted ? 1 : 0));
        columns->lit[x] = (uint16_t)(columns->lit[x] + is_lit);
        columns->differs[x] = (uint16_t)(columns->differs[x] + is_over);
    }
    uint16_t peak = 0;
    for (int x = 0; x < TILE_SIDE; x++)
        peak = largest(peak, most[x]);
    for (int x = 0; x < TILE_SIDE; x++)
        over += most[x] > params->free ? (uint32_t)most[x] : 0u;
    sums->largest = largest(sums->largest, peak);
    sums->lit += lit_count;
    sums->counted += counted;
    sums->differing += differing;
    sums->over += over;
}

/* Of 24 bits. */
INLINE int32_t luma_of(const uint16_t *const *channel, int x)
{
    return 54 * channel[0][x] + 183 * channel[1][x] + 19 * channel[2][x];
}

INLINE uint32_t light_of(const uint16_t *const *channel, int x)
{
    const float light = tile_light((float)luma_of(channel, x) * (1 / (256 * 65535.0f)));
    return (uint32_t)(int32_t)((light > 0 ? light : 0) * (float)TILE_WHITE + 0.5f);
}

INLINE void sum_lit(const struct row *row, const uint16_t *lit, struct tile_sums *sums)
{
    int32_t bias = 0;
    uint32_t light_a = 0, light_b = 0;
    for (int x = 0; x < TILE_SIDE; x++) {
        const int32_t mask = -(int32_t)(lit[x] & 1);
        const int32_t d =
            row->b[0][x] - row->a[0][x] + row->b[1][x] - row->a[1][x] + row->b[2][x] - row->a[2][x];
        bias += d & mask;
        light_a += light_of(row->a, x) & (uint32_t)mask;
        light_b += light_of(row->b, x) & (uint32_t)mask;
    }
    sums->bias += bias;
    sums->light[0] += light_a;
    sums->light[1] += light_b;
}

/* Differences that are free are none: both pictures then have the mean. */
INLINE void sum_luma(const struct row *row, const uint16_t *most, uint16_t free,
                     struct columns *columns)
{
    for (int x = 0; x < TILE_SIDE; x++) {
        const int32_t in_a = luma_of(row->a, x) >> 12, in_b = luma_of(row->b, x) >> 12;
        const int32_t mean = (in_a + in_b) >> 1;
        const int32_t a = most[x] > free ? in_a : mean, b = most[x] > free ? in_b : mean;
        columns->a[x] += a;
        columns->b[x] += b;
        columns->squares[x] += a * a + b * b;
        columns->product[x] += a * b;
    }
}

INLINE void fold(const struct columns *columns, struct tile_block blocks[TILE_BLOCKS])
{
    for (int i = 0; i < TILE_BLOCKS; i++) {
        struct tile_block block = {0};
        for (int x = TILE_BLOCK * i; x < TILE_BLOCK * (i + 1); x++) {
            block.lit = (uint16_t)(block.lit + columns->lit[x]);
            block.differs = (uint16_t)(block.differs + columns->differs[x]);
            block.a += columns->a[x];
            block.b += columns->b[x];
            block.squares += columns->squares[x];
            block.product += columns->product[x];
        }
        blocks[i] = block;
    }
}

INLINE void sum(const struct planes *a, const struct planes *b, size_t at,
                const struct tile_params *params, struct tile_sums *sums,
                struct tile_block blocks[TILE_BLOCKS][TILE_BLOCKS])
{
    int32_t lines[TILE_SIDE] = {0};
    *sums = (struct tile_sums){0};
    for (int line = 0; line < TILE_BLOCKS; line++) {
        struct columns columns;
        memset(&columns, 0, sizeof columns);
        for (int y = 0; y < TILE_BLOCK; y++, at += a->stride) {
            uint16_t lit[TILE_SIDE], most[TILE_SIDE];
            const uint32_t before = sums->lit;
            struct row row;
            for (int c = 0; c < 3; c++) {
                row.a[c] = a->channel[c] + at;
                row.b[c] = b->channel[c] + at;
            }
            sum_differences(&row, params, sums, &columns, lit, most);
            if (sums->lit > before)
                sum_lit(&row, lit, sums);
            sum_luma(&row, most, params->free, &columns);
            sums->line = longer(sums->line, sum_line(&row, lines));
        }
        fold(&columns, blocks[line]);
    }
    for (int x = 0; x < TILE_SIDE; x++)
        sums->line = longer(sums->line, lines[x]);
}

#if defined __x86_64__

__attribute__((target("avx2"))) static void
sum_wide(const struct planes *a, const struct planes *b, size_t at,
         const struct tile_params *params, struct tile_sums *sums,
         struct tile_block blocks[TILE_BLOCKS][TILE_BLOCKS])
{
    sum(a, b, at, params, sums, blocks);
}

static bool is_wide(void)
{
    return __builtin_cpu_supports("avx2");
}

#else

#define sum_wide sum
static bool is_wide(void)
{
    return false;
}

#endif

void tile_sum(const struct planes *a, const struct planes *b, size_t at,
              const struct tile_params *params, struct tile_sums *sums,
              struct tile_block blocks[TILE_BLOCKS][TILE_BLOCKS])
{
    if (is_wide())
        sum_wide(a, b, at, params, sums, blocks);
    else
        sum(a, b, at, params, sums, blocks);
}

uint32_t tile_pixel_light(const struct planes *picture, size_t at)
{
    const uint16_t *const channel[3] = {picture->channel[0] + at, picture->channel[1] + at,
                                        picture->channel[2] + at};
    return light_of(channel, 0);
}
