/* What the program must not overwrite, follow or begin, found out before anything is rendered. */
#include "tests/support/test.h"

#include "base/file.h"
#include "tests/support/cli.h"

#include <errno.h>
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

static void files_beside_the_film_stay(void **state)
{
    (void)state;
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

static void a_link_for_a_work_folder_is_refused(void **state)
{
    (void)state;
    static const char *const extras[] = {"--dry-run", "-y", "--resume"};
    assert_int_equal(mkdir(cli_path("elsewhere"), 0777), 0);
    assert_int_equal(symlink("elsewhere", cli_path("linked.mp4.parts")), 0);
    for (int i = 0; i < 3; i++) {
        const struct run *run = cli(2, "render", SMALL, "-o", "linked.mp4", extras[i]);
        cli_says(run->err, "'linked.mp4.parts', where the film is made, is a link");
    }
    assert_int_equal(rmdir(cli_path("elsewhere")), 0); /* nothing was put there */
}

/* What `--dry-run` accepts can be written, and it leaves nothing. */
static void what_cannot_be_written_is_refused_first(void **state)
{
    (void)state;
    char name[260];
    memset(name, 'a', 242);
    strcpy(name + 242, ".mp4");
    static const char *const dry[] = {"--dry-run", "-y"};
    assert_int_equal(mkdir(cli_path("own"), 0777), 0);
    for (int i = 0; i < 2; i++) {
        cli_says(cli(2, "render", SMALL, "-o", name, dry[i])->err, "has 246 bytes, but at most");
        name[233] = '\0'; /* the scene beside it has the longer name */
        strcat(name, ".mp4");
        cli_says(cli(2, "render", SMALL, "-o", name, dry[i])->err, "has 244 bytes, but at most");
        strcpy(name + 233, "aaaaaaaaa.mp4");
        cli_says(cli(5, "render", SMALL, "-o", "/proc/none.mp4", dry[i])->err, "/proc/none.mp4");
        cli_says(cli(5, "render", SMALL, "-o", "/dev/null/a.mp4", dry[i])->err, "Not a directory");
        cli_says(cli(5, "render", SMALL, "-o", "/proc/%02d.png", dry[i])->err, "/proc/00.png");
    }
    assert_int_equal(symlink("nowhere", cli_path("own/film.mkv.gravreel.part")), 0);
    for (int i = 0; i < 2; i++)
        cli_says(cli(2, "render", SMALL, "-o", "own/film.mkv", dry[i])->err,
                 "is taken by what this program did not make");
    assert_int_equal(unlink(cli_path("own/film.mkv.gravreel.part")), 0);
    assert_int_equal(rmdir(cli_path("own")), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(files_beside_the_film_stay),
        cmocka_unit_test(a_link_for_a_work_folder_is_refused),
        cmocka_unit_test(what_cannot_be_written_is_refused_first),
    };
    return cmocka_run_group_tests(tests, cli_set_up, cli_tear_down);
}
