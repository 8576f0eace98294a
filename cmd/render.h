/* Shared by the commands that make a film. */
#pragma once

#include "scenes/scene.h"

struct render_options; /* cmd/cli/options.h */

/* Renders, plans or saves the scene, as the options say; returns the exit code of `gravreel
 * render`.
 */
int render_scene(const struct render_options *options, struct scene *scene);
