/* Converts a picture that the renderer drew to what a reader would give after lossless storage. */
#ifndef RENDER_READER_DRAWN_H
#define RENDER_READER_DRAWN_H

#include "base/status.h"
#include "render/picture/picture.h"

/* Fills rgb[height][width][3] as in reader.h. Thread-safe. */
enum status drawn_to_rgb(const struct picture *picture, uint16_t *rgb);

#endif
