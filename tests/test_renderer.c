/* Pictures of a few bodies at known places, through whatever GL this machine has. Light is compared
 * after undoing the tone curve (shown = 1 - exp(-light), stored as shown^(1/2.2)). */
#include "tests/test.h"

#include "render/camera.h"
#include "render/renderer.h"

#include <math.h>
#include <string.h>

enum { WIDTH = 64, HEIGHT = 36, BODIES_MAX = 4096 };

/* A camera on the x axis that looks along -x: y to the right, z up, PIXELS_A_UNIT in the plane x =
 * 0. */
static const struct camera_params camera = {.distance = 100, .zoom = 1, .fov = 20};

static struct bodies_view {
    struct view view;
    float position[BODIES_MAX][4], velocity[BODIES_MAX][4];
} scene;

static const struct draw_group everything = {.first = 0, .count = 1, .light = 1, .tint = {1, 1, 1}};

static struct renderer_params usual(enum picture_format format, uint32_t width, uint32_t height)
{
    return (struct renderer_params){
        .width = width,
        .height = height,
        .format = format,
        .camera = camera,
        .look = {.color = "constant",
                 .point_size = 8.0 * 1080 / height,
                 .exposure = 1,
                 .speed = 1,
                 .saturation = 1},
        .count = 1,
        .groups = &everything,
        .group_count = 1,
        .frames = 1,
        .cuda_device = -1,
    };
}

static double unit(uint32_t height)
{
    return height / (2 * tan(10 * M_PI / 180) * 100);
}

/* Puts body i where its sprite's centre falls on (x, y), in pixels from the upper left corner. */
static void place(int i, uint32_t width, uint32_t height, double x, double y)
{
    scene.position[i][0] = 0;
    scene.position[i][1] = (float)((x - width / 2.0) / unit(height));
    scene.position[i][2] = (float)((height / 2.0 - y) / unit(height));
    scene.position[i][3] = 1;
    memset(scene.velocity[i], 0, sizeof scene.velocity[i]);
}

static const struct view *view_of(size_t count, uint64_t frame)
{
    scene.view = (struct view){.memory = VIEW_HOST,
                               .device = -1,
                               .count = count,
                               .position = scene.position[0],
                               .velocity = scene.velocity[0],
                               .time = 0.5 * (double)frame,
                               .frame = frame};
    return &scene.view;
}

/* One picture in one go; the caller frees its data. */
static void draw(const struct renderer_params *params, uint64_t frame, struct picture *out)
{
    struct renderer_params all = *params;
    struct draw_group group = *params->groups;
    if (params->groups == &everything) {
        group.count = params->count;
        all.groups = &group;
    }
    struct renderer *renderer;
    struct picture *picture;
    assert_ok(renderer_open(&renderer, &all));
    assert_ok(renderer_bind(renderer));
    const struct view *view = view_of(params->count, frame);
    assert_ok(renderer_calibrate(renderer, view));
    assert_ok(renderer_picture_create(renderer, &picture));
    memset(picture->data, 0x5a, picture->layout.size);
    assert_ok(renderer_submit(renderer, view, picture));
    assert_ok(renderer_wait(renderer));
    *out = *picture;
    out->data = malloc(picture->layout.size);
    assert_non_null(out->data);
    memcpy(out->data, picture->data, picture->layout.size);
    renderer_picture_destroy(renderer, &picture);
    renderer_unbind(renderer);
    renderer_close(&renderer);
    assert_null(renderer);
    assert_int_equal(out->frame, frame);
}

static int sample(const struct picture *picture, int plane, uint32_t index, uint32_t y, int bytes)
{
    const uint8_t *at = picture->data + picture->layout.plane[plane].offset +
                        (size_t)y * picture->layout.plane[plane].stride + (size_t)index * bytes;
    return bytes == 2 ? at[0] | at[1] << 8 : at[0];
}

static int red(const struct picture *picture, uint32_t x, uint32_t y)
{
    return sample(picture, 0, 4 * x, y, 1);
}

/* Light of a pixel of an RGBA16 picture, red channel. */
static double light(const struct picture *picture, uint32_t x, uint32_t y)
{
    double shown = pow(sample(picture, 0, 4 * x, y, 2) / 65535.0, 2.2);
    return -log1p(-shown);
}

static double total_light(const struct picture *picture)
{
    double sum = 0;
    for (uint32_t y = 0; y < picture->layout.height; y++)
        for (uint32_t x = 0; x < picture->layout.width; x++)
            sum += light(picture, x, y);
    return sum;
}

