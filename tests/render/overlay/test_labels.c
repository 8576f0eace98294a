/* Labels in pictures: where they are, when they fade, and that they never jump. */
#include "tests/support/choose.h"
#include "tests/support/test.h"

#include "tests/support/films/overlay_fixture.h"

#include "render/sprites/modes.h"

#include <math.h>
#include <string.h>

enum { W = 640, H = 360, MOST = 3 };

static struct tracked things[MOST];
static double places[MOST][3];
static struct label_found times[MOST];
static struct label_params labels[MOST];

static bool at(const struct tracked *tracked, const struct view *view, double place[3])
{
    (void)view;
    memcpy(place, places[tracked->number], sizeof places[0]);
    return true;
}

/* The unit of length is one pixel at the target's distance; x to the right, y downwards. */
static void put(int i, double x, double y)
{
    const double pixel = 2 * tan(10 * M_PI / 180) * 100 / H;
    places[i][0] = 0;
    places[i][1] = (x - W / 2.0) * pixel;
    places[i][2] = (H / 2.0 - y) * pixel;
}

static struct renderer_params labelled(int count)
{
    struct renderer_params params = dark(W, H);
    for (int i = 0; i < count; i++) {
        things[i] = (struct tracked){.at = at, .entry = (uint32_t)i, .number = (size_t)i};
        snprintf(things[i].name, sizeof things[i].name, i == 0 ? "Mars" : "Jupiter");
        times[i] = (struct label_found){-1e9, 1e9};
        put(i, 100 + 200 * i, 200);
    }
    params.overlay.labels = labels;
    params.overlay.label_count = (uint32_t)count;
    params.overlay.fade = 0.5;
    params.labels.fps = 1;
    params.found.labels = times;
    params.tracked = things;
    params.tracked_count = (size_t)count;
    return params;
}

static struct extent ink_of(const struct renderer_params *params, uint64_t frame)
{
    struct picture picture;
    draw(params, frame, &picture);
    const struct extent ink = ink_within(&picture, 0, 0, W, H);
    free(picture.data);
    return ink;
}

static bool is_empty(const struct extent *ink)
{
    return ink->left == ink->right;
}

/* The letters are above the thing, and the line between them points to it. */
TEST(above_its_thing)
{
    need_gl(state);
    struct renderer_params params = labelled(1);
    for (double x = 200; x < 201; x += 0.25) {
        struct picture picture;
        put(0, x, 200);
        draw(&params, 0, &picture);
        const struct extent ink = ink_within(&picture, 0, 0, W, H);
        assert_true(ink.bottom < 200 && ink.bottom > 190);
        assert_true(fabs((ink.left + ink.right) / 2.0 - x) < 1.5);
        double sum = 0, moment = 0; /* of the line alone */
        for (uint32_t column = ink.left; column < ink.right; column++) {
            sum += red(&picture, column, ink.bottom - 3);
            moment += (column + 0.5) * red(&picture, column, ink.bottom - 3);
        }
        if (fabs(moment / sum - x) > 0.05)
            fail_msg("the line is at %.3f instead of %.3f", moment / sum, x);
        free(picture.data);
    }
}

/* Where other letters are above the thing, its own are below it. */
TEST(below_its_thing)
{
    need_gl(state);
    struct renderer_params params = labelled(2);
    for (int near = 0; near < 2; near++) {
        struct picture picture;
        put(0, 300, 200);
        put(1, near ? 300 : 500, 204);
        draw(&params, 0, &picture);
        const struct extent below = ink_within(&picture, 0, 206, W, H);
        assert_int_equal(is_empty(&below), !near);
        if (near)
            assert_true(fabs((below.left + below.right) / 2.0 - 300) < 1.5);
        free(picture.data);
    }
}

TEST(fades)
{
    need_gl(state);
    struct renderer_params params = labelled(2);
    struct extent ink;
    put(1, 10 * W, 0);
    put(0, -1, 200); /* it has left the picture */
    ink = ink_of(&params, 0);
    assert_true(is_empty(&ink));
    put(0, 300, 200);
    places[0][0] = 101; /* behind the camera */
    ink = ink_of(&params, 0);
    assert_true(is_empty(&ink));
    put(0, 300, 200);
    things[0].radius = 0.1; /* smaller than its letters */
    ink = ink_of(&params, 0);
    assert_true(is_empty(&ink));
    things[0].radius = 2;
    ink = ink_of(&params, 0);
    assert_false(is_empty(&ink));
    put(1, 301, 201);
    things[1].radius = 2; /* merged */
    ink = ink_of(&params, 0);
    assert_true(is_empty(&ink));
    things[0].radius = things[1].radius = 0;
    times[0] = times[1] = (struct label_found){2, 4};
    ink = ink_of(&params, 1);
    assert_true(is_empty(&ink));
    ink = ink_of(&params, 3);
    assert_false(is_empty(&ink));
}

/* One passes the other: no label moves by much more than its thing, and where both cannot be read,
 * the first one is. */
