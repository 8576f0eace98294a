#include "tests/support/test.h"

#include "base/file.h"
#include "render/reader/stream.h"
#include "tests/support/films/decode.h"
#include "tests/support/films/sink_fixture.h"

#include <dlfcn.h>
#include <string.h>
#include <sys/stat.h>

enum { BT709 = 1, FRAMES = 25 };

static void assert_times(const char *path, uint64_t frames, double rate, double tolerance)
{
    struct decoded film;
    assert_true(decode_open(&film, path));
    while (decode_next(&film))
        assert_about(film.time, (double)(film.frames - 1) / rate, tolerance);
    assert_int_equal(film.frames, frames);
    assert_int_equal(film.width, FIXTURE_WIDTH);
    assert_int_equal(film.height, FIXTURE_HEIGHT);
    assert_about((double)film.rate_num / film.rate_den, rate, 1e-9 * rate);
    if (film.duration > 0)
        assert_about(film.duration, (double)frames / rate, tolerance);
    decode_close(&film);
}

TEST(every_container_keeps_each_frame)
{
    static const struct {
        const char *name, *container, *codec;
        double tolerance; /* Matroska counts milliseconds */
        bool tagged;
    } cases[] = {
        {"a.mp4", "mp4", "h264", 2e-6, true},      {"a.mov", "mov", "h264", 2e-6, true},
        {"a.mkv", "mkv", "h264", 1e-3, true},      {"a.webm", "webm", "vp9", 1e-3, true},
        {"a.y4m", "y4m", "rawvideo", 2e-6, false},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const char *path = fixture_path(*state, cases[i].name);
        struct sink_params params = fixture_params(path);
        params.fps_num = 60000; /* is reduced to 30000/1001 */
        params.fps_den = 2002;
        assert_ok(fixture_film(&params, FRAMES, fixture_draw));
        assert_times(path, FRAMES, 30000.0 / 1001.0, cases[i].tolerance);

        struct film_info info;
        struct stat found;
        assert_ok(film_info_read(path, &info));
        assert_int_equal(stat(path, &found), 0);
        assert_string_equal(info.container->name, cases[i].container);
        assert_string_equal(info.codec, cases[i].codec);
        assert_int_equal(info.frames, FRAMES);
        assert_int_equal(info.width, FIXTURE_WIDTH);
        assert_int_equal(info.height, FIXTURE_HEIGHT);
        assert_int_equal(info.bytes, found.st_size);
        assert_about(info.duration, FRAMES * 1001.0 / 30000.0, cases[i].tolerance);
        assert_true(film_info_is_film(path));
        film_info_free(&info);
    }
}

TEST(odd_counts_and_rates)
{
    static const struct {
        uint32_t num, den;
        uint64_t frames;
    } cases[] = {{24, 1, 1}, {30, 1, 2},  {25, 1, 3},        {60, 1, 61},   {24000, 1001, 31},
                 {1, 2, 4},  {144, 1, 5}, {120000, 1001, 7}, {1000, 1, 250}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const char *path = fixture_path(*state, "a.mp4");
        struct sink_params params = fixture_params(path);
        params.fps_num = cases[i].num;
        params.fps_den = cases[i].den;
        params.first_frame = 1000;
        params.output.preset = "ultrafast";
        assert_ok(fixture_film(&params, cases[i].frames, fixture_draw));
        assert_times(path, cases[i].frames, (double)cases[i].num / cases[i].den, 2e-6);
    }
}

static void assert_colours(const char *path, double tolerance)
{
    struct decoded film;
    assert_true(decode_open(&film, path));
    assert_int_equal(film.primaries, BT709);
    assert_int_equal(film.transfer, BT709);
    assert_int_equal(film.matrix, BT709);
    assert_true(film.limited_range);
    while (decode_next(&film)) {
        assert_int_equal(film.frame_primaries, BT709);
        assert_int_equal(film.frame_transfer, BT709);
        assert_int_equal(film.frame_matrix, BT709);
        assert_true(film.frame_limited_range);
        for (int y = FIXTURE_BLOCK / 2; y < FIXTURE_GRADIENT; y += FIXTURE_BLOCK)
            for (int x = FIXTURE_BLOCK / 2; x < film.width; x += FIXTURE_BLOCK) {
                double want[3], rgb[3];
                fixture_colour(x, y, film.frames - 1, want);
                decode_rgb(&film, x, y, rgb);
                for (int c = 0; c < 3; c++)
                    assert_about(255.0 * rgb[c], 255.0 * want[c], tolerance);
            }
    }
    assert_int_equal(film.frames, 10);
    decode_close(&film);
}