static bool same_pixels(const struct picture *a, const struct picture *b)
{
    return a->layout.size == b->layout.size && memcmp(a->data, b->data, a->layout.size) == 0;
}

static int open_gl(void **state)
{
    struct renderer_params params = usual(PICTURE_RGBA8, WIDTH, HEIGHT);
    struct renderer *renderer;
    enum status status = renderer_open(&renderer, &params);
    if (status == STATUS_DEVICE) {
        print_message("skipped: %s\n", status_text());
        *state = NULL;
    } else {
        assert_ok(status);
        print_message("drawn by %s\n", renderer_description(renderer));
        *state = &scene;
        renderer_close(&renderer);
    }
    return 0;
}

static void need_gl(void **state)
{
    if (!*state)
        skip();
}

static void a_body_is_drawn_where_it_is(void **state)
{
    need_gl(state);
    static const double centres[][2] = {{10.5, 7.5}, {50.5, 7.5}, {10.5, 30.5}, {32, 18}};
    for (size_t i = 0; i < sizeof centres / sizeof centres[0]; i++) {
        struct renderer_params params = usual(PICTURE_RGBA8, WIDTH, HEIGHT);
        struct picture picture;
        place(0, WIDTH, HEIGHT, centres[i][0], centres[i][1]);
        draw(&params, 0, &picture);
        double x_sum = 0, y_sum = 0, sum = 0;
        for (uint32_t y = 0; y < HEIGHT; y++) {
            for (uint32_t x = 0; x < WIDTH; x++) {
                double distance = hypot(x + 0.5 - centres[i][0], y + 0.5 - centres[i][1]);
                int value = red(&picture, x, y);
                if (distance > 4.01 && value != 0)
                    fail_msg("%d instead of black at %u,%u", value, x, y);
                if (distance < 2)
                    assert_true(value > 20);
                assert_int_equal(sample(&picture, 0, 4 * x + 3, y, 1), 255);
                sum += value;
                x_sum += value * (x + 0.5);
                y_sum += value * (y + 0.5);
            }
        }
        assert_true(fabs(x_sum / sum - centres[i][0]) < 0.05);
        assert_true(fabs(y_sum / sum - centres[i][1]) < 0.05);
        free(picture.data);
    }
}

static void light_adds_up(void **state)
{
    need_gl(state);
    struct renderer_params params = usual(PICTURE_RGBA16, WIDTH, HEIGHT);
    params.look.exposure = 0.25;
    struct picture one, other, both;
    place(0, WIDTH, HEIGHT, 30.5, 18.5);
    draw(&params, 0, &one);
    place(0, WIDTH, HEIGHT, 33.5, 18.5);
    draw(&params, 0, &other);
    place(1, WIDTH, HEIGHT, 30.5, 18.5);
    params.count = 2;
    draw(&params, 0, &both);
    int lit_by_both = 0;
    for (uint32_t y = 0; y < HEIGHT; y++) {
        for (uint32_t x = 0; x < WIDTH; x++) {
            double a = light(&one, x, y), b = light(&other, x, y), sum = light(&both, x, y);
            if (fabs(a + b - sum) > 2e-3 * (a + b) + 1e-5)
                fail_msg("light %g and %g make %g at %u,%u", a, b, sum, x, y);
            lit_by_both += a > 0 && b > 0;
        }
    }
    assert_true(lit_by_both > 10);
    free(one.data);
    free(other.data);
    free(both.data);
}

/* A faint body twice as bright; a group that is not drawn; one that shines more. */
static void groups_and_exposure_scale_light(void **state)
{
    need_gl(state);
    struct renderer_params params = usual(PICTURE_RGBA16, WIDTH, HEIGHT);
    params.look.exposure = 0.2;
    params.count = 3;
    place(0, WIDTH, HEIGHT, 10.5, 18.5);
    place(1, WIDTH, HEIGHT, 30.5, 18.5);
    place(2, WIDTH, HEIGHT, 50.5, 18.5);
    const struct draw_group groups[] = {{0, 1, 1, {1, 1, 1}}, {2, 1, 3, {1, 1, 1}}};
    params.groups = groups;
    params.group_count = 2;
    struct picture picture, brighter;
    draw(&params, 0, &picture);
    double nominal = light(&picture, 10, 18);
    assert_true(nominal > 0.05);
    assert_int_equal(sample(&picture, 0, 4 * 30, 18, 2), 0);
    assert_true(fabs(light(&picture, 50, 18) / nominal - 3) < 0.01);
    params.look.exposure = 0.4;
    draw(&params, 0, &brighter);
    assert_true(fabs(light(&brighter, 10, 18) / nominal - 2) < 0.01);
    free(picture.data);
    free(brighter.data);
}

