/* A frame as a thousand sums of its luma with signs and places that follow from row and column
 * alone (Charikar, Chen and Farach-Colton 2002). The squared distance of two sketches estimates the
 * sum of the squared differences of the frames' luma, right within a twentieth: enough to tell
 * which frame of one film is which of another without keeping their pixels. Pure; thread-safe. */
#ifndef RENDER_COMPARE_SKETCH_H
#define RENDER_COMPARE_SKETCH_H

#include "render/picture/planes.h"

#include <stddef.h>
#include <stdint.h>

enum { SKETCH_LANES = 64, SKETCH_PARTS = 16, SKETCH_SUMS = SKETCH_LANES * SKETCH_PARTS };

struct sketch {
    float sum[SKETCH_SUMS]; /* codes of 255, times a factor that is the same for all */
};

/* Of every second row of luma bytes. */
void sketch_bytes(struct sketch *sketch, const uint8_t *luma, ptrdiff_t stride, uint32_t width,
                  uint32_t height);

/* The same of a picture, by the weights of BT.709. */
void sketch_planes(struct sketch *sketch, const struct planes *planes);

/* Sum of squared differences, >= 0; 0 for the same frames. */
double sketch_distance(const struct sketch *a, const struct sketch *b);

#endif
