/* The segments and checkpoints that a manifest names. */
#include "cmd/manifest/manifest.h"

#include "base/log.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static enum status no_memory(const struct manifest *manifest)
{
    return status_fail(STATUS_RUNTIME, "no memory left for the manifest of '%s'", manifest->folder);
}

/* Hash and size of a file of the folder, or of the frames' own files one behind the other. */
static enum status look_at(const struct manifest *manifest, const char *file, uint64_t first,
                           uint64_t count, char hash[HASH_TEXT], uint64_t *bytes)
{
    struct hash_stream *stream = hash_open();
    enum status status = STATUS_OK;
    bool one = file[0] != '\0';
    *bytes = 0;
    if (!one && !manifest->frame_file)
        status = status_fail(STATUS_RUNTIME, "frames %" PRIu64 " and on of '%s' have no files",
                             first, manifest->folder);
    for (uint64_t f = 0; status == STATUS_OK && f < (one ? 1 : count); f++) {
        char *path =
            one ? manifest_path(manifest, file) : manifest->frame_file(manifest->user, first + f);
        status = path ? hash_add_file(stream, path, 0, bytes) : no_memory(manifest);
        free(path);
    }
    hash_end(&stream, status == STATUS_OK ? hash : NULL);
    return status;
}

static bool fits(const char *file)
{
    return strlen(file) < MANIFEST_NAME_MAX && !strchr(file, '/');
}

/* The place `at` of a sorted array, whose entry is to be replaced or to follow behind a new one. */
static void *make_room(const struct manifest *manifest, void **array, size_t *count, size_t at,
                       size_t size, bool replace)
{
    if (replace)
        return (char *)*array + at * size;
    char *longer = realloc(*array, (*count + 1) * size);
    if (!longer) {
        (void)no_memory(manifest);
        return NULL;
    }
    *array = longer;
    memmove(longer + (at + 1) * size, longer + at * size, (*count - at) * size);
    ++*count;
    return longer + at * size;
}

enum status manifest_add_segment(struct manifest *manifest, uint64_t index, uint64_t first,
                                 uint64_t count, const char *file)
{
    struct manifest_segment segment = {.index = index, .first = first, .count = count};
    if (!fits(file) || count == 0)
        return status_fail(STATUS_RUNTIME, "'%s' cannot name %" PRIu64 " frames in '%s'",
                           manifest->folder, count, file);
    snprintf(segment.file, sizeof segment.file, "%s", file);
    enum status status = look_at(manifest, file, first, count, segment.hash, &segment.bytes);
    if (status != STATUS_OK)
        return status;
    size_t at = 0;
    while (at < manifest->segment_count && manifest->segments[at].first < first)
        at++;
    bool replace = at < manifest->segment_count && manifest->segments[at].first == first;
    void *array = manifest->segments;
    struct manifest_segment *place =
        make_room(manifest, &array, &manifest->segment_count, at, sizeof segment, replace);
    manifest->segments = array;
    if (!place)
        return STATUS_RUNTIME;
    *place = segment;
    return manifest_save(manifest);
}

enum status manifest_add_checkpoint(struct manifest *manifest, uint64_t frame, const char *file)
{
    struct manifest_checkpoint checkpoint = {.frame = frame};
    if (!fits(file) || !*file)
        return status_fail(STATUS_RUNTIME, "'%s' cannot name a checkpoint '%s'", manifest->folder,
                           file);
    snprintf(checkpoint.file, sizeof checkpoint.file, "%s", file);
    enum status status = look_at(manifest, file, frame, 1, checkpoint.hash, &checkpoint.bytes);
    if (status != STATUS_OK)
        return status;
    size_t at = 0;
    while (at < manifest->checkpoint_count && manifest->checkpoints[at].frame < frame)
        at++;
    bool replace = at < manifest->checkpoint_count && manifest->checkpoints[at].frame == frame;
    void *array = manifest->checkpoints;
    struct manifest_checkpoint *place =
        make_room(manifest, &array, &manifest->checkpoint_count, at, sizeof checkpoint, replace);
    manifest->checkpoints = array;
    if (!place)
        return STATUS_RUNTIME;
    *place = checkpoint;
    return manifest_save(manifest);
}

