#include "tests/support/test.h"

#include "base/file.h"
#include "render/picture/png_pdf.h"
#include "tests/support/films/sink_fixture.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <string.h>

static enum status try_open(struct sink_params params)
{
    struct sink *sink;
    enum status status = sink_open(&params, &sink);
    if (status == STATUS_OK)
        sink->ops->close(&sink, false, NULL, NULL);
    return status;
}

TEST(chooses_by_extension_and_format)
{
    static const struct {
        const char *path, *format;
        const struct sink_ops *ops;
    } cases[] = {
        {"a.mp4", "", &sink_video},     {"a.MP4", "", &sink_video},
        {"x.y/a.mkv", "", &sink_video}, {"a.mov", "", &sink_video},
        {"a.webm", "", &sink_video},    {"a.y4m", "", &sink_video},
        {"-", "", &sink_video},         {"f/%06d.png", "", &sink_pictures},
        {"a.hash", "", &sink_hash},     {"a", "null", &sink_null},
        {"a.mp4", "hash", &sink_hash},  {"-", "hash", &sink_hash},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct sink_params params = fixture_params(cases[i].path);
        params.format = cases[i].format;
        const struct sink_ops *ops;
        assert_ok(sink_choose(&params, &ops));
        assert_ptr_equal(ops, cases[i].ops);
    }
}

/* Each format of each sink chooses that sink, and no other has it. */
TEST(formats_are_unambiguous)
{
    const struct sink_ops *ops, *chosen = NULL;
    for (size_t i = 0; (ops = choice_at(&sink_registry, i)); i++) {
        const struct choice *format;
        struct sink_params params = fixture_params("a");
        params.format = ops->name;
        for (size_t f = 0; ops->formats && (format = choice_at(ops->formats, f)); f++) {
            params.format = format->name;
            assert_ok(sink_choose(&params, &chosen));
            assert_ptr_equal(chosen, ops);
        }
        if (!ops->formats)
            assert_ok(sink_choose(&params, &chosen));
        assert_ptr_equal(chosen, ops);
    }
}

TEST(lists_what_is_understood)
{
    const struct sink_ops *ops;
    struct sink_params params = fixture_params("a.avi");
    assert_fails(sink_choose(&params, &ops), STATUS_USAGE, "mp4 mkv mov webm y4m gif webp png");
    params.path = "folder.mp4/film";
    assert_fails(sink_choose(&params, &ops), STATUS_USAGE, "extension");
    params.path = "a.null";
    assert_fails(sink_choose(&params, &ops), STATUS_USAGE, "a.null");
    params.format = "bmp";
    assert_fails(sink_choose(&params, &ops), STATUS_USAGE, "bmp");
}

TEST(refuses_impossible_pictures)
{
    char *folder = *state;
    struct sink_params params = fixture_params(fixture_path(folder, "a.mp4"));
    params.width = 127;
    assert_fails(try_open(params), STATUS_USAGE, "128x96");
    params.format = "null";
    assert_fails(try_open(params), STATUS_USAGE, "128x96");
    params.format = "";
    assert_fails(try_open(params), STATUS_USAGE, "--pad");
    params.output.chroma = fixture_chroma(444);
    assert_ok(try_open(params));
    params.width = 0;
    assert_fails(try_open(params), STATUS_USAGE, "0x96");
    params = fixture_params(fixture_path(folder, "a.mp4"));
    params.fps_den = 0;
    assert_fails(try_open(params), STATUS_USAGE, "30/0 frames");
    params.fps_den = 1;
    params.fps_num = 0;
    assert_fails(try_open(params), STATUS_USAGE, "0/1 frames");
    params.fps_num = UINT32_MAX;
    assert_fails(try_open(params), STATUS_USAGE, "frames per second");
    params.fps_num = 30;
    params.output.threads = 0;
    assert_fails(try_open(params), STATUS_USAGE, "0 threads");
    assert_int_equal(fixture_count_files(folder), 0);
}

TEST(refuses_unfit_codecs)
{
    char *folder = *state;
    struct sink_params params = fixture_params(fixture_path(folder, "a.webm"));
    params.output.codec = fixture_codec("h264");
    assert_fails(try_open(params), STATUS_USAGE, "--codec mp4 mkv mov");
    params.path = fixture_path(folder, "a.mp4");
    params.output.codec = fixture_codec("h264");
    params.output.preset = "fastest";
    assert_fails(try_open(params), STATUS_USAGE, "ultrafast superfast");
    params.output.preset = "fast faster";
    assert_fails(try_open(params), STATUS_USAGE, "preset");
    params.output.preset = "";
    params.output.crf = 52;
    assert_fails(try_open(params), STATUS_USAGE, "crf 52 range");
    params.output.codec = fixture_codec("h264-lossless");
    params.output.crf = 10;
    assert_fails(try_open(params), STATUS_USAGE, "quality setting");
    params.output.codec = fixture_codec("ffv1");
    params.path = fixture_path(folder, "a.mkv");
    params.output.crf = -1;
    params.output.preset = "slow";
    assert_fails(try_open(params), STATUS_USAGE, "presets");
    assert_int_equal(fixture_count_files(folder), 0);
}

