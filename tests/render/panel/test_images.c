/* Periodic copies of a box: the same picture as of bodies that are all there, and all of the mass.
 */
#include "tests/support/choose.h"
#include "tests/support/test.h"

#include "render/draw.h"
#include "render/panel/images.h"
#include "render/sprites/modes.h"
#include "tests/support/films/drawing.h"

#include <math.h>
#include <string.h>

enum { SIDE = 160, BODIES = 140, PLANE = 1000 };

static double pixels_per_unit(void)
{
    return SIDE / (2 * tan(10 * M_PI / 180) * 100);
}

/* Kernels, whose light is the surface density of mass. */
static struct renderer_params measured(size_t count)
{
    struct renderer_params params = usual(PICTURE_RGBAF32, SIDE, SIDE);
    params.look.size = choose(&sprite_sizing_registry, "kernel");
    params.look.tone = choose(&tone_registry, "linear");
    params.look.weight = choose(&light_weight_registry, "mass");
    params.look.exposure = (struct exposure){.surface = true};
    params.found.look.spacing = 0.37;
    params.count = count;
    return params;
}

static double part(int k, double by)
{
    return fmod((k + 0.5) * by, 1);
}

/* Bodies of the box from low on, in the images from - copies to copies along each axis. */
static void fill_box(const double low[3], const double edge[3], int copies)
{
    int at = 0;
    for (int image = 0; image < (2 * copies + 1) * (2 * copies + 1) * (2 * copies + 1); image++) {
        const int across = 2 * copies + 1;
        const int by[3] = {image % across - copies, image / across % across - copies,
                           image / across / across - copies};
        for (int k = 0; k < BODIES; k++, at++) {
            struct view *view = (struct view *)view_of(BODIES_MAX, 0);
            const double in[3] = {part(k, 0.754877666), part(k, 0.569840291), part(k, 0.36)};
            for (int c = 0; c < 3; c++)
                view->position[4 * at + c] = (float)(low[c] + (in[c] + by[c]) * edge[c]);
            view->position[4 * at + 3] = (float)(0.5 + k % 7 / 6.0);
            values_of(COLUMN_KERNEL)[at] = (float)((2 + k % 30) / pixels_per_unit());
            values_of(COLUMN_DISTANCE)[at] = (float)((1 + k % 12) / pixels_per_unit());
        }
    }
}

static double value_at(const struct picture *picture, uint32_t x, uint32_t y)
{
    float value;
    memcpy(&value,
           picture->data + picture->layout.plane[0].offset + y * picture->layout.plane[0].stride +
               4 * x * sizeof value,
           sizeof value);
    return (double)value;
}

/* The largest difference, relative to the largest value. */
static double apart(const struct picture *a, const struct picture *b)
{
    double most = 0, off = 0;
    for (uint32_t y = 0; y < a->layout.height; y++)
        for (uint32_t x = 0; x < a->layout.width; x++) {
            most = fmax(most, value_at(a, x, y));
            off = fmax(off, fabs(value_at(a, x, y) - value_at(b, x, y)));
        }
    assert_true(most > 0);
    return off / most;
}

static struct universe_found universe_of(const double low[3], const double edge[3])
{
    struct universe_found universe = {.age = 0};
    for (int c = 0; c < 3; c++) {
        universe.edge[c] = edge[c];
        universe.low[c] = low[c];
        universe.high[c] = low[c] + edge[c];
    }
    return universe;
}

/* With the bodies of 27 boxes: of every kind of sprite, from near and far, with and without a slab,
 * drawn and computed. */
