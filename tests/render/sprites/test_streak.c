/* Motion drawn along paths, with few samples, against the mean of many moments: the same light in
 * the same places, however it is added up. */
#include "tests/support/choose.h"
#include "tests/support/test.h"

#include "render/sprites/modes.h"
#include "tests/support/films/drawing.h"

#include <math.h>

/* So many bodies that their samples are added up in full floats. */
enum { CROWD = 2100, ACROSS = 160, ROWS = 90, MOMENTS = 64 };

/* Bodies that move by up to `most` pixels from frame to frame. */
static void crowd(double most)
{
    for (int k = 0; k < CROWD; k++) {
        const double reach = 0.42 * sqrt((k + 0.5) / CROWD);
        place(k, ACROSS, ROWS, ACROSS * (0.5 + reach * cos(2.4 * k)),
              ROWS * (0.5 + reach * sin(2.4 * k)));
        struct view *view = (struct view *)view_of(CROWD, 0);
        const double unit = 2 * tan(10 * M_PI / 180) * 100 / ROWS;
        const double speed = most * unit * (k % 10) / 9;
        view->position[4 * k] = (float)(3 * sin(1.7 * k));
        view->velocity[4 * k + 1] = (float)(speed * cos(1.1 * k));
        view->velocity[4 * k + 2] = (float)(speed * sin(1.1 * k));
        values_of(COLUMN_DISTANCE)[k] = (float)(4 + 6 * reach);
    }
}

static struct renderer_params moving(const char *size)
{
    struct renderer_params params = usual(PICTURE_RGBA16, ACROSS, ROWS);
    params.look.size = choose(&sprite_sizing_registry, size);
    params.look.exposure.factor = 0.01;
    params.look.shutter = 0.5;
    params.look.point_size = 14.0 * 1080 / ROWS;
    params.found.look.spacing = 4;
    params.count = CROWD;
    return params;
}

static struct picture drawn(struct renderer_params params, unsigned samples)
{
    struct picture picture;
    struct view view = *view_of(params.count, 0);
    view.interval = 1;
    params.look.samples = samples;
    draw_view(&params, &view, &picture);
    return picture;
}

/* The part of all light that is elsewhere; *more: the additional light. */
static double elsewhere(const struct picture *a, const struct picture *b, double *more)
{
    double off = 0, all = 0, sum = 0;
    for (uint32_t y = 0; y < a->layout.height; y++)
        for (uint32_t x = 0; x < a->layout.width; x++) {
            off += fabs(light(a, x, y) - light(b, x, y));
            all += light(a, x, y);
            sum += light(b, x, y);
        }
    *more = sum / all - 1;
    return off / all;
}

/* Samples also differ in their position within a pixel, which hardly matters for such wide sprites.
 */
static void compare(const char *what, const struct renderer_params *params, double speed)
{
    double more, none;
    crowd(speed);
    struct renderer_params resting = *params;
    resting.look.shutter = 0;
    struct picture many = drawn(*params, MOMENTS), one = drawn(*params, 1),
                   still = drawn(resting, 1);
    const double off = elsewhere(&many, &one, &more), without = elsewhere(&many, &still, &none);
    print_message("%s, up to %g pixels: %.4f of the light elsewhere, without shutter %.4f; %.4f "
                  "more\n",
                  what, speed, off, without, more);
    assert_true(off < 0.02 && without > 5 * off && fabs(more) < 0.005);
    free(many.data);
    free(one.data);
    free(still.data);
}

TEST(paths_are_what_moments_show)
{
    need_gl(state);
    const struct sprite_profile *profile;
    for (size_t i = 0; (profile = choice_at(&sprite_profile_registry, i)); i++) {
        struct renderer_params params = moving(i == 0 ? "fixed" : "adaptive");
        params.look.profile = profile;
        compare(profile->name, &params, i == 0 ? 80 : 30);
    }
}

/* Points and quads draw the same rows of sprites, also those cut by the picture's edges. */
TEST(quads_draw_paths_too)
{
    need_gl(state);
    static const char *const projections[] = {"flat", "equirect"};
    for (int i = 0; i < 4; i++) {
        struct renderer_params params = moving(i % 2 ? "adaptive" : "fixed");
        double more;
        crowd(30);
        params.camera.projection = choose(&projection_registry, projections[i / 2]);
        if (i / 2 == 1) {
            params.camera.distance = 15;
            params.height = ACROSS / 2;
        }
        struct picture points = drawn(params, 1);
        params.quads = true;
        struct picture quads = drawn(params, 1), places = drawn(params, 3);
        assert_true(elsewhere(&points, &quads, &more) < 0.01 && fabs(more) < 0.01);
        assert_true(elsewhere(&quads, &places, &more) < 0.03 && fabs(more) < 0.01);
        free(points.data);
        free(quads.data);
        free(places.data);
    }
}

/* The same light as drawn, and the same bits in any number of rounds. */
static void computed_as_drawn(struct renderer_params params)
{
    double more;
    params.passes = PASSES_COMPUTED;
    struct picture computed = drawn(params, 1);
    params.splats_at_once = 550;
    struct picture in_rounds = drawn(params, 1);
    params.passes = PASSES_DRAWN;
    struct picture points = drawn(params, 1);
    assert_true(same_pixels(&computed, &in_rounds));
    const double off = elsewhere(&points, &computed, &more);
    print_message("computed: %.5f of the light elsewhere, %.5f more\n", off, more);
    assert_true(off < 0.01 && fabs(more) < 0.01);
    free(computed.data);
    free(in_rounds.data);
    free(points.data);
}

