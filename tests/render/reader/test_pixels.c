/* The meaning of decoded samples, computed by hand from the recommendations. */
#include "tests/support/test.h"

#include "render/reader/pixels.h"

#include <libavutil/frame.h>
#include <math.h>
#include <string.h>

static uint16_t rgb[4 * 2][3];

static AVFrame *make_frame(enum AVPixelFormat format, int width, int height)
{
    AVFrame *frame = av_frame_alloc();
    frame->format = format;
    frame->width = width;
    frame->height = height;
    assert_int_equal(av_frame_get_buffer(frame, 0), 0);
    return frame;
}

static void check_pixel(const AVFrame *frame, int x, double red, double green, double blue)
{
    const double wanted[3] = {red, green, blue};
    assert_ok(pixels_to_rgb(frame, ALPHA_STRAIGHT, "film", rgb[0]));
    for (int c = 0; c < 3; c++)
        if (fabs(rgb[x][c] / 65535.0 - wanted[c]) > 0.001)
            fail_msg("channel %d is %.4f and not %.4f", c, rgb[x][c] / 65535.0, wanted[c]);
}

/* By hand from the recommendations: E'Y = Kr R + Kg G + Kb B, differences scaled to +-0.5. */
TEST(matrices_and_ranges)
{
    AVFrame *frame = make_frame(AV_PIX_FMT_YUV444P, 2, 1);
    static const uint8_t samples[3] = {81, 90, 240}; /* pure red of BT.601, limited */
    for (int p = 0; p < 3; p++)
        frame->data[p][0] = samples[p];
    frame->colorspace = AVCOL_SPC_SMPTE170M;
    assert_ok(pixels_to_rgb(frame, ALPHA_STRAIGHT, "film", rgb[0]));
    assert_true(rgb[0][0] > 0.99 * 65535 && rgb[0][1] < 0.01 * 65535 && rgb[0][2] < 0.01 * 65535);
    frame->data[0][0] = 126;
    frame->data[1][0] = 128;
    frame->data[2][0] = 128 + 56; /* Cr = 0.25 */
    double luma = 110 / 219.0;
    frame->colorspace = AVCOL_SPC_UNSPECIFIED;
    check_pixel(frame, 0, luma + 1.5748 * 0.25, luma - 0.2126 * 1.5748 / 0.7152 * 0.25, luma);
    frame->colorspace = AVCOL_SPC_BT2020_NCL;
    check_pixel(frame, 0, luma + 1.4746 * 0.25, luma - 0.2627 * 1.4746 / 0.6780 * 0.25, luma);
    frame->colorspace = AVCOL_SPC_BT709;
    frame->color_range = AVCOL_RANGE_JPEG;
    double cr = 56 / 255.0;
    check_pixel(frame, 0, 126 / 255.0 + 1.5748 * cr, 126 / 255.0 - 0.2126 * 1.5748 / 0.7152 * cr,
                126 / 255.0);
    frame->colorspace = AVCOL_SPC_YCGCO;
    assert_fails(pixels_to_rgb(frame, ALPHA_STRAIGHT, "film", rgb[0]), STATUS_USAGE,
                 "matrix ycgco");
    av_frame_free(&frame);
}

TEST(chroma_lies_where_it_is_said)
{
    AVFrame *frame = make_frame(AV_PIX_FMT_NV12, 4, 2);
    for (int y = 0; y < 2; y++)
        memset(frame->data[0] + y * frame->linesize[0], 126, 4);
    static const uint8_t chroma[4] = {128, 128, 128, 128 + 56}; /* Cr 0, then 0.25 */
    memcpy(frame->data[1], chroma, 4);
    double luma = 110 / 219.0;
    static const struct {
        enum AVChromaLocation site;
        double part[4];
    } sites[] = {
        {AVCHROMA_LOC_UNSPECIFIED, {0, 0.5, 1, 1}},
        {AVCHROMA_LOC_LEFT, {0, 0.5, 1, 1}},
        {AVCHROMA_LOC_CENTER, {0, 0.25, 0.75, 1}},
    };
    for (size_t i = 0; i < sizeof sites / sizeof sites[0]; i++) {
        frame->chroma_location = sites[i].site;
        for (int x = 0; x < 4; x++) {
            double cr = 0.25 * sites[i].part[x];
            check_pixel(frame, x, luma + 1.5748 * cr, luma - 0.2126 * 1.5748 / 0.7152 * cr, luma);
        }
    }
    av_frame_free(&frame);
}

