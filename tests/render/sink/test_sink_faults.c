#include "tests/support/test.h"

#include "base/file.h"
#include "base/text.h"
#include "tests/support/films/decode.h"
#include "tests/support/films/sink_fixture.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <signal.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>

static const char *const outputs[] = {"a.mp4", "a.mov",  "a.mkv",   "a.webm",
                                      "a.y4m", "a.hash", "%04d.png"};
enum { OUTPUTS = sizeof outputs / sizeof outputs[0] };

static struct sink *begin(const struct sink_params *params, uint64_t frames)
{
    struct sink *sink;
    assert_ok(sink_open(params, &sink));
    struct picture picture;
    fixture_picture(&picture, sink->format, params->width, params->height);
    for (uint64_t n = 0; n < frames; n++) {
        fixture_draw(&picture, n);
        assert_ok(sink->ops->write(sink, &picture));
    }
    fixture_free(&picture);
    return sink;
}

TEST(undone_runs_leave_nothing)
{
    for (int i = 0; i < OUTPUTS; i++) {
        struct sink_params params = fixture_params(fixture_path(*state, outputs[i]));
        struct sink *sink = begin(&params, 9);
        uint64_t frames = 99, bytes = 99;
        assert_ok(sink->ops->close(&sink, false, &frames, &bytes));
        assert_null(sink);
        assert_int_equal(frames, 0);
        assert_int_equal(bytes, 0);
        assert_int_equal(fixture_count_files(*state), 0);
    }
}

TEST(films_of_no_frame_leave_nothing)
{
    for (int i = 0; i < 5; i++) {
        struct sink_params params = fixture_params(fixture_path(*state, outputs[i]));
        uint64_t frames = 99;
        struct sink *sink = begin(&params, 0);
        assert_ok(sink->ops->close(&sink, true, &frames, NULL));
        assert_int_equal(frames, 0);
        assert_int_equal(fixture_count_files(*state), 0);
    }
}

TEST(the_old_file_stays_until_the_new_one_is_whole)
{
    for (int i = 0; i < 6; i++) {
        const char *path = fixture_path(*state, outputs[i]);
        assert_ok(file_write(path, "old", 3));
        struct sink_params params = fixture_params(path);
        struct sink *sink = begin(&params, 9);
        char *text;
        assert_ok(file_read(path, 100, &text, NULL));
        assert_string_equal(text, "old");
        free(text);
        assert_ok(sink->ops->close(&sink, false, NULL, NULL));
        assert_ok(file_read(path, 100, &text, NULL));
        assert_string_equal(text, "old");
        free(text);
        sink = begin(&params, 9);
        uint64_t frames, bytes;
        assert_ok(sink->ops->close(&sink, true, &frames, &bytes));
        struct stat found;
        assert_int_equal(stat(path, &found), 0);
        assert_int_equal(frames, 9);
        assert_int_equal(bytes, found.st_size);
        assert_int_equal(fixture_count_files(*state), i + 1);
    }
}

TEST(a_place_taken_meanwhile_is_an_error)
{
    for (int i = 0; i < 6; i++) {
        struct sink_params params = fixture_params(fixture_path(*state, outputs[i]));
        struct sink *sink = begin(&params, 9);
        assert_ok(file_make_folder(params.path));
        uint64_t frames = 99;
        assert_fails(sink->ops->close(&sink, true, &frames, NULL), STATUS_IO, strerror(EISDIR));
        assert_int_equal(frames, 0);
        assert_int_equal(fixture_count_files(*state), i + 1);
    }
}

TEST(missing_folders_are_made_and_links_replaced)
{
    struct sink_params params = fixture_params(fixture_path(*state, "x/y/a.mp4"));
    assert_ok(fixture_film(&params, 3, fixture_draw));
    assert_true(file_exists(params.path));
    params.path = fixture_path(*state, "p/q/%d.png");
    assert_ok(fixture_film(&params, 3, fixture_draw));
    assert_int_equal(fixture_count_files(fixture_path(*state, "p/q")), 3);

    const char *link = fixture_path(*state, "link.mkv");
    assert_ok(file_write(fixture_path(*state, "x/real.mkv"), "old", 3));
    assert_int_equal(symlink("x/real.mkv", link), 0);
    params.path = link;
    assert_ok(fixture_film(&params, 3, fixture_draw));
    struct stat found;
    assert_int_equal(lstat(link, &found), 0);
    assert_true(S_ISREG(found.st_mode) && found.st_size > 3);
    assert_int_equal(stat(fixture_path(*state, "x/real.mkv"), &found), 0);
    assert_int_equal(found.st_size, 3);
}