TEST(copies_are_like_bodies)
{
    need_gl(state);
    static const struct {
        const char *size, *mode, *color;
        double distance, slab;
        bool streaks;
        const char *projection;
    } cases[] = {{"kernel", "sprites", "constant", 100, 0, false, NULL},
                 {"kernel", "sprites", "constant", 14, 0, false, NULL},
                 {"kernel", "sprites", "constant", 100, 6, false, NULL},
                 {"adaptive", "sprites", "constant", 60, 0, true, NULL},
                 {"fixed", "sprites", "density", 60, 0, false, NULL},
                 {"adaptive", "sprites", "constant", 3, 0, false, "equirect"},
                 {"fixed", "sprites", "constant", 60, 0, false, "side-by-side"},
                 {"fixed", "activity", "constant", 100, 0, false, NULL}};
    const double low[3] = {-6, -5, -4}, edge[3] = {12, 10, 9};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct renderer_params params = measured(BODIES);
        struct picture copies, bodies, computed;
        if (strcmp(cases[i].size, "kernel") != 0)
            params.look.exposure = (struct exposure){.factor = 1};
        params.look.size = choose(&sprite_sizing_registry, cases[i].size);
        params.look.mode = choose(&draw_mode_registry, cases[i].mode);
        params.look.color = choose(&colour_registry, cases[i].color);
        params.look.shutter = cases[i].streaks ? 0.5 : 0;
        params.camera.distance = cases[i].distance;
        if (cases[i].projection) {
            params.camera.projection = choose(&projection_registry, cases[i].projection);
            params.height = SIDE / 2;
        }
        params.look.slab = cases[i].slab;
        params.look.slab_axis = choose(&slab_axis_registry, "z");
        params.look.slab_at = 3; /* across the edge of the box */
        params.found.universe = universe_of(low, edge);
        params.look.copies = 1;
        fill_box(low, edge, 0);
        draw(&params, 0, &copies);
        params.passes = PASSES_COMPUTED;
        draw(&params, 0, &computed);
        params.passes = PASSES_USUAL;
        params.look.copies = 0;
        params.count = (size_t)27 * BODIES;
        fill_box(low, edge, 1);
        draw(&params, 0, &bodies);
        const double off = apart(&bodies, &copies), other = apart(&bodies, &computed);
        print_message("%s %s from %g: %.2g apart, computed %.2g\n", cases[i].mode, cases[i].size,
                      cases[i].distance, off, other);
        const bool half = strcmp(cases[i].size, "fixed") == 0; /* floats add up the light */
        assert_true(off < (half ? 3e-3 : 1e-4) && other < (half ? 3e-3 : 3e-4));
        free(copies.data);
        free(bodies.data);
        free(computed.data);
    }
}

/* A box as large as the picture, of bodies in a plane within a slab and others outside: with copies
 * the map has the mass of the slab's bodies, because what a kernel loses at an edge comes back at
 * the other. Moved around the box, the bodies have the same map, moved. */
TEST(mass_with_copies)
{
    need_gl(state);
    const double edge[3] = {30, SIDE / pixels_per_unit(), SIDE / pixels_per_unit()};
    const double low[3] = {-15, -edge[1] / 2, -edge[2] / 2};
    struct renderer_params params = measured(PLANE);
    const struct view *view = view_of(PLANE, 0);
    struct picture map[2], alone;
    double within = 0;
    const int moved[2] = {37, 91}; /* pixels */
    params.found.universe = universe_of(low, edge);
    params.look.slab = 2;
    params.look.slab_axis = choose(&slab_axis_registry, "view");
    params.look.copies = 1;
    for (int round = 0; round < 2; round++) {
        within = 0;
        for (int k = 0; k < PLANE; k++) {
            float *at = view->position + 4 * (size_t)k;
            at[0] = k % 3 ? 0 : 12;
            for (int c = 1; c < 3; c++) {
                const double by = round ? moved[c - 1] / pixels_per_unit() : 0;
                const double in = part(k, c == 1 ? 0.754877666 : 0.569840291) * edge[c] + by;
                at[c] = (float)(low[c] + fmod(in, edge[c]));
            }
            at[3] = (float)(0.5 + k % 7 / 6.0);
            values_of(COLUMN_KERNEL)[k] = (float)((3 + k % 28) / pixels_per_unit());
            within += k % 3 ? (double)at[3] : 0;
        }
        draw(&params, 0, &map[round]);
    }
    params.look.copies = 0;
    draw(&params, 0, &alone);
    double sum = 0, cut = 0, most = 0, off = 0;
    for (uint32_t y = 0; y < SIDE; y++)
        for (uint32_t x = 0; x < SIDE; x++) {
            sum += value_at(&map[0], x, y) / (pixels_per_unit() * pixels_per_unit());
            cut += value_at(&alone, x, y) / (pixels_per_unit() * pixels_per_unit());
            /* y upwards in space, downwards in the picture */
            const uint32_t right = (x + (uint32_t)moved[0]) % SIDE,
                           up = (y + SIDE - (uint32_t)moved[1]) % SIDE;
            most = fmax(most, value_at(&map[0], x, y));
            off = fmax(off, fabs(value_at(&map[0], x, y) - value_at(&map[1], right, up)));
        }
    print_message("%.7g of %.7g, without copies %.4g; moved, %.2g apart\n", sum, within, cut,
                  off / most);
    assert_true(fabs(sum / within - 1) < 1e-4);
    assert_true(cut < 0.97 * within);
    assert_true(off < 1e-3 * most);
    free(map[0].data);
    free(map[1].data);
    free(alone.data);
}

