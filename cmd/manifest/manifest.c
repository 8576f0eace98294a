#include "cmd/manifest/manifest.h"

#include "base/file.h"
#include "base/log.h"
#include "base/text.h"
#include "cmd/manifest/lock.h"
#include "cmd/manifest/json.h"
#include "scenes/difference.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { TEXT_MAX = 1 << 28 };
static const char present[] = "manifest.json", previous[] = "manifest.previous.json";

static enum status no_memory(const char *folder)
{
    return status_fail(STATUS_RUNTIME, "no memory left for the manifest of '%s'", folder);
}

char *manifest_path(const struct manifest *manifest, const char *name)
{
    return text_format("%s/%s", manifest->folder, name);
}

void manifest_segment_name(char out[MANIFEST_NAME_MAX], uint64_t index, const char *extension)
{
    snprintf(out, MANIFEST_NAME_MAX, "segment-%06" PRIu64 ".%s", index, extension);
}

void manifest_checkpoint_name(char out[MANIFEST_NAME_MAX], uint64_t frame)
{
    snprintf(out, MANIFEST_NAME_MAX, "checkpoint-%06" PRIu64 ".h5", frame);
}

static bool has(const char *folder, const char *name)
{
    char *path = text_format("%s/%s", folder, name);
    bool found = path && file_exists(path);
    free(path);
    return found;
}

bool manifest_exists(const char *folder)
{
    return has(folder, present) || has(folder, previous);
}

/* ---- saving ---- */

/* The present manifest also becomes the previous one; where links are unknown there is none. */
static void keep_previous(const char *now, const char *before)
{
    (void)unlink(before);
    if (link(now, before) != 0)
        log_debug("'%s' is not kept", before);
}

enum status manifest_save(const struct manifest *manifest)
{
    char *text = manifest_to_json(manifest), *now = manifest_path(manifest, present),
         *before = manifest_path(manifest, previous);
    enum status status = STATUS_OK;
    if (!text || !now || !before)
        status = no_memory(manifest->folder);
    if (status == STATUS_OK && file_exists(now))
        keep_previous(now, before);
    if (status == STATUS_OK)
        status = file_write(now, text, strlen(text));
    free(text);
    free(now);
    free(before);
    return status;
}

/* ---- opening ---- */

