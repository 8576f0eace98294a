#include "cmd/film/job/segments.h"

#include "base/log.h"
#include "base/machine.h"
#include "base/memory.h"
#include "base/ranks/ranks.h"
#include "base/output.h"
#include "cmd/film/manifest/manifest.h"
#include "cmd/film/manifest/lock.h"
#include "render/picture/png_pdf.h"
#include "render/sinks.h"
#include "render/video/codecs.h"

#include <errno.h>
#include <inttypes.h>
#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- unfinished segments ---- */

/* The manifest lists the frames of a segment that a stop has interrupted, so that a resume draws
 * only the others. For a sequence, the frames are its picture files; for a film, raw pictures are
 * kept, because an encoder cannot be continued and must get the segment from its first frame on.
 */

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

/* Number of frames that a segment has already, from its first on. Thread-safe. */
static uint64_t unfinished_frames(struct job *job, uint64_t index)
{
    uint64_t frames = 0;
    size_t count;
    struct manifest_segment *entries = entries_of(job, index, &count);
    for (size_t e = 0; e < count; e++)
        frames += entries[e].count;
    free(entries);
    return frames;
}

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

/* Writes these frames into the sink of a film's segment that is starting. */
static enum status unfinished_replay(struct job *job, uint64_t index, struct sink *sink)
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

/* Keeps pictures of a film; suitable for segment_ops.keep. If they cannot be kept, a warning says
 * what is lost. `user`: the job. */
static void unfinished_keep(void *user, uint64_t index, uint64_t frames,
                            struct picture *const *pictures, uint64_t count)
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

/* Lists a sequence's pictures in the manifest: frames `first` and up of a segment. */
static enum status unfinished_name(struct job *job, uint64_t index, uint64_t first, uint64_t count)
{
    struct manifest_segment entry = {.index = index, .first = first, .count = count};
    return count > 0 ? add(job, &entry) : STATUS_OK;
}

/* ---- all segments ---- */

static void note(struct job *job, uint64_t first, uint64_t count)
{
    for (uint64_t f = first; f < first + count; f++)
        if (f >= job->plan.first && f <= job->plan.last)
            job->done[f - job->plan.first] = true;
}

void segments_note(struct job *job)
{
    const struct manifest *manifest = job->manifest;
    const uint64_t length = job->plan.segment_length;
    job->done = memory_new((size_t)(job->plan.last - job->plan.first + 1), sizeof *job->done);
    for (size_t s = 0; s < manifest->segment_count; s++)
        note(job, manifest->segments[s].first, manifest->segments[s].count);
    for (size_t p = 0; p < manifest->picture_count; p++) {
        const uint64_t index = manifest->pictures[p].first / length;
        note(job, job_segment_first(job, index), unfinished_frames(job, index));
    }
}

bool segments_want(void *user, uint64_t frame)
{
    const struct job *job = user;
    return !job->done[frame - job->plan.first];
}

/* Sinks create missing folders, which would hide that the earlier segments are gone. */
static enum status check_folder(const struct job *job)
{
    if (folder_is_held(job->manifest->folder, job->manifest->lock))
        return STATUS_OK;
    return status_fail(
        STATUS_IO,
        "'%s' no longer exists, and the film's segments were in it; restore it, or start over",
        job->manifest->folder);
}

static void name_segment(const struct job *job, uint64_t index, char name[MANIFEST_NAME_MAX])
{
    manifest_segment_name(name, index, job->target->plan.container->name);
}

static enum status give_up(struct sink **sink, enum status status)
{
    struct failure failure = {0};
    failure_keep(&failure, status);
    (void)(*sink)->ops->close(sink, false, NULL, NULL);
    return failure_report(&failure);
}

