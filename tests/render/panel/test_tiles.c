/* A picture drawn in tiles is the same as the picture drawn at once. */
#include "tests/support/choose.h"
#include "tests/support/test.h"

#include "tests/support/films/drawing.h"

#include <math.h>
#include <string.h>

enum { SIDE = 256, TILE_W = 96, TILE_H = 64 };

static struct renderer_params many_bodies(enum picture_format format, size_t count)
{
    struct renderer_params params = usual(format, SIDE, SIDE);
    params.count = count;
    params.look.exposure.factor = 0.5;
    for (size_t i = 0; i < count; i++) {
        const double turn = 2.39996 * (double)i, reach = 150 * sqrt((double)i / (double)count);
        place((int)i, SIDE, SIDE, SIDE / 2.0 + reach * cos(turn), SIDE / 2.0 + reach * sin(turn));
    }
    return params;
}

/* Assembled from tiles that extend over the right and lower edges; otherwise like draw. */
static void draw_tiles(const struct renderer_params *params, uint64_t frame, struct picture *out)
{
    struct renderer_params tile = *params;
    struct draw_group group = *params->groups;
    struct renderer *renderer;
    struct picture *picture;
    const struct view *view = view_of(params->count, frame);
    group.count = params->count;
    if (params->group_count == 1)
        tile.groups = &group;
    tile.whole_width = params->width;
    tile.whole_height = params->height;
    tile.width = TILE_W;
    tile.height = TILE_H;
    assert_ok(renderer_open(&renderer, &tile));
    assert_ok(renderer_bind(renderer));
    assert_ok(renderer_meter(renderer, view));
    assert_ok(renderer_picture_create(renderer, &picture));
    picture_layout(&out->layout, params->format, params->width, params->height);
    out->data = malloc(out->layout.size);
    assert_non_null(out->data);
    const size_t pixel = params->format == PICTURE_RGBA16 ? 8 : 4;
    for (uint32_t y = 0; y < params->height; y += TILE_H) {
        for (uint32_t x = 0; x < params->width; x += TILE_W) {
            const uint32_t left = params->width - x, lower = params->height - y;
            renderer_set_tile(renderer, x, y);
            assert_ok(renderer_submit(renderer, view, picture));
            assert_ok(renderer_wait(renderer));
            for (uint32_t row = 0; row < TILE_H && row < lower; row++)
                memcpy(out->data + (size_t)(y + row) * out->layout.plane[0].stride + x * pixel,
                       picture->data + (size_t)row * picture->layout.plane[0].stride,
                       pixel * (left < TILE_W ? left : TILE_W));
        }
    }
    renderer_picture_destroy(renderer, &picture);
    renderer_unbind(renderer);
    renderer_close(&renderer);
}

/* The largest difference of two pictures' samples, and how much is lit at all. */
static int difference(const struct picture *a, const struct picture *b, int *lit)
{
    const int bytes = a->layout.format == PICTURE_RGBA16 ? 2 : 1;
    int worst = 0;
    *lit = 0;
    assert_int_equal(a->layout.size, b->layout.size);
    for (uint32_t y = 0; y < a->layout.height; y++) {
        for (uint32_t i = 0; i < 4 * a->layout.width; i++) {
            const int one = sample(a, 0, i, y, bytes), other = sample(b, 0, i, y, bytes);
            worst = abs(one - other) > worst ? abs(one - other) : worst;
            *lit += i % 4 < 3 && one > 0;
        }
    }
    return worst;
}

/* GPUs place and add up sprites slightly differently in another target: less than one code of 8
 * bits. */
static void compare(struct renderer_params *params, int tolerance)
{
    if (params->format == PICTURE_RGBA16 && tolerance < 256 && !drawn_by_software())
        tolerance = 256;
    struct picture whole, tiled;
    int lit;
    draw(params, 3, &whole);
    draw_tiles(params, 3, &tiled);
    const int worst = difference(&whole, &tiled, &lit);
    if (worst > tolerance || lit < 10000)
        fail_msg("%d apart, %d samples lit", worst, lit);
    free(whole.data);
    free(tiled.data);
}

TEST(tiles_are_the_whole)
{
    need_gl(state);
    struct renderer_params params = many_bodies(PICTURE_RGBA8, 400);
    compare(&params, 1);
    params.format = PICTURE_RGBA16;
    compare(&params, 64);
    params.look.mode = choose(&draw_mode_registry, "points");
    compare(&params, 64);
    params.look.mode = choose(&draw_mode_registry, "sprites");
    params.look.samples = 4;
    compare(&params, 64);
    params.look.samples = 1;
    params.look.mode = choose(&draw_mode_registry, "activity");
    params.look.cells = 48;
    params.found.look.fullest = 8;
    compare(&params, 64);
    params.look.mode = choose(&draw_mode_registry, "sprites");
    params.look.color = choose(&colour_registry, "density");
    params.found.look.densest = 4;
    compare(&params, 400); /* the map is the same, but texture coordinates are rounded */
    params.look.radius = 1.5;
    params.look.color = choose(&colour_registry, "velocity-rgb");
    compare(&params, 64);
    params.look.size = choose(&sprite_sizing_registry, "adaptive");
    for (int i = 0; i < 400; i++)
        values_of(COLUMN_DISTANCE)[i] = (float)(0.2 * pow(1.5, i % 12));
    compare(&params, 64);
    params.look.tone = choose(&tone_registry, "log");
    compare(&params, 64);
    params.look.shutter = 0.5; /* of a camera that moves */
    params.camera.orbit = 60;
    params.frames = 8;
    compare(&params, 64);
}

