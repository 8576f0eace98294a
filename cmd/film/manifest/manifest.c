#include "cmd/film/manifest/manifest.h"

#include "base/file.h"
#include "base/json/codec.h"
#include "base/log.h"
#include "base/memory.h"
#include "base/part.h"
#include "base/text.h"
#include "cmd/film/manifest/lock.h"
#include "scenes/print.h"

#include <dirent.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { TEXT_MAX = 1 << 28 };
static const char present[] = "manifest.json", previous[] = "manifest.previous.json";

char *manifest_path(const struct manifest *manifest, const char *name)
{
    return text_format("%s/%s", manifest->folder, name);
}

char *manifest_path_to_write(const struct manifest *manifest, const char *name)
{
    char *path = manifest_path(manifest, name);
    if (file_is_link(path))
        (void)unlink(path);
    return path;
}

static bool has(const char *folder, const char *name)
{
    char *path = text_format("%s/%s", folder, name);
    bool found = file_exists(path);
    free(path);
    return found;
}

bool manifest_exists(const char *folder)
{
    return has(folder, present) || has(folder, previous);
}

/* ---- saving ---- */

/* Keeps the current manifest as the previous one too, without a moment in which that is missing;
 * file systems without links keep none. rename() between two names of one file does nothing. */
static void keep_previous(const char *now, const char *before)
{
    char *temporary = part_name(before);
    (void)unlink(temporary);
    if (link(now, temporary) != 0 || rename(temporary, before) != 0)
        log_debug("'%s' is not kept", before);
    (void)unlink(temporary);
    free(temporary);
}

enum status manifest_save(const struct manifest *manifest)
{
    char *text = manifest_to_json(manifest);
    if (!text)
        return status_fail(STATUS_USAGE,
                           "the manifest of '%s' cannot be written: the scene or a file name in it "
                           "is not UTF-8",
                           manifest->folder);
    char *now = manifest_path(manifest, present), *before = manifest_path(manifest, previous);
    if (file_exists(now))
        keep_previous(now, before);
    enum status status = file_write(now, text, strlen(text));
    free(text);
    free(now);
    free(before);
    return status;
}

/* ---- opening ---- */

static enum status lock(struct manifest **out, const char *folder, bool make)
{
    struct manifest *manifest = *out = memory_new(1, sizeof *manifest);
    manifest->folder = memory_text(folder);
    return folder_lock(folder, make, &manifest->lock);
}

void manifest_close(struct manifest **manifest)
{
    if (!*manifest)
        return;
    if ((*manifest)->lock >= 0)
        close((*manifest)->lock);
    manifest_contents_free(*manifest);
    free((*manifest)->folder);
    free(*manifest);
    *manifest = NULL;
}

static void copy_plan(const struct manifest_plan *plan, struct manifest *manifest)
{
    struct manifest_plan *copy = &manifest->plan;
    *copy = *plan;
    copy->program = memory_text(plan->program);
    copy->scene = memory_text(plan->scene);
    copy->scene_hash = memory_text(plan->scene_hash);
    copy->start = memory_text(plan->start);
    copy->codec = memory_text(plan->codec);
    copy->container = memory_text(plan->container);
    copy->run = memory_text(plan->run);
    copy->run_place = memory_text(plan->run_place);
    copy->run_hash = memory_text(plan->run_hash);
}

/* Removes a folder that could not be set up. */
static enum status undo(struct manifest **out, const char *folder, enum status status)
{
    struct failure failure = {0};
    failure_keep(&failure, status);
    if ((*out)->lock >= 0 && folder_clear(folder, true) != STATUS_OK)
        log_debug("%s", status_text());
    manifest_close(out);
    return failure_report(&failure);
}

enum status manifest_create(struct manifest **out, const char *folder,
                            const struct manifest_plan *plan)
{
    enum status status = lock(out, folder, true);
    copy_plan(plan, *out);
    if (status == STATUS_OK)
        status = folder_clear(folder, false);
    if (status == STATUS_OK)
        status = manifest_save(*out);
    return status == STATUS_OK ? status : undo(out, folder, status);
}

/* STATUS_USAGE: intact, but of another format; STATUS_IO: any other fault. */
static enum status read_one(struct manifest *manifest, const char *name)
{
    char *path = manifest_path(manifest, name), *text = NULL;
    size_t size = 0;
    int format;
    enum status status = file_read(path, TEXT_MAX, &text, &size);
    if (status == STATUS_USAGE)
        status = status_fail(STATUS_IO, "'%s' is damaged", path); /* too large to be one */
    if (text)
        status = manifest_from_json(manifest, text, size, &format);
    if (text && status == STATUS_USAGE)
        status = status_fail(STATUS_USAGE,
                             "'%s' has format %d, but this version of gravreel reads format %d; "
                             "finish with the version that started it, or start over with -y",
                             path, format, MANIFEST_FORMAT);
    else if (text && status != STATUS_OK)
        status = status_prefix(status, "'%s' is damaged", path);
    if (status != STATUS_OK)
        manifest_contents_free(manifest);
    free(text);
    free(path);
    return status;
}

