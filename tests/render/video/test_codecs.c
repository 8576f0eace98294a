#include "tests/support/test.h"

#include "render/video/codecs.h"
#include "render/video/driver.h"
#include "tests/support/films/decode.h"
#include "tests/support/films/sink_fixture.h"

#include <math.h>
#include <string.h>

enum { FRAMES = 10 };

/* libx265 3.5 leaks its own parameters when built with 8, 10 and 12 bits. */
const char *__lsan_default_suppressions(void);
const char *__lsan_default_suppressions(void)
{
    return "leak:libx265\n";
}

static const struct codec *codec_at(size_t i)
{
    return choice_at(&codec_registry, i);
}

static void first_container(const struct codec *codec, char *name, size_t size)
{
    snprintf(name, size, "%.*s", (int)strcspn(codec->containers, " "), codec->containers);
}

/* Y4M cannot store primaries, transfer and matrix. */
static void assert_tagged(const struct decoded *film, const struct codec *codec)
{
    enum { BT709 = 1 };
    assert_true(film->limited_range && film->frame_limited_range);
    if (strcmp(codec->name, "rawvideo") == 0)
        return;
    assert_int_equal(film->primaries, BT709);
    assert_int_equal(film->transfer, BT709);
    assert_int_equal(film->matrix, BT709);
    assert_int_equal(film->frame_primaries, BT709);
    assert_int_equal(film->frame_transfer, BT709);
    assert_int_equal(film->frame_matrix, BT709);
}

/* DNxHR has a least size; the fixture's blocks are in the upper left corner. */
static struct sink_params params_for(const char *path, const struct codec *codec)
{
    const struct driver *driver = choice_find(&driver_registry, codec->encoder);
    struct sink_params params = fixture_params(path);
    params.output.codec = codec;
    if (params.width < driver->least_width || params.height < driver->least_height) {
        params.width = driver->least_width;
        params.height = driver->least_height;
    }
    return params;
}

static void assert_film(const char *path, const struct codec *codec, enum picture_format format)
{
    struct decoded film;
    assert_true(decode_open(&film, path));
    double worst = 0;
    for (; decode_next(&film); assert_tagged(&film, codec))
        for (int x = FIXTURE_BLOCK / 2; x < FIXTURE_WIDTH; x += FIXTURE_BLOCK) {
            double want[3], rgb[3];
            fixture_colour(x, FIXTURE_BLOCK / 2, film.frames - 1, want);
            decode_rgb(&film, x, FIXTURE_BLOCK / 2, rgb);
            for (int c = 0; c < 3; c++)
                worst = fmax(worst, 255 * fabs(rgb[c] - want[c]));
        }
    assert_int_equal(film.frames, FRAMES);
    const struct sink_params params = params_for(path, codec);
    assert_int_equal(film.width, params.width);
    assert_int_equal(film.height, params.height);
    /* libav may decode ProRes 4444 into 12 bits. */
    uint32_t bits = picture_format_bits(format);
    assert_in_range(film.depth, bits, strcmp(codec->name, "prores") == 0 ? 12 : bits);
    assert_int_equal(film.chroma_shift_x, picture_format_halves_width(format));
    assert_int_equal(film.chroma_shift_y, picture_format_halves_height(format));
    if (worst > 12)
        fail_msg("%s: a colour is off by %g of 255", codec->name, worst);
    decode_close(&film);
}

static bool lists(const char *words, const char *word)
{
    char list[256], *rest = NULL;
    snprintf(list, sizeof list, "%s", words);
    for (char *each = strtok_r(list, " ", &rest); each; each = strtok_r(NULL, " ", &rest))
        if (strcmp(each, word) == 0)
            return true;
    return false;
}

