#include "cmd/regression/baseline/inputs.h"

#include "base/file.h"
#include "cmd/regression/baseline/baseline.h"
#include "scenes/builtin.h"

#include <stdlib.h>

static void see_source(const struct baseline *baseline, const char *folder,
                       void (*see)(void *user, const char *what, const char *path), void *user)
{
    const struct source *source = &baseline->source;
    struct scene *scene;
    if (!choice_find(&builtin_registry, source->scene)) {
        char *path = source_path(folder, source->scene);
        see(user, "the scene of a baseline that is checked", path);
        free(path);
    }
    if (source_open(source, folder, &scene) != STATUS_OK)
        return;
    if (scene->bodies.file && *scene->bodies.file)
        see(user, "the table of bodies of a baseline that is checked", scene->bodies.file);
    scene_close(&scene);
}

void inputs_see(const char *path, void (*see)(void *user, const char *what, const char *path),
                void *user)
{
    struct baseline baseline, empty;
    char *folder = file_folder(path);
    baseline_start(&empty, path);
    see(user, "one of the baselines that are checked", path);
    see(user, "in the folder of a baseline's objects", empty.folder);
    if (baseline_read(&baseline, path) == STATUS_OK)
        see_source(&baseline, folder, see, user);
    baseline_free(&baseline);
    baseline_free(&empty);
    free(folder);
}
