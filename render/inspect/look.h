/* What can be told of a film's pictures one after the other: how bright they are, and how much they
 * change. Used by one thread. */
#ifndef RENDER_INSPECT_LOOK_H
#define RENDER_INSPECT_LOOK_H

#include "base/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Brightness counts from black, in codes of 255. */
struct look {
    double peak;   /* the brightest sample */
    double mean;   /* of all samples */
    double change; /* mean absolute difference from the picture before; NAN: none or another size */
    double away;   /* the same from the first picture */
    bool same;     /* has the same bits as the picture before */
    uint64_t broken; /* samples that are infinite or NaN */
};

struct looker;
struct AVFrame;

struct looker *looker_open(void);
void looker_close(struct looker **looker); /* accepts a pointer to NULL */

/* Luma of Y'CbCr or all of RGB is measured; bits are those of all planes. STATUS_RUNTIME when there
 * is no memory for the picture. */
enum status looker_frame(struct looker *looker, const struct AVFrame *frame, struct look *out);

/* rgb[height][width][3] as render/reader/reader.h has it. */
enum status looker_rgb(struct looker *looker, const uint16_t *rgb, uint32_t width, uint32_t height,
                       struct look *out);

/* The mean over all samples of the darkest that each has been in any of the pictures, in codes of
 * 255: what stays, such as lettering, without what moves. NAN: sizes differ, or there was none. */
double looker_darkest(const struct looker *looker);

#endif
