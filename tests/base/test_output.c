/* A file being written: the content of its target before, after, and on failure. */
#include "tests/support/test.h"

#include "base/file.h"
#include "base/output.h"
#include "tests/support/files/folder.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>

static void assert_holds(const char *path, const char *want)
{
    char *text;
    assert_ok(file_read(path, 1 << 16, &text, NULL));
    assert_string_equal(text, want);
    free(text);
}

TEST(the_target_is_replaced_when_all_is_written)
{
    struct output output;
    const char *path = folder_path("new/folder/film"), *link_ = folder_path("link");
    assert_ok(output_open(&output, path));
    assert_true(output.seekable);
    assert_true(output_write(&output, "hello", 5));
    assert_true(output_seek(&output, 1));
    assert_true(output_write(&output, "a", 1));
    assert_int_equal(output.position, 2);
    assert_int_equal(output.bytes, 5);
    assert_false(file_exists(path));
    assert_true(output_close(&output, true, true));
    output_release(&output);
    assert_holds(path, "hallo");
    assert_int_equal(symlink("new/folder/film", link_), 0);
    for (int keep = 0; keep <= 1; keep++) {
        assert_ok(output_open(&output, link_));
        char *temporary = strdup(output.temporary);
        assert_true(output_write(&output, "second", 6));
        assert_true(file_exists(temporary));
        assert_holds(path, "hallo");
        assert_true(output_close(&output, keep, false));
        output_release(&output);
        assert_false(file_exists(temporary));
        assert_int_equal(file_is_link(link_), !keep);
        assert_holds(path, "hallo");
        assert_holds(link_, keep ? "second" : "hallo");
        free(temporary);
    }
}

TEST(what_may_not_be_replaced_is_told)
{
    assert_ok(file_write(folder_path("there"), "old", 3));
    assert_fails(output_check_new(folder_path("there"), false, "-o"), STATUS_USAGE,
                 "exists already -y -o");
    assert_ok(output_check_new(folder_path("there"), true, "-o"));
    assert_fails(output_check_new(folder_name(), false, "-o"), STATUS_USAGE, "is a folder");
    assert_ok(output_check_new("/dev/null", false, "-o"));
    assert_ok(output_check_new("-", false, "-o"));
}

TEST(a_failure_leaves_the_old_file)
{
    struct output output;
    const char *path = folder_path("old");
    assert_ok(file_write(path, "old", 3));
    assert_ok(output_open(&output, path));
    char *temporary = strdup(output.temporary);
    output.error = ENOSPC;
    assert_false(output_write(&output, "new", 3));
    assert_int_equal(output.bytes, 0);
    assert_false(output_seek(&output, 0));
    assert_fails(output_failed(&output, 1), STATUS_IO, "old 1 frame space");
    assert_fails(output_failed(&output, 2), STATUS_IO, "2 frames");
    assert_fails(output_failed(&output, 2), STATUS_IO, "space");
    assert_false(output_close(&output, true, false));
    output_release(&output);
    assert_false(file_exists(temporary));
    assert_holds(path, "old");
    free(temporary);
}

TEST(a_device_is_written_to)
{
    struct output output;
    assert_ok(output_check("/dev/full"));
    assert_ok(output_open(&output, "/dev/full"));
    assert_null(output.temporary);
    assert_false(output.seekable);
    assert_false(output_write(&output, "x", 1));
    assert_int_equal(output.error, ENOSPC);
    assert_false(output_close(&output, true, false));
    output_release(&output);
    struct stat found;
    assert_int_equal(stat("/dev/full", &found), 0);
    assert_true(S_ISCHR(found.st_mode));
}

/* output_check gives the messages of output_open, and creates nothing. */
TEST(checks_say_what_opening_would)
{
    struct output output;
    assert_ok(file_write(folder_path("file"), "", 0));
    assert_fails(output_open(&output, folder_name()), STATUS_USAGE, "folder");
    assert_fails(output_check(folder_name()), STATUS_USAGE, "folder");
    assert_fails(output_open(&output, folder_path("file/film")), STATUS_IO, "file");
    assert_int_not_equal(output_check(folder_path("file/film")), STATUS_OK);
    assert_ok(output_check("-"));
    assert_ok(output_check(folder_path("a/b/film")));
    assert_ok(output_check_inside(folder_path("a/b"), 100));
    assert_int_not_equal(output_check_inside(folder_path("a/b"), 10000), STATUS_OK);
    assert_false(file_exists(folder_path("a")));
}

TESTS(folder_set_up, folder_tear_down)
