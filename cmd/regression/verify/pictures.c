#include "cmd/regression/verify/verify.h"

#include "base/memory.h"
#include "base/sort.h"
#include "cmd/film/tags.h"
#include "cmd/regression/judge/rules.h"
#include "render/draw.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* In codes of 255: a codec may turn black into anything up to this. */
static const double BLACK = 3;

/* A frame with less than the share DARK of the usual light is black, provided that the usual light
 * is at least SEEN codes. */
static const double DARK = 0.05, SEEN = 0.01;

/* A run of frames is unexpected if a frame next to it has at least this share of the usual
 * value. */
static const double ABRUPT = 0.25;

/* One value per frame, and which frames are in question. */
struct course {
    uint64_t count;
    double *value;
    bool *asked;
};

static void course_open(struct course *course, uint64_t count)
{
    *course =
        (struct course){count, memory_new(count, sizeof(double)), memory_new(count, sizeof(bool))};
}

static void course_close(struct course *course)
{
    free(course->value);
    free(course->asked);
}

/* Returns the median of the frames that are not in question and have a value; 0: there are none. */
static double median(const struct course *course)
{
    double *sorted = memory_new(course->count, sizeof *sorted);
    uint64_t count = 0;
    for (uint64_t i = 0; i < course->count; i++)
        if (!course->asked[i] && !isnan(course->value[i]))
            sorted[count++] = course->value[i];
    sort_doubles(sorted, count);
    const double middle = count ? sorted[count / 2] : 0;
    free(sorted);
    return middle;
}

/* Returns whether the frame exists and its value exceeds `level`. */
static bool exceeds(const struct course *course, uint64_t i, double level)
{
    return i < course->count && !course->asked[i] && course->value[i] > level;
}

/* Counts the frames of all runs that begin or end abruptly. `from`: the first frame to count. */
static uint64_t abrupt(const struct course *course, uint64_t from, int64_t *first)
{
    const double level = ABRUPT * median(course);
    uint64_t wrong = 0;
    *first = -1;
    for (uint64_t begin = from, end; begin < course->count; begin = end + 1) {
        for (end = begin; end < course->count && course->asked[end]; end++)
            ;
        const bool all = begin == from && end == course->count;
        const bool before = begin > from && exceeds(course, begin - 1, level);
        if (end == begin || !(all || before || exceeds(course, end, level)))
            continue;
        wrong += end - begin;
        *first = *first < 0 ? (int64_t)begin : *first;
    }
    return wrong;
}

static void report_run(const struct subject *subject, struct stage_report *stage,
                       enum rule_name name, bool fails, uint64_t wrong, int64_t first,
                       const char *how)
{
    const struct rule *rule = &rules[name];
    struct finding *finding =
        fails ? stage_measured(stage, subject->limits, rule, (double)wrong)
              : stage_measured_within(stage, subject->limits, rule, (double)wrong, 0, INFINITY);
    finding->frame = first;
    if (wrong && wrong == subject->film.count)
        finding_say(finding, "%" PRIu64 " of %" PRIu64 " frames %s", wrong, wrong, how);
    else if (wrong)
        finding_say(finding, "%" PRIu64 " of %" PRIu64 " frames %s, the first %" PRId64, wrong,
                    subject->film.count, how, first);
}

/* Returns whether the scene itself darkens or covers the i-th frame. */
static bool is_faded(const struct subject *subject, uint64_t i)
{
    const struct scene *scene = subject->scene;
    if (!scene ||
        (scene->look.fade_in == 0 && scene->look.fade_out == 0 && scene->overlay.card == 0))
        return false;
    const double fps = (double)scene->output.fps.num / scene->output.fps.den;
    const uint64_t frame = subject_frame(subject, i);
    return look_fade(&scene->look, frame, scene->output.frames, fps) < 1 ||
           overlay_cover(&scene->overlay, (double)frame / fps) > 0;
}

/* Counts frames without light, or with less light than `dark`. */
static uint64_t black_runs(const struct subject *subject, double floor, double dark, int64_t *first)
{
    const struct inspection *film = &subject->film;
    struct course light;
    course_open(&light, film->count);
    for (uint64_t i = 0; i < film->count; i++) {
        const struct inspected_frame *frame = &film->frames[i];
        const bool counts = frame->decoded && !is_faded(subject, i);
        light.value[i] = counts ? frame->look.mean - floor : NAN;
        light.asked[i] = counts && frame->look.peak <= BLACK;
    }
    const double usual = median(&light);
    for (uint64_t i = 0; usual >= SEEN && i < film->count; i++)
        light.asked[i] = light.asked[i] || light.value[i] < dark * usual;
    const uint64_t wrong = abrupt(&light, 0, first);
    course_close(&light);
    return wrong;
}

