/* A snapshot of a simulation. */
#ifndef CMD_FILM_SNAPSHOTS_WRITE_H
#define CMD_FILM_SNAPSHOTS_WRITE_H

#include "cmd/film/snapshots/names.h"
#include "scenes/params.h"
#include "sim/simulation.h"

/* Writes the present state as number `number`, with `time`, the scene's units, the bodies' ids and
 * their columns, which are those of the start, or of played snapshots those at the time; through a
 * temporary file, so that there is all of it or nothing. Bodies of played snapshots that are absent
 * at the time are left out. */
enum status snapshot_write(const struct snapshot_names *names, uint64_t number,
                           const struct scene *scene, struct simulation *simulation, double time);

/* The time at which the simulation begins, as the file of its bodies counts it: snapshots go on
 * from there. 0 where no file says a time. */
enum status snapshot_epoch(const struct scene *scene, const struct simulation *simulation,
                           double *out);

/* Says, once for a run, what the format does not keep of the simulation. */
void snapshot_warn_lost(const struct snapshot_names *names, struct simulation *simulation);

#endif
