/* Ranges of a film that start from checkpoints of other runs. */
#include "tests/support/test.h"

#include "base/file.h"
#include "base/hash.h"
#include "tests/support/programs/cli.h"

#include <fcntl.h>
#include <glob.h>
#include <stdlib.h>
#include <sys/file.h>
#include <unistd.h>

#define SCENE                                                                                      \
    "render", "-n", "300", "--size", "160x90", "--set", "output.frames=12", "--set",               \
        "output.segment=4"

static void hash_of(const char *name, char out[HASH_TEXT])
{
    struct hash_stream *stream = hash_open();
    assert_ok(hash_add_file(stream, cli_path(name), 0, NULL));
    hash_end(&stream, out);
}

/* The file with the exposure at a frame, of any look. Overwritten by the next call. */
static char *exposure(const char *folder, int frame)
{
    static char path[4096];
    char name[64];
    glob_t found;
    snprintf(name, sizeof name, "%s/exposure-*-%06d.json", folder, frame);
    assert_int_equal(glob(cli_path(name), 0, NULL, &found), 0);
    snprintf(path, sizeof path, "%s", found.gl_pathv[0]);
    globfree(&found);
    return path;
}

static void assert_same_picture(const char *folder, int frame)
{
    char name[64], a[HASH_TEXT], b[HASH_TEXT];
    snprintf(name, sizeof name, "whole/%02d.png", frame);
    hash_of(name, a);
    snprintf(name, sizeof name, "%s/%02d.png", folder, frame);
    hash_of(name, b);
    assert_string_equal(a, b);
}

TEST(ranges_begin_where_others_were)
{
    cli_need_gl();
    cli(0, SCENE, "-o", "whole/%02d.png");
    cli(0, SCENE, "--frames", "0..7", "--checkpoints", "points", "-o", "a/%02d.png");
    assert_true(cli_exists("points/checkpoint-000004.h5"));
    assert_false(cli_exists("points/checkpoint-000008.h5"));
    const struct run *run =
        cli(0, SCENE, "--frames", "9..11", "--checkpoints", "points", "-o", "b/%02d.png");
    assert_says(run->err, "frame 4");
    assert_true(cli_exists("points/checkpoint-000008.h5"));
    run = cli(0, SCENE, "--frames", "11..11", "--checkpoints", "points", "-o", "c/%02d.png");
    assert_says(run->err, "frame 9");
    for (int frame = 0; frame < 8; frame++)
        assert_same_picture("a", frame);
    for (int frame = 9; frame < 12; frame++)
        assert_same_picture("b", frame);
    assert_same_picture("c", 11);
}

/* Bodies keep their colours, even those computed from initial values. */
TEST(columns_colour_what_goes_on)
{
    cli_need_gl();
#define COLOURED SCENE, "--set", "look.color=quantity", "--set", "look.quantity=birth_radius"
    char whole[HASH_TEXT], part[HASH_TEXT], plain[HASH_TEXT];
    cli(0, COLOURED, "-o", "radius/%02d.png");
    cli(0, COLOURED, "--frames", "0..7", "--checkpoints", "radii", "-o", "first/%02d.png");
    assert_says(
        cli(0, COLOURED, "--frames", "9..11", "--checkpoints", "radii", "-o", "rest/%02d.png")->err,
        "frame 4");
    hash_of("radius/10.png", whole);
    hash_of("rest/10.png", part);
    hash_of("whole/10.png", plain);
    assert_string_equal(whole, part);
    assert_string_not_equal(whole, plain);
}

/* A trail includes frames before the checkpoint, and is the same in one run, in ranges and in a
 * still. */
