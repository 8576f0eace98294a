/* A picture as the renderer drew it, seen as if it had been read back without loss. */
#pragma once

#include "base/status.h"
#include "render/picture/picture.h"

/* Fills rgb[height][width][3] as reader.h has it. Thread-safe. */
enum status drawn_to_rgb(const struct picture *picture, uint16_t *rgb);
