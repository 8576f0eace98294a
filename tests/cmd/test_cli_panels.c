/* Panels, stereo pairs, spheres and tiles as a user requests them. */
#include "tests/support/test.h"

#include "tests/support/programs/cli.h"

#include <png.h>
#include <string.h>

#define FILM                                                                                       \
    "plummer", "-n", "300", "--size", "160x90", "--set", "output.frames=12", "--set",              \
        "simulation.steps_per_frame=16", "--set", "look.exposure=8", "--set", "camera.distance=5"

enum { W = 160, H = 90, EYE = 80 };

struct pixels {
    png_image head;
    uint8_t *data; /* RGB, rows from the top */
};

/* The caller frees its data. */
static struct pixels read_png(const char *name)
{
    struct pixels pixels = {.head = {.version = PNG_IMAGE_VERSION}};
    assert_true(png_image_begin_read_from_file(&pixels.head, cli_path(name)));
    pixels.head.format = PNG_FORMAT_RGB;
    pixels.data = malloc(PNG_IMAGE_SIZE(pixels.head));
    assert_non_null(pixels.data);
    assert_true(png_image_finish_read(&pixels.head, NULL, pixels.data, 0, NULL));
    return pixels;
}

/* Samples of two rectangles that differ by more than the dither. */
static int differing(const char *a, uint32_t a_left, const char *b, uint32_t b_left)
{
    struct pixels one = read_png(a), other = read_png(b);
    int count = 0;
    assert_int_equal(one.head.width, W);
    assert_int_equal(other.head.width, W);
    for (uint32_t y = 0; y < H; y++)
        for (uint32_t i = 0; i < 3 * EYE; i++)
            count += abs(one.data[y * 3 * W + 3 * a_left + i] -
                         other.data[y * 3 * W + 3 * b_left + i]) > 2;
    free(one.data);
    free(other.data);
    return count;
}

/* The first panel does not depend on others with other physics; those diverge from it. */
TEST(panels_run_their_own_physics)
{
    cli_need_gl();
    cli(0, "render", FILM, "--set", "look.panels=[{}, {}]", "-o", "alike/%02d.png");
    const struct run *run =
        cli(0, "render", FILM, "--set", "look.panels=[{}, {subset: 16}]", "-o", "apart/%02d.png");
    assert_says(run->err, "panels 1/16 sources turn");
    assert_int_equal(differing("alike/11.png", 0, "alike/11.png", W - EYE), 0);
    assert_int_equal(differing("alike/11.png", 0, "apart/11.png", 0), 0);
    assert_int_equal(differing("apart/00.png", 0, "apart/00.png", W - EYE), 0);
    assert_true(differing("apart/11.png", 0, "apart/11.png", W - EYE) > 200);
    cli(0, "render", FILM, "--set", "look.panels=[{}, {softening: 0.5}]", "-o", "soft/%02d.png");
    assert_int_equal(differing("soft/11.png", 0, "alike/11.png", 0), 0);
    assert_int_equal(differing("soft/00.png", 0, "soft/00.png", W - EYE), 0);
    assert_true(differing("soft/11.png", 0, "soft/11.png", W - EYE) > 200);
    cli_fails(2, "unknown key seed bodies.seed film keys title", "still", FILM, "--at", "0", "-o",
              "x.png", "--set", "look.panels=[{}, {seed: 2}]");
    cli_fails(2, "look.panels[2].force_error 0 1e-05", "still", FILM, "--at", "0", "-o", "x.png",
              "--set", "look.panels=[{}, {force_error: 1e-9}]");
    /* A range of the film, and a still of it, are the film's. */
    cli(0, "render", FILM, "--set", "look.panels=[{}, {subset: 16}]", "-o", "part/%02d.png",
        "--frames", "9..9");
    assert_int_equal(differing("part/09.png", W - EYE, "apart/09.png", W - EYE), 0);
    cli(0, "still", FILM, "--set", "look.panels=[{}, {subset: 16}]", "-o", "still.png", "--at",
        "frame 9");
    assert_int_equal(differing("still.png", W - EYE, "apart/09.png", W - EYE), 0);
    /* Panels with the same physics share one simulation, including the first panel's. */
    run = cli(0, "render", FILM, "--dry-run", "--set",
              "look.panels=[{subset: 16}, {subset: 16, color: speed}, {subset: 16, force: auto}]");
    assert_lacks(run->out, "panels");
    assert_says(run->out, "1/16 sources turn");
}

/* Samples of the right half that are clearly redder than blue. */
static int reddish(const char *name)
{
    struct pixels pixels = read_png(name);
    int count = 0;
    for (uint32_t y = 0; y < H; y++)
        for (uint32_t x = EYE; x < W; x++)
            count += pixels.data[3 * (y * W + x)] > pixels.data[3 * (y * W + x) + 2] + 20;
    free(pixels.data);
    return count;
}

