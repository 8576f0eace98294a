/* Bodies' light resolved into stars: the same total light, in points that move with their bodies.
 */
#include "tests/support/choose.h"
#include "tests/support/test.h"

#include "render/colour/colour.h"
#include "render/sprites/modes.h"
#include "tests/support/films/drawing.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { SIDE = 256, CLOUD = 3000 };

TEST(as_many_as_the_film_can_show)
{
    static const struct {
        uint32_t asked, stars;
        uint64_t count;
    } rows[] = {{0, 8, 1000},   {0, 8, 250000},  {0, 7, 250001},   {0, 4, 450000},
                {0, 2, 900000}, {0, 2, 8388608}, {40, 40, 900000}, {1, 1, 10}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const struct look_params look = {.stars = rows[i].asked};
        assert_int_equal(resolved_choose(&look, whole_of(rows[i].count)), rows[i].stars);
    }
}

TEST(only_adaptive_sprites_are_resolved)
{
    struct look_params look = {.stars = 8, .resolved = 0.5};
    look.mode = choose(&draw_mode_registry, "sprites");
    look.size = choose(&sprite_sizing_registry, "adaptive");
    assert_int_equal(resolved_stars(&look), 8);
    look.resolved = 0;
    assert_int_equal(resolved_stars(&look), 0);
    look.resolved = 0.5;
    look.size = choose(&sprite_sizing_registry, "fixed");
    assert_int_equal(resolved_stars(&look), 0);
    look.size = choose(&sprite_sizing_registry, "adaptive");
    look.mode = choose(&draw_mode_registry, "points");
    assert_int_equal(resolved_stars(&look), 0);
}

/* dN / dL ~ L^-2.1 between 1 and the brightest, scaled to a mean of 1. */
static void check_power(const struct optics *optics)
{
    enum { STEPS = 1000000 };
    float power[3];
    double sum = 0, above = 0;
    resolved_power(optics, power);
    const double least = power[2], most = optics->brightest;
    for (int i = 0; i < STEPS; i++) {
        const double u = (i + 0.5) / STEPS;
        const double luminosity = pow(1 + u * power[0], power[1]) * power[2];
        sum += luminosity;
        above += luminosity > 20 * least;
    }
    assert_true(fabs(sum / STEPS - 1) < 0.01);
    assert_true(fabs(pow(1 + power[0], power[1]) / most - 1) < 0.01);
    const double expected = (pow(20, -1.1) - pow(most, -1.1)) / (1 - pow(most, -1.1));
    assert_true(fabs(above / STEPS / expected - 1) < 0.01);
}

TEST(luminosities_follow_a_power)
{
    for (size_t i = 0; choice_at(&optics_registry, i); i++)
        check_power(choice_at(&optics_registry, i));
}

TEST(stars_grow_more_slowly_than_large_pictures)
{
    const struct optics *lens = choose(&optics_registry, "lens"),
                        *telescope = choose(&optics_registry, "telescope");
    assert_true(resolved_size(lens, 720) == 3 && resolved_size(lens, 1080) == 4.5f);
    assert_true(fabs(resolved_size(lens, 4320) - 9) < 1e-5);
    assert_true(fabs(resolved_size(telescope, 1080) - 3.2) < 1e-6);
    assert_true(resolved_size(telescope, 2160) < 4.3 && resolved_size(telescope, 4320) < 5.6);
}

static struct renderer_params starry(uint32_t side, uint32_t stars)
{
    struct renderer_params params = usual(PICTURE_RGBA16, side, side);
    params.look.size = choose(&sprite_sizing_registry, "adaptive");
    params.look.stars = stars;
    params.look.resolved = stars > 0 ? 0.55 : 0;
    params.look.exposure.factor = 0.02;
    params.found.look.spacing = 1;
    return params;
}

/* A disk of even density, seen from above. */
static struct renderer_params disk(uint32_t stars)
{
    struct renderer_params params = starry(SIDE, stars);
    for (int i = 0; i < CLOUD; i++) {
        const double turn = 2.399963229728653 * i, reach = 7 * sqrt((i + 0.5) / CLOUD);
        place(i, 0, 0, 0, 0);
        float *at = view_of(CLOUD, 0)->position + 4 * (size_t)i;
        at[1] = (float)(reach * cos(turn));
        at[2] = (float)(reach * sin(turn));
        values_of(COLUMN_DISTANCE)[i] = 0.6f;
    }
    params.count = CLOUD;
    return params;
}