TEST(other_formats)
{
    AVFrame *frame = make_frame(AV_PIX_FMT_GRAY16BE, 2, 1);
    frame->data[0][2] = 0x80;
    frame->data[0][3] = 0x01;
    assert_ok(pixels_to_rgb(frame, ALPHA_STRAIGHT, "film", rgb[0]));
    assert_int_equal(rgb[1][0], 0x8001);
    assert_int_equal(rgb[1][2], 0x8001);
    av_frame_free(&frame);
    frame = make_frame(AV_PIX_FMT_PAL8, 2, 1);
    frame->data[0][1] = 7;
    ((uint32_t *)(void *)frame->data[1])[7] = 0xff102030;
    assert_ok(pixels_to_rgb(frame, ALPHA_STRAIGHT, "film", rgb[0]));
    assert_int_equal(rgb[1][0], 0x1010);
    assert_int_equal(rgb[1][1], 0x2020);
    assert_int_equal(rgb[1][2], 0x3030);
    av_frame_free(&frame);
    frame = make_frame(AV_PIX_FMT_BGRA, 1, 1);
    static const uint8_t bgra[4] = {1, 2, 3, 4};
    memcpy(frame->data[0], bgra, 4);
    assert_ok(pixels_to_rgb(frame, ALPHA_NONE, "film", rgb[0]));
    assert_int_equal(rgb[0][0], 3 * 257);
    assert_int_equal(rgb[0][1], 2 * 257);
    assert_int_equal(rgb[0][2], 1 * 257);
    assert_ok(pixels_to_rgb(frame, ALPHA_STRAIGHT, "film", rgb[0])); /* on black, rounded */
    assert_int_equal(rgb[0][0], 12);
    assert_int_equal(rgb[0][1], 8);
    assert_int_equal(rgb[0][2], 4);
    av_frame_free(&frame);
    frame = make_frame(AV_PIX_FMT_GRAYF32, 1, 1);
    assert_fails(pixels_to_rgb(frame, ALPHA_STRAIGHT, "film", rgb[0]), STATUS_USAGE,
                 "format grayf32le");
    av_frame_free(&frame);
}

/* One pixel by the recommendations' formulas, sample by sample, in the same precision. */
struct plain {
    const AVFrame *frame;
    int shift_x, shift_y, columns, rows;
    float left, top, red, blue;
    bool full;
};

static double plain_sample(const struct plain *plain, int plane, int x, int y)
{
    const double code = plain->frame->data[plane][y * plain->frame->linesize[plane] + x];
    const double zero = plane > 0 ? 128 : plain->full ? 0 : 16;
    return (code - zero) / (plain->full ? 255.0 : plane > 0 ? 224.0 : 219.0);
}

static void plain_place(int at, float offset, int shift, int count, int found[2], float *part)
{
    const float exact = ((float)at - offset) / (float)(1 << shift), whole = floorf(exact);
    const int index = (int)whole;
    *part = exact - whole;
    found[0] = index < 0 ? 0 : index < count ? index : count - 1;
    found[1] = index + 1 < count ? index + 1 : count - 1;
}

static double plain_chroma(const struct plain *plain, int plane, int x, int y)
{
    int column[2], row[2];
    float part_x, part_y;
    double value[2];
    plain_place(x, plain->left, plain->shift_x, plain->columns, column, &part_x);
    plain_place(y, plain->top, plain->shift_y, plain->rows, row, &part_y);
    for (int i = 0; i < 2; i++) {
        value[i] = plain_sample(plain, plane, column[i], row[0]);
        if (row[1] != row[0] && part_y > 0)
            value[i] += (double)part_y * (plain_sample(plain, plane, column[i], row[1]) - value[i]);
    }
    return value[0] + (double)part_x * (value[1] - value[0]);
}

static double plain_code(double value)
{
    return fmin(fmax(value, 0), 1) * 65535;
}

static void plain_pixel(const struct plain *plain, int x, int y, double out[3])
{
    const double luma = plain_sample(plain, 0, x, y), red = (double)plain->red;
    const double blue = (double)plain->blue;
    const double r = luma + 2 * (1 - red) * plain_chroma(plain, 2, x, y);
    const double b = luma + 2 * (1 - blue) * plain_chroma(plain, 1, x, y);
    out[0] = plain_code(r);
    out[1] = plain_code((luma - red * r - blue * b) / (1 - red - blue));
    out[2] = plain_code(b);
}

/* Many samples at once give the nearest codes, within an eighth of one, and the same bits for any
 * part of a row. */
