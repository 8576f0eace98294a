#include "cmd/film/job/stale.h"

#include "base/file.h"
#include "base/log.h"
#include "base/memory.h"
#include "base/text.h"
#include "cmd/film/tags.h"
#include "render/picture/png_pdf.h"
#include "render/video/picture_file.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Pictures of sequences contain the film's first state; stills do not. */
static bool is_of_another(const char *path, const char *scene)
{
    struct tags tags = {0};
    const struct picture_file *file = picture_file_named(path);
    if (!file || file->tags(path, &tags) != STATUS_OK) {
        tags_free(&tags);
        return false;
    }
    const char *there = tags_find(&tags, FILM_TAG_SCENE);
    const bool other = there && tags_find(&tags, FILM_TAG_FIRST_STATE) && strcmp(there, scene) != 0;
    tags_free(&tags);
    return other;
}

static int by_name(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

void stale_find(struct stale *stale, const char *pattern, uint64_t first, uint64_t last,
                const char *scene)
{
    *stale = (struct stale){0};
    char *folder = file_folder(pattern);
    DIR *entries = opendir(folder);
    for (struct dirent *entry; entries && (entry = readdir(entries));) {
        uint64_t frame;
        if (!png_name_number(pattern, entry->d_name, &frame) || (frame >= first && frame <= last))
            continue;
        char *path = text_format("%s/%s", folder, entry->d_name);
        if (is_of_another(path, scene)) {
            stale->paths = memory_grow(stale->paths, stale->count + 1, sizeof *stale->paths);
            stale->paths[stale->count++] = path;
        } else {
            free(path);
        }
    }
    if (entries)
        closedir(entries);
    free(folder);
    if (stale->count > 1)
        qsort(stale->paths, stale->count, sizeof *stale->paths, by_name);
}

void stale_free(struct stale *stale)
{
    for (size_t i = 0; i < stale->count; i++)
        free(stale->paths[i]);
    free(stale->paths);
    *stale = (struct stale){0};
}

enum status stale_remove(const struct stale *stale)
{
    for (size_t i = 0; i < stale->count; i++)
        if (unlink(stale->paths[i]) != 0 && errno != ENOENT)
            return status_fail(STATUS_IO, "cannot remove '%s', a picture of another sequence: %s",
                               stale->paths[i], strerror(errno));
    if (stale->count > 0)
        log_info("removed %zu picture%s of another sequence, '%s' to '%s'", stale->count,
                 stale->count == 1 ? "" : "s", stale->paths[0], stale->paths[stale->count - 1]);
    return STATUS_OK;
}
