#include "cmd/regression/baseline/check.h"

#include "base/clock.h"
#include "base/file.h"
#include "base/memory.h"
#include "base/part.h"
#include "base/text.h"
#include "cmd/regression/baseline/astray.h"
#include "cmd/regression/baseline/baseline.h"
#include "cmd/regression/baseline/candidate.h"
#include "cmd/regression/baseline/capture.h"
#include "cmd/regression/baseline/gallery.h"
#include "cmd/regression/baseline/objects.h"
#include "cmd/regression/baseline/run.h"
#include "cmd/regression/baseline/same.h"
#include "cmd/regression/baseline/scratch.h"
#include "cmd/regression/baseline/substitute.h"
#include "cmd/film/expect.h"
#include "cmd/regression/judge/judge.h"
#include "cmd/regression/record/readback.h"
#include "scenes/print.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct check {
    const struct check_params *params;
    struct case_report *one;
    struct baseline baseline;
    char *folder, *shown;         /* of the baseline; for pictures to view, may be NULL */
    char *missing;                /* message that an object is missing; NULL: none is */
    char *unreadable;             /* why the scene cannot be opened any more; NULL: it can */
    struct scene *scene, *source; /* as recorded; as the source gives it now, may be NULL */
    char *source_text;
    struct temporary scratch;
    struct capture capture;
    struct record now;
    struct gallery gallery;
    struct renewed renewed; /* made if the scene has changed */
};

/* ---- opening the baseline ---- */

/* Checks an object that the baseline names. A missing object is noted; a damaged one is a
 * failure. */
static enum status check_object(struct check *check, const char *object)
{
    void *data;
    size_t size;
    enum object_state state;
    if (!*object)
        return STATUS_OK;
    enum status status =
        object_get(check->baseline.folder, object, OBJECT_READ_MOST, &data, &size, &state);
    free(data);
    if (status == STATUS_OK || state != OBJECT_MISSING)
        return status;
    if (!check->missing)
        check->missing = memory_text(status_text());
    return STATUS_OK;
}

static enum status check_objects(struct check *check)
{
    const struct baseline *baseline = &check->baseline;
    enum status status = check_object(check, baseline->encoding);
    if (status == STATUS_OK)
        status = check_object(check, baseline->anchor);
    for (uint32_t i = 0; i < baseline->state_count && status == STATUS_OK; i++)
        status = check_object(check, baseline->states[i].object);
    for (uint32_t i = 0; i < baseline->picture_count && status == STATUS_OK; i++)
        status = check_object(check, baseline->pictures[i].object);
    return status;
}

static enum status open_baseline(struct check *check)
{
    const char *path = check->params->path;
    enum status status = baseline_read(&check->baseline, path);
    const struct record *record = &check->baseline.record;
    if (status == STATUS_OK)
        status = check_objects(check);
    if (status == STATUS_OK && record->count == 0)
        status =
            status_fail(STATUS_MISMATCH, "'%s' holds no frames: there is nothing to compare", path);
    if (status != STATUS_OK)
        return status;
    check->folder = file_folder(path);
    if (check->params->output)
        check->shown = text_format("%s/%s", check->params->output, check->baseline.name);
    return source_open_text(record->scene, check->folder, path, &check->scene);
}

static void describe(struct check *check)
{
    struct case_report *one = check->one;
    const struct baseline *baseline = &check->baseline;
    const struct output_params *output = &check->scene->output;
    const struct accepted *last =
        baseline->history_count ? &baseline->history[baseline->history_count - 1] : NULL;
    one->fps = (double)output->fps.num / output->fps.den;
    one->frames = baseline->record.count;
    one->baseline = memory_text(check->params->path);
    memcpy(one->baseline_hash, baseline->hash, HASH_TEXT);
    if (last) {
        one->author = memory_text(last->author);
        one->reason = memory_text(last->because);
        one->date = memory_text(last->date);
    }
}

/* ---- the film again ---- */

static struct run_params run_of(const struct check *check)
{
    return (struct run_params){.scene = check->scene,
                               .backend = check->params->backend,
                               .device = check->params->device,
                               .format = check->baseline.record.output_format,
                               .folder = check->scratch.folder,
                               .expected = &check->baseline.record,
                               .stop = check->params->stop};
}

