#include "cmd/regression/judge/stages.h"

#include "base/memory.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { WINDOW = 3 }; /* how many frames away the same picture is looked for */

/* Light below this cannot be told from rounding. */
static const double FAINT = 1e-4;

/* Returns the nearby frame of the baseline whose picture this frame shows; the frame of the same
 * number if that is equal or none is. */
static uint64_t met_by(const struct record *before, const struct frame_record *now)
{
    const struct frame_record *own = record_frame(before, now->frame);
    if (!now->picture[0] || (own && strcmp(own->picture, now->picture) == 0))
        return now->frame;
    for (uint64_t away = 1; away <= WINDOW; away++) {
        const uint64_t near[] = {now->frame >= away ? now->frame - away : now->frame,
                                 now->frame + away};
        for (int k = 0; k < 2; k++) {
            const struct frame_record *other = record_frame(before, near[k]);
            if (other && strcmp(other->picture, now->picture) == 0)
                return near[k];
        }
    }
    return now->frame;
}

static void judge_count(const struct comparison *comparison, struct stage_report *stage)
{
    const uint64_t before = comparison->before->count, now = comparison->now->count;
    struct finding *finding =
        comparison_measured(comparison, stage, RULE_SEQUENCE_COUNT,
                            (double)(before > now ? before - now : now - before));
    if (before != now)
        finding_say(finding, "%" PRIu64 " frames instead of %" PRIu64, now, before);
}

static void judge_order(const struct comparison *comparison, struct stage_report *stage)
{
    const struct record *now = comparison->now;
    double moved = 0;
    int64_t first = -1;
    uint64_t shows = 0;
    for (uint64_t i = 0; i < now->count; i++) {
        const uint64_t met = met_by(comparison->before, &now->frames[i]);
        if (met == now->frames[i].frame)
            continue;
        moved++;
        if (first < 0) {
            first = (int64_t)now->frames[i].frame;
            shows = met;
        }
    }
    struct finding *finding = comparison_measured(comparison, stage, RULE_SEQUENCE_ORDER, moved);
    finding->frame = first;
    if (moved > 0)
        finding_say(finding,
                    "frame %" PRId64 " shows what was frame %" PRIu64
                    "; %.0f frames are out of their place",
                    first, shows, moved);
}

/* Returns the ratio of a frame's light to its earlier value. */
static double ratio(const struct frame_record *before, const struct frame_record *now)
{
    return (now->picture_light + FAINT) / (before->picture_light + FAINT);
}

/* This function and the next ones return the first frame beyond its limit; -1: none. */
static int64_t judge_mean_light(const struct comparison *comparison, struct stage_report *stage)
{
    const struct rule *rule = &rules[RULE_PICTURE_MEAN_LIGHT];
    const double limit = limits_fail(comparison->limits, rule);
    const struct frame_record *before, *now;
    double worst = 0;
    int64_t frame = -1, over = -1;
    for (uint64_t i = 0; comparison_pair(comparison, &i, &before, &now) && !isnan(worst);) {
        const double off = 100 * fabs(ratio(before, now) - 1);
        if (over < 0 && !(off <= limit))
            over = (int64_t)now->frame;
        if (!(off <= worst)) {
            worst = off;
            frame = (int64_t)now->frame;
        }
    }
    struct finding *finding = stage_measured(stage, comparison->limits, rule, worst);
    finding->frame = frame;
    finding_say(finding, "the light of the frame differs by %.2g %%", worst);
    return over;
}

static void judge_flicker(const struct comparison *comparison, struct stage_report *stage)
{
    const struct frame_record *before, *now;
    double count = 0, sum = 0, squares = 0;
    for (uint64_t i = 0; comparison_pair(comparison, &i, &before, &now);) {
        const double off = 100 * (ratio(before, now) - 1);
        count++;
        sum += off;
        squares += off * off;
    }
    const double mean = sum / count, variance = squares / count - mean * mean,
                 spread = sqrt(variance > 0 || isnan(variance) ? variance : 0);
    struct finding *finding =
        comparison_measured(comparison, stage, RULE_SEQUENCE_MEAN_LIGHT, spread);
    finding_say(finding, "the ratio of light varies by %.2g %% from frame to frame", spread);
}

static int64_t judge_thumbnails(const struct comparison *comparison, struct stage_report *stage)
{
    const struct rule *rule = &rules[RULE_PICTURE_THUMBNAIL];
    const double limit = limits_fail(comparison->limits, rule);
    const struct frame_record *before, *now;
    int worst = 0, at_x = -1, at_y = -1;
    int64_t frame = -1, over = -1;
    for (uint64_t i = 0; comparison_pair(comparison, &i, &before, &now);)
        for (int y = 0; y < RECORD_THUMBNAIL_HEIGHT; y++)
            for (int x = 0; x < RECORD_THUMBNAIL_WIDTH; x++) {
                const int off = abs(before->thumbnail[y][x] - now->thumbnail[y][x]);
                if (over < 0 && off > limit)
                    over = (int64_t)now->frame;
                if (off > worst) {
                    worst = off;
                    at_x = x;
                    at_y = y;
                    frame = (int64_t)now->frame;
                }
            }
    struct finding *finding = stage_measured(stage, comparison->limits, rule, worst);
    finding->frame = frame;
    if (worst > 0)
        finding_say(finding, "part %d,%d of 16 x 9 differs by %d codes", at_x, at_y, worst);
    return over;
}

