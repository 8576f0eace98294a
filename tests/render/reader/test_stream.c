/* Packets of films, as their files have them. */
#include "tests/support/test.h"

#include "base/file.h"
#include "render/reader/reader.h"
#include "render/reader/stream.h"
#include "tests/support/films/remux.h"
#include "tests/support/films/sink_fixture.h"

#include <math.h>
#include <string.h>

enum { FRAMES = 15 };

static void make(const char *path, const char *codec, const char *options)
{
    struct sink_params params = fixture_params(path);
    if (codec && !fixture_codec_opens(codec))
        outcome_skip(MISSING_ENCODER, codec);
    params.output.codec = codec ? fixture_codec(codec) : NULL;
    params.output.codec_options = (char *)(size_t)options;
    assert_ok(fixture_film(&params, FRAMES, fixture_draw));
}

TEST(packets_in_the_order_shown)
{
    static const char *const films[][2] = {
        {"a.mp4", "h264"}, {"a.mkv", "h264"}, {"a.mov", "h264"}, {"a.webm", "vp9"}};
    for (size_t i = 0; i < sizeof films / sizeof films[0]; i++) {
        const char *path = fixture_path(*state, films[i][0]);
        struct stream stream;
        make(path, films[i][1], i < 3 ? "keyint=5:bframes=2" : NULL);
        assert_ok(stream_read(path, &stream));
        assert_int_equal(stream.count, FRAMES);
        assert_string_equal(stream.codec, films[i][1]);
        assert_int_equal(stream.width, FIXTURE_WIDTH);
        assert_int_equal(stream.fps_num, 30);
        assert_string_equal(stream.matrix, "bt709");
        assert_string_equal(stream.range, "tv");
        assert_true(fabs(stream.duration - FRAMES / 30.0) < 0.002);
        assert_true(stream.packets[0].key);
        uint64_t bytes = 0;
        for (size_t p = 0; p < stream.count; p++) {
            bytes += stream.packets[p].bytes;
            assert_true(p == 0 || stream.packets[p].shown > stream.packets[p - 1].shown);
            assert_int_equal(strlen(stream.packets[p].hash), HASH_TEXT - 1);
            if (i < 3)
                assert_int_equal(stream.packets[p].key, p % 5 == 0);
        }
        assert_true(bytes < stream.bytes && bytes > stream.bytes / 2);
        if (i < 3)
            assert_int_equal(strncmp(stream.encoder, "x264 - core ", 12), 0);
        stream_free(&stream);
    }
}

/* The same film in another container has the same packets except for their framing. */
TEST(a_changed_byte_is_seen_in_its_packet)
{
    const char *path = fixture_path(*state, "a.mkv"), *other = fixture_path(*state, "b.mkv");
    struct stream a, b;
    char *data;
    size_t size;
    make(path, "h264", NULL);
    assert_ok(file_read(path, 1 << 24, &data, &size));
    data[size / 2] ^= 1;
    assert_ok(file_write(other, data, size));
    free(data);
    assert_ok(stream_read(path, &a));
    assert_ok(stream_read(other, &b));
    assert_int_equal(a.count, b.count);
    int different = 0;
    for (size_t p = 0; p < a.count; p++)
        different += strcmp(a.packets[p].hash, b.packets[p].hash) != 0;
    assert_int_equal(different, 1);
    stream_free(&a);
    stream_free(&b);
}

/* Players may follow either of the two, so both are reported if they differ. */
TEST(a_container_that_contradicts_its_stream)
{
    const char *path = fixture_path(*state, "a.mp4");
    struct stream stream;
    make(path, "h264", NULL);
    assert_ok(stream_read(path, &stream));
    assert_string_equal(stream.primaries, "bt709");
    assert_string_equal(stream.aspect, "");
    stream_free(&stream);
    patch_file(path, "colrnclx", 8, "\0\x06", 2);
    patch_file(path, "colrnclx", 14, "\x80", 1);
    patch_file(path, "pasp", 4, "\0\0\0\x04\0\0\0\x03", 8);
    patch_file(path, "stsd", 44, "\0\x82", 2);
    assert_ok(stream_read(path, &stream));
    assert_string_equal(stream.primaries, "smpte170m in the container and bt709 in the stream");
    assert_string_equal(stream.range, "pc in the container and tv in the stream");
    assert_string_equal(stream.matrix, "bt709");
    assert_string_equal(stream.aspect, "4:3");
    assert_int_equal(stream.width, 130);
    assert_int_equal(stream.height, FIXTURE_HEIGHT);
    stream_free(&stream);
}

