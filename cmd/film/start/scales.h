/* The scales of colours and sizes that a scene leaves open, found from the bodies at the start,
 * alike for all panels so that these can be compared. */
#pragma once

#include "cmd/film/start/start.h"
#include "render/renderer.h"
#include "sim/simulation.h"

/* Fills params->found.look; all else that the pictures depend on is filled already. `simulation`,
 * at frame 0, is asked for its accelerations where they are needed. */
enum status scales_find(struct renderer_params *params, struct start *start,
                        struct simulation *simulation);