TEST(computed_ones_are_drawn_ones)
{
    need_gl(state);
    struct renderer_params params = moving("adaptive");
    struct renderer *renderer;
    params.passes = PASSES_COMPUTED;
    if (renderer_open(&renderer, &params) != STATUS_OK)
        outcome_skip(MISSING_GL, status_text());
    renderer_close(&renderer);
    crowd(200); /* and some leave the picture meanwhile */
    computed_as_drawn(params);
    params.camera.projection = choose(&projection_registry, "equirect");
    params.camera.distance = 15;
    params.height = ACROSS / 2;
    computed_as_drawn(params);
}

/* Bodies at rest are blurred for a turning camera, and bodies that move with the camera are sharp.
 */
TEST(the_camera_moves_too)
{
    need_gl(state);
    struct renderer_params params = moving("fixed");
    struct picture still, turned, along;
    params.count = 1;
    params.frames = 11;
    params.look.point_size = 6.0 * 1080 / ROWS;
    params.look.exposure.factor = 0.5;
    place(0, ACROSS, ROWS, ACROSS / 2.0, ROWS / 2.0);
    view_of(1, 0)->position[0] = 10;
    struct view view = *view_of(1, 0);
    view.interval = 1;
    draw_view(&params, &view, &still);
    params.camera.orbit = 200; /* 20 degrees from frame to frame, half of which are seen */
    draw_view(&params, &view, &turned);
    const double focal = ROWS / (2 * tan(10 * M_PI / 180)), angle = 5 * M_PI / 180;
    const double width = 2 * focal * 10 * sin(angle) / (100 - 10 * cos(angle));
    double spread[2] = {0}, all[2] = {0};
    for (uint32_t y = 0; y < ROWS; y++)
        for (uint32_t x = 0; x < ACROSS; x++)
            for (int i = 0; i < 2; i++) {
                const double here = light(i ? &turned : &still, x, y);
                all[i] += here;
                spread[i] += here * pow(x + 0.5 - ACROSS / 2.0, 2);
            }
    const double length = sqrt(12 * (spread[1] / all[1] - spread[0] / all[0]));
    assert_true(fabs(length / width - 1) < 0.02 && fabs(all[1] / all[0] - 1) < 0.01);
    const struct camera_part part = {"", "body", 0, 1, true, 0};
    params.camera.orbit = 0;
    params.camera.follow = "mass";
    params.parts = &part;
    params.part_count = 1;
    place(0, ACROSS, ROWS, ACROSS / 2.0, ROWS / 2.0);
    view = *view_of(1, 0);
    view.interval = 1;
    view.velocity[1] = 8;
    draw_view(&params, &view, &along);
    params.look.shutter = 0;
    free(still.data);
    draw_view(&params, &view, &still);
    double more;
    assert_true(elsewhere(&still, &along, &more) < 1e-3 && fabs(more) < 1e-3);
    free(still.data);
    free(turned.data);
    free(along.data);
}

TEST(both_eyes_see_the_same)
{
    need_gl(state);
    struct renderer_params params = moving("adaptive");
    params.camera.projection = choose(&projection_registry, "side-by-side");
    params.width = 2 * ACROSS;
    crowd(30);
    for (int k = 0; k < CROWD; k++)
        view_of(CROWD, 0)->position[4 * k] = 0; /* at the target's depth there is no parallax */
    struct picture picture = drawn(params, 1);
    double off = 0, all = 0;
    for (uint32_t y = 0; y < ROWS; y++)
        for (uint32_t x = 0; x < ACROSS; x++) {
            off += fabs(light(&picture, x, y) - light(&picture, x + ACROSS, y));
            all += light(&picture, x, y);
        }
    assert_true(all > 1 && off < 0.005 * all);
    free(picture.data);
}

/* On a whole sphere a moving body has the light of one that rests, across the faces' edges, the
 * seam and the pole. */
TEST(light_stays_on_a_sphere)
{
    need_gl(state);
    static const double places[][2] = {{0, 0}, {M_PI, 0.1}, {M_PI / 4, 0.3}, {1, 1.5}};
    struct renderer_params params = moving("adaptive");
    params.camera.projection = choose(&projection_registry, "equirect");
    params.width = 256;
    params.height = 128;
    params.count = 1;
    params.look.exposure.factor = 0.2;
    for (int i = 0; i < 4; i++) {
        const double longitude = places[i][0], latitude = places[i][1];
        double all[2] = {0};
        place(0, ACROSS, ROWS, 0, 0);
        struct view *view = (struct view *)view_of(1, 0);
        view->position[0] = (float)(100 - 100 * cos(latitude) * cos(longitude));
        view->position[1] = (float)(100 * cos(latitude) * sin(longitude));
        view->position[2] = (float)(100 * sin(latitude));
        view->velocity[0] = (float)(40 * sin(longitude));
        view->velocity[1] = (float)(40 * cos(longitude));
        values_of(COLUMN_DISTANCE)[0] = 10;
        for (int moves = 0; moves < 2; moves++) {
            params.look.shutter = 0.5 * moves;
            struct picture picture = drawn(params, 1);
            for (uint32_t y = 0; y < params.height; y++)
                for (uint32_t x = 0; x < params.width; x++)
                    all[moves] +=
                        light(&picture, x, y) * cos(((y + 0.5) / params.height - 0.5) * M_PI);
            free(picture.data);
        }
        if (!(all[0] > 0.3) || fabs(all[1] / all[0] - 1) > 0.02)
            fail_msg("light %g of %g towards %g, %g", all[1], all[0], longitude, latitude);
    }
}

TESTS(open_gl, NULL)