TEST(known_colours_come_back)
{
    static const struct {
        const char *name, *codec;
        uint32_t chroma;
        double tolerance; /* one code of chroma alone moves blue by 2.1 of 255 */
    } cases[] = {{"a.mp4", "h264", 420, 3.0},
                 {"a.mov", "h264", 444, 3.0},
                 {"a.mkv", "h264-lossless", 0, 1.7},
                 {"b.mkv", "ffv1", 0, 0.5}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct sink_params params = fixture_params(fixture_path(*state, cases[i].name));
        params.output.codec = fixture_codec(cases[i].codec);
        params.output.chroma = fixture_chroma(cases[i].chroma);
        if (i < 2)
            params.output.crf = 4;
        assert_ok(fixture_film(&params, 10, fixture_draw));
        assert_colours(params.path, cases[i].tolerance);
    }
}

TEST(codes_stay_within_two)
{
    struct sink_params params = fixture_params(fixture_path(*state, "a.mp4"));
    assert_ok(fixture_film(&params, 10, fixture_draw));
    struct picture picture;
    fixture_picture(&picture, PICTURE_YUV420P, FIXTURE_WIDTH, FIXTURE_HEIGHT);
    struct decoded film;
    assert_true(decode_open(&film, params.path));
    while (decode_next(&film)) {
        fixture_draw(&picture, film.frames - 1);
        for (int p = 0; p < 3; p++)
            for (int y = FIXTURE_BLOCK / 2; y < FIXTURE_GRADIENT; y += FIXTURE_BLOCK)
                for (int x = FIXTURE_BLOCK / 2; x < FIXTURE_WIDTH; x += FIXTURE_BLOCK) {
                    int px = p ? x / 2 : x, py = p ? y / 2 : y;
                    size_t at = picture.layout.plane[p].offset +
                                (size_t)py * picture.layout.plane[p].stride + (size_t)px;
                    assert_about(decode_sample(&film, p, px, py), picture.data[at], 2.0);
                }
    }
    decode_close(&film);
    fixture_free(&picture);
}

TEST(lossless_is_exact)
{
    static const char *const names[] = {"h264-lossless", "ffv1"};
    for (size_t i = 0; i < 2; i++) {
        struct sink_params params = fixture_params(fixture_path(*state, "a.mkv"));
        params.output.codec = fixture_codec(names[i]);
        assert_ok(fixture_film(&params, 12, fixture_draw));
        struct picture picture;
        bool deep = i == 1;
        fixture_picture(&picture, deep ? PICTURE_YUV444P10 : PICTURE_YUV420P, FIXTURE_WIDTH,
                        FIXTURE_HEIGHT);
        struct decoded film;
        assert_true(decode_open(&film, params.path));
        while (decode_next(&film)) {
            fixture_draw(&picture, film.frames - 1);
            assert_int_equal(film.depth, deep ? 10 : 8);
            for (int p = 0; p < 3; p++) {
                int columns = (int)picture.layout.plane[p].bytes / (deep ? 2 : 1);
                for (int y = 0; y < (int)picture.layout.plane[p].rows; y++)
                    for (int x = 0; x < columns; x++) {
                        const uint8_t *at = picture.data + picture.layout.plane[p].offset +
                                            (size_t)y * picture.layout.plane[p].stride;
                        int want = deep ? at[2 * x] | at[2 * x + 1] << 8 : at[x];
                        assert_int_equal(decode_sample(&film, p, x, y), want);
                    }
            }
        }
        assert_int_equal(film.frames, 12);
        decode_close(&film);
        fixture_free(&picture);
    }
}

TEST(frames_differ_and_keep_their_order)
{
    struct sink_params params = fixture_params(fixture_path(*state, "a.mp4"));
    assert_ok(fixture_film(&params, 20, fixture_draw));
    struct decoded film;
    assert_true(decode_open(&film, params.path));
    while (decode_next(&film)) {
        int left = 0, y = FIXTURE_GRADIENT + FIXTURE_BLOCK / 2;
        while (left < FIXTURE_WIDTH && decode_sample(&film, 0, left, y) < 180)
            left++;
        assert_about(left, (double)((film.frames - 1) * 4), 1.0);
    }
    assert_int_equal(film.frames, 20);
    decode_close(&film);
}

TEST(tags_come_back)
{
    char *scene = malloc(200000);
    size_t used = 0;
    for (int i = 0; used < 150000; i++)
        used += (size_t)sprintf(scene + used, "body_%d: # caf\xc3\xa9 = 'x'; \"y\"\n  - mass: %d\n",
                                i, i);
    struct tag tags[] = {
        {"title", "Two galaxies"}, {"gravreel_scene", scene}, {"gravreel_version", "1.2"}};
    static const char *const names[] = {"a.mp4", "a.mov", "a.mkv", "a.webm"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        struct sink_params params = fixture_params(fixture_path(*state, names[i]));
        params.tags = (struct tags){tags, 3};
        assert_ok(fixture_film(&params, 3, fixture_draw));
        struct decoded film;
        assert_true(decode_open(&film, params.path));
        struct film_info info;
        assert_ok(film_info_read(params.path, &info));
        for (int t = 0; t < 3; t++) {
            const char *name = tags[t].name;
            assert_non_null(decode_tag(&film, name));
            assert_string_equal(decode_tag(&film, name), tags[t].value);
            assert_non_null(tags_find(&info.tags, name));
            assert_string_equal(tags_find(&info.tags, name), tags[t].value);
        }
        assert_null(tags_find(&info.tags, "none"));
        film_info_free(&info);
        decode_close(&film);
    }
    free(scene);
}

