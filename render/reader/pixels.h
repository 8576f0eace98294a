/* Pictures of any pixel format as RGB, converted sample by sample: libswscale's fast paths round.
 */
#pragma once

#include "base/status.h"
#include "render/picture/picture.h"

#include <stdbool.h>
#include <stdint.h>

/* A picture as the renderer drew it, seen as if it had been read back without loss. */

/* Fills rgb[height][width][3] in the form of reader.h. Thread-safe. */
enum status drawn_to_rgb(const struct picture *picture, uint16_t *rgb);

struct AVFrame;

/* Fills rgb[height][width][3] as in render/reader/reader.h: straight alpha is composed over black,
 * other alpha is ignored. STATUS_USAGE for a format or matrix that is not supported; the message
 * names `path`. Thread-safe. */
enum status pixels_to_rgb(const struct AVFrame *frame, enum picture_alpha alpha, const char *path,
                          uint16_t *rgb);

/* The same into separate channels: `rows` rows of tiles, from `row` on, of planes with the frame's
 * size. `needed` has a byte per tile, row by row, 0 for tiles that are skipped; NULL: all are
 * needed. */
enum status pixels_to_planes(const struct AVFrame *frame, enum picture_alpha alpha,
                             const char *path, struct planes *planes, const uint8_t *needed,
                             uint32_t row, uint32_t rows);

/* The codes of a component (0: Y', 1: Cb, 2: Cr), samples[*height][*width]; false if the frame is
 * not Y'CbCr or its format is not supported. */
bool pixels_samples(const struct AVFrame *frame, int component, uint16_t *samples, uint32_t *width,
                    uint32_t *height);
