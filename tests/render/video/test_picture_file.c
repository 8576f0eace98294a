/* Every format of still pictures: files are recognized, read back with their tags, and damage is
 * detected. A new entry needs no test of its own for this. */
#include "tests/support/test.h"

#include "base/file.h"
#include "base/memory.h"
#include "render/reader/reader.h"
#include "render/video/picture_file.h"
#include "tests/support/films/sink_fixture.h"

#include <libavutil/frame.h>
#include <stdlib.h>
#include <string.h>

enum { WIDTH = 61, HEIGHT = 37 };

static void draw(struct picture *picture)
{
    const uint32_t bits = picture_format_bits(picture->layout.format);
    for (uint32_t y = 0; y < HEIGHT; y++)
        for (uint32_t i = 0; i < 4 * WIDTH; i++) {
            uint8_t *row = picture->data + y * picture->layout.plane[0].stride;
            const uint32_t value = i % 4 == 3 ? 255 : i / 4 * 3 + y;
            const uint16_t deep = (uint16_t)(value * 257);
            const float light = (float)value / 64;
            if (bits == 8)
                row[i] = (uint8_t)value;
            else if (picture->layout.format == PICTURE_RGBAF32)
                memcpy(row + i * sizeof light, &light, sizeof light);
            else
                memcpy(row + i * sizeof deep, &deep, sizeof deep);
        }
}

/* False: this machine's libavcodec lacks the encoder, or the format has fewer bits. */
static bool write_one(const struct picture_file *file, const char *path, struct sink_params *params)
{
    struct sink_plan plan = {.format = PICTURE_RGBA8};
    struct picture picture;
    uint64_t bytes;
    const enum status status = file->plan(params, &plan);
    if (status == STATUS_DEVICE || (status == STATUS_USAGE && params->output.png_bits == 16))
        return false;
    assert_ok(status);
    assert_true(*plan.description && *plan.libraries);
    fixture_picture(&picture, plan.format, WIDTH, HEIGHT);
    draw(&picture);
    assert_ok(file->write(path, &picture, params, 0, &bytes));
    fixture_free(&picture);
    char *text;
    size_t size;
    assert_ok(file_read(path, 1 << 24, &text, &size));
    assert_int_equal(size, bytes);
    free(text);
    return true;
}

static void assert_refused(const struct picture_file *file, const char *path)
{
    AVFrame *frame = NULL;
    uint32_t bits;
    assert_fails(file->read(path, &frame, &bits), STATUS_IO, file->kind);
    assert_null(frame);
}

/* Truncated, or with a changed byte in its pixels. */
static void damage(const struct picture_file *file, const char *path)
{
    char *data;
    size_t size;
    assert_ok(file_read(path, 1 << 24, &data, &size));
    for (size_t left = size - 1; left > 40; left = left * 3 / 4) {
        assert_ok(file_write(path, data, left));
        assert_refused(file, path);
    }
    for (size_t at = size * 3 / 4; at < size; at += size / 20) {
        data[at] ^= 16;
        assert_ok(file_write(path, data, size));
        assert_refused(file, path);
        data[at] ^= 16;
    }
    free(data);
}

static void check(const struct picture_file *file, const char *path, uint32_t bits)
{
    char letters[701] = "", name[64];
    for (int i = 0; i < 350; i++)
        strcat(letters, "ä");
    struct sink_params params = fixture_params(path);
    params.output.png_bits = params.output.exr_bits = bits;
    tags_add(&params.tags, "title", letters);
    tags_add(&params.tags, "gravreel_scene", "bodies:\n  count: 3\n");
    if (!write_one(file, path, &params)) {
        print_message("%s is left out: %s\n", file->kind, status_text());
        tags_free(&params.tags);
        return;
    }
    assert_ptr_equal(picture_file_of(path), file);
    assert_ptr_equal(picture_file_named(path), file);
    struct tags tags;
    assert_ok(file->tags(path, &tags));
    assert_int_equal(tags.count, 2);
    assert_string_equal(tags_find(&tags, "title"), letters);
    assert_string_equal(tags_find(&tags, "gravreel_scene"), "bodies:\n  count: 3\n");
    tags_free(&tags);
    tags_free(&params.tags);
    AVFrame *frame;
    uint32_t read_bits;
    assert_ok(file->read(path, &frame, &read_bits));
    assert_int_equal(frame->width, WIDTH);
    assert_int_equal(frame->height, HEIGHT);
    assert_int_equal(read_bits, bits);
    av_frame_free(&frame);
    struct reader *reader;
    uint16_t *rgb = memory_new(3 * WIDTH * HEIGHT, sizeof *rgb);
    assert_ok(reader_open(&reader, path));
    assert_ok(reader_read(reader, 0, rgb));
    assert_ptr_equal(reader_info(reader)->file, file);
    /* red of the first row increases as drawn; a lossy format may be off by less than 4 codes */
    for (uint32_t x = 1; x < WIDTH; x++)
        assert_true(!file->light || rgb[3 * x] > rgb[3 * (x - 1)]);
    if (!file->light)
        for (uint32_t x = 0; x < WIDTH; x++)
            assert_true(abs(rgb[3 * x] - (int)(3 * x * 257)) < 4 * 257);
    reader_close(&reader);
    free(rgb);
    snprintf(name, sizeof name, "x.%s.txt", file->name);
    assert_ptr_not_equal(picture_file_named(name), file);
    damage(file, path);
}