/* Also where libavcodec lacks its encoder. */
TEST(what_a_codec_names_is_there)
{
    const struct codec *codec;
    for (size_t i = 0; (codec = codec_at(i)); i++) {
        const struct driver *driver = choice_find(&driver_registry, codec->encoder);
        if (!driver)
            fail_msg("%s: encoder %s has no driver", codec->name, codec->encoder);
        if (codec->crf >= 0)
            assert_true(driver->crf_key && codec->crf <= driver->crf_max);
        if (*codec->preset)
            assert_true(driver->preset_key && lists(codec->presets, codec->preset));
        const struct container *container;
        int taken = 0, words = 1;
        for (const char *at = codec->containers; *at; at++)
            words += *at == ' ';
        for (size_t c = 0; (container = choice_at(&container_registry, c)); c++) {
            assert_int_equal(container_takes(container, codec),
                             lists(codec->containers, container->name));
            taken += container_takes(container, codec);
        }
        assert_int_equal(taken, words);
    }
}

TEST(limits_are_those_of_the_libraries)
{
    static const struct {
        const char *codec;
        double most;
        int gop;
    } cases[] = {{"h264", 51, 240}, {"hevc", 51, 240}, {"vp9", 63, 240},
                 {"av1", 63, 240},  {"prores", 0, 1},  {"ffv1", 0, 1}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const struct codec *codec = choice_find(&codec_registry, cases[i].codec);
        const struct driver *driver = choice_find(&driver_registry, codec->encoder);
        struct encoder_params params = {.codec = codec,
                                        .format = codec->formats[0],
                                        .width = 64,
                                        .height = 36,
                                        .crf = cases[i].most > 0 ? cases[i].most : -1,
                                        .preset = ""};
        assert_true(driver->crf_max == cases[i].most && driver->gop == cases[i].gop);
        assert_ok(driver_check(driver, &params));
        params.crf = cases[i].most + 0.5;
        assert_fails(driver_check(driver, &params), STATUS_USAGE, "crf");
        params.crf = -1;
        char start[8] = "";
        snprintf(start, sizeof start, "%.3s", codec->preset);
        params.preset = start;
        if (strlen(codec->preset) > 3) /* a preset is a whole word */
            assert_fails(driver_check(driver, &params), STATUS_USAGE, "preset");
    }
    /* what docs/formats.md says of dark areas */
    assert_contains(((const struct codec *)choice_find(&codec_registry, "h264"))->options,
                    "aq-mode=3");
}

TEST(padding_is_described)
{
    const struct codec *codec = choice_find(&codec_registry, "h264");
    const struct driver *driver = choice_find(&driver_registry, codec->encoder);
    for (uint32_t odd = 0; odd < 4; odd++) {
        const struct encoder_params params = {.codec = codec,
                                              .format = PICTURE_NV12,
                                              .width = 64 - odd % 2,
                                              .height = 36 - odd / 2,
                                              .pad = true,
                                              .crf = -1,
                                              .preset = "",
                                              .threads = 2};
        char text[256];
        driver_describe(driver, &params, text, sizeof text);
        assert_int_equal(strstr(text, "padded to 64x36") != NULL, odd > 0);
    }
}

TEST(each_codec_decodes_and_repeats)
{
    const struct codec *codec;
    for (size_t i = 0; (codec = codec_at(i)); i++) {
        enum status probe = video_probe(codec);
        if (probe != STATUS_OK) {
            print_message("%s does not open here: %s\n", codec->name, status_text());
            assert_int_equal(probe, STATUS_DEVICE);
            assert_says(status_text(), codec->encoder);
            continue;
        }
        char container[8], names[2][64];
        first_container(codec, container, sizeof container);
        const char *paths[2];
        for (int run = 0; run < 2; run++) {
            snprintf(names[run], sizeof names[run], "%s-%d.%s", codec->name, run, container);
            paths[run] = fixture_path(*state, names[run]);
            struct sink_params params = params_for(paths[run], codec);
            params.output.threads = 3;
            assert_ok(fixture_film(&params, FRAMES, fixture_draw));
        }
        assert_film(paths[0], codec, codec->formats[0]);
        if (!fixture_same_files(paths[0], paths[1]))
            fail_msg("%s: two runs differ", codec->name);
    }
}

