#include "cmd/regression/baseline/check.h"

#include "base/clock.h"
#include "base/file.h"
#include "base/memory.h"
#include "base/part.h"
#include "base/ranks/ranks.h"
#include "base/text.h"
#include "cmd/film/expect.h"
#include "cmd/film/start/panels.h"
#include "cmd/regression/baseline/accept.h"
#include "cmd/regression/exhibit/exhibit.h"
#include "cmd/regression/judge/judge.h"
#include "cmd/regression/record/readback.h"
#include "render/reader/pixels.h"

#include <stdlib.h>
#include <string.h>

struct check {
    const struct check_params *params;
    struct case_report *one;
    struct baseline baseline;
    struct kept stored;           /* of the baseline */
    char *folder, *shown;         /* of the baseline; for pictures to view, may be NULL */
    char *missing;                /* message that an object is missing; NULL: none is */
    char *unreadable;             /* why the scene cannot be opened any more; NULL: it can */
    struct scene *scene, *origin; /* as recorded; as its origin gives it now, may be NULL */
    char *origin_text;
    struct temporary scratch;
    struct made now;
    struct made renewed; /* from the scene as it now reads, if it has changed; else zeroed */
};

/* ---- opening the baseline ---- */

static enum status open_baseline(struct check *check)
{
    const char *path = check->params->path;
    enum status status = baseline_read(&check->baseline, path);
    const struct record *record = &check->baseline.record;
    check->folder = file_folder(path);
    if (check->params->output)
        check->shown = text_format("%s/%s", check->params->output, check->baseline.name);
    if (ranks_begin_first()) {
        if (status == STATUS_OK)
            status = kept_read(&check->stored, &check->baseline, &check->missing);
        if (status == STATUS_OK && record->count == 0)
            status = status_fail(STATUS_MISMATCH,
                                 "'%s' holds no frames: there is nothing to compare", path);
        if (status == STATUS_OK)
            status = origin_open_text(record->scene, check->folder, path, &check->scene);
    }
    status = ranks_end_first(status);
    return status == STATUS_OK ? scene_share(&check->scene) : status;
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

/* Returns the recorded scene as a source, with a folder of its own, which the caller frees. */
static struct source source_of(struct check *check, const char *name)
{
    return (struct source){.scene = check->scene,
                           .backend = check->params->backend,
                           .device = check->params->device,
                           .format = check->baseline.record.output_format,
                           .folder = text_format("%s/%s", check->scratch.folder, name),
                           .expected = &check->baseline.record,
                           .stop = check->params->stop,
                           .baseline = &check->baseline,
                           .stored = &check->stored};
}

/* Makes a film, or a part of one, and frees the folder's name. */
static enum status make(struct source source,
                        enum status (*from)(const struct source *source, struct made *out),
                        struct made *out)
{
    const enum status status = from(&source, out);
    free((char *)source.folder);
    return status;
}

static enum status run_once(struct check *check, bool diagnostics)
{
    struct source source = source_of(check, "film");
    source.diagnostics = diagnostics;
    made_free(&check->now);
    kept_choose_like(&check->now.kept, &check->baseline);
    return make(source, source_film, &check->now);
}

/* Copies the diagnostics of frames whose state is the same, because the energy is then the same
 * too. Only changed states are worth an evaluation of all pairs. */
static bool take_over_diagnostics(struct check *check)
{
    struct record *now = &check->now.record;
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
    struct record *now = &check->now.record;
    const struct record *before = &check->baseline.record;
    enum status status = STATUS_OK;
    if (ranks_begin_first())
        status = temporary_open(&check->scratch);
    status = ranks_end_first(status);
    if (status == STATUS_OK)
        status = run_once(check, false);
    bool taken = status == STATUS_OK && take_over_diagnostics(check);
    if (status == STATUS_OK)
        status = ranks_first(&taken, sizeof taken);
    if (status == STATUS_OK && !taken)
        status = run_once(check, true);
    if (status != STATUS_OK)
        return status;
    /* The film was made from the recorded scene; the scene that its origin gives now is judged
     * apart. */
    free(now->scene);
    free(now->scene_hash);
    now->scene = memory_text(before->scene);
    now->scene_hash = memory_text(before->scene_hash);
    record_set_commit(now, check->params->commit);
    return STATUS_OK;
}

/* ---- pictures of both sides ---- */

static enum status get_picture(void *user, int64_t frame, uint16_t *rgb)
{
    const struct picture *picture = kept_picture(user, (uint64_t)frame);
    return picture ? drawn_to_rgb(picture, rgb)
                   : status_fail(STATUS_IO, "the picture of frame %lld no longer exists",
                                 (long long)frame);
}

/* The kept frames of two films, and how to show them. */
struct sides {
    struct kept *kept[2]; /* of the baseline; of this program's film */
    const struct limits *limits;
    struct case_report *one;   /* gets the pictures to view */
    struct case_report *apart; /* gets a timeline for each rule */
    const char *folder;        /* for the pictures to view; NULL: none are written */
    const char *note;
};

/* Describes the frames of side A, in pairs[KEPT_PICTURES_MAX]; `alone`: they need no partner. */
static struct exhibit exhibit_of(const struct sides *sides, struct frame_pair *pairs, bool alone)
{
    struct exhibit exhibit = {.folder = sides->folder,
                              .note = sides->note,
                              .fps = sides->one->fps,
                              .limits = sides->limits,
                              .pairs = pairs};
    for (uint32_t i = 0; i < sides->kept[0]->picture_count; i++) {
        const uint64_t frame = sides->kept[0]->pictures[i].frame;
        const struct picture *both[2] = {kept_picture(sides->kept[0], frame),
                                         kept_picture(sides->kept[1], frame)};
        if (!both[0] || (!both[1] && !alone))
            continue;
        pairs[exhibit.count++] = (struct frame_pair){(int64_t)frame, both[1] ? (int64_t)frame : -1};
        for (int s = 0; s < 2; s++)
            exhibit.side[s] = (struct exhibit_side){.width = both[both[1] ? s : 0]->layout.width,
                                                    .height = both[both[1] ? s : 0]->layout.height,
                                                    .picture = get_picture,
                                                    .user = sides->kept[s]};
    }
    return exhibit;
}

static const double (*find_positions(void *user, bool now, uint64_t frame, size_t *count))[3]
{
    const struct sides *sides = user;
    return kept_state(sides->kept[1], frame) ? kept_positions(sides->kept[now], frame, count)
                                             : NULL;
}

static enum status judge_pictures(void *user, const uint64_t *frames, size_t count,
                                  struct stage_report *stage, size_t *measured)
{
    const struct sides *sides = user;
    struct frame_pair all[KEPT_PICTURES_MAX], some[KEPT_PICTURES_MAX];
    struct exhibit exhibit = exhibit_of(sides, all, false), part = exhibit;
    struct picture_judge *judge;
    part.pairs = some;
    part.count = 0;
    for (size_t p = 0; p < exhibit.count; p++)
        for (size_t f = 0; f < count; f++)
            if (all[p].a == (int64_t)frames[f]) {
                some[part.count++] = all[p];
                break;
            }
    picture_judge_open(&judge, sides->limits, sides->apart->frames);
    enum status status = exhibit_measure(&part, judge);
    exhibit.judge = judge;
    if (status == STATUS_OK && sides->folder && part.count > 0)
        status = exhibit_show(&exhibit, sides->one);
    if (status == STATUS_OK && part.count > 0)
        picture_judge_end(judge, sides->apart, stage);
    picture_judge_close(&judge);
    *measured = part.count;
    return status;
}

static struct comparison_details details_of(struct sides *sides)
{
    return (struct comparison_details){
        .user = sides, .positions = find_positions, .pictures = judge_pictures};
}

/* Shows frames of a film that are out of order: A as drawn, B what the film shows in its place. */
static enum status show_astray(struct check *check)
{
    enum { SHOWN = 3 };
    struct case_report *one = check->one;
    struct frame_pair pairs[KEPT_PICTURES_MAX];
    struct exhibit_frame frames[SHOWN];
    struct kept *astray = check->now.astray;
    const struct sides sides = {.kept = {&astray[0], &astray[1]},
                                .limits = check->params->limits,
                                .one = one,
                                .folder = check->shown,
                                .note = "as drawn, and what the film shows in its place"};
    struct exhibit exhibit = exhibit_of(&sides, pairs, true);
    size_t from = exhibit.count;
    for (size_t i = 0; i < exhibit.count && from == exhibit.count; i++) {
        bool in_place = false;
        for (uint32_t s = 0; s < one->alignment_count && !in_place; s++)
            in_place = one->alignment[s].a == pairs[i].a && one->alignment[s].b == pairs[i].a;
        if (!in_place || i + 1 == exhibit.count)
            from = i;
    }
    exhibit.frames = frames;
    for (size_t i = from; i < exhibit.count && exhibit.frame_count < SHOWN; i++)
        frames[exhibit.frame_count++] = (struct exhibit_frame){
            pairs[i], 1, i == from ? "the first place that shows another frame" : ""};
    return exhibit_show(&exhibit, one);
}

/* Adds how far the pictures of the changed scene are from the baseline's to the sentence: for
 * information, because the case does not pass anyway. Pictures of other sizes cannot be measured.
 */
static enum status say_renewed(struct check *check, const struct exhibit *exhibit)
{
    struct report aside = {0};
    struct case_report *one = report_add_case(&aside, "the changed scene");
    struct stage_report *stage = &one->stages[JUDGED_PICTURE];
    struct picture_judge *judge;
    enum status status = STATUS_OK;
    one->frames = check->one->frames;
    picture_judge_open(&judge, check->params->limits, one->frames);
    if (exhibit->count > 0 && exhibit->side[0].width == exhibit->side[1].width &&
        exhibit->side[0].height == exhibit->side[1].height) {
        status = exhibit_measure(exhibit, judge);
        picture_judge_end(judge, one, stage);
        stage->planned = stage->compared;
        stage_conclude(stage);
    }
    if (status == STATUS_OK && stage->compared > 0)
        text_append(&check->one->sentence, "; ",
                    "for information, %zu picture%s of the changed scene beside the recorded: %s",
                    exhibit->count, exhibit->count == 1 ? "" : "s", stage->sentence);
    picture_judge_close(&judge);
    report_free(&aside);
    return status;
}

/* Shows pictures of the scene as it now reads beside those of the baseline: the change is intended,
 * so nothing is marked. */
static enum status show_renewed(struct check *check)
{
    char *folder = text_format("%s/scene", check->shown);
    struct frame_pair pairs[KEPT_PICTURES_MAX];
    struct exhibit_frame frames[3];
    const struct sides sides = {.kept = {&check->stored, &check->renewed.kept},
                                .limits = check->params->limits,
                                .one = check->one,
                                .folder = folder,
                                .note = ""};
    struct exhibit exhibit = exhibit_of(&sides, pairs, false);
    const size_t last = exhibit.count ? exhibit.count - 1 : 0, chosen[] = {0, last / 2, last};
    exhibit.frames = frames;
    for (size_t c = 0; c < 3 && exhibit.count > 0; c++)
        if (c == 0 || chosen[c] != chosen[c - 1])
            frames[exhibit.frame_count++] =
                (struct exhibit_frame){pairs[chosen[c]], 0, "the scene has changed"};
    enum status status = exhibit_show(&exhibit, check->one);
    if (status == STATUS_OK)
        status = say_renewed(check, &exhibit);
    free(folder);
    return status;
}

/* ---- judging ---- */

/* Judges the recorded scene against the scene that its origin gives now. */
static enum status judge_scene(struct check *check, const struct comparison *comparison)
{
    struct stage_report *stage = &check->one->stages[JUDGED_SCENE];
    struct record now = check->now.record;
    struct comparison of_scene = *comparison;
    char hash[17];
    enum status status = origin_open(&check->baseline.origin, check->folder, &check->origin);
    if (status != STATUS_OK) {
        /* The scene cannot be compared: the text here is only the recorded scene printed again. */
        stage->verdict = VERDICT_NOT_JUDGED;
        stage->planned = 1;
        stage->compared = 0;
        check->unreadable =
            text_format("the scene that was recorded cannot be opened any more: %s", status_text());
        stage_say(stage, "%s", check->unreadable);
        return STATUS_OK;
    }
    check->origin_text = origin_print(check->origin, check->folder, hash);
    now.scene = check->origin_text;
    now.scene_hash = hash;
    now.encoding = NULL; /* the film was not made from this scene */
    of_scene.now = &now;
    return judge_stage(&of_scene, JUDGED_SCENE, stage);
}

static bool is_same(const struct check *check, enum judged stage)
{
    return verdict_is_same(check->one->stages[stage].verdict);
}

/* Judges some stages again, by the record made from a stored stage. */
static enum status judge_again(const struct comparison *whole, const struct record *before,
                               const struct record *now, struct comparison_details details,
                               const enum judged *stages, size_t count, struct case_report *one)
{
    struct comparison comparison = *whole;
    struct record then = *before, made = *now;
    then.platform = whole->before->platform;
    then.output_format = whole->before->output_format;
    made.platform = whole->now->platform;
    made.output_format = whole->now->output_format;
    comparison.before = &then;
    comparison.now = &made;
    comparison.substituted = true;
    comparison.details = details;
    enum status status = STATUS_OK;
    for (size_t s = 0; s < count && status == STATUS_OK; s++)
        status = judge_stage(&comparison, stages[s], &one->stages[stages[s]]);
    return status;
}

/* Turns a missing object into STATUS_OK: the stage then keeps its verdict, and the check has not
 * failed. */
static enum status unless_missing(enum status status)
{
    return status == STATUS_IO || status == STATUS_MISMATCH ? STATUS_OK : status;
}

static enum status substitute_start(struct check *check, const struct comparison *whole)
{
    static const enum judged stages[] = {JUDGED_PHYSICS};
    struct made made = {0};
    enum status status = make(source_of(check, "start"), source_start, &made);
    if (!ranks_begin_first())
        status = STATUS_OK;
    else if (status == STATUS_OK)
        status = judge_again(whole, whole->before, &made.record, (struct comparison_details){0},
                             stages, 1, check->one);
    else
        status = unless_missing(status);
    made_free(&made);
    return ranks_end_first(status);
}

static enum status substitute_states(struct check *check, const struct comparison *whole)
{
    static const enum judged stages[] = {JUDGED_LIGHT, JUDGED_PICTURE};
    struct made made = {0};
    struct report scratch = {0};
    char *folder = check->shown ? text_format("%s/substituted", check->shown) : NULL;
    struct sides sides = {.kept = {&check->stored, &made.kept},
                          .limits = whole->limits,
                          .one = check->one,
                          .apart = report_add_case(&scratch, "few frames need no timelines"),
                          .folder = folder,
                          .note = "drawn from a stored state"};
    sides.apart->frames = check->one->frames;
    enum status status = make(source_of(check, "states"), source_states, &made);
    if (status == STATUS_OK) {
        struct record now = *whole->now;
        now.frames = made.record.frames;
        now.count = made.record.count;
        status = judge_again(whole, whole->before, &now, details_of(&sides), stages, 2, check->one);
    } else {
        status = unless_missing(status);
    }
    report_free(&scratch);
    made_free(&made);
    free(folder);
    return status;
}

static enum status substitute_pictures(struct check *check, const struct comparison *whole)
{
    static const enum judged packets[] = {JUDGED_PACKETS}, container[] = {JUDGED_CONTAINER};
    static const struct comparison_details none;
    struct made made = {0};
    struct record then = {0};
    enum status status = baseline_get_record(&check->baseline, check->baseline.encoding, &then);
    if (status == STATUS_OK)
        status = make(source_of(check, "pictures"), source_pictures, &made);
    if (status == STATUS_OK) {
        status = judge_again(whole, &then, &made.record, none, packets, 1, check->one);
        /* If the packets differ, the size of the container differs too. */
        if (status == STATUS_OK && is_same(check, JUDGED_PACKETS))
            status = judge_again(whole, &then, &made.record, none, container, 1, check->one);
    } else {
        status = unless_missing(status);
    }
    record_free(&then);
    made_free(&made);
    return status;
}

/* Judges later stages from what the baseline stored, so that a change in an earlier stage cannot
 * hide one of theirs: its states in this renderer, its pictures in this encoder (substitute_start:
 * its start in this integrator). */
static enum status substitute_drawn(struct check *check, const struct comparison *whole)
{
    const bool bodies = is_same(check, JUDGED_START) && is_same(check, JUDGED_PHYSICS);
    const bool pictures = bodies && is_same(check, JUDGED_LIGHT) && is_same(check, JUDGED_PICTURE);
    /* Encoding the stored pictures again would hide frames that are out of order. */
    const bool in_order = film_order_same(&check->baseline.record, &check->now.record);
    enum status status = STATUS_OK;
    if (!bodies)
        status = substitute_states(check, whole);
    if (status == STATUS_OK && !pictures && in_order && *check->baseline.encoding)
        status = substitute_pictures(check, whole);
    return status;
}

/* Judges every frame by the scene's expectations of its physics, independently of the baseline. */
static void judge_expectations(struct check *check)
{
    const struct record *now = &check->now.record;
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
    struct sides sides = {.kept = {&check->stored, &check->now.kept},
                          .limits = check->params->limits,
                          .one = check->one,
                          .apart = check->one,
                          .folder = check->shown,
                          .note = ""};
    const struct comparison comparison = {.before = &check->baseline.record,
                                          .now = &check->now.record,
                                          .limits = check->params->limits,
                                          .details = details_of(&sides)};
    enum status status = STATUS_OK;
    if (ranks_begin_first()) {
        status = judge_records(&comparison, check->one);
        if (status == STATUS_OK && check->shown)
            status = show_astray(check);
    }
    status = ranks_end_first(status);
    bool follows = check->one->stages[JUDGED_PHYSICS].follows;
    if (status == STATUS_OK)
        status = ranks_first(&follows, sizeof follows);
    if (status == STATUS_OK && follows)
        status = substitute_start(check, &comparison);
    if (ranks_begin_first()) {
        if (status == STATUS_OK)
            status = substitute_drawn(check, &comparison);
        if (status == STATUS_OK)
            status = judge_scene(check, &comparison);
        if (status == STATUS_OK)
            judge_expectations(check);
        case_conclude(check->one);
    }
    return ranks_end_first(status);
}

/* ---- the check ---- */

/* Renders the scene as it now reads, so that the result can be accepted, and shows what the change
 * looks like. */
static enum status renew(struct check *check)
{
    struct made *out = &check->renewed;
    struct source source = source_of(check, "new");
    source.scene = check->origin;
    source.diagnostics = true;
    source.expected = NULL;
    kept_choose(&out->kept, check->origin->output.frames);
    kept_choose_beside(&out->kept, &check->baseline);
    enum status status = make(source, source_film, out);
    if (ranks_begin_first() && status == STATUS_OK) {
        free(out->record.scene);
        out->record.scene = memory_text(check->origin_text);
        record_set_commit(&out->record, check->params->commit);
        status = show_renewed(check);
    }
    return ranks_end_first(status);
}

/* Says what follows from the verdict. */
static void conclude(struct check *check)
{
    struct case_report *one = check->one;
    one->anchor = candidate_distance(&check->baseline, check->params->limits);
    if (check->missing)
        text_append(&one->sentence, "; ",
                    verdict_passes(one->verdict)
                        ? "a change would be detected, but could not be shown: %s"
                        : "an object is missing, so it can be neither shown nor used to judge "
                          "later stages: %s",
                    check->missing);
    if (!verdict_passes(one->verdict))
        one->reproduce = candidate_reproduce(&check->baseline, check->folder, one);
}

static enum status put_candidate(struct check *check, bool changed)
{
    struct candidate candidate = {.baseline = &check->baseline,
                                  .output = check->params->output,
                                  .source = source_of(check, "candidate"),
                                  .made = changed ? &check->renewed : &check->now};
    candidate.source.scene = changed ? check->origin : check->scene;
    const enum status status = candidate_write(&candidate, check->one);
    free((char *)candidate.source.folder);
    return status;
}

static enum status finish(struct check *check)
{
    bool wanted = false, changed = false; /* a candidate; its scene */
    if (ranks_begin_first()) {
        conclude(check);
        wanted = check->params->output && !verdict_passes(check->one->verdict);
        changed =
            wanted && check->origin && check->one->stages[JUDGED_SCENE].verdict != VERDICT_SAME;
    }
    enum status status = ranks_end_first(STATUS_OK);
    if (status == STATUS_OK)
        status = ranks_first(&changed, sizeof changed);
    if (status == STATUS_OK && changed)
        status = scene_share(&check->origin);
    if (status == STATUS_OK && changed)
        status = renew(check);
    if (ranks_begin_first() && status == STATUS_OK && wanted)
        status = put_candidate(check, changed);
    return ranks_end_first(status);
}

static enum status make_and_judge(struct check *check)
{
    describe(check);
    enum status status = run_again(check);
    if (status == STATUS_OK)
        status = judge(check);
    return status == STATUS_OK ? finish(check) : status;
}

/* Only forces are shared: rank 0 alone makes a film of snapshots, whose states would be those of a
 * rank's share. */
static enum status make_and_judge_alone(struct check *check)
{
    enum status status = STATUS_OK;
    if (ranks_begin_first())
        status = make_and_judge(check);
    return ranks_end_first(status);
}

static void close_check(struct check *check)
{
    made_free(&check->renewed);
    made_free(&check->now);
    kept_free(&check->stored);
    temporary_close(&check->scratch);
    scene_close(&check->scene);
    scene_close(&check->origin);
    baseline_free(&check->baseline);
    free(check->origin_text);
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
    if (status == STATUS_OK)
        status = film_played(check.scene) ? make_and_judge_alone(&check) : make_and_judge(&check);
    if (ranks_are_together())
        status = ranks_scope(status);
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
