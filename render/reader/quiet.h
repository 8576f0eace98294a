/* Where two pictures of Y'CbCr bytes are both dark and the same but for rounding, told from the
 * samples: most of a night sky need not be converted to be compared. */
#pragma once

#include "render/reader/quiet_isa.h"

/* See frame_find_needed. Thread-safe. */
bool quiet_find_needed(const struct quiet_pictures *pictures, double lit, double free,
                       uint8_t *needed);
