/* The loss of encoding: PSNR of every component, SSIM of the worst window, bias. */
#include "tests/support/test.h"

#include "cmd/regression/record/readback.h"
#include "tests/support/films/sink_fixture.h"

#include <math.h>
#include <stdlib.h>

enum { WIDTH = 49, HEIGHT = 27, MORE = 3 }; /* columns beside the picture */

static const enum picture_format formats[] = {
    PICTURE_NV12,  PICTURE_YUV420P, PICTURE_YUV420P10, PICTURE_YUV444P,   PICTURE_YUV444P10,
    PICTURE_RGBA8, PICTURE_RGBA16,  PICTURE_YUV422P,   PICTURE_YUV422P10,
};
static const enum picture_format with_alpha[] = {
    PICTURE_RGBA8_STRAIGHT,       PICTURE_RGBA16_STRAIGHT,        PICTURE_RGBA8_PREMULTIPLIED,
    PICTURE_RGBA16_PREMULTIPLIED, PICTURE_YUVA444P10_STRAIGHT,    PICTURE_YUVA444P10_PREMULTIPLIED,
    PICTURE_YUVA420P_STRAIGHT,    PICTURE_YUVA420P_PREMULTIPLIED,
};
enum { WITH_ALPHA = sizeof with_alpha / sizeof with_alpha[0] };
enum { FORMATS = sizeof formats / sizeof formats[0] };

/* A picture and its decoded form. */
struct coded {
    struct picture picture;
    struct decoded decoded;
    uint16_t *samples[3];
};

static int sample_at(const struct picture *picture, int plane, uint32_t index, uint32_t y)
{
    const uint8_t *row = picture->data + picture->layout.plane[plane].offset +
                         (size_t)y * picture->layout.plane[plane].stride;
    return picture_format_bits(picture->layout.format) > 8
               ? row[2 * index] | row[2 * index + 1] << 8
               : row[index];
}

static uint16_t on_black(enum picture_format format, int colour, int alpha)
{
    return picture_format_alpha(format) == ALPHA_STRAIGHT
               ? picture_on_black((uint32_t)colour, (uint32_t)alpha)
               : (uint16_t)colour;
}

static void decode_rgb(struct coded *coded)
{
    const enum picture_format format = coded->picture.layout.format;
    const int unit = picture_format_bits(format) == 8 ? 257 : 1;
    coded->decoded.component[0] =
        (struct decoded_component){coded->samples[0], WIDTH + MORE, HEIGHT};
    for (uint32_t y = 0; y < HEIGHT; y++)
        for (uint32_t x = 0; x < WIDTH; x++)
            for (uint32_t c = 0; c < 3; c++)
                coded->samples[0][3 * (y * (WIDTH + MORE) + x) + c] =
                    on_black(format, unit * sample_at(&coded->picture, 0, 4 * x + c, y),
                             unit * sample_at(&coded->picture, 0, 4 * x + 3, y));
}

static void decode_component(struct coded *coded, int c)
{
    const enum picture_format format = coded->picture.layout.format;
    const uint32_t across = c > 0 && picture_format_halves_width(format);
    const uint32_t down = c > 0 && picture_format_halves_height(format);
    const uint32_t width = (WIDTH + across) >> across, height = (HEIGHT + down) >> down;
    const uint32_t row = (WIDTH + MORE + across) >> across;
    const bool woven = format == PICTURE_NV12 && c > 0;
    coded->decoded.component[c] = (struct decoded_component){coded->samples[c], row, height};
    for (uint32_t y = 0; y < height; y++)
        for (uint32_t x = 0; x < width; x++)
            coded->samples[c][y * row + x] = (uint16_t)sample_at(
                &coded->picture, woven ? 1 : c, woven ? 2 * x + (uint32_t)c - 1 : x, y);
}

/* Decoded without loss. */
static void make(struct coded *coded, enum picture_format format)
{
    fixture_picture(&coded->picture, format, WIDTH, HEIGHT);
    fixture_draw(&coded->picture, 0);
    coded->decoded =
        (struct decoded){.bits = picture_format_is_rgb(format) ? 16 : picture_format_bits(format)};
    for (int c = 0; c < 3; c++)
        coded->samples[c] = calloc((size_t)3 * (WIDTH + MORE) * HEIGHT, sizeof **coded->samples);
    if (picture_format_is_rgb(format))
        decode_rgb(coded);
    else
        for (int c = 0; c < 3; c++)
            decode_component(coded, c);
}

static void end(struct coded *coded)
{
    for (int c = 0; c < 3; c++)
        free(coded->samples[c]);
    fixture_free(&coded->picture);
}

static struct frame_record measure(const struct coded *coded)
{
    struct frame_record frame;
    frame_record_clear(&frame, 0);
    loss_measure(&coded->picture.layout, coded->picture.data, &coded->decoded, &frame);
    return frame;
}

TEST(equal_samples_lose_nothing)
{
    for (int f = 0; f < FORMATS + WITH_ALPHA; f++) {
        struct coded coded;
        const enum picture_format format = f < FORMATS ? formats[f] : with_alpha[f - FORMATS];
        make(&coded, format);
        const struct frame_record frame = measure(&coded);
        if (!isinf(frame.psnr_y) || !isinf(frame.psnr_cb) || !isinf(frame.psnr_cr) ||
            frame.ssim != 1 || frame.bias != 0)
            fail_msg("%s: %g %g %g dB, SSIM %g, bias %g", picture_format_name(format), frame.psnr_y,
                     frame.psnr_cb, frame.psnr_cr, frame.ssim, frame.bias);
        end(&coded);
    }
}

