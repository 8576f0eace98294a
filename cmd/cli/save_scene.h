/* --save-scene: writes the scene, with every default filled in, to a file. */
#pragma once

#include "cmd/cli/options.h"
#include "scenes/scene.h"

/* Checks that FILE can be written without overwriting anything important, and writes it; both do
 * nothing without --save-scene. "-" is standard output. */
enum status render_options_check_save(const struct render_options *options);
enum status render_options_save(const struct render_options *options, const struct scene *scene);
