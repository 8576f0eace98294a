#include "tests/support/films/report_fixture.h"

#include "base/memory.h"
#include "base/text.h"
#include "tests/support/films/sink_fixture.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

const char fixture_hostile[] =
    "</script><script>alert(1)</script><img src=x onerror=alert(2)> \"'`&amp; ]]> --> "
    "\033[31mred\007\r\n| **bold** [link](http://example.com) @everyone #1 "
    "\xe2\x80\xae\xff\xc0\xaf\xed\xa0\x80 $(reboot) %s%n";

static const char *const names[] = {"default", "exact",  "panels", "stereo",
                                    "points",  "bodies", "ring",   "plummer"};

/* `plausible`, unless the fixture has a text for every place. */
static char *text(const struct report_fixture *fixture, const char *plausible)
{
    return memory_text(fixture->text ? fixture->text : plausible);
}

static struct finding *measure(const struct report_fixture *fixture, struct case_report *one,
                               enum rule_name rule, double value, int64_t frame, const char *said)
{
    struct limits *limits;
    limits_open(&limits);
    struct finding *finding =
        stage_measured(&one->stages[rules[rule].stage], limits, &rules[rule], value);
    limits_close(&limits);
    finding->frame = frame;
    finding->text = text(fixture, said);
    return finding;
}

static void add_series(struct case_report *one, enum rule_name rule,
                       double (*figure)(double frame, double seed), double seed)
{
    one->series = memory_grow(one->series, one->series_count + (size_t)1, sizeof *one->series);
    struct series *series = &one->series[one->series_count++];
    *series = (struct series){&rules[rule], memory_new(one->frames, sizeof(double))};
    for (uint64_t f = 0; f < one->frames; f++)
        series->value[f] = figure((double)f, seed);
}

static double wobble(double frame, double seed)
{
    return fabs(sin(frame * 1.7 + seed) * cos(frame * 0.31 + 2 * seed));
}

static double diverging(double frame, double seed)
{
    return frame < 1 ? 0 : 1e-14 * pow(10, frame / 9) * (frame < 17 ? 1 : 1e7) * (1 + seed);
}

static double counted(double frame, double seed)
{
    return frame < 17 ? floor(2 * wobble(frame, seed)) : floor(20 + 300 * wobble(frame, seed));
}

static double small(double frame, double seed)
{
    return frame > 40 && seed > 0.5 ? NAN : 0.03 * wobble(frame, seed);
}

static double bias(double frame, double seed)
{
    return frame < 17 ? 0.01 * wobble(frame, seed) : 0.05 + 0.2 * wobble(frame / 5, seed);
}

static double stars(double frame, double seed)
{
    return frame < 30 ? 0 : floor(1 + 2 * wobble(frame, seed));
}

static void add_environment(const struct report_fixture *fixture, struct case_report *one,
                            const char *what, const char *before, const char *now)
{
    one->environment =
        memory_grow(one->environment, one->environment_count + (size_t)1, sizeof *one->environment);
    one->environment[one->environment_count++] = (struct environment_change){
        text(fixture, what), before ? text(fixture, before) : NULL, text(fixture, now)};
}

static void align(struct case_report *one, bool lossy)
{
    one->alignment = memory_new(one->frames, sizeof *one->alignment);
    one->alignment_count = (uint32_t)one->frames;
    for (int64_t f = 0; f < (int64_t)one->frames; f++) {
        struct alignment_step *step = &one->alignment[f];
        *step = (struct alignment_step){STEP_PAIR, f, f};
        if (lossy && f == 20)
            *step = (struct alignment_step){STEP_DROPPED, f, -1};
        else if (lossy && f > 20)
            *step = (struct alignment_step){f == 33 ? STEP_REPEATED : STEP_PAIR,
                                            f >= 33 ? f - 1 : f, f - 1};
    }
}

static struct shown_frame *show(const struct report_fixture *fixture, struct case_report *one,
                                int64_t frame, double worst)
{
    one->shown = memory_grow(one->shown, one->shown_count + (size_t)1, sizeof *one->shown);
    struct shown_frame *shown = &one->shown[one->shown_count++];
    *shown = (struct shown_frame){
        .frame = frame, .worst = worst, .why = text(fixture, "the first that fails")};
    static const char *const sides[] = {"a", "b", "difference"};
    char **paths[] = {&shown->a, &shown->b, &shown->difference};
    for (int s = 0; fixture->pictures && s < 3; s++)
        *paths[s] =
            text_format("%s/%s/frame_%06lld.png", fixture->pictures, sides[s], (long long)frame);
    return shown;
}

