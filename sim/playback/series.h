/* A series of snapshots: the files of a pattern, ordered by time. */
#pragma once

#include "base/hash.h"
#include "sim/bodies/bodies.h"
#include "sim/formats/formats.h"
#include "sim/formats/snapshot.h"
#include "sim/params.h"

struct series_file {
    char *path;
    double time;                /* in the scene's units, as counted in the file */
    double centre[3];           /* see struct series */
    double box[3];              /* edges, in the scene's unit and frame; 0: none */
    double scale;               /* the scale factor; 0: space does not expand */
    struct cosmology cosmology; /* in the scene's unit of time */
};

struct series {
    const struct bodies_params *params; /* not owned */
    size_t count;                       /* at least 2 */
    struct series_file *files;          /* [count] */
    double centre[3]; /* of the first snapshot's box, if space expands in the frame; otherwise 0 */
};

/* Finds the files of the pattern params->file, with the shell's * ? [ ] or a %03d for a number, and
 * reads their times and units. STATUS_USAGE for fewer than two, for a file without a time and for
 * two with the same time; STATUS_IO for none. */
enum status series_open(struct series *out, const struct bodies_params *params);
void series_close(struct series *series); /* accepts all zero */

/* Whether the snapshots are shown in a comoving frame. */
static inline bool series_comoves(const struct series *series)
{
    return series->params->frame && series->params->frame->comoving;
}

/* The universe of a comoving series, in the film's unit of time; times of the files are its ages.
 */
struct cosmology series_cosmology(const struct series *series);

/* Reads snapshot k in the scene's units and frame, with the chosen additional columns. Bodies are
 * in file order and have ids; components are the file's. An expanding box stays centred where the
 * first one is. */
enum status series_read(const struct series *series, size_t k, const struct column_choice *choice,
                        struct snapshot *out);

/* Reads only this rank's slice of the snapshot, see format_read_slice; rows without ids are
 * numbered in the whole snapshot. */
enum status series_read_slice(const struct series *series, size_t k,
                              const struct column_choice *choice, struct snapshot *out);

/* Identifies a series by the time, size, and first and last 256 KiB of each file, because reading
 * everything would take as long as playing it. STATUS_IO. */
enum status series_hash(const struct bodies_params *params, char out[HASH_TEXT]);

/* The first file that matches the pattern, by name; the caller frees it; NULL: none. */
char *series_first(const char *pattern);

/* The values of a column over a series of snapshots. */

/* The largest number of snapshots that are read, evenly spaced from first to last, and of rows per
 * snapshot, evenly spaced over its file. */
enum { NUMBERS_SNAPSHOTS = 16, NUMBERS_ROWS = 1 << 20 };

/* The values of the drawn ones of the bodies (playback_gather), NaN where a body has none; the
 * caller frees them. STATUS_RUNTIME when memory is short. For shared bodies collective, and only
 * the values in this rank's slices. */
enum status playback_numbers(const struct bodies_params *params, const struct bodies *bodies,
                             const char *column, double **out, size_t *count);
