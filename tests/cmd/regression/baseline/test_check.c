/* Baselines recorded, checked and accepted by the whole program. A change of the program is
 * imitated by a baseline of another scene that claims to be of this one. */
#include "tests/support/test.h"

#include "base/file.h"
#include "base/memory.h"
#include "base/text.h"
#include "cmd/regression/baseline/baseline.h"
#include "cmd/regression/baseline/objects.h"
#include "cmd/regression/record/record.h"
#include "cmd/regression/report/report_json.h"
#include "cmd/regression/report/phrases.h"
#include "tests/support/programs/cli.h"
#include "tests/support/films/sink_fixture.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define SCENE "baseline", "plummer", "-n", "128", "--size", "96x54", "--frames", "6"

static bool have_gl;

static int set_up(void **state)
{
    unsetenv("CI");
    unsetenv("GRAVREEL_TEST_UPDATE");
    if (cli_set_up(state) != 0)
        return -1;
    have_gl = cli_has_gl();
    if (have_gl)
        cli(0, SCENE, "-o", "b");
    return 0;
}

static void need_gl(void)
{
    if (!have_gl)
        outcome_skip(MISSING_GL, "see above");
}

/* ---- changes ---- */

/* Copies b/plummer with its objects, as NAME/plummer. */
static void copy_baseline(const char *name)
{
    struct baseline from;
    char *to = text_format("%s/plummer.json", name), *text = cli_read("b/plummer.json"),
         *folder = text_format("%s/plummer.objects", cli_path(name));
    assert_ok(file_make_folder(cli_path(name)));
    cli_write(to, text);
    assert_ok(baseline_read(&from, cli_path("b/plummer.json")));
    const char *objects[BASELINE_STATES_MAX + BASELINE_PICTURES_MAX + 1] = {from.encoding};
    uint32_t count = 1;
    for (uint32_t i = 0; i < from.state_count; i++)
        objects[count++] = from.states[i].object;
    for (uint32_t i = 0; i < from.picture_count; i++)
        objects[count++] = from.pictures[i].object;
    for (uint32_t i = 0; i < count; i++) {
        void *data;
        size_t size;
        enum object_state state;
        char object[HASH_TEXT];
        assert_ok(object_get(from.folder, objects[i], 1 << 24, &data, &size, &state));
        assert_ok(object_put(folder, data, size, object));
        free(data);
    }
    baseline_free(&from);
    free(folder);
    free(text);
    free(to);
}

/* NAME/plummer.json, a baseline of the scene with one more setting, claims to be one without: as if
 * the program had changed since. */
static void record_another_than(const char *of, const char *name, const char *option,
                                const char *value)
{
    struct baseline own, other;
    char *path = text_format("%s/plummer.json", name),
         *of_path = text_format("%s/plummer.json", of);
    cli(0, SCENE, option, value, "-o", name);
    assert_ok(baseline_read(&own, cli_path(of_path)));
    free(of_path);
    assert_ok(baseline_read(&other, cli_path(path)));
    free(other.record.scene);
    free(other.record.scene_hash);
    other.record.scene = memory_text(own.record.scene);
    other.record.scene_hash = memory_text(own.record.scene_hash);
    const struct origin origin = other.origin;
    other.origin = own.origin;
    own.origin = origin;
    assert_ok(baseline_write(&other));
    baseline_free(&own);
    baseline_free(&other);
    free(path);
}

static void record_another(const char *name, const char *option, const char *value)
{
    record_another_than("b", name, option, value);
}

static void edit(const char *name, void (*change)(struct baseline *baseline))
{
    struct baseline baseline;
    char *path = text_format("%s/plummer.json", name);
    assert_ok(baseline_read(&baseline, cli_path(path)));
    change(&baseline);
    assert_ok(baseline_write(&baseline));
    baseline_free(&baseline);
    free(path);
}

/* The report of `check NAME`, which ends with `code`; free with report_free. */
static struct report check(const char *name, int code)
{
    struct report report;
    char *output = text_format("%s-report", name), *json = text_format("%s/report.json", output);
    cli(code, "check", name, "--output", output);
    assert_ok(report_read_json(&report, cli_path(json)));
    assert_int_equal(report.case_count, 1);
    free(output);
    free(json);
    return report;
}

static void assert_passes(const char *name)
{
    struct report report = check(name, 0);
    const struct case_report *one = &report.cases[0];
    assert_int_equal(one->verdict, VERDICT_SAME);
    for (int s = 0; s < JUDGED_COUNT; s++) {
        assert_int_equal(one->stages[s].verdict, VERDICT_SAME);
        assert_true(one->stages[s].compared > 0);
        assert_true(one->stages[s].compared == one->stages[s].planned);
    }
    report_free(&report);
}

/* Exactly these stages changed by themselves; the first of them is the cause. */
static void assert_changed(const struct report *report, unsigned changed)
{
    const struct case_report *one = &report->cases[0];
    bool first = true;
    assert_int_equal(one->verdict, VERDICT_CHANGED);
    for (int s = 0; s < JUDGED_COUNT; s++) {
        const bool did = one->stages[s].verdict == VERDICT_CHANGED;
        if (did != !!(changed & 1u << s))
            fail_msg("stage %s: %s (%s)", judged_name((enum judged)s),
                     verdict_name(one->stages[s].verdict), one->stages[s].sentence);
        if (did && first)
            assert_int_equal(one->stage, s);
        first = first && !did;
    }
}

#define STAGE(s) (1u << JUDGED_##s)

/* ---- recording ---- */

TEST(test_what_is_recorded)
{
    need_gl();
    struct baseline baseline;
    struct stat found;
    assert_ok(baseline_read(&baseline, cli_path("b/plummer.json")));
    assert_string_equal(baseline.name, "plummer");
    assert_int_equal(baseline.record.count, 6);
    assert_int_equal(baseline.state_count, 3);
    assert_int_equal(baseline.states[0].frame, 0);
    assert_int_equal(baseline.states[2].frame, 5);
    assert_int_equal(baseline.picture_count, 6);
    assert_int_equal(baseline.history_count, 1);
    assert_string_equal(baseline.anchor, "");
    assert_int_equal(stat(cli_path("b/plummer.json"), &found), 0);
    assert_true(found.st_size < BASELINE_TEXT_MOST);
    assert_true(objects_bytes(baseline.folder) < 100000);
    baseline_free(&baseline);
}

/* States contain all input of pictures: distances and dispersions of neighbours, columns. */
TEST(test_states_draw_their_pictures)
{
    need_gl();
    static const char *const colours[] = {"look.color=temperature", "look.color=quantity",
                                          "look.color=acceleration"};
    static const char *const names[] = {"made_0", "made_1", "made_2"};
    for (int i = 0; i < 3; i++) {
        struct baseline baseline;
        const struct run *run =
            cli(0, "baseline", "mice", "-n", "256", "--size", "96x54", "--frames", "3", "--set",
                "look.size=adaptive", "--set", colours[i], "--set", "look.quantity=birth_radius",
                "-o", names[i]);
        assert_lacks(run->err, "give other pictures");
        char *path = text_format("%s/mice.json", cli_path(names[i]));
        assert_ok(baseline_read(&baseline, path));
        assert_true(baseline.state_count > 0);
        baseline_free(&baseline);
        free(path);
    }
}