/* Mean light of the middle, and the relative deviation from pixel to pixel. */
static double middle_of(const struct renderer_params *params, uint32_t half, double *uneven)
{
    struct picture picture;
    double sum = 0, squares = 0;
    draw(params, 0, &picture);
    for (uint32_t y = SIDE / 2 - half; y < SIDE / 2 + half; y++)
        for (uint32_t x = SIDE / 2 - half; x < SIDE / 2 + half; x++) {
            const double here = light(&picture, x, y);
            sum += here;
            squares += here * here;
        }
    free(picture.data);
    const double count = 4.0 * half * half, mean = sum / count;
    *uneven = sqrt(fmax(squares / count - mean * mean, 0)) / mean;
    return mean;
}

TEST(light_stays_and_has_detail)
{
    need_gl(state);
    double smooth, sharp;
    struct renderer_params params = disk(0);
    const double before = middle_of(&params, 30, &smooth);
    params = disk(24);
    const double resolved = middle_of(&params, 30, &sharp);
    print_message("light %g, %g of it in stars' pictures; uneven %g, %g\n", before,
                  resolved / before, smooth, sharp);
    assert_true(before > 0.05);
    assert_true(fabs(resolved / before - 1) < 0.02);
    assert_true(sharp > 5 * smooth);
}

/* Stars are scattered evenly around their bodies, which are all at one place here: so the centre of
 * light is there, too. */
TEST(stars_lie_about_their_bodies)
{
    need_gl(state);
    struct renderer_params params = starry(SIDE, 24);
    struct picture picture;
    for (int i = 0; i < CLOUD; i++) {
        place(i, SIDE, SIDE, SIDE / 2.0, SIDE / 2.0);
        values_of(COLUMN_DISTANCE)[i] = 1.5f;
    }
    params.count = CLOUD;
    params.look.exposure.factor = 0.001;
    draw(&params, 0, &picture);
    const struct spot all = spot_within(&picture, 1, 0, 0, SIDE, SIDE);
    free(picture.data);
    print_message("light %g, %g and %g pixels from the bodies\n", all.light, all.x - SIDE / 2.0,
                  all.y - SIDE / 2.0);
    assert_true(all.light > 10);
    assert_true(fabs(all.x - SIDE / 2.0) < 0.3 && fabs(all.y - SIDE / 2.0) < 0.3);
}

TEST(light_per_solid_angle_stays)
{
    need_gl(state);
    double uneven;
    struct renderer_params params = disk(24);
    params.camera.distance = 200;
    const double far_away = middle_of(&params, 20, &uneven);
    params.camera.distance = 100;
    const double near_by = middle_of(&params, 40, &uneven);
    print_message("%g of it nearer\n", near_by / far_away);
    assert_true(fabs(near_by / far_away - 1) < 0.02);
}

static struct picture one(int body, double x, double y, bool quads)
{
    struct renderer_params params = starry(SIDE, 40);
    const struct draw_group alone = {
        .first = (size_t)body, .count = 1, .light = 1, .tint = {1, 1, 1}};
    struct picture picture;
    for (int i = 0; i <= body; i++) {
        place(i, SIDE, SIDE, x, y);
        values_of(COLUMN_DISTANCE)[i] = 1.5f;
    }
    params.count = (size_t)body + 1;
    params.groups = &alone;
    params.group_count = 1;
    params.quads = quads;
    params.look.exposure.factor = 2;
    draw(&params, 0, &picture);
    return picture;
}

static double apart(const struct picture *a, const struct picture *b, uint32_t right, uint32_t down)
{
    double off = 0, all = 0;
    for (uint32_t y = 0; y + down < SIDE; y++)
        for (uint32_t x = 0; x + right < SIDE; x++) {
            off += fabs(light(a, x, y) - light(b, x + right, y + down));
            all += light(a, x, y);
        }
    assert_true(all > 1);
    return off / all;
}

