/* The bodies of a file that come row by row. */
#ifndef SIM_FORMATS_ROWS_H
#define SIM_FORMATS_ROWS_H

#include "sim/formats/snapshot.h"

enum {
    BODY_ROWS_MAX = 100000000, /* as the key bodies.count */
    BODY_GALAXIES = 1024,      /* indices of galaxies are below */
};

struct body_row {
    double mass, position[3], velocity[3];
    uint32_t galaxy; /* its index, where the rows have one */
    uint64_t id;
    const double *further; /* [the bodies' columns.count] */
    bool has_id; /* where the rows have ids: false takes them away from all, with a line on it */
};

/* The columns of snapshot->bodies, which grow. */
struct body_rows {
    struct snapshot *snapshot;
    bool has_galaxies, has_ids;  /* of all rows; set before the first */
    struct body_columns further; /* noted before the first row (further.h), then the bodies' */
    size_t room;
};

/* How many columns of so many bodies are read: together they take at most a quarter of the
 * machine's memory. */
size_t body_rows_columns(size_t bodies);

/* Drops the columns beyond body_rows_columns, with a warning. */
void body_rows_fit(struct snapshot *snapshot, struct body_columns *columns, size_t bodies);

/* The columns that the rows' `further` are for: the bodies', or before the first row those noted.
 */
struct body_columns *body_rows_further(struct body_rows *rows);

/* Begins the columns, with room for `expected` rows if that is more than a few. STATUS_RUNTIME. */
enum status body_rows_begin(struct body_rows *rows, struct snapshot *snapshot, size_t expected);

/* STATUS_RUNTIME when the rows do not fit in memory, STATUS_USAGE behind BODY_ROWS_MAX. */
enum status body_rows_add(struct body_rows *rows, const struct body_row *row);

/* Room for so many rows at least, for those who fill the columns themselves. STATUS_RUNTIME. */
enum status body_rows_reach(struct body_rows *rows, size_t needed);

/* The same room for galaxies that nobody has foreseen. STATUS_RUNTIME. */
enum status body_rows_add_galaxies(struct body_rows *rows);

/* Names the components: one, or a galaxy each, and gives back the room that is left. */
void body_rows_end(struct body_rows *rows);

/* STATUS_USAGE beyond BODY_ROWS_MAX or for none, before any room is made for so many. */
enum status body_rows_check(const char *path, uint64_t count);

#endif
