/* Failures of encoders, GL and readers in the middle of a run. */
#include "tests/support/test.h"

#include "tests/faults/films.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static const struct fault_film *const mp4 = &fault_films[FILM_H264];

/* Segments completed before stay, and the next run continues from there. */
static void break_and_resume(const char *kind, const int *pictures, int code, const char *said)
{
    const struct fault_film *film = mp4;
    assert_true(fault_count(film, "whole") > 0);
    for (; *pictures; pictures++) {
        const int picture = *pictures;
        char fault[32];
        struct run run;
        snprintf(fault, sizeof fault, "%s %d", kind, picture);
        const int ended = fault_run(film, "cut", fault, NULL, &run);
        if (ended != code)
            fail_msg("'%s' ended with %d: %s", fault, ended, run.err);
        assert_says(run.err, said);
        const bool kept = cli_exists("cut/film.mp4.parts");
        assert_true(kept == (has_words(run.err, "'gravreel resume'")));
        assert_true(kept || picture == 1);
        assert_false(cli_exists("cut/film.mp4"));
        run_free(&run);
        assert_int_equal(fault_run(film, "cut", NULL, "--resume", NULL), 0);
        fault_same(film, "cut", "whole");
        fault_remove("cut");
    }
    fault_remove("whole");
}

TEST(an_encoder_that_fails)
{
    cli_need_gl();
    break_and_resume("encoder", (const int[]){1, 11, 0}, STATUS_RUNTIME, "libx264");
}

/* Also of the last picture, after which nothing is drawn. */
TEST(a_context_that_is_lost)
{
    cli_need_gl();
    break_and_resume("context", (const int[]){1, 11, 18, 0}, STATUS_RUNTIME,
                     "the device was reset or taken away");
}

TEST(encoders_that_are_not_there)
{
    cli_need_gl();
    cli_fails(2, "h265000", "render", "-o", "none/film.mp4", "--codec", "h265000");
    cli_fails(2, "prores", "render", "-o", "none/film.webm", "--codec", "prores");
    assert_false(cli_exists("none"));
}

#define STREAM                                                                                     \
    "render", "plummer", "-n", "120", "--size", "64x36", "--frames", "40", "-o", "-", "--format",  \
        "y4m"

TEST(a_reader_that_leaves)
{
    cli_need_gl();
    int ends[2];
    char first[9];
    assert_int_equal(pipe2(ends, O_CLOEXEC), 0);
    struct run_process process;
    struct run run;
    const struct run_options options = {.folder = cli_folder, .output = ends[1]};
    run_start(&process, &options, ARGUMENTS(STREAM));
    close(ends[1]);
    assert_int_equal(read(ends[0], first, sizeof first), sizeof first);
    assert_memory_equal(first, "YUV4MPEG2", sizeof first);
    close(ends[0]);
    run_finish(&process, &run);
    assert_int_equal(run.code, STATUS_IO);
    assert_says(run.err, "standard output");
    assert_says(run.err, strerror(EPIPE));
    assert_lacks(run.err, "--resume");
    run_free(&run);
}

/* Less than two pictures. */
enum { PIPE = 4096 };

struct slow {
    int from;
    size_t size;
    char *bytes;
};

/* Hashing reads a segment again, which may take long: meanwhile the others are drawn, encoded and
 * put into the manifest. */
TEST(hashing_that_is_slow)
{
    cli_need_gl();
    struct run run;
    const struct fault_film four = {"four", "film.mp4",
                                    ARGUMENTS("plummer", "-n", "120", "--size", "64x36", "--frames",
                                              "16", "--set", "output.segment=4", "--codec", "h264",
                                              "--encoders", "2"),
                                    false};
    fault_remove("cut");
    assert_int_equal(fault_run(&four, "cut", "hash 0", NULL, &run), 0);
    assert_says(run.err, "held");
    run_free(&run);
    fault_remove("cut");
}

/* In small parts, from a pipe that never has room for the next picture. */
static void *read_slowly(void *argument)
{
    struct slow *slow = argument;
    enum { ROOM = 1 << 20 };
    slow->bytes = malloc(ROOM);
    ssize_t got = 1;
    while (slow->bytes && got > 0) {
        got = read(slow->from, slow->bytes + slow->size,
                   ROOM - slow->size < 100 ? ROOM - slow->size : 100);
        slow->size += got > 0 ? (size_t)got : 0;
    }
    return NULL;
}

TEST(a_reader_that_is_slow)
{
    cli_need_gl();
    int ends[2];
    pthread_t reader;
    assert_int_equal(pipe2(ends, O_CLOEXEC), 0);
    assert_int_equal(fcntl(ends[0], F_SETPIPE_SZ, PIPE), PIPE);
    struct slow slow = {.from = ends[0]};
    struct run_process process;
    struct run run;
    const struct run_options options = {.folder = cli_folder, .output = ends[1]};
    run_start(&process, &options, ARGUMENTS(STREAM));
    close(ends[1]);
    assert_int_equal(pthread_create(&reader, NULL, read_slowly, &slow), 0);
    run_finish(&process, &run);
    pthread_join(reader, NULL);
    close(ends[0]);
    assert_int_equal(run.code, 0);
    run_free(&run);
    const struct run *quick = cli(0, STREAM);
    assert_int_equal(slow.size, quick->out_size);
    assert_memory_equal(slow.bytes, quick->out, slow.size);
    free(slow.bytes);
}

TESTS(cli_set_up, cli_tear_down)
