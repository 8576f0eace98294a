/* The content of a file of bodies: the bodies at one time, and what the file says about them.
 *
 * Owned by the caller that read it; not thread-safe. */
#pragma once

#include "base/cosmology.h"
#include "sim/bodies/bodies.h"

#include <string.h>

/* The file's units in centimetres, grams and centimetres per second; 0: unknown. With G = 1 time
 * and mass follow from length and velocity, so that the mass may be missing. */
struct snapshot_units {
    double length_cm, mass_g, velocity_cms;
};

/* The additional columns to read: every one (`all`), the named ones, or none ({0}). `words`: those
 * of words too, whose numbers other reads of the same file need not share. `kernel`: the column
 * BODY_KERNEL is also derived from the file's columns (further.h). */
struct column_choice {
    bool all;
    const char *const *names; /* ended by NULL */
    bool kernel;
    bool words;
};

static inline bool column_named(const struct column_choice *choice, const char *name)
{
    for (const char *const *named = choice->names; named && *named; named++)
        if (strcmp(*named, name) == 0)
            return true;
    return false;
}

/* Factors that convert lengths and masses in additional columns to the units of positions and
 * masses, which are physical if the file's are comoving. length 0: unknown. */
struct column_scale {
    double length, mass;
    bool swift; /* smoothing lengths are defined like SWIFT's */
};

struct snapshot {
    struct column_choice choice; /* set by the caller before reading, like `parts` */
    /* Only the slice `part` < `parts` is read: of each component of n rows, n * part / parts to n *
     * (part + 1) / parts, so that a component may have none. parts 0: everything. */
    unsigned part, parts;
    uint64_t *whole; /* [bodies->component_count] rows of each component in the whole; NULL: not a
                      * slice or, from a reader, not sliced yet */
    struct bodies *bodies; /* in the file's units; NULL if only the rest was requested */
    /* [bodies->count] index into bodies->components, for a file whose components are mixed: bodies
     * are in file order, and the components have no `first` and `count` yet. NULL: components are
     * ranges, some of which may be empty. */
    uint32_t *group;
    struct column_scale scale;
    double time; /* in units of length / velocity */
    bool time_known;
    struct snapshot_units units;
    double box[3];    /* edges of a periodic box, in the file's units; 0: none, or unknown */
    double expansion; /* rate of the expansion of space, a'/a, per unit of time; 0: none. Velocities
                       * include it, around the box's centre, or around the origin without a box */
    struct cosmology cosmology;  /* all zero: space does not expand, or that is unknown */
    double scale_factor;         /* likewise */
    bool units_assumed;          /* the file does not state them; these are the format's defaults */
    const struct format *format; /* the format as which it was read */
    bool forced;                 /* the caller has chosen the format */
    bool single;                 /* the file's numbers were float32 */
    char *unread;  /* names of attributes that were not read, "rho, temp"; NULL: none */
    char *rounded; /* names of columns with whole numbers beyond 2^53 that no double is; likewise */
};

/* Adds a name to `unread`, unless it is there. */
void snapshot_leave(struct snapshot *snapshot, const char *name);

/* Adds a column's name to `rounded`, and says so. */
void snapshot_round(struct snapshot *snapshot, const char *name);

/* Drops the bodies' ids, if any, and adds them to `unread`. */
void snapshot_leave_ids(struct snapshot *snapshot);

/* After rows up to `good`, counted from 0, of `rows` were ids: if another follows, drops all ids
 * and says so. STATUS_USAGE for a slice, whose ids other processes may have kept. */
enum status snapshot_check_ids(struct snapshot *snapshot, const char *path, const char *name,
                               uint64_t good, uint64_t rows);

/* Replaces the components by a single one, "bodies", drawn with light 1. */
void snapshot_name_all(struct snapshot *snapshot);

/* For readers that can find the rows of the slice: allocates bodies for the slice in these
 * components, whose counts are those in the whole; sets `first` and `count` of the bodies'
 * components, and `whole` for a slice. STATUS_RUNTIME. */
enum status snapshot_create(struct snapshot *snapshot, const struct component *components,
                            size_t count);

/* The first row of the slice among the rows of a component. */
size_t snapshot_begin(const struct snapshot *snapshot, size_t rows);

/* Sorts mixed components into ranges, and leaves out empty ones. */
void snapshot_sort(struct snapshot *snapshot);

/* The same for a slice, which is cut out unless the reader has done so; components that are empty
 * in the whole are left out. STATUS_RUNTIME. */
enum status snapshot_slice(struct snapshot *snapshot);

/* Whether float32 stores these numbers exactly. */
bool snapshot_fits(const double *numbers, size_t count);

/* The same, but false unless the file's numbers were float32. Some of its numbers, such as masses
 * in a header, may still have been doubles. */
bool snapshot_narrow(const struct snapshot *snapshot, const double *numbers, size_t count);

void snapshot_free(struct snapshot *snapshot); /* accepts all zero */

/* STATUS_USAGE, with the file and the body counted from 1, where a number is not finite or a mass
 * negative among the bodies first .. first + count - 1; the first one is in row `row` of the file.
 */
enum status bodies_check(const struct bodies *bodies, size_t first, size_t count, size_t row,
                         const char *path);

/* Formats with particle types: the type of each component, and the order of writing. Pure;
 * thread-safe. */

/* GADGET's types, in its order. */
enum species {
    SPECIES_GAS,
    SPECIES_HALO,
    SPECIES_DISK,
    SPECIES_BULGE,
    SPECIES_STARS,
    SPECIES_BOUNDARY,
    SPECIES_COUNT
};

extern const char *const species_names[SPECIES_COUNT + 1]; /* "gas", "halo", ..., ended by NULL */

/* The species that a component's name means; halo for any other name. */
enum species species_of(const struct component *component);

/* Replaces the components by ones with count[0 .. SPECIES_COUNT - 1] bodies, in order. A halo is
 * not drawn if anything else is. STATUS_OK. */
void species_make_components(struct bodies *bodies, const size_t count[SPECIES_COUNT]);

/* Hides haloes if anything else is drawn. */
void species_hide_haloes(struct bodies *bodies);

/* Counts the bodies of each species. */
void species_count(const struct bodies *bodies, size_t count[SPECIES_COUNT]);

/* Visits the bodies of one species, component by component: for (i = species_first(bodies, s, &c);
 * i < bodies->count; i = species_next(bodies, s, &c, i)). */
size_t species_first(const struct bodies *bodies, enum species species, size_t *component);
size_t species_next(const struct bodies *bodies, enum species species, size_t *component, size_t i);

/* Bodies of a file that arrive row by row. */

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

/* Drops the ids because one of them is invalid; the caller says which. */
void body_rows_leave_ids(struct body_rows *rows);
/* The same, and says that the number in this row, counted from 1, is not an id. */
void body_rows_refuse_id(struct body_rows *rows, const char *path, uint64_t row, double id);

/* Names the components (one, or one per galaxy) and releases unused memory. */
void body_rows_end(struct body_rows *rows);

/* STATUS_USAGE if count is 0 or beyond BODY_ROWS_MAX; call before allocating memory. */
enum status body_rows_check(const char *path, uint64_t count);
