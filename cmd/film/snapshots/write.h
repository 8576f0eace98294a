/* A snapshot of a simulation. */
#pragma once

#include "cmd/film/snapshots/names.h"
#include "scenes/params.h"
#include "sim/simulation.h"

/* Writes the current state as number `number`, with `time`, the scene's units, the bodies' ids and
 * their columns, completely or not at all. Columns are the initial ones or, for played snapshots,
 * those at the time. Absent bodies of played snapshots are left out. */
enum status snapshot_write(const struct snapshot_names *names, uint64_t number,
                           const struct scene *scene, struct simulation *simulation, double time);

/* The initial time of the simulation according to its bodies' file; snapshots continue from there.
 * 0 if no file has a time. */
enum status snapshot_epoch(const struct scene *scene, const struct simulation *simulation,
                           double *out);

/* Warns, once per run, about what the format loses. */
void snapshot_warn_lost(const struct snapshot_names *names, struct simulation *simulation);