static void constant_colour_is_neutral(void **state)
{
    need_gl(state);
    place(0, WIDTH, HEIGHT, 20.5, 18.5);
    static const enum picture_format formats[] = {PICTURE_NV12, PICTURE_YUV420P, PICTURE_YUV444P,
                                                  PICTURE_YUV444P10, PICTURE_YUV420P10};
    for (size_t i = 0; i < sizeof formats / sizeof formats[0]; i++) {
        struct renderer_params params = usual(formats[i], WIDTH, HEIGHT);
        struct picture picture;
        draw(&params, 0, &picture);
        bool deep = formats[i] == PICTURE_YUV444P10 || formats[i] == PICTURE_YUV420P10;
        int bytes = deep ? 2 : 1, neutral = deep ? 512 : 128, black = deep ? 64 : 16, top = 0;
        const struct picture_layout *layout = &picture.layout;
        for (int p = 0; p < layout->planes; p++) {
            for (uint32_t y = 0; y < layout->plane[p].rows; y++) {
                for (uint32_t x = 0; x < layout->plane[p].bytes / (uint32_t)bytes; x++) {
                    int value = sample(&picture, p, x, y, bytes);
                    if (p > 0 && abs(value - neutral) > 1)
                        fail_msg("%s: chroma %d at %u,%u", picture_format_name(formats[i]), value,
                                 x, y);
                    if (p == 0 && x > 32)
                        assert_int_equal(value, black);
                    if (p == 0 && value > top)
                        top = value;
                }
            }
        }
        assert_true(top > neutral);
        free(picture.data);
    }
    struct renderer_params params = usual(PICTURE_RGBA8, WIDTH, HEIGHT);
    struct picture picture;
    draw(&params, 0, &picture);
    for (uint32_t y = 0; y < HEIGHT; y++)
        for (uint32_t x = 0; x < WIDTH; x++)
            for (uint32_t c = 1; c < 3; c++)
                assert_true(abs(sample(&picture, 0, 4 * x + c, y, 1) - red(&picture, x, y)) <= 2);
    free(picture.data);
}

/* Many bodies of all colours, dense enough that whole blocks of chroma are lit. */
static size_t colourful(uint32_t width, uint32_t height)
{
    enum { COUNT = 120 };
    for (int i = 0; i < COUNT; i++) {
        double turn = i * 2.39996, reach = sqrt((i + 0.5) / COUNT);
        place(i, width, height, width * (0.5 + 0.45 * reach * cos(turn)),
              height * (0.5 + 0.45 * reach * sin(turn)));
        scene.velocity[i][0] = (float)cos(0.7 * i);
        scene.velocity[i][1] = (float)sin(1.1 * i);
        scene.velocity[i][2] = (float)cos(1.9 * i + 1);
    }
    return COUNT;
}

static void colour_params(struct renderer_params *params)
{
    params->look.color = "velocity";
    params->look.exposure = 0.6;
    params->count = colourful(params->width, params->height);
}

/* Rec. ITU-R BT.709-6, limited range; `rgb` 0..1 into 8-bit code values. */
static void to_yuv(const double rgb[3], double yuv[3])
{
    double luma = 0.2126 * rgb[0] + 0.7152 * rgb[1] + 0.0722 * rgb[2];
    yuv[0] = 16 + 219 * luma;
    yuv[1] = 128 + 224 * (rgb[2] - luma) / 1.8556;
    yuv[2] = 128 + 224 * (rgb[0] - luma) / 1.5748;
}

static void yuv_at(const struct picture *rgba16, int x, int y, double yuv[3])
{
    int last_x = (int)rgba16->layout.width - 1, last_y = (int)rgba16->layout.height - 1;
    x = x < 0 ? 0 : x > last_x ? last_x : x;
    y = y > last_y ? last_y : y;
    double rgb[3];
    for (uint32_t c = 0; c < 3; c++)
        rgb[c] = sample(rgba16, 0, 4 * (uint32_t)x + c, (uint32_t)y, 2) / 65535.0;
    to_yuv(rgb, yuv);
}