TEST(no_jumps_and_no_overlaps)
{
    need_gl(state);
    struct renderer_params params = labelled(2);
    struct renderer *renderer;
    struct picture *picture, *before;
    const struct view *view = view_of(1, 0);
    double largest = 0, first = 0, twice = 0;
    params.overlay.size = 70;
    assert_ok(renderer_open(&renderer, &params));
    assert_ok(renderer_bind(renderer));
    assert_ok(renderer_picture_create(renderer, &picture));
    assert_ok(renderer_picture_create(renderer, &before));
    for (int frame = 0; frame <= 300; frame++) {
        put(0, 320, 200);
        put(1, 245 + frame / 2.0, 190);
        assert_ok(renderer_submit(renderer, view, picture));
        assert_ok(renderer_wait(renderer));
        double change = 0, ink = 0, below = 0;
        for (uint32_t y = 0; y < H; y++)
            for (uint32_t x = 0; x < W; x++) {
                change += abs(red(picture, x, y) - red(before, x, y)) / 255.0;
                ink += red(picture, x, y) / 255.0;
                below += y > 200 ? red(picture, x, y) / 255.0 : 0;
            }
        first = frame == 0 ? ink / 2 : first; /* of one label, about */
        twice = fmax(twice, fmin(below, ink - below - first));
        assert_true(ink > 150); /* the first label is always there */
        largest = frame > 0 ? fmax(largest, change / ink) : largest;
        struct picture *swap = before;
        before = picture;
        picture = swap;
    }
    /* Where one of two labels jumps by a few pixels, all of its ink changes, there and here. */
    if (!(largest < 0.5))
        fail_msg("from one frame to the next %.2f of the ink changed", largest);
    if (!(twice < 0.2 * first))
        fail_msg("%.2f of the second label was above its thing and below it", twice / first);
    /* A frame drawn alone is the same as in the sequence. */
    struct picture alone;
    draw(&params, 0, &alone);
    assert_true(same_pixels(&alone, before));
    free(alone.data);
    renderer_picture_destroy(renderer, &picture);
    renderer_picture_destroy(renderer, &before);
    renderer_unbind(renderer);
    renderer_close(&renderer);
}

static double ring_at(const struct tracked *tracked, const struct view *view)
{
    (void)view;
    const double pixel = 2 * tan(10 * M_PI / 180) * 100 / H;
    return tracked->radius * pixel;
}

/* The middle of a line that crosses the pixels (x, y) + i * (dx, dy). */
static double crossing(const struct picture *picture, int x, int y, int dx, int dy)
{
    double sum = 0, moment = 0;
    for (int i = -8; i <= 8; i++) {
        const int shown = red(picture, (uint32_t)(x + i * dx), (uint32_t)(y + i * dy));
        sum += shown;
        moment += shown * (i + 0.5);
    }
    assert_true(sum > 60);
    return moment / sum + (dx ? x : y);
}

/* A halo has a ring of its radius around its centre, and its name outside. */
TEST(rings_around_haloes)
{
    need_gl(state);
    struct renderer_params params = labelled(1);
    things[0].radius_at = ring_at;
    for (int i = 0; i < 4; i++) {
        struct picture picture;
        const double x = 300.3 + 0.4 * i, y = 190.6 - 0.3 * i, radius = 40 + 13.3 * i;
        things[0].radius = radius;
        put(0, x, y);
        draw(&params, 0, &picture);
        const double left = crossing(&picture, (int)(x - radius), (int)y, 1, 0);
        const double right = crossing(&picture, (int)(x + radius), (int)y, 1, 0);
        const double bottom = crossing(&picture, (int)x, (int)(y + radius), 0, 1);
        if (fabs((left + right) / 2 - x) > 0.5 || fabs(bottom - radius - y) > 0.5 ||
            fabs(right - left - 2 * radius) > 1)
            fail_msg("%g to %g, down to %g: not around %g, %g with %g", left, right, bottom, x, y,
                     radius);
        const struct extent ink = ink_within(&picture, 0, 0, W, (uint32_t)(y - radius - 1));
        assert_false(is_empty(&ink));
        free(picture.data);
    }
    things[0].radius_at = NULL;
}

/* A label fades where its thing leaves the slab, which is across the line of sight. */
TEST(the_slab_cuts_labels)
{
    need_gl(state);
    struct renderer_params params = labelled(1);
    params.look.slab = 10;
    params.look.slab_axis = choose(&slab_axis_registry, "view");
    int before = INT32_MAX;
    for (double x = 3; x < 5.1; x += 0.25) {
        struct picture picture;
        put(0, 300, 200);
        places[0][0] = x;
        draw(&params, 0, &picture);
        int most = 0;
        for (uint32_t k = 0; k < W * H; k++) {
            const int shown = red(&picture, k % W, k / W);
            most = shown > most ? shown : most;
        }
        assert_true(x <= 4 ? most > 150 : most < before);
        assert_int_equal(most == 0, x >= 5);
        before = most;
        free(picture.data);
    }
}

TESTS(open_gl, NULL)
