/* The scales of colours and sizes that a scene leaves out, found from the bodies at the start. All
 * panels share them, so that they can be compared. */
#pragma once

#include "cmd/film/start/start.h"
#include "render/renderer.h"
#include "sim/simulation.h"

/* Fills params->found.look; everything else that the pictures depend on must be filled already.
 * Accelerations, if needed, come from `simulation`, which is at frame 0. */
enum status scales_find(struct renderer_params *params, struct start *start,
                        struct simulation *simulation);