static void mark(struct shown_frame *shown, int kind, int x, int y, double size, double value)
{
    shown->marks = memory_grow(shown->marks, shown->mark_count + (size_t)1, sizeof *shown->marks);
    struct mark *added = &shown->marks[shown->mark_count++];
    *added = (struct mark){.x = x, .y = y, .size = size, .value = value};
    added->kind = kind;
}

static void show_some(const struct report_fixture *fixture, struct case_report *one, int64_t first)
{
    for (int64_t f = first; f < (int64_t)one->frames; f += 6) {
        struct shown_frame *shown = show(fixture, one, f, 1 + 3 * wobble((double)f, 1));
        mark(shown, MARK_MISSING_STAR, 60 + (int)f, 40, 5, 52);
        mark(shown, MARK_ADDED_STAR, 210, 30 + (int)f, 4, 31);
        mark(shown, MARK_TILE, 176, 80, 16, 12);
        mark(shown, MARK_PIXEL, 181, 86, 1, 77);
    }
}

static void clip(const struct report_fixture *fixture, struct case_report *one)
{
    one->clip = (struct clip){.path = memory_text(fixture->clip),
                              .fps = 24,
                              .gain = 16,
                              .frames = memory_new(one->alignment_count, sizeof *one->clip.frames),
                              .count = one->alignment_count};
    for (uint32_t f = 0; f < one->alignment_count; f++)
        one->clip.frames[f] = (struct frame_pair){one->alignment[f].a, one->alignment[f].b};
}

static void all_same(struct case_report *one)
{
    for (int s = 0; s < JUDGED_COUNT; s++) {
        struct stage_report *stage = &one->stages[s];
        stage->planned = stage->compared =
            s == JUDGED_SCENE || s == JUDGED_START || s == JUDGED_CONTAINER ? 1 : one->frames;
        stage->same_platform = true;
    }
}

static void change_physics(const struct report_fixture *fixture, struct case_report *one)
{
    struct stage_report *physics = &one->stages[JUDGED_PHYSICS];
    measure(fixture, one, RULE_PHYSICS_POSITIONS, 3.1e-4, 17, "body 4211 moved 3.1e-4");
    measure(fixture, one, RULE_PHYSICS_ENERGY, 1.2e-3, 47, "energy drift 1.2e-3 against 4e-5");
    measure(fixture, one, RULE_PHYSICS_MOMENTUM, 2e-15, 47, "momentum 2e-15");
    physics->first_frame = 17;
    struct finding *pixel =
        measure(fixture, one, RULE_PICTURE_PIXEL, 77, 23, "pixel 181,86: 12 against 89");
    pixel->x = 181;
    pixel->y = 86;
    pixel->tile_x = 5;
    pixel->tile_y = 2;
    pixel->a[0] = pixel->a[1] = 3084;
    pixel->b[0] = pixel->b[2] = 22873;
    measure(fixture, one, RULE_PICTURE_COUNTED, 412, 35, "412 pixels by more than 8 codes");
    measure(fixture, one, RULE_PICTURE_BIAS, 0.032, 35, "mean of lit pixels 0.032 brighter");
    one->stages[JUDGED_LIGHT].follows = true;
    one->stages[JUDGED_LIGHT].first_frame = 17;
    one->stages[JUDGED_PICTURE].substituted = true;
    one->stages[JUDGED_PICTURE].first_frame = 23;
    one->stages[JUDGED_PICTURE].planned = one->stages[JUDGED_PICTURE].compared = 5;
    one->stages[JUDGED_PACKETS].substituted = true;
    one->stages[JUDGED_PACKETS].planned = one->stages[JUDGED_PACKETS].compared = 16;
    show_some(fixture, one, 17);
    add_series(one, RULE_PHYSICS_POSITIONS, diverging, 0.2);
    add_series(one, RULE_PHYSICS_ENERGY, bias, 0.2);
    add_series(one, RULE_PICTURE_COUNTED, counted, 0.4);
    add_series(one, RULE_PICTURE_BIAS, bias, 0.9);
    add_environment(fixture, one, "Mesa", "22.3.6", "25.0.7");
    add_environment(fixture, one, "x264", "164", "165");
    add_environment(fixture, one, "commit", NULL, "4f1c2ab");
}

