/* The overlay in pictures: its place, the length of its bar, and when it is painted. */
#include "tests/support/choose.h"
#include "tests/support/test.h"

#include "render/camera/camera.h"
#include "render/overlay/elements.h"
#include "render/overlay/overlay.h"
#include "render/overlay/number_text.h"
#include "scenes/keys.h"
#include "scenes/scene.h"
#include "tests/support/films/camera_at.h"
#include "tests/support/films/overlay_fixture.h"

#include <math.h>
#include <string.h>

static const struct overlay_params nothing = {
    .length_unit = &length_parsecs, .size = 27, .font = "DejaVu Sans"};

/* The label's length, between two bodies at the target's depth, as seen by the camera. */
static double projected(const struct renderer_params *params, uint64_t frame, double units)
{
    struct camera_pose pose;
    camera_at(&pose, &params->camera, (double)frame / 2, params->width, params->height, 0);
    double x[2];
    for (int end = 0; end < 2; end++) {
        const float *m = pose.view_projection;
        double y = (end - 0.5) * units;
        x[end] = (m[4] * y + m[12]) / (m[7] * y + m[15]) * params->width / 2;
    }
    return fabs(x[1] - x[0]);
}

TEST(bar_is_as_long_as_its_label_says)
{
    need_gl(state);
    static const uint32_t sizes[][2] = {{1280, 720}, {333, 250}, {1080, 1920}};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        const uint32_t width = sizes[i][0], height = sizes[i][1];
        struct renderer_params params = dark(width, height);
        params.overlay.scale_bar = true;
        params.camera.zoom = 3.7;
        double before = 0;
        for (uint64_t frame = 0; frame < 3; frame++) {
            struct picture picture;
            struct overlay_scale scale;
            struct camera_pose pose;
            camera_at(&pose, &params.camera, (double)frame / 2, width, height, 0);
            overlay_scale_bar(&scale, pose.pixels_per_unit, 0.18 * width, 3.2, &length_parsecs,
                              false);
            draw(&params, frame, &picture);
            struct extent ink = ink_within(&picture, 0, 0, width, height);
            assert_true(ink.bottom > height / 2 && ink.right < width / 2);
            double sum = 0, most = 0;
            for (uint32_t x = 0; x < width; x++) {
                sum += red(&picture, x, ink.bottom - 1);
                most = fmax(most, red(&picture, x, ink.bottom - 1));
            }
            char *unit;
            double label = strtod(scale.label, &unit);
            assert_string_equal(unit, " kpc");
            double expected = projected(&params, frame, label / 3.2), drawn = sum / most;
            if (fabs(drawn - expected) > 1)
                fail_msg("%ux%u, frame %d: %s is %.2f pixels long instead of %.2f", width, height,
                         (int)frame, scale.label, drawn, expected);
            assert_true(label != before || frame == 2); /* adapts to the zoom */
            before = label;
            free(picture.data);
        }
    }
}

TEST(all_lies_within_the_picture)
{
    need_gl(state);
    static const uint32_t sizes[][2] = {{320, 180}, {1280, 720}, {3840, 2160}, {360, 640}};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        const uint32_t width = sizes[i][0], height = sizes[i][1];
        const uint32_t side = width < height ? width : height;
        const uint32_t across = width / 20, down = height / 20; /* the title-safe area */
        struct renderer_params params = dark(width, height);
        show_all(&params);
        struct picture picture;
        draw(&params, 1, &picture);
        struct extent all = ink_within(&picture, 0, 0, width, height);
        assert_in_range(all.left, across - 1, across + side / 80 + 2);
        assert_in_range(width - all.right, across - 1, across + side / 80 + 2);
        assert_in_range(all.top, down - 1, down + side / 80 + 1);
        assert_in_range(height - all.bottom, down, down + side / 80 + 2);
        for (int corner = 0; corner < 4; corner++) {
            uint32_t x = corner & 1 ? width / 2 : 0, y = corner & 2 ? height / 2 : 0;
            struct extent ink = ink_within(&picture, x, y, x + width / 2, y + height / 2);
            assert_true(ink.right - ink.left > side / 20 && ink.bottom - ink.top >= 6);
            assert_true(ink.bottom - ink.top < side / 5);
        }
        assert_int_equal(ink_within(&picture, 0, height / 4, width, height - height / 4).right, 0);
        free(picture.data);
    }
}

