/* What the samples of decoded pictures mean, by hand from the recommendations. */
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
    assert_ok(pixels_to_rgb(frame, "film", rgb[0]));
    for (int c = 0; c < 3; c++)
        if (fabs(rgb[x][c] / 65535.0 - wanted[c]) > 0.001)
            fail_msg("channel %d is %.4f and not %.4f", c, rgb[x][c] / 65535.0, wanted[c]);
}

/* By hand from the recommendations: E'Y = Kr R + Kg G + Kb B, differences scaled to +-0.5. */
static void matrices_and_ranges(void **state)
{
    (void)state;
    AVFrame *frame = make_frame(AV_PIX_FMT_YUV444P, 2, 1);
    static const uint8_t samples[3] = {81, 90, 240}; /* pure red of BT.601, limited */
    for (int p = 0; p < 3; p++)
        frame->data[p][0] = samples[p];
    frame->colorspace = AVCOL_SPC_SMPTE170M;
    assert_ok(pixels_to_rgb(frame, "film", rgb[0]));
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
    assert_fails(pixels_to_rgb(frame, "film", rgb[0]), STATUS_USAGE, "matrix ycgco");
    av_frame_free(&frame);
}

static void chroma_lies_where_it_is_said(void **state)
{
    (void)state;
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

static void other_formats(void **state)
{
    (void)state;
    AVFrame *frame = make_frame(AV_PIX_FMT_GRAY16BE, 2, 1);
    frame->data[0][2] = 0x80;
    frame->data[0][3] = 0x01;
    assert_ok(pixels_to_rgb(frame, "film", rgb[0]));
    assert_int_equal(rgb[1][0], 0x8001);
    assert_int_equal(rgb[1][2], 0x8001);
    av_frame_free(&frame);
    frame = make_frame(AV_PIX_FMT_PAL8, 2, 1);
    frame->data[0][1] = 7;
    ((uint32_t *)(void *)frame->data[1])[7] = 0xff102030;
    assert_ok(pixels_to_rgb(frame, "film", rgb[0]));
    assert_int_equal(rgb[1][0], 0x1010);
    assert_int_equal(rgb[1][1], 0x2020);
    assert_int_equal(rgb[1][2], 0x3030);
    av_frame_free(&frame);
    frame = make_frame(AV_PIX_FMT_BGRA, 1, 1);
    static const uint8_t bgra[4] = {1, 2, 3, 4};
    memcpy(frame->data[0], bgra, 4);
    assert_ok(pixels_to_rgb(frame, "film", rgb[0]));
    assert_int_equal(rgb[0][0], 3 * 257);
    assert_int_equal(rgb[0][1], 2 * 257);
    assert_int_equal(rgb[0][2], 1 * 257);
    av_frame_free(&frame);
    frame = make_frame(AV_PIX_FMT_GRAYF32, 1, 1);
    assert_fails(pixels_to_rgb(frame, "film", rgb[0]), STATUS_USAGE, "format gray");
    av_frame_free(&frame);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(matrices_and_ranges),
        cmocka_unit_test(chroma_lies_where_it_is_said),
        cmocka_unit_test(other_formats),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
