/* Measures a film's pictures one after the other: how bright they are, and how much they change.
 * Used by one thread. */
#pragma once

#include "base/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Grids of 16 x 9, 32 x 18 and 64 x 36 cells, on which motion is followed: in the coarsest, the
 * distance of two pictures grows with the time between them for longest. */
enum { LOOK_GRIDS = 3 };

/* Brightness above black, in 8-bit code values (0 to 255). */
struct look {
    double peak;     /* the brightest sample */
    double mean;     /* of all samples */
    double change;   /* mean absolute difference from the previous picture; NAN: no such picture */
    double away;     /* the same difference from the first picture */
    bool same;       /* identical to the previous picture */
    uint64_t broken; /* infinite or NaN samples */
    /* For each grid, the sum of squares of the differences of its cells' means from those of the
     * previous picture, and of the one before that; NAN: no such picture. */
    double step[LOOK_GRIDS], leap[LOOK_GRIDS];
};

struct looker;
struct AVFrame;

struct looker *looker_open(void);
void looker_close(struct looker **looker); /* accepts a pointer to NULL */

/* Measures luma for Y'CbCr and all channels for RGB; `same` compares all planes. STATUS_RUNTIME
 * when there is no memory for the picture. */
enum status looker_frame(struct looker *looker, const struct AVFrame *frame, struct look *out);

/* rgb[height][width][3] as in render/reader/reader.h. */
enum status looker_rgb(struct looker *looker, const uint16_t *rgb, uint32_t width, uint32_t height,
                       struct look *out);

/* Takes for each sample the darkest value in any picture, and returns their mean in codes of 255:
 * it shows what stays, such as lettering, without what moves. NAN: sizes differ, or there were no
 * pictures. */
double looker_darkest(const struct looker *looker);
