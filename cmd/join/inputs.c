#include "cmd/join/inputs.h"

#include "base/file.h"
#include "cmd/job/tags.h"
#include "scenes/difference.h"
#include "scenes/scene.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static enum status refuse_pictures(const char *path)
{
    struct stat found;
    bool folder = stat(path, &found) == 0 && S_ISDIR(found.st_mode);
    if (!folder && strcmp(file_extension(path), "png") != 0)
        return STATUS_OK;
    return status_fail(STATUS_USAGE,
                       "'%s' is %s, but films are joined; the pictures of a sequence need no "
                       "joining: render each range into the same folder",
                       path, folder ? "a folder" : "a picture");
}

static enum status read_one(struct join_part *part, const char *path, uint64_t *of)
{
    part->path = path;
    enum status status = refuse_pictures(path);
    if (status == STATUS_OK)
        status = film_info_read(path, &part->info);
    if (status != STATUS_OK)
        return status;
    const char *frames = film_info_tag(&part->info, FILM_TAG_FRAMES);
    part->scene = film_info_tag(&part->info, "gravreel_scene");
    if (!part->scene || !frames || !film_frames_read(frames, &part->first, &part->last, of))
        return status_fail(STATUS_USAGE,
                           "'%s' does not say which frames of which scene it holds; parts are made "
                           "with `gravreel render --frames A..B` into mp4, mov, mkv or webm",
                           path);
    if (part->info.frames == part->last - part->first + 1)
        return STATUS_OK;
    return status_fail(STATUS_USAGE,
                       "'%s' holds %llu frames, but says that they are %s; render it again", path,
                       (unsigned long long)part->info.frames, frames);
}

static int by_first(const void *a, const void *b)
{
    const struct join_part *x = a, *y = b;
    return (x->first > y->first) - (x->first < y->first);
}

static enum status match_scenes(const struct join_part *a, const struct join_part *b)
{
    bool differ;
    struct scene_difference found;
    enum status status = scene_difference(a->scene, b->scene, &differ, &found);
    if (status != STATUS_OK || !differ)
        return status;
    return status_fail(STATUS_USAGE,
                       "the scenes differ: %s is %s in '%s' and %s in '%s'; render both from one "
                       "scene",
                       found.key, found.a, a->path, found.b, b->path);
}

static enum status match(const struct join_part *a, const struct join_part *b)
{
    enum status status = match_scenes(a, b);
    if (status != STATUS_OK)
        return status;
    if (strcmp(a->info.container, b->info.container) != 0)
        return status_fail(STATUS_USAGE, "'%s' is %s, but '%s' is %s; render both into one format",
                           a->path, a->info.container, b->path, b->info.container);
    const char *x = film_info_tag(&a->info, FILM_TAG_FIRST_STATE);
    const char *y = film_info_tag(&b->info, FILM_TAG_FIRST_STATE);
    if (x && y && strcmp(x, y) != 0)
        return status_fail(STATUS_USAGE,
                           "'%s' and '%s' begin with different bodies; render both from the same "
                           "bodies file, or with the same build of the program",
                           a->path, b->path);
    return STATUS_OK;
}

static enum status follow(const struct join_part *a, const struct join_part *b)
{
    if (b->first == a->last + 1)
        return STATUS_OK;
    uint64_t first = b->first > a->last ? a->last + 1 : b->first;
    uint64_t last = b->first > a->last ? b->first - 1 : b->last < a->last ? b->last : a->last;
    if (b->first > a->last)
        return status_fail(
            STATUS_USAGE,
            "frames %llu to %llu are missing between '%s' and '%s'; render them with "
            "--frames %llu..%llu",
            (unsigned long long)first, (unsigned long long)last, a->path, b->path,
            (unsigned long long)first, (unsigned long long)last);
    return status_fail(STATUS_USAGE,
                       "frames %llu to %llu are in '%s' and again in '%s'; leave one out, or "
                       "render ranges that only touch",
                       (unsigned long long)first, (unsigned long long)last, a->path, b->path);
}

/* The rate as the scene has it: Matroska rounds it. */
static enum status find_rate(struct join_parts *parts)
{
    struct scene *scene;
    enum status status = scene_parse(&scene, parts->list[0].scene, parts->list[0].path);
    if (status == STATUS_OK)
        status = scene_validate(scene);
    if (status == STATUS_OK) {
        parts->fps_num = scene->output.fps_num;
        parts->fps_den = scene->output.fps_den;
    }
    scene_close(&scene);
    return status;
}

enum status join_parts_read(struct join_parts *parts, char *const *paths, size_t count)
{
    *parts = (struct join_parts){.list = calloc(count, sizeof *parts->list)};
    if (!parts->list)
        return status_fail(STATUS_RUNTIME, "no memory left to read %zu films", count);
    enum status status = STATUS_OK;
    for (; status == STATUS_OK && parts->count < count; parts->count++)
        status = read_one(&parts->list[parts->count], paths[parts->count], &parts->of);
    if (status == STATUS_OK)
        qsort(parts->list, count, sizeof *parts->list, by_first);
    for (size_t i = 1; status == STATUS_OK && i < count; i++)
        status = match(&parts->list[0], &parts->list[i]);
    for (size_t i = 1; status == STATUS_OK && i < count; i++)
        status = follow(&parts->list[i - 1], &parts->list[i]);
    return status == STATUS_OK ? find_rate(parts) : status;
}

void join_parts_free(struct join_parts *parts)
{
    for (size_t i = 0; i < parts->count; i++)
        film_info_free(&parts->list[i].info);
    for (int i = 0; i < parts->tag_count; i++) {
        free((char *)parts->tags[i].key);
        free((char *)parts->tags[i].value);
    }
    free(parts->tags);
    free(parts->list);
    *parts = (struct join_parts){0};
}
