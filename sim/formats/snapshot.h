/* What a file of bodies holds: the bodies at one time, and what the file knows of both.
 *
 * Owned by whoever it was read for; not thread-safe. */
#ifndef SIM_FORMATS_SNAPSHOT_H
#define SIM_FORMATS_SNAPSHOT_H

#include "sim/bodies/bodies.h"

#include <string.h>

/* How large the file's units are, in centimetres, grams and centimetres per second; 0: not known.
 * Time and mass follow from length and velocity where G = 1, so that a mass may be missing. */
struct snapshot_units {
    double length_cm, mass_g, velocity_cms;
};

/* Which further columns are read: all, those of these names, or, all zero, none; and whether the
 * column BODY_KERNEL is made of those that the file has for it (kernel.h). */
struct column_choice {
    bool all;
    const char *const *names; /* up to a NULL */
    bool kernel;
};

static inline bool column_named(const struct column_choice *choice, const char *name)
{
    for (const char *const *named = choice->names; named && *named; named++)
        if (strcmp(*named, name) == 0)
            return true;
    return false;
}

/* What brings lengths and masses among the further columns to those of positions and masses, which
 * are physical where the file's are comoving. length 0: not known. */
struct column_scale {
    double length, mass;
    bool swift; /* smoothing lengths are SWIFT's */
};

struct snapshot {
    struct column_choice choice; /* of those who read */
    struct bodies *bodies;       /* in the file's units; NULL where only the rest was asked for */
    /* [bodies->count], which of bodies->components each belongs to, for a file in which they are
     * mixed: the bodies are in the file's order and the components have no `first` and `count` as
     * yet. NULL: they are ranges already, some of which may be empty. */
    uint32_t *group;
    struct column_scale scale;
    double time; /* in units of length / velocity */
    bool time_known;
    struct snapshot_units units;
    double box;       /* edge of a periodic box, in the file's units; 0: none, or not known */
    double expansion; /* how fast space expands, per unit of time: a'/a; 0: it does not. Velocities
                         have it about the box's centre, or the origin where there is no box */
    bool units_assumed; /* the file does not state them: they are its format's usual ones */
    const struct format *format; /* that it was read as */
    bool single;                 /* the file's numbers were float32 */
    char *unread; /* names of what the file has of its bodies beside the rest, "rho, temp"; NULL:
                     nothing */
};

/* Adds a name to `unread`, once. */
void snapshot_leave(struct snapshot *snapshot, const char *name);

/* One component of all bodies in the ranges' place, "bodies", drawn with light 1. */
void snapshot_name_all(struct snapshot *snapshot);

/* Makes ranges of the components where they are mixed. */
void snapshot_sort(struct snapshot *snapshot);

/* Whether so many numbers are stored as float32 without a loss. */
bool snapshot_fits(const double *numbers, size_t count);

/* The same of a file whose numbers were float32; false of any other. The masses of a header, say,
 * were doubles after all. */
bool snapshot_narrow(const struct snapshot *snapshot, const double *numbers, size_t count);

void snapshot_free(struct snapshot *snapshot); /* accepts a zeroed one */

/* STATUS_USAGE, with the file and the body counted from 1, where a number is not finite or a mass
 * negative among the bodies first .. first + count - 1. */
enum status bodies_check(const struct bodies *bodies, size_t first, size_t count, const char *path);

#endif
