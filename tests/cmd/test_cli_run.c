/* Runs with progress files, stops, full disks and closed pipes. */
#include "tests/support/test.h"

#include "base/file.h"
#include "tests/support/programs/cli.h"
#include "tests/support/films/decode.h"
#include "tests/support/films/sink_fixture.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/stat.h>

#define LONG "render", "plummer", "-n", "300", "--size", "64x36", "--frames", "1000000"

/* The last value of a key in a progress file, -1 when there is none yet. */
static long last_value(const char *text, const char *key)
{
    long value = -1;
    size_t length = strlen(key);
    for (const char *at = text; (at = strstr(at, key)); at += length)
        if ((at == text || at[-1] == '\n') && at[length] == '=')
            value = strtol(at + length + 1, NULL, 10);
    return value;
}

static bool wait_for_frames(struct run_process *process, const char *name, long frames)
{
    long done = 0;
    for (long size = 1; done < frames; size++) { /* a block, or a part of one, longer each time */
        if (!run_wait_for_file(process, cli_path(name), size))
            return false;
        char *text = cli_read(name);
        done = last_value(text, "frame");
        size = (long)strlen(text);
        free(text);
    }
    return true;
}

static uint64_t count_frames(const char *name)
{
    struct decoded film;
    assert_true(decode_open(&film, cli_path(name)));
    while (decode_next(&film)) {
    }
    uint64_t frames = film.frames;
    decode_close(&film);
    return frames;
}

TEST(signals_end_the_film_cleanly)
{
    cli_need_gl();
    static const struct {
        int number, code;
        const char *film, *progress;
    } cases[] = {
        {SIGINT, 130, "int.mp4", "int.txt"},
        {SIGTERM, 143, "term.mkv", "term.txt"},
        {SIGHUP, 129, "hup.mkv", "hup.txt"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const struct run_options options = {.folder = cli_folder};
        struct run_process process;
        struct run run;
        run_start(&process, &options,
                  ARGUMENTS(LONG, "--progress", cases[i].progress, "-o", cases[i].film));
        bool going = wait_for_frames(&process, cases[i].progress, 3);
        run_signal(&process, cases[i].number);
        run_finish(&process, &run);
        if (!going || run.code != cases[i].code)
            fail_msg("code %d: %s", run.code, run.err);
        char *progress = cli_read(cases[i].progress);
        assert_contains(progress, "progress=continue\n");
        assert_string_equal(progress + strlen(progress) - 17, "progress=stopped\n");
        uint64_t frames = count_frames(cases[i].film);
        assert_int_equal(frames, last_value(progress, "frame"));
        assert_true(frames >= 3 && frames < 1000000);
        char said[64];
        snprintf(said, sizeof said, "after %llu of 1000000 frames", (unsigned long long)frames);
        assert_says(run.err, said);
        free(progress);
        run_free(&run);
    }
    assert_true(cli_exists("int.scene.yaml"));
    assert_false(cli_exists("int.mp4.part"));
}

/* A reader that has stopped reading prevents the first signal from ending the run; the second ends
 * it. */
TEST(a_second_signal_ends_at_once)
{
    cli_need_gl();
    int ends[2];
    assert_int_equal(pipe2(ends, O_CLOEXEC), 0);
    const struct run_options options = {.folder = cli_folder, .output = ends[1]};
    struct run_process process;
    struct run run;
    run_start(&process, &options,
              ARGUMENTS(LONG, "--progress", "stuck.txt", "--format", "y4m", "-o", "-"));
    close(ends[1]);
    assert_true(wait_for_frames(&process, "stuck.txt", 1));
    run_signal(&process, SIGINT);
    assert_true(run_wait_until_taken(&process, SIGINT));
    run_signal(&process, SIGTERM);
    run_finish(&process, &run);
    close(ends[0]);
    assert_false(run.timed_out);
    if (run.code != 143)
        fail_msg("code %d: %s", run.code, run.err);
    run_free(&run);
}

TEST(a_closed_pipe_is_an_error)
{
    cli_need_gl();
    static const char *const formats[] = {"mkv", "y4m", "hash"};
    for (size_t i = 0; i < sizeof formats / sizeof formats[0]; i++) {
        int ends[2];
        assert_int_equal(pipe2(ends, O_CLOEXEC), 0);
        const struct run_options options = {.folder = cli_folder, .output = ends[1]};
        struct run_process process;
        struct run run;
        run_start(&process, &options,
                  ARGUMENTS(LONG, "--preset", "", "--format", formats[i], "-o", "-"));
        close(ends[1]);
        char head[1000];
        size_t got = 0;
        for (ssize_t n;
             got < sizeof head && (n = read(ends[0], head + got, sizeof head - got)) > 0;)
            got += (size_t)n;
        close(ends[0]);
        run_finish(&process, &run);
        assert_int_equal(got, sizeof head);
        if (run.code != 5)
            fail_msg("%s: code %d: %s", formats[i], run.code, run.err);
        assert_says(run.err, "standard output");
        run_free(&run);
    }
}

static int count_lines(const char *text)
{
    int lines = 0;
    for (; *text; text++)
        lines += *text == '\n';
    return lines;
}

TEST(a_device_that_is_full)
{
    cli_need_gl();
    static const char *const formats[] = {"mkv", "y4m", "hash"};
    for (size_t i = 0; i < sizeof formats / sizeof formats[0]; i++) {
        const struct run *run =
            cli(5, "render", "plummer", "-n", "50", "--size", "64x36", "--frames", "40", "--format",
                formats[i], "-o", "/dev/full", "-y");
        assert_says(run->err, "space");
        assert_int_equal(count_lines(run->err), 1);
    }
    assert_int_equal(access("/dev/full", W_OK), 0);
}

/* Output that could not be written is an error. */
TEST(a_standard_output_that_is_full)
{
    static const char *const commands[][3] = {{"scenes"}, {"scenes", "plummer"}, {"--help"}};
    const int full = open("/dev/full", O_WRONLY);
    assert_true(full >= 0);
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++) {
        struct run run;
        run_program(&run, &(struct run_options){.output = full}, commands[i]);
        assert_int_equal(run.code, STATUS_IO);
        assert_says(run.err, "standard output");
        run_free(&run);
    }
    close(full);
}