TEST(index_stands_first)
{
    static const char *const names[] = {"a.mp4", "a.mov"};
    for (size_t i = 0; i < 2; i++) {
        struct sink_params params = fixture_params(fixture_path(*state, names[i]));
        assert_ok(fixture_film(&params, 5, fixture_draw));
        char *text;
        size_t size;
        assert_ok(file_read(params.path, 1 << 24, &text, &size));
        char *index = memmem(text, size, "moov", 4), *media = memmem(text, size, "mdat", 4);
        assert_true(index && media && index < media);
        free(text);
    }
}

TEST(y4m_is_plain)
{
    struct sink_params params = fixture_params(fixture_path(*state, "a.y4m"));
    assert_ok(fixture_film(&params, 4, fixture_draw));
    char *text;
    size_t size, planes = FIXTURE_WIDTH * FIXTURE_HEIGHT * 3 / 2;
    assert_ok(file_read(params.path, 1 << 24, &text, &size));
    char *line = memchr(text, '\n', size);
    assert_non_null(line);
    size_t header = (size_t)(line - text) + 1;
    *line = '\0';
    assert_int_equal(strncmp(text, "YUV4MPEG2 W128 H96 F30:1 Ip A1:1 C420mpeg2", 42), 0);
    assert_int_equal(size, header + 4 * (6 + planes));
    for (size_t n = 0; n < 4; n++)
        assert_memory_equal(text + header + n * (6 + planes), "FRAME\n", 6);
    struct picture picture;
    fixture_picture(&picture, PICTURE_YUV420P, FIXTURE_WIDTH, FIXTURE_HEIGHT);
    fixture_draw(&picture, 3);
    const char *at = text + header + 3 * (6 + planes) + 6;
    for (int p = 0; p < 3; p++)
        for (uint32_t y = 0; y < picture.layout.plane[p].rows; y++) {
            assert_memory_equal(at,
                                picture.data + picture.layout.plane[p].offset +
                                    (size_t)y * picture.layout.plane[p].stride,
                                picture.layout.plane[p].bytes);
            at += picture.layout.plane[p].bytes;
        }
    fixture_free(&picture);
    free(text);
}

TEST(info_refuses_what_is_no_film)
{
    struct film_info info;
    const char *path = fixture_path(*state, "a.mp4");
    assert_fails(film_info_read(path, &info), STATUS_IO, "No such file");
    assert_ok(file_write(path, "not a film at all, only some text\n", 34));
    assert_fails(film_info_read(path, &info), STATUS_USAGE, "whole film");
    assert_false(film_info_is_film(path));
    assert_ok(file_write(path, "#EXTM3U\n#EXTINF:1,\n/etc/passwd\n", 31));
    assert_fails(film_info_read(path, &info), STATUS_USAGE, "whole film");
    struct sink_params params = fixture_params(path);
    assert_ok(fixture_film(&params, 5, fixture_draw));
    assert_int_equal(truncate(path, 200), 0);
    assert_int_equal(film_info_read(path, &info), STATUS_USAGE);
    film_info_free(&info);
}

/* The encoder's n-th packet gets lost; 0: none. */
static int swallowed;

struct AVCodecContext;
struct AVPacket;
int avcodec_receive_packet(struct AVCodecContext *context, struct AVPacket *packet);
int avcodec_receive_packet(struct AVCodecContext *context, struct AVPacket *packet)
{
    int (*real)(struct AVCodecContext *, struct AVPacket *) =
        dlsym(RTLD_NEXT, "avcodec_receive_packet");
    const int error = real(context, packet);
    return error >= 0 && swallowed > 0 && --swallowed == 0 ? real(context, packet) : error;
}

TEST(an_encoder_that_swallows_a_frame)
{
    static const int places[] = {2, 5, FRAMES};
    for (int i = 0; i < 3; i++) {
        struct sink_params params = fixture_params(fixture_path(*state, "a.mp4"));
        swallowed = places[i];
        assert_fails(fixture_film(&params, FRAMES, fixture_draw), STATUS_RUNTIME,
                     "gave 24 packets 25 pictures");
        assert_int_equal(swallowed, 0);
        assert_int_equal(fixture_count_files(*state), 0);
    }
}

TESTS_EACH(fixture_setup, fixture_teardown)
