/* Pictures of any pixel format as RGB, converted sample by sample: libswscale's fast paths round.
 */
#ifndef RENDER_READER_PIXELS_H
#define RENDER_READER_PIXELS_H

#include "base/status.h"

#include <stdbool.h>
#include <stdint.h>

struct AVFrame;

/* Fills rgb[height][width][3] as render/reader/reader.h has it. STATUS_USAGE for a format or matrix
 * whose meaning is not known; the sentence names `path`. Thread-safe. */
enum status pixels_to_rgb(const struct AVFrame *frame, const char *path, uint16_t *rgb);

/* The codes of luma[height][width]; false where the frame is not Y'CbCr, or not understood. */
bool pixels_luma(const struct AVFrame *frame, uint16_t *luma);

#endif
