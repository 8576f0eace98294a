/* A binary file being written or read: little-endian counts and numbers, texts, and deflated blocks
 * of bytes. Reading never goes past the end: a pack that is too short, or has a block of an
 * unexpected size, is marked broken and from then on yields zeros. Used by one thread at a time. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct pack {
    uint8_t *data; /* free() frees it; while reading, it belongs to the caller */
    size_t size, at, room;
    bool broken;
};

void pack_put(struct pack *pack, const void *data, size_t size);
void pack_put_count(struct pack *pack, uint64_t value);
void pack_put_number(struct pack *pack, double value);
/* Writes `count` items of `width` bytes, deflated. The first bytes of all items come first, then
 * the second bytes, and so on: exponents repeat, mantissas do not. */
void pack_put_block(struct pack *pack, const void *items, size_t count, size_t width);

void pack_get(struct pack *pack, void *data, size_t size);
uint64_t pack_get_count(struct pack *pack);
double pack_get_number(struct pack *pack);
void pack_get_block(struct pack *pack, void *items, size_t count, size_t width);

/* Returns whether everything was read and nothing was missing. */
bool pack_is_read(const struct pack *pack);
