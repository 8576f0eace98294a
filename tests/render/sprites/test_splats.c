/* Sprites added up by compute shaders, captured or drawn: the same light. Computed, the same bits
 * for any order of the bodies. */
#include "tests/support/choose.h"
#include "tests/support/test.h"

#include "render/draw.h"
#include "render/sprites/modes.h"
#include "tests/support/films/drawing.h"
#include "render/colour/colour.h"

#include <math.h>
#include <string.h>

enum { CROWD = 3000, ACROSS = 160, ROWS = 90 };

/* A crowd in the middle and fewer bodies further out, with sprites of all sizes. */
static void crowd(int shift)
{
    for (int k = 0; k < CROWD; k++) {
        const int i = (k + shift) % CROWD;
        const double part = (k + 0.5) / CROWD, reach = 0.7 * part * part * part;
        place(i, ACROSS, ROWS, ACROSS * (0.5 + reach * cos(2.4 * k)),
              ROWS * (0.5 + reach * sin(2.4 * k)));
        struct view *view = (struct view *)view_of(CROWD, 0);
        view->position[4 * i] = (float)(3 * sin(1.7 * k));
        view->position[4 * i + 3] = (float)(0.5 + k % 3);
        view->velocity[4 * i] = (float)(0.7 * cos(0.7 * k));
        view->velocity[4 * i + 1] = (float)(0.7 * sin(1.1 * k));
        view->velocity[4 * i + 2] = (float)(0.7 * cos(1.9 * k + 1));
        values_of(COLUMN_ACCELERATION)[i] = (float)(k % 11) / 11;
        values_of(COLUMN_ABSENT)[i] = k % 50 == 7;
        values_of(COLUMN_DISTANCE)[i] = k % 97 == 5 ? INFINITY : (float)(0.02 + 30 * reach * reach);
    }
}

static const struct draw_group groups[] = {
    {.first = 0, .count = 1300, .light = 1, .tint = {1, 0.5f, 0.2f}},
    {.first = 1500, .count = CROWD - 1500, .light = 0.3f, .tint = {0.2f, 0.4f, 1}},
};

static bool software;

/* Set-up: without compute shaders there is nothing to compare. */
static int open_compute(void **state)
{
    open_gl(state);
    struct renderer_params params = usual(PICTURE_RGBA8, WIDTH, HEIGHT);
    struct renderer *renderer;
    params.passes = PASSES_COMPUTED;
    if (!*state)
        return 0;
    if (renderer_open(&renderer, &params) != STATUS_OK) {
        print_message("no GL: %s\n", status_text());
        *state = NULL;
    }
    renderer_close(&renderer);
    software = *state && drawn_by_software();
    return 0;
}

static struct renderer_params crowded(const char *colour, const char *tone)
{
    struct renderer_params params = usual(PICTURE_RGBA16, ACROSS, ROWS);
    params.look.size = choose(&sprite_sizing_registry, "adaptive");
    params.look.color = choose(&colour_registry, colour);
    params.look.tone = choose(&tone_registry, tone);
    params.look.exposure.factor = 0.5;
    params.found.look.spacing = 0.3;
    params.count = CROWD;
    params.absences = true;
    params.groups = groups;
    params.group_count = 2;
    crowd(0);
    return params;
}

static struct picture drawn(struct renderer_params params, enum renderer_passes passes)
{
    struct picture picture;
    params.passes = passes;
    draw(&params, 0, &picture);
    return picture;
}

/* Points are placed on a grid of a 256th of a pixel, and on GPUs also clipped on it, which costs
 * points of eight pixels almost a hundredth of their light. */
