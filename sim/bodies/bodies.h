/* Bodies at the start, in files and in checkpoints: double precision, host memory.
 *
 * Components are contiguous: component k holds bodies first .. first + count - 1, and the
 * components cover all bodies in order, so that "equal masses" and "do not draw" are properties of
 * a range. Not thread-safe for writing. */
#pragma once

#include "base/status.h"
#include "base/whole.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Additional attributes of bodies, each a named column of numbers or of words, such as names. The
 * columns follow their bodies whenever these are copied, sorted or dropped. Not thread-safe for
 * writing. */

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

/* Turns a column into a column of words, all of them missing at first. */
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
/* Resizes *(void **)column; new values are not zeroed. false: out of memory, and nothing has
 * changed. */
bool body_column_resize(void *column, size_t room, size_t size);

enum { BODIES_NAME_MAX = 48 };

struct component {
    char name[BODIES_NAME_MAX];   /* "disk" */
    char galaxy[BODIES_NAME_MAX]; /* "Milky Way", "" when unknown */
    size_t first, count;
    /* If bodies are shared, the number of the component's bodies on all ranks, and on the ranks
     * before this one; otherwise 0. */
    uint64_t whole, before;
    bool draw;
    double light;
    double softening; /* 0: the simulation's; see sim/gravity/force.h */
};

/* The number of the component's bodies on all ranks. */
static inline uint64_t component_whole(const struct component *component)
{
    return component->whole > 0 ? component->whole : component->count;
}

struct bodies {
    size_t count;
    double *mass;                /* [count] */
    double (*position)[3];       /* [count] */
    double (*velocity)[3];       /* [count] */
    uint64_t *id;                /* [count]; NULL: bodies are numbered by row, from 1 */
    struct body_columns columns; /* further attributes */
    /* Whether these are a rank's share of the bodies, see bodies_whole.h. Every rank then has the
     * same components, some of them without bodies. DIVIDE_NOT: these are all. */
    enum division shared;
    size_t component_count;
    struct component *components; /* [component_count] */
};

/* Allocates `count` bodies in `components` >= 1 components, all zero. STATUS_RUNTIME when they
 * do not fit in memory. */
enum status bodies_create(struct bodies **out, size_t count, size_t components);
enum status bodies_copy(struct bodies **out, const struct bodies *bodies);

/* Allocates zeroed ids for `room` bodies, unless there are ids already. STATUS_RUNTIME. */
enum status bodies_add_ids(struct bodies *bodies, size_t room);

/* Resizes every column to `room` bodies. Existing bodies stay, new ones are not zeroed, and
 * the caller sets the count. STATUS_RUNTIME when they do not fit in memory; then nothing has
 * changed. */
enum status bodies_make_room(struct bodies *bodies, size_t room);

/* The first drawn body from i on, bodies->count when there is none. To visit all: for (i =
 * bodies_drawn(bodies, 0); i < bodies->count; i = bodies_drawn(bodies, i + 1)). */
size_t bodies_drawn(const struct bodies *bodies, size_t i);

void bodies_destroy(struct bodies **bodies); /* accepts a pointer to NULL */
