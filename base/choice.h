/* Registries: tables of alternatives, such as colour modes or codecs.
 *
 * Every entry begins with its name and its documentation, so that the scene reference, `--set
 * KEY=help`, the checks and the messages all read the same table. Constant data and pure functions;
 * thread-safe. */
#pragma once

#include "base/status.h"

#include <stdbool.h>
#include <stddef.h>

/* The nearest of some words to a mistyped one. Pure, thread-safe. */

/* Keeps the best candidate so far: start with {word, NULL, 0}, offer candidates, read `best` (NULL
 * if none is similar enough). */
struct suggestion {
    const char *word, *best;
    size_t distance;
};
void suggest_offer(struct suggestion *suggestion, const char *candidate);

/* "; did you mean 'best'?" or "". Points into a per-thread buffer. */
const char *suggest_text(const struct suggestion *suggestion);

/* The first members of every registry entry. */
struct choice {
    const char *name; /* as a user spells it */
    const char *doc;  /* one line, without a full stop */
};

struct registry {
    const char *what; /* "colour mode", for messages */
    size_t count;
    const void *entries; /* [count] structs of `stride` bytes; if stride is 0, pointers */
    size_t stride;
    /* Words of earlier versions, whose doc says what replaced them; ended by a NULL name. May be
     * NULL. */
    const struct choice *retired;
    bool automatic; /* the reader also accepts "auto", which is not an entry */
};

/* Initializers for an array of entries, and for an array of pointers to entries. Either may end
 * with NULL or an entry without a name. */
#define REGISTRY_OF(what, array)                                                                   \
    {                                                                                              \
        what, sizeof(array) / sizeof *(array), (array), sizeof *(array), NULL, false               \
    }
#define REGISTRY_LIST(what, array)                                                                 \
    {                                                                                              \
        what, sizeof(array) / sizeof *(array), (array), 0, NULL, false                             \
    }

/* Entry i, with the default, if any, first; NULL past the last. Like the functions below, it
 * returns a pointer to the registry's own type. */
const void *choice_at(const struct registry *registry, size_t i);

/* The entry with that name; NULL when there is none. */
const void *choice_find(const struct registry *registry, const char *name);

/* The same, or STATUS_USAGE if there is none, with what replaced it, or the nearest name, or else
 * all names. */
enum status choice_require(const struct registry *registry, const char *name,
                           const struct choice **out);

/* "a, b, c"; shortened to "a, b, ..." at a whole name if they do not fit. */
void choice_names(const struct registry *registry, char *out, size_t size);