TEST(wrong_pictures_are_refused)
{
    for (int i = 0; i < OUTPUTS; i++) {
        struct sink_params params = fixture_params(fixture_path(*state, outputs[i]));
        struct sink *sink;
        assert_ok(sink_open(&params, &sink));
        struct picture picture;
        fixture_picture(&picture, sink->format, params.width - 2, params.height);
        assert_fails(sink->ops->write(sink, &picture), STATUS_RUNTIME, "126x96");
        fixture_free(&picture);
        assert_ok(sink->ops->close(&sink, false, NULL, NULL));
    }
}

/* cmocka's longjmp must not leave standard output replaced, so nothing is asserted in here. */
static enum status film_to_descriptor(int descriptor, const char *format, uint64_t frames)
{
    fflush(stdout);
    int kept = dup(STDOUT_FILENO);
    dup2(descriptor, STDOUT_FILENO);
    struct sink_params params = fixture_params("-");
    params.format = format;
    enum status status = fixture_film(&params, frames, fixture_draw);
    dup2(kept, STDOUT_FILENO);
    close(kept);
    return status;
}

TEST(streams_go_to_standard_output)
{
    static const char *const formats[] = {"", "mkv", "webm", "y4m"};
    for (size_t i = 0; i < sizeof formats / sizeof formats[0]; i++) {
        const char *path = fixture_path(*state, "stream");
        int file = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0666);
        enum status status = film_to_descriptor(file, formats[i], 12);
        close(file);
        assert_ok(status);
        struct decoded film;
        assert_true(decode_open(&film, path));
        while (decode_next(&film))
            assert_int_equal(lround(film.time * 30), film.frames - 1);
        assert_int_equal(film.frames, 12);
        decode_close(&film);
    }
}

TEST(a_reader_that_stops_is_an_error)
{
    signal(SIGPIPE, SIG_IGN);
    static const char *const formats[] = {"mkv", "y4m", "hash"};
    for (size_t i = 0; i < sizeof formats / sizeof formats[0]; i++) {
        int ends[2];
        assert_int_equal(pipe(ends), 0);
        close(ends[0]);
        enum status status = film_to_descriptor(ends[1], formats[i], 40);
        close(ends[1]);
        assert_int_equal(status, STATUS_IO);
        assert_says(status_text(), "standard output");
        assert_contains(status_text(), strerror(EPIPE));
    }
}

TEST(full_devices_are_an_error)
{
    static const char *const formats[] = {"mkv", "y4m", "hash", "webm"};
    for (size_t i = 0; i < sizeof formats / sizeof formats[0]; i++) {
        struct sink_params params = fixture_params("/dev/full");
        params.format = formats[i];
        assert_fails(fixture_film(&params, 40, fixture_draw), STATUS_IO, strerror(ENOSPC));
    }
}

/* The number of frames in the message must be the number that a reader can find. */
TEST(full_disks_leave_no_half_film)
{
    char *folder = text_format("%s/disk", (char *)*state);
    assert_int_equal(mkdir(folder, 0777), 0);
    if (mount("none", folder, "tmpfs", 0, "size=256k") != 0) {
        free(folder);
        outcome_skip(MISSING_MOUNT, strerror(errno));
    }
    static const struct {
        const char *name, *codec;
    } cases[] = {{"a.mp4", "h264-lossless"},
                 {"a.mov", "prores"},
                 {"a.mkv", "ffv1"},
                 {"a.y4m", "auto"},
                 {"%04d.png", "auto"}};
    enum status status[5];
    char sentences[5][STATUS_TEXT_MAX];
    int left[5], parts = 0;
    for (size_t i = 0; i < 5; i++) {
        struct sink_params params = fixture_params(fixture_path(folder, cases[i].name));
        params.output.codec = fixture_codec(cases[i].codec);
        status[i] = fixture_film(&params, 60, fixture_noise);
        snprintf(sentences[i], sizeof sentences[i], "%s", status_text());
        left[i] = fixture_count_files(folder);
    }
    DIR *open = opendir(folder);
    for (struct dirent *entry; open && (entry = readdir(open));)
        parts += strstr(entry->d_name, ".part") != NULL;
    if (open)
        closedir(open);
    int unmounted = umount(folder);
    free(folder);

    assert_int_equal(unmounted, 0);
    for (size_t i = 0; i < 5; i++) {
        assert_int_equal(status[i], STATUS_IO);
        assert_contains(sentences[i], strerror(ENOSPC));
        assert_contains(sentences[i], " frame");
        if (i < 4)
            assert_int_equal(left[i], 0);
    }
    assert_in_range(left[4], 1, 8); /* 37 KB each */
    assert_int_equal(parts, 0);
}

TESTS_EACH(fixture_setup, fixture_teardown)