static void check_black(const struct subject *subject, struct stage_report *stage)
{
    const struct inspection *film = &subject->film;
    const bool steady = subject->scene && subject->scene->overlay.caption_count == 0;
    int64_t first;
    uint64_t wrong = black_runs(subject, 0, 0, &first);
    const bool fails = wrong > 0 || steady;
    if (!wrong && !isnan(film->darkest))
        wrong = black_runs(subject, film->darkest, DARK, &first);
    report_run(subject, stage, RULE_FILM_BLACK, fails, wrong, first,
               wrong == film->count ? "are black" : "are black beside lit ones");
}

/* Returns whether a frame repeats the one before; black frames are excluded, as they are all
 * equal. */
static bool repeats(const struct inspected_frame *frame)
{
    return frame->decoded && frame->look.same && frame->look.peak > BLACK;
}

/* Returns whether equal frames are certainly a fault. An encoder may skip frames of slow motion as
 * if nothing moved. Equal frames are certain only if every frame is coded independently, or next to
 * motion of some size. */
static bool is_certain(const struct inspection *film)
{
    static const double MOVING = 0.05; /* change relative to the frame's light */
    bool intra = true;
    for (uint64_t i = 0; i < film->count; i++)
        intra = intra && film->frames[i].key;
    if (intra)
        return true;
    for (uint64_t i = 1; i < film->count; i++) {
        const bool edge = repeats(&film->frames[i - 1]) != repeats(&film->frames[i]);
        const uint64_t moving = repeats(&film->frames[i]) ? i - 1 : i;
        const struct look *look = &film->frames[moving].look;
        if (edge && look->change >= MOVING * look->mean)
            return true;
    }
    return false;
}

/* Returns whether the film's tags say that the simulation itself stood still. */
static bool bodies_rest(const struct subject *subject)
{
    const struct tags *tags = &subject->film.tags;
    const char *first = tags_find(tags, FILM_TAG_FIRST_STATE),
               *last = tags_find(tags, FILM_TAG_LAST_STATE);
    return first && last && strcmp(first, last) == 0;
}

/* Returns whether every frame is as close to the first as encoded copies of one picture. A film of
 * only a few frames may really be that slow. */
static bool stands_still(const struct subject *subject)
{
    static const double NOISE = 0.005; /* of the frame's light; a starved encoder reaches 0.002 */
    enum { FEW = 8 };
    const struct inspection *film = &subject->film;
    bool still = film->count >= FEW && !bodies_rest(subject);
    for (uint64_t i = 0; i < film->count && still; i++) {
        const struct look *look = &film->frames[i].look;
        still = film->frames[i].decoded && look->peak > BLACK && look->away <= NOISE * look->mean;
    }
    return still;
}

static void check_frozen(const struct subject *subject, struct stage_report *stage)
{
    const struct inspection *film = &subject->film;
    struct course change;
    int64_t first = -1;
    uint64_t wrong = 0;
    if (stands_still(subject)) {
        report_run(subject, stage, RULE_FILM_FROZEN, true, film->count, 0,
                   "repeat the first: nothing moves");
        return;
    }
    course_open(&change, film->count);
    for (uint64_t i = 0; i < film->count; i++) {
        const bool counts = !is_faded(subject, i);
        change.value[i] = counts ? film->frames[i].look.change : NAN;
        change.asked[i] = counts && repeats(&film->frames[i]);
    }
    if (film->count > 1)
        wrong = abrupt(&change, 1, &first);
    report_run(subject, stage, RULE_FILM_FROZEN, is_certain(film), wrong, first,
               wrong + 1 == film->count ? "repeat the one before"
                                        : "repeat the one before amid motion");
    course_close(&change);
}

/* Returns by how many times the frames i and i + 1 fit better between their neighbours in the other
 * order, on the grid where they do so least: (d01 + d23) / (d02 + d13) with distances of the frames
 * i - 1 to i + 2. About 0.3 in smooth motion, 3 where they are swapped, and 1 where the motion is
 * too fast or too slow to tell. NAN: one of them is missing, or nothing moves. */
