#include "cmd/judge/frames.h"

#include "base/memory.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { REACH = 3 }; /* frames that a picture is looked for around its own */

/* Light below this is not told from rounding. */
static const double FAINT = 1e-4;

/* The frame of the baseline, near this one, whose picture this frame shows; its own where that is
 * equal or none is. */
static uint64_t met_by(const struct record *before, const struct frame_record *now)
{
    const struct frame_record *own = record_frame(before, now->frame);
    if (!now->picture[0] || (own && strcmp(own->picture, now->picture) == 0))
        return now->frame;
    for (uint64_t away = 1; away <= REACH; away++) {
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
    struct finding *finding = stage_measured(stage, comparison->limits, &rules[RULE_SEQUENCE_COUNT],
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
    struct finding *finding =
        stage_measured(stage, comparison->limits, &rules[RULE_SEQUENCE_ORDER], moved);
    finding->frame = first;
    if (moved > 0)
        finding_say(finding,
                    "frame %" PRId64 " shows what was frame %" PRIu64
                    "; %.0f frames are out of their place",
                    first, shows, moved);
}

/* The ratio of a frame's light to what it was. */
static double ratio(const struct frame_record *before, const struct frame_record *now)
{
    return (now->picture_light + FAINT) / (before->picture_light + FAINT);
}

static void judge_light_of_frames(const struct comparison *comparison, struct stage_report *stage)
{
    const struct frame_record *before, *now;
    double worst = 0, count = 0, sum = 0, squares = 0;
    int64_t frame = -1;
    for (uint64_t i = 0; comparison_pair(comparison, &i, &before, &now);) {
        const double off = 100 * (ratio(before, now) - 1);
        count++;
        sum += off;
        squares += off * off;
        if (!(fabs(off) <= worst) && !isnan(worst)) {
            worst = fabs(off);
            frame = (int64_t)now->frame;
        }
    }
    struct finding *finding =
        stage_measured(stage, comparison->limits, &rules[RULE_PICTURE_MEAN_LIGHT], worst);
    finding->frame = frame;
    finding_say(finding, "the light of the frame differs by %.2g %%", worst);
    const double mean = sum / count, variance = squares / count - mean * mean,
                 spread = sqrt(variance > 0 || isnan(variance) ? variance : 0);
    finding = stage_measured(stage, comparison->limits, &rules[RULE_SEQUENCE_MEAN_LIGHT], spread);
    finding_say(finding, "the ratio of light varies by %.2g %% from frame to frame", spread);
}

static void judge_thumbnails(const struct comparison *comparison, struct stage_report *stage)
{
    const struct frame_record *before, *now;
    int worst = 0, at_x = -1, at_y = -1;
    int64_t frame = -1;
    for (uint64_t i = 0; comparison_pair(comparison, &i, &before, &now);)
        for (int y = 0; y < RECORD_THUMBNAIL_HEIGHT; y++)
            for (int x = 0; x < RECORD_THUMBNAIL_WIDTH; x++) {
                const int off = abs(before->thumbnail[y][x] - now->thumbnail[y][x]);
                if (off > worst) {
                    worst = off;
                    at_x = x;
                    at_y = y;
                    frame = (int64_t)now->frame;
                }
            }
    struct finding *finding =
        stage_measured(stage, comparison->limits, &rules[RULE_PICTURE_THUMBNAIL], worst);
    finding->frame = frame;
    if (worst > 0)
        finding_say(finding, "part %d,%d of 16 x 9 differs by %d codes", at_x, at_y, worst);
}

/* Numbers of the frames that differ; the caller frees them. */
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

/* Where limits decide, pictures must have been measured: light and thumbnails alone are blind for a
 * star. */
static enum status judge_pictures(const struct comparison *comparison, struct stage_report *stage)
{
    const struct comparison_details *details = &comparison->details;
    size_t count, measured = 0;
    uint64_t *frames = differing(comparison, &count);
    const uint64_t compared = stage->compared;
    const int64_t first = stage->first_frame;
    enum status status = STATUS_OK;
    if (details->pictures)
        status = details->pictures(details->user, frames, count, stage, &measured);
    free(frames);
    stage->first_frame = first;
    stage->compared = compared;
    if (measured == 0 && !stage->same_platform) {
        stage->compared -= count;
        stage_say(stage,
                  "not judged: %zu frames differ, and no pictures of them are kept to "
                  "measure by how much",
                  count);
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
    enum status status = judge_pictures(comparison, stage);
    judge_light_of_frames(comparison, stage);
    judge_thumbnails(comparison, stage);
    return status;
}

static void step(struct case_report *one, int kind, int64_t a, int64_t b)
{
    one->alignment =
        memory_grow(one->alignment, one->alignment_count + (size_t)1, sizeof *one->alignment);
    struct alignment_step *added = &one->alignment[one->alignment_count++];
    *added = (struct alignment_step){.a = a, .b = b};
    added->kind = kind;
}

void frames_align(const struct comparison *comparison, struct case_report *one)
{
    const struct record *before = comparison->before, *now = comparison->now;
    bool *met = memory_new((size_t)before->count, sizeof *met);
    int64_t furthest = -1;
    for (uint64_t i = 0; i < now->count; i++) {
        const int64_t frame = (int64_t)now->frames[i].frame,
                      a = (int64_t)met_by(before, &now->frames[i]);
        const struct frame_record *other = record_frame(before, (uint64_t)a);
        if (!other) {
            step(one, STEP_ADDED, -1, frame);
            continue;
        }
        bool *again = &met[other - before->frames];
        step(one, *again ? STEP_REPEATED : a < furthest ? STEP_SWAPPED : STEP_PAIR, a, frame);
        *again = true;
        furthest = a > furthest ? a : furthest;
    }
    for (uint64_t i = 0; i < before->count; i++)
        if (!met[i])
            step(one, STEP_DROPPED, (int64_t)before->frames[i].frame, -1);
    free(met);
}
