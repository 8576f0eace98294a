/* The bodies of a whole series of snapshots. */
#pragma once

#include "sim/bodies/bodies.h"
#include "sim/params.h"

/* Reads all snapshots once, one at a time, and makes one body per id, at its position in the first
 * snapshot that contains it. The result has ids. Bodies of the first snapshot get the components of
 * bodies_arrange; later ones join the component with the name that their file gives. If the scene
 * assigns rows to components, only the first snapshot's bodies are taken. A body that is missing
 * from a snapshot gets mass 0, so that cameras and sums ignore it while it is absent.
 *
 * In a task of all ranks, each rank reads its slice of every snapshot, and the bodies are shared
 * (sim/bodies/whole.h): a rank has its slice of each component of the first snapshot, and the last
 * rank also has the bodies that appear later. STATUS_USAGE in a task if the scene assigns rows to
 * components. */
enum status playback_gather(const struct bodies_params *params, struct bodies **out);
