/* Several panels in a picture: their places, their content, and invalid combinations. */
#include "tests/support/choose.h"
#include "tests/support/test.h"

#include "tests/support/films/drawing.h"

#include <math.h>

enum { W = 401, H = 360 }; /* a gap of 1 between the panels */

static const struct panel_params plain = {
    .title = "",
    .follow = "",
    .zoom = 1,
};

static struct renderer_params panels_of(struct panel_params *panels, int count, uint32_t width,
                                        uint32_t height)
{
    struct renderer_params params = usual(PICTURE_RGBA16, width, height);
    for (int i = 0; i < count; i++)
        panels[i] = plain;
    params.look.exposure.factor = 0.5;
    params.look.panels = panels;
    params.look.panel_count = (uint32_t)count;
    return params;
}

/* One body at a point of the plane across the line of sight through the target. */
static void body_at(struct view *view, float position[4], double right, double up)
{
    static float still[4];
    position[0] = 0;
    position[1] = (float)right;
    position[2] = (float)up;
    position[3] = 1;
    *view = (struct view){
        .memory = VIEW_HOST, .device = -1, .count = 1, .position = position, .velocity = still};
}

static double pixels_per_unit(uint32_t height)
{
    return height / (2 * tan(10 * M_PI / 180) * 100);
}

static void assert_spot(const struct picture *picture, int channel, const uint32_t box[4], double x,
                        double y)
{
    struct spot spot = spot_within(picture, channel, box[0], box[1], box[2], box[3]);
    if (!(spot.light > 0.3) || hypot(spot.x - x, spot.y - y) > 0.1)
        fail_msg("light %g at %g, %g instead of %g, %g", spot.light, spot.x, spot.y, x, y);
}

/* Every panel's middle shows the target; nothing is lit elsewhere. */
TEST(panels_share_the_picture)
{
    need_gl(state);
    static const struct {
        int count;
        uint32_t width, height, box[4][4]; /* left, top, width, height */
    } cases[] = {
        {2, W, H, {{0, 0, 200, H}, {201, 0, 200, H}}},
        {3, W, H, {{0, 0, 133, H}, {134, 0, 133, H}, {268, 0, 133, H}}},
        {4, W, H, {{0, 0, 200, 179}, {201, 0, 200, 179}, {0, 180, 200, 179}, {201, 180, 200, 179}}},
        {2, H, W, {{0, 0, H, 200}, {0, 201, H, 200}}},
        {3, H, W, {{0, 0, H, 133}, {0, 134, H, 133}, {0, 268, H, 133}}},
    };
    for (size_t c = 0; c < sizeof cases / sizeof cases[0]; c++) {
        struct panel_params panels[PANELS_MAX];
        struct renderer_params params =
            panels_of(panels, cases[c].count, cases[c].width, cases[c].height);
        struct picture picture;
        struct view view;
        float body[4];
        double sum = 0;
        body_at(&view, body, 0, 0);
        draw_view(&params, &view, &picture);
        for (int i = 0; i < cases[c].count; i++) {
            const uint32_t *box = cases[c].box[i];
            assert_spot(&picture, 0, box, box[0] + box[2] / 2.0, box[1] + box[3] / 2.0);
            sum += spot_within(&picture, 0, box[0], box[1], box[2], box[3]).light;
        }
        assert_true(fabs(sum - total_light(&picture)) < 1e-9 * sum);
        free(picture.data);
    }
}

TEST(each_panel_has_its_source_and_tints)
{
    need_gl(state);
    static const uint32_t left[4] = {0, 0, 200, H}, right[4] = {201, 0, 200, H};
    struct panel_params panels[PANELS_MAX];
    struct renderer_params params = panels_of(panels, 2, W, H);
    const struct draw_group red_group = {.count = 1, .light = 1, .tint = {1, 0, 0}},
                            blue_group = {.count = 1, .light = 1, .tint = {0, 0, 1}};
    struct picture picture;
    struct view view, second;
    float body[4], other[4];
    body_at(&view, body, 5, 3);
    body_at(&second, other, -6, -2);
    view.next = &second;
    panels[1].color = choose(&colour_registry, "galaxy");
    params.look.color = choose(&colour_registry, "component");
    params.sources = 2;
    params.panel_source[1] = 1;
    params.panel_groups[0] = &red_group;
    params.panel_groups[1] = &blue_group;
    draw_view(&params, &view, &picture);
    const double unit = pixels_per_unit(H);
    assert_spot(&picture, 0, left, 100 + 5 * unit, H / 2.0 - 3 * unit);
    assert_spot(&picture, 2, right, 301 - 6 * unit, H / 2.0 + 2 * unit);
    assert_true(spot_within(&picture, 2, left[0], left[1], left[2], left[3]).light < 0.02);
    assert_true(spot_within(&picture, 0, right[0], right[1], right[2], right[3]).light < 0.02);
    free(picture.data);
    /* Both from the second. */
    params.panel_source[0] = 1;
    draw_view(&params, &view, &picture);
    assert_spot(&picture, 0, left, 100 - 6 * unit, H / 2.0 + 2 * unit);
    free(picture.data);
}

