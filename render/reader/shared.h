/* Which frames of two films are the same because the same packets are decoded; found without
 * decoding anything. */
#pragma once

#include "render/reader/stream.h"

#include <stdint.h>

/* For the frames 0 .. count - 1 that both films have, sets same[i] to 1 if the decoders have the
 * same setup and all packets from a key frame that is shown no later up to this frame's packet are
 * equal and in the same places; otherwise to 0. Returns the number of 1s. */
uint64_t shared_find(const struct stream *a, const struct stream *b, uint64_t count, uint8_t *same);
