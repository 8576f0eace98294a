/* Writes a film's bodies and camera as a scene in the text format of USD, for Blender, Houdini and
 * others: `-o film.usda` (https://openusd.org/release/api/, UsdGeomPoints and UsdGeomCamera).
 *
 * A unit of length counts as a metre, z is up, and a time code is a frame of the film. /film/camera
 * has the camera's position, direction and field of view at every frame. Each group of drawn bodies
 * is a Points prim. It has ids, and positions at every frame with all digits of a float. Widths are
 * those of the film's points at the camera's distance in the first frame; a body that is missing
 * from a snapshot has width 0. Colours are those of look.color in linear light, written once if
 * they do not change. */
#pragma once

#include "cmd/film/film.h"
#include "cmd/film/pipeline/pipeline.h"
#include "render/sink/sink.h"

/* The largest file, approximately. Positions and colours take up to half as much memory until the
 * file is written. */
#define POINTS_BYTES 4e9

/* STATUS_USAGE names a key that a file of points cannot show; also fails like pass_check. */
enum status points_check(const struct scene *scene);

/* Simulates the film, whose parts `params` names, and writes the points to sink_usda. On ranks, all
 * call it with a film whose rank 0 has all bodies, and rank 0 alone has a sink. STATUS_USAGE before
 * the first step if the file would be too large. A stop ends the file at the last frame that was
 * simulated, with STATUS_STOPPED. */
enum status points_make(const struct film *film, struct sink *sink,
                        const struct pipeline_params *params, struct pipeline_progress *progress);
