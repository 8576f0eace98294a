/* Pairs of pictures judged by the rules, from given measurements. */
#include "tests/support/test.h"

#include "cmd/regression/judge/picture_judge.h"
#include "tests/support/films/star_field.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { SAMPLES = 3 * 160 * 96 };

static uint16_t left[SAMPLES], right[SAMPLES];

static void measure(struct measure *found, const struct measure_params *params)
{
    const struct star_field *field = &star_field_usual;
    struct planes a, b;
    struct measurer *measurer;
    assert_ok(planes_open(&a, field->width, field->height));
    assert_ok(planes_open(&b, field->width, field->height));
    assert_ok(measurer_open(&measurer, field->width, field->height, params));
    planes_fill(&a, left);
    planes_fill(&b, right);
    measure_pictures(measurer, &a, &b, NULL, found);
    measurer_close(&measurer);
    planes_close(&a);
    planes_close(&b);
}

struct judged_film {
    struct limits *limits;
    struct picture_judge *judge;
    struct report report;
    struct stage_report *stage;
};

static void begin(struct judged_film *film, uint64_t frames)
{
    memset(film, 0, sizeof *film);
    limits_open(&film->limits);
    picture_judge_open(&film->judge, film->limits, frames);
    report_add_case(&film->report, "a against b")->frames = frames;
    film->stage = &film->report.cases[0].stages[JUDGED_PICTURE];
    film->stage->planned = frames;
}

static enum verdict add(struct judged_film *film, uint64_t frame)
{
    struct measure found;
    const struct measure_params params = picture_params(film->limits);
    measure(&found, &params);
    return picture_judge_add(film->judge, frame, (int64_t)frame, &found);
}

static void end(struct judged_film *film)
{
    picture_judge_end(film->judge, &film->report.cases[0], film->stage);
    stage_conclude(film->stage);
}

static void close_film(struct judged_film *film)
{
    picture_judge_close(&film->judge);
    report_free(&film->report);
    limits_close(&film->limits);
}

static const struct finding *find(const struct judged_film *film, enum rule_name rule)
{
    for (uint32_t i = 0; i < film->stage->finding_count; i++)
        if (film->stage->findings[i].rule == &rules[rule])
            return &film->stage->findings[i];
    fail_msg("no finding of %s", rules[rule].name);
    return NULL;
}

TEST(equal_and_noisy_frames_pass)
{
    struct judged_film film;
    begin(&film, 12);
    for (uint32_t frame = 0; frame < 12; frame++) {
        star_field_draw(&star_field_usual, left);
        memcpy(right, left, sizeof right);
        if (frame > 0)
            star_field_noise(&star_field_usual, right, 2, frame);
        assert_int_equal(add(&film, frame), frame > 0 ? VERDICT_WITHIN : VERDICT_SAME);
    }
    end(&film);
    assert_int_equal(film.stage->verdict, VERDICT_WITHIN);
    assert_int_equal(film.stage->first_frame, 1);
    assert_int_equal(film.stage->compared, 12);
    assert_true(film.report.cases[0].series_count > 5);
    close_film(&film);
}

TEST(a_star_added_is_named)
{
    struct judged_film film;
    begin(&film, 3);
    for (uint32_t frame = 0; frame < 3; frame++) {
        star_field_draw(&star_field_usual, left);
        star_field_point(&star_field_usual, left, 130, 70, 0);
        memcpy(right, left, sizeof right);
        if (frame == 2)
            star_field_point(&star_field_usual, right, 130, 70, 14);
        assert_int_equal(add(&film, frame), frame == 2 ? VERDICT_CHANGED : VERDICT_SAME);
    }
    end(&film);
    assert_int_equal(film.stage->verdict, VERDICT_CHANGED);
    assert_int_equal(film.stage->first_frame, 2);
    const struct finding *stars = find(&film, RULE_PICTURE_UNPAIRED_STARS);
    assert_int_equal(stars->verdict, VERDICT_CHANGED);
    assert_string_equal(stars->text, "0 stars are missing and 1 is added at frame 2, pixel 130,70");
    assert_int_equal(stars->tile_x, 4);
    assert_int_equal(stars->tile_y, 2);
    assert_int_equal(find(&film, RULE_PICTURE_COUNTED)->verdict, VERDICT_WITHIN);
    assert_int_equal(find(&film, RULE_SEQUENCE_FAILED)->verdict, VERDICT_CHANGED);
    close_film(&film);
}

