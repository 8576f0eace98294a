/* Segments that cannot be joined, and the files left then. */
#include "tests/support/test.h"

#include "base/file.h"
#include "render/join/concatenate.h"
#include "render/reader/stream.h"
#include "render/video/codecs.h"
#include "tests/support/choose.h"
#include "tests/support/films/remux.h"
#include "tests/support/films/segments.h"
#include "tests/support/films/sink_fixture.h"

#include <dlfcn.h>
#include <errno.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>

static const uint64_t lengths[] = {9, 8, 7, 0};

static void make(struct segments *segments, const char *folder, const char *extension)
{
    struct sink_params params = fixture_params("");
    params.output.preset = strcmp(extension, "webm") == 0 ? "" : "ultrafast";
    segments_make(segments, folder, extension, &params, lengths);
}

/* Fails with the expected message, and leaves only the segments. */
static void assert_refused(const struct segments *segments, const char *folder, int files,
                           enum status want, const char *part)
{
    uint64_t bytes = 99;
    assert_fails(join_segments(&segments->params, &bytes), want, part);
    assert_int_equal(bytes, 0);
    assert_int_equal(fixture_count_files(folder), files);
}

TEST(missing_and_empty_segments)
{
    struct segments segments;
    make(&segments, *state, "mp4");
    unlink(segments.names[1]);
    assert_refused(&segments, *state, 2, STATUS_IO, strerror(ENOENT));
    assert_says(status_text(), "1.mp4");
    assert_ok(file_write(segments.names[1], "", 0));
    assert_refused(&segments, *state, 3, STATUS_USAGE, "1.mp4");
    assert_ok(file_write(segments.names[1], "no film at all, only words", 26));
    assert_refused(&segments, *state, 3, STATUS_USAGE, "1.mp4");
    unlink(segments.names[1]);
    assert_ok(file_make_folder(segments.names[1]));
    assert_refused(&segments, *state, 3, STATUS_IO, "1.mp4");
}

/* Truncated anywhere except within the last bytes, which Matroska's reader does not need. */
TEST(truncated_segments)
{
    static const char *const extensions[] = {"mp4", "mov", "mkv", "webm"};
    for (size_t i = 0; i < 4; i++) {
        struct segments segments;
        make(&segments, *state, extensions[i]);
        char *text;
        size_t size;
        assert_ok(file_read(segments.names[1], (size_t)1 << 24, &text, &size));
        int files = fixture_count_files(*state);
        for (int cut = 1; cut < 20; cut++) {
            assert_ok(file_write(segments.names[1], text, size * (size_t)cut / 21));
            uint64_t bytes;
            enum status status = join_segments(&segments.params, &bytes);
            if (status != STATUS_USAGE && status != STATUS_IO)
                fail_msg("%s cut to %d/21: status %d, %s", extensions[i], cut, (int)status,
                         status_text());
            assert_contains(status_text(), segments.names[1]);
            assert_int_equal(fixture_count_files(*state), files);
        }
        free(text);
    }
}

/* A joiner that reads garbage ends with a message, which depends on the damaged place. */
TEST(damaged_segments_do_not_crash)
{
    static const char *const extensions[] = {"mp4", "mkv"};
    for (size_t i = 0; i < 2; i++) {
        struct segments segments;
        make(&segments, *state, extensions[i]);
        char *text;
        size_t size;
        assert_ok(file_read(segments.names[1], (size_t)1 << 24, &text, &size));
        uint64_t random = 12345;
        for (int round = 0; round < 40; round++) {
            random = random * 6364136223846793005u + 1442695040888963407u;
            size_t at = (size_t)(random >> 33) % size;
            char kept = text[at];
            text[at] = (char)(kept ^ (char)(1 + (random >> 20) % 255));
            assert_ok(file_write(segments.names[1], text, size));
            text[at] = kept;
            status_fail(STATUS_RUNTIME, "said before");
            enum status status = join_segments(&segments.params, NULL);
            assert_int_equal(status != STATUS_OK, strcmp(status_text(), "said before") != 0);
            unlink(segments.film);
        }
        free(text);
    }
}