/* The overview of so small a picture has its size, so that the glow is the same as well. */
TEST(glow_and_exposure_are_the_whole_picture_s)
{
    need_gl(state);
    struct renderer_params params = many_bodies(PICTURE_RGBA8, 400);
    params.look.bloom = 0.5;
    params.look.exposure.factor = 0;
    compare(&params, 2);
}

/* Stars behind dark bodies: nothing but them, bit by bit, and then their glow as well. */
TEST(background_stars_are_the_whole_picture_s)
{
    need_gl(state);
    struct renderer_params params = many_bodies(PICTURE_RGBA16, 400);
    params.look.background_stars = 40000;
    params.look.background_light = 20;
    params.seed = 5;
    const struct draw_group *bodies = params.groups;
    const struct draw_group dark = {.first = 0, .count = 400, .tint = {1, 1, 1}};
    params.groups = &dark;
    compare(&params, 0);
    params.groups = bodies;
    params.format = PICTURE_RGBA8;
    params.look.glow = 0.5;
    params.look.spikes = 0.3;
    compare(&params, 2);
}

TEST(dust_is_the_whole_picture_s)
{
    need_gl(state);
    struct renderer_params params = many_bodies(PICTURE_RGBA16, 400);
    struct view *view = (struct view *)view_of(400, 3);
    const struct draw_group groups[] = {
        {.first = 0, .count = 400, .light = 1, .tint = {1, 1, 1}},
        {.first = 0, .count = 300, .light = 1, .tint = {1, 1, 1}, .dusty = true}};
    for (int i = 0; i < 400; i++)
        view->position[4 * i] = (float)(10 * sin(i));
    params.groups = groups;
    params.group_count = 2;
    params.look.dust = 1;
    compare(&params, 64);
    params.format = PICTURE_RGBA8;
    params.look.glow = 0.5;
    compare(&params, 2);
}

TEST(the_overlay_lies_over_all_tiles)
{
    need_gl(state);
    struct renderer_params params = many_bodies(PICTURE_RGBA8, 400);
    params.overlay = (struct overlay_params){.title = true,
                                             .clock = true,
                                             .scale_bar = true,
                                             .bodies = true,
                                             .size = 70,
                                             .font = "DejaVu Sans",
                                             .length_unit = choose(&length_unit_registry, "kpc")};
    params.labels.title = "Tiles of a picture";
    params.found.duration = 10;
    compare(&params, 1);
}

/* However many tiles a frame has, an adapting exposure advances once. */
TEST(an_exposure_that_adapts_counts_frames)
{
    need_gl(state);
    struct renderer_params params = many_bodies(PICTURE_RGBA8, 400);
    const struct view *view = view_of(params.count, 0);
    struct renderer *renderer;
    struct picture *picture;
    struct draw_group group = *params.groups;
    params.whole_width = params.whole_height = SIDE;
    params.width = params.height = SIDE / 2;
    params.look.exposure.factor = 0;
    params.look.exposure.adapts = true;
    params.labels.fps = 30;
    group.count = params.count;
    params.groups = &group;
    assert_ok(renderer_open(&renderer, &params));
    assert_ok(renderer_bind(renderer));
    assert_ok(renderer_meter(renderer, view));
    assert_ok(renderer_picture_create(renderer, &picture));
    double state_of[RENDERER_STATE], exposure = 0;
    renderer_state(renderer, state_of);
    state_of[2] *= 2;
    renderer_resume(renderer, state_of);
    view = view_of(params.count, 1);
    for (int tile = 0; tile < 4; tile++) {
        renderer_set_tile(renderer, SIDE / 2 * (tile % 2), SIDE / 2 * (tile / 2));
        assert_ok(renderer_submit(renderer, view, picture));
        assert_ok(renderer_wait(renderer));
        if (tile > 0)
            assert_true(renderer_exposure(renderer) == exposure);
        exposure = renderer_exposure(renderer);
    }
    assert_true(exposure > state_of[0]);
    renderer_picture_destroy(renderer, &picture);
    renderer_unbind(renderer);
    renderer_close(&renderer);
}

TESTS(open_gl, NULL)
