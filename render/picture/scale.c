#include "render/picture/scale.h"

#include "base/functions/fn.h"
#include "base/memory.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { CODES = 65536 };

static const float power = 2.2f;

struct scaler {
    const uint16_t *from;
    uint32_t width, height, to_width, to_height;
    float *linear;     /* linear light of every code */
    float *row, *sums; /* one row of the result each, linear */
};

/* The source pixels first .. last that result pixel `at` covers, and the weights of the outer
 * two. */
struct cover {
    uint32_t first, last;
    float of_first, of_last, whole;
};

static struct cover cover_of(uint32_t at, uint32_t source, uint32_t result)
{
    double ratio = (double)source / result, reach = fmax(ratio, 1) / 2;
    double from = fmax((at + 0.5) * ratio - reach, 0);
    double to = fmin((at + 0.5) * ratio + reach, source);
    struct cover cover = {.first = (uint32_t)from, .last = (uint32_t)ceil(to) - 1};
    cover.whole = (float)(to - from);
    cover.of_first = (float)(fmin(cover.first + 1.0, to) - from);
    cover.of_last = (float)(to - cover.last);
    return cover;
}

static float share(const struct cover *cover, uint32_t at)
{
    return (at == cover->first  ? cover->of_first
            : at == cover->last ? cover->of_last
                                : 1) /
           cover->whole;
}

static void scale_row(struct scaler *self, uint32_t y)
{
    const uint16_t *row = self->from + 3 * (size_t)self->width * y;
    for (uint32_t x = 0; x < self->to_width; x++) {
        struct cover cover = cover_of(x, self->width, self->to_width);
        float *sum = self->row + 3 * (size_t)x;
        memset(sum, 0, 3 * sizeof *sum);
        for (uint32_t i = cover.first; i <= cover.last; i++)
            for (int c = 0; c < 3; c++)
                sum[c] += share(&cover, i) * self->linear[row[3 * (size_t)i + (size_t)c]];
    }
}

static void scale_all(struct scaler *self, uint16_t *to)
{
    size_t samples = 3 * (size_t)self->to_width;
    for (uint32_t y = 0; y < self->to_height; y++) {
        struct cover cover = cover_of(y, self->height, self->to_height);
        memset(self->sums, 0, samples * sizeof *self->sums);
        for (uint32_t i = cover.first; i <= cover.last; i++) {
            scale_row(self, i);
            for (size_t x = 0; x < samples; x++)
                self->sums[x] += share(&cover, i) * self->row[x];
        }
        for (size_t x = 0; x < samples; x++)
            to[samples * y + x] =
                (uint16_t)((float)fn_pow(fminf(self->sums[x], 1), 1 / power) * (CODES - 1) + 0.5f);
    }
}

void scale_rgb(const uint16_t *from, uint32_t width, uint32_t height, uint16_t *to,
               uint32_t to_width, uint32_t to_height)
{
    size_t samples = 3 * (size_t)to_width;
    struct scaler self = {.from = from,
                          .width = width,
                          .height = height,
                          .to_width = to_width,
                          .to_height = to_height,
                          .linear = memory_new(CODES, sizeof *self.linear),
                          .row = memory_new(samples, sizeof *self.row),
                          .sums = memory_new(samples, sizeof *self.sums)};
    for (int i = 0; i < CODES; i++)
        self.linear[i] = (float)fn_pow((float)i / (CODES - 1), power);
    scale_all(&self, to);
    free(self.linear);
    free(self.row);
    free(self.sums);
}
