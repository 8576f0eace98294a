#include "cmd/film/job/unfinished.h"

#include "base/log.h"
#include "base/memory.h"
#include "base/output.h"
#include "cmd/film/manifest/entries.h"
#include "cmd/film/manifest/manifest.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The entries that continue from the segment's first frame without a gap; the caller frees them. */
static struct manifest_segment *entries_of(struct job *job, uint64_t index, size_t *count)
{
    uint64_t next = job_segment_first(job, index);
    *count = 0;
    pthread_mutex_lock(&job->lock);
    const struct manifest *manifest = job->manifest;
    struct manifest_segment *entries = memory_new(manifest->picture_count + 1, sizeof *entries);
    for (size_t p = 0; p < manifest->picture_count; p++) {
        const struct manifest_segment *entry = &manifest->pictures[p];
        if (entry->first != next || entry->first + entry->count >= job_segment_end(job, index))
            continue;
        entries[(*count)++] = *entry;
        next += entry->count;
    }
    pthread_mutex_unlock(&job->lock);
    return entries;
}

uint64_t unfinished_frames(struct job *job, uint64_t index)
{
    uint64_t frames = 0;
    size_t count;
    struct manifest_segment *entries = entries_of(job, index, &count);
    for (size_t e = 0; e < count; e++)
        frames += entries[e].count;
    free(entries);
    return frames;
}

/* ---- reading ---- */

static enum status replay_file(FILE *file, const struct manifest_segment *entry, const char *path,
                               struct sink *sink)
{
    struct picture picture = {.frame = entry->first};
    enum status status = STATUS_OK;
    picture_layout(&picture.layout, sink->format, sink->width, sink->height);
    if (entry->bytes != entry->count * picture.layout.size)
        return status_fail(STATUS_IO,
                           "'%s' has %" PRIu64 " bytes, but %" PRIu64 " pictures of %zu bytes are "
                           "expected; remove it and resume again",
                           path, entry->bytes, entry->count, picture.layout.size);
    picture.data = malloc(picture.layout.size);
    if (!picture.data)
        return status_fail(STATUS_RUNTIME, "no memory left for a picture of %zu bytes",
                           picture.layout.size);
    for (; picture.frame < entry->first + entry->count && status == STATUS_OK; picture.frame++)
        status = fread(picture.data, picture.layout.size, 1, file) == 1
                     ? sink->ops->write(sink, &picture)
                     : status_fail(STATUS_IO, "cannot read '%s': %s", path, strerror(errno));
    free(picture.data);
    return status;
}

enum status unfinished_replay(struct job *job, uint64_t index, struct sink *sink)
{
    size_t count;
    struct manifest_segment *entries = entries_of(job, index, &count);
    enum status status = STATUS_OK;
    for (size_t e = 0; e < count && status == STATUS_OK; e++) {
        char *path = manifest_path(job->manifest, entries[e].file);
        FILE *file = fopen(path, "rbe");
        status = file ? replay_file(file, &entries[e], path, sink)
                      : status_fail(STATUS_IO, "cannot read '%s': %s", path, strerror(errno));
        if (file)
            fclose(file);
        free(path);
    }
    free(entries);
    return status;
}

/* ---- writing ---- */

static enum status add(struct job *job, struct manifest_segment *entry)
{
    enum status status = manifest_hash_segment(job->manifest, entry);
    if (status != STATUS_OK)
        return status;
    pthread_mutex_lock(&job->lock);
    status = manifest_add_pictures(job->manifest, entry);
    pthread_mutex_unlock(&job->lock);
    return status;
}

static enum status write_pictures(const char *path, struct picture *const *pictures, uint64_t count)
{
    struct output output;
    enum status status = output_open(&output, path);
    if (status != STATUS_OK)
        return status;
    bool good = true;
    for (uint64_t i = 0; i < count && good; i++)
        good = output_write(&output, pictures[i]->data, pictures[i]->layout.size);
    good = output_close(&output, good, true);
    status = good ? STATUS_OK : output_failed(&output, count);
    output_release(&output);
    return status;
}

void unfinished_keep(void *user, uint64_t index, uint64_t frames, struct picture *const *pictures,
                     uint64_t count)
{
    struct job *job = user;
    struct manifest_segment entry = {
        .index = index, .first = job_segment_first(job, index) + frames - count, .count = count};
    manifest_pictures_name(entry.file, entry.first);
    char *path = manifest_path_to_write(job->manifest, entry.file);
    enum status status = write_pictures(path, pictures, count);
    free(path);
    if (status == STATUS_OK)
        status = add(job, &entry);
    if (status != STATUS_OK)
        log_warning("%s, so a resume draws frames %" PRIu64 " to %" PRIu64 " again", status_text(),
                    entry.first, entry.first + count - 1);
}

enum status unfinished_name(struct job *job, uint64_t index, uint64_t first, uint64_t count)
{
    struct manifest_segment entry = {.index = index, .first = first, .count = count};
    return count > 0 ? add(job, &entry) : STATUS_OK;
}