static enum status run_once(struct check *check, bool diagnostics)
{
    struct record_hooks hooks;
    struct run_params params = run_of(check);
    capture_free(&check->capture);
    record_free(&check->now);
    capture_like(&check->capture, &check->baseline);
    capture_hook(&check->capture, &hooks);
    params.hooks = &hooks;
    params.diagnostics = diagnostics;
    return run_film(&params, &check->now);
}

/* Copies the diagnostics of frames whose state is the same, because the energy is then the same
 * too. Only changed states are worth an evaluation of all pairs. */
static bool take_over_diagnostics(struct check *check)
{
    struct record *now = &check->now;
    const struct record *before = &check->baseline.record;
    bool same = true;
    for (uint64_t f = 0; f < now->count; f++) {
        const struct frame_record *other = record_frame(before, now->frames[f].frame);
        same &= other && frame_record_take_diagnostics(&now->frames[f], other);
    }
    return same;
}

static enum status run_again(struct check *check)
{
    enum status status = temporary_open(&check->scratch);
    if (status == STATUS_OK)
        status = run_once(check, false);
    if (status == STATUS_OK && !take_over_diagnostics(check))
        status = run_once(check, true);
    if (status != STATUS_OK)
        return status;
    /* The film was made from the recorded scene; the scene that the source gives now is judged
     * apart. */
    free(check->now.scene);
    free(check->now.scene_hash);
    check->now.scene = memory_text(check->baseline.record.scene);
    check->now.scene_hash = memory_text(check->baseline.record.scene_hash);
    record_set_commit(&check->now, check->params->commit);
    return STATUS_OK;
}

/* ---- judging ---- */

/* Judges the recorded scene against the scene that its source gives now. */
static enum status judge_scene(struct check *check, const struct comparison *comparison)
{
    struct stage_report *stage = &check->one->stages[JUDGED_SCENE];
    struct record now = check->now;
    struct comparison of_scene = *comparison;
    char hash[17];
    enum status status = source_open(&check->baseline.source, check->folder, &check->source);
    if (status != STATUS_OK) {
        /* The source cannot be compared: the text here is only the recorded scene printed again. */
        stage->verdict = VERDICT_NOT_JUDGED;
        stage->planned = 1;
        stage->compared = 0;
        check->unreadable =
            text_format("the scene that was recorded cannot be opened any more: %s", status_text());
        stage_say(stage, "%s", check->unreadable);
        return STATUS_OK;
    }
    check->source_text = source_print(check->source, check->folder, hash);
    now.scene = check->source_text;
    now.scene_hash = hash;
    now.encoding = NULL; /* the film was not made from this scene */
    of_scene.now = &now;
    return judge_stage(&of_scene, JUDGED_SCENE, stage);
}

static bool is_same(const struct check *check, enum judged stage)
{
    const enum verdict verdict = check->one->stages[stage].verdict;
    return verdict == VERDICT_SAME || verdict == VERDICT_NOT_APPLICABLE;
}

/* Judges later stages from what the baseline stored, in case an earlier stage hides a change. */
static enum status substitute(struct check *check, const struct comparison *comparison)
{
    const struct substitution substitution = {.baseline = &check->baseline,
                                              .scene = check->scene,
                                              .comparison = comparison,
                                              .run = run_of(check),
                                              .shown = check->shown,
                                              .one = check->one};
    const bool bodies = is_same(check, JUDGED_START) && is_same(check, JUDGED_PHYSICS);
    const bool pictures = bodies && is_same(check, JUDGED_LIGHT) && is_same(check, JUDGED_PICTURE);
    enum status status = STATUS_OK;
    if (check->one->stages[JUDGED_PHYSICS].follows)
        status = substitute_start(&substitution);
    if (status == STATUS_OK && !bodies && check->baseline.state_count > 0)
        status = substitute_states(&substitution);
    /* Encoding the stored pictures again would hide frames that are out of order. */
    const bool in_order = film_order_same(&check->baseline.record, &check->now);
    if (status == STATUS_OK && !pictures && in_order && *check->baseline.encoding)
        status = substitute_pictures(&substitution);
    return status;
}