/* Left-sited, as H.264 has it: weights 1 2 1 along the row, the mean of two rows. */
static double halved(const struct picture *rgba16, uint32_t x, uint32_t y, int channel)
{
    static const double weights[3] = {0.25, 0.5, 0.25};
    double sum = 0, yuv[3];
    for (int row = 0; row < 2; row++) {
        for (int k = 0; k < 3; k++) {
            yuv_at(rgba16, 2 * (int)x + k - 1, 2 * (int)y + row, yuv);
            sum += weights[k] * yuv[channel] / 2;
        }
    }
    return sum;
}

static void compare_yuv(const struct picture *yuv, const struct picture *rgba16)
{
    enum picture_format format = yuv->layout.format;
    bool half = format == PICTURE_NV12 || format == PICTURE_YUV420P || format == PICTURE_YUV420P10;
    bool deep = format == PICTURE_YUV420P10 || format == PICTURE_YUV444P10;
    uint32_t width = yuv->layout.width, height = yuv->layout.height;
    double scale = deep ? 4 : 1, reach[3] = {0};
    for (int c = 0; c < 3; c++) {
        uint32_t columns = c && half ? width / 2 : width, rows = c && half ? height / 2 : height;
        for (uint32_t y = 0; y < rows; y++) {
            for (uint32_t x = 0; x < columns; x++) {
                double wanted[3];
                yuv_at(rgba16, (int)x, (int)y, wanted);
                if (c && half)
                    wanted[c] = halved(rgba16, x, y, c);
                int found = format == PICTURE_NV12 && c
                                ? sample(yuv, 1, 2 * x + (uint32_t)c - 1, y, 1)
                                : sample(yuv, c, x, y, deep ? 2 : 1);
                if (fabs(found - wanted[c] * scale) > 2)
                    fail_msg("%s: %d instead of %.2f in channel %d at %u,%u",
                             picture_format_name(format), found, wanted[c] * scale, c, x, y);
                reach[c] = fmax(reach[c], fabs(wanted[c] - (c ? 128 : 16)));
            }
        }
    }
    assert_true(reach[0] > 100 && reach[1] > 20 && reach[2] > 20);
}

static void formats_agree(void **state)
{
    need_gl(state);
    struct renderer_params params = usual(PICTURE_RGBA16, WIDTH, HEIGHT);
    colour_params(&params);
    struct picture deep, shallow;
    draw(&params, 0, &deep);
    params.format = PICTURE_RGBA8;
    draw(&params, 0, &shallow);
    for (uint32_t y = 0; y < HEIGHT; y++)
        for (uint32_t i = 0; i < 4 * WIDTH; i++)
            assert_true(fabs(sample(&deep, 0, i, y, 2) / 257.0 - sample(&shallow, 0, i, y, 1)) <=
                        1.51);
    static const enum picture_format formats[] = {PICTURE_NV12, PICTURE_YUV420P, PICTURE_YUV420P10,
                                                  PICTURE_YUV444P, PICTURE_YUV444P10};
    for (size_t i = 0; i < sizeof formats / sizeof formats[0]; i++) {
        struct picture yuv;
        params.format = formats[i];
        draw(&params, 0, &yuv);
        compare_yuv(&yuv, &deep);
        free(yuv.data);
    }
    free(deep.data);
    free(shallow.data);
}

/* The same place in pixels must look the same in any size, and rows must not drift. */
static void odd_sizes_work(void **state)
{
    need_gl(state);
    static const uint32_t sizes[][2] = {{63, 35}, {61, 36}, {17, 17}};
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        uint32_t width = sizes[i][0], height = sizes[i][1];
        struct renderer_params params = usual(PICTURE_RGBA16, width, height);
        colour_params(&params);
        struct picture deep, rgba, yuv;
        draw(&params, 0, &deep);
        params.format = PICTURE_RGBA8;
        draw(&params, 0, &rgba);
        for (uint32_t y = 0; y < height; y++)
            for (uint32_t x = 0; x < 4 * width; x++)
                assert_true(fabs(sample(&deep, 0, x, y, 2) / 257.0 - sample(&rgba, 0, x, y, 1)) <=
                            1.51);
        params.format = PICTURE_YUV444P;
        draw(&params, 0, &yuv);
        compare_yuv(&yuv, &deep);
        free(deep.data);
        free(rgba.data);
        free(yuv.data);
        place(0, width, height, width - 2.5, height - 2.5);
        params = usual(PICTURE_RGBA8, width, height);
        draw(&params, 0, &rgba);
        assert_true(red(&rgba, width - 3, height - 3) > 100);
        assert_int_equal(red(&rgba, 3, 3), 0);
        free(rgba.data);
    }
}