TEST(fast_rows_are_the_plain_ones)
{
    enum { WIDTH = 101, HEIGHT = 37 };
    static const enum AVPixelFormat formats[] = {AV_PIX_FMT_YUV420P, AV_PIX_FMT_YUV422P,
                                                 AV_PIX_FMT_YUV444P};
    static const enum AVChromaLocation sites[] = {AVCHROMA_LOC_LEFT, AVCHROMA_LOC_CENTER,
                                                  AVCHROMA_LOC_TOPLEFT};
    static uint16_t whole[WIDTH * HEIGHT][3];
    uint32_t seed = 1;
    for (int i = 0; i < 18; i++) {
        AVFrame *frame = make_frame(formats[i % 3], WIDTH, HEIGHT);
        frame->colorspace = i % 2 ? AVCOL_SPC_BT709 : AVCOL_SPC_BT2020_NCL;
        frame->color_range = i >= 9 ? AVCOL_RANGE_JPEG : AVCOL_RANGE_MPEG;
        frame->chroma_location = sites[i / 3 % 3];
        struct plain plain = {.frame = frame,
                              .shift_x = i % 3 < 2,
                              .shift_y = i % 3 < 1,
                              .red = i % 2 ? 0.2126f : 0.2627f,
                              .blue = i % 2 ? 0.0722f : 0.0593f,
                              .full = i >= 9};
        plain.columns = plain.shift_x ? (WIDTH + 1) / 2 : WIDTH;
        plain.rows = plain.shift_y ? (HEIGHT + 1) / 2 : HEIGHT;
        plain.left = i / 3 % 3 == 1 && plain.shift_x ? 0.5f : 0;
        plain.top = i / 3 % 3 < 2 && plain.shift_y ? 0.5f : 0;
        for (int p = 0; p < 3; p++)
            for (int y = 0; y < (p > 0 ? plain.rows : HEIGHT); y++)
                for (int x = 0; x < (p > 0 ? plain.columns : WIDTH); x++) {
                    seed = seed * 1664525 + 1013904223;
                    frame->data[p][y * frame->linesize[p] + x] = (uint8_t)(seed >> 24);
                }
        struct planes planes;
        uint8_t needed[4 * 2] = {0, 1, 1, 0, 1, 0, 0, 1};
        assert_ok(planes_open(&planes, WIDTH, HEIGHT));
        assert_ok(pixels_to_rgb(frame, ALPHA_STRAIGHT, "film", whole[0]));
        assert_ok(pixels_to_planes(frame, ALPHA_STRAIGHT, "film", &planes, needed, 0, planes.rows));
        for (int y = 0; y < HEIGHT; y++)
            for (int x = 0; x < WIDTH; x++) {
                const uint16_t *found = whole[y * WIDTH + x];
                double wanted[3];
                plain_pixel(&plain, x, y, wanted);
                for (int c = 0; c < 3; c++) {
                    assert_true(fabs(found[c] - wanted[c]) < 0.625);
                    assert_int_equal(planes.channel[c][(size_t)y * planes.stride + (size_t)x],
                                     needed[y / 32 * 4 + x / 32] ? found[c] : 0);
                }
            }
        planes_close(&planes);
        av_frame_free(&frame);
    }
}

/* Each half float has its own code, in order; negative values and NaN are black. */
TEST(halves_of_light_are_told_apart)
{
    enum { HALVES = 0x7c00, MORE = 3 };
    static uint16_t codes[HALVES + MORE][3];
    AVFrame *frame = make_frame(AV_PIX_FMT_GBRPF32, HALVES + MORE, 1);
    const float more[MORE] = {-1, NAN, INFINITY};
    for (int p = 0; p < 3; p++) {
        float *to = (float *)(void *)frame->data[p];
        for (int i = 0; i < HALVES; i++)
            to[i] =
                i < 1024 ? ldexpf((float)i, -24) : ldexpf((float)(1024 + i % 1024), i / 1024 - 25);
        memcpy(to + HALVES, more, sizeof more);
    }
    assert_ok(pixels_to_rgb(frame, ALPHA_NONE, "light", codes[0]));
    for (int c = 0; c < 3; c++) {
        assert_int_equal(codes[0][c], 0);
        for (int i = 1; i < HALVES; i++)
            assert_true(codes[i][c] > codes[i - 1][c]);
        assert_int_equal(codes[HALVES - 1][c], 65535);
        assert_int_equal(codes[HALVES][c], 0);
        assert_int_equal(codes[HALVES + 1][c], 0);
        assert_int_equal(codes[HALVES + 2][c], 65535);
    }
    av_frame_free(&frame);
}

TESTS(NULL, NULL)
