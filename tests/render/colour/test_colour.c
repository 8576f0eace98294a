/* Colours of bodies in known states, the colour maps, and the draw modes. */
#include "tests/support/choose.h"
#include "tests/support/test.h"

#include "render/colour/colour.h"
#include "render/colour/legend.h"
#include "render/sprites/modes.h"
#include "tests/support/films/drawing.h"

#include <math.h>
#include <string.h>

/* A wide sprite in the middle: nearly all of the light in the pixel at (32, 18) is its. */
static struct renderer_params middle(const char *color)
{
    struct renderer_params params = usual(PICTURE_RGBA16, WIDTH, HEIGHT);
    params.look.color = choose(&colour_registry, color);
    params.look.point_size *= 2;
    params.look.exposure.factor = 0.02; /* little enough that the tone curve does not bleach it */
    place(0, WIDTH, HEIGHT, 32, 18);
    return params;
}

static void move(double x, double y, double z, double acceleration)
{
    float *velocity = view_of(1, 0)->velocity;
    velocity[0] = (float)x;
    velocity[1] = (float)y;
    velocity[2] = (float)z;
    values_of(COLUMN_ACCELERATION)[0] = (float)acceleration;
}

/* Linear light of a pixel: the tone curve acts on its brightest channel. */
static void light_at(const struct picture *picture, uint32_t x, uint32_t y, double out[3])
{
    double most = 0;
    for (uint32_t c = 0; c < 3; c++) {
        out[c] = pow(sample(picture, 0, 4 * x + c, y, 2) / 65535.0, 2.2);
        most = fmax(most, out[c]);
    }
    for (int c = 0; c < 3 && most > 0; c++)
        out[c] *= -log1p(-most) / most;
}

/* The displayed colour of the body, 0 to 1, relative to a white one in the same place. */
static void colour_at(const struct renderer_params *params, uint32_t x, uint32_t y, double out[3])
{
    struct renderer_params white = *params;
    white.look.color = choose(&colour_registry, "constant");
    white.look.mode = choose(&draw_mode_registry, "sprites");
    struct picture picture, reference;
    double full[3];
    draw(params, 0, &picture);
    draw(&white, 0, &reference);
    light_at(&picture, x, y, out);
    light_at(&reference, x, y, full);
    assert_true(full[0] > 0.01);
    for (int c = 0; c < 3; c++)
        out[c] = pow(out[c] / full[c], 1 / 2.2);
    free(picture.data);
    free(reference.data);
}

static void check_colour(const char *what, const double found[3], double r, double g, double b)
{
    if (fabs(found[0] - r) > 0.015 || fabs(found[1] - g) > 0.015 || fabs(found[2] - b) > 0.015)
        fail_msg("%s: found %.3f %.3f %.3f, expected %.3f %.3f %.3f", what, found[0], found[1],
                 found[2], r, g, b);
}

TEST(velocity_is_red_green_blue)
{
    need_gl(state);
    static const struct {
        double v[3], rgb[3];
    } cases[] = {
        {{0, 0, 0}, {1, 1, 1}},     {{2, 0, 0}, {1, 0.5, 0.5}}, {{0, 2, 0}, {0.5, 1, 0.5}},
        {{0, 0, 2}, {0.5, 0.5, 1}}, {{-2, 0, 0}, {0, 1, 1}},    {{0, -1, 0}, {1, 0.5, 1}},
        {{2, -2, -2}, {1, 0, 0}},   {{9, 0, -9}, {1, 0.5, 0}},  {{1, 1, -1}, {1, 1, 1 / 3.0}},
        {{0, -2, -2}, {1, 0, 0}},
    };
    struct renderer_params params = middle("velocity-rgb");
    params.look.speed = 2;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        double found[3];
        move(cases[i].v[0], cases[i].v[1], cases[i].v[2], 5);
        colour_at(&params, 32, 18, found);
        check_colour("velocity-rgb", found, cases[i].rgb[0], cases[i].rgb[1], cases[i].rgb[2]);
    }
}