static void mount_small(const char *name, const char *size)
{
    assert_int_equal(mkdir(cli_path(name), 0777), 0);
    if (mount("tmpfs", cli_path(name), "tmpfs", 0, size) != 0)
        outcome_skip(MISSING_MOUNT, strerror(errno));
}

/* No partial file has a final name: no film, and only whole pictures of a sequence. */
static void check_leftovers(const char *name)
{
    DIR *open = opendir(cli_path(name));
    assert_non_null(open);
    for (struct dirent *entry; (entry = readdir(open));) {
        if (entry->d_name[0] == '.')
            continue;
        const char *extension = strrchr(entry->d_name, '.');
        if (!extension || strcmp(extension, ".png") != 0)
            fail_msg("'%s' was left behind", entry->d_name);
        char path[300], *text;
        size_t size;
        snprintf(path, sizeof path, "%s/%s", name, entry->d_name);
        assert_ok(file_read(cli_path(path), 1 << 24, &text, &size));
        assert_true(size > 100);
        assert_memory_equal(text + size - 8, "IEND", 4);
        free(text);
    }
    closedir(open);
}

TEST(a_disk_that_fills_up)
{
    cli_need_gl();
    mount_small("small", "size=128k");
    static const char *const outputs[][2] = {{"small/x.mp4", "4"},
                                             {"small/x.mkv", "4"},
                                             {"small/x.mov", "4"},
                                             {"small/x.y4m", "-1"},
                                             {"small/%05d.png", "-1"}};
    int wrong = 0;
    char said[4096] = "";
    for (size_t i = 0; i < sizeof outputs / sizeof outputs[0]; i++) {
        struct run run;
        const struct run_options options = {.folder = cli_folder};
        run_program(&run, &options,
                    ARGUMENTS("render", "plummer", "-n", "500", "--size", "160x90", "--frames",
                              "2000", "--set", "output.segment=2000", "--progress", "full.txt",
                              "-o", outputs[i][0], "--crf", outputs[i][1], "--quiet"));
        bool good = run.code == 5 && strstr(run.err, "No space left") &&
                    count_lines(run.err) == 1 && !run.timed_out;
        wrong += !good;
        if (!good)
            snprintf(said, sizeof said, "%s: code %d: %s", outputs[i][0], run.code, run.err);
        run_free(&run);
        check_leftovers("small");
        char *progress = cli_read("full.txt");
        assert_contains(progress, "progress=failed\n");
        free(progress);
        /* Room for the next one. */
        umount2(cli_path("small"), MNT_DETACH);
        assert_int_equal(mount("tmpfs", cli_path("small"), "tmpfs", 0, "size=128k"), 0);
    }
    umount2(cli_path("small"), MNT_DETACH);
    if (wrong)
        fail_msg("%s", said);
}

TEST(a_progress_file_that_cannot_be)
{
    cli_need_gl();
    int files = fixture_count_files(cli_folder);
    const struct run *run = cli(5, "render", "-n", "9", "--size", "64x36", "--frames", "3",
                                "--progress", "no/such/folder.txt", "-o", "p.mp4");
    assert_says(run->err, "no/such/folder.txt");
    assert_int_equal(fixture_count_files(cli_folder), files);
}

