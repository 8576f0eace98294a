/* The bodies of a whole series of snapshots. */
#ifndef SIM_PLAYBACK_GATHER_H
#define SIM_PLAYBACK_GATHER_H

#include "sim/bodies/bodies.h"
#include "sim/params.h"

/* Reads all snapshots once, one at a time, and makes a body of each id, where it is in the first
 * snapshot that has it; with ids, and the components of bodies_arrange for the first snapshot; what
 * comes later joins the component of its file's name. Where the scene says which rows are what,
 * only the first snapshot's bodies are taken. A body that is not in every snapshot has no mass, so
 * that cameras and sums pass it over when it is not there. */
enum status playback_gather(const struct bodies_params *params, struct bodies **out);

#endif