TEST(stars_move_with_their_body)
{
    need_gl(state);
    struct picture here = one(0, 100, 110, false), there = one(0, 104, 112, false);
    struct picture other = one(1, 100, 110, false);
    const double moved = apart(&here, &there, 4, 2), own = apart(&here, &other, 0, 0);
    print_message("%g apart when moved, %g from another body's\n", moved, own);
    assert_true(moved < 0.02);
    assert_true(own > 0.2);
    free(here.data);
    free(there.data);
    free(other.data);
}

TEST(points_and_quads_have_the_same_stars)
{
    need_gl(state);
    struct picture points = one(5, 120, 120, false), quads = one(5, 120, 120, true);
    assert_true(apart(&points, &quads, 0, 0) < 0.03);
    free(points.data);
    free(quads.data);
}

/* ---- the point spread of a telescope ---- */

enum { TALL = 2160, NARROW = 480, PATCH = 80, ACROSS = NARROW / PATCH, UP = TALL / PATCH };

/* A picture of 4K's height in linear light with isolated bodies, each of which is one star. */
static struct renderer_params isolated(const char *optics, int count)
{
    struct renderer_params params = usual(PICTURE_RGBAF32, NARROW, TALL);
    params.look.size = choose(&sprite_sizing_registry, "adaptive");
    params.look.tone = choose(&tone_registry, "linear");
    params.look.optics = choose(&optics_registry, optics);
    params.look.stars = 1;
    params.look.resolved = 1;
    params.look.glow = strcmp(optics, "telescope") == 0 ? 0.35 : 0.15; /* as the looks have it */
    params.look.exposure.factor = 1;
    params.found.look.spacing = 0.02;
    params.count = (size_t)count;
    for (int i = 0; i < count; i++) {
        place(i, NARROW, TALL, PATCH * (i % ACROSS + 0.5), PATCH * (i / ACROSS + 0.5));
        values_of(COLUMN_DISTANCE)[i] = INFINITY;
    }
    return params;
}

static float channel_at(const struct picture *picture, uint32_t x, uint32_t y, int channel)
{
    float pixel[4];
    memcpy(pixel, picture->data + y * picture->layout.plane[0].stride + x * sizeof pixel,
           sizeof pixel);
    return pixel[channel];
}

static float at(const struct picture *picture, uint32_t x, uint32_t y)
{
    return channel_at(picture, x, y, 1);
}

/* A star's light, and the radius of the disc that is as large as what exceeds a threshold. */
struct seen {
    double light, peak, radius;
};

static struct seen look_at(const struct picture *picture, int cell, double threshold)
{
    const uint32_t left = PATCH * (uint32_t)(cell % ACROSS),
                   top = PATCH * (uint32_t)(cell / ACROSS);
    struct seen seen = {0};
    double pixels = 0;
    for (uint32_t y = top; y < top + PATCH; y++)
        for (uint32_t x = left; x < left + PATCH; x++) {
            const double here = at(picture, x, y);
            seen.light += here;
            seen.peak = fmax(seen.peak, here);
            pixels += here > threshold;
        }
    seen.radius = sqrt(pixels / M_PI);
    return seen;
}

/* The share of a star's light per pixel at this distance: the core (1 - r^2)^2 and the wings. */
static double spread(const struct optics *optics, double wings, double distance)
{
    const double core = resolved_size(optics, TALL) / 2, width = optics->wings * TALL;
    const double inside = fmax(1 - distance * distance / (core * core), 0);
    return (1 - wings) * inside * inside * 3 / (M_PI * core * core) +
           wings * width / (2 * M_PI * pow(distance * distance + width * width, 1.5));
}

/* The radius at which a star of this light falls below the threshold. */
static double expected(const struct optics *optics, double wings, double light, double threshold)
{
    double low = 0, high = PATCH;
    for (int i = 0; i < 50; i++) {
        const double middle = (low + high) / 2;
        *(light * spread(optics, wings, middle) > threshold ? &low : &high) = middle;
    }
    return low;
}

