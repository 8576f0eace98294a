/* The folder of objects beside a baseline's text: files of states and pictures. Each is named by
 * the XXH3-128 of its content, so that no change goes unnoticed. Thread-safe; several programs may
 * write the same object at once. */
#pragma once

#include "base/hash.h"
#include "base/status.h"

#include <stdbool.h>
#include <stddef.h>

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
