/* Films with known changes against the film without them: each is detected, by the rule that names
 * it; harmless noise is not. */
#include "tests/support/test.h"

#include "base/memory.h"
#include "cmd/regression/compare/compare.h"
#include "cmd/regression/judge/frame_join.h"
#include "tests/support/films/sink_fixture.h"
#include "tests/support/films/star_field.h"

#include <math.h>
#include <string.h>

enum { WIDTH = 160, HEIGHT = 96, FRAMES = 14, SAMPLES = 3 * WIDTH * HEIGHT };

static uint16_t rgb[SAMPLES], other[SAMPLES];

static struct star_field field_of(uint64_t n)
{
    struct star_field field = star_field_usual;
    field.turn = 0.01 * (double)n;
    return field;
}

static uint16_t *at(int x, int y)
{
    return rgb + 3 * (y * WIDTH + x);
}

static uint16_t add(uint16_t value, int codes)
{
    const int sum = value + 257 * codes;
    return (uint16_t)(sum < 0 ? 0 : sum > 65535 ? 65535 : sum);
}

/* ---- what is changed: frame n of the film is drawn into rgb ---- */

static void plain(uint64_t n)
{
    const struct star_field field = field_of(n);
    star_field_draw(&field, rgb);
}
static void noise(uint64_t n)
{
    plain(n);
    star_field_noise(&star_field_usual, rgb, 1, (uint32_t)n + 1);
}
static void two_codes(uint64_t n)
{
    plain(n);
    star_field_noise(&star_field_usual, rgb, 2, (uint32_t)n + 1);
}
static void point(uint64_t n)
{
    plain(n);
    memset(at(30, 60) - 9, 0, 7 * 3 * sizeof *rgb);
    star_field_point(&star_field_usual, rgb, 30, 60, 180);
}
static void point_moved(uint64_t n)
{
    plain(n);
    memset(at(30, 60) - 9, 0, 7 * 3 * sizeof *rgb);
    star_field_point(&star_field_usual, rgb, n % 2 ? 31 : 30, 60, 180);
}
static void star_gone(uint64_t n)
{
    point(n);
    star_field_point(&star_field_usual, rgb, 30, 60, n == 5 ? 0 : 180);
}
static void star_added(uint64_t n)
{
    point(n);
    if (n == 6)
        star_field_point(&star_field_usual, rgb, 2, 2, 12 + rgb[3 * (2 * WIDTH + 2)] / 257);
}
static void shifted(uint64_t n)
{
    struct star_field field = field_of(n);
    field.shift_x = 0.25;
    star_field_draw(&field, rgb);
}
static void wider(uint64_t n)
{
    struct star_field field = field_of(n);
    field.zoom = 1 / 1.003;
    star_field_draw(&field, rgb);
}
static void brighter(uint64_t n)
{
    struct star_field field = field_of(n);
    field.exposure = 1.01;
    star_field_draw(&field, rgb);
}
static void flickering(uint64_t n)
{
    struct star_field field = field_of(n);
    field.exposure = n % 2 ? 1.02 : 0.98;
    star_field_draw(&field, rgb);
}
static void glow_wider(uint64_t n)
{
    struct star_field field = field_of(n);
    field.glow *= 1.05;
    star_field_draw(&field, rgb);
}
static void glow_off(uint64_t n)
{
    struct star_field field = field_of(n);
    field.glow = 0;
    star_field_draw(&field, rgb);
}
static void transfer(uint64_t n)
{
    plain(n);
    for (int i = 0; i < SAMPLES; i++) { /* the curve of sRGB in place of 2.2 */
        const double v = pow(rgb[i] / 65535.0, 2.2);
        rgb[i] = (uint16_t)(65535 * (v <= 0.0031308 ? 12.92 * v : 1.055 * pow(v, 1 / 2.4) - 0.055));
    }
}
static void mirrored(uint64_t n)
{
    plain(n);
    memcpy(other, rgb, sizeof rgb);
    for (int y = 0; y < HEIGHT; y++)
        for (int x = 0; x < WIDTH; x++)
            memcpy(at(x, y), other + 3 * (y * WIDTH + WIDTH - 1 - x), 3 * sizeof *rgb);
}
static void red_for_blue(uint64_t n)
{
    plain(n);
    for (int i = 0; i < SAMPLES; i += 3) {
        const uint16_t red = rgb[i];
        rgb[i] = rgb[i + 2];
        rgb[i + 2] = red;
    }
}
static void uniform(uint64_t n)
{
    plain(n);
    for (int i = 0; i < SAMPLES; i++)
        rgb[i] = add(rgb[i], 4);
}
static void seam(uint64_t n)
{
    plain(n);
    for (int y = 0; y < HEIGHT; y++)
        for (int c = 0; c < 3; c++)
            at(80, y)[c] = add(at(80, y)[c], 6);
}
static void banded(uint64_t n)
{
    plain(n);
    for (int i = 0; i < SAMPLES; i++)
        rgb[i] = (uint16_t)(rgb[i] / (8 * 257) * (8 * 257));
}
static void panel_broken(uint64_t n)
{
    plain(n);
    for (int y = 20; y < 80 && n == 3; y++)
        memset(at(50, y), 0, 60 * 3 * sizeof *rgb);
}
static void black(uint64_t n)
{
    plain(n);
    if (n == 4)
        memset(rgb, 0, sizeof rgb);
}
static void dropped(uint64_t n)
{
    plain(n + (n >= 5));
}
static void repeated(uint64_t n)
{
    plain(n == 7 ? 6 : n);
}
static void swapped(uint64_t n)
{
    plain(n == 8 ? 9 : n == 9 ? 8 : n);
}
static void late(uint64_t n)
{
    plain(n > 0 ? n - 1 : 0);
}
static void early(uint64_t n)
{
    plain(n + 1);
}
static void twice_at_a_join(uint64_t n)
{
    plain(n - (n >= 7));
}
static void another_film(uint64_t n)
{
    struct star_field field = field_of(n);
    field.shift_x = 40;
    field.shift_y = 17;
    star_field_draw(&field, rgb);
}

