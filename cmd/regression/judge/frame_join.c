#include "cmd/regression/judge/frame_join.h"

#include "base/memory.h"
#include "base/text.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NAMED = 4 }; /* number of faults that a sentence names one by one */

struct told {
    char *text;     /* NULL: none */
    unsigned count; /* number of all faults */
};

__attribute__((format(printf, 2, 3))) static void tell(struct told *told, const char *format, ...)
{
    va_list arguments;
    if (told->count++ >= NAMED)
        return;
    char one[128];
    va_start(arguments, format);
    vsnprintf(one, sizeof one, format, arguments);
    va_end(arguments);
    text_append(&told->text, "; ", "%s", one);
}

static bool is_pair(const struct align_step *step)
{
    return step->kind == ALIGN_PAIR || step->kind == ALIGN_REPEATED || step->kind == ALIGN_SWAPPED;
}

static int64_t offset(const struct align_step *step)
{
    return (int64_t)step->b - (int64_t)step->a;
}

/* Writes adjacent steps of one kind as "frames 4 to 7". */
static void name_frames(uint64_t first, uint64_t count, char *out, size_t size)
{
    if (count == 1)
        snprintf(out, size, "frame %" PRIu64, first);
    else
        snprintf(out, size, "frames %" PRIu64 " to %" PRIu64, first, first + count - 1);
}

static size_t run_length(const struct align_step *steps, size_t count, size_t at)
{
    size_t end = at + 1;
    const bool single = steps[at].kind == ALIGN_REPEATED || steps[at].kind == ALIGN_SWAPPED;
    while (!single && end < count && steps[end].kind == steps[at].kind)
        end++;
    return end - at;
}

static void tell_step(struct told *told, const struct align_step *step, size_t length,
                      const struct order_params *params)
{
    char in_a[64], in_b[64];
    const char *a = params->name[0], *b = params->name[1];
    name_frames(params->first[0] + step->a, length, in_a, sizeof in_a);
    name_frames(params->first[1] + step->b, length, in_b, sizeof in_b);
    switch (step->kind) {
    case ALIGN_DROPPED:
        tell(told, "%s of %s %s missing in %s", in_a, a, length > 1 ? "are" : "is", b);
        break;
    case ALIGN_ADDED:
        tell(told, "%s of %s %s added", in_b, b, length > 1 ? "are" : "is");
        break;
    case ALIGN_AGAIN:
        tell(told, "%s of %s %s a neighbour's picture again", in_b, b,
             length > 1 ? "show" : "shows");
        break;
    case ALIGN_REPEATED:
        tell(told, "%s of %s repeats the one before", step->of_a ? in_a : in_b, step->of_a ? a : b);
        break;
    case ALIGN_SWAPPED:
        if (step->b > step->a)
            tell(told, "frames %" PRIu64 " and %" PRIu64 " are swapped", params->first[0] + step->a,
                 params->first[0] + step->a + 1);
        break;
    case ALIGN_PAIR:
        break;
    }
}

/* Says if the film is late or early: most pairs have the same offset. */
static void tell_shift(struct told *told, const struct align_step *steps, size_t count,
                       const struct order_params *params)
{
    size_t pairs = 0, longest = 0, at = 0;
    for (size_t i = 0; i < count; i++) {
        if (!is_pair(&steps[i]))
            continue;
        pairs++;
        size_t length = 0;
        for (size_t k = i;
             k < count && is_pair(&steps[k]) && offset(&steps[k]) == offset(&steps[i]); k++)
            length++;
        if (offset(&steps[i]) != 0 && length > longest) {
            longest = length;
            at = i;
        }
        if (length > 1) {
            pairs += length - 1;
            i += length - 1;
        }
    }
    if (longest < 2 || 4 * longest < pairs)
        return;
    const int64_t frames = offset(&steps[at]);
    tell(told, "from frame %" PRIu64 " on %s is %" PRId64 " frame%s %s",
         params->first[0] + steps[at].a, params->name[1], frames > 0 ? frames : -frames,
         frames == 1 || frames == -1 ? "" : "s", frames > 0 ? "late" : "early");
}

static void give_steps(const struct align_step *steps, size_t count,
                       const struct order_params *params, struct case_report *one)
{
    static const int kinds[] = {
        [ALIGN_PAIR] = STEP_PAIR,         [ALIGN_DROPPED] = STEP_DROPPED,
        [ALIGN_ADDED] = STEP_ADDED,       [ALIGN_AGAIN] = STEP_REPEATED,
        [ALIGN_REPEATED] = STEP_REPEATED, [ALIGN_SWAPPED] = STEP_SWAPPED,
    };
    one->alignment = memory_new(count, sizeof *one->alignment);
    one->alignment_count = (uint32_t)count;
    for (size_t i = 0; i < count; i++) {
        struct alignment_step *step = &one->alignment[i];
        const bool in_a = steps[i].kind != ALIGN_ADDED && steps[i].kind != ALIGN_AGAIN;
        const bool in_b = steps[i].kind != ALIGN_DROPPED;
        step->a = in_a ? (int64_t)(params->first[0] + steps[i].a) : -1;
        step->b = in_b ? (int64_t)(params->first[1] + steps[i].b) : -1;
        step->kind = kinds[steps[i].kind];
    }
}