TEST(test_nothing_is_replaced_silently)
{
    need_gl();
    copy_baseline("again");
    char *before = cli_read("again/plummer.json");
    cli_fails(2, "exists", SCENE, "-o", "again");
    cli_fails(2, "--because", SCENE, "-y", "-o", "again");
    char *after = cli_read("again/plummer.json");
    assert_string_equal(before, after);
    free(after);
    assert_says(cli_with(("CI=1"), 2, SCENE, "-y", "--because", "x", "-o", "again")->err, "CI");
    after = cli_read("again/plummer.json");
    assert_string_equal(before, after);
    free(after);
    cli_with(("CI=1"), 0, SCENE, "-o", "first");
    cli_with(("CI=1"), 0, SCENE, "-y", "--because", "x", "--in-ci", "-o", "first");
    cli(0, SCENE, "-y", "--because", "a new look", "--author", "Ada", "-o", "again", "--set",
        "look.exposure=0.05");
    struct baseline baseline;
    assert_ok(baseline_read(&baseline, cli_path("again/plummer.json")));
    assert_int_equal(baseline.history_count, 2);
    assert_string_equal(baseline.history[1].because, "a new look");
    assert_string_equal(baseline.history[1].author, "Ada");
    assert_true(object_is_name(baseline.anchor));
    baseline_free(&baseline);
    struct report report = check("again", 0);
    assert_says(report.cases[0].anchor, "1 change baseline scene exposure 0.05");
    report_free(&report);
    free(before);
}

TEST(test_recordings_that_make_no_sense)
{
    need_gl();
    cli_fails(2, "no scene given", "baseline", "-o", "x");
    cli_fails(2, "no folder given", SCENE);
    cli_fails(2, "--frames frame 0", "baseline", "plummer", "--frames", "2..4", "-o", "x");
    cli_fails(2, "name baseline", SCENE, "--name", "../x", "-o", "x");
    cli_fails(2, "name baseline", SCENE, "--name", "a\033[31mb", "-o", "x");
    cli_fails(2, "name baseline", SCENE, "--name", "a\nb", "-o", "x");
    cli_fails(2, "--name", "baseline", "plummer", "comparison", "--name", "x", "-o", "x");
    cli_fails(2, "discarded", SCENE, "--format", "null", "-o", "x");
    cli_fails(2, "'hash' keeps none", SCENE, "--format", "hash", "-o", "x");
    cli_write("file", "x");
    cli(5, SCENE, "-o", "file");
    assert_false(cli_exists("x"));
}

#define MEDDLING                                                                                   \
    "LD_PRELOAD=" MEDDLE, "ASAN_OPTIONS=verify_asan_link_order=0:intercept_tls_get_addr=0"

/* If the bits depend on the number of threads, there is no baseline. */
TEST(test_threads_that_matter)
{
    need_gl();
    cli_with((MEDDLING, "THREADS_MATTER=", "OMP_NUM_THREADS=2"), 0, SCENE, "--set",
             "bodies.position_scale=1.0625", "-o", "threads");
    const struct run *run = cli_with((MEDDLING, "THREADS_MATTER=1", "OMP_NUM_THREADS=2"), 3, SCENE,
                                     "--set", "bodies.position_scale=1.0625", "-o", "threads1");
    assert_says(run->err, "1 thread film bits frame 0 stage start");
    assert_false(cli_exists("threads1/plummer.json"));
    assert_false(cli_exists("threads1/plummer.objects"));
}

TEST(test_pictures_have_a_baseline)
{
    need_gl();
    cli(0, SCENE, "--format", "png", "-o", "files");
    cli(0, SCENE, "--format", "exr", "--name", "light", "-o", "files");
    cli(0, "check", "files");
}

/* Frames swapped on the way into the encoder: the film is at fault, not its pictures. */
TEST(test_frames_out_of_order)
{
    need_gl();
    const struct run *run = cli_with((MEDDLING, "FRAMES_SWAPPED=3"), 3, "check", "b", "--json",
                                     "order.json", "-o", "order");
    assert_says(run->out, "pictures packets frame 2 frames 3 film swapped");
    assert_lacks(run->out, "nan");
    struct report report;
    assert_ok(report_read_json(&report, cli_path("order.json")));
    const struct case_report *one = &report.cases[0];
    assert_int_equal(one->stage, JUDGED_PACKETS);
    assert_int_equal(one->stages[JUDGED_PACKETS].first_frame, 2);
    assert_int_equal(one->alignment[2].kind, STEP_SWAPPED);
    assert_int_equal(one->alignment[2].a, 3);
    assert_true(one->shown_count >= 2 && one->shown[0].frame == 2);
    assert_true(cli_exists("order/plummer/frame-000002-a.png") &&
                cli_exists("order/plummer/frame-000002-b.png") &&
                cli_exists("order/plummer/frame-000002-difference.png"));
    report_free(&report);
    /* A film of odd size is padded, and shown without the padding. */
    cli(0, "baseline", "plummer", "-n", "128", "--size", "95x53", "--frames", "6", "--crf", "4",
        "--pad", "-o", "odd");
    cli_with((MEDDLING, "FRAMES_SWAPPED=3"), 3, "check", "odd", "-o", "padded");
    cli(0, "compare", "padded/plummer/frame-000002-b.png", "padded/plummer/frame-000003-a.png",
        "--lossy");
}

/* ---- checking ---- */

TEST(test_nothing_has_changed)
{
    need_gl();
    char *before = cli_read("b/plummer.json");
    assert_passes("b");
    assert_false(cli_exists("b-report/plummer.json"));
    char *after = cli_read("b/plummer.json");
    assert_string_equal(before, after);
    free(before);
    free(after);
}

TEST(test_each_stage_is_named)
{
    need_gl();
    static const struct {
        const char *name, *option, *value;
        unsigned changed;
    } table[] = {
        {"seed", "--seed", "2", STAGE(START)},
        {"dt", "--set", "simulation.dt=0.02", STAGE(PHYSICS)},
        {"light", "--set", "look.radius=0.2", STAGE(LIGHT)},
        {"look", "--set", "look.exposure=3", STAGE(PICTURE)},
        {"crf", "--crf", "40", STAGE(PACKETS)},
    };
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        record_another(table[i].name, table[i].option, table[i].value);
        struct report report = check(table[i].name, 3);
        assert_changed(&report, table[i].changed);
        report_free(&report);
    }
}

/* Bits may differ on the same platform only if that is asked for; then limits decide. */
TEST(test_bits_by_limits)
{
    need_gl();
    record_another("glow", "--set", "look.glow=0.15001");
    assert_says(cli(3, "check", "glow")->out, "6 frames bits limits");
    assert_says(
        cli(0, "check", "glow", "--limit", "picture.bits=never", "--json", "glow.json")->out,
        "limits '7 of 7' stages");
    char *json = cli_read("glow.json");
    assert_says(json, "option");
    free(json);
    record_another("glows", "--set", "look.glow=0.5");
    cli(3, "check", "glows", "--limit", "picture.bits=never");
}