TEST(off_changes_nothing)
{
    need_gl(state);
    struct renderer_params params = usual(PICTURE_RGBA8, 320, 180);
    colour_params(&params);
    struct picture plain, off, empty, shown;
    draw(&params, 0, &plain);
    params.overlay = nothing;
    params.labels.title = "a title that is not shown";
    draw(&params, 0, &off);
    assert_true(same_pixels(&plain, &off));
    params.overlay.title = true;
    params.labels.title = "";
    draw(&params, 0, &empty);
    assert_true(same_pixels(&plain, &empty));
    params.labels.title = "shown";
    draw(&params, 0, &shown);
    assert_false(same_pixels(&plain, &shown));
    size_t below = (size_t)plain.layout.plane[0].stride * 40; /* the title's corner is above */
    assert_memory_equal(plain.data + below, shown.data + below, plain.layout.size - below);
    free(plain.data);
    free(off.data);
    free(empty.data);
    free(shown.data);
}

/* Over white light the shadow makes letters readable; over black they are white. */
TEST(letters_stand_out)
{
    need_gl(state);
    struct renderer_params params = dark(640, 360);
    params.overlay.title = true;
    struct picture picture;
    draw(&params, 0, &picture);
    struct extent ink = ink_within(&picture, 0, 0, 640, 360);
    free(picture.data);
    params.look.point_size = 4000;
    params.look.exposure.factor = 1e4;
    place(0, 640, 360, 320, 180);
    draw(&params, 0, &picture);
    int darkest = 255, brightest = 0;
    for (uint32_t y = ink.top; y < ink.bottom; y++)
        for (uint32_t x = ink.left; x < ink.right; x++) {
            int value = red(&picture, x, y);
            darkest = value < darkest ? value : darkest;
            brightest = value > brightest ? value : brightest;
        }
    assert_true(red(&picture, 320, 180) > 240);
    assert_true(brightest > 225);
    assert_true(darkest < 140);
    free(picture.data);
}

TEST(frames_do_not_depend_on_those_before)
{
    need_gl(state);
    struct renderer_params params = dark(640, 360);
    show_all(&params);
    params.camera.zoom = 2;
    params.frames = 200;
    struct renderer *renderer;
    struct picture *picture, alone;
    assert_ok(renderer_open(&renderer, &params));
    assert_ok(renderer_bind(renderer));
    assert_ok(renderer_picture_create(renderer, &picture));
    static const uint64_t frames[] = {199, 0, 9, 10, 101, 3};
    for (size_t i = 0; i < sizeof frames / sizeof *frames; i++) {
        assert_ok(renderer_submit(renderer, view_of(1, frames[i]), picture));
        assert_ok(renderer_wait(renderer));
        renderer_unbind(renderer);
        draw(&params, frames[i], &alone);
        assert_ok(renderer_bind(renderer));
        assert_true(same_pixels(picture, &alone));
        free(alone.data);
    }
    renderer_picture_destroy(renderer, &picture);
    renderer_unbind(renderer);
    renderer_close(&renderer);
}

TEST(painted_only_when_it_changes)
{
    need_gl(state);
    struct renderer_params params = dark(640, 360);
    params.overlay.title = params.overlay.clock = params.overlay.scale_bar = true;
    struct overlay *overlay;
    struct bare_display display;
    bare_display_open(&display, 640, 360);
    assert_ok(overlay_create(&overlay, &params));
    struct view view = *view_of(1, 0);
    struct camera_pose pose = {.pixels_per_unit = 10};
    static const struct {
        double time;
        float pixels_per_unit;
        unsigned paintings; /* after this frame */
    } steps[] = {
        {0, 10, 3},    {0, 10, 3},    {0.1, 10, 3} /* 1.3 Myr: still 0.00 Gyr */,
        {1, 10, 4},    {1.05, 10, 4}, {1.05, 11, 5},
        {80, 12.5, 7}, {80, 12.5, 7},
    };
    for (size_t i = 0; i < sizeof steps / sizeof *steps; i++) {
        view.time = steps[i].time;
        view.frame = i;
        pose.pixels_per_unit = steps[i].pixels_per_unit;
        assert_ok(overlay_draw(overlay, &view, &pose, &display.target, 0, 0));
        assert_int_equal(overlay_paintings(overlay), steps[i].paintings);
    }
    assert_ok(gl_check("the test"));
    overlay_destroy(&overlay);
    assert_null(overlay);
    overlay_destroy(&overlay);
    params.overlay = nothing;
    assert_ok(overlay_create(&overlay, &params));
    assert_null(overlay);
    bare_display_close(&display);
}

