/* The values that keys have, by type: read from the text of a scalar, checked, printed and freed.
 * `at` is where the value lies: the scene or item plus the key's offset. Thread-safe. */
#ifndef SCENES_VALUE_H
#define SCENES_VALUE_H

#include "scenes/keys.h"

#include <stdint.h>
#include <stdio.h>

enum { EXPECTED_MAX = 256 };

/* The key's default, into zeroed memory; nothing where it has none, or is a list. */
void value_default(const struct key *key, void *at);

/* Replaces a value by a scalar's (quoted when `quoted`). STATUS_USAGE, "expected ..., found ...",
 * when the text has not the form of the key's type, or does not fit its C type. Of numbers' ranges
 * only that they are finite is judged here. Not for vectors and lists. */
enum status value_read(const struct key *key, const char *text, bool quoted, void *at);

/* The range. STATUS_USAGE, "expected ..., found ...". */
enum status value_check(const struct key *key, const void *at);

/* As a YAML scalar, or a vector in flow style; not for lists. */
void value_print(FILE *file, const struct key *key, const void *at);

/* Frees what the value in a scene or item owns. */
void value_free(const struct key *key, void *base);

/* Between two scenes or items. */
void value_swap(const struct key *key, void *a, void *b);

/* The items of a scene's list, and their number; list_create makes zeroed room for as many as the
 * list may have. */
char *list_create(const struct key *key, void *scene);
char *list_items(const struct key *key, const void *scene);
uint32_t *list_count(const struct key *key, const void *scene);

/* "a number > 0", "a whole number, 1 to 64", "true or false". */
void value_expected(const struct key *key, char *out, size_t size);

/* The range alone, "" where any value will do: "> 0", "1 to 64", "fast, exact, double". */
void value_range(const struct key *key, char *out, size_t size);

#endif