static enum status read_either(struct manifest *manifest)
{
    enum status status = read_one(manifest, present);
    if (status != STATUS_IO)
        return status;
    struct failure first = {0};
    failure_keep(&first, status);
    status = read_one(manifest, previous);
    if (status == STATUS_OK)
        log_warning("%s; continuing from the one before it, %s", first.sentence, previous);
    else if (status == STATUS_IO)
        status = status_fail(STATUS_IO,
                             "%s, and no intact one before it is left, so the contents of '%s' are "
                             "unknown; start over with -y",
                             first.sentence, manifest->folder);
    return status;
}

/* ---- the plan that it was made by ---- */

static enum status other_text(const struct manifest *manifest, const char *what, const char *there,
                              const char *here, const char *advice)
{
    if (strcmp(there, here) == 0)
        return STATUS_OK;
    return status_fail(
        STATUS_USAGE,
        "'%s' was started with %s %s, but this run uses %s; %s, or start over with -y",
        manifest->folder, what, there, here, advice);
}

enum status manifest_check_scene(const struct manifest *manifest, const char *scene,
                                 const char *scene_hash, char **look)
{
    enum { SEEN = 32 };
    struct scene_difference found[SEEN];
    const size_t count = scene_differences(manifest->plan.scene, scene, found, SEEN);
    const size_t moved = scene_differences_in_motion(found, count < SEEN ? count : SEEN);
    const bool same = strcmp(manifest->plan.scene_hash, scene_hash) == 0;
    char more[48] = "";
    if (count == 0)
        return other_text(manifest, "the scene of hash", manifest->plan.scene_hash, scene_hash,
                          "use the original scene");
    if (count > 1)
        snprintf(more, sizeof more, " (and %zu more)", count - 1);
    scene_differences_say(found, 1, NULL, NULL);
    if (look && moved == 0 && count <= SEEN && !same) {
        *look =
            text_format("%s is %s there and %s here%s", found[0].key, found[0].a, found[0].b, more);
        return STATUS_OK;
    }
    return status_fail(
        STATUS_USAGE,
        "'%s' holds segments %s: %s is %s there and %s here%s; to continue it as it was begun, "
        "leave that out or use `gravreel resume`; to discard what it holds, start over with -y",
        manifest->folder, moved > 0 ? "of another scene" : "of the same motion that look different",
        found[0].key, found[0].a, found[0].b, more);
}

static enum status check_start(const struct manifest *manifest, const struct manifest_plan *plan)
{
    const char *there = manifest->plan.start, *here = plan->start;
    if (!*there || !*here || strcmp(there, here) == 0)
        return STATUS_OK;
    return status_fail(
        STATUS_USAGE,
        "'%s' was started with other bodies, although the scene is the same: the bodies "
        "file has changed; restore it, or start over with -y",
        manifest->folder);
}

static enum status check_frames(const struct manifest *manifest, const struct manifest_plan *plan)
{
    const struct manifest_plan *there = &manifest->plan;
    if (there->first == plan->first && there->last == plan->last && there->frames == plan->frames &&
        there->segment_length == plan->segment_length)
        return STATUS_OK;
    return status_fail(
        STATUS_USAGE,
        "'%s' holds frames %" PRIu64 "..%" PRIu64 " of %" PRIu64 " in segments of %" PRIu64
        ", but this run makes frames %" PRIu64 "..%" PRIu64 " of %" PRIu64
        " in segments of %" PRIu64 "; ask for the same, or start over with -y",
        manifest->folder, there->first, there->last, there->frames, there->segment_length,
        plan->first, plan->last, plan->frames, plan->segment_length);
}

static enum status check_plan(const struct manifest *manifest, const struct manifest_plan *plan)
{
    const struct manifest_plan *there = &manifest->plan;
    enum status status = other_text(manifest, "gravreel", there->program, plan->program,
                                    "finish with that version and --backend");
    if (status == STATUS_OK)
        status = manifest_check_scene(manifest, plan->scene, plan->scene_hash, NULL);
    if (status == STATUS_OK)
        status = check_start(manifest, plan);
    if (status == STATUS_OK)
        status = check_frames(manifest, plan);
    if (status == STATUS_OK)
        status = other_text(manifest, "the codec", there->codec, plan->codec, "use the same");
    if (status == STATUS_OK)
        status = other_text(manifest, "the container", there->container, plan->container,
                            "use the same");
    return status;
}

