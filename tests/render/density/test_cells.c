/* Counted bodies: the activity map, colours by density, differences of two simulations. */
#include "tests/support/choose.h"
#include "tests/support/test.h"

#include "render/camera/camera.h"
#include "render/colour/legend.h"
#include "render/density/density.h"
#include "tests/support/films/drawing.h"

#include <math.h>

enum { CELL = 4 }; /* pixels: 36 rows in 9 cells */

static void shown_at(const struct picture *picture, uint32_t x, uint32_t y, float out[3])
{
    for (uint32_t c = 0; c < 3; c++)
        out[c] = (float)sample(picture, 0, 4 * x + c, y, 2) / 65535;
}

static void assert_shown(const struct picture *picture, uint32_t x, uint32_t y, const char *map,
                         double value)
{
    float found[3], expected[3];
    shown_at(picture, x, y, found);
    colour_map_at(choose(&colour_map_registry, map), (float)value, expected);
    for (int c = 0; c < 3; c++)
        if (fabsf(found[c] - expected[c]) > 0.004f)
            fail_msg("%.3f %.3f %.3f instead of %s(%g) = %.3f %.3f %.3f at %u, %u", found[0],
                     found[1], found[2], map, value, expected[0], expected[1], expected[2], x, y);
}

static struct renderer_params map_params(void)
{
    struct renderer_params params = usual(PICTURE_RGBA16, WIDTH, HEIGHT);
    params.look.mode = choose(&draw_mode_registry, "activity");
    params.look.map = choose(&colour_map_registry, "viridis");
    params.found.look.fullest = 64;
    params.look.exposure.factor = 0; /* metered, but without effect */
    params.look.bloom = 0.5;
    params.look.exposure.adapts = true;
    params.labels.fps = 30;
    return params;
}

/* 1, 8, 64 and 100 bodies in the four cells of a row. */
static size_t fill_cells(void)
{
    static const int counts[] = {1, 8, 64, 100};
    size_t n = 0;
    for (int cell = 0; cell < 4; cell++)
        for (int i = 0; i < counts[cell]; i++, n++)
            place((int)n, WIDTH, HEIGHT, CELL * (2 * cell + 1 + (i + 0.5) / counts[cell]),
                  CELL * (3 + (i * 7 % counts[cell] + 0.5) / counts[cell]));
    return n;
}

/* Between the camera and its near plane, behind the camera, and beyond the far plane. */
TEST(bodies_out_of_sight_are_not_counted)
{
    need_gl(state);
    struct renderer_params params = map_params();
    params.count = 4;
    struct camera_aim aim;
    struct camera *camera;
    assert_ok(camera_open_picture(&camera, &params, 0));
    camera_aim(camera, view_of(1, 0), &aim);
    camera_close(&camera);
    const double distance = camera_aim_distance(&aim);
    static const double places[] = {1 - 1e-4, 1.5, -2000, 0};
    float rows[4][4] = {{0}}, still[4][4] = {{0}};
    for (int i = 0; i < 4; i++) {
        rows[i][0] = (float)(places[i] * distance);
        rows[i][1] = (float)(i == 3 ? -0.2 * distance : 0);
        rows[i][3] = 1;
    }
    struct view view = *view_of(4, 0);
    view.position = rows[0];
    view.velocity = still[0];
    for (int quads = 0; quads < 2; quads++) {
        struct picture picture;
        int lit = 0;
        params.quads = quads;
        draw_view(&params, &view, &picture);
        for (uint32_t y = 0; y < HEIGHT; y++)
            for (uint32_t x = 0; x < WIDTH; x++)
                lit += sample(&picture, 0, 4 * x + 2, y, 2) > 0;
        assert_int_equal(lit, CELL * CELL); /* the last one's */
        free(picture.data);
    }
}

