/* The same picture in every format that a sink can request. */
#include "tests/support/choose.h"
#include "tests/support/test.h"

#include "tests/support/films/drawing.h"

#include <math.h>
#include <string.h>

TEST(constant_colour_is_neutral)
{
    need_gl(state);
    place(0, WIDTH, HEIGHT, 20.5, 18.5);
    static const enum picture_format formats[] = {
        PICTURE_NV12,      PICTURE_YUV420P, PICTURE_YUV444P,  PICTURE_YUV444P10,
        PICTURE_YUV420P10, PICTURE_YUV422P, PICTURE_YUV422P10};
    for (size_t i = 0; i < sizeof formats / sizeof formats[0]; i++) {
        struct renderer_params params = usual(formats[i], WIDTH, HEIGHT);
        struct picture picture;
        draw(&params, 0, &picture);
        const bool deep = picture_format_bits(formats[i]) == 10;
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

/* Left-sited, as H.264 has it: weights 1 2 1 along the row, the mean of two rows, or one with
 * 4:2:2.
 */
static double halved(const struct picture *rgba16, uint32_t x, uint32_t y, int channel, int rows)
{
    static const double weights[3] = {0.25, 0.5, 0.25};
    double sum = 0, yuv[3];
    for (int row = 0; row < rows; row++) {
        for (int k = 0; k < 3; k++) {
            yuv_at(rgba16, 2 * (int)x + k - 1, rows * (int)y + row, yuv);
            sum += weights[k] * yuv[channel] / rows;
        }
    }
    return sum;
}

static void compare_yuv(const struct picture *yuv, const struct picture *rgba16)
{
    enum picture_format format = yuv->layout.format;
    const bool half = picture_format_halves_width(format);
    const int down = picture_format_halves_height(format) ? 2 : 1;
    const bool deep = picture_format_bits(format) == 10;
    uint32_t width = yuv->layout.width, height = yuv->layout.height;
    double scale = deep ? 4 : 1, reach[3] = {0};
    for (int c = 0; c < 3; c++) {
        uint32_t columns = c && half ? width / 2 : width,
                 rows = c ? height / (uint32_t)down : height;
        for (uint32_t y = 0; y < rows; y++) {
            for (uint32_t x = 0; x < columns; x++) {
                double expected[3];
                yuv_at(rgba16, (int)x, (int)y, expected);
                if (c && half)
                    expected[c] = halved(rgba16, x, y, c, down);
                int found = format == PICTURE_NV12 && c
                                ? sample(yuv, 1, 2 * x + (uint32_t)c - 1, y, 1)
                                : sample(yuv, c, x, y, deep ? 2 : 1);
                if (fabs(found - expected[c] * scale) > 2)
                    fail_msg("%s: %d instead of %.2f in channel %d at %u,%u",
                             picture_format_name(format), found, expected[c] * scale, c, x, y);
                reach[c] = fmax(reach[c], fabs(expected[c] - (c ? 128 : 16)));
            }
        }
    }
    assert_true(reach[0] > 100 && reach[1] > 20 && reach[2] > 20);
}

TEST(formats_agree)
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
    static const enum picture_format formats[] = {
        PICTURE_NV12,      PICTURE_YUV420P, PICTURE_YUV420P10, PICTURE_YUV444P,
        PICTURE_YUV444P10, PICTURE_YUV422P, PICTURE_YUV422P10};
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

/* ST 2084, read backwards: the signal -> cd/m^2. */
static double bright(double signal)
{
    const double c1 = 0.8359375, c2 = 18.8515625, c3 = 18.6875;
    const double power = pow(signal, 1 / 78.84375);
    return 10000 * pow(fmax(power - c1, 0) / (c2 - c3 * power), 1 / 0.1593017578125);
}

/* BT.2100, table 5: the signal -> cd/m^2 of a grey on a display of 1000. */
static double hlg_bright(double signal)
{
    const double a = 0.17883277, b = 0.28466892, c = 0.55991073;
    const double scene = signal <= 0.5 ? signal * signal / 3 : (exp((signal - c) / a) + b) / 12;
    return 1000 * pow(scene, 1.2);
}

/* Greys, faint and bright: dark areas are as bright as in ordinary pictures at 203 cd/m^2, cores
 * brighter; letters stay at 203, and black has black's code. */
TEST(high_dynamic_range_in_candelas)
{
    need_gl(state);
    struct renderer_params params = usual(PICTURE_RGBA16, WIDTH, HEIGHT);
    struct picture usual_one, hdr;
    const double exposures[] = {0.01, 0.05, 0.3, 1, 4, 30};
    place(0, WIDTH, HEIGHT, 20.5, 18.5);
    for (size_t i = 0; i < sizeof exposures / sizeof *exposures; i++) {
        params.look.exposure.factor = exposures[i];
        params.format = PICTURE_RGBA16;
        draw(&params, 0, &usual_one);
        double most = 0;
        uint32_t x = 0, y = 0;
        for (uint32_t k = 0; k < WIDTH * HEIGHT; k++)
            if (sample(&usual_one, 0, 4 * (k % WIDTH), k / WIDTH, 2) > most) {
                most = sample(&usual_one, 0, 4 * (k % WIDTH), k / WIDTH, 2);
                x = k % WIDTH;
                y = k / WIDTH;
            }
        const double light = -log(1 - fmin(pow(most / 65535, 2.2), 1 - 1e-7)), head = 1000 / 203.0;
        const double expected = 1000 * (1 - exp(-light / head));
        for (int hlg = 0; hlg < 2; hlg++) {
            params.format = hlg ? PICTURE_YUV444P10_HLG : PICTURE_YUV420P10_PQ;
            draw(&params, 0, &hdr);
            const double signal = (sample(&hdr, 0, x, y, 2) - 64) / 876.0;
            const double found = hlg ? hlg_bright(signal) : bright(signal);
            if (light < 8 && !(fabs(found - expected) < 0.03 * expected + (hlg ? 0.6 : 0.02)))
                fail_msg("%.4g instead of %.4g cd/m^2", found, expected);
            if (light >= 8)
                assert_true(found > 650 && found < 1010);
            assert_int_equal(sample(&hdr, 0, WIDTH - 1, HEIGHT - 1, 2), 64);
            const uint32_t half = hlg ? 1 : 2;
            assert_true(abs(sample(&hdr, 1, x / half, y / half, 2) - 512) <= 2);
            free(hdr.data);
        }
        free(usual_one.data);
    }
}

/* Curves designed for ordinary white: dark areas are unchanged, and white is raised to the
 * display's brightest; "linear" is unchanged, with its white at 203 cd/m^2. */
TEST(curves_of_ordinary_white_are_lifted)
{
    need_gl(state);
    static const struct {
        char *tone;
        double lift;
    } cases[] = {{"log", 1000 / 203.0 - 1}, {"agx", 1000 / 203.0 - 1}, {"linear", 0}};
    struct picture usual_one, hdr;
    place(0, WIDTH, HEIGHT, WIDTH / 2.0, HEIGHT / 2.0);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct renderer_params params = usual(PICTURE_RGBA16, WIDTH, HEIGHT);
        params.look.tone = choose(&tone_registry, cases[i].tone);
        double darkest = 1e9, brightest = 0;
        for (double exposure = 1e-3; exposure < 4000; exposure *= 3) {
            params.look.exposure.factor = exposure;
            params.format = PICTURE_RGBA16;
            draw(&params, 0, &usual_one);
            params.format = PICTURE_YUV420P10_PQ;
            draw(&params, 0, &hdr);
            const double code = sample(&usual_one, 0, 4 * (WIDTH / 2), HEIGHT / 2, 2);
            const double shown = pow(code / 65535, 2.2);
            const double expected = 203 * shown * (1 + cases[i].lift * shown * shown);
            const double found = bright((sample(&hdr, 0, WIDTH / 2, HEIGHT / 2, 2) - 64) / 876.0);
            if (!(fabs(found - expected) < 0.03 * expected + 0.02))
                fail_msg("%s: %.4g instead of %.4g cd/m^2", cases[i].tone, found, expected);
            darkest = fmin(darkest, found);
            brightest = fmax(brightest, found);
            free(usual_one.data);
            free(hdr.data);
        }
        assert_true(darkest < 10);
        assert_true(fabs(brightest / (203 * (1 + cases[i].lift)) - 1) < 0.03);
    }
}

/* Linear light: no curve changes it, it grows with the exposure beyond white, and "linear" shows
 * the same up to there. */
TEST(light_has_no_curve)
{
    need_gl(state);
    static char *const tones[] = {"linear", "log", "agx", "filmic"};
    struct renderer_params params = usual(PICTURE_RGBA16, WIDTH, HEIGHT);
    struct picture picture;
    place(0, WIDTH, HEIGHT, WIDTH / 2.0, HEIGHT / 2.0);
    params.look.tone = choose(&tone_registry, "linear");
    params.look.exposure.factor = 0.1;
    draw(&params, 0, &picture);
    const double code = sample(&picture, 0, 4 * (WIDTH / 2), HEIGHT / 2, 2);
    const double expected = pow(code / 65535, 2.2);
    free(picture.data);
    assert_true(expected > 0.001 && expected < 0.9);
    params.format = PICTURE_RGBAF32;
    for (size_t i = 0; i < 4; i++)
        for (double more = 1; more < 1e5; more *= 100) {
            params.look.tone = choose(&tone_registry, tones[i]);
            params.look.exposure.factor = 0.1 * more;
            draw(&params, 0, &picture);
            const size_t row = (size_t)(HEIGHT / 2) * picture.layout.plane[0].stride;
            float pixel[4], corner[4];
            memcpy(pixel, picture.data + row + sizeof pixel * (WIDTH / 2), sizeof pixel);
            memcpy(corner, picture.data, sizeof corner);
            if (!(fabs(pixel[0] / (expected * more) - 1) < 0.002))
                fail_msg("%s: %g instead of %g", tones[i], (double)pixel[0], expected * more);
            assert_true(pixel[3] == 1);
            assert_true(corner[0] == 0 && corner[1] == 0 && corner[2] == 0);
            free(picture.data);
        }
}

/* Red in BT.709's primaries is not a pure red in BT.2020's. */
TEST(colours_keep_their_place)
{
    need_gl(state);
    struct renderer_params params = usual(PICTURE_YUV444P10_PQ, WIDTH, HEIGHT);
    const double sky[3] = {1, 0, 0};
    struct picture picture;
    place(0, WIDTH, HEIGHT, -10.0 * WIDTH, 0);
    for (int c = 0; c < 3; c++)
        params.look.background.shown[c] = sky[c];
    draw(&params, 0, &picture);
    const double luma = (sample(&picture, 0, 5, 5, 2) - 64) / 876.0;
    const double cb = (sample(&picture, 1, 5, 5, 2) - 512) / 896.0;
    const double cr = (sample(&picture, 2, 5, 5, 2) - 512) / 896.0;
    const double red = luma + 1.4746 * cr, blue = luma + 1.8814 * cb;
    const double green = (luma - 0.2627 * red - 0.0593 * blue) / 0.6780;
    assert_true(fabs(bright(red) - 203 * 0.6274) < 2);
    assert_true(fabs(bright(green) - 203 * 0.0691) < 0.5);
    assert_true(fabs(bright(blue) - 203 * 0.0164) < 0.3);
    for (uint32_t k = 0; k < WIDTH * HEIGHT; k++) /* a sky without light has no dither */
        assert_int_equal(sample(&picture, 0, k % WIDTH, k / WIDTH, 2),
                         sample(&picture, 0, 5, 5, 2));
    free(picture.data);
}

/* NV12 is YUV420P with interleaved chroma planes, including the noise. */
TEST(chroma_is_dithered_alike)
{
    need_gl(state);
    struct renderer_params params = usual(PICTURE_YUV420P, WIDTH, HEIGHT);
    colour_params(&params);
    struct picture apart, together;
    draw(&params, 3, &apart);
    params.format = PICTURE_NV12;
    draw(&params, 3, &together);
    for (uint32_t y = 0; y < HEIGHT; y++)
        for (uint32_t x = 0; x < WIDTH; x++)
            assert_int_equal(sample(&together, 0, x, y, 1), sample(&apart, 0, x, y, 1));
    for (uint32_t y = 0; y < HEIGHT / 2; y++)
        for (uint32_t x = 0; x < WIDTH; x++)
            assert_int_equal(sample(&together, 1, x, y, 1),
                             sample(&apart, 1 + (int)(x % 2), x / 2, y, 1));
    free(apart.data);
    free(together.data);
}

/* White has no code above it: noise must not wrap around to black. */
TEST(white_stays_white)
{
    need_gl(state);
    static const struct {
        enum picture_format format;
        int bytes, white;
    } cases[] = {{PICTURE_RGBA8, 1, 255}, {PICTURE_RGBA16, 2, 65535}};
    for (int i = 0; i < 2; i++) {
        struct renderer_params params = usual(cases[i].format, WIDTH, HEIGHT);
        params.look.point_size = 400.0 * 1080 / HEIGHT;
        params.look.exposure.factor = 1e6;
        place(0, WIDTH, HEIGHT, WIDTH / 2.0, HEIGHT / 2.0);
        struct picture picture;
        draw(&params, 0, &picture);
        for (uint32_t y = 0; y < HEIGHT; y++)
            for (uint32_t x = 0; x < 4 * WIDTH; x++)
                assert_in_range(sample(&picture, 0, x, y, cases[i].bytes), cases[i].white - 1,
                                cases[i].white);
        free(picture.data);
    }
}

/* The same position in pixels must look the same in any size, and rows must not shift. */
TEST(odd_sizes_work)
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

/* A large faint sprite is a slow gradient: neighbours differ at most by the dither's amplitude, and
 * the mean over a row of equal light follows the light instead of steps. */
TEST(dither_hides_steps)
{
    need_gl(state);
    enum { SIDE = 128 };
    struct renderer_params params = usual(PICTURE_RGBA8, SIDE, SIDE);
    params.look.point_size = 180.0 * 1080 / SIDE;
    params.look.exposure.factor = 0.002;
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

enum { GRADIENT = 96, FRAMES = 48 };

/* The mean of many frames' noise over a slow gradient, as 8-bit or 10-bit code values. */
static void mean_of_frames(struct renderer_params *params, double mean[GRADIENT][GRADIENT])
{
    const bool deep = params->format == PICTURE_YUV444P10;
    const struct draw_group group = {.count = 1, .light = 1, .tint = {1, 1, 1}};
    struct renderer *renderer;
    struct picture *picture;
    params->groups = &group;
    assert_ok(renderer_open(&renderer, params));
    assert_ok(renderer_bind(renderer));
    assert_ok(renderer_picture_create(renderer, &picture));
    memset(mean, 0, sizeof(double[GRADIENT][GRADIENT]));
    for (uint64_t frame = 0; frame < FRAMES; frame++) {
        assert_ok(renderer_submit(renderer, view_of(1, frame), picture));
        assert_ok(renderer_wait(renderer));
        for (uint32_t y = 0; y < GRADIENT; y++)
            for (uint32_t x = 0; x < GRADIENT; x++)
                mean[y][x] +=
                    (deep ? sample(picture, 0, x, y, 2) : red(picture, x, y)) / (double)FRAMES;
    }
    renderer_picture_destroy(renderer, &picture);
    renderer_unbind(renderer);
    renderer_close(&renderer);
}

/* A sprite wider than the picture, without noise: its light decreases slowly along every row. No
 * step between neighbours is larger than a code, and no band is flat where light decreases. */
TEST(gradients_have_no_bands)
{
    need_gl(state);
    static const enum picture_format formats[] = {PICTURE_RGBA8, PICTURE_YUV444P10};
    static double mean[GRADIENT][GRADIENT];
    for (int f = 0; f < 2; f++) {
        struct renderer_params params = usual(PICTURE_RGBA16, GRADIENT, GRADIENT);
        struct picture exact;
        params.look.point_size = 500.0 * 1080 / GRADIENT;
        params.look.exposure.factor = f == 0 ? 0.02 : 0.002;
        place(0, GRADIENT, GRADIENT, 0, 48);
        draw(&params, 0, &exact);
        params.format = formats[f];
        mean_of_frames(&params, mean);
        const double scale = f == 0 ? 255 : 219.0 * 4, black = f == 0 ? 0 : 64;
        /* Triangular noise on rounding: a variance of a quarter at most, over rows of 8 as well. */
        const double noise = sqrt(0.25 / FRAMES / 8);
        double reach = 0;
        for (uint32_t y = 0; y < GRADIENT; y += 8)
            for (uint32_t x = 0; x < GRADIENT; x++) {
                double here = 0, expected = 0, next = 0;
                for (uint32_t k = 0; k < 8; k++) {
                    here += mean[y + k][x] / 8;
                    expected += sample(&exact, 0, 4 * x, y + k, 2) / 65535.0 / 8;
                    next += mean[y + k][x + 1 < GRADIENT ? x + 1 : x] / 8;
                }
                expected = black + scale * expected;
                if (fabs(next - here) > 1)
                    fail_msg("a step of %g code values at %u, %u", next - here, x, y);
                if (fabs(here - expected) > 5 * noise)
                    fail_msg("%g instead of %g at %u, %u: a band", here, expected, x, y);
                reach = fmax(reach, fabs(here - mean[y][0]));
            }
        assert_true(reach > 4);
        free(exact.data);
    }
}

TEST(pictures_repeat)
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

TESTS(open_gl, NULL)