enum status manifest_open(struct manifest **out, const char *folder,
                          const struct manifest_plan *plan)
{
    enum status status = lock(out, folder, false);
    if (status == STATUS_OK)
        status = read_either(*out);
    if (status == STATUS_OK)
        status = check_plan(*out, plan);
    if (status != STATUS_OK)
        manifest_close(out);
    return status;
}

enum status manifest_read(struct manifest **out, const char *folder)
{
    struct manifest *manifest = *out = memory_new(1, sizeof *manifest);
    manifest->folder = memory_text(folder);
    manifest->lock = -1;
    enum status status = read_either(manifest);
    if (status != STATUS_OK)
        manifest_close(out);
    return status;
}

enum status manifest_remove(struct manifest **manifest)
{
    enum status status = folder_clear((*manifest)->folder, true);
    manifest_close(manifest);
    return status;
}

enum status manifest_list_plan(struct manifest *manifest, const char *text)
{
    char hash[HASH_TEXT];
    hash_parts(&(struct hash_part){text, strlen(text)}, 1, hash);
    if (strcmp(manifest->film_plan, hash) == 0)
        return STATUS_OK;
    memcpy(manifest->film_plan, hash, sizeof hash);
    return manifest_save(manifest);
}

/* ---- values ---- */

static struct manifest_value *find_value(const struct manifest *manifest, const char *name)
{
    for (size_t v = 0; v < manifest->value_count; v++)
        if (strcmp(manifest->values[v].name, name) == 0)
            return &manifest->values[v];
    return NULL;
}

bool manifest_get_value(const struct manifest *manifest, const char *name, double *value)
{
    const struct manifest_value *found = find_value(manifest, name);
    if (found)
        *value = found->value;
    return found != NULL;
}

static enum status put_value(struct manifest *manifest, const char *name, double value)
{
    struct manifest_value *entry = find_value(manifest, name);
    if (!isfinite(value) || strlen(name) >= sizeof entry->name)
        return status_fail(STATUS_RUNTIME, "the manifest of '%s' cannot hold %s = %g",
                           manifest->folder, name, value);
    if (!entry) {
        entry = MEMORY_ADD(manifest->values, manifest->value_count);
        snprintf(entry->name, sizeof entry->name, "%s", name);
    }
    entry->value = value;
    return STATUS_OK;
}

enum status manifest_set_values(struct manifest *manifest, const struct manifest_value *values,
                                size_t count)
{
    enum status status = STATUS_OK;
    for (size_t i = 0; i < count && status == STATUS_OK; i++)
        status = put_value(manifest, values[i].name, values[i].value);
    return status == STATUS_OK ? manifest_save(manifest) : status;
}

/* ==== text ==== */

static const struct json_member value_members[] = {
    {"", AS_NAME, MEMBER_AT(struct manifest_value, name)},
    {"", AS_REAL, MEMBER_AT(struct manifest_value, value)},
    {0},
};

static const struct json_member segment_members[] = {
    {"index", AS_WHOLE, MEMBER_AT(struct manifest_segment, index)},
    {"first", AS_WHOLE, MEMBER_AT(struct manifest_segment, first)},
    {"count", AS_WHOLE, MEMBER_AT(struct manifest_segment, count)},
    {"file", AS_NAME, MEMBER_AT(struct manifest_segment, file)},
    {"bytes", AS_WHOLE, MEMBER_AT(struct manifest_segment, bytes)},
    {JSON_SEAL, AS_NAME, MEMBER_AT(struct manifest_segment, hash)},
    {0},
};

static const struct json_member checkpoint_members[] = {
    {"frame", AS_WHOLE, MEMBER_AT(struct manifest_checkpoint, frame)},
    {"file", AS_NAME, MEMBER_AT(struct manifest_checkpoint, file)},
    {"bytes", AS_WHOLE, MEMBER_AT(struct manifest_checkpoint, bytes)},
    {JSON_SEAL, AS_NAME, MEMBER_AT(struct manifest_checkpoint, hash)},
    {0},
};

