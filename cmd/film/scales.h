/* What a scene leaves to be found out from the bodies at the start, alike for all panels: the
 * values that colours are scaled by. */
#ifndef CMD_FILM_SCALES_H
#define CMD_FILM_SCALES_H

#include "cmd/film/film.h"

/* Fills params->found.look; all else that the pictures depend on is filled already. */
enum status film_scales(const struct film *film, struct renderer_params *params);

#endif