/* A scene that flies apart at once: the film so far is kept, and the message says what to do. */
TEST(a_simulation_that_breaks)
{
    cli_need_gl();
    cli_write("fast.tab", "1 -1 0 0 0 0 0\n1 1 0 0 1e300 0 0\n");
    const struct run *run = cli(1, "render", "plummer", "--bodies-from", "fast.tab", "--size",
                                "64x36", "--frames", "20", "--set", "simulation.dt=1e7", "--set",
                                "simulation.steps_per_frame=10", "-o", "broken.mkv");
    assert_says(run->err, "simulation.dt");
}

TEST(quiet_and_plain_output)
{
    cli_need_gl();
#define TINY "render", "plummer", "-n", "20", "--size", "64x36", "--frames", "4"
    const struct run *run = cli(0, TINY, "--quiet", "-o", "quiet.mp4");
    assert_string_equal(run->err, "");
    assert_int_equal(run->out_size, 0);
    run = cli(0, TINY, "--log-level", "error", "-o", "error.mp4");
    assert_string_equal(run->err, "");
    run = cli(0, TINY, "-o", "plain.mp4");
    assert_says(run->err, "plain.mp4 4 frames");
    assert_null(strchr(run->err, '\033'));
    assert_null(strchr(run->err, '\r'));
    run = cli(0, TINY, "-v", "-o", "verbose.mp4");
    assert_says(run->err, "debug");
}

static struct run on_terminal(const char *const *environment, const char *const *words)
{
    const struct run_options options = {
        .folder = cli_folder, .environment = environment, .terminal = true};
    struct run run;
    run_program(&run, &options, words);
    assert_false(run.timed_out);
    return run;
}

/* A film on a terminal until it prints `part`, or else until the third frame is done. */
static struct run watched(const char *const *environment, const char *part)
{
    const struct run_options options = {
        .folder = cli_folder, .environment = environment, .terminal = true};
    struct run_process process;
    struct run run;
    remove(cli_path("shown.txt"));
    run_start(&process, &options,
              ARGUMENTS(LONG, "-y", "--progress", "shown.txt", "-o", "shown.mkv"));
    assert_true(part ? run_wait_until_said(&process, part)
                     : wait_for_frames(&process, "shown.txt", 3));
    run_signal(&process, SIGINT);
    run_finish(&process, &run);
    assert_int_equal(run.code, 130);
    return run;
}

TEST(terminals)
{
    cli_need_gl();
    struct run run = watched(ARGUMENTS("TERM=xterm", "NO_COLOR"), "slowest: ");
    assert_says(run.err, "/1000000 frames");
    assert_contains(run.err, "[>"); /* the bar */
    assert_contains(run.err, "\r");
    run_free(&run);
    run = watched(ARGUMENTS("TERM=dumb", "NO_COLOR"), NULL);
    assert_null(strchr(run.err, '\033'));
    assert_lacks(run.err, "[>");
    run_free(&run);
    run = watched(ARGUMENTS("TERM=xterm", "NO_COLOR=1"), "/1000000 frames, ");
    assert_null(strchr(run.err, '\033'));
    run_free(&run);
    run = on_terminal(ARGUMENTS("TERM=xterm", "NO_COLOR"), ARGUMENTS("rendr"));
    assert_int_equal(run.code, 2);
    assert_contains(run.err, "\033[1;31m");
    run_free(&run);
    run = on_terminal(ARGUMENTS("TERM=xterm", "NO_COLOR=yes"), ARGUMENTS("rendr"));
    assert_null(strchr(run.err, '\033'));
    run_free(&run);
}

/* Peak memory of two runs that differ only in length. */
TEST(memory_does_not_grow_with_the_film)
{
    cli_need_gl();
    cli_need_memory();
    static const char *const outputs[] = {"memory.mp4", "memory/%04d.png"};
    for (size_t i = 0; i < sizeof outputs / sizeof outputs[0]; i++) {
        long peak[2];
        for (int k = 0; k < 2; k++)
            peak[k] = cli(0, "render", "plummer", "-n", "16", "--size", "64x36", "--frames",
                          k ? "1000" : "100", "-y", "-o", outputs[i])
                          ->peak_kb;
        if (labs(peak[1] - peak[0]) > 10000)
            fail_msg("%s: %ld kB for 100 frames, %ld kB for 1000", outputs[i], peak[0], peak[1]);
        assert_true(peak[0] > 10000);
    }
}

/* Under `ulimit -f`, and on disks with a limit on file size, writing fails, and the program reports
 * it. */
TEST(a_limit_of_size_is_a_sentence)
{
    cli_need_gl();
    struct rlimit before, small;
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
    small = before;
    small.rlim_cur = 30000; /* eight pictures */
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &small), 0);
    const struct run *run = cli(5, "render", "plummer", "-n", "64", "--size", "64x36", "--frames",
                                "40", "--quiet", "-o", "large.y4m");
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
    assert_says(run->err, "large.y4m ulimit -f");
    assert_false(cli_exists("large.y4m"));
    assert_false(cli_exists("large.y4m.gravreel.part"));
}

TESTS(cli_set_up, cli_tear_down)