/* A changed start does not hide a changed motion: this program runs the baseline's own start. */
TEST(test_another_start_hides_no_physics)
{
    need_gl();
    record_another("start", "--seed", "2");
    struct report report = check("start", 3);
    const struct stage_report *physics = &report.cases[0].stages[JUDGED_PHYSICS];
    assert_changed(&report, STAGE(START));
    assert_int_equal(physics->verdict, VERDICT_SAME);
    assert_true(physics->substituted);
    assert_int_equal(physics->compared, 6);
    report_free(&report);
    record_another("start2", "--seed=2", "--set=simulation.dt=0.02");
    report = check("start2", 3);
    physics = &report.cases[0].stages[JUDGED_PHYSICS];
    assert_changed(&report, STAGE(START) | STAGE(PHYSICS));
    assert_true(physics->substituted);
    assert_int_equal(physics->first_frame, 1);
    assert_says(physics->sentence, "equations step");
    report_free(&report);
    /* A different number of bodies cannot be placed where the baseline's were. */
    record_another("start3", "-n", "100");
    report = check("start3", 3);
    assert_changed(&report, STAGE(START));
    assert_true(report.cases[0].stages[JUDGED_PHYSICS].follows);
    report_free(&report);
}

/* A processor without FMA starts galaxies with other last digits, which is not a change. Each film
 * of the scene makes a pilot run, which is reported once. */
TEST(test_another_processor)
{
    need_gl();
    const char *const looking = "pilot run through the film first";
    const char *first =
        strstr(cli(0, "baseline", "milky-way-andromeda", "-n", "128", "--size", "96x54", "--frames",
                   "6", "--set", "simulation.force=exact", "-o", "galaxies")
                   ->err,
               looking);
    assert_non_null(first);
    assert_lacks(first + 1, looking);
    cli(0, "check", "galaxies");
    assert_says(
        cli_with(("GLIBC_TUNABLES=glibc.cpu.hwcaps=-AVX2,-FMA"), 0, "check", "galaxies")->out,
        "'7 of 7' stages");
}

/* The scene's limits on the physics apply to every frame, even if the bits are the baseline's. */
TEST(test_what_the_scene_expects)
{
    need_gl();
    cli(0, SCENE, "--set", "expect.energy_drift=0.5", "-o", "expected");
    assert_passes("expected");
    /* the end is within the limits: a film is complete */
    cli(0, SCENE, "--set", "bodies.seed=2", "--set", "expect.virial_min=0.29", "-o", "unexpected");
    struct report report = check("unexpected", 3);
    const struct stage_report *physics = &report.cases[0].stages[JUDGED_PHYSICS];
    assert_changed(&report, STAGE(PHYSICS));
    assert_says(physics->sentence, "frame 0 virial ratio expect.virial_min");
    assert_says(report.cases[0].sentence, "expect.virial_min");
    report_free(&report);
    cli(0, "check", "unexpected", "--limit", "physics.expected=6");
    cli(3, "check", "unexpected", "--limit", "physics.expected=0");
}

/* The bodies of each panel are judged; a panel that moves differently is named. */
TEST(test_the_panel_that_differs_is_named)
{
    need_gl();
    cli(0, SCENE, "--set", "look.panels=[{}, {subset: 2, title: half}]", "-o", "panels");
    assert_passes("panels");
    record_another_than("panels", "panels2", "--set", "look.panels=[{}, {subset: 4, title: half}]");
    struct report report = check("panels2", 3);
    const struct stage_report *physics = &report.cases[0].stages[JUDGED_PHYSICS];
    assert_changed(&report, STAGE(PHYSICS));
    assert_says(physics->sentence, "panel 2 half equations step");
    report_free(&report);
}

/* A change of the physics hides neither a change of the picture nor of the encoding. */
TEST(test_changes_hide_no_others)
{
    need_gl();
    record_another("both2", "--set", "simulation.dt=0.02");
    struct baseline baseline;
    /* Pictures and states of another look beside the physics of another step. */
    record_another("crf2", "--crf", "40");
    assert_ok(baseline_read(&baseline, cli_path("crf2/plummer.json")));
    struct baseline physics;
    assert_ok(baseline_read(&physics, cli_path("both2/plummer.json")));
    for (int f = 0; f < 6; f++) {
        memcpy(baseline.record.frames[f].state, physics.record.frames[f].state, HASH_TEXT);
        memcpy(baseline.record.frames[f].bodies[0].sketch,
               physics.record.frames[f].bodies[0].sketch,
               sizeof physics.record.frames[f].bodies[0].sketch);
    }
    assert_ok(baseline_write(&baseline));
    baseline_free(&baseline);
    baseline_free(&physics);
    struct report report = check("crf2", 3);
    assert_changed(&report, STAGE(PHYSICS) | STAGE(PACKETS));
    assert_true(report.cases[0].stages[JUDGED_LIGHT].substituted);
    assert_true(report.cases[0].stages[JUDGED_PICTURE].substituted);
    assert_int_equal(report.cases[0].stages[JUDGED_PICTURE].verdict, VERDICT_SAME);
    assert_int_equal(report.cases[0].stages[JUDGED_PICTURE].compared, 3);
    report_free(&report);
}

TEST(test_pictures_to_look_at)
{
    need_gl();
    if (!cli_exists("look/plummer.json"))
        record_another("look", "--set", "look.exposure=3");
    struct report report = check("look", 3);
    const struct case_report *one = &report.cases[0];
    assert_in_range(one->shown_count, 1, 8);
    assert_true(one->clip.count == 6 && cli_exists(one->clip.path));
    for (uint32_t i = 0; i < one->shown_count; i++) {
        assert_true(one->shown[i].worst > 1 && isfinite(one->shown[i].worst));
        assert_true(one->shown[i].mark_count > 0);
        assert_true(cli_exists(one->shown[i].a));
        assert_true(cli_exists(one->shown[i].b));
        assert_true(cli_exists(one->shown[i].difference));
    }
    assert_says(one->reproduce, "gravreel plummer --set bodies.count=128");
    assert_contains(one->reproduce, "--at 'frame 0'");
    assert_string_equal(summary_reproduce(one), "frame now");
    assert_contains(one->accept, "--stage picture");
    report_free(&report);
    /* A page includes them without a folder; nothing is left beside it. */
    const char *temporary = cli_path("temporary");
    char setting[4200];
    snprintf(setting, sizeof setting, "TMPDIR=%s", temporary);
    assert_ok(file_make_folder(temporary));
    cli_with((setting), 3, "check", "look", "--html", "look.html", "--json", "look.json");
    char *html = cli_read("look.html"), *json = cli_read("look.json");
    assert_contains(html, "src=\"data:image/png");
    assert_contains(html, "src=\"data:video/mp4");
    assert_lacks(html, temporary);
    assert_lacks(json, temporary);
    assert_true(rmdir(temporary) == 0);
    free(html);
    free(json);
}

/* A is the baseline's picture, B that of the current scene. */
static void assert_shows_the_change(const struct case_report *one)
{
    assert_in_range(one->shown_count, 2, 8);
    assert_true(one->clip.count == 4 && cli_exists(one->clip.path));
    for (uint32_t i = 0; i < one->shown_count; i++) {
        const struct shown_frame *shown = &one->shown[i];
        size_t a_size, b_size;
        char *a, *b;
        assert_ok(file_read(cli_path(shown->a), 1 << 20, &a, &a_size));
        assert_ok(file_read(cli_path(shown->b), 1 << 20, &b, &b_size));
        assert_string_equal(shown->why, "the scene has changed");
        assert_true(cli_exists(shown->difference));
        assert_true(a_size != b_size || memcmp(a, b, a_size) != 0);
        free(a);
        free(b);
    }
}

