/* Films and pictures made by the whole program, read again by an independent decoder. */
#include "tests/support/test.h"

#include "base/file.h"
#include "base/memory.h"
#include "tests/support/programs/cli.h"
#include "tests/support/films/decode.h"
#include "tests/support/films/sink_fixture.h"

#include <fcntl.h>
#include <math.h>
#include <pthread.h>
#include <string.h>
#include <sys/stat.h>

enum { WIDTH = 160, HEIGHT = 90, FRAMES = 12 };

/* Twelve frames with both fades would be dark. */
#define LIT   "--set", "look.fade_in=0", "--set", "look.fade_out=0", "--set", "overlay.card=0"
#define SMALL "render", "plummer", "-n", "300", "--size", "160x90", "--frames", "12", LIT

/* A film's content, by its decoded luma. */
struct watched {
    struct decoded film;
    int brightest;
    int changes;             /* frames that differ from the one before */
    double rgb[3], coloured; /* mean of the pixels that are neither dark nor white */
};

static void look_at_frame(struct watched *watched, uint32_t *before)
{
    uint32_t hash = 2166136261u;
    const struct decoded *film = &watched->film;
    int scale = 1 << (film->depth - 8);
    for (int y = 0; y < film->height; y++) {
        for (int x = 0; x < film->width; x++) {
            int luma = decode_sample(film, 0, x, y) / scale;
            hash = (hash ^ (uint32_t)luma) * 16777619u;
            watched->brightest = luma > watched->brightest ? luma : watched->brightest;
            double rgb[3];
            decode_rgb(film, x, y, rgb);
            double most = fmax(rgb[0], fmax(rgb[1], rgb[2]));
            if (most < 0.3 || most > 0.7)
                continue;
            watched->coloured++;
            for (int c = 0; c < 3; c++)
                watched->rgb[c] += rgb[c];
        }
    }
    watched->changes += hash != *before;
    *before = hash;
}

static struct watched watch(const char *name)
{
    struct watched watched = {0};
    uint32_t before = 0;
    assert_true(decode_open(&watched.film, cli_path(name)));
    while (decode_next(&watched.film))
        look_at_frame(&watched, &before);
    for (int c = 0; c < 3; c++)
        watched.rgb[c] /= fmax(watched.coloured, 1);
    return watched;
}

static void check_film(const char *name, const char *codec, double duration)
{
    struct watched watched = watch(name);
    const struct decoded *film = &watched.film;
    assert_int_equal(film->frames, FRAMES);
    assert_int_equal(film->width, WIDTH);
    assert_int_equal(film->height, HEIGHT);
    assert_string_equal(film->codec, codec);
    assert_int_equal(film->rate_num, 30 * film->rate_den);
    if (duration > 0)
        assert_true(fabs(film->duration - duration) < 0.02);
    assert_true(fabs(film->time - (FRAMES - 1) / 30.0) < 0.002);
    assert_true(watched.brightest > 100);
    assert_int_equal(watched.changes, FRAMES);
    decode_close(&watched.film);
}

static void check_tags(const char *name)
{
    struct watched watched = watch(name);
    const struct decoded *film = &watched.film;
    assert_int_equal(film->frame_primaries, 1);
    assert_int_equal(film->frame_transfer, 1);
    assert_int_equal(film->frame_matrix, 1);
    assert_true(film->frame_limited_range);
    decode_close(&watched.film);
}

TEST(containers)
{
    cli_need_gl();
    static const struct {
        const char *name, *codec, *chosen;
        bool duration, tagged;
    } films[] = {
        {"film.mp4", "h264", "auto", true, true},
        {"film.mov", "h264", "auto", true, true},
        {"film.mkv", "h264", "auto", true, true},
        {"film.webm", "vp9", "auto", true, true},
        {"film.y4m", "rawvideo", "auto", false, false},
        {"lossless.mkv", "ffv1", "ffv1", true, true},
        {"deep/er/film.MP4", "hevc", "hevc", true, true},
    };
    for (size_t i = 0; i < sizeof films / sizeof films[0]; i++) {
        const struct run *run = cli(0, SMALL, "-o", films[i].name, "--codec", films[i].chosen);
        assert_says(run->err, films[i].name);
        assert_says(run->err, "12 frames 160x90 interactions/s slowest energy");
        assert_int_equal(run->out_size, 0);
        check_film(films[i].name, films[i].codec, films[i].duration ? FRAMES / 30.0 : 0);
        if (films[i].tagged)
            check_tags(films[i].name);
    }
    assert_true(cli_exists("film.scene.yaml"));
    /* Fast start: the index precedes the pictures. */
    char *text;
    size_t size;
    assert_ok(file_read(cli_path("film.mp4"), (size_t)1 << 24, &text, &size));
    const char *index = memmem(text, size, "moov", 4), *pictures = memmem(text, size, "mdat", 4);
    assert_true(index && pictures && index < pictures);
    free(text);
    assert_int_equal(fixture_count_files(cli_path("deep/er")), 2);
}

