/* Decoded frames: equality, and the tiles that a comparison may skip. */
#include "tests/support/test.h"

#include "render/compare/measure.h"
#include "render/reader/frame.h"

#include <libavutil/frame.h>
#include <string.h>

enum { WIDTH = 331, HEIGHT = 203, COLUMNS = 11, ROWS = 7 };

static AVFrame *make_frame(void)
{
    AVFrame *frame = av_frame_alloc();
    frame->format = AV_PIX_FMT_YUV420P;
    frame->width = WIDTH;
    frame->height = HEIGHT;
    frame->colorspace = AVCOL_SPC_BT709;
    assert_int_equal(av_frame_get_buffer(frame, 0), 0);
    return frame;
}

static uint32_t seed;
static unsigned next(unsigned count)
{
    seed = seed * 1664525 + 1013904223;
    return (seed >> 8) % count;
}

/* A dark sky with `stars`; luma differs by a code here and there. */
static AVFrame *make_sky(uint32_t noise, int stars, int tinted)
{
    AVFrame *frame = make_frame();
    seed = noise;
    for (int y = 0; y < HEIGHT; y++)
        for (int x = 0; x < WIDTH; x++)
            frame->data[0][y * frame->linesize[0] + x] = (uint8_t)(17 + next(2));
    for (int p = 1; p < 3; p++)
        for (int y = 0; y < (HEIGHT + 1) / 2; y++)
            memset(frame->data[p] + y * frame->linesize[p], 128, (WIDTH + 1) / 2);
    seed = 5;
    for (int i = 0; i < stars; i++) {
        const int x = (int)next(WIDTH), y = (int)next(HEIGHT);
        frame->data[0][y * frame->linesize[0] + x] = (uint8_t)(30 + next(200));
    }
    for (int i = 0; i < tinted; i++)
        frame->data[1][next(HEIGHT / 2) * (unsigned)frame->linesize[1] + next(WIDTH / 2)] += 3;
    return frame;
}

static void compare(struct reader_frame *left, struct reader_frame *right, const uint8_t *needed,
                    struct measure *found)
{
    struct planes a, b;
    struct measurer *measurer;
    memset(found, 0, sizeof *found);
    assert_ok(planes_open(&a, WIDTH, HEIGHT));
    assert_ok(planes_open(&b, WIDTH, HEIGHT));
    assert_ok(measurer_open(&measurer, WIDTH, HEIGHT, &measure_usual));
    assert_ok(frame_to_planes(left, &a, needed, 0, a.rows));
    assert_ok(frame_to_planes(right, &b, needed, 0, b.rows));
    measure_pictures(measurer, &a, &b, needed, found);
    measurer_close(&measurer);
    planes_close(&a);
    planes_close(&b);
}

TEST(dark_tiles_are_left_out_without_loss)
{
    int left_out = 0, looked_at = 0;
    for (int i = 0; i < 30; i++) {
        struct reader_frame *a = frame_keep(make_sky(1, i / 3, i % 3), ALPHA_NONE, "a");
        struct reader_frame *b =
            frame_keep(make_sky((uint32_t)i % 2 + 1, i / 2, i % 4), ALPHA_NONE, "b");
        uint8_t needed[COLUMNS * ROWS];
        assert_true(frame_find_needed(a, b, measure_usual.lit, measure_usual.free, needed));
        for (int t = 0; t < COLUMNS * ROWS; t++) {
            left_out += !needed[t];
            looked_at += needed[t];
        }
        struct measure all, some;
        compare(a, b, NULL, &all);
        compare(a, b, needed, &some);
        /* the largest difference may be one that is free anyway */
        if (some.largest.value <= measure_usual.free)
            some.largest = all.largest;
        some.equal = all.equal;
        assert_memory_equal(&all, &some, sizeof all);
        frame_release(&a);
        frame_release(&b);
    }
    assert_true(left_out > 1000 && looked_at > 100);
}

TEST(equal_frames_are_equal)
{
    struct reader_frame *a = frame_keep(make_sky(1, 20, 0), ALPHA_NONE, "a");
    AVFrame *changed = make_sky(1, 20, 0), *tagged = make_sky(1, 20, 0);
    struct reader_frame *b = frame_keep(make_sky(1, 20, 0), ALPHA_NONE, "b");
    assert_true(frame_equal(a, b));
    changed->data[2][(HEIGHT / 2) * changed->linesize[2] + WIDTH / 2]++;
    tagged->color_range = AVCOL_RANGE_JPEG;
    struct reader_frame *c = frame_keep(changed, ALPHA_NONE, "c"),
                        *d = frame_keep(tagged, ALPHA_NONE, "d");
    assert_false(frame_equal(a, c));
    assert_false(frame_equal(a, d));
    uint8_t needed[COLUMNS * ROWS];
    assert_false(frame_find_needed(a, d, 12, 2, needed));
    assert_false(frame_find_needed(a, b, 4, 2, needed)); /* chroma alone could reach that */
    frame_release(&a);
    frame_release(&b);
    frame_release(&c);
    frame_release(&d);
    assert_null(d);
}

TESTS(NULL, NULL)