/* The map plasma begins blue and ends yellow. */
TEST(a_difference_grows_on_screen)
{
    cli_need_gl();
    cli(0, "render", FILM, "--set", "look.panels=[{}, {subset: 16, difference: true}]", "-o",
        "grows/%02d.png");
    assert_int_equal(reddish("grows/00.png"), 0);
    assert_true(reddish("grows/11.png") > 100);
}

/* Frames of a range are bit for bit those of the film, with every simulation. */
TEST(ranges_have_all_panels)
{
    cli_need_gl();
#define PANELS "--set", "look.panels=[{}, {force: exact, subset: 4}]"
    cli(0, "render", FILM, PANELS, "-o", "whole.hash");
    cli(0, "render", FILM, PANELS, "--frames", "8..11", "-o", "last.hash");
    char *whole = cli_read("whole.hash"), *last = cli_read("last.hash");
    int frames = 0;
    for (char *line = strtok(last, "\n"); line; line = strtok(NULL, "\n")) {
        if (strncmp(line, "all", 3) == 0)
            continue;
        assert_contains(whole, line);
        frames++;
    }
    assert_int_equal(frames, 4);
    free(whole);
    free(last);
}

TEST(what_panels_cannot_be)
{
    static const struct {
        const char *panels, *says;
    } cases[] = {
        {"[{title: a}]", "--set look.panels panel alone compares list 2 4"},
        {"[{difference: true}, {}]", "look.panels[1].difference panel"},
        {"[{}, {difference: true}]", "look.panels[2].difference physics"},
        {"[{}, {subset: 1, difference: true}]", "look.panels[2].difference physics"},
        {"[{}, {color: spedd}]", "look.panels[2].color colour mode spedd speed"},
        {"[{mode: sprite}, {}]", "look.panels[1].mode draw mode sprite"},
        {"[{}, {}, {map: plasm}]", "look.panels[3].map colour map plasm"},
        {"[{}, {force: slow}]", "look.panels[2].force force slow fast"},
        {"[{}, {subset: 3}]", "look.panels[2].subset number 0 1 2 4 8"},
        {"[{}, {zoom: 0}]", "look.panels[2].zoom number 0"},
        {"[{}, {}, {}, {}, {}]", "look.panels list 4 entries"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char setting[128];
        snprintf(setting, sizeof setting, "look.panels=%s", cases[i].panels);
        const struct run *run = cli(2, "still", FILM, "--set", setting, "-o", "x.png", "--at", "0");
        assert_says(run->err, cases[i].says);
    }
    cli_write("film.yaml", "look:\n  panels:\n    - title: a\n    - title: b\n      color: c\n");
    cli_fails(2, "film.yaml:5 look.panels[2].color colour mode c", "still", "film.yaml", "-o",
              "x.png", "--at", "0");
    assert_false(cli_exists("x.png"));
}

TEST(what_does_not_go_together)
{
    cli_need_gl();
    const struct run *run = cli(2, "still", FILM, "--set", "look.panels=[{}, {}]", "--set",
                                "camera.projection=over-under", "-o", "x.png", "--at", "0");
    assert_says(run->err, "camera.projection");
    run = cli(2, "still", FILM, "--set", "camera.projection=equirect", "-o", "x.png", "--at", "0");
    assert_says(run->err, "160x90 --size 180x90");
    assert_false(cli_exists("x.png"));
}

/* Differences of adjacent columns, summed over rows and channels. */
static int step(const struct pixels *pixels, uint32_t x)
{
    int sum = 0;
    for (uint32_t y = 0; y < pixels->head.height; y++)
        for (int channel = 0; channel < 3; channel++) {
            const uint8_t *at = pixels->data + 3 * ((size_t)y * pixels->head.width + x) + channel;
            sum += abs(at[3] - at[0]);
        }
    return sum;
}

/* Wider than a tile: the picture continues across the tiles' edge. */
TEST(large_stills_are_drawn_in_tiles)
{
    cli_need_gl();
    cli(0, "still", "plummer", "-n", "2000", "--size", "8200x100", "-o", "wide.png", "--at", "0",
        "--set", "camera.distance=4");
    struct pixels wide = read_png("wide.png");
    assert_int_equal(wide.head.width, 8200);
    assert_int_equal(wide.head.height, 100);
    int usual = 0;
    for (uint32_t x = 4075; x < 4115; x++)
        usual += step(&wide, x);
    assert_true(usual > 40 * 100);
    assert_true(step(&wide, 4095) < 2 * usual / 40);
    free(wide.data);
}

TESTS(cli_set_up, cli_tear_down)
