#include "cmd/film/manifest/entries.h"

#include "base/log.h"
#include "base/memory.h"
#include "cmd/film/manifest/manifest.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

void manifest_segment_name(char out[MANIFEST_NAME_MAX], uint64_t index, const char *extension)
{
    snprintf(out, MANIFEST_NAME_MAX, "segment-%06" PRIu64 ".%s", index, extension);
}

void manifest_pictures_name(char out[MANIFEST_NAME_MAX], uint64_t first)
{
    snprintf(out, MANIFEST_NAME_MAX, "pictures-%06" PRIu64 ".raw", first);
}

void manifest_checkpoint_name(char out[MANIFEST_NAME_MAX], uint64_t frame)
{
    snprintf(out, MANIFEST_NAME_MAX, "checkpoint-%06" PRIu64 ".h5", frame);
}

/* Hash and size of a file in the folder, or of the frames' own files in sequence. */
static enum status hash_files(const struct manifest *manifest, const char *file, uint64_t first,
                              uint64_t count, char hash[HASH_TEXT], uint64_t *bytes)
{
    struct hash_stream *stream = hash_open();
    enum status status = STATUS_OK;
    bool one = file[0] != '\0';
    *bytes = 0;
    if (!one && !manifest->frame_file)
        status = status_fail(STATUS_RUNTIME, "frames from %" PRIu64 " on have no files in '%s'",
                             first, manifest->folder);
    for (uint64_t f = 0; status == STATUS_OK && f < (one ? 1 : count); f++) {
        char *path =
            one ? manifest_path(manifest, file) : manifest->frame_file(manifest->user, first + f);
        status = path ? hash_add_file(stream, path, 0, bytes)
                      : status_fail(STATUS_RUNTIME, "frame %" PRIu64 " has no file", first + f);
        free(path);
    }
    hash_end(&stream, status == STATUS_OK ? hash : NULL);
    return status;
}

static bool is_file_name(const char *file)
{
    return !strchr(file, '/');
}

enum status manifest_hash_segment(const struct manifest *manifest, struct manifest_segment *segment)
{
    if (!is_file_name(segment->file) || segment->count == 0)
        return status_fail(STATUS_RUNTIME, "'%s' cannot name %" PRIu64 " frames in '%s'",
                           manifest->folder, segment->count, segment->file);
    return hash_files(manifest, segment->file, segment->first, segment->count, segment->hash,
                      &segment->bytes);
}

enum status manifest_hash_checkpoint(const struct manifest *manifest,
                                     struct manifest_checkpoint *checkpoint)
{
    const char *file = checkpoint->file;
    if (!is_file_name(file) || !*file)
        return status_fail(STATUS_RUNTIME, "'%s' cannot name a checkpoint '%s'", manifest->folder,
                           file);
    return hash_files(manifest, file, checkpoint->frame, 1, checkpoint->hash, &checkpoint->bytes);
}

/* Inserts an entry of `size` bytes at place `at` of an array, or replaces the one there. */
static void *put(void *array, size_t *count, size_t at, bool replace, const void *entry,
                 size_t size)
{
    char *items = array;
    if (!replace) {
        items = memory_grow(items, *count + 1, size);
        memmove(items + (at + 1) * size, items + at * size, (*count - at) * size);
        ++*count;
    }
    memcpy(items + at * size, entry, size);
    return items;
}

/* Inserts a segment, or pictures of one, into the list by its first frame. */
static void insert(struct manifest_segment **list, size_t *count,
                   const struct manifest_segment *entry)
{
    size_t at = 0;
    while (at < *count && (*list)[at].first < entry->first)
        at++;
    const bool replace = at < *count && (*list)[at].first == entry->first;
    *list = put(*list, count, at, replace, entry, sizeof *entry);
}

static void remove_file(const struct manifest *manifest, const char *file)
{
    char *path = manifest_path(manifest, file);
    if (unlink(path) != 0)
        log_debug("'%s' is not removed", path);
    free(path);
}

/* Moves the pictures of the segment from the list to `files`, which has room for all. */
static size_t take_pictures(struct manifest *manifest, const struct manifest_segment *segment,
                            struct manifest_segment *files)
{
    size_t taken = 0, left = 0;
    for (size_t p = 0; p < manifest->picture_count; p++) {
        const struct manifest_segment entry = manifest->pictures[p];
        const bool inside = entry.first >= segment->first &&
                            entry.first + entry.count <= segment->first + segment->count;
        *(inside ? &files[taken++] : &manifest->pictures[left++]) = entry;
    }
    manifest->picture_count = left;
    return taken;
}