TEST(cells_show_their_numbers)
{
    need_gl(state);
    for (int quads = 0; quads < 2; quads++) {
        struct renderer_params params = map_params();
        struct picture picture;
        params.quads = quads;
        params.count = fill_cells();
        draw(&params, 0, &picture);
        static const double values[] = {0, 0.5, 1, 1};
        for (uint32_t y = 0; y < HEIGHT; y++)
            for (uint32_t x = 0; x < WIDTH; x++) {
                const uint32_t column = x / CELL, row = y / CELL;
                if (row == 3 && column % 2 == 1 && column < 8)
                    assert_shown(&picture, x, y, "viridis", values[column / 2]);
                else
                    for (uint32_t c = 0; c < 3; c++)
                        assert_int_equal(sample(&picture, 0, 4 * x + c, y, 2), 0);
            }
        free(picture.data);
    }
}

/* As many cells as requested, for any size; the last column is narrower. */
TEST(cells_fill_the_picture)
{
    need_gl(state);
    for (uint32_t cells = 7; cells <= 50; cells += 43) {
        struct renderer_params params = map_params();
        struct picture picture;
        params.look.cells = cells;
        place(0, WIDTH, HEIGHT, 63.5, 0.5);
        draw(&params, 0, &picture);
        const double side = cells > HEIGHT ? 1 : (double)HEIGHT / cells;
        size_t lit = 0;
        for (uint32_t y = 0; y < HEIGHT; y++)
            for (uint32_t x = 0; x < WIDTH; x++)
                lit += sample(&picture, 0, 4 * x + 2, y, 2) > 0;
        const double from = floor(63.5 / side) * side, to = fmin(from + side, WIDTH);
        assert_int_equal(lit, (ceil(to - 0.5) - ceil(from - 0.5)) * (side == 1 ? 1 : 5));
        free(picture.data);
    }
}

TEST(no_map_of_the_whole_sphere)
{
    need_gl(state);
    struct renderer *renderer;
    struct renderer_params params = map_params();
    params.width = 128;
    params.height = 64;
    params.camera.projection = choose(&projection_registry, "equirect");
    assert_fails(renderer_open(&renderer, &params), STATUS_USAGE, "camera.projection");
}

static void measure(const struct renderer_params *params, double *fullest, double *densest)
{
    const struct view *view = view_of(params->count, 0);
    struct density_picture picture = {.groups = params->groups,
                                      .group_count = params->group_count,
                                      .cells = params->look.cells,
                                      .width = params->width,
                                      .height = params->height};
    struct camera *camera;
    assert_ok(camera_open_picture(&camera, params, 0));
    camera_aim(camera, view, &picture.aim);
    camera_close(&camera);
    assert_ok(density_scale_measure(&picture, view, fullest, densest));
}

/* The processor counts as the GPU does. */
TEST(density_scale_is_what_is_seen)
{
    need_gl(state);
    struct renderer_params params = map_params();
    double fullest, densest;
    params.count = fill_cells();
    const struct draw_group group = {.count = params.count, .light = 1, .tint = {1, 1, 1}};
    params.groups = &group;
    params.group_count = 1;
    measure(&params, &fullest, &densest);
    assert_true(fullest == 100);
    /* A hundred bodies on 16 square pixels, of which a body counts for 0.23 at most. */
    assert_true(densest > 1 && densest < 5);
    for (int i = 0; i < 50; i++)
        place(i, WIDTH, HEIGHT, 20, 20);
    const struct draw_group few = {.count = 50, .light = 1, .tint = {1, 1, 1}};
    params.groups = &few;
    params.count = 50;
    measure(&params, &fullest, &densest);
    assert_true(fullest == 50 && densest > 40 && densest <= 50);
}

