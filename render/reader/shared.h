/* Which frames of two films are the same because the same packets are decoded: told without
 * decoding anything. */
#pragma once

#include "render/reader/stream.h"

#include <stdint.h>

/* Sets same[i] to 1, else 0, for the frames 0 .. count - 1 that both films have: decoders are set
 * up alike, and all packets from a key frame on, which is shown no later, up to this frame's are
 * equal and come in the same places. Returns how many. */
uint64_t shared_find(const struct stream *a, const struct stream *b, uint64_t count, uint8_t *same);