/* Twelve pixels differ, few of them lit: 8 are allowed, unless another number is given. */
TEST(a_number_that_is_given_counts)
{
    static const struct {
        const char *limits[2];
        double allowed;
        enum verdict verdict;
    } table[] = {
        {{NULL}, 8, VERDICT_CHANGED},
        {{"picture.counted=12"}, 12, VERDICT_WITHIN},
        {{"picture.counted=64"}, 64, VERDICT_WITHIN}, /* the default, but given */
        {{"picture.counted=11"}, 11, VERDICT_CHANGED},
        {{"picture.counted=3"}, 3, VERDICT_CHANGED},
        {{"picture.counted.warn=2"}, 8, VERDICT_CHANGED},
        {{"picture.counted_floor=12"}, 12, VERDICT_WITHIN},
        {{"picture.counted=100", "picture.counted_floor=9"}, 9, VERDICT_CHANGED},
        {{"picture.counted=never"}, INFINITY, VERDICT_WITHIN},
    };
    (void)state;
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        struct judged_film film;
        begin(&film, 1);
        for (int k = 0; k < 2 && table[i].limits[k]; k++)
            assert_ok(limits_set(film.limits, table[i].limits[k]));
        star_field_draw(&star_field_usual, left);
        memcpy(right, left, sizeof right);
        for (int p = 0; p < 12; p++) /* apart from each other, in black */
            for (int c = 0; c < 3; c++)
                right[3 * ((8 * (p / 4) + 2) * (int)star_field_usual.width + 12 * (p % 4) + 2) +
                      c] += 10 * 257;
        add(&film, 0);
        end(&film);
        const struct finding *counted = find(&film, RULE_PICTURE_COUNTED);
        if (counted->value != 12 || counted->fail != table[i].allowed ||
            counted->verdict != table[i].verdict)
            fail_msg("%s: %g of %g, %s", table[i].limits[0], counted->value, counted->fail,
                     verdict_name(counted->verdict));
        close_film(&film);
    }
}

/* Two of a hundred frames may have a warning, and one of a film in which that is more than the
 * share; unless a number is given. */
TEST(one_frame_may_warn)
{
    static const struct {
        uint32_t frames, warned;
        const char *limit;
        enum verdict verdict;
    } table[] = {
        {12, 0, NULL, VERDICT_SAME},
        {1, 1, NULL, VERDICT_WARNED},
        {12, 1, NULL, VERDICT_WARNED},
        {12, 2, NULL, VERDICT_CHANGED},
        {49, 1, NULL, VERDICT_WARNED},
        {49, 2, NULL, VERDICT_CHANGED},
        {99, 1, NULL, VERDICT_WARNED},
        {99, 2, NULL, VERDICT_CHANGED},
        {100, 2, NULL, VERDICT_WARNED},
        {100, 3, NULL, VERDICT_CHANGED},
        {12, 1, "sequence.warned=2", VERDICT_CHANGED},
        {12, 2, "sequence.warned=20", VERDICT_WARNED},
    };
    (void)state;
    star_field_draw(&star_field_usual, left);
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        struct judged_film film;
        struct measure same, other;
        begin(&film, table[i].frames);
        assert_ok(limits_set(film.limits, "picture.counted=64"));
        assert_ok(limits_set(film.limits, "picture.counted.warn=2"));
        if (table[i].limit)
            assert_ok(limits_set(film.limits, table[i].limit));
        const struct measure_params params = picture_params(film.limits);
        memcpy(right, left, sizeof right);
        measure(&same, &params);
        for (int p = 0; p < 3; p++) /* in black, and in tiles of their own */
            for (int c = 0; c < 3; c++)
                right[3 * (2 * (int)star_field_usual.width + 40 * p + 2) + c] += 10 * 257;
        measure(&other, &params);
        for (uint32_t frame = 0; frame < table[i].frames; frame++)
            picture_judge_add(film.judge, frame, frame, frame < table[i].warned ? &other : &same);
        end(&film);
        if (film.stage->verdict != table[i].verdict)
            fail_msg("%u of %u frames warned: %s", table[i].warned, table[i].frames,
                     verdict_name(film.stage->verdict));
        close_film(&film);
    }
}

static void draw_exposed(double exposure)
{
    struct star_field field = star_field_usual;
    star_field_draw(&field, left);
    field.exposure = exposure;
    star_field_draw(&field, right);
}

TEST(flicker_and_trend_are_found)
{
    struct judged_film film;
    begin(&film, 10);
    for (uint32_t frame = 0; frame < 10; frame++) {
        draw_exposed(frame % 2 ? 1.03 : 1);
        add(&film, frame);
    }
    end(&film);
    assert_int_equal(find(&film, RULE_SEQUENCE_LIGHT)->verdict, VERDICT_CHANGED);
    assert_int_equal(find(&film, RULE_SEQUENCE_TREND)->verdict, VERDICT_SAME);
    close_film(&film);
    begin(&film, 10);
    for (uint32_t frame = 0; frame < 10; frame++) {
        draw_exposed(1.002);
        add(&film, frame);
    }
    end(&film);
    assert_int_equal(find(&film, RULE_SEQUENCE_TREND)->verdict, VERDICT_WARNED);
    assert_int_equal(film.stage->verdict, VERDICT_WARNED);
    close_film(&film);
}

