/* Verdicts: of findings, stages, cases and reports. */
#include "tests/support/test.h"

#include "cmd/regression/judge/report.h"

#include <math.h>

struct fixture {
    struct report report;
    struct limits *limits;
    struct case_report *one;
};

/* A case whose stages all have the same bits. */
static void make(struct fixture *fixture)
{
    *fixture = (struct fixture){0};
    limits_open(&fixture->limits);
    fixture->one = report_add_case(&fixture->report, "film");
    for (int i = 0; i < JUDGED_COUNT; i++) {
        struct stage_report *stage = &fixture->one->stages[i];
        stage->planned = stage->compared = 48;
        stage_conclude(stage);
    }
}

static void conclude(struct fixture *fixture)
{
    for (int i = 0; i < JUDGED_COUNT; i++)
        stage_conclude(&fixture->one->stages[i]);
    case_conclude(fixture->one);
    report_conclude(&fixture->report);
}

static void end(struct fixture *fixture)
{
    report_free(&fixture->report);
    report_free(&fixture->report);
    limits_close(&fixture->limits);
}

/* Whether the finding and its text are as expected. */
static void expect(struct fixture *fixture, enum verdict verdict, int stage, const char *words)
{
    conclude(fixture);
    const struct case_report *one = fixture->one;
    if (one->verdict != verdict || one->stage != stage || !has_words(one->sentence, words))
        fail_msg("verdict %s, stage %d: %s", verdict_name(one->verdict), one->stage, one->sentence);
    assert_int_equal(fixture->report.verdict, verdict);
    assert_int_equal(report_status(&fixture->report),
                     verdict_passes(verdict) ? STATUS_OK : STATUS_MISMATCH);
    end(fixture);
}

/* A stage's sentence joins the first two of the worst findings. */
TEST(test_two_findings_are_told)
{
    static const char *const texts[] = {"small", "one", "two", "three"};
    struct fixture fixture;
    (void)state;
    make(&fixture);
    struct stage_report *stage = &fixture.one->stages[JUDGED_PICTURE];
    for (int i = 0; i < 4; i++) {
        struct finding *finding = stage_measured(stage, fixture.limits,
                                                 &rules[RULE_PICTURE_THUMBNAIL], i == 0 ? 0.5 : 20);
        finding_say(finding, "%s", texts[i]);
    }
    free(stage->sentence);
    stage->sentence = NULL;
    stage_conclude(stage);
    assert_string_equal(stage->sentence, "one; two");
    end(&fixture);
}

TEST(test_values)
{
    const struct rule *rule = &rules[RULE_CONTAINER_SIZE]; /* 5 warns, 10 fails */
    static const struct {
        double value;
        enum verdict verdict;
    } cases[] = {
        {0, VERDICT_SAME},      {0.1, VERDICT_WITHIN},   {5, VERDICT_WITHIN},
        {5.01, VERDICT_WARNED}, {10, VERDICT_WARNED},    {10.01, VERDICT_CHANGED},
        {NAN, VERDICT_CHANGED}, {-NAN, VERDICT_CHANGED}, {INFINITY, VERDICT_CHANGED},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct fixture fixture;
        make(&fixture);
        struct finding *finding = stage_measured(&fixture.one->stages[JUDGED_CONTAINER],
                                                 fixture.limits, rule, cases[i].value);
        assert_int_equal(finding->verdict, cases[i].verdict);
        assert_true(finding->frame == -1 && finding->x == -1 && finding->tile_x == -1);
        assert_null(finding->because);
        end(&fixture);
    }
}

TEST(test_a_rule_that_never_fails_still_refuses_nan)
{
    struct fixture fixture;
    (void)state;
    make(&fixture);
    struct stage_report *stage = &fixture.one->stages[JUDGED_PICTURE];
    assert_int_equal(
        stage_measured(stage, fixture.limits, &rules[RULE_PICTURE_PSNR], 1e300)->verdict,
        VERDICT_WITHIN);
    assert_int_equal(stage_measured(stage, fixture.limits, &rules[RULE_PICTURE_PSNR], NAN)->verdict,
                     VERDICT_CHANGED);
    end(&fixture);
}

TEST(test_same)
{
    struct fixture fixture;
    (void)state;
    make(&fixture);
    expect(&fixture, VERDICT_SAME, -1, "'7 of 7' stages");
}

TEST(test_overridden_limits_say_why)
{
    struct fixture fixture;
    (void)state;
    make(&fixture);
    limits_change(fixture.limits, &rules[RULE_CONTAINER_SIZE], 20, 30, "another encoder");
    struct finding *finding = stage_measured(&fixture.one->stages[JUDGED_CONTAINER], fixture.limits,
                                             &rules[RULE_CONTAINER_SIZE], 25);
    assert_int_equal(finding->verdict, VERDICT_WARNED);
    assert_true(finding->warn == 20 && finding->fail == 30);
    assert_string_equal(finding->because, "another encoder");
    expect(&fixture, VERDICT_WARNED, -1, "warning container");
}

TEST(test_the_first_stage_that_changed_names_the_cause)
{
    for (int cause = 0; cause < JUDGED_COUNT; cause++) {
        struct fixture fixture;
        make(&fixture);
        for (int i = cause; i < JUDGED_COUNT; i++) {
            struct stage_report *stage = &fixture.one->stages[i];
            enum rule_name rule = 0;
            while (rules[rule].stage != (enum judged)i)
                rule++;
            stage_measured(stage, fixture.limits, &rules[rule], NAN);
        }
        conclude(&fixture);
        assert_int_equal(fixture.one->stage, cause);
        assert_int_equal(fixture.one->verdict, VERDICT_CHANGED);
        end(&fixture);
    }
}

