#include "cmd/regression/baseline/recording.h"

#include "base/clock.h"
#include "base/file.h"
#include "base/log.h"
#include "base/machine.h"
#include "base/memory.h"
#include "base/part.h"
#include "base/text.h"
#include "cmd/regression/baseline/author.h"
#include "cmd/regression/baseline/baseline.h"
#include "cmd/regression/baseline/capture.h"
#include "cmd/regression/baseline/objects.h"
#include "cmd/regression/baseline/redraw.h"
#include "cmd/regression/baseline/run.h"
#include "cmd/regression/baseline/same.h"
#include "cmd/regression/baseline/scratch.h"
#include "cmd/regression/record/record.h"
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
    struct capture capture;
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
    enum status status = file_make_folder(recording->folder);
    if (status == STATUS_OK)
        status = scene_request_open(recording->request, &making->scene);
    if (status == STATUS_OK)
        status = scene_request_find_bodies(recording->request, making->scene);
    return status == STATUS_OK
               ? source_take(&making->out->source, recording->request, recording->folder)
               : status;
}

/* ---- the film, twice ---- */

static struct run_params run_of(const struct making *making)
{
    const struct recording *recording = making->recording;
    return (struct run_params){.scene = making->scene,
                               .backend = recording->backend,
                               .device = recording->device,
                               .format = recording->format,
                               .folder = making->scratch.folder,
                               .diagnostics = true,
                               .stop = recording->stop};
}

static enum status run_first(struct making *making)
{
    struct record_hooks hooks;
    struct run_params params = run_of(making);
    capture_choose(&making->capture, making->scene->output.frames);
    capture_hook(&making->capture, &hooks);
    params.hooks = &hooks;
    return run_film(&params, &making->out->record);
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
         *device = text_format("%d", recording->device), *path = NULL, *said = NULL;
    pid_t child;
    int code = 0;
    enum status status = file_write(scene, text, strlen(text));
    if (status == STATUS_OK)
        status = file_make_folder(other);
    if (status == STATUS_OK)
        status = run_path(other, recording->format, &path);
    const char *const arguments[] = {"gravreel", "render",    scene,
                                     "-o",       path,        "--manifest",
                                     manifest,   "--backend", recording->backend,
                                     "--device", device,      "--quiet",
                                     NULL},
                      *const changes[] = {omp, lp, "OMP_DYNAMIC=false", NULL};
    if (status == STATUS_OK)
        status = scratch_start(arguments, changes, log, &child);
    if (status == STATUS_OK)
        status = scratch_wait(child, &code);
    if (status == STATUS_OK && code != 0) {
        if (file_read(log, 1 << 16, &said, NULL) != STATUS_OK)
            said = memory_text("");
        said[strcspn(said, "\n")] = '\0';
        status = status_fail(code <= STATUS_IO ? (enum status)code : STATUS_RUNTIME,
                             "the second run, with %u thread%s, ended with exit code %d: %.500s",
                             threads, threads == 1 ? "" : "s", code, said);
    }
    if (status == STATUS_OK)
        status = record_read(again, manifest);
    free(scene), free(text), free(manifest), free(log), free(other), free(omp), free(lp);
    free(device), free(path), free(said);
    return status;
}

static enum status compare_runs(struct making *making)
{
    struct record again = {0};
    struct first_difference first;
    const unsigned threads = machine_processors() == 1 ? 2 : 1;
    enum status status = run_again(making, threads, &again);
    if (status == STATUS_OK && same_find_difference(&making->out->record, &again, &first)) {
        const struct choice *stage = choice_at(&judged_registry, first.stage);
        status = status_fail(STATUS_MISMATCH,
                             "with %u thread%s the film has other bits, first at frame %lld in the "
                             "stage %s; a baseline of it would raise false alarms",
                             threads, threads == 1 ? "" : "s", (long long)first.frame, stage->name);
    }
    record_free(&again);
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

struct redrawn {
    const struct record *record;
    uint32_t same;
};

static enum status see_redrawn(void *user, const struct renderer *renderer,
                               const struct picture *picture)
{
    (void)renderer;
    struct redrawn *redrawn = user;
    struct frame_record now;
    const struct frame_record *before = record_frame(redrawn->record, picture->frame);
    frame_record_clear(&now, picture->frame);
    redraw_measure(picture, &now);
    redrawn->same += before && strcmp(before->picture, now.picture) == 0 &&
                     strcmp(before->light, now.light) == 0;
    return STATUS_OK;
}

/* Checks that the states give the film's pictures; otherwise they are not worth keeping. */
static enum status check_states(struct making *making)
{
    struct baseline *out = making->out;
    struct redrawn redrawn = {.record = &out->record};
    uint32_t drawn;
    if (out->state_count == 0 || out->picture_count == 0)
        return STATUS_OK;
    enum status status =
        redraw_states(out, making->scene, making->capture.pictures[0]->layout.format, see_redrawn,
                      &redrawn, &drawn);
    if (status == STATUS_OK && redrawn.same < out->state_count) {
        log_warning("%s: %u of %u states give other pictures when drawn from memory; none is kept, "
                    "so pictures cannot be judged once the physics changes",
                    out->name, out->state_count - redrawn.same, out->state_count);
        out->state_count = 0;
    }
    return status;
}

static enum status keep(struct making *making)
{
    struct baseline *out = making->out;
    const struct run_params run = run_of(making);
    char hash[17];
    enum status status = capture_store(&making->capture, out);
    if (status == STATUS_OK)
        status = check_states(making);
    if (status == STATUS_OK)
        status = capture_encode(&making->capture, &run, "pictures", out);
    free(out->record.scene);
    free(out->record.scene_hash);
    out->record.scene = source_print(making->scene, making->recording->folder, hash);
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

static enum status make(struct making *making)
{
    const struct recording *recording = making->recording;
    struct baseline *out = making->out;
    enum status status = temporary_open(&making->scratch);
    if (status == STATUS_OK)
        status = run_first(making);
    if (status == STATUS_OK) {
        record_set_commit(&out->record, recording->commit);
        status = refuse_broken_light(&out->record);
    }
    if (status == STATUS_OK)
        status = compare_runs(making);
    if (status == STATUS_OK)
        status = keep(making);
    if (status == STATUS_OK)
        status = add_history(making);
    if (status == STATUS_OK)
        status = baseline_write(out);
    if (status != STATUS_OK)
        objects_sweep(out->folder, is_before, making);
    return status;
}

enum status recording_make(const struct recording *recording, struct baseline *out)
{
    struct making making = {.recording = recording, .out = out};
    char *name = name_of(recording), *path = text_format("%s/%s.json", recording->folder, name);
    baseline_start(out, path);
    enum status status = check_name(name);
    if (status == STATUS_OK)
        status = check_before(&making);
    if (status == STATUS_OK)
        status = open_scene(&making);
    if (status == STATUS_OK)
        status = make(&making);
    capture_free(&making.capture);
    temporary_close(&making.scratch);
    scene_close(&making.scene);
    baseline_free(&making.before);
    free(name);
    free(path);
    return status;
}