/* A trend is one sign in more than nine of ten frames: its value is the mean of all. */
TEST(a_trend_has_one_sign)
{
    enum { COUNT = 20 };
    for (int others = 0; others <= 3; others++)
        for (int sign = -1; sign <= 1; sign += 2) {
            struct judged_film film;
            begin(&film, COUNT);
            for (int frame = 0; frame < COUNT; frame++) {
                const struct measure measure = {.light = {2, 2},
                                                .bias = 0.05 * sign * (frame < others ? -1 : 1)};
                picture_judge_add(film.judge, (uint64_t)frame, frame, &measure);
            }
            end(&film);
            const double trend = find(&film, RULE_SEQUENCE_TREND)->value,
                         mean = others < 2 ? 0.05 * (COUNT - 2 * others) / COUNT : 0;
            if (!(fabs(trend - mean) < 1e-12))
                fail_msg("%d frames of %d otherwise: %g instead of %g", others, COUNT, trend, mean);
            close_film(&film);
        }
}

/* Half a percent from frame to frame: flicker if there is much light, noise if there is little. */
TEST(noise_is_no_flicker)
{
    for (int bright = 0; bright < 2; bright++) {
        struct judged_film film;
        const double light = bright ? 1e6 : 1;
        begin(&film, 10);
        for (int frame = 0; frame < 10; frame++) {
            const struct measure measure = {.light = {light, light * (frame % 2 ? 1.005 : 1)},
                                            .ssim_worst = 1};
            picture_judge_add(film.judge, (uint64_t)frame, frame, &measure);
        }
        end(&film);
        const struct finding *finding = find(&film, RULE_SEQUENCE_LIGHT);
        assert_int_equal(finding->verdict, bright ? VERDICT_CHANGED : VERDICT_SAME);
        assert_true(!bright || fabs(finding->value - 0.25) < 0.01);
        close_film(&film);
    }
}

/* The severity for a limit of 0 is 1 plus the value. */
TEST(a_star_is_worse_than_a_tile)
{
    struct judged_film film;
    struct picture_choice out[4];
    begin(&film, 2);
    const double tile = limits_fail(film.limits, &rules[RULE_PICTURE_TILE_MEAN]);
    const struct measure star = {.light = {2, 2}, .ssim_worst = 1, .missing = 1},
                         blurred = {
                             .light = {2, 2}, .ssim_worst = 1, .tile_mean = {.value = 1.5 * tile}};
    picture_judge_add(film.judge, 0, 0, &star);
    picture_judge_add(film.judge, 1, 1, &blurred);
    assert_int_equal(picture_judge_choose(film.judge, out, 1), 1);
    assert_true(out[0].frame == 0 && out[0].worst == 2);
    assert_int_equal(picture_judge_choose(film.judge, out, 4), 2);
    assert_true(out[1].frame == 1 && fabs(out[1].worst - 1.5) < 1e-12);
    end(&film);
    close_film(&film);
}

static const struct series *series_of(const struct judged_film *film, enum rule_name rule)
{
    const struct case_report *one = &film->report.cases[0];
    for (uint32_t i = 0; i < one->series_count; i++)
        if (one->series[i].rule == &rules[rule])
            return &one->series[i];
    fail_msg("no series of %s", rules[rule].name);
    return NULL;
}

/* A timeline shows whether pictures become darker; the limit is one of size. */
TEST(the_bias_keeps_its_sign_in_the_timeline)
{
    static const double bias[] = {0.01, -0.02};
    struct judged_film film;
    begin(&film, 2);
    for (uint64_t frame = 0; frame < 2; frame++) {
        const struct measure found = {.bias = bias[frame], .ssim_worst = 1, .ssim_mean = 1};
        assert_int_equal(picture_judge_add(film.judge, frame, (int64_t)frame, &found),
                         VERDICT_WITHIN);
    }
    end(&film);
    const struct series *series = series_of(&film, RULE_PICTURE_BIAS);
    assert_true(series->value[0] == 0.01 && series->value[1] == -0.02);
    assert_true(find(&film, RULE_PICTURE_BIAS)->value == 0.02);
    close_film(&film);
}

/* A share of the lit pixels, but at most the number for the whole picture. */
TEST(a_bright_frame_may_not_have_more)
{
    struct judged_film film;
    begin(&film, 2);
    assert_ok(limits_set(film.limits, "picture.counted=100"));
    assert_ok(limits_set(film.limits, "picture.counted_of_lit=1"));
    struct measure found = {.lit = 1000000, .counted = 100, .ssim_worst = 1, .ssim_mean = 1};
    assert_int_equal(picture_judge_add(film.judge, 0, 0, &found), VERDICT_WITHIN);
    found.counted = 101;
    assert_int_equal(picture_judge_add(film.judge, 1, 1, &found), VERDICT_CHANGED);
    end(&film);
    close_film(&film);
}