TEST(a_star_is_as_large_as_its_light_makes_it)
{
    need_gl(state);
    struct renderer_params params = isolated("telescope", 2 * ACROSS);
    const struct draw_group alone = {
        .first = ACROSS + ACROSS / 2, .count = 1, .light = 1, .tint = {1, 1, 1}};
    const int cell = (int)alone.first;
    struct picture picture;
    params.groups = &alone;
    params.group_count = 1;
    params.look.glow = 0;
    draw(&params, 0, &picture);
    const double all = look_at(&picture, cell, 0).light;
    free(picture.data);
    params.look.glow = 0.35;
    draw(&params, 0, &picture);
    double before = 0;
    /* brighter by a factor of ten each time: the threshold falls instead of the light rising */
    for (double threshold = 0.01 * all; threshold > 2e-5 * all; threshold /= 10) {
        const double found = look_at(&picture, cell, threshold).radius;
        const double theory = expected(params.look.optics, 0.35, all, threshold);
        print_message("%g of the light in a pixel: %.2f pixels from the star, %.2f expected\n",
                      threshold / all, found, theory);
        assert_true(fabs(found / theory - 1) < 0.15);
        assert_true(found > 1.4 * before);
        before = found;
    }
    free(picture.data);
}

static int by_size(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* The apparent radii of stars of all luminosities, sorted. */
static void sizes_of(const char *optics, double out[ACROSS * UP])
{
    const struct renderer_params params = isolated(optics, ACROSS * UP);
    struct picture picture;
    double faintest = INFINITY;
    draw(&params, 0, &picture);
    for (int i = 0; i < ACROSS * UP; i++)
        faintest = fmin(faintest, look_at(&picture, i, 0).peak);
    for (int i = 0; i < ACROSS * UP; i++)
        out[i] = look_at(&picture, i, faintest / 2).radius;
    free(picture.data);
    qsort(out, ACROSS * UP, sizeof *out, by_size);
}

TEST(stars_are_not_equal_discs)
{
    need_gl(state);
    static const char *const names[] = {"lens", "telescope"};
    for (int i = 0; i < 2; i++) {
        double sizes[ACROSS * UP];
        const int last = ACROSS * UP - 1;
        sizes_of(names[i], sizes);
        const double median = sizes[last / 2], wide = sizes[9 * last / 10] / sizes[last / 10];
        print_message("%s: median %.2f pixels, 10 to 90 %% of stars %.2f, largest %.1f\n", names[i],
                      median, wide, sizes[last] / median);
        assert_true(i == 0 || (wide > 1.5 && sizes[last] > 2 * median && median < 2.5));
    }
}

/* The pink maxima of a cell that are at least half as bright as the brightest of them. */
static int pink_equals(const struct picture *picture, int cell)
{
    const uint32_t left = PATCH * (uint32_t)(cell % ACROSS),
                   top = PATCH * (uint32_t)(cell / ACROSS);
    double most = 0, maxima[PATCH * PATCH];
    int count = 0, equals = 0;
    for (uint32_t y = top + 1; y < top + PATCH - 1; y++)
        for (uint32_t x = left + 1; x < left + PATCH - 1; x++) {
            const double red = channel_at(picture, x, y, 0);
            bool highest = red > 2 * channel_at(picture, x, y, 2);
            for (uint32_t k = 0; k < 9 && highest; k++)
                highest = red >= channel_at(picture, x + k % 3 - 1, y + k / 3 - 1, 0);
            if (highest)
                maxima[count++] = red;
            most = highest ? fmax(most, red) : most;
        }
    for (int i = 0; i < count; i++)
        equals += maxima[i] > 0.5 * most;
    return equals;
}

/* Gas that glows is clouds around young stars, and not eight equal dots. */
TEST(gas_is_not_clumps_of_equal_dots)
{
    need_gl(state);
    struct renderer_params params = isolated("telescope", ACROSS * UP);
    struct picture picture;
    int glowing = 0, clumps = 0;
    params.look.color = choose(&colour_registry, "stars");
    params.look.stars = 8;
    params.look.glow = 0;
    for (int i = 0; i < ACROSS * UP; i++) {
        values_of(COLUMN_AGE)[i] = 0;
        values_of(COLUMN_DISTANCE)[i] = 0.7f;
    }
    draw(&params, 0, &picture);
    for (int i = 0; i < ACROSS * UP; i++) {
        const int equals = pink_equals(&picture, i);
        glowing += equals > 0;
        clumps += equals >= 5;
    }
    print_message("%d of %d glow, %d are clumps of equals\n", glowing, ACROSS * UP, clumps);
    assert_true(glowing > 4 && clumps == 0);
    free(picture.data);
}

/* Stars have individual colours, unless the colour shows a value. */
TEST(values_keep_their_colour)
{
    need_gl(state);
    static const char *const colours[] = {"velocity", "speed"};
    for (int i = 0; i < 2; i++) {
        struct renderer_params params = starry(SIDE, 40);
        struct picture picture;
        double most = 0;
        params.look.color = choose(&colour_registry, colours[i]);
        params.look.map = choose(&colour_map_registry, "viridis"); /* has red and blue */
        params.look.exposure.factor = 0.1; /* far below the light at which colours fade */
        place(0, SIDE, SIDE, SIDE / 2.0, SIDE / 2.0);
        for (int c = 0; c < 3; c++)
            view_of(1, 0)->velocity[c] = 0;
        values_of(COLUMN_DISTANCE)[0] = 1.5f;
        draw(&params, 0, &picture);
        double whole[3];
        for (int c = 0; c < 3; c++)
            whole[c] = spot_within(&picture, c, 0, 0, SIDE, SIDE).light;
        for (uint32_t y = 0; y < SIDE; y += 4)
            for (uint32_t x = 0; x < SIDE; x += 4) {
                const double r = spot_within(&picture, 0, x, y, 4, 4).light / whole[0];
                const double b = spot_within(&picture, 2, x, y, 4, 4).light / whole[2];
                if (r > 0.002)
                    most = fmax(most, fabs(log(b / r)));
            }
        print_message("%s: colours %g apart\n", colours[i], most);
        assert_true(i == 0 ? most > 0.1 : most < 0.02);
        free(picture.data);
    }
}

/* The colour, log of blue to red, of the brightest places of bodies relative to the rest. */
static double colour_of_brightest(float age)
{
    enum { CELL = 4, CELLS = (SIDE / CELL) * (SIDE / CELL), BODIES = 20 };
    struct renderer_params params = starry(SIDE, 40);
    struct picture picture;
    double colour[2] = {0}, most = 0;
    static double red[CELLS], blue[CELLS];
    int count[2] = {0}, cell = 0;
    params.look.color = choose(&colour_registry, "stars");
    params.look.resolved = 1;
    for (int i = 0; i < BODIES; i++) {
        place(i, SIDE, SIDE, (i % 5 + 0.5) * SIDE / 5, (i / 5 + 0.5) * SIDE / 4);
        values_of(COLUMN_DISTANCE)[i] = 1.5f;
        values_of(COLUMN_AGE)[i] = age;
    }
    params.look.exposure.factor = 0.1; /* far below the light at which colours fade */
    params.count = BODIES;
    draw(&params, 0, &picture);
    for (uint32_t y = 0; y + CELL <= SIDE; y += CELL)
        for (uint32_t x = 0; x + CELL <= SIDE; x += CELL, cell++) {
            red[cell] = spot_within(&picture, 0, x, y, CELL, CELL).light;
            blue[cell] = spot_within(&picture, 2, x, y, CELL, CELL).light;
            most = fmax(most, red[cell] + blue[cell]);
        }
    for (int i = 0; i < cell; i++) {
        const double light = red[i] + blue[i];
        if (light < 0.005 * most || !(red[i] > 0 && blue[i] > 0))
            continue;
        const int bright = light > 0.3 * most;
        colour[bright] += log(blue[i] / red[i]);
        count[bright]++;
    }
    for (int i = 0; i < BODIES; i++)
        values_of(COLUMN_AGE)[i] = -1;
    free(picture.data);
    assert_true(count[0] > 5 && count[1] > 2);
    return colour[1] / count[1] - colour[0] / count[0];
}

TEST(old_stars_have_red_giants)
{
    need_gl(state);
    const double old = colour_of_brightest(12), young = colour_of_brightest(1);
    print_message("the brightest stars are %g bluer than the rest where old, %g where young\n", old,
                  young);
    assert_true(old < young - 0.4); /* the same stars */
}

TESTS(open_gl, NULL)
