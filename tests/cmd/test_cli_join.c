/* Ranges of a film, rendered separately and joined by the program. */
#include "tests/support/test.h"

#include "base/file.h"
#include "render/reader/stream.h"
#include "tests/support/programs/cli.h"
#include "tests/support/films/segments.h"
#include "tests/support/films/sink_fixture.h"

#include <sys/stat.h>

enum { FRAMES = 12 };

#define SCENE                                                                                      \
    "render", "plummer", "-n", "300", "--size", "160x90", "--set", "output.frames=12", "--set",    \
        "output.segment=4", "--set", "look.fade_in=0", "--set", "look.fade_out=0"
#define LOSSLESS SCENE, "--codec", "ffv1"

static bool have_gl;

static int set_up(void **state)
{
    if (cli_set_up(state) != 0)
        return -1;
    have_gl = cli_has_gl();
    if (!have_gl)
        return 0;
    cli(0, LOSSLESS, "-o", "whole.mkv");
    cli(0, LOSSLESS, "--frames", "0..4", "-o", "a.mkv");
    cli(0, LOSSLESS, "--frames", "5..10", "-o", "b.mkv");
    cli(0, LOSSLESS, "--frames", "11..11", "-o", "c.mkv");
    return 0;
}

static void need_gl(void)
{
    if (!have_gl)
        outcome_skip(MISSING_GL, "see above");
}

static void assert_same_pictures(const char *a, const char *b)
{
    uint64_t x[FRAMES], y[FRAMES];
    double times[2][FRAMES];
    assert_int_equal(segments_decode(cli_path(a), x, times[0], FRAMES), FRAMES);
    assert_int_equal(segments_decode(cli_path(b), y, times[1], FRAMES), FRAMES);
    for (int n = 0; n < FRAMES; n++) {
        assert_true(x[n] == y[n]);
        assert_true(n == 0 || x[n] != x[n - 1]);
        assert_true(times[0][n] == times[1][n]);
    }
}

static void assert_same_tags(const char *a, const char *b)
{
    struct film_info x, y;
    assert_ok(film_info_read(cli_path(a), &x));
    assert_ok(film_info_read(cli_path(b), &y));
    assert_int_equal(x.tags.count, y.tags.count);
    assert_true(x.tags.count > 8);
    for (size_t i = 0; i < x.tags.count; i++) {
        assert_string_equal(x.tags.list[i].name, y.tags.list[i].name);
        assert_string_equal(x.tags.list[i].value, y.tags.list[i].value);
    }
    film_info_free(&x);
    film_info_free(&y);
}

TEST(segments_make_the_film_of_one_run)
{
    need_gl();
    const char *told = cli(0, "join", "-o", "joined.mkv", "c.mkv", "a.mkv", "b.mkv")->err;
    assert_contains(told, "joined.mkv: 12 frames, 160x90");
    assert_says(told, "3 segments");
    assert_same_pictures("joined.mkv", "whole.mkv");
    assert_same_tags("joined.mkv", "whole.mkv");
    assert_contains(cli(0, "info", "joined.mkv")->out, "gravreel_frames: 0..11 of 12");
    assert_contains(cli(0, "info", "b.mkv")->out, "gravreel_frames: 5..10 of 12");
    assert_contains(cli(0, "info", "b.mkv")->out, "gravreel_scene_hash: ");

    assert_string_equal(
        cli(0, "join", "--decode", "--quiet", "-o", "bc.mkv", "c.mkv", "b.mkv")->err, "");
    assert_contains(cli(0, "info", "bc.mkv")->out, "gravreel_frames: 5..11 of 12");
    told = cli(0, "join", "-o", "again.mkv", "bc.mkv", "a.mkv")->err; /* segments of segments */
    assert_true(fixture_same_files(cli_path("joined.mkv"), cli_path("again.mkv")));
    assert_says(cli(0, "join", "-yo", "bc.mkv", "b.mkv", "c.mkv")->err, "5..11 12");
}

#define CAPTIONED                                                                                  \
    SCENE, "--captions", "track", "--set", "overlay.captions=[{text: a, from: 0.1, to: 0.3}]"

/* Ranges that begin at segments join at the encoder's own seams, also within a caption. */
TEST(ranges_of_whole_segments_give_the_same_bytes)
{
    need_gl();
    static const char *const codecs_[][2] = {{"h264", "mp4"}, {"hevc", "mov"}, {"vp9", "webm"}};
    for (size_t i = 0; i < 3; i++) {
        char names[4][32];
        for (int n = 0; n < 4; n++)
            snprintf(names[n], sizeof names[n], "%s-%d.%s", codecs_[i][0], n, codecs_[i][1]);
        const char *codec = codecs_[i][0];
        cli(0, CAPTIONED, "--codec", codec, "-o", names[0]);
        cli(0, CAPTIONED, "--codec", codec, "--frames", "8..11", "-o", names[1]);
        cli(0, CAPTIONED, "--codec", codec, "--frames", "0..7", "-o", names[2]);
        cli(0, "join", "-o", names[3], names[1], names[2]);
        assert_same_pictures(names[0], names[3]);
        assert_same_tags(names[0], names[3]);
        if (!fixture_same_files(cli_path(names[0]), cli_path(names[3])))
            fail_msg("%s is not %s", names[3], names[0]);
    }
}

