/* Measurements of pictures: hash, light, thumbnail. */
#include "tests/support/test.h"

#include "cmd/regression/record/readback.h"
#include "cmd/regression/record/recorder.h"
#include "tests/support/films/sink_fixture.h"

#include <math.h>
#include <string.h>

enum { WIDTH = 48, HEIGHT = 27 };

static const enum picture_format formats[] = {
    PICTURE_NV12,      PICTURE_YUV420P, PICTURE_YUV420P10, PICTURE_YUV444P,
    PICTURE_YUV444P10, PICTURE_RGBA8,   PICTURE_RGBA16,
};
enum { FORMATS = sizeof formats / sizeof formats[0] };

static bool is_rgb(const struct picture *picture)
{
    return picture->layout.planes == 1;
}

/* The luma code of grey `value`, 0..1. */
static int code_of(const struct picture *picture, double value)
{
    const int bits = (int)picture_format_bits(picture->layout.format);
    return (int)lround(is_rgb(picture) ? value * ((1 << bits) - 1)
                                       : (16 + 219 * value) * (1 << (bits - 8)));
}

static void put(struct picture *picture, uint32_t x, uint32_t y, int code)
{
    const int bytes = picture_format_bits(picture->layout.format) > 8 ? 2 : 1;
    const int samples = is_rgb(picture) ? 4 : 1;
    uint8_t *at = picture->data + (size_t)y * picture->layout.plane[0].stride +
                  (size_t)x * (size_t)(samples * bytes);
    for (int s = 0; s < samples; s++, at += bytes) {
        at[0] = (uint8_t)(code & 255);
        if (bytes == 2)
            at[1] = (uint8_t)(code >> 8);
    }
}

/* Left half grey, right half white, any chroma. */
static void make(struct picture *picture, enum picture_format format, double grey)
{
    fixture_picture(picture, format, WIDTH, HEIGHT);
    fixture_draw(picture, 0);
    for (uint32_t y = 0; y < HEIGHT; y++)
        for (uint32_t x = 0; x < WIDTH; x++)
            put(picture, x, y, code_of(picture, x < WIDTH / 2 ? grey : 1));
}

/* Straight white with an alpha of a half, composited on black. */
TEST(straight_colours_count_as_on_black)
{
    static const enum picture_format straight[] = {PICTURE_RGBA8_STRAIGHT, PICTURE_RGBA16_STRAIGHT,
                                                   PICTURE_YUVA444P10_STRAIGHT};
    for (int f = 0; f < 3; f++) {
        struct picture picture;
        struct frame_record frame;
        fixture_picture(&picture, straight[f], WIDTH, HEIGHT);
        for (uint32_t y = 0; y < HEIGHT; y++)
            for (uint32_t x = 0; x < WIDTH; x++)
                put(&picture, x, y, code_of(&picture, 1));
        const int bits = (int)picture_format_bits(straight[f]), bytes = bits > 8 ? 2 : 1;
        const int plane = is_rgb(&picture) ? 0 : 3, step = is_rgb(&picture) ? 4 : 1;
        const int half = ((1 << bits) - 1) / 2;
        for (uint32_t y = 0; y < HEIGHT; y++)
            for (uint32_t x = 0; x < WIDTH; x++) {
                uint8_t *at = picture.data + picture.layout.plane[plane].offset +
                              (size_t)y * picture.layout.plane[plane].stride +
                              (size_t)bytes * (x * (uint32_t)step + (uint32_t)step - 1);
                memcpy(at, &(uint16_t){(uint16_t)half}, (size_t)bytes);
            }
        frame_record_clear(&frame, 0);
        luma_measure(&picture, NULL, &frame);
        /* the code above black, rounded */
        const int white = code_of(&picture, 1) - code_of(&picture, 0);
        const double shown = round((double)white * half / ((1 << bits) - 1)) / white;
        if (!(fabs(frame.picture_light - pow(shown, 2.2)) < 1e-9))
            fail_msg("%s: light %g", picture_format_name(straight[f]), frame.picture_light);
        fixture_free(&picture);
    }
}

