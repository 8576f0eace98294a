/* The values of keys, by type: read from a scalar's text, checked, printed and freed. `at` points
 * to the value, which is at the key's offset in the scene or item. Thread-safe. */
#pragma once

#include "scenes/keys.h"

#include <stdint.h>
#include <stdio.h>

enum { EXPECTED_MAX = 256 };

/* Sets the key's default in zeroed memory; does nothing for required keys and lists. */
void value_default(const struct key *key, void *at);

/* Replaces a value by that of a scalar. STATUS_USAGE, "expected ..., found ...", when the text does
 * not have the form of the key's type, or does not fit its C type. Numbers need only be finite
 * here; value_check checks ranges. Not for vectors and lists. */
enum status value_read(const struct key *key, const char *text, bool quoted, void *at);

/* Checks the range. STATUS_USAGE, "expected ..., found ...". */
enum status value_check(const struct key *key, const void *at);

/* Prints a YAML scalar, or a vector in flow style; not for lists. */
void value_print(FILE *file, const struct key *key, const void *at);
char *value_text(const struct key *key, const void *at); /* the caller frees it */

/* Frees what the key's value in a scene or item owns. */
void value_free(const struct key *key, void *base);

/* Swaps the key's values of two scenes or items. */
void value_swap(const struct key *key, void *a, void *b);

/* The items of a scene's list, and their number; list_create allocates zeroed room for the largest
 * allowed number. */
char *list_create(const struct key *key, void *scene);
char *list_items(const struct key *key, const void *scene);
uint32_t *list_count(const struct key *key, const void *scene);

/* "a number > 0", "a whole number, 1 to 64", "true or false". */
void value_expected(const struct key *key, char *out, size_t size);

/* Only the range, "" if any value is allowed: "> 0", "1 to 64", "fast, exact, double". */
void value_range(const struct key *key, char *out, size_t size);
