/* The content of a file of bodies: the bodies at one time, and what the file says about them.
 *
 * Owned by the caller that read it; not thread-safe. */
#pragma once

#include "sim/bodies/bodies.h"

#include <string.h>

/* The file's units in centimetres, grams and centimetres per second; 0: unknown. With G = 1 time
 * and mass follow from length and velocity, so that the mass may be missing. */
struct snapshot_units {
    double length_cm, mass_g, velocity_cms;
};

/* Which additional columns are read: every one (`all`), the named ones, or none ({0}). `words`:
 * those of words too, whose numbers other reads of the same file need not share. `kernel`: the
 * column BODY_KERNEL is also derived from the file's columns (kernel.h). */
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
    double box;       /* edge of a periodic box, in the file's units; 0: none, or unknown */
    double expansion; /* rate of the expansion of space, a'/a, per unit of time; 0: none. Velocities
                       * include it, around the box's centre, or around the origin without a box */
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
