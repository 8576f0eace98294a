/* What the program must not overwrite, follow or start, detected before anything is rendered. */
#include "tests/support/test.h"

#include "base/file.h"
#include "tests/support/programs/cli.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define SMALL "plummer", "-n", "64", "--size", "64x36", "--frames", "3", "--quiet"

static void assert_text(const char *name, const char *text)
{
    char *found = cli_read(name);
    assert_string_equal(found, text);
    free(found);
}

TEST(files_beside_the_film_stay)
{
    cli_need_gl();
    static const char *const names[] = {"film.mp4.part", "film.mp4.parts/manifest.txt",
                                        "film.mp4.parts/piece-of-cake.txt",
                                        "film.mp4.parts/checkpoint-notes.md"};
    enum { COUNT = sizeof names / sizeof *names };
    assert_int_equal(mkdir(cli_path("film.mp4.parts"), 0777), 0);
    for (int i = 0; i < COUNT; i++)
        cli_write(names[i], "mine");
    cli(0, "render", SMALL, "-o", "film.mp4");
    cli(0, "render", SMALL, "-o", "film.mp4", "-y");
    for (int i = 0; i < COUNT; i++)
        assert_text(names[i], "mine");
    assert_true(cli_exists("film.mp4"));
}

/* A dangling link is replaced, not followed. */
TEST(links_beside_the_film_are_not_followed)
{
    cli_need_gl();
    static const char *const names[] = {"diary.mkv", "diary.diagnostics.csv", "diary.scene.yaml"};
    assert_int_equal(mkdir(cli_path("far"), 0777), 0);
    for (int i = 0; i < 3; i++)
        assert_int_equal(symlink("far/away", cli_path(names[i])), 0);
    cli(0, "render", SMALL, "--set", "simulation.diagnostics_every=1", "-o", "diary.mkv");
    for (int i = 0; i < 3; i++)
        assert_true(cli_exists(names[i]));
    assert_int_equal(rmdir(cli_path("far")), 0);
}

static void link_to(const char *target, const char *name)
{
    cli_write(target, "keep");
    assert_int_equal(symlink(cli_path(target), cli_path(name)), 0);
}

static void replaced(const char *target, const char *name)
{
    assert_text(target, "keep");
    assert_true(cli_exists(name));
    if (file_is_link(cli_path(name)))
        fail_msg("'%s' is still a link", name);
}

/* A link is replaced like a file, whatever is written, so that nothing outside the named folder
 * changes. */
TEST(links_are_replaced_and_not_followed)
{
    cli_need_gl();
    static const char *const films[] = {"l.mp4", "l.mkv", "l.gif", "l.y4m"};
    static const char *const more[] = {"l.json", "l.progress", "l.yaml", "l_0.csv",
                                       "l2.diagnostics.csv"};
    char far[sizeof more / sizeof *more][16];
    for (size_t i = 0; i < sizeof films / sizeof *films; i++) {
        link_to("far.txt", films[i]);
        cli(0, "render", SMALL, "-o", films[i], "-y");
        replaced("far.txt", films[i]);
    }
    assert_int_equal(mkdir(cli_path("pic"), 0777), 0);
    link_to("far.txt", "pic/0001.png");
    assert_says(cli(0, "render", "plummer", "-n", "64", "--size", "64x36", "--frames", "3", "-y",
                    "-o", "pic/%04d.png")
                    ->err,
                "pic/0001.png symbolic link replaced");
    replaced("far.txt", "pic/0001.png");
    for (size_t i = 0; i < sizeof more / sizeof *more; i++) {
        snprintf(far[i], sizeof far[i], "far%d.txt", (int)i);
        link_to(far[i], more[i]);
    }
    cli(0, "render", SMALL, "-o", "l2.mp4", "-y", "--manifest", "l.json", "--progress",
        "l.progress", "--save-scene", "l.yaml", "--save-snapshots", "l_%d.csv", "--every", "1",
        "--set", "simulation.diagnostics_every=1");
    for (size_t i = 0; i < sizeof more / sizeof *more; i++)
        replaced(far[i], more[i]);
    link_to("far.txt", "l.html");
    link_to("far.txt", "l.png");
    cli(0, "compare", "l.mp4", "l.mkv", "--html", "l.html", "-y");
    cli(0, "still", "plummer", "-n", "64", "--size", "64x36", "--at", "start", "-o", "l.png", "-y");
    replaced("far.txt", "l.html");
    replaced("far.txt", "l.png");
    /* links of the system are no files to replace */
    cli(0, "render", SMALL, "-o", "/dev/null", "--format", "y4m", "-y");
    link_to("far.txt", "out");
    assert_int_equal(unlink(cli_path("out")), 0);
    assert_int_equal(symlink("/dev/stdout", cli_path("out")), 0);
    assert_contains(cli(0, "render", SMALL, "-o", "l2.mp4", "-y", "--manifest", "out")->out,
                    "gravreel_manifest");
    assert_true(file_is_link(cli_path("out")));
}

