#include "cmd/regression/baseline/baseline_make.h"

#include "base/clock.h"
#include "base/file.h"
#include "base/log.h"
#include "base/machine.h"
#include "base/memory.h"
#include "base/part.h"
#include "base/ranks/ranks.h"
#include "base/text.h"
#include "cmd/film/start/panels.h"
#include "cmd/regression/baseline/accept.h"
#include "cmd/regression/baseline/objects.h"
#include "cmd/regression/baseline/sources.h"
#include "cmd/regression/baseline/results.h"
#include "cmd/regression/record/record.h"
#include "cmd/regression/judge/judge.h"
#include "scenes/print.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct making {
    const struct recording *recording;
    struct baseline *out;
    struct baseline before; /* the baseline that is replaced; zeroed: none */
    struct scene *scene;
    struct temporary scratch;
    struct made made;
};

/* ---- names ---- */

/* Returns "plummer" for both plummer and scenes/plummer.yaml. */
static char *name_of(const struct recording *recording)
{
    return recording->name ? memory_text(recording->name) : file_stem(recording->request->scene);
}

static enum status check_name(const char *name)
{
    bool good = *name && *name != '.' && !strchr(name, '/') && strlen(name) < 128;
    for (const char *at = name; good && *at; at++)
        good = text_control(at) == 0;
    if (good)
        return STATUS_OK;
    return status_fail(STATUS_USAGE,
                       "'%s' cannot name a baseline; give a short name without slashes and control "
                       "characters with --name",
                       name);
}

/* ---- the existing baseline and the scene ---- */

static enum status check_before(struct making *making)
{
    const struct recording *recording = making->recording;
    const char *path = making->out->path;
    if (access(path, F_OK) != 0)
        return STATUS_OK;
    if (!recording->overwrite || !recording->because)
        return status_fail(STATUS_USAGE,
                           "'%s' exists already; accept what `gravreel check` has shown with "
                           "--accept REPORT.json, or record it again with -y and --because TEXT",
                           path);
    enum status status = author_allowed(recording->in_ci, "replacing a baseline");
    return status == STATUS_OK ? baseline_read(&making->before, path) : status;
}

static enum status open_scene(struct making *making)
{
    const struct recording *recording = making->recording;
    if (recording->has_range)
        return status_fail(STATUS_USAGE,
                           "a baseline begins with its film's frame 0; give the number of frames "
                           "with --frames N");
    enum status status = STATUS_OK;
    if (ranks_begin_first())
        status = file_make_folder(recording->folder);
    status = ranks_end_first(status);
    if (status == STATUS_OK)
        status = scene_request_open(recording->request, &making->scene);
    if (status == STATUS_OK)
        status = scene_request_find_bodies(recording->request, making->scene);
    if (ranks_begin_first() && status == STATUS_OK)
        status = origin_take(&making->out->origin, recording->request, recording->folder);
    return ranks_end_first(status);
}

/* ---- the film, twice ---- */

/* Makes a film of the scene, or a part of one, in a folder of its own. */
static enum status make_from(struct making *making, const char *name, unsigned threads,
                             struct kept *stored,
                             enum status (*from)(const struct source *source, struct made *out),
                             struct made *out)
{
    const struct recording *recording = making->recording;
    char *folder = text_format("%s/%s", making->scratch.folder, name);
    const struct source source = {.scene = making->scene,
                                  .backend = recording->backend,
                                  .device = recording->device,
                                  .format = recording->format,
                                  .folder = folder,
                                  .threads = threads,
                                  .diagnostics = true,
                                  .stop = recording->stop,
                                  .baseline = making->out,
                                  .stored = stored};
    const enum status status = from(&source, out);
    free(folder);
    return status;
}

static enum status run_first(struct making *making)
{
    kept_choose(&making->made.kept, making->scene->output.frames);
    const enum status status = make_from(making, "film", 0, NULL, source_film, &making->made);
    making->out->record = making->made.record;
    making->made.record = (struct record){0};
    return status;
}

/* Renders the film again on all ranks with that number of threads for the forces on each. */
static enum status run_together(struct making *making, unsigned threads, struct record *again)
{
    struct made made = {0};
    const enum status status = make_from(making, "again", threads, NULL, source_film, &made);
    *again = made.record;
    made.record = (struct record){0};
    made_free(&made);
    return status;
}