/* Scenes that a film has left beside the scenes are left out. */
TEST(test_scenes_beside_films)
{
    need_gl();
    cli_write("one.yaml",
              "bodies: {model: plummer, count: 64}\noutput: {size: 96x54, frames: 2}\n");
    cli(0, "render", "one.yaml", "-o", "own.mp4", "--quiet");
    assert_says(cli(0, "baseline", "own.scene.yaml", "one.yaml", "-o", "left")->err,
                "own.scene.yaml own.mp4");
    assert_true(cli_exists("left/one.json") && !cli_exists("left/own.scene.json"));
    assert_says(cli(0, "render", "own.scene.yaml", "-o", "again.mp4")->err,
                "own.scene.yaml scene own.mp4");
    cli(0, "baseline", "own.scene.yaml", "-o", "left");
    assert_true(cli_exists("left/own.scene.json"));
    /* films without tags, and sequences */
    cli(0, "render", "one.yaml", "-o", "loop.gif", "--quiet");
    cli(0, "render", "one.yaml", "-o", "shot_%03d.png", "--quiet");
    cli(0, "render", "one.yaml", "-o", "%03d.png", "--quiet");
    const struct run *run = cli(0, "baseline", "loop.scene.yaml", "shot.scene.yaml", "scene.yaml",
                                "one.yaml", "-o", "left3");
    assert_says(run->err,
                "loop.scene.yaml loop.gif shot.scene.yaml shot_000.png scene.yaml 000.png");
    assert_true(cli_exists("left3/one.json") && !cli_exists("left3/scene.json") &&
                !cli_exists("left3/loop.scene.json") && !cli_exists("left3/shot.scene.json"));
    cli_write("loop.scene.yaml", "bodies: {model: plummer, count: 65}\n"
                                 "output: {size: 96x54, frames: 2}\n");
    cli(0, "baseline", "loop.scene.yaml", "one.yaml", "-o", "left4");
    assert_true(cli_exists("left4/loop.scene.json"));
    /* an edited copy is a scene of its own */
    cli_write("own.scene.yaml", "bodies: {model: plummer, count: 65}\n"
                                "output: {size: 96x54, frames: 2}\n");
    cli(0, "baseline", "own.scene.yaml", "one.yaml", "-o", "left2");
    assert_true(cli_exists("left2/own.scene.json"));
}

/* Every view of a changed scene says the same of each stage, with the same reason. */
static void assert_not_compared(const struct report *report)
{
    static const char reason[] = "not compared, because the scene has changed";
    const struct case_report *one = &report->cases[0];
    for (int s = JUDGED_SCENE + 1; s < JUDGED_COUNT; s++) {
        const struct stage_report *stage = &one->stages[s];
        assert_string_equal(verdict_name(stage->verdict), "not compared");
        assert_string_equal(stage->sentence, reason);
        assert_int_equal(stage->compared, 0);
        assert_int_equal(stage->finding_count, 0);
        assert_true(stage->planned > 0);
    }
    assert_int_equal(one->series_count, 0);
    assert_int_equal(one->alignment_count, 0);
}

TEST(test_views_of_a_changed_scene_agree)
{
    need_gl();
    cli_write("soft.yaml", "bodies: {model: plummer, count: 100}\n"
                           "simulation: {softening: 0.03}\n"
                           "output: {size: 96x54, frames: 4}\n");
    cli(0, "baseline", "soft.yaml", "-o", "soft");
    cli_write("soft.yaml", "bodies: {model: plummer, count: 100}\n"
                           "simulation: {softening: 0.3}\n"
                           "output: {size: 96x54, frames: 4}\n");
    const char *said = cli(3, "check", "soft/soft.json", "--json", "soft.r.json", "--junit",
                           "soft.xml", "--markdown", "soft.md", "--html", "soft.html")
                           ->out;
    struct report report;
    assert_ok(report_read_json(&report, cli_path("soft.r.json")));
    assert_not_compared(&report);
    char *xml = cli_read("soft.xml"), *table = cli_read("soft.md"), *page = cli_read("soft.html");
    for (int s = JUDGED_SCENE + 1; s < JUDGED_COUNT; s++) {
        char *bar = text_format("%s not compared", judged_name((enum judged)s)),
             *test = text_format("soft: %s", judged_name((enum judged)s));
        assert_contains(said, bar);
        const char *at = strstr(xml, test), *skipped = at ? strstr(at, "<skipped message=") : NULL;
        assert_true(skipped && skipped < strstr(at, "</testcase>"));
        assert_true(strncmp(skipped + strlen("<skipped message=\""),
                            report.cases[0].stages[s].sentence,
                            strlen(report.cases[0].stages[s].sentence)) == 0);
        free(bar);
        free(test);
    }
    assert_contains(table, "| ✗ | not compared | not compared | not compared | not compared | "
                           "not compared | not compared |");
    assert_contains(page, "\"verdict\": \"not compared\"");
    assert_lacks(page, "same bits in");
    /* plain words, and a command that helps */
    assert_contains(said,
                    "simulation.softening is 0.3, was 0.03; nothing else was compared; record "
                    "the baseline again if the change is meant; for information, 4 pictures");
    assert_contains(said, "nothing but the scene was compared");
    assert_contains(said, "record     gravreel baseline soft.yaml -o soft -y --because \"...\"\n");
    assert_lacks(said, "limit 0");
    assert_lacks(said, "run again");
    assert_lacks(said, "none of");
    free(xml);
    free(table);
    free(page);
    report_free(&report);
    cli(0, "baseline", "soft.yaml", "-o", "soft", "-y", "--because", "softer");
    assert_passes("soft");
    cli_fails(2,
              "soft.yaml 'is a scene and not a baseline' 'gravreel baseline soft.yaml -o FOLDER'",
              "check", "soft.yaml");
}

TEST(test_a_scene_that_has_changed)
{
    need_gl();
    assert_ok(file_make_folder(cli_path("scenes")));
    char *text = cli_read("b/plummer.json"); /* any scene will do */
    free(text);
    cli_write("scenes/s.yaml", "bodies: {model: plummer, count: 100}\n"
                               "output: {size: 96x54, frames: 4}\n");
    cli(0, "baseline", "scenes/s.yaml", "-o", "scenes/b");
    assert_passes("scenes/b");
    cli_write("scenes/s.yaml", "bodies: {model: plummer, count: 100}\n"
                               "output: {size: 96x54, frames: 4}\nlook: {exposure: 2}\n");
    struct report report = check("scenes/b", 3);
    assert_changed(&report, STAGE(SCENE));
    assert_says(report.cases[0].sentence, "exposure");
    assert_not_compared(&report);
    assert_shows_the_change(&report.cases[0]);
    report_free(&report);
    const char *said = cli(3, "check", "scenes/b", "-y", "--markdown", "scenes/b.md")->out;
    assert_says(said, "'nothing but the scene' CHANGED not compared "
                      "'physics not compared' 'picture not compared'");
    assert_lacks(said, " ok");
    char *table = cli_read("scenes/b.md");
    assert_lacks(table, "✓");
    free(table);
    assert_string_equal(cli(5, "check", "nothere")->out,
                        "not judged nothere: cannot read 'nothere': No such file or directory\n");
    cli(0, "baseline", "--accept", "scenes/b-report/report.json", "--stage", "scene", "--because",
        "brighter");
    assert_passes("scenes/b");
    /* pictures of two sizes have no difference, but can be viewed */
    cli_write("scenes/s.yaml", "bodies: {model: plummer, count: 100}\n"
                               "output: {size: 48x96, frames: 4}\nlook: {exposure: 2}\n");
    report = check("scenes/b", 3);
    assert_int_equal(report.cases[0].shown_count, 6);
    assert_true(cli_exists(report.cases[0].shown[0].a) && !report.cases[0].shown[0].b);
    assert_true(cli_exists(report.cases[0].shown[1].b) && !report.cases[0].shown[1].a);
    assert_null(report.cases[0].shown[1].difference);
    report_free(&report);
    /* a missing or invalid one is a file that cannot be read */
    cli_write("scenes/s.yaml", "bodies: {model: plumer}\n");
    cli_fails(5, "bodies.model opened", "check", "scenes/b");
    unlink(cli_path("scenes/s.yaml"));
    cli(5, "check", "scenes/b", "b");
    report = check("scenes/b", 5);
    assert_int_equal(report.cases[0].stages[JUDGED_SCENE].verdict, VERDICT_NOT_JUDGED);
    assert_int_equal(report.cases[0].stages[JUDGED_PICTURE].verdict, VERDICT_SAME);
    report_free(&report);
}

