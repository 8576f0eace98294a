/* Writes a film's bodies and camera as a scene in the text format of USD, for Blender, Houdini and
 * others: `-o film.usda` (https://openusd.org/release/api/, UsdGeomPoints and UsdGeomCamera).
 *
 * A unit of length counts as a metre, z is up, a frame of the film is a time code. /film/camera has
 * the camera's place, direction and field of view at every frame. Each group of drawn bodies is a
 * Points prim with the positions of every frame, exact to the float, ids, the widths of the
 * film's points at the camera's distance in the first frame, and the colours of look.color in
 * linear light, of the first frame where they do not change. A body that snapshots lack has the
 * width 0. */
#pragma once

#include "cmd/film/film.h"
#include "cmd/film/pipeline/pipeline.h"
#include "render/sink/sink.h"

/* The largest file, about; positions and colours are kept in half of that until it is written. */
#define POINTS_BYTES 4e9

/* STATUS_USAGE naming the key whose look points do not have, and as pass_check. */
enum status points_check(const struct scene *scene);

/* Simulates the film, whose parts `params` names, and writes the points to sink_usda. On ranks, all
 * call it with a film whose rank 0 has all bodies, and rank 0 alone has a sink. STATUS_USAGE before
 * the first step if the file would be too large. A stop ends the file at the last frame that was
 * simulated, with STATUS_STOPPED. */
enum status points_make(const struct film *film, struct sink *sink,
                        const struct pipeline_params *params, struct pipeline_progress *progress);
