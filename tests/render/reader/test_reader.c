/* Films of known pictures, read back frame by frame and in any order. */
#include "tests/support/test.h"

#include "base/file.h"
#include "render/reader/reader.h"
#include "tests/support/films/sink_fixture.h"

#include <math.h>
#include <string.h>

enum { DIGITS = 10, PIXELS = FIXTURE_WIDTH * FIXTURE_HEIGHT };

static uint16_t rgb[PIXELS][3], again[PIXELS][3];

/* Vertical stripes, black or white: the binary digits of n, highest first. */
static void draw_number(struct picture *picture, uint64_t n)
{
    const struct picture_layout *layout = &picture->layout;
    bool rgba = layout->format == PICTURE_RGBA8, deep = layout->format == PICTURE_YUV420P10;
    assert_true(rgba || deep || layout->format == PICTURE_NV12 ||
                layout->format == PICTURE_YUV420P || layout->format == PICTURE_YUV444P);
    uint32_t width = deep ? 2 : 1;
    for (int p = 0; p < layout->planes; p++)
        for (uint32_t y = 0; y < layout->plane[p].rows; y++)
            for (uint32_t i = 0; i < layout->plane[p].bytes; i++) {
                uint32_t digit = i * DIGITS / layout->plane[p].bytes;
                bool white = n >> (DIGITS - 1 - digit) & 1;
                int value = p > 0 ? 128 : rgba ? 255 * white : white ? 235 : 16;
                value = !deep ? value : i % width ? 4 * value >> 8 : 4 * value & 255;
                picture->data[layout->plane[p].offset + (size_t)y * layout->plane[p].stride + i] =
                    (uint8_t)value;
            }
}

static int number_shown(void)
{
    int number = 0;
    for (int digit = 0; digit < DIGITS; digit++) {
        int x = (2 * digit + 1) * FIXTURE_WIDTH / (2 * DIGITS);
        number = 2 * number + (rgb[FIXTURE_HEIGHT / 2 * FIXTURE_WIDTH + x][1] > 32768);
    }
    return number;
}

/* Mean of the middle of a block, 0..1. */
static void block_colour(int column, int row, double mean[3])
{
    for (int c = 0; c < 3; c++) {
        mean[c] = 0;
        for (int y = 6; y < 10; y++)
            for (int x = 6; x < 10; x++)
                mean[c] +=
                    rgb[(row * FIXTURE_BLOCK + y) * FIXTURE_WIDTH + column * FIXTURE_BLOCK + x][c] /
                    (16 * 65535.0);
    }
}

static void check_colours(const char *name, double tolerance)
{
    for (int row = 0; row < FIXTURE_GRADIENT / FIXTURE_BLOCK; row++)
        for (int column = 0; column < FIXTURE_WIDTH / FIXTURE_BLOCK; column++) {
            double found[3], wanted[3];
            block_colour(column, row, found);
            fixture_colour(column * FIXTURE_BLOCK + 8, row * FIXTURE_BLOCK + 8, 0, wanted);
            for (int c = 0; c < 3; c++)
                if (fabs(found[c] - wanted[c]) > tolerance)
                    fail_msg("%s, block %d %d: channel %d is %.4f and not %.4f", name, column, row,
                             c, found[c], wanted[c]);
        }
}

static struct reader *open_film(const char *path)
{
    struct reader *reader;
    assert_ok(reader_open(&reader, path));
    return reader;
}

TEST(colours_come_back)
{
    static const struct {
        const char *name, *codec;
        uint32_t bits;
        double tolerance;
    } films[] = {
        {"a.mp4", "h264", 8, 0.02},  {"a.mkv", "hevc", 10, 0.03},  {"a.webm", "vp9", 8, 0.03},
        {"a.y4m", "auto", 8, 0.006}, {"b.mkv", "ffv1", 10, 0.002}, {"a%02d.png", "auto", 8, 0.002},
    };
    for (size_t i = 0; i < sizeof films / sizeof films[0]; i++) {
        const char *path = fixture_path(*state, films[i].name);
        struct sink_params params = fixture_params(path);
        params.output.codec = fixture_codec(films[i].codec);
        params.output.crf = strcmp(films[i].codec, "h264") == 0 ? 10 : -1;
        assert_ok(fixture_film(&params, 3, fixture_draw));
        struct reader *reader = open_film(path);
        const struct reader_info *info = reader_info(reader);
        assert_int_equal(info->width, FIXTURE_WIDTH);
        assert_int_equal(info->height, FIXTURE_HEIGHT);
        assert_int_equal(info->frames, 3);
        assert_int_equal(info->first, 0);
        assert_int_equal(info->is_video, i < 5);
        assert_int_equal(info->fps_num, info->is_video ? 30 * info->fps_den : 0);
        assert_int_equal(info->bits, films[i].bits);
        assert_ok(reader_read(reader, 2, rgb[0]));
        check_colours(films[i].name, films[i].tolerance);
        reader_close(&reader);
        assert_null(reader);
    }
}

