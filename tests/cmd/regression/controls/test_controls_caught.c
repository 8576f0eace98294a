/* Every control that can be made of a film is made, and must be detected and named: by bits on the
 * same platform, by limits on another. Prints the table of both, and the smallest changes that
 * limits still detect. */
#include "tests/support/test.h"

#include "tests/support/controls/control_judge.h"
#include "tests/support/controls/all.h"

#include <stdio.h>

static struct control_judge judge;

static int set_up(void **state)
{
    (void)state;
    return control_judge_open(&judge) == STATUS_OK ? 0 : -1;
}

static int tear_down(void **state)
{
    (void)state;
    control_judge_close(&judge);
    return 0;
}

/* Differences that another platform may cause by itself, or that the record has no numbers for;
 * bits detect them. */
static const struct choice unseen_elsewhere[] = {
    {"dither", "rounding differs between renderers by as much"},
    {"exposure_late", "a step of 3 frames changes light by less than renderers differ"},
    {"fov", "lit pixels darker by 0.11 codes; an H200's are by 0.13 from llvmpipe's"},
};
static const struct registry unseen_registry = REGISTRY_OF("control", unseen_elsewhere);

static const char *stage_of(int stage)
{
    const struct choice *choice = stage >= 0 ? choice_at(&judged_registry, (size_t)stage) : NULL;
    return choice ? choice->name : "none";
}

static void print_row(const struct control *control, const struct control_verdict *same,
                      const struct control_verdict *elsewhere)
{
    char size[32] = "";
    if (control->unit)
        snprintf(size, sizeof size, "%g %s", control->size, control->unit);
    print_message("%-9s %-15s %-18s %-10s %-10s %s\n", control_kind(control), control->name, size,
                  verdict_passes(same->verdict) ? "MISSED" : stage_of(same->stage),
                  verdict_passes(elsewhere->verdict) ? "not seen" : stage_of(elsewhere->stage),
                  elsewhere->sentence);
}

/* Frames before the first changed one are not blamed. */
static void names_the_frame(const struct control *control, const struct control_verdict *same)
{
    if (control->paint || control->order)
        assert_true(same->first_frame < 0 || same->first_frame >= CONTROL_FRAMES / 3);
}

TEST(controls_are_caught)
{
    const struct control *control;
    size_t caught = 0;
    print_message("%-9s %-15s %-18s %-10s %-10s\n", "kind", "control", "size", "bits", "limits");
    for (size_t i = 0; (control = choice_at(&all_controls, i)) != NULL; i++) {
        struct control_verdict same, elsewhere;
        assert_ok(control_judge_make(&judge, control, 0, &same, &elsewhere));
        if (same.why_not)
            fail_msg("%s was not made: %s", control->name, same.why_not);
        print_row(control, &same, &elsewhere);
        if (verdict_passes(same.verdict) || same.stage != (int)control->stage)
            fail_msg("%s is named %s, not %s: %s", control->name, stage_of(same.stage),
                     stage_of((int)control->stage), same.sentence);
        names_the_frame(control, &same);
        if (!choice_find(&unseen_registry, control->name))
            assert_false(verdict_passes(elsewhere.verdict));
        /* Limits may detect light only in the picture, and packets only by the file's metadata. */
        if (!verdict_passes(elsewhere.verdict))
            assert_true(elsewhere.stage == (int)control->stage ||
                        (control->stage == JUDGED_LIGHT && elsewhere.stage == JUDGED_PICTURE) ||
                        (control->stage == JUDGED_PACKETS && elsewhere.stage == JUDGED_CONTAINER));
        caught++;
    }
    print_message("%zu of %zu controls caught, each in its stage\n", caught, caught);
    assert_int_equal(caught, all_controls.count);
}

/* The smallest of sizes that are halved again and again; 0: not even the usual one. */
static double smallest(const char *name)
{
    enum { HALVINGS = 5 };
    const struct control *control = choice_find(&all_controls, name);
    double seen = 0, size = control->size;
    for (int i = 0; i <= HALVINGS; i++, size /= 2) {
        struct control_verdict same, elsewhere;
        assert_ok(control_judge_make(&judge, control, size, &same, &elsewhere));
        if (verdict_passes(elsewhere.verdict))
            break;
        seen = size;
    }
    print_message("%s: limits see %g %s\n", name, seen, control->unit);
    return seen;
}

TEST(small_changes_are_seen)
{
    const double star = smallest("star_added"), exposure = smallest("exposure"),
                 shift = smallest("shift");
    assert_true(star > 0 && star <= 12);
    assert_true(exposure > 0 && exposure <= 1);
    assert_true(shift > 0 && shift <= 0.25);
}

TEST(an_honest_film_passes)
{
    const struct record *record = &judge.honest[0].record;
    struct control_verdict verdict;
    assert_true(judge.honest_count > 0);
    for (int elsewhere = 0; elsewhere < 2; elsewhere++) {
        assert_ok(control_judge_records(record, record, judge.honest[0].reel, judge.honest[0].reel,
                                        elsewhere, &verdict));
        assert_true(verdict_passes(verdict.verdict));
    }
}

/* Equal is not correct: NaN on both sides is wrong on both. */
TEST(nan_on_both_sides_does_not_pass)
{
    struct record *record = &judge.honest[0].record;
    struct control_verdict verdict;
    for (int elsewhere = 0; elsewhere < 2; elsewhere++) {
        record->frames[5].light_broken = 1024;
        assert_ok(control_judge_records(record, record, judge.honest[0].reel, judge.honest[0].reel,
                                        elsewhere, &verdict));
        record->frames[5].light_broken = 0;
        assert_false(verdict_passes(verdict.verdict));
        assert_int_equal(verdict.stage, JUDGED_LIGHT);
    }
}

TESTS(set_up, tear_down)