static void to_lab(const double light[3], double lab[3])
{
    static const double to_cone[3][3] = {{0.4122214708, 0.5363325363, 0.0514459929},
                                         {0.2119034982, 0.6806995451, 0.1073969566},
                                         {0.0883024619, 0.2817188376, 0.6299787005}};
    static const double by_cone[3][3] = {{0.2104542553, 0.7936177850, -0.0040720468},
                                         {1.9779984951, -2.4285922050, 0.4505937099},
                                         {0.0259040371, 0.7827717662, -0.8086757660}};
    double root[3];
    for (int i = 0; i < 3; i++)
        root[i] =
            cbrt(to_cone[i][0] * light[0] + to_cone[i][1] * light[1] + to_cone[i][2] * light[2]);
    for (int i = 0; i < 3; i++)
        lab[i] = by_cone[i][0] * root[0] + by_cone[i][1] * root[1] + by_cone[i][2] * root[2];
}

/* Opposite bodies on the ring have opposite a and b, and the total light of the ring is neutral:
 * exactly in the mean of a and b, and to an eighth of one body's chroma in the added light. */
TEST(a_ring_that_turns_is_neutral)
{
    need_gl(state);
    enum { RING = 24 };
    struct renderer_params params = middle("velocity");
    double a[RING], b[RING], sum[3] = {0}, mean[3];
    params.look.speed = 2;
    params.look.saturation = 0.8;
    for (int i = 0; i < RING; i++) {
        const double angle = 2 * M_PI * i / RING;
        double found[3], lab[3];
        move(0, -1.5 * sin(angle), 1.5 * cos(angle), 0); /* the camera looks along -x */
        colour_at(&params, 32, 18, found);
        for (int c = 0; c < 3; c++) {
            found[c] = pow(found[c], 2.2);
            sum[c] += found[c] / RING;
        }
        to_lab(found, lab);
        assert_true(fabs(lab[0] - 1) < 0.01);
        a[i] = lab[1];
        b[i] = lab[2];
        assert_true(fabs(hypot(a[i], b[i]) - 0.168 * 0.75 * 1.25) < 0.006);
        const double hue = atan2(cos(angle), -sin(angle)) + 50 * M_PI / 180;
        assert_true(fabs(remainder(atan2(b[i], a[i]) - hue, 2 * M_PI)) < 0.06);
    }
    for (int i = 0; i < RING / 2; i++)
        assert_true(hypot(a[i] + a[i + RING / 2], b[i] + b[i + RING / 2]) < 0.006);
    to_lab(sum, mean);
    assert_true(hypot(mean[1], mean[2]) < 0.025);
}

/* Motion along the line of sight changes only the lightness, and values beyond look.speed are
 * clamped. */
TEST(the_line_of_sight_is_lightness)
{
    need_gl(state);
    struct renderer_params params = middle("velocity");
    params.look.speed = 2;
    for (int i = -2; i <= 2; i++) {
        double found[3];
        move(i, 0, 0, 0);
        colour_at(&params, 32, 18, found);
        const double shown = pow(1 + 0.06 * i, 3 / 2.2);
        check_colour("line of sight", found, shown, shown, shown);
    }
    double full[3], more[3];
    move(0, 2, 0, 0);
    colour_at(&params, 32, 18, full);
    move(0, 7, 0, 0);
    colour_at(&params, 32, 18, more);
    check_colour("faster", more, full[0], full[1], full[2]);
}

/* Start, middle and end of the published maps, and of our own. */
static const struct {
    char *name;
    unsigned start, half, end;
} published[] = {
    {"viridis", 0x440154, 0x21918c, 0xfde725},   {"inferno", 0x000004, 0xbc3754, 0xfcffa4},
    {"magma", 0x000004, 0xb73779, 0xfcfdbf},     {"plasma", 0x0d0887, 0xcc4778, 0xf0f921},
    {"cividis", 0x00224e, 0x7d7c78, 0xfee838},   {"turbo", 0x30123b, 0xa4fc3c, 0x7a0403},
    {"starlight", 0x557dcd, 0x98b1e3, 0xffe0a7},
};
enum { PUBLISHED = sizeof published / sizeof published[0] };

static void check_published(const char *name, const double found[3], unsigned rgb)
{
    check_colour(name, found, (rgb >> 16) / 255.0, (rgb >> 8 & 255) / 255.0, (rgb & 255) / 255.0);
}

