/* Films with a control at work on them, made frame by frame on one thread, without the pipeline.
 * For tests only. */
#pragma once

#include "cmd/regression/record/hooks.h"

/* Renders the scene to `output` (a film, or the pattern of a PNG sequence) with what the hooks do.
 */
enum status controlled_film(const struct scene *scene, const char *output,
                            const struct record_hooks *hooks);

/* The scene of all controls, 12 frames of 128x96: what a control needs of it beside is set. */
enum status controlled_scene(struct scene **out, const char *control);
