/* Registries: tables of what there is to choose from, such as colour modes or codecs.
 *
 * Every entry begins with its name and its documentation, so that the scene reference, `--set
 * KEY=help`, the checks and the messages all read the same table. Constant data and pure functions;
 * thread-safe. */
#ifndef BASE_CHOICE_H
#define BASE_CHOICE_H

#include "base/status.h"

#include <stdbool.h>
#include <stddef.h>

/* How every entry of a registry begins. */
struct choice {
    const char *name; /* as a user spells it */
    const char *doc;  /* one line, without a full stop */
};

struct registry {
    const char *what; /* "colour mode", for messages */
    size_t count;
    const void *entries; /* [count] structs of `stride` bytes or, where stride is 0, pointers */
    size_t stride;
    /* Words of earlier versions, whose doc says what became of them; a NULL name ends. Or NULL. */
    const struct choice *retired;
    bool automatic; /* whoever reads the word also accepts "auto", which is no entry */
};

/* Initializers: of an array of entries, and of an array of pointers to them. A NULL or an entry
 * without a name may end either. */
#define REGISTRY_OF(what, array)                                                                   \
    {                                                                                              \
        what, sizeof(array) / sizeof *(array), (array), sizeof *(array), NULL, false               \
    }
#define REGISTRY_LIST(what, array)                                                                 \
    {                                                                                              \
        what, sizeof(array) / sizeof *(array), (array), 0, NULL, false                             \
    }

/* Entry i, default first where one is the default; NULL past the last. A pointer to the registry's
 * own type, as that of the functions below. */
const void *choice_at(const struct registry *registry, size_t i);

/* The entry of that name; NULL when there is none. */
const void *choice_find(const struct registry *registry, const char *name);

/* The same, or STATUS_USAGE: there is none of that name, and what became of it, the nearest one or
 * else all. */
enum status choice_require(const struct registry *registry, const char *name,
                           const struct choice **out);

/* "a, b, c"; where not all fit "a, b, ...", in whole names. */
void choice_names(const struct registry *registry, char *out, size_t size);

#endif