TEST(trails_go_on_from_checkpoints)
{
    cli_need_gl();
    cli(0, SCENE, "--set", "look.trails=0.25", "-o", "traced/%02d.png");
    cli(0, SCENE, "--set", "look.trails=0.25", "--frames", "0..6", "--checkpoints", "traces", "-o",
        "i/%02d.png");
    const struct run *run = cli(0, SCENE, "--set", "look.trails=0.25", "--frames", "9..11",
                                "--checkpoints", "traces", "-o", "j/%02d.png");
    assert_says(run->err, "frame 4");
    char whole[HASH_TEXT], ranged[HASH_TEXT], plain[HASH_TEXT];
    for (int frame = 9; frame < 12; frame++) {
        char name[64];
        snprintf(name, sizeof name, "traced/%02d.png", frame);
        hash_of(name, whole);
        snprintf(name, sizeof name, "j/%02d.png", frame);
        hash_of(name, ranged);
        assert_string_equal(whole, ranged);
        snprintf(name, sizeof name, "whole/%02d.png", frame);
        hash_of(name, plain);
        assert_string_not_equal(whole, plain);
    }
    cli(0, "still", "-n", "300", "--size", "160x90", "--set", "output.frames=12", "--set",
        "output.segment=4", "--set", "look.trails=0.25", "--at", "frame 10", "--as-film",
        "--metadata", "none", "-o", "still.png");
    cli(0, "compare", "still.png", "traced/10.png");
    run = cli(2, SCENE, "plummer", "-n", "20000", "--set", "look.trails=0.25", "-o", "k/%02d.png");
    assert_says(run->err, "look.trails 16384 bodies 20000");
}

TEST(damaged_and_foreign_checkpoints)
{
    cli_need_gl();
    cli_write("points/checkpoint-000009.h5", "no checkpoint");
    const struct run *run =
        cli(0, SCENE, "--frames", "10..10", "--checkpoints", "points", "-o", "d/%02d.png");
    assert_says(run->err, "checkpoint-000009.h5 frame 8");
    assert_same_picture("d", 10);
    run = cli(2, SCENE, "--seed", "2", "--frames", "5..6", "--checkpoints", "points", "-o",
              "e/%02d.png");
    assert_says(run->err, "move otherwise");
}

/* The exposure lies beside each checkpoint; a run needs both. */
TEST(an_exposure_that_adapts_continues)
{
    cli_need_gl();
#define ADAPTING SCENE, "--set", "look.exposure=adapt", "--checkpoints"
    cli(0, ADAPTING, "whole", "-o", "adapt-h/%02d.png");
    cli(0, ADAPTING, "part", "--frames", "5..6", "-o", "adapt-f/%02d.png");
    const struct run *run = cli(0, ADAPTING, "part", "--frames", "8..11", "-o", "adapt-f/%02d.png");
    assert_says(run->err, "simulation starts frame 5 part");
    run = cli(0, ADAPTING, "part", "--frames", "8..9", "-o", "adapt-g/%02d.png");
    assert_says(run->err, "simulation starts frame 8 part");
    for (int frame = 5; frame < 12; frame += frame == 6 ? 2 : 1) {
        char whole[HASH_TEXT], own[HASH_TEXT], name[32];
        snprintf(name, sizeof name, "adapt-h/%02d.png", frame);
        hash_of(name, whole);
        snprintf(name, sizeof name, "adapt-f/%02d.png", frame);
        hash_of(name, own);
        assert_string_equal(whole, own);
    }
    assert_ok(file_write(exposure("part", 8), "no exposure", 11));
    run = cli(0, ADAPTING, "part", "--frames", "9..9", "-o", "adapt-i/%02d.png");
    assert_says(run->err, "exposure- 000008.json checksum earlier");
    assert_says(run->err, "simulation starts frame 5 part");
    assert_int_equal(unlink(exposure("part", 5)), 0);
    assert_int_equal(unlink(exposure("part", 4)), 0);
    run = cli(0, ADAPTING, "part", "--frames", "7..7", "-o", "adapt-j/%02d.png");
    assert_lacks(run->err, "simulation starts");
    run = cli(2, ADAPTING, "part", "--seed", "2", "--frames", "5..6", "-o", "adapt-k/%02d.png");
    assert_says(run->err, "move otherwise");
}