static double better_swapped(const struct inspection *film, uint64_t i)
{
    static const double STILL = 1e-3; /* codes squared, summed over the cells */
    const struct inspected_frame *frames = film->frames;
    double least = INFINITY;
    if (i < 1 || i + 2 >= film->count)
        return NAN;
    for (uint64_t k = i - 1; k <= i + 2; k++)
        if (!frames[k].decoded)
            return NAN;
    for (int g = 0; g < LOOK_GRIDS; g++) {
        const double now = frames[i].look.step[g] + frames[i + 2].look.step[g],
                     swapped = frames[i + 1].look.leap[g] + frames[i + 2].look.leap[g];
        least = fmin(least, now > STILL ? now / fmax(swapped, STILL) : NAN);
    }
    return isfinite(least) ? least : NAN;
}

/* Judges whether pictures follow each other as something that moves, where the film's motion is
 * smooth enough to tell. */
static void check_order(const struct subject *subject, struct stage_report *stage)
{
    enum { FEW = 8 };
    static const double SMOOTH = 0.8; /* of the film's median pair */
    const struct inspection *film = &subject->film;
    struct course course;
    course_open(&course, film->count);
    double most = 0;
    int64_t first = -1;
    for (uint64_t i = 0; i < film->count; i++)
        course.value[i] = better_swapped(film, i);
    for (uint64_t i = 1; i + 1 < film->count; i++) { /* the first and the last have no value */
        const double before = course.value[i - 1], after = course.value[i + 1];
        /* Two swapped frames each fit beside the neighbour that they have; where a fast motion is
         * coded roughly, all pairs fit better in the other order. */
        if (course.value[i] > most && !(before >= 1) && !(after >= 1)) {
            most = course.value[i];
            first = (int64_t)i;
        }
    }
    const double usual = median(&course);
    course_close(&course);
    if (film->count < FEW || usual == 0 || usual > SMOOTH)
        return;
    struct finding *finding =
        subject->ours ? stage_measured(stage, subject->limits, &rules[RULE_FILM_ORDER], most)
                      : stage_measured_within(stage, subject->limits, &rules[RULE_FILM_ORDER], most,
                                              limits_warn(subject->limits, &rules[RULE_FILM_ORDER]),
                                              INFINITY);
    if (verdict_passes(finding->verdict) && finding->verdict != VERDICT_WARNED)
        return;
    finding->frame = first;
    finding_say(finding,
                "frames %" PRId64 " and %" PRId64 " seem to be swapped: they fit %.1f "
                "times better between their neighbours in the other order",
                first, first + 1, most);
}

static void check_broken(const struct subject *subject, struct stage_report *stage)
{
    const struct inspection *film = &subject->film;
    uint64_t broken = 0;
    int64_t first = -1;
    for (uint64_t i = 0; i < film->count; i++) {
        if (film->frames[i].look.broken && first < 0)
            first = (int64_t)i;
        broken += film->frames[i].look.broken;
    }
    struct finding *finding =
        stage_measured(stage, subject->limits, &rules[RULE_PICTURE_BROKEN], (double)broken);
    finding->frame = first;
    if (broken)
        finding_say(finding, "%" PRIu64 " samples are infinite or NaN, the first in frame %" PRId64,
                    broken, first);
}

static const char *reading_fault(const struct subject *subject, uint64_t i)
{
    const struct inspected_frame *frame = &subject->film.frames[i];
    return frame->decoded     ? NULL
           : frame->complaint ? frame->complaint
                              : "it does not decode to a picture";
}

/* Finds the first picture that cannot be read, for films without packets. */
static void check_readable(const struct subject *subject, struct stage_report *stage)
{
    const struct tally tally = verify_tally(subject, reading_fault);
    struct finding *finding =
        stage_measured(stage, subject->limits, &rules[RULE_SEQUENCE_COUNT], (double)tally.wrong);
    finding->frame = tally.first;
    if (tally.wrong)
        finding_say(finding, "%" PRIu64 " of %" PRIu64 " pictures cannot be read: %s", tally.wrong,
                    subject->film.count, tally.why);
}

void verify_pictures(const struct subject *subject, struct stage_report *stage)
{
    const struct inspection *film = &subject->film;
    stage->planned = film->count;
    for (uint64_t i = 0; i < film->count; i++)
        stage->compared += film->frames[i].decoded;
    if (!film->is_film)
        check_readable(subject, stage);
    check_broken(subject, stage);
    check_black(subject, stage);
    check_frozen(subject, stage);
    check_order(subject, stage);
}
