/* The folder of objects beside a baseline's text: files of states and pictures, each named by the
 * XXH3-128 of its content, so that none can change unnoticed. Thread-safe; several programs may
 * write the same object at once. */
#ifndef CMD_REGRESSION_BASELINE_OBJECTS_H
#define CMD_REGRESSION_BASELINE_OBJECTS_H

#include "base/hash.h"
#include "base/status.h"

#include <stdbool.h>
#include <stddef.h>

/* Whether the text can name an object: 32 digits in lower case, hence nothing outside the folder.
 */
bool object_is_name(const char *name);

/* Makes the folder where it is missing. An object that is there already, intact, is left alone.
 * STATUS_IO. */
enum status object_put(const char *folder, const void *data, size_t size, char name[HASH_TEXT]);

enum object_state { OBJECT_WHOLE, OBJECT_MISSING, OBJECT_DAMAGED };

/* More than any object that a baseline may have. */
enum { OBJECT_READ_MOST = 64 << 20 };

/* Reads at most `limit` bytes; *state says which it was of a STATUS_IO. The caller frees *data. */
enum status object_get(const char *folder, const char *name, size_t limit, void **data,
                       size_t *size, enum object_state *state);

/* Bytes of all objects in the folder; 0 without one. */
size_t objects_bytes(const char *folder);

/* Removes the objects that `kept`(user, name) denies, and no other file; then the folder if nothing
 * is left in it. */
void objects_sweep(const char *folder, bool (*kept)(void *user, const char *name), void *user);

#endif
