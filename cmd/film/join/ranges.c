#include "cmd/film/join/ranges.h"

#include "base/file.h"
#include "base/log.h"
#include "base/memory.h"
#include "base/tag.h"
#include "base/text.h"
#include "cmd/film/scene/own_scene.h"
#include "cmd/film/tags.h"
#include "render/video/picture_file.h"
#include "scenes/scene_check.h"
#include "scenes/print.h"
#include "scenes/scene.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static enum status refuse_pictures(const char *path)
{
    struct stat found;
    bool folder = stat(path, &found) == 0 && S_ISDIR(found.st_mode);
    if (!folder && !picture_file_named(path))
        return STATUS_OK;
    return status_fail(STATUS_USAGE,
                       "'%s' is %s, but films are joined; the pictures of a sequence need no "
                       "joining: render each range into the same folder",
                       path, folder ? "a folder" : "a picture");
}

static enum status read_one(struct input *input, const char *path, uint64_t *of)
{
    input->path = path;
    enum status status = refuse_pictures(path);
    if (status == STATUS_OK)
        status = film_info_read(path, &input->info);
    if (status != STATUS_OK)
        return status;
    status = own_scene_check(&input->info.tags, path);
    if (status != STATUS_OK)
        return status;
    const char *frames = tags_find(&input->info.tags, FILM_TAG_FRAMES);
    input->scene = tags_find(&input->info.tags, FILM_TAG_SCENE);
    if (!input->scene || !frames || !film_frames_read(frames, &input->first, &input->last, of))
        return status_fail(
            STATUS_USAGE,
            "'%s' has no tag that says which frames of which scene it contains; segments are made "
            "with `gravreel render --frames A..B` into mp4, mov, mkv or webm",
            path);
    if (input->info.frames == input->last - input->first + 1)
        return STATUS_OK;
    return status_fail(STATUS_USAGE,
                       "'%s' holds %llu frames, but says that they are %s; render it again", path,
                       (unsigned long long)input->info.frames, frames);
}

static int by_first(const void *a, const void *b)
{
    const struct input *x = a, *y = b;
    return (x->first > y->first) - (x->first < y->first);
}

/* The motion must be the same; the look may change from film to film, such as a title. */
static enum status match_scenes(const struct input *a, const struct input *b)
{
    enum { SEEN = 32 };
    struct scene_difference found[SEEN];
    const size_t count = scene_differences(a->scene, b->scene, found, SEEN),
                 seen = count < SEEN ? count : SEEN;
    if (count == 0)
        return STATUS_OK;
    const size_t moved = scene_differences_in_motion(found, seen);
    scene_differences_say(found, 1, NULL, NULL);
    if (moved == 0) {
        char more[48] = "";
        if (count > 1)
            snprintf(more, sizeof more, " and in %zu more keys", count - 1);
        log_warning("'%s' and '%s' look different, in %s (%s and %s)%s; the joined film has the "
                    "scene of the first",
                    a->path, b->path, found[0].key, found[0].a, found[0].b, more);
        return STATUS_OK;
    }
    return status_fail(STATUS_USAGE,
                       "the scenes differ: %s is %s in '%s' and %s in '%s'; render both from one "
                       "scene",
                       found[0].key, found[0].a, a->path, found[0].b, b->path);
}

static enum status match(const struct input *a, const struct input *b)
{
    enum status status = match_scenes(a, b);
    if (status != STATUS_OK)
        return status;
    if (a->info.container != b->info.container)
        return status_fail(STATUS_USAGE, "'%s' is %s, but '%s' is %s; render both into one format",
                           a->path, a->info.container->name, b->path, b->info.container->name);
    const char *x = tags_find(&a->info.tags, FILM_TAG_FIRST_STATE);
    const char *y = tags_find(&b->info.tags, FILM_TAG_FIRST_STATE);
    if (x && y && strcmp(x, y) != 0)
        return status_fail(STATUS_USAGE,
                           "'%s' and '%s' start from different bodies; render both from the same "
                           "bodies file, or with the same build of the program",
                           a->path, b->path);
    return STATUS_OK;
}

static enum status follow(const struct input *a, const struct input *b)
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

/* The rate as stored in the scene, because Matroska rounds it. */
static enum status find_rate(struct inputs *inputs)
{
    struct scene *scene;
    enum status status = scene_parse(&scene, inputs->list[0].scene, inputs->list[0].path);
    if (status == STATUS_OK)
        status = scene_validate(scene);
    if (status == STATUS_OK) {
        inputs->fps_num = scene->output.fps.num;
        inputs->fps_den = scene->output.fps.den;
        inputs->audio = *scene->output.audio ? memory_text(scene->output.audio) : NULL;
        inputs->timecode = *scene->output.timecode ? memory_text(scene->output.timecode) : NULL;
    }
    scene_close(&scene);
    return status;
}