TEST(long_title_leaves_the_clock_alone)
{
    need_gl(state);
    char title[3000];
    memset(title, 'M', sizeof title - 1);
    title[sizeof title - 1] = '\0';
    struct renderer_params params = dark(640, 360);
    params.overlay.clock = true;
    struct picture clock, both;
    draw(&params, 1, &clock);
    struct extent alone = ink_within(&clock, 0, 0, 640, 360);
    params.overlay.title = true;
    params.labels.title = title;
    draw(&params, 1, &both);
    struct extent ink = ink_within(&both, 0, 0, alone.left - 12, 360);
    assert_in_range(ink.left, 32, 37);
    assert_true(ink.right > 350);
    assert_int_equal(ink_within(&both, alone.left - 10, 0, alone.left, 360).right, 0);
    for (uint32_t y = alone.top; y < alone.bottom; y++)
        for (uint32_t x = alone.left; x < alone.right; x++)
            assert_int_equal(red(&clock, x, y), red(&both, x, y));
    free(clock.data);
    free(both.data);
}

TEST(captions_fade_in_the_middle)
{
    need_gl(state);
    struct caption_params captions[] = {{.text = "First passage"}, {.text = "They part again"}};
    static const struct caption_found times[] = {{.begins = 1, .ends = 3},
                                                 {.begins = 4, .ends = 6}};
    struct renderer_params params = dark(640, 360);
    params.overlay.captions = captions;
    params.overlay.caption_count = 2;
    params.found.captions = times;
    params.overlay.fade = 1;
    params.overlay.size = 90; /* wide strokes: 30 pixels */
    params.labels.fps = 10;
    params.frames = 100;
    static const struct {
        uint64_t frame;
        double opacity;
    } cases[] = {{10, 0}, {15, 0.5}, {20, 1}, {25, 0.5}, {30, 0}, {35, 0}, {50, 1}, {60, 0}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct picture picture;
        draw(&params, cases[i].frame, &picture);
        struct extent ink = ink_within(&picture, 0, 0, 640, 360);
        int most = 0;
        for (uint32_t y = ink.top; y < ink.bottom; y++)
            for (uint32_t x = ink.left; x < ink.right; x++)
                most = red(&picture, x, y) > most ? red(&picture, x, y) : most;
        assert_true(fabs(most - 0.92 * 255 * cases[i].opacity) <= 6);
        if (cases[i].opacity == 1) {
            assert_true(abs((int)ink.left + (int)ink.right - 640) <= 4);
            assert_in_range(360 - ink.bottom, 18, 18 + 9);
            assert_true(ink.right - ink.left > 60);
        }
        free(picture.data);
    }
}

TEST(tiny_pictures_do_without)
{
    need_gl(state);
    static const uint32_t sizes[][2] = {{16, 16}, {17, 200}, {200, 17}, {64, 36}};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        struct renderer_params params = dark(sizes[i][0], sizes[i][1]);
        show_all(&params);
        params.overlay.size = 200;
        struct picture picture;
        draw(&params, 2, &picture);
        free(picture.data);
    }
}

/* Each is a line or a box with all that it needs, is off by default, has a unique name, and is
 * shown by the key with that name. */
TEST(elements_are_complete)
{
    const struct renderer_params none = {.labels = {.title = "unseen"}};
    const struct overlay_element *element;
    for (size_t i = 0; (element = choice_at(&overlay_registry, i)); i++) {
        const struct overlay_box *box = element->box;
        assert_true(element->name && element->name[0] && element->doc && element->doc[0]);
        const int at = key_find("overlay", element->name);
        assert_true(at >= 0);
        assert_int_equal(scene_keys[at].offset, offsetof(struct scene, overlay) + element->key);
        assert_true(element->shown || scene_keys[at].type == KEY_FLAG);
        assert_false(overlay_shows(element, &none));
        assert_true(!element->say != !box);
        if (box) {
            assert_true(box->open && box->close && box->size && box->changed && box->paint);
            assert_true(element->corner == BOTTOM_LEFT || element->corner == BOTTOM_RIGHT);
        }
        assert_ptr_equal(choice_find(&overlay_registry, element->name), element);
    }
}

TESTS(open_gl, NULL)
