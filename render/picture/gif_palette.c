#include "render/picture/gif_palette.h"

#include "base/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    BITS = 6, /* of a channel that distinguish colours */
    LEVELS = 1 << BITS,
    BINS = LEVELS * LEVELS * LEVELS,
    DROPPED = 8 - BITS,
};

struct palette_counts {
    uint64_t pixels[BINS];
};

static uint32_t bin_of(const uint8_t rgb[3])
{
    return (uint32_t)rgb[0] >> DROPPED << 2 * BITS | (uint32_t)rgb[1] >> DROPPED << BITS |
           (uint32_t)rgb[2] >> DROPPED;
}

/* The centre of a bin's colours; black is itself. */
static int level_of(uint32_t bin, int channel)
{
    const int level = (int)(bin >> (2 - channel) * BITS & (LEVELS - 1));
    return level == 0 ? 0 : (level << DROPPED | 1 << (DROPPED - 1));
}

struct palette_counts *palette_counts_create(void)
{
    return memory_new(1, sizeof(struct palette_counts));
}

void palette_counts_add(struct palette_counts *counts, const struct picture *picture)
{
    const struct picture_layout *layout = &picture->layout;
    for (uint32_t y = 0; y < layout->height; y++) {
        const uint8_t *row =
            picture->data + layout->plane[0].offset + (size_t)y * layout->plane[0].stride;
        for (uint32_t x = 0; x < layout->width; x++)
            counts->pixels[bin_of(row + 4 * (size_t)x)]++;
    }
}

void palette_counts_destroy(struct palette_counts **counts)
{
    free(*counts);
    *counts = NULL;
}

/* ---- cutting ---- */

/* Bins first .. first + count - 1 of a list, and the spread of their colours along the channel
 * where it is largest. */
struct box {
    size_t first, count;
    double weight, mean[3], spread;
    int channel;
};

struct cloud {
    uint32_t *bins; /* non-empty bins, without black */
    float *weight;  /* by bin number */
    size_t count;
};

static void measure(const struct cloud *cloud, struct box *box)
{
    double sum[3] = {0}, squares[3] = {0};
    box->weight = 0;
    for (size_t i = box->first; i < box->first + box->count; i++) {
        const double weight = (double)cloud->weight[cloud->bins[i]];
        box->weight += weight;
        for (int c = 0; c < 3; c++) {
            const double level = level_of(cloud->bins[i], c);
            sum[c] += weight * level;
            squares[c] += weight * level * level;
        }
    }
    box->spread = -1;
    for (int c = 0; c < 3; c++) {
        box->mean[c] = sum[c] / box->weight;
        const double spread = squares[c] - sum[c] * box->mean[c];
        if (spread > box->spread) {
            box->spread = spread;
            box->channel = c;
        }
    }
}

/* Moves bins below the mean to the front, keeping the order; returns their number. */
static size_t divide(const struct cloud *cloud, const struct box *box, uint32_t *upper)
{
    uint32_t *bins = cloud->bins + box->first;
    size_t below = 0, above = 0;
    for (size_t i = 0; i < box->count; i++)
        if (level_of(bins[i], box->channel) <= box->mean[box->channel])
            bins[below++] = bins[i];
        else
            upper[above++] = bins[i];
    memcpy(bins + below, upper, above * sizeof *upper);
    return below;
}

static uint32_t cut(const struct cloud *cloud, struct box *boxes, uint32_t most)
{
    uint32_t *upper = memory_new(cloud->count, sizeof *upper);
    uint32_t count = 1;
    boxes[0] = (struct box){.count = cloud->count};
    measure(cloud, &boxes[0]);
    while (count < most) {
        uint32_t widest = 0;
        for (uint32_t b = 1; b < count; b++)
            if (boxes[b].spread > boxes[widest].spread)
                widest = b;
        struct box *box = &boxes[widest];
        if (box->count < 2 || !(box->spread > 0))
            break;
        const size_t below = divide(cloud, box, upper);
        boxes[count] = (struct box){.first = box->first + below, .count = box->count - below};
        box->count = below;
        measure(cloud, box);
        measure(cloud, &boxes[count++]);
    }
    free(upper);
    return count;
}

/* Rare colours count for more than their pixels, so that the colours of a few bright stars
 * survive. */