TEST(a_panel_turns_tilts_and_zooms)
{
    need_gl(state);
    static const uint32_t box[4][4] = {
        {0, 0, 200, 179}, {201, 0, 200, 179}, {0, 180, 200, 179}, {201, 180, 200, 179}};
    struct panel_params panels[PANELS_MAX];
    struct renderer_params params = panels_of(panels, 4, W, H);
    struct picture picture;
    struct view view;
    float body[4];
    body_at(&view, body, 4, 3);
    panels[1].azimuth = 90;   /* the camera on the y axis: the body approaches, x is to the left */
    panels[2].elevation = 90; /* from above: up is -x, right is y */
    panels[3].zoom = 2;       /* from half the distance */
    draw_view(&params, &view, &picture);
    const double unit = pixels_per_unit(179), near = 100.0 / 96, over = 100.0 / 97;
    assert_spot(&picture, 0, box[0], 100 + 4 * unit, 89.5 - 3 * unit);
    assert_spot(&picture, 0, box[1], 301, 89.5 - 3 * unit * near);
    assert_spot(&picture, 0, box[2], 100 + 4 * unit * over, 269.5);
    assert_spot(&picture, 0, box[3], 301 + 8 * unit, 269.5 - 6 * unit);
    free(picture.data);
}

/* Titles stand in the upper left corner of their panels, and only there. */
TEST(titles_stand_in_their_panels)
{
    need_gl(state);
    struct panel_params panels[PANELS_MAX];
    struct renderer_params params = panels_of(panels, 2, W, H);
    struct picture picture;
    params.overlay = (struct overlay_params){
        .size = 27, .font = "DejaVu Sans", .length_unit = choose(&length_unit_registry, "kpc")};
    params.labels.title = "";
    params.count = 1;
    params.look.exposure.factor = 1e-9;
    panels[0].title = "Le";
    panels[1].title = "WW";
    place(0, W, H, 0, 0);
    draw(&params, 0, &picture);
    const double left = spot_within(&picture, 0, 0, 0, 80, 40).light,
                 right = spot_within(&picture, 0, 201, 0, 80, 40).light;
    assert_true(left > 1 && right > 1.05 * left);
    assert_true(fabs(total_light(&picture) - left - right) < 1e-6 * left);
    free(picture.data);
}

/* A caption crosses the gap between the panels, and leaves nothing there when it is gone. */
TEST(gaps_keep_no_letters)
{
    need_gl(state);
    enum { GAP = (W - 1) / 2 };
    static const struct {
        uint64_t frame;
        bool lit;
    } steps[] = {{20, true}, {40, false}};
    struct panel_params panels[PANELS_MAX];
    struct caption_params caption = {.text = "MMMMMMM"};
    const struct caption_found shown = {.begins = 1, .ends = 3};
    struct renderer_params params = panels_of(panels, 2, W, H);
    struct draw_group group = *params.groups;
    struct renderer *renderer;
    struct picture *picture;
    params.overlay = (struct overlay_params){.size = 90,
                                             .font = "DejaVu Sans",
                                             .captions = &caption,
                                             .caption_count = 1,
                                             .fade = 0.1,
                                             .length_unit = choose(&length_unit_registry, "kpc")};
    params.found.captions = &shown;
    params.labels.title = "";
    params.labels.fps = 10;
    params.frames = 100;
    params.count = group.count = 1;
    params.groups = &group;
    place(0, W, H, 0, 0);
    assert_ok(renderer_open(&renderer, &params));
    assert_ok(renderer_bind(renderer));
    assert_ok(renderer_picture_create(renderer, &picture));
    for (size_t i = 0; i < sizeof steps / sizeof *steps; i++) {
        assert_ok(renderer_submit(renderer, view_of(1, steps[i].frame), picture));
        assert_ok(renderer_wait(renderer));
        assert_true((spot_within(picture, 0, GAP, H / 2, 1, H / 2).light > 0) == steps[i].lit);
    }
    renderer_picture_destroy(renderer, &picture);
    renderer_unbind(renderer);
    renderer_close(&renderer);
}

TEST(each_panel_is_exposed_by_itself)
{
    need_gl(state);
    struct panel_params panels[PANELS_MAX];
    struct renderer_params params = panels_of(panels, 2, W, H);
    const struct draw_group faint = {.count = 1, .light = 0.01f, .tint = {1, 1, 1}};
    struct picture picture;
    struct view view;
    float body[4];
    body_at(&view, body, 0, 0);
    params.look.exposure.factor = 0;
    params.panel_groups[1] = &faint;
    draw_view(&params, &view, &picture);
    const double left = spot_within(&picture, 0, 0, 0, 200, H).light,
                 right = spot_within(&picture, 0, 201, 0, 200, H).light;
    assert_true(left > 10 && fabs(left - right) < 0.05 * left);
    free(picture.data);
}

static void refuse(const struct renderer_params *params, const char *words)
{
    struct renderer *renderer;
    assert_fails(renderer_open(&renderer, params), STATUS_USAGE, words);
    assert_null(renderer);
}

TEST(what_cannot_be_is_told)
{
    need_gl(state);
    struct panel_params panels[PANELS_MAX];
    struct renderer_params params = panels_of(panels, 2, W, H);
    params.camera.projection = choose(&projection_registry, "equirect");
    refuse(&params, "camera.projection equirect");
    params.camera.projection = choose(&projection_registry, "flat");
    params.whole_width = params.whole_height = 8192;
    refuse(&params, "8192x8192 tiles");
    params = panels_of(panels, 3, 24, 24);
    refuse(&params, "small panels");
}

TESTS(open_gl, NULL)
