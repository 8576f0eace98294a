#include "cmd/film/job/plan_file.h"

#include "base/file.h"
#include "base/log.h"
#include "base/memory.h"
#include "base/ranks/ranks.h"
#include "base/text.h"
#include "cmd/film/manifest/manifest.h"
#include "cmd/film/script/montage.h"
#include "scenes/print.h"
#include "sim/checkpoint/checkpoint.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TEXT_MOST = 1 << 28 };

void plan_shared_name(const struct scene *scene, char out[PLAN_NAME])
{
    char hash[17];
    scene_hash(scene, hash);
    snprintf(out, PLAN_NAME, "plan-%s.json", hash);
}

/* hash: of the text; "": any. */
static enum status read_file(const char *path, const struct scene *scene, const char *hash,
                             char **text)
{
    size_t size;
    char own[HASH_TEXT];
    *text = NULL;
    enum status status = file_read(path, TEXT_MOST, text, &size);
    if (status != STATUS_OK)
        return status;
    hash_parts(&(struct hash_part){*text, size}, 1, own);
    status = montage_check_plan(*text, scene);
    if (status == STATUS_OK && *hash && strcmp(hash, own) != 0)
        status = status_fail(STATUS_IO, "it is not the plan that the manifest lists");
    if (status == STATUS_OK)
        return STATUS_OK;
    free(*text);
    *text = NULL;
    return status_prefix(status, "the plan '%s' cannot be used", path);
}

/* The latest checkpoint with a plan of the scene. NULL: none has one; otherwise *path is its path,
 * and the caller frees both. */
static char *from_checkpoint(const char *folder, const struct scene *scene, char **path)
{
    char *text = NULL, name[MANIFEST_NAME_MAX];
    for (uint64_t frame = UINT64_MAX;
         !text && manifest_checkpoint_file_before(folder, frame, &frame);) {
        manifest_checkpoint_name(name, frame);
        *path = text_format("%s/%s", folder, name);
        enum status status = checkpoint_plan(*path, &text);
        if (status == STATUS_OK)
            status = montage_check_plan(text, scene);
        if (status == STATUS_OK)
            break;
        log_debug("%s", status_text());
        free(text);
        free(*path);
        text = *path = NULL;
    }
    return text;
}

/* expected: the folder must have a plan. */
static enum status find_in(const char *folder, const char *name, const struct scene *scene,
                           const char *hash, bool expected, char **text)
{
    char *path = text_format("%s/%s", folder, name), *checkpoint = NULL;
    const bool exists = file_exists(path);
    enum status status = exists ? read_file(path, scene, hash, text) : STATUS_OK;
    char *reason = status == STATUS_IO ? memory_text(status_text())
                                       : text_format("there is no plan '%s'", path);
    if (status == STATUS_IO)
        status = STATUS_OK;
    if (status == STATUS_OK && !*text)
        *text = from_checkpoint(folder, scene, &checkpoint);
    if (checkpoint)
        log_warning("%s; that of the checkpoint '%s' is used", reason, checkpoint);
    else if (status == STATUS_OK && !*text && (exists || expected))
        log_warning("%s; the film is planned anew", reason);
    free(reason);
    free(checkpoint);
    free(path);
    return status;
}

static enum status find_own(const char *folder, const struct scene *scene, char **text)
{
    struct manifest *manifest;
    if (manifest_read(&manifest, folder) != STATUS_OK) {
        log_debug("%s", status_text());
        return STATUS_OK;
    }
    char hash[sizeof((struct plan *)NULL)->scene_hash];
    scene_hash(scene, hash);
    if (strcmp(hash, manifest->plan.scene_hash) == 0 &&
        find_in(folder, PLAN_FILE, scene, manifest->film_plan, true, text) != STATUS_OK)
        log_debug("%s", status_text());
    manifest_close(&manifest);
    return STATUS_OK;
}

static enum status read_given(const char *given, const struct scene *scene, char **text)
{
    char *path = memory_text(given);
    if (file_is_folder(given)) {
        char shared[PLAN_NAME];
        plan_shared_name(scene, shared);
        free(path);
        path = text_format("%s/%s", given, shared);
        if (!file_exists(path)) {
            free(path);
            path = text_format("%s/" PLAN_FILE, given);
        }
    }
    const enum status status = read_file(path, scene, "", text);
    free(path);
    return status == STATUS_OK ? status : status_prefix(status, "--plan");
}

static enum status find_here(const struct plan_places *places, const struct scene *scene,
                             char **text)
{
    enum status status = STATUS_OK;
    if (places->given)
        return read_given(places->given, scene, text);
    if (places->work_folder && manifest_exists(places->work_folder))
        status = find_own(places->work_folder, scene, text);
    if (status == STATUS_OK && places->checkpoints && !*text) {
        char name[PLAN_NAME];
        plan_shared_name(scene, name);
        status = find_in(places->checkpoints, name, scene, "", false, text);
    }
    return status;
}

enum status plan_find(const struct plan_places *places, const struct scene *scene, char **text)
{
    enum status status = STATUS_OK;
    *text = NULL;
    if (ranks_begin_first())
        status = find_here(places, scene, text);
    return ranks_end_first(status);
}

enum status plan_publish(const char *folder, const struct scene *scene, char **text)
{
    char name[PLAN_NAME];
    plan_shared_name(scene, name);
    char *path = text_format("%s/%s", folder, name), *there = NULL;
    enum status status = file_write_first(path, *text, strlen(*text));
    if (status == STATUS_OK)
        status = read_file(path, scene, "", &there);
    if (status == STATUS_OK) {
        free(*text);
        *text = there;
    } else if (status == STATUS_IO) {
        status = file_write_shared(path, *text, strlen(*text));
    }
    free(path);
    return status;
}