static const struct json_member members[] = {
    {"format", AS_FORMAT, .least = MANIFEST_FORMAT, .most = MANIFEST_FORMAT},
    {"program", AS_TEXT, MEMBER_AT(struct manifest, plan.program)},
    {"scene", AS_TEXT, MEMBER_AT(struct manifest, plan.scene)},
    {"scene_hash", AS_TEXT, MEMBER_AT(struct manifest, plan.scene_hash)},
    {"start", AS_TEXT, MEMBER_AT(struct manifest, plan.start)},
    {"codec", AS_TEXT, MEMBER_AT(struct manifest, plan.codec)},
    {"container", AS_TEXT, MEMBER_AT(struct manifest, plan.container)},
    {"frames", AS_WHOLE, MEMBER_AT(struct manifest, plan.frames)},
    {"first", AS_WHOLE, MEMBER_AT(struct manifest, plan.first)},
    {"last", AS_WHOLE, MEMBER_AT(struct manifest, plan.last)},
    {"segment_length", AS_WHOLE, MEMBER_AT(struct manifest, plan.segment_length)},
    {"run", AS_TEXT | OPTIONAL, MEMBER_AT(struct manifest, plan.run)},
    {"run_place", AS_TEXT | OPTIONAL, MEMBER_AT(struct manifest, plan.run_place)},
    {"run_hash", AS_TEXT | OPTIONAL, MEMBER_AT(struct manifest, plan.run_hash)},
    {"film_plan", AS_HASH | NULLABLE, MEMBER_AT(struct manifest, film_plan)},
    {"values", AS_REAL, MEMBER_MAP(struct manifest, values, value_count), .members = value_members},
    {"segments", AS_OBJECT, MEMBER_LIST(struct manifest, segments, segment_count),
     .members = segment_members},
    {"pictures", AS_OBJECT, MEMBER_LIST(struct manifest, pictures, picture_count),
     .members = segment_members},
    {"checkpoints", AS_OBJECT, MEMBER_LIST(struct manifest, checkpoints, checkpoint_count),
     .members = checkpoint_members},
    {JSON_SEAL, .as = AS_SEAL},
    {0},
};

static const struct json_form form = {.members = members, .style = STYLE_SORTED};

char *manifest_to_json(const struct manifest *manifest)
{
    char *text = json_write(&form, manifest, NULL);
    char *sealed = text ? json_seal(text, strlen(text)) : NULL;
    free(text);
    return sealed;
}

enum status manifest_from_json(struct manifest *manifest, const char *text, size_t size,
                               int *format)
{
    const enum status status = json_read(&form, text, size, manifest, NULL, format);
    if (status != STATUS_OK)
        return status == STATUS_USAGE && json_is_sealed(text, size) ? status : STATUS_IO;
    char *again = manifest_to_json(manifest);
    const bool same = again && strlen(again) == size && memcmp(again, text, size) == 0;
    free(again);
    return same ? STATUS_OK : status_fail(STATUS_IO, "it is not as gravreel wrote it");
}

void manifest_contents_free(struct manifest *manifest)
{
    json_free(members, manifest);
}

/* ==== segments, pictures, checkpoints ==== */

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

bool manifest_checkpoint_file_before(const char *folder, uint64_t limit, uint64_t *frame)
{
    bool found = false;
    DIR *entries = opendir(folder);
    for (struct dirent *entry; entries && (entry = readdir(entries));) {
        uint64_t at;
        char name[MANIFEST_NAME_MAX];
        if (sscanf(entry->d_name, "checkpoint-%" SCNu64 ".h5", &at) != 1)
            continue;
        manifest_checkpoint_name(name, at);
        if (strcmp(name, entry->d_name) != 0 || at >= limit || (found && at < *frame))
            continue;
        *frame = at;
        found = true;
    }
    if (entries)
        closedir(entries);
    return found;
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
    struct manifest_checkpoint *list = manifest->checkpoints;
    if (!manifest_next_gap(manifest, manifest->plan.first, &gap, &count))
        return STATUS_OK;
    size_t first = 0, before = 0, kept = 0, dropped = 0;
    for (; before < manifest->checkpoint_count && list[before].frame <= gap; before++)
        if (manifest->plan.first > 0 && list[before].frame <= manifest->plan.first)
            first = before + 1;
    struct manifest_checkpoint *files = memory_new(before + 1, sizeof *files);
    for (size_t c = 0; c < manifest->checkpoint_count; c++)
        if (c + 2 >= before || c + 1 == first)
            list[kept++] = list[c];
        else
            files[dropped++] = list[c];
    manifest->checkpoint_count = kept;
    /* first the entries, then the files */
    enum status status = dropped > 0 ? manifest_save(manifest) : STATUS_OK;
    for (size_t i = 0; i < dropped && status == STATUS_OK; i++)
        remove_file(manifest, files[i].file);
    free(files);
    return status;
}