/* A sprite that moves out of the picture loses its light bit by bit. */
static void edges_fade(void **state)
{
    need_gl(state);
    struct renderer_params params = usual(PICTURE_RGBA16, WIDTH, HEIGHT);
    params.look.exposure = 0.25;
    struct picture picture;
    place(0, WIDTH, HEIGHT, 32.5, 18.5);
    draw(&params, 0, &picture);
    double whole = total_light(&picture), before = -1, outside = 0;
    free(picture.data);
    for (double x = -5; x <= 5; x += 0.5) {
        place(0, WIDTH, HEIGHT, x + 0.001, 18.5);
        draw(&params, 0, &picture);
        double now = total_light(&picture);
        free(picture.data);
        if (before >= 0) {
            assert_true(now >= before - 0.03 * whole); /* the pixel grid moves by half a pixel */
            assert_true(now - before < 0.25 * whole);
        } else {
            assert_true(now == 0);
        }
        if (x == -1)
            outside = now;
        before = now;
    }
    assert_true(outside > 0.1 * whole && outside < 0.5 * whole);
    assert_true(fabs(before - whole) < 0.03 * whole);
}

/* A large faint sprite is a slow gradient: neighbours differ by the dither's reach at most, and the
 * mean over a row of equal light follows the light instead of steps. */
static void dither_hides_steps(void **state)
{
    need_gl(state);
    enum { SIDE = 128 };
    struct renderer_params params = usual(PICTURE_RGBA8, SIDE, SIDE);
    params.look.point_size = 180.0 * 1080 / SIDE;
    params.look.exposure = 0.002;
    place(0, SIDE, SIDE, 64, 64);
    struct picture eight, sixteen;
    draw(&params, 0, &eight);
    params.format = PICTURE_RGBA16;
    draw(&params, 0, &sixteen);
    int levels[256] = {0}, used = 0;
    double error = 0, bias = 0;
    for (uint32_t y = 0; y < SIDE; y++) {
        for (uint32_t x = 0; x < SIDE; x++) {
            double exact = sample(&sixteen, 0, 4 * x, y, 2) / 257.0;
            double off = red(&eight, x, y) - exact;
            assert_true(fabs(off) <= 1.51);
            error += off * off;
            bias += off;
            used += levels[red(&eight, x, y)]++ == 0;
        }
    }
    /* Triangular dither: no bias, and an error whose size does not depend on the signal. */
    assert_true(used > 5 && used < 40);
    assert_true(fabs(bias / (SIDE * SIDE)) < 0.02);
    double variance = error / (SIDE * SIDE);
    assert_true(variance > 0.15 && variance < 0.30);
    free(eight.data);
    free(sixteen.data);
}

static void pictures_repeat(void **state)
{
    need_gl(state);
    struct renderer_params params = usual(PICTURE_NV12, WIDTH, HEIGHT);
    colour_params(&params);
    params.look.bloom = 0.5;
    struct picture a, b, later;
    draw(&params, 3, &a);
    draw(&params, 3, &b);
    assert_true(same_pixels(&a, &b));
    draw(&params, 4, &later); /* another frame's dither differs */
    assert_false(same_pixels(&a, &later));
    free(a.data);
    free(b.data);
    free(later.data);
}

static double peak(const struct picture *picture)
{
    double most = 0;
    for (uint32_t y = 0; y < picture->layout.height; y++)
        for (uint32_t x = 0; x < picture->layout.width; x++)
            most = fmax(most, light(picture, x, y));
    return most;
}

