#include "cmd/regression/verify/stages.h"

#include "render/picture/picture.h"
#include "render/video/codecs.h"
#include "render/video/demuxer.h"

#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* Appends a clause to the sentence. */
__attribute__((format(printf, 3, 4))) static void add(char *text, size_t size, const char *format,
                                                      ...)
{
    size_t used = strlen(text);
    va_list arguments;
    if (used > 0 && used + 3 < size) {
        memcpy(text + used, "; ", 3);
        used += 2;
    }
    va_start(arguments, format);
    vsnprintf(text + used, size - used, format, arguments);
    va_end(arguments);
}

/* ---- colours ---- */

/* Colour tags that this program's encoders write (render/video/driver.c), by colour_field. */
static const char *const ours[][COLOUR_WORDS] = {
    [HDR_NONE] = {"tv", "bt709", "bt709", "bt709", "left"},
    [HDR_PQ] = {"tv", "bt2020nc", "smpte2084", "bt2020", "left"},
    [HDR_HLG] = {"tv", "bt2020nc", "arib-std-b67", "bt2020", "left"},
};

static const char *expected(const struct subject *subject, int field)
{
    return ours[subject->scene ? subject->scene->output.hdr->kind : HDR_NONE][field];
}

/* Returns whether a container must have the field. MOV cannot store a range. Y4M can store only
 * range and chroma site, and neither is required. Without a chroma site, the usual one is meant. */
static bool must_be_told(const struct container *container, int field)
{
    enum { RANGE, MATRIX, TRANSFER, PRIMARIES, SITE };
    if (field == SITE || strcmp(container->name, "y4m") == 0)
        return false;
    return field != RANGE || strcmp(container->name, "mov") != 0;
}

static int check_colour(const struct subject *subject, int field, char *text, size_t size,
                        int *unsaid)
{
    const struct inspection *film = &subject->film;
    const char *told = colour_word(&film->told, field), *coded = colour_word(&film->coded, field),
               *name = colour_field(field), *either = *coded ? coded : told;
    if (*told && *coded && strcmp(told, coded) != 0) {
        add(text, size, "%s is %s in the container and %s in the stream", name, told, coded);
        return 1;
    }
    if (subject->ours && *either && strcmp(either, expected(subject, field)) != 0) {
        add(text, size, "%s is %s instead of %s", name, either, expected(subject, field));
        return 1;
    }
    if (*told || !must_be_told(film->container, field))
        return 0;
    add(text, size, "the container does not say its %s", name);
    *unsaid += !subject->ours;
    return subject->ours;
}

/* Returns whether the film needs colour tags; RGB has no matrix and no chroma. */
static bool has_colour_tags(const struct inspection *film)
{
    return strncmp(film->pixel_format, "yuv", 3) == 0 || strncmp(film->pixel_format, "nv", 2) == 0;
}

static void check_colours(const struct subject *subject, struct stage_report *stage)
{
    char text[STATUS_TEXT_MAX / 2] = "";
    int wrong = 0, unsaid = 0;
    for (int field = 0; has_colour_tags(&subject->film) && field < COLOUR_WORDS; field++)
        wrong += check_colour(subject, field, text, sizeof text, &unsaid);
    const struct rule *rule = &rules[RULE_FILM_COLOURS];
    struct finding *finding =
        wrong || !unsaid ? stage_measured(stage, subject->limits, rule, wrong)
                         : stage_measured_within(stage, subject->limits, rule, unsaid, 0, INFINITY);
    finding_say(finding, "%s", text[0] ? text : "colours as tagged");
}

/* ---- size ---- */

/* Checks that container and stream agree on the size. */
static void check_size(const struct subject *subject, struct stage_report *stage)
{
    const struct inspection *film = &subject->film;
    char text[STATUS_TEXT_MAX / 4] = "";
    int wrong = 0;
    if (film->told_width && film->told_height &&
        (film->told_width != film->width || film->told_height != film->height)) {
        wrong++;
        add(text, sizeof text,
            "size is %" PRIu32 "x%" PRIu32 " to the container and %" PRIu32 "x%" PRIu32
            " to the stream",
            film->told_width, film->told_height, film->width, film->height);
    }
    const struct rule *rule = &rules[RULE_CONTAINER_FIELDS];
    struct finding *finding =
        subject->ours ? stage_measured(stage, subject->limits, rule, wrong)
                      : stage_measured_within(stage, subject->limits, rule, wrong, 0, INFINITY);
    finding_say(finding, text[0] ? "%s" : "%s%" PRIu32 "x%" PRIu32, text, film->width,
                film->height);
}

/* ---- frames ---- */

static uint64_t apart(uint64_t a, uint64_t b)
{
    return a > b ? a - b : b - a;
}

