/* Joined films, read again by an independent decoder. */
#include "tests/support/test.h"

#include "base/file.h"
#include "render/reader/stream.h"
#include "tests/support/choose.h"
#include "tests/support/films/decode.h"
#include "tests/support/films/segments.h"
#include "tests/support/films/sink_fixture.h"

#include <malloc.h>
#include <math.h>
#include <string.h>

/* libx265 3.5 leaks its own parameters when built with 8, 10 and 12 bits. */
const char *__lsan_default_suppressions(void);
const char *__lsan_default_suppressions(void)
{
    return "leak:libx265\n";
}

enum { FRAMES_MAX = 64 };

static struct tag tags[] = {{"title", "Two galaxies"},
                            {"comment", "made for a test"},
                            {"gravreel_scene", "bodies:\n  count: 7\n"}};

static struct sink_params params_of(const char *codec, uint32_t fps_num, uint32_t fps_den)
{
    struct sink_params params = fixture_params("");
    params.output.codec = fixture_codec(codec);
    params.fps_num = fps_num;
    params.fps_den = fps_den;
    params.tags = (struct tags){tags, 3};
    return params;
}

/* The decoded frames of each segment alone. */
static uint64_t decode_singly(const struct segments *segments, uint64_t *hashes)
{
    uint64_t frames = 0;
    for (size_t s = 0; s < segments->count; s++) {
        uint64_t length = segments->list[s].frames;
        assert_int_equal(
            segments_decode(segments->list[s].path, hashes + frames, NULL, FRAMES_MAX - frames),
            length);
        frames += length;
    }
    return frames;
}

static void assert_joined(const struct segments *segments, double tolerance)
{
    uint64_t alone[FRAMES_MAX], joined[FRAMES_MAX];
    double times[FRAMES_MAX];
    uint64_t frames = decode_singly(segments, alone);
    assert_int_equal(segments_decode(segments->film, joined, times, FRAMES_MAX), frames);
    for (uint64_t n = 0; n < frames; n++) {
        double want = (double)n * segments->params.fps_den / segments->params.fps_num;
        if (joined[n] != alone[n])
            fail_msg("%s: frame %d shows something else", segments->film, (int)n);
        if (fabs(times[n] - want) > tolerance)
            fail_msg("%s: frame %d at %.9f instead of %.9f", segments->film, (int)n, times[n],
                     want);
        assert_true(n == 0 || alone[n] != alone[n - 1]);
    }
    struct decoded film;
    assert_true(decode_open(&film, segments->film));
    assert_true(fabs(film.duration - (double)frames * segments->params.fps_den /
                                         segments->params.fps_num) < 0.0011);
    for (int i = 0; i < 3; i++)
        assert_string_equal(decode_tag(&film, tags[i].name), tags[i].value);
    assert_int_equal(film.primaries, 1);
    assert_int_equal(film.transfer, 1);
    assert_int_equal(film.matrix, 1);
    assert_true(film.limited_range);
    decode_close(&film);
}

TEST(frames_and_times_are_those_of_the_segments)
{
    static const struct {
        const char *codec, *extension;
        uint32_t fps_num, fps_den;
        double tolerance;
    } cases[] = {
        {"h264", "mp4", 30, 1, 1e-6},          {"h264", "mov", 30000, 1001, 1e-6},
        {"h264", "mkv", 24000, 1001, 5.01e-4}, {"hevc", "mp4", 60000, 1001, 1e-6},
        {"vp9", "webm", 30000, 1001, 5.01e-4}, {"vp9", "mp4", 25, 1, 1e-6},
        {"av1", "mp4", 30000, 1001, 1e-6},     {"prores", "mov", 30000, 1001, 1e-6},
        {"ffv1", "mkv", 30000, 1001, 5.01e-4}, {"h264-lossless", "mp4", 1000, 1, 1e-6},
        {"h264", "mkv", 1000, 1, 1e-6},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        if (!fixture_codec_opens(cases[i].codec)) {
            print_message("%s does not open here: %s\n", cases[i].codec, status_text());
            continue;
        }
        struct sink_params params = params_of(cases[i].codec, cases[i].fps_num, cases[i].fps_den);
        struct segments segments;
        static const uint64_t lengths[] = {13, 12, 1, 0};
        segments_make(&segments, *state, cases[i].extension, &params, lengths);
        segments.params.decode = true;
        uint64_t bytes;
        assert_ok(join_segments(&segments.params, &bytes));
        assert_joined(&segments, cases[i].tolerance);
        struct film_info info;
        assert_ok(film_info_read(segments.film, &info));
        assert_string_equal(info.container->name, cases[i].extension);
        assert_int_equal(info.bytes, bytes);
        film_info_free(&info);
        assert_int_equal(fixture_count_files(*state), 4);
        unlink(segments.film);
        for (size_t s = 0; s < segments.count; s++)
            unlink(segments.names[s]);
    }
}

