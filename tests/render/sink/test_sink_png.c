#include "tests/support/test.h"

#include "base/file.h"
#include "render/picture/png_pdf.h"
#include "tests/support/programs/refuse_threads.h"
#include "tests/support/films/sink_fixture.h"

#include <errno.h>
#include <png.h>
#include <string.h>

struct read_back {
    uint32_t width, height;
    int depth, type, intent;
    uint8_t *rows; /* packed RGB, 16 bits big-endian */
    char text[2][4096];
};

static void read_png(const char *path, struct read_back *out)
{
    memset(out, 0, sizeof *out);
    FILE *file = fopen(path, "rb");
    if (!file)
        fail_msg("%s is not there", path);
    png_structp png = png_create_read_struct(PNG_LIBPNG_VER_STRING, NULL, NULL, NULL);
    png_infop info = png_create_info_struct(png), end = png_create_info_struct(png);
    if (setjmp(png_jmpbuf(png)))
        fail_msg("%s cannot be read", path);
    png_init_io(png, file);
    png_read_info(png, info);
    out->width = png_get_image_width(png, info);
    out->height = png_get_image_height(png, info);
    out->depth = png_get_bit_depth(png, info);
    out->type = png_get_color_type(png, info);
    if (!png_get_sRGB(png, info, &out->intent))
        out->intent = -1;
    size_t bytes = png_get_rowbytes(png, info);
    out->rows = malloc(bytes * out->height);
    for (uint32_t y = 0; y < out->height; y++)
        png_read_row(png, out->rows + y * bytes, NULL);
    png_read_end(png, end);
    png_text *texts;
    int count = png_get_text(png, info, &texts, NULL);
    for (int i = 0; i < count; i++)
        if (strcmp(texts[i].key, "gravreel_scene") == 0)
            snprintf(out->text[0], sizeof out->text[0], "%s", texts[i].text);
        else if (strcmp(texts[i].key, "Title") == 0)
            snprintf(out->text[1], sizeof out->text[1], "%s", texts[i].text);
    png_destroy_read_struct(&png, &info, &end);
    fclose(file);
}

static void assert_same(const struct read_back *read, const struct picture *picture)
{
    bool deep = picture->layout.format == PICTURE_RGBA16;
    assert_int_equal(read->width, picture->layout.width);
    assert_int_equal(read->height, picture->layout.height);
    assert_int_equal(read->depth, deep ? 16 : 8);
    assert_int_equal(read->type, PNG_COLOR_TYPE_RGB);
    assert_int_equal(read->intent, PNG_sRGB_INTENT_PERCEPTUAL);
    for (uint32_t y = 0; y < read->height; y++)
        for (uint32_t x = 0; x < read->width; x++)
            for (uint32_t c = 0; c < 3; c++) {
                size_t at = ((size_t)y * read->width + x) * 3 + c;
                const uint8_t *row = picture->data + (size_t)y * picture->layout.plane[0].stride;
                uint16_t want = row[4 * x + c];
                if (deep)
                    memcpy(&want, row + 8 * x + 2 * c, 2);
                int got = deep ? read->rows[2 * at] << 8 | read->rows[2 * at + 1] : read->rows[at];
                assert_int_equal(got, want);
            }
}

static void check_files(const struct sink_params *params, uint64_t frames,
                        void (*draw)(struct picture *, uint64_t))
{
    struct picture picture;
    fixture_picture(&picture, params->output.png_bits == 16 ? PICTURE_RGBA16 : PICTURE_RGBA8,
                    params->width, params->height);
    for (uint64_t n = 0; n < frames; n++) {
        char name[4096];
        struct read_back read;
        assert_ok(png_name(params->path, params->first_frame + n, name, sizeof name));
        read_png(name, &read);
        draw(&picture, n);
        assert_same(&read, &picture);
        free(read.rows);
    }
    fixture_free(&picture);
}

TEST(pixels_come_back)
{
    static const struct {
        uint32_t bits, level, threads, width, height;
    } cases[] = {{8, 6, 1, 128, 96}, {16, 6, 4, 128, 96}, {8, 0, 2, 127, 95},
                 {16, 9, 3, 33, 7},  {8, 1, 16, 1, 1},    {16, 1, 2, 1, 3}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct sink_params params = fixture_params(fixture_path(*state, "f/%03d.png"));
        params.output.png_bits = cases[i].bits;
        params.output.png_level = cases[i].level;
        params.output.threads = cases[i].threads;
        params.width = cases[i].width;
        params.height = cases[i].height;
        params.first_frame = 100 * i;
        assert_ok(fixture_film(&params, 5, fixture_noise));
        check_files(&params, 5, fixture_noise);
    }
    assert_int_equal(fixture_count_files(fixture_path(*state, "f")), 30);
}