TEST(damaged_pictures_are_found_by_decoding)
{
    struct sink_params params = fixture_params("");
    params.output.codec = fixture_codec("ffv1"); /* with checksums */
    struct segments segments;
    segments_make(&segments, *state, "mkv", &params, lengths);
    char *text;
    size_t size;
    assert_ok(file_read(segments.names[1], (size_t)1 << 24, &text, &size));
    text[size / 2] ^= 0x10;
    assert_ok(file_write(segments.names[1], text, size));
    free(text);
    assert_ok(join_segments(&segments.params, NULL));
    unlink(segments.film);
    segments.params.decode = true;
    assert_refused(&segments, *state, 3, STATUS_RUNTIME, "check failed");
}

TEST(wrong_numbers_of_frames)
{
    struct segments segments;
    make(&segments, *state, "mp4");
    segments.list[1].frames = 7;
    assert_refused(&segments, *state, 3, STATUS_USAGE, "8 frames 7");
    segments.list[1].frames = 9;
    assert_refused(&segments, *state, 3, STATUS_USAGE, "8 frames 9");
    segments.list[1].frames = 0;
    assert_refused(&segments, *state, 3, STATUS_USAGE, "no frame");
    segments.params.count = 0;
    assert_refused(&segments, *state, 3, STATUS_USAGE, "joined");
}

TEST(doubled_segments)
{
    struct segments segments;
    make(&segments, *state, "mp4");
    segments.list[2] = segments.list[0];
    assert_refused(&segments, *state, 3, STATUS_USAGE, "one file");
    assert_int_equal(symlink("0.mp4", fixture_path(*state, "link.mp4")), 0);
    segments.list[2].path = fixture_path(*state, "link.mp4");
    assert_refused(&segments, *state, 4, STATUS_USAGE, "one file");
    segments.params.count = 2;
    segments.params.path = segments.names[1];
    assert_refused(&segments, *state, 4, STATUS_USAGE, "another name");
    assert_true(file_exists(segments.names[1]));
}

