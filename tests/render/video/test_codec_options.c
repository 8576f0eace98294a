/* Settings of the encoder and the container besides codec, quality and preset. */
#include "tests/support/test.h"

#include "base/file.h"
#include "base/text.h"
#include "render/reader/stream.h"
#include "render/video/driver.h"
#include "render/video/encoder.h"
#include "tests/support/choose.h"
#include "tests/support/films/decode.h"
#include "tests/support/films/sink_fixture.h"

#include <libavcodec/avcodec.h>
#include <libavutil/frame.h>
#include <libavutil/opt.h>
#include <libavutil/pixdesc.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* libx265 3.5 leaks its own parameters when built with 8, 10 and 12 bits. */
const char *__lsan_default_suppressions(void);
const char *__lsan_default_suppressions(void)
{
    return "leak:libx265\n";
}

static bool opens(const char *codec)
{
    return fixture_codec_opens(codec);
}

TEST(options_reach_the_encoder)
{
    static const char *const codecs_with_groups[] = {"h264", "hevc", "vp9", "av1"};
    enum { FRAMES = 20, GROUP = 8 };
    for (size_t i = 0; i < 4; i++) {
        if (!opens(codecs_with_groups[i]))
            continue;
        struct sink_params params = fixture_params(fixture_path(*state, "a.mkv"));
        params.output.codec = fixture_codec(codecs_with_groups[i]);
        params.output.codec_options = "g=8";
        assert_ok(fixture_film(&params, FRAMES, fixture_draw));
        /* A closed group of pictures refers to nothing before it. */
        for (int group = 0; group < 3; group++) {
            struct decoded film;
            assert_true(decode_open(&film, params.path));
            decode_begin_at(&film, group);
            assert_true(decode_next(&film));
            assert_int_equal((int)(film.time * 30 + 0.5), group * GROUP);
            while (decode_next(&film))
                ;
            assert_int_equal(film.frames, FRAMES - group * GROUP);
            decode_close(&film);
        }
    }
}