enum status inputs_read(struct inputs *inputs, char *const *paths, size_t count)
{
    *inputs = (struct inputs){.list = memory_new(count, sizeof *inputs->list)};
    enum status status = STATUS_OK;
    for (; status == STATUS_OK && inputs->count < count; inputs->count++)
        status = read_one(&inputs->list[inputs->count], paths[inputs->count], &inputs->of);
    if (status == STATUS_OK)
        qsort(inputs->list, count, sizeof *inputs->list, by_first);
    for (size_t i = 1; status == STATUS_OK && i < count; i++)
        status = match(&inputs->list[0], &inputs->list[i]);
    for (size_t i = 1; status == STATUS_OK && i < count; i++)
        status = follow(&inputs->list[i - 1], &inputs->list[i]);
    return status == STATUS_OK ? find_rate(inputs) : status;
}

void inputs_free(struct inputs *inputs)
{
    for (size_t i = 0; i < inputs->count; i++)
        film_info_free(&inputs->list[i].info);
    free(inputs->audio);
    free(inputs->timecode);
    free(inputs->list);
    *inputs = (struct inputs){0};
}

/* ---- the tags of the joined film ---- */

/* Matroska keeps names in upper case. */
static char *lower(const char *name)
{
    char *copy = memory_text(name);
    for (char *at = copy; *at; at++)
        *at = (char)tolower((unsigned char)*at);
    return copy;
}

/* Whether the container adds this tag to every file. */
static bool is_containers(const char *name)
{
    static const char *const own[] = {"major_brand", "minor_version", "compatible_brands",
                                      "encoder", "duration"};
    for (size_t i = 0; i < sizeof own / sizeof own[0]; i++)
        if (strcmp(own[i], name) == 0)
            return true;
    return false;
}

/* The segments' distinct values: "cpu, avx2; NVIDIA H200". */
static char *list_values(const struct inputs *inputs, const char *name, bool *differ)
{
    char *all = NULL;
    *differ = false;
    for (size_t i = 0; i < inputs->count; i++) {
        const char *value = tags_find(&inputs->list[i].info.tags, name);
        bool known = false;
        for (size_t j = 0; value && j < i; j++) {
            const char *before = tags_find(&inputs->list[j].info.tags, name);
            known |= before && strcmp(before, value) == 0;
        }
        if (!value || known)
            continue;
        *differ |= all != NULL;
        text_append(&all, "; ", "%s", value);
    }
    return all;
}

static const char *latest(const struct inputs *inputs, const char *name)
{
    const char *found = "";
    for (size_t i = 0; i < inputs->count; i++) {
        const char *value = tags_find(&inputs->list[i].info.tags, name);
        found = value && strcmp(value, found) > 0 ? value : found;
    }
    return found;
}

static void warn_of(const char *name, const char *values)
{
    static const char *const matter[] = {"gravreel_device", "gravreel_renderer",
                                         "gravreel_version"};
    for (size_t i = 0; i < sizeof matter / sizeof matter[0]; i++)
        if (strcmp(name, matter[i]) == 0)
            log_warning("the segments differ in %s (%s); bodies or light may jump where they meet",
                        name, values);
}

static void add_values(const struct inputs *inputs, const char *name, struct tags *tags)
{
    bool differ;
    char *values = list_values(inputs, name, &differ);
    if (differ)
        warn_of(name, values);
    tags_add(tags, name, values);
    free(values);
}

void join_tags(const struct inputs *inputs, struct tags *tags)
{
    const struct input *first = &inputs->list[0], *last = &inputs->list[inputs->count - 1];
    const char *state = tags_find(&last->info.tags, FILM_TAG_LAST_STATE);
    char frames[FILM_FRAMES_TEXT];
    film_frames_print(first->first, last->last, inputs->of, frames);
    for (size_t i = 0; i < first->info.tags.count; i++) {
        char *name = lower(first->info.tags.list[i].name);
        if (strcmp(name, FILM_TAG_LAST_STATE) == 0 && state)
            tags_add(tags, name, state);
        else if (strcmp(name, FILM_TAG_FRAMES) == 0)
            tags_add(tags, name, frames);
        else if (strcmp(name, FILM_TAG_SCENE) == 0 || strcmp(name, FILM_TAG_SCENE_HASH) == 0 ||
                 strcmp(name, "title") == 0)
            tags_add(tags, name, first->info.tags.list[i].value);
        else if (strcmp(name, "creation_time") == 0)
            tags_add(tags, name, latest(inputs, name));
        else if (strcmp(name, FILM_TAG_LAST_STATE) != 0 && !is_containers(name))
            add_values(inputs, name, tags);
        free(name);
    }
    if (state && !tags_find(&first->info.tags, FILM_TAG_LAST_STATE))
        tags_add(tags, FILM_TAG_LAST_STATE, state);
    if (first->info.packed)
        tags_pack(tags);
}
