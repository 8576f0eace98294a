/* Reads a scene's text: its values, and the lines that give them.
 *
 * The text is read once as a stream of YAML events, led by the key table, and what the table
 * does not expect is refused: unknown and repeated keys, missing values, values of another form,
 * aliases, a second document. Because only expected values are entered, depth and memory stay
 * bounded for any text. */
#ifndef SCENES_READ_H
#define SCENES_READ_H

#include "scenes/keys.h"
#include "scenes/params.h"

/* Where one item of a list gives its keys; line 0: not given. */
struct item_lines {
    uint32_t start;
    uint32_t line[LIST_KEYS_MAX];
};

/* The keys that a text gives. */
struct given {
    struct scene scene;                 /* values of the given keys; all else is zero */
    uint32_t line[KEYS_MAX];            /* as scene_keys; 0: not given */
    struct item_lines *items[KEYS_MAX]; /* of the lists */
};

/* `setting`: the one key that the text sets, whose lines mean nothing; NULL: the text is a file's.
 * STATUS_USAGE with one sentence. given_free in every case. */
enum status given_read(struct given *out, const char *text, size_t size, const char *origin,
                       const char *setting);

/* Frees what is still in it. */
void given_free(struct given *given);

/* Gives a list's item its defaults. */
void item_defaults(const struct key_list *list, void *item);

#endif