TEST(each_codec_goes_into_each_of_its_containers)
{
    const struct codec *codec;
    for (size_t i = 0; (codec = codec_at(i)); i++) {
        if (video_probe(codec) != STATUS_OK)
            continue;
        char list[64], *rest = NULL;
        snprintf(list, sizeof list, "%s", codec->containers);
        for (char *name = strtok_r(list, " ", &rest); name; name = strtok_r(NULL, " ", &rest)) {
            char file[80];
            snprintf(file, sizeof file, "%s.%s", codec->name, name);
            const struct sink_params params = params_for(fixture_path(*state, file), codec);
            assert_ok(fixture_film(&params, FRAMES, fixture_draw));
            assert_film(params.path, codec, codec->formats[0]);
        }
    }
}

TEST(each_codec_makes_what_it_offers)
{
    const struct codec *codec;
    for (size_t i = 0; (codec = codec_at(i)); i++) {
        char container[8], name[64];
        first_container(codec, container, sizeof container);
        for (int f = 1; f < codec->format_count && video_probe(codec) == STATUS_OK; f++) {
            enum picture_format format = codec->formats[f];
            snprintf(name, sizeof name, "%s-%d.%s", codec->name, f, container);
            struct sink_params params = fixture_params(fixture_path(*state, name));
            params.output.codec = codec;
            params.output.bits = picture_format_bits(format);
            params.output.chroma = fixture_chroma(picture_format_halves_width(format) ? 420 : 444);
            struct sink_plan plan;
            assert_ok(sink_make_plan(&params, &plan));
            assert_int_equal(plan.format, format);
            assert_ptr_equal(plan.codec, codec);
            assert_contains(plan.description, picture_format_name(format));
            assert_ok(fixture_film(&params, FRAMES, fixture_draw));
            assert_film(params.path, codec, format);
        }
    }
}

