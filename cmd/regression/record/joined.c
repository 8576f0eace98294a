#include "cmd/regression/record/joined.h"

#include "base/memory.h"
#include "base/text.h"
#include "cmd/regression/record/boxes.h"
#include "cmd/regression/record/readback.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static enum status follow(const struct record *a, const struct record *b, const char *name_a,
                          const char *name_b)
{
    if (strcmp(a->scene_hash, b->scene_hash) != 0)
        return status_fail(STATUS_USAGE, "the manifests '%s' and '%s' are of different scenes",
                           name_a, name_b);
    const uint64_t next = a->frames[a->count - 1].frame + 1;
    if (b->frames[0].frame == next)
        return STATUS_OK;
    return status_fail(STATUS_USAGE,
                       "the manifest '%s' ends before frame %" PRIu64
                       ", and '%s' begins with frame "
                       "%" PRIu64,
                       name_a, next, name_b, b->frames[0].frame);
}

enum status joined_check(const struct record *parts, const char *const *names, size_t count)
{
    enum status status = STATUS_OK;
    for (size_t i = 0; i < count && status == STATUS_OK; i++) {
        if (parts[i].count == 0)
            status = status_fail(STATUS_USAGE, "the manifest '%s' holds no frames", names[i]);
        else if (i > 0)
            status = follow(&parts[i - 1], &parts[i], names[i - 1], names[i]);
    }
    return status;
}

/* Appends to a list: "cpu, AVX2; NVIDIA H200". */
static void list_also(char **text, const char *more)
{
    if (more && *more && !(*text && strstr(*text, more)))
        text_append(text, "; ", "%s", more);
}

static void list_makers(struct record *out, const struct record *part)
{
    list_also(&out->program, part->program);
    list_also(&out->commit, part->commit);
    list_also(&out->renderer_class, part->renderer_class);
    list_also(&out->device, part->device);
    list_also(&out->libraries, part->libraries);
    list_also(&out->encoding, part->encoding);
    list_also(&out->platform.start, part->platform.start);
    list_also(&out->platform.physics, part->platform.physics);
    list_also(&out->platform.drawing, part->platform.drawing);
    list_also(&out->platform.encoder, part->platform.encoder);
    list_also(&out->platform.muxer, part->platform.muxer);
}

/* Removes the container fields of the first segment's file, to be replaced by those of the film. */
static void forget_container(struct container_record *container)
{
    char *const texts[] = {
        container->format,       container->codec,        container->profile,
        container->pixel_format, container->range,        container->matrix,
        container->transfer,     container->primaries,    container->chroma_site,
        container->time_base,    container->pixel_aspect,
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        free(texts[i]);
    free(container->shown);
    *container = (struct container_record){0};
}

/* Appends the frames that a part shows to those of the parts before it. */
static void join_shows(struct record *out, const struct record *part)
{
    const uint64_t before = out->shows ? out->shown : out->count,
                   more = part->shows ? part->shown : part->count;
    if (!out->shows && !part->shows)
        return;
    uint64_t *shows = memory_new(before + more + 1, sizeof *shows);
    for (uint64_t i = 0; i < before; i++)
        shows[i] = out->shows ? out->shows[i] : out->frames[i].frame;
    for (uint64_t i = 0; i < more; i++)
        shows[before + i] = part->shows ? part->shows[i] : part->frames[i].frame;
    free(out->shows);
    out->shows = shows;
    out->shown = before + more;
}

enum status joined_record(struct record *parts, size_t count, const char *path, struct record *out)
{
    *out = parts[0];
    parts[0] = (struct record){0};
    for (size_t i = 1; i < count; i++) {
        const uint64_t frames = out->count + parts[i].count;
        join_shows(out, &parts[i]);
        out->frames = memory_grow(out->frames, (size_t)frames, sizeof *out->frames);
        memcpy(out->frames + out->count, parts[i].frames,
               (size_t)parts[i].count * sizeof *out->frames);
        out->count = frames;
        list_makers(out, &parts[i]);
    }
    forget_container(&out->container);
    const enum status status = readback_film(path, out);
    return status == STATUS_OK ? boxes_read(path, out) : status;
}
