/* Snapshots of a simulation, and the names and format of a run's snapshots. */
#pragma once

#include "scenes/scene.h"
#include "sim/formats/formats.h"
#include "sim/simulation.h"

#include <stdint.h>

struct snapshot_names {
    const char *pattern; /* with one number, such as snap_%03d.hdf5; not owned */
    const struct format *format;
    size_t before, after; /* bytes of the pattern around the number; `after` from its end */
    int digits;
};

/* STATUS_USAGE, with the option in the message, for a name without a number or with several, and
 * for an extension of no format or of a read-only one. */
enum status snapshot_names_plan(struct snapshot_names *out, const char *option,
                                const char *pattern);

/* Whether ranks can write it while they share the bodies. */
bool snapshot_names_share(const struct snapshot_names *names);

/* The caller frees it. */
char *snapshot_names_of(const struct snapshot_names *names, uint64_t number);

/* Whether there is a snapshot of that number, in one file or several. */
bool snapshot_names_exist(const struct snapshot_names *names, uint64_t number);

/* Whether files 0 .. last can be written: STATUS_USAGE if one exists, unless `overwrite`, and the
 * messages of output_check. */
enum status snapshot_names_check(const struct snapshot_names *names, uint64_t last, bool overwrite);

/* Parses --every: a simulated time above 0. */
enum status snapshot_every_parse(const char *text, double *out);

/* Writes the current state as number `number`, with `time`, the scene's units, the bodies' ids and
 * their columns, completely or not at all. Columns are the initial ones or, for played snapshots,
 * those at the time. Absent bodies of played snapshots are left out. If ranks share the bodies,
 * each writes a file of its own, NAME.0.hdf5 and so on; the first one appears last. */
enum status snapshot_write(const struct snapshot_names *names, uint64_t number,
                           const struct scene *scene, struct simulation *simulation, double time);

/* The initial time of the simulation according to its bodies' file; snapshots continue from there.
 * 0 if no file has a time. */
enum status snapshot_epoch(const struct scene *scene, const struct simulation *simulation,
                           double *out);

/* Warns, once per run, about what the format loses. */
void snapshot_warn_lost(const struct snapshot_names *names, struct simulation *simulation);
