/* The pieces themselves: opened, closed and put into the manifest by the encoders' threads. */
#include "cmd/job/state.h"

#include "cmd/manifest/lock.h"
#include "base/machine.h"

#include <malloc.h>
#include <stdlib.h>
#include <string.h>

static uint64_t first_of(const struct parts *parts, uint64_t part)
{
    const uint64_t first = part * parts->plan.segment;
    return first > parts->plan.first ? first : parts->plan.first;
}

/* Sinks make missing folders, which would hide that what was made so far is gone. */
static enum status check_folder(const struct parts *parts)
{
    if (folder_is_held(parts->manifest->folder, parts->manifest->lock))
        return STATUS_OK;
    return status_fail(STATUS_IO,
                       "'%s' has vanished with the parts of the film that were in it; bring it "
                       "back, or begin again",
                       parts->target->parts_path);
}

static enum status open_piece(void *user, uint64_t part, struct sink **sink)
{
    struct parts *parts = user;
    struct sink_params params = parts->target->params;
    char name[MANIFEST_NAME_MAX];
    char *path = NULL;
    *sink = NULL;
    enum status status = check_folder(parts);
    if (status != STATUS_OK)
        return status;
    if (parts->png) {
        params.first_frame = first_of(parts, part);
        params.tags = parts->tags.list;
        params.tag_count = parts->tags.count;
        if (params.threads < machine_processors())
            params.threads = machine_processors();
    } else {
        manifest_piece_name(name, part, parts->target->plan.container);
        path = manifest_path(parts->manifest, name);
        if (!path)
            return status_fail(STATUS_RUNTIME, "no memory left for a piece of the film");
        params.path = path;
        params.format = parts->target->plan.container;
    }
    status = sink_open(&params, sink);
    free(path);
    if (status == STATUS_OK && (status = check_folder(parts)) != STATUS_OK)
        (void)(*sink)->ops->close(sink, false, NULL, NULL); /* it was made anew just now */
    return status;
}

/* An encoder's memory, freed in pieces, would stay while the next one takes as much again. */
static void give_memory_back(void)
{
#ifdef __GLIBC__
    malloc_trim(0);
#endif
}

static enum status note_partial(struct parts *parts, uint64_t part, uint64_t frames)
{
    char name[MANIFEST_NAME_MAX];
    manifest_piece_name(name, part, parts->target->plan.container);
    char *path = parts->png ? NULL : manifest_path(parts->manifest, name);
    if (!parts->png && !path)
        return status_fail(STATUS_RUNTIME, "no memory left for a piece of the film");
    free(parts->partial.path);
    parts->partial.first = first_of(parts, part);
    parts->partial.frames = frames;
    parts->partial.path = path;
    return STATUS_OK;
}

static enum status close_piece(void *user, uint64_t part, struct sink **sink, uint64_t frames,
                               bool whole, bool broken)
{
    struct parts *parts = user;
    char name[MANIFEST_NAME_MAX] = "";
    enum status status = (*sink)->ops->close(sink, frames > 0 && !broken, NULL, NULL);
    give_memory_back();
    if (status != STATUS_OK || broken || frames == 0)
        return status;
    if (!parts->png)
        manifest_piece_name(name, part, parts->target->plan.container);
    pthread_mutex_lock(&parts->lock);
    if (whole)
        status = manifest_add_piece(parts->manifest, part, first_of(parts, part), frames, name);
    else
        status = note_partial(parts, part, frames);
    pthread_mutex_unlock(&parts->lock);
    return status;
}

const struct part_ops parts_ops = {open_piece, close_piece};