/* Colours of a comoving frame are those of the peculiar velocities: at a scale factor of a quarter,
 * of a quarter of the comoving ones. */
TEST(peculiar_velocities)
{
    need_gl(state);
    const double low[3] = {-6, -5, -4}, edge[3] = {12, 10, 9};
    static const char *const modes[] = {"speed", "velocity-rgb", "temperature"};
    for (int m = 0; m < 3; m++) {
        struct renderer_params params = measured(BODIES);
        struct picture maps[2];
        params.look.size = choose(&sprite_sizing_registry, "adaptive");
        params.look.exposure = (struct exposure){.factor = 1};
        params.look.color = choose(&colour_registry, modes[m]);
        params.look.speed = 4;
        fill_box(low, edge, 0);
        for (int round = 0; round < 2; round++) {
            const struct view *view = view_of(BODIES, 0);
            for (int k = 0; k < BODIES; k++) {
                for (int c = 0; c < 3; c++)
                    view->velocity[4 * k + c] =
                        (float)((2 * part(k, 0.41 + 0.1 * c) - 1) * (round ? 3 : 12));
                values_of(COLUMN_DISPERSION)[k] = (float)(part(k, 0.31) * (round ? 1 : 4));
            }
            params.found.universe = (struct universe_found){
                .cosmology = {.matter = 1, .hubble = 1}, .age = 2.0 / 3 / 8, .comoving = !round};
            draw_view(&params, view, &maps[round]);
        }
        print_message("%s: %.2g apart\n", modes[m], apart(&maps[0], &maps[1]));
        assert_true(apart(&maps[0], &maps[1]) < 1e-5);
        free(maps[0].data);
        free(maps[1].data);
    }
}

/* Only images that the picture can show are drawn; those of a box that grows are further apart. */
TEST(which_images)
{
    const double low[3] = {-5, -5, -5}, edge[3] = {10, 10, 0};
    struct universe_found universe = universe_of(low, edge);
    struct camera_aim aims[AIMS];
    struct camera_pose own;
    struct images images = {.count = 0};
    const struct camera_window window = {.width = 160, .height = 90, .columns = 160, .rows = 90};
    for (int i = 0; i < AIMS; i++)
        aims[i] = (struct camera_aim){.eye = {100, 0, 0}, .up = {0, 0, 1}, .fov = 5};
    struct images_of of = {
        .universe = &universe, .copies = 8, .streaks = true, .aims = aims, .window = &window};
    camera_project(&own, &aims[AIM_MIDDLE], &window);
    images_find(&images, &of, &own);
    assert_true(images.count > 17 && images.count < 17 * 9); /* not along z, nor far to the side */
    assert_memory_equal(&images.poses[0], &own, sizeof own);
    assert_memory_equal(images.ends[0].opening, own.view_projection, sizeof own.view_projection);
    own.slab[0] = 1; /* -1 < x < 1 */
    images_find(&images, &of, &own);
    assert_int_equal(images.count, 5); /* twice the picture's width is 31 at the target */
    /* Matter alone: it has grown twofold when it is 2^1.5 times as old. */
    universe.cosmology = (struct cosmology){.matter = 1, .hubble = 1};
    universe.age = 0.1;
    of.time = 0.1 * (pow(2, 1.5) - 1);
    images_find(&images, &of, &own);
    assert_int_equal(images.count, 3);
    for (size_t i = 1; i < images.count; i++)
        assert_true(fabs(fabs((double)images.poses[i].position[1]) - 20) < 1e-4);
    images_free(&images);
}

TESTS(open_gl, NULL)