TEST(test_several_at_once)
{
    need_gl();
    if (!cli_exists("look/plummer.json"))
        record_another("look", "--set", "look.exposure=3");
    copy_baseline("several");
    assert_int_equal(rename(cli_path("several/plummer.json"), cli_path("several/one.json")), 0);
    assert_int_equal(rename(cli_path("several/plummer.objects"), cli_path("several/one.objects")),
                     0);
    const struct run *run =
        cli(3, "check", "several", "look", "--output", "several-report", "--junit", "several.xml",
            "--markdown", "several.md", "--html", "several.html");
    assert_says(run->err, "'1 of 2' baselines");
    struct report report;
    assert_ok(report_read_json(&report, cli_path("several-report/report.json")));
    assert_int_equal(report.case_count, 2);
    assert_string_equal(report.cases[0].name, "one");
    assert_int_equal(report.cases[0].verdict, VERDICT_SAME);
    assert_string_equal(report.cases[1].name, "plummer");
    assert_int_equal(report.cases[1].verdict, VERDICT_CHANGED);
    report_free(&report);
    assert_true(cli_exists("several.xml") && cli_exists("several.md") &&
                cli_exists("several.html"));
    copy_baseline("twin");
    cli_fails(2, "--output same name", "check", "look", "twin", "--output", "x");
}

/* ---- reports that are merged ---- */

static void assert_merged(const char *name, enum verdict look, enum verdict two)
{
    struct report report;
    char *json = text_format("%s/report.json", name);
    assert_ok(report_read_json(&report, cli_path(json)));
    assert_int_equal(report.case_count, 3);
    assert_string_equal(report.cases[0].name, "look/plummer");
    assert_int_equal(report.cases[0].verdict, look);
    assert_string_equal(report.cases[1].name, "one/plummer");
    assert_int_equal(report.cases[1].verdict, VERDICT_SAME);
    assert_string_equal(report.cases[2].name, "two/plummer");
    assert_int_equal(report.cases[2].verdict, two);
    if (two == VERDICT_NOT_JUDGED)
        assert_says(report.cases[2].sentence, "no report merge/two/plummer.json again");
    report_free(&report);
    free(json);
}

/* The report of all baselines, from checks of one each, is that of a single check. */
TEST(test_reports_are_merged)
{
    need_gl();
    copy_baseline("merge/one");
    copy_baseline("merge/two");
    record_another("merge/look", "--set", "look.exposure=3");
    cli(0, "check", "merge/one", "-o", "apart/one");
    cli(3, "check", "merge/look/plummer.json", "-o", "apart/two");
    const struct run *run = cli(3, "check", "merge", "--merge", "apart", "-o", "all");
    assert_says(run->err, "'2 of 3' baselines");
    assert_merged("all", VERDICT_CHANGED, VERDICT_NOT_JUDGED);
    cli(0, "check", "merge/two", "-o", "apart/three");
    run = cli(3, "check", "merge", "--merge", "apart/two/report.json", "--merge", "apart/one",
              "--merge", "apart/three", "-o", "all", "--junit", "all.xml", "--html", "all.html");
    assert_says(run->err, "'1 of 3' baselines");
    assert_says(run->out, "accept all/report.json --case look/plummer");
    assert_merged("all", VERDICT_CHANGED, VERDICT_SAME);
    char *junit = cli_read("all.xml");
    assert_contains(junit, "look-plummer: picture");
    assert_contains(junit, "one-plummer: picture");
    free(junit);
    /* The report that is written may lie in the folder whose reports are merged. */
    for (int again = 0; again < 2; again++)
        cli(3, "check", "merge", "--merge", "apart", "-o", "apart");
    assert_merged("apart", VERDICT_CHANGED, VERDICT_SAME);
    unlink(cli_path("apart/report.json"));
    /* What is accepted was judged by the text before. */
    cli_with(("GRAVREEL_TEST_UPDATE=1", "CI="), 0, "check", "merge", "--merge", "apart");
    cli_fails(3, "look/plummer changed since apart/two/report.json again", "check", "merge/look",
              "--merge", "apart/two", "--quiet");
    cli(0, "check", "merge/look", "-o", "apart/two");
    cli(0, "check", "merge", "--merge", "apart", "-o", "all");
    assert_merged("all", VERDICT_SAME, VERDICT_SAME);
}

TEST(test_reports_that_cannot_be_merged)
{
    need_gl();
    copy_baseline("unmerged");
    cli(0, "check", "unmerged", "-o", "un/one");
    cli(0, "check", "unmerged", "-o", "un/two");
    cli_fails(2, "un/one/report.json un/two/report.json both unmerged/plummer.json one of them",
              "check", "unmerged", "--merge", "un", "--json", "un.json");
    char *json = cli_read("un.json");
    assert_contains(json, "\"not judged\"");
    free(json);
    cli_fails(2, "un/one/report.json unmerged/plummer.json not given", "check", "b", "--merge",
              "un/one");
    cli_fails(5, "un/none", "check", "unmerged", "--merge", "un/none");
    cli_fails(2, "b/plummer.json not report", "check", "unmerged", "--merge", "b/plummer.json");
    cli_fails(2, "--merge --jobs leave it out", "check", "unmerged", "--merge", "un/one", "--jobs",
              "2");
    cli_fails(2, "un/one/report.json reports to merge --output", "check", "unmerged", "--merge",
              "un/one/report.json", "-o", "un/one");
    assert_true(cli_exists("un/one/report.json"));
    cli(0, "compare", "b/plummer.json", "unmerged/plummer.json", "--json", "compared.json");
    cli_fails(2, "compared.json compare check", "check", "unmerged", "--merge", "compared.json");
    char *text = cli_read("un/one/report.json"), *of = strstr(text, "gravreel ");
    assert_non_null(of);
    of[strlen("gravreel ")] = '9';
    cli_write("other.json", text);
    cli_fails(2, "other.json this is again", "check", "unmerged", "--merge", "other.json");
    text[strlen(text) / 2] = '\0';
    cli_write("cut.json", text);
    cli_fails(2, "cut.json not JSON", "check", "unmerged", "--merge", "cut.json");
    free(text);
}

