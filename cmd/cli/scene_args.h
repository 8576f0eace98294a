/* The scene that a command line names and changes. */
#ifndef CMD_CLI_SCENE_ARGS_H
#define CMD_CLI_SCENE_ARGS_H

#include "cmd/cli/options.h"
#include "scenes/scene.h"

/* Whether `name` means a scene: a built-in one, a .yaml or .yml file, or, where there is no such
 * file, a word that is likely to be one mistyped. */
bool scene_is_named(const char *name);

/* Opens the scene, which may be that of a film or still, applies bodies_from and the settings, and
 * validates. */
enum status render_options_scene(const struct render_options *options, struct scene **out);

/* STATUS_IO when the scene needs a bodies file that is not there. --bodies-from names one itself,
 * which is looked for when it is read. */
enum status render_options_find_bodies(const struct render_options *options,
                                       const struct scene *scene);

/* --save-scene: whether FILE can be written without harm, and writing it; nothing when it is not
 * asked for. "-" is the standard output. */
enum status render_options_check_save(const struct render_options *options);
enum status render_options_save(const struct render_options *options, const struct scene *scene);

#endif