TEST(segments_that_differ)
{
    static const struct {
        const char *codec, *says, *says_too;
        uint32_t width, bits;
        double crf;
        const char *projection;
    } cases[] = {
        {"h264", "the width differs: 128 in", "144 in", 144, 8, 18, "flat"},
        {"hevc", "the codec differs: h264 in", "hevc in", 128, 8, 18, "flat"},
        {"h264", "the pixel format differs", "yuv420p10", 128, 10, 18, "flat"},
        {"h264", "the projection differs", "1.mp4", 128, 8, 18, "equirect"},
        {"h264", "parameter set differs", "1.mp4", 128, 8, 33, "flat"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct segments segments;
        make(&segments, *state, "mp4");
        struct sink_params other = fixture_params(segments.names[1]);
        other.output.codec = fixture_codec(cases[i].codec);
        other.width = cases[i].width;
        other.output.bits = cases[i].bits;
        other.output.crf = cases[i].crf;
        other.projection = choose(&projection_registry, cases[i].projection);
        other.output.preset = "ultrafast";
        assert_ok(fixture_film(&other, lengths[1], fixture_draw));
        assert_refused(&segments, *state, 3, STATUS_USAGE, cases[i].says);
        assert_contains(status_text(), cases[i].says_too);
    }
}

/* FFV1's packets do not state it. */
TEST(ranges_that_differ)
{
    struct sink_params params = fixture_params("");
    params.output.codec = fixture_codec("ffv1");
    struct segments segments;
    segments_make(&segments, *state, "mkv", &params, lengths);
    const char *full = fixture_path(*state, "full.mkv");
    remux(segments.names[1], full, &(struct remux){0});
    assert_int_equal(rename(full, segments.names[1]), 0);
    assert_ok(join_segments(&segments.params, NULL));
    unlink(segments.film);
    remux(segments.names[1], full, &(struct remux){.full_range = true});
    assert_int_equal(rename(full, segments.names[1]), 0);
    assert_refused(&segments, *state, 3, STATUS_USAGE, "colour range 1");
}

/* The order of the frames is that of their times, whatever the codec states. */
TEST(frames_that_are_shown_in_another_order)
{
    static const int shown[] = {0, 2, 1, 3};
    struct sink_params params = fixture_params("");
    params.output.codec = fixture_codec("prores");
    struct segments segments;
    segments_make(&segments, *state, "mov", &params, (const uint64_t[]){9, 0});
    const char *moved = fixture_path(*state, "moved.mov");
    remux(segments.names[0], moved, &(struct remux){.late = 2, .ticks = 768});
    assert_int_equal(rename(moved, segments.names[0]), 0);
    assert_ok(join_segments(&segments.params, NULL));
    struct stream film;
    assert_ok(stream_read(segments.film, &film));
    assert_int_equal(film.count, 9);
    for (int n = 0; n < 4; n++)
        assert_int_equal(film.packets[shown[n]].decoded, n);
    stream_free(&film);
}

/* Faults that the check finds in a film that the joiner has not made. */
TEST(films_that_are_not_what_was_joined)
{
    static const struct {
        struct remux change;
        const char *part;
    } cases[] = {
        {{.longer = 512}, "24 frames"},
        {{.drop = 24}, "frame 23"},
        {{.repeat = 24}, "24 frames"},
        {{.late = 24, .ticks = 512}, "frame 23 wrong time"},
    };
    struct segments segments;
    make(&segments, *state, "mp4");
    assert_ok(join_segments(&segments.params, NULL));
    const char *other = fixture_path(*state, "other.mp4");
    remux(segments.film, other, &(struct remux){0});
    assert_ok(join_check(&segments.params, other));
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        remux(segments.film, other, &cases[i].change);
        assert_fails(join_check(&segments.params, other), STATUS_RUNTIME, cases[i].part);
    }
    segments.params.decode = true; /* the packets only mark key frames */
    segments.list[0].frames = 8;
    assert_fails(join_check(&segments.params, segments.film), STATUS_RUNTIME,
                 "segment frame 8 keyframe");
}

/* Only the first of HEVC's packets is complete; the others only mark the start of a picture. */
TEST(fewer_pictures_than_packets)
{
    struct sink_params params = fixture_params("");
    params.output.codec = fixture_codec("hevc");
    params.output.preset = "ultrafast";
    struct segments segments;
    segments_make(&segments, *state, "mkv", &params, (const uint64_t[]){9, 0});
    const char *empty = fixture_path(*state, "empty.mkv");
    remux(segments.names[0], empty,
          &(struct remux){.filter = "hevc_metadata=aud=insert,filter_units=remove_types=0-9"});
    assert_ok(join_check(&segments.params, empty));
    segments.params.decode = true;
    assert_fails(join_check(&segments.params, empty), STATUS_RUNTIME, "decoding frame 1");
}

/* Called after the last segment has been examined. */
static void (*meanwhile)(void);
static int ends;

struct AVFormatContext;
struct AVPacket;
int av_read_frame(struct AVFormatContext *context, struct AVPacket *packet);
int av_read_frame(struct AVFormatContext *context, struct AVPacket *packet)
{
    int (*real)(struct AVFormatContext *, struct AVPacket *) = dlsym(RTLD_NEXT, "av_read_frame");
    const int error = real(context, packet);
    if (error < 0 && meanwhile && ++ends == 3)
        meanwhile();
    return error;
}

static char shorter[4096], longer[4096];

static void replace(void)
{
    assert_int_equal(rename(shorter, longer), 0);
}