static void expect_close(const struct picture *points, const struct picture *others, double share)
{
    double off = 0, most = 0, all = 0;
    for (uint32_t y = 0; y < points->layout.height; y++)
        for (uint32_t x = 0; x < 4 * points->layout.width; x++) {
            const int a = sample(points, 0, x, y, 2), b = sample(others, 0, x, y, 2);
            if (x % 4 == 3)
                continue;
            off += abs(a - b);
            all += a;
            most = fmax(most, abs(a - b));
        }
    print_message("%.4f %% apart, at most %.2f %% of white\n", 100 * off / all, most / 655.35);
    assert_true(all / (3.0 * points->layout.width * points->layout.height) > 0.02 * 65535);
    assert_true(off < (software ? share : 4e-3) * all);
    assert_true(most < (software ? 0.004 : 0.015) * 65535);
}

static void both_ways(const struct renderer_params *params)
{
    struct picture points = drawn(*params, PASSES_DRAWN), splats = drawn(*params, PASSES_COMPUTED);
    struct picture usual = drawn(*params, PASSES_USUAL); /* captured if GL is software */
    expect_close(&points, &splats, 2e-4);
    /* The glow of points and splats is in half floats, unlike that of captured light. */
    expect_close(&points, &usual, params->look.glow > 0 ? 1e-3 : 2e-4);
    free(points.data);
    free(splats.data);
    free(usual.data);
}

/* The shutter's samples of two groups of bodies, of which some are absent. */
TEST(samples_agree)
{
    need_gl(state);
    struct renderer_params params = crowded("velocity", "filmic");
    params.look.samples = 3;
    params.look.shutter = 0.5;
    both_ways(&params);
    params.splats_at_once = 1000; /* the groups do not come out even */
    both_ways(&params);
}

TEST(temperatures_agree)
{
    need_gl(state);
    struct renderer_params params = crowded("temperature", "log");
    both_ways(&params);
    params = crowded("temperature", "filmic");
    both_ways(&params);
}

/* By a value of each body, which some lack: as values and as colours, in motion, and with quads. */
TEST(quantities_agree)
{
    need_gl(state);
    float *numbers = values_of(COLUMN_QUANTITY);
    static const char *const tones[] = {"log", "filmic"};
    for (int i = 0; i < CROWD; i++)
        numbers[i] = i % 7 == 2 ? -1 : (float)(i % 23) / 22;
    for (int i = 0; i < 2; i++) {
        struct renderer_params params = crowded("quantity", tones[i]);
        both_ways(&params);
        params.look.stars = 3;
        params.look.resolved = 0.5;
        params.look.shutter = 0.5;
        params.splats_at_once = 1000;
        both_ways(&params);
        struct picture with = drawn(params, PASSES_COMPUTED);
        numbers[2000] = numbers[2000] < 0.5f ? 1 : 0; /* of the second group */
        struct picture other = drawn(params, PASSES_COMPUTED);
        assert_false(same_pixels(&with, &other));
        free(with.data);
        free(other.data);
    }
}

/* Also in motion, where a star is a row of splats, and in rounds that end among a body's stars. */
TEST(stars_agree)
{
    need_gl(state);
    struct renderer_params params = crowded("velocity", "log");
    params.look.stars = 5;
    params.look.resolved = 0.6;
    both_ways(&params);
    params.look.shutter = 0.5;
    params.splats_at_once = 1000;
    both_ways(&params);
}

/* A telescope's stars, some of them clouds of glowing gas, behind clouds of dust; also in motion.
 */
TEST(clouds_agree)
{
    need_gl(state);
    struct renderer_params params = crowded("stars", "asinh");
    struct draw_group dusty[] = {groups[0], groups[1]};
    dusty[1].dusty = true;
    for (int i = 1500; i < CROWD; i++)
        values_of(COLUMN_AGE)[i] = i % 2 == 0 ? 0 : 5;
    params.groups = dusty;
    params.look.optics = choose(&optics_registry, "telescope");
    params.look.stars = 5;
    params.look.resolved = 0.6;
    params.look.dust = 0.02;
    both_ways(&params);
    params.look.shutter = 0.5;
    params.splats_at_once = 1000;
    both_ways(&params);
}

