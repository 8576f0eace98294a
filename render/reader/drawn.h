/* A picture as the renderer drew it, seen as if it had been read back without loss. */
#pragma once

#include "base/status.h"
#include "render/picture/picture.h"

/* Fills rgb[height][width][3] in the form of reader.h. Thread-safe. */
enum status drawn_to_rgb(const struct picture *picture, uint16_t *rgb);