TEST(a_segment_that_changes_between_two_looks)
{
    struct segments segments;
    make(&segments, *state, "mkv");
    struct sink_params other = fixture_params(segments.names[1]);
    snprintf(longer, sizeof longer, "%s", segments.names[1]);
    snprintf(shorter, sizeof shorter, "%s", fixture_path(*state, "shorter.mkv"));
    other.path = shorter;
    other.output.preset = "ultrafast";
    assert_ok(fixture_film(&other, lengths[1] - 1, fixture_draw));
    ends = 0;
    meanwhile = replace;
    const enum status status = join_segments(&segments.params, NULL);
    meanwhile = NULL;
    assert_int_equal(status, STATUS_IO);
    assert_says(status_text(), "1.mkv");
    assert_int_equal(fixture_count_files(*state), 3);
}

TEST(containers_that_do_not_take_the_codec)
{
    struct segments segments;
    make(&segments, *state, "mp4");
    segments.params.container = choose(&container_registry, "webm");
    segments.params.path = fixture_path(*state, "film.webm");
    assert_refused(&segments, *state, 3, STATUS_USAGE, "h264");
    segments.params.container = choose(&container_registry, "y4m");
    assert_refused(&segments, *state, 3, STATUS_USAGE, "y4m");
    segments.params.container = choose(&container_registry, "mkv");
    segments.params.path = "/dev/null";
    assert_refused(&segments, *state, 3, STATUS_USAGE, "must file");
}

TEST(the_old_film_stays_after_a_failure)
{
    struct segments segments;
    make(&segments, *state, "mkv");
    assert_ok(file_write(segments.film, "old", 3));
    segments.list[2].frames++;
    assert_refused(&segments, *state, 4, STATUS_USAGE, "2.mkv");
    char *text;
    assert_ok(file_read(segments.film, 100, &text, NULL));
    assert_string_equal(text, "old");
    free(text);
    segments.list[2].frames--;
    assert_ok(join_segments(&segments.params, NULL));
    struct stat found;
    assert_int_equal(stat(segments.film, &found), 0);
    assert_true(found.st_size > 1000);
}

TEST(stopping_leaves_nothing)
{
    static volatile sig_atomic_t stop = 1;
    struct segments segments;
    make(&segments, *state, "mp4");
    segments.params.stop = &stop;
    assert_int_equal(join_segments(&segments.params, NULL), STATUS_STOPPED);
    assert_int_equal(fixture_count_files(*state), 3);
}

/* An MP4 with the index at the front needs twice its space for a moment. */
TEST(full_disks_leave_no_half_film)
{
    const char *folder = fixture_path(*state, "disk");
    assert_int_equal(mkdir(folder, 0777), 0);
    static const char *const cases[][2] = {
        {"h264-lossless", "mp4"}, {"ffv1", "mkv"}, {"prores", "mov"}};
    struct segments segments[3];
    for (int i = 0; i < 3; i++) {
        struct sink_params params = fixture_params("");
        params.output.codec = fixture_codec(cases[i][0]);
        segments_make(&segments[i], *state, cases[i][1], &params, lengths);
    }
    if (mount("none", folder, "tmpfs", 0, "size=4k") != 0)
        outcome_skip(MISSING_MOUNT, strerror(errno));
    enum status status[3];
    char sentences[3][STATUS_TEXT_MAX];
    int left[3];
    for (int i = 0; i < 3; i++) {
        segments[i].params.path = fixture_path(folder, strrchr(segments[i].film, '/') + 1);
        status[i] = join_segments(&segments[i].params, NULL);
        snprintf(sentences[i], sizeof sentences[i], "%s", status_text());
        left[i] = fixture_count_files(folder);
    }
    int unmounted = umount(folder);
    assert_int_equal(unmounted, 0);
    for (int i = 0; i < 3; i++) {
        if (status[i] != STATUS_IO)
            fail_msg("%s: status %d, %s", cases[i][1], (int)status[i], sentences[i]);
        assert_contains(sentences[i], strerror(ENOSPC));
        assert_int_equal(left[i], 0);
    }
}

TESTS_EACH(fixture_setup, fixture_teardown)
