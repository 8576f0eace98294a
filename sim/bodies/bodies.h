/* Bodies at the start, in files and in checkpoints: double precision, host memory.
 *
 * Components are contiguous: component k holds bodies first .. first + count - 1, and the
 * components cover all bodies in order, so that "equal masses" and "do not draw" are properties of
 * a range. Not thread-safe for writing. */
#pragma once

#include "base/status.h"
#include "base/whole.h"
#include "sim/bodies/columns.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

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
    double softening; /* 0: the simulation's; see sim/gravity/softening.h */
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
    /* Whether these are a rank's share of the bodies, see whole.h. Every rank then has the same
     * components, some of them without bodies. DIVIDE_NOT: these are all. */
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