/* One component is a code too bright everywhere: PSNR is 20 log10 of the largest code; the other
 * components have no loss. */
TEST(a_component_has_its_own_psnr)
{
    for (int f = 0; f < FORMATS; f++)
        for (int c = 0; c < 3 && !picture_format_is_rgb(formats[f]); c++) {
            struct coded coded;
            make(&coded, formats[f]);
            for (size_t i = 0; i < (size_t)(WIDTH + MORE) * HEIGHT; i++)
                coded.samples[c][i]++;
            const struct frame_record frame = measure(&coded);
            const double found[3] = {frame.psnr_y, frame.psnr_cb, frame.psnr_cr};
            const double wanted = 20 * log10(exp2(picture_format_bits(formats[f])) - 1);
            for (int other = 0; other < 3; other++)
                if (other == c ? !(fabs(found[other] - wanted) < 1e-9) : !isinf(found[other]))
                    fail_msg("%s, component %d: %g dB", picture_format_name(formats[f]), other,
                             found[other]);
            end(&coded);
        }
}

/* An error in green affects luma less than green itself; red and blue of RGB are unchanged. */
TEST(rgb_has_luma_blue_and_red)
{
    static const int order[] = {2, 0};
    (void)state;
    for (int i = 0; i < 2; i++) {
        struct coded coded;
        make(&coded, PICTURE_RGBA16);
        for (size_t at = (size_t)order[i]; at < (size_t)3 * (WIDTH + MORE) * HEIGHT; at += 3)
            coded.samples[0][at] ^= 64;
        const struct frame_record frame = measure(&coded);
        assert_true(isfinite(frame.psnr_y));
        assert_true(fabs((i == 0 ? frame.psnr_cb : frame.psnr_cr) - 20 * log10(65535 / 64.0)) <
                    1e-9);
        assert_true(isinf(i == 0 ? frame.psnr_cr : frame.psnr_cb));
        end(&coded);
    }
}

/* 10 bits decoded as 12, as by ProRes. */
TEST(more_bits_than_were_given)
{
    struct coded coded;
    (void)state;
    make(&coded, PICTURE_YUV444P10);
    coded.decoded.bits = 12;
    for (int c = 0; c < 3; c++)
        for (size_t i = 0; i < (size_t)(WIDTH + MORE) * HEIGHT; i++)
            coded.samples[c][i] = (uint16_t)(4 * coded.samples[c][i]);
    struct frame_record frame = measure(&coded);
    assert_true(isinf(frame.psnr_y) && isinf(frame.psnr_cb) && isinf(frame.psnr_cr));
    coded.samples[2][7] += 4;
    frame = measure(&coded);
    const double wanted = 10 * log10(4095.0 * 4095.0 * WIDTH * HEIGHT / 16);
    assert_true(isinf(frame.psnr_y) && fabs(frame.psnr_cr - wanted) < 1e-9);
    end(&coded);
}

TEST(what_cannot_be_compared_is_not_measured)
{
    struct coded coded;
    struct frame_record frame;
    (void)state;
    make(&coded, PICTURE_YUV420P);
    coded.decoded.component[1].width = coded.decoded.component[2].width = WIDTH + MORE;
    frame = measure(&coded); /* chroma of full size */
    assert_true(isinf(frame.psnr_y) && isnan(frame.psnr_cb) && isnan(frame.psnr_cr));
    coded.decoded.component[0].height = HEIGHT - 1;
    frame = measure(&coded);
    assert_true(isnan(frame.psnr_y) && isnan(frame.ssim) && isnan(frame.bias));
    end(&coded);
    make(&coded, PICTURE_YUV420P10);
    coded.decoded.bits = 8;
    frame = measure(&coded);
    assert_true(isnan(frame.psnr_y) && isnan(frame.psnr_cb));
    coded.decoded = (struct decoded){.bits = 10};
    frame = measure(&coded); /* the decoder gave no picture */
    assert_true(isnan(frame.psnr_y) && isnan(frame.bias));
    end(&coded);
}

/* Damage in one window is detected in pictures of any size. */
TEST(ssim_is_of_the_worst_window)
{
    struct coded coded;
    (void)state;
    make(&coded, PICTURE_YUV420P);
    for (uint32_t y = 8; y < 16; y++)
        for (uint32_t x = 16; x < 24; x++)
            coded.samples[0][y * (WIDTH + MORE) + x] ^= (x + y) % 2 ? 64 : 0;
    const struct frame_record damaged = measure(&coded);
    assert_true(damaged.ssim < 0.5 && damaged.psnr_y > 20);
    end(&coded);
    make(&coded, PICTURE_YUV420P);
    coded.samples[0][3] ^= 1;
    const struct frame_record rounded = measure(&coded);
    assert_true(rounded.ssim > 0.99 && rounded.ssim < 1);
    end(&coded);
}

/* Samples with truncated bits are all too dark; rounded ones are not. */
TEST(bias_has_a_sign)
{
    struct coded coded;
    (void)state;
    make(&coded, PICTURE_YUV420P10);
    for (size_t i = 0; i < (size_t)(WIDTH + MORE) * HEIGHT; i++)
        coded.samples[0][i] = (uint16_t)(coded.samples[0][i] - 2);
    assert_true(fabs(measure(&coded).bias + 0.5) < 1e-9);
    end(&coded);
    make(&coded, PICTURE_YUV420P10);
    for (size_t i = 0; i < (size_t)(WIDTH + MORE) * HEIGHT; i++)
        coded.samples[0][i] = (uint16_t)(coded.samples[0][i] + (i % 2 ? 2 : -2));
    assert_true(fabs(measure(&coded).bias) < 0.05);
    end(&coded);
}

TESTS(NULL, NULL)