/* Paths that overlap more tiles than one list has room for. */
TEST(long_paths_agree)
{
    need_gl(state);
    struct renderer_params params = crowded("velocity", "log");
    struct view *view = (struct view *)view_of(CROWD, 0);
    for (int i = 0; i < CROWD; i++)
        view->velocity[4 * i] *= i % 3 == 0 ? 15 : 1;
    params.look.shutter = 0.5;
    params.look.stars = 2;
    params.look.resolved = 0.3;
    params.splats_at_once = 1000;
    both_ways(&params);
    params.width = 96;
    params.height = 48;
    params.camera.projection = choose(&projection_registry, "equirect");
    params.camera.distance = 12;
    both_ways(&params);
}

/* Captured light is in host memory, where its glow is made. The sizes of its levels are odd and
 * even. */
TEST(glows_agree)
{
    need_gl(state);
    struct renderer_params params = crowded("velocity", "log");
    params.look.glow = 0.5;
    both_ways(&params);
    params.width -= 3;
    params.height -= 5;
    both_ways(&params);
    params.look.bloom = 0.2; /* and spikes are made of light without the glow */
    params.look.spikes = 0.2;
    both_ways(&params);
    params.look.background_stars = 50; /* they glow too */
    both_ways(&params);
}

TEST(eyes_agree)
{
    need_gl(state);
    struct renderer_params params = crowded("density", "log");
    params.camera.projection = choose(&projection_registry, "side-by-side");
    both_ways(&params);
}

TEST(spheres_agree)
{
    need_gl(state);
    struct renderer_params params = crowded("acceleration", "linear");
    params.width = 96;
    params.height = 48;
    params.camera.projection = choose(&projection_registry, "equirect");
    params.camera.distance = 12;
    params.look.profile = choose(&sprite_profile_registry, "plummer");
    params.look.weight = choose(&light_weight_registry, "mass");
    both_ways(&params);
}

/* Gas beside bodies with stars. */
TEST(kernels_agree)
{
    need_gl(state);
    struct renderer_params params = crowded("quantity", "log");
    float *kernels = values_of(COLUMN_KERNEL);
    for (int i = 0; i < CROWD; i++)
        kernels[i] = i % 3 ? (float)(0.1 + 0.002 * (i % 1000)) : 0;
    params.look.size = choose(&sprite_sizing_registry, "kernel");
    params.look.stars = 3;
    params.look.resolved = 0.55;
    both_ways(&params);
}

TEST(differences_agree)
{
    need_gl(state);
    struct panel_params panels[2] = {{.zoom = 1}, {.zoom = 1, .difference = true}};
    struct renderer_params params = crowded("speed", "log");
    for (int i = 0; i < 2; i++)
        panels[i].title = panels[i].follow = "";
    params.look.panels = panels;
    params.look.panel_count = 2;
    params.look.profile = choose(&sprite_profile_registry, "gaussian");
    both_ways(&params);
}

/* Integer sums: the same bits for bodies in any order, in any number of rounds. */
TEST(any_order_gives_the_same_bits)
{
    need_gl(state);
    static const struct draw_group everything = {.count = CROWD, .light = 1, .tint = {1, 1, 1}};
    struct renderer_params params = crowded("speed", "log");
    params.groups = &everything;
    params.group_count = 1;
    struct picture first = drawn(params, PASSES_COMPUTED);
    for (int i = 1; i < 3; i++) {
        crowd(i * 997);
        params.splats_at_once = (size_t)i * 800;
        struct picture next = drawn(params, PASSES_COMPUTED);
        assert_true(same_pixels(&first, &next));
        free(next.data);
    }
    free(first.data);
}

/* ---- crowds ---- */

/* So few pixels that small splats are added up in shared memory first. */
static struct renderer_params overcrowded(const char *colour, const char *tone)
{
    struct renderer_params params = crowded(colour, tone);
    params.width = 24;
    params.height = 14;
    params.look.exposure.factor = 0.1;
    assert_true(CROWD >= sizing_crowd(params.width, params.height));
    return params;
}