/* ---- films ---- */

static void (*drawn)(uint64_t n);

static void fill(struct picture *picture, uint64_t n)
{
    drawn(n);
    const struct picture_layout *layout = &picture->layout;
    assert_int_equal(layout->format, PICTURE_RGBA8);
    for (uint32_t y = 0; y < HEIGHT; y++)
        for (uint32_t x = 0; x < WIDTH; x++)
            for (size_t c = 0; c < 4; c++)
                picture->data[(size_t)y * layout->plane[0].stride + 4 * x + c] =
                    c < 3 ? (uint8_t)((rgb[3 * (y * WIDTH + x) + c] + 128) / 257) : 255;
}

static const char *make(const char *folder, const char *name, uint64_t frames,
                        void (*draw)(uint64_t n))
{
    const char *path = fixture_path(folder, name);
    struct sink_params params = fixture_params(path);
    params.width = WIDTH;
    params.height = HEIGHT;
    params.output.png_level = 1;
    drawn = draw;
    assert_ok(fixture_film(&params, frames, fill));
    return path;
}

static struct case_report *compare(struct report *report, const char *a, const char *b)
{
    struct limits *limits;
    limits_open(&limits);
    const struct compare_params params = {.a = a, .b = b, .limits = limits, .gain = 8};
    memset(report, 0, sizeof *report);
    assert_ok(compare_films(&params, report));
    report_conclude(report);
    limits_close(&limits);
    return &report->cases[0];
}

static const struct finding *finding_of(const struct case_report *one, enum rule_name rule)
{
    for (int s = 0; s < JUDGED_COUNT; s++)
        for (uint32_t i = 0; i < one->stages[s].finding_count; i++)
            if (one->stages[s].findings[i].rule == &rules[rule])
                return &one->stages[s].findings[i];
    fail_msg("no finding of %s", rules[rule].name);
    return NULL;
}