/* Bodies count on every side of the camera. */
TEST(density_scale_is_of_the_whole_sphere)
{
    need_gl(state);
    enum { COUNT = 50 };
    static const double sides[6][3] = {{1, 0, 0},  {-1, 0, 0}, {0, 1, 0},
                                       {0, -1, 0}, {0, 0, 1},  {0, 0, -1}};
    struct renderer_params params = map_params();
    float rows[COUNT][4] = {{0}}, still[COUNT][4] = {{0}};
    const struct draw_group group = {.count = COUNT, .light = 1, .tint = {1, 1, 1}};
    struct density_picture picture = {.groups = &group,
                                      .group_count = 1,
                                      .cells = params.look.cells,
                                      .width = 2 * HEIGHT,
                                      .height = HEIGHT,
                                      .whole_sphere = true};
    struct camera *camera;
    params.count = COUNT;
    assert_ok(camera_open_picture(&camera, &params, 0));
    camera_aim(camera, view_of(COUNT, 0), &picture.aim);
    camera_close(&camera);
    const double distance = camera_aim_distance(&picture.aim);
    for (int side = 0; side < 6; side++) {
        struct view view = *view_of(COUNT, 0);
        double fullest, densest;
        for (int i = 0; i < COUNT; i++)
            for (int c = 0; c < 3; c++)
                rows[i][c] = (float)(picture.aim.eye[c] + distance * (sides[side][c] + 0.011));
        view.position = rows[0];
        view.velocity = still[0];
        assert_ok(density_scale_measure(&picture, &view, &fullest, &densest));
        if (!(densest > COUNT / 5.0 && densest <= COUNT))
            fail_msg("side %d: %g instead of up to %d bodies", side, densest, (int)COUNT);
    }
}

/* Square cells along the shorter side, none smaller than a pixel. */
TEST(cells_are_pixels_at_least)
{
    struct cell_grid grid;
    cell_grid_activity(&grid, 9, WIDTH, HEIGHT);
    assert_true(grid.side == CELL && grid.columns == WIDTH / CELL && grid.rows == 9);
    cell_grid_activity(&grid, 9, HEIGHT, WIDTH);
    assert_true(grid.side == CELL && grid.columns == 9 && grid.rows == WIDTH / CELL);
    cell_grid_activity(&grid, 1000, WIDTH, HEIGHT);
    assert_true(grid.side == 1 && grid.columns == WIDTH && grid.rows == HEIGHT);
    cell_grid_density(&grid, WIDTH, HEIGHT);
    assert_true(grid.side == (double)HEIGHT / DENSITY_CELLS && grid.border == DENSITY_BORDER &&
                grid.rows == DENSITY_CELLS + 2 * DENSITY_BORDER);
}

/* Bodies just outside the picture count, whichever side they are on. */
TEST(density_counts_beyond_every_edge)
{
    const double across[] = {-2, WIDTH + 2, WIDTH / 2.0, WIDTH / 2.0},
                 down[] = {HEIGHT / 2.0, HEIGHT / 2.0, -2, HEIGHT + 2};
    const struct draw_group group = {.count = 50, .light = 1, .tint = {1, 1, 1}};
    struct renderer_params params = map_params();
    params.groups = &group;
    params.group_count = 1;
    params.count = 50;
    for (int edge = 0; edge < 4; edge++) {
        double fullest, densest;
        for (int i = 0; i < 50; i++)
            place(i, WIDTH, HEIGHT, across[edge], down[edge]);
        measure(&params, &fullest, &densest);
        if (!(fullest == 1 && densest > 30 && densest <= 50))
            fail_msg("edge %d: %g in a cell, %g at the densest place", edge, fullest, densest);
    }
}

/* The colour of one body among `around` at the same place, as a place along the map, 0 to 1, from
 * its green. */
static void density_colour(size_t around, float out[3])
{
    struct renderer_params params = usual(PICTURE_RGBA16, WIDTH, HEIGHT);
    struct picture picture, white;
    params.look.color = choose(&colour_registry, "density");
    params.look.map = choose(&colour_map_registry, "viridis");
    params.found.look.densest = 100;
    params.look.exposure.factor = 0.02 / (double)around;
    params.count = around;
    for (size_t i = 0; i < around; i++)
        place((int)i, WIDTH, HEIGHT, 32.5, 18.5);
    draw(&params, 0, &picture);
    params.look.color = choose(&colour_registry, "constant");
    draw(&params, 0, &white);
    shown_at(&picture, 32, 18, out);
    float reference[3];
    shown_at(&white, 32, 18, reference);
    for (int c = 0; c < 3; c++)
        out[c] /= reference[c];
    free(picture.data);
    free(white.data);
}