static enum status lock(struct manifest **out, const char *folder, bool make)
{
    struct manifest *manifest = *out = calloc(1, sizeof *manifest);
    if (manifest) {
        manifest->lock = -1;
        manifest->folder = strdup(folder);
    }
    if (!manifest || !manifest->folder) {
        manifest_close(out);
        return no_memory(folder);
    }
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

static enum status copy_plan(const struct manifest_plan *plan, struct manifest *manifest)
{
    struct manifest_plan *copy = &manifest->plan;
    *copy = *plan;
    copy->program = strdup(plan->program);
    copy->scene = strdup(plan->scene);
    copy->scene_hash = strdup(plan->scene_hash);
    copy->start = strdup(plan->start);
    copy->codec = strdup(plan->codec);
    copy->container = strdup(plan->container);
    return copy->program && copy->scene && copy->scene_hash && copy->start && copy->codec &&
                   copy->container
               ? STATUS_OK
               : no_memory(manifest->folder);
}

/* A folder that could not be begun does not stay. */
static enum status undo(struct manifest **out, const char *folder, enum status status)
{
    char sentence[STATUS_TEXT_MAX];
    snprintf(sentence, sizeof sentence, "%s", status_text());
    if (*out && (*out)->lock >= 0 && folder_clear(folder, true) != STATUS_OK)
        log_debug("%s", status_text());
    manifest_close(out);
    return status_fail(status, "%s", sentence);
}

enum status manifest_create(struct manifest **out, const char *folder,
                            const struct manifest_plan *plan)
{
    enum status status = lock(out, folder, true);
    if (status == STATUS_OK)
        status = copy_plan(plan, *out);
    if (status == STATUS_OK)
        status = folder_clear(folder, false);
    if (status == STATUS_OK)
        status = manifest_save(*out);
    return status == STATUS_OK ? status : undo(out, folder, status);
}

/* STATUS_USAGE: whole, but of another format; STATUS_IO: anything else that is wrong with it. */
static enum status read_one(struct manifest *manifest, const char *name)
{
    char *path = manifest_path(manifest, name), *text = NULL;
    size_t size = 0;
    int format;
    enum status status = path ? file_read(path, TEXT_MAX, &text, &size) : no_memory(name);
    if (status == STATUS_OK && !manifest_from_json(manifest, text, size, &format)) {
        manifest_contents_free(manifest);
        status = format == MANIFEST_FORMAT
                     ? status_fail(STATUS_IO, "'%s' is damaged", path)
                     : status_fail(STATUS_USAGE,
                                   "'%s' has format %d, and this version of gravreel reads format "
                                   "%d; finish with the version that began, or begin anew with -y",
                                   path, format, MANIFEST_FORMAT);
    } else if (status == STATUS_USAGE) {
        status = status_fail(STATUS_IO, "'%s' is damaged", path); /* too large to be one */
    }
    free(text);
    free(path);
    return status;
}

static enum status read_either(struct manifest *manifest)
{
    enum status status = read_one(manifest, present);
    if (status != STATUS_IO)
        return status;
    char reason[STATUS_TEXT_MAX];
    snprintf(reason, sizeof reason, "%s", status_text());
    status = read_one(manifest, previous);
    if (status == STATUS_OK)
        log_warning("%s; going on from the one before it, %s", reason, previous);
    else if (status == STATUS_IO)
        status = status_fail(STATUS_IO,
                             "%s, and there is no whole one before it: what '%s' holds cannot be "
                             "told; begin anew with -y",
                             reason, manifest->folder);
    return status;
}

/* ---- the plan that it was made by ---- */

static enum status other_text(const struct manifest *manifest, const char *what, const char *there,
                              const char *here, const char *advice)
{
    if (strcmp(there, here) == 0)
        return STATUS_OK;
    return status_fail(STATUS_USAGE,
                       "'%s' was begun with %s %s, and this is %s; %s, or begin anew with -y",
                       manifest->folder, what, there, here, advice);
}

static enum status check_scene(const struct manifest *manifest, const struct manifest_plan *plan)
{
    struct scene_difference found;
    bool differ;
    enum status status = scene_difference(manifest->plan.scene, plan->scene, &differ, &found);
    if (status == STATUS_OK && differ)
        status =
            status_fail(STATUS_USAGE,
                        "'%s' holds segments of another scene: %s is %s there and %s here; give "
                        "the scene as it was, or begin anew with -y",
                        manifest->folder, found.key, found.a, found.b);
    if (status == STATUS_OK)
        status = other_text(manifest, "the scene of hash", manifest->plan.scene_hash,
                            plan->scene_hash, "give the scene as it was");
    return status;
}

static enum status check_start(const struct manifest *manifest, const struct manifest_plan *plan)
{
    const char *there = manifest->plan.start, *here = plan->start;
    if (!*there || !*here || strcmp(there, here) == 0)
        return STATUS_OK;
    return status_fail(STATUS_USAGE,
                       "'%s' was begun with other bodies, though the scene is the same: the bodies "
                       "file has changed; bring back the old one, or begin anew with -y",
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
        "'%s' is for frames %" PRIu64 "..%" PRIu64 " of %" PRIu64 " in segments of %" PRIu64
        ", and this run for %" PRIu64 "..%" PRIu64 " of %" PRIu64 " in segments of %" PRIu64
        "; ask for the same, or begin anew with -y",
        manifest->folder, there->first, there->last, there->frames, there->segment_length,
        plan->first, plan->last, plan->frames, plan->segment_length);
}

static enum status check_plan(const struct manifest *manifest, const struct manifest_plan *plan)
{
    const struct manifest_plan *there = &manifest->plan;
    enum status status = other_text(manifest, "gravreel", there->program, plan->program,
                                    "finish with the version and the --backend that began");
    if (status == STATUS_OK)
        status = check_scene(manifest, plan);
    if (status == STATUS_OK)
        status = check_start(manifest, plan);
    if (status == STATUS_OK)
        status = check_frames(manifest, plan);
    if (status == STATUS_OK)
        status = other_text(manifest, "the codec", there->codec, plan->codec, "ask for the same");
    if (status == STATUS_OK)
        status = other_text(manifest, "the container", there->container, plan->container,
                            "ask for the same");
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

enum status manifest_remove(struct manifest **manifest)
{
    enum status status = folder_clear((*manifest)->folder, true);
    manifest_close(manifest);
    return status;
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
        size_t bytes = (manifest->value_count + 1) * sizeof *entry;
        struct manifest_value *longer = realloc(manifest->values, bytes);
        if (!longer)
            return no_memory(manifest->folder);
        manifest->values = longer;
        entry = &longer[manifest->value_count++];
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

enum status manifest_set_value(struct manifest *manifest, const char *name, double value)
{
    enum status status = put_value(manifest, name, value);
    return status == STATUS_OK ? manifest_save(manifest) : status;
}
