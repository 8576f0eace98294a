/* How much brighter and fainter a film becomes than its frame 0, which its exposure is set from, and
 * which corners of the picture are darkest, where the overlay's boxes go. */
#pragma once

#include "cmd/film/script/script.h"

/* Fills params->found.look.brightest and faintest by a glance through the film (sim/pilot/pilot.h),
 * where the scene's exposure depends on them, and found.corner where a flat picture without panels
 * has a legend or a graph; else they stay 0. It has nothing of the pictures that
 * are asked for but where the camera is, so that any part of the film, and any tile, gets the same
 * numbers. All else of `params` that cameras depend on is there, for the whole picture. */
enum status brightness_find(struct renderer_params *params, const struct script *script,
                            const struct script_source *source);
