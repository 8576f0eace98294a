/* The effect of dust on a body's light: by its amount, and by whether it is in front of the body.
 */
#include "render/sprites/sprites.h"
#include "tests/support/choose.h"
#include "tests/support/test.h"

#include "tests/support/films/drawing.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { SIDE = 48 };

static const double bands[3] = {0.751, 1.0, 1.337}; /* Cardelli et al. 1989, R V B */

static const struct draw_group groups[2] = {
    {.first = 0, .count = 1, .light = 1, .tint = {1, 1, 1}},
    {.first = 1, .count = 1, .light = 1, .tint = {1, 1, 1}, .dusty = true}};

/* A body in the picture's middle, and dust that is closer to the camera by this distance. */
static struct renderer_params veiled(uint32_t side, double nearer)
{
    struct renderer_params params = usual(PICTURE_RGBAF32, side, side);
    for (int i = 0; i < 2; i++)
        place(i, side, side, side / 2.0, side / 2.0);
    struct view *view = (struct view *)view_of(2, 0);
    view->position[4] = (float)nearer;
    params.look.point_size = 10 * 1080.0 / SIDE;
    params.look.exposure.factor = 0.7;
    params.look.dust = 2 / DUST_ORDINARY;
    params.count = 2;
    params.groups = groups;
    params.group_count = 2;
    return params;
}

static void middle_of(const struct renderer_params *params, double out[3])
{
    struct picture picture;
    float pixel[4];
    draw(params, 0, &picture);
    const size_t row = params->height / 2, column = params->width / 2;
    memcpy(pixel, picture.data + row * picture.layout.plane[0].stride + column * sizeof pixel,
           sizeof pixel);
    for (int c = 0; c < 3; c++)
        out[c] = pixel[c];
    free(picture.data);
}

/* The body alone. */
static double bare(struct renderer_params params)
{
    double shown[3];
    params.look.dust = 0;
    params.group_count = 1;
    middle_of(&params, shown);
    assert_true(shown[0] > 0.5 && shown[0] < 0.71);
    return shown[0];
}

/* For light behind the dust, or as evenly distributed as the dust and within it. */
enum place { BEHIND, AMID, BEFORE };

static double theory(enum place where, double depth)
{
    return where == BEHIND ? exp(-depth) : where == AMID ? (1 - exp(-depth)) / depth : 1;
}

/* Of look.dust as above, in V. */
static double depth_of(double column)
{
    return 2 * column / (1 + 2 * column / DUST_THICKEST);
}

static void check_left(uint32_t side, double nearer, enum place where)
{
    const struct renderer_params params = veiled(side, nearer);
    double shown[3];
    const double whole = bare(params); /* which the dust's column is as well */
    middle_of(&params, shown);
    for (int c = 0; c < 3; c++) {
        const double left = theory(where, depth_of(whole) * bands[c]);
        print_message("band %d: %.4f of the light, expected %.4f\n", c, shown[c] / whole, left);
        assert_true(fabs(shown[c] / whole - left) < 0.005);
    }
}

TEST(light_behind_dust_is_dimmed_and_reddened)
{
    need_gl(state);
    check_left(SIDE, 1, BEHIND);
}

TEST(light_before_dust_stays)
{
    need_gl(state);
    check_left(SIDE, -1, BEFORE);
}

TEST(light_amid_dust_is_dimmed_by_what_is_before_it)
{
    need_gl(state);
    check_left(SIDE, 0, AMID);
}

/* look.dust refers to the total light and all dust, whatever share of the dust one body has. */
TEST(how_bright_dust_would_be_does_not_matter)
{
    need_gl(state);
    static const struct draw_group brighter[2] = {
        {.first = 0, .count = 1, .light = 1, .tint = {1, 1, 1}},
        {.first = 1, .count = 1, .light = 4, .tint = {1, 1, 1}, .dusty = true}};
    struct renderer_params params = veiled(SIDE, 1);
    double shown[3];
    const double whole = bare(params);
    params.groups = brighter;
    middle_of(&params, shown);
    for (int c = 0; c < 3; c++)
        assert_true(fabs(shown[c] / whole - theory(BEHIND, depth_of(whole) * bands[c])) < 0.005);
}