TEST(unknown_options_are_refused)
{
    static const struct {
        const char *file, *codec, *options, *found;
    } cases[] = {
        {"a.mp4", "h264", "nonsense=1", "option nonsense=1"},
        {"a.mp4", "h264", "aq-strength=blue", "option aq-strength=blue"},
        {"a.mp4", "h264", "me=foo", "option me=foo"},
        {"a.mp4", "h264", "x264-params=ref=2\\:me=foo", "option me=foo"},
        {"a.mp4", "h264", "ar=44100", "option ar=44100"},
        {"a.mp4", "h264", "preset=fast", "output.preset"},
        {"a.mp4", "h264", "crf=5", "output.crf"},
        {"a.mp4", "h264", "threads=5", "output.threads"},
        {"a.mp4", "h264", "flags=0", "option flags=0"},
        {"a.mp4", "h264", "color_range=pc", "leave them out"},
        {"a.mp4", "h264", "tune", "KEY=VALUE"},
        {"a.mp4", "hevc", "nonsense=1", "option nonsense=1"},
        {"a.mp4", "hevc", "rd=abc", "option rd=abc"},
        {"a.mkv", "av1", "nonsense=1", "option nonsense=1"},
        {"a.webm", "vp9", "nonsense=1", "it takes lag-in-frames"},
        {"a.webm", "vp9", "tune=x", "option tune=x"},
        {"a.mkv", "ffv1", "nonsense=1", "it takes slicecrc coder context"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        if (!opens(cases[i].codec))
            continue;
        struct sink_params params = fixture_params(fixture_path(*state, cases[i].file));
        params.output.codec = fixture_codec(cases[i].codec);
        params.output.codec_options = (char *)(size_t)cases[i].options;
        struct sink *sink;
        assert_int_equal(sink_open(&params, &sink), STATUS_USAGE);
        assert_says(status_text(), cases[i].found); /* libav's messages may end with a full stop */
    }
    assert_int_equal(fixture_count_files(*state), 0);
}

/* RGB is full range, in GIF and WebP; an option that says so changes nothing. */
TEST(rgb_is_full_range)
{
    static const char *const codecs[] = {"a.gif", "a.webp"};
    for (int i = 0; i < 2; i++) {
        struct sink_params params = fixture_params(fixture_path(*state, codecs[i]));
        struct sink *sink;
        params.fps_num = 10;
        params.output.codec_options = "color_range=pc";
        assert_ok(fixture_film(&params, 2, fixture_draw));
        params.output.codec_options = "color_range=tv";
        assert_int_equal(sink_open(&params, &sink), STATUS_USAGE);
        assert_says(status_text(), "leave them out");
        assert_int_equal(unlink(params.path), 0);
    }
}

/* x264, x265 and SVT-AV1 read and write files named by their options. */
TEST(options_that_name_files_are_refused)
{
    static const struct {
        const char *codec, *option;
    } cases[] = {
        {"h264", "dump-yuv=F"},
        {"h264", "dump_yuv=F"},
        {"h264", "x264-params=dump-yuv=F"},
        {"h264", "x264-params=ref=2\\:dump_yuv=F"},
        {"h264", "x264-params=x264-params=dump-yuv\\\\=F"},
        {"h264", "x264opts=dump-yuv=F"},
        {"h264", "x264opts=stats=F"},
        {"h264", "stats=F"},
        {"h264", "passlogfile=F"},
        {"h264", "pass=1"},
        {"h264", "pass=2"},
        {"h264", "flags=pass1"},
        {"h264", "flags=+pass2"},
        {"h264", "qpfile=F"},
        {"h264", "cqm=F"},
        {"h264", "cqmfile=F"},
        {"h264", "log-file=F"},
        {"h264", "opencl=1"},
        {"h264", "opencl-clbin=F"},
        {"h264", "zones=0\\,2\\,dump-yuv=F"},
        {"h264", "no-dump-yuv=F"},
        {"h264", "no-"},
        {"h264", "=F"},
        {"hevc", "csv=F"},
        {"hevc", "x265-params=csv=F"},
        {"hevc", "x265-params=csv-log-level=2\\:csv=F"},
        {"hevc", "analysis-save=F"},
        {"hevc", "analysis_save=F"},
        {"hevc", "analysis-load=F"},
        {"hevc", "analysis-reuse-file=F"},
        {"hevc", "scaling-list=F"},
        {"hevc", "lambda-file=F"},
        {"hevc", "zonefile=F"},
        {"hevc", "zones=0\\,2\\,q=20"},
        {"hevc", "dhdr10-info=F"},
        {"hevc", "dolby-vision-rpu=F"},
        {"hevc", "nalu-file=F"},
        {"hevc", "film-grain=F"},
        {"hevc", "aom-film-grain=F"},
        {"hevc", "stats=F"},
        {"hevc", "pass=1"},
        {"hevc", "multi-pass-opt-analysis=1"},
        {"av1", "svtav1-params=pass=1"},
        {"av1", "stats=F"},
        {"av1", "use-q-file=1"},
        {"av1", "fgs-table=F"},
        {"vp9", "flags=pass1"},
        {"vp9", "ts-parameters=F"},
        {"ffv1", "flags=pass1"},
        {"ffv1", "dump_separator=F"},
        {"prores", "stats=F"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        if (!opens(cases[i].codec))
            continue;
        char options[PATH_MAX];
        const char *mark = strchr(cases[i].option, 'F');
        snprintf(options, sizeof options, "%.*s%s", (int)strcspn(cases[i].option, "F"),
                 cases[i].option, mark ? fixture_path(*state, "named") : "");
        struct sink_params params = fixture_params(fixture_path(*state, "a.mkv"));
        params.output.codec = fixture_codec(cases[i].codec);
        params.output.codec_options = options;
        struct sink *sink;
        struct sink_plan plan;
        if (sink_make_plan(&params, &plan) != STATUS_USAGE ||
            sink_open(&params, &sink) != STATUS_USAGE || fixture_count_files(*state) != 0)
            fail_msg("%s with %s: %s", cases[i].codec, options, status_text());
    }
}

/* Options of libav with any text as value, and their effect according to the libraries' code. */
TEST(allowed_texts_are_no_names)
{
    static const char *const texts[] = {"tune",   "profile", "level",  "wpredp",
                                        "psy-rd", "deblock", "vendor", "partitions"};
    const struct allowed *list;
    for (size_t i = 0; (list = choice_at(&allowed_registry, i)); i++) {
        const AVCodec *codec = avcodec_find_encoder_by_name(list->name);
        AVCodecContext *context = codec ? avcodec_alloc_context3(codec) : NULL;
        const AVOption *option = NULL;
        while (context && context->priv_data &&
               (option = av_opt_next(context->priv_data, option))) {
            const bool text =
                option->type == AV_OPT_TYPE_STRING || option->type == AV_OPT_TYPE_DICT;
            bool known = false;
            for (size_t t = 0; t < sizeof texts / sizeof texts[0]; t++)
                known |= strcmp(option->name, texts[t]) == 0;
            if (text && !known && allowed_option(list->name, option->name))
                fail_msg("%s: %s", list->name, option->name);
        }
        avcodec_free_context(&context);
    }
}

TEST(every_encoder_has_its_list_in_the_docs)
{
    char *page, word[64];
    const struct driver *driver;
    const char *source = getenv("GRAVREEL_TEST_SOURCE");
    assert_non_null(source);
    char *path = text_format("%s/docs/encoder-options.md", source);
    assert_ok(file_read(path, 1 << 20, &page, NULL));
    free(path);
    for (size_t i = 0; (driver = choice_at(&driver_registry, i)); i++) {
        const struct allowed *list = choice_find(&allowed_registry, driver->name);
        assert_non_null(list);
        snprintf(word, sizeof word, "`%s`", driver->name);
        if (!strstr(page, word))
            fail_msg("docs/encoder-options.md does not name %s", driver->name);
        const char *const words[] = {list->words, allowed_everywhere};
        for (int w = 0; w < 2; w++)
            for (const char *at = words[w]; *at; at += strspn(at, " ")) {
                const int length = (int)strcspn(at, " ");
                snprintf(word, sizeof word, "`%.*s`", length, at);
                if (!strstr(page, word))
                    fail_msg("docs/encoder-options.md lacks %s of %s", word, driver->name);
                at += length;
            }
    }
    free(page);
}

TEST(a_film_beyond_libav_is_refused)
{
    struct sink_params params = fixture_params(fixture_path(*state, "a.mkv"));
    struct sink_plan plan;
    params.width = params.height = 16384;
    assert_fails(sink_make_plan(&params, &plan), STATUS_USAGE, "output.size libav pictures");
    params.path = fixture_path(*state, "%d.png");
    params.format = "png";
    assert_ok(sink_make_plan(&params, &plan));
}

TEST(films_do_not_depend_on_the_processor)
{
    static const struct {
        const char *codec;
        bool differ; /* without `deterministic`, whatever the picture */
    } cases[] = {{"h264", false}, {"hevc", true}, {"av1", false}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        for (int steady = 0; steady < 2 && opens(cases[i].codec); steady++) {
            const char *paths[2];
            for (int plain = 0; plain < 2; plain++) {
                paths[plain] = fixture_path(*state, plain ? "plain.mkv" : "fast.mkv");
                struct sink_params params = fixture_params(paths[plain]);
                params.output.codec = fixture_codec(cases[i].codec);
                params.output.deterministic = steady;
                params.output.codec_options = plain ? "asm=0" : "";
                assert_ok(fixture_film(&params, 10, fixture_draw));
            }
            if (steady)
                assert_true(fixture_same_files(paths[0], paths[1]));
            else if (cases[i].differ)
                assert_false(fixture_same_files(paths[0], paths[1]));
        }
}

TEST(odd_sizes_are_padded_with_black)
{
    enum { WIDTH = 127, HEIGHT = 95, FRAMES = 3 };
    struct sink_params params = fixture_params(fixture_path(*state, "a.mkv"));
    params.output.codec = fixture_codec("h264-lossless");
    params.width = WIDTH;
    params.height = HEIGHT;
    params.output.pad = true;
    struct sink_plan plan;
    assert_ok(sink_make_plan(&params, &plan));
    assert_says(plan.description, "padded 128x96");
    assert_ok(fixture_film(&params, FRAMES, fixture_draw));
    struct picture picture;
    fixture_picture(&picture, PICTURE_YUV420P, WIDTH, HEIGHT);
    struct decoded film;
    assert_true(decode_open(&film, params.path));
    assert_int_equal(film.width, WIDTH + 1);
    assert_int_equal(film.height, HEIGHT + 1);
    while (decode_next(&film)) {
        fixture_draw(&picture, film.frames - 1);
        for (int p = 0; p < 3; p++)
            for (int y = 0; y < (p ? 48 : 96); y++)
                for (int x = 0; x < (p ? 64 : 128); x++) {
                    size_t at = picture.layout.plane[p].offset +
                                (size_t)y * picture.layout.plane[p].stride + (size_t)x;
                    int want = p == 0 && (x == WIDTH || y == HEIGHT) ? 16 : picture.data[at];
                    want = p && x == 63 ? (want + 128) / 2 : want;
                    want = p && y == 47 ? (want + 128) / 2 : want;
                    assert_int_equal(decode_sample(&film, p, x, y), want);
                }
    }
    assert_int_equal(film.frames, FRAMES);
    decode_close(&film);
    fixture_free(&picture);
}

TEST(sizes_that_need_no_padding_get_none)
{
    struct sink_params params = fixture_params(fixture_path(*state, "a.mp4"));
    params.output.pad = true;
    struct sink_plan plan;
    assert_ok(sink_make_plan(&params, &plan));
    assert_lacks(plan.description, "padded");
    params.width = 127;
    params.height = 95;
    params.output.chroma = fixture_chroma(444);
    assert_ok(sink_make_plan(&params, &plan));
    assert_lacks(plan.description, "padded");
    assert_ok(fixture_film(&params, 2, fixture_draw));
    struct decoded film;
    assert_true(decode_open(&film, params.path));
    assert_int_equal(film.width, 127);
    assert_int_equal(film.height, 95);
    decode_close(&film);
}

/* In NVENC's layout. */
TEST(ten_bits_go_into_the_upper_ones)
{
    static const struct {
        enum picture_format from;
        enum AVPixelFormat to;
    } cases[] = {{PICTURE_YUV420P10, AV_PIX_FMT_P010LE},
                 {PICTURE_YUV444P10, AV_PIX_FMT_YUV444P16LE}};
    for (size_t i = 0; i < 2; i++) {
        enum { WIDTH = 31, HEIGHT = 17 };
        struct picture picture;
        fixture_picture(&picture, cases[i].from, WIDTH, HEIGHT);
        for (size_t b = 0; b < picture.layout.size; b++) /* samples 0 .. 1023 */
            picture.data[b] = b % 2 ? (uint8_t)(b / 2 % 4) : (uint8_t)(37 * b);
        bool subsampled = picture_format_halves_height(cases[i].from);
        AVFrame *frame = av_frame_alloc();
        frame->width = WIDTH + subsampled;
        frame->height = HEIGHT + subsampled;
        frame->format = cases[i].to;
        assert_int_equal(av_frame_get_buffer(frame, 0), 0);
        frame_fill(frame, &picture);
        const AVPixFmtDescriptor *pixels = av_pix_fmt_desc_get(frame->format);
        for (int c = 0; c < 3; c++)
            for (int y = 0; y < (c && subsampled ? 8 : HEIGHT); y++)
                for (int x = 0; x < (c && subsampled ? 15 : WIDTH); x++) {
                    const uint8_t *from = picture.data + picture.layout.plane[c].offset +
                                          (size_t)y * picture.layout.plane[c].stride +
                                          2 * (size_t)x;
                    const uint8_t *to = frame->data[pixels->comp[c].plane] +
                                        y * frame->linesize[pixels->comp[c].plane] +
                                        x * pixels->comp[c].step + (c == 2 && subsampled ? 2 : 0);
                    assert_int_equal(to[0] | to[1] << 8, (from[0] | from[1] << 8) << 6);
                }
        if (subsampled) {
            const uint8_t *corner = frame->data[0] + HEIGHT * frame->linesize[0] + 2 * WIDTH;
            assert_int_equal(corner[0] | corner[1] << 8, 16 << 8);
        }
        av_frame_free(&frame);
        fixture_free(&picture);
    }
}

TEST(players_learn_of_stereo_and_sphere)
{
    static const char *const names[] = {"a.mp4", "a.mov", "a.mkv", "a.webm"};
    static const struct {
        const char *name;
        enum decode_projection found;
    } wanted[] = {{"flat", DECODE_FLAT},
                  {"side-by-side", DECODE_SIDE_BY_SIDE},
                  {"over-under", DECODE_TOP_BOTTOM},
                  {"equirect", DECODE_EQUIRECT}};
    for (size_t i = 0; i < 4; i++)
        for (int p = 0; p < 4; p++) {
            struct sink_params params = fixture_params(fixture_path(*state, names[i]));
            params.projection = choose(&projection_registry, wanted[p].name);
            assert_ok(fixture_film(&params, 3, fixture_draw));
            struct decoded film;
            assert_true(decode_open(&film, params.path));
            bool told = strcmp(names[i], "a.mov") != 0; /* no such option */
            if (film.projection != (told ? wanted[p].found : DECODE_FLAT))
                fail_msg("%s: projection %s is read as %d", names[i], wanted[p].name,
                         (int)film.projection);
            assert_int_equal(film.width, FIXTURE_WIDTH);
            assert_int_equal(film.height, FIXTURE_HEIGHT);
            decode_close(&film);
        }
}

TEST(late_tags_are_kept_where_they_can_be)
{
    static const struct {
        const char *name;
        bool kept;
    } cases[] = {{"a.mp4", true},  {"a.mov", true},   {"a.mkv", false}, {"a.webm", false},
                 {"a.y4m", false}, {"%d.png", false}, {"a.hash", false}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct sink_params params = fixture_params(fixture_path(*state, cases[i].name));
        struct tag early = {"gravreel_first_state", "11aa"};
        params.tags = (struct tags){&early, 1};
        struct sink *sink;
        assert_ok(sink_open(&params, &sink));
        struct picture picture;
        fixture_picture(&picture, sink->format, params.width, params.height);
        fixture_draw(&picture, 0);
        assert_ok(sink->ops->write(sink, &picture));
        fixture_free(&picture);
        sink_add_tag(sink, "gravreel_last_state", "22bb");
        assert_ok(sink->ops->close(&sink, true, NULL, NULL));
        if (i >= 4)
            continue;
        struct film_info info;
        assert_ok(film_info_read(params.path, &info));
        assert_string_equal(tags_find(&info.tags, "gravreel_first_state"), "11aa");
        const char *late = tags_find(&info.tags, "gravreel_last_state");
        if (cases[i].kept)
            assert_string_equal(late, "22bb");
        else
            assert_null(late);
        film_info_free(&info);
    }
}

TEST(the_time_of_creation_comes_from_outside)
{
    static const char *const names[] = {"a.mp4", "a.mkv"};
    for (size_t i = 0; i < 2; i++)
        for (int given = 0; given < 2; given++) {
            struct sink_params params = fixture_params(fixture_path(*state, names[i]));
            struct tag tag = {"creation_time", "2001-09-09T01:46:40Z"};
            params.tags = (struct tags){&tag, (size_t)given};
            assert_ok(fixture_film(&params, 2, fixture_draw));
            struct decoded film;
            assert_true(decode_open(&film, params.path));
            const char *time = decode_tag(&film, "creation_time");
            assert_int_equal(time != NULL, given);
            if (given)
                assert_int_equal(strncmp(time, "2001-09-09T01:46:40", 19), 0);
            decode_close(&film);
        }
}

TESTS_EACH(fixture_setup, fixture_teardown)