/* Judges every frame by the scene's expectations of its physics, independently of the baseline. */
static void judge_expectations(struct check *check)
{
    const struct record *now = &check->now;
    const struct expect_params *expect = &check->scene->expect;
    struct stage_report *stage = &check->one->stages[JUDGED_PHYSICS];
    uint64_t outside = 0;
    int64_t first = -1;
    char *sentence = NULL;
    if (!expect_is_given(expect))
        return;
    for (uint64_t f = 0; f < now->count; f++) {
        const struct expect_run run = {.start = &now->frames[0].bodies[0].diagnostics,
                                       .now = &now->frames[f].bodies[0].diagnostics,
                                       .elapsed = now->frames[f].time - now->frames[0].time,
                                       .frame = now->frames[f].frame};
        if (expect_judge(expect, &run) == STATUS_OK)
            continue;
        if (outside++ == 0) {
            first = (int64_t)run.frame;
            sentence = memory_text(status_text());
        }
    }
    struct finding *finding = stage_measured(stage, check->params->limits,
                                             &rules[RULE_PHYSICS_EXPECTED], (double)outside);
    finding->frame = first;
    if (outside > 0) {
        finding_say(finding, "%s", sentence);
        if (finding->verdict == VERDICT_CHANGED && stage->verdict == VERDICT_CHANGED)
            text_append(&stage->sentence, "; ", "%s", sentence);
        else if (finding->verdict == VERDICT_CHANGED)
            stage_say(stage, "%s", sentence);
    }
    free(sentence);
    stage_conclude(stage);
}

static enum status judge(struct check *check)
{
    check->gallery = (struct gallery){.baseline = &check->baseline,
                                      .now = &check->capture,
                                      .limits = check->params->limits,
                                      .one = check->one,
                                      .folder = check->shown};
    const struct comparison comparison = {.before = &check->baseline.record,
                                          .now = &check->now,
                                          .limits = check->params->limits,
                                          .details = gallery_details(&check->gallery)};
    enum status status = judge_records(&comparison, check->one);
    if (status == STATUS_OK && check->shown)
        status =
            astray_show(&check->capture.astray, check->params->limits, check->shown, check->one);
    if (status == STATUS_OK)
        status = substitute(check, &comparison);
    if (status == STATUS_OK)
        status = judge_scene(check, &comparison);
    if (status == STATUS_OK)
        judge_expectations(check);
    case_conclude(check->one);
    return status;
}

/* ---- the distance from the first baseline ---- */

struct creep {
    uint64_t frames, same; /* pictures in both; pictures with the same bits */
    double light;          /* largest relative change of a picture's light */
    double thumbnail;      /* largest change of a part's luma, codes */
    double distance;       /* largest RMS distance of the bodies */
};

static double thumbnail_change(const struct frame_record *a, const struct frame_record *b)
{
    int worst = 0;
    for (int y = 0; y < RECORD_THUMBNAIL_HEIGHT; y++)
        for (int x = 0; x < RECORD_THUMBNAIL_WIDTH; x++) {
            const int one = abs(a->thumbnail[y][x] - b->thumbnail[y][x]);
            worst = one > worst ? one : worst;
        }
    return worst;
}

static struct creep measure(const struct record *first, const struct record *now)
{
    struct creep creep = {0};
    for (uint64_t i = 0; i < now->count; i++) {
        const struct frame_record *b = &now->frames[i], *a = record_frame(first, b->frame);
        if (!a)
            continue;
        creep.frames++;
        creep.same += *a->picture && strcmp(a->picture, b->picture) == 0;
        if (a->picture_light > 0) {
            const double change = b->picture_light / a->picture_light - 1;
            creep.light = fabs(change) > fabs(creep.light) ? change : creep.light;
        }
        creep.thumbnail = fmax(creep.thumbnail, thumbnail_change(a, b));
        if (first->bodies == now->bodies)
            creep.distance = fmax(creep.distance,
                                  record_distance(first, &a->bodies[0], &b->bodies[0]));
    }
    return creep;
}

