#include "tests/support/test.h"

#include "base/file.h"
#include "tests/support/films/sink_fixture.h"

#include <string.h>
#include <xxhash.h>

static char *hash_film(const char *path, uint64_t frames, void (*draw)(struct picture *, uint64_t))
{
    struct sink_params params = fixture_params(path);
    params.first_frame = 5;
    char *text;
    assert_ok(fixture_film(&params, frames, draw));
    assert_ok(file_read(path, 1 << 20, &text, NULL));
    return text;
}

TEST(lines_are_the_pictures_hashes)
{
    char *text = hash_film(fixture_path(*state, "a.hash"), 3, fixture_draw);
    uint8_t packed[FIXTURE_HEIGHT][FIXTURE_WIDTH * 4];
    XXH128_canonical_t digests[3], all;
    struct picture picture;
    fixture_picture(&picture, PICTURE_RGBA8, FIXTURE_WIDTH, FIXTURE_HEIGHT);
    char want[4][64], whole[256] = "";
    for (uint64_t n = 0; n < 3; n++) {
        fixture_draw(&picture, n);
        for (int y = 0; y < FIXTURE_HEIGHT; y++)
            memcpy(packed[y], picture.data + (size_t)y * picture.layout.plane[0].stride,
                   sizeof packed[0]);
        XXH128_canonicalFromHash(&digests[n], XXH3_128bits(packed, sizeof packed));
    }
    XXH128_canonicalFromHash(&all, XXH3_128bits(digests, sizeof digests));
    for (int n = 0; n < 4; n++) {
        const uint8_t *bytes = n < 3 ? digests[n].digest : all.digest;
        int used = n < 3 ? sprintf(want[n], "%d ", 5 + n) : sprintf(want[n], "all ");
        for (int i = 0; i < 16; i++)
            used += sprintf(want[n] + used, "%02x", bytes[i]);
        strcat(want[n], "\n");
        strcat(whole, want[n]);
    }
    assert_string_equal(text, whole);
    free(text);
    fixture_free(&picture);
}

static void draw_one_off(struct picture *picture, uint64_t n)
{
    fixture_draw(picture, n);
    if (n == 1)
        picture->data[picture->layout.plane[0].stride * 40 + 77] ^= 1;
}

static void draw_other_padding(struct picture *picture, uint64_t n)
{
    fixture_draw(picture, n);
    for (uint32_t y = 0; y < picture->layout.height; y++)
        picture->data[(size_t)(y + 1) * picture->layout.plane[0].stride - 1] = (uint8_t)y;
}

TEST(one_bit_changes_one_line_and_the_last)
{
    char *a = hash_film(fixture_path(*state, "a.hash"), 3, fixture_draw);
    char *b = hash_film(fixture_path(*state, "b.hash"), 3, draw_one_off);
    char *c = hash_film(fixture_path(*state, "c.hash"), 3, draw_other_padding);
    size_t line = strcspn(a, "\n") + 1;
    assert_memory_equal(a, b, line);
    assert_memory_not_equal(a + line, b + line, line);
    assert_memory_equal(a + 2 * line, b + 2 * line, line);
    assert_string_not_equal(a + 3 * line, b + 3 * line);
    assert_string_equal(a, c);
    free(a);
    free(b);
    free(c);
}

TEST(null_counts)
{
    struct sink_params params = fixture_params("");
    params.format = "null";
    struct sink *sink;
    assert_ok(sink_open(&params, &sink));
    assert_int_equal(sink->format, PICTURE_NV12);
    struct picture picture;
    fixture_picture(&picture, sink->format, params.width, params.height);
    for (int n = 0; n < 7; n++)
        assert_ok(sink->ops->write(sink, &picture));
    fixture_free(&picture);
    uint64_t frames, bytes = 1;
    assert_int_equal(sink->frames, 7);
    assert_ok(sink->ops->close(&sink, true, &frames, &bytes));
    assert_null(sink);
    assert_int_equal(frames, 7);
    assert_int_equal(bytes, 0);
}

TESTS_EACH(fixture_setup, fixture_teardown)