TEST(speed_goes_through_the_map)
{
    need_gl(state);
    struct renderer_params params = middle("speed");
    params.look.speed = 5;
    for (size_t i = 0; i < PUBLISHED; i++) {
        double found[3];
        params.look.map = choose(&colour_map_registry, published[i].name);
        move(0, 0, 0, 7);
        colour_at(&params, 32, 18, found);
        check_published(published[i].name, found, published[i].start);
        move(0, 1.5, -2, 7); /* 2.5 in all */
        colour_at(&params, 32, 18, found);
        check_published(published[i].name, found, published[i].half);
        move(-3, 0, 4, 7);
        colour_at(&params, 32, 18, found);
        check_published(published[i].name, found, published[i].end);
        move(-30, 0, 4, 7);
        colour_at(&params, 32, 18, found);
        check_published(published[i].name, found, published[i].end);
    }
}

TEST(acceleration_is_logarithmic)
{
    need_gl(state);
    struct renderer_params params = middle("acceleration");
    params.look.acceleration = 40;
    params.look.map = choose(&colour_map_registry, "viridis");
    static const struct {
        double size;
        unsigned rgb;
    } cases[] = {{0, 0x440154}, {0.1, 0x440154}, {0.4, 0x440154},
                 {4, 0x21918c}, {40, 0xfde725},  {4000, 0xfde725}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        double found[3];
        move(3, 3, 3, cases[i].size);
        colour_at(&params, 32, 18, found);
        check_published("acceleration", found, cases[i].rgb);
    }
}

/* The camera of these pictures is at (100, 0, 0). */
TEST(what_goes_away_is_red)
{
    need_gl(state);
    struct renderer_params params = middle("radial");
    params.look.speed = 4;
    double found[3];
    move(-4, 0, 0, 0);
    colour_at(&params, 32, 18, found);
    assert_true(found[0] > 0.97 && found[1] < 0.3 && found[2] < 0.3);
    move(4, 0, 0, 0);
    colour_at(&params, 32, 18, found);
    assert_true(found[2] > 0.97 && found[1] < 0.4 && found[0] < 0.3);
    move(-1, 0, 0, 0); /* a quarter of the speed is visible, but paler */
    colour_at(&params, 32, 18, found);
    assert_true(found[0] > 0.97 && fabs(found[1] - 0.61) < 0.05 && fabs(found[2] - 0.57) < 0.05);
    move(0, 3, -3, 0);
    colour_at(&params, 32, 18, found);
    check_colour("across", found, 1, 1, 1);
    /* Off the middle the line of sight differs. */
    place(0, WIDTH, HEIGHT, 56.5, 18.5);
    double y = view_of(1, 0)->position[1];
    assert_true(y > 20);
    move(4 * y / 100, 4, 0, 0);
    colour_at(&params, 56, 18, found);
    check_colour("across, off the middle", found, 1, 1, 1);
    move(0, 4, 0, 0);
    colour_at(&params, 56, 18, found);
    assert_true(found[0] > 0.97 && found[1] < 0.9 && found[2] < 0.9);
}

TEST(tints_and_saturation)
{
    need_gl(state);
    const struct draw_group group = {.count = 1, .light = 1, .tint = {0.25f, 1, 0.5f}};
    static char *const by_tint[] = {"galaxy", "component"};
    double found[3];
    for (size_t i = 0; i < 2; i++) {
        struct renderer_params params = middle(by_tint[i]);
        params.groups = &group;
        move(1, 2, 3, 4);
        colour_at(&params, 32, 18, found);
        check_colour(by_tint[i], found, 0.25, 1, 0.5);
        params.look.saturation = 0.5; /* half of the way to white */
        colour_at(&params, 32, 18, found);
        check_colour(by_tint[i], found, 0.625, 1, 0.75);
        struct draw_group given = group;
        given.given = true; /* the scene's own colour, whatever the saturation */
        params.groups = &given;
        colour_at(&params, 32, 18, found);
        check_colour(by_tint[i], found, 0.25, 1, 0.5);
    }
    /* A map without colour keeps its luminance. */
    struct renderer_params params = middle("speed");
    params.look.map = choose(&colour_map_registry, "viridis");
    params.look.saturation = 0;
    move(0, 0, 0.5, 0);
    colour_at(&params, 32, 18, found);
    double grey = pow(0.2126 * pow(0x21 / 255.0, 2.2) + 0.7152 * pow(0x91 / 255.0, 2.2) +
                          0.0722 * pow(0x8c / 255.0, 2.2),
                      1 / 2.2);
    check_colour("grey map", found, grey, grey, grey);
}