/* A case that crashes fails with a message; the others are judged. */
TEST(test_a_case_that_crashes)
{
    need_gl();
    struct report report;
    copy_baseline("crash");
    copy_baseline("crash/more");
    assert_int_equal(rename(cli_path("crash/more/plummer.json"), cli_path("crash/one.json")), 0);
    assert_int_equal(rename(cli_path("crash/more/plummer.objects"), cli_path("crash/one.objects")),
                     0);
    const struct run *run = cli_with((MEDDLING, "CRASH_ON=crash/one.json"), 1, "check", "crash",
                                     "--json", "crash.json");
    assert_says(run->err, "check crash/one.json signal 11");
    assert_ok(report_read_json(&report, cli_path("crash.json")));
    assert_int_equal(report.case_count, 2);
    assert_int_equal(report.cases[0].verdict, VERDICT_NOT_JUDGED);
    assert_says(report.cases[0].sentence, "check crash/one.json signal 11");
    assert_string_equal(report.cases[1].name, "plummer");
    assert_int_equal(report.cases[1].verdict, VERDICT_SAME);
    assert_int_equal(report.verdict, VERDICT_NOT_JUDGED);
    report_free(&report);
}

/* Neither inputs nor outputs of a check are overwritten by mistake. */
TEST(test_reports_replace_nothing)
{
    need_gl();
    assert_ok(file_make_folder(cli_path("safe")));
    cli_write("safe.yaml", "bodies: {model: file, file: table.txt, count: 0}\n"
                           "output: {size: 96x54, frames: 2}\n");
    cli_write("table.txt", "1 0 0 0 0 0 0\n1 1 0 0 0 0 0\n1 0 1 0 0 0 0\n");
    cli_write("l.yaml", "picture.counted: {fail: 99, because: x, measured: 90, expires: "
                        "2999-01-01}\n");
    cli(0, "baseline", "safe.yaml", "-o", "safe");
    cli(0, "check", "safe");
    static const char *const kept[][2] = {
        {"safe/safe.json", "one of the baselines"},
        {"./safe/../safe/safe.json", "one of the baselines"},
        {"safe/safe.objects/new", "folder of a baseline's objects"},
        {"safe.yaml", "the scene of a baseline"},
        {"table.txt", "the table of bodies"},
        {"l.yaml", "the file of limits"},
    };
    static const char *const options[] = {"--json", "--html", "--junit", "--markdown"};
    for (size_t i = 0; i < sizeof kept / sizeof *kept; i++)
        for (size_t o = 0; o < sizeof options / sizeof *options; o++)
            cli_fails(2, kept[i][1], "check", "safe", "-y", "--limits", "l.yaml", options[o],
                      kept[i][0]);
    cli_fails(2, "twice", "check", "safe", "--json", "j", "--junit", "j");
    cli_fails(2, "--output", "check", "safe", "-o", "kept", "--html", "kept/report.json");
    cli_fails(2, "--output", "check", "safe", "-o", "kept", "--html", "kept/safe.json");
    assert_false(cli_exists("kept"));
    static const char *const mine[] = {"kept/report.json", "kept/safe.json"};
    assert_ok(file_make_folder(cli_path("kept")));
    for (size_t i = 0; i < sizeof mine / sizeof *mine; i++) {
        cli_write(mine[i], "{\"mine\": 1}");
        cli_fails(2, "check", "check", "safe", "-o", "kept", "-y");
        unlink(cli_path(mine[i]));
    }
    cli(0, "check", "safe", "-o", "kept");
    cli(0, "check", "safe", "-o", "kept"); /* what it has written itself is replaced */
    cli_write("j", "mine");
    cli_fails(2, "exists", "check", "safe", "--json", "j");
    cli(0, "check", "safe", "--json", "j", "-y");
    cli(0, "check", "safe");
    /* Another baseline is not replaced, even with -y. */
    char *text = cli_read("safe/safe.json");
    cli_write("other.json", text);
    for (size_t o = 0; o < sizeof options / sizeof *options; o++)
        cli_fails(2, "report", "check", "safe", options[o], "other.json", "-y");
    free(text);
    /* A baseline that is missing although its objects exist does not pass. */
    assert_int_equal(unlink(cli_path("safe/safe.json")), 0);
    cli_fails(5, "safe/safe.json", "check", "safe");
}

/* The next check would take a report in a folder of baselines for a baseline. */
TEST(test_a_report_lies_beside_its_baselines)
{
    need_gl();
    static const char *const folders[] = {"host", "./host/", "host/new/below", "host/..//host",
                                          "host/plummer.objects"};
    copy_baseline("host");
    for (size_t i = 0; i < sizeof folders / sizeof *folders; i++)
        cli_fails(2, "--output folder baseline", "check", "host", "-o", folders[i]);
    assert_false(cli_exists("host/report.json"));
    assert_false(cli_exists("host/new"));
    cli(0, "check", "host", "-o", "host-report");
    assert_passes("host");
}

/* ---- what cannot be compared ---- */

static void no_frames(struct baseline *baseline)
{
    baseline->record.count = 0;
}

TEST(test_nothing_compared_is_no_pass)
{
    need_gl();
    assert_ok(file_make_folder(cli_path("empty")));
    assert_says(cli(3, "check", "empty/")->out, "empty baseline");
    cli_fails(2, "no baseline given", "check");
    assert_says(cli(5, "check", "nowhere")->out, "nowhere");
    copy_baseline("hollow");
    edit("hollow", no_frames);
    assert_says(cli(3, "check", "hollow")->out, "no frames");
    const struct run *run = cli(3, "check", "hollow");
    assert_says(run->err, "plummer");
    assert_lacks(run->err, "no frames"); /* told once */
    run = cli(3, "check", "hollow", "--quiet");
    assert_says(run->err, "no frames");
    assert_string_equal(run->out, "");
}

/* A report of an earlier check that remains would be taken for this one's. */
static void assert_says_why(const char *why)
{
    static const char *const names[] = {"stale.json", "stale.xml", "stale.md", "stale.html"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        char *text = cli_read(names[i]);
        assert_contains(text, why);
        free(text);
        cli_write(names[i], "all pass");
    }
}

#define REPORTS                                                                                    \
    "-y", "--json", "stale.json", "--junit", "stale.xml", "--markdown", "stale.md", "--html",      \
        "stale.html"

TEST(test_no_report_stays_from_before)
{
    need_gl();
    struct report report;
    cli(0, "check", "b", REPORTS);
    assert_says_why("plummer");
    cli_fails(5, "nowhere.json", "check", "b", "nowhere.json", REPORTS);
    assert_ok(report_read_json(&report, cli_path("stale.json")));
    assert_int_equal(report.case_count, 2);
    assert_int_equal(report.cases[0].verdict, VERDICT_SAME);
    assert_string_equal(report.cases[1].name, "nowhere");
    assert_int_equal(report.cases[1].verdict, VERDICT_NOT_JUDGED);
    report_free(&report);
    assert_says_why("No such file");
    /* Errors found before anything is rendered. */
    cli(2, "check", REPORTS);
    assert_says_why("no baseline given");
    cli(2, "check", "b", "--device", "x", REPORTS);
    assert_says_why("--device");
    cli_with(("GRAVREEL_TEST_UPDATE=packet"), 2, "check", "b", REPORTS);
    assert_says_why("packets");
    /* A protected file is not touched, whatever else is wrong. */
    cli_write("stale.json", "{}");
    cli_write("stale.xml", "mine");
    cli(2, "check", "b", "--device", "x", "--limits", "stale.xml", REPORTS);
    cli(2, "check", "b", "--device", "x", "--junit", "stale.xml");
    char *kept = cli_read("stale.xml");
    assert_string_equal(kept, "mine");
    free(kept);
}

