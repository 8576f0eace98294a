/* Pictures of all modes against approved pictures, tests/golden/NAME.png. `test_golden --write`
 * writes them again; see tests/golden/README.md. */
#include "tests/support/choose.h"
#include "tests/support/test.h"

#include "render/colour/colour.h"
#include "render/post/exposure.h"
#include "render/sprites/modes.h"
#include "tests/support/films/drawing.h"

#include <math.h>
#include <png.h>
#include <stdio.h>
#include <string.h>

enum { COLUMNS = 96, ROWS = 64, DISK = 300, COUNT = 2 * DISK, BYTES = 3 * COLUMNS * ROWS };

static float position[COUNT][4], moved[COUNT][4], velocity[COUNT][4], distance[COUNT],
    dispersion[COUNT], acceleration[COUNT], quantity[COUNT], age[COUNT];

/* An inclined disk that turns: bodies at golden angles, denser towards the middle. */
static void make_disk(int first, double y, double z, double tilt, double turn, double drift)
{
    for (int i = 0; i < DISK; i++) {
        const double angle = 2.399963229728653 * i, share = (i + 0.5) / DISK;
        const double radius = 10 * share, speed = turn * 2 * radius / (2 + radius);
        const double flat[3] = {radius * cos(angle), radius * sin(angle), 0.3 * cos(7.0 * i)};
        const double round[3] = {-speed * sin(angle), speed * cos(angle), 0};
        float *at = position[first + i], *moves = velocity[first + i];
        at[0] = (float)(flat[0] * cos(tilt) - flat[2] * sin(tilt));
        at[1] = (float)(flat[1] + y);
        at[2] = (float)(flat[0] * sin(tilt) + flat[2] * cos(tilt) + z);
        at[3] = i % 5 == 0 ? 4 : 1;
        moves[0] = (float)(round[0] * cos(tilt));
        moves[1] = (float)(round[1] + drift);
        moves[2] = (float)(round[0] * sin(tilt));
        acceleration[first + i] = (float)(2 / (1 + radius * radius));
        distance[first + i] = (float)(0.7 + radius / 4);
        dispersion[first + i] = (float)(2 / (2 + radius));
        age[first + i] = i % 5 == 0 ? -1 : (float)(i % 5 - 1) * 4;
        quantity[first + i] = i % 4 == 1 ? -1 : (float)(0.5 + 0.5 * cos(angle));
        memcpy(moved[first + i], at, sizeof moved[0]);
        moved[first + i][2] += (float)pow(10, -6 * share);
    }
}

static const struct draw_group galaxies[] = {
    {.count = DISK, .light = 1, .tint = {0.35f, 0.6f, 1}},
    {.first = DISK, .count = DISK, .light = 0.7f, .tint = {1, 0.62f, 0.3f}},
};

struct golden {
    char name[40];
    struct renderer_params params;
    struct panel_params panels[2];
};

static void begin(struct golden *golden, const char *name, const char *part)
{
    snprintf(golden->name, sizeof golden->name, "%s%s", name, part);
    golden->params = usual(PICTURE_RGBA16, COLUMNS, ROWS);
    struct look_params *look = &golden->params.look;
    look->color = choose(&colour_registry, "velocity-rgb");
    look->speed = 4;
    look->acceleration = 2;
    look->saturation = 0.8;
    look->point_size = 3.5 * 1080 / ROWS;
    look->exposure.factor = 0.8;
    look->plain[0] = 1;
    look->plain[1] = 0.7;
    look->plain[2] = 0.4;
    golden->params.found.look.densest = 14;
    golden->params.found.look.fullest = 8;
    look->cells = 32;
    golden->params.found.look.mean_mass = 1.6;
    golden->params.found.look.extent = 5;
    golden->params.count = COUNT;
    golden->params.groups = galaxies;
    golden->params.group_count = 2;
}