TEST(test_sentences)
{
    struct fixture fixture;
    (void)state;
    make(&fixture);
    struct stage_report *stage = &fixture.one->stages[JUDGED_PHYSICS];
    stage_measured(stage, fixture.limits, &rules[RULE_PHYSICS_BITS], 31);
    stage->first_frame = 17;
    stage_say(stage, "body 4,211 moved 3e-4; energy drift 1.2e-3 against 4e-5");
    conclude(&fixture);
    assert_string_equal(fixture.one->sentence,
                        "physics changed at frame 17: body 4,211 moved 3e-4; energy drift 1.2e-3 "
                        "against 4e-5");
    end(&fixture);

    make(&fixture);
    stage = &fixture.one->stages[JUDGED_PICTURE];
    struct finding *finding =
        stage_measured(stage, fixture.limits, &rules[RULE_PICTURE_COUNTED], 412);
    finding_say(finding, "412 pixels, worst tile 12,5");
    stage->first_frame = 30;
    free(stage->sentence);
    stage->sentence = NULL;
    fixture.one->stages[JUDGED_PACKETS].substituted = true;
    stage_measured(&fixture.one->stages[JUDGED_PACKETS], fixture.limits, &rules[RULE_PACKETS_KEYS],
                   1);
    conclude(&fixture);
    assert_string_equal(fixture.one->sentence,
                        "same bodies, picture differs from frame 30: 412 pixels, worst tile 12,5; "
                        "also changed: packets (the same in 48 of 48 frames)");
    end(&fixture);
}

TEST(test_a_stage_left_out_is_not_green)
{
    struct fixture fixture;
    (void)state;
    for (int i = 0; i < JUDGED_COUNT; i++) {
        make(&fixture);
        stage_not_judged(&fixture.one->stages[i], "the disk was full");
        expect(&fixture, VERDICT_NOT_JUDGED, -1, "disk");
    }
}

TEST(test_frames_left_out_are_not_green)
{
    struct fixture fixture;
    (void)state;
    make(&fixture);
    struct stage_report *stage = &fixture.one->stages[JUDGED_LIGHT];
    stage->compared = 47;
    free(stage->sentence);
    stage->sentence = NULL;
    expect(&fixture, VERDICT_NOT_JUDGED, -1, "'47 of 48' frames");

    make(&fixture);
    fixture.one->stages[JUDGED_LIGHT].compared = fixture.one->stages[JUDGED_LIGHT].planned = 0;
    expect(&fixture, VERDICT_NOT_JUDGED, -1, "light");

    /* a measured difference is a change, however small */
    make(&fixture);
    stage = &fixture.one->stages[JUDGED_LIGHT];
    stage->compared = 1;
    stage_measured(stage, fixture.limits, &rules[RULE_LIGHT_BITS], 1);
    expect(&fixture, VERDICT_CHANGED, JUDGED_LIGHT, "light differs");
}

TEST(test_a_stage_that_does_not_exist_is_neutral)
{
    struct fixture fixture;
    (void)state;
    make(&fixture);
    stage_not_applicable(&fixture.one->stages[JUDGED_PACKETS], "PNG files have no packets");
    stage_not_applicable(&fixture.one->stages[JUDGED_CONTAINER], "PNG files have no container");
    expect(&fixture, VERDICT_SAME, -1, "'5 of 5' stages");

    make(&fixture);
    for (int i = 0; i < JUDGED_COUNT; i++)
        stage_not_applicable(&fixture.one->stages[i], "nothing is there");
    expect(&fixture, VERDICT_NOT_JUDGED, -1, "compared");
}

TEST(test_what_follows_is_not_judged)
{
    struct fixture fixture;
    (void)state;
    make(&fixture);
    stage_measured(&fixture.one->stages[JUDGED_PHYSICS], fixture.limits, &rules[RULE_PHYSICS_BITS],
                   1);
    stage_measured(&fixture.one->stages[JUDGED_LIGHT], fixture.limits, &rules[RULE_LIGHT_BITS], 1);
    fixture.one->stages[JUDGED_LIGHT].follows = true;
    conclude(&fixture);
    assert_int_equal(fixture.one->stages[JUDGED_LIGHT].verdict, VERDICT_NOT_JUDGED);
    assert_int_equal(fixture.one->stage, JUDGED_PHYSICS);
    end(&fixture);
}

TEST(test_reports)
{
    struct report report = {0};
    (void)state;
    report_conclude(&report);
    assert_int_equal(report.verdict, VERDICT_NOT_JUDGED);
    assert_int_equal(report_status(&report), STATUS_MISMATCH);
    report_free(&report);

    /* a case that was not judged, beside one that passes */
    struct fixture fixture;
    make(&fixture);
    case_conclude(fixture.one);
    case_conclude(report_add_case(&fixture.report, "other"));
    report_conclude(&fixture.report);
    assert_int_equal(fixture.report.verdict, VERDICT_NOT_JUDGED);
    assert_int_equal(report_status(&fixture.report), STATUS_MISMATCH);
    end(&fixture);

    assert_false(verdict_passes(VERDICT_NOT_JUDGED));
    assert_false(verdict_passes(VERDICT_CHANGED));
    assert_false(verdict_passes(VERDICT_NOT_APPLICABLE));
    assert_true(verdict_passes(VERDICT_WARNED));
}

TESTS(NULL, NULL)
