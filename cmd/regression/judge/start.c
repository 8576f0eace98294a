#include "cmd/regression/judge/stages.h"

#include "sim/diagnostics.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

static double largest(double a, double b)
{
    return isnan(a) || isnan(b) ? NAN : fmax(a, b);
}

static double relative(double a, double b)
{
    return a == b ? 0 : fabs(a - b) / fmax(fabs(a), fabs(b));
}

/* Returns how far the starts differ: positions by their sketch, masses and velocities by their
 * sums, each relative to the scale of the system. */
static double distance(const struct comparison *comparison, const struct frame_record *a,
                       const struct frame_record *b)
{
    const struct diagnostics *in_a = &a->diagnostics, *in_b = &b->diagnostics;
    const double size =
        in_a->potential < 0 ? in_a->mass * in_a->mass / -in_a->potential : a->half_mass;
    struct drift drift;
    drift_measure(in_a, in_b, 0, &drift);
    const double apart = record_distance(comparison->before, a, b);
    double out = apart == 0 ? 0 : apart / size;
    out = largest(out, drift.centre == 0 ? 0 : drift.centre / size);
    out = largest(out, relative(in_a->mass, in_b->mass));
    out = largest(out, relative(in_a->kinetic, in_b->kinetic));
    return largest(out, largest(drift.momentum, drift.angular_momentum));
}

static void judge_bodies(const struct comparison *comparison, struct stage_report *stage)
{
    const uint64_t before = comparison->before->bodies, now = comparison->now->bodies;
    struct finding *finding = comparison_measured(
        comparison, stage, RULE_START_BODIES, (double)(before > now ? before - now : now - before));
    if (before != now)
        finding_say(finding, "%" PRIu64 " bodies instead of %" PRIu64, now, before);
}

static void judge_distance(const struct comparison *comparison, struct stage_report *stage,
                           const struct frame_record *before, const struct frame_record *now)
{
    const double apart = distance(comparison, before, now);
    struct finding *finding = comparison_measured(comparison, stage, RULE_START_DISTANCE, apart);
    finding->frame = (int64_t)now->frame;
    finding_say(finding, "the bodies differ by %.1e of the size of the system", apart);
}

static void judge_hash(const struct comparison *comparison, struct stage_report *stage,
                       const struct frame_record *before, const struct frame_record *now)
{
    const bool same = strcmp(before->state, now->state) == 0;
    stage->compared = 1;
    stage->first_frame = same ? -1 : (int64_t)now->frame;
    if (same || stage->same_platform) {
        struct finding *finding =
            comparison_measured(comparison, stage, RULE_START_BITS, same ? 0 : 1);
        struct moved moved = {.frame = -1};
        char text[96];
        if (!same)
            moved = moved_most(comparison, (int64_t)now->frame);
        moved_text(&moved, text, sizeof text);
        finding->frame = stage->first_frame;
        finding_say(finding, "%s", same ? "same bits" : text[0] ? text : "other bits");
    }
    if (!same && comparison->before->bodies == comparison->now->bodies)
        judge_distance(comparison, stage, before, now);
}

enum status judge_start(const struct comparison *comparison, struct stage_report *stage)
{
    const struct record *before = comparison->before, *now = comparison->now;
    stage->planned = 1;
    const char *start = before->platform.start;
    /* Older records do not say what computed their start. */
    stage->same_platform =
        comparison_same_bits(comparison, start, start && *start ? now->platform.start : start);
    if (before->count == 0 || now->count == 0) {
        stage_not_judged(stage, "%s has no frames",
                         before->count == 0 ? "the baseline" : "the film");
        return STATUS_OK;
    }
    const struct frame_record *a = &before->frames[0], *b = &now->frames[0];
    judge_bodies(comparison, stage);
    if (a->frame != b->frame)
        stage_say(stage, "the films begin with frames %" PRIu64 " and %" PRIu64, a->frame,
                  b->frame);
    else if (!a->state[0] || !b->state[0])
        stage_say(stage, "%s has no hash of its first state",
                  a->state[0] ? "the film" : "the baseline");
    else
        judge_hash(comparison, stage, a, b);
    return STATUS_OK;
}