static double lightness(const struct colour_map *map, double value)
{
    static const double weight[3] = {0.2126, 0.7152, 0.0722};
    float shown[3];
    double luminance = 0;
    colour_map_at(map, (float)value, shown);
    for (int c = 0; c < 3; c++) {
        assert_true(shown[c] >= 0 && shown[c] <= 1);
        luminance += weight[c] *
                     (shown[c] > 0.04045 ? pow((shown[c] + 0.055) / 1.055, 2.4) : shown[c] / 12.92);
    }
    return luminance > 216.0 / 24389 ? 116 * cbrt(luminance) - 16 : luminance * 24389 / 27;
}

TEST(maps_grow_lighter)
{
    const struct colour_map *map;
    size_t count = 0;
    for (size_t i = 0; (map = choice_at(&colour_map_registry, i)); i++, count++) {
        double before = lightness(map, 0), least = INFINITY, most = -INFINITY;
        for (int k = 1; k <= 64; k++) {
            double now = lightness(map, k / 64.0);
            least = fmin(least, now - before);
            most = fmax(most, now - before);
            before = now;
        }
        bool even = strcmp(map->name, "turbo") != 0;
        if (map->proportional)
            assert_true(least > 0.3 && most > 3.0);
        else if (even != (least > 0.3) || (even && most > 3.0))
            fail_msg("%s: lightness grows by %g to %g a 64th", map->name, least, most);
        assert_true(lightness(map, -3) == lightness(map, 0));
        assert_true(lightness(map, 3) == lightness(map, 1));
        assert_ptr_equal(choice_find(&colour_map_registry, map->name), map);
    }
    assert_int_equal(count, PUBLISHED + 1); /* and grey */
    assert_null(choice_find(&colour_map_registry, "jet"));
}

static size_t lit_pixels(const struct picture *picture, int *least, int *most)
{
    size_t lit = 0;
    *least = 65535;
    *most = 0;
    for (uint32_t y = 0; y < HEIGHT; y++)
        for (uint32_t x = 0; x < WIDTH; x++) {
            int value = sample(picture, 0, 4 * x, y, 2);
            if (value < 10)
                continue;
            lit++;
            *least = value < *least ? value : *least;
            *most = value > *most ? value : *most;
        }
    return lit;
}

TEST(points_are_squares)
{
    need_gl(state);
    struct renderer_params params = middle("constant");
    params.look.mode = choose(&draw_mode_registry, "points");
    place(0, WIDTH, HEIGHT, 32.3, 18.3);
    static const struct {
        double expected, got;
    } sizes[] = {{5, 5}, {2.4, 2}, {1, 1}, {0.01, 1}};
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++)
        for (int near = 0; near < 2; near++) {
            struct picture picture;
            int least, most;
            params.look.point_size = sizes[i].expected * 1080 / HEIGHT;
            view_of(1, 0)->position[0] = near ? 50 : 0;
            draw(&params, 0, &picture);
            assert_int_equal(lit_pixels(&picture, &least, &most), sizes[i].got * sizes[i].got);
            assert_true(most - least <= 2); /* the dither's */
            free(picture.data);
        }
}

/* A number is mapped to a place along the map, like a speed. */
TEST(quantity_is_a_place_along_the_map)
{
    need_gl(state);
    static const char *const tones[] = {"filmic", "log"};
    for (size_t t = 0; t < 2; t++)
        for (int i = 0; i <= 4; i++) {
            struct renderer_params params = middle("quantity"), fast = middle("speed");
            struct picture by_number, by_speed;
            float number = (float)i / 4;
            values_of(COLUMN_QUANTITY)[0] = number;
            params.look.tone = fast.look.tone = choose(&tone_registry, tones[t]);
            move(number, 0, 0, 0);
            draw(&params, 0, &by_number);
            draw(&fast, 0, &by_speed);
            assert_true(same_pixels(&by_number, &by_speed));
            free(by_number.data);
            free(by_speed.data);
        }
}