/* Whether the files are what they were; a warning says why not, and `so` what follows. */
static enum status holds(const struct manifest *manifest, const char *file, uint64_t first,
                         uint64_t count, const char *hash, const char *so, bool *good)
{
    char found[HASH_TEXT];
    uint64_t bytes;
    enum status status = look_at(manifest, file, first, count, found, &bytes);
    *good = status == STATUS_OK && strcmp(found, hash) == 0;
    if (status == STATUS_RUNTIME)
        return status;
    if (status != STATUS_OK)
        log_warning("%s, so %s", status_text(), so);
    else if (!*good && *file)
        log_warning("'%s/%s' has changed since it was written, so %s", manifest->folder, file, so);
    else if (!*good)
        log_warning("a picture among frames %" PRIu64 " to %" PRIu64 " has changed since it was "
                    "written, so %s",
                    first, first + count - 1, so);
    return STATUS_OK;
}

enum status manifest_verify(struct manifest *manifest, size_t *lost)
{
    size_t segments = 0, checkpoints = 0;
    enum status status = STATUS_OK;
    char so[96];
    bool good;
    for (size_t p = 0; status == STATUS_OK && p < manifest->segment_count; p++) {
        struct manifest_segment *segment = &manifest->segments[p];
        snprintf(so, sizeof so, "frames %" PRIu64 " to %" PRIu64 " are made again", segment->first,
                 segment->first + segment->count - 1);
        status = holds(manifest, segment->file, segment->first, segment->count, segment->hash, so,
                       &good);
        if (status == STATUS_OK && good)
            manifest->segments[segments++] = *segment;
    }
    for (size_t c = 0; status == STATUS_OK && c < manifest->checkpoint_count; c++) {
        struct manifest_checkpoint *checkpoint = &manifest->checkpoints[c];
        status = holds(manifest, checkpoint->file, checkpoint->frame, 1, checkpoint->hash,
                       "the run goes on from an earlier checkpoint", &good);
        if (status == STATUS_OK && good)
            manifest->checkpoints[checkpoints++] = *checkpoint;
    }
    if (status != STATUS_OK)
        return status;
    size_t gone = manifest->segment_count - segments + manifest->checkpoint_count - checkpoints;
    manifest->segment_count = segments;
    manifest->checkpoint_count = checkpoints;
    if (lost)
        *lost = gone;
    return gone > 0 ? manifest_save(manifest) : STATUS_OK;
}

bool manifest_next_gap(const struct manifest *manifest, uint64_t from, uint64_t *first,
                       uint64_t *count)
{
    uint64_t end = manifest->plan.last + 1, at = from;
    if (at < manifest->plan.first)
        at = manifest->plan.first;
    for (size_t p = 0; p < manifest->segment_count; p++) {
        const struct manifest_segment *segment = &manifest->segments[p];
        if (segment->first > at) {
            end = segment->first < end ? segment->first : end;
            break;
        }
        if (segment->first + segment->count > at)
            at = segment->first + segment->count;
    }
    *first = at;
    *count = at < end ? end - at : 0;
    return *count > 0;
}

const struct manifest_checkpoint *manifest_checkpoint_before(const struct manifest *manifest,
                                                             uint64_t frame)
{
    const struct manifest_checkpoint *latest = NULL;
    for (size_t c = 0; c < manifest->checkpoint_count; c++)
        if (manifest->checkpoints[c].frame <= frame)
            latest = &manifest->checkpoints[c];
    return latest;
}

enum status manifest_drop_checkpoints(struct manifest *manifest)
{
    uint64_t gap, count;
    if (!manifest_next_gap(manifest, manifest->plan.first, &gap, &count))
        return STATUS_OK;
    size_t before = 0;
    while (before < manifest->checkpoint_count && manifest->checkpoints[before].frame <= gap)
        before++;
    if (before <= 2)
        return STATUS_OK;
    const size_t dropped = before - 2;
    struct manifest_checkpoint *files = malloc(dropped * sizeof *files);
    if (!files)
        return no_memory(manifest);
    memcpy(files, manifest->checkpoints, dropped * sizeof *files);
    manifest->checkpoint_count -= dropped;
    memmove(manifest->checkpoints, manifest->checkpoints + dropped,
            manifest->checkpoint_count * sizeof *files);
    enum status status = manifest_save(manifest); /* first the names, then the files */
    for (size_t i = 0; i < dropped && status == STATUS_OK; i++) {
        char *path = manifest_path(manifest, files[i].file);
        if (path && unlink(path) != 0)
            log_debug("'%s' is not removed", path);
        free(path);
    }
    free(files);
    return status;
}