/* The joined film is the film made at once, to the last byte. */
TEST(manifests_are_joined)
{
    need_gl();
    cli(0, SCENE, "-o", "one.mp4", "--manifest", "one.json");
    cli(0, SCENE, "--frames", "8..11", "-o", "m2.mp4", "--manifest", "m2.json");
    cli(0, SCENE, "--frames", "0..7", "-o", "m1.mp4", "--manifest", "m1.json");
    cli(0, "join", "-o", "m.mp4", "m2.mp4", "m1.mp4", "--manifest", "m.json");
    assert_true(fixture_same_files(cli_path("one.mp4"), cli_path("m.mp4")));
    assert_true(fixture_same_files(cli_path("one.json"), cli_path("m.json")));
    cli(0, "verify", "m.mp4", "--manifest", "m.json");
#define JOIN "join", "-o", "no.mp4", "m1.mp4", "m2.mp4", "--manifest"
    cli_fails(2, "m.json", JOIN, "m.json");
    cli_fails(2, "--manifest manifest segment", JOIN, "m2.json", "-y");
    cli_fails(2, "--manifest film", JOIN, "no.mp4");
    char *text = cli_read("m1.json");
    cli_write("m2.json", text);
    cli_fails(2, "frame 8 m2.json 0", JOIN, "no.json");
    cli_write("m2.json", "{}");
    cli(5, JOIN, "no.json");
    assert_int_equal(unlink(cli_path("m2.json")), 0);
    cli_fails(2, "--manifest manifest m2.json", JOIN, "no.json");
    assert_false(cli_exists("no.mp4") || cli_exists("no.json"));
    free(text);
}

TEST(targets)
{
    need_gl();
    cli_write("old.mkv", "old");
    cli_fails(2, "-y", "join", "-o", "old.mkv", "a.mkv");
    cli(0, "join", "-y", "-o", "old.mkv", "a.mkv", "b.mkv");
    cli_fails(2, "another name", "join", "-y", "-o", "a.mkv", "a.mkv", "b.mkv");
    assert_true(cli_exists("a.mkv"));
    cli_fails(2, ".mkv segments mkv", "join", "-o", "x.mp4", "a.mkv", "b.mkv");
    cli_fails(2, "file", "join", "-o", "-", "a.mkv");
    cli_fails(2, "no output given", "join", "a.mkv");
    cli_fails(2, "no segments given", "join", "-o", "x.mkv");
    cli_fails(2, "--output", "join", "--outputs", "x.mkv", "a.mkv");
    assert_false(cli_exists("x.mkv"));
    assert_false(cli_exists("x.mkv.part"));
    assert_contains(cli(0, "join", "--help")->out, "SEGMENT...");
    assert_contains(cli(0, "--help")->out, "join");
}

TEST(segments_that_do_not_meet)
{
    need_gl();
    cli_fails(2, "--frames frames 5 10 a.mkv c.mkv missing", "join", "-o", "x.mkv", "c.mkv",
              "a.mkv");
    cli_fails(2, "frames 0 4 a.mkv", "join", "-o", "x.mkv", "a.mkv", "b.mkv", "a.mkv");
    cli_fails(2, "frames 5 10", "join", "-o", "x.mkv", "whole.mkv", "b.mkv");
    assert_false(cli_exists("x.mkv"));
}

TEST(segments_of_different_films)
{
    need_gl();
    cli(0, LOSSLESS, "--frames", "5..11", "--set", "look.bloom=0.25", "-o", "bloom.mkv");
    const char *told = cli(0, "join", "-o", "bloom-later.mkv", "a.mkv", "bloom.mkv")->err;
    assert_says(told, "warning a.mkv bloom.mkv look different look.bloom 0.25");
    cli(0, LOSSLESS, "--frames", "5..11", "--set", "simulation.dt=0.011", "-o", "slow.mkv");
    cli_fails(2, "scenes differ simulation.dt 0.011", "join", "-o", "x.mkv", "a.mkv", "slow.mkv");
    cli(0, SCENE, "--frames", "5..11", "--codec", "h264", "-o", "other.mkv");
    cli_fails(2, "codec differs ffv1", "join", "-o", "x.mkv", "a.mkv", "other.mkv");
    assert_false(cli_exists("x.mkv"));
}

TEST(what_is_no_segment)
{
    need_gl();
    cli_fails(5, "nowhere.mkv", "join", "-o", "x.mkv", "a.mkv", "nowhere.mkv");
    cli_write("text.mkv", "only words, and not many");
    cli_fails(2, "text.mkv", "join", "-o", "x.mkv", "a.mkv", "text.mkv");
    assert_int_equal(mkdir(cli_path("pictures"), 0777), 0);
    cli_fails(2, "joining", "join", "-o", "x.mkv", "pictures");
    cli_fails(2, "joining", "join", "-o", "x.mkv", "pictures/000.png");
    struct sink_params params = fixture_params(cli_path("foreign.mkv"));
    assert_ok(fixture_film(&params, 3, fixture_draw));
    cli_fails(2, "frames", "join", "-o", "x.mkv", "foreign.mkv");
    cli(0, SCENE, "--frames", "0..2", "-o", "raw.y4m");
    cli_fails(2, "frames", "join", "-o", "x.mkv", "raw.y4m");

    char *text;
    size_t size;
    assert_ok(file_read(cli_path("b.mkv"), (size_t)1 << 24, &text, &size));
    assert_ok(file_write(cli_path("cut.mkv"), text, size * 3 / 4));
    free(text);
    cli_fails(2, "cut.mkv", "join", "-o", "x.mkv", "a.mkv", "cut.mkv", "c.mkv");
    assert_false(cli_exists("x.mkv"));
    assert_false(cli_exists("x.mkv.part"));
}

TESTS(set_up, cli_tear_down)