/* The film writer and the joiner write the same for the same packets: times, edit lists, colours,
 * pixel aspects, tags, projection; also with fewer frames than the encoder's stated reordering (for
 * one or two, x264 and x265 give other decoding times). FFV1 is left out: Matroska's reader counts
 * a byte of padding as part of its parameter set. */
TEST(one_segment_joined_is_the_film_itself)
{
    static const struct {
        const char *codec, *extension;
        const char *projection;
        uint64_t frames;
    } cases[] = {
        {"h264", "mp4", "flat", 14},       {"h264", "mp4", "equirect", 14},
        {"h264", "mp4", "over-under", 14}, {"h264", "mkv", "side-by-side", 14},
        {"h264", "mkv", "equirect", 14},   {"h264", "mov", "flat", 14},
        {"hevc", "mp4", "flat", 14},       {"vp9", "webm", "side-by-side", 14},
        {"vp9", "mp4", "flat", 14},        {"av1", "mp4", "flat", 14},
        {"av1", "webm", "flat", 14},       {"prores", "mov", "flat", 14},
        {"prores", "mkv", "flat", 14},     {"vp9", "mkv", "flat", 14},
        {"h264", "mp4", "flat", 3},        {"hevc", "mp4", "flat", 3},
        {"h264", "mkv", "flat", 1},        {"vp9", "webm", "flat", 1},
        {"prores", "mov", "flat", 1},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        if (!fixture_codec_opens(cases[i].codec))
            continue;
        struct sink_params params = params_of(cases[i].codec, 30000, 1001);
        params.projection = choose(&projection_registry, cases[i].projection);
        struct segments segments;
        segments_make(&segments, *state, cases[i].extension, &params,
                      (const uint64_t[]){cases[i].frames, 0});
        assert_ok(join_segments(&segments.params, NULL));
        if (!fixture_same_files(segments.names[0], segments.film))
            fail_msg("%d frames of %s in %s, projection %s: not the same file",
                     (int)cases[i].frames, cases[i].codec, cases[i].extension, cases[i].projection);
    }
}

TEST(the_index_lies_in_front)
{
    static const char *const extensions[] = {"mp4", "mov"};
    for (int i = 0; i < 2; i++) {
        struct sink_params params = params_of("h264", 30, 1);
        struct segments segments;
        segments_make(&segments, *state, extensions[i], &params, (const uint64_t[]){5, 5, 0});
        assert_ok(join_segments(&segments.params, NULL));
        char *text;
        size_t size;
        assert_ok(file_read(segments.film, (size_t)1 << 24, &text, &size));
        const char *index = memmem(text, size, "moov", 4), *data = memmem(text, size, "mdat", 4);
        assert_true(index && data && index < data);
        free(text);
    }
}

/* x265 leaves the decoding times of films of one or two frames uninitialized: here all bits are
 * ones, a time that MP4 rejects at this rate. */
TEST(films_shorter_than_what_encoders_reorder)
{
    static const char *const codecs_[] = {"h264", "hevc"};
    mallopt(M_PERTURB, 0xfe);
    for (size_t i = 0; i < 4; i++) {
        struct sink_params params = params_of(codecs_[i / 2], 1000, 1);
        struct segments segments;
        segments_make(&segments, *state, "mp4", &params,
                      i % 2 ? (const uint64_t[]){2, 1, 0} : (const uint64_t[]){1, 2, 0});
        assert_ok(join_segments(&segments.params, NULL));
        assert_joined(&segments, 1e-6);
    }
    mallopt(M_PERTURB, 0);
}

TEST(joining_repeats)
{
    struct sink_params params = params_of("h264", 30, 1);
    struct segments segments;
    segments_make(&segments, *state, "mp4", &params, (const uint64_t[]){5, 9, 2, 0});
    assert_ok(join_segments(&segments.params, NULL));
    segments.params.path = fixture_path(*state, "again.mp4");
    assert_ok(join_segments(&segments.params, NULL));
    assert_true(fixture_same_files(segments.film, segments.params.path));
    /* A joined film is an ordinary film: it can be a segment itself. */
    struct join_segment whole = {segments.film, 16};
    segments.params.segments = &whole;
    segments.params.count = 1;
    segments.params.path = fixture_path(*state, "thrice.mp4");
    assert_ok(join_segments(&segments.params, NULL));
    assert_true(fixture_same_files(segments.film, segments.params.path));
}

TESTS_EACH(fixture_setup, fixture_teardown)