TEST(density_is_logarithmic)
{
    need_gl(state);
    static const struct {
        size_t count;
        double value;
    } cases[] = {{1, 0}, {10, 0.5}, {100, 1}, {200, 1}};
    for (size_t i = 0; i < 4; i++) {
        float found[3], expected[3];
        density_colour(cases[i].count, found);
        colour_map_at(choose(&colour_map_registry, "viridis"), (float)cases[i].value, expected);
        for (int c = 0; c < 3; c++)
            if (fabsf(found[c] - expected[c]) >
                0.06f) /* between the middles of cells the interpolated count is lower */
                fail_msg("%zu bodies: %.3f %.3f %.3f instead of %.3f %.3f %.3f", cases[i].count,
                         found[0], found[1], found[2], expected[0], expected[1], expected[2]);
    }
}

/* A single body keeps its colour wherever it is, also near and beyond the edge. */
TEST(density_does_not_flicker)
{
    need_gl(state);
    for (double x = -2; x < 8; x += 0.37) {
        struct renderer_params params = usual(PICTURE_RGBA16, WIDTH, HEIGHT);
        struct picture picture, white;
        params.look.color = choose(&colour_registry, "density");
        params.look.exposure.factor = 0.05;
        place(0, WIDTH, HEIGHT, x, 18.2 + x);
        draw(&params, 0, &picture);
        const struct spot red = spot_within(&picture, 0, 0, 0, WIDTH, HEIGHT);
        const struct spot blue = spot_within(&picture, 2, 0, 0, WIDTH, HEIGHT);
        params.look.color = choose(&colour_registry, "constant");
        draw(&params, 0, &white);
        assert_true(blue.light > 0.001 && red.light < 0.02 * blue.light);
        free(picture.data);
        free(white.data);
    }
}

/* Two simulations; the second panel shows the distance of its body from the first panel's. */
TEST(differences_are_logarithmic)
{
    need_gl(state);
    static const struct {
        double distance, value;
    } cases[] = {{0, 0}, {1e-3 * 2, 0.5}, {2, 1}, {50, 1}};
    for (size_t i = 0; i < 4; i++) {
        struct panel_params panels[2];
        struct renderer_params params = usual(PICTURE_RGBA16, 131, 64);
        float first[4] = {0, 0, 0, 1}, second[4] = {0, 0, 0, 1}, still[4] = {0};
        struct view views[2] = {
            {.memory = VIEW_HOST, .device = -1, .count = 1, .position = first, .velocity = still},
            {.memory = VIEW_HOST, .device = -1, .count = 1, .position = second, .velocity = still},
        };
        struct picture picture;
        for (int p = 0; p < 2; p++)
            panels[p] = (struct panel_params){
                .title = "",
                .follow = "",
                .zoom = 1,
            };
        panels[1].difference = true;
        panels[1].mode = choose(&draw_mode_registry,
                                "sprites-plain"); /* the colour of a plain mode does not count */
        first[0] = (float)-cases[i].distance;     /* behind: the second stays in the middle */
        views[0].next = &views[1];
        params.look.map = choose(&colour_map_registry, "viridis");
        params.look.exposure.factor = 0.02;
        params.look.point_size = 16.0 * 1080 / 64;
        params.look.panels = panels;
        params.look.panel_count = 2;
        params.found.look.extent = 2;
        params.sources = 2;
        params.panel_source[1] = 1;
        draw_view(&params, &views[0], &picture);
        float found[3], white[3], expected[3];
        shown_at(&picture, 98, 32, found);
        shown_at(&picture, 32, 32, white);
        colour_map_at(choose(&colour_map_registry, "viridis"), (float)cases[i].value, expected);
        for (int c = 0; c < 3; c++)
            if (fabsf(found[c] / white[c] - expected[c]) > 0.04f)
                fail_msg("%g: %.3f instead of %.3f", cases[i].distance, found[c] / white[c],
                         expected[c]);
        free(picture.data);
    }
}

TESTS(open_gl, NULL)
