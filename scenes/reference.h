/* The reference of all keys, from the key table. */
#pragma once

#include "scenes/keys.h"

#include <stdio.h>

enum reference_form {
    REFERENCE_TEXT,     /* for a terminal of 80 columns */
    REFERENCE_MARKDOWN, /* docs/scene.md */
    REFERENCE_MANUAL,   /* gravreel-scene(5) */
};

/* Prints all of it. */
void reference_print(FILE *file, enum reference_form form);

/* A section, or a key. */
struct reference {
    const struct key_section *section; /* the other is NULL */
    const struct key *key;
};

/* Finds "camera" or "camera.orbit". STATUS_USAGE: neither, with the nearest name. */
enum status reference_find(const char *path, struct reference *out);

/* Prints a section's keys; for a key, the output of reference_print_key, then its alternatives or
 * the keys of its entries. */
void reference_print_one(FILE *file, const struct reference *one, enum reference_form form);

/* Prints a key's meaning, default, range and unit as text. */
void reference_print_key(FILE *file, const struct key *key);
