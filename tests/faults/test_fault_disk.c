/* Disks that are full, read-only or removed. */
#include "tests/support/test.h"

#include "tests/faults/films.h"

#include "tests/support/films/sink_fixture.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <unistd.h>

static const struct fault_film *const mp4 = &fault_films[FILM_H264];
static const struct fault_film *const pictures = &fault_films[FILM_PICTURES];

/* At four moments spread over the run; space is freed, and the run continues. In its first half the
 * first checkpoint and the first pictures may both be unfinished: then nothing is left. */
static void fail_and_go_on(const struct fault_film *film, const char *kind, int reason)
{
    const long count = fault_count(film, "whole");
    for (int i = 0; i < 4; i++) {
        char fault[32];
        struct run run;
        snprintf(fault, sizeof fault, "%s %ld", kind, 1 + i * count / 4);
        const int code = fault_run(film, "cut", fault, NULL, &run);
        if (code != STATUS_IO || !strstr(run.err, strerror(reason)))
            fail_msg("%s: '%s' ended with %d: %s", film->name, fault, code, run.err);
        const bool kept = cli_exists(film == mp4 ? "cut/film.mp4.parts" : "cut/%02d.png.parts");
        assert_true(kept == (has_words(run.err, "'gravreel resume'")) || reason == EROFS);
        if (!kept && reason != EROFS)
            fault_holds("cut", ARGUMENTS(NULL));
        assert_true(kept || i < 2);
        run_free(&run);
        if (fault_run(film, "cut", NULL, "--resume", &run) != 0)
            fail_msg("%s after '%s': %s", film->name, fault, run.err);
        run_free(&run);
        fault_same(film, "cut", "whole");
        fault_remove("cut");
    }
    fault_remove("whole");
}

TEST(a_film_on_a_full_disk)
{
    cli_need_gl();
    fail_and_go_on(mp4, "full", ENOSPC);
}

TEST(pictures_on_a_full_disk)
{
    cli_need_gl();
    fail_and_go_on(pictures, "full", ENOSPC);
}

/* A run that made nothing leaves nothing, so that the same command works when there is space. */
TEST(a_disk_that_is_full_from_the_start)
{
    cli_need_gl();
    for (int step = 1; step <= 12; step++) {
        char fault[32];
        fault_remove("cut");
        snprintf(fault, sizeof fault, "full %d", step);
        assert_int_equal(fault_run(mp4, "cut", fault, NULL, NULL), STATUS_IO);
        if (!cli_exists("cut/film.mp4.parts/manifest.json"))
            fault_holds("cut", ARGUMENTS(NULL));
    }
    fault_remove("cut");
}

TEST(a_disk_that_can_be_written_no_more)
{
    cli_need_gl();
    fail_and_go_on(mp4, "frozen", EROFS);
}

static void mount_small(const char *path, const char *options)
{
    mkdir(path, 0777);
    if (mount("none", path, "tmpfs", 0, options) != 0)
        outcome_skip(MISSING_MOUNT, strerror(errno));
}

/* A disk with room for the segments and not for the film; cmocka's longjmp must not leave it
 * mounted, so nothing is asserted before it is let go. */
TEST(a_disk_with_no_room_to_join)
{
    cli_need_gl();
    const struct fault_film film = {"lossless", "film.mkv",
                                    ARGUMENTS("plummer", "-n", "120", "--size", "640x360",
                                              "--frames", "8", "--set", "output.segment=2",
                                              "--codec", "ffv1"),
                                    false};
    assert_true(fault_count(&film, "whole") > 0);
    struct stat found;
    assert_int_equal(stat(cli_path("whole/film.mkv"), &found), 0);
    char size[64];
    snprintf(size, sizeof size, "size=%ldk", (long)found.st_size * 3 / 2 / 1024 + 150);
    mount_small(cli_path("cut"), size);
    struct run run, again;
    const int code = fault_run(&film, "cut", NULL, NULL, &run);
    const int larger = mount("none", cli_path("cut"), "tmpfs", MS_REMOUNT, "size=64m");
    const int resumed = fault_run(&film, "cut", NULL, "--resume", &again);
    const bool same = fixture_same_files(cli_path("cut/film.mkv"), cli_path("whole/film.mkv"));
    const int files = fixture_count_files(cli_path("cut"));
    umount(cli_path("cut"));
    assert_int_equal(code, STATUS_IO);
    assert_says(run.err, "joining cut/film.mkv gravreel resume");
    assert_int_equal(larger, 0);
    assert_int_equal(resumed, 0);
    assert_true(same);
    assert_int_equal(files, 2);
    run_free(&run);
    run_free(&again);
}

