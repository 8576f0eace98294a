/* Finds where two pictures of Y'CbCr bytes are both dark and equal except for rounding, from the
 * samples alone: most of a night sky need not be converted to be compared. */
#pragma once

#include "render/reader/quiet_isa.h"

/* See frame_find_needed. Thread-safe. */
bool quiet_find_needed(const struct quiet_pictures *pictures, double lit, double free,
                       uint8_t *needed);