static enum status open_segment(void *user, uint64_t index, uint64_t *frames, struct sink **sink)
{
    struct job *job = user;
    struct sink_params params = job->target->params;
    char name[MANIFEST_NAME_MAX];
    char *path = NULL;
    *sink = NULL;
    enum status status = check_folder(job);
    if (status != STATUS_OK)
        return status;
    *frames = unfinished_frames(job, index);
    if (job->sequence) {
        params.first_frame = job_segment_first(job, index) + *frames;
        params.tags = job->tags;
        if (params.output.threads < machine_processors())
            params.output.threads = machine_processors();
    } else {
        name_segment(job, index, name);
        path = manifest_path_to_write(job->manifest, name);
        params.path = path;
        params.format = job->target->plan.container->name;
    }
    status = sink_open(&params, sink);
    free(path);
    if (status != STATUS_OK)
        return status;
    status = check_folder(job); /* rather than a new folder made by the sink */
    if (status == STATUS_OK && !job->sequence)
        status = unfinished_replay(job, index, *sink);
    return status == STATUS_OK ? status : give_up(sink, status);
}

/* Otherwise memory freed by an encoder would stay while the next encoder allocates as much
 * again. Under AddressSanitizer glibc's own heap is unused, and crashes when two threads trim it
 * for the first time at once. */
static void give_memory_back(void)
{
#if defined(__GLIBC__) && !defined(__SANITIZE_ADDRESS__)
    malloc_trim(0);
#endif
}

static void note_partial(struct job *job, const struct manifest_segment *segment)
{
    free(job->partial.path);
    job->partial.first = segment->first;
    job->partial.frames = segment->count;
    job->partial.path = job->sequence ? NULL : manifest_path(job->manifest, segment->file);
}

/* Hashing reads the whole segment, so it runs without the lock. */
static enum status close_segment(void *user, uint64_t index, struct sink **sink, uint64_t frames,
                                 bool whole, bool broken)
{
    struct job *job = user;
    struct manifest_segment segment = {
        .index = index, .first = job_segment_first(job, index), .count = frames};
    const uint64_t before = unfinished_frames(job, index);
    enum status status = (*sink)->ops->close(sink, frames > 0 && !broken, NULL, NULL);
    give_memory_back();
    if (status != STATUS_OK || broken || frames == 0)
        return status;
    if (!job->sequence)
        name_segment(job, index, segment.file);
    if (whole)
        status = manifest_hash_segment(job->manifest, &segment);
    else if (job->sequence)
        status = unfinished_name(job, index, segment.first + before, frames - before);
    pthread_mutex_lock(&job->lock);
    if (!whole)
        note_partial(job, &segment);
    else if (status == STATUS_OK)
        status = manifest_add_segment(job->manifest, &segment);
    pthread_mutex_unlock(&job->lock);
    return status;
}

enum status segments_show_unfinished(struct job *job)
{
    uint64_t first, count, frames = 0;
    if (!manifest_next_gap(job->manifest, job->plan.first, &first, &count) ||
        (job->partial.frames > 0 && job->partial.first == first))
        return STATUS_OK;
    struct manifest_segment segment = {.index = first / job->plan.segment_length, .first = first};
    segment.count = unfinished_frames(job, segment.index);
    if (segment.count > 0 && job->sequence)
        note_partial(job, &segment);
    if (segment.count == 0 || job->sequence)
        return STATUS_OK;
    struct sink *sink;
    const enum status status = open_segment(job, segment.index, &frames, &sink);
    return status == STATUS_OK ? close_segment(job, segment.index, &sink, frames, false, false)
                               : status;
}

const struct segment_ops segments_write_films = {open_segment, unfinished_keep, close_segment};
const struct segment_ops segments_write_sequence = {.open = open_segment, .close = close_segment};

/* ==== division into segments ==== */

bool job_follows(void)
{
    return ranks_are_together() && ranks_own() > 0;
}

uint64_t job_segment_first(const struct job *job, uint64_t index)
{
    const uint64_t first = index * job->plan.segment_length;
    return first > job->plan.first ? first : job->plan.first;
}

uint64_t job_segment_end(const struct job *job, uint64_t index)
{
    const uint64_t end = (index + 1) * job->plan.segment_length;
    return end < job->plan.last + 1 ? end : job->plan.last + 1;
}

char *job_frame_file(void *user, uint64_t frame)
{
    const struct job *job = user;
    char name[4096];
    return png_name(job->target->params.path, frame, name, sizeof name) == STATUS_OK
               ? memory_text(name)
               : NULL;
}