TEST(many_threads_keep_the_order)
{
    struct sink_params params = fixture_params(fixture_path(*state, "####.png"));
    params.output.threads = 12;
    params.output.png_level = 1;
    params.first_frame = 995;
    assert_ok(fixture_film(&params, 100, fixture_draw));
    assert_int_equal(fixture_count_files(*state), 100);
    check_files(&params, 100, fixture_draw);
}

TEST(runs_repeat_whatever_the_threads)
{
    for (uint32_t i = 0; i < 2; i++) {
        struct sink_params params = fixture_params(fixture_path(*state, i ? "b%d.png" : "a%d.png"));
        params.output.threads = i ? 5 : 1;
        assert_ok(fixture_film(&params, 10, fixture_draw));
    }
    for (int n = 0; n < 10; n++) {
        char a[32], b[32];
        snprintf(a, sizeof a, "a%d.png", n);
        snprintf(b, sizeof b, "b%d.png", n);
        assert_true(fixture_same_files(fixture_path(*state, a), fixture_path(*state, b)));
    }
}

TEST(texts_come_back)
{
    char scene[3000];
    size_t used = 0;
    while (used < 2900)
        used += (size_t)sprintf(scene + used, "key_%zu: caf\xc3\xa9\n", used);
    struct tag tags[] = {{"gravreel_scene", scene}, {"Title", "Two galaxies"}};
    struct sink_params params = fixture_params(fixture_path(*state, "%d.png"));
    params.tags = (struct tags){tags, 2};
    assert_ok(fixture_film(&params, 1, fixture_draw));
    struct read_back read;
    read_png(fixture_path(*state, "0.png"), &read);
    assert_string_equal(read.text[0], scene);
    assert_string_equal(read.text[1], "Two galaxies");
    free(read.rows);

    struct tag bad = {"a key that is far longer than the seventy-nine characters that the "
                      "format allows for it",
                      ""};
    params.tags = (struct tags){&bad, 1};
    struct sink *sink;
    assert_fails(sink_open(&params, &sink), STATUS_USAGE, "1 79");
}

TEST(a_thread_that_does_not_start_says_why)
{
    struct sink_params params = fixture_params(fixture_path(*state, "%d.png"));
    params.output.threads = 3;
    for (threads_left = 0; threads_left < 3;) {
        const int allowed = threads_left;
        char says[32];
        struct sink *sink;
        snprintf(says, sizeof says, "thread %d of 3", allowed + 1);
        assert_fails(sink_open(&params, &sink), STATUS_RUNTIME, says);
        assert_contains(status_text(), strerror(EAGAIN));
        assert_null(sink);
        threads_left = allowed + 1;
    }
    threads_left = -1;
    assert_int_equal(fixture_count_files(*state), 0);
}

TEST(settings_out_of_range)
{
    struct sink *sink;
    struct sink_params params = fixture_params(fixture_path(*state, "%d.png"));
    params.output.png_bits = 12;
    assert_fails(sink_open(&params, &sink), STATUS_USAGE, "12 bits");
    params.output.png_bits = 8;
    params.output.png_level = 10;
    assert_fails(sink_open(&params, &sink), STATUS_USAGE, "level 10");
}

/* A folder is in the way of frame 3: nothing else may be lost or left incomplete. */
TEST(the_first_failure_is_reported)
{
    struct sink_params params = fixture_params(fixture_path(*state, "%d.png"));
    params.output.threads = 4;
    assert_ok(file_make_folder(fixture_path(*state, "3.png")));
    assert_ok(file_write(fixture_path(*state, "30.png"), "other", 5));
    struct sink *sink;
    assert_ok(sink_open(&params, &sink));
    struct picture picture;
    fixture_picture(&picture, sink->format, params.width, params.height);
    fixture_draw(&picture, 0);
    enum status status = STATUS_OK;
    for (int n = 0; n < 40 && status == STATUS_OK; n++)
        status = sink->ops->write(sink, &picture);
    fixture_free(&picture);
    assert_int_equal(status, STATUS_USAGE);
    assert_says(status_text(), "3.png folder");
    assert_fails(sink->ops->close(&sink, true, NULL, NULL), STATUS_USAGE, "3.png");
    assert_null(sink);
    assert_true(file_exists(fixture_path(*state, "2.png")));

    assert_ok(sink_open(&params, &sink));
    fixture_picture(&picture, sink->format, params.width, params.height);
    for (int n = 0; n < 3; n++)
        assert_ok(sink->ops->write(sink, &picture));
    fixture_free(&picture);
    assert_ok(sink->ops->close(&sink, false, NULL, NULL));
    for (int n = 0; n < 3; n++) {
        char name[16];
        snprintf(name, sizeof name, "%d.png", n);
        assert_false(file_exists(fixture_path(*state, name)));
    }
    assert_true(file_exists(fixture_path(*state, "30.png")));
}

TESTS_EACH(fixture_setup, fixture_teardown)