TEST(a_link_for_a_work_folder_is_refused)
{
    static const char *const extras[] = {"--dry-run", "-y", "--resume"};
    assert_int_equal(mkdir(cli_path("elsewhere"), 0777), 0);
    assert_int_equal(symlink("elsewhere", cli_path("linked.mp4.parts")), 0);
    for (int i = 0; i < 3; i++) {
        const struct run *run = cli(2, "render", SMALL, "-o", "linked.mp4", extras[i]);
        assert_says(run->err, "linked.mp4.parts film link");
    }
    assert_int_equal(rmdir(cli_path("elsewhere")), 0); /* nothing was put there */
}

/* Everything that `--dry-run` accepts can be written, and it leaves nothing behind. */
TEST(what_cannot_be_written_is_refused_first)
{
    char name[260];
    memset(name, 'a', 242);
    strcpy(name + 242, ".mp4");
    static const char *const dry[] = {"--dry-run", "-y"};
    assert_int_equal(mkdir(cli_path("own"), 0777), 0);
    for (int i = 0; i < 2; i++) {
        cli_fails(2, "246 bytes", "render", SMALL, "-o", name, dry[i]);
        name[233] = '\0'; /* the scene beside it has the longer name */
        strcat(name, ".mp4");
        cli_fails(2, "244 bytes", "render", SMALL, "-o", name, dry[i]);
        strcpy(name + 233, "aaaaaaaaa.mp4");
        cli_fails(5, "/proc/none.mp4", "render", SMALL, "-o", "/proc/none.mp4", dry[i]);
        cli_fails(5, "directory", "render", SMALL, "-o", "/dev/null/a.mp4", dry[i]);
        cli_fails(5, "/proc/00.png", "render", SMALL, "-o", "/proc/%02d.png", dry[i]);
    }
    assert_int_equal(symlink("nowhere", cli_path("own/film.mkv.gravreel.part")), 0);
    for (int i = 0; i < 2; i++)
        cli_fails(2, "taken move", "render", SMALL, "-o", "own/film.mkv", dry[i]);
    assert_int_equal(unlink(cli_path("own/film.mkv.gravreel.part")), 0);
    assert_int_equal(rmdir(cli_path("own")), 0);
}

static void assert_visible(const char *text)
{
    for (const char *at = text; *at; at++)
        if (((unsigned char)*at < 0x20 && *at != '\n') || *at == 0x7f)
            fail_msg("a raw control character %d in: %s", *at, text);
}

/* Tags and names from outside do not control the terminal. */
TEST(names_and_tags_are_shown)
{
    cli_need_gl();
    const char *name = "evil\033]0;x\007.mkv";
    cli(0, "render", SMALL, "--set", "output.title=\"a\\x1b[31mred\"", "-o", name);
    const struct run *run = cli(0, "info", name);
    assert_visible(run->out);
    assert_visible(run->err);
    assert_contains(run->out, "a\\x1b[31mred");
    run = cli(0, "render", SMALL, "--dry-run", "-y", "-o", name);
    assert_visible(run->out);
    assert_contains(run->out, "evil\\x1b]0;x\\x07.mkv");
    run = cli(2, "render", SMALL, "-o", name);
    assert_visible(run->err);
    run = cli(2, "render", "no\033[31msuch", "-o", "a.mkv");
    assert_visible(run->err);
}

