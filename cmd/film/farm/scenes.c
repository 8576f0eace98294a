#include "cmd/film/farm/scenes.h"

#include "base/file.h"
#include "base/memory.h"
#include "base/text.h"
#include "scenes/scene.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

static void add(struct farm_scenes *scenes, char *path)
{
    scenes->paths = memory_grow(scenes->paths, scenes->count + 1, sizeof *scenes->paths);
    scenes->paths[scenes->count++] = path;
}

static int is_scene(const struct dirent *entry)
{
    const char *extension = file_extension(entry->d_name);
    return *entry->d_name != '.' &&
           (strcmp(extension, "yaml") == 0 || strcmp(extension, "yml") == 0);
}

static enum status add_folder(struct farm_scenes *scenes, const char *folder)
{
    struct dirent **entries = NULL;
    const size_t before = scenes->count;
    const int count = scandir(folder, &entries, is_scene, alphasort);
    if (count < 0)
        return status_fail(STATUS_IO, "cannot read '%s': %s", folder, strerror(errno));
    for (int i = 0; i < count; i++) {
        const char *slash = folder[strlen(folder) - 1] == '/' ? "" : "/";
        char *path = text_format("%s%s%s", folder, slash, entries[i]->d_name);
        if (file_is_folder(path))
            free(path);
        else
            add(scenes, path);
        free(entries[i]);
    }
    free(entries);
    if (scenes->count > before)
        return STATUS_OK;
    return status_fail(STATUS_USAGE,
                       "there is no scene in the folder '%s'; put .yaml files into it, or name "
                       "another",
                       folder);
}

enum status farm_scenes_find(struct farm_scenes *scenes, const char *const *given, size_t count)
{
    enum status status = STATUS_OK;
    *scenes = (struct farm_scenes){0};
    for (size_t i = 0; i < count && status == STATUS_OK; i++) {
        if (choice_find(&builtin_registry, given[i]) || !file_is_folder(given[i])) {
            add(scenes, memory_text(given[i]));
        } else {
            scenes->folder = true;
            status = add_folder(scenes, given[i]);
        }
    }
    return status;
}

void farm_scenes_free(struct farm_scenes *scenes)
{
    for (size_t i = 0; i < scenes->count; i++)
        free(scenes->paths[i]);
    free(scenes->paths);
}
