#include "cmd/film/job/finished.h"

#include "base/stop.h"
#include "cmd/film/scene/own_scene.h"
#include "cmd/film/tags.h"
#include "render/picture/png_name.h"
#include "render/reader/film_info.h"
#include "render/reader/reader.h"
#include "render/sinks.h"
#include "render/video/exr_file.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

struct pixels {
    struct reader *reader;
    uint16_t *rgb;
};

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
    if (status == STATUS_OK && (!there || strcmp(there, state) != 0))
        status = status_fail(STATUS_USAGE,
                             "'%s' was made of other bodies, although the scene is the same: the "
                             "bodies file has changed; restore it, or start over with -y",
                             target->params.path);
    tags_free(&tags);
    return status;
}

static enum status look_at_png(void *user, uint64_t frame)
{
    struct pixels *pixels = user;
    return reader_read(pixels->reader, frame, pixels->rgb);
}

static enum status look_at_exr(void *user, uint64_t frame)
{
    char name[PATH_MAX];
    const struct sink_params *params = user;
    enum status status = png_name(params->path, frame, name, sizeof name);
    return status == STATUS_OK
               ? exr_file_check_whole(name, params->width, params->height, params->exr_bits)
               : status;
}

static enum status look_at_all(const struct target *target,
                               enum status (*look)(void *user, uint64_t frame), void *user,
                               const volatile sig_atomic_t *stop)
{
    for (uint64_t f = target->first; f <= target->last; f++) {
        if (stop_asked(stop))
            return status_fail(STATUS_STOPPED, "stopped");
        if (look(user, f) != STATUS_OK)
            return status_prefix(STATUS_IO,
                                 "frame %llu of '%s' is not what the run has left; remove it, and "
                                 "render it alone with --frames %llu..%llu",
                                 (unsigned long long)f, target->params.path, (unsigned long long)f,
                                 (unsigned long long)f);
    }
    return STATUS_OK;
}

static enum status check_pngs(const struct target *target, const volatile sig_atomic_t *stop)
{
    struct pixels pixels;
    enum status status = reader_open(&pixels.reader, target->params.path);
    if (status != STATUS_OK)
        return status;
    const struct reader_info *info = reader_info(pixels.reader);
    const size_t samples = (size_t)info->width * info->height * 3;
    pixels.rgb = malloc(samples * sizeof *pixels.rgb);
    status = pixels.rgb ? look_at_all(target, look_at_png, &pixels, stop)
                        : status_fail(STATUS_RUNTIME, "no memory left for a picture of %zu MiB",
                                      samples * sizeof *pixels.rgb >> 20);
    free(pixels.rgb);
    reader_close(&pixels.reader);
    return status;
}

enum status finished_check(const struct target *target, const struct film *film,
                           const volatile sig_atomic_t *stop)
{
    struct sink_params params = target->params;
    enum status status = check_start(target, film);
    if (status != STATUS_OK || target->plan.container)
        return status;
    return target->sink == &sink_exr ? look_at_all(target, look_at_exr, &params, stop)
                                     : check_pngs(target, stop);
}