TEST(png_comes_back_to_the_bit)
{
    for (uint32_t bits = 8; bits <= 16; bits += 8) {
        const char *path = fixture_path(*state, "p%d.png");
        struct sink_params params = fixture_params(path);
        params.output.png_bits = bits;
        assert_ok(fixture_film(&params, 2, fixture_draw));
        struct reader *reader = open_film(fixture_path(*state, "p1.png"));
        assert_int_equal(reader_info(reader)->bits, bits);
        assert_int_equal(reader_info(reader)->frames, 1);
        assert_true(reader_time(reader, 0) < 0);
        assert_ok(reader_read(reader, 0, rgb[0]));
        reader_close(&reader);
        for (int y = 0; y < FIXTURE_HEIGHT; y++)
            for (int x = 0; x < FIXTURE_WIDTH; x++) {
                double wanted[3];
                fixture_colour(x, y, 1, wanted);
                for (int c = 0; c < 3; c++)
                    assert_int_equal(rgb[y * FIXTURE_WIDTH + x][c],
                                     bits == 8 ? 257 * lround(255 * wanted[c])
                                               : lround(65535 * wanted[c]));
            }
    }
}

static void check_order(const char *path, int frames)
{
    struct reader *reader = open_film(path);
    assert_int_equal(reader_info(reader)->frames, frames);
    for (int f = 0; f < frames; f++) {
        assert_ok(reader_read(reader, (uint64_t)f, rgb[0]));
        if (number_shown() != f)
            fail_msg("%s: frame %d shows %d", path, f, number_shown());
        assert_true(fabs(reader_time(reader, (uint64_t)f) - f / 30.0) < 0.0011);
    }
    uint32_t chance = 12345;
    for (int i = 0; i < 24; i++) {
        chance = chance * 1664525u + 1013904223u;
        int f = i == 0 ? frames - 1 : i == 1 ? 0 : (int)(chance >> 8) % frames;
        assert_ok(reader_read(reader, (uint64_t)f, rgb[0]));
        if (number_shown() != f)
            fail_msg("%s: frame %d, sought, shows %d", path, f, number_shown());
        if (i % 4 == 0 && f + 1 < frames) {
            assert_ok(reader_read(reader, (uint64_t)f + 1, rgb[0]));
            assert_int_equal(number_shown(), f + 1);
        }
    }
    assert_fails(reader_read(reader, (uint64_t)frames, rgb[0]), STATUS_USAGE, "frames 0");
    reader_close(&reader);
}

TEST(frame_k_is_frame_k)
{
    static const struct {
        const char *name, *codec;
        int frames;
    } films[] = {
        {"a.mp4", "h264", 520}, /* several groups of pictures, in one of which frames are reordered
                                 */
        {"a.mov", "h264", 30},  {"a.mkv", "hevc", 30},  {"a.webm", "vp9", 30},
        {"a.y4m", "auto", 30},  {"one.mp4", "h264", 1},
    };
    for (size_t i = 0; i < sizeof films / sizeof films[0]; i++) {
        const char *path = fixture_path(*state, films[i].name);
        struct sink_params params = fixture_params(path);
        params.output.codec = fixture_codec(films[i].codec);
        assert_ok(fixture_film(&params, (uint64_t)films[i].frames, draw_number));
        check_order(path, films[i].frames);
    }
}

TEST(sought_and_reached_are_the_same)
{
    const char *path = fixture_path(*state, "a.mp4");
    const struct sink_params params = fixture_params(path);
    assert_ok(fixture_film(&params, 20, fixture_draw));
    struct reader *reader = open_film(path), *other = open_film(path);
    for (int f = 0; f < 20; f++) {
        assert_ok(reader_read(reader, (uint64_t)f, rgb[0]));
        assert_ok(reader_read(other, (uint64_t)(19 - f), again[0]));
        if (f == 19 - f || f < 10)
            continue;
        assert_ok(reader_read(other, (uint64_t)f, again[0]));
        assert_memory_equal(rgb, again, sizeof rgb);
    }
    reader_close(&reader);
    reader_close(&other);
}