TEST(progress_replaces_only_progress)
{
    cli_need_gl();
    cli_write("notes.txt", "my notes\n");
    const struct run *run = cli(2, "render", SMALL, "-o", "p.mkv", "--progress", "notes.txt");
    assert_says(run->err, "notes.txt progress run");
    assert_text("notes.txt", "my notes\n");
    assert_false(cli_exists("p.mkv"));
    cli(0, "render", SMALL, "-o", "p.mkv", "--progress", "p.txt");
    cli(0, "render", SMALL, "-o", "q.mkv", "--progress", "p.txt");
    cli(0, "render", SMALL, "-o", "r.mkv", "--progress", "notes.txt", "-y");
    char *text = cli_read("notes.txt");
    assert_contains(text, "progress=end");
    free(text);
    cli_fails(2, "file run", "render", SMALL, "-o", "p.mkv", "-y", "--progress", "p.mkv");
    cli_fails(2, "file run", "render", SMALL, "-o", "s.mkv", "--progress", "s.scene.yaml");
    cli_fails(5, "/proc/p.txt", "render", SMALL, "-o", "s.mkv", "--progress", "/proc/p.txt");
    assert_false(cli_exists("s.mkv"));
}

/* Mesa would warn of a shader cache that it cannot create. */
TEST(a_home_that_takes_nothing_is_no_message)
{
    cli_need_gl();
    char setting[4200];
    cli_write("home", "no folder");
    snprintf(setting, sizeof setting, "XDG_CACHE_HOME=%s", cli_path("home"));
    const struct run *run = cli_with((setting), 0, "still", "plummer", "-n", "64", "--size",
                                     "64x36", "--at", "start", "--quiet", "-o", "home.png");
    assert_string_equal(run->err, "");
    assert_string_equal(run->out, "");
    /* an existing cache is used */
    assert_int_equal(mkdir(cli_path("cache"), 0777), 0);
    snprintf(setting, sizeof setting, "XDG_CACHE_HOME=%s", cli_path("cache"));
    cli_with((setting), 0, "still", "plummer", "-n", "64", "--size", "64x36", "--at", "start",
             "--quiet", "-o", "cache.png");
    assert_true(cli_exists("cache/mesa_shader_cache") ||
                !strstr(cli(0, "doctor")->out, "llvmpipe"));
}

/* A mistyped name is noticed. */
TEST(a_folder_that_is_made_is_told_of)
{
    cli_need_gl();
#define SPOKEN "render", "plummer", "-n", "64", "--size", "64x36", "--frames", "3", "-o"
    assert_says(cli(0, SPOKEN, "nodir/of/a.mkv")->err, "folder nodir/of");
    assert_true(cli_exists("nodir/of/a.mkv"));
    assert_lacks(cli(0, SPOKEN, "nodir/of/b.mkv")->err, "folder");
    assert_lacks(cli(0, SPOKEN, "beside.mkv")->err, "folder");
}

/* The program waits for the other end of a pipe, and says so. */
TEST(a_pipe_without_a_partner_is_told_of)
{
    cli_need_gl();
    assert_int_equal(mkfifo(cli_path("pipe.y4m"), 0666), 0);
    assert_int_equal(mkfifo(cli_path("bodies.tab"), 0666), 0);
    const struct {
        const char *const *words;
        const char *said;
    } cases[] = {
        {ARGUMENTS("render", "plummer", "-n", "64", "--size", "64x36", "--frames", "3", "-y", "-o",
                   "pipe.y4m"),
         "waiting program pipe.y4m"},
        {ARGUMENTS("render", "plummer", "--bodies-from", "bodies.tab", "--size", "64x36",
                   "--frames", "3", "-o", "never.mkv"),
         "waiting program"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const struct run_options options = {.folder = cli_folder};
        struct run_process process;
        struct run run;
        char text[4096] = "";
        run_start(&process, &options, cases[i].words);
        for (int t = 0; t < RUN_LIMIT * 100 && !has_words(text, cases[i].said); t++) {
            if (pread(process.err, text, sizeof text - 1, 0) < 0)
                fail_msg("%s", strerror(errno));
            usleep(10000);
        }
        assert_says(text, cases[i].said);
        run_signal(&process, SIGINT); /* and can be interrupted */
        run_finish(&process, &run);
        assert_false(run.timed_out);
        assert_int_not_equal(run.code, 0);
        run_free(&run);
    }
}

TESTS(cli_set_up, cli_tear_down)
