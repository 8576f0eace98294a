/* A frame as a thousand sums of its luma, with signs and indices that depend on row and column
 * alone (Charikar, Chen and Farach-Colton 2002). The squared distance of two sketches estimates the
 * sum of squared luma differences of the frames to within a twentieth: enough to match frames of
 * two films without keeping their pixels. Pure; thread-safe. */
#pragma once

#include "render/picture/planes.h"

#include <stddef.h>
#include <stdint.h>

enum { SKETCH_LANES = 64, SKETCH_PARTS = 16, SKETCH_SUMS = SKETCH_LANES * SKETCH_PARTS };

struct sketch {
    float sum[SKETCH_SUMS]; /* codes of 255, times a constant factor */
};

/* Takes every second row of luma bytes. */
void sketch_bytes(struct sketch *sketch, const uint8_t *luma, ptrdiff_t stride, uint32_t width,
                  uint32_t height);

/* The same for a picture, with the luma weights of BT.709. */
void sketch_planes(struct sketch *sketch, const struct planes *planes);

/* Sum of squared differences, >= 0; 0 for identical frames. */
double sketch_distance(const struct sketch *a, const struct sketch *b);