enum status manifest_add_segment(struct manifest *manifest, const struct manifest_segment *segment)
{
    struct manifest_segment *files = memory_new(manifest->picture_count + 1, sizeof *files);
    insert(&manifest->segments, &manifest->segment_count, segment);
    const size_t taken = take_pictures(manifest, segment, files);
    enum status status = manifest_save(manifest); /* first the entries, then the files */
    for (size_t i = 0; i < taken && status == STATUS_OK; i++)
        if (files[i].file[0])
            remove_file(manifest, files[i].file);
    free(files);
    return status;
}

enum status manifest_add_pictures(struct manifest *manifest,
                                  const struct manifest_segment *pictures)
{
    insert(&manifest->pictures, &manifest->picture_count, pictures);
    return manifest_save(manifest);
}

enum status manifest_add_checkpoint(struct manifest *manifest,
                                    const struct manifest_checkpoint *checkpoint)
{
    size_t at = 0, *count = &manifest->checkpoint_count;
    while (at < *count && manifest->checkpoints[at].frame < checkpoint->frame)
        at++;
    const bool replace = at < *count && manifest->checkpoints[at].frame == checkpoint->frame;
    manifest->checkpoints =
        put(manifest->checkpoints, count, at, replace, checkpoint, sizeof *checkpoint);
    return manifest_save(manifest);
}

/* Whether the files are unchanged; otherwise warns of the reason and, in `so`, the consequence. */
static enum status holds(const struct manifest *manifest, const char *file, uint64_t first,
                         uint64_t count, const char *hash, const char *so, bool *good)
{
    char found[HASH_TEXT];
    uint64_t bytes;
    enum status status = hash_files(manifest, file, first, count, found, &bytes);
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

/* Removes changed entries from a list. */
static enum status verify_list(const struct manifest *manifest, struct manifest_segment *list,
                               size_t *count)
{
    size_t left = 0;
    enum status status = STATUS_OK;
    char so[96];
    bool good;
    for (size_t p = 0; status == STATUS_OK && p < *count; p++) {
        const struct manifest_segment entry = list[p];
        snprintf(so, sizeof so, "frames %" PRIu64 " to %" PRIu64 " are rendered again", entry.first,
                 entry.first + entry.count - 1);
        status = holds(manifest, entry.file, entry.first, entry.count, entry.hash, so, &good);
        if (status == STATUS_OK && good)
            list[left++] = entry;
    }
    if (status == STATUS_OK)
        *count = left;
    return status;
}

enum status manifest_verify(struct manifest *manifest, size_t *lost)
{
    size_t segments = manifest->segment_count, pictures = manifest->picture_count, checkpoints = 0;
    bool good;
    enum status status = verify_list(manifest, manifest->segments, &manifest->segment_count);
    if (status == STATUS_OK)
        status = verify_list(manifest, manifest->pictures, &manifest->picture_count);
    for (size_t c = 0; status == STATUS_OK && c < manifest->checkpoint_count; c++) {
        struct manifest_checkpoint *checkpoint = &manifest->checkpoints[c];
        status = holds(manifest, checkpoint->file, checkpoint->frame, 1, checkpoint->hash,
                       "the run continues from an earlier checkpoint", &good);
        if (status == STATUS_OK && good)
            manifest->checkpoints[checkpoints++] = *checkpoint;
    }
    if (status != STATUS_OK)
        return status;
    const size_t gone = segments - manifest->segment_count + pictures - manifest->picture_count +
                        manifest->checkpoint_count - checkpoints;
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
    struct manifest_checkpoint *files = memory_new(dropped, sizeof *files);
    memcpy(files, manifest->checkpoints, dropped * sizeof *files);
    manifest->checkpoint_count -= dropped;
    memmove(manifest->checkpoints, manifest->checkpoints + dropped,
            manifest->checkpoint_count * sizeof *files);
    enum status status = manifest_save(manifest); /* first the entries, then the files */
    for (size_t i = 0; i < dropped && status == STATUS_OK; i++)
        remove_file(manifest, files[i].file);
    free(files);
    return status;
}
