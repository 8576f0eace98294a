/* The folder of objects beside a baseline's text: files of states and pictures. Each is named by
 * the XXH3-128 of its content, so that no change goes unnoticed. Thread-safe; several programs may
 * write the same object at once. */
#pragma once

#include "base/hash.h"
#include "base/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Returns whether a text is the name of an object: 32 lower-case digits, hence no path out of the
 * folder. */
bool object_is_name(const char *name);

/* Writes an object, and makes the folder if it is missing. Leaves an intact object alone. Returns
 * STATUS_IO on failure. */
enum status object_put(const char *folder, const void *data, size_t size, char name[HASH_TEXT]);

enum object_state { OBJECT_WHOLE, OBJECT_MISSING, OBJECT_DAMAGED };

/* Larger than any object that a baseline may have, in bytes. */
enum { OBJECT_READ_MOST = 64 << 20 };

/* Reads at most `limit` bytes; *state gives the reason for a STATUS_IO. The caller frees *data. */
enum status object_get(const char *folder, const char *name, size_t limit, void **data,
                       size_t *size, enum object_state *state);

/* Returns the total size in bytes of all objects in the folder; 0 if there is no folder. */
size_t objects_bytes(const char *folder);

/* Removes the objects for which `kept`(user, name) returns false, and no other file; then removes
 * the folder if it is empty. */
void objects_sweep(const char *folder, bool (*kept)(void *user, const char *name), void *user);

/* ---- the bytes of an object ---- */

/* Numbers in little-endian order, and blocks of numbers that are deflated. The same calls in the
 * same order read what they have written. Reading beyond the end, or a block of another size, sets
 * `broken`; everything read from then on is 0. */
struct pack {
    uint8_t *data; /* when writing, allocated; the caller frees it */
    size_t size, room, at;
    bool reading, broken;
};

void pack_bytes(struct pack *pack, void *data, size_t size);
void pack_count(struct pack *pack, uint64_t *value);
void pack_number(struct pack *pack, double *value);
/* A block of `count` items of `width` bytes. It is deflated byte by byte of the items: first byte 0
 * of all items, then byte 1, which compresses similar numbers better. */
void pack_block(struct pack *pack, void *items, size_t count, size_t width);

/* Returns whether everything was read, and nothing is left. */
bool pack_is_read(const struct pack *pack);