TEST(a_folder_that_cannot_be_written)
{
    cli_need_gl();
    struct run run[2];
    mount_small(cli_path("locked"), "size=1m");
    const int frozen = mount("none", cli_path("locked"), "tmpfs", MS_REMOUNT | MS_RDONLY, NULL);
    int codes[2] = {fault_run(mp4, "locked", NULL, NULL, &run[0]),
                    fault_run(pictures, "locked", NULL, NULL, &run[1])};
    umount(cli_path("locked"));
    assert_int_equal(frozen, 0);
    for (int i = 0; i < 2; i++) {
        assert_int_equal(codes[i], STATUS_IO);
        assert_says(run[i].err, "locked/");
        assert_says(run[i].err, strerror(EROFS));
        run_free(&run[i]);
    }
}

/* Files left by power failures are complete: no file gets its name before it is on the disk. */
TEST(what_is_renamed_is_on_the_disk)
{
    cli_need_gl();
    struct run run;
    fault_remove("cut");
    assert_int_equal(fault_run(mp4, "cut", "order 0", NULL, &run), 0);
    if (strstr(run.err, "not synchronized"))
        fail_msg("%s", run.err);
    const char *renamed = strstr(run.err, "renamed=");
    assert_non_null(renamed);
    assert_true(atol(renamed + strlen("renamed=")) >
                10); /* film, segments, manifests, checkpoints */
    run_free(&run);
    fault_remove("cut");
}

TEST(a_folder_that_vanishes)
{
    cli_need_gl();
    const struct fault_film film = {"long", "film.mp4",
                                    ARGUMENTS("plummer", "-n", "120", "--size", "64x36", "--frames",
                                              "40", "--set", "output.segment=2"),
                                    false};
    const struct run_options options = {.folder = cli_folder,
                                        .environment = fault_environment("halt 7")};
    struct run_process process;
    struct run run;
    run_start(&process, &options, fault_words(&film, "gone", NULL));
    assert_true(run_wait_until_halted(&process));
    assert_int_equal(rename(cli_path("gone"), cli_path("elsewhere")), 0);
    run_signal(&process, SIGCONT);
    run_finish(&process, &run);
    assert_int_equal(run.code, STATUS_IO);
    assert_says(run.err, "gone/film.mp4.parts");
    assert_lacks(run.err, "--resume"); /* nothing is left */
    assert_false(cli_exists("gone/film.mp4"));
    run_free(&run);
    fault_remove("elsewhere");
}

TEST(targets_that_exist)
{
    cli_need_gl();
    struct run run;
    mkdir(cli_path("old"), 0777);
    cli_write("old/film.mp4", "mine");
    cli_write("old/03.png", "mine");
    for (int i = 0; i < 4; i++) {
        const struct fault_film *film = i % 2 ? pictures : mp4;
        assert_int_equal(fault_run(film, "old", NULL, i < 2 ? NULL : "--resume", &run), 2);
        assert_says(run.err, "-y");
        run_free(&run);
    }
    FAULT_HOLDS("old", "film.mp4", "03.png");
    char *kept = cli_read("old/film.mp4");
    assert_string_equal(kept, "mine");
    free(kept);
}

TESTS(cli_set_up, cli_tear_down)