TEST(changes_are_caught_and_named)
{
    static const struct {
        const char *name;
        void (*reference)(uint64_t n), (*draw)(uint64_t n);
        uint64_t frames;
        enum rule_name rule; /* that names it */
        int64_t frame;       /* where; -1: any */
        const char *says;    /* part of its text, or NULL */
    } controls[] = {
        {"a star gone", point, star_gone, FRAMES, RULE_PICTURE_UNPAIRED_STARS, 5,
         "1 star 0 added missing"},
        {"a star added", point, star_added, FRAMES, RULE_PICTURE_UNPAIRED_STARS, 6,
         "0 stars 1 added missing"},
        {"shifted by a quarter", plain, shifted, FRAMES, RULE_PICTURE_COUNTED, -1, NULL},
        {"field of view", plain, wider, FRAMES, RULE_PICTURE_COUNTED, -1, NULL},
        {"exposure", plain, brighter, FRAMES, RULE_PICTURE_BIAS, -1, NULL},
        {"flicker", plain, flickering, FRAMES, RULE_SEQUENCE_LIGHT, -1, "flickers"},
        {"glow wider", plain, glow_wider, FRAMES, RULE_PICTURE_TILE_LIGHT, -1, NULL},
        {"glow off", plain, glow_off, FRAMES, RULE_PICTURE_LIGHT, -1, NULL},
        {"sRGB for 2.2", plain, transfer, FRAMES, RULE_PICTURE_BIAS, -1, NULL},
        {"mirror", plain, mirrored, FRAMES, RULE_PICTURE_UNPAIRED_STARS, -1, NULL},
        {"red for blue", plain, red_for_blue, FRAMES, RULE_PICTURE_COLOUR, -1, NULL},
        {"four codes more", plain, uniform, FRAMES, RULE_PICTURE_TILE_MEAN, -1, NULL},
        {"a seam", plain, seam, FRAMES, RULE_PICTURE_TILE_LINE, -1, NULL},
        {"banding", plain, banded, FRAMES, RULE_PICTURE_BIAS, -1, NULL},
        {"a panel broken", plain, panel_broken, FRAMES, RULE_PICTURE_TILE_COUNTED, 3, NULL},
        {"a black frame", plain, black, FRAMES, RULE_PICTURE_COUNTED, 4, NULL},
        {"another film", plain, another_film, FRAMES, RULE_PICTURE_UNPAIRED_STARS, -1, NULL},
        {"a frame dropped", plain, dropped, FRAMES - 1, RULE_SEQUENCE_ORDER, 5,
         "frame 5 A B missing"},
        {"a frame repeated", plain, repeated, FRAMES, RULE_SEQUENCE_ORDER, 7, "frame 7 B repeats"},
        {"frames swapped", plain, swapped, FRAMES, RULE_SEQUENCE_ORDER, 8, "frames 8 9 swapped"},
        {"a frame late", plain, late, FRAMES, RULE_SEQUENCE_ORDER, -1, "1 frame late"},
        {"a frame early", plain, early, FRAMES, RULE_SEQUENCE_ORDER, -1, "1 frame early"},
        {"the last frame lost", plain, plain, FRAMES - 1, RULE_SEQUENCE_COUNT, -1,
         "A 14 frames B 13"},
        {"a frame twice at a join", plain, twice_at_a_join, FRAMES + 1, RULE_SEQUENCE_ORDER, -1,
         "shows neighbour again"},
    };
    const char *folder = *state;
    for (size_t i = 0; i < sizeof controls / sizeof controls[0]; i++) {
        char name[2][16];
        snprintf(name[0], sizeof name[0], "a%zu-%%02d.png", i);
        snprintf(name[1], sizeof name[1], "b%zu-%%02d.png", i);
        const char *a = make(folder, name[0], FRAMES, controls[i].reference);
        const char *b = make(folder, name[1], controls[i].frames, controls[i].draw);
        struct report report;
        const struct case_report *one = compare(&report, a, b);
        const struct finding *finding = finding_of(one, controls[i].rule);
        if (one->verdict != VERDICT_CHANGED || finding->verdict != VERDICT_CHANGED)
            fail_msg("%s: %s is %g and not beyond %g; %s; %s", controls[i].name,
                     finding->rule->name, finding->value, finding->fail, one->sentence,
                     finding_of(one, RULE_SEQUENCE_ORDER)->text);
        assert_int_equal(report_status(&report), STATUS_MISMATCH);
        if (controls[i].frame >= 0 && finding->frame != controls[i].frame)
            fail_msg("%s: at frame %d", controls[i].name, (int)finding->frame);
        if (controls[i].says && (!finding->text || !has_words(finding->text, controls[i].says)))
            fail_msg("%s: says '%s'", controls[i].name, finding->text);
        /* films that are only out of order have the same pictures */
        const bool of_order =
            controls[i].rule == RULE_SEQUENCE_ORDER || controls[i].rule == RULE_SEQUENCE_COUNT;
        if (of_order)
            assert_true(finding_of(one, RULE_PICTURE_COUNTED)->value == 0);
        report_free(&report);
    }
}