/* Set once, from the first view: more bodies later come out brighter, not the same. */
static void exposure_stays(void **state)
{
    need_gl(state);
    struct renderer_params params = usual(PICTURE_RGBA16, WIDTH, HEIGHT);
    params.look.exposure = 0;
    params.count = 4;
    const struct draw_group group = {0, 4, 1, {1, 1, 1}};
    params.groups = &group;
    struct renderer *renderer;
    struct picture *first, *again, *crowded;
    assert_ok(renderer_open(&renderer, &params));
    assert_ok(renderer_bind(renderer));
    assert_ok(renderer_picture_create(renderer, &first));
    assert_ok(renderer_picture_create(renderer, &again));
    assert_ok(renderer_picture_create(renderer, &crowded));
    for (int i = 0; i < 4; i++)
        place(i, WIDTH, HEIGHT, 8.5 + 16 * i, 18.5);
    assert_ok(renderer_calibrate(renderer, view_of(4, 0)));
    double exposure = renderer_exposure(renderer);
    assert_true(exposure > 0);
    /* Two pictures under way at once come back in order. */
    assert_ok(renderer_submit(renderer, view_of(4, 0), first));
    struct view view = *view_of(4, 0);
    assert_ok(renderer_submit(renderer, &view, again));
    assert_ok(renderer_wait(renderer));
    assert_ok(renderer_wait(renderer));
    assert_true(same_pixels(first, again));
    for (int i = 0; i < 4; i++)
        place(i, WIDTH, HEIGHT, i < 2 ? 8.5 : 40.5, 18.5);
    assert_ok(renderer_submit(renderer, view_of(4, 0), crowded));
    assert_ok(renderer_wait(renderer));
    assert_true(renderer_exposure(renderer) == exposure);
    assert_true(peak(first) > 0.3);
    double ratio = light(crowded, 8, 20) / light(first, 8, 20);
    assert_true(fabs(ratio - 2) < 0.05);
    renderer_picture_destroy(renderer, &first);
    renderer_picture_destroy(renderer, &again);
    renderer_picture_destroy(renderer, &crowded);
    renderer_unbind(renderer);
    renderer_close(&renderer);
}

/* A glow spreads light evenly to all sides and neither makes nor loses much of it. */
static void bloom_keeps_light(void **state)
{
    need_gl(state);
    static const uint32_t sides[] = {256, 255, 257};
    for (size_t i = 0; i < sizeof sides / sizeof sides[0]; i++) {
        uint32_t side = sides[i], at = 208;
        struct renderer_params params = usual(PICTURE_RGBA16, side, side);
        params.look.exposure = 0.25;
        place(0, side, side, at, at);
        struct picture sharp, soft;
        draw(&params, 0, &sharp);
        params.look.bloom = 0.5;
        draw(&params, 0, &soft);
        double before = total_light(&sharp), after = total_light(&soft);
        if (fabs(after / before - 1) > 0.1)
            fail_msg("light %g with glow, %g without", after, before);
        assert_true(light(&soft, at, at) < light(&sharp, at, at));
        assert_true(light(&soft, at + 12, at) > 0 && light(&sharp, at + 12, at) == 0);
        for (uint32_t k = 5; k < 15; k += 3) {
            double right = light(&soft, at + k, at), left = light(&soft, at - 1 - k, at);
            double below = light(&soft, at, at + k), above = light(&soft, at, at - 1 - k);
            if (fabs(log(right / left)) > 0.1 || fabs(log(below / above)) > 0.1)
                fail_msg("%ux%u, %u pixels off: left %g, right %g, above %g, below %g", side, side,
                         k, left, right, above, below);
        }
        free(sharp.data);
        free(soft.data);
    }
}

static void wrong_requests_are_refused(void **state)
{
    need_gl(state);
    struct renderer *renderer;
    struct renderer_params params = usual(PICTURE_RGBA8, WIDTH, HEIGHT);
    params.look.color = "rainbow";
    assert_fails(renderer_open(&renderer, &params), STATUS_USAGE, "choose one of velocity");
    assert_null(renderer);
    params = usual(PICTURE_RGBA8, 1 << 20, 16);
    assert_fails(renderer_open(&renderer, &params), STATUS_USAGE, "smaller --size");
    assert_null(renderer);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_body_is_drawn_where_it_is),
        cmocka_unit_test(light_adds_up),
        cmocka_unit_test(groups_and_exposure_scale_light),
        cmocka_unit_test(constant_colour_is_neutral),
        cmocka_unit_test(formats_agree),
        cmocka_unit_test(odd_sizes_work),
        cmocka_unit_test(edges_fade),
        cmocka_unit_test(dither_hides_steps),
        cmocka_unit_test(pictures_repeat),
        cmocka_unit_test(exposure_stays),
        cmocka_unit_test(bloom_keeps_light),
        cmocka_unit_test(wrong_requests_are_refused),
    };
    return cmocka_run_group_tests(tests, open_gl, NULL);
}
