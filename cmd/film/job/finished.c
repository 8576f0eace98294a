#include "cmd/film/job/finished.h"

#include "base/queue.h"
#include "base/status.h"
#include "cmd/film/scene/own_scene.h"
#include "cmd/film/tags.h"
#include "render/picture/png_file.h"
#include "render/reader/film_info.h"
#include "render/reader/reader.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

/* Every picture of a sequence has the same tags. */
static enum status read_tags(const struct target *target, struct tags *tags)
{
    char name[PATH_MAX];
    *tags = (struct tags){0};
    if (target->plan.container)
        return film_info_read_tags(target->params.path, tags);
    enum status status = png_name(target->params.path, target->first, name, sizeof name);
    return status == STATUS_OK ? own_scene_tags(name, tags) : status;
}

static enum status check_start(const struct target *target, const struct film *film)
{
    struct tags tags;
    char state[HASH_TEXT];
    enum status status = read_tags(target, &tags);
    if (status == STATUS_OK)
        status = film_state_hash(film, state);
    const char *there = status == STATUS_OK ? tags_find(&tags, FILM_TAG_FIRST_STATE) : NULL;
    if (status == STATUS_OK && *state && (!there || strcmp(there, state) != 0))
        status = status_fail(STATUS_USAGE,
                             "'%s' was made of other bodies, although the scene is the same: the "
                             "bodies file has changed; restore it, or start over with -y",
                             target->params.path);
    tags_free(&tags);
    return status;
}

static enum status read_all(const struct target *target, struct reader *reader, uint16_t *rgb,
                            const volatile sig_atomic_t *stop)
{
    for (uint64_t f = target->first; f <= target->last; f++) {
        if (stop_asked(stop))
            return status_fail(STATUS_STOPPED, "stopped");
        if (reader_read(reader, f, rgb) != STATUS_OK)
            return status_prefix(
                STATUS_IO,
                "cannot read frame %llu of '%s', which the run had written; remove the file, and "
                "render the frame again with --frames %llu..%llu",
                (unsigned long long)f, target->params.path, (unsigned long long)f,
                (unsigned long long)f);
    }
    return STATUS_OK;
}

static enum status check_pictures(const struct target *target, const volatile sig_atomic_t *stop)
{
    struct reader *reader;
    enum status status = reader_open(&reader, target->params.path);
    if (status != STATUS_OK)
        return status;
    const struct reader_info *info = reader_info(reader);
    const size_t samples = (size_t)info->width * info->height * 3;
    uint16_t *rgb = malloc(samples * sizeof *rgb);
    status = rgb ? read_all(target, reader, rgb, stop)
                 : status_fail(STATUS_RUNTIME, "no memory left for a picture of %zu MiB",
                               samples * sizeof *rgb >> 20);
    free(rgb);
    reader_close(&reader);
    return status;
}

enum status finished_check(const struct target *target, const struct film *film,
                           const volatile sig_atomic_t *stop)
{
    enum status status = check_start(target, film);
    if (status != STATUS_OK || target->plan.container)
        return status;
    return check_pictures(target, stop);
}