/* Renders the film again in a child process with that number of threads; *again is its record. */
static enum status run_again(struct making *making, unsigned threads, struct record *again)
{
    const struct recording *recording = making->recording;
    const char *folder = making->scratch.folder;
    char *scene = text_format("%s/scene.yaml", folder), *text = scene_print(making->scene),
         *manifest = text_format("%s/again.json", folder),
         *log = text_format("%s/again.log", folder), *other = text_format("%s/again", folder),
         *omp = text_format("OMP_NUM_THREADS=%u", threads),
         *lp = text_format("LP_NUM_THREADS=%u", threads),
         *device = text_format("%d", recording->device), *path = NULL;
    pid_t child;
    int code = 0;
    enum status status = file_write(scene, text, strlen(text));
    if (status == STATUS_OK)
        status = file_make_folder(other);
    if (status == STATUS_OK)
        status = source_path(other, recording->format, &path);
    const char *const arguments[] = {"gravreel", "render",    scene,
                                     "-o",       path,        "--manifest",
                                     manifest,   "--backend", recording->backend,
                                     "--device", device,      "--quiet",
                                     NULL},
                      *const changes[] = {omp, lp, "OMP_DYNAMIC=false", NULL};
    if (status == STATUS_OK)
        status = child_start(arguments, changes, log, &child);
    if (status == STATUS_OK)
        status = child_wait(child, &code);
    if (status == STATUS_OK && code != 0) {
        char *said = child_said(log);
        status = status_fail(code <= STATUS_IO ? (enum status)code : STATUS_RUNTIME,
                             "the second run, with %u thread%s, ended with exit code %d: %.500s",
                             threads, threads == 1 ? "" : "s", code, said);
        free(said);
    }
    if (status == STATUS_OK)
        status = record_read(again, manifest);
    free(scene), free(text), free(manifest), free(log), free(other), free(omp), free(lp);
    free(device), free(path);
    return status;
}

/* Fails if a stage has other bits with another number of threads. */
static enum status compare_runs(struct making *making, unsigned threads, const struct record *again)
{
    struct report aside = {0};
    struct case_report *one = report_add_case(&aside, "again");
    const struct record *first = &making->out->record;
    struct limits *limits;
    limits_open(&limits);
    const struct comparison comparison = {.before = first, .now = again, .limits = limits};
    one->frames = first->count;
    enum status status = judge_records(&comparison, one);
    for (int s = JUDGED_START; s <= JUDGED_PACKETS && status == STATUS_OK; s++)
        if (!verdict_is_same(one->stages[s].verdict))
            status = status_fail(STATUS_MISMATCH,
                                 "with %u thread%s the film has other bits, first at frame %lld in "
                                 "the stage %s; a baseline of it would raise false alarms",
                                 threads, threads == 1 ? "" : "s",
                                 (long long)one->stages[s].first_frame, judged_name(s));
    limits_close(&limits);
    report_free(&aside);
    return status;
}

/* Refuses pixels with infinite light, because no check would ever pass them. */
static enum status refuse_broken_light(const struct record *record)
{
    for (uint64_t i = 0; i < record->count; i++)
        if (record->frames[i].light_broken > 0)
            return status_fail(STATUS_MISMATCH,
                               "frame %llu has %llu pixels with infinite or NaN light, so no check "
                               "could pass; record fewer frames, or move the camera",
                               (unsigned long long)record->frames[i].frame,
                               (unsigned long long)record->frames[i].light_broken);
    return STATUS_OK;
}

/* ---- the stored states and pictures ---- */

/* Checks that the states give the film's pictures when they are read back and drawn; otherwise they
 * are not worth keeping. */
static enum status check_states(struct making *making)
{
    struct baseline *out = making->out;
    struct kept stored;
    struct made drawn = {0};
    char *missing;
    uint32_t same = 0;
    if (out->state_count == 0 || out->picture_count == 0)
        return STATUS_OK;
    enum status status = kept_read(&stored, out, &missing);
    if (status == STATUS_OK)
        status = make_from(making, "states", 0, &stored, source_states, &drawn);
    for (uint64_t i = 0; i < drawn.record.count && status == STATUS_OK; i++) {
        const struct frame_record *now = &drawn.record.frames[i],
                                  *before = record_frame(&out->record, now->frame);
        same += before && strcmp(before->picture, now->picture) == 0 &&
                strcmp(before->light, now->light) == 0;
    }
    if (status == STATUS_OK && same < out->state_count) {
        log_warning("%s: %u of %u states give other pictures when drawn from memory; none is kept, "
                    "so pictures cannot be judged once the physics changes",
                    out->name, out->state_count - same, out->state_count);
        out->state_count = 0;
    }
    made_free(&drawn);
    kept_free(&stored);
    free(missing);
    return status;
}

