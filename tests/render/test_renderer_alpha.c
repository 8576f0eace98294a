/* Pictures with alpha beside the same without: on black they are the ordinary picture. */
#include "tests/support/test.h"

#include "render/picture/picture.h"
#include "tests/support/films/drawing.h"

#include <stdlib.h>

static const enum picture_alpha kinds[] = {ALPHA_STRAIGHT, ALPHA_PREMULTIPLIED};

static uint32_t larger(uint32_t a, uint32_t b)
{
    return a > b ? a : b;
}

static void code_at(const struct picture *picture, uint32_t x, uint32_t y, uint32_t code[4])
{
    const int bytes = picture_format_bits(picture->layout.format) > 8 ? 2 : 1;
    for (uint32_t c = 0; c < 4; c++)
        code[c] = (uint32_t)sample(picture, 0, 4 * x + c, y, bytes);
}

/* Of a straight colour: rounded to the codes that there are. */
static uint32_t on_black(const uint32_t code[4], int c, uint32_t top)
{
    return (uint32_t)(((uint64_t)code[c] * code[3] + top / 2) / top);
}

/* Red, green and blue on black are those of `plain`, and alpha is the largest of them. */
static void check_pixel(const uint32_t plain[4], const uint32_t code[4], enum picture_alpha kind,
                        uint32_t top)
{
    const uint32_t most = larger(plain[0], larger(plain[1], plain[2]));
    assert_int_equal(plain[3], top);
    assert_int_equal(code[3], most);
    for (int c = 0; c < 3; c++) {
        assert_int_equal(kind == ALPHA_STRAIGHT ? on_black(code, c, top) : code[c], plain[c]);
        if (kind == ALPHA_STRAIGHT && most == 0)
            assert_int_equal(code[c], 0);
        if (kind == ALPHA_STRAIGHT && plain[c] == most && most > 0)
            assert_int_equal(code[c], top);
    }
}

TEST(rgb_on_black_is_the_ordinary_picture)
{
    need_gl(state);
    struct renderer_params params = usual(PICTURE_RGBA8, WIDTH, HEIGHT);
    colour_params(&params);
    for (int i = 0; i < 4; i++) {
        const uint32_t bits = i / 2 ? 16 : 8, top = (1u << bits) - 1;
        struct picture plain, clear;
        params.format = picture_format_rgba(bits, ALPHA_NONE);
        draw(&params, 7, &plain);
        params.format = picture_format_rgba(bits, kinds[i % 2]);
        draw(&params, 7, &clear);
        uint32_t dark = 0, partly = 0, a[4], b[4];
        for (uint32_t y = 0; y < HEIGHT; y++)
            for (uint32_t x = 0; x < WIDTH; x++) {
                code_at(&plain, x, y, a);
                code_at(&clear, x, y, b);
                check_pixel(a, b, kinds[i % 2], top);
                dark += b[3] == 0;
                partly += b[3] > 0 && b[3] < top;
            }
        assert_true(dark > 0 && partly > 100);
        free(plain.data);
        free(clear.data);
    }
}

/* Y', Cb and Cr are the ordinary ones to the bit if alpha is only stored beside them. */
TEST(premultiplied_ycc_is_the_ordinary_picture)
{
    need_gl(state);
    struct renderer_params params = usual(PICTURE_YUV444P10, WIDTH, HEIGHT);
    colour_params(&params);
    struct picture plain, clear, deep;
    draw(&params, 3, &plain);
    params.format = PICTURE_YUVA444P10_PREMULTIPLIED;
    draw(&params, 3, &clear);
    params.format = PICTURE_RGBA16;
    draw(&params, 3, &deep);
    assert_int_equal(clear.layout.planes, 4);
    for (int p = 0; p < 3; p++)
        assert_memory_equal(plain.data + plain.layout.plane[p].offset,
                            clear.data + clear.layout.plane[p].offset,
                            (size_t)plain.layout.plane[p].stride * plain.layout.plane[p].rows);
    for (uint32_t y = 0; y < HEIGHT; y++)
        for (uint32_t x = 0; x < WIDTH; x++) {
            uint32_t code[4];
            code_at(&deep, x, y, code);
            const double most = larger(code[0], larger(code[1], code[2])) / 65535.0 * 1023;
            assert_true(abs(sample(&clear, 3, x, y, 2) - (int)(most + 0.5)) <= 1);
        }
    free(plain.data);
    free(clear.data);
    free(deep.data);
}

/* Luma times alpha is the ordinary luma, except for both dithers. */
TEST(straight_ycc_on_black_is_the_ordinary_picture)
{
    need_gl(state);
    struct renderer_params params = usual(PICTURE_YUV444P10, WIDTH, HEIGHT);
    colour_params(&params);
    struct picture plain, clear;
    draw(&params, 3, &plain);
    params.format = PICTURE_YUVA444P10_STRAIGHT;
    draw(&params, 3, &clear);
    int raised = 0;
    for (uint32_t y = 0; y < HEIGHT; y++)
        for (uint32_t x = 0; x < WIDTH; x++) {
            const int luma = sample(&clear, 0, x, y, 2), alpha = sample(&clear, 3, x, y, 2);
            const double shown = 64 + (luma - 64) * alpha / 1023.0;
            const double wanted = sample(&plain, 0, x, y, 2);
            if (!(shown > wanted - 4 && shown < wanted + 4))
                fail_msg("luma %g instead of %g at %u,%u", shown, wanted, x, y);
            raised += luma > (int)wanted + 100;
        }
    assert_true(raised > 100);
    free(plain.data);
    free(clear.data);
}

TEST(formats_know_their_alpha)
{
    static const uint32_t bits[] = {8, 16};
    for (size_t i = 0; i < 4; i++) {
        const enum picture_format format = picture_format_rgba(bits[i / 2], kinds[i % 2]);
        assert_int_equal(picture_format_alpha(format), kinds[i % 2]);
        assert_int_equal(picture_format_bits(format), bits[i / 2]);
        assert_true(picture_format_is_rgb(format));
    }
    assert_int_equal(picture_format_alpha(PICTURE_RGBA16), ALPHA_NONE);
    assert_int_equal(picture_format_alpha(PICTURE_YUV444P10), ALPHA_NONE);
    assert_false(picture_format_is_rgb(PICTURE_YUVA444P10_STRAIGHT));
    assert_int_equal(alpha_told(NULL), ALPHA_STRAIGHT);
    assert_int_equal(alpha_told("premultiplied"), ALPHA_PREMULTIPLIED);
    assert_int_equal(alpha_told("rubbish"), ALPHA_STRAIGHT);
    assert_int_equal(picture_on_black(65535, 65535), 65535);
    assert_int_equal(picture_on_black(65535, 257), 257);
    assert_int_equal(picture_on_black(40000, 0), 0);
}

TESTS(open_gl, NULL)