/* The folder of --output has its report whatever --json names. */
TEST(test_both_reports)
{
    need_gl();
    cli(0, "check", "b", "-o", "both", "--json", "both.json");
    char *kept = cli_read("both/report.json"), *given = cli_read("both.json");
    assert_string_equal(kept, given);
    free(kept);
    free(given);
    cli(5, "check", "nowhere.json", "-o", "both", "--json", "both/report.json", "-y");
    kept = cli_read("both/report.json");
    assert_says(kept, "No such file");
    free(kept);
}

TEST(test_baselines_in_folders)
{
    need_gl();
    copy_baseline("tree");
    copy_baseline("tree/below");
    copy_baseline("tree/.hidden");
    assert_int_equal(symlink(".", cli_path("tree/below/loop")), 0);
    record_another("tree/a/b", "--crf", "40");
    struct report report;
    cli(3, "check", "tree", "-o", "tree-report");
    assert_ok(report_read_json(&report, cli_path("tree-report/report.json")));
    assert_int_equal(report.case_count, 3);
    assert_string_equal(report.cases[0].name, "a/b/plummer");
    assert_string_equal(report.cases[0].candidate, "tree-report/a/b/plummer.json");
    assert_string_equal(report.cases[1].name, "below/plummer");
    assert_string_equal(report.cases[2].name, "plummer");
    report_free(&report);
    /* A check's own output below is not a baseline; after a move, the report still finds its
     * pictures. */
    assert_int_equal(rename(cli_path("tree-report"), cli_path("tree/report")), 0);
    const struct run *run = cli(3, "check", "tree");
    assert_says(run->err, "'1 of 3' baselines tree/report");
    cli(0, "baseline", "--accept", "tree/report/report.json", "--stage", "packets", "--because",
        "smaller");
    assert_says(cli(0, "check", "tree")->out, "3 cases");
}

static void replace_in(const char *name, const char *from, const char *to)
{
    char *text = cli_read(name), *at = strstr(text, from);
    assert_non_null(at);
    char *changed = text_format("%.*s%s%s", (int)(at - text), text, to, at + strlen(from));
    cli_write(name, changed);
    free(changed);
    free(text);
}

TEST(test_texts_that_were_touched)
{
    need_gl();
    copy_baseline("edited");
    replace_in("edited/plummer.json", "\"bodies\": 128", "\"bodies\": 129");
    cli_fails(5, "edited/plummer.json", "check", "edited");
    copy_baseline("cut");
    char *text = cli_read("cut/plummer.json");
    for (size_t length = strlen(text); length > 0; length /= 3) {
        text[length - 1] = '\0';
        cli_write("cut/plummer.json", text);
        cli(5, "check", "cut");
    }
    free(text);
    copy_baseline("newer");
    replace_in("newer/plummer.json", "\"gravreel_manifest\": 1", "\"gravreel_manifest\": 99");
    cli_fails(2, "99", "check", "newer");
    cli(0, "render", "plummer", "-n", "64", "--size", "96x54", "--frames", "2", "-o", "film.mp4",
        "--manifest", "film.json");
    cli_fails(2, "not a baseline", "check", "film.json");
    /* A baseline that cannot be read does not affect the others. */
    cli(2, "check", "newer", "b", "--json", "newer.json");
    struct report report;
    assert_ok(report_read_json(&report, cli_path("newer.json")));
    assert_int_equal(report.cases[0].verdict, VERDICT_NOT_JUDGED);
    assert_int_equal(report.cases[1].verdict, VERDICT_SAME);
    report_free(&report);
}

static void end_lines_as_windows(const char *name)
{
    char *text = cli_read(name), *longer = memory_new(2 * strlen(text) + 1, 1), *to = longer;
    for (const char *at = text; *at; at++) {
        if (*at == '\n')
            *to++ = '\r';
        *to++ = *at;
    }
    cli_write(name, longer);
    free(longer);
    free(text);
}

/* Texts, and records among the objects, as git writes them with core.autocrlf true. */
TEST(test_ends_of_lines)
{
    need_gl();
    struct baseline baseline;
    record_another("crlf", "--crf", "40");
    assert_ok(baseline_read(&baseline, cli_path("crlf/plummer.json")));
    char *encoding = text_format("crlf/plummer.objects/%s", baseline.encoding);
    end_lines_as_windows("crlf/plummer.json");
    end_lines_as_windows(encoding);
    struct report report = check("crlf", 3);
    assert_changed(&report, STAGE(PACKETS));
    assert_string_equal(report.cases[0].baseline_hash, baseline.hash);
    report_free(&report);
    cli(0, "baseline", "--accept", "crlf-report/report.json", "--stage", "packets", "--because",
        "smaller");
    assert_passes("crlf");
    end_lines_as_windows("crlf/plummer.json");
    replace_in("crlf/plummer.json", "\"bodies\": 128", "\"bodies\": 129");
    cli_fails(5, "crlf/plummer.json hand line", "check", "crlf");
    free(encoding);
    baseline_free(&baseline);
}

static void newer_format(struct baseline *baseline)
{
    (void)baseline;
}

static char *object_path(const char *name, const char *object)
{
    return text_format("%s/plummer.objects/%s", name, object);
}

TEST(test_objects_that_were_touched)
{
    need_gl();
    struct baseline baseline;
    copy_baseline("damaged");
    edit("damaged", newer_format);
    assert_ok(baseline_read(&baseline, cli_path("damaged/plummer.json")));
    char *path = object_path("damaged", baseline.pictures[2].object);
    char *content = cli_read(path);
    cli_write(path, "something else");
    cli_fails(5, "edited damaged", "check", "damaged");
    unlink(cli_path(path));
    assert_passes("damaged"); /* the text alone suffices */
    free(content);
    free(path);
    baseline_free(&baseline);

    /* Without the whole folder a change is still detected, with a message about what cannot be
     * shown. */
    record_another("bare", "--set", "simulation.dt=0.02");
    assert_int_equal(rename(cli_path("bare/plummer.objects"), cli_path("bare-objects")), 0);
    struct report report = check("bare", 3);
    assert_int_equal(report.cases[0].stage, JUDGED_PHYSICS);
    assert_int_equal(report.cases[0].stages[JUDGED_PICTURE].verdict, VERDICT_NOT_JUDGED);
    assert_says(report.cases[0].sentence, "missing");
    report_free(&report);
    /* There is also a message if nothing has changed. */
    copy_baseline("bare2");
    assert_int_equal(rename(cli_path("bare2/plummer.objects"), cli_path("bare2-objects")), 0);
    report = check("bare2", 0);
    assert_says(report.cases[0].sentence, "shown");
    report_free(&report);
}

static void outside(struct baseline *baseline)
{
    free(baseline->origin.scene);
    baseline->origin.scene = memory_text("/etc/passwd.yaml");
}

TEST(test_paths_stay_inside)
{
    need_gl();
    copy_baseline("outside");
    edit("outside", outside);
    cli_fails(5, "source path relative", "check", "outside");
    copy_baseline("format");
    struct baseline baseline;
    assert_ok(baseline_read(&baseline, cli_path("format/plummer.json")));
    free(baseline.record.output_format);
    baseline.record.output_format = memory_text("../../../x.mp4");
    assert_ok(baseline_write(&baseline));
    baseline_free(&baseline);
    cli(2, "check", "format");
}

/* ---- accepting ---- */