/* Says how far the baseline has drifted from the first one through accepted changes, each of them
 * small; NULL while it is itself the first one. The caller frees it. */
static char *anchor_distance(const struct baseline *baseline)
{
    struct record first;
    const uint32_t accepted = baseline->history_count ? baseline->history_count - 1 : 0;
    if (!*baseline->anchor)
        return NULL;
    if (baseline_get_record(baseline, baseline->anchor, &first) != STATUS_OK) {
        record_free(&first);
        return text_format("%u changes were accepted since the first baseline, which is missing",
                           accepted);
    }
    const struct creep creep = measure(&first, &baseline->record);
    record_free(&first);
    return text_format("%u change%s accepted since the first baseline of %s: %llu of %llu pictures "
                       "are still its own; light %+.2g %% at most, a part of a picture by %.0f "
                       "codes, bodies %.2g apart",
                       accepted, accepted == 1 ? "" : "s", baseline->history[0].date,
                       (unsigned long long)creep.same, (unsigned long long)creep.frames,
                       100 * creep.light, creep.thumbnail, creep.distance);
}

/* ---- notes and renewal ---- */

static enum status renew(struct check *check)
{
    const struct run_params run = run_of(check);
    enum status status = renewed_make(&check->renewed, &run, &check->baseline, check->source,
                                      check->source_text, check->params->commit);
    return status == STATUS_OK ? renewed_show(&check->renewed, &check->baseline,
                                              check->params->limits, check->shown, check->one)
                               : status;
}

static enum status finish(struct check *check)
{
    struct case_report *one = check->one;
    const struct baseline *baseline = &check->baseline;
    enum status status = STATUS_OK;
    one->anchor = anchor_distance(baseline);
    if (check->missing)
        text_append(&one->sentence, "; ",
                    verdict_passes(one->verdict)
                        ? "a change would be detected, but could not be shown: %s"
                        : "an object is missing, so it can be neither shown nor used to judge "
                          "later stages: %s",
                    check->missing);
    if (verdict_passes(one->verdict))
        return STATUS_OK;
    one->reproduce = candidate_reproduce(baseline, check->folder, one);
    if (!check->params->output)
        return STATUS_OK;
    if (check->source && one->stages[JUDGED_SCENE].verdict != VERDICT_SAME)
        status = renew(check);
    if (status != STATUS_OK)
        return status;
    const struct candidate candidate = {.baseline = baseline,
                                        .output = check->params->output,
                                        .scene = check->scene,
                                        .now = &check->now,
                                        .capture = &check->capture,
                                        .renewed = check->renewed.made ? &check->renewed : NULL,
                                        .run = run_of(check),
                                        .one = one};
    return candidate_write(&candidate);
}

/* ---- the check ---- */

static void close_check(struct check *check)
{
    gallery_close(&check->gallery);
    renewed_free(&check->renewed);
    capture_free(&check->capture);
    record_free(&check->now);
    temporary_close(&check->scratch);
    scene_close(&check->scene);
    scene_close(&check->source);
    baseline_free(&check->baseline);
    free(check->source_text);
    free(check->folder);
    free(check->shown);
    free(check->missing);
    free(check->unreadable);
}

enum status check_baseline(const struct check_params *params, struct report *report)
{
    struct baseline named = {0};
    struct check check = {.params = params};
    const double since = clock_seconds();
    baseline_start(&named, params->path);
    check.one = report_add_case(report, named.name);
    check.one->a = memory_text(params->path);
    baseline_free(&named);
    enum status status = open_baseline(&check);
    if (status == STATUS_OK) {
        describe(&check);
        status = run_again(&check);
    }
    if (status == STATUS_OK)
        status = judge(&check);
    if (status == STATUS_OK)
        status = finish(&check);
    struct failure failure = {0};
    failure_keep(&failure, status);
    if (status != STATUS_OK)
        case_give_up(check.one, status_text());
    else if (check.unreadable) /* all other stages are judged */
        failure_keep(&failure, status_fail(STATUS_IO, "%s: %s", params->path, check.unreadable));
    close_check(&check);
    check.one->seconds = clock_seconds() - since;
    return failure_report(&failure);
}
