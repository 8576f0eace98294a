/* Files being written: other people's files are never written to; part_check predicts part_open. */
#include "tests/support/test.h"

#include "base/file.h"
#include "base/output.h"
#include "base/part.h"
#include "base/text.h"
#include "tests/support/programs/asleep.h"
#include "tests/support/films/sink_fixture.h"

#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static void write_plain(const char *path, const char *text)
{
    const int file = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0666);
    assert_true(file >= 0);
    assert_int_equal(write(file, text, strlen(text)), (int)strlen(text));
    close(file);
}

static void assert_text(const char *path, const char *text)
{
    char *found;
    assert_ok(file_read(path, 1 << 16, &found, NULL));
    assert_string_equal(found, text);
    free(found);
}

TEST(what_others_made_is_not_written_to)
{
    const char *path = fixture_path(*state, "film.mkv"), *name = fixture_path(*state, "theirs");
    char *part = part_name(path);
    struct output output;
    struct part opened;
    write_plain(name, "theirs");
    for (int kind = 0; kind < 5; kind++) {
        switch (kind) {
        case 0:
            assert_int_equal(symlink(name, part), 0);
            break;
        case 1: /* a link to a path that does not exist */
            assert_int_equal(symlink("nothing", part), 0);
            break;
        case 2:
            assert_int_equal(link(name, part), 0);
            break;
        case 3:
            assert_int_equal(mkfifo(part, 0666), 0);
            break;
        default:
            write_plain(part, "another user's");
            if (chown(part, 12345, 12345) != 0) { /* only root may */
                assert_int_equal(unlink(part), 0);
                continue;
            }
        }
        assert_int_not_equal(part_open(&opened, path, false), STATUS_OK);
        assert_says(status_text(), path);
        assert_int_not_equal(output_open(&output, path), STATUS_OK);
        assert_int_not_equal(output_check(path), STATUS_OK);
        assert_int_not_equal(file_write(path, "ours", 4), STATUS_OK);
        struct stat found;
        assert_int_equal(lstat(part, &found), 0);
        assert_false(file_exists(path));
        assert_int_equal(unlink(part), 0);
    }
    assert_text(name, "theirs");
    assert_int_equal(fixture_count_files(*state), 1);
    free(part);
}

/* Temporary names of earlier versions may belong to anybody. */
TEST(what_a_killed_run_has_left_is_taken_over)
{
    const char *path = fixture_path(*state, "a.txt"), *old = fixture_path(*state, "a.txt.part");
    char *part = part_name(path);
    write_plain(part, "half of a longer text");
    write_plain(old, "the user's");
    assert_ok(output_check(path));
    assert_ok(file_write(path, "whole", 5));
    assert_text(path, "whole");
    assert_text(old, "the user's");
    assert_false(file_exists(part));
    free(part);
}

TEST(two_runs_do_not_write_one_file)
{
    const char *path = fixture_path(*state, "a.mkv");
    struct output output, second;
    assert_ok(output_open(&output, path));
    assert_true(output_write(&output, "first", 5));
    assert_fails(output_open(&second, path), STATUS_USAGE, "another run");
    assert_true(output_close(&output, true, false));
    output_release(&output);
    assert_text(path, "first");
    assert_ok(output_open(&second, path));
    assert_true(output_close(&second, false, false));
    output_release(&second);
    assert_text(path, "first");
    assert_int_equal(fixture_count_files(*state), 1);
}

static struct part second;
static char *second_path;

static void *open_when_free(void *unused)
{
    (void)unused;
    return (void *)(uintptr_t)part_open(&second, second_path, true);
}

/* A process that waited for a file does not write into another file that has taken its name. */
TEST(a_file_that_is_finished_is_another)
{
    pthread_t thread;
    struct part first;
    void *status;
    second_path = text_format("%s", fixture_path(*state, "a.txt"));
    assert_ok(part_open(&first, second_path, true));
    assert_int_equal(write(first.descriptor, "first", 5), 5);
    assert_int_equal(pthread_create(&thread, NULL, open_when_free, NULL), 0);
    let_others_wait();
    assert_int_equal(rename(first.name, second_path), 0);
    write_plain(first.name, "a third one's");
    assert_int_equal(close(first.descriptor), 0); /* which releases it */
    free(first.name);
    pthread_join(thread, &status);
    assert_int_equal((uintptr_t)status, STATUS_OK);
    assert_text(second_path, "first");
    assert_int_equal(write(second.descriptor, "second", 6), 6);
    assert_text(second_path, "first");
    assert_int_equal(part_close(&second, second_path, false), 0);
    assert_text(second_path, "second");
    free(second_path);
}

TEST(folders_hold_what_lies_in_them)
{
    const char *folder = *state;
    char *inside = text_format("%s/a/b", folder), *beside = text_format("%s-b/a", folder);
    char *around = text_format("%s/..", folder);
    assert_true(file_is_inside(inside, folder) && file_is_inside(folder, folder));
    assert_true(file_is_inside(folder, "/") && file_is_inside(folder, around));
    assert_false(file_is_inside(beside, folder));
    assert_false(file_is_inside(folder, inside));
    free(inside);
    free(beside);
    free(around);
}

/* Reads no more than the limit, whatever the size of the input. */
TEST(files_without_end_are_refused)
{
    char *text;
    assert_fails(file_read("/dev/zero", 1000, &text, NULL), STATUS_USAGE, "1000");
    assert_null(text);
}

TEST(checks_leave_nothing_behind)
{
    char name[300];
    /* Inside a folder any name is possible: only its length and the folder count. */
    assert_ok(output_check_inside(fixture_path(*state, "new/folder"), 32));
    assert_ok(output_check_inside(fixture_path(*state, "new/folder"), 241));
    assert_fails(output_check_inside(fixture_path(*state, "new/folder"), 242), STATUS_USAGE, "241");
    assert_fails(output_check_inside("/proc/a.parts", 32), STATUS_IO, "/proc/a.parts");
    assert_fails(output_check_inside("/dev/null/a", 32), STATUS_IO, "directory");
    assert_int_equal(fixture_count_files(*state), 0);
    assert_ok(output_check(fixture_path(*state, "a.mkv")));
    assert_ok(output_check(fixture_path(*state, "new/folder/a.mkv")));
    assert_ok(output_check("-"));
    assert_ok(output_check("/dev/null"));
    assert_fails(output_check(*state), STATUS_USAGE, "folder");
    assert_fails(output_check("/dev/null/a.mkv"), STATUS_IO, "directory");
    assert_fails(output_check("/proc/a.mkv"), STATUS_IO, "/proc/a.mkv");
    memset(name, 'a', sizeof name);
    for (size_t length = 240; length < 260; length++) {
        name[length] = '\0';
        const char *path = fixture_path(*state, name);
        if (length > 241)
            assert_fails(output_check(path), STATUS_USAGE, "241");
        else
            assert_ok(output_check(path));
        char *inside = text_format("%s/a.mkv", path);
        if (length > 255)
            assert_fails(output_check(inside), STATUS_USAGE, "255");
        else
            assert_ok(output_check(inside));
        free(inside);
        name[length] = 'a';
    }
    assert_int_equal(fixture_count_files(*state), 0);
}

TESTS_EACH(fixture_setup, fixture_teardown)