/* Some light passes through any amount of dust, least of all blue light. */
TEST(no_dust_is_thicker_than_clumps_are)
{
    need_gl(state);
    struct renderer_params params = veiled(SIDE, 0);
    double shown[3];
    const double whole = bare(params);
    params.look.dust = 1000;
    middle_of(&params, shown);
    for (int c = 0; c < 3; c++)
        assert_true(fabs(shown[c] / whole - theory(AMID, DUST_THICKEST * bands[c])) < 0.005);
}

TEST(any_size_of_picture_has_the_same)
{
    need_gl(state);
    check_left(3 * SIDE, 1, BEHIND);
}

TEST(without_it_dusty_bodies_shine)
{
    need_gl(state);
    struct renderer_params params = veiled(SIDE, 1);
    double shown[3];
    params.look.dust = 0;
    middle_of(&params, shown);
    assert_true(shown[0] > 1.9 * bare(params));
    assert_true(shown[0] == shown[2]);
}

/* ---- clouds ---- */

enum { FIELD = 192, LIGHTS = 1500, HALF = 30 };

/* An even disk of light behind an even disk of as many dusty bodies. */
static struct renderer_params field(const char *optics)
{
    static const struct draw_group both[2] = {
        {.first = 0, .count = LIGHTS, .light = 1, .tint = {1, 1, 1}},
        {.first = LIGHTS, .count = LIGHTS, .light = 1, .tint = {1, 1, 1}, .dusty = true}};
    struct renderer_params params = usual(PICTURE_RGBAF32, FIELD, FIELD);
    for (int i = 0; i < 2 * LIGHTS; i++) {
        const double turn = 2.399963229728653 * i, reach = 12 * sqrt((i % LIGHTS + 0.5) / LIGHTS);
        place(i, FIELD, FIELD, 0, 0);
        float *at = view_of(2 * LIGHTS, 0)->position + 4 * (size_t)i;
        at[0] = i < LIGHTS ? 0 : 1;
        at[1] = (float)(reach * cos(turn));
        at[2] = (float)(reach * sin(turn));
        values_of(COLUMN_DISTANCE)[i] = 1.5f;
        /* rotation */
        view_of(2 * LIGHTS, 0)->velocity[4 * i + 1] = -at[2];
        view_of(2 * LIGHTS, 0)->velocity[4 * i + 2] = at[1];
    }
    params.look.size = choose(&sprite_sizing_registry, "adaptive");
    params.look.tone = choose(&tone_registry, "linear");
    params.look.optics = choose(&optics_registry, optics);
    params.look.stars = 8;
    params.look.dust = 0.02;
    params.found.look.spacing = 0.3;
    params.count = 2 * LIGHTS;
    params.groups = both;
    params.group_count = 2;
    return params;
}

/* The mean optical depth of the middle, and its relative deviation from pixel to pixel. */
static double depth_in(const char *optics, double *uneven)
{
    struct renderer_params params = field(optics);
    struct picture dimmed, whole;
    double sum = 0, squares = 0;
    draw(&params, 0, &dimmed);
    params.look.dust = 0;
    params.group_count = 1;
    draw(&params, 0, &whole);
    for (size_t y = FIELD / 2 - HALF; y < FIELD / 2 + HALF; y++)
        for (size_t x = FIELD / 2 - HALF; x < FIELD / 2 + HALF; x++) {
            float pixels[2][4];
            const size_t at = y * whole.layout.plane[0].stride + x * sizeof pixels[0];
            memcpy(pixels[0], dimmed.data + at, sizeof pixels[0]);
            memcpy(pixels[1], whole.data + at, sizeof pixels[1]);
            const double depth = -log(pixels[0][1] / pixels[1][1]);
            sum += depth;
            squares += depth * depth;
        }
    free(dimmed.data);
    free(whole.data);
    const double mean = sum / (4 * HALF * HALF);
    *uneven = sqrt(squares / (4 * HALF * HALF) - mean * mean) / mean;
    return mean;
}

TEST(clouds_are_as_much_dust)
{
    need_gl(state);
    double smooth, patchy;
    const double lens = depth_in("lens", &smooth), telescope = depth_in("telescope", &patchy);
    print_message("depth %g, uneven %g; in clouds %g, uneven %g\n", lens, smooth, telescope,
                  patchy);
    assert_true(lens > 1e-3);
    assert_true(fabs(telescope / lens - 1) < 0.05);
    assert_true(patchy > 3 * smooth);
}

TESTS(open_gl, NULL)