/* One for each draw mode, colour and profile, and for other settings that change the look. */
static int list(struct golden *all)
{
    const struct draw_mode *mode;
    const struct colour *colour;
    const struct sprite_profile *profile;
    const struct tone *tone;
    int n = 0;
    for (size_t i = 0; (mode = choice_at(&draw_mode_registry, i)); i++) {
        begin(&all[n], "mode-", mode->name);
        all[n++].params.look.mode = mode;
    }
    for (size_t i = 0; (colour = choice_at(&colour_registry, i)); i++) {
        begin(&all[n], "color-", colour->name);
        all[n++].params.look.color = colour;
    }
    for (size_t i = 0; (profile = choice_at(&sprite_profile_registry, i)); i++) {
        begin(&all[n], "profile-", profile->name);
        all[n].params.look.radius = 1.6;
        all[n].params.look.exposure.factor = 0.2;
        all[n++].params.look.profile = profile;
    }
    begin(&all[n], "weight-mass", "");
    all[n++].params.look.weight = choose(&light_weight_registry, "mass");
    begin(&all[n], "samples", "");
    all[n++].params.look.samples = 8;
    begin(&all[n], "shutter", "");
    all[n].params.look.samples = 16;
    all[n++].params.look.shutter = 0.5;
    begin(&all[n], "bloom", "");
    all[n++].params.look.bloom = 0.5;
    begin(&all[n], "size-adaptive", "");
    all[n].params.look.exposure.factor = 0.5;
    all[n++].params.look.size = choose(&sprite_sizing_registry, "adaptive");
    bool first = true;
    for (size_t i = 0; (tone = choice_at(&tone_registry, i)); i++) {
        if (tone == &tone_filmic) /* all others are */
            continue;
        begin(&all[n], "tone-", tone->name);
        all[n].params.look.size = choose(&sprite_sizing_registry, "adaptive");
        all[n].params.look.exposure.factor = 0;
        all[n].params.look.bloom = 0.15;
        if (first)
            all[n].params.look.color = choose(&colour_registry, "speed");
        first = false;
        all[n++].params.look.tone = tone;
    }
    begin(&all[n], "glow", "");
    all[n++].params.look.glow = 0.5;
    begin(&all[n], "difference", "");
    all[n].params.sources = 2;
    all[n].params.panel_source[1] = 1;
    all[n].params.look.panels = all[n].panels;
    all[n].params.look.panel_count = 2;
    for (int p = 0; p < 2; p++)
        all[n].panels[p] =
            (struct panel_params){.title = "", .follow = "", .zoom = 0.5, .difference = p == 1};
    return n + 1;
}

enum { GOLDENS_MAX = 40 };

static void draw_golden(const struct golden *golden, unsigned char pixels[BYTES])
{
    struct view second = {.memory = VIEW_HOST,
                          .device = -1,
                          .count = COUNT,
                          .position = moved[0],
                          .velocity = velocity[0],
                          .columns = {{.name = COLUMN_DISTANCE, .value = distance},
                                      {.name = COLUMN_DISPERSION, .value = dispersion},
                                      {.name = COLUMN_ACCELERATION, .value = acceleration},
                                      {.name = COLUMN_QUANTITY, .value = quantity},
                                      {.name = COLUMN_AGE, .value = age}},
                          .column_count = 5,
                          .interval = 5};
    struct view first = second;
    struct picture picture;
    first.position = position[0];
    first.next = &second;
    draw_view(&golden->params, &first, &picture);
    for (uint32_t y = 0; y < ROWS; y++)
        for (uint32_t x = 0; x < COLUMNS; x++)
            for (uint32_t c = 0; c < 3; c++)
                pixels[3 * (y * COLUMNS + x) + c] =
                    (unsigned char)((sample(&picture, 0, 4 * x + c, y, 2) + 128) / 257);
    free(picture.data);
}

static void path_of(const struct golden *golden, char *path, size_t size)
{
    snprintf(path, size, "%.400s/tests/golden/%.64s.png", getenv("GRAVREEL_TEST_SOURCE"),
             golden->name);
}

static void read_golden(const char *path, unsigned char pixels[BYTES])
{
    png_image png = {.version = PNG_IMAGE_VERSION};
    if (!png_image_begin_read_from_file(&png, path))
        fail_msg("%s: %s; see tests/golden/README.md", path, png.message);
    assert_int_equal(png.width, COLUMNS);
    assert_int_equal(png.height, ROWS);
    png.format = PNG_FORMAT_RGB;
    assert_true(png_image_finish_read(&png, NULL, pixels, 0, NULL));
}