void order_judge(const struct order_params *params, const struct align_step *steps, size_t count,
                 struct case_report *one)
{
    struct stage_report *stage = &one->stages[JUDGED_PICTURE];
    struct told told = {0};
    uint64_t frames[2] = {0}, out_of_order = 0;
    int64_t first = -1;
    for (size_t i = 0; i < count; i++) {
        frames[0] += is_pair(&steps[i]) || steps[i].kind == ALIGN_DROPPED;
        frames[1] += steps[i].kind != ALIGN_DROPPED;
        if (steps[i].kind == ALIGN_PAIR)
            continue;
        out_of_order++;
        first = first < 0 ? (int64_t)(params->first[0] + steps[i].a) : first;
    }
    for (size_t i = 0; i < count;) {
        const size_t length = run_length(steps, count, i);
        tell_step(&told, &steps[i], length, params);
        i += length;
    }
    tell_shift(&told, steps, count, params);
    const double more =
        frames[0] > frames[1] ? (double)(frames[0] - frames[1]) : (double)(frames[1] - frames[0]);
    struct finding *finding =
        stage_measured(stage, params->limits, params->rule, (double)out_of_order);
    finding->frame = first;
    if (told.count > NAMED)
        finding_say(finding, "%s; and %u more", told.text, told.count - NAMED);
    else if (told.count > 0)
        finding_say(finding, "%s", told.text);
    free(told.text);
    finding = stage_measured(stage, params->limits, &rules[RULE_SEQUENCE_COUNT], more);
    if (more > 0)
        finding_say(finding, "%s has %" PRIu64 " frames, %s has %" PRIu64, params->name[0],
                    frames[0], params->name[1], frames[1]);
    give_steps(steps, count, params, one);
}

const char *order_missing(const struct aligner *aligner)
{
    static const double CERTAIN = 2; /* swapped frames were found at 2.5 and more, missed at 0.02 */
    return align_certainty(aligner) < CERTAIN ? "order (frames move by less than encoding loses)"
                                              : NULL;
}

/* ---- by the bits of pictures ---- */

enum { WINDOW = 3 }; /* how many frames away the same picture is looked for */

uint64_t join_met(const struct record *before, const struct frame_record *now)
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

static void step(struct case_report *one, int kind, int64_t a, int64_t b)
{
    struct alignment_step *added = MEMORY_ADD(one->alignment, one->alignment_count);
    *added = (struct alignment_step){.a = a, .b = b};
    added->kind = kind;
}

/* Returns the frame of the baseline that frame i shows; -1: none. */
static int64_t shown_by(const struct record *before, const struct record *now, uint64_t i)
{
    const struct frame_record *frame = record_frame(now, record_shows(now, i));
    const uint64_t met = frame ? join_met(before, frame) : RECORD_NO_FRAME;
    return frame && record_frame(before, met) ? (int64_t)met : -1;
}

/* Adds the frames of the baseline from *next to before `until` that no frame of the film shows. */
static void add_dropped(struct case_report *one, const struct record *before, const bool *met,
                        uint64_t *next, int64_t until)
{
    for (; *next < before->count && (int64_t)before->frames[*next].frame < until; ++*next)
        if (!met[*next])
            step(one, STEP_DROPPED, (int64_t)before->frames[*next].frame, -1);
}

void join_records(const struct record *before, const struct record *now, struct case_report *one)
{
    const uint64_t count = record_shown(now), first = now->count > 0 ? now->frames[0].frame : 0;
    bool *met = memory_new((size_t)before->count + 1, sizeof *met),
         *again = memory_new((size_t)before->count + 1, sizeof *again);
    int64_t *shown = memory_new((size_t)count + 1, sizeof *shown), furthest = -1;
    uint64_t next = 0;
    for (uint64_t i = 0; i < count; i++) {
        shown[i] = shown_by(before, now, i);
        if (shown[i] >= 0)
            met[record_frame(before, (uint64_t)shown[i]) - before->frames] = true;
    }
    for (uint64_t i = 0; i < count; i++) {
        const int64_t frame = (int64_t)(now->shows ? first + i : now->frames[i].frame),
                      a = shown[i];
        if (a < 0) {
            step(one, STEP_ADDED, -1, frame);
            continue;
        }
        add_dropped(one, before, met, &next, a);
        bool *seen = &again[record_frame(before, (uint64_t)a) - before->frames];
        const bool swaps = i + 1 < count && shown[i + 1] == a - 1 && a > 0;
        step(one,
             *seen                   ? STEP_REPEATED
             : a < furthest || swaps ? STEP_SWAPPED
                                     : STEP_PAIR,
             a, frame);
        *seen = true;
        furthest = a > furthest ? a : furthest;
    }
    add_dropped(one, before, met, &next, INT64_MAX);
    free(shown);
    free(met);
    free(again);
}