TEST(limits_and_settings_are_heard)
{
    struct judged_film film;
    begin(&film, 1);
    assert_ok(limits_set(film.limits, "picture.star=20"));
    star_field_draw(&star_field_usual, left);
    star_field_point(&star_field_usual, left, 130, 70, 0);
    memcpy(right, left, sizeof right);
    star_field_point(&star_field_usual, right, 130, 70, 14);
    assert_int_equal(add(&film, 0), VERDICT_WITHIN);
    end(&film);
    close_film(&film);
    begin(&film, 2);
    end(&film); /* nothing was compared */
    assert_int_equal(film.stage->verdict, VERDICT_NOT_JUDGED);
    close_film(&film);
}

static void stars_at(int count)
{
    star_field_draw(&star_field_usual, left);
    memcpy(right, left, sizeof right);
    for (int i = 0; i < count; i++)
        star_field_point(&star_field_usual, right, 10 + 12 * i, 5, 200);
}

/* The first, the last and the worst, not those in between, and the reason. */
TEST(frames_to_look_at_are_chosen)
{
    static const int added[] = {0, 0, 1, 1, 4, 2, 1, 0};
    struct picture_choice choices[PICTURE_CHOICES_MAX];
    struct judged_film film;
    begin(&film, 8);
    for (uint64_t f = 0; f < 8; f++) {
        stars_at(added[f]);
        add(&film, f);
    }
    const size_t count = picture_judge_choose(film.judge, choices, PICTURE_CHOICES_MAX);
    assert_in_range(count, 3, PICTURE_CHOICES_MAX);
    assert_int_equal(choices[0].frame, 2);
    assert_says(choices[0].why, "fails");
    assert_int_equal(choices[count - 1].frame, 6);
    assert_says(choices[count - 1].why, "last fails");
    double worst = 0;
    for (size_t i = 0; i < count; i++) {
        assert_true(i == 0 || choices[i].frame > choices[i - 1].frame);
        worst = fmax(worst, choices[i].worst);
        if (choices[i].frame == 4)
            assert_says(choices[i].why, "worst picture.unpaired_stars");
    }
    for (size_t i = 0; i < count; i++)
        assert_int_equal(choices[i].worst == worst, choices[i].frame == 4);
    assert_true(worst >= 5); /* four stars, where none is allowed */
    assert_int_equal(picture_judge_choose(film.judge, choices, 1), 1);
    assert_int_equal(choices[0].frame, 4);
    assert_int_equal(picture_judge_choose(film.judge, choices, 0), 0);
    end(&film);
    close_film(&film);
    begin(&film, 1);
    stars_at(1);
    add(&film, 0);
    assert_int_equal(picture_judge_choose(film.judge, choices, PICTURE_CHOICES_MAX), 1);
    assert_string_equal(choices[0].why, "the only one that fails");
    end(&film);
    close_film(&film);
}

/* If none fails, those that differ at all; if none differs, none. */
TEST(frames_within_limits_are_chosen_too)
{
    struct picture_choice choices[PICTURE_CHOICES_MAX];
    struct judged_film film;
    begin(&film, 3);
    stars_at(0);
    add(&film, 0);
    assert_int_equal(picture_judge_choose(film.judge, choices, PICTURE_CHOICES_MAX), 0);
    star_field_noise(&star_field_usual, right, 1, 7);
    add(&film, 1);
    add(&film, 2);
    assert_in_range(picture_judge_choose(film.judge, choices, PICTURE_CHOICES_MAX), 2, 2);
    assert_says(choices[0].why, "first differs");
    assert_true(choices[0].worst < 1);
    end(&film);
    close_film(&film);
}

/* A tile that breaks several limits has one box, with the severity of the worst. */
TEST(tiles_are_marked_once)
{
    struct measure found;
    struct limits *limits;
    uint32_t count, tiles = 0;
    limits_open(&limits);
    const struct measure_params params = picture_params(limits);
    stars_at(0);
    for (int y = 40; y < 56; y++)
        for (int x = 40; x < 56; x++)
            star_field_point(&star_field_usual, right, x, y, 120);
    measure(&found, &params);
    struct mark *marks = picture_marks(&found, limits, &count);
    for (uint32_t i = 0; i < count; i++) {
        if (marks[i].kind != MARK_TILE)
            continue;
        tiles++;
        assert_int_equal(marks[i].x, 48);
        assert_int_equal(marks[i].y, 48);
        assert_true(marks[i].value > 10);
    }
    assert_int_equal(tiles, 1);
    free(marks);
    limits_close(&limits);
}

TESTS(NULL, NULL)
