/* The reference of all keys, from the key table. */
#ifndef SCENES_REFERENCE_H
#define SCENES_REFERENCE_H

#include "scenes/keys.h"

#include <stdio.h>

enum reference_form {
    REFERENCE_TEXT,     /* for a terminal of 80 columns */
    REFERENCE_MARKDOWN, /* docs/scene.md */
    REFERENCE_MANUAL,   /* gravreel-scene(5) */
};

/* All of it. */
void reference_print(FILE *file, enum reference_form form);

/* A section, or a key. */
struct reference {
    const struct key_section *section; /* one of them is NULL */
    const struct key *key;
};

/* "camera" or "camera.orbit". STATUS_USAGE: neither, with the nearest. */
enum status reference_find(const char *path, struct reference *out);

/* The section's keys; of a key what reference_print_key prints, then what may be chosen, or the
 * keys of its entries. */
void reference_print_one(FILE *file, const struct reference *one, enum reference_form form);

/* As text: what a key means, its default, range and unit. */
void reference_print_key(FILE *file, const struct key *key);

#endif