TEST(what_is_no_film)
{
    struct stream stream;
    const char *path = fixture_path(*state, "a.mp4");
    assert_fails(stream_read(path, &stream), STATUS_IO, "a.mp4");
    assert_ok(file_write(path, "no film at all", 14));
    assert_fails(stream_read(path, &stream), STATUS_USAGE, "whole film");
    assert_null(stream.packets);
}

/* Code (x, y) of a component: planes, or interleaved Cb and Cr. */
static int code_of(const struct picture *picture, int component, int x, int y)
{
    const bool woven = picture->layout.format == PICTURE_NV12 && component > 0;
    const int plane = woven ? 1 : component, at = woven ? 2 * x + component - 1 : x;
    const uint8_t *row = picture->data + picture->layout.plane[plane].offset +
                         (size_t)y * picture->layout.plane[plane].stride;
    return picture_format_bits(picture->layout.format) > 8 ? row[2 * at] | row[2 * at + 1] << 8
                                                           : row[at];
}

static void samples_are(struct reader *reader, const struct picture *picture)
{
    static uint16_t samples[FIXTURE_WIDTH * FIXTURE_HEIGHT];
    const uint32_t shift = picture_format_halves_height(picture->layout.format) ? 1 : 0;
    for (int c = 0; c < 3; c++) {
        uint32_t width, height;
        assert_true(reader_samples(reader, c, samples, &width, &height));
        assert_int_equal(width, (FIXTURE_WIDTH + (c ? shift : 0)) >> (c ? shift : 0));
        assert_int_equal(height, (FIXTURE_HEIGHT + (c ? shift : 0)) >> (c ? shift : 0));
        for (int y = 0; y < (int)height; y++)
            for (int x = 0; x < (int)width; x++)
                assert_int_equal(samples[y * (int)width + x], code_of(picture, c, x, y));
    }
}

/* What was encoded without loss. */
TEST(samples_are_read_as_they_were_encoded)
{
    static uint16_t rgb[FIXTURE_WIDTH * FIXTURE_HEIGHT * 3],
        samples[FIXTURE_WIDTH * FIXTURE_HEIGHT];
    static const enum picture_format formats[] = {PICTURE_NV12, PICTURE_YUV444P10};
    uint32_t width, height;
    for (int deep = 0; deep < 2; deep++) {
        const char *path = fixture_path(*state, "a.mkv");
        struct sink_params params = fixture_params(path);
        struct picture picture;
        struct reader *reader;
        params.output.codec = fixture_codec("h264-lossless");
        params.output.bits = deep ? 10 : 8;
        params.output.chroma = deep ? fixture_chroma(444) : NULL;
        assert_ok(fixture_film(&params, 2, fixture_draw));
        fixture_picture(&picture, formats[deep], FIXTURE_WIDTH, FIXTURE_HEIGHT);
        fixture_draw(&picture, 1);
        assert_ok(reader_open(&reader, path));
        assert_false(reader_samples(reader, 0, samples, &width, &height));
        assert_ok(reader_read(reader, 1, rgb));
        samples_are(reader, &picture);
        reader_close(&reader);
        fixture_free(&picture);
    }
    struct reader *reader;
    struct sink_params params = fixture_params(fixture_path(*state, "%d.png"));
    assert_ok(fixture_film(&params, 1, fixture_draw));
    assert_ok(reader_open(&reader, fixture_path(*state, "0.png")));
    assert_ok(reader_read(reader, 0, rgb));
    assert_false(reader_samples(reader, 0, samples, &width, &height)); /* it has none */
    reader_close(&reader);
}

TESTS_EACH(fixture_setup, fixture_teardown)
