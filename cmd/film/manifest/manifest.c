#include "cmd/film/manifest/manifest.h"

#include "base/file.h"
#include "base/log.h"
#include "base/memory.h"
#include "base/part.h"
#include "base/text.h"
#include "cmd/film/manifest/json.h"
#include "cmd/film/manifest/lock.h"
#include "scenes/print.h"

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
                                 const char *scene_hash)
{
    struct scene_difference found;
    const size_t count = scene_differences(manifest->plan.scene, scene, &found, 1);
    char more[48] = "";
    if (count == 0)
        return other_text(manifest, "the scene of hash", manifest->plan.scene_hash, scene_hash,
                          "use the original scene");
    if (count > 1)
        snprintf(more, sizeof more, " (and %zu more)", count - 1);
    scene_differences_say(&found, 1, NULL, NULL);
    return status_fail(
        STATUS_USAGE,
        "'%s' holds segments of another scene: %s is %s there and %s here%s; to "
        "continue it as it was begun, leave that out or use `gravreel resume`; to discard what "
        "it holds, start over with -y",
        manifest->folder, found.key, found.a, found.b, more);
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
        status = manifest_check_scene(manifest, plan->scene, plan->scene_hash);
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
        manifest->values = memory_grow(manifest->values, manifest->value_count + 1, sizeof *entry);
        entry = &manifest->values[manifest->value_count++];
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
