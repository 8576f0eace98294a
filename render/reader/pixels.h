/* Pictures of any pixel format as RGB, converted sample by sample: libswscale's fast paths round.
 */
#ifndef RENDER_READER_PIXELS_H
#define RENDER_READER_PIXELS_H

#include "base/status.h"
#include "render/picture/format.h"
#include "render/picture/planes.h"

#include <stdbool.h>
#include <stdint.h>

struct AVFrame;

/* Fills rgb[height][width][3], straight alpha as it stands on black and with other alpha left out,
 * as render/reader/reader.h has it. STATUS_USAGE for a format or matrix whose meaning is not known;
 * the sentence names `path`. Thread-safe. */
enum status pixels_to_rgb(const struct AVFrame *frame, enum picture_alpha alpha, const char *path,
                          uint16_t *rgb);

/* The same, the channels apart, into `rows` rows of tiles of planes of the frame's size, from `row`
 * on. `needed` has a byte per tile, row
 * by row, 0 where it is left as it is; NULL: all are needed. */
enum status pixels_to_planes(const struct AVFrame *frame, enum picture_alpha alpha,
                             const char *path, struct planes *planes, const uint8_t *needed,
                             uint32_t row, uint32_t rows);

/* The codes of a component (0: Y', 1: Cb, 2: Cr), samples[*height][*width]; false where the frame
 * is not Y'CbCr, or not understood. */
bool pixels_samples(const struct AVFrame *frame, int component, uint16_t *samples, uint32_t *width,
                    uint32_t *height);

#endif
