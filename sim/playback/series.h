/* A series of snapshots: the files of a pattern, in the order of their times. */
#ifndef SIM_PLAYBACK_SERIES_H
#define SIM_PLAYBACK_SERIES_H

#include "base/hash.h"
#include "sim/formats/snapshot.h"
#include "sim/params.h"

struct series_file {
    char *path;
    double time;   /* in the scene's units, as the file counts it */
    double centre; /* as struct series has it */
};

struct series {
    const struct bodies_params *params; /* not owned */
    size_t count;                       /* at least 2 */
    struct series_file *files;          /* [count] */
    double centre; /* of the first snapshot's box, on each axis, where space expands; 0: it does not
                    */
};

/* Finds the files that params->file means, a pattern with * ? [ ] of the shell or a %03d for a
 * number, and reads what they say of their times and units. STATUS_USAGE for fewer than two, for
 * a file that does not say its time and for two of the same time; STATUS_IO for none. */
enum status series_open(struct series *out, const struct bodies_params *params);
void series_close(struct series *series); /* accepts a zeroed one */

/* Reads snapshot k in the scene's units, with the further columns that are chosen, bodies in the
 * file's order and with ids, their components as a file has them. An expanding box stays about the
 * centre that it has in the first. */
enum status series_read(const struct series *series, size_t k, const struct column_choice *choice,
                        struct snapshot *out);

/* Tells a series from another: of each file its time, its size and its first and last 256 KiB, for
 * to read it all takes as long as to play it. STATUS_IO. */
enum status series_hash(const struct bodies_params *params, char out[HASH_TEXT]);

/* The first file that the pattern means, by name, for the caller to free; NULL: there is none. */
char *series_first(const char *pattern);

#endif