static void check_count(const struct subject *subject, struct stage_report *stage)
{
    const struct inspection *film = &subject->film;
    char text[STATUS_TEXT_MAX / 4] = "";
    const uint64_t tagged = subject->has_range ? subject->last - subject->first + 1 : film->count;
    uint64_t wrong = apart(film->count, tagged);
    if (wrong)
        add(text, sizeof text, "it holds %" PRIu64 " frames, but its tags say %" PRIu64,
            film->count, tagged);
    if (film->told_frames && film->told_frames != film->count) {
        wrong += apart(film->count, film->told_frames);
        add(text, sizeof text, "it holds %" PRIu64 " frames, but its header says %" PRIu64,
            film->count, film->told_frames);
    }
    if (film->ending) {
        wrong++;
        add(text, sizeof text, "it cannot be read beyond %" PRIu64 " frames: %s", film->count,
            film->ending);
    }
    struct finding *finding =
        stage_measured(stage, subject->limits, &rules[RULE_CONTAINER_FRAMES], (double)wrong);
    finding_say(finding, text[0] ? "%s" : "%s%" PRIu64 " frames", text, film->count);
}

/* ---- times ---- */

/* Returns the ticks per frame; NAN: unknown. */
static double frame_ticks(const struct inspection *film)
{
    if (!film->fps_num || film->base_num <= 0 || film->base_den <= 0)
        return NAN;
    return (double)film->base_den * film->fps_den / ((double)film->base_num * film->fps_num);
}

/* Returns the tolerance of a time: rounding to a tick, if ticks do not fall on every frame. */
static double allowed(const struct subject *subject, double ticks)
{
    static const double HALF = 0.5 + 1e-6;
    const bool hits = fabs(ticks - nearbyint(ticks)) < 1e-9;
    return hits ? 1e-6 : subject->ours ? HALF : 2 * HALF;
}

static void check_steps(const struct subject *subject, struct stage_report *stage)
{
    const struct inspection *film = &subject->film;
    const double ticks = frame_ticks(film), most = allowed(subject, ticks);
    const int64_t begin = subject->ours ? 0 : film->frames[0].shown;
    uint64_t wrong = 0, twice = 0;
    int64_t first = -1;
    for (uint64_t i = 0; i < film->count; i++) {
        const int64_t shown = film->frames[i].shown;
        const double off = (double)shown - (double)begin - (double)i * ticks;
        twice += i > 0 && shown == film->frames[i - 1].shown;
        if (fabs(off) <= most)
            continue;
        first = first < 0 ? (int64_t)i : first;
        wrong++;
    }
    const bool strict = subject->ours || twice > 0;
    struct finding *finding =
        strict ? stage_measured(stage, subject->limits, &rules[RULE_FILM_STEPS], (double)wrong)
               : stage_measured_within(stage, subject->limits, &rules[RULE_FILM_STEPS],
                                       (double)wrong, 0, INFINITY);
    if (!wrong) {
        finding_say(finding, "times at a constant step");
        return;
    }
    finding->frame = first;
    finding_say(finding,
                "%" PRIu64 " of %" PRIu64 " frames are not at their time; frame %" PRId64
                " is shown at tick %" PRId64 " instead of %.1f of 1/%.6g s",
                wrong, film->count, first, film->frames[first].shown,
                (double)begin + (double)first * ticks,
                (double)film->base_den / (double)film->base_num);
}

/* Checks the last frame's duration, which readers derive from the film's length. */
static void check_duration(const struct subject *subject, struct stage_report *stage)
{
    const struct inspection *film = &subject->film;
    const double ticks = frame_ticks(film),
                 tick = film->base_den > 0 ? 1e6 * (double)film->base_num / (double)film->base_den
                                           : NAN,
                 want = (double)film->count * ticks * tick,
                 off = film->duration < 0 ? 0 : fabs((double)film->duration - want);
    const bool right = off <= tick + 1;
    const struct rule *rule = &rules[RULE_CONTAINER_TIMES];
    struct finding *finding =
        subject->ours
            ? stage_measured(stage, subject->limits, rule, right ? 0 : 1)
            : stage_measured_within(stage, subject->limits, rule, right ? 0 : 1, 0, INFINITY);
    if (right)
        finding_say(finding, "%.6g s", want * 1e-6);
    else
        finding_say(finding, "it is %.6f s long, but its %" PRIu64 " frames last %.6f s",
                    (double)film->duration * 1e-6, film->count, want * 1e-6);
}

void verify_container_conclude(struct stage_report *stage)
{
    char text[STATUS_TEXT_MAX] = "";
    enum verdict worst = VERDICT_SAME;
    for (uint32_t i = 0; i < stage->finding_count; i++)
        worst = stage->findings[i].verdict > worst ? stage->findings[i].verdict : worst;
    for (uint32_t i = 0; i < stage->finding_count; i++) {
        const struct finding *finding = &stage->findings[i];
        if (finding->verdict != worst)
            continue;
        add(text, sizeof text, "%s", finding->text);
        if (stage->first_frame < 0)
            stage->first_frame = finding->frame;
    }
    stage_say(stage, "%s", text);
    stage_conclude(stage);
}

void verify_container(const struct subject *subject, struct stage_report *stage)
{
    stage->planned = stage->compared = 1;
    check_count(subject, stage);
    if (subject->film.is_film) {
        check_steps(subject, stage);
        check_duration(subject, stage);
        check_size(subject, stage);
        check_colours(subject, stage);
        verify_played(subject, stage);
    }
    verify_container_conclude(stage);
}
