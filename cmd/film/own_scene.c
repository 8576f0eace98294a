#include "cmd/film/own_scene.h"

#include "base/file.h"
#include "cmd/film/tags.h"
#include "render/picture/png_file.h"
#include "render/reader/film_info.h"
#include "render/video/container.h"

#include <stdlib.h>
#include <string.h>

static bool is_png(const char *path)
{
    static const unsigned char signature[8] = {0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n'};
    unsigned char head[sizeof signature];
    size_t size;
    return file_read_head(path, head, sizeof head, &size) == STATUS_OK && size == sizeof head &&
           memcmp(head, signature, sizeof head) == 0;
}

bool own_scene_possible(const char *path)
{
    return film_info_is_film(path) || is_png(path) || container_find(file_extension(path));
}

/* As when the file was made: ranges of components that do not fit the bodies file were left out. */
enum status own_scene_parse(struct scene **out, const char *text, const char *path)
{
    enum status status = scene_parse(out, text, path);
    if (status != STATUS_OK)
        return status;
    char *folder = file_folder(path);
    scene_find_files(*out, folder);
    free(folder);
    (*out)->bodies.components_optional = true;
    return STATUS_OK;
}

enum status own_scene_open(struct scene **out, const char *path)
{
    struct tags tags;
    *out = NULL;
    enum status status =
        is_png(path) ? png_file_read_tags(path, &tags) : film_info_read_tags(path, &tags);
    const char *text = status == STATUS_OK ? tags_find(&tags, FILM_TAG_SCENE) : NULL;
    if (text)
        status = own_scene_parse(out, text, path);
    else if (status == STATUS_OK)
        status = status_fail(STATUS_USAGE,
                             "'%s' does not say of which scene it was made: it has no tag %s; name "
                             "the scene itself",
                             path, FILM_TAG_SCENE);
    tags_free(&tags);
    return status;
}