TEST(profiles_are_those_of_the_format)
{
    static const struct {
        const char *codec;
        uint32_t bits, chroma;
        const char *profile;
    } cases[] = {
        {"h264", 8, 420, "High"},
        {"h264", 10, 420, "High 10"},
        {"h264", 8, 444, "High 4:4:4 Predictive"},
        {"h264", 10, 444, "High 4:4:4 Predictive"},
        {"hevc", 8, 420, "Main"},
        {"hevc", 10, 420, "Main 10"},
        {"hevc", 10, 444, "Rext"},
        {"vp9", 8, 420, "Profile 0"},
        {"vp9", 8, 444, "Profile 1"},
        {"vp9", 10, 420, "Profile 2"},
        {"vp9", 10, 444, "Profile 3"},
        {"prores", 10, 444, "4444"},
        {"prores-hq", 10, 422, "HQ"},
        {"prores-422", 10, 422, "Standard"},
        {"prores-lt", 10, 422, "LT"},
        {"prores-proxy", 10, 422, "Proxy"},
        {"dnxhr-444", 10, 444, "DNXHR 444"},
        {"dnxhr-hqx", 10, 422, "DNXHR HQX"},
        {"dnxhr-hq", 8, 422, "DNXHR HQ"},
        {"dnxhr-sq", 8, 422, "DNXHR SQ"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        if (!fixture_codec_opens(cases[i].codec))
            continue;
        const struct codec *codec = fixture_codec(cases[i].codec);
        const char *file = strstr(codec->containers, "mp4") ? "a.mp4" : "a.mov";
        struct sink_params params = params_for(fixture_path(*state, file), codec);
        params.output.bits = cases[i].bits;
        params.output.chroma = fixture_chroma(cases[i].chroma);
        assert_ok(fixture_film(&params, 2, fixture_draw));
        struct decoded film;
        assert_true(decode_open(&film, params.path));
        assert_true(decode_next(&film));
        assert_string_equal(film.profile, cases[i].profile);
        assert_int_equal(film.chroma_shift_x, cases[i].chroma != 444);
        assert_int_equal(film.chroma_shift_y, cases[i].chroma == 420);
        decode_close(&film);
    }
}

TEST(webm_carries_alpha)
{
    struct sink_params params = fixture_params(fixture_path(*state, "a.webm"));
    params.alpha = ALPHA_STRAIGHT;
    struct sink_plan plan;
    assert_ok(sink_make_plan(&params, &plan));
    assert_string_equal(plan.codec->name, "vp9");
    assert_int_equal(plan.format, PICTURE_YUVA420P_STRAIGHT);
    params.path = fixture_path(*state, "a.mp4");
    assert_fails(sink_make_plan(&params, &plan), STATUS_USAGE, "output.alpha");
    params.output.codec = fixture_codec("vp9");
    assert_fails(sink_make_plan(&params, &plan), STATUS_USAGE, "vp9 webm output.alpha");
    params.path = fixture_path(*state, "b.webm");
    params.output.bits = 10;
    assert_fails(sink_make_plan(&params, &plan), STATUS_USAGE, "vp9 bits 8 chroma 420");
}

TEST(dnxhr_has_a_least_size)
{
    struct sink_params params = fixture_params(fixture_path(*state, "a.mov"));
    struct sink_plan plan;
    params.output.codec = fixture_codec("dnxhr-sq");
    assert_fails(sink_make_plan(&params, &plan), STATUS_USAGE, "dnxhr-sq 256x120 output.size");
    params.output.codec = fixture_codec("prores-lt");
    params.width = 127;
    assert_fails(sink_make_plan(&params, &plan), STATUS_USAGE, "half the width 128x96 --pad");
    params.width = 128;
    params.height = 95;
    assert_ok(sink_make_plan(&params, &plan));
}

TEST(formats_are_chosen_by_what_is_asked)
{
    static const struct {
        const char *codec;
        uint32_t bits, chroma;
        enum picture_format format;
    } cases[] = {
        {"h264", 0, 0, PICTURE_NV12},           {"h264", 10, 0, PICTURE_YUV420P10},
        {"h264", 0, 444, PICTURE_YUV444P},      {"h264", 10, 444, PICTURE_YUV444P10},
        {"hevc", 0, 0, PICTURE_YUV420P10},      {"hevc", 8, 0, PICTURE_YUV420P},
        {"hevc", 0, 444, PICTURE_YUV444P10},    {"prores", 0, 0, PICTURE_YUV444P10},
        {"prores", 10, 444, PICTURE_YUV444P10}, {"av1", 8, 420, PICTURE_YUV420P},
        {"prores-hq", 0, 0, PICTURE_YUV422P10}, {"dnxhr-sq", 8, 422, PICTURE_YUV422P},
    };
    enum picture_format format;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const struct codec_request request = {cases[i].bits, fixture_chroma(cases[i].chroma),
                                              ALPHA_NONE, HDR_NONE};
        assert_ok(codec_format(fixture_codec(cases[i].codec), &request, &format));
        assert_int_equal(format, cases[i].format);
    }
    struct codec_request hdr = {.hdr = HDR_HLG};
    assert_ok(codec_format(fixture_codec("hevc"), &hdr, &format));
    assert_int_equal(format, PICTURE_YUV420P10_HLG);
    hdr.hdr = HDR_PQ;
    assert_ok(codec_format(fixture_codec("prores"), &hdr, &format));
    assert_int_equal(format, PICTURE_YUV444P10_PQ);
    assert_ok(codec_format(fixture_codec("prores-422"), &hdr, &format));
    assert_int_equal(format, PICTURE_YUV422P10_PQ);
    assert_fails(codec_format(fixture_codec("dnxhr-hq"), &hdr, &format), STATUS_USAGE,
                 "output.hdr dnxhr-hqx");
    assert_fails(codec_format(fixture_codec("h264"), &hdr, &format), STATUS_USAGE,
                 "output.hdr high dynamic range");
    hdr.bits = 8;
    assert_fails(codec_format(fixture_codec("hevc"), &hdr, &format), STATUS_USAGE,
                 "output.bits 10 bits");
    hdr = (struct codec_request){.hdr = HDR_PQ, .alpha = ALPHA_STRAIGHT};
    assert_fails(codec_format(fixture_codec("prores"), &hdr, &format), STATUS_USAGE,
                 "output.hdr alpha");
    assert_fails(codec_format(fixture_codec("prores"), &(struct codec_request){.bits = 8}, &format),
                 STATUS_USAGE, "--codec bits 8 10 chroma 444");
    assert_fails(
        codec_format(fixture_codec("av1"),
                     &(struct codec_request){10, fixture_chroma(444), ALPHA_NONE, HDR_NONE},
                     &format),
        STATUS_USAGE, "--codec bits 10 chroma 444 420 8");
}