TEST(sequences)
{
    const char *path = fixture_path(*state, "s-####.png");
    struct sink_params params = fixture_params(path);
    params.first_frame = 98;
    assert_ok(fixture_film(&params, 5, draw_number));
    assert_ok(file_write(fixture_path(*state, "s-0100.png.bak"), "x", 1));
    assert_ok(file_write(fixture_path(*state, "s-7.png"), "x", 1));
    path = fixture_path(*state, "s-%04d.png");
    struct reader *reader = open_film(path);
    assert_int_equal(reader_info(reader)->first, 98);
    assert_int_equal(reader_info(reader)->frames, 5);
    for (int f = 0; f < 5; f++) {
        assert_ok(reader_read(reader, 98 + (uint64_t)f, rgb[0]));
        assert_int_equal(number_shown(), f);
    }
    assert_fails(reader_read(reader, 97, rgb[0]), STATUS_USAGE, "frames 98 102");
    assert_int_equal(unlink(fixture_path(*state, "s-0100.png")), 0);
    assert_fails(reader_read(reader, 100, rgb[0]), STATUS_IO, "s-0100.png");
    params.path = fixture_path(*state, "s-0100%d.png");
    params.first_frame = 0;
    params.width = 64;
    struct picture small;
    fixture_picture(&small, PICTURE_RGBA8, 64, 32);
    params.height = 32;
    struct sink *sink;
    assert_ok(sink_open(&params, &sink));
    assert_ok(sink->ops->write(sink, &small));
    assert_ok(sink->ops->close(&sink, true, NULL, NULL));
    fixture_free(&small);
    assert_int_equal(
        rename(fixture_path(*state, "s-01000.png"), fixture_path(*state, "s-0100.png")), 0);
    assert_fails(reader_read(reader, 100, rgb[0]), STATUS_USAGE, "64x32");
    reader_close(&reader);
}

TEST(what_is_no_film)
{
    struct reader *reader;
    const char *folder = *state;
    assert_fails(reader_open(&reader, fixture_path(folder, "none.mp4")), STATUS_IO, "none.mp4");
    assert_null(reader);
    assert_fails(reader_open(&reader, fixture_path(folder, "x%d.png")), STATUS_IO, "file sequence");
    assert_fails(reader_open(&reader, fixture_path(folder, "no/x%d.png")), STATUS_IO, "folder");
    assert_fails(reader_open(&reader, folder), STATUS_USAGE, "neither film");
    const char *path = fixture_path(folder, "text.mp4");
    assert_ok(file_write(path, "hello, this is text", 19));
    assert_fails(reader_open(&reader, path), STATUS_USAGE, "neither film");
    assert_ok(file_write(path, "", 0));
    assert_fails(reader_open(&reader, path), STATUS_USAGE, "neither film");
    static const char head[] = "YUV4MPEG2 W16 H16 F25:1 C420jpeg\n";
    path = fixture_path(folder, "empty.y4m");
    assert_ok(file_write(path, head, sizeof head - 1));
    assert_fails(reader_open(&reader, path), STATUS_USAGE, "empty.y4m");
}

/* Truncated or with a flipped byte: a message or a picture, but no crash. */
TEST(broken_files)
{
    static const struct {
        const char *name, *one;
    } films[] = {{"a.mp4", "a.mp4"}, {"a.mkv", "a.mkv"}, {"a%d.png", "a0.png"}};
    for (size_t i = 0; i < sizeof films / sizeof films[0]; i++) {
        struct sink_params params = fixture_params(fixture_path(*state, films[i].name));
        assert_ok(fixture_film(&params, i < 2 ? 12 : 1, fixture_draw));
        char *data;
        size_t size;
        const char *path = fixture_path(*state, films[i].one);
        assert_ok(file_read(path, (size_t)1 << 24, &data, &size));
        int refused = 0;
        for (size_t cut = 1; cut < 24; cut++) {
            size_t length = cut % 2 ? size * cut / 24 : size;
            if (length == size)
                data[size * cut / 24] ^= 0x55;
            assert_ok(file_write(path, data, length));
            struct reader *reader;
            enum status status = reader_open(&reader, path);
            const struct reader_info *info = status == STATUS_OK ? reader_info(reader) : NULL;
            if (info && info->width * info->height <= PIXELS)
                for (uint64_t f = 0; f < info->frames && status == STATUS_OK; f++)
                    status = reader_read(reader, info->first + f, rgb[0]);
            refused += status != STATUS_OK;
            assert_true(status == STATUS_OK || has_words(status_text(), films[i].one));
            reader_close(&reader);
            if (length == size)
                data[size * cut / 24] ^= 0x55;
        }
        assert_true(refused >= 5);
        free(data);
    }
}

TESTS_EACH(fixture_setup, fixture_teardown)
