#include "cmd/film/scene/own_files.h"

#include "base/file.h"
#include "base/log.h"
#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

void own_files_note(struct own_files *files, const struct scene *scene)
{
    *files = (struct own_files){memory_text(scene->bodies.file), memory_text(scene->output.audio)};
}

void own_files_free(struct own_files *files)
{
    free(files->bodies);
    free(files->audio);
    *files = (struct own_files){0};
}

/* Detects "..", which a pattern may contain after a folder with a pattern in its name. */
static bool goes_up(const char *path)
{
    for (const char *at = path; (at = strstr(at, "..")); at += 2)
        if ((at == path || at[-1] == '/') && (at[2] == '/' || at[2] == '\0'))
            return true;
    return false;
}

/* Whether the file, and every match if it is a pattern, is below the folder. */
static bool all_inside(const char *file, const char *folder)
{
    char **names;
    const size_t count = file_matches(file, &names);
    bool inside = count > 0 || (!goes_up(file) && file_is_inside(file, folder));
    for (size_t i = 0; i < count; i++) {
        inside = inside && file_is_inside(names[i], folder);
        free(names[i]);
    }
    free(names);
    return inside;
}

static bool in_data_folder(const char *file)
{
    const char *data = getenv("GRAVREEL_DATA");
    char *folders = memory_text(data ? data : ""), *rest = NULL;
    bool inside = false;
    for (char *at = strtok_r(folders, ":", &rest); at && !inside; at = strtok_r(NULL, ":", &rest))
        inside = all_inside(file, at);
    free(folders);
    return inside;
}

static enum status check(const char *file, const char *path, const char *what, const char *option)
{
    char *folder = file_folder(path);
    const bool good = all_inside(file, folder) || in_data_folder(file);
    free(folder);
    if (!good)
        return status_fail(STATUS_USAGE,
                           "the scene in '%s' reads its %s from '%s', which is refused because it "
                           "is outside the film's folder; if you trust that file, name it with %s",
                           path, what, file, option);
    log_info("the %s %s read from '%s', as the scene in '%s' says", what,
             strcmp(what, "bodies") == 0 ? "are" : "is", file, path);
    return STATUS_OK;
}

enum status own_files_check(const struct own_files *files, const struct scene *scene,
                            const char *path, bool given)
{
    const char *bodies = scene->bodies.model->reads_file && !given ? scene->bodies.file : "";
    enum status status = STATUS_OK;
    if (*bodies && strcmp(bodies, files->bodies) == 0)
        status = check(bodies, path, "bodies",
                       scene->bodies.model->plays ? "--snapshots" : "--bodies-from");
    if (status == STATUS_OK && *scene->output.audio &&
        strcmp(scene->output.audio, files->audio) == 0)
        status = check(scene->output.audio, path, "sound", "--set output.audio=FILE");
    return status;
}