TEST(test_accepting)
{
    need_gl();
    record_another("acc", "--set", "look.exposure=3");
    struct report report = check("acc", 3);
    report_free(&report);
    char *before = cli_read("acc/plummer.json");
#define ACCEPT "baseline", "--accept", "acc-report/report.json"
    cli_fails(2, "--stage picture", ACCEPT, "--because", "x");
    cli_fails(2, "--because", ACCEPT, "--stage", "picture");
    cli_fails(2, "stage picture", ACCEPT, "--stage", "physics", "--because", "x");
    cli_fails(2, "pictures", ACCEPT, "--stage", "pictures", "--because", "x");
    cli_fails(2, "case", ACCEPT, "--stage", "picture", "--because", "x", "--case", "y");
    assert_says(cli_with(("CI=true"), 2, ACCEPT, "--stage", "picture", "--because", "x")->err,
                "CI");
    char *after = cli_read("acc/plummer.json");
    assert_string_equal(before, after);
    free(after);
    free(before);
    cli(0, ACCEPT, "--stage", "picture", "--because", "brighter", "--author", "Ada");
    /* As from an archive unpacked elsewhere. */
    assert_int_equal(rename(cli_path("acc-report"), cli_path("acc-old")), 0);
    assert_passes("acc");
    struct baseline baseline;
    assert_ok(baseline_read(&baseline, cli_path("acc/plummer.json")));
    assert_int_equal(baseline.history_count, 2);
    assert_string_equal(baseline.history[1].stages, "picture");
    assert_string_equal(baseline.history[1].because, "brighter");
    assert_string_equal(baseline.history[1].author, "Ada");
    assert_true(object_is_name(baseline.anchor));
    baseline_free(&baseline);
    /* The report refers to the baseline as it was. */
    cli_fails(2, "changed", "baseline", "--accept", "acc-old/report.json", "--stage", "picture",
              "--because", "x");
    report = check("acc", 0);
    assert_contains(report.cases[0].anchor, "1 change accepted");
    report_free(&report);
}

/* Another look and another camera, with the same bodies: the states stay, although the exposure
 * differs. */
TEST(test_a_look_keeps_the_bodies)
{
    need_gl();
    struct baseline baseline, before;
    cli_write("look.yaml", "bodies: {model: plummer, count: 100}\n"
                           "output: {size: 96x54, frames: 4}\n");
    cli(0, "baseline", "look.yaml", "-o", "keeps");
    cli_write("look.yaml", "bodies: {model: plummer, count: 100}\n"
                           "output: {size: 96x54, frames: 4}\n"
                           "look: {point_size: 9}\ncamera: {azimuth: 80}\n");
    assert_ok(baseline_read(&before, cli_path("keeps/look.json")));
    cli(3, "check", "keeps", "-o", "keeps-report");
    cli(0, "baseline", "--accept", "keeps-report/report.json", "--stage", "scene", "--because",
        "larger");
    assert_ok(baseline_read(&baseline, cli_path("keeps/look.json")));
    for (uint32_t i = 0; i < before.state_count; i++) {
        const struct stored *then = &before.states[i], *now = &baseline.states[i];
        assert_string_equal(then->object, now->object);
        assert_true(then->renderer[0] != now->renderer[0]);
    }
    baseline_free(&baseline);
    baseline_free(&before);
    cli(0, "check", "keeps");
}

TEST(test_accepting_what_was_not_shown)
{
    need_gl();
    record_another("swap", "--set", "look.exposure=3");
    struct report report = check("swap", 3);
    report_free(&report);
    char *before = cli_read("swap/plummer.json"), *candidate = cli_read("swap-report/plummer.json");
    /* A candidate other than the report's. */
    char *text = cli_read("b/plummer.json");
    cli_write("swap-report/plummer.json", text);
    cli_fails(2, "report", "baseline", "--accept", "swap-report/report.json", "--stage", "picture",
              "--because", "x");
    cli_write("swap-report/plummer.json", candidate);
    /* A folder that accepts no objects: nothing is replaced. */
    assert_int_equal(rename(cli_path("swap/plummer.objects"), cli_path("swap/aside")), 0);
    cli_write("swap/plummer.objects", "a file in its place");
    cli(5, "baseline", "--accept", "swap-report/report.json", "--stage", "picture", "--because",
        "x");
    char *after = cli_read("swap/plummer.json");
    assert_string_equal(before, after);
    free(after);
    free(text);
    free(candidate);
    free(before);
}

TEST(test_cases_that_pass_are_not_touched)
{
    need_gl();
    copy_baseline("pair");
    assert_int_equal(rename(cli_path("pair/plummer.json"), cli_path("pair/one.json")), 0);
    assert_int_equal(rename(cli_path("pair/plummer.objects"), cli_path("pair/one.objects")), 0);
    char *before = cli_read("pair/one.json");
    record_another("pair", "--set", "look.exposure=3");
    cli(3, "check", "pair", "--output", "pair-report");
    cli(0, "baseline", "--accept", "pair-report/report.json", "--stage", "picture", "--because",
        "x");
    char *after = cli_read("pair/one.json");
    assert_string_equal(before, after);
    cli(0, "check", "pair");
    free(before);
    free(after);
}

TEST(test_updates_by_the_environment)
{
    need_gl();
    record_another("env", "--crf", "40");
    char *before = cli_read("env/plummer.json");
    assert_says(cli_with(("CI=1", "GRAVREEL_TEST_UPDATE=1"), 2, "check", "env")->err, "CI");
    cli_with(("GRAVREEL_TEST_UPDATE=picture"), 2, "check", "env");
    char *after = cli_read("env/plummer.json");
    assert_string_equal(before, after);
    free(after);
    free(before);
    /* An unknown stage is reported before anything is rendered, even if all cases pass. */
    assert_says(cli_with(("GRAVREEL_TEST_UPDATE=packet"), 2, "check", "b")->err,
                "packet mean packets");
    const struct run *run = cli_with(
        ("GRAVREEL_TEST_UPDATE=packets", "GRAVREEL_TEST_BECAUSE=smaller"), 0, "check", "env");
    assert_says(run->err, "env/plummer.json packets");
    assert_lacks(run->err, "does not pass");
    assert_string_equal(run->out, "");
    struct baseline baseline;
    assert_ok(baseline_read(&baseline, cli_path("env/plummer.json")));
    assert_string_equal(baseline.history[1].because, "smaller");
    baseline_free(&baseline);
    assert_passes("env");
    record_another("env2", "--crf", "40");
    cli_with(("CI=1", "GRAVREEL_TEST_UPDATE=1"), 0, "check", "env2", "--in-ci");
    assert_passes("env2");
}

/* A baseline of format 2 that an older program has added a variant to. */
TEST(test_variants_are_no_longer_read)
{
    need_gl();
    struct baseline baseline;
    assert_ok(baseline_read(&baseline, cli_path("b/plummer.json")));
    const char *now = record_section(&baseline.record, "baseline"),
               *history = strstr(now, "\"history\"");
    assert_non_null(history);
    char *then = text_format("%.*s\"sees\": [], \"variants\": [{\"because\": \"x\"}], %s",
                             (int)(history - now), now, history);
    record_set_section(&baseline.record, "baseline", then);
    assert_ok(file_make_folder(cli_path("var")));
    assert_ok(record_write(&baseline.record, cli_path("var/plummer.json")));
    free(then);
    baseline_free(&baseline);
    assert_says(cli(0, "check", "var")->err, "variants no longer read baseline folders");
}

TESTS(set_up, cli_tear_down)
