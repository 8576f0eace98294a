/* How much brighter and fainter a film becomes than its frame 0, from which its exposure is set,
 * and where the picture is dark, for the overlay. */
#pragma once

#include "cmd/film/script/script.h"

/* Fills params->found.look.brightest and faintest by a short pilot run through the film
 * (sim/pilot/pilot.h), if the scene's exposure depends on them, and found.light, if a picture
 * without panels has an overlay; otherwise they stay 0. Light that the script has found with its
 * framing, for which more bodies were simulated, is taken instead. Depends on the camera but not on
 * the requested pictures, so that any part of the film, and any tile, gets the same numbers. All
 * else of `params` that cameras depend on must be filled, for the whole picture. */
enum status brightness_find(struct renderer_params *params, const struct script *script,
                            const struct script_source *source);

/* Makes the same pilot run for source->pilots alone, for films with any look. */
enum status brightness_keep(const struct script *script, const struct script_source *source);
