/* Compiled once per instruction set (see render/picture/pixel_lanes.h), without contraction. */
#include "render/compare/tile.h"
#include "render/picture/pixel_lanes.h"

#include <stdlib.h>

enum { GROUPS = TILE_SIDE / LANES, BLOCKS = LANES / TILE_BLOCK };

/* Samples are offset to signed ones, starting at -32768; SIGN times the last weight corrects for
 * that. */
enum { SIGN = 0x8000, SHIFT = 16384 };

struct bounds {
    lanes lit, free, counted;
};

/* Sums over as many columns as there are lanes. */
struct columns {
    lanes counted, peak, over_high, over_low;
    lanes_wide low, high; /* B - A */
};

/* Sums over a line of blocks in these columns; all bits set count as -1. */
struct line {
    lanes lit, differs, sum, difference;
    lanes_wide more, less; /* sums of squares */
};

struct totals {
    lanes_wide bias, light[2];
    lanes_wide rows[TILE_SIDE]; /* B - A */
};

/* One half of the lanes of a picture. */
struct half {
    lanes_wide sum, luma; /* sum of the channels; luma with 24 bits */
};

LANES_INLINE struct half weigh(lanes red_green, lanes blue)
{
    return (struct half){lanes_dot(red_green, lanes_both(1, 1)) + lanes_dot(blue, lanes_both(1, 6)),
                         lanes_dot(red_green, lanes_both(54, 183)) +
                             lanes_dot(blue, lanes_both(19, 512))};
}

LANES_INLINE void weigh_both(const lanes channel[3], struct half *low, struct half *high)
{
    const lanes red = channel[0] ^ lanes_all(SIGN), green = channel[1] ^ lanes_all(SIGN),
                blue = channel[2] ^ lanes_all(SIGN);
    *low = weigh(lanes_low(red, green), lanes_low(blue, lanes_all(SHIFT)));
    *high = weigh(lanes_high(red, green), lanes_high(blue, lanes_all(SHIFT)));
}

/* Same as tile_pixel_light. */
LANES_INLINE lanes_wide light_of(lanes_wide luma)
{
    const lanes_float v = __builtin_convertvector(luma, lanes_float) * (1 / (256 * 65535.0f));
    const lanes_float light =
        v * (TILE_LIGHT_1 + v * (TILE_LIGHT_2 + v * (TILE_LIGHT_3 + v * TILE_LIGHT_4)));
    const lanes_float lit = (lanes_float)((lanes_wide)light & (light > 0));
    return __builtin_convertvector(lit * (float)TILE_WHITE + 0.5f, lanes_wide);
}

LANES_INLINE void add_lit(const struct half *a, const struct half *b, lanes lit,
                          struct totals *totals)
{
    const lanes_wide mask = (lanes_wide)lit;
    totals->bias += (b->sum - a->sum) & mask;
    totals->light[0] += light_of(a->luma) & mask;
    totals->light[1] += light_of(b->luma) & mask;
}

/* SSIM needs only squares of sums and differences: (a + b)^2 + (a - b)^2 = 2 (a^2 + b^2), (a + b)^2
 * - (a - b)^2 = 4 a b. Free differences count as 0: both pictures get the mean. */
LANES_INLINE void add_luma(lanes a, lanes b, lanes is_free, struct line *line)
{
    const lanes sum = (a + b) & ~(is_free & lanes_all(1)), difference = (a - b) & ~is_free;
    line->sum += sum;
    line->difference += difference;
    line->more += lanes_dot(sum, sum);
    line->less += lanes_dot(difference, difference);
}

LANES_INLINE void add_row(const lanes a[3], const lanes b[3], const struct bounds *bounds,
                          struct columns *columns, struct line *line, struct totals *totals,
                          lanes_wide *row, uint16_t *most_to)
{
    const lanes most = lanes_larger(lanes_larger(lanes_apart(a[0], b[0]), lanes_apart(a[1], b[1])),
                                    lanes_apart(a[2], b[2]));
    const lanes highest = lanes_larger(
        lanes_larger(lanes_larger(a[0], b[0]), lanes_larger(a[1], b[1])), lanes_larger(a[2], b[2]));
    const lanes lit = lanes_within(bounds->lit, highest),
                is_free = lanes_within(most, bounds->free);
    const lanes over = most & ~is_free;
    lanes_store(most_to, most);
    columns->counted += ~lanes_within(most, bounds->counted);
    columns->peak = lanes_larger(columns->peak, most);
    columns->over_high += over >> 8;
    columns->over_low += over & 255;
    line->lit += lit;
    line->differs += ~is_free;
    struct half low_a, high_a, low_b, high_b;
    weigh_both(a, &low_a, &high_a);
    weigh_both(b, &low_b, &high_b);
    const lanes_wide low = low_b.sum - low_a.sum, high = high_b.sum - high_a.sum;
    columns->low += low;
    columns->high += high;
    *row += low + high;
    add_luma(lanes_pack(low_a.luma >> 12, high_a.luma >> 12),
             lanes_pack(low_b.luma >> 12, high_b.luma >> 12), is_free, line);
    if (lanes_any(lit)) {
        add_lit(&low_a, &low_b, lanes_low(lit, lit), totals);
        add_lit(&high_a, &high_b, lanes_high(lit, lit), totals);
    }
}

