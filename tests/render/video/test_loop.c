/* GIF and animated WebP: the content of a file, and invalid requests. */
#include "tests/support/test.h"

#include "base/file.h"
#include "render/reader/reader.h"
#include "render/reader/stream.h"
#include "render/video/encoder.h"
#include "tests/support/films/sink_fixture.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { FRAMES = 7 };

static struct sink_params params_for(void **state, const char *name)
{
    struct sink_params params = fixture_params(fixture_path(*state, name));
    params.fps_num = 10;
    return params;
}

static const unsigned char *find(const char *data, size_t size, const char *what, size_t length)
{
    return memmem(data, size, what, length);
}

/* The colours of the fixture's blocks are reproduced; every frame has its time, and the loop is
 * endless. */
TEST(a_gif_holds_every_frame)
{
    const struct sink_params params = params_for(state, "a.gif");
    assert_ok(fixture_film(&params, FRAMES, fixture_draw));
    struct reader *reader;
    static uint16_t rgb[FIXTURE_HEIGHT][FIXTURE_WIDTH][3];
    assert_ok(reader_open(&reader, params.path));
    assert_int_equal(reader_info(reader)->frames, FRAMES);
    assert_int_equal(reader_info(reader)->alpha, ALPHA_NONE);
    for (uint64_t n = 0; n < FRAMES; n++) {
        double squares = 0;
        assert_ok(reader_read(reader, n, rgb[0][0]));
        assert_true(fabs(reader_time(reader, n) - (double)n / 10) < 1e-9);
        for (int y = 0; y < FIXTURE_HEIGHT; y++)
            for (int x = 0; x < FIXTURE_WIDTH; x++) {
                double colour[3];
                fixture_colour(x, y, n, colour);
                for (int c = 0; c < 3; c++)
                    squares += pow(colour[c] * 255 - rgb[y][x][c] / 257.0, 2);
            }
        const double rms = sqrt(squares / (3.0 * FIXTURE_WIDTH * FIXTURE_HEIGHT));
        if (!(rms < 3))
            fail_msg("frame %d is off by %g codes", (int)n, rms);
    }
    reader_close(&reader);
    char *data;
    size_t size;
    assert_ok(file_read(params.path, 1 << 24, &data, &size));
    assert_non_null(find(data, size, "NETSCAPE2.0\x03\x01\0\0\0", 16));
    free(data);
    struct film_info info;
    assert_ok(film_info_read(params.path, &info));
    assert_string_equal(info.container->name, "gif");
    assert_true(fabs(info.duration - FRAMES / 10.0) < 0.011);
    film_info_free(&info);
}

/* The same pictures give the same bytes. */
TEST(a_gif_is_repeatable)
{
    const struct sink_params a = params_for(state, "a.gif"), b = params_for(state, "b.gif");
    assert_ok(fixture_film(&a, FRAMES, fixture_draw));
    assert_ok(fixture_film(&b, FRAMES, fixture_draw));
    assert_true(fixture_same_files(a.path, b.path));
}

/* Two pictures fit: five make stretches of 2, 2 and 1, each with colours of its own pictures. */
TEST(stretches_follow_each_other)
{
    enum { SIDE = 16, MANY = 5 };
    struct stretch *stretch = stretch_create(SIDE, SIDE, (size_t)2 * SIDE * SIDE * 4 + 100);
    int taken = 0;
    for (int n = 0; n < MANY; n++) {
        struct picture picture;
        fixture_picture(&picture, PICTURE_RGBA8, SIDE, SIDE);
        for (uint32_t y = 0; y < SIDE; y++)
            memset(picture.data + (size_t)y * picture.layout.plane[0].stride, 20 + 40 * n,
                   4 * SIDE);
        assert_ok(stretch_add(stretch, &picture));
        fixture_free(&picture);
        assert_int_equal(stretch_ready(stretch), n % 2 == 1);
        if (n == MANY - 1)
            stretch_close(stretch);
        while (stretch_ready(stretch)) {
            uint8_t numbers[SIDE][SIDE];
            uint32_t colours[256];
            stretch_take(stretch, numbers[0], SIDE, colours);
            assert_true(abs((int)(colours[numbers[3][5]] & 255) - (20 + 40 * taken)) <= 4);
            assert_int_equal(colours[255], 0);
            taken++;
        }
    }
    assert_int_equal(taken, MANY);
    stretch_destroy(&stretch);
}