static void gather(struct cloud *cloud, const struct palette_counts *counts)
{
    cloud->bins = memory_new(BINS, sizeof *cloud->bins);
    cloud->weight = memory_new(BINS, sizeof *cloud->weight);
    for (uint32_t bin = 1; bin < BINS; bin++)
        if (counts->pixels[bin] > 0) {
            cloud->bins[cloud->count++] = bin;
            cloud->weight[bin] = sqrtf((float)counts->pixels[bin]);
        }
}

/* ---- the palette ---- */

static double distance(const uint8_t a[3], const int b[3])
{
    double sum = 0;
    for (int c = 0; c < 3; c++)
        sum += (double)(a[c] - b[c]) * (a[c] - b[c]);
    return sum;
}

static uint32_t nearest_of(const struct palette *palette, const int rgb[3], uint32_t but)
{
    uint32_t best = but == 0 ? 1 : 0;
    for (uint32_t i = best + 1; i < palette->count; i++)
        if (i != but && distance(palette->rgb[i], rgb) < distance(palette->rgb[best], rgb))
            best = i;
    return best;
}

static void find_reach(struct palette *palette)
{
    for (uint32_t i = 0; i < palette->count && palette->count > 1; i++) {
        const int own[3] = {palette->rgb[i][0], palette->rgb[i][1], palette->rgb[i][2]};
        const uint32_t other = nearest_of(palette, own, i);
        palette->gap[i] = (float)sqrt(distance(palette->rgb[other], own));
    }
}

void palette_make(struct palette *palette, const struct palette_counts *counts)
{
    struct cloud cloud = {0};
    struct box *boxes = memory_new(PALETTE_COLOURS, sizeof *boxes);
    *palette = (struct palette){.count = 1, .nearest = memory_new(BINS, sizeof(uint16_t))};
    gather(&cloud, counts);
    const uint32_t found = cloud.count > 0 ? cut(&cloud, boxes, PALETTE_COLOURS - 1) : 0;
    for (uint32_t b = 0; b < found; b++, palette->count++)
        for (int c = 0; c < 3; c++)
            palette->rgb[palette->count][c] = (uint8_t)lround(boxes[b].mean[c]);
    find_reach(palette);
    free(boxes);
    free(cloud.bins);
    free(cloud.weight);
}

void palette_free(struct palette *palette)
{
    free(palette->nearest);
    *palette = (struct palette){0};
}

static uint32_t look_up(struct palette *palette, const uint8_t rgb[3])
{
    uint16_t *known = &palette->nearest[bin_of(rgb)];
    if (*known == 0) {
        const int middle[3] = {level_of(bin_of(rgb), 0), level_of(bin_of(rgb), 1),
                               level_of(bin_of(rgb), 2)};
        *known = (uint16_t)(nearest_of(palette, middle, UINT32_MAX) + 1);
    }
    return *known - 1u;
}

/* A low-discrepancy pattern, -0.5 .. 0.5: the fractions of x / g + y / g^2 with g^3 = g + 1 (M.
 * Roberts, "The unreasonable effectiveness of quasirandom sequences", 2018), in units of 2^-32.
 * Every row and every column covers the range evenly, so that no lines are seen. */
static float pattern(uint32_t x, uint32_t y)
{
    const uint32_t value = x * 3242174889u + y * 2447445414u;
    return (float)(value >> 8) / 16777216 - 0.5f;
}

static uint8_t moved(uint8_t code, float by)
{
    const float to = (float)code + by;
    return to <= 0 ? 0 : to >= 255 ? 255 : (uint8_t)(to + 0.5f);
}

void palette_map(struct palette *palette, const struct picture *picture, uint8_t *numbers,
                 size_t stride)
{
    const struct picture_layout *layout = &picture->layout;
    for (uint32_t y = 0; y < layout->height; y++) {
        const uint8_t *row =
            picture->data + layout->plane[0].offset + (size_t)y * layout->plane[0].stride;
        for (uint32_t x = 0; x < layout->width; x++) {
            const uint8_t *rgb = row + 4 * (size_t)x;
            const uint32_t plain = look_up(palette, rgb);
            const float by = palette->gap[plain] * pattern(x, y) * 0.6f;
            const uint8_t mixed[3] = {moved(rgb[0], by), moved(rgb[1], by), moved(rgb[2], by)};
            const bool black = rgb[0] == 0 && rgb[1] == 0 && rgb[2] == 0;
            numbers[(size_t)y * stride + x] = (uint8_t)(black ? 0 : look_up(palette, mixed));
        }
    }
}