LANES_INLINE int32_t add_up(lanes_wide v)
{
    int32_t sum = 0;
    for (int i = 0; i < LANES_PAIRS; i++)
        sum += v[i];
    return sum;
}

/* Sums of neighbouring pairs, in 32 bits. */
LANES_INLINE lanes_wide pairs_of(lanes v)
{
    return lanes_dot(v, lanes_all(1));
}

LANES_INLINE void end_line(const struct line *line, struct tile_sums *sums,
                           struct tile_block *blocks)
{
    const lanes_wide lit = pairs_of(line->lit), differs = pairs_of(line->differs);
    const lanes_wide sum = pairs_of(line->sum), difference = pairs_of(line->difference);
    for (int i = 0; i < BLOCKS; i++) {
        const int j = 2 * i, k = 2 * i + 1;
        const int32_t s = sum[j] + sum[k], d = difference[j] + difference[k];
        const int32_t more = line->more[j] + line->more[k], less = line->less[j] + line->less[k];
        blocks[i] = (struct tile_block){.lit = (uint16_t) - (lit[j] + lit[k]),
                                        .differs = (uint16_t) - (differs[j] + differs[k]),
                                        .a = (s + d) / 2,
                                        .b = (s - d) / 2,
                                        .squares = (more + less) / 2,
                                        .product = (more - less) / 4};
        sums->lit += blocks[i].lit;
        sums->differing += blocks[i].differs;
    }
}

LANES_INLINE int32_t longer(int32_t line, int32_t sum)
{
    return abs(sum) > line ? abs(sum) : line;
}

LANES_INLINE void end_columns(const struct columns *columns, struct tile_sums *sums)
{
    for (int i = 0; i < LANES; i++) {
        sums->counted += (uint16_t)-columns->counted[i];
        sums->largest = sums->largest > columns->peak[i] ? sums->largest : columns->peak[i];
        sums->over += 256u * columns->over_high[i] + columns->over_low[i];
    }
    for (int i = 0; i < LANES_PAIRS; i++)
        sums->line = longer(longer(sums->line, columns->low[i]), columns->high[i]);
}

static void end_totals(const struct totals *totals, struct tile_sums *sums)
{
    sums->bias = add_up(totals->bias);
    sums->light[0] = (uint32_t)add_up(totals->light[0]);
    sums->light[1] = (uint32_t)add_up(totals->light[1]);
    for (int y = 0; y < TILE_SIDE; y++)
        sums->line = longer(sums->line, add_up(totals->rows[y]));
}

void OF_ISA(tile_sum)(const struct planes *a, const struct planes *b, size_t at,
                      const struct tile_params *params, struct tile_sums *sums,
                      struct tile_block blocks[TILE_BLOCKS][TILE_BLOCKS],
                      uint16_t most[TILE_SIDE][TILE_SIDE])
{
    const struct bounds bounds = {lanes_all(params->lit), lanes_all(params->free),
                                  lanes_all(params->counted)};
    struct totals totals;
    memset(&totals, 0, sizeof totals);
    memset(sums, 0, sizeof *sums);
    for (int group = 0; group < GROUPS; group++) {
        struct columns columns;
        struct line line;
        memset(&columns, 0, sizeof columns);
        memset(&line, 0, sizeof line);
        for (int y = 0; y < TILE_SIDE; y++) {
            const size_t here = at + (size_t)y * a->stride + (size_t)(group * LANES);
            lanes in_a[3], in_b[3];
            for (int c = 0; c < 3; c++) {
                in_a[c] = lanes_load(a->channel[c] + here);
                in_b[c] = lanes_load(b->channel[c] + here);
            }
            add_row(in_a, in_b, &bounds, &columns, &line, &totals, &totals.rows[y],
                    most[y] + group * LANES);
            if (y % TILE_BLOCK == TILE_BLOCK - 1) {
                end_line(&line, sums, blocks[y / TILE_BLOCK] + group * BLOCKS);
                memset(&line, 0, sizeof line);
            }
        }
        end_columns(&columns, sums);
    }
    end_totals(&totals, sums);
}