static void lose_stars(const struct report_fixture *fixture, struct case_report *one)
{
    measure(fixture, one, RULE_PICTURE_UNPAIRED_STARS, 3, 30,
            "2 stars of 52/255 are missing, 1 of 31/255 was added");
    measure(fixture, one, RULE_PICTURE_LIGHT, 0.0312, 30, "light 0.03 % less");
    measure(fixture, one, RULE_SEQUENCE_TREND, 0.024, -1, "darker in 46 of 48 frames");
    one->stages[JUDGED_PICTURE].first_frame = 30;
    one->stages[JUDGED_PACKETS].follows = true;
    stage_not_applicable(&one->stages[JUDGED_CONTAINER], "%s",
                         fixture->text ? fixture->text : "PNG files have no container");
    add_series(one, RULE_PICTURE_UNPAIRED_STARS, stars, 0.3);
    add_series(one, RULE_PICTURE_LIGHT, small, 0.6);
    show_some(fixture, one, 30);
}

static void add_case(const struct report_fixture *fixture, struct report *report, uint32_t index)
{
    const uint32_t kind = fixture->only ? fixture->only - 1 : index % FIXTURE_KINDS;
    char *name = index < 8 ? memory_text(names[index])
                           : text_format("%s-%u", names[index % 8], (unsigned)index);
    struct case_report *one = report_add_case(report, fixture->text ? fixture->text : name);
    one->a = text(fixture, "baselines/default");
    one->b = text(fixture, "a fresh render");
    one->frames = FIXTURE_FRAMES;
    one->fps = 24;
    one->seconds = 3.71;
    one->reproduce = fixture->text
                         ? memory_text(fixture->text)
                         : text_format("gravreel check baselines/%s --frame 17 --only", name);
    one->author = text(fixture, "A. Person");
    one->reason = text(fixture, "first recording");
    one->date = text(fixture, "2026-11-02");
    one->anchor = text(fixture, "2 accepted changes since: light +0.11 %, 31 % of the limit");
    one->baseline = text(fixture, "baselines/default.json");
    memset(one->baseline_hash, 'a', HASH_TEXT - 1);
    if (kind != 3)
        all_same(one);
    align(one, kind == 4);
    if (kind == 0)
        change_physics(fixture, one);
    if (kind == 1) {
        measure(fixture, one, RULE_PICTURE_BIAS, 0.031, 12, "mean of lit pixels 0.031 brighter");
        measure(fixture, one, RULE_CONTAINER_SIZE, 6.2, -1, "the film is 6.2 % larger");
        one->stages[JUDGED_PICTURE].same_platform = false;
        add_series(one, RULE_PICTURE_BIAS, small, 0.1);
        add_environment(fixture, one, "Mesa", "22.3.6", "25.0.7");
    }
    if (kind == 4)
        lose_stars(fixture, one);
    if (kind == 0 || kind == 4) {
        one->accept = text(fixture, "gravreel baseline --accept report.json --stage physics "
                                    "--because \"...\"");
        one->candidate = text(fixture, "report.parts/default.json");
        memset(one->candidate_hash, 'b', HASH_TEXT - 1);
        if (fixture->clip)
            clip(fixture, one);
    }
    for (int s = 0; s < JUDGED_COUNT; s++) {
        if (fixture->text && !one->stages[s].sentence)
            one->stages[s].sentence = memory_text(fixture->text);
        if (one->stages[s].verdict != VERDICT_NOT_APPLICABLE)
            stage_conclude(&one->stages[s]);
    }
    case_conclude(one);
    free(name);
}

void report_fixture_make(struct report *report, const struct report_fixture *fixture)
{
    *report = (struct report){.command = text(fixture, "check"),
                              .program = text(fixture, "gravreel 1.0.0")};
    for (uint32_t c = 0; c < fixture->cases; c++)
        add_case(fixture, report, c);
    report_conclude(report);
}

int report_fixture_enter(void **state)
{
    *state = fixture_folder();
    return chdir(*state);
}

int report_fixture_leave(void **state)
{
    int failed = chdir("/");
    fixture_remove_folder(*state);
    return failed;
}