/* Stars have the colour of their age; if it is unknown, or the scene gives a colour, that of their
 * group. */
TEST(stars_have_the_colour_of_their_age)
{
    need_gl(state);
    static const struct {
        float age;
        bool given, warm;
    } cases[] = {{12, false, true}, {0.5f, false, false}, {-1, false, true}, {0.5f, true, true}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct renderer_params params = middle("stars");
        const struct draw_group group = {
            .first = 0, .count = 1, .light = 1, .tint = {1, 0.5f, 0}, .given = cases[i].given};
        struct picture picture;
        params.groups = &group;
        values_of(COLUMN_AGE)[0] = cases[i].age;
        draw(&params, 0, &picture);
        const double red = spot_within(&picture, 0, 0, 0, WIDTH, HEIGHT).light,
                     blue = spot_within(&picture, 2, 0, 0, WIDTH, HEIGHT).light;
        assert_true(cases[i].warm ? red > 1.3 * blue : blue > 1.3 * red);
        free(picture.data);
    }
    values_of(COLUMN_AGE)[0] = -1;
}

/* Velocities are tinted by the age of the body's stars, if it is known. */
TEST(velocities_are_warm_where_stars_are_old)
{
    need_gl(state);
    static const float ages[] = {-1, 12, 0.5f};
    double blueness[3];
    for (int i = 0; i < 3; i++) {
        struct renderer_params params = middle("velocity");
        struct picture picture;
        move(0, 0, 0, 0);
        values_of(COLUMN_AGE)[0] = ages[i];
        draw(&params, 0, &picture);
        blueness[i] = log(spot_within(&picture, 2, 0, 0, WIDTH, HEIGHT).light /
                          spot_within(&picture, 0, 0, 0, WIDTH, HEIGHT).light);
        free(picture.data);
    }
    values_of(COLUMN_AGE)[0] = -1;
    assert_true(fabs(blueness[0]) < 0.05);
    assert_true(blueness[1] < -0.2 && blueness[2] > 0.2);
}

/* A body without a value is grey beside one with a value, however the light is added. */
TEST(without_a_number_grey)
{
    need_gl(state);
    static const char *const tones[] = {"filmic", "log", "linear"};
    static const float numbers[] = {-1, 1};
    for (int way = 0; way < 6; way++) {
        struct renderer_params params = middle("quantity");
        struct picture picture;
        double grey[3], yellow[3];
        params.look.tone = choose(&tone_registry, tones[way % 3]);
        params.look.point_size = 4.0 * 1080 / HEIGHT;
        params.quads = way >= 3;
        params.count = 2;
        memcpy(values_of(COLUMN_QUANTITY), numbers, sizeof numbers);
        place(0, WIDTH, HEIGHT, 16.5, 18.5);
        place(1, WIDTH, HEIGHT, 48.5, 18.5);
        move(0, 0, 0, 0);
        draw(&params, 0, &picture);
        light_at(&picture, 16, 18, grey);
        light_at(&picture, 48, 18, yellow);
        assert_true(grey[0] > 1e-4 && yellow[0] > 1e-4);
        for (int c = 1; c < 3; c++)
            assert_true(fabs(grey[c] / grey[0] - 1) < 0.01);
        assert_true(yellow[2] < 0.1 * yellow[0]); /* plasma ends in yellow */
        free(picture.data);
    }
}

/* Two bodies at the same place give the mean of the one's colour and grey, also when values are
 * added. */
TEST(a_number_and_none_are_mixed)
{
    need_gl(state);
    static const float numbers[] = {-1, 1};
    static const struct draw_group each[] = {{.first = 0, .count = 1, .light = 1},
                                             {.first = 1, .count = 1, .light = 1},
                                             {.first = 0, .count = 2, .light = 1}};
    double found[3][3];
    for (int g = 0; g < 3; g++) {
        struct renderer_params params = middle("quantity");
        struct picture picture;
        params.look.tone = choose(&tone_registry, "linear");
        params.look.exposure.factor = 0.2;
        params.count = 2;
        memcpy(values_of(COLUMN_QUANTITY), numbers, sizeof numbers);
        params.groups = &each[g];
        place(0, WIDTH, HEIGHT, 32, 18);
        place(1, WIDTH, HEIGHT, 32, 18);
        move(0, 0, 0, 0);
        draw(&params, 0, &picture);
        for (uint32_t c = 0; c < 3; c++)
            found[g][c] = pow(sample(&picture, 0, 4 * 32 + c, 18, 2) / 65535.0, 2.2);
        free(picture.data);
    }
    for (int c = 0; c < 3; c++) {
        assert_true(found[2][c] > 1e-3);
        assert_true(fabs(found[2][c] / (found[0][c] + found[1][c]) - 1) < 0.02);
    }
}

