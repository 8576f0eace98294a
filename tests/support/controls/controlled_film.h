/* Films made with a control, frame by frame on one thread, without the pipeline. For tests only. */
#pragma once

#include "cmd/regression/record/recorder.h"

/* Renders the scene to `output` (a film, or the pattern of a PNG sequence) with the hooks. */
enum status controlled_film(const struct scene *scene, const char *output,
                            const struct record_hooks *hooks);

/* The scene of all controls, 12 frames of 128x96; each control adds the settings that it needs. */
enum status controlled_scene(struct scene **out, const char *control);
