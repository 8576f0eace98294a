#include "tests/support/test.h"

#include "render/picture/montage.h"

#include <stdlib.h>
#include <string.h>

enum { W = 12, H = 8, OWN_W = 4, OWN_H = 6, X = 6, Y = 2 };

static struct picture make(enum picture_format format, uint32_t width, uint32_t height)
{
    struct picture picture = {0};
    picture_layout(&picture.layout, format, width, height);
    picture.data = calloc(picture.layout.size, 1);
    assert_non_null(picture.data);
    return picture;
}

/* Counts the bytes of a plane that are those of another picture's plane, and others that have
 * changed. */
static void compare(const struct picture *whole, const struct picture *before,
                    const struct picture *own, int p, size_t *same, size_t *changed)
{
    const struct picture_layout *to = &whole->layout, *from = &own->layout;
    const size_t left = X * from->plane[p].bytes / OWN_W, top = Y * from->plane[p].rows / OWN_H;
    for (size_t y = 0; y < to->plane[p].rows; y++)
        for (size_t x = 0; x < to->plane[p].bytes; x++) {
            const size_t at = to->plane[p].offset + y * to->plane[p].stride + x;
            const bool inside = x >= left && x < left + from->plane[p].bytes && y >= top &&
                                y < top + from->plane[p].rows;
            if (inside)
                *same +=
                    whole->data[at] ==
                    own->data[from->plane[p].offset + (y - top) * from->plane[p].stride + x - left];
            else
                *changed += whole->data[at] != before->data[at];
        }
}

TEST(pictures_of_all_formats_are_put_at_their_place)
{
    for (int format = 0; format < PICTURE_FORMATS; format++) {
        struct picture own = make((enum picture_format)format, OWN_W, OWN_H);
        struct picture whole = make((enum picture_format)format, W, H);
        struct picture before = make((enum picture_format)format, W, H);
        for (size_t k = 0; k < own.layout.size; k++)
            own.data[k] = (uint8_t)(1 + k % 251);
        montage_blacken(&whole.layout, whole.data);
        memcpy(before.data, whole.data, whole.layout.size);
        montage_put(&own, X, Y, &whole);
        size_t same = 0, changed = 0, bytes = 0;
        for (int p = 0; p < own.layout.planes; p++) {
            compare(&whole, &before, &own, p, &same, &changed);
            bytes += (size_t)own.layout.plane[p].bytes * own.layout.plane[p].rows;
        }
        assert_int_equal(same, bytes);
        assert_int_equal(changed, 0);
        free(own.data);
        free(whole.data);
        free(before.data);
    }
}

/* The sample of a plane at its first pixel. */
static double sample(enum picture_format format, int p, int channel)
{
    struct picture picture = make(format, W, H);
    montage_blacken(&picture.layout, picture.data);
    const uint32_t bits = picture_format_bits(format);
    const uint8_t *at = picture.data + picture.layout.plane[p].offset + channel * (int)bits / 8;
    uint16_t wide = 0;
    float light = 0;
    if (bits == 10 || bits == 16)
        memcpy(&wide, at, sizeof wide);
    else if (bits == 32)
        memcpy(&light, at, sizeof light);
    const double out = bits == 8 ? *at : bits == 32 ? (double)light : wide;
    free(picture.data);
    return out;
}

TEST(gaps_are_black)
{
    assert_float_equal(sample(PICTURE_NV12, 0, 0), 16, 0);
    assert_float_equal(sample(PICTURE_NV12, 1, 1), 128, 0);
    assert_float_equal(sample(PICTURE_YUV420P, 2, 0), 128, 0);
    assert_float_equal(sample(PICTURE_YUV444P10, 0, 0), 64, 0);
    assert_float_equal(sample(PICTURE_YUV444P10_PQ, 1, 0), 512, 0);
    assert_float_equal(sample(PICTURE_YUVA444P10_STRAIGHT, 3, 0), 0, 0);
    assert_float_equal(sample(PICTURE_RGBA8, 0, 0), 0, 0);
    assert_float_equal(sample(PICTURE_RGBA8, 0, 3), 255, 0);
    assert_float_equal(sample(PICTURE_RGBA16, 0, 3), 65535, 0);
    assert_float_equal(sample(PICTURE_RGBA16_PREMULTIPLIED, 0, 3), 0, 0);
    assert_float_equal(sample(PICTURE_RGBAF32, 0, 0), 0, 0);
    assert_float_equal(sample(PICTURE_RGBAF32, 0, 3), 1, 0);
}

TEST(light_is_the_sum)
{
    struct picture a = {.light = {.hash = "a", .sum = {1, 2, 3}, .broken = 1}};
    struct picture b = {.light = {.hash = "b", .sum = {10, 20, 30}}};
    struct picture *both[] = {&a, &b}, *turned[] = {&b, &a};
    struct picture_light sum, other;
    montage_light(both, 2, &sum);
    montage_light(turned, 2, &other);
    assert_float_equal(sum.sum[2], 33, 0);
    assert_int_equal(sum.broken, 1);
    assert_string_not_equal(sum.hash, other.hash);
    b.light.hash[0] = '\0';
    montage_light(both, 2, &sum);
    assert_string_equal(sum.hash, "");
}

TESTS(NULL, NULL)
