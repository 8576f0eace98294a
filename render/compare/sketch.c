#include "render/compare/sketch.h"

#include <stdbool.h>
#include <string.h>

/* One source for every processor, compiled again with wider vectors where available. */
#define INLINE static inline __attribute__((always_inline))

struct sums {
    int32_t sum[SKETCH_SUMS];
};

/* A hash for 64 columns of a row: the index of their sums, and in the highest bit the sign. */
INLINE uint32_t mix(uint32_t row, uint32_t group)
{
    uint32_t h = row * 0x9e3779b1u ^ (group + 1) * 0x85ebca77u;
    h = (h ^ h >> 15) * 0x2c1b3c6du;
    h = (h ^ h >> 12) * 0x297a2d39u;
    return h ^ h >> 15;
}

INLINE void add(struct sums *sums, uint32_t row, uint32_t group, const uint8_t *restrict luma,
                uint32_t count)
{
    const uint32_t bits = mix(row, group);
    int32_t *restrict to = sums->sum + (bits % SKETCH_PARTS) * SKETCH_LANES;
    const int32_t sign = bits >> 31 ? -1 : 1;
    if (count == SKETCH_LANES)
        for (uint32_t i = 0; i < SKETCH_LANES; i++)
            to[i] += sign * luma[i];
    else
        for (uint32_t i = 0; i < count; i++)
            to[i] += sign * luma[i];
}

INLINE void add_row(struct sums *sums, uint32_t row, const uint8_t *luma, uint32_t width)
{
    for (uint32_t x = 0; x < width; x += SKETCH_LANES)
        add(sums, row, x / SKETCH_LANES, luma + x,
            width - x < SKETCH_LANES ? width - x : SKETCH_LANES);
}

static void finish(struct sketch *sketch, const struct sums *sums)
{
    for (int i = 0; i < SKETCH_SUMS; i++)
        sketch->sum[i] = (float)sums->sum[i];
}

INLINE void add_rows(struct sums *sums, const uint8_t *luma, ptrdiff_t stride, uint32_t width,
                     uint32_t height)
{
    for (uint32_t y = 0; y < height; y += 2)
        add_row(sums, y, luma + (ptrdiff_t)y * stride, width);
}

#if defined __x86_64__

__attribute__((target("avx2"))) static void add_rows_wide(struct sums *sums, const uint8_t *luma,
                                                          ptrdiff_t stride, uint32_t width,
                                                          uint32_t height)
{
    add_rows(sums, luma, stride, width, height);
}

static bool is_wide(void)
{
    return __builtin_cpu_supports("avx2");
}

#else

#define add_rows_wide add_rows
static bool is_wide(void)
{
    return false;
}

#endif

void sketch_bytes(struct sketch *sketch, const uint8_t *luma, ptrdiff_t stride, uint32_t width,
                  uint32_t height)
{
    struct sums sums;
    memset(&sums, 0, sizeof sums);
    if (is_wide())
        add_rows_wide(&sums, luma, stride, width, height);
    else
        add_rows(&sums, luma, stride, width, height);
    finish(sketch, &sums);
}

void sketch_planes(struct sketch *sketch, const struct planes *planes)
{
    struct sums sums;
    memset(&sums, 0, sizeof sums);
    for (uint32_t y = 0; y < planes->height; y += 2)
        for (uint32_t x = 0; x < planes->width; x += SKETCH_LANES) {
            const uint32_t count =
                planes->width - x < SKETCH_LANES ? planes->width - x : SKETCH_LANES;
            const size_t at = y * planes->stride + x;
            uint8_t luma[SKETCH_LANES];
            for (uint32_t i = 0; i < count; i++)
                luma[i] = (uint8_t)((54u * planes->channel[0][at + i] +
                                     183u * planes->channel[1][at + i] +
                                     19u * planes->channel[2][at + i]) >>
                                    16);
            add(&sums, y, x / SKETCH_LANES, luma, count);
        }
    finish(sketch, &sums);
}

double sketch_distance(const struct sketch *a, const struct sketch *b)
{
    double sum = 0;
    for (int i = 0; i < SKETCH_SUMS; i++) {
        const float d = a->sum[i] - b->sum[i];
        sum += (double)(d * d);
    }
    return sum;
}