/* One galaxy in one colour, as decoded by a viewer's decoder. */
TEST(a_known_colour_comes_back)
{
    cli_need_gl();
#define PLUMMER "render", "plummer", "-n", "400", "--size", "160x90", "--frames", "4"
    cli(0, PLUMMER, "--codec", "ffv1", "-o", "tint.mkv", "--set", "look.color=galaxy", "--set",
        "look.saturation=1", "--set", "look.point_size=60");
    struct watched watched = watch("tint.mkv");
    assert_true(watched.coloured > 200);
    /* The first galaxy's 0.35, 0.60, 1.00 as displayed. */
    if (fabs(watched.rgb[0] / watched.rgb[2] - 0.35) > 0.05 ||
        fabs(watched.rgb[1] / watched.rgb[2] - 0.60) > 0.05)
        fail_msg("found %.3f %.3f %.3f", watched.rgb[0], watched.rgb[1], watched.rgb[2]);
    decode_close(&watched.film);
    cli(0, PLUMMER, "-o", "white.mp4", "--crf", "10", "--set", "look.color=constant", "--set",
        "look.point_size=60");
    watched = watch("white.mp4");
    assert_true(watched.coloured > 200);
    for (int c = 0; c < 3; c++)
        assert_true(fabs(watched.rgb[c] / watched.rgb[1] - 1) < 0.03);
    decode_close(&watched.film);
}

static void check_png(const char *name)
{
    char *text;
    size_t size;
    assert_ok(file_read(cli_path(name), (size_t)1 << 24, &text, &size));
    static const unsigned char head[] = {0x89, 'P', 'N', 'G',   '\r', '\n', 0x1a, '\n',
                                         0,    0,   0,   13,    'I',  'H',  'D',  'R',
                                         0,    0,   0,   WIDTH, 0,    0,    0,    HEIGHT};
    assert_true(size > 500);
    assert_memory_equal(text, head, sizeof head);
    assert_memory_equal(text + size - 8, "IEND", 4);
    free(text);
}

TEST(ranges_are_parts_of_the_film)
{
    cli_need_gl();
    cli(0, SMALL, "-o", "all/%04d.png");
    assert_int_equal(fixture_count_files(cli_path("all")), FRAMES + 1);
    for (int f = 0; f < FRAMES; f++) {
        char name[32];
        snprintf(name, sizeof name, "all/%04d.png", f);
        check_png(name);
    }
#define PART "render", "plummer", "-n", "300", "--size", "160x90", "--set", "output.frames=12", LIT
    cli(0, PART, "--frames", "3..6", "-o", "part/####.png");
    assert_int_equal(fixture_count_files(cli_path("part")), 5);
    cli(0, PART, "--frames=9..", "-o", "part/####.png"); /* beside the first part */
    assert_int_equal(fixture_count_files(cli_path("part")), 8);
    static const int parts[] = {3, 4, 5, 6, 9, 10, 11};
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++) {
        char name[32];
        snprintf(name, sizeof name, "all/%04d.png", parts[i]);
        const char *whole = cli_path(name);
        snprintf(name, sizeof name, "part/%04d.png", parts[i]);
        assert_true(fixture_same_files(whole, cli_path(name)));
    }
    assert_true(fixture_same_files(cli_path("all/scene.yaml"), cli_path("part/scene.yaml")));
    cli(0, PART, "--frames", "..2", "-o", "first.hash");
    cli(0, SMALL, "-o", "all.hash");
    char *all = cli_read("all.hash"), *first = cli_read("first.hash");
    const char *sum = strstr(first, "all "); /* the last line, of everything together */
    assert_non_null(sum);
    assert_memory_equal(all, first, (size_t)(sum - first));
    int lines = 0;
    for (const char *at = all; (at = strchr(at, '\n')); at++)
        lines++;
    assert_int_equal(lines, FRAMES + 1);
    free(all);
    free(first);
    cli(0, SMALL, "-o", "deep.%d.png", "--set", "output.png_bits=16", "-y");
    check_png("deep.11.png");
    int files = fixture_count_files(cli_folder);
    cli(0, SMALL, "-o", "nothing", "--format", "null");
    assert_int_equal(fixture_count_files(cli_folder), files);
}

