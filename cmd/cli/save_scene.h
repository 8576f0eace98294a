/* --save-scene: the scene with every default filled in, as a file. */
#ifndef CMD_CLI_SAVE_SCENE_H
#define CMD_CLI_SAVE_SCENE_H

#include "cmd/cli/options.h"
#include "scenes/scene.h"

/* Whether FILE can be written without harm, and writing it; nothing when it is not asked for. "-"
 * is the standard output. */
enum status render_options_check_save(const struct render_options *options);
enum status render_options_save(const struct render_options *options, const struct scene *scene);

#endif