/* The allowed difference of a picture, in code values of 255. Mesa's software renderer differs
 * between processors only in rounding; GPUs place points and edges on different grids. */
struct tolerance {
    int most;
    double mean;
};
static const struct tolerance software = {2, 0.05}, hardware = {32, 1.0};

static void compare(const struct golden *golden, const struct tolerance *tolerance)
{
    static unsigned char found[BYTES], expected[BYTES];
    char path[512];
    int most = 0;
    double sum = 0;
    path_of(golden, path, sizeof path);
    read_golden(path, expected);
    draw_golden(golden, found);
    for (size_t i = 0; i < BYTES; i++) {
        const int off = abs(found[i] - expected[i]);
        most = off > most ? off : most;
        sum += off;
    }
    if (most > tolerance->most || sum / BYTES > tolerance->mean)
        fail_msg("%s: off by %d of 255 at most (allowed: %d), %.3f in the mean (allowed: %.3f); if "
                 "it is meant, see tests/golden/README.md",
                 golden->name, most, tolerance->most, sum / BYTES, tolerance->mean);
}

static void make_bodies(void)
{
    make_disk(0, -13, -3, 0.9, 1, 0.6);
    make_disk(DISK, 13, 3, -0.5, -0.8, -0.6);
}

static void pictures_are_as_they_were(void **state)
{
    need_gl(state);
    static struct golden all[GOLDENS_MAX];
    const struct tolerance *tolerance = drawn_by_software() ? &software : &hardware;
    make_bodies();
    for (int i = 0, count = list(all); i < count; i++)
        compare(&all[i], tolerance);
}

/* The defaults, drawn once a list; and colours of a scene whose galaxies have one component each.
 */
static bool are_alike(const char *name, const char *other)
{
    static const char *const pairs[][2] = {
        {"mode-sprites", "color-velocity"},       {"mode-sprites", "color-velocity-rgb"},
        {"color-velocity", "color-velocity-rgb"}, {"color-component", "color-stars"},
        {"color-galaxy", "color-stars"},          {"color-component", "color-galaxy"}};
    for (size_t i = 0; i < sizeof pairs / sizeof pairs[0]; i++)
        for (int k = 0; k < 2; k++)
            if (strcmp(name, pairs[i][k]) == 0 && strcmp(other, pairs[i][1 - k]) == 0)
                return true;
    return false;
}

/* The metric distinguishes what matters: no two golden pictures match each other. */
static void pictures_differ(void **state)
{
    (void)state;
    static struct golden all[GOLDENS_MAX];
    static unsigned char pixels[GOLDENS_MAX][BYTES];
    const int count = list(all);
    for (int i = 0; i < count; i++) {
        char path[512];
        path_of(&all[i], path, sizeof path);
        read_golden(path, pixels[i]);
        for (int k = 0; k < i; k++) {
            double sum = 0;
            for (size_t b = 0; b < BYTES; b++)
                sum += abs(pixels[i][b] - pixels[k][b]);
            if (!are_alike(all[i].name, all[k].name) && sum / BYTES < hardware.mean / 4)
                fail_msg("%s and %s differ by %g only", all[i].name, all[k].name, sum / BYTES);
        }
    }
}

static int write_all(void)
{
    static struct golden all[GOLDENS_MAX];
    static unsigned char pixels[BYTES];
    make_bodies();
    for (int i = 0, count = list(all); i < count; i++) {
        char path[512];
        png_image png = {.version = PNG_IMAGE_VERSION,
                         .width = COLUMNS,
                         .height = ROWS,
                         .format = PNG_FORMAT_RGB};
        path_of(&all[i], path, sizeof path);
        draw_golden(&all[i], pixels);
        if (!png_image_write_to_file(&png, path, 0, pixels, 0, NULL)) {
            fprintf(stderr, "%s: %s\n", path, png.message);
            return 1;
        }
    }
    return 0;
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pictures_are_as_they_were),
        cmocka_unit_test(pictures_differ),
    };
    if (!getenv("GRAVREEL_TEST_SOURCE"))
        setenv("GRAVREEL_TEST_SOURCE", ".", 1);
    if (argc > 1 && strcmp(argv[1], "--write") == 0)
        return write_all();
    return cmocka_run_group_tests(tests, open_gl, NULL);
}