TEST(formats_are_read_as_they_are_written)
{
    char *folder = fixture_folder(), name[32];
    const struct picture_file *file;
    for (size_t i = 0; (file = choice_at(&picture_file_registry, i)); i++) {
        snprintf(name, sizeof name, "picture.%s", file->name);
        check(file, fixture_path(folder, name), 16);
        if (!file->light)
            check(file, fixture_path(folder, name), 8);
        else
            check(file, fixture_path(folder, name), 32);
    }
    fixture_remove_folder(folder);
}

/* A comment of JPEG has less than 64 KiB. */
TEST(long_tags_are_whole)
{
    enum { LONG = 200000 };
    char *folder = fixture_folder(), *letters = memory_new(LONG + 1, 1), name[32];
    for (int i = 0; i < LONG; i++)
        letters[i] = (char)('a' + i % 26);
    const struct picture_file *file;
    for (size_t i = 0; (file = choice_at(&picture_file_registry, i)); i++) {
        snprintf(name, sizeof name, "long.%s", file->name);
        struct sink_params params = fixture_params(fixture_path(folder, name));
        params.output.exr_bits = 16;
        tags_add(&params.tags, "a", "short=1");
        tags_add(&params.tags, "b", letters);
        tags_add(&params.tags, "c", "");
        if (write_one(file, params.path, &params)) {
            struct tags tags;
            assert_ok(file->tags(params.path, &tags));
            assert_int_equal(tags.count, 3);
            assert_string_equal(tags_find(&tags, "a"), "short=1");
            assert_string_equal(tags_find(&tags, "b"), letters);
            assert_string_equal(tags_find(&tags, "c"), "");
            tags_free(&tags);
        }
        tags_free(&params.tags);
    }
    free(letters);
    fixture_remove_folder(folder);
}

TEST(what_a_format_cannot_have_is_refused)
{
    const struct picture_file *file;
    struct sink_plan plan = {.format = PICTURE_RGBA8};
    for (size_t i = 0; (file = choice_at(&picture_file_registry, i)); i++) {
        struct sink_params params = fixture_params("a");
        params.output.png_bits = params.output.exr_bits = 12;
        assert_fails(file->plan(&params, &plan), STATUS_USAGE, "12 bits");
    }
    struct sink_params params = fixture_params("a");
    params.output.exr_bits = 16;
    params.alpha = ALPHA_STRAIGHT;
    assert_fails(picture_file_named("a.exr")->plan(&params, &plan), STATUS_USAGE, "alpha");
    file = picture_file_named("a.jpg");
    assert_fails(file->plan(&params, &plan), STATUS_USAGE, "JPEG alpha tif");
    params.alpha = ALPHA_NONE;
    params.output.png_bits = 16;
    assert_fails(file->plan(&params, &plan), STATUS_USAGE, "JPEG 8 bits output.png_bits 16 tif");
    params.output.png_bits = 8;
    static const char *const options[] = {"quality=0", "quality=101", "quality=9x", "distance=1"};
    for (size_t i = 0; i < sizeof options / sizeof *options; i++) {
        params.output.codec_options = (char *)options[i];
        assert_fails(file->plan(&params, &plan), STATUS_USAGE, "quality 1 to 100");
    }
    params.output.codec_options = "";
    if ((file = picture_file_named("a.jxl"))) {
        params.alpha = ALPHA_PREMULTIPLIED;
        assert_fails(file->plan(&params, &plan), STATUS_USAGE, "straight");
        params.alpha = ALPHA_NONE;
        params.output.codec_options = "quality=3";
        const enum status status = file->plan(&params, &plan);
        if (status != STATUS_DEVICE)
            assert_fails(status, STATUS_USAGE, "distance");
    }
}

TESTS(NULL, NULL)