/* A view without a column that its picture needs is an error. */
TEST(columns_must_be_given)
{
    need_gl(state);
    struct renderer_params params = middle("quantity");
    struct renderer *renderer;
    struct view view = *view_of(1, 0);
    view.column_count = 3; /* those before it */
    assert_ok(renderer_open(&renderer, &params));
    assert_ok(renderer_bind(renderer));
    assert_fails(renderer_meter(renderer, &view), STATUS_RUNTIME, "have no quantity");
    renderer_unbind(renderer);
    renderer_close(&renderer);
    params.look.mode = choose(&draw_mode_registry, "sprites-plain"); /* has its own colour */
    assert_ok(renderer_open(&renderer, &params));
    assert_ok(renderer_bind(renderer));
    assert_ok(renderer_meter(renderer, &view));
    renderer_unbind(renderer);
    renderer_close(&renderer);
}

/* Absent bodies, as marked in views, are not drawn: as points, as quads and in cells. */
TEST(absent_bodies_are_not_drawn)
{
    need_gl(state);
    static const char *const modes[] = {"sprites", "activity"}, *const colours[] = {"constant",
                                                                                    "density"};
    for (int way = 0; way < 8; way++) {
        struct renderer_params params = middle(colours[way / 2 % 2]);
        struct picture one, two;
        params.look.mode = choose(&draw_mode_registry, modes[way / 4]);
        params.quads = way % 2;
        params.count = 2;
        params.absences = true;
        place(0, WIDTH, HEIGHT, 16.5, 18.5);
        place(1, WIDTH, HEIGHT, 48.5, 18.5);
        draw(&params, 0, &two);
        values_of(COLUMN_ABSENT)[1] = 1;
        draw(&params, 0, &one);
        assert_int_equal(sample(&two, 0, 4 * 48, 18, 2) > 100, 1);
        assert_true(sample(&one, 0, 4 * 48, 18, 2) <= 100);
        assert_true(sample(&one, 0, 4 * 16, 18, 2) > 100);
        free(one.data);
        free(two.data);
    }
}

TEST(each_mode_draws_each_colour)
{
    need_gl(state);
    const struct draw_mode *mode;
    const struct colour *colour;
    for (size_t i = 0; (mode = choice_at(&draw_mode_registry, i)); i++)
        for (size_t k = 0; (colour = choice_at(&colour_registry, k)); k++) {
            struct renderer_params params = middle(colour->name);
            struct picture own, given;
            params.look.exposure.factor = 1;
            params.height = params.width = 360;
            place(0, 360, 360, 180, 180);
            move(-0.5, 0.3, 0.2, 0.5);
            params.look.mode = mode;
            params.look.plain[0] = 1;
            params.look.point_size = 0;
            draw(&params, 0, &own);
            params.look.point_size = mode->point_size;
            draw(&params, 0, &given);
            assert_true(same_pixels(&own, &given));
            const struct spot blue = spot_within(&own, 2, 0, 0, 360, 360);
            assert_true(total_light(&own) + blue.light > 0.01); /* the dark end of a map is blue */
            free(own.data);
            free(given.data);
        }
}

TEST(plain_sprites_have_one_colour)
{
    need_gl(state);
    struct renderer_params params = middle("velocity-rgb");
    params.look.mode = choose(&draw_mode_registry, "sprites-plain");
    memcpy(params.look.plain, (double[3]){0.5, 0.75, 1}, sizeof params.look.plain);
    for (int i = 0; i < 2; i++) {
        double found[3];
        move(i, -i, 0, 0);
        colour_at(&params, 32, 18, found);
        check_colour("plain", found, 0.5, 0.75, 1);
    }
}

TESTS(open_gl, NULL)