struct drain {
    int from;
    const char *to;
};

static void *drain(void *argument)
{
    const struct drain *pipe = argument;
    FILE *file = fopen(pipe->to, "wb");
    char buffer[4096];
    ssize_t got;
    while (file && (got = read(pipe->from, buffer, sizeof buffer)) > 0)
        if (fwrite(buffer, 1, (size_t)got, file) != (size_t)got)
            break;
    return file && fclose(file) == 0 ? argument : NULL;
}

TEST(streams)
{
    cli_need_gl();
    static const char *const words[][20] = {{SMALL, "-o", "-"},
                                            {SMALL, "-o", "-", "--format", "y4m"}};
    static const char *const names[] = {"piped.mkv", "piped.y4m"};
    for (int i = 0; i < 2; i++) {
        int ends[2];
        assert_int_equal(pipe2(ends, O_CLOEXEC), 0);
        const struct run_options options = {.folder = cli_folder, .output = ends[1]};
        struct drain pipe = {ends[0], cli_path(names[i])};
        struct run_process process;
        struct run run;
        pthread_t reader;
        run_start(&process, &options, words[i]);
        close(ends[1]);
        assert_int_equal(pthread_create(&reader, NULL, drain, &pipe), 0);
        run_finish(&process, &run);
        void *read_all;
        pthread_join(reader, &read_all);
        close(ends[0]);
        assert_non_null(read_all);
        if (run.code != 0)
            fail_msg("%s", run.err);
        assert_says(run.err, "12 frames");
        run_free(&run);
        check_film(names[i], i ? "rawvideo" : "h264", 0);
    }
    /* To a file through the shell: the same pictures as without a pipe. */
    const struct run *run = cli(0, SMALL, "-o", "-", "--format", "y4m");
    FILE *file = fopen(cli_path("caught.y4m"), "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(run->out, 1, run->out_size, file), run->out_size);
    assert_int_equal(fclose(file), 0);
    assert_true(fixture_same_files(cli_path("caught.y4m"), cli_path("piped.y4m")));
    assert_false(cli_exists("-"));
}

TEST(all_options_at_once)
{
    cli_need_gl();
    cli_write("three.tab", "1 -1 0 0 0 0.3 0\n1 1 0 0 0 -0.3 0\n0.5 0 3 0 0.6 0 0\n");
    cli_write("film.dat", "old");
    const struct run *run =
        cli(0, "render", "--progress", "steps.txt", "--bodies-from=three.tab", "-vy", "--frames",
            "2..5", "--fps", "24000/1001", "--size=128x72", "--codec", "h264", "--crf", "30",
            "--preset", "ultrafast", "--backend", "cpu", "--device", "0", "--seed", "7", "--set",
            "output.frames=6", "plummer", "--set", "look.point_size=90", "--save-scene",
            "kept.yaml", "--log-level", "debug", "--format", "mp4", "-n", "2", "-ofilm.dat");
    assert_says(run->err, "2 bodies ultrafast crf 30");
    cli_fails(4, "CUDA device 1022 doctor", "render", "plummer", "-n", "2", "--draw-device", "1022",
              "-o", "elsewhere.mp4");
    cli_fails(2, "--draw-device number 'x'", "render", "plummer", "--draw-device", "x", "-o",
              "elsewhere.mp4");
    struct watched watched = watch("film.dat");
    assert_int_equal(watched.film.frames, 4);
    assert_int_equal(watched.film.width, 128);
    assert_int_equal(watched.film.rate_num * 1001, watched.film.rate_den * 24000);
    assert_true(watched.brightest > 60);
    decode_close(&watched.film);
    char *kept = cli_read("kept.yaml");
    static const char *const lines[] = {"seed: 7\n",     "crf: 30\n",        "preset: ultrafast\n",
                                        "frames: 6\n",   "point_size: 90\n", "size: 128x72\n",
                                        "codec: h264\n", "count: 2\n",       "model: file\n"};
    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++)
        assert_contains(kept, lines[i]);
    assert_contains(kept, "24000/1001");
    char *beside = cli_read("film.dat.scene.yaml"); /* film.scene.yaml belongs to film.mp4 */
    assert_string_equal(kept, beside);
    free(kept);
    free(beside);
    char *steps = cli_read("steps.txt");
    assert_contains(steps, "frame=4\nframes=4\n");
    assert_contains(steps, "progress=end\n");
    free(steps);
}