TEST(honest_noise_passes)
{
    static const struct {
        const char *name;
        void (*reference)(uint64_t n), (*draw)(uint64_t n);
        enum verdict verdict;
    } noises[] = {
        {"nothing", plain, plain, VERDICT_SAME},
        {"one code", plain, noise, VERDICT_WITHIN},
        {"two codes", plain, two_codes, VERDICT_WITHIN},
        {"a point at a pixel's edge", point, point_moved, VERDICT_WITHIN},
    };
    const char *folder = *state;
    for (size_t i = 0; i < sizeof noises / sizeof noises[0]; i++) {
        char name[2][16];
        snprintf(name[0], sizeof name[0], "a%zu-%%02d.png", i);
        snprintf(name[1], sizeof name[1], "b%zu-%%02d.png", i);
        const char *a = make(folder, name[0], FRAMES, noises[i].reference);
        const char *b = make(folder, name[1], FRAMES, noises[i].draw);
        struct report report;
        const struct case_report *one = compare(&report, a, b);
        if (one->verdict != noises[i].verdict)
            fail_msg("%s: %s, %s", noises[i].name, verdict_name(one->verdict), one->sentence);
        assert_int_equal(report_status(&report), STATUS_OK);
        assert_int_equal(one->stages[JUDGED_PICTURE].compared, FRAMES);
        assert_int_equal(one->alignment_count, FRAMES);
        report_free(&report);
    }
}

/* The result is the same with A and B exchanged. */
TEST(both_ways_are_the_same)
{
    static const enum rule_name compared[] = {
        RULE_PICTURE_COUNTED, RULE_PICTURE_PIXEL,      RULE_PICTURE_UNPAIRED_STARS,
        RULE_PICTURE_BIAS,    RULE_PICTURE_TILE_LIGHT, RULE_PICTURE_SSIM,
        RULE_PICTURE_COLOUR,  RULE_PICTURE_LIGHT,      RULE_PICTURE_TILE_MEAN};
    const char *a = make(*state, "a%02d.png", FRAMES, point);
    const char *b = make(*state, "b%02d.png", FRAMES, star_gone);
    struct report there, back;
    const struct case_report *one = compare(&there, a, b), *two = compare(&back, b, a);
    for (size_t i = 0; i < sizeof compared / sizeof compared[0]; i++)
        assert_true(finding_of(one, compared[i])->value == finding_of(two, compared[i])->value);
    report_free(&there);
    report_free(&back);
}

/* Pictures may begin with any number. */
TEST(frames_have_the_numbers_of_their_own_film)
{
    static const struct align_step steps[] = {
        {.kind = ALIGN_PAIR, .a = 0, .b = 0},    {.kind = ALIGN_ADDED, .a = 1, .b = 1},
        {.kind = ALIGN_PAIR, .a = 1, .b = 2},    {.kind = ALIGN_DROPPED, .a = 2, .b = 3},
        {.kind = ALIGN_DROPPED, .a = 3, .b = 3}, {.kind = ALIGN_AGAIN, .a = 4, .b = 3}};
    struct report report = {.cases = memory_new(1, sizeof *report.cases), .case_count = 1};
    struct case_report *one = report.cases;
    struct limits *limits;
    limits_open(&limits);
    const struct order_params params = {.first = {10, 100},
                                        .name = {"A", "B"},
                                        .rule = &rules[RULE_SEQUENCE_ORDER],
                                        .limits = limits};
    order_judge(&params, steps, sizeof steps / sizeof *steps, one);
    const struct finding *finding = finding_of(one, RULE_SEQUENCE_ORDER);
    assert_string_equal(finding->text,
                        "frame 101 of B is added; frames 12 to 13 of A are missing in B; frame 103 "
                        "of B shows a neighbour's picture again");
    assert_int_equal(finding->frame, 11);
    assert_true(one->alignment[2].a == 11 && one->alignment[2].b == 102);
    limits_close(&limits);
    report_free(&report);
}

TESTS_EACH(fixture_setup, fixture_teardown)
