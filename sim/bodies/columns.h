/* Further attributes of bodies, each a named column of numbers: what is known of them beside
 * masses, positions and velocities. The columns follow their bodies wherever these are copied,
 * sorted or dropped. Not thread-safe for writing. */
#ifndef SIM_BODIES_COLUMNS_H
#define SIM_BODIES_COLUMNS_H

#include "base/status.h"

#include <stdbool.h>
#include <stddef.h>

enum { BODY_COLUMN_NAME = 64, BODY_COLUMN_UNIT = 64, BODY_COLUMNS_MAX = 128 };

/* The name of a column that is made, not read: the radius in which the kernel of a body of gas
 * ends, in the unit of the positions, with which it is scaled. */
#define BODY_KERNEL "kernel radius"

struct body_column {
    char name[BODY_COLUMN_NAME]; /* "Metallicity" */
    char unit[BODY_COLUMN_UNIT]; /* "K"; "": not known */
    bool single;                 /* its numbers were float32 */
    double *value;               /* [the bodies' count]; NaN: the body lacks it */
};

struct body_columns {
    size_t count;             /* at most BODY_COLUMNS_MAX */
    struct body_column *list; /* [count], no two of the same name */
};

/* Adds a column at the end of the list, all zero, with room for `room` >= 1 bodies. Pointers into
 * the list are void afterwards. STATUS_RUNTIME when it does not fit in memory, and then nothing has
 * changed. */
enum status body_columns_add(struct body_columns *columns, const char *name, const char *unit,
                             bool single, size_t room);

/* The column of that name; NULL: there is none. */
struct body_column *body_columns_find(const struct body_columns *columns, const char *name);

/* Takes a column of the list away. */
void body_columns_remove(struct body_columns *columns, size_t index);

/* `out` is all zero before. STATUS_RUNTIME, and then it is empty. */
enum status body_columns_copy(struct body_columns *out, const struct body_columns *columns,
                              size_t count);

/* Room for `room` >= 1 bodies in each, whose first bodies stay. false: memory is short. */
bool body_columns_make_room(struct body_columns *columns, size_t room);

/* Single bodies: one replaces another, two change places, one lacks every number. */
void body_columns_move(struct body_columns *columns, size_t to, size_t from);
void body_columns_swap(struct body_columns *columns, size_t a, size_t b);
void body_columns_lack(struct body_columns *columns, size_t body);

/* The least and the largest of the first `count` bodies' finite numbers, NaN where there is none,
 * and how many bodies have no finite number. */
struct body_column_range {
    double least, largest;
    size_t missing;
};
struct body_column_range body_column_range(const struct body_column *column, size_t count);

void body_columns_free(struct body_columns *columns); /* accepts one all zero, and leaves it so */

/* Memory for the numbers of bodies: zeroed, in large pages where the system has them. NULL: memory
 * is short. The caller frees it. */
void *body_column_memory(size_t count, size_t size);
/* *(void **)column with room for so many, the rest not zeroed; false: memory is short, and nothing
 * has changed. */
bool body_column_resize(void *column, size_t room, size_t size);

#endif
