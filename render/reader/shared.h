/* Finds frames that are identical in two films because identical packets are decoded, without
 * decoding anything. */
#ifndef RENDER_READER_SHARED_H
#define RENDER_READER_SHARED_H

#include "render/reader/stream.h"

#include <stdint.h>

/* Sets same[i] for frames 0 .. count - 1, which both films have: 1 if the decoders have the same
 * setup, and all packets from a key frame that is shown no later than this frame up to this frame's
 * are equal and in the same positions; else 0. Returns how many are 1. */
uint64_t shared_find(const struct stream *a, const struct stream *b, uint64_t count, uint8_t *same);

#endif