/* Ranges with other titles start from each other's checkpoints, and join into one film. */
TEST(a_title_may_change_from_range_to_range)
{
    cli_need_gl();
#define TITLED SCENE, "--set", "overlay.title=true", "--checkpoints", "titles", "--set"
    cli(0, TITLED, "output.title=One", "--frames", "0..5", "-o", "one.mp4");
    const struct run *run =
        cli(0, TITLED, "output.title=Two", "--frames", "6..11", "-o", "two.mp4");
    assert_says(run->err, "simulation starts frame 4 titles");
    assert_says(cli(0, "join", "one.mp4", "two.mp4", "-o", "both.mp4")->err,
                "look different output.title One Two");
    cli(0, "verify", "both.mp4");
    assert_says(cli(0, "info", "both.mp4")->out, "title One");
    cli(0, SCENE, "--seed", "2", "--frames", "6..11", "-o", "seed.mp4");
    assert_says(cli(2, "join", "one.mp4", "seed.mp4", "-o", "no.mp4")->err,
                "scenes differ bodies.seed");
    run = cli(2, TITLED, "output.title=One", "--seed", "2", "--frames", "0..1", "-o", "no.mp4");
    assert_says(run->err, "move otherwise");
    /* a panel that does not move otherwise, and one that does */
    cli(0, TITLED, "look.panels=[{title: a}, {title: b}]", "--frames", "6..6", "-o", "p.%02d.png");
    run = cli(2, TITLED, "look.panels=[{title: a}, {force: exact}]", "--frames", "6..6", "-o",
              "q.%02d.png");
    assert_says(run->err, "move otherwise");
}

/* Files of killed runs are removed, those in use and those of other programs stay. */
TEST(unfinished_checkpoints_go)
{
    cli_need_gl();
    static const char held[] = "left/checkpoint-000004.h5.a-b-77.gravreel.part";
    static const char *const gone[] = {"left/checkpoint-000004.h5.a-b-78.gravreel.part",
                                       "left/checkpoint-000008.h5.-9.gravreel.part",
                                       "left/checkpoint-1000008.h5.host-9",
                                       "left/plan-0123456789abcdef.json.host-9",
                                       "left/exposure-0123456789abcdef-000004.json.host-9"};
    static const char *const kept[] = {"left/checkpoint-000004.h5.mine",
                                       "left/checkpoint-000004.h5.gravreel.part",
                                       "left/checkpoint-000004.h5.a-1.part",
                                       "left/checkpoint-4.h5.a-1",
                                       "left/plan-0123.json.host-9",
                                       "left/mine-1.gravreel.part",
                                       "left/checkpoint-000004.h5.a-1.gravreel.part.h5"};
    assert_ok(file_make_folder(cli_path("left")));
    for (size_t i = 0; i < sizeof gone / sizeof *gone; i++)
        cli_write(gone[i], "half");
    for (size_t i = 0; i < sizeof kept / sizeof *kept; i++)
        cli_write(kept[i], "half");
    cli_write(held, "half");
    const int lock = open(cli_path(held), O_RDWR | O_CLOEXEC);
    assert_true(lock >= 0 && flock(lock, LOCK_EX) == 0);
    const struct run *run =
        cli(0, SCENE, "--frames", "0..5", "--checkpoints", "left", "-o", "h/%02d.png");
    assert_says(run->err, "checkpoint-000004.h5.a-b-78.gravreel.part killed run");
    for (size_t i = 0; i < sizeof gone / sizeof *gone; i++)
        assert_false(cli_exists(gone[i]));
    for (size_t i = 0; i < sizeof kept / sizeof *kept; i++)
        assert_true(cli_exists(kept[i]));
    assert_true(cli_exists(held) && cli_exists("left/checkpoint-000004.h5"));
    close(lock);
}

TEST(pictures_that_are_not_kept_leave_none)
{
    cli_need_gl();
    const struct run *run =
        cli(0, SCENE, "--frames", "0..7", "--checkpoints", "none", "--format", "null", "-o", "-");
    assert_says(run->err, "checkpoint none");
    assert_false(file_exists(cli_path("none")));
}

TESTS(cli_set_up, cli_tear_down)