TEST(crowds_agree)
{
    need_gl(state);
    struct renderer_params params = overcrowded("velocity", "log");
    both_ways(&params);
    params.look.stars = 5;
    params.look.resolved = 0.6;
    both_ways(&params);
    params.look.shutter = 0.5;
    params.splats_at_once = 1000;
    both_ways(&params);
    params = overcrowded("quantity", "filmic");
    params.look.profile = choose(&sprite_profile_registry, "plummer");
    both_ways(&params);
    /* Periodic copies, which lie beside and behind. */
    params = overcrowded("velocity", "log");
    params.look.copies = 1;
    for (int c = 0; c < 3; c++)
        params.found.universe.edge[c] = params.found.universe.high[c] = 9;
    both_ways(&params);
}

/* Small splats that are too bright or too faint for the window's numbers. */
TEST(crowds_of_unequal_light_agree)
{
    need_gl(state);
    struct renderer_params params = overcrowded("velocity", "log");
    struct view *view = (struct view *)view_of(CROWD, 0);
    params.look.weight = choose(&light_weight_registry, "mass");
    params.look.exposure.factor = 1e-3;
    for (int i = 0; i < CROWD; i++)
        view->position[4 * i + 3] = i % 40 == 0 ? 3000 : i % 2 ? 1e-4f : 1;
    both_ways(&params);
    for (int i = 0; i < CROWD; i += 40)
        view->position[4 * i + 3] = 20;
    params.look.exposure.factor = 0.1;
    params.look.stars = 4;
    params.look.resolved = 0.5;
    both_ways(&params);
    /* Nothing but small ones that are faint, and one that is not. */
    params.look.exposure.factor = 300;
    for (int i = 0; i < CROWD; i++) {
        view->position[4 * i + 3] = i > 0 ? 1e-3f : 1;
        values_of(COLUMN_DISTANCE)[i] = 0.02f;
    }
    struct picture points = drawn(params, PASSES_DRAWN), splats = drawn(params, PASSES_COMPUTED);
    expect_close(&points, &splats, 1e-3);
    free(points.data);
    free(splats.data);
}

/* A group's bodies in any order, and more light than a window's numbers have room for. */
TEST(crowds_in_any_order_give_the_same_bits)
{
    need_gl(state);
    static uint32_t order[CROWD];
    static float position[CROWD][4], velocity[CROWD][4], distance[CROWD];
    struct renderer_params params = overcrowded("speed", "log");
    for (int bright = 0; bright < 2; bright++) {
        for (int i = 0; i < CROWD && bright; i++)
            place(i, params.width, params.height, 12.3 + i % 3 * 0.1, 7.4);
        params.look.stars = bright ? 4 : 0;
        params.look.resolved = bright ? 0.5 : 0;
        params.ordered = false;
        struct picture first = drawn(params, PASSES_COMPUTED);
        params.ordered = true;
        params.passes = PASSES_COMPUTED;
        for (uint32_t i = 0; i < CROWD; i++)
            order[i] = i < 1300 ? (i * 7 + 5) % 1300 : i < 1500 ? i : 1500 + (i * 11) % 1500;
        struct view ordered = *view_of(CROWD, 0);
        ordered.order = order;
        ordered.along = (struct view_along){position[0], velocity[0], distance};
        for (int i = 0; i < CROWD; i++) {
            memcpy(position[i], ordered.position + 4 * order[i], sizeof *position);
            memcpy(velocity[i], ordered.velocity + 4 * order[i], sizeof *velocity);
            distance[i] = values_of(COLUMN_DISTANCE)[order[i]];
        }
        struct picture next;
        draw_view(&params, &ordered, &next);
        assert_true(same_pixels(&first, &next));
        free(first.data);
        free(next.data);
    }
}

TESTS(open_compute, NULL)