TEST(refuses_places_that_cannot_be_written)
{
    char *folder = *state;
    static const char *const names[] = {"x.mp4", "x.mkv", "x.y4m", "x.hash", "%d.png"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        char path[64];
        snprintf(path, sizeof path, "/dev/null/%s", names[i]);
        assert_fails(try_open(fixture_params(path)), STATUS_IO, "/dev/null");
    }
    assert_fails(try_open(fixture_params("/proc/none/x.mp4")), STATUS_IO, "/proc/none");
    struct sink_params params = fixture_params(folder);
    params.format = "mp4";
    assert_fails(try_open(params), STATUS_USAGE, "folder");
    params.path = "-";
    assert_fails(try_open(params), STATUS_USAGE, "mkv y4m");
    params.path = "/dev/full";
    assert_fails(try_open(params), STATUS_USAGE, "mkv y4m");
    params.path = "-";
    params.format = "png";
    assert_fails(try_open(params), STATUS_USAGE, "place frame number");
}

TEST(plans_without_touching_a_file)
{
    static const char *const names[] = {"x/a.mp4", "x/a.webm", "x/a.y4m", "x/a.hash", "x/%d.png"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        struct sink_params params = fixture_params(fixture_path(*state, names[i]));
        struct sink_plan plan;
        struct sink *sink;
        assert_ok(sink_make_plan(&params, &plan));
        assert_false(file_exists(fixture_path(*state, "x")));
        assert_ok(sink_open(&params, &sink));
        assert_int_equal(plan.format, sink->format);
        assert_string_equal(plan.description, sink->description);
        assert_ok(sink->ops->close(&sink, false, NULL, NULL));
        assert_int_equal(rmdir(fixture_path(*state, "x")), 0);
    }
    struct sink_params params = fixture_params(fixture_path(*state, "a.mp4"));
    struct sink_plan plan;
    params.output.preset = "fastest";
    assert_fails(sink_make_plan(&params, &plan), STATUS_USAGE, "preset fastest");
    params.path = fixture_path(*state, "a.png");
    assert_fails(sink_make_plan(&params, &plan), STATUS_USAGE, "place frame number");
}

TEST(refuses_a_terminal)
{
    int controller = posix_openpt(O_RDWR | O_NOCTTY);
    if (controller < 0 || grantpt(controller) != 0 || unlockpt(controller) != 0)
        outcome_skip(MISSING_TERMINAL, strerror(errno));
    fflush(stdout);
    int terminal = open(ptsname(controller), O_RDWR | O_NOCTTY), kept = dup(STDOUT_FILENO);
    assert_true(terminal >= 0 && kept >= 0);
    dup2(terminal, STDOUT_FILENO);
    enum status status = try_open(fixture_params("-"));
    dup2(kept, STDOUT_FILENO);
    close(kept);
    close(terminal);
    close(controller);
    assert_int_equal(status, STATUS_USAGE);
    assert_says(status_text(), "terminal");
}

TEST(expands_names)
{
    static const struct {
        const char *path;
        uint64_t frame;
        const char *name;
    } cases[] = {
        {"f/%06d.png", 42, "f/000042.png"},
        {"%d.png", 42, "42.png"},
        {"f/%03d.png", 12345, "f/12345.png"},
        {"f/a####b.png", 7, "f/a0007b.png"},
        {"#.png", 10, "10.png"},
        {"a#b/%02d.png", 3, "a#b/03.png"},
        {"take#2_%04d.png", 3, "take#2_0003.png"},
        {"100%%/%d%%.png", 5, "100%/5%.png"},
        {"%%d##.png", 5, "%d05.png"},
        {"f/%+1001:04d.png", 3, "f/1004.png"},
        {"%+7:d.png", 0, "7.png"},
        {"%020d.png", UINT64_MAX, "18446744073709551615.png"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char name[64];
        assert_ok(png_name(cases[i].path, cases[i].frame, name, sizeof name));
        assert_string_equal(name, cases[i].name);
    }
}

TEST(rejects_names)
{
    static const char *const bad[] = {
        "a.png",
        "%s.png",
        "%n.png",
        "%6d.png",
        "%06u.png",
        "%-6d.png",
        "%.3d.png",
        "%ld.png",
        "%*d.png",
        "%+:d.png",
        "%+5d.png",
        "%d_%d.png",
        "##_##.png",
        "%021d.png",
        "%0d.png",
        "%",
        "f%d/x.png",
        "####/x.png",
        "%%d.png",
        "",
        "%099999999999999999999d.png",
        "#####################.png",
    };
    char name[64];
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        memset(name, 'x', sizeof name);
        if (png_name(bad[i], 1, name, sizeof name) != STATUS_USAGE)
            fail_msg("'%s' was accepted", bad[i]);
        assert_true(status_text()[0]);
    }
    for (size_t size = 0; size < sizeof "f/000042.png"; size++)
        assert_fails(png_name("f/%06d.png", 42, name, size), STATUS_USAGE, "too long");
    assert_ok(png_name("f/%06d.png", 42, name, sizeof "f/000042.png"));
}

static int make_folder(void **state)
{
    *state = fixture_folder();
    return 0;
}

static int remove_folder(void **state)
{
    fixture_remove_folder(*state);
    return 0;
}

TESTS_EACH(make_folder, remove_folder)