static enum status keep(struct making *making)
{
    struct baseline *out = making->out;
    struct made encoded = {0};
    char hash[17];
    enum status status = kept_store(&making->made.kept, out);
    if (status == STATUS_OK)
        status = check_states(making);
    if (status == STATUS_OK && out->picture_count > 0) {
        status = make_from(making, "pictures", 0, &making->made.kept, source_pictures, &encoded);
        if (status == STATUS_OK)
            status = baseline_put_record(out, &encoded.record, out->encoding);
        made_free(&encoded);
    }
    free(out->record.scene);
    free(out->record.scene_hash);
    out->record.scene = origin_print(making->scene, making->recording->folder, hash);
    out->record.scene_hash = memory_text(hash);
    return status;
}

/* ---- history ---- */

static enum status add_history(struct making *making)
{
    const struct recording *recording = making->recording;
    struct baseline *out = making->out, *before = &making->before;
    char today[16], *author = author_name(recording->author);
    enum status status = STATUS_OK;
    clock_today(today);
    for (uint32_t i = 0; i < before->history_count; i++) {
        const struct accepted *one = &before->history[i];
        baseline_add_history(out, one->date, one->author, one->because, one->stages);
    }
    baseline_add_history(out, today, author, recording->because ? recording->because : "recorded",
                         before->path ? "recorded again" : "");
    if (before->path)
        status = baseline_keep_anchor(out, before);
    free(author);
    return status;
}

/* ---- the whole ---- */

static bool is_before(void *user, const char *object)
{
    const struct making *making = user;
    return making->before.path && baseline_names(&making->before, object);
}

/* Keeps the film, whose second run is given, as the baseline. */
static enum status store(struct making *making, unsigned threads, const struct record *again)
{
    struct baseline *out = making->out;
    record_set_commit(&out->record, making->recording->commit);
    enum status status = refuse_broken_light(&out->record);
    if (status == STATUS_OK)
        status = compare_runs(making, threads, again);
    if (status == STATUS_OK)
        status = keep(making);
    if (status == STATUS_OK)
        status = add_history(making);
    return status == STATUS_OK ? baseline_write(out) : status;
}

static enum status make(struct making *making)
{
    const unsigned threads = machine_processors() == 1 ? 2 : 1;
    struct record again = {0};
    enum status status = STATUS_OK;
    if (ranks_begin_first())
        status = temporary_open(&making->scratch);
    status = ranks_end_first(status);
    if (status == STATUS_OK)
        status = run_first(making);
    if (status == STATUS_OK)
        status = ranks_are_together() ? run_together(making, threads, &again)
                                      : run_again(making, threads, &again);
    if (ranks_begin_first()) {
        if (status == STATUS_OK)
            status = store(making, threads, &again);
        if (status != STATUS_OK)
            objects_sweep(making->out->folder, is_before, making);
    }
    record_free(&again);
    return ranks_end_first(status);
}

/* Only forces are shared: rank 0 alone makes a film of snapshots, whose states would be those of a
 * rank's share. */
static enum status make_alone(struct making *making)
{
    enum status status = STATUS_OK;
    if (ranks_begin_first())
        status = make(making);
    return ranks_end_first(status);
}

enum status recording_make(const struct recording *recording, struct baseline *out)
{
    struct making making = {.recording = recording, .out = out};
    char *name = name_of(recording), *path = text_format("%s/%s.json", recording->folder, name);
    baseline_start(out, path);
    const bool was_there = file_exists(recording->folder);
    enum status status = check_name(name);
    if (ranks_begin_first() && status == STATUS_OK)
        status = check_before(&making);
    status = ranks_end_first(status);
    if (status == STATUS_OK)
        status = open_scene(&making);
    if (status == STATUS_OK)
        status = film_played(making.scene) ? make_alone(&making) : make(&making);
    if (status != STATUS_OK && !was_there && ranks_own() == 0)
        (void)rmdir(recording->folder); /* if it is empty */
    made_free(&making.made);
    temporary_close(&making.scratch);
    scene_close(&making.scene);
    baseline_free(&making.before);
    free(name);
    free(path);
    return status;
}
