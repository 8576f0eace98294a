/* Files for viewing, read back: content, size, and grey frames. */
#include "tests/support/test.h"

#include "base/file.h"
#include "base/memory.h"
#include "cmd/regression/exhibit/exhibit.h"
#include "render/reader/reader.h"
#include "tests/support/films/sink_fixture.h"
#include "tests/support/films/star_field.h"

#include <stdlib.h>
#include <string.h>

enum { X = 30, Y = 60 };

struct side {
    uint32_t width, height;
    bool random;   /* incompressible */
    int point;     /* codes of one more point in odd frames; 0: none */
    int fails;     /* from this frame on */
    uint32_t seen; /* pictures that were asked for */
};

/* Rotating stars. */
static enum status draw(void *user, int64_t frame, uint16_t *rgb)
{
    struct side *side = user;
    struct star_field field = star_field_usual;
    side->seen++;
    if (frame >= side->fails)
        return status_fail(STATUS_IO, "frame %d cannot be read", (int)frame);
    field.width = side->width;
    field.height = side->height;
    field.turn = 0.01 * (double)frame;
    field.stars = 5;
    field.glow = 0;
    star_field_draw(&field, rgb);
    memset(rgb + 3 * (Y * side->width + X), 0, 6);
    if (side->point && frame % 2 == 1)
        star_field_point(&field, rgb, X, Y, side->point);
    if (side->random)
        star_field_noise(&field, rgb, 100, (uint32_t)(2 * frame + (side->point > 0)));
    return STATUS_OK;
}

struct hung {
    struct side side[2];
    struct limits *limits;
    struct report report;
    struct case_report *one;
    struct exhibit exhibit;
};

static void open_hung(struct hung *hung, const char *folder, uint32_t width, uint32_t height)
{
    memset(hung, 0, sizeof *hung);
    limits_open(&hung->limits);
    hung->one = report_add_case(&hung->report, "b against a");
    hung->exhibit =
        (struct exhibit){.folder = folder, .note = "", .fps = 24, .limits = hung->limits};
    for (int s = 0; s < 2; s++) {
        hung->side[s] = (struct side){width, height, false, s == 1 ? 200 : 0, 1 << 30, 0};
        hung->exhibit.side[s] = (struct exhibit_side){width, height, draw, &hung->side[s]};
    }
}

/* Shows the pairs, of which the frame of the pair with index `from` is chosen. */
static enum status show(struct hung *hung, const struct frame_pair *pairs, size_t count,
                        size_t from)
{
    const struct exhibit_frame chosen = {pairs[from], 1, ""};
    hung->exhibit.pairs = pairs;
    hung->exhibit.count = count;
    hung->exhibit.frames = &chosen;
    hung->exhibit.frame_count = count > 0;
    return exhibit_show(&hung->exhibit, hung->one);
}

static void close_hung(struct hung *hung)
{
    report_free(&hung->report);
    limits_close(&hung->limits);
}

/* Codes of a channel of a pixel of that frame of a film or picture. */
static int code_at(const char *path, uint64_t frame, uint32_t x, uint32_t y, int channel)
{
    struct reader *reader;
    assert_ok(reader_open(&reader, path));
    const struct reader_info *info = reader_info(reader);
    uint16_t *rgb = memory_new((size_t)info->width * info->height * 3, sizeof *rgb);
    assert_ok(reader_read(reader, info->first + frame, rgb));
    const int code = rgb[3 * (y * info->width + x) + (uint32_t)channel] / 257;
    free(rgb);
    reader_close(&reader);
    return code;
}

TEST(frames_are_written_with_marks)
{
    struct hung hung;
    open_hung(&hung, fixture_path(*state, "kept"), 160, 96);
    const struct exhibit_frame frames[] = {{{1, 1}, 2.5, "the first that fails"}, {{4, -1}, 1, ""}};
    hung.exhibit.frames = frames;
    hung.exhibit.frame_count = 2;
    assert_ok(exhibit_show(&hung.exhibit, hung.one));
    assert_int_equal(hung.one->shown_count, 2);
    const struct shown_frame *shown = &hung.one->shown[0];
    assert_int_equal(shown->frame, 1);
    assert_float_equal(shown->worst, 2.5, 0);
    assert_string_equal(shown->why, "the first that fails");
    assert_contains(shown->a, "kept/frame-000001-a.png");
    assert_int_equal(code_at(shown->a, 0, X, Y, 1), 0);
    const int point = code_at(shown->b, 0, X, Y, 1);
    assert_in_range(point, 180, 220);
    assert_int_equal(code_at(shown->difference, 0, X, Y, 1), 255); /* four times as much */
    assert_int_equal(code_at(shown->difference, 0, X + 9, Y, 1), 0);
    bool added = false;
    for (uint32_t m = 0; m < shown->mark_count; m++)
        added |= shown->marks[m].kind == MARK_ADDED_STAR && shown->marks[m].x == X &&
                 shown->marks[m].y == Y;
    assert_true(added);
    shown = &hung.one->shown[1];
    assert_int_equal(shown->frame, 4);
    assert_non_null(shown->a);
    assert_null(shown->b);
    assert_null(shown->difference);
    assert_null(shown->why);
    assert_int_equal(shown->mark_count, 0);
    assert_int_equal(fixture_count_files(fixture_path(*state, "kept")), 4);
    close_hung(&hung);
}

static struct frame_pair *pairs_of(size_t count)
{
    struct frame_pair *pairs = memory_new(count, sizeof *pairs);
    for (size_t i = 0; i < count; i++)
        pairs[i] = (struct frame_pair){(int64_t)i, (int64_t)i};
    return pairs;
}