TEST(auto_takes_the_gpu_only_where_it_opens)
{
    bool opens = fixture_codec_opens("h264_nvenc");
    struct sink_params params = fixture_params(fixture_path(*state, "a.mp4"));
    struct sink_plan plan;
    assert_ok(sink_make_plan(&params, &plan));
    assert_string_equal(plan.codec->name, "h264");
    params.nvenc = true;
    assert_ok(sink_make_plan(&params, &plan));
    assert_string_equal(plan.codec->name, opens ? "h264_nvenc" : "h264");
    params.output.preset = "veryfast"; /* which only x264 knows */
    assert_ok(sink_make_plan(&params, &plan));
    assert_string_equal(plan.codec->name, "h264");
    params.output.preset = "";
    params.output.codec = fixture_codec("h264_nvenc");
    if (!opens)
        assert_fails(sink_make_plan(&params, &plan), STATUS_DEVICE, "h264");
}

TEST(auto_takes_the_first_that_fits)
{
    static const char *const cases[][2] = {{"a.mp4", "libx264 medium crf 23, 2 threads"},
                                           {"a.mov", "libx264"},
                                           {"a.mkv", "libx264"},
                                           {"a.webm", "libvpx-vp9"},
                                           {"a.y4m", "rawvideo"}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct sink_params params = fixture_params(fixture_path(*state, cases[i][0]));
        struct sink *sink;
        assert_ok(sink_open(&params, &sink));
        if (strncmp(sink->description, cases[i][1], strlen(cases[i][1])) != 0)
            fail_msg("%s is written with %s", cases[i][0], sink->description);
        assert_ok(sink->ops->close(&sink, false, NULL, NULL));
    }
}

TEST(quality_and_preset_reach_the_encoder)
{
    uint64_t sizes[2];
    for (int i = 0; i < 2; i++) {
        struct sink_params params = fixture_params(fixture_path(*state, "a.mp4"));
        params.output.crf = i ? 45 : 5;
        params.output.preset = "veryfast";
        struct sink *sink;
        assert_ok(sink_open(&params, &sink));
        assert_contains(sink->description, i ? "veryfast crf 45" : "veryfast crf 5");
        struct picture picture;
        fixture_picture(&picture, sink->format, params.width, params.height);
        fixture_noise(&picture, 1);
        assert_ok(sink->ops->write(sink, &picture));
        fixture_free(&picture);
        uint64_t frames;
        assert_ok(sink->ops->close(&sink, true, &frames, &sizes[i]));
        assert_null(sink);
        assert_int_equal(frames, 1);
    }
    assert_true(sizes[0] > 2 * sizes[1]);
}

TEST(unusable_encoders_say_so)
{
    const struct codec missing = {.name = "odd",
                                  .doc = "",
                                  .encoder = "no_such_encoder",
                                  .containers = "mkv",
                                  .crf = -1,
                                  .preset = "",
                                  .presets = ""};
    assert_fails(video_probe(&missing), STATUS_DEVICE, "no_such_encoder");
    assert_null(choice_find(&codec_registry, "odd"));
    assert_ptr_equal(fixture_codec("h264"), codec_at(0));
    struct sink_params params = fixture_params("/dev/null");
    params.format = "mkv";
    params.output.codec = fixture_codec("av1");
    params.width = params.height = 16;
    struct sink *sink;
    if (fixture_codec_opens("av1"))
        assert_fails(sink_open(&params, &sink), STATUS_DEVICE, "--codec 16x16");
}

TESTS_EACH(fixture_setup, fixture_teardown)
