/* Reads a scene's text: its values, and the lines that set them.
 *
 * The text is read once as a stream of YAML events, guided by the key table; everything that the
 * table does not expect is rejected: unknown and repeated keys, missing values, values of another
 * form, aliases, a second document. Because only expected values are read, depth and memory are
 * bounded for any text. */
#pragma once

#include "base/status.h"
#include "scenes/keys.h"

#include <stdbool.h>

/* The lines of an item's keys; line 0: not given. */
struct item_lines {
    uint32_t start;
    uint32_t line[LIST_KEYS_MAX];
};

/* The keys that a text sets. */
struct given {
    struct scene scene;                 /* values of the given keys; everything else is zero */
    uint32_t line[KEYS_MAX];            /* indexed like scene_keys; 0: not given */
    struct item_lines *items[KEYS_MAX]; /* of the lists */
};

/* `setting`: the only key that the text sets, whose line numbers are meaningless; NULL: the text is
 * a file's. STATUS_USAGE with a message. given_free in every case. */
enum status given_read(struct given *out, const char *text, size_t size, const char *origin,
                       const char *setting);

/* Frees what has not been moved out. */
void given_free(struct given *given);

/* Reads another file in the same way: a mapping of entries of a registry to items, "name: {key:
 * value, ...}". `take` gets each item, of list->item_size bytes, whose texts are freed afterwards;
 * its failure gets file, line and name in front. list->example says what the file holds. */
enum status items_read(const char *text, size_t size, const char *origin,
                       const struct registry *names, const struct key_list *list,
                       enum status (*take)(void *user, const struct choice *of, const void *item),
                       void *user);

/* Sets a list item's defaults. */
void item_defaults(const struct key_list *list, void *item);