/* A small film is shown completely, at twice the size; the difference of a point is visible, and
 * missing frames are grey. */
TEST(a_clip_shows_both_and_their_difference)
{
    struct hung hung;
    open_hung(&hung, *state, 160, 96);
    struct frame_pair *pairs = pairs_of(10);
    pairs[4].b = -1;
    assert_ok(show(&hung, pairs, 10, 3));
    free(pairs);
    const struct clip *clip = &hung.one->clip;
    assert_int_equal(clip->count, 10);
    assert_int_equal(clip->frames[4].a, 4);
    assert_int_equal(clip->frames[4].b, -1);
    assert_float_equal(clip->fps, 24, 0);
    assert_float_equal(clip->gain, 1, 0); /* the point differs by 200 codes */
    struct reader *reader;
    assert_ok(reader_open(&reader, clip->path));
    assert_int_equal(reader_info(reader)->frames, 10);
    assert_int_equal(reader_info(reader)->width, 3 * 320 + 8);
    assert_int_equal(reader_info(reader)->height, 192);
    reader_close(&reader);
    const uint32_t b = 324, d = 648;
    assert_in_range(code_at(clip->path, 1, b + 2 * X, 2 * Y + 1, 1), 120, 255);
    assert_in_range(code_at(clip->path, 1, d + 2 * X, 2 * Y + 1, 1), 120, 255);
    assert_in_range(code_at(clip->path, 1, 2 * X, 2 * Y + 1, 1), 0, 30);
    assert_in_range(code_at(clip->path, 2, d + 2 * X, 2 * Y + 1, 1), 0, 30);
    assert_in_range(code_at(clip->path, 4, b + 100, 5, 1), 30, 50);
    assert_in_range(code_at(clip->path, 4, d + 100, 5, 1), 30, 50);
    assert_in_range(code_at(clip->path, 3, d + 100, 5, 1), 0, 15);
    close_hung(&hung);
}

/* Of a long film, the part around its first difference; large pictures are reduced, but the
 * difference of one pixel stays visible. */
TEST(long_and_large_films_are_cut)
{
    struct hung hung;
    open_hung(&hung, *state, 500, 300);
    struct frame_pair *pairs = pairs_of(300);
    hung.side[1].point = 12;
    assert_ok(show(&hung, pairs + 100, 53, 11));
    free(pairs);
    const struct clip *clip = &hung.one->clip;
    assert_int_equal(clip->count, CLIP_FRAMES_MAX);
    assert_int_equal(clip->frames[0].a, 111 - CLIP_LEAD_IN);
    assert_float_equal(clip->gain, 16, 0);
    const uint32_t x = 2 * 404 + X * 400 / 500, y = Y * 240 / 300;
    assert_int_equal(clip->frames[2].a % 2, 1);
    assert_in_range(code_at(clip->path, 2, x, y, 1), 100, 255);
    close_hung(&hung);
}

TEST(what_cannot_be_made_small_is_left_out)
{
    struct hung hung;
    open_hung(&hung, *state, 400, 400);
    struct frame_pair *pairs = pairs_of(12);
    hung.side[0].random = hung.side[1].random = true;
    assert_ok(show(&hung, pairs, 12, 0));
    if (hung.one->clip.path) {
        char *film;
        size_t size;
        assert_ok(file_read(hung.one->clip.path, CLIP_BYTES_MAX, &film, &size));
        assert_in_range(size, 1000, CLIP_BYTES_MAX);
        free(film);
    } else {
        assert_false(file_exists(fixture_path(*state, "clip.mp4")));
    }
    free(pairs);
    close_hung(&hung);
}

/* Frames of an incomplete film are seconds apart: slow. */
TEST(gaps_are_shown_slowly)
{
    struct hung hung;
    open_hung(&hung, *state, 160, 96);
    const struct frame_pair pairs[] = {{0, 0}, {6, 6}, {11, 11}};
    assert_ok(show(&hung, pairs, 3, 0));
    assert_float_equal(hung.one->clip.fps, 4, 0);
    close_hung(&hung);
}

/* Pictures of two sizes are shown one by one, without a clip. */
TEST(two_sizes_are_shown_apart)
{
    struct hung hung;
    open_hung(&hung, *state, 160, 96);
    const struct frame_pair pairs[] = {{3, 3}};
    hung.side[1].width = hung.exhibit.side[1].width = 100;
    assert_ok(show(&hung, pairs, 1, 0));
    assert_int_equal(hung.one->shown_count, 2);
    assert_true(hung.one->shown[0].a && !hung.one->shown[0].b);
    assert_true(hung.one->shown[1].b && !hung.one->shown[1].a);
    assert_null(hung.one->clip.path);
    close_hung(&hung);
}

TEST(failures_are_told)
{
    struct hung hung;
    open_hung(&hung, *state, 160, 96);
    struct frame_pair *pairs = pairs_of(10);
    hung.side[1].fails = 5;
    assert_fails(show(&hung, pairs, 10, 0), STATUS_IO, "frame 5");
    assert_null(hung.one->clip.path);
    assert_false(file_exists(fixture_path(*state, "clip.mp4")));
    assert_fails(show(&hung, pairs, 10, 7), STATUS_IO, "frame 7");
    hung.side[0].seen = hung.side[1].seen = 0;
    assert_ok(show(&hung, pairs, 0, 0));
    assert_int_equal(hung.side[0].seen + hung.side[1].seen, 0);
    free(pairs);
    close_hung(&hung);
}

TESTS_EACH(fixture_setup, fixture_teardown)
