/* The effect of dust on a body's light: by its amount, and by whether it is in front of the body.
 */
#include "render/sprites/sprites.h"
#include "tests/support/choose.h"
#include "tests/support/test.h"

#include "tests/support/drawing.h"

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

TESTS(open_gl, NULL)