/* Lists the numbers of the frames that differ; the caller frees the list. */
static uint64_t *differing(const struct comparison *comparison, size_t *count)
{
    const struct frame_record *before, *now;
    uint64_t *frames = memory_new((size_t)comparison->now->count, sizeof *frames);
    *count = 0;
    for (uint64_t i = 0; comparison_pair(comparison, &i, &before, &now);)
        if (strcmp(before->picture, now->picture) != 0)
            frames[(*count)++] = now->frame;
    return frames;
}

/* Measures the pictures that both sides have; *over is the first frame beyond a limit. */
static enum status judge_pictures(const struct comparison *comparison, struct stage_report *stage,
                                  size_t *measured, int64_t *over)
{
    const struct comparison_details *details = &comparison->details;
    const uint64_t compared = stage->compared;
    const int64_t first = stage->first_frame;
    const uint32_t findings = stage->finding_count;
    size_t count;
    uint64_t *frames = differing(comparison, &count);
    enum status status = STATUS_OK;
    *measured = 0;
    if (details->pictures)
        status = details->pictures(details->user, frames, count, stage, measured);
    free(frames);
    *over = stage_has_changed(stage, findings) ? stage->first_frame : -1;
    stage->first_frame = first;
    stage->compared = compared;
    return status;
}

/* Judges what bits do not decide. Where limits decide, pictures must have been measured: light and
 * thumbnails alone cannot detect a single star. */
static enum status judge_limits(const struct comparison *comparison, struct stage_report *stage,
                                uint64_t differing_frames)
{
    size_t measured;
    int64_t over;
    enum status status = judge_pictures(comparison, stage, &measured, &over);
    over = comparison_earlier(over, judge_mean_light(comparison, stage));
    over = comparison_earlier(over, judge_thumbnails(comparison, stage));
    judge_flicker(comparison, stage);
    if (stage->same_platform)
        return status;
    if (over >= 0)
        stage->first_frame = over;
    if (measured == 0 && !stage_has_changed(stage, 0)) {
        stage->compared -= differing_frames;
        stage_say(stage,
                  "%" PRIu64 " frames differ, and no pictures of them are kept to "
                  "measure by how much",
                  differing_frames);
    }
    return status;
}

enum status judge_frames(const struct comparison *comparison, struct stage_report *stage)
{
    const struct record *before = comparison->before, *now = comparison->now;
    const struct hash_comparison hashes =
        comparison_hashes(comparison, offsetof(struct frame_record, picture));
    stage->same_platform =
        comparison_same_bits(comparison, before->platform.drawing, now->platform.drawing);
    if (!comparison->substituted) {
        judge_count(comparison, stage);
        judge_order(comparison, stage);
    }
    if (comparison_judge_bits(comparison, stage, &rules[RULE_PICTURE_BITS], &hashes))
        return STATUS_OK;
    return judge_limits(comparison, stage, hashes.differing);
}

static void step(struct case_report *one, int kind, int64_t a, int64_t b)
{
    one->alignment =
        memory_grow(one->alignment, one->alignment_count + (size_t)1, sizeof *one->alignment);
    struct alignment_step *added = &one->alignment[one->alignment_count++];
    *added = (struct alignment_step){.a = a, .b = b};
    added->kind = kind;
}

/* Returns the frame of the baseline that frame i shows; -1: none. */
static int64_t shown_by(const struct comparison *comparison, uint64_t i)
{
    const struct record *now = comparison->now;
    const struct frame_record *frame =
        now->shows ? record_frame(now, now->shows[i]) : &now->frames[i];
    const uint64_t met = frame ? met_by(comparison->before, frame) : RECORD_NO_FRAME;
    return frame && record_frame(comparison->before, met) ? (int64_t)met : -1;
}

/* Adds the frames of the baseline from *next to before `until` that no frame of the film shows. */
static void add_dropped(struct case_report *one, const struct record *before, const bool *met,
                        uint64_t *next, int64_t until)
{
    for (; *next < before->count && (int64_t)before->frames[*next].frame < until; ++*next)
        if (!met[*next])
            step(one, STEP_DROPPED, (int64_t)before->frames[*next].frame, -1);
}

void frames_align(const struct comparison *comparison, struct case_report *one)
{
    const struct record *before = comparison->before, *now = comparison->now;
    const uint64_t count = now->shows ? now->shown : now->count,
                   first = now->count > 0 ? now->frames[0].frame : 0;
    bool *met = memory_new((size_t)before->count + 1, sizeof *met),
         *again = memory_new((size_t)before->count + 1, sizeof *again);
    int64_t furthest = -1;
    uint64_t next = 0;
    for (uint64_t i = 0; i < count; i++)
        if (shown_by(comparison, i) >= 0)
            met[record_frame(before, (uint64_t)shown_by(comparison, i)) - before->frames] = true;
    for (uint64_t i = 0; i < count; i++) {
        const int64_t frame = (int64_t)(now->shows ? first + i : now->frames[i].frame),
                      a = shown_by(comparison, i);
        const bool swaps = i + 1 < count && a >= 0 && shown_by(comparison, i + 1) == a - 1;
        if (a < 0) {
            step(one, STEP_ADDED, -1, frame);
            continue;
        }
        add_dropped(one, before, met, &next, a);
        bool *seen = &again[record_frame(before, (uint64_t)a) - before->frames];
        step(one,
             *seen                   ? STEP_REPEATED
             : a < furthest || swaps ? STEP_SWAPPED
                                     : STEP_PAIR,
             a, frame);
        *seen = true;
        furthest = a > furthest ? a : furthest;
    }
    add_dropped(one, before, met, &next, INT64_MAX);
    free(met);
    free(again);
}
