/* Bodies of a file that arrive row by row. */
#pragma once

#include "sim/formats/snapshot.h"

enum {
    BODY_ROWS_MAX = 100000000, /* as for the key bodies.count */
    BODY_GALAXIES = 1024,      /* galaxy indices are less than this */
};

struct body_row {
    double mass, position[3], velocity[3];
    uint32_t galaxy; /* index, if the rows have one */
    uint64_t id;
    const double *further; /* [the bodies' columns.count] */
};

/* The growing columns of snapshot->bodies. */
struct body_rows {
    struct snapshot *snapshot;
    bool has_galaxies, has_ids;  /* of all rows; set before the first */
    struct body_columns further; /* noted before the first row, then the bodies' */
    size_t room;
};

/* How many columns of this many bodies are read: together they take at most a quarter of the
 * machine's memory. */
size_t body_rows_columns(size_t bodies);

/* Drops the columns beyond body_rows_columns, with a warning. */
void body_rows_fit(struct snapshot *snapshot, struct body_columns *columns, size_t bodies);

/* The columns for `further` of the rows: the bodies' or, before the first row, those noted. */
struct body_columns *body_rows_further(struct body_rows *rows);

/* Begins the columns, with memory for `expected` rows if that is more than a few.
 * STATUS_RUNTIME. */
enum status body_rows_begin(struct body_rows *rows, struct snapshot *snapshot, size_t expected);

/* STATUS_RUNTIME when the rows do not fit in memory, STATUS_USAGE beyond BODY_ROWS_MAX. */
enum status body_rows_add(struct body_rows *rows, const struct body_row *row);

/* Provides memory for at least this many rows, for callers that fill the columns themselves.
 * STATUS_RUNTIME. */
enum status body_rows_reach(struct body_rows *rows, size_t needed);

/* Adds galaxy indices of that size to rows that began without them. STATUS_RUNTIME. */
enum status body_rows_add_galaxies(struct body_rows *rows);

/* Drops the ids, because one of them is none; the caller says which. */
void body_rows_leave_ids(struct body_rows *rows);
/* The same, and says that the number in this row, from 1, is no id. */
void body_rows_refuse_id(struct body_rows *rows, const char *path, uint64_t row, double id);

/* Names the components (one, or one per galaxy) and releases unused memory. */
void body_rows_end(struct body_rows *rows);

/* STATUS_USAGE if count is 0 or beyond BODY_ROWS_MAX; call before allocating memory. */
enum status body_rows_check(const char *path, uint64_t count);
