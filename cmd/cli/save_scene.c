#include "cmd/cli/save_scene.h"

#include "base/file.h"
#include "cmd/film/scene/own_scene.h"
#include "scenes/print.h"

#include <stdlib.h>
#include <string.h>

enum status render_options_check_save(const struct render_options *options)
{
    const char *path = options->save_scene;
    if (!path)
        return STATUS_OK;
    if (!options->overwrite && file_exists(path) && !file_is_special(path))
        return status_fail(STATUS_USAGE,
                           "'%s' exists already; replace it with -y or choose another name for "
                           "--save-scene",
                           path);
    if (own_scene_possible(options->request.scene) &&
        (strcmp(path, options->request.scene) == 0 || file_same(path, options->request.scene)))
        return status_fail(STATUS_USAGE,
                           "the scene is made from '%s'; choose another name for --save-scene",
                           options->request.scene);
    if (file_is_standard(path) && options->output && file_is_standard(options->output))
        return status_fail(STATUS_USAGE,
                           "-o and --save-scene cannot both go to the standard output; name a "
                           "file for one of them");
    return STATUS_OK;
}

enum status render_options_save(const struct render_options *options, const struct scene *scene)
{
    if (!options->save_scene)
        return STATUS_OK;
    char *text = scene_print(scene);
    enum status status = file_write(options->save_scene, text, strlen(text));
    free(text);
    return status;
}
