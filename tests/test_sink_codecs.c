#include "tests/test.h"

#include "tests/decode.h"
#include "tests/sink_fixture.h"

#include <math.h>
#include <string.h>

enum { FRAMES = 10 };

/* libx265 3.5 leaks its own parameters when built with 8, 10 and 12 bits. */
const char *__lsan_default_suppressions(void);
const char *__lsan_default_suppressions(void)
{
    return "leak:libx265\n";
}

static void first_container(const struct codec *codec, char *name, size_t size)
{
    snprintf(name, size, "%.*s", (int)strcspn(codec->containers, " "), codec->containers);
}

static void assert_film(const char *path, const struct codec *codec)
{
    struct decoded film;
    assert_true(decode_open(&film, path));
    double worst = 0;
    while (decode_next(&film))
        for (int x = FIXTURE_BLOCK / 2; x < FIXTURE_WIDTH; x += FIXTURE_BLOCK) {
            double want[3], rgb[3];
            fixture_colour(x, FIXTURE_BLOCK / 2, film.frames - 1, want);
            decode_rgb(&film, x, FIXTURE_BLOCK / 2, rgb);
            for (int c = 0; c < 3; c++)
                worst = fmax(worst, 255 * fabs(rgb[c] - want[c]));
        }
    assert_int_equal(film.frames, FRAMES);
    assert_int_equal(film.width, FIXTURE_WIDTH);
    assert_int_equal(film.height, FIXTURE_HEIGHT);
    /* libav may decode ProRes 4444 into 12 bits. */
    uint32_t bits = picture_format_bits(codec->formats[0]);
    assert_in_range(film.depth, bits, strcmp(codec->name, "prores") == 0 ? 12 : bits);
    assert_int_equal(film.chroma_shift_x, picture_format_halves(codec->formats[0]));
    if (worst > 12)
        fail_msg("%s: a colour is off by %g of 255", codec->name, worst);
    decode_close(&film);
}

static void each_codec_decodes_and_repeats(void **state)
{
    for (int i = 0; codecs[i]; i++) {
        const struct codec *codec = codecs[i];
        enum status probe = codec_probe(codec);
        if (probe != STATUS_OK) {
            print_message("%s does not open here: %s\n", codec->name, status_text());
            assert_int_equal(probe, STATUS_DEVICE);
            assert_non_null(strstr(status_text(), codec->encoder));
            continue;
        }
        char container[8], names[2][64];
        first_container(codec, container, sizeof container);
        const char *paths[2];
        for (int run = 0; run < 2; run++) {
            snprintf(names[run], sizeof names[run], "%s-%d.%s", codec->name, run, container);
            paths[run] = fixture_path(*state, names[run]);
            struct sink_params params = fixture_params(paths[run]);
            params.codec = codec->name;
            params.threads = 3;
            assert_ok(fixture_film(&params, FRAMES, fixture_draw));
        }
        assert_film(paths[0], codec);
        if (!fixture_same_files(paths[0], paths[1]))
            fail_msg("%s: two runs differ", codec->name);
    }
}

static void each_codec_goes_into_each_of_its_containers(void **state)
{
    for (int i = 0; codecs[i]; i++) {
        if (codec_probe(codecs[i]) != STATUS_OK)
            continue;
        char list[64], *rest = NULL;
        snprintf(list, sizeof list, "%s", codecs[i]->containers);
        for (char *name = strtok_r(list, " ", &rest); name; name = strtok_r(NULL, " ", &rest)) {
            char file[80];
            snprintf(file, sizeof file, "%s.%s", codecs[i]->name, name);
            struct sink_params params = fixture_params(fixture_path(*state, file));
            params.codec = codecs[i]->name;
            assert_ok(fixture_film(&params, FRAMES, fixture_draw));
            assert_film(params.path, codecs[i]);
        }
    }
}

static void auto_takes_the_first_that_fits(void **state)
{
    static const char *const cases[][2] = {{"a.mp4", "libx264 medium crf 18, 2 threads"},
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

static void quality_and_preset_reach_the_encoder(void **state)
{
    uint64_t sizes[2];
    for (int i = 0; i < 2; i++) {
        struct sink_params params = fixture_params(fixture_path(*state, "a.mp4"));
        params.crf = i ? 45 : 5;
        params.preset = "veryfast";
        struct sink *sink;
        assert_ok(sink_open(&params, &sink));
        assert_non_null(strstr(sink->description, i ? "veryfast crf 45" : "veryfast crf 5"));
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

static void unusable_encoders_say_so(void **state)
{
    (void)state;
    const struct codec missing = {.name = "odd",
                                  .doc = "",
                                  .encoder = "no_such_encoder",
                                  .containers = "mkv",
                                  .crf = -1,
                                  .preset = "",
                                  .presets = ""};
    assert_fails(codec_probe(&missing), STATUS_DEVICE, "no_such_encoder");
    assert_null(codec_find("odd"));
    assert_ptr_equal(codec_find("h264"), codecs[0]);
    struct sink_params params = fixture_params("/dev/null");
    params.format = "mkv";
    params.codec = "av1";
    params.width = params.height = 16;
    struct sink *sink;
    if (codec_probe(codec_find("av1")) == STATUS_OK)
        assert_fails(sink_open(&params, &sink), STATUS_DEVICE, "16x16");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        IN_FOLDER(each_codec_decodes_and_repeats),
        IN_FOLDER(each_codec_goes_into_each_of_its_containers),
        IN_FOLDER(auto_takes_the_first_that_fits),
        IN_FOLDER(quality_and_preset_reach_the_encoder),
        cmocka_unit_test(unusable_encoders_say_so),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