TEST(light_and_thumbnail_in_every_format)
{
    for (int f = 0; f < FORMATS; f++) {
        struct picture picture;
        struct frame_record frame;
        make(&picture, formats[f], 0.5);
        frame_record_clear(&frame, 0);
        luma_measure(&picture, NULL, &frame);
        if (fabs(frame.picture_light - (pow(0.5, 2.2) + 1) / 2) > 0.002)
            fail_msg("%s: light %g", picture_format_name(formats[f]), frame.picture_light);
        for (int y = 0; y < RECORD_THUMBNAIL_HEIGHT; y++)
            for (int x = 0; x < RECORD_THUMBNAIL_WIDTH; x++) {
                const int wanted = x < RECORD_THUMBNAIL_WIDTH / 2 ? 128 : 255;
                assert_true(abs(frame.thumbnail[y][x] - wanted) <= 1);
            }
        fixture_free(&picture);
    }
}

TEST(hashes_leave_out_what_lies_between_rows)
{
    for (int f = 0; f < FORMATS; f++) {
        struct picture picture;
        struct frame_record a, b;
        make(&picture, formats[f], 0.5);
        luma_measure(&picture, NULL, &a);
        const struct picture_layout *layout = &picture.layout;
        if (layout->plane[0].stride > layout->plane[0].bytes)
            picture.data[layout->plane[0].bytes] ^= 255;
        luma_measure(&picture, NULL, &b);
        assert_string_equal(a.picture, b.picture);
        const int last = layout->planes - 1;
        picture.data[layout->plane[last].offset] ^= 1; /* a sample of the last plane */
        luma_measure(&picture, NULL, &b);
        assert_string_not_equal(a.picture, b.picture);
        fixture_free(&picture);
    }
}

/* Sizes that are not multiples of the thumbnail's blocks, down to one pixel. */
TEST(odd_sizes)
{
    static const uint32_t sizes[][2] = {{1, 1}, {15, 8}, {17, 10}, {3, 100}};
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        struct picture picture;
        struct frame_record frame;
        frame_record_clear(&frame, 0);
        fixture_picture(&picture, PICTURE_RGBA8, sizes[i][0], sizes[i][1]);
        for (uint32_t y = 0; y < sizes[i][1]; y++)
            for (uint32_t x = 0; x < sizes[i][0]; x++)
                put(&picture, x, y, 255);
        luma_measure(&picture, NULL, &frame);
        assert_true(fabs(frame.picture_light - 1) < 1e-12);
        for (int y = 0; y < RECORD_THUMBNAIL_HEIGHT; y++)
            for (int x = 0; x < RECORD_THUMBNAIL_WIDTH; x++)
                assert_true(frame.thumbnail[y][x] == 255 || frame.thumbnail[y][x] == 0);
        assert_int_equal(frame.thumbnail[0][0], 255);
        fixture_free(&picture);
    }
}

TEST(renderer_classes)
{
    static const char *const classes[][2] = {
        {"llvmpipe (LLVM 15.0.6, 256 bits), 4.5 (Core Profile) Mesa 22.3.6", "llvmpipe-256"},
        {"llvmpipe (LLVM 20.1.8, 512 bits)", "llvmpipe-512"},
        {"llvmpipe", "llvmpipe"},
        {"softpipe, 3.3", "softpipe"},
        {"NVIDIA H200/PCIe/SSE2, 4.6.0 NVIDIA 570.1", "nvidia"},
        {"AMD Radeon RX 6800 (radeonsi, navi21, LLVM 15.0.6)", "radeonsi"},
        {"Mesa Intel(R) UHD Graphics 630 (CFL GT2)", "intel"},
        {"Mali-G78 (Panfrost)", "mali-g78"},
        {"", ""},
    };
    for (size_t i = 0; i < sizeof classes / sizeof classes[0]; i++) {
        char *found = platform_renderer_class(classes[i][0]);
        assert_string_equal(found, classes[i][1]);
        free(found);
    }
}

TESTS(NULL, NULL)