static uint32_t little(const unsigned char *at, int bytes)
{
    uint32_t value = 0;
    for (int i = 0; i < bytes; i++)
        value |= (uint32_t)at[i] << 8 * i;
    return value;
}

/* The container's fields (RFC 9649): loop count 0 is endless; an ANMF per frame, of 100 ms. */
TEST(a_webp_holds_every_frame)
{
    const struct sink_params params = params_for(state, "a.webp");
    struct sink_plan plan;
    if (sink_make_plan(&params, &plan) != STATUS_OK)
        outcome_skip(MISSING_ENCODER, status_text());
    assert_ok(fixture_film(&params, FRAMES, fixture_draw));
    char *data;
    size_t size;
    assert_ok(file_read(params.path, 1 << 24, &data, &size));
    const unsigned char *bytes = (const void *)data;
    assert_memory_equal(bytes, "RIFF", 4);
    assert_int_equal(little(bytes + 4, 4) + 8, size);
    int frames = 0;
    uint32_t shown = 0;
    bool loops = false;
    for (size_t at = 12; at + 8 <= size; at += 8 + ((little(bytes + at + 4, 4) + 1) & ~1u)) {
        if (memcmp(bytes + at, "ANIM", 4) == 0)
            loops = little(bytes + at + 8 + 4, 2) == 0;
        if (memcmp(bytes + at, "ANMF", 4) == 0) {
            frames++;
            shown += little(bytes + at + 8 + 12, 3);
        }
    }
    free(data);
    assert_true(loops);
    assert_int_equal(frames, FRAMES);
    assert_int_equal(shown, FRAMES * 100);
    struct reader *reader;
    assert_fails(reader_open(&reader, params.path), STATUS_USAGE, "WebP gravreel");
}

TEST(alpha_goes_into_webp)
{
    struct sink_params params = params_for(state, "a.webp");
    struct sink_plan plan;
    if (sink_make_plan(&params, &plan) != STATUS_OK)
        outcome_skip(MISSING_ENCODER, status_text());
    params.alpha = ALPHA_STRAIGHT;
    assert_ok(fixture_film(&params, FRAMES, fixture_draw));
    char *data;
    size_t size;
    assert_ok(file_read(params.path, 1 << 24, &data, &size));
    assert_true(data[20] & 0x10); /* VP8X says so */
    free(data);
    params.alpha = ALPHA_PREMULTIPLIED;
    assert_fails(sink_make_plan(&params, &plan), STATUS_USAGE, "output.alpha alpha webp straight");
}

TEST(what_does_not_fit_is_refused)
{
    struct sink_plan plan;
    struct sink_params params = params_for(state, "a.gif");
    params.fps_num = 60;
    assert_fails(sink_make_plan(&params, &plan), STATUS_USAGE, "--fps 50");
    params.fps_num = 50;
    assert_ok(sink_make_plan(&params, &plan));
    params.output.codec = fixture_codec("h264");
    assert_fails(sink_make_plan(&params, &plan), STATUS_USAGE, "output.codec codec h264");
    params = params_for(state, "a.gif");
    params.alpha = ALPHA_STRAIGHT;
    assert_fails(sink_make_plan(&params, &plan), STATUS_USAGE,
                 "output.alpha gif carry transparency alpha");
    params = params_for(state, "a.gif");
    params.output.crf = 20;
    assert_fails(sink_make_plan(&params, &plan), STATUS_USAGE, "quality setting");
    params = params_for(state, "a.gif");
    params.output.bits = 10;
    assert_fails(sink_make_plan(&params, &plan), STATUS_USAGE, "output.bits");
    params = fixture_params("-");
    params.format = "webp";
    assert_fails(sink_make_plan(&params, &plan), STATUS_USAGE, "pipe");
}

TESTS_EACH(fixture_setup, fixture_teardown)
