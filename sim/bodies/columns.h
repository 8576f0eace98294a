/* Additional attributes of bodies, each a named column of numbers or of words, such as names. The
 * columns follow their bodies whenever these are copied, sorted or dropped. Not thread-safe for
 * writing. */
#pragma once

#include "base/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { BODY_COLUMN_NAME = 64, BODY_COLUMN_UNIT = 64, BODY_COLUMNS_MAX = 128 };

/* A derived column: the radius of a gas body's kernel, in the unit of the positions, with which it
 * is scaled. */
#define BODY_KERNEL "kernel radius"

/* Distinct words, found by a hash. */
struct body_words {
    size_t count;
    char **list;    /* [count] */
    size_t slots;   /* a power of two */
    uint32_t *slot; /* [slots] index + 1; 0: free */
};

struct body_column {
    char name[BODY_COLUMN_NAME]; /* "Metallicity" */
    char unit[BODY_COLUMN_UNIT]; /* "K"; "": unknown */
    bool single;                 /* the source numbers were float32 */
    double *value;               /* [the bodies' count]; NaN: the body has no value */
    struct body_words *words;    /* the values count its words, from 0; NULL: they are numbers */
};

struct body_columns {
    size_t count;             /* at most BODY_COLUMNS_MAX */
    struct body_column *list; /* [count], names are distinct */
};

/* Appends a zeroed column with room for `room` bodies. Invalidates pointers into the list.
 * STATUS_RUNTIME when it does not fit in memory; then nothing has changed. */
enum status body_columns_add(struct body_columns *columns, const char *name, const char *unit,
                             bool single, size_t room);

/* The column of that name; NULL: there is none. */
struct body_column *body_columns_find(const struct body_columns *columns, const char *name);

/* Makes a column one of words, of which it has none yet. */
void body_column_begin_words(struct body_column *column);
/* The number of the word, which is added if it is new. */
double body_column_word(struct body_column *column, const char *word);
/* The body's word; NULL: it has none, or the column has numbers. */
const char *body_column_word_of(const struct body_column *column, size_t body);

/* Removes the columns of words. */
void body_columns_drop_words(struct body_columns *columns);

/* Removes a column from the list. */
void body_columns_remove(struct body_columns *columns, size_t index);

/* `out` must be all zero. After STATUS_RUNTIME it is empty. */
enum status body_columns_copy(struct body_columns *out, const struct body_columns *columns,
                              size_t count);

/* Resizes each column to `room` bodies; existing bodies stay. false: out of memory. */
bool body_columns_make_room(struct body_columns *columns, size_t room);

/* For single bodies: copy one to another's place, swap two, set all of one's values to NaN. */
void body_columns_move(struct body_columns *columns, size_t to, size_t from);
void body_columns_swap(struct body_columns *columns, size_t a, size_t b);
void body_columns_lack(struct body_columns *columns, size_t body);

/* The smallest and largest finite value of the first `count` bodies, NaN if there is none, and the
 * number of bodies without a finite value. */
struct body_column_range {
    double least, largest;
    size_t missing;
};
struct body_column_range body_column_range(const struct body_column *column, size_t count);

void body_columns_free(struct body_columns *columns); /* accepts all zero, and leaves it so */

/* Zeroed memory for the values of bodies, in large pages if the system has them. NULL: out of
 * memory. The caller frees it. */
void *body_column_memory(size_t count, size_t size);
/* Resizes *(void **)column; new values are not zeroed. false: out of memory, and nothing has
 * changed. */
bool body_column_resize(void *column, size_t room, size_t size);