TEST(few_bodies)
{
    cli_need_gl();
    static const char *const counts[] = {"1", "2", "3", "17"};
    static const char *const scenes[] = {"milky-way-andromeda", "plummer"};
    for (size_t i = 0; i < 8; i++) {
        cli(0, "render", scenes[i / 4], "-n", counts[i % 4], "--size", "64x36", "--frames", "3",
            "-y", "-o", "few.hash");
        char *text = cli_read("few.hash");
        /* Something is drawn and moves, except for a lone body at rest that is seen from all sides.
         */
        assert_true(strlen(text) > 60);
        free(text);
    }
    cli_write("one.tab", "1 0 0 0 0 0 0");
    cli(0, "render", "plummer", "--bodies-from", "one.tab", "--size", "64x36", "--frames", "3",
        "-o", "one.mkv");
    struct watched watched = watch("one.mkv");
    assert_int_equal(watched.film.frames, 3);
    assert_true(watched.brightest > 60);
    decode_close(&watched.film);
}

static void copy_tag(const struct decoded *film, const char *key, char *out, size_t size)
{
    const char *value = decode_tag(film, key);
    assert_non_null(value);
    snprintf(out, size, "%s", value);
}

TEST(films_say_how_they_were_made)
{
    cli_need_gl();
    static const char *const seeds[] = {"1", "1", "2"};
    char first[3][40], last[3][40], text[128];
    setenv("SOURCE_DATE_EPOCH", "1000000000", 1);
    for (int i = 0; i < 3; i++) {
        cli(0, SMALL, "-y", "-o", "said.mp4", "--metadata", "full", "--seed", seeds[i], "--size",
            "161x91", "--pad", "--bits", "10", "--codec-option", "x264-params=ref=2",
            "--codec-option", "me=umh");
        struct watched watched = watch("said.mp4");
        const struct decoded *film = &watched.film;
        assert_int_equal(film->width, 162);
        assert_int_equal(film->height, 92);
        assert_string_equal(film->profile, "High 10");
        copy_tag(film, "gravreel_first_state", first[i], sizeof first[i]);
        copy_tag(film, "gravreel_last_state", last[i], sizeof last[i]);
        copy_tag(film, "gravreel_encoder", text, sizeof text);
        assert_string_equal(text, "libx264 medium crf 23, yuv420p10, 8 threads, padded to 162x92");
        copy_tag(film, "gravreel_libraries", text, sizeof text);
        assert_contains(text, "libavcodec");
        copy_tag(film, "gravreel_seed", text, sizeof text);
        assert_string_equal(text, seeds[i]);
        copy_tag(film, "creation_time", text, sizeof text);
        assert_contains(text, "2001-09-09T01:46:40");
        decode_close(&watched.film);
        char *bytes;
        size_t size;
        assert_ok(file_read(cli_path("said.mp4"), (size_t)1 << 24, &bytes, &size));
        assert_non_null(memmem(bytes, size, "me=umh", 6));
        assert_non_null(memmem(bytes, size, "ref=2", 5));
        free(bytes);
    }
    unsetenv("SOURCE_DATE_EPOCH");
    assert_string_equal(first[0], first[1]);
    assert_string_equal(last[0], last[1]);
    assert_string_not_equal(first[0], last[0]);
    assert_string_not_equal(first[0], first[2]);
    assert_int_equal(strlen(last[0]), 32);
}

/* Scenes are made for hundreds of frames, with moments that a film of two never reaches. */
TEST(every_scene_makes_a_short_film)
{
    int made = 0;
    char *scenes = memory_text(cli(0, "scenes")->out), *rest = scenes;
    for (char *line = strtok_r(rest, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest)) {
        line[strcspn(line, " ")] = 0;
        if (strcmp(line, "dubinski") == 0 || strcmp(line, "gadget-collision") == 0)
            continue; /* of files */
        (void)cli(0, "render", line, "-n", "60", "--size", "160x90", "--frames", "2", "--format",
                  "null", "-o", "null");
        made++;
    }
    free(scenes);
    assert_true(made >= 13);
}

TESTS(cli_set_up, cli_tear_down)
